//===- ModelArithmetic.cpp - integer arithmetic of OpenCL C ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators and conversions on polynomials. See ModelDraft.h for what is known
// of values of unsigned types, and when a requirement is recorded.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <algorithm>
#include <tuple>

namespace clopt {

//===-- Requirements ------------------------------------------------------===//

static bool isWithin(const Interval &inner, const Interval &outer) {
  return inner.minimum && inner.maximum && *inner.minimum >= *outer.minimum &&
         *inner.maximum <= *outer.maximum;
}

/// True when every evaluation gives a value within `range` that is that of the
/// polynomial: nothing on the way to it can have wrapped.
bool ModelBuilder::isProved(const Expr &expr, const Interval &range) const {
  if (!settings.ranges || !settings.ranges->isExact(expr))
    return false;
  std::optional<ValueRange> known = settings.ranges->range(expr);
  return known && known->minimum && known->maximum &&
         *known->minimum >= *range.minimum && *known->maximum <= *range.maximum;
}

/// `poly` is the value of `expr`.
void ModelBuilder::require(const ExprRef &expr, const Polynomial &poly,
                           const Interval &range, Assumption::Kind kind) {
  if (range.minimum && !isProved(*expr, range))
    addRequirement(expr, poly, range, kind);
}

/// `expr` is what becomes unknown when it cannot hold.
void ModelBuilder::addRequirement(const ExprRef &expr, const Polynomial &poly,
                                  const Interval &range,
                                  Assumption::Kind kind) {
  if (!range.minimum)
    return;
  Requirement requirement;
  requirement.poly = poly;
  requirement.range = range;
  requirement.kind = kind;
  requirement.expr = expr.get();
  requirement.location = expr->range;
  addRequirement(std::move(requirement));
}

/// `int g = get_group_id(0);`: a group's number, and the number of work-items
/// before it, are at most the global id of each of its work-items. Where that
/// is in range they are, and need no coordinates of their own for it.
Polynomial ModelBuilder::atMostIds(const Polynomial &poly) {
  Polynomial folded = foldGlobalIds(poly);
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    std::optional<SymbolId> group =
        model.symbols.find(SymbolKind::GroupId, dim);
    std::optional<SymbolId> local =
        model.symbols.find(SymbolKind::LocalId, dim);
    if (model.ndrange.split[dim])
      continue;
    Polynomial id = Polynomial::symbol(symbolOf(SymbolKind::GlobalId, dim));
    bool isGroup = group && folded == Polynomial::symbol(*group);
    bool isStart = local && folded == id - Polynomial::symbol(*local);
    if (isGroup || isStart)
      return id;
  }
  return folded;
}

void ModelBuilder::addRequirement(Requirement requirement) {
  if (*requirement.range.minimum <= 0)
    requirement.poly = atMostIds(requirement.poly);
  if (isWithin(boundsOf(model.symbols, requirement.poly), requirement.range))
    return;
  requirement.context = context;
  for (Requirement &known : draft.requirements)
    if (known.context == context && known.poly == requirement.poly &&
        known.range.minimum == requirement.range.minimum &&
        known.range.maximum == requirement.range.maximum &&
        known.need == requirement.need) {
      known.isOfQuotient &= requirement.isOfQuotient;
      return;
    }
  draft.requirements.push_back(std::move(requirement));
}

std::optional<Polynomial> ModelBuilder::exact(const ExprRef &expr,
                                              const Value &value) {
  if (!value.isInteger())
    return std::nullopt;
  if (expr->type.isUnsigned())
    require(expr, value.poly, rangeOf(expr->type), Assumption::Kind::Overflow);
  return value.poly;
}

