//===- ZeroSums.cpp - iterations that add nothing -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body is run once on what is known of values: zero with a sign, a literal,
// or nothing. What is left of every sum has to be a zero that changes nothing.
//
// A float whose only updates are sums, and that starts at anything but -0, is
// never -0: x + y is -0 for x = y = -0 alone. (Compilers may contract x + a * b
// to one rounding; then a sum of products that all vanish may have the sign of
// the last of them, before and after the change: OpenCL leaves it open.)
//
// Tested by test/unit/ZeroSumsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/ZeroSums.h"

#include <cmath>
#include <cstdlib>
#include <map>

namespace clopt {

namespace {

struct Known {
  enum class Kind { Unknown, Literal, Zero };
  Kind kind = Kind::Unknown;
  double literal = 0;      ///< Literal: not zero, and small
  bool isNegative = false; ///< Zero: -0

  bool isZero() const { return kind == Kind::Zero; }
  bool isBelow() const {
    return isZero() ? isNegative : kind == Kind::Literal && literal < 0;
  }
  static Known zero(bool isNegative = false) {
    return {Kind::Zero, 0, isNegative};
  }
  static Known of(double number) {
    if (number == 0)
      return zero(std::signbit(number));
    // Every floating type has numbers of this size.
    bool isSmall = std::fabs(number) < 60000 && std::fabs(number) > 0.001;
    return isSmall ? Known{Kind::Literal, number, false} : Known();
  }
};

class ZeroRun {
public:
  ZeroRun(const KernelModel &kernel, const ZeroCells &cells, bool strict)
      : model(kernel), zeroCell(cells), onlyMinus(strict) {}

  bool run(const StmtRef &stmt);
  ZeroProblem problem;

private:
  bool fail(const std::string &rule, const std::string &message) {
    problem = {rule, message};
    return false;
  }
  bool checkExpressions(const StmtRef &stmt);
  bool assign(const Expr &assign);
  bool addsNothing(const Expr &target, Op op, const Known &term, bool isFused);
  bool isTarget(const Expr &expr, const Expr &target) const;
  std::optional<bool> sum(const Expr &assign);

  Known eval(const ExprRef &expr) const;
  Known evalCast(const Type &from, const Type &to, const Known &value) const;
  Known evalBinary(const Expr &expr) const;
  Known evalCall(const Expr &expr) const;

  bool isNeverMinusZero(const Variable &var) const;
  bool keepsPlus(const Expr &assign, const Variable &var) const;
  bool isPlus(const ExprRef &expr) const;

