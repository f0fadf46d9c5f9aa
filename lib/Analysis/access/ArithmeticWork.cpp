//===- ArithmeticWork.cpp - instructions of an iteration ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ArithmeticWorkTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/ArithmeticWork.h"

#include <algorithm>
#include <set>
#include <string>

namespace clopt {

/// A quotient or remainder of numbers that are not known, and a call of a
/// function of the program.
static constexpr int64_t division = 10, integerDivision = 20, ownFunction = 20;

static int64_t instructionsOfCall(const Expr &call) {
  // As NVIDIA's compiler writes them (OpenCL 3.0, sm_90), with the branch for
  // large arguments.
  static const std::set<std::string> functions = {
      "sin",   "cos",   "tan",   "sincos", "asin",  "acos",  "atan",
      "atan2", "sinh",  "cosh",  "tanh",   "exp",   "exp2",  "exp10",
      "expm1", "log",   "log2",  "log10",  "log1p", "pow",   "pown",
      "powr",  "rootn", "cbrt",  "sinpi",  "cospi", "tanpi", "erf",
      "erfc",  "fmod",  "hypot", "tgamma", "lgamma"};
  static const std::set<std::string> roots = {
      "sqrt", "rsqrt", "length", "distance", "normalize", "remainder"};
  if (functions.count(call.text))
    return 80;
  if (roots.count(call.text))
    return 8;
  if (isVectorLoad(call) || isVectorStore(call))
    return 0;
  if (call.isElementwiseBuiltin || call.text == "dot" ||
      call.family != CallFamily::None || call.text.rfind("native_", 0) == 0)
    return 1;
  return ownFunction;
}

static int64_t instructionsOfOperator(const Expr &expr) {
  if (expr.op == Op::Comma)
    return 0;
  if (expr.op != Op::Div && expr.op != Op::Rem)
    return 1;
  if (expr.type.isFloating())
    return division;
  // Divisors that are known become multiplications.
  const Expr &divisor = *expr.operands[1];
  return divisor.kind == ExprKind::IntLiteral ? 3 : integerDivision;
}

int64_t instructionsOf(const Expr &expr) {
  int64_t own = 0;
  switch (expr.kind) {
  case ExprKind::Subscript:
    return 0;
  case ExprKind::Unary:
    if (expr.op == Op::Deref || expr.op == Op::AddrOf)
      return 0;
    own = 1;
    break;
  case ExprKind::Binary:
    own = instructionsOfOperator(expr);
    break;
  case ExprKind::Assign:
    own = expr.op == Op::None ? 0 : instructionsOfOperator(expr);
    break;
  case ExprKind::Conditional:
    own = 1;
    break;
  case ExprKind::Call:
    own = instructionsOfCall(expr);
    break;
  default:
    break;
  }
  own *= std::max(1u, expr.type.lanes);
  for (const ExprRef &operand : expr.operands)
    own += instructionsOf(*operand);
  return own;
}

int64_t instructionsOf(const Stmt &stmt) {
  int64_t sum = stmt.expr ? instructionsOf(*stmt.expr) : 0;
  if (stmt.init)
    sum += instructionsOf(*stmt.init);
  if (stmt.inc)
    sum += instructionsOf(*stmt.inc);
  if (stmt.body)
    sum += instructionsOf(*stmt.body);
  if (stmt.elseBody)
    sum += instructionsOf(*stmt.elseBody);
  for (const StmtRef &child : stmt.children)
    sum += instructionsOf(*child);
  return sum;
}

int64_t instructionsPerIteration(const TransformedKernel &kernel,
                                 unsigned loop) {
  int64_t points = 1, sum = 0;
  for (const WorkDimension &work : kernel.work)
    points *= work.points;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    if (const Stmt *stmt = kernel.model->statements[index].stmt)
      sum += instructionsOf(*stmt);
  return sum * points;
}

} // namespace clopt