Value ModelBuilder::convert(const ExprRef &expr, const Type &from,
                            const Value &value, const Type &to) {
  if (value.isPointer() || from.isArray()) {
    Value pointer = value;
    if (!from.isArray())
      pointer.hasSubscripts = false;
    return to.isPointer() ? pointer : Value();
  }
  if (to.isVector() && to.isInteger() &&
      (value.isVector() || value.isInteger())) {
    // A number becomes all components.
    Type source = Type::makeScalar(from.scalar);
    Type target = Type::makeScalar(to.scalar);
    std::vector<Value> lanes = value.lanes;
    if (value.isInteger())
      lanes.assign(to.lanes, value);
    for (Value &lane : lanes)
      lane = convert(expr, source, lane, target);
    return lanes.size() == to.lanes ? Value::vector(lanes) : Value();
  }
  bool isInteger = value.isInteger() && to.isScalar() && to.isInteger() &&
                   from.isScalar() && from.isInteger();
  if (!isInteger || settings.unknown.count(expr.get()))
    return {};
  if (to.scalar == ScalarKind::Bool) {
    if (from.scalar == ScalarKind::Bool)
      return value;
    std::optional<Polynomial> poly = exact(expr->operands[0], value);
    return asInteger(negate({Condition::Kind::Zero, *poly, {}}));
  }
  Interval source = rangeOf(from), target = rangeOf(to);
  bool isWidening = sizeOf(to.scalar) > sizeOf(from.scalar);
  if (to.isUnsigned()) {
    // Modulo a smaller power of two nothing is lost, and a negative value is
    // congruent to what it wraps to; but a wrapped one must not be widened.
    if (isWidening && from.isUnsigned())
      require(expr, value.poly, source, Assumption::Kind::Overflow);
    return value;
  }
  if (from.isUnsigned() || !isWidening) {
    bool isKept =
        !from.isUnsigned() && sizeOf(to.scalar) == sizeOf(from.scalar);
    Interval both{std::max(*source.minimum, *target.minimum),
                  std::min(*source.maximum, *target.maximum)};
    // Within the target's range a value is right whatever came before, unless
    // the conversion widens.
    if (!isKept)
      require(expr, value.poly, isWidening ? both : target,
              isWidening ? Assumption::Kind::Overflow
                         : Assumption::Kind::Range);
  }
  return value;
}

//===-- Division ----------------------------------------------------------===//

/// poly = divisor * quotient + rest with coefficients of rest in [0, divisor).
static Polynomial::Division splitBy(const Polynomial &poly, int64_t divisor) {
  Polynomial::Division result;
  result.quotient.overflow = result.remainder.overflow = poly.overflow;
  for (const auto &[monomial, coefficient] : poly.terms) {
    int64_t rest = ((coefficient % divisor) + divisor) % divisor;
    if (rest != 0)
      result.remainder.terms[monomial] = rest;
    if (coefficient != rest)
      result.quotient.terms[monomial] = (coefficient - rest) / divisor;
  }
  return result;
}

static bool isDigit(const Interval &bounds, int64_t divisor) {
  return isWithin(bounds, {0, divisor - 1});
}

Polynomial ModelBuilder::quotient(const Polynomial &value, int64_t divisor) {
  Polynomial linear = linearizeParams(model.symbols, value);
  Polynomial::Division parts = splitBy(linear, divisor);
  if (isDigit(boundsOf(model.symbols, parts.remainder), divisor))
    return parts.quotient;
  SymbolId floor = model.symbols.floorDiv(parts.remainder, divisor);
  quotients[floor] = {parts.remainder, divisor};
  return parts.quotient + Polynomial::symbol(floor);
}

Polynomial ModelBuilder::remainder(const Polynomial &value, int64_t divisor) {
  Polynomial linear = linearizeParams(model.symbols, value);
  Polynomial rest = splitBy(linear, divisor).remainder;
  if (isDigit(boundsOf(model.symbols, rest), divisor))
    return rest;
  return Polynomial::symbol(model.symbols.modulo(rest, divisor));
}

Polynomial ModelBuilder::truncatedQuotient(const Polynomial &value,
                                           int64_t divisor) {
  Interval bounds = boundsOf(model.symbols, value);
  if (bounds.minimum && *bounds.minimum >= 0)
    return quotient(value, divisor);
  if (bounds.maximum && *bounds.maximum <= 0)
    return -quotient(-value, divisor);
  Condition isNonNegative{
      Condition::Kind::NonNegative, linearizeParams(model.symbols, value), {}};
  Polynomial result = select(isNonNegative, quotient(value, divisor),
                             -quotient(-value, divisor));
  if (const std::optional<SymbolId> chosen = result.asSymbol())
    quotients[*chosen] = {linearizeParams(model.symbols, value), divisor};
  return result;
}

