//===- MachineUnset.cpp - what is made of what nobody set -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each register has bits that are 1 where its own may depend on what nobody
// set, each cell of memory one bit. Where such a bit decides on the way through
// the kernel or is part of an address, anything may come of it.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackLanguageTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Machine.h"

namespace clopt {

/// Somebody's way, or an address, depends on the register.
void Machine::noteDecision(int32_t number, const Items &active) {
  if (number < 0 || result.unsetDecides)
    return;
  const int64_t *bits = unsetBits(number);
  each(active, [&](uint32_t i) { result.unsetDecides |= bits[i] != 0; });
}

/// Before the instruction is carried out: the bits of its results. What it
/// stores is marked by those that store it.
void Machine::trace(const Instr &instr, const Items &active) {
  const int64_t *x = instr.a >= 0 ? reg(instr.a) : nullptr;
  const int64_t *y = instr.b >= 0 ? reg(instr.b) : nullptr;
  const int64_t *xBits = instr.a >= 0 ? unsetBits(instr.a) : nullptr;
  const int64_t *yBits = instr.b >= 0 ? unsetBits(instr.b) : nullptr;
  int64_t *to = instr.dst >= 0 ? unsetBits(instr.dst) : nullptr;
  auto set = [&](auto bitsOf) {
    each(active, [&](uint32_t i) { to[i] = bitsOf(i); });
  };
  switch (instr.op) {
  case Opcode::Unset:
    return set([](uint32_t) { return int64_t(-1); });
  case Opcode::Copy:
  case Opcode::Not:
    return set([&](uint32_t i) { return xBits[i]; });
  // Bits that one of the operands decides alone depend on nothing else.
  case Opcode::And:
    return set([&](uint32_t i) {
      return (xBits[i] & (y[i] | yBits[i])) | (yBits[i] & (x[i] | xBits[i]));
    });
  case Opcode::Or:
    return set([&](uint32_t i) {
      return (xBits[i] & (~y[i] | yBits[i])) | (yBits[i] & (~x[i] | xBits[i]));
    });
  case Opcode::Xor:
    return set([&](uint32_t i) { return xBits[i] | yBits[i]; });
  case Opcode::IsZero:
    if (isFloatKind(instr.kind))
      return set([&](uint32_t i) { return xBits[i] ? instr.imm : 0; });
    return set([&](uint32_t i) {
      return xBits[i] && !(x[i] & ~xBits[i]) ? instr.imm : 0;
    });
  case Opcode::Lt:
  case Opcode::Le:
  case Opcode::Gt:
  case Opcode::Ge:
  case Opcode::Eq:
  case Opcode::Ne:
    return set([&](uint32_t i) { return xBits[i] | yBits[i] ? instr.imm : 0; });
  case Opcode::Select: {
    const int64_t *zBits = unsetBits(instr.c);
    const unsigned top = sizeOf(instr.kind) * 8 - 1;
    return set([&](uint32_t i) {
      if (instr.imm ? (xBits[i] >> top) & 1 : xBits[i] != 0)
        return int64_t(-1);
      const bool isFirst = instr.imm ? (x[i] >> top) & 1 : x[i] != 0;
      return isFirst ? yBits[i] : zBits[i];
    });
  }
  case Opcode::Load: {
    noteDecision(instr.a, active);
    const int64_t bytes = sizeOf(instr.kind);
    for (unsigned part = 0; part < instr.count; ++part) {
      int64_t *bits = unsetBits(argument(instr, part));
      each(active, [&](uint32_t i) {
        const int64_t address = advanced(x[i], instr.imm + part * bytes, 1);
        bits[i] = memory.isUnset(address, bytes) ? -1 : 0;
      });
    }
    return;
  }
  case Opcode::Store:
  case Opcode::Atomic:
  case Opcode::Clear:
  case Opcode::NoteWhole:
    return noteDecision(instr.a, active);
  case Opcode::Div:
  case Opcode::Rem: // it may be zero
    noteDecision(instr.b, active);
    break;
  case Opcode::CopyBytes:
  case Opcode::AsyncCopy:
  case Opcode::Texel:
    noteDecision(instr.a, active);
    noteDecision(instr.b, active);
    for (unsigned k = resultCount(instr); k < instr.count; ++k)
      noteDecision(argument(instr, k), active);
    return;
  default:
    break;
  }
  if (!to)
    return;
  // All of the result depends on all of the operands.
  auto isAny = [&](uint32_t i) {
    bool any = (xBits && xBits[i]) || (yBits && yBits[i]) ||
               (instr.c >= 0 && unsetBits(instr.c)[i]);
    for (unsigned k = 0; k < instr.count && !any; ++k)
      any = unsetBits(argument(instr, k))[i] != 0;
    return any;
  };
  set([&](uint32_t i) { return isAny(i) ? int64_t(-1) : 0; });
}

/// After a store, of which the registers are still what they were.
void Machine::traceStore(const Instr &instr, const Items &active) {
  const int64_t *address = reg(instr.a);
  const int64_t bytes = sizeOf(instr.kind);
  for (unsigned part = 0; part < instr.count; ++part) {
    const int64_t *bits = unsetBits(argument(instr, part));
    each(active, [&](uint32_t i) {
      memory.noteUnset(advanced(address[i], instr.imm + part * bytes, 1), bytes,
                       bits[i] != 0);
    });
  }
}

/// The old value and what is given make the new one.
void Machine::traceAtomic(const Instr &instr, uint32_t item, MemoryCell &cell) {
  const bool wasUnset = cell.isUnset;
  cell.isUnset |= unsetBits(instr.b)[item] != 0 ||
                  (instr.c >= 0 && unsetBits(instr.c)[item] != 0);
  unsetBits(instr.dst)[item] = wasUnset ? -1 : 0;
}

} // namespace clopt
