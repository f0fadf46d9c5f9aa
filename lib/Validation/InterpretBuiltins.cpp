//===- InterpretBuiltins.cpp - conversions and builtin functions ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of integers are computed, functions of floating-point values are
// terms. What is not known here ends the run.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Interpreter.h"

#include <algorithm>
#include <cmath>

namespace clopt {

static bool startsWith(const std::string &text, const char *prefix) {
  return text.rfind(prefix, 0) == 0;
}

static bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

//===-- Conversions -------------------------------------------------------===//

static void limitsOf(ScalarKind kind, double &low, double &high) {
  unsigned bits = sizeOf(kind) * 8;
  bool isSigned = kind == ScalarKind::Char || kind == ScalarKind::Short ||
                  kind == ScalarKind::Int || kind == ScalarKind::Long;
  low = isSigned ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0;
  high = std::ldexp(1.0, static_cast<int>(isSigned ? bits - 1 : bits)) - 1;
}

/// `name`: the conversion function, for rounding and saturation.
int64_t Interpreter::toInteger(double value, ScalarKind to,
                               const std::string &name) const {
  double whole = contains(name, "_rte")   ? std::nearbyint(value)
                 : contains(name, "_rtp") ? std::ceil(value)
                 : contains(name, "_rtn") ? std::floor(value)
                                          : std::trunc(value);
  double low, high;
  limitsOf(to, low, high);
  // Beyond the type the result is whatever, unless it saturates.
  if (contains(name, "_sat"))
    whole = std::min(std::max(whole, low), high);
  if (whole >= 9e18 || whole <= -9e18)
    return wrapTo(to, whole > 0 ? INT64_MAX : INT64_MIN);
  return wrapTo(to, static_cast<int64_t>(whole));
}

int64_t Interpreter::convert(int64_t part, ScalarKind from, ScalarKind to) {
  if (from == to)
    return part;
  if (!isFloatKind(from) && !isFloatKind(to))
    return wrapTo(to, part);
  if (!isFloatKind(from)) {
    double number = from == ScalarKind::ULong
                        ? static_cast<double>(static_cast<uint64_t>(part))
                        : static_cast<double>(part);
    return terms.literal(to, number);
  }
  if (!isFloatKind(to))
    return to == ScalarKind::Bool ? terms.value(part) != 0
                                  : toInteger(terms.value(part), to, "");
  if (terms.isLiteral(part))
    return terms.literal(to, terms.value(part));
  return terms.make("convert", "f", to, {part});
}

Value Interpreter::convert(const Value &value, const Type &from,
                           const Type &to) {
  if (from.isPointer() || to.isPointer() || from.isArray() || to.isArray()) {
    if (from.isPointer() && to.isPointer())
      return value;
    throw GiveUp{"a conversion"};
  }
  Value result;
  for (int64_t part : value)
    result.push_back(convert(part, from.scalar, to.scalar));
  if (to.isVector() && result.size() == 1)
    result = Value(to.lanes, result[0]);
  return result;
}

Value Interpreter::evaluateCast(const Expr &expr, unsigned item) {
  const Expr &operand = *expr.operands[0];
  if (expr.type.kind == TypeKind::Scalar &&
      expr.type.scalar == ScalarKind::Void) {
    evaluate(operand, item);
    return {};
  }
  if (operand.type.isArray() && expr.type.isPointer()) {
    Place at = place(operand, item);
    return {at.object, at.offset};
  }
  Value value = evaluate(operand, item);
  if (operand.type.isPointer() && expr.type.isInteger()) {
    if (value[0] < 0)
      throw GiveUp{"a null pointer"};
    int64_t address = memory.object(value[0]).address + value[1];
    return {wrapTo(expr.type.scalar, address)};
  }
  if (expr.type.isPointer() && operand.type.isInteger() && value[0] == 0)
    return {-1, 0};
  return convert(value, operand.type, expr.type);
}

Value Interpreter::conversion(const Expr &call, const Value &argument) {
  const Type &from = call.operands[0]->type, &to = call.type;
  bool isBits = startsWith(call.text, "as_");
  bool isFloat = isFloatKind(from.scalar) || isFloatKind(to.scalar);
  if (isBits) {
    if (from.scalar == to.scalar)
      return argument;
    if (from.lanes != to.lanes || isFloat ||
        sizeOf(from.scalar) != sizeOf(to.scalar))
      throw GiveUp{"'" + call.text + "'"};
    return convert(argument, from, to);
  }
  Value result;
  for (int64_t part : argument) {
    if (!isFloat) {
      double low, high;
      limitsOf(to.scalar, low, high);
      auto number = static_cast<double>(part);
      bool isSaturated = contains(call.text, "_sat");
      if (isSaturated && (sizeOf(from.scalar) == 8 || sizeOf(to.scalar) == 8))
        throw GiveUp{"'" + call.text + "'"};
      part = isSaturated && number < low    ? static_cast<int64_t>(low)
             : isSaturated && number > high ? static_cast<int64_t>(high)
                                            : part;
      result.push_back(wrapTo(to.scalar, part));
    } else if (isFloatKind(to.scalar)) {
      if (contains(call.text, "_rt"))
        throw GiveUp{"'" + call.text + "'"};
      result.push_back(convert(part, from.scalar, to.scalar));
    } else {
      result.push_back(toInteger(terms.value(part), to.scalar, call.text));
    }
  }
  return result;
}

//===-- Builtins ----------------------------------------------------------===//

std::optional<int64_t>
Interpreter::integerBuiltin(const std::string &name, ScalarKind kind,
                            const std::vector<int64_t> &x) {
  auto less = [&](int64_t a, int64_t b) {
    return compare(Op::Lt, kind, a, b) != 0;
  };
  if (name == "min" && x.size() == 2)
    return less(x[1], x[0]) ? x[1] : x[0];
  if (name == "max" && x.size() == 2)
    return less(x[0], x[1]) ? x[1] : x[0];
  if (name == "clamp" && x.size() == 3)
    return less(x[0], x[1]) ? x[1] : less(x[2], x[0]) ? x[2] : x[0];
  if (name == "abs" && x.size() == 1)
    return kind != ScalarKind::ULong && x[0] < 0 ? -x[0] : x[0];
  if (name == "abs_diff" && x.size() == 2)
    return less(x[0], x[1]) ? x[1] - x[0] : x[0] - x[1];
  if ((name == "mul24" || name == "mad24") && x.size() >= 2) {
    auto cut = [&](int64_t v) {
      return kind == ScalarKind::UInt
                 ? v & 0xffffff
                 : static_cast<int64_t>(static_cast<uint64_t>(v) << 40) >> 40;
    };
    return cut(x[0]) * cut(x[1]) + (x.size() > 2 ? x[2] : 0);
  }
  unsigned bits = sizeOf(kind) * 8;
  uint64_t mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  uint64_t u = static_cast<uint64_t>(x[0]) & mask;
  if (name == "rotate" && x.size() == 2) {
    auto by = static_cast<unsigned>(x[1]) & (bits - 1);
    return static_cast<int64_t>(by ? (u << by) | (u >> (bits - by)) : u);
  }
  if (name == "popcount" || name == "clz") {
    int64_t count = 0, leading = 0;
    for (unsigned bit = 0; bit < bits; ++bit)
      count += (u >> bit) & 1;
    while (leading < bits && !((u >> (bits - 1 - leading)) & 1))
      ++leading;
    return name == "clz" ? leading : count;
  }
  bool isSmall = bits < 64;
  if (isSmall && (name == "hadd" || name == "rhadd") && x.size() == 2)
    return (x[0] + x[1] + (name == "rhadd")) >> 1;
  if (isSmall && (name == "add_sat" || name == "sub_sat") && x.size() == 2) {
    double low, high;
    limitsOf(kind, low, high);
    int64_t sum = name == "add_sat" ? x[0] + x[1] : x[0] - x[1];
    return std::min(std::max(sum, static_cast<int64_t>(low)),
                    static_cast<int64_t>(high));
  }
  return std::nullopt;
}

Value Interpreter::elementwise(const Expr &call,
                               const std::vector<Value> &arguments) {
  Value result;
  ScalarKind kind = call.type.scalar;
  std::string signature;
  for (const ExprRef &operand : call.operands)
    signature += isFloatKind(operand->type.scalar) ? 'f' : 'i';
  for (unsigned lane = 0; lane < call.type.lanes; ++lane) {
    std::vector<int64_t> x;
    for (const Value &argument : arguments)
      x.push_back(argument[argument.size() == 1 ? 0 : lane]);
    if (isFloatKind(kind)) {
      result.push_back(terms.make(call.text, signature, kind, x));
      continue;
    }
    std::optional<int64_t> number;
    if (contains(signature, "i") && !contains(signature, "f"))
      number = integerBuiltin(call.text, call.operands[0]->type.scalar, x);
    if (!number)
      throw GiveUp{"function '" + call.text + "'"};
    result.push_back(wrapTo(kind, *number));
  }
  return result;
}

Value Interpreter::relational(const Expr &call,
                              const std::vector<Value> &arguments) {
  static const std::map<std::string, Op> operators = {
      {"isequal", Op::Eq},      {"isnotequal", Op::Ne},
      {"isgreater", Op::Gt},    {"isgreaterequal", Op::Ge},
      {"isless", Op::Lt},       {"islessequal", Op::Le},
      {"islessgreater", Op::Ne}};
  ScalarKind kind = call.operands[0]->type.scalar;
  auto found = operators.find(call.text);
  Value result;
  for (size_t i = 0; i < arguments[0].size(); ++i) {
    bool holdsHere = call.text == "isfinite" || call.text == "isordered" ||
                     call.text == "isnormal";
    if (found != operators.end())
      holdsHere =
          compare(found->second, kind, arguments[0][i], arguments[1][i]) != 0;
    else if (call.text == "signbit")
      holdsHere = terms.value(arguments[0][i]) < 0;
    result.push_back(holdsHere ? (call.type.isVector() ? -1 : 1) : 0);
  }
  return result;
}

/// select, any, all, shuffle and shuffle2.
std::optional<Value> Interpreter::choose(const Expr &call,
                                         const std::vector<Value> &arguments) {
  Value result;
  if (call.text == "select") {
    for (size_t i = 0; i < arguments[0].size(); ++i) {
      int64_t choice = arguments[2][i];
      ScalarKind kind = call.operands[2]->type.scalar;
      // Vectors are chosen by the highest bit.
      bool isSecond = call.type.isVector()
                          ? (choice >> (sizeOf(kind) * 8 - 1)) & 1
                          : choice != 0;
      result.push_back(arguments[isSecond ? 1 : 0][i]);
    }
    return result;
  }
  if (call.text == "any" || call.text == "all") {
    unsigned top = sizeOf(call.operands[0]->type.scalar) * 8 - 1;
    auto isSet = [&](int64_t part) { return (part >> top) & 1; };
    const Value &parts = arguments[0];
    bool holdsHere = call.text == "any"
                         ? std::any_of(parts.begin(), parts.end(), isSet)
                         : std::all_of(parts.begin(), parts.end(), isSet);
    return Value{holdsHere ? 1 : 0};
  }
  if (call.text == "shuffle" || call.text == "shuffle2") {
    Value all = arguments[0];
    if (call.text == "shuffle2")
      all.append(arguments[1].begin(), arguments[1].end());
    for (int64_t index : arguments.back())
      result.push_back(all[static_cast<size_t>(index) & (all.size() - 1)]);
    return result;
  }
  return std::nullopt;
}

/// Functions of whole vectors: dot, length, cross and so on.
Value Interpreter::wholeTerm(const Expr &call,
                             const std::vector<Value> &arguments) {
  if (!isFloatKind(call.type.scalar))
    throw GiveUp{"function '" + call.text + "'"};
  std::vector<int64_t> all = {0};
  std::string signature = "i";
  for (size_t i = 0; i < arguments.size(); ++i)
    for (int64_t part : arguments[i]) {
      all.push_back(part);
      signature += isFloatKind(call.operands[i]->type.scalar) ? 'f' : 'i';
    }
  Value result;
  for (unsigned lane = 0; lane < call.type.lanes; ++lane) {
    all[0] = lane;
    result.push_back(terms.make(call.text, signature, call.type.scalar, all));
  }
  return result;
}

Value Interpreter::vectorMemory(const Expr &call,
                                const std::vector<Value> &arguments,
                                unsigned item) {
  bool isStore = startsWith(call.text, "vstore");
  size_t at = isStore ? 1 : 0;
  const Expr &pointer = *call.operands[at + 1];
  const Value &address = arguments[at + 1];
  if (contains(call.text, "half") || !pointer.type.element ||
      !pointer.type.element->isScalar() || address[0] < 0)
    throw GiveUp{"'" + call.text + "'"};
  ScalarKind kind = pointer.type.element->scalar;
  auto lanes =
      isStore ? static_cast<unsigned>(arguments[0].size()) : call.type.lanes;
  int64_t offset = address[1] + arguments[at][0] * lanes * sizeOf(kind);
  if (!isStore)
    return loadParts(address[0], offset, kind, lanes, item);
  storeParts(address[0], offset, kind, arguments[0], item);
  return {};
}

/// Updates that nobody reads the old value of: their order does not matter.
void Interpreter::atomic(const Expr &call, unsigned item) {
  Value address = evaluate(*call.operands[0], item);
  const Type &pointer = call.operands[0]->type;
  std::string name = call.text.substr(call.text.find('_') + 1);
  if (!pointer.element || !pointer.element->isInteger() || address[0] < 0 ||
      call.operands.size() > 2)
    throw GiveUp{"'" + call.text + "'"};
  ScalarKind kind = pointer.element->scalar;
  int64_t given =
      call.operands.size() > 1 ? scalar(*call.operands[1], item) : 1;
  static const std::map<std::string, Op> operators = {
      {"add", Op::Add}, {"sub", Op::Sub}, {"inc", Op::Add}, {"dec", Op::Sub},
      {"and", Op::And}, {"or", Op::Or},   {"xor", Op::Xor}};
  MemoryCell &cell = memory.atomic(address[0], address[1], kind);
  auto found = operators.find(name);
  if (found != operators.end())
    cell.value = combine(found->second, kind, cell.value, given);
  else if (name == "min" || name == "max")
    cell.value = *integerBuiltin(name, kind, {cell.value, given});
  else
    throw GiveUp{"'" + call.text + "'"};
  cell.written = current;
}

Value Interpreter::evaluateCall(const Expr &call, unsigned item) {
  if (const Function *function = findFunction(call))
    return callFunction(*function, call, item);
  if (call.effect == CallEffect::Fence || call.text == "prefetch")
    return {};
  bool isMemory =
      startsWith(call.text, "vload") || startsWith(call.text, "vstore");
  if (!isMemory && call.effect != CallEffect::Pure)
    throw GiveUp{"'" + call.text + "'"};
  std::vector<Value> arguments;
  for (const ExprRef &operand : call.operands)
    arguments.push_back(evaluate(*operand, item));
  if (isMemory)
    return vectorMemory(call, arguments, item);
  if (call.isElementwiseBuiltin)
    return elementwise(call, arguments);
  if (startsWith(call.text, "convert_") || startsWith(call.text, "as_"))
    return conversion(call, arguments[0]);
  if (startsWith(call.text, "is") || call.text == "signbit")
    return relational(call, arguments);
  if (std::optional<Value> chosen = choose(call, arguments))
    return *chosen;
  return wholeTerm(call, arguments);
}

} // namespace clopt
