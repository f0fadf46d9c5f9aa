//===- MachineMemory.cpp - memory accesses of symbolic runs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Machine.h"

#include "Validation/IntegerFunctions.h"

namespace clopt {

Accessor Machine::accessor(const Instr &instr, uint32_t item) const {
  Accessor by;
  by.item =
      static_cast<int32_t>(groupNumber * static_cast<int64_t>(items) + item);
  by.group = static_cast<int32_t>(groupNumber);
  by.localPhase = localPhase;
  by.globalPhase = globalPhase;
  by.range = instr.range;
  return by;
}

/// Vectors that are accessed as such lie at multiples of their size.
void Machine::checkAlignment(const Instr &instr, const Items &active) const {
  if (!instr.flag || instr.count < 2)
    return;
  const unsigned lanes = instr.count == 3 ? 4 : instr.count;
  const int64_t bytes = lanes * sizeOf(instr.kind);
  for (uint32_t item : active.list)
    if ((reg(instr.a)[item] + instr.imm) % bytes != 0)
      throw RunFault{"a vector at an address that is no multiple of its size",
                     instr.range ? *instr.range : SourceRange()};
}

/// Calls `use` with an address, a register and who it is, for all scalars.
template <typename Function>
void Machine::access(const Instr &instr, const Items &active, Function use) {
  checkAlignment(instr, active);
  const int64_t *address = reg(instr.a);
  Accessor by = accessor(instr, 0);
  int32_t first = by.item;
  int64_t bytes = sizeOf(instr.kind);
  spend(stepsWithin(instr) * active.list.size());
  for (unsigned part = 0; part < instr.count; ++part) {
    int64_t *value = reg(argument(instr, part));
    int64_t offset = instr.imm + part * bytes;
    each(active, [&](uint32_t item) {
      by.item = first + static_cast<int32_t>(item);
      use(advanced(address[item], offset, 1), value[item], by);
    });
  }
}

void Machine::load(const Instr &instr, const Items &active) {
  access(instr, active, [&](int64_t at, int64_t &value, const Accessor &by) {
    value = memory.load(at, instr.kind, by);
  });
}

void Machine::store(const Instr &instr, const Items &active) {
  access(instr, active, [&](int64_t at, int64_t value, const Accessor &by) {
    memory.store(at, instr.kind, value, by);
  });
  if (result.tracesUnset)
    traceStore(instr, active);
}

void Machine::clear(const Instr &instr, const Items &active) {
  const int64_t *address = reg(instr.a);
  each(active, [&](uint32_t item) {
    int64_t offset = 0;
    if (MemoryObject *object = memory.at(address[item], offset))
      object->cells.clear();
  });
}

/// Their order does not matter where nobody reads the old value.
void Machine::atomic(const Instr &instr, const Items &active) {
  auto which = static_cast<AtomicFunction>(instr.imm);
  bool isFloat = isFloatKind(instr.kind);
  bool isArithmetic =
      which == AtomicFunction::Add || which == AtomicFunction::Sub;
  bool isMove = which >= AtomicFunction::Exchange;
  if (isFloat && !isArithmetic && !isMove)
    throw GiveUp{"an atomic operation"};
  if (!instr.flag || isMove || isFloat)
    result.dependsOnOrder = true;
  auto combined = [&](int64_t old, int64_t given, uint32_t item) {
    int64_t x[3] = {old, given, 0};
    switch (which) {
    case AtomicFunction::Add:
    case AtomicFunction::Sub: {
      bool isAdd = which == AtomicFunction::Add;
      if (isFloat)
        return terms.make(isAdd ? "+" : "-", "ff", instr.kind, {old, given});
      return wrapTo(instr.kind, advanced(old, given, isAdd ? 1 : -1));
    }
    case AtomicFunction::And:
      return old & given;
    case AtomicFunction::Or:
      return old | given;
    case AtomicFunction::Xor:
      return old ^ given;
    case AtomicFunction::Min:
      return integerFunction(IntegerFunction::Min, instr.kind, x);
    case AtomicFunction::Max:
      return integerFunction(IntegerFunction::Max, instr.kind, x);
    case AtomicFunction::CompareExchange:
      return old == given ? reg(instr.c)[item] : old;
    case AtomicFunction::Load:
      return old;
    default:
      return given;
    }
  };
  each(active, [&](uint32_t item) {
    MemoryCell &cell =
        memory.atomic(reg(instr.a)[item], instr.kind, accessor(instr, item));
    if (result.tracesUnset)
      traceAtomic(instr, item, cell);
    int64_t old = cell.value;
    cell.value = combined(old, reg(instr.b)[item], item);
    reg(instr.dst)[item] = old;
  });
}

/// Done by one work-item for all of them.
void Machine::asyncCopy(const Instr &instr, const Items &active) {
  SourceRange range = instr.range ? *instr.range : SourceRange();
  if (active.list.size() != items)
    throw RunFault{"a copy that not all work-items of a group reach", range};
  Accessor by = accessor(instr, 0);
  int64_t to = reg(instr.a)[0], from = reg(instr.b)[0];
  int64_t count = reg(argument(instr, 0))[0];
  int64_t toStride = reg(argument(instr, 1))[0],
          fromStride = reg(argument(instr, 2))[0];
  for (int64_t i = 0; i < count; ++i) {
    spend(8);
    for (int64_t at = 0; at < instr.imm; at += sizeOf(instr.kind)) {
      const int64_t target =
          advanced(to + at, i, advanced(0, toStride, instr.imm));
      const int64_t source =
          advanced(from + at, i, advanced(0, fromStride, instr.imm));
      const bool isUnset = memory.isUnset(source, sizeOf(instr.kind));
      memory.store(target, instr.kind, memory.load(source, instr.kind, by), by);
      memory.noteUnset(target, sizeOf(instr.kind), isUnset);
    }
  }
}

/// Channels that an image lacks are zeros, the last one is one. Texels outside
/// of the buffer hold anything.
void Machine::texel(const Instr &instr, const Items &active) {
  const unsigned lanes = instr.count - 2;
  const int64_t *x = reg(argument(instr, lanes)),
                *y = reg(argument(instr, lanes + 1));
  spend(stepsWithin(instr) * active.list.size());
  each(active, [&](uint32_t item) {
    int64_t offset = 0;
    const MemoryObject *object = memory.at(reg(instr.a)[item], offset);
    if (!object || !object->image)
      return;
    const BufferImage &image = *object->image;
    if (x[item] < 0 || x[item] >= image.width || y[item] < 0 ||
        y[item] >= image.height)
      throw RunFault{"a read outside of the image '" + object->name + "'",
                     instr.range ? *instr.range : SourceRange()};
    const int64_t bytes = sizeOf(image.kind);
    int64_t at = image.source + y[item] * image.rowBytes +
                 x[item] * image.channels * bytes;
    for (unsigned lane = 0; lane < lanes; ++lane, at += bytes) {
      int64_t &to = reg(argument(instr, lane))[item];
      int64_t within = 0;
      const MemoryObject *source = memory.at(at, within);
      bool isThere = source && (source->size == 0 || within < source->size);
      if (lane >= image.channels)
        to = lane == 3;
      else
        to = isThere ? memory.load(at, image.kind, accessor(instr, item))
                     : unset(instr.kind);
    }
  });
}

void Machine::runMemory(const Instr &instr, const Items &active) {
  switch (instr.op) {
  case Opcode::Load:
    return load(instr, active);
  case Opcode::Store:
    return store(instr, active);
  case Opcode::CopyBytes:
    spend(stepsWithin(instr) * active.list.size());
    return each(active, [&](uint32_t item) {
      memory.copy(reg(instr.a)[item], reg(instr.b)[item], instr.imm,
                  accessor(instr, item));
    });
  case Opcode::NoteWhole:
    return each(active, [&](uint32_t item) {
      memory.noteWhole(reg(instr.a)[item], instr.imm);
    });
  case Opcode::Clear:
    return clear(instr, active);
  case Opcode::Atomic:
    return atomic(instr, active);
  case Opcode::AsyncCopy:
    return asyncCopy(instr, active);
  case Opcode::Texel:
    return texel(instr, active);
  case Opcode::WaitAsync: // as a barrier for what was copied
    ++localPhase;
    ++globalPhase;
    return;
  default:
    throw GiveUp{"an instruction"};
  }
}

} // namespace clopt
