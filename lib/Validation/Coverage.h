//===- Coverage.h - what of a written kernel has run ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements and both ways of every condition of a written body: of `if` and of
// loops, of `?:`, `&&` and `||`. What the launches of a comparison have not
// reached, they say nothing about.
//
// Tested by test/unit/CoverageTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_COVERAGE_H
#define CLOPT_VALIDATION_COVERAGE_H

#include "Validation/EdgeMoves.h"
#include "Validation/KernelRun.h"

#include <set>
#include <string>
#include <vector>

namespace clopt {

/// One way of a condition.
struct Branch {
  ExprRef condition;
  bool way = false;
  bool isReached = false;
  /// "'n >= 16' is never false (line 12 of the result)"
  std::string text() const;
};

/// Integers that the kernel compares with and memory does not hold by chance,
/// and those beside them where the order is asked for.
std::vector<int64_t> comparedNumbers(const Function &original);

class BodyCoverage {
public:
  /// What stands at the end of `emitted` as it stands in `original`, the text
  /// for launches that the guard refuses, is not counted.
  BodyCoverage(const Function &emitted, const Function &original);

  /// Takes note of a run of the emitted kernel; true when it reached anything
  /// that none before it had.
  bool add(const std::set<const Stmt *> &statements,
           const std::map<const Expr *, BranchCoverage> &branches,
           const std::map<const Expr *, EdgeCoverage> &comparisons);
  /// Whether that would be so.
  bool
  leadsFurther(const std::set<const Stmt *> &statements,
               const std::map<const Expr *, BranchCoverage> &branches,
               const std::map<const Expr *, EdgeCoverage> &comparisons) const;

  size_t statements() const { return executed.size(); }
  size_t statementsReached() const;
  const std::vector<Branch> &branches() const { return ways; }
  size_t branchesReached() const;
  /// False while no run came past the guard, the conditions that stand around
  /// all that the body does.
  bool isEntered() const { return hasEntered; }
  /// Statements and branches.
  bool isComplete() const;
  /// Also every comparison of order true and false as closely as can be.
  bool hasAllEdges() const;
  /// By how much operands of comparisons in a run would have to change until
  /// these come out as they did in none, sorted.
  std::vector<int64_t>
  distances(const std::map<const Expr *, EdgeCoverage> &comparisons) const;
  /// How a launch that did this may be changed so that comparisons come out as
  /// they did in none.
  std::vector<LaunchMove>
  moves(const std::map<const Expr *, EdgeCoverage> &comparisons) const;
  /// Whether what the move is for is still missing.
  bool isWanted(const LaunchMove &move) const {
    return !edges[move.edge].found.isMet(move.way);
  }
  /// Numbers that the body compares or computes with, sorted.
  const std::vector<int64_t> &numbers() const { return literals; }

private:
  void addConditions(const StmtRef &stmt);
  void noteEntry(const std::set<const Stmt *> &statements);

  /// A comparison of order of two integers, or an operand of && or ||.
  struct Edge {
    const Expr *comparison = nullptr;
    EdgeCoverage found;
    std::vector<LaunchSum> gaps; ///< none for operands that are no comparisons
  };

  std::map<const Stmt *, bool> executed;
  std::set<const Stmt *> top; ///< of them, those that stand in no other
  bool hasEntered = false;
  std::vector<Edge> edges;
  std::vector<Branch> ways; ///< false and true of each condition, in order
  std::vector<int64_t> literals;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_COVERAGE_H