/// The parameter that `expr / by` is, under the requirements that what is
/// divided is not negative and that what divides is positive. It can be the
/// length of rows.
SymbolId ModelBuilder::parameterOf(const Expr &expr, const Polynomial &dividend,
                                   const Expr &by, const Polynomial &divisor) {
  for (const auto &[side, poly, least] :
       {std::tuple(&expr, dividend, 0), std::tuple(&by, divisor, 1)}) {
    Requirement requirement;
    requirement.poly = poly;
    requirement.range = {least, static_cast<WideInt>(1) << 62};
    requirement.kind = Assumption::Kind::Range;
    requirement.expr = side;
    requirement.location = side->range;
    requirement.isOfQuotient = true;
    addRequirement(std::move(requirement));
  }
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol &known = model.symbols[id];
    if (isQuotient(known) && known.second == divisor && known.first == dividend)
      return id;
  }
  Symbol symbol;
  symbol.kind = SymbolKind::Product;
  symbol.first = dividend;
  symbol.second = divisor;
  for (SymbolId id : dividend.symbols())
    symbol.name += model.symbols[id].name + "_";
  symbol.name += "div";
  for (SymbolId id : divisor.symbols())
    symbol.name += "_" + model.symbols[id].name;
  const std::optional<int64_t> constant = divisor.asConstant();
  if (constant)
    symbol.name += std::to_string(*constant);
  symbol.minimum = 0;
  Interval bounds = boundsOf(model.symbols, dividend);
  if (bounds.maximum && *bounds.maximum <= INT64_MAX)
    symbol.maximum =
        static_cast<int64_t>(*bounds.maximum / (constant ? *constant : 1));
  return model.symbols.add(std::move(symbol));
}

/// The quotient where all work-items of a launch divide the same.
std::optional<Polynomial>
ModelBuilder::divideArguments(const ExprRef &left, const Polynomial &dividend,
                              const ExprRef &right, const Polynomial &divisor) {
  const Polynomial number = linearizeParams(model.symbols, dividend),
                   by = linearizeParams(model.symbols, divisor);
  for (const Polynomial *one : {&number, &by}) {
    if (!isAffine(model.symbols, *one))
      return std::nullopt;
    for (SymbolId id : one->symbols())
      if (!isParameter(model.symbols[id]))
        return std::nullopt;
  }
  if (settings.isPlain)
    return std::nullopt;
  return Polynomial::symbol(parameterOf(*left, number, *right, by));
}

/// `expr` with quotients of arguments, `pitch / 4`, as parameters.
Polynomial ModelBuilder::asParameters(const ExprRef &expr,
                                      const Polynomial &poly) {
  Polynomial result = poly;
  if (settings.isPlain)
    return result;
  for (SymbolId id : poly.symbols()) {
    auto known = quotients.find(id);
    if (known == quotients.end())
      continue;
    auto [dividend, divisor] = known->second;
    bool isFixed = isAffine(model.symbols, dividend);
    for (SymbolId part : dividend.symbols())
      isFixed &= isParameter(model.symbols[part]);
    if (isFixed)
      result = result.substitute(
          id, Polynomial::symbol(
                  parameterOf(*expr, dividend, *expr, Polynomial(divisor))));
  }
  return result;
}

static size_t piecesOf(const SymbolTable &symbols, const Polynomial &poly);

static size_t piecesOf(const SymbolTable &symbols, const Condition &condition) {
  size_t pieces = piecesOf(symbols, condition.poly);
  for (const Condition &operand : condition.operands)
    pieces *= piecesOf(symbols, operand);
  return std::min<size_t>(pieces, 1000);
}

/// Pieces of the piecewise expression that isl will make, at most.
static size_t piecesOf(const SymbolTable &symbols, const Polynomial &poly) {
  size_t pieces = 1;
  for (SymbolId id : poly.symbols()) {
    const Symbol &symbol = symbols[id];
    bool isAtom = symbol.kind == SymbolKind::Select ||
                  symbol.kind == SymbolKind::FloorDiv ||
                  symbol.kind == SymbolKind::Modulo;
    if (!isAtom)
      continue;
    size_t own = piecesOf(symbols, symbol.first);
    if (symbol.kind == SymbolKind::Select)
      own = (own + piecesOf(symbols, symbol.second)) *
            piecesOf(symbols, symbol.condition);
    pieces = std::min<size_t>(pieces * own, 1000);
  }
  return pieces;
}

