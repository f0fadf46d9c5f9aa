//===- OffsetBounds.cpp - how far accesses go, in terms of sizes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/OffsetBounds.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

OffsetBounds::OffsetBounds(const KernelModel &kernel, const Assignments &values,
                           SizeTerms &store, const TermLaunch &given)
    : model(kernel), assignments(values), terms(store), launch(given) {}

static TermInterval exactly(const Polynomial &value) { return {value, value}; }
static TermInterval number(int64_t low, int64_t high) {
  return {Polynomial(low), Polynomial(high)};
}

//===-- Arithmetic --------------------------------------------------------===//

TermInterval OffsetBounds::join(const TermInterval &x, const TermInterval &y) {
  TermInterval result;
  if (x.low && y.low)
    result.low = terms.smaller(*x.low, *y.low);
  if (x.high && y.high)
    result.high = terms.larger(*x.high, *y.high);
  return result;
}

TermInterval OffsetBounds::add(const TermInterval &x,
                               const TermInterval &y) const {
  TermInterval result;
  if (x.low && y.low)
    result.low = *x.low + *y.low;
  if (x.high && y.high)
    result.high = *x.high + *y.high;
  return result;
}

static TermInterval minus(const TermInterval &x) {
  TermInterval result;
  if (x.high)
    result.low = -*x.high;
  if (x.low)
    result.high = -*x.low;
  return result;
}

/// Of two numbers of which one at least is never negative. Where there are such
/// numbers the end of an interval is not before its begin.
TermInterval OffsetBounds::multiply(const TermInterval &x,
                                    const TermInterval &y) {
  const bool isFirst = isNatural(x);
  if (!isFirst && !isNatural(y))
    return {};
  const TermInterval &natural = isFirst ? x : y, &other = isFirst ? y : x;
  TermInterval result;
  if (isNatural(other))
    result.low = *natural.low * *other.low;
  else if (natural.high && other.low)
    result.low = *natural.high * terms.smaller(*other.low, Polynomial());
  if (natural.high && other.high)
    result.high = *natural.high *
                  (isNatural(other) ? *other.high
                                    : terms.larger(*other.high, Polynomial()));
  return result;
}

//===-- Values of the model -----------------------------------------------===//

/// A sum of products of isl's parameters.
std::optional<Polynomial> OffsetBounds::ofParameters(const Polynomial &poly) {
  Polynomial sum;
  for (const auto &[monomial, coefficient] : poly.terms) {
    Polynomial product(coefficient);
    for (SymbolId factor : monomial) {
      std::optional<Polynomial> value = parameter(factor);
      if (!value)
        return std::nullopt;
      product = product * *value;
    }
    sum = sum + product;
  }
  return sum;
}

/// An isl parameter.
std::optional<Polynomial> OffsetBounds::parameter(SymbolId id) {
  const Symbol &symbol = model.symbols[id];
  const unsigned d = symbol.dim;
  switch (symbol.kind) {
  case SymbolKind::GlobalSize:
    return launch.global[d];
  case SymbolKind::LocalSize:
    return launch.local[d];
  case SymbolKind::NumGroups:
    return terms.ceilDiv(launch.global[d], launch.local[d]);
  case SymbolKind::GlobalOffset:
    return Polynomial();
  case SymbolKind::Param: {
    auto found = launch.integers.find(integerOf(symbol));
    if (found == launch.integers.end())
      return std::nullopt;
    return found->second;
  }
  case SymbolKind::Product: {
    const std::optional<Polynomial> value = ofParameters(symbol.first);
    if (!value || !isQuotient(symbol))
      return value;
    const std::optional<Polynomial> by = ofParameters(symbol.second);
    return by ? std::optional(terms.floorDiv(*value, *by)) : std::nullopt;
  }
  default: {
    TermInterval found = ofSymbol(id, nullptr, nullptr);
    return found.high;
  }
  }
}

