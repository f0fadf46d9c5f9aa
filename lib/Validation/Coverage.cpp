//===- Coverage.cpp - what of a written kernel has run --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/CoverageTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Coverage.h"

#include "Model/Control.h"
#include "Model/ExprPrinter.h"
#include "Validation/Code.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// No launch makes such numbers.
static constexpr int64_t farAway = 1 << 28;

std::string Branch::text() const {
  return "'" + printExpr(condition) + "' is never " + (way ? "true" : "false") +
         " (line " + std::to_string(condition->range.line) + " of the result)";
}

/// The statements of the body, without declarations of what the kernel changes
/// of its parameters.
static std::vector<StmtRef> statementsOf(const Function &function) {
  std::vector<StmtRef> all = function.asWritten()->children;
  auto isOfParameter = [&](const StmtRef &stmt) {
    return stmt->kind == StmtKind::Decl &&
           stmt->range.begin >= function.range.begin &&
           stmt->range.begin < function.bodyRange.begin;
  };
  all.erase(all.begin(),
            std::find_if_not(all.begin(), all.end(), isOfParameter));
  return all;
}

/// The statements of the body that the optimizer wrote: those before the
/// author's, if the author's follow.
static std::vector<StmtRef> writtenStatements(const Function &emitted,
                                              const Function &original) {
  std::vector<StmtRef> all = statementsOf(emitted);
  const std::vector<StmtRef> author = statementsOf(original);
  bool hasAuthors = all.size() > author.size();
  for (size_t i = 0; hasAuthors && i < author.size(); ++i)
    hasAuthors = all[all.size() - author.size() + i]->kind == author[i]->kind;
  if (hasAuthors)
    all.resize(all.size() - author.size());
  return all;
}

void EdgeCoverage::add(const EdgeCoverage &other) {
  toTrue = std::min(toTrue, other.toTrue);
  toFalse = std::min(toFalse, other.toFalse);
  differences |= other.differences;
}

bool EdgeCoverage::isMet(bool way) const {
  const uint64_t unit = differences & (~differences + 1);
  return (way ? toFalse : toTrue) < std::max<uint64_t>(1, unit);
}

/// Such numbers come from buffers, or with arguments from the made-up data.
static bool isFloatingComparison(const Expr &expr) {
  return isOrder(expr) && isFloatKind(expr.operands[0]->type.scalar);
}

std::vector<int64_t> comparedNumbers(const Function &original) {
  constexpr int64_t byChance = 61;
  std::set<int64_t> numbers;
  auto visit = [&](const ExprRef &expr) {
    if (!isComparison(expr->op) || !expr->operands[0]->type.isInteger())
      return;
    for (const ExprRef &operand : expr->operands) {
      const Expr *below = belowCasts(operand.get());
      const bool isNegated =
          below->kind == ExprKind::Unary && below->op == Op::Neg;
      const Expr &plain =
          isNegated ? *belowCasts(below->operands[0].get()) : *below;
      if (plain.kind != ExprKind::IntLiteral || plain.intValue == INT64_MIN)
        continue;
      const int64_t value = isNegated ? -plain.intValue : plain.intValue;
      if (value >= 0 && value < byChance)
        continue;
      numbers.insert(value);
      if (expr->op != Op::Eq && expr->op != Op::Ne && value < INT64_MAX)
        numbers.insert({value - 1, value + 1});
    }
  };
  if (original.body)
    forEachExpr(original.body, visit);
  return {numbers.begin(), numbers.end()};
}

BodyCoverage::BodyCoverage(const Function &emitted, const Function &original) {
  if (!emitted.body || !original.body)
    return;
  const std::vector<StmtRef> written = writtenStatements(emitted, original);
  const ComparedNumbers numbers(written);
  for (const StmtRef &outer : written) {
    top.insert(outer.get());
    forEachStmt(outer, [this](const StmtRef &stmt) {
      executed.emplace(stmt.get(), false);
      addConditions(stmt);
    });
  }
  for (Edge &edge : edges)
    if (isOrder(*edge.comparison) && !isFloatingComparison(*edge.comparison))
      edge.gaps = numbers.gaps(*edge.comparison);
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
}

