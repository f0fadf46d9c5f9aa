//===- ModelVectors.cpp - vectors of integers -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates often stand in vectors, `int2 at = (int2)(x, y)`, and sizes in
// vectors and structures that the host passes by value. A vector of integers
// has one value for each component; a part of an argument is an argument of its
// own, which text names `size.x`.
//
// Tested by test/unit/ModelFormsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace clopt {

/// `of` of each component; numbers among the values stand for all components.
Value ModelBuilder::eachLane(
    const std::vector<Value> &values,
    const std::function<Value(const std::vector<Value> &)> &of) {
  size_t count = 0;
  for (const Value &value : values)
    if (value.isVector())
      count = std::max(count, value.lanes.size());
  if (count == 0)
    return of(values);
  std::vector<Value> result;
  for (size_t lane = 0; lane < count; ++lane) {
    std::vector<Value> parts;
    for (const Value &value : values) {
      bool hasLane = !value.isVector() || lane < value.lanes.size();
      parts.push_back(!hasLane           ? Value()
                      : value.isVector() ? value.lanes[lane]
                                         : value);
    }
    result.push_back(of(parts));
  }
  return Value::vector(std::move(result));
}

/// `(int2)(x, y)`, `(int4)(a.xy, b)`, `(int2)(0)`, `{x, y}`.
Value ModelBuilder::literalOf(const Expr &literal,
                              const std::vector<Value> &values) {
  if (literal.type.isScalar())
    return values.size() == 1 ? values[0] : Value();
  if (!literal.type.isVector() || !literal.type.isInteger())
    return {};
  std::vector<Value> lanes;
  for (size_t index = 0; index < values.size(); ++index) {
    const Type &type = literal.operands[index]->type;
    if (!type.isVector())
      lanes.push_back(values[index]);
    else if (values[index].isVector())
      lanes.insert(lanes.end(), values[index].lanes.begin(),
                   values[index].lanes.end());
    else
      lanes.resize(lanes.size() + type.lanes);
  }
  bool isSplat = literal.kind == ExprKind::VectorLiteral && lanes.size() == 1;
  if (isSplat)
    lanes.assign(literal.type.lanes, lanes[0]);
  return lanes.size() == literal.type.lanes ? Value::vector(std::move(lanes))
                                            : Value();
}

//===-- Arguments ---------------------------------------------------------===//

namespace {

/// A part of an argument has no variable of the program; this one is kept with
/// the statements that the model makes.
struct PartHolder : Stmt {
  Variable part;
};

} // namespace

/// The symbol of what `text` makes of the argument.
Value ModelBuilder::argumentPart(const Variable *argument,
                                 const std::string &text,
                                 const std::string &name, const Type &type) {
  if (settings.isPlain)
    return {};
  auto [known, isNew] = parts.try_emplace(text, 0);
  if (!isNew)
    return Value::integer(Polynomial::symbol(known->second));
  auto holder = std::make_shared<PartHolder>();
  holder->part.name = text;
  holder->part.type = type;
  holder->part.range = argument->range;
  holder->part.isParam = true;
  holder->part.paramIndex = argument->paramIndex;
  model.synthesized.push_back(holder);
  Symbol symbol;
  symbol.kind = SymbolKind::Param;
  symbol.name = name;
  symbol.var = &holder->part;
  Interval range = rangeOf(type);
  if (*range.minimum >= INT64_MIN)
    symbol.minimum = static_cast<int64_t>(*range.minimum);
  if (*range.maximum <= INT64_MAX)
    symbol.maximum = static_cast<int64_t>(*range.maximum);
  known->second = model.symbols.add(symbol);
  return Value::integer(Polynomial::symbol(known->second));
}

Value ModelBuilder::partOfArgument(const Variable *argument,
                                   const std::string &part, const Type &type) {
  const std::string text = argument->name + part;
  std::string name = text;
  std::replace(name.begin(), name.end(), '.', '_');
  return argumentPart(argument, text, name, type);
}

static std::string componentText(unsigned component, unsigned lanes) {
  if (lanes <= 4)
    return std::string(".") + "xyzw"[component];
  return std::string(".s") + "0123456789abcdef"[component];
}

/// All components of an argument that is a vector of integers.
Value ModelBuilder::vectorArgument(const Variable *argument) {
  const Type &type = argument->type;
  if (!type.isInteger())
    return {};
  std::vector<Value> lanes;
  for (unsigned lane = 0; lane < type.lanes; ++lane)
    lanes.push_back(partOfArgument(argument, componentText(lane, type.lanes),
                                   Type::makeScalar(type.scalar)));
  return Value::vector(std::move(lanes));
}