/// `y == 0 ? i : i - w`, where i is `y * w + x`, is i - w * (y == 0 ? 0 : 1):
/// what differs by rows is a choice of rows.
std::optional<Polynomial>
ModelBuilder::selectDistance(const Condition &condition,
                             const Polynomial &ifTrue,
                             const Polynomial &ifFalse) {
  std::set<SymbolId> strides;
  for (const Polynomial *side : {&ifTrue, &ifFalse})
    for (const auto &[monomial, factor] : side->terms)
      if (monomial.size() > 1)
        for (SymbolId id : monomial)
          if (isParameter(model.symbols[id]))
            strides.insert(id);
  std::map<Monomial, Polynomial> parts;
  Polynomial distance = ifTrue - ifFalse;
  for (const auto &[monomial, factor] : distance.terms) {
    Monomial rows;
    Polynomial rest(factor);
    for (SymbolId id : monomial)
      if (strides.count(id))
        rows.push_back(id);
      else
        rest = rest * Polynomial::symbol(id);
    parts[rows] = parts[rows] + rest;
  }
  Polynomial result = ifFalse;
  for (const auto &[rows, part] : parts) {
    if (!isAffine(model.symbols, part) || distance.overflowed())
      return std::nullopt;
    Polynomial stride(1);
    for (SymbolId id : rows)
      stride = stride * Polynomial::symbol(id);
    result = result + stride * select(condition, part, Polynomial());
  }
  return result;
}

Polynomial ModelBuilder::select(const Condition &condition,
                                const Polynomial &ifTrue,
                                const Polynomial &ifFalse) {
  if (condition.kind == Condition::Kind::True || ifTrue == ifFalse)
    return ifTrue;
  if (condition.kind == Condition::Kind::False)
    return ifFalse;
  bool isPlain =
      settings.isPlain ||
      (isAffine(model.symbols, linearizeParams(model.symbols, ifTrue)) &&
       isAffine(model.symbols, linearizeParams(model.symbols, ifFalse)));
  if (!isPlain)
    if (std::optional<Polynomial> sum =
            selectDistance(condition, ifTrue, ifFalse))
      return *sum;
  Polynomial result =
      Polynomial::symbol(model.symbols.select(condition, ifTrue, ifFalse));
  // Choices within choices multiply in isl; nobody writes so many by hand.
  const size_t MostPieces = 64;
  result.overflow = piecesOf(model.symbols, result) > MostPieces;
  return result;
}

//===-- Operators ---------------------------------------------------------===//

Value ModelBuilder::mask(const ExprRef &left, const Value &value,
                         int64_t bits) {
  // x & (2^k - 1) is x modulo 2^k in two's complement, wrapped or not.
  if (bits >= 0 && bits < INT64_MAX && (bits & (bits + 1)) == 0) {
    std::optional<Polynomial> poly = exact(left, value);
    return Value::integer(remainder(*poly, bits + 1));
  }
  // x & ~(2^k - 1) clears the last k bits.
  if (bits < 0 && bits > INT64_MIN && ((-bits) & (-bits - 1)) == 0) {
    std::optional<Polynomial> poly = exact(left, value);
    return Value::integer(*poly - remainder(*poly, -bits));
  }
  return {};
}

Value ModelBuilder::shift(Op op, const Type &type, const ExprRef &left,
                          const Value &value, const Value &amount) {
  std::optional<int64_t> bits = amount.poly.asConstant();
  int64_t width = 8 * sizeOf(type.scalar);
  if (!bits || *bits < 0 || *bits >= width || *bits > 61)
    return {};
  int64_t factor = int64_t(1) << *bits;
  if (op == Op::Shl)
    return Value::integer(value.poly * Polynomial(factor));
  std::optional<Polynomial> poly = exact(left, value);
  return Value::integer(quotient(*poly, factor));
}

/// `(i + 1) % n`: within [0, 2 * n), or [0, 3 * n), the remainder is a choice,
/// and the quotient a number below 2 or 3. That must be proved for `i % n`,
/// which cuts a long row into shorter ones as a rule; where something is added
/// to i it is checked at run time, if launches of n work-items pass. Of
/// arguments alone nothing says that one is not many times the other.
Value ModelBuilder::wrapped(const Expr &expr, Op op, const Type &type,
                            const ExprRef &left, const Value &value,
                            const Value &length) {
  const unsigned LastProved = 1, LastUsual = 3;
  Polynomial a = linearizeParams(model.symbols, value.poly);
  Polynomial n = linearizeParams(model.symbols, length.poly);
  bool isUniform = true, isMoved = false, isOfItems = false;
  for (SymbolId id : n.symbols())
    isUniform &= isParameter(model.symbols[id]);
  for (const auto &[monomial, factor] : a.terms)
    isMoved |= monomial.empty() || n.contains(monomial.front());
  for (SymbolId id : a.symbols())
    isOfItems |= !isParameter(model.symbols[id]);
  isMoved &= isOfItems;
  auto tried = settings.wraps.find(&expr);
  unsigned stage = tried == settings.wraps.end() ? 0 : tried->second;
  if (!isUniform || stage > (isMoved ? LastUsual : LastProved) ||
      !isAffine(model.symbols, a) || !isAffine(model.symbols, n))
    return {};
  if (type.isUnsigned())
    require(left, a, rangeOf(type), Assumption::Kind::Overflow);
  Requirement requirement;
  requirement.kind = Assumption::Kind::Range;
  requirement.need =
      stage > LastProved ? Requirement::Need::Usual : Requirement::Need::Proved;
  requirement.range = {0, static_cast<WideInt>(1) << 100};
  requirement.size = n;
  requirement.stage = stage;
  requirement.expr = &expr;
  requirement.location = expr.range;
  bool isTwice = stage % 2 == 1;
  requirement.poly = a;
  addRequirement(requirement);
  requirement.poly = n * Polynomial(isTwice ? 3 : 2) - a - Polynomial(1);
  addRequirement(requirement);
  bool isDivision = op == Op::Div;
  Condition once{Condition::Kind::NonNegative, a - n, {}};
  Polynomial result = select(once, isDivision ? Polynomial(1) : a - n,
                             isDivision ? Polynomial() : a);
  if (!isTwice)
    return Value::integer(result);
  Condition twice{Condition::Kind::NonNegative, a - n - n, {}};
  return Value::integer(
      select(twice, isDivision ? Polynomial(2) : a - n - n, result));
}