/// A comparison of order that launches can come close to.
static bool canBeClose(const Expr &expr) {
  return isOrder(expr) &&
         std::none_of(expr.operands.begin(), expr.operands.end(),
                      [](const ExprRef &operand) {
                        const Expr &plain = *withoutCasts(operand);
                        return plain.kind == ExprKind::IntLiteral &&
                               std::abs(plain.intValue) >= farAway;
                      });
}

void BodyCoverage::addConditions(const StmtRef &stmt) {
  auto add = [this](const ExprRef &condition) {
    if (condition->kind == ExprKind::IntLiteral || !condition->type.isScalar())
      return; // always the same, or as many conditions as lanes
    ways.push_back({condition, false, false});
    ways.push_back({condition, true, false});
  };
  bool isCondition = stmt->kind == StmtKind::If || isLoop(*stmt);
  if (isCondition && stmt->expr)
    add(stmt->expr);
  auto visit = [&](const ExprRef &expr) {
    if (isLogical(*expr) || expr->kind == ExprKind::Conditional)
      add(expr->operands[0]);
    if (canBeClose(*expr))
      edges.push_back({expr.get(), {}, {}});
    if (isLogical(*expr) && isPlainCondition(*expr))
      for (const ExprRef &operand : expr->operands)
        if (!isLogical(*operand) && !isOrder(*operand))
          edges.push_back({operand.get(), {}, {}});
    if (expr->kind == ExprKind::IntLiteral && expr->intValue > 0 &&
        expr->intValue <= 4096)
      literals.push_back(expr->intValue);
  };
  forEachExpr(stmt->expr, visit);
  forEachExpr(stmt->inc, visit);
}

/// True when the other distance is half of what it was, or less.
static bool isCloser(uint64_t distance, uint64_t other) {
  return other < distance && other <= distance / 2;
}

bool BodyCoverage::leadsFurther(
    const std::set<const Stmt *> &statements,
    const std::map<const Expr *, BranchCoverage> &branches,
    const std::map<const Expr *, EdgeCoverage> &comparisons) const {
  for (const auto &[stmt, isExecuted] : executed)
    if (!isExecuted && statements.count(stmt))
      return true;
  for (const Edge &edge : edges) {
    if (edge.found.isMet(true) && edge.found.isMet(false))
      continue;
    auto found = comparisons.find(edge.comparison);
    if (found != comparisons.end() &&
        (isCloser(edge.found.toTrue, found->second.toTrue) ||
         isCloser(edge.found.toFalse, found->second.toFalse)))
      return true;
  }
  for (const Branch &branch : ways) {
    if (branch.isReached)
      continue;
    auto found = branches.find(branch.condition.get());
    if (found != branches.end() &&
        (branch.way ? found->second.whenTrue : found->second.whenFalse))
      return true;
  }
  return false;
}

bool BodyCoverage::add(
    const std::set<const Stmt *> &statements,
    const std::map<const Expr *, BranchCoverage> &branches,
    const std::map<const Expr *, EdgeCoverage> &comparisons) {
  const bool isNew = leadsFurther(statements, branches, comparisons);
  for (auto &[stmt, isExecuted] : executed)
    isExecuted = isExecuted || statements.count(stmt);
  noteEntry(statements);
  for (Edge &edge : edges) {
    auto found = comparisons.find(edge.comparison);
    if (found != comparisons.end())
      edge.found.add(found->second);
  }
  for (Branch &branch : ways) {
    if (branch.isReached)
      continue;
    auto found = branches.find(branch.condition.get());
    if (found == branches.end())
      continue;
    branch.isReached =
        branch.way ? found->second.whenTrue : found->second.whenFalse;
  }
  return isNew;
}