/// The launch is as large as what it is tied to, without an offset.
isl::set OffsetBounds::tie(isl::set set) const {
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol &symbol = model.symbols[id];
    isl_set *plain = set.release();
    const int at =
        isl_set_find_dim_by_name(plain, isl_dim_param, symbol.name.c_str());
    if (at >= 0 && symbol.kind == SymbolKind::GlobalOffset)
      plain = isl_set_fix_si(plain, isl_dim_param, unsigned(at), 0);
    const std::optional<int64_t> local =
        symbol.kind == SymbolKind::LocalSize
            ? launch.local[symbol.dim].asConstant()
            : std::nullopt;
    if (at >= 0 && local)
      plain = isl_set_fix_si(plain, isl_dim_param, unsigned(at),
                             static_cast<int>(*local));
    if (at >= 0 && symbol.kind == SymbolKind::Param)
      plain = isl_set_lower_bound_si(plain, isl_dim_param, unsigned(at), 1);
    const auto &tied = launch.tied[symbol.dim];
    const int other =
        at >= 0 && symbol.kind == SymbolKind::GlobalSize && tied
            ? isl_set_find_dim_by_name(plain, isl_dim_param,
                                       model.symbols[tied->first].name.c_str())
            : -1;
    if (other >= 0) {
      isl_local_space *space =
          isl_local_space_from_space(isl_set_get_space(plain));
      isl_constraint *bound = launch.isExact[symbol.dim]
                                  ? isl_constraint_alloc_equality(space)
                                  : isl_constraint_alloc_inequality(space);
      bound = isl_constraint_set_coefficient_si(bound, isl_dim_param, at, 1);
      bound =
          isl_constraint_set_coefficient_si(bound, isl_dim_param, other, -1);
      bound = isl_constraint_set_constant_si(bound,
                                             static_cast<int>(-tied->second));
      plain = isl_set_add_constraint(plain, bound);
    }
    set = isl::manage(plain);
  }
  return set;
}

namespace {

struct PieceReader {
  const KernelModel &model;
  SizeTerms &terms;
  bool isHigh;
  std::function<std::optional<Polynomial>(SymbolId)> parameter;
  bool isKnown = true;
  std::optional<Polynomial> found;

  std::optional<Polynomial> read(isl_aff *aff) const {
    isl_val *denominator = isl_aff_get_denominator_val(aff);
    const bool isWhole = isl_val_is_one(denominator) && !isl_aff_is_nan(aff) &&
                         isl_aff_dim(aff, isl_dim_div) == 0;
    isl_val_free(denominator);
    if (!isWhole)
      return std::nullopt;
    auto numberOf = [](isl_val *value) {
      const long number = isl_val_get_num_si(value);
      isl_val_free(value);
      return static_cast<int64_t>(number);
    };
    Polynomial sum(numberOf(isl_aff_get_constant_val(aff)));
    const auto count = static_cast<unsigned>(isl_aff_dim(aff, isl_dim_param));
    for (unsigned i = 0; i < count; ++i) {
      const int64_t factor =
          numberOf(isl_aff_get_coefficient_val(aff, isl_dim_param, int(i)));
      if (factor == 0)
        continue;
      const char *name = isl_aff_get_dim_name(aff, isl_dim_param, i);
      std::optional<Polynomial> value;
      for (SymbolId id = 0; id < model.symbols.size(); ++id)
        if (name && model.symbols[id].name == name)
          value = parameter(id);
      if (!value)
        return std::nullopt;
      sum = sum + Polynomial(factor) * *value;
    }
    return sum;
  }

  static isl_stat visit(isl_set *set, isl_aff *aff, void *user) {
    auto &reader = *static_cast<PieceReader *>(user);
    std::optional<Polynomial> piece = reader.read(aff);
    isl_set_free(set);
    isl_aff_free(aff);
    if (!piece)
      reader.isKnown = false;
    else if (!reader.found)
      reader.found = piece;
    else
      reader.found = reader.isHigh
                         ? reader.terms.larger(*reader.found, *piece)
                         : reader.terms.smaller(*reader.found, *piece);
    return isl_stat_ok;
  }
};

} // namespace