Value ModelBuilder::arithmetic(const Expr &expr, Op op, const Type &type,
                               const ExprRef &left, const Value &leftValue,
                               const ExprRef &right, const Value &rightValue) {
  if (type.isVector()) {
    Type scalar = Type::makeScalar(type.scalar);
    return eachLane(
        {leftValue, rightValue}, [&](const std::vector<Value> &lanes) {
          return arithmetic(expr, op, scalar, left, lanes[0], right, lanes[1]);
        });
  }
  bool isInteger = leftValue.isInteger() && rightValue.isInteger() &&
                   type.isScalar() && type.isInteger();
  if (!isInteger || settings.unknown.count(&expr))
    return {};
  const Polynomial &a = leftValue.poly, &b = rightValue.poly;
  switch (op) {
  case Op::Add:
    return Value::integer(a + b);
  case Op::Sub:
    return Value::integer(a - b);
  case Op::Mul:
    if (!a.asConstant() && !b.asConstant())
      return Value::integer(asParameters(left, a) * asParameters(right, b));
    return Value::integer(a * b);
  case Op::Shl:
  case Op::Shr:
    return shift(op, type, left, leftValue, rightValue);
  case Op::And:
    if (std::optional<int64_t> bits = b.asConstant())
      return mask(left, leftValue, *bits);
    if (std::optional<int64_t> bits = a.asConstant())
      return mask(right, rightValue, *bits);
    return {};
  case Op::Div:
  case Op::Rem:
    break;
  default:
    return {};
  }
  std::optional<int64_t> divisor = b.asConstant();
  if (!divisor) {
    std::optional<Polynomial> ofArguments = divideArguments(left, a, right, b);
    if (!ofArguments)
      return wrapped(expr, op, type, left, leftValue, rightValue);
    if (type.isUnsigned())
      for (const auto &[side, value] :
           {std::pair(left, a), std::pair(right, b)})
        require(side, value, rangeOf(type), Assumption::Kind::Overflow);
    return Value::integer(op == Op::Div ? *ofArguments : a - b * *ofArguments);
  }
  if (*divisor <= 0)
    return {};
  if (type.isUnsigned())
    require(left, a, rangeOf(type), Assumption::Kind::Overflow);
  if (op == Op::Div && !a.asConstant() && !settings.hasRemainders)
    if (const auto ofArguments = divideArguments(left, a, right, b))
      return Value::integer(*ofArguments);
  // An unsigned value is not negative once its requirement holds.
  if (op == Op::Div)
    return Value::integer(type.isUnsigned() ? quotient(a, *divisor)
                                            : truncatedQuotient(a, *divisor));
  Interval bounds = boundsOf(model.symbols, a);
  if (type.isUnsigned() || (bounds.minimum && *bounds.minimum >= 0))
    return Value::integer(remainder(a, *divisor));
  return Value::integer(a -
                        truncatedQuotient(a, *divisor) * Polynomial(*divisor));
}

