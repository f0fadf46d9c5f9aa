//===- Compiler.cpp - registers and variables -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private variable is registers, unless it is an array or a struct or its
// address is taken. Every variable of every function has a place of its own:
// OpenCL C has no recursion.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Compiler.h"

#include <cstring>

namespace clopt {

bool isInMemory(const Variable &variable) {
  return variable.addressWritten || variable.type.isArray() ||
         variable.type.kind == TypeKind::Struct ||
         variable.space != AddressSpace::Private || variable.isFileScope;
}

Instr &Compiler::emit(Opcode op, int32_t dst, int32_t a, int32_t b) {
  Instr instr;
  instr.op = op;
  instr.dst = dst;
  instr.a = a;
  instr.b = b;
  instr.range = range;
  current->push_back(instr);
  return current->back();
}

void Compiler::giveUp(const std::string &reason) {
  emit(Opcode::GiveUp).imm = static_cast<int64_t>(code.reasons.size());
  code.reasons.push_back(reason);
}

int32_t Compiler::temporary() {
  if (!sharesTemporaries)
    temporaryPool.resize(temporariesUsed);
  if (temporariesUsed == temporaryPool.size())
    temporaryPool.push_back(newRegister());
  return temporaryPool[temporariesUsed++];
}

Registers Compiler::temporaries(unsigned count) {
  Registers result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(temporary());
  return result;
}

int32_t Compiler::constant(ScalarKind kind, int64_t integer) {
  auto [entry, isNew] = constants.emplace(std::make_pair(kind, integer), -1);
  if (isNew) {
    entry->second = newRegister();
    code.constants.push_back({entry->second, kind, integer, 0});
  }
  return entry->second;
}

int32_t Compiler::floatConstant(ScalarKind kind, double number) {
  int64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  auto [entry, isNew] = constants.emplace(std::make_pair(kind, bits), -1);
  if (isNew) {
    entry->second = newRegister();
    code.constants.push_back({entry->second, kind, 0, number});
  }
  return entry->second;
}

int32_t Compiler::zero(ScalarKind kind) {
  return isFloatKind(kind) ? floatConstant(kind, 0) : constant(kind, 0);
}

int32_t Compiler::branchNumber(const Expr &condition) {
  auto number = static_cast<int32_t>(code.branches.size());
  auto [entry, isNew] = branches.emplace(&condition, number);
  if (isNew)
    code.branches.push_back(&condition);
  return entry->second;
}

int64_t Compiler::symbolNumber(const std::string &name,
                               const std::string &signature) {
  auto number = static_cast<int64_t>(code.symbols.size());
  auto [entry, isNew] =
      symbols.emplace(std::make_pair(name, signature), number);
  if (isNew)
    code.symbols.push_back({name, signature});
  return entry->second;
}

void Compiler::setArguments(Instr &instr, const Registers &arguments) {
  instr.arguments = static_cast<int32_t>(code.pool.size());
  instr.count = static_cast<uint16_t>(arguments.size());
  code.pool.insert(code.pool.end(), arguments.begin(), arguments.end());
}

int32_t Compiler::addObject(const std::string &name, const Type &type,
                            const Variable *variable, bool isGroups) {
  CodeObject object;
  object.variable = variable;
  object.name = name;
  object.type = type;
  object.size = static_cast<int64_t>(type.size);
  object.isGroups = isGroups;
  object.address = newRegister();
  code.objects.push_back(object);
  return object.address;
}

Compiler::Home &Compiler::home(const Variable &variable) {
  auto [entry, isNew] = homes.try_emplace(&variable);
  Home &result = entry->second;
  if (!isNew)
    return result;
  if (variable.isFileScope) {
    result.address = newRegister();
    code.fileVariables.emplace_back(&variable, result.address);
    return result;
  }
  if (isInMemory(variable)) {
    bool isGroups = variable.space == AddressSpace::Local;
    result.address =
        addObject(variable.name, variable.type, &variable, isGroups);
    return result;
  }
  unsigned count = variable.type.isVector() ? variable.type.lanes : 1;
  for (unsigned i = 0; i < count; ++i)
    result.registers.push_back(newRegister());
  return result;
}

/// Copies all at once: what is read may be what is written.
void Compiler::copy(const Registers &to, const Registers &from) {
  if (to.size() == 1 && retarget(from[0], to[0]))
    return;
  Registers source = from;
  for (size_t i = 0; i < to.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (source[i] == to[j]) {
        int32_t saved = temporary();
        emit(Opcode::Copy, saved, source[i]);
        source[i] = saved;
      }
  // The saved ones have to be read before anything is written.
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i] != source[i])
      emit(Opcode::Copy, to[i], source[i]);
}

/// Lets the last instruction write to `to` at once, where its result is a
/// temporary value that nothing else can need.
bool Compiler::retarget(int32_t from, int32_t to) {
  if (current->empty() || temporariesUsed == 0 ||
      temporaryPool[temporariesUsed - 1] != from)
    return false;
  Instr &last = current->back();
  if (last.dst != from || last.op == Opcode::If || last.op == Opcode::Atomic)
    return false;
  last.dst = to;
  return true;
}

void Compiler::run(const Function &kernel) {
  for (unsigned d = 0; d < 3; ++d)
    code.requiredLocalSize[d] = kernel.requiredLocalSize[d];
  functionNumber(kernel);
  for (const Variable *param : kernel.params) {
    const Home &where = home(*param);
    CodeParam added;
    added.variable = param;
    added.address = where.address;
    added.values.assign(where.registers.begin(), where.registers.end());
    unsigned count = param->type.isVector() ? param->type.lanes : 1;
    while (added.values.size() < count)
      added.values.push_back(newRegister());
    code.params.push_back(added);
  }
  while (!pending.empty()) {
    int32_t number = pending.back();
    pending.pop_back();
    compileBody(number);
  }
}

std::unique_ptr<Code> compileKernel(const TranslationUnit &unit,
                                    const Function &kernel,
                                    bool sharesTemporaries) {
  auto code = std::make_unique<Code>();
  Compiler(unit, *code, sharesTemporaries).run(kernel);
  return code;
}

} // namespace clopt