/// The value of an integer in a structure that the host passes by value.
std::optional<Value> ModelBuilder::partOfArgument(const Expr &expr) {
  std::string path;
  const Expr *at = &expr;
  for (; at->kind == ExprKind::Member && !at->arrow; at = at->operands[0].get())
    path = "." + at->text + path;
  bool isArgument = at->kind == ExprKind::VarRef && at != &expr &&
                    isConstantParam(at->var) &&
                    at->var->type.kind == TypeKind::Struct;
  if (!isArgument || !expr.type.isScalar() || !expr.type.isInteger() ||
      expr.type.isVolatile)
    return std::nullopt;
  return partOfArgument(at->var, path, expr.type);
}

namespace {

/// Where a value lies in the memory of an argument.
struct MemoryPath {
  const Variable *argument = nullptr;
  int64_t element = 0;
  std::string text; ///< `p->size.x`, `sizes[1]`
  std::string name; ///< an identifier
};

} // namespace

/// The path of a constant place; nothing for any other.
static std::optional<MemoryPath> memoryPath(const Expr &expr) {
  auto argumentOf = [](const ExprRef &pointer) -> const Variable * {
    const Expr *at = withoutCasts(pointer.get());
    const bool isArgument = at->kind == ExprKind::VarRef && at->var->isParam &&
                            at->var->type.isPointer() && at->var->type.element;
    // Not as what it was cast to.
    const bool isOwn =
        isArgument && pointer->type.isPointer() && pointer->type.element &&
        pointer->type.element->spelling == at->var->type.element->spelling;
    return isOwn ? at->var : nullptr;
  };
  const bool isCell = expr.kind == ExprKind::Subscript ||
                      (expr.kind == ExprKind::Unary && expr.op == Op::Deref);
  if (!isCell && expr.kind != ExprKind::Member)
    return std::nullopt;
  if (expr.kind == ExprKind::Member && !expr.arrow) {
    std::optional<MemoryPath> whole =
        memoryPath(*withoutCasts(expr.operands[0].get()));
    if (whole) {
      whole->text += "." + expr.text;
      whole->name += "_" + expr.text;
    }
    return whole;
  }
  MemoryPath path;
  path.argument = argumentOf(expr.operands[0]);
  if (!path.argument)
    return std::nullopt;
  const std::string &name = path.argument->name;
  if (expr.kind == ExprKind::Member) {
    path.text = name + "->" + expr.text;
    path.name = name + "_" + expr.text;
    return path;
  }
  if (expr.kind == ExprKind::Subscript) {
    const Expr *index = withoutCasts(expr.operands[1].get());
    if (index->kind != ExprKind::IntLiteral)
      return std::nullopt;
    path.element = index->intValue;
  }
  path.text = name + "[" + std::to_string(path.element) + "]";
  path.name = name + "_" + std::to_string(path.element);
  return path;
}

/// True where what stands here is evaluated by every work-item: in no loop but
/// its head, and under no condition. One on ids may hold for none of them,
/// where there is nothing to do and perhaps nothing to read.
bool ModelBuilder::runsInEveryItem() const {
  auto at = static_cast<int>(context);
  if (at == headContext)
    at = draft.contexts[context].parent;
  for (; at >= 0; at = draft.contexts[static_cast<size_t>(at)].parent) {
    const DraftContext &own = draft.contexts[static_cast<size_t>(at)];
    if (own.loop >= 0 || own.condition.kind != Condition::Kind::True)
      return false;
  }
  return mayDepth == 0;
}

/// The value of an integer at a fixed place of memory that nothing writes while
/// the kernel runs: `p->n`, `sizes[1]`. The new code asks for it in front of
/// everything, so the author's has to read as far in every launch.
std::optional<Value> ModelBuilder::partOfMemory(const Expr &expr) {
  if (!settings.memoryArguments || settings.isPlain || !expr.type.isScalar() ||
      !expr.type.isInteger() || expr.type.isVolatile)
    return std::nullopt;
  const std::optional<MemoryPath> path = memoryPath(expr);
  if (!path || !isConstantParam(path->argument))
    return std::nullopt;
  const Type &pointer = path->argument->type;
  const bool isConstant = pointer.space == AddressSpace::Constant ||
                          (pointer.space == AddressSpace::Global &&
                           pointer.isRestrict && pointer.element->isConst);
  if (!isConstant || pointer.element->isVolatile)
    return std::nullopt;
  auto known = lastRead.find(path->argument);
  if (known == lastRead.end() || known->second < path->element) {
    if (!runsInEveryItem())
      return std::nullopt;
    lastRead[path->argument] = path->element;
  }
  return argumentPart(path->argument, path->text, path->name, expr.type);
}

