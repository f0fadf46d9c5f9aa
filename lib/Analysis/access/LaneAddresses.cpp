//===- LaneAddresses.cpp - one address per work-item of a group -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/BankConflictTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/LaneAddresses.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace clopt {

//===-- Ids ---------------------------------------------------------------===//

/// Groups are never larger than this.
static constexpr int64_t largestGroup = 4096;

static std::optional<int64_t> groupSize(const KernelModel &model) {
  int64_t size = 1;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    std::optional<int64_t> known = model.ndrange.localSize[dim];
    if (!known || *known < 1 || size > largestGroup / *known)
      return std::nullopt;
    size *= *known;
  }
  return size;
}

LaneIds lanesOfGroup(const KernelModel &model, unsigned count) {
  LaneIds lanes;
  std::optional<int64_t> items = groupSize(model);
  std::vector<int64_t> sizes;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    bool isLocal = model.ndrange.split[dim];
    std::optional<SymbolId> id = model.symbols.find(
        isLocal ? SymbolKind::LocalId : SymbolKind::GlobalId, dim);
    if (!id)
      continue;
    lanes.ids.push_back(*id);
    // Unknown sizes: the lane group lies within a row, in any row.
    int64_t unknown = dim == 0 ? count : 1;
    sizes.push_back(items ? *model.ndrange.localSize[dim] : unknown);
    lanes.alignment.push_back(items && isLocal ? 0 : sizes.back());
  }
  for (int64_t item = 0; item < items.value_or(count); ++item) {
    std::vector<int64_t> values;
    int64_t rest = item;
    for (int64_t size : sizes) {
      values.push_back(rest % size);
      rest /= size;
    }
    lanes.values.push_back(values);
  }
  return lanes;
}

//===-- Values ------------------------------------------------------------===//

namespace {

/// Puts the ids of one work-item into polynomials.
class LaneEvaluator {
public:
  LaneEvaluator(const KernelModel &kernel, const LaneIds &allLanes,
                size_t laneIndex)
      : model(kernel), lanes(allLanes), lane(laneIndex) {}
  std::optional<Polynomial> of(const Polynomial &poly) const;

private:
  std::optional<Polynomial> of(SymbolId id) const;
  std::optional<Polynomial> ofDivision(const Symbol &symbol) const;

  const KernelModel &model;
  const LaneIds &lanes;
  size_t lane;
};

} // namespace

std::optional<Polynomial>
LaneEvaluator::ofDivision(const Symbol &symbol) const {
  std::optional<Polynomial> value = of(symbol.first);
  if (!value || symbol.constant <= 0)
    return std::nullopt;
  Polynomial quotient;
  for (const auto &[monomial, coefficient] : value->terms) {
    if (monomial.empty())
      quotient.terms[{}] =
          llvm::divideFloorSigned(coefficient, symbol.constant);
    else if (coefficient % symbol.constant == 0)
      quotient.terms[monomial] = coefficient / symbol.constant;
    else
      return std::nullopt;
  }
  if (auto zero = quotient.terms.find({});
      zero != quotient.terms.end() && zero->second == 0)
    quotient.terms.erase(zero);
  if (symbol.kind == SymbolKind::FloorDiv)
    return quotient;
  return *value - quotient * Polynomial(symbol.constant);
}

std::optional<Polynomial> LaneEvaluator::of(SymbolId id) const {
  auto own = std::find(lanes.ids.begin(), lanes.ids.end(), id);
  const Symbol &symbol = model.symbols[id];
  if (own != lanes.ids.end()) {
    size_t i = static_cast<size_t>(own - lanes.ids.begin());
    Polynomial value(lanes.values[lane][i]);
    if (lanes.alignment[i])
      value = value + Polynomial::symbol(id) * Polynomial(lanes.alignment[i]);
    return value;
  }
  switch (symbol.kind) {
  case SymbolKind::FloorDiv:
  case SymbolKind::Modulo:
    return ofDivision(symbol);
  case SymbolKind::Select:
    return std::nullopt;
  case SymbolKind::Unknown:
    if (symbol.varying)
      return std::nullopt;
    break;
  default:
    break;
  }
  return Polynomial::symbol(id);
}

