//===- Memory.cpp - memory of a symbolic run ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are numbers, so that subscripts and loop bounds that come from data
// can be followed; they are small for the same reason.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Memory.h"

namespace clopt {

bool isFloatKind(ScalarKind kind) { return kind >= ScalarKind::Half; }

int64_t Memory::addObject(MemoryObject object) {
  auto id = static_cast<int64_t>(objects.size());
  // Far apart, and at addresses that every alignment check accepts.
  object.address = (id + 1) << 40;
  objects.push_back(std::move(object));
  return id;
}

int64_t Memory::initial(const MemoryObject &object, int64_t offset,
                        ScalarKind kind) {
  std::string name = object.hasData ? object.name : "unset " + object.name;
  if (isFloatKind(kind))
    return terms.make(name + "[", "i", kind, {offset / sizeOf(kind)});
  uint64_t bits = mixBits(mixText(7, name), static_cast<uint64_t>(offset));
  return wrapTo(kind, object.hasData ? static_cast<int64_t>(bits % 61)
                                     : static_cast<int64_t>(bits));
}

MemoryCell &Memory::cell(MemoryObject &object, int64_t offset, ScalarKind kind,
                         const Accessor *by) {
  int64_t bytes = sizeOf(kind);
  if (object.size > 0 && (offset < 0 || offset + bytes > object.size))
    throw RunFault{"an access outside of '" + object.name + "'",
                   by && by->range ? *by->range : SourceRange()};
  if (object.cellBytes == 0)
    object.cellBytes = bytes;
  if (object.cellBytes != bytes || offset % bytes != 0)
    throw GiveUp{"'" + object.name +
                 "' is accessed in pieces of several sizes"};
  auto [entry, isNew] = object.cells.try_emplace(offset);
  MemoryCell &found = entry->second;
  if (isNew) {
    found.kind = kind;
    found.value = initial(object, offset, kind);
  } else if (isFloatKind(kind) != isFloatKind(found.kind)) {
    throw GiveUp{"'" + object.name + "' is accessed as different types"};
  }
  return found;
}

static std::string raceText(const MemoryObject &object) {
  return "two work-items access '" + object.name +
         "' without a barrier in between";
}

/// Whether an earlier access by `item` of `group` may come at the same time.
static bool isUnordered(int64_t item, int64_t group, int64_t phase,
                        const Accessor &by) {
  if (item == -1 || item == by.item)
    return false;
  return group != by.group || phase == by.phase;
}

void Memory::noteRead(MemoryObject &object, MemoryCell &cell,
                      const Accessor &by) {
  if (object.scope == MemoryObject::Scope::Item)
    return;
  if (isUnordered(cell.writer, cell.writerGroup, cell.writerPhase, by))
    throw RunFault{raceText(object), by.range ? *by.range : SourceRange()};
  bool isSamePhase = cell.readerPhase == by.phase &&
                     (cell.readerGroup == by.group || cell.readerGroup == -2);
  bool isOther = cell.reader != -1 && cell.reader != by.item && isSamePhase;
  cell.readerGroup =
      cell.reader == -1 || cell.readerGroup == by.group ? by.group : -2;
  cell.reader = isOther ? -2 : by.item;
  cell.readerPhase = by.phase;
}

void Memory::noteWrite(MemoryObject &object, MemoryCell &cell,
                       const Accessor &by) {
  cell.written = by.range;
  if (object.scope == MemoryObject::Scope::Item)
    return;
  if (isUnordered(cell.writer, cell.writerGroup, cell.writerPhase, by) ||
      isUnordered(cell.reader, cell.readerGroup, cell.readerPhase, by))
    throw RunFault{raceText(object), by.range ? *by.range : SourceRange()};
  cell.writer = by.item;
  cell.writerGroup = by.group;
  cell.writerPhase = by.phase;
}

int64_t Memory::load(int64_t id, int64_t offset, ScalarKind kind,
                     const Accessor &by) {
  MemoryObject &from = object(id);
  MemoryCell &found = cell(from, offset, kind, &by);
  noteRead(from, found, by);
  if (from.scope == MemoryObject::Scope::Launch) {
    if (offset < from.reads.first && by.range)
      from.firstRead = *by.range;
    if (offset + sizeOf(kind) - 1 > from.reads.last && by.range)
      from.lastRead = *by.range;
    from.reads.add(offset, offset + sizeOf(kind) - 1);
  }
  return found.kind == kind ? found.value : wrapTo(kind, found.value);
}

void Memory::store(int64_t id, int64_t offset, ScalarKind kind, int64_t value,
                   const Accessor &by) {
  MemoryObject &to = object(id);
  MemoryCell &found = cell(to, offset, kind, &by);
  noteWrite(to, found, by);
  found.kind = kind;
  found.value = value;
  found.isWritten = true;
}

MemoryCell &Memory::atomic(int64_t id, int64_t offset, ScalarKind kind) {
  MemoryCell &found = cell(object(id), offset, kind, nullptr);
  found.isWritten = true;
  return found;
}

} // namespace clopt
