//===- CompilePlaces.cpp - variables, cells, loads and stores -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Compiler.h"

namespace clopt {

//===-- Places ------------------------------------------------------------===//

ValuePlace Compiler::variablePlace(const Variable &variable) {
  const Home &where = home(variable);
  ValuePlace result;
  result.type = &variable.type;
  result.isMemory = where.address >= 0;
  result.address = where.address;
  result.registers = where.registers;
  return result;
}

ValuePlace Compiler::pointee(int32_t address, const Type &type) {
  ValuePlace result;
  result.isMemory = true;
  result.address = address;
  result.type = &type;
  return result;
}

ValuePlace Compiler::place(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::VarRef:
    return variablePlace(*expr.var);
  case ExprKind::Subscript:
    return subscript(expr);
  case ExprKind::Unary:
    if (expr.op == Op::Deref)
      return pointee(scalar(*expr.operands[0]), expr.type);
    break;
  case ExprKind::Member:
    return member(expr);
  case ExprKind::Swizzle:
    return swizzle(expr);
  case ExprKind::Cast:
    // A literal that is an array or a struct.
    if (expr.operands[0]->kind == ExprKind::InitList && expr.type.isArray())
      return pointee(cast(expr)[0], expr.type);
    break;
  default:
    break;
  }
  ValuePlace result;
  result.type = &expr.type;
  if (expr.type.isArray()) {
    giveUp("a place of an unknown form");
    result.registers = {temporary()};
    return result;
  }
  if (expr.type.kind == TypeKind::Struct)
    return pointee(scalar(expr), expr.type);
  // A value, of which a part is wanted.
  result.registers = evaluate(expr);
  return result;
}

ValuePlace Compiler::subscript(const Expr &expr) {
  const Expr &base = *expr.operands[0], &index = *expr.operands[1];
  bool isFixed = index.kind == ExprKind::IntLiteral;
  ValuePlace result;
  if (base.type.isVector() && isFixed) {
    result = place(base);
    auto component = static_cast<unsigned>(index.intValue);
    if (component < base.type.lanes) {
      if (result.isPart)
        component = result.components[component];
      result.isPart = true;
      result.components = {component};
      return result;
    }
  }
  if (base.type.isVector() || expr.type.size == 0) {
    giveUp("a subscript of what is not in memory");
    result.type = &expr.type;
    result.registers = unknownOf(expr.type);
    return result;
  }
  auto bytes = static_cast<int64_t>(expr.type.size);
  // Either may be the pointer.
  if (index.type.isPointer()) {
    int32_t to = temporary(), number = scalar(base);
    emit(Opcode::Advance, to, scalar(index), number).imm = bytes;
    return pointee(to, expr.type);
  }
  result = base.type.isArray() ? place(base) : pointee(scalar(base), expr.type);
  result.type = &expr.type;
  if (isFixed) {
    result.offset = advanced(result.offset, index.intValue, bytes);
    return result;
  }
  int32_t number = scalar(index), to = temporary();
  emit(Opcode::Advance, to, result.address, number).imm = bytes;
  result.address = to;
  return result;
}

static const Field *findField(const Type &type, const std::string &name) {
  if (type.fields)
    for (const Field &field : *type.fields)
      if (field.name == name)
        return &field;
  return nullptr;
}

ValuePlace Compiler::member(const Expr &expr) {
  const Expr &base = *expr.operands[0];
  bool isPointer = base.type.isPointer();
  const Type *whole = isPointer ? base.type.element.get() : &base.type;
  const Field *field = whole ? findField(*whole, expr.text) : nullptr;
  if (!field) {
    giveUp("a field of an unknown struct");
    ValuePlace result;
    result.type = &expr.type;
    result.registers = unknownOf(expr.type);
    return result;
  }
  ValuePlace result = isPointer ? pointee(scalar(base), *whole) : place(base);
  if (result.isMemory)
    emit(Opcode::NoteWhole, -1, addressOf(result)).imm =
        static_cast<int64_t>(whole->size);
  result.type = &expr.type;
  result.offset += static_cast<int64_t>(field->offset);
  return result;
}

