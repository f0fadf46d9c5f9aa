//===- Baseline.cpp - findings that are allowed to stay -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/BaselineTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Baseline.h"

#include "Report/JsonText.h"

using namespace clopt;

static constexpr const char *kindName = "clopt-baseline";
static constexpr int64_t currentVersion = 1;

namespace {
struct Entry {
  const AccessReport *access = nullptr;
  unsigned count = 0;
};
} // namespace

std::string clopt::printBaseline(const std::vector<Finding> &findings) {
  // Sorted by fingerprint: a changed kernel changes few lines of the file.
  std::map<std::string, Entry> entries;
  for (const Finding &finding : findings) {
    if (finding.isSuppressed)
      continue;
    Entry &entry = entries[finding.fingerprint];
    if (!entry.access)
      entry.access = finding.access;
    ++entry.count;
  }
  return printJson([&](llvm::json::OStream &json) {
    json.attribute("kind", kindName);
    json.attribute("version", currentVersion);
    jsonObjects(json, "findings", entries, [&](const auto &entry) {
      json.attribute("fingerprint", entry.first);
      json.attribute("count", entry.second.count);
      // For people who read the file; not looked at.
      const AccessReport &access = *entry.second.access;
      json.attribute("kernel", jsonText(access.kernel));
      json.attribute("access", jsonText(access.text));
      json.attribute("rule", jsonText(access.ruleId));
    });
  });
}

static llvm::Error malformed(const std::string &name,
                             const std::string &reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "%s: not a baseline: %s", name.c_str(),
                                 reason.c_str());
}

llvm::Expected<Baseline> clopt::parseBaseline(const std::string &text,
                                              const std::string &name) {
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(text);
  if (!document)
    return malformed(name, llvm::toString(document.takeError()));
  const llvm::json::Object *root = document->getAsObject();
  if (!root || root->getString("kind") != llvm::StringRef(kindName))
    return malformed(name, "\"kind\" is not \"clopt-baseline\"; make one with "
                           "--write-baseline");
  if (root->getInteger("version") != currentVersion)
    return malformed(name, "\"version\" is not 1; make it again with "
                           "--write-baseline");
  const llvm::json::Array *entries = root->getArray("findings");
  if (!entries)
    return malformed(name, "\"findings\" is missing");
  Baseline baseline;
  for (const llvm::json::Value &entry : *entries) {
    const llvm::json::Object *object = entry.getAsObject();
    auto key = object ? object->getString("fingerprint") : std::nullopt;
    auto count = object ? object->getInteger("count") : std::nullopt;
    if (!key || !count || *count < 1)
      return malformed(name, "a finding has no \"fingerprint\" or \"count\"");
    baseline.counts[key->str()] += *count;
  }
  return baseline;
}

void clopt::applyBaseline(Baseline &baseline, std::vector<Finding> &findings) {
  for (Finding &finding : findings) {
    auto found = baseline.counts.find(finding.fingerprint);
    if (finding.isSuppressed || found == baseline.counts.end() ||
        found->second == 0)
      continue;
    --found->second;
    finding.isInBaseline = true;
  }
}

unsigned clopt::countAllowed(const Baseline &baseline) {
  unsigned count = 0;
  for (const auto &[key, allowed] : baseline.counts)
    count += allowed;
  return count;
}
