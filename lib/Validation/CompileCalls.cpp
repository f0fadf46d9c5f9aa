//===- CompileCalls.cpp - calls as instructions ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of integers are computed, functions of floating-point values are
// terms. What is not known here ends the run.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Compiler.h"

#include <algorithm>

namespace clopt {

static bool startsWith(const std::string &text, const char *prefix) {
  return text.rfind(prefix, 0) == 0;
}

static bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

static char signatureOf(const Type &type) {
  return isFloatKind(type.scalar) && !type.isPointer() ? 'f' : 'i';
}

//===-- Functions of the file ---------------------------------------------===//

static const Function *findFunction(const TranslationUnit &unit,
                                    const Expr &call) {
  for (const std::unique_ptr<Function> &function : unit.functions)
    if (function->name == call.text && function->body &&
        function->params.size() == call.operands.size())
      return function.get();
  return nullptr;
}

Registers Compiler::call(const Expr &expr, bool isStatement) {
  if (const Function *callee = findFunction(unit, expr))
    return callFunction(*callee, expr);
  return builtin(expr, isStatement);
}

Registers Compiler::callFunction(const Function &callee, const Expr &expr) {
  std::vector<Registers> given;
  for (const ExprRef &operand : expr.operands)
    given.push_back(evaluate(*operand));
  for (size_t i = 0; i < given.size(); ++i) {
    ValuePlace to = variablePlace(*callee.params[i]);
    if (to.isMemory)
      emit(Opcode::Clear, -1, to.address);
    store(to, given[i]);
  }
  int32_t number = functionNumber(callee);
  emit(Opcode::Call).imm = number;
  // The next call has its result in the same registers.
  Registers result;
  const std::vector<int32_t> parts =
      code.functions[static_cast<size_t>(number)].result;
  for (int32_t part : parts) {
    result.push_back(temporary());
    emit(Opcode::Copy, result.back(), part);
  }
  if (callee.returnType.kind != TypeKind::Struct)
    return result;
  ValuePlace whole = temporaryObject("result", callee.returnType);
  emit(Opcode::Clear, -1, whole.address);
  store(whole, result);
  return {whole.address};
}

//===-- Builtins by name --------------------------------------------------===//

static const std::map<std::string, IntegerFunction> &integerFunctions() {
  static const std::map<std::string, IntegerFunction> functions = {
      {"min", IntegerFunction::Min},
      {"max", IntegerFunction::Max},
      {"clamp", IntegerFunction::Clamp},
      {"abs", IntegerFunction::Abs},
      {"abs_diff", IntegerFunction::AbsDiff},
      {"mul24", IntegerFunction::Mul24},
      {"mad24", IntegerFunction::Mad24},
      {"rotate", IntegerFunction::Rotate},
      {"popcount", IntegerFunction::Popcount},
      {"clz", IntegerFunction::Clz},
      {"ctz", IntegerFunction::Ctz},
      {"hadd", IntegerFunction::Hadd},
      {"rhadd", IntegerFunction::Rhadd},
      {"add_sat", IntegerFunction::AddSat},
      {"sub_sat", IntegerFunction::SubSat},
      {"mul_hi", IntegerFunction::MulHi},
      {"mad_hi", IntegerFunction::MadHi},
      {"mad_sat", IntegerFunction::MadSat},
      {"upsample", IntegerFunction::Upsample},
      {"bitselect", IntegerFunction::Bitselect}};
  return functions;
}

Registers Compiler::builtin(const Expr &expr, bool isStatement) {
  const std::string &name = expr.text;
  if (expr.effect == CallEffect::Fence || name == "prefetch")
    return {};
  std::vector<Registers> arguments;
  for (const ExprRef &operand : expr.operands)
    arguments.push_back(evaluate(*operand));
  if (isVectorLoad(expr) || isVectorStore(expr))
    return vectorMemory(expr, arguments);
  if (contains(name, "_image"))
    return image(expr, arguments);
  if (startsWith(name, "atomic_") || startsWith(name, "atom_"))
    return atomic(expr, arguments, isStatement);
  if (startsWith(name, "async_work_group_") || name == "wait_group_events")
    return asyncCopy(expr, arguments);
  if (expr.effect == CallEffect::WritesArgs && !arguments.empty())
    return throughPointer(expr, arguments);
  if (expr.effect != CallEffect::Pure) {
    giveUp("'" + name + "'");
    return unknownOf(expr.type);
  }
  if (expr.isElementwiseBuiltin)
    return elementwise(expr, arguments);
  if (expr.family != CallFamily::None)
    return conversion(expr, arguments[0]);
  if (startsWith(name, "is") || name == "signbit")
    return relational(expr, arguments);
  if (name == "select" || name == "any" || name == "all" ||
      startsWith(name, "shuffle"))
    return choose(expr, arguments);
  return wholeTerm(expr, arguments);
}

Registers Compiler::elementwise(const Expr &expr,
                                const std::vector<Registers> &arguments) {
  ScalarKind kind = expr.type.scalar, from = expr.operands[0]->type.scalar;
  std::string signature;
  for (const ExprRef &operand : expr.operands)
    signature += signatureOf(operand->type);
  auto known = integerFunctions().find(expr.text);
  bool isInteger = !contains(signature, "f") && !isFloatKind(kind);
  Registers result;
  for (unsigned lane = 0; lane < expr.type.lanes; ++lane) {
    Registers parts;
    for (const Registers &argument : arguments)
      parts.push_back(argument[argument.size() == 1 ? 0 : lane]);
    int32_t to = temporary();
    if (isInteger && known != integerFunctions().end()) {
      Instr &instr = emit(Opcode::Function, to);
      instr.kind = kind;
      instr.from = from;
      instr.imm = static_cast<int64_t>(known->second);
      setArguments(instr, parts);
    } else if (isInteger) {
      Instr &instr = emit(Opcode::Hash, to);
      instr.kind = kind;
      instr.imm = symbolNumber(expr.text, signature);
      setArguments(instr, parts);
    } else {
      // An integer that follows from floating-point values has the number that
      // the term has.
      Instr &instr = emit(Opcode::Term, to);
      instr.kind = isFloatKind(kind) ? kind : from;
      instr.imm = symbolNumber(expr.text, signature);
      setArguments(instr, parts);
      to = convertScalar(to, isFloatKind(kind) ? kind : from, kind);
    }
    result.push_back(to);
  }
  return result;
}

Registers Compiler::relational(const Expr &expr,
                               const std::vector<Registers> &arguments) {
  static const std::map<std::string, Opcode> operators = {
      {"isequal", Opcode::Eq},       {"isnotequal", Opcode::Ne},
      {"isgreater", Opcode::Gt},     {"isgreaterequal", Opcode::Ge},
      {"isless", Opcode::Lt},        {"islessequal", Opcode::Le},
      {"islessgreater", Opcode::Ne}, {"signbit", Opcode::Lt},
      {"isfinite", Opcode::Eq},      {"isordered", Opcode::Eq},
      {"isnormal", Opcode::Ne},      {"isnan", Opcode::Ne},
      {"isunordered", Opcode::Ne},   {"isinf", Opcode::Ne}};
  ScalarKind kind = expr.operands[0]->type.scalar;
  auto found = operators.find(expr.text);
  if (found == operators.end()) {
    giveUp("'" + expr.text + "'");
    return unknownOf(expr.type);
  }
  bool isWithZero = expr.text == "signbit" || expr.text == "isnormal";
  bool isOfOne = arguments.size() == 1 || contains(expr.text, "ordered");
  Registers result;
  for (size_t i = 0; i < arguments[0].size(); ++i) {
    int32_t other = isWithZero ? floatConstant(kind, 0)
                    : isOfOne  ? arguments[0][i]
                               : arguments[1][i];
    result.push_back(temporary());
    Instr &instr = emit(found->second, result.back(), arguments[0][i], other);
    instr.kind = kind;
    instr.imm = expr.type.isVector() ? -1 : 1;
  }
  return result;
}

/// select, any, all, shuffle and shuffle2.
Registers Compiler::choose(const Expr &expr,
                           const std::vector<Registers> &arguments) {
  Registers result;
  if (expr.text == "select") {
    ScalarKind kind = expr.operands[2]->type.scalar;
    for (size_t i = 0; i < arguments[0].size(); ++i) {
      result.push_back(temporary());
      Instr &instr =
          emit(Opcode::Select, result.back(), arguments[2][i], arguments[1][i]);
      instr.c = arguments[0][i];
      instr.kind = kind;
      // Vectors are chosen by the highest bit.
      instr.imm = expr.type.isVector();
    }
    return result;
  }
  if (expr.text == "any" || expr.text == "all") {
    ScalarKind kind = expr.operands[0]->type.scalar;
    for (int32_t part : arguments[0]) {
      int32_t isSet = temporary();
      Instr &instr = emit(Opcode::Lt, isSet, part, constant(kind, 0));
      instr.kind = kind;
      instr.imm = 1;
      if (!result.empty()) {
        int32_t both = temporary();
        emit(expr.text == "any" ? Opcode::Or : Opcode::And, both, result[0],
             isSet);
        isSet = both;
      }
      result = {isSet};
    }
    return result;
  }
  Registers all = arguments[0];
  if (expr.text == "shuffle2")
    all.append(arguments[1].begin(), arguments[1].end());
  for (int32_t index : arguments.back()) {
    result.push_back(temporary());
    setArguments(emit(Opcode::Pick, result.back(), index), all);
  }
  return result;
}

Registers Compiler::conversion(const Expr &expr, const Registers &argument) {
  const Type &from = expr.operands[0]->type, &to = expr.type;
  if (expr.family == CallFamily::Reinterpret)
    return reinterpret(argument, from, to);
  int64_t rounding = contains(expr.text, "_rte")   ? RoundNearest
                     : contains(expr.text, "_rtp") ? RoundUp
                     : contains(expr.text, "_rtn") ? RoundDown
                     : contains(expr.text, "_rtz") ? RoundZero
                                                   : RoundDefault;
  if (contains(expr.text, "_sat"))
    rounding |= Saturate;
  Registers result;
  for (int32_t part : argument)
    result.push_back(convertScalar(part, from.scalar, to.scalar, rounding));
  return result;
}

Registers Compiler::reinterpret(const Registers &value, const Type &from,
                                const Type &to) {
  bool isPlain =
      (from.isScalar() || from.isVector()) && (to.isScalar() || to.isVector());
  if (!isPlain)
    return value.size() == 1 ? value : unknownOf(to);
  Registers result;
  if (sizeOf(from.scalar) != sizeOf(to.scalar)) {
    // Through memory, as it is meant.
    ValuePlace whole = temporaryObject("value", Type());
    code.objects.back().size = 0;
    emit(Opcode::Clear, -1, whole.address);
    storeMemory(whole.address, 0, from.scalar, value);
    return loadMemory(whole.address, 0, to.scalar, to.lanes);
  }
  for (unsigned i = 0; i < to.lanes && i < value.size(); ++i) {
    if (from.scalar == to.scalar) {
      result.push_back(value[i]);
      continue;
    }
    result.push_back(temporary());
    Instr &instr = emit(Opcode::Reinterpret, result.back(), value[i]);
    instr.from = from.scalar;
    instr.kind = to.scalar;
  }
  while (result.size() < to.lanes)
    result.push_back(zero(to.scalar)); // the lane that vectors of three lack
  return result;
}

/// Functions of whole vectors: dot, length, cross and so on.
Registers Compiler::wholeTerm(const Expr &expr,
                              const std::vector<Registers> &arguments) {
  if (!expr.type.isScalar() && !expr.type.isVector()) {
    giveUp("'" + expr.text + "'");
    return unknownOf(expr.type);
  }
  bool isFloat = isFloatKind(expr.type.scalar);
  std::string signature = "i";
  for (size_t i = 0; i < arguments.size(); ++i)
    signature +=
        std::string(arguments[i].size(), signatureOf(expr.operands[i]->type));
  Registers result;
  for (unsigned lane = 0; lane < expr.type.lanes; ++lane) {
    Registers all = {constant(ScalarKind::Int, lane)};
    for (const Registers &argument : arguments)
      all.append(argument.begin(), argument.end());
    result.push_back(temporary());
    Instr &instr = emit(isFloat ? Opcode::Term : Opcode::Hash, result.back());
    instr.kind = expr.type.scalar;
    instr.imm = symbolNumber(expr.text, signature);
    setArguments(instr, all);
  }
  return result;
}

//===-- Builtins with memory ----------------------------------------------===//

Registers Compiler::vectorMemory(const Expr &expr,
                                 const std::vector<Registers> &arguments) {
  const std::string &name = expr.text;
  bool isStore = isVectorStore(expr), isHalf = contains(name, "half");
  size_t at = isStore ? 1 : 0;
  const Type &pointer = expr.operands[at + 1]->type;
  const Type *value = isStore ? &expr.operands[0]->type : &expr.type;
  bool isKnown = pointer.element && pointer.element->isScalar() &&
                 (isHalf || pointer.element->scalar == value->scalar);
  if (!isKnown) {
    giveUp("'" + name + "'");
    return unknownOf(expr.type);
  }
  ScalarKind kind = isHalf ? ScalarKind::Half : value->scalar;
  int32_t address = temporary();
  emit(Opcode::Advance, address, arguments[at + 1][0], arguments[at][0]).imm =
      static_cast<int64_t>(vectorPitch(expr)) * sizeOf(kind);
  if (!isStore) {
    Registers result;
    for (int32_t part : loadMemory(address, 0, kind, value->lanes))
      result.push_back(convertScalar(part, kind, value->scalar));
    return result;
  }
  int64_t rounding = contains(name, "_rtz")   ? RoundZero
                     : contains(name, "_rtp") ? RoundUp
                     : contains(name, "_rtn") ? RoundDown
                                              : RoundDefault;
  Registers parts;
  for (int32_t part : arguments[0])
    parts.push_back(convertScalar(part, value->scalar, kind, rounding));
  storeMemory(address, 0, kind, parts);
  return {};
}

/// What is read is a function of image and coordinates, unless the image is
/// known to lie in a buffer; every pixel that is written has a place of its
/// own.
Registers Compiler::image(const Expr &expr,
                          const std::vector<Registers> &arguments) {
  bool isRead = startsWith(expr.text, "read_image");
  if (isRead || startsWith(expr.text, "get_image")) {
    Registers result = wholeTerm(expr, arguments);
    // By numbers of rows and columns, integers may come from a buffer.
    bool isInteger = expr.type.isInteger() && arguments.back().size() == 2 &&
                     expr.operands.back()->type.isInteger();
    if (isRead && isInteger) {
      Registers parts = result;
      parts.append(arguments.back().begin(), arguments.back().end());
      Instr &instr = emit(Opcode::Texel, -1, arguments[0][0]);
      instr.kind = expr.type.scalar;
      setArguments(instr, parts);
    }
    return result;
  }
  bool isWrite = startsWith(expr.text, "write_image") && arguments.size() == 3;
  if (!isWrite || !expr.operands[1]->type.isInteger()) {
    giveUp("'" + expr.text + "'");
    return unknownOf(expr.type);
  }
  ScalarKind kind = expr.operands[2]->type.scalar;
  int64_t bytes = 16;
  int32_t address = arguments[0][0];
  for (int32_t coordinate : arguments[1]) {
    int32_t next = temporary();
    emit(Opcode::Advance, next, address, coordinate).imm = bytes;
    address = next;
    bytes *= 4096;
  }
  storeMemory(address, 0, kind, arguments[2]);
  return {};
}

/// The operation in "atomic_fetch_add_explicit", and whether the name is one of
/// those with a type of their own.
static std::optional<AtomicFunction> atomicFunction(const std::string &name) {
  static const std::map<std::string, AtomicFunction> functions = {
      {"add", AtomicFunction::Add},
      {"sub", AtomicFunction::Sub},
      {"inc", AtomicFunction::Add},
      {"dec", AtomicFunction::Sub},
      {"and", AtomicFunction::And},
      {"or", AtomicFunction::Or},
      {"xor", AtomicFunction::Xor},
      {"min", AtomicFunction::Min},
      {"max", AtomicFunction::Max},
      {"xchg", AtomicFunction::Exchange},
      {"exchange", AtomicFunction::Exchange},
      {"cmpxchg", AtomicFunction::CompareExchange},
      {"load", AtomicFunction::Load},
      {"store", AtomicFunction::Store},
      {"init", AtomicFunction::Store}};
  std::string part = name.substr(name.find('_') + 1);
  if (startsWith(part, "fetch_"))
    part = part.substr(6);
  auto found = functions.find(part.substr(0, part.find("_explicit")));
  if (found == functions.end())
    return std::nullopt;
  return found->second;
}

Registers Compiler::atomic(const Expr &expr,
                           const std::vector<Registers> &arguments,
                           bool isStatement) {
  std::optional<AtomicFunction> known = atomicFunction(expr.text);
  const Type &pointer = expr.operands[0]->type;
  const Type *element = pointer.element.get();
  const Type *type = element && element->isScalar() ? element : &expr.type;
  if ((!type->isScalar() || type->scalar == ScalarKind::Void) &&
      expr.operands.size() > 1)
    type = &expr.operands[1]->type;
  bool isPlain = type->isScalar() && type->scalar != ScalarKind::Void;
  bool isMissing = known == AtomicFunction::CompareExchange &&
                   (arguments.size() < 3 || isFloatKind(type->scalar));
  if (!known || !isPlain || isMissing) {
    giveUp("'" + expr.text + "'");
    return unknownOf(expr.type);
  }
  ScalarKind kind = type->scalar;
  int32_t to = temporary();
  int32_t given = arguments.size() > 1 && known != AtomicFunction::Load
                      ? arguments[1][0]
                      : constant(kind, 1);
  Instr &instr = emit(Opcode::Atomic, to, arguments[0][0], given);
  if (known == AtomicFunction::CompareExchange)
    instr.c = arguments[2][0];
  instr.kind = kind;
  instr.imm = static_cast<int64_t>(*known);
  instr.flag = isStatement; // nobody reads the old value
  return {to};
}

/// Copies by the whole group, which are done when they are waited for.
Registers Compiler::asyncCopy(const Expr &expr,
                              const std::vector<Registers> &arguments) {
  if (expr.text == "wait_group_events") {
    emit(Opcode::WaitAsync);
    return {};
  }
  const Type &to = expr.operands[0]->type;
  bool isStrided = contains(expr.text, "strided");
  const Type *element = to.element.get();
  bool isKnown = element && (element->isScalar() || element->isVector()) &&
                 arguments.size() == (isStrided ? 5 : 4) &&
                 !contains(expr.text, "2D") && !contains(expr.text, "3D");
  if (!isKnown) {
    giveUp("'" + expr.text + "'");
    return unknownOf(expr.type);
  }
  int32_t one = constant(ScalarKind::ULong, 1), toStride = one,
          fromStride = one;
  if (isStrided && to.space == AddressSpace::Local)
    fromStride = arguments[3][0];
  else if (isStrided)
    toStride = arguments[3][0];
  Instr &instr = emit(Opcode::AsyncCopy, -1, arguments[0][0], arguments[1][0]);
  instr.kind = element->scalar;
  instr.imm = static_cast<int64_t>(element->size);
  setArguments(instr, {arguments[2][0], toStride, fromStride});
  return {constant(ScalarKind::ULong, 0)};
}

/// fract, sincos and others with a second result.
Registers Compiler::throughPointer(const Expr &expr,
                                   const std::vector<Registers> &arguments) {
  const Type &pointer = expr.operands.back()->type;
  const Type *second = pointer.element.get();
  bool isKnown = second && (second->isScalar() || second->isVector()) &&
                 (expr.type.isScalar() || expr.type.isVector()) &&
                 expr.operands[0]->type.isFloating();
  if (!isKnown) {
    giveUp("'" + expr.text + "'");
    return unknownOf(expr.type);
  }
  std::string signature(arguments.size() - 1, 'f');
  auto results = [&](const std::string &name, const Type &type) {
    Registers result;
    ScalarKind from = expr.operands[0]->type.scalar;
    for (unsigned lane = 0; lane < type.lanes; ++lane) {
      Registers parts;
      for (size_t i = 0; i + 1 < arguments.size(); ++i)
        parts.push_back(arguments[i][arguments[i].size() == 1 ? 0 : lane]);
      int32_t to = temporary();
      Instr &instr = emit(Opcode::Term, to);
      instr.kind = from;
      instr.imm = symbolNumber(name, signature);
      setArguments(instr, parts);
      result.push_back(convertScalar(to, from, type.scalar));
    }
    return result;
  };
  storeMemory(arguments.back()[0], 0, second->scalar,
              results(expr.text + " second", *second));
  return results(expr.text, expr.type);
}

} // namespace clopt
