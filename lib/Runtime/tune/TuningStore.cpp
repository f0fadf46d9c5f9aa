//===- TuningStore.cpp - the fastest recipes, kept in a file --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeTuningStoreTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/TuningStore.h"

#include "Runtime/TextFiles.h"

#include <filesystem>

namespace clopt::runtime {

namespace {

constexpr const char *version = "1.0.0";

Json emptyDatabase() {
  return {{"schema_version", version}, {"entries", Json::array()}};
}

Json loadDatabase(const std::string &path) {
  if (!std::filesystem::exists(path))
    return emptyDatabase();
  const JsonDocument document = JsonDocument::load(path);
  const Json &root = document.root();
  const bool isKnown =
      root.is_object() && root.contains("schema_version") &&
      root["schema_version"].is_string() &&
      root["schema_version"].get<std::string>().rfind("1.", 0) == 0 &&
      root.contains("entries") && root["entries"].is_array();
  if (!isKnown)
    throw document.error("", "this is no tuning database of version 1");
  return root;
}

/// The members that tell entries apart.
Json keyOf(const TuneSubject &subject) {
  return {{"source", subject.source},     {"flags", subject.flags},
          {"kernel", subject.kernel},     {"target", subject.target},
          {"platform", subject.platform}, {"device", subject.device},
          {"driver", subject.driver},     {"size_class", subject.sizeClass()},
          {"form", subject.form()}};
}

bool hasKey(const Json &entry, const Json &key) {
  for (const auto &[name, value] : key.items())
    if (!entry.is_object() || !entry.contains(name) || entry[name] != value)
      return false;
  return true;
}

} // namespace

std::optional<Steps> findStored(const std::string &path,
                                const TuneSubject &subject) {
  const Json database = loadDatabase(path);
  const Json key = keyOf(subject);
  for (const Json &entry : database["entries"])
    if (hasKey(entry, key) && entry.contains("recipe"))
      return entry["recipe"].get<Steps>();
  return std::nullopt;
}

void store(const std::string &path, const TuneSubject &subject,
           const TuneResult &best) {
  const FileLock lock(path);
  Json database = loadDatabase(path);
  const Json key = keyOf(subject);
  Json entry = key;
  entry["sizes"] = pointJson(subject.sizes);
  entry["recipe"] = best.steps;
  if (!best.group.empty())
    entry["group"] = best.group;
  entry["original_ms"] = best.originalMs;
  entry["ms"] = best.ms;
  entry["timestamp"] = best.timestamp;
  bool isKnown = false;
  for (Json &other : database["entries"])
    if (hasKey(other, key)) {
      other = entry;
      isKnown = true;
    }
  if (!isKnown)
    database["entries"].push_back(entry);
  replaceFile(path, database.dump(2) + "\n");
}

} // namespace clopt::runtime