std::optional<Polynomial> LaneEvaluator::of(const Polynomial &poly) const {
  if (poly.overflow)
    return std::nullopt;
  Polynomial result;
  for (const auto &[monomial, coefficient] : poly.terms) {
    Polynomial product(coefficient);
    for (SymbolId id : monomial) {
      std::optional<Polynomial> value = of(id);
      if (!value)
        return std::nullopt;
      product = product * *value;
    }
    result = result + product;
  }
  if (result.overflow)
    return std::nullopt;
  return result;
}

std::optional<LaneValues> valuesOfLanes(const KernelModel &model,
                                        const Polynomial &poly,
                                        const LaneIds &lanes,
                                        const std::vector<size_t> &items) {
  LaneValues result;
  for (size_t item : items) {
    std::optional<Polynomial> value =
        LaneEvaluator(model, lanes, item).of(poly);
    if (!value)
      return std::nullopt;
    auto constant = value->terms.find({});
    int64_t own = constant == value->terms.end() ? 0 : constant->second;
    Polynomial shared = *value - Polynomial(own);
    if (!result.own.empty() && shared != result.shared)
      return std::nullopt;
    result.own.push_back(own);
    result.shared = shared;
  }
  return result;
}

//===-- Forms -------------------------------------------------------------===//

namespace {

using Shape = LaneForm::Shape;

class FormFinder {
public:
  FormFinder(const KernelModel &kernel, SymbolId along)
      : model(kernel), axis(kernel.symbols[along]) {}
  LaneForm of(const ExprRef &expr);

private:
  LaneForm ofVariable(const Variable *variable);
  LaneForm ofId(const Expr &expr) const;
  void findValues();
  LaneForm ofProduct(const ExprRef &expr);
  std::optional<int64_t> oddPart(const ExprRef &expr);
  std::optional<int64_t> oddPartOf(const Variable *variable);

  const KernelModel &model;
  const Symbol &axis;
  /// What sets a variable: `value` itself, or `op` with what was there.
  struct Setting {
    Op op = Op::None;
    ExprRef value;
  };
  std::map<const Variable *, std::vector<Setting>> settings;
  bool hasValues = false; ///< `settings` are found
  /// Uniform while a variable is being followed: the least it can be.
  std::map<const Variable *, LaneForm> known;
};

} // namespace

static LaneForm linear(std::optional<int64_t> factor) {
  return {Shape::Linear, factor, std::nullopt};
}

/// What a variable may be that is sometimes the one, sometimes the other.
static LaneForm join(const LaneForm &left, const LaneForm &right) {
  if (left.shape != right.shape)
    return left.shape > right.shape ? left : right;
  LaneForm form = left;
  if (left.factor != right.factor || left.doubling != right.doubling)
    form.factor = form.doubling = std::nullopt;
  return form;
}

static LaneForm sumOf(const LaneForm &left, const LaneForm &right, int sign) {
  if (left.shape != Shape::Linear || right.shape != Shape::Linear) {
    LaneForm form = left.shape >= right.shape ? left : right;
    if (right.shape > left.shape && form.factor)
      form.factor = *form.factor * sign;
    if (right.shape > left.shape && form.doubling)
      form.doubling = *form.doubling * sign;
    return form;
  }
  if (!left.factor || !right.factor)
    return linear(std::nullopt);
  return linear(*left.factor + sign * *right.factor);
}

static std::optional<int64_t> literal(const ExprRef &expr) {
  const Expr *at = belowCasts(expr.get());
  if (at->kind != ExprKind::IntLiteral || at->intValue < -4096 ||
      at->intValue > 4096)
    return std::nullopt;
  return at->intValue;
}

static LaneForm scaledBy(const LaneForm &form,
                         const std::optional<int64_t> &factor) {
  if (form.shape == Shape::Linear && form.factor && factor &&
      std::abs(*form.factor) < (int64_t(1) << 40))
    return linear(*form.factor * *factor);
  LaneForm result{form.shape, std::nullopt, std::nullopt};
  if (form.doubling && factor && *factor != 0 &&
      std::abs(*form.doubling) < (int64_t(1) << 40))
    result.doubling = *form.doubling * *factor;
  return result;
}

