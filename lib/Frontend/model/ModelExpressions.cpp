//===- ModelExpressions.cpp - values and effects of expressions -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates expressions in the order of C, once for each statement instance:
// gives their value as a polynomial where it has one, and records the accesses
// they make.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

namespace clopt {

Value ModelBuilder::evaluate(const ExprRef &expr) {
  if (!expr)
    return {};
  Value value = evaluateNode(expr);
  if (settings.unknown.count(expr.get()) &&
      (value.isInteger() || value.isVector()))
    value = Value();
  auto fold = [&](Value &integer) {
    integer.poly = foldGlobalIds(integer.poly);
    if (integer.poly.overflowed())
      integer = Value();
  };
  if (value.isInteger())
    fold(value);
  for (Value &lane : value.lanes)
    if (lane.isInteger())
      fold(lane);
  noteEscape(*expr, value);
  // Inside a followed helper the same expression has many values.
  if (!helpers.empty() || trialDepth > 0)
    return value;
  // An earlier attempt at the same loop may have known more.
  if (value.isInteger())
    model.values[expr.get()] = value.poly;
  else
    model.values.erase(expr.get());
  if (value.isVector())
    vectors[expr.get()] = value;
  else
    vectors.erase(expr.get());
  if (value.isPointer() && value.hasOffset)
    model.pointers[expr.get()] = {value.array, value.poly};
  else
    model.pointers.erase(expr.get());
  return value;
}

/// Ids of a group that become data need coordinates of their own, even when all
/// addresses fold to global ids.
void ModelBuilder::noteEscape(const Expr &expr, const Value &value) {
  bool isMemory = expr.kind == ExprKind::Subscript ||
                  (expr.kind == ExprKind::Unary && expr.op == Op::Deref);
  bool isStored = expr.kind == ExprKind::Assign &&
                  (expr.operands[0]->kind != ExprKind::VarRef ||
                   !isFollowed(expr.operands[0]->var));
  bool isUnknown = value.kind == Value::Kind::Unknown;
  for (const Value &lane : value.lanes)
    isUnknown |= lane.kind == Value::Kind::Unknown;
  // The component of a vector takes nothing from the others.
  bool isPart = expr.kind == ExprKind::Swizzle;
  bool isLost =
      isUnknown && !isMemory && !isPart && expr.kind != ExprKind::Assign;
  if (!isStored && !isLost)
    return;
  auto escape = [&](const Polynomial &poly) {
    for (SymbolId id : poly.symbols()) {
      const Symbol &symbol = model.symbols[id];
      bool isOfGroup = symbol.kind == SymbolKind::GroupId ||
                       symbol.kind == SymbolKind::LocalId;
      if (!isOfGroup || settings.split[symbol.dim])
        continue;
      draft.wanted.split[symbol.dim] = true;
      draft.mustRepeat = true;
    }
  };
  for (const ExprRef &operand : expr.operands) {
    auto known = model.values.find(operand.get());
    if (known != model.values.end())
      escape(known->second);
    auto lanes = vectors.find(operand.get());
    if (lanes != vectors.end())
      for (const Value &lane : lanes->second.lanes)
        escape(lane.poly);
  }
}

Value ModelBuilder::evaluateNode(const ExprRef &expr) {
  switch (expr->kind) {
  case ExprKind::IntLiteral:
    return Value::integer(Polynomial(expr->intValue));
  case ExprKind::FloatLiteral:
  case ExprKind::StringLiteral:
    return {};
  case ExprKind::VarRef:
    return evaluateVariable(expr);
  case ExprKind::WorkItem:
    return evaluateWorkItem(*expr);
  case ExprKind::Unary:
    return evaluateUnary(expr);
  case ExprKind::Binary:
    return evaluateBinary(expr);
  case ExprKind::Assign:
    return evaluateAssign(expr);
  case ExprKind::Conditional:
    return evaluateConditional(expr);
  case ExprKind::Call:
    return evaluateCall(expr);
  case ExprKind::Cast:
    if (std::optional<Value> whole = wholePartOfArgument(*expr))
      return *whole;
    return convert(expr, expr->operands[0]->type, evaluate(expr->operands[0]),
                   expr->type);
  case ExprKind::Subscript: {
    Place place = placeOf(expr);
    return load(expr, place);
  }
  case ExprKind::Member:
  case ExprKind::Swizzle:
    return evaluatePart(expr);
  case ExprKind::VectorLiteral:
  case ExprKind::InitList: {
    std::vector<Value> values;
    for (const ExprRef &operand : expr->operands)
      values.push_back(evaluate(operand));
    return literalOf(*expr, values);
  }
  case ExprKind::Opaque:
    break;
  }
  // Whatever it is, it may read and write all that it names.
  for (const ExprRef &operand : expr->operands) {
    Place place = placeOf(operand);
    Value value = load(operand, place);
    if (operand->type.isPointer() || operand->type.isArray()) {
      Place target = placeOfPointer(value, operand->type);
      target.address.hasOffset = false;
      record(operand, target, false, true);
      record(operand, target, true, true);
    }
    if (!operand->type.isArray())
      store(operand, place, Value());
  }
  model.hasOrderedEffects = true;
  if (statement >= 0)
    draft.statements[statement].statement.isOpaque = true;
  return {};
}

Value ModelBuilder::evaluateVariable(const ExprRef &expr) {
  auto iterator = iterators.find(expr->var);
  if (iterator != iterators.end())
    return Value::integer(Polynomial::symbol(iterator->second));
  Place place = placeOf(expr);
  return load(expr, place);
}

/// Product of the extents of the dimensions below `dim`.
static Polynomial productBelow(unsigned dim,
                               const std::function<Polynomial(unsigned)> &of) {
  Polynomial product(1);
  for (unsigned d = 0; d < dim; ++d)
    product = product * of(d);
  return product;
}

Value ModelBuilder::evaluateWorkItem(const Expr &expr) {
  unsigned dim = expr.dim;
  auto symbol = [&](SymbolKind kind, unsigned d) {
    return Polynomial::symbol(symbolOf(kind, d));
  };
  auto localSize = [&](unsigned d) {
    if (model.ndrange.localSize[d])
      return Polynomial(*model.ndrange.localSize[d]);
    return symbol(SymbolKind::LocalSize, d);
  };
  auto globalId = [&](unsigned d) {
    if (!model.ndrange.split[d])
      return symbol(SymbolKind::GlobalId, d);
    const Polynomial id = symbol(SymbolKind::GroupId, d) * localSize(d) +
                          symbol(SymbolKind::LocalId, d);
    draft.startsAtZero[d] |= settings.startsAtZero;
    return settings.startsAtZero ? id
                                 : id + symbol(SymbolKind::GlobalOffset, d);
  };
  bool isQueryOfSize = expr.query == WorkItemQuery::GlobalSize ||
                       expr.query == WorkItemQuery::LocalSize ||
                       expr.query == WorkItemQuery::EnqueuedLocalSize ||
                       expr.query == WorkItemQuery::NumGroups;
  if (isBeforeEntry && expr.query == WorkItemQuery::GlobalSize)
    return Value::integer(
        symbol(SymbolKind::GlobalSize, NDRange::flatDimension));
  if (dim > 2)
    return Value::integer(Polynomial(isQueryOfSize ? 1 : 0));
  // The last group may be smaller since OpenCL 2.0.
  bool isUniform = unit.openclVersion < 200;
  Polynomial linear;
  switch (expr.query) {
  case WorkItemQuery::GlobalId:
    return Value::integer(globalId(dim));
  case WorkItemQuery::LocalId:
    return Value::integer(symbol(SymbolKind::LocalId, dim));
  case WorkItemQuery::GroupId:
    if (settings.single[dim])
      return Value::integer(symbol(SymbolKind::GlobalId, dim) -
                            symbol(SymbolKind::GlobalOffset, dim));
    return Value::integer(symbol(SymbolKind::GroupId, dim));
  case WorkItemQuery::GlobalSize:
    return Value::integer(symbol(SymbolKind::GlobalSize, dim));
  case WorkItemQuery::LocalSize:
    if (!isUniform)
      return {};
    return Value::integer(localSize(dim));
  case WorkItemQuery::EnqueuedLocalSize:
    return Value::integer(localSize(dim));
  case WorkItemQuery::NumGroups:
    if (settings.single[dim])
      return Value::integer(symbol(SymbolKind::GlobalSize, dim));
    if (model.ndrange.localSize[dim]) {
      int64_t size = *model.ndrange.localSize[dim];
      return Value::integer(quotient(
          symbol(SymbolKind::GlobalSize, dim) + Polynomial(size - 1), size));
    }
    return Value::integer(symbol(SymbolKind::NumGroups, dim));
  case WorkItemQuery::GlobalOffset:
    return Value::integer(symbol(SymbolKind::GlobalOffset, dim));
  case WorkItemQuery::WorkDim:
    return {};
  case WorkItemQuery::GlobalLinearId:
    for (unsigned d = 0; d < 3; ++d)
      linear = linear + (globalId(d) - symbol(SymbolKind::GlobalOffset, d)) *
                            productBelow(d, [&](unsigned below) {
                              return symbol(SymbolKind::GlobalSize, below);
                            });
    return Value::integer(linear);
  case WorkItemQuery::LocalLinearId:
    if (!isUniform)
      return {};
    for (unsigned d = 0; d < 3; ++d)
      linear =
          linear + symbol(SymbolKind::LocalId, d) * productBelow(d, localSize);
    return Value::integer(linear);
  }
  return {};
}

Value ModelBuilder::evaluateUnary(const ExprRef &expr) {
  const ExprRef &operand = expr->operands[0];
  switch (expr->op) {
  case Op::Deref: {
    Place place = placeOf(expr);
    return load(expr, place);
  }
  case Op::AddrOf: {
    Place place = placeOf(operand);
    if (!place.isKnown)
      return {};
    if (place.isPartial)
      return Value::pointer(place.address.array, std::nullopt);
    return place.address;
  }
  case Op::PreInc:
  case Op::PreDec:
  case Op::PostInc:
  case Op::PostDec:
    return evaluateStep(expr);
  case Op::LNot:
    return asInteger(evaluateCondition(expr));
  default:
    break;
  }
  Value value = evaluate(operand);
  if (!expr->type.isInteger())
    return {};
  return eachLane({value}, [&](const std::vector<Value> &lane) {
    if (!lane[0].isInteger())
      return Value();
    const Polynomial &poly = lane[0].poly;
    if (expr->op == Op::Neg)
      return Value::integer(-poly);
    if (expr->op == Op::Not) // ~x is -x - 1, modulo two to the bits
      return Value::integer(-poly - Polynomial(1));
    return expr->op == Op::Plus ? lane[0] : Value();
  });
}

Value ModelBuilder::evaluateStep(const ExprRef &expr) {
  Place place = placeOf(expr->operands[0]);
  Value before = load(expr->operands[0], place);
  bool isUp = isIncrement(expr->op);
  Value one = Value::integer(Polynomial(isUp ? 1 : -1));
  Value after;
  if (before.isPointer())
    after = pointerArithmetic(Op::Add, expr->operands[0]->type, before, nullptr,
                              one);
  else if (before.isInteger())
    after = Value::integer(before.poly + one.poly);
  // Types below int are computed as int and converted back.
  if (after.isInteger() && expr->type.size < 4) {
    Type wide = Type::makeScalar(ScalarKind::Int);
    after = convert(expr, wide, after, expr->type);
  }
  store(expr->operands[0], place, after);
  bool isPrefix = expr->op == Op::PreInc || expr->op == Op::PreDec;
  return isPrefix ? after : before;
}

Value ModelBuilder::evaluateAssign(const ExprRef &expr) {
  const ExprRef &target = expr->operands[0];
  Place place = placeOf(target);
  if (expr->op == Op::None) {
    Value value = evaluate(expr->operands[1]);
    store(target, place, value);
    return value;
  }
  Value right = evaluate(expr->operands[1]);
  Value before = load(target, place);
  Value after;
  if (target->type.isPointer())
    after = pointerArithmetic(expr->op, target->type, before, expr->operands[1],
                              right);
  else {
    const Type &compute = expr->computeType;
    Value left = convert(target, target->type, before, compute);
    after = arithmetic(*expr, expr->op, compute, target, left,
                       expr->operands[1], right);
    after = convert(expr, compute, after, target->type);
  }
  store(target, place, after);
  return after;
}

Value ModelBuilder::evaluateConditional(const ExprRef &expr) {
  std::optional<Condition> condition = evaluateCondition(expr->operands[0]);
  if (condition) {
    *condition = linearizeParams(model.symbols, *condition);
    if (!isAffine(model.symbols, *condition))
      condition.reset();
  }
  model.choices.erase(expr.get());
  if (condition && helpers.empty()) {
    Monomial one = select(*condition, Polynomial(1), Polynomial()).symbols();
    if (one.size() == 1)
      model.choices[expr.get()] = one.front();
  }
  unsigned outside = context;
  Environment entry = environment;
  mayDepth += !condition;
  if (condition)
    enterCondition(*condition);
  Value first = evaluate(expr->operands[1]);
  context = outside;
  Environment afterFirst = std::move(environment);
  environment = entry;
  if (condition)
    enterCondition(negate(*condition));
  Value second = evaluate(expr->operands[2]);
  context = outside;
  mayDepth -= !condition;
  Environment afterSecond = std::move(environment);
  environment = entry;
  joinEnvironments(condition ? *condition : Condition(), afterFirst,
                   afterSecond);
  if (!condition) {
    for (auto &[key, value] : environment)
      if (!(afterFirst[key] == afterSecond[key]))
        value = Value();
    return {};
  }
  if (first.isInteger() && second.isInteger() && expr->type.isScalar() &&
      !expr->type.isUnsigned())
    return Value::integer(select(*condition, first.poly, second.poly));
  if (first.isInteger() && second.isInteger() && expr->type.isScalar()) {
    std::optional<Polynomial> left = exact(expr->operands[1], first);
    std::optional<Polynomial> right = exact(expr->operands[2], second);
    if (left && right)
      return Value::integer(select(*condition, *left, *right));
  }
  if (first.isInteger() || second.isInteger())
    return {};
  return selectValue(*condition, first, second);
}

/// One of two values of the same type; of integers signed ones.
Value ModelBuilder::selectValue(const Condition &condition, const Value &first,
                                const Value &second) {
  if (first == second)
    return first;
  if (first.isInteger() && second.isInteger())
    return Value::integer(select(condition, first.poly, second.poly));
  if (first.isVector() && second.isVector())
    return eachLane({first, second}, [&](const std::vector<Value> &lanes) {
      return selectValue(condition, lanes[0], lanes[1]);
    });
  bool isSameArray =
      first.isPointer() && second.isPointer() && first.array == second.array;
  if (!isSameArray)
    return {};
  if (!first.hasOffset || !second.hasOffset)
    return Value::pointer(first.array, std::nullopt);
  return Value::pointer(first.array,
                        select(condition, first.poly, second.poly));
}

//===-- Conditions --------------------------------------------------------===//

std::optional<Condition> ModelBuilder::evaluateCondition(const ExprRef &expr) {
  if (expr->kind == ExprKind::Cast && expr->type.isScalar() &&
      expr->operands[0]->type.isScalar() &&
      expr->operands[0]->type.isInteger()) {
    // Truth survives widening.
    bool keeps = expr->type.scalar == ScalarKind::Bool ||
                 expr->type.size >= expr->operands[0]->type.size;
    if (keeps && !settings.unknown.count(expr.get()))
      return evaluateCondition(expr->operands[0]);
  }
  if (expr->kind == ExprKind::Unary && expr->op == Op::LNot) {
    std::optional<Condition> inner = evaluateCondition(expr->operands[0]);
    if (inner)
      return negate(*inner);
    return std::nullopt;
  }
  if (expr->kind == ExprKind::Binary && expr->type.isScalar()) {
    switch (expr->op) {
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Eq:
    case Op::Ne:
      return compare(expr);
    case Op::LAnd:
    case Op::LOr: {
      std::optional<Condition> left = evaluateCondition(expr->operands[0]);
      unsigned outside = context;
      bool isAnd = expr->op == Op::LAnd;
      std::optional<Condition> entered;
      if (left)
        entered = linearizeParams(model.symbols, *left);
      const bool isMay = !entered || !isAffine(model.symbols, *entered);
      if (!isMay)
        enterCondition(isAnd ? *entered : negate(*entered));
      mayDepth += isMay;
      Environment before = environment;
      std::optional<Condition> right = evaluateCondition(expr->operands[1]);
      // What the right side assigns may not have been assigned.
      for (auto &[key, value] : environment)
        if (!(value == before[key]))
          value = Value();
      context = outside;
      mayDepth -= isMay;
      if (!left || !right)
        return std::nullopt;
      return isAnd ? conjunction(*left, *right) : disjunction(*left, *right);
    }
    default:
      break;
    }
  }
  Value value = evaluate(expr);
  if (!value.isInteger() || !expr->type.isScalar())
    return std::nullopt;
  std::optional<Polynomial> poly = exact(expr, value);
  if (!poly)
    return std::nullopt;
  if (std::optional<int64_t> constant = poly->asConstant())
    return Condition{
        *constant ? Condition::Kind::True : Condition::Kind::False, {}, {}};
  // A condition that was stored in a variable comes back as it was.
  if (poly->terms.size() == 1 && poly->terms.begin()->first.size() == 1 &&
      poly->terms.begin()->second == 1) {
    const Symbol &symbol = model.symbols[poly->terms.begin()->first.front()];
    if (symbol.kind == SymbolKind::Select && symbol.first == Polynomial(1) &&
        symbol.second == Polynomial(0))
      return symbol.condition;
  }
  return negate({Condition::Kind::Zero, *poly, {}});
}

std::optional<Condition> ModelBuilder::compare(const ExprRef &expr) {
  const ExprRef &leftExpr = expr->operands[0], &rightExpr = expr->operands[1];
  Value leftValue = evaluate(leftExpr), rightValue = evaluate(rightExpr);
  return comparison(expr, leftValue, rightValue);
}

static Condition orderOf(Op op, const Polynomial &left,
                         const Polynomial &right) {
  const bool isLess = op == Op::Lt || op == Op::Le;
  const bool isStrict = op == Op::Lt || op == Op::Gt;
  return {Condition::Kind::NonNegative,
          (isLess ? right - left : left - right) - Polynomial(isStrict),
          {}};
}

/// `(uint)(x - 1) < n`. Sides are taken to be above zero where plain launches
/// have them so. Where they do not, one side may be below: it has wrapped then,
/// and is larger than the other.
std::optional<Condition> ModelBuilder::unsignedOrder(const ExprRef &expr,
                                                     const Value &leftValue,
                                                     const Value &rightValue) {
  auto tried = settings.wraps.find(expr.get());
  const unsigned stage = tried == settings.wraps.end() ? 0 : tried->second;
  const unsigned LastSide = 2;
  if (stage > LastSide)
    return std::nullopt;
  const Polynomial &left = leftValue.poly, &right = rightValue.poly;
  const Polynomial &wrapped = stage == 1 ? left : right;
  const Interval plain = rangeOf(expr->operands[0]->type);
  const WideInt most = *plain.maximum;
  // What is m below zero wraps to more than 2^n - 1 - m, which leaves the other
  // side room where m is small.
  const Interval bounds = boundsOf(model.symbols, wrapped);
  const bool isNear =
      stage > 0 && bounds.minimum && *bounds.minimum >= -most / 2 - 1;
  const Interval other{0, isNear ? most + std::min<WideInt>(*bounds.minimum, 0)
                                 : most};
  auto requireSide = [&](unsigned side, const Polynomial &poly) {
    const ExprRef &operand = expr->operands[side - 1];
    Requirement requirement;
    requirement.poly = poly;
    requirement.range = side == stage ? Interval{-most, most} : other;
    if (isProved(*operand, requirement.range))
      return;
    const bool isPlain = stage < LastSide && side > stage;
    requirement.need =
        isPlain ? Requirement::Need::Plain : Requirement::Need::Possible;
    requirement.stage = stage;
    requirement.expr = isPlain ? expr.get() : operand.get();
    requirement.location = operand->range;
    addRequirement(std::move(requirement));
  };
  requireSide(1, left);
  requireSide(2, right);
  Condition order = orderOf(expr->op, left, right);
  if (stage == 0)
    return order;
  if (!isNear)
    addRequirement(expr, stage == 1 ? left - right : right - left,
                   {-most, static_cast<WideInt>(1) << 100},
                   Assumption::Kind::Overflow);
  Condition isPlain{Condition::Kind::NonNegative, wrapped, {}};
  const bool isLess = expr->op == Op::Lt || expr->op == Op::Le;
  return isLess == (stage == 1) ? conjunction(isPlain, order)
                                : disjunction(negate(isPlain), order);
}

/// Of two numbers, or of one component of two vectors.
std::optional<Condition> ModelBuilder::comparison(const ExprRef &expr,
                                                  const Value &leftValue,
                                                  const Value &rightValue) {
  const ExprRef &leftExpr = expr->operands[0], &rightExpr = expr->operands[1];
  bool isInteger = leftValue.isInteger() && rightValue.isInteger() &&
                   leftExpr->type.isInteger();
  if (!isInteger || settings.unknown.count(expr.get()))
    return std::nullopt;
  Polynomial difference = leftValue.poly - rightValue.poly;
  if (difference.overflowed())
    return std::nullopt;
  const Op op = expr->op;
  const bool isOrder = op != Op::Eq && op != Op::Ne;
  const bool mayWrap = isOrder && leftExpr->type.isUnsigned();
  std::optional<int64_t> constant = difference.asConstant();
  if (mayWrap && !constant)
    return unsignedOrder(expr, leftValue, rightValue);
  exact(leftExpr, leftValue);
  exact(rightExpr, rightValue);
  if (constant) {
    bool holds = op == Op::Lt   ? *constant < 0
                 : op == Op::Le ? *constant <= 0
                 : op == Op::Gt ? *constant > 0
                 : op == Op::Ge ? *constant >= 0
                 : op == Op::Eq ? *constant == 0
                                : *constant != 0;
    return Condition{
        holds ? Condition::Kind::True : Condition::Kind::False, {}, {}};
  }
  if (isOrder)
    return orderOf(op, leftValue.poly, rightValue.poly);
  Condition equal{Condition::Kind::Zero, difference, {}};
  return op == Op::Ne ? negate(equal) : equal;
}

Value ModelBuilder::asInteger(const std::optional<Condition> &condition) {
  if (!condition)
    return {};
  Condition linear = linearizeParams(model.symbols, *condition);
  if (!isAffine(model.symbols, linear))
    return {};
  return Value::integer(select(linear, Polynomial(1), Polynomial(0)));
}

} // namespace clopt