ValuePlace Compiler::swizzle(const Expr &expr) {
  ValuePlace result = place(*expr.operands[0]);
  llvm::SmallVector<unsigned, 4> chosen;
  for (unsigned component : expr.components)
    chosen.push_back(result.isPart ? result.components[component] : component);
  result.isPart = true;
  result.components = chosen;
  return result;
}

int32_t Compiler::addressOf(const ValuePlace &at) {
  if (!at.isMemory) {
    giveUp("an address of what is not in memory");
    return constant(ScalarKind::ULong, 0);
  }
  if (at.offset == 0)
    return at.address;
  int32_t to = temporary();
  emit(Opcode::Offset, to, at.address).imm = at.offset;
  return to;
}

/// Memory for a value within an expression.
ValuePlace Compiler::temporaryObject(const std::string &name,
                                     const Type &type) {
  return pointee(addObject(name, type, nullptr, false), type);
}

//===-- Loads and stores --------------------------------------------------===//

Registers Compiler::loadMemory(int32_t address, int64_t offset, ScalarKind kind,
                               unsigned count, bool isAligned) {
  Registers result = temporaries(count);
  Instr &instr = emit(Opcode::Load, -1, address);
  instr.imm = offset;
  instr.kind = kind;
  instr.flag = isAligned;
  setArguments(instr, result);
  return result;
}

void Compiler::storeMemory(int32_t address, int64_t offset, ScalarKind kind,
                           const Registers &value, bool isAligned) {
  Instr &instr = emit(Opcode::Store, -1, address);
  instr.imm = offset;
  instr.kind = kind;
  instr.flag = isAligned;
  setArguments(instr, value);
}

Registers Compiler::load(const ValuePlace &from) {
  const Type &type = *from.type;
  bool isPlain = type.isScalar() || type.isVector();
  if (!from.isMemory) {
    if (!from.isPart)
      return from.registers;
    Registers value;
    for (unsigned component : from.components)
      value.push_back(from.registers[component]);
    return value;
  }
  if (type.kind == TypeKind::Struct || type.isArray())
    return {addressOf(from)}; // copied where it is stored
  if (!isPlain)
    return loadMemory(from.address, from.offset, ScalarKind::ULong, 1);
  if (!from.isPart)
    return loadMemory(from.address, from.offset, type.scalar, type.lanes, true);
  emit(Opcode::NoteWhole, -1, addressOf(from)).imm =
      static_cast<int64_t>(type.size);
  Registers value;
  for (unsigned component : from.components)
    value.push_back(loadMemory(from.address,
                               from.offset + component * sizeOf(type.scalar),
                               type.scalar, 1)[0]);
  return value;
}

void Compiler::store(const ValuePlace &to, const Registers &value) {
  const Type &type = *to.type;
  bool isPlain = type.isScalar() || type.isVector();
  if (!to.isMemory && to.isPart) {
    Registers parts;
    for (unsigned component : to.components)
      parts.push_back(to.registers[component]);
    if (parts.size() == value.size())
      return copy(parts, value);
  } else if (!to.isMemory) {
    if (to.registers.size() == value.size())
      return copy(to.registers, value);
  } else if (type.kind == TypeKind::Struct && value.size() == 1) {
    emit(Opcode::CopyBytes, -1, addressOf(to), value[0]).imm =
        static_cast<int64_t>(type.size);
    return;
  } else if (!isPlain && value.size() == 1) {
    return storeMemory(to.address, to.offset, ScalarKind::ULong, value);
  } else if (!to.isPart && value.size() == type.lanes) {
    return storeMemory(to.address, to.offset, type.scalar, value, true);
  } else if (to.isPart && value.size() == to.components.size()) {
    for (size_t i = 0; i < value.size(); ++i)
      storeMemory(to.address,
                  to.offset + to.components[i] * sizeOf(type.scalar),
                  type.scalar, {value[i]});
    return;
  }
  giveUp("a value of another form");
}

} // namespace clopt