/// True for what is work: in front of a guard names are declared and
/// work-items that have nothing to do return, behind it is a barrier.
static bool isWork(const Stmt &stmt, bool isTop) {
  switch (stmt.kind) {
  case StmtKind::Return:
  case StmtKind::Block:
  case StmtKind::Group:
  case StmtKind::Null:
    return false;
  case StmtKind::Decl:
  case StmtKind::If:
  case StmtKind::Barrier:
    return !isTop;
  default:
    return true;
  }
}

void BodyCoverage::noteEntry(const std::set<const Stmt *> &statements) {
  hasEntered =
      hasEntered || std::any_of(statements.begin(), statements.end(),
                                [this](const Stmt *stmt) {
                                  return executed.count(stmt) &&
                                         isWork(*stmt, top.count(stmt) > 0);
                                });
}

size_t BodyCoverage::statementsReached() const {
  return static_cast<size_t>(
      std::count_if(executed.begin(), executed.end(),
                    [](const auto &entry) { return entry.second; }));
}

size_t BodyCoverage::branchesReached() const {
  return static_cast<size_t>(
      std::count_if(ways.begin(), ways.end(),
                    [](const Branch &branch) { return branch.isReached; }));
}

bool BodyCoverage::hasAllEdges() const {
  return std::all_of(edges.begin(), edges.end(), [](const Edge &edge) {
    return edge.found.isMet(true) && edge.found.isMet(false);
  });
}

/// By how much the difference of what is compared has to grow until the
/// comparison is barely true, or barely false; 0: not known, or too far.
static int64_t wayTo(const EdgeCoverage &run, bool way) {
  // From the same side, or over the edge.
  const uint64_t own = way ? run.toFalse : run.toTrue;
  const uint64_t other = way ? run.toTrue : run.toFalse;
  const uint64_t by = own != EdgeCoverage::never ? own : other + 1;
  if (by >= static_cast<uint64_t>(farAway)) // never + 1 is 0
    return 0;
  const bool grows = (own != EdgeCoverage::never) != way;
  return grows ? static_cast<int64_t>(by) : -static_cast<int64_t>(by);
}

std::vector<int64_t> BodyCoverage::distances(
    const std::map<const Expr *, EdgeCoverage> &comparisons) const {
  std::set<int64_t> result;
  for (const Edge &edge : edges) {
    auto found = comparisons.find(edge.comparison);
    if (found == comparisons.end())
      continue;
    for (bool way : {false, true})
      if (const int64_t by =
              edge.found.isMet(way) ? 0 : wayTo(found->second, way))
        result.insert(std::abs(by));
  }
  return std::vector<int64_t>(result.begin(), result.end());
}

std::vector<LaunchMove> BodyCoverage::moves(
    const std::map<const Expr *, EdgeCoverage> &comparisons) const {
  std::vector<LaunchMove> result;
  for (size_t i = 0; i < edges.size(); ++i) {
    auto found = comparisons.find(edges[i].comparison);
    if (found == comparisons.end())
      continue;
    const bool isOfData = isFloatingComparison(*edges[i].comparison);
    for (bool way : {false, true}) {
      for (int64_t other = 1; other <= 3; ++other)
        if (isOfData && !edges[i].found.isMet(way))
          result.push_back({{LaunchNumber::Kind::Data, "", 0}, other, i, way});
      const int64_t by =
          edges[i].found.isMet(way) ? 0 : wayTo(found->second, way);
      std::set<std::pair<LaunchNumber, int64_t>> known;
      for (const LaunchSum &gap : edges[i].gaps)
        for (const auto &[number, coefficient] : gap)
          if (by != 0 && coefficient != 0 && by % coefficient == 0 &&
              known.insert({number, by / coefficient}).second)
            result.push_back({number, by / coefficient, i, way});
    }
  }
  return result;
}

bool BodyCoverage::isComplete() const {
  return branchesReached() == ways.size() &&
         statementsReached() == executed.size();
}

} // namespace clopt