Value ModelBuilder::evaluateBinary(const ExprRef &expr) {
  const ExprRef &left = expr->operands[0], &right = expr->operands[1];
  switch (expr->op) {
  case Op::LAnd:
  case Op::LOr:
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
  case Op::Eq:
  case Op::Ne:
    if (expr->type.isScalar())
      return asInteger(evaluateCondition(expr));
    if (expr->op != Op::LAnd && expr->op != Op::LOr) {
      Value leftLanes = evaluate(left), rightLanes = evaluate(right);
      return compareLanes(expr, leftLanes, rightLanes);
    }
    break;
  case Op::Comma:
    evaluate(left);
    return evaluate(right);
  default:
    break;
  }
  Value leftValue = evaluate(left), rightValue = evaluate(right);
  if (leftValue.isPointer())
    return pointerArithmetic(expr->op, expr->type, leftValue, right,
                             rightValue);
  if (rightValue.isPointer())
    return pointerArithmetic(expr->op, expr->type, rightValue, left, leftValue);
  return arithmetic(*expr, expr->op, expr->type, left, leftValue, right,
                    rightValue);
}

Value ModelBuilder::pointerArithmetic(Op op, const Type &pointer,
                                      const Value &base, const ExprRef &index,
                                      const Value &indexValue) {
  if (!base.isPointer() || !pointer.isPointer() || !pointer.element)
    return {};
  if (op != Op::Add && op != Op::Sub)
    return {};
  std::optional<unsigned> scale = elementsPer(base.array, *pointer.element);
  bool isKnown = base.hasOffset && indexValue.isInteger() && scale;
  if (!isKnown)
    return Value::pointer(base.array, std::nullopt);
  // 64-bit indices are added modulo 2^64, as addresses are; narrower unsigned
  // ones are widened first.
  if (index && index->type.isUnsigned() && index->type.size < 8)
    require(index, indexValue.poly, rangeOf(index->type),
            Assumption::Kind::Overflow);
  Polynomial distance = indexValue.poly * Polynomial(*scale);
  return Value::pointer(base.array, op == Op::Add ? base.poly + distance
                                                  : base.poly - distance);
}

//===-- Ids ---------------------------------------------------------------===//

/// Work-items that a group has at most along a dimension, on most devices.
static constexpr int64_t mostInGroup = 1024;

/// `group * 16 + local` is an id where groups have 16 work-items, and kernels
/// that say so have hardly any others.
void ModelBuilder::assumeGroupSize(unsigned dim, const Polynomial &poly) {
  std::optional<SymbolId> group = model.symbols.find(SymbolKind::GroupId, dim);
  std::optional<SymbolId> local = model.symbols.find(SymbolKind::LocalId, dim);
  if (!group || !local || draft.keepsGroups || settings.needsGroups[dim] ||
      kernel.flat || draft.wanted.localSize[dim])
    return;
  auto byGroup = poly.terms.find({*group}), byItem = poly.terms.find({*local});
  if (byGroup == poly.terms.end() || byItem == poly.terms.end() ||
      byGroup->second % byItem->second != 0)
    return;
  const int64_t size = byGroup->second / byItem->second;
  if (size <= 1 || size > mostInGroup)
    return;
  draft.wanted.localSize[dim] = size;
  draft.wanted.assumesLocalSize[dim] = true;
}

Polynomial ModelBuilder::foldGlobalIds(const Polynomial &poly) {
  Polynomial result = poly;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    std::optional<SymbolId> group =
        model.symbols.find(SymbolKind::GroupId, dim);
    if (model.ndrange.split[dim] || !group || !result.contains(*group))
      continue;
    std::optional<int64_t> known = model.ndrange.localSize[dim];
    if (!known)
      assumeGroupSize(dim, result);
    SymbolId size = known ? 0 : symbolOf(SymbolKind::LocalSize, dim);
    // group * size is id - local in launches without offset; hardly any other
    // is ever made of a kernel that computes its ids like this.
    Polynomial start = Polynomial::symbol(symbolOf(SymbolKind::GlobalId, dim)) -
                       Polynomial::symbol(symbolOf(SymbolKind::LocalId, dim));
    Polynomial folded;
    folded.overflow = result.overflow;
    for (const auto &[monomial, coefficient] : result.terms) {
      Polynomial term;
      term.terms[monomial] = coefficient;
      Monomial divisor{*group};
      if (!known)
        divisor.push_back(size);
      std::sort(divisor.begin(), divisor.end());
      std::optional<Polynomial> rest =
          term.divideExactly(divisor, known ? *known : 1);
      folded = folded + (rest ? *rest * start : term);
      draft.startsAtZero[dim] |= rest.has_value();
    }
    result = folded;
  }
  return result;
}

} // namespace clopt