static LaneForm binary(Op op, const LaneForm &left, const ExprRef &leftExpr,
                       const LaneForm &right, const ExprRef &rightExpr) {
  const LaneForm other{Shape::Other, std::nullopt, std::nullopt};
  if (left.shape == Shape::Other || right.shape == Shape::Other)
    return other;
  if (left.shape == Shape::Uniform && right.shape == Shape::Uniform)
    return {};
  switch (op) {
  case Op::Add:
  case Op::Sub:
    return sumOf(left, right, op == Op::Add ? 1 : -1);
  case Op::Mul:
    if (right.shape == Shape::Uniform)
      return scaledBy(left, literal(rightExpr));
    if (left.shape == Shape::Uniform && leftExpr)
      return scaledBy(right, literal(leftExpr));
    return left.shape == Shape::Uniform ? scaledBy(right, std::nullopt) : other;
  case Op::Shl: {
    if (right.shape != Shape::Uniform)
      return other;
    std::optional<int64_t> bits = literal(rightExpr);
    if (bits && (*bits < 0 || *bits > 20))
      bits.reset();
    return scaledBy(left, bits ? std::optional<int64_t>(int64_t(1) << *bits)
                               : std::nullopt);
  }
  default:
    return other;
  }
}

LaneForm FormFinder::ofId(const Expr &expr) const {
  switch (expr.query) {
  case WorkItemQuery::LocalId:
  case WorkItemQuery::GlobalId:
    return expr.dim == axis.dim ? linear(1) : LaneForm{Shape::Other, {}, {}};
  case WorkItemQuery::GlobalLinearId:
  case WorkItemQuery::LocalLinearId:
    return {Shape::Other, {}, {}};
  default:
    return {};
  }
}

/// In one walk for all variables, as kernels have thousands.
void FormFinder::findValues() {
  auto add = [&](const ExprRef &expr) {
    if (expr)
      forEachExpr(expr, [&](const ExprRef &part) {
        if (part->kind == ExprKind::Assign &&
            part->operands[0]->kind == ExprKind::VarRef)
          settings[part->operands[0]->var].push_back(
              {part->op, part->operands[1]});
      });
  };
  forEachStmt(model.function->body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl && stmt->var && stmt->expr)
      settings[stmt->var].push_back({Op::None, stmt->expr});
    add(stmt->expr);
    add(stmt->inc);
  });
  hasValues = true;
}

LaneForm FormFinder::ofVariable(const Variable *variable) {
  if (!variable || variable->addressTaken || !variable->type.isInteger())
    return {Shape::Other, {}, {}};
  if (variable->isParam || variable->isFileScope)
    return {};
  auto [entry, isNew] = known.try_emplace(variable);
  if (!isNew)
    return entry->second;
  if (!hasValues)
    findValues();
  LaneForm form;
  for (const Setting &setting : settings[variable]) {
    LaneForm value = of(setting.value);
    if (setting.op != Op::None)
      value = binary(setting.op, form, nullptr, value, setting.value);
    form = join(form, value);
  }
  known[variable] = form;
  return form;
}

//===-- Powers of two -----------------------------------------------------===//

static int64_t oddPartOf(int64_t value) {
  while (value != 0 && value % 2 == 0)
    value /= 2;
  return value;
}

/// True when the assignment doubles or halves the variable, once or often.
static bool movesByPowers(const Expr &assign, const Variable *variable) {
  Op op = assign.op;
  const Expr *amount = assign.operands[1].get();
  if (op == Op::None) {
    const Expr *value = belowCasts(amount);
    if (value->kind != ExprKind::Binary)
      return false;
    const Expr *self = belowCasts(value->operands[0].get());
    if (self->kind != ExprKind::VarRef || self->var != variable)
      return false;
    op = value->op;
    amount = value->operands[1].get();
  }
  if (op == Op::Shl || op == Op::Shr)
    return true;
  std::optional<int64_t> factor = literal(ExprRef(ExprRef(), amount));
  return (op == Op::Mul || op == Op::Div) && factor && *factor > 0 &&
         oddPartOf(*factor) == 1;
}

