//===- CompileStmts.cpp - statements as instructions ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Compiler.h"

namespace clopt {

//===-- Functions ---------------------------------------------------------===//

int32_t Compiler::functionNumber(const Function &callee) {
  auto number = static_cast<int32_t>(code.functions.size());
  auto [entry, isNew] = functionNumbers.emplace(&callee, number);
  if (!isNew)
    return entry->second;
  CodeFunction added;
  added.function = &callee;
  bool isVoid = callee.returnType.scalar == ScalarKind::Void &&
                callee.returnType.isScalar();
  unsigned count = isVoid                         ? 0
                   : callee.returnType.isVector() ? callee.returnType.lanes
                                                  : 1;
  for (unsigned i = 0; i < count; ++i)
    added.result.push_back(newRegister());
  code.functions.push_back(added);
  pending.push_back(number);
  return number;
}

void Compiler::compileBody(int32_t number) {
  function = number;
  temporaryPool.clear();
  temporariesUsed = 0;
  const Function &compiled =
      *code.functions[static_cast<size_t>(number)].function;
  int32_t body = block([&] {
    if (compiled.hasGoto)
      giveUp("a goto");
    statement(compiled.asWritten());
  });
  code.functions[static_cast<size_t>(number)].body = body;
}

//===-- Statements --------------------------------------------------------===//

void Compiler::statement(const StmtRef &stmt) {
  if (!stmt)
    return;
  size_t used = temporariesUsed;
  const SourceRange *before = range;
  range = &stmt->range;
  emit(Opcode::Executed).imm = static_cast<int64_t>(code.statements.size());
  code.statements.push_back(stmt.get());
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group:
    for (const StmtRef &child : stmt->children)
      statement(child);
    break;
  case StmtKind::Decl:
    declare(*stmt);
    break;
  case StmtKind::Expr:
    if (stmt->expr->kind == ExprKind::Call)
      call(*stmt->expr, true);
    else
      evaluate(*stmt->expr);
    break;
  case StmtKind::If: {
    int32_t condition = scalar(*stmt->expr);
    int32_t yes = block([&] { statement(stmt->body); });
    int32_t no =
        stmt->elseBody ? block([&] { statement(stmt->elseBody); }) : -1;
    Instr &choice = emit(Opcode::If, -1, condition);
    choice.kind = stmt->expr->type.scalar;
    choice.body = yes;
    choice.other = no;
    choice.imm = branchNumber(*stmt->expr);
    break;
  }
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    loop(*stmt);
    break;
  case StmtKind::Break:
    emit(Opcode::Break);
    break;
  case StmtKind::Continue:
    emit(Opcode::Continue);
    break;
  case StmtKind::Return:
    returnValue(*stmt);
    break;
  case StmtKind::Barrier: {
    int32_t fences = stmt->expr->operands.empty()
                         ? constant(ScalarKind::UInt, 3)
                         : scalar(*stmt->expr->operands[0]);
    emit(Opcode::Barrier, -1, fences);
    break;
  }
  case StmtKind::Null:
    break;
  case StmtKind::Switch:
  case StmtKind::Opaque:
    giveUp("a statement without a structure");
    break;
  }
  range = before;
  temporariesUsed = used;
}

void Compiler::loop(const Stmt &stmt) {
  statement(stmt.init);
  Instr instr;
  instr.op = Opcode::Loop;
  instr.flag = stmt.kind == StmtKind::Do;
  instr.range = &stmt.range;
  range = &stmt.range;
  if (stmt.expr) {
    instr.other = block([&] { instr.a = scalar(*stmt.expr); });
    instr.kind = stmt.expr->type.scalar;
    instr.imm = branchNumber(*stmt.expr);
  }
  instr.body = block([&] { statement(stmt.body); });
  range = &stmt.range;
  if (stmt.inc)
    instr.step = block([&] { evaluate(*stmt.inc); });
  current->push_back(instr);
}

void Compiler::returnValue(const Stmt &stmt) {
  if (stmt.expr) {
    Registers value = evaluate(*stmt.expr);
    const std::vector<int32_t> &result =
        code.functions[static_cast<size_t>(function)].result;
    if (!result.empty() && value.size() == result.size())
      copy(Registers(result.begin(), result.end()), value);
    else if (!result.empty())
      giveUp("a result of another form");
  }
  emit(Opcode::Return);
}

//===-- Declarations ------------------------------------------------------===//

void Compiler::declare(const Stmt &stmt) {
  const Variable &variable = *stmt.var;
  if (!stmt.text.empty())
    return giveUp("a static variable");
  if (variable.isFileScope || variable.space == AddressSpace::Local)
    return;
  ValuePlace to = variablePlace(variable);
  if (to.isMemory) {
    emit(Opcode::Clear, -1, to.address);
  } else if (!stmt.expr) {
    for (int32_t part : to.registers)
      emit(Opcode::Unset, part).kind =
          variable.type.isPointer() ? ScalarKind::ULong : variable.type.scalar;
  }
  if (stmt.expr)
    initialize(to, *stmt.expr);
}

/// Every scalar is a store of its own.
static constexpr uint64_t maxInitialized = 1 << 16;

void Compiler::initialize(const ValuePlace &to, const Expr &init) {
  const Type &type = *to.type;
  if (type.size > maxInitialized)
    return giveUp("an initializer");
  bool isParts = type.isArray() || type.kind == TypeKind::Struct;
  if (!isParts)
    return store(to, convert(evaluate(init), init.type, type));
  if (init.kind == ExprKind::InitList)
    return initializeParts(to, init);
  if (init.kind == ExprKind::Cast &&
      init.operands[0]->kind == ExprKind::InitList)
    return initializeParts(to, *init.operands[0]);
  if (type.isArray())
    return giveUp("an initializer");
  store(to, evaluate(init));
}

void Compiler::initializeParts(const ValuePlace &to, const Expr &init) {
  const Type &type = *to.type;
  auto part = [&](size_t i, const Type &partType, uint64_t offset) {
    ValuePlace at = to;
    at.type = &partType;
    at.offset += static_cast<int64_t>(offset);
    if (i < init.operands.size())
      initialize(at, *init.operands[i]);
    else
      initializeZero(at); // What is left out is zero.
  };
  if (type.isArray() && type.element) {
    for (uint64_t i = 0; i < type.extent; ++i)
      part(i, *type.element, i * type.element->size);
    return;
  }
  if (!type.fields || init.operands.size() > type.fields->size())
    return giveUp("an initializer");
  for (size_t i = 0; i < type.fields->size(); ++i)
    part(i, (*type.fields)[i].type, (*type.fields)[i].offset);
}

void Compiler::initializeZero(const ValuePlace &to) {
  const Type &type = *to.type;
  auto zeroAt = [&](const Type &part, uint64_t offset) {
    ValuePlace at = to;
    at.type = &part;
    at.offset += static_cast<int64_t>(offset);
    initializeZero(at);
  };
  if (type.isArray() && type.element) {
    for (uint64_t i = 0; i < type.extent; ++i)
      zeroAt(*type.element, i * type.element->size);
  } else if (type.kind == TypeKind::Struct && type.fields) {
    for (const Field &field : *type.fields)
      zeroAt(field.type, field.offset);
  } else if (type.isScalar() || type.isVector()) {
    store(to, Registers(type.lanes, zero(type.scalar)));
  } else if (type.isPointer()) {
    store(to, {constant(ScalarKind::ULong, 0)});
  } else {
    giveUp("an initializer");
  }
}

} // namespace clopt