/// What all pieces keep to. Takes `values`.
std::optional<Polynomial> OffsetBounds::ofPieces(isl_pw_aff *values,
                                                 bool isHigh) {
  PieceReader reader{model,  terms,
                     isHigh, [this](SymbolId id) { return parameter(id); },
                     true,   std::nullopt};
  isl_pw_aff_foreach_piece(values, PieceReader::visit, &reader);
  isl_pw_aff_free(values);
  return reader.isKnown ? reader.found : std::nullopt;
}

TermInterval OffsetBounds::ofCoordinate(const isl::set &instances,
                                        unsigned at) {
  // { S[w..., i...] -> } one coordinate of the instances
  const isl::set set = tie(instances);
  TermInterval result;
  if (isl_set_dim_has_lower_bound(set.get(), isl_dim_set, at) == isl_bool_true)
    result.low = ofPieces(isl_set_dim_min(set.copy(), int(at)), false);
  if (isl_set_dim_has_upper_bound(set.get(), isl_dim_set, at) == isl_bool_true)
    result.high = ofPieces(isl_set_dim_max(set.copy(), int(at)), true);
  return result;
}

TermInterval OffsetBounds::ofSymbol(SymbolId id, const isl::set *instances,
                                    const std::vector<SymbolId> *coordinates) {
  const Symbol &symbol = model.symbols[id];
  if (coordinates) {
    auto at = std::find(coordinates->begin(), coordinates->end(), id);
    if (at != coordinates->end()) {
      TermInterval found = ofCoordinate(
          *instances, static_cast<unsigned>(at - coordinates->begin()));
      if (found.low && found.high)
        return found;
    }
  }
  const unsigned d = symbol.dim;
  const Polynomial one(1);
  switch (symbol.kind) {
  case SymbolKind::GlobalId:
    return {Polynomial(), launch.global[d] - one};
  case SymbolKind::LocalId:
    return {Polynomial(), launch.local[d] - one};
  case SymbolKind::GroupId:
    return {Polynomial(),
            terms.ceilDiv(launch.global[d], launch.local[d]) - one};
  case SymbolKind::FloorDiv: {
    const TermInterval of = this->of(symbol.first, instances, coordinates);
    TermInterval result;
    if (of.low)
      result.low = terms.floorDiv(*of.low, Polynomial(symbol.constant));
    if (of.high)
      result.high = terms.floorDiv(*of.high, Polynomial(symbol.constant));
    return result;
  }
  case SymbolKind::Modulo:
    return number(0, symbol.constant - 1);
  case SymbolKind::Select:
    return join(of(symbol.first, instances, coordinates),
                of(symbol.second, instances, coordinates));
  case SymbolKind::Iterator:
  case SymbolKind::Unknown: {
    if (symbol.var && activeSymbols.insert(id).second) {
      TermInterval found = ofVariable(symbol.var);
      activeSymbols.erase(id);
      if (found.low && found.high)
        return found;
    }
    TermInterval result;
    if (symbol.minimum)
      result.low = Polynomial(*symbol.minimum);
    constexpr int64_t most = 1 << 16;
    if (symbol.maximum && *symbol.maximum <= most)
      result.high = Polynomial(*symbol.maximum);
    return result;
  }
  default:
    if (std::optional<Polynomial> value = parameter(id))
      return exactly(*value);
    return {};
  }
}

TermInterval OffsetBounds::of(const Polynomial &poly, const isl::set *instances,
                              const std::vector<SymbolId> *coordinates) {
  TermInterval sum = number(0, 0);
  for (const auto &[monomial, coefficient] : poly.terms) {
    TermInterval product = number(1, 1);
    for (SymbolId id : monomial)
      product = multiply(product, ofSymbol(id, instances, coordinates));
    const Polynomial factor(coefficient < 0 ? -coefficient : coefficient);
    product = multiply(exactly(factor), product);
    sum = add(sum, coefficient < 0 ? minus(product) : product);
  }
  return poly.overflowed() ? TermInterval() : sum;
}