/// `(int)radius` of a floating-point argument, `(int)ceil(radius)`, or
/// `convert_int_rte(radius)`. Where it does not fit the type and no work-item
/// asks, any value is right for the new body.
std::optional<Value> ModelBuilder::wholePartOfArgument(const Expr &conversion) {
  const bool isCast = conversion.kind == ExprKind::Cast;
  const std::string type = typeName(conversion.type.scalar);
  std::string before = "(" + type + ")", after, name = "_" + type;
  auto addCall = [&](const std::string &function) {
    before += function + "(";
    after += ")";
    name += "_" + function;
  };
  if (!isCast) {
    before = name = "";
    addCall(conversion.text);
  }
  const Expr *number = conversion.operands[0].get();
  const bool isRounded =
      number->kind == ExprKind::Call && number->isElementwiseBuiltin &&
      llvm::is_contained({"ceil", "floor", "trunc", "round", "rint"},
                         number->text);
  if (isRounded) {
    addCall(number->text);
    number = number->operands[0].get();
  }
  const bool isWhole =
      (isCast || conversion.family == CallFamily::Convert) &&
      number->kind == ExprKind::VarRef && number->type.isFloating() &&
      number->type.isScalar() && isConstantParam(number->var) &&
      conversion.type.isScalar() && conversion.type.isInteger() &&
      conversion.type.size >= 4 && !settings.unknown.count(&conversion);
  if (!isWhole)
    return std::nullopt;
  return argumentPart(number->var, before + number->var->name + after,
                      number->var->name + name, conversion.type);
}

//===-- Components --------------------------------------------------------===//

static bool isLvalue(const Expr *expr) {
  while (expr->kind == ExprKind::Swizzle ||
         (expr->kind == ExprKind::Member && !expr->arrow))
    expr = expr->operands[0].get();
  return expr->kind == ExprKind::VarRef || expr->kind == ExprKind::Member ||
         expr->kind == ExprKind::Subscript ||
         (expr->kind == ExprKind::Unary && expr->op == Op::Deref);
}

Value ModelBuilder::evaluatePart(const ExprRef &expr) {
  if (std::optional<Value> part = partOfArgument(*expr))
    return *part;
  const ExprRef &object = expr->operands[0];
  bool isSwizzle = expr->kind == ExprKind::Swizzle;
  bool isArgument = object->kind == ExprKind::VarRef &&
                    isConstantParam(object->var) &&
                    object->var->type.isVector();
  if (isSwizzle && (isArgument || !isLvalue(object.get()))) {
    Value vector = evaluate(object);
    std::vector<Value> lanes;
    for (unsigned component : expr->components)
      lanes.push_back(component < vector.lanes.size() ? vector.lanes[component]
                                                      : Value());
    return lanes.size() == 1 ? lanes[0] : Value::vector(std::move(lanes));
  }
  Place place = placeOf(expr);
  return load(expr, place);
}

/// Components of a variable change, the others stay.
void ModelBuilder::storePart(const Place &place, const Value &value) {
  Value &vector = environment[ordinal(place.partOf)];
  if (!vector.isVector())
    vector = Value::vector(std::vector<Value>(place.partOf->type.lanes));
  for (size_t index = 0; index < place.components.size(); ++index) {
    Value lane = place.components.size() == 1 ? value : Value();
    if (value.isVector() && index < value.lanes.size())
      lane = value.lanes[index];
    if (place.components[index] < vector.lanes.size())
      vector.lanes[place.components[index]] = lane;
  }
}

//===-- Comparisons -------------------------------------------------------===//

/// Components are -1 where the comparison holds and 0 where it does not.
Value ModelBuilder::compareLanes(const ExprRef &expr, const Value &left,
                                 const Value &right) {
  if (!expr->type.isVector())
    return {};
  return eachLane({left, right}, [&](const std::vector<Value> &lanes) {
    std::optional<Condition> holds = comparison(expr, lanes[0], lanes[1]);
    if (holds)
      *holds = linearizeParams(model.symbols, *holds);
    if (!holds || !isAffine(model.symbols, *holds))
      return Value();
    return Value::integer(select(*holds, Polynomial(-1), Polynomial()));
  });
}

/// any() and all(): whether components are negative.
Value ModelBuilder::truthOfLanes(const Value &value, bool all) {
  Condition result;
  result.kind = all ? Condition::Kind::True : Condition::Kind::False;
  for (const Value &lane : value.lanes) {
    if (!lane.isInteger())
      return {};
    Condition holds{
        Condition::Kind::NonNegative, -lane.poly - Polynomial(1), {}};
    if (std::optional<int64_t> constant = lane.poly.asConstant())
      holds = Condition{*constant < 0 ? Condition::Kind::True
                                      : Condition::Kind::False,
                        {},
                        {}};
    else if (const std::optional<SymbolId> id = lane.poly.asSymbol()) {
      const Symbol &symbol = model.symbols[*id];
      bool isTruth = symbol.kind == SymbolKind::Select &&
                     symbol.first == Polynomial(-1) && symbol.second.isZero();
      if (isTruth)
        holds = symbol.condition;
    }
    result = all ? conjunction(result, holds) : disjunction(result, holds);
  }
  return asInteger(result);
}

} // namespace clopt
