//===- InterpretPlaces.cpp - variables, cells, loads and stores -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private variable is a slot with its value, unless it is an array or its
// address is taken.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Interpreter.h"

namespace clopt {

bool Interpreter::isInMemory(const Variable &variable) const {
  return variable.addressTaken || variable.type.isArray() ||
         variable.type.kind == TypeKind::Struct ||
         variable.space != AddressSpace::Private || variable.isFileScope;
}

size_t Interpreter::slotOf(const Variable *variable, unsigned item) {
  auto found = slots.find(variable);
  if (found == slots.end())
    throw GiveUp{"a variable of another function"};
  return found->second * items + item;
}

/// The object that the variable is for this work-item, made at first use.
int64_t Interpreter::objectOf(const Variable &variable, unsigned item) {
  if (variable.isFileScope) {
    auto found = result.buffers.find(variable.name);
    if (found == result.buffers.end())
      throw GiveUp{"a variable at file scope"};
    return found->second;
  }
  bool isShared = variable.space == AddressSpace::Local ||
                  (variable.isParam && variable.type.isPointer());
  int64_t &id = objectIds[slotOf(&variable, isShared ? 0 : item)];
  if (id < 0) {
    MemoryObject object;
    object.name = variable.name;
    object.scope =
        isShared ? MemoryObject::Scope::Group : MemoryObject::Scope::Item;
    if (!variable.type.isPointer())
      object.size = static_cast<int64_t>(variable.type.size);
    id = memory.addObject(std::move(object));
  }
  return id;
}

Accessor Interpreter::accessor(int64_t object, unsigned item) {
  Accessor by;
  bool isLocal = memory.object(object).scope == MemoryObject::Scope::Group;
  by.item = groupNumber * static_cast<int64_t>(items) + item;
  by.group = groupNumber;
  by.phase = isLocal ? localPhase : globalPhase;
  by.range = current;
  return by;
}

//===-- Places ------------------------------------------------------------===//

Place Interpreter::pointee(const Value &pointer, const Type &type) const {
  if (pointer.size() != 2 || pointer[0] < 0)
    throw GiveUp{"a pointer that points nowhere"};
  Place result;
  result.isMemory = true;
  result.object = pointer[0];
  result.offset = pointer[1];
  result.type = &type;
  return result;
}

Place Interpreter::place(const Expr &expr, unsigned item) {
  switch (expr.kind) {
  case ExprKind::VarRef: {
    Place result;
    result.type = &expr.var->type;
    result.isMemory = isInMemory(*expr.var);
    if (result.isMemory)
      result.object = objectOf(*expr.var, item);
    else
      result.slot = slotOf(expr.var, item);
    return result;
  }
  case ExprKind::Subscript: {
    const Expr &base = *expr.operands[0];
    int64_t index = scalar(*expr.operands[1], item);
    Place result = base.type.isArray()
                       ? place(base, item)
                       : pointee(evaluate(base, item), expr.type);
    if (!result.isMemory || expr.type.size == 0)
      throw GiveUp{"a subscript of what is not in memory"};
    result.type = &expr.type;
    result.offset += index * static_cast<int64_t>(expr.type.size);
    return result;
  }
  case ExprKind::Unary:
    if (expr.op == Op::Deref)
      return pointee(evaluate(*expr.operands[0], item), expr.type);
    break;
  case ExprKind::Member:
    return memberPlace(expr, item);
  case ExprKind::Swizzle: {
    Place result = place(*expr.operands[0], item);
    llvm::SmallVector<unsigned, 4> chosen;
    for (unsigned component : expr.components)
      chosen.push_back(result.isPart ? result.components[component]
                                     : component);
    result.isPart = true;
    result.components = chosen;
    return result;
  }
  default:
    break;
  }
  throw GiveUp{"a place of an unknown form"};
}

//===-- Structs ---------------------------------------------------------===//

/// The rest of a struct, which only copies of the whole move.
static const char *const restName = "(rest)";

void Interpreter::collectFields() {
  for (const std::unique_ptr<Function> &function : unit.functions)
    forEachExpr(function->body, [&](const ExprRef &expr) {
      if (expr->kind != ExprKind::Member)
        return;
      const Type &base = expr->operands[0]->type;
      const Type &type =
          base.isPointer() && base.element ? *base.element : base;
      fields[type.spelling][expr->text] = expr->type;
    });
}

/// All values of one field are an object of their own: how structs are laid
/// out does not matter.
int64_t Interpreter::fieldOf(int64_t object, const std::string &name,
                             int64_t structBytes, int64_t fieldBytes) {
  auto [entry, isNew] = fieldObjects.emplace(std::make_pair(object, name), -1);
  if (!isNew)
    return entry->second;
  MemoryObject &whole = memory.object(object);
  whole.elementBytes = structBytes;
  MemoryObject part;
  part.elementBytes = fieldBytes;
  part.name = whole.name + "." + name;
  part.scope = whole.scope;
  part.hasData = whole.hasData;
  part.size = whole.size / structBytes * fieldBytes;
  bool isBuffer = whole.scope == MemoryObject::Scope::Launch;
  std::string fullName = part.name;
  entry->second = memory.addObject(std::move(part));
  if (isBuffer)
    result.buffers[fullName] = entry->second;
  return entry->second;
}

Place Interpreter::member(const Place &whole, const std::string &name,
                          const Type &type) {
  auto bytes = static_cast<int64_t>(whole.type->size);
  auto fieldBytes = static_cast<int64_t>(type.size);
  if (!whole.isMemory || whole.isPart || bytes == 0 || fieldBytes == 0 ||
      whole.offset % bytes != 0)
    throw GiveUp{"a field of an unknown struct"};
  Place result = whole;
  result.type = &type;
  memory.object(whole.object)
      .wholes.add(whole.offset, whole.offset + bytes - 1);
  result.object = fieldOf(whole.object, name, bytes, fieldBytes);
  result.offset = whole.offset / bytes * fieldBytes;
  return result;
}

Place Interpreter::memberPlace(const Expr &expr, unsigned item) {
  const Expr &base = *expr.operands[0];
  if (!base.type.isPointer())
    return member(place(base, item), expr.text, expr.type);
  if (!base.type.element)
    throw GiveUp{"a field of an unknown struct"};
  return member(pointee(evaluate(base, item), *base.type.element), expr.text,
                expr.type);
}

void Interpreter::copyStruct(const Place &to, const Place &from,
                             unsigned item) {
  static const Type rest = Type::makeScalar(ScalarKind::UInt);
  auto copy = [&](const std::string &name, const Type &type) {
    if (!type.isScalar() && !type.isVector())
      throw GiveUp{"a copy of a struct with arrays"};
    Value value = load(member(from, name, type), item);
    store(member(to, name, type), value, item);
  };
  for (const auto &[name, type] : fields[to.type->spelling])
    copy(name, type);
  copy(restName, rest);
}

void Interpreter::clearObject(int64_t object) {
  memory.object(object).cells.clear();
  for (const auto &[key, field] : fieldObjects)
    if (key.first == object)
      clearObject(field);
}

//===-- Loads and stores --------------------------------------------------===//

Value Interpreter::loadParts(int64_t object, int64_t offset, ScalarKind kind,
                             unsigned count, unsigned item) {
  Accessor by = accessor(object, item);
  result.steps += 4 * count; // a cell takes longer than an expression
  Value value;
  for (unsigned i = 0; i < count; ++i)
    value.push_back(memory.load(object, offset + i * sizeOf(kind), kind, by));
  return value;
}

void Interpreter::storeParts(int64_t object, int64_t offset, ScalarKind kind,
                             const Value &value, unsigned item) {
  Accessor by = accessor(object, item);
  for (unsigned i = 0; i < value.size(); ++i)
    memory.store(object, offset + i * sizeOf(kind), kind, value[i], by);
}

static void checkPlain(const Type &type) {
  if (!type.isScalar() && !type.isVector())
    throw GiveUp{"a value that is neither a number nor a vector"};
}

Value Interpreter::load(const Place &from, unsigned item) {
  if (from.isMemory && from.type->kind == TypeKind::Struct)
    return {from.object, from.offset}; // copied where it is stored
  if (from.isMemory) {
    checkPlain(*from.type);
    if (!from.isPart)
      return loadParts(from.object, from.offset, from.type->scalar,
                       from.type->lanes, item);
    const auto bytes = static_cast<int64_t>(from.type->size);
    memory.object(from.object).wholes.add(from.offset, from.offset + bytes - 1);
    Value value;
    for (unsigned component : from.components)
      value.push_back(loadParts(
          from.object, from.offset + component * sizeOf(from.type->scalar),
          from.type->scalar, 1, item)[0]);
    return value;
  }
  Value &whole = values[from.slot];
  if (whole.empty()) {
    // Never set: what is read must not matter.
    checkPlain(*from.type);
    for (unsigned lane = 0; lane < from.type->lanes; ++lane)
      whole.push_back(isFloatKind(from.type->scalar)
                          ? terms.make("unset", "", from.type->scalar, {})
                          : wrapTo(from.type->scalar, 0x5a5a5a5a5a5a5a5a));
  }
  if (!from.isPart)
    return whole;
  Value value;
  for (unsigned component : from.components)
    value.push_back(whole[component]);
  return value;
}

void Interpreter::store(const Place &to, const Value &value, unsigned item) {
  if (to.isMemory && to.type->kind == TypeKind::Struct)
    return copyStruct(to, pointee(value, *to.type), item);
  if (to.isMemory) {
    checkPlain(*to.type);
    if (!to.isPart)
      return storeParts(to.object, to.offset, to.type->scalar, value, item);
    for (unsigned i = 0; i < to.components.size(); ++i)
      storeParts(to.object,
                 to.offset + to.components[i] * sizeOf(to.type->scalar),
                 to.type->scalar, {value[i]}, item);
    return;
  }
  Value &whole = values[to.slot];
  if (!to.isPart) {
    whole = value;
    return;
  }
  if (whole.empty()) {
    Place all = to;
    all.isPart = false;
    load(all, item);
  }
  for (unsigned i = 0; i < to.components.size(); ++i)
    whole[to.components[i]] = value[i];
}

} // namespace clopt