TermInterval OffsetBounds::of(const Access &access) {
  if (access.offset) {
    const Statement &statement = model.statements[access.statement];
    const isl::set instances = instancesOf(model, access);
    if (instances.is_empty())
      return number(0, 0);
    TermInterval found = of(*access.offset, &instances, &statement.coordinates);
    if (found.high)
      return found;
  }
  return access.expr ? ofPlace(*access.expr) : TermInterval();
}

//===-- Values of the program ---------------------------------------------===//

/// The cell of an lvalue, or of vloadN and vstoreN.
TermInterval OffsetBounds::ofPlace(const Expr &expr) {
  const Expr *place = &expr;
  while (place->kind == ExprKind::Member || place->kind == ExprKind::Swizzle)
    place = place->operands[0].get();
  auto pointer = [this](const ExprRef &base) -> TermInterval {
    const Expr *plain = withoutCasts(base.get());
    auto found = model.pointers.find(plain);
    if (found != model.pointers.end())
      return of(found->second.offset, nullptr, nullptr);
    if (plain->kind == ExprKind::VarRef && plain->var->isParam)
      return number(0, 0);
    if (plain->kind == ExprKind::VarRef && plain->type.isArray())
      return number(0, 0);
    return {};
  };
  if (isVectorLoad(*place) || isVectorStore(*place)) {
    const size_t count = place->operands.size();
    const auto pitch = static_cast<int64_t>(vectorPitch(*place));
    return add(pointer(place->operands[count - 1]),
               multiply(number(pitch, pitch), of(place->operands[count - 2])));
  }
  if (place->kind == ExprKind::Subscript) {
    const Expr *base = withoutCasts(place->operands[0].get());
    if (base->kind == ExprKind::Subscript) // of an array of arrays
      return {};
    const TermInterval cell =
        add(pointer(place->operands[0]), of(place->operands[1]));
    // Elements of the array may be parts of what is accessed.
    return cell;
  }
  return {};
}

TermInterval OffsetBounds::ofVariable(const Variable *variable) {
  auto done = known.find(variable);
  if (done != known.end())
    return done->second;
  if (variable->isParam && assignments.of(variable).empty()) {
    auto given = launch.integers.find(variable->name);
    return given == launch.integers.end() ? TermInterval()
                                          : exactly(given->second);
  }
  if (variable->addressTaken || !active.insert(variable).second)
    return {};
  TermInterval result;
  bool isFirst = true, grows = false, shrinks = false;
  auto take = [&](const TermInterval &value) {
    result = isFirst ? value : join(result, value);
    isFirst = false;
  };
  for (const Assignments::Value &set : assignments.of(variable)) {
    switch (set.op) {
    case Op::None: {
      // `k = k + 1` is like `k++`.
      bool isOwn = false;
      forEachExpr(set.value, [&](const ExprRef &part) {
        isOwn |= part->kind == ExprKind::VarRef && part->var == variable;
      });
      if (!isOwn) {
        take(of(set.value));
        break;
      }
      const Expr &value = *belowCasts(set.value.get());
      const bool isDown = value.kind == ExprKind::Binary &&
                          (value.op == Op::Div || value.op == Op::Shr ||
                           value.op == Op::Sub || value.op == Op::And);
      (isDown ? shrinks : grows) = true;
      break;
    }
    case Op::Div:
    case Op::Shr:
    case Op::And:
    case Op::Rem:
      break; // between what it was and 0
    case Op::Sub:
    case Op::PreDec:
    case Op::PostDec:
      shrinks = true;
      break;
    default:
      grows = true;
    }
  }
  active.erase(variable);
  active.insert(variable);
  if (isFirst)
    result = TermInterval();
  const auto &ends = assignments.endsOf(variable);
  if (grows) {
    std::optional<Polynomial> last;
    bool isKnown = !ends.empty();
    for (const auto &[end, mayEqual] : ends) {
      const TermInterval limit = of(end);
      isKnown &= limit.high.has_value();
      if (!isKnown)
        break;
      const Polynomial greatest = *limit.high - Polynomial(mayEqual ? 0 : 1);
      last = last ? terms.larger(*last, greatest) : greatest;
    }
    if (isKnown && result.high)
      // Where it begins later, the loop does not run.
      result.high = last;
    else
      result.high = isKnown ? last : std::nullopt;
  }
  if (shrinks)
    result.low =
        ends.empty() ? std::nullopt : std::optional<Polynomial>(Polynomial());
  active.erase(variable);
  if (active.empty())
    known[variable] = result;
  return result;
}

