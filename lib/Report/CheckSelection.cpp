//===- CheckSelection.cpp - which findings are wanted ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/CheckSelectionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/CheckSelection.h"

#include "Support/Refusals.h"
#include "Support/Suggest.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/GlobPattern.h>

using namespace clopt;

static std::vector<std::string> findingIds() {
  std::vector<std::string> ids;
  for (const Rule &rule : allRules())
    if (rule.isFinding)
      ids.push_back(rule.id);
  return ids;
}

llvm::Expected<CheckSelection> CheckSelection::parse(const std::string &text) {
  const std::vector<std::string> ids = findingIds();
  CheckSelection result;
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::StringRef(text).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    part = part.trim();
    const bool selects = !part.consume_front("-");
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(part);
    if (!glob)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "'" + part.str() + "' is no pattern: " +
                                         llvm::toString(glob.takeError()));
    if (llvm::none_of(ids,
                      [&](const std::string &id) { return glob->match(id); }))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "no check is named '" + part.str() + "'" +
                                         didYouMean(part.str(), ids));
    result.patterns.push_back({part.str(), selects});
  }
  return result;
}

bool CheckSelection::isSelected(const std::string &ruleId) const {
  bool result = true;
  for (const Pattern &pattern : patterns)
    if (llvm::cantFail(llvm::GlobPattern::create(pattern.glob)).match(ruleId))
      result = pattern.selects;
  return result;
}

std::vector<std::string> CheckSelection::ruleIds() const {
  std::vector<std::string> ids = findingIds();
  llvm::erase_if(ids, [&](const std::string &id) { return !isSelected(id); });
  return ids;
}
