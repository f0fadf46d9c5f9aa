//===- UpperBounds.cpp - one upper bound for each value -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/UpperBoundsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/UpperBounds.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace clopt {

void keepLeastBounds(std::vector<GuardCondition> &conditions) {
  std::map<std::string, uint64_t> least;
  for (const GuardCondition &condition : conditions)
    for (const Conjunct &part : condition.parts)
      if (part.bound) {
        auto [known, isNew] =
            least.emplace(part.bound->value, part.bound->number);
        known->second = std::min(known->second, part.bound->number);
      }
  std::set<std::string> said;
  for (GuardCondition &condition : conditions)
    llvm::erase_if(condition.parts, [&](const Conjunct &part) {
      return part.bound && (part.bound->number > least[part.bound->value] ||
                            !said.insert(part.bound->value).second);
    });
  llvm::erase_if(conditions, [](const GuardCondition &condition) {
    return condition.parts.empty();
  });
}

} // namespace clopt