/// The odd number that every value of the variable is a power of two times, as
/// long as it is not zero: it begins with a constant and is doubled and halved.
std::optional<int64_t> FormFinder::oddPartOf(const Variable *variable) {
  if (!variable || variable->addressTaken || !variable->type.isInteger() ||
      variable->isParam || variable->isFileScope)
    return std::nullopt;
  std::optional<int64_t> odd;
  bool isKnown = true;
  auto begin = [&](const ExprRef &value) {
    std::optional<int64_t> constant = literal(value);
    bool isNew = constant && *constant > 0;
    isKnown &= isNew && (!odd || *odd == clopt::oddPartOf(*constant));
    if (isNew)
      odd = clopt::oddPartOf(*constant);
  };
  forEachStmt(model.function->body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl && stmt->var == variable && stmt->expr)
      begin(stmt->expr);
  });
  forEachExpr(model.function->body, [&](const ExprRef &expr) {
    bool isChange = changesTarget(*expr) &&
                    expr->operands[0]->kind == ExprKind::VarRef &&
                    expr->operands[0]->var == variable;
    if (!isChange)
      return;
    if (expr->kind == ExprKind::Assign && movesByPowers(*expr, variable))
      return;
    if (expr->kind == ExprKind::Assign && expr->op == Op::None)
      begin(expr->operands[1]);
    else
      isKnown = false;
  });
  return isKnown ? odd : std::nullopt;
}

/// The same of an expression that is the same for all work-items.
std::optional<int64_t> FormFinder::oddPart(const ExprRef &expr) {
  if (std::optional<int64_t> constant = literal(expr))
    return *constant > 0 ? std::optional(clopt::oddPartOf(*constant))
                         : std::nullopt;
  if (expr->kind == ExprKind::Cast)
    return oddPart(expr->operands[0]);
  if (expr->kind == ExprKind::VarRef)
    return oddPartOf(expr->var);
  if (expr->kind != ExprKind::Binary)
    return std::nullopt;
  if (expr->op == Op::Shl)
    return oddPart(expr->operands[0]);
  std::optional<int64_t> left, right;
  if (expr->op == Op::Mul) {
    left = oddPart(expr->operands[0]);
    right = oddPart(expr->operands[1]);
  }
  bool isSmall = left && right && *left < 4096 && *right < 4096;
  return isSmall ? std::optional(*left * *right) : std::nullopt;
}

/// Of a binary operation.
LaneForm FormFinder::ofProduct(const ExprRef &expr) {
  const LaneForm forms[2] = {of(expr->operands[0]), of(expr->operands[1])};
  LaneForm result = binary(expr->op, forms[0], expr->operands[0], forms[1],
                           expr->operands[1]);
  bool isScaled = (expr->op == Op::Mul || expr->op == Op::Shl) &&
                  result.shape == Shape::Linear && !result.factor &&
                  !result.doubling;
  if (!isScaled)
    return result;
  const unsigned line = forms[0].shape == Shape::Linear ? 0 : 1;
  const std::optional<int64_t> own =
      forms[line].factor ? forms[line].factor : forms[line].doubling;
  std::optional<int64_t> odd = expr->op == Op::Shl
                                   ? std::optional<int64_t>(1)
                                   : oddPart(expr->operands[1 - line]);
  if (own && *own != 0 && odd && std::abs(*own) < (int64_t(1) << 40))
    result.doubling = *own * *odd;
  return result;
}

LaneForm FormFinder::of(const ExprRef &expr) {
  if (!expr || !expr->type.isInteger())
    return {Shape::Other, {}, {}};
  switch (expr->kind) {
  case ExprKind::IntLiteral:
    return {};
  case ExprKind::WorkItem:
    return ofId(*expr);
  case ExprKind::VarRef:
    return ofVariable(expr->var);
  case ExprKind::Cast:
    return of(expr->operands[0]);
  case ExprKind::Unary:
    if (expr->op == Op::Plus)
      return of(expr->operands[0]);
    return expr->op == Op::Neg ? scaledBy(of(expr->operands[0]), -1)
                               : LaneForm{Shape::Other, {}, {}};
  case ExprKind::Binary:
    return ofProduct(expr);
  default:
    return {Shape::Other, {}, {}};
  }
}

LaneForm laneForm(const KernelModel &model, const ExprRef &expr,
                  SymbolId axis) {
  return FormFinder(model, axis).of(expr);
}

} // namespace clopt
