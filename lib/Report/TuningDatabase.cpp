//===- TuningDatabase.cpp - the recipes that a tuner found ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/TuningDatabaseTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/TuningDatabase.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>

#include <map>
#include <tuple>

using namespace clopt;
using llvm::json::ObjectMapper;

namespace clopt {

static bool fromJSON(const llvm::json::Value &value, TuningRecord &result,
                     llvm::json::Path path) {
  ObjectMapper map(value, path);
  return map && map.map("source", result.source) &&
         map.map("flags", result.flags) && map.map("kernel", result.kernel) &&
         map.map("target", result.target) &&
         map.map("platform", result.platform) &&
         map.map("device", result.device) && map.map("driver", result.driver) &&
         map.map("size_class", result.sizeClass) &&
         map.map("form", result.form) && map.map("recipe", result.steps) &&
         map.mapOptional("group", result.group) &&
         map.map("original_ms", result.originalMs) && map.map("ms", result.ms);
}

} // namespace clopt

/// The first part of "1.0.0" changes when readers have to change.
static bool isKnownVersion(const llvm::json::Value &document) {
  const llvm::json::Object *object = document.getAsObject();
  std::optional<llvm::StringRef> version =
      object ? object->getString("schema_version") : std::nullopt;
  return version && version->starts_with("1.");
}

llvm::Expected<std::vector<TuningRecord>>
clopt::parseTuningDatabase(const std::string &text, const std::string &source) {
  auto fail = [&](const std::string &why) {
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "'" + source + "' is no tuning database of 'clopt tune': " + why);
  };
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(text);
  if (!document)
    return fail(llvm::toString(document.takeError()));
  if (!isKnownVersion(*document))
    return fail("'schema_version' is not 1.x");
  std::vector<TuningRecord> result;
  llvm::json::Path::Root root("database");
  ObjectMapper map(*document, root);
  if (!map || !map.map("entries", result))
    return fail(llvm::toString(root.getError()));
  return result;
}

static double gainOf(const TuningRecord &record) {
  return record.ms > 0 ? record.originalMs / record.ms : 0;
}

std::vector<TuningRecord>
clopt::selectRecords(const std::vector<TuningRecord> &all,
                     const std::string &source,
                     const std::vector<std::string> &flags,
                     const std::string &target, const std::string &form) {
  std::map<std::string, const TuningRecord *> best; // by kernel
  for (const TuningRecord &record : all) {
    if (record.source != source || record.flags != flags ||
        record.target != target || record.form != form)
      continue;
    const TuningRecord *&own = best[record.kernel];
    if (!own || std::make_tuple(record.sizeClass, gainOf(record)) >
                    std::make_tuple(own->sizeClass, gainOf(*own)))
      own = &record;
  }
  std::vector<TuningRecord> result;
  for (const auto &[kernel, record] : best)
    result.push_back(*record);
  return result;
}
