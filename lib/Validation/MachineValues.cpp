//===- MachineValues.cpp - operations of symbolic runs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Machine.h"

#include "Validation/IntegerFunctions.h"

#include <algorithm>
#include <cmath>

namespace clopt {

//===-- Integers ----------------------------------------------------------===//

namespace {

struct Wrap32 {
  int64_t operator()(uint64_t value) const {
    return static_cast<int32_t>(static_cast<uint32_t>(value));
  }
};
struct Cut32 {
  int64_t operator()(uint64_t value) const {
    return static_cast<uint32_t>(value);
  }
};
struct Wrap64 {
  int64_t operator()(uint64_t value) const {
    return static_cast<int64_t>(value);
  }
};
struct WrapAny {
  ScalarKind kind;
  int64_t operator()(uint64_t value) const {
    return wrapTo(kind, static_cast<int64_t>(value));
  }
};

} // namespace

/// Calls `work` with what brings results to the kind.
template <typename Function>
static void withWrap(ScalarKind kind, Function work) {
  switch (kind) {
  case ScalarKind::Int:
    return work(Wrap32());
  case ScalarKind::UInt:
    return work(Cut32());
  case ScalarKind::Long:
  case ScalarKind::ULong:
    return work(Wrap64());
  default:
    return work(WrapAny{kind});
  }
}

/// The frequent operations; false for all others.
bool Machine::runInteger(const Instr &instr, const Items &active) {
  if (instr.op > Opcode::Xor || instr.op < Opcode::Add)
    return false;
  if (instr.op == Opcode::Div || instr.op == Opcode::Rem) {
    divide(instr, active);
    return true;
  }
  int64_t *to = reg(instr.dst);
  const int64_t *x = reg(instr.a), *y = reg(instr.b);
  uint64_t bits = sizeOf(instr.kind) * 8 - 1;
  bool isWide = instr.kind == ScalarKind::ULong;
  // Shifts lose bits as they are meant to.
  const bool isSum = instr.op == Opcode::Add || instr.op == Opcode::Sub ||
                     instr.op == Opcode::Mul;
  if (isSum && instr.kind == ScalarKind::Long && !result.overflows)
    noteLongOverflow(instr, active);
  uint64_t lost = 0; // bits, of somebody
  withWrap(instr.kind, [&](auto wrap) {
    auto all = [&](auto combine) {
      each(active, [&](uint32_t i) {
        const uint64_t exact =
            combine(static_cast<uint64_t>(x[i]), static_cast<uint64_t>(y[i]));
        to[i] = wrap(exact);
        lost |= exact ^ static_cast<uint64_t>(to[i]);
      });
    };
    switch (instr.op) {
    case Opcode::Add:
      return all([](uint64_t a, uint64_t b) { return a + b; });
    case Opcode::Sub:
      return all([](uint64_t a, uint64_t b) { return a - b; });
    case Opcode::Mul:
      return all([](uint64_t a, uint64_t b) { return a * b; });
    case Opcode::And:
      return all([](uint64_t a, uint64_t b) { return a & b; });
    case Opcode::Or:
      return all([](uint64_t a, uint64_t b) { return a | b; });
    case Opcode::Xor:
      return all([](uint64_t a, uint64_t b) { return a ^ b; });
    case Opcode::Shl:
      return all([=](uint64_t a, uint64_t b) { return a << (b & bits); });
    default:
      return all([=](uint64_t a, uint64_t b) {
        return isWide ? a >> (b & bits)
                      : static_cast<uint64_t>(static_cast<int64_t>(a) >>
                                              (b & bits));
      });
    }
  });
  // Narrower ones are results of conversions, of which all have a meaning.
  result.overflows |= lost != 0 && isSum && instr.kind == ScalarKind::Int;
  return true;
}

void Machine::noteLongOverflow(const Instr &instr, const Items &active) {
  const int64_t *x = reg(instr.a), *y = reg(instr.b);
  bool isLost = false;
  each(active, [&](uint32_t i) {
    int64_t value = 0;
    isLost |=
        instr.op == Opcode::Add   ? __builtin_add_overflow(x[i], y[i], &value)
        : instr.op == Opcode::Sub ? __builtin_sub_overflow(x[i], y[i], &value)
                                  : __builtin_mul_overflow(x[i], y[i], &value);
  });
  result.overflows |= isLost;
}

void Machine::divide(const Instr &instr, const Items &active) {
  int64_t *to = reg(instr.dst);
  const int64_t *x = reg(instr.a), *y = reg(instr.b);
  bool isWide = instr.kind == ScalarKind::ULong;
  bool isDivision = instr.op == Opcode::Div;
  each(active, [&](uint32_t i) {
    if (y[i] == 0)
      throw RunFault{"a division by zero",
                     instr.range ? *instr.range : SourceRange()};
    int64_t value = 0;
    auto ux = static_cast<uint64_t>(x[i]), uy = static_cast<uint64_t>(y[i]);
    if (isWide)
      value = static_cast<int64_t>(isDivision ? ux / uy : ux % uy);
    else if (y[i] == -1)
      value = isDivision ? static_cast<int64_t>(0 - ux) : 0;
    else
      value = isDivision ? x[i] / y[i] : x[i] % y[i];
    to[i] = wrapTo(instr.kind, value);
  });
}

template <typename T, typename Function>
static void withComparison(Opcode op, Function work) {
  switch (op) {
  case Opcode::Lt:
    return work([](T x, T y) { return x < y; });
  case Opcode::Le:
    return work([](T x, T y) { return x <= y; });
  case Opcode::Gt:
    return work([](T x, T y) { return x > y; });
  case Opcode::Ge:
    return work([](T x, T y) { return x >= y; });
  case Opcode::Eq:
    return work([](T x, T y) { return x == y; });
  default:
    return work([](T x, T y) { return x != y; });
  }
}

void Machine::compare(const Instr &instr, const Items &active) {
  int64_t *to = reg(instr.dst), yes = instr.imm;
  const int64_t *x = reg(instr.a), *y = reg(instr.b);
  if (isFloatKind(instr.kind))
    return withComparison<double>(instr.op, [&](auto holds) {
      each(active, [&](uint32_t i) {
        to[i] = holds(terms.value(x[i]), terms.value(y[i])) ? yes : 0;
      });
    });
  if (instr.kind == ScalarKind::ULong)
    return withComparison<uint64_t>(instr.op, [&](auto holds) {
      each(active, [&](uint32_t i) {
        to[i] = holds(static_cast<uint64_t>(x[i]), static_cast<uint64_t>(y[i]))
                    ? yes
                    : 0;
      });
    });
  withComparison<int64_t>(instr.op, [&](auto holds) {
    each(active, [&](uint32_t i) { to[i] = holds(x[i], y[i]) ? yes : 0; });
  });
}

void Machine::function(const Instr &instr, const Items &active) {
  int64_t *to = reg(instr.dst);
  auto which = static_cast<IntegerFunction>(instr.imm);
  each(active, [&](uint32_t i) {
    int64_t x[3] = {0, 0, 0};
    for (unsigned k = 0; k < instr.count && k < 3; ++k)
      x[k] = reg(argument(instr, k))[i];
    to[i] = wrapTo(instr.kind, integerFunction(which, instr.from, x));
  });
}

//===-- Conversions -------------------------------------------------------===//

int64_t Machine::convert(const Instr &instr, int64_t value) {
  ScalarKind from = instr.from, to = instr.kind;
  bool isSaturated = (instr.imm & Saturate) != 0;
  int64_t rounding = instr.imm & ~Saturate;
  if (!isFloatKind(from) && !isFloatKind(to))
    return isSaturated ? saturated(to, widened(from, value))
                       : wrapTo(to, value);
  if (!isFloatKind(from)) {
    double number = from == ScalarKind::ULong
                        ? static_cast<double>(static_cast<uint64_t>(value))
                        : static_cast<double>(value);
    return terms.literal(to, number);
  }
  if (isFloatKind(to)) {
    if (terms.isLiteral(value))
      return terms.literal(to, terms.value(value));
    static const char *const names[] = {"convert", "convert", "convert_rtp",
                                        "convert_rtn", "convert_rtz"};
    return terms.make(names[rounding], "f", to, {value});
  }
  double number = terms.value(value);
  if (to == ScalarKind::Bool)
    return number != 0;
  double whole = rounding == RoundNearest ? std::nearbyint(number)
                 : rounding == RoundUp    ? std::ceil(number)
                 : rounding == RoundDown  ? std::floor(number)
                                          : std::trunc(number);
  if (!(std::fabs(whole) < 1e30)) // or not a number
    whole = whole > 0 ? 1e30 : whole < 0 ? -1e30 : 0;
  // Beyond the type the result is whatever, unless it saturates.
  auto wide = static_cast<__int128>(whole);
  return isSaturated ? saturated(to, wide)
                     : wrapTo(to, static_cast<int64_t>(wide));
}

int64_t Machine::reinterpret(const Instr &instr, int64_t value) {
  bool isFloat = isFloatKind(instr.from);
  int64_t bits = isFloat ? terms.bitsOf(value) : value;
  return isFloatKind(instr.kind) ? terms.fromBits(instr.kind, bits)
                                 : wrapTo(instr.kind, bits);
}

int64_t Machine::unset(ScalarKind kind) {
  auto seed = static_cast<int64_t>(result.memory.unsetSeed);
  if (isFloatKind(kind))
    return terms.make("unset", "i", kind, {seed});
  return wrapTo(kind,
                static_cast<int64_t>(0x5a5a5a5a5a5a5a5aULL ^
                                     mixBits(7, result.memory.unsetSeed)));
}

//===-- Terms -------------------------------------------------------------===//

void Machine::term(const Instr &instr, const Items &active) {
  int64_t *to = reg(instr.dst);
  auto number = static_cast<size_t>(instr.imm);
  unsigned symbol = symbols[number];
  spend(stepsWithin(instr) * active.list.size());
  bool isNegation = instr.count == 1 && code.symbols[number].name == "-";
  operands.resize(static_cast<size_t>(instr.count) * TermStore::maxAtOnce);
  for (size_t first = 0; first < active.list.size();
       first += TermStore::maxAtOnce) {
    auto many = static_cast<unsigned>(
        std::min<size_t>(TermStore::maxAtOnce, active.list.size() - first));
    const uint32_t *list = &active.list[first];
    for (unsigned k = 0; k < instr.count; ++k) {
      const int64_t *from = reg(argument(instr, k));
      for (unsigned i = 0; i < many; ++i)
        operands[k * many + i] = from[list[i]];
    }
    int64_t made[TermStore::maxAtOnce];
    terms.makeAll(symbol, instr.kind, operands.data(), instr.count, many, made);
    for (unsigned i = 0; i < many; ++i)
      to[list[i]] = isNegation && terms.isLiteral(operands[i])
                        ? terms.literal(instr.kind, -terms.value(operands[i]))
                        : made[i];
  }
}

/// A function of which nothing is known but that it is one.
void Machine::hash(const Instr &instr, const Items &active) {
  int64_t *to = reg(instr.dst);
  const CodeSymbol &symbol = code.symbols[static_cast<size_t>(instr.imm)];
  uint64_t seed = mixText(11, symbol.name + "/" + symbol.signature);
  each(active, [&](uint32_t i) {
    uint64_t bits = seed;
    for (unsigned k = 0; k < instr.count; ++k)
      bits = mixBits(bits, static_cast<uint64_t>(reg(argument(instr, k))[i]));
    to[i] = wrapTo(instr.kind, static_cast<int64_t>(bits % 61));
  });
}

//===-- Everything else ---------------------------------------------------===//

void Machine::distance(const Instr &instr, const Items &active) {
  int64_t *to = reg(instr.dst);
  const int64_t *x = reg(instr.a), *y = reg(instr.b);
  each(active, [&](uint32_t i) {
    int64_t offset = 0;
    if (memory.at(x[i], offset) != memory.at(y[i], offset))
      throw GiveUp{"a difference of unrelated pointers"};
    to[i] = advanced(x[i], y[i], -1) / std::max<int64_t>(1, instr.imm);
  });
}

void Machine::runValue(const Instr &instr, const Items &active) {
  if (instr.op >= Opcode::Load)
    return runMemory(instr, active);
  int64_t *to = reg(instr.dst);
  const int64_t *x = instr.a >= 0 ? reg(instr.a) : nullptr;
  const int64_t *y = instr.b >= 0 ? reg(instr.b) : nullptr;
  switch (instr.op) {
  case Opcode::Copy:
    return each(active, [&](uint32_t i) { to[i] = x[i]; });
  case Opcode::Unset: {
    int64_t value = unset(instr.kind);
    return each(active, [&](uint32_t i) { to[i] = value; });
  }
  case Opcode::IsZero:
    if (isFloatKind(instr.kind))
      return each(active, [&](uint32_t i) {
        to[i] = terms.value(x[i]) == 0 ? instr.imm : 0;
      });
    return each(active, [&](uint32_t i) { to[i] = x[i] == 0 ? instr.imm : 0; });
  case Opcode::Not:
    return each(active, [&](uint32_t i) { to[i] = wrapTo(instr.kind, ~x[i]); });
  case Opcode::Convert:
    return each(active, [&](uint32_t i) { to[i] = convert(instr, x[i]); });
  case Opcode::Reinterpret:
    return each(active, [&](uint32_t i) { to[i] = reinterpret(instr, x[i]); });
  case Opcode::Term:
    return term(instr, active);
  case Opcode::Hash:
    return hash(instr, active);
  case Opcode::Function:
    return function(instr, active);
  case Opcode::Select: {
    const int64_t *z = reg(instr.c);
    unsigned top = sizeOf(instr.kind) * 8 - 1;
    return each(active, [&](uint32_t i) {
      bool isFirst = instr.imm ? (x[i] >> top) & 1 : x[i] != 0;
      to[i] = isFirst ? y[i] : z[i];
    });
  }
  case Opcode::Pick:
    return each(active, [&](uint32_t i) {
      auto index = static_cast<unsigned>(x[i]) & (instr.count - 1U);
      to[i] = reg(argument(instr, index))[i];
    });
  case Opcode::Advance:
    return each(active,
                [&](uint32_t i) { to[i] = advanced(x[i], y[i], instr.imm); });
  case Opcode::Offset:
    return each(active,
                [&](uint32_t i) { to[i] = advanced(x[i], instr.imm, 1); });
  case Opcode::Distance:
    return distance(instr, active);
  default:
    return compare(instr, active);
  }
}

} // namespace clopt
