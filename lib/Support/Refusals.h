//===- Refusals.h - the rules of clopt, as a table --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every reason for which clopt does not do something, or does not like
// something, has a rule: a stable id, the name of its remarks, a summary and a
// paragraph of help. Refusals.def lists them; docs/rules has a page of each.
//
// Tested by test/unit/RefusalsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_REFUSALS_H
#define CLOPT_SUPPORT_REFUSALS_H

#include <string>
#include <vector>

namespace clopt {

struct Rule {
  const char *name;    ///< of its remarks, "MayAlias"
  const char *id;      ///< "clopt-may-alias"
  const char *summary; ///< one line, lower case, no full stop
  /// What it means and what helps, in full sentences; at most 1024 characters
  /// (the limit of code scanning).
  const char *help;
  /// True for what `clopt check` finds in a kernel, false for a reason why a
  /// step was not taken.
  bool isFinding;
};

/// All rules in the order of Refusals.def.
const std::vector<Rule> &allRules();

/// The rule with this id, or null.
const Rule *findRule(const std::string &id);

/// True for the rules of a kernel whose analysis was given up.
bool isAboutBudget(const std::string &id);

/// Ids of all rules, for suggestions.
std::vector<std::string> allRuleIds();

} // namespace clopt

#endif // CLOPT_SUPPORT_REFUSALS_H