TermInterval OffsetBounds::ofQuery(const Expr &expr) {
  const unsigned d = std::min(expr.dim, 2u);
  const Polynomial one(1);
  switch (expr.query) {
  case WorkItemQuery::GlobalId:
    return {Polynomial(), launch.global[d] - one};
  case WorkItemQuery::LocalId:
    return {Polynomial(), launch.local[d] - one};
  case WorkItemQuery::GroupId:
    return {Polynomial(),
            terms.ceilDiv(launch.global[d], launch.local[d]) - one};
  case WorkItemQuery::GlobalSize:
    return exactly(launch.global[d]);
  case WorkItemQuery::LocalSize:
  case WorkItemQuery::EnqueuedLocalSize:
    return exactly(launch.local[d]);
  case WorkItemQuery::NumGroups:
    return exactly(terms.ceilDiv(launch.global[d], launch.local[d]));
  case WorkItemQuery::GlobalOffset:
    return number(0, 0);
  case WorkItemQuery::WorkDim:
    return number(1, 3);
  case WorkItemQuery::GlobalLinearId:
    return {Polynomial(),
            launch.global[0] * launch.global[1] * launch.global[2] - one};
  case WorkItemQuery::LocalLinearId:
    return {Polynomial(),
            launch.local[0] * launch.local[1] * launch.local[2] - one};
  }
  return {};
}

TermInterval OffsetBounds::ofBinary(const Expr &expr) {
  const TermInterval x = of(expr.operands[0]), y = of(expr.operands[1]);
  const std::optional<int64_t> number =
      y.low && y.high && *y.low == *y.high ? y.low->asConstant() : std::nullopt;
  switch (expr.op) {
  case Op::Add:
    return add(x, y);
  case Op::Sub:
    return add(x, minus(y));
  case Op::Mul:
    return multiply(x, y);
  case Op::Shl:
    return number && *number >= 0 && *number < 32
               ? multiply(x, exactly(Polynomial(int64_t(1) << *number)))
               : TermInterval();
  case Op::Shr:
  case Op::Div: {
    TermInterval result;
    if (!isNatural(x))
      return result;
    result.low = Polynomial();
    const bool isKnown = number && *number >= (expr.op == Op::Div ? 1 : 0) &&
                         (expr.op == Op::Div || *number < 32);
    if (isKnown && x.high)
      result.high = terms.floorDiv(
          *x.high,
          Polynomial(expr.op == Op::Div ? *number : int64_t(1) << *number));
    else if (y.low && x.high && *y.low == y.high.value_or(Polynomial()) &&
             expr.op == Op::Div)
      result.high = terms.floorDiv(*x.high, *y.low);
    else
      result.high = x.high;
    return result;
  }
  case Op::Rem: {
    TermInterval result;
    if (y.high)
      result.high = *y.high - Polynomial(1);
    result.low = isNatural(x) || expr.type.isUnsigned()
                     ? std::optional<Polynomial>(Polynomial())
                 : y.high ? std::optional<Polynomial>(Polynomial(1) - *y.high)
                          : std::nullopt;
    return result;
  }
  case Op::And:
    for (const TermInterval *mask : {&y, &x})
      if (isNatural(*mask) && mask->high)
        return {Polynomial(), mask->high};
    return {};
  case Op::LAnd:
  case Op::LOr:
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
  case Op::Eq:
  case Op::Ne:
    return clopt::number(0, 1);
  case Op::Comma:
    return y;
  case Op::Or:
  case Op::Xor:
    // No greater than the sum.
    return isNatural(x) && isNatural(y)
               ? TermInterval{Polynomial(), add(x, y).high}
               : TermInterval();
  default:
    return {};
  }
}

