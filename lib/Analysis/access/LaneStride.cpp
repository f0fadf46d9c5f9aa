//===- LaneStride.cpp - differences of polynomials along an axis ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of AccessPattern.h that looks at one polynomial: whether it depends
// on an axis, and by how much it changes per step.
//
// Tested by test/unit/AccessPatternTest.cpp, test/oracle/PatternOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/AccessPattern.h"

#include <algorithm>

using namespace clopt;

//===-- Dependence on an axis ---------------------------------------------===//

static bool dependsOn(const KernelModel &model, const Condition &condition,
                      SymbolId axis) {
  return dependsOn(model, condition.poly, axis) ||
         std::any_of(condition.operands.begin(), condition.operands.end(),
                     [&](const Condition &operand) {
                       return dependsOn(model, operand, axis);
                     });
}

bool clopt::dependsOn(const KernelModel &model, SymbolId id, SymbolId axis) {
  if (id == axis)
    return true;
  const Symbol &symbol = model.symbols[id];
  switch (symbol.kind) {
  case SymbolKind::FloorDiv:
  case SymbolKind::Modulo:
    return dependsOn(model, symbol.first, axis);
  case SymbolKind::Product: // of arguments and sizes
    return false;
  case SymbolKind::Select:
    return dependsOn(model, symbol.first, axis) ||
           dependsOn(model, symbol.second, axis) ||
           ::dependsOn(model, symbol.condition, axis);
  case SymbolKind::Unknown:
    return symbol.varying;
  default:
    return false;
  }
}

bool clopt::dependsOn(const KernelModel &model, const Polynomial &poly,
                      SymbolId axis) {
  std::vector<SymbolId> symbols = poly.symbols();
  return std::any_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
    return dependsOn(model, symbol, axis);
  });
}

//===-- Differences -------------------------------------------------------===//

namespace {

class Shift {
public:
  Shift(const KernelModel &kernel, SymbolId along, int64_t by)
      : model(kernel), axis(along), step(by) {}

  /// poly(axis + step) - poly(axis); may still depend on the axis.
  std::optional<Polynomial> of(const Polynomial &poly) const {
    Polynomial result;
    for (const auto &[monomial, coefficient] : poly.terms) {
      Polynomial before(coefficient), after(coefficient);
      for (SymbolId symbol : monomial) {
        std::optional<Polynomial> change = of(symbol);
        if (!change)
          return std::nullopt;
        Polynomial value = Polynomial::symbol(symbol);
        before = before * value;
        after = after * (value + *change);
      }
      result = result + after - before;
    }
    if (result.overflow || poly.overflow)
      return std::nullopt;
    return result;
  }

private:
  std::optional<Polynomial> of(SymbolId id) const {
    if (id == axis)
      return Polynomial(step);
    if (!dependsOn(model, id, axis))
      return Polynomial();
    const Symbol &symbol = model.symbols[id];
    switch (symbol.kind) {
    case SymbolKind::FloorDiv:
    case SymbolKind::Modulo:
      return ofDivision(symbol);
    case SymbolKind::Select:
      return ofSelect(symbol);
    default:
      return std::nullopt;
    }
  }

  /// floor((p + k d) / d) = floor(p / d) + k, and p + k d mod d = p mod d.
  std::optional<Polynomial> ofDivision(const Symbol &symbol) const {
    std::optional<Polynomial> change = of(symbol.first);
    if (!change)
      return std::nullopt;
    std::optional<Polynomial> quotient =
        change->divideExactly({}, symbol.constant);
    if (!quotient)
      return std::nullopt;
    return symbol.kind == SymbolKind::Modulo ? Polynomial() : *quotient;
  }

  std::optional<Polynomial> ofSelect(const Symbol &symbol) const {
    if (::dependsOn(model, symbol.condition, axis))
      return std::nullopt;
    std::optional<Polynomial> first = of(symbol.first);
    std::optional<Polynomial> second = of(symbol.second);
    if (!first || !second || *first != *second)
      return std::nullopt;
    return first;
  }

  const KernelModel &model;
  SymbolId axis;
  int64_t step;
};

} // namespace

std::optional<Polynomial> clopt::laneStride(const KernelModel &model,
                                            const Polynomial &poly,
                                            SymbolId axis, int64_t step) {
  std::optional<Polynomial> change = Shift(model, axis, step).of(poly);
  if (!change || dependsOn(model, *change, axis))
    return std::nullopt;
  return change;
}

