//===- Refusals.cpp - the rules of clopt, as a table ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RefusalsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/Refusals.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

namespace {
/// The help texts under the names of their rules. A rule without help does not
/// compile.
namespace help {
#define CLOPT_RULE_HELP(Name, Text) constexpr const char *Name = Text;
#include "Support/RuleHelp.def"
} // namespace help
} // namespace

/// Findings about global memory share a beginning, there are two about local
/// memory and one about declared arrays; everything else is a refusal.
static bool isFinding(llvm::StringRef id) {
  return id.starts_with("clopt-unvectorized-") || id == "clopt-bank-conflict" ||
         id == "clopt-out-of-bounds" || id == "clopt-race";
}

const std::vector<clopt::Rule> &clopt::allRules() {
  static const std::vector<Rule> rules = {
#define CLOPT_REFUSAL(Name, Id, Summary)                                       \
  {#Name, Id, Summary, help::Name, isFinding(Id)},
#include "Support/Refusals.def"
  };
  return rules;
}

const clopt::Rule *clopt::findRule(const std::string &id) {
  const std::vector<Rule> &rules = allRules();
  auto found = llvm::find_if(rules, [&](const Rule &r) { return r.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

bool clopt::isAboutBudget(const std::string &id) {
  return id == "clopt-budget" || id == "clopt-time-budget";
}

std::vector<std::string> clopt::allRuleIds() {
  std::vector<std::string> ids;
  for (const Rule &rule : allRules())
    ids.push_back(rule.id);
  return ids;
}