TermInterval OffsetBounds::ofCall(const Expr &expr) {
  const std::string &name = expr.text;
  std::vector<TermInterval> values;
  for (const ExprRef &operand : expr.operands)
    values.push_back(operand->type.isInteger() ? of(operand) : TermInterval());
  if (!expr.type.isInteger())
    return {};
  if ((name == "min" || name == "max") && values.size() == 2) {
    TermInterval result;
    const TermInterval &x = values[0], &y = values[1];
    const bool isMin = name == "min";
    if (x.low && y.low)
      result.low =
          isMin ? terms.smaller(*x.low, *y.low) : terms.larger(*x.low, *y.low);
    else if (!isMin)
      result.low = x.low ? x.low : y.low;
    if (x.high && y.high)
      result.high = isMin ? terms.smaller(*x.high, *y.high)
                          : terms.larger(*x.high, *y.high);
    else if (isMin)
      result.high = x.high ? x.high : y.high;
    return result;
  }
  if (name == "clamp" && values.size() == 3)
    return {values[1].low, values[2].high};
  if (name == "mul24" && values.size() == 2)
    return multiply(values[0], values[1]);
  if ((name == "mad24" || name == "mad_sat") && values.size() == 3)
    return add(multiply(values[0], values[1]), values[2]);
  if (expr.family == CallFamily::Convert && values.size() == 1)
    return values[0];
  return {};
}

TermInterval OffsetBounds::of(const ExprRef &expr) {
  auto modelled = model.values.find(expr.get());
  if (modelled != model.values.end()) {
    TermInterval found = of(modelled->second, nullptr, nullptr);
    if (found.low && found.high)
      return found;
  }
  switch (expr->kind) {
  case ExprKind::IntLiteral:
    return number(expr->intValue, expr->intValue);
  case ExprKind::VarRef:
    return ofVariable(expr->var);
  case ExprKind::WorkItem:
    return ofQuery(*expr);
  case ExprKind::Cast:
    return expr->operands[0]->type.isInteger() ? of(expr->operands[0])
                                               : TermInterval();
  case ExprKind::Binary:
    return ofBinary(*expr);
  case ExprKind::Conditional:
    return join(of(expr->operands[1]), of(expr->operands[2]));
  case ExprKind::Call:
    if (!isVectorLoad(*expr))
      return ofCall(*expr);
    break;
  case ExprKind::Assign:
    return expr->op == Op::None ? of(expr->operands[1]) : TermInterval();
  case ExprKind::Unary:
    if (expr->op == Op::Neg)
      return minus(of(expr->operands[0]));
    if (expr->op == Op::Plus)
      return of(expr->operands[0]);
    if (expr->op == Op::LNot)
      return number(0, 1);
    if (isStep(expr->op))
      return of(expr->operands[0]);
    break;
  default:
    break;
  }
  // Numbers of a buffer, or of an array of the kernel's own.
  const Expr *place =
      isVectorLoad(*expr) ? expr->operands.back().get() : expr.get();
  const Variable *base = baseOf(place);
  if (!base)
    return {};
  auto content = launch.contents.find(base);
  if (content != launch.contents.end())
    return content->second;
  const Type &type = expr->type;
  if (base->isParam && type.isInteger() && sizeOf(type.scalar) == 1)
    return type.isUnsigned() ? number(0, 255) : number(-128, 127);
  if (!base->isParam && !base->type.isPointer())
    return ofVariable(base);
  return {};
}

const Type &elementOf(const KernelModel &model, const Variable &pointer) {
  for (const Array &array : model.arrays)
    if (array.var == &pointer && array.isCast)
      return array.elementType;
  return *pointer.type.element;
}

} // namespace clopt