  const KernelModel &model;
  const ZeroCells &zeroCell;
  const bool onlyMinus;
  std::map<const Variable *, Known> known; ///< variables of the body
};

} // namespace

//===-- Values ------------------------------------------------------------===//

static Known product(const Known &a, const Known &b, bool isFloat) {
  if (!isFloat)
    return a.isZero() || b.isZero() ? Known::zero() : Known();
  const bool areKnown =
      a.kind != Known::Kind::Unknown && b.kind != Known::Kind::Unknown;
  if (!areKnown || (!a.isZero() && !b.isZero()))
    return Known();
  return Known::zero(a.isBelow() != b.isBelow());
}

static Known sumOf(const Known &a, const Known &b) {
  if (!a.isZero() || !b.isZero())
    return Known();
  return Known::zero(a.isNegative && b.isNegative);
}

static Known negative(const Known &value, bool isFloat) {
  Known result = value;
  result.literal = -value.literal;
  result.isNegative = isFloat && value.isZero() && !value.isNegative;
  return result;
}

Known ZeroRun::evalCast(const Type &from, const Type &to,
                        const Known &value) const {
  if (!from.isScalar() || !to.isScalar())
    return Known();
  if (!value.isZero() || (from.isFloating() && to.isFloating()))
    return to.isFloating() ? value : Known();
  return Known::zero();
}

Known ZeroRun::evalBinary(const Expr &expr) const {
  const Known a = eval(expr.operands[0]), b = eval(expr.operands[1]);
  const bool isFloat = expr.type.isFloating();
  const bool areZero = a.isZero() && b.isZero();
  switch (expr.op) {
  case Op::Mul:
    return product(a, b, isFloat);
  case Op::Add:
    return sumOf(a, b);
  case Op::Sub:
    return isFloat ? sumOf(a, negative(b, true)) : sumOf(a, b);
  case Op::And:
    return a.isZero() || b.isZero() ? Known::zero() : Known();
  case Op::Or:
  case Op::Xor:
    return areZero ? Known::zero() : Known();
  case Op::Shl:
  case Op::Shr:
    return a.isZero() ? Known::zero() : Known();
  default:
    return Known();
  }
}

Known ZeroRun::evalCall(const Expr &expr) const {
  const bool isFloat = expr.type.isFloating();
  if (!expr.isElementwiseBuiltin || !expr.type.isScalar())
    return Known();
  const size_t count = expr.operands.size();
  const bool isProduct = expr.text == "mul24" && count == 2;
  const bool isSum =
      (expr.text == "mad" || expr.text == "fma" || expr.text == "mad24") &&
      count == 3;
  if (!isProduct && !isSum)
    return Known();
  const Known term =
      product(eval(expr.operands[0]), eval(expr.operands[1]), isFloat);
  return isProduct ? term : sumOf(term, eval(expr.operands[2]));
}

Known ZeroRun::eval(const ExprRef &expr) const {
  switch (expr->kind) {
  case ExprKind::IntLiteral:
    return expr->intValue < 0 ? Known()
                              : Known::of(static_cast<double>(expr->intValue));
  case ExprKind::FloatLiteral:
    return Known::of(std::strtod(expr->text.c_str(), nullptr));
  case ExprKind::VarRef: {
    auto at = known.find(expr->var);
    return at == known.end() ? Known() : at->second;
  }
  case ExprKind::Cast:
    return evalCast(expr->operands[0]->type, expr->type,
                    eval(expr->operands[0]));
  case ExprKind::Binary:
    return expr->type.isScalar() ? evalBinary(*expr) : Known();
  case ExprKind::Call:
    return evalCall(*expr);
  case ExprKind::Unary:
    if (expr->op == Op::Plus)
      return eval(expr->operands[0]);
    if (expr->op == Op::Neg)
      return negative(eval(expr->operands[0]), expr->type.isFloating());
    break;
  default:
    break;
  }
  std::optional<bool> cell = zeroCell(*expr);
  return cell ? Known::zero(*cell && expr->type.isFloating()) : Known();
}

//===-- Sums --------------------------------------------------------------===//

bool ZeroRun::isTarget(const Expr &expr, const Expr &target) const {
  if (target.kind == ExprKind::VarRef)
    return expr.kind == ExprKind::VarRef && expr.var == target.var;
  auto read = model.reads.find(&expr);
  auto write = model.writes.find(&target);
  if (read == model.reads.end() || write == model.writes.end())
    return false;
  const Access &from = model.accesses[read->second];
  const Access &to = model.accesses[write->second];
  return from.array == to.array && from.isExact && to.isExact &&
         from.relation.is_equal(to.relation);
}

/// `x = x + e` and its like; nothing for other assignments.
std::optional<bool> ZeroRun::sum(const Expr &assign) {
  const Expr &target = *assign.operands[0];
  if (assign.op != Op::None) {
    if (assign.computeType.isFloating() != target.type.isFloating())
      return std::nullopt;
    return addsNothing(target, assign.op, eval(assign.operands[1]), false);
  }
  const Expr &value = *withoutCasts(assign.operands[1]);
  if (value.type.isFloating() != target.type.isFloating())
    return std::nullopt;
  auto reads = [&](const ExprRef &expr) {
    return isTarget(*withoutCasts(expr), target);
  };
  if (value.kind == ExprKind::Call && value.operands.size() == 3 &&
      value.isElementwiseBuiltin &&
      (value.text == "mad" || value.text == "fma" || value.text == "mad24") &&
      reads(value.operands[2])) {
    const Known term = product(eval(value.operands[0]), eval(value.operands[1]),
                               value.type.isFloating());
    return addsNothing(target, Op::Add, term, true);
  }
  if (value.kind != ExprKind::Binary)
    return std::nullopt;
  if (reads(value.operands[0]))
    return addsNothing(target, value.op, eval(value.operands[1]), false);
  if (reads(value.operands[1]) && value.op != Op::Sub)
    return addsNothing(target, value.op, eval(value.operands[0]), false);
  return std::nullopt;
}

bool ZeroRun::addsNothing(const Expr &target, Op op, const Known &term,
                          bool isFused) {
  const bool isFloat = target.type.isFloating();
  const bool isSum = op == Op::Add || op == Op::Sub ||
                     (!isFloat && (op == Op::Or || op == Op::Xor));
  if (!isSum || !target.type.isScalar())
    return fail("clopt-not-profitable",
                "the loop does not only add something up");
  if (!term.isZero())
    return fail("clopt-reassociation",
                "what the loop adds up is not zero where the padded arrays "
                "are");
  const bool isMinus = term.isNegative != (op == Op::Sub);
  const bool isVariable = target.kind == ExprKind::VarRef;
  if (!isFloat || isMinus || (model.unit->unsafeMath && !onlyMinus))
    return true;
  if (isVariable && !onlyMinus && !isFused && isNeverMinusZero(*target.var))
    return true;
  return fail("clopt-reassociation",
              "a sum that is -0 would become +0 where zeros are added");
}

/// True when a variable that is not -0 is so after the assignment, too.
bool ZeroRun::keepsPlus(const Expr &assign, const Variable &var) const {
  const Expr &value = *withoutCasts(assign.operands[1]);
  if (assign.op != Op::None)
    return assign.op == Op::Add || assign.op == Op::Sub;
  auto isVar = [&](const ExprRef &expr) {
    const Expr &plain = *withoutCasts(expr);
    return plain.kind == ExprKind::VarRef && plain.var == &var;
  };
  if (value.kind == ExprKind::Binary &&
      (value.op == Op::Add || value.op == Op::Sub))
    return isVar(value.operands[0]) ||
           (value.op == Op::Add && isVar(value.operands[1]));
  return isPlus(assign.operands[1]);
}

/// True for literals that are not below +0; nothing is known of cells here.
bool ZeroRun::isPlus(const ExprRef &expr) const {
  const ZeroCells none = [](const Expr &) { return std::nullopt; };
  const Known value = ZeroRun(model, none, false).eval(expr);
  return value.kind != Known::Kind::Unknown && !value.isBelow();
}

bool ZeroRun::isNeverMinusZero(const Variable &var) const {
  if (var.isParam || var.addressTaken || var.isFileScope)
    return false;
  bool result = true;
  const StmtRef &body = model.function->body;
  forEachStmt(body, [&](const StmtRef &stmt) {
    if (stmt->kind != StmtKind::Decl || stmt->var != &var || !stmt->expr)
      return;
    result &= isPlus(stmt->expr);
  });
  forEachExpr(body, [&](const ExprRef &expr) {
    if (!changesTarget(*expr) && expr->kind != ExprKind::Opaque)
      return;
    if (expr->kind == ExprKind::Opaque) {
      result = false; // may assign anything
      return;
    }
    const Expr &target = *expr->operands[0];
    if (target.kind == ExprKind::VarRef && target.var == &var)
      result &= expr->kind == ExprKind::Assign && keepsPlus(*expr, var);
  });
  return result;
}

//===-- Statements --------------------------------------------------------===//

bool ZeroRun::assign(const Expr &assign) {
  const Expr &target = *assign.operands[0];
  if (target.kind == ExprKind::VarRef && known.count(target.var)) {
    known[target.var] =
        assign.op == Op::None ? eval(assign.operands[1]) : Known();
    return true;
  }
  if (std::optional<bool> isFine = sum(assign))
    return *isFine;
  return fail("clopt-not-profitable",
              "the loop does not only add something up");
}

/// No effects but the statement's own, and nothing that may trap on zeros.
bool ZeroRun::checkExpressions(const StmtRef &stmt) {
  bool isFine = true;
  forEachExpr(stmt, [&](const ExprRef &expr) {
    const bool isOwn = stmt->kind == StmtKind::Expr && expr == stmt->expr;
    const bool isDivision =
        (expr->op == Op::Div || expr->op == Op::Rem) &&
        !expr->type.isFloating() &&
        (expr->kind != ExprKind::Binary ||
         withoutCasts(expr->operands[1])->kind != ExprKind::IntLiteral);
    isFine &=
        expr->kind != ExprKind::Opaque && !isDivision &&
        (expr->kind != ExprKind::Assign || isOwn) &&
        (expr->kind != ExprKind::Call || expr->effect == CallEffect::Pure) &&
        !isStep(expr->op);
  });
  return isFine || fail("clopt-not-profitable",
                        "the loop does not only add something up");
}

bool ZeroRun::run(const StmtRef &stmt) {
  switch (stmt->kind) {
  case StmtKind::Null:
    return true;
  case StmtKind::Block:
  case StmtKind::Group:
    for (const StmtRef &child : stmt->children)
      if (!run(child))
        return false;
    return true;
  case StmtKind::Decl:
    if (!stmt->var || stmt->var->space != AddressSpace::Private ||
        stmt->var->addressTaken || !stmt->var->type.isScalar())
      break;
    known[stmt->var] = Known();
    if (!stmt->expr)
      return true;
    if (!checkExpressions(stmt))
      return false;
    known[stmt->var] = eval(stmt->expr);
    return true;
  case StmtKind::Expr:
    if (stmt->expr->kind == ExprKind::Assign)
      return checkExpressions(stmt) && assign(*stmt->expr);
    break;
  default:
    break;
  }
  return fail("clopt-not-profitable",
              "the loop does not only add something up");
}

std::optional<ZeroProblem> checkZeroIteration(const KernelModel &model,
                                              const StmtRef &body,
                                              const ZeroCells &zeroCell,
                                              bool onlyMinus) {
  ZeroRun run(model, zeroCell, onlyMinus);
  if (run.run(body))
    return std::nullopt;
  return run.problem;
}

} // namespace clopt