Polynomial clopt::inLockstep(const KernelModel &model,
                             const Statement &statement, const Polynomial &poly,
                             SymbolId axis) {
  Polynomial result = poly;
  // From the inside out: a first iteration may name an outer iterator, which
  // then counts from its own first iteration.
  for (auto it = statement.loops.rbegin(); it != statement.loops.rend(); ++it) {
    const Loop &loop = model.loops[*it];
    if (loop.iterator == axis || !result.contains(loop.iterator))
      continue;
    if (!dependsOn(model, inLockstep(model, statement, loop.first, axis), axis))
      continue;
    Polynomial count = Polynomial::symbol(loop.iterator);
    result = result.substitute(loop.iterator,
                               loop.first + count * Polynomial(loop.step));
  }
  return result;
}

//===-- Names -------------------------------------------------------------===//

std::string clopt::displayName(const KernelModel &model, SymbolId id,
                               const std::map<SymbolId, std::string> &known) {
  auto own = known.find(id);
  if (own != known.end())
    return own->second;
  const Symbol &symbol = model.symbols[id];
  auto inner = [&](SymbolId part) { return displayName(model, part, known); };
  auto text = [&](const Polynomial &poly) {
    std::string result = poly.str(inner);
    return poly.terms.size() > 1 ? "(" + result + ")" : result;
  };
  auto query = [&](const char *name) {
    return std::string(name) + "(" + std::to_string(symbol.dim) + ")";
  };
  switch (symbol.kind) {
  case SymbolKind::GlobalId:
    return query("get_global_id");
  case SymbolKind::LocalId:
    return query("get_local_id");
  case SymbolKind::GroupId:
    return query("get_group_id");
  case SymbolKind::GlobalSize:
    return query("get_global_size");
  case SymbolKind::LocalSize:
    return query("get_local_size");
  case SymbolKind::NumGroups:
    return query("get_num_groups");
  case SymbolKind::GlobalOffset:
    return query("get_global_offset");
  case SymbolKind::Product:
    return !isQuotient(symbol)
               ? text(symbol.first)
               : "(" + text(symbol.first) + ") / (" + text(symbol.second) + ")";
  case SymbolKind::FloorDiv:
    return "floor(" + text(symbol.first) + " / " +
           std::to_string(symbol.constant) + ")";
  case SymbolKind::Modulo:
    return "(" + text(symbol.first) + " mod " +
           std::to_string(symbol.constant) + ")";
  case SymbolKind::Select:
    return "(" + str(symbol.condition, inner) + " ? " + text(symbol.first) +
           " : " + text(symbol.second) + ")";
  case SymbolKind::Iterator:
  case SymbolKind::Param:
    return symbol.var ? symbol.var->name : symbol.name;
  case SymbolKind::Unknown:
    return "?";
  }
  return symbol.name;
}

//===-- Rows --------------------------------------------------------------===//

std::optional<RowPlace> clopt::rowPlace(const KernelModel &model,
                                        const Access &access, unsigned loop) {
  const Array &array = model.arrays[access.array];
  bool isElement = access.offset && access.expr && access.width == 1 &&
                   !access.isOrdered && array.origin.isZero() &&
                   array.space != AddressSpace::Private &&
                   array.elementType.isScalar() &&
                   access.expr->kind == ExprKind::Subscript &&
                   access.expr->type.scalar == array.elementType.scalar;
  if (!isElement)
    return std::nullopt;
  const Expr *base = withoutCasts(access.expr->operands[0].get());
  if (base->kind != ExprKind::VarRef || base->var != array.var ||
      !array.var->type.isPointer())
    return std::nullopt;
  SymbolId iterator = model.loops[loop].iterator;
  std::optional<Polynomial> slope = access.offset->coefficientOf(iterator);
  std::optional<int64_t> step = slope ? slope->asConstant() : std::nullopt;
  if (!step || *step == 0)
    return std::nullopt;
  RowPlace place;
  place.step = *step;
  place.start =
      *access.offset - Polynomial::symbol(iterator) * Polynomial(*step);
  if (place.start.overflowed() || place.start.asConstant())
    return std::nullopt;
  for (SymbolId id : place.start.symbols())
    switch (model.symbols[id].kind) {
    case SymbolKind::Param:
    case SymbolKind::GlobalId:
    case SymbolKind::Iterator:
    case SymbolKind::GlobalSize:
      break;
    default:
      return std::nullopt;
    }
  return place;
}
