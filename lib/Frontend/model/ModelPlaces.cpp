//===- ModelPlaces.cpp - lvalues, accesses, calls -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory an expression names, and the record of each access to it.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <algorithm>
#include <numeric>

namespace clopt {

//===-- Arrays ------------------------------------------------------------===//

unsigned ModelBuilder::addArray(const Variable *var, const Type &element,
                                AddressSpace space) {
  Array array;
  array.var = var;
  array.space = space;
  array.elementType = element;
  array.elementBytes = element.size ? element.size : 1;
  auto chosen = settings.elementBytes.find(var);
  if (chosen != settings.elementBytes.end())
    array.elementBytes = chosen->second;
  array.isConst = element.isConst || space == AddressSpace::Constant;
  array.isCast = element.isSignedChar && var->type.isPointer();
  std::string base = var->name.empty() ? "memory" : var->name;
  array.name = base;
  for (unsigned suffix = 1; model.findArray(array.name); ++suffix)
    array.name = base + "_" + std::to_string(suffix);
  if (space == AddressSpace::Local)
    model.usesLocalMemory = true;
  model.arrays.push_back(std::move(array));
  return model.arrays.size() - 1;
}

unsigned ModelBuilder::pointeeOf(const Variable *param) {
  auto [it, isNew] = pointees.try_emplace(param, 0);
  if (!isNew)
    return it->second;
  it->second = addArray(param, *param->type.element, param->type.space);
  Array &array = model.arrays[it->second];
  array.isRestrict = param->type.isRestrict;
  array.extents = {Polynomial()};
  return it->second;
}

unsigned ModelBuilder::arrayOf(const Variable *var) {
  auto [it, isNew] = variables.try_emplace(var, 0);
  if (!isNew)
    return it->second;
  const Type *element = &var->type;
  std::vector<Polynomial> extents;
  while (element->isArray() && element->element) {
    extents.push_back(Polynomial(static_cast<int64_t>(element->extent)));
    element = element->element.get();
  }
  it->second = addArray(var, *element, var->space);
  Array &array = model.arrays[it->second];
  if (extents.empty() && var->space != AddressSpace::Private)
    extents.push_back(Polynomial(1));
  array.rank = extents.size();
  array.extents = extents;
  return it->second;
}

bool ModelBuilder::isConstantParam(const Variable *var) const {
  return var->isParam && !var->addressTaken && !assigned.count(var) &&
         std::find(kernel.params.begin(), kernel.params.end(), var) !=
             kernel.params.end();
}

bool ModelBuilder::isFollowed(const Variable *var) const {
  return var->space == AddressSpace::Private && !var->addressTaken &&
         !var->isFileScope && !var->type.isVolatile;
}

std::optional<unsigned> ModelBuilder::elementsPer(unsigned array,
                                                  const Type &pointee) {
  const Array &known = model.arrays[array];
  if (pointee.size == 0 || known.elementBytes == 0)
    return std::nullopt;
  if (pointee.size % known.elementBytes == 0)
    return pointee.size / known.elementBytes;
  // Finer cells are tried from the start.
  unsigned finer = std::gcd<unsigned>(pointee.size, known.elementBytes);
  draft.wanted.elementBytes[known.var] = finer;
  draft.mustRepeat = true;
  return std::nullopt;
}

//===-- Places ------------------------------------------------------------===//

/// Bytes that a load or store of the type touches: a float3 is three floats
/// in a cell of four.
static unsigned touchedBytes(const Type &type) {
  if (type.isVector())
    return type.lanes * sizeOf(type.scalar);
  return type.size;
}

Place ModelBuilder::placeOfPointer(const Value &pointer,
                                   const Type &pointerType) {
  Place place;
  if (pointerType.isPointer())
    place.space = pointerType.space;
  if (!pointer.isPointer())
    return place;
  place.isKnown = true;
  place.address = pointer;
  unsigned bytes = model.arrays[pointer.array].elementBytes;
  const Type *pointee = pointerType.element.get();
  // Rows of arrays are addresses, not accesses; elements may be wider than the
  // unit of the array.
  if (pointee && bytes && !pointee->isArray()) {
    if (!elementsPer(pointer.array, *pointee))
      place.address.hasOffset = false;
    place.width = std::max(1u, (touchedBytes(*pointee) + bytes - 1) / bytes);
  }
  return place;
}

/// Narrows the place of a struct in memory to that of its member, in units of
/// the array. Cells that are whole structs are not taken apart for members that
/// are no arrays.
void ModelBuilder::selectMember(Place &place, const Expr &expr) {
  const Type &object = expr.arrow && expr.operands[0]->type.element
                           ? *expr.operands[0]->type.element
                           : expr.operands[0]->type;
  if (!place.isKnown || !place.address.hasOffset || !object.fields)
    return;
  const Array &array = model.arrays[place.address.array];
  const auto field =
      std::find_if(object.fields->begin(), object.fields->end(),
                   [&](const Field &each) { return each.name == expr.text; });
  if (array.space == AddressSpace::Private || array.elementBytes == 0 ||
      field == object.fields->end())
    return;
  const Type *element = &field->type;
  while (element->isArray() && element->element)
    element = element->element.get();
  if (object.size == array.elementBytes && element == &field->type)
    return;
  const auto unit = static_cast<unsigned>(std::gcd<uint64_t, uint64_t>(
      array.elementBytes, std::gcd(field->offset, element->size)));
  if (unit != array.elementBytes) {
    // Tried from the start.
    draft.wanted.elementBytes[array.var] = unit;
    draft.mustRepeat = true;
    place.address.hasOffset = false;
    return;
  }
  place.address.poly = place.address.poly +
                       Polynomial(static_cast<int64_t>(field->offset / unit));
  place.address.hasSubscripts = false;
  place.width = std::max(1u, (touchedBytes(*element) + unit - 1) / unit);
  place.isPartial = false;
}

Place ModelBuilder::placeOf(const ExprRef &expr) {
  switch (expr->kind) {
  case ExprKind::VarRef: {
    Place place;
    place.var = expr->var;
    place.isConstant = isConstantParam(expr->var);
    if (place.isConstant)
      return place;
    place.isKnown = true;
    place.space = expr->var->space;
    place.address = Value::pointer(arrayOf(expr->var), Polynomial());
    place.address.hasSubscripts = expr->var->type.isArray();
    const Array &array = model.arrays[place.address.array];
    if (expr->var->type.isArray())
      return place;
    if (array.elementBytes)
      place.width =
          std::max<unsigned>(1, array.elementType.size / array.elementBytes);
    // A variable that work-items share is an array of one element.
    place.address.hasSubscripts = array.rank == 1;
    place.address.subscripts.resize(array.rank);
    return place;
  }
  case ExprKind::Subscript: {
    const ExprRef &base = expr->operands[0], &index = expr->operands[1];
    Value pointer = evaluate(base);
    Value subscript = evaluate(index);
    // A chain of subscripts into a declared array of arrays.
    bool isChain =
        pointer.isPointer() && pointer.hasSubscripts && subscript.isInteger();
    Type type = base->type;
    type.kind = TypeKind::Pointer;
    Value address = pointerArithmetic(Op::Add, type, pointer, index, subscript);
    if (address.isPointer()) {
      address.hasSubscripts = isChain && address.hasOffset;
      address.subscripts = pointer.subscripts;
      address.subscripts.push_back(subscript.poly);
    }
    Place place = placeOfPointer(address, type);
    if (base->type.isArray() && !place.isKnown)
      place.space = AddressSpace::Generic;
    return place;
  }
  case ExprKind::Unary:
    if (expr->op == Op::Deref) {
      Type type = expr->operands[0]->type;
      type.kind = TypeKind::Pointer;
      return placeOfPointer(evaluate(expr->operands[0]), type);
    }
    break;
  case ExprKind::Member: {
    Place place;
    if (expr->arrow) {
      Type type = expr->operands[0]->type;
      type.kind = TypeKind::Pointer;
      place = placeOfPointer(evaluate(expr->operands[0]), type);
    } else {
      place = placeOf(expr->operands[0]);
    }
    place.var = place.partOf = nullptr;
    place.isPartial = true;
    selectMember(place, *expr);
    return place;
  }
  case ExprKind::Swizzle: {
    Place place = placeOf(expr->operands[0]);
    place.isPartial = true;
    if (place.var) {
      place.partOf = place.var;
      place.components = expr->components;
    } else if (place.partOf) {
      std::vector<unsigned> inner = std::move(place.components);
      place.components.clear();
      for (unsigned component : expr->components)
        place.components.push_back(inner[component]);
    }
    place.var = nullptr;
    return place;
  }
  case ExprKind::Cast:
    if (expr->type.isArray() || !expr->operands[0]->type.isPointer())
      return placeOf(expr->operands[0]);
    break;
  default:
    break;
  }
  // No lvalue: a value that is computed and used at once.
  Place place;
  place.isConstant = true;
  evaluate(expr);
  return place;
}

Value ModelBuilder::load(const ExprRef &expr, const Place &place) {
  if (place.isConstant) {
    if (!place.var)
      return {};
    if (place.var->type.isPointer() && place.var->type.element)
      return Value::pointer(pointeeOf(place.var), Polynomial());
    if (place.var->type.isVector())
      return vectorArgument(place.var);
    if (std::optional<SymbolId> id = model.symbols.findVariable(place.var))
      return Value::integer(Polynomial::symbol(*id));
    return {};
  }
  // An array decays into a pointer to its first element.
  if (expr->type.isArray()) {
    Value address = place.address;
    if (place.isPartial)
      address.hasOffset = false;
    return place.isKnown ? address : Value();
  }
  record(expr, place, false);
  if (std::optional<Value> part = partOfMemory(*expr))
    return *part;
  if (place.var && isFollowed(place.var)) {
    auto known = environment.find(ordinal(place.var));
    return known == environment.end() ? Value() : known->second;
  }
  if (place.partOf && isFollowed(place.partOf)) {
    auto known = environment.find(ordinal(place.partOf));
    bool isKnown = known != environment.end() && known->second.isVector();
    if (!isKnown)
      return {};
    std::vector<Value> lanes;
    for (unsigned component : place.components)
      lanes.push_back(known->second.lanes[component]);
    return lanes.size() == 1 ? lanes[0] : Value::vector(lanes);
  }
  return {};
}

void ModelBuilder::store(const ExprRef &expr, const Place &place,
                         const Value &value) {
  if (place.isConstant)
    return;
  bool isPrivate = place.isKnown && model.arrays[place.address.array].space ==
                                        AddressSpace::Private;
  // What a component write leaves alone stays: read, change, write.
  if (place.isPartial && isPrivate)
    record(expr, place, false);
  record(expr, place, true);
  if (place.var && isFollowed(place.var))
    environment[ordinal(place.var)] = mayDepth == 0 ? value : Value();
  if (place.partOf && isFollowed(place.partOf))
    storePart(place, mayDepth == 0 ? value : Value());
}

//===-- Records -----------------------------------------------------------===//

void ModelBuilder::recordWhole(unsigned array, const ExprRef &expr,
                               bool isWrite, bool isOrdered) {
  if (statement < 0)
    return;
  DraftAccess record;
  Access &access = record.access;
  access.relation = blankMap;
  access.id = draft.accesses.size();
  access.array = array;
  access.statement = statement;
  access.isWrite = isWrite;
  access.isExact = false;
  access.isOrdered = isOrdered;
  access.expr = nullptr;
  access.range = expr->range;
  record.context = context;
  draft.statements[statement].statement.accesses.push_back(access.id);
  draft.accesses.push_back(std::move(record));
}

void ModelBuilder::record(const ExprRef &expr, const Place &place, bool isWrite,
                          bool isOrdered) {
  if (statement < 0 || place.isConstant)
    return;
  isOrdered |= expr->type.isVolatile;
  model.hasOrderedEffects |= expr->type.isVolatile;
  if (!place.isKnown) {
    size_t before = draft.accesses.size();
    for (unsigned array = 0; array < model.arrays.size(); ++array) {
      const Array &other = model.arrays[array];
      bool mayPoint =
          other.space == place.space || (place.space == AddressSpace::Generic &&
                                         other.space != AddressSpace::Constant);
      bool isReachable = other.space != AddressSpace::Private ||
                         (other.var && other.var->addressTaken) ||
                         other.rank > 0;
      if (mayPoint && isReachable)
        recordWhole(array, expr, isWrite, isOrdered);
    }
    // Memory that no array of the model stands for.
    if (draft.accesses.size() == before) {
      draft.statements[statement].statement.isOpaque = true;
      model.hasOrderedEffects = true;
    }
    return;
  }
  DraftAccess record;
  Access &access = record.access;
  access.relation = blankMap;
  const Array &array = model.arrays[place.address.array];
  access.id = draft.accesses.size();
  access.array = place.address.array;
  access.statement = statement;
  access.isWrite = isWrite;
  access.isOrdered = isOrdered;
  access.expr = expr.get();
  access.range = expr->range;
  access.width = place.width;
  if (place.address.hasOffset) {
    access.offset = place.address.poly;
    bool isWritten = place.address.hasSubscripts &&
                     place.address.subscripts.size() == array.rank;
    if (isWritten)
      record.written = place.address.subscripts;
  }
  bool isPartialWrite =
      place.isPartial && isWrite && array.space != AddressSpace::Private;
  access.isExact = mayDepth == 0 && place.address.hasOffset && !isPartialWrite;
  record.context = context;
  if (helpers.empty())
    (isWrite ? model.writes : model.reads)[expr.get()] = access.id;
  draft.statements[statement].statement.accesses.push_back(access.id);
  draft.accesses.push_back(std::move(record));
}

//===-- Calls -------------------------------------------------------------===//

static bool isImage(const Type &type) {
  return type.kind == TypeKind::Opaque &&
         type.spelling.find("image") != std::string::npos;
}

void ModelBuilder::recordArguments(const Expr &call,
                                   const std::vector<Value> &values,
                                   bool writes, bool isOrdered) {
  for (size_t index = 0; index < values.size(); ++index) {
    const ExprRef &argument = call.operands[index];
    if (!argument->type.isPointer() && !argument->type.isArray())
      continue;
    Place place = placeOfPointer(values[index], argument->type);
    place.address.hasOffset = false;
    record(argument, place, false, isOrdered);
    if (writes)
      record(argument, place, true, isOrdered);
  }
}

Value ModelBuilder::evaluateCall(const ExprRef &expr) {
  if (isVectorLoad(*expr) || isVectorStore(*expr))
    return evaluateVectorMemory(expr);
  if (expr->effect == CallEffect::Atomic && !expr->operands.empty()) {
    Type type = expr->operands[0]->type;
    Place place = placeOfPointer(evaluate(expr->operands[0]), type);
    for (size_t index = 1; index < expr->operands.size(); ++index)
      evaluate(expr->operands[index]);
    record(expr, place, false, true);
    record(expr, place, true, true);
    model.hasAtomics = true;
    return {};
  }
  std::vector<Value> values;
  CallEffect effect = expr->effect;
  for (const ExprRef &operand : expr->operands) {
    values.push_back(evaluate(operand));
    if (!isImage(operand->type))
      continue;
    // Images are no arrays of the model: what may change one keeps its place.
    model.usesImages = true;
    bool isReadOnly =
        effect == CallEffect::Pure || effect == CallEffect::ReadsArgs;
    bool isReadWrite =
        operand->type.spelling.find("read_write") != std::string::npos;
    if (!isReadOnly || isReadWrite)
      effect = CallEffect::Opaque;
  }
  switch (effect) {
  case CallEffect::Pure:
    return evaluatePure(*expr, values);
  case CallEffect::ReadsArgs:
    recordArguments(*expr, values, false, false);
    return {};
  case CallEffect::WritesArgs:
    recordArguments(*expr, values, true, false);
    return {};
  default:
    break;
  }
  recordArguments(*expr, values, true, true);
  model.hasOrderedEffects = true;
  model.hasBarrier |= expr->effect == CallEffect::Barrier;
  if (statement >= 0) {
    Statement &own = draft.statements[statement].statement;
    own.isOpaque = true;
    own.isBarrier |= expr->effect == CallEffect::Barrier;
    const char *rule = "clopt-ordered-effect";
    note(rule, expr->range,
         "the call of '" + expr->text + "' keeps its place and number", "");
  }
  return {};
}

Value ModelBuilder::evaluateVectorMemory(const ExprRef &expr) {
  bool isStore = isVectorStore(*expr);
  std::vector<Value> values;
  for (const ExprRef &operand : expr->operands)
    values.push_back(evaluate(operand));
  size_t at = isStore ? 1 : 0;
  const Type &value = isStore ? expr->operands[0]->type : expr->type;
  const ExprRef &index = expr->operands[at], &base = expr->operands[at + 1];
  // The offset counts vectors.
  Value distance;
  if (std::optional<Polynomial> poly = exact(index, values[at]))
    distance = Value::integer(*poly * Polynomial(vectorPitch(*expr)));
  Value address =
      pointerArithmetic(Op::Add, base->type, values[at + 1], nullptr, distance);
  Place place = placeOfPointer(address, base->type);
  place.width *= std::max(1u, value.lanes);
  record(expr, place, isStore);
  return {};
}

/// The low bits of a product of two operands of 24 bits; what it is of larger
/// ones is up to the device.
Value ModelBuilder::product24(const Expr &call,
                              const std::vector<Value> &values) {
  bool isUnsigned = call.type.isUnsigned();
  Interval operand{isUnsigned ? 0 : -(1 << 23),
                   isUnsigned ? (1 << 24) - 1 : (1 << 23) - 1};
  for (unsigned index : {0, 1})
    require(call.operands[index], values[index].poly, operand,
            Assumption::Kind::Overflow);
  Polynomial product = asParameters(call.operands[0], values[0].poly) *
                       asParameters(call.operands[1], values[1].poly);
  // A signed result need not wrap, but no text says that it must not.
  if (!isUnsigned)
    addRequirement(call.operands[0], product, rangeOf(call.type),
                   Assumption::Kind::Overflow);
  return Value::integer(product);
}

Value ModelBuilder::evaluatePure(const Expr &call,
                                 const std::vector<Value> &values) {
  if (settings.unknown.count(&call) || !call.type.isInteger())
    return {};
  if (call.operands.size() == 1)
    if (std::optional<Value> whole = wholePartOfArgument(call))
      return *whole;
  bool isTruth = (call.text == "any" || call.text == "all") &&
                 values.size() == 1 && values[0].isVector();
  if (isTruth)
    return truthOfLanes(values[0], call.text == "all");
  if (!call.type.isVector())
    return evaluateBuiltin(call, call.type, values);
  bool actsOnEach =
      call.isElementwiseBuiltin || call.family == CallFamily::Convert;
  if (!actsOnEach)
    return {};
  Type scalar = Type::makeScalar(call.type.scalar);
  return eachLane(values, [&](const std::vector<Value> &lanes) {
    return evaluateBuiltin(call, scalar, lanes);
  });
}

/// The value of a function without effects, or one component of it.
Value ModelBuilder::evaluateBuiltin(const Expr &call, const Type &type,
                                    const std::vector<Value> &values) {
  std::vector<Polynomial> polys;
  for (size_t index = 0; index < values.size(); ++index) {
    std::optional<Polynomial> poly = exact(call.operands[index], values[index]);
    if (!poly)
      return evaluateHelper(call, values);
    polys.push_back(linearizeParams(model.symbols, *poly));
  }
  auto pick = [&](const Polynomial &a, const Polynomial &b, bool larger) {
    Condition condition{
        Condition::Kind::NonNegative, larger ? a - b : b - a, {}};
    Interval bounds = boundsOf(model.symbols, condition.poly);
    if (bounds.minimum && *bounds.minimum >= 0)
      return a;
    if (bounds.maximum && *bounds.maximum <= 0)
      return b;
    return select(condition, a, b);
  };
  const std::string &name = call.text;
  bool isConversion = call.family == CallFamily::Convert &&
                      name.find("_sat") == std::string::npos &&
                      polys.size() == 1 && call.operands[0]->type.isInteger();
  if (isConversion) {
    require(call.operands[0], polys[0], rangeOf(type), Assumption::Kind::Range);
    return values[0];
  }
  if (!call.isElementwiseBuiltin)
    return evaluateHelper(call, values);
  auto linear = [&](const Polynomial &poly) {
    return isAffine(model.symbols, poly);
  };
  bool isLinear = std::all_of(polys.begin(), polys.end(), linear);
  if (isLinear && (name == "min" || name == "max") && polys.size() == 2)
    return Value::integer(pick(polys[0], polys[1], name == "max"));
  if (isLinear && name == "clamp" && polys.size() == 3)
    return Value::integer(
        pick(pick(polys[0], polys[1], true), polys[2], false));
  if (isLinear && name == "abs" && polys.size() == 1)
    return Value::integer(pick(polys[0], -polys[0], true));
  if (name == "mul24" && polys.size() == 2)
    return product24(call, values);
  if (name == "mad24" && polys.size() == 3)
    return Value::integer(product24(call, values).poly + values[2].poly);
  return {};
}

Value ModelBuilder::evaluateHelper(const Expr &call,
                                   const std::vector<Value> &values) {
  const Function *callee = call.callee;
  bool isRecursive =
      std::find(helpers.begin(), helpers.end(), callee) != helpers.end();
  if (!callee || isRecursive || !callee->body || helpers.size() >= 8 ||
      callee->params.size() != values.size())
    return {};
  for (const auto &variable : callee->variables)
    ordinals.try_emplace(variable.get(), ordinals.size());
  Environment outer = environment;
  int recording = statement;
  statement = -1;
  helpers.push_back(callee);
  for (size_t index = 0; index < values.size(); ++index)
    environment[ordinal(callee->params[index])] = values[index];
  Value result;
  // Straight-line integer code only: declarations, then a return.
  for (const StmtRef &stmt : callee->body->children) {
    bool isDecl =
        stmt->kind == StmtKind::Decl && stmt->var && !stmt->var->type.isArray();
    bool isGroup = stmt->kind == StmtKind::Group;
    if (isDecl)
      environment[ordinal(stmt->var)] = evaluate(stmt->expr);
    else if (isGroup)
      for (const StmtRef &decl : stmt->children) {
        if (decl->kind == StmtKind::Decl && decl->var)
          environment[ordinal(decl->var)] = evaluate(decl->expr);
      }
    else if (stmt->kind == StmtKind::Expr)
      evaluate(stmt->expr);
    else {
      if (stmt->kind == StmtKind::Return)
        result = evaluate(stmt->expr);
      break;
    }
  }
  helpers.pop_back();
  statement = recording;
  environment = std::move(outer);
  return result.isInteger() ? result : Value();
}

} // namespace clopt
