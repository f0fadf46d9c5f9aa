//===- ForwardedWriters.cpp - several statements set what one read sees ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The middle of a tile, and its borders. The expression of one of them mostly
// does for all, or one that has the conditions and the ends of all:
//
//   t[l + 1] = x < n ? a[x] : 0;
//   if (l == 0) t[0] = x > 0 ? a[x - 1] : 0;
//
//   t[l + k]    x + k - 1 < n && x + k > 0 ? a[x + k - 1] : 0
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/ForwardedValues.h"

#include "Model/MakeTree.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>

namespace clopt {

//===-- Integers of the reader --------------------------------------------===//

/// The expression without conversions that keep all values of its type.
static const ExprRef &withoutWidening(const ExprRef &expr) {
  if (expr->kind != ExprKind::Cast)
    return expr;
  const Type &to = expr->type, &from = expr->operands[0]->type;
  if (!to.isScalar() || !from.isScalar() || !to.isInteger() ||
      !from.isInteger() || to.scalar == ScalarKind::Bool)
    return expr;
  const bool isKept =
      to.scalar == from.scalar || (sizeOf(to.scalar) > sizeOf(from.scalar) &&
                                   (from.isUnsigned() || !to.isUnsigned()));
  return isKept ? withoutWidening(expr->operands[0]) : expr;
}

/// Affine or not, of the reader's coordinates.
std::optional<Polynomial>
ForwardedValues::integerOf(const ExprRef &expr) const {
  auto known = integers.find(expr.get());
  if (known != integers.end())
    return known->second;
  const ExprRef &inner = withoutWidening(expr);
  known = integers.find(inner.get());
  if (known != integers.end())
    return known->second;
  if (inner->kind == ExprKind::IntLiteral)
    return Polynomial(inner->intValue);
  if (isFixedName(*inner) && model.symbols.findVariable(inner->var))
    return Polynomial::symbol(*model.symbols.findVariable(inner->var));
  return std::nullopt;
}

/// True for instances of the reader, { R[...] }, that all have `low` <= `high`.
bool ForwardedValues::isBelow(const ExprRef &low, const ExprRef &high,
                              const isl::set &cases,
                              const Statement &reader) const {
  const auto first = integerOf(low), second = integerOf(high);
  return first && second && isNeverBelowZero(*second - *first, cases, reader);
}

bool ForwardedValues::isNeverBelowZero(const Polynomial &poly,
                                       const isl::set &cases,
                                       const Statement &reader) const {
  if (poly.overflowed())
    return false;
  const isl::space space =
      statementSpace(model, reader.name, reader.coordinates);
  const std::optional<isl::pw_aff> below =
      toPwAff(model, space, reader.coordinates, -poly - Polynomial(1));
  if (!below)
    return false;
  isl_set *seen =
      isl_set_intersect_params(cases.copy(), model.paramContext.copy());
  // { R[...] }
  return isl::manage(
             isl_set_intersect(seen, isl_pw_aff_nonneg_set(below->copy())))
      .is_empty();
}

std::optional<Polynomial>
ForwardedValues::askedBy(const Expr &comparison) const {
  if (comparison.kind != ExprKind::Binary || !isComparison(comparison.op) ||
      comparison.op == Op::Eq || comparison.op == Op::Ne)
    return std::nullopt;
  const auto first = integerOf(comparison.operands[0]);
  const auto second = integerOf(comparison.operands[1]);
  if (!first || !second)
    return std::nullopt;
  const Polynomial difference = *first - *second;
  if (!difference.isAffine() || difference.overflowed())
    return std::nullopt;
  const bool isLess = comparison.op == Op::Lt || comparison.op == Op::Le;
  const bool isStrict = comparison.op == Op::Lt || comparison.op == Op::Gt;
  return (isLess ? -difference : difference) - Polynomial(isStrict ? 1 : 0);
}

//===-- One expression for two --------------------------------------------===//

/// The polynomial where the equations of the set hold.
static Polynomial reduced(const Polynomial &poly, const isl::set &where,
                          const KernelModel &model, const Statement &reader) {
  struct Equations {
    const KernelModel &model;
    const Statement &reader;
    Polynomial poly;
  } state = {model, reader, poly};
  isl_basic_set *hull = isl_set_affine_hull(where.copy());
  auto replace = [](isl_constraint *constraint, void *user) -> isl_stat {
    auto &state = *static_cast<Equations *>(user);
    const isl_bool isEquality = isl_constraint_is_equality(constraint);
    isl_aff *aff = isl_constraint_get_aff(constraint);
    isl_constraint_free(constraint);
    const auto all = asPolynomial(
        state.model, isl::manage(isl_pw_aff_from_aff(aff)), state.reader);
    if (isEquality != isl_bool_true || !all)
      return isl_stat_ok;
    for (SymbolId id : state.reader.coordinates) {
      auto term = all->terms.find({id});
      if (term == all->terms.end() || std::abs(term->second) != 1)
        continue;
      Polynomial rest = *all;
      rest.terms.erase({id});
      state.poly = state.poly.substitute(id, term->second > 0 ? -rest : rest);
      break;
    }
    return isl_stat_ok;
  };
  isl_basic_set_foreach_constraint(hull, replace, &state);
  isl_basic_set_free(hull);
  return state.poly;
}

bool ForwardedValues::areSame(const ExprRef &left, const ExprRef &right,
                              const isl::set &where,
                              const Statement &reader) const {
  if (left == right)
    return true;
  auto one = integers.find(left.get()), other = integers.find(right.get());
  if (one != integers.end() && other != integers.end())
    return reduced(one->second - other->second, where, model, reader).isZero();
  if (!areAlike(*left, *right) ||
      left->operands.size() != right->operands.size())
    return false;
  for (size_t i = 0; i < left->operands.size(); ++i)
    if (!areSame(left->operands[i], right->operands[i], where, reader))
      return false;
  return true;
}

void addConjuncts(const ExprRef &expr, std::vector<ExprRef> &all) {
  const ExprRef &plain = withoutCasts(expr);
  if (plain->kind != ExprKind::Binary || plain->op != Op::LAnd)
    return all.push_back(plain);
  addConjuncts(plain->operands[0], all);
  addConjuncts(plain->operands[1], all);
}

/// A comparison, and what it asks to be 0 or more.
struct ForwardedValues::Conjunct {
  ExprRef test;
  Polynomial asked;
};

/// Those of the condition, or nothing where one is not affine.
std::optional<std::vector<ForwardedValues::Conjunct>>
ForwardedValues::conjunctsOf(const ExprRef &condition) const {
  std::vector<ExprRef> tests;
  addConjuncts(condition, tests);
  std::vector<Conjunct> result;
  for (const ExprRef &test : tests) {
    const auto asked = askedBy(*test);
    if (!asked)
      return std::nullopt;
    result.push_back({test, *asked});
  }
  return result;
}

/// The comparison with `distance` more in what it asks, or nothing.
std::optional<ForwardedValues::Conjunct>
ForwardedValues::moved(const Conjunct &from, const Polynomial &distance) {
  const bool isLess = from.test->op == Op::Lt || from.test->op == Op::Le;
  const auto left = integerOf(from.test->operands[0]);
  const Type &type = from.test->operands[0]->type;
  if (!left || !isInteger(type) || type.isUnsigned())
    return std::nullopt;
  auto test = std::make_shared<Expr>(*from.test);
  test->operands[0] =
      makeInteger(isLess ? *left - distance : *left + distance, type);
  if (!test->operands[0])
    return std::nullopt;
  return Conjunct{test, from.asked + distance};
}

/// How far the first cell that `one` reads is behind that of `other`.
std::optional<Polynomial>
ForwardedValues::distanceOf(const ExprRef &one, const ExprRef &other) const {
  if (one->operands.size() != other->operands.size())
    return std::nullopt;
  if (one->kind == ExprKind::Subscript && other->kind == ExprKind::Subscript) {
    const auto left = integerOf(one->operands[1]);
    const auto right = integerOf(other->operands[1]);
    return left && right ? std::optional(*left - *right) : std::nullopt;
  }
  for (size_t i = 0; i < one->operands.size(); ++i)
    if (const auto found = distanceOf(one->operands[i], other->operands[i]))
      return found;
  return std::nullopt;
}

/// The conditions of both choices; those that only one of them has hold where
/// the other one does, in the other one's cases. At a border a condition is
/// mostly of the group alone: that of the cell is the same there.
ExprRef ForwardedValues::joinedConditions(const Writer &left,
                                          const Writer &right,
                                          const Statement &reader) {
  auto first = conjunctsOf(left.value->operands[0]);
  auto second = conjunctsOf(right.value->operands[0]);
  if (!first || !second)
    return nullptr;
  // { R[...] } where what is asked holds, too
  auto within = [&](isl::set cases, const std::vector<Conjunct> &all) {
    const isl::space space =
        statementSpace(model, reader.name, reader.coordinates);
    for (const Conjunct &one : all)
      if (const auto value =
              toPwAff(model, space, reader.coordinates, one.asked))
        cases =
            cases.intersect(isl::manage(isl_pw_aff_nonneg_set(value->copy())));
    return cases;
  };
  const isl::set inFirst = within(left.cases, *first),
                 inSecond = within(right.cases, *second);
  auto areOneIn = [&](const Conjunct &one, const Conjunct &other,
                      const isl::set &cases) {
    return reduced(one.asked - other.asked, cases, model, reader).isZero();
  };
  const auto distance =
      distanceOf(left.value->operands[1], right.value->operands[1]);
  // What holds in `others`, and is `own` in its cases.
  auto extended = [&](const Conjunct &own, const isl::set &cases,
                      const isl::set &others) -> std::optional<Conjunct> {
    if (isNeverBelowZero(own.asked, others, reader))
      return own;
    if (!distance || !reduced(*distance, cases, model, reader).isZero())
      return std::nullopt;
    for (const Polynomial &by : {*distance, -*distance}) {
      const auto other = moved(own, by);
      if (other && isNeverBelowZero(other->asked, others, reader))
        return other;
    }
    return std::nullopt;
  };
  std::vector<Conjunct> result;
  std::vector<bool> isShared(second->size(), false);
  for (const Conjunct &one : *first) {
    std::optional<Conjunct> own;
    for (size_t i = 0; i < second->size() && !own; ++i) {
      const Conjunct &other = (*second)[i];
      if (areOneIn(one, other, right.cases))
        own = one;
      else if (areOneIn(one, other, left.cases))
        own = other;
      isShared[i] = isShared[i] || own;
    }
    if (!own)
      own = extended(one, left.cases, inSecond);
    if (!own)
      return nullptr;
    result.push_back(*own);
  }
  for (size_t i = 0; i < second->size(); ++i) {
    if (isShared[i])
      continue;
    const auto own = extended((*second)[i], right.cases, inFirst);
    if (!own)
      return nullptr;
    result.push_back(*own);
  }
  ExprRef all;
  for (const Conjunct &one : result)
    all =
        all ? makeBinary(Op::LAnd, left.value->operands[0]->type, all, one.test)
            : one.test;
  return all;
}

/// An integer between two ends, of which either may be null.
struct ForwardedValues::Nearest {
  ExprRef value, low, high;
};

std::optional<ForwardedValues::Nearest>
ForwardedValues::nearestOf(const ExprRef &expr) const {
  if (!isInteger(expr->type))
    return std::nullopt;
  if (integers.count(expr.get()))
    return Nearest{expr, nullptr, nullptr};
  if (!isNearestInteger(*expr))
    return std::nullopt;
  Nearest result = {expr->operands[0], nullptr, nullptr};
  if (expr->operands.size() == 3) {
    result.low = expr->operands[1];
    result.high = expr->operands[2];
  } else {
    ExprRef end = expr->operands[1];
    auto isFixed = [&](const ExprRef &operand) {
      const auto poly = integerOf(operand);
      return poly && llvm::all_of(poly->symbols(), [&](SymbolId id) {
               return isParameter(model.symbols[id]);
             });
    };
    if (!isFixed(end))
      std::swap(result.value, end);
    (expr->text == "max" ? result.low : result.high) = end;
  }
  return integerOf(result.value) ? std::optional(result) : std::nullopt;
}

/// The two where either has the ends that only the other one needs.
ExprRef ForwardedValues::joinedNearest(const Writer &left, const Writer &right,
                                       const Statement &reader) const {
  const auto first = nearestOf(left.value), second = nearestOf(right.value);
  if (!first || !second || left.value->type.scalar != right.value->type.scalar)
    return nullptr;
  const Polynomial distance =
      *integerOf(first->value) - *integerOf(second->value);
  Nearest result;
  if (reduced(distance, right.cases, model, reader).isZero())
    result.value = first->value;
  else if (reduced(distance, left.cases, model, reader).isZero())
    result.value = second->value;
  else
    return nullptr;
  auto areOne = [&](const ExprRef &one, const ExprRef &other) {
    const auto a = integerOf(one), b = integerOf(other);
    return a && b && *a == *b;
  };
  auto joined = [&](const ExprRef &one, const ExprRef &other, ExprRef &end) {
    end = one ? one : other;
    return !one || !other || areOne(one, other);
  };
  if (!joined(first->low, second->low, result.low) ||
      !joined(first->high, second->high, result.high))
    return nullptr;
  for (const auto &[own, cases] :
       {std::pair(&*first, &left.cases), std::pair(&*second, &right.cases)}) {
    if (result.low && !own->low &&
        !isBelow(result.low, own->value, *cases, reader))
      return nullptr;
    if (result.high && !own->high &&
        !isBelow(own->value, result.high, *cases, reader))
      return nullptr;
    // No clamp has a meaning whose ends are the other way round.
    if (result.low && result.high && !(own->low && own->high) &&
        !isBelow(result.low, result.high, *cases, reader))
      return nullptr;
  }
  if (!result.low && !result.high)
    return result.value;
  auto call = std::make_shared<Expr>(
      isNearestInteger(*left.value) ? *left.value : *right.value);
  call->text = !result.high ? "max" : !result.low ? "min" : "clamp";
  call->operands = {result.value};
  for (const ExprRef &end : {result.low, result.high})
    if (end)
      call->operands.push_back(end);
  const bool isOneType =
      llvm::all_of(call->operands, [&](const ExprRef &operand) {
        return operand->type.scalar == call->type.scalar;
      });
  return isOneType ? call : nullptr;
}

/// An expression with the values of both, each in its cases, or null.
ExprRef ForwardedValues::joined(const Writer &left, const Writer &right,
                                const Statement &reader) {
  const ExprRef &one = left.value, &other = right.value;
  if (areSame(one, other, right.cases, reader))
    return one;
  if (areSame(other, one, left.cases, reader))
    return other;
  if (isInteger(one->type) && isInteger(other->type))
    if (const ExprRef nearest = joinedNearest(left, right, reader))
      return nearest;
  if (!areAlike(*one, *other) ||
      one->operands.size() != other->operands.size() || one->operands.empty())
    return nullptr;
  auto result = std::make_shared<Expr>(*one);
  for (size_t i = 0; i < one->operands.size(); ++i) {
    const bool isCondition = one->kind == ExprKind::Conditional && i == 0;
    result->operands[i] =
        isCondition ? joinedConditions(left, right, reader)
                    : joined({left.cases, one->operands[i]},
                             {right.cases, other->operands[i]}, reader);
    if (!result->operands[i])
      return nullptr;
  }
  return result;
}

//===-- Which of several --------------------------------------------------===//

/// The set as a condition on the reader's ids and iterators, or null.
ExprRef ForwardedValues::conditionOf(const isl::set &cases,
                                     const Statement &reader) {
  isl_set *plain = isl_set_gist(
      cases.copy(), isl_set_intersect_params(reader.domain.copy(),
                                             model.paramContext.copy()));
  const isl::set known = isl::manage(isl_set_coalesce(plain));
  if (isl_set_n_basic_set(known.get()) != 1)
    return nullptr;
  struct Conjunction {
    std::vector<std::pair<isl::aff, bool>> all;
  } found;
  // The only one.
  auto visit = [](isl_basic_set *part, void *user) -> isl_stat {
    auto add = [](isl_constraint *constraint, void *to) -> isl_stat {
      static_cast<Conjunction *>(to)->all.push_back(
          {isl::manage(isl_constraint_get_aff(constraint)),
           isl_constraint_is_equality(constraint) == isl_bool_true});
      isl_constraint_free(constraint);
      return isl_stat_ok;
    };
    isl_basic_set_foreach_constraint(part, add, user);
    isl_basic_set_free(part);
    return isl_stat_ok;
  };
  isl_set_foreach_basic_set(known.get(), visit, &found);
  const Type truth = Type::makeScalar(ScalarKind::Int);
  ExprRef result;
  for (const auto &[aff, isEquality] : found.all) {
    const auto poly = asPolynomial(
        model, isl::manage(isl_pw_aff_from_aff(aff.copy())), reader);
    const ExprRef sum =
        poly ? makeInteger(*poly, Type::makeScalar(ScalarKind::Long)) : nullptr;
    if (!sum)
      return nullptr;
    const ExprRef test =
        makeBinary(isEquality ? Op::Eq : Op::Ge, truth, sum,
                   makeNumber(0, Type::makeScalar(ScalarKind::Long)));
    result = result ? makeBinary(Op::LAnd, truth, result, test) : test;
  }
  return result;
}

/// One expression for all of the values, each in its cases.
ExprRef ForwardedValues::choose(const std::vector<Writer> &all,
                                const Statement &reader,
                                const SourceRange &range) {
  for (const auto &[ownCases, candidate] : all) {
    const ExprRef &expr = candidate;
    const bool isForAll = llvm::all_of(all, [&](const Writer &other) {
      return areSame(expr, other.value, other.cases, reader);
    });
    if (isForAll)
      return expr;
  }
  std::vector<Writer> values = all;
  for (size_t i = 0, k = 1; i + 1 < values.size();) {
    if (const ExprRef both = joined(values[i], values[k], reader)) {
      values[i] = {values[i].cases.unite(values[k].cases), both};
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(k));
      i = 0; // what has no form for both alone may have one now
      k = 1;
    } else if (++k == values.size()) {
      k = ++i + 1;
    }
  }
  if (values.size() == 1)
    return values.front().value;
  ExprRef result;
  std::vector<std::pair<ExprRef, ExprRef>> chosen;
  for (const auto &[cases, value] : values) {
    const ExprRef condition = conditionOf(cases, reader);
    if (condition)
      chosen.push_back({condition, value});
    else if (!result)
      result = value;
    else
      return fail("clopt-non-affine-control",
                  "which statement sets what is read has too many cases",
                  range);
  }
  if (!result) {
    result = chosen.back().second;
    chosen.pop_back();
  }
  for (const auto &[condition, value] : chosen)
    result = makeConditional(value->type, condition, value, result);
  return result;
}

} // namespace clopt
