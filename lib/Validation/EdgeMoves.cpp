//===- EdgeMoves.cpp - what moves a comparison to its edge ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/CoverageTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/EdgeMoves.h"

#include <algorithm>
#include <tuple>

namespace clopt {

bool LaunchNumber::operator<(const LaunchNumber &other) const {
  return std::tie(kind, name, dim) <
         std::tie(other.kind, other.name, other.dim);
}

bool LaunchNumber::operator==(const LaunchNumber &other) const {
  return std::tie(kind, name, dim) ==
         std::tie(other.kind, other.name, other.dim);
}

ComparedNumbers::ComparedNumbers(const std::vector<StmtRef> &body) {
  for (const StmtRef &outer : body)
    forEachStmt(outer, [this](const StmtRef &stmt) {
      if (stmt->kind == StmtKind::Decl && stmt->expr)
        values.emplace(stmt->var, stmt->expr);
    });
}

/// Sums and declarations that stand in each other, and choices, that are
/// followed.
static constexpr unsigned mostDepth = 24;
static constexpr size_t mostSums = 8;

static LaunchSum combined(const LaunchSum &x, const LaunchSum &y,
                          int64_t factor) {
  LaunchSum sum = x;
  for (const auto &[number, coefficient] : y)
    sum[number] += factor * coefficient;
  return sum;
}

/// Each of the one with each of the other, and the factor.
static std::vector<LaunchSum> combined(const std::vector<LaunchSum> &x,
                                       const std::vector<LaunchSum> &y,
                                       int64_t factor) {
  std::vector<LaunchSum> result;
  for (const LaunchSum &first : x)
    for (const LaunchSum &second : y)
      if (result.size() < mostSums)
        result.push_back(combined(first, second, factor));
  return result;
}

static std::vector<LaunchSum> either(std::vector<LaunchSum> x,
                                     const std::vector<LaunchSum> &y) {
  for (const LaunchSum &sum : y)
    if (x.size() < mostSums && std::find(x.begin(), x.end(), sum) == x.end())
      x.push_back(sum);
  return x;
}

static std::vector<LaunchSum> sumsOfQuery(const Expr &expr) {
  const LaunchSum size = {{{LaunchNumber::Kind::Size, "", expr.dim}, 1}};
  const LaunchSum offset = {{{LaunchNumber::Kind::Offset, "", expr.dim}, 1}};
  switch (expr.query) {
  case WorkItemQuery::GlobalSize:
    return {size};
  case WorkItemQuery::GlobalOffset:
    return {offset};
  case WorkItemQuery::LocalSize: // as large as the group, if it is a row
    return {{{{LaunchNumber::Kind::Group, "", 0}, expr.dim == 0}}};
  case WorkItemQuery::GlobalId: // of the first work-item, and of the last
    return {offset, combined(offset, size, 1)};
  default:
    return {{}};
  }
}

/// Of an argument, or of a field of one.
static std::vector<LaunchSum> sumsOfArgument(const Variable &param,
                                             const std::string &field) {
  using Kind = LaunchNumber::Kind;
  const Kind kind = param.type.isPointer() ? Kind::Begin : Kind::Argument;
  return {{{{kind, param.name + field, 0}, 1}}};
}

ComparedNumbers::Sums ComparedNumbers::sumsOf(const Expr &expr,
                                              unsigned depth) const {
  const Sums unknown = {{}};
  if (depth > mostDepth)
    return unknown;
  auto operand = [&](size_t i) { return sumsOf(*expr.operands[i], depth + 1); };
  switch (expr.kind) {
  case ExprKind::Cast:
    return operand(0);
  case ExprKind::WorkItem:
    return sumsOfQuery(expr);
  case ExprKind::VarRef: {
    if (expr.var->isParam)
      return sumsOfArgument(*expr.var, "");
    auto value = values.find(expr.var);
    return value == values.end() ? unknown : sumsOf(*value->second, depth + 1);
  }
  case ExprKind::Member: {
    const Expr &object = *expr.operands[0];
    if (object.kind == ExprKind::VarRef && object.var->isParam && !expr.arrow)
      return sumsOfArgument(*object.var, "." + expr.text);
    return unknown;
  }
  case ExprKind::Conditional:
    return either(operand(1), operand(2));
  case ExprKind::Call:
    if ((expr.text == "min" || expr.text == "max") && expr.operands.size() == 2)
      return either(operand(0), operand(1));
    return unknown;
  case ExprKind::Unary:
    return expr.op == Op::Neg ? combined(unknown, operand(0), -1) : unknown;
  case ExprKind::Binary:
    break;
  default:
    return unknown;
  }
  if (expr.type.isPointer()) // what is added counts elements
    return operand(expr.operands[0]->type.isPointer() ? 0 : 1);
  const Expr &left = *withoutCasts(expr.operands[0]),
             &right = *withoutCasts(expr.operands[1]);
  switch (expr.op) {
  case Op::Add:
    return combined(operand(0), operand(1), 1);
  case Op::Sub:
    return combined(operand(0), operand(1), -1);
  case Op::Mul:
    if (left.kind == ExprKind::IntLiteral)
      return combined(unknown, operand(1), left.intValue);
    if (right.kind == ExprKind::IntLiteral)
      return combined(unknown, operand(0), right.intValue);
    // The sizes of a group in all dimensions, from the first one.
    if (right.kind == ExprKind::WorkItem &&
        right.query == WorkItemQuery::LocalSize)
      return operand(0);
    return unknown;
  default:
    return unknown;
  }
}

std::vector<LaunchSum> ComparedNumbers::gaps(const Expr &comparison) const {
  const bool isLess = comparison.op == Op::Lt || comparison.op == Op::Le;
  const Expr &low = *comparison.operands[isLess ? 0 : 1],
             &high = *comparison.operands[isLess ? 1 : 0];
  return combined(sumsOf(high, 0), sumsOf(low, 0), -1);
}

} // namespace clopt
