//===- Memory.cpp - memory of a symbolic run ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are numbers, so that subscripts and loop bounds that come from data
// can be followed; they are small for the same reason.
//
// Tested by test/unit/ValidationMemoryTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Memory.h"

#include <algorithm>

namespace clopt {

bool isFloatKind(ScalarKind kind) { return kind >= ScalarKind::Half; }

static constexpr size_t maxPages = 30000; ///< of one object

//===-- Cells -------------------------------------------------------------===//

/// Room for the slot. Pages of an earlier generation are as good as new.
MemoryCell &CellTable::slot(int64_t number) {
  int64_t index = number >> pageBits;
  std::unique_ptr<Page> *page = nullptr;
  if (index >= 0 && index < nearPages) {
    if (static_cast<size_t>(index) >= pages.size())
      pages.resize(static_cast<size_t>(index) + 1);
    page = &pages[static_cast<size_t>(index)];
  } else {
    page = &farPages[index];
    if (farPages.size() > maxPages)
      throw GiveUp{"too much memory"};
  }
  if (!*page)
    *page = std::make_unique<Page>();
  if ((*page)->generation != generation) {
    if ((*page)->generation != 0)
      std::fill(std::begin((*page)->cells), std::end((*page)->cells),
                MemoryCell());
    (*page)->generation = generation;
  }
  return (*page)->cells[number & ((1 << pageBits) - 1)];
}

const MemoryCell *CellTable::known(int64_t number) const {
  int64_t index = number >> pageBits;
  const Page *page = nullptr;
  if (index >= 0 && index < nearPages) {
    if (static_cast<size_t>(index) < pages.size())
      page = pages[static_cast<size_t>(index)].get();
  } else {
    auto found = farPages.find(index);
    page = found == farPages.end() ? nullptr : found->second.get();
  }
  if (!page || page->generation != generation)
    return nullptr;
  return &page->cells[number & ((1 << pageBits) - 1)];
}

/// The cell that the slot belongs to; null for none.
const MemoryCell *CellTable::headOf(int64_t number) const {
  const MemoryCell *cell = known(number);
  while (cell && cell->state == MemoryCell::State::Tail)
    cell = known(--number);
  return cell && cell->state == MemoryCell::State::Head ? cell : nullptr;
}

const MemoryCell *CellTable::find(int64_t offset) const {
  if (!isFit(offset, unit))
    return nullptr;
  const MemoryCell *cell = known(slotOf(offset));
  return cell && cell->state == MemoryCell::State::Head ? cell : nullptr;
}

std::vector<std::pair<int64_t, const MemoryCell *>> CellTable::all() const {
  std::vector<std::pair<int64_t, const MemoryCell *>> result;
  auto addPage = [&](int64_t index, const Page *page) {
    if (!page || page->generation != generation)
      return;
    for (int64_t i = 0; i < 1 << pageBits; ++i)
      if (page->cells[i].state == MemoryCell::State::Head)
        result.emplace_back(((index * (int64_t(1) << pageBits)) + i) * unit,
                            &page->cells[i]);
  };
  for (size_t index = 0; index < pages.size(); ++index)
    addPage(static_cast<int64_t>(index), pages[index].get());
  for (const auto &[index, page] : farPages)
    addPage(index, page.get());
  if (!farPages.empty())
    std::sort(result.begin(), result.end());
  return result;
}

void CellTable::clear() {
  ++generation;
  unit = 0;
  shift = 0;
}

/// Makes slots as small as the access needs.
void CellTable::fit(int64_t offset, int64_t bytes) {
  int64_t all = unit | offset | bytes;
  if (!isFit(offset, bytes))
    setUnit(all & -all);
}

/// Slots become smaller; their cells stay.
void CellTable::setUnit(int64_t bytes) {
  CellTable old;
  std::swap(*this, old);
  unit = bytes;
  shift = static_cast<unsigned>(__builtin_ctzll(static_cast<uint64_t>(bytes)));
  for (const auto &[offset, cell] : old.all()) {
    slot(slotOf(offset)) = *cell;
    int64_t slots = sizeOf(cell->kind) >> shift;
    for (int64_t i = 1; i < slots; ++i)
      slot(slotOf(offset) + i).state = MemoryCell::State::Tail;
  }
}

//===-- Objects -----------------------------------------------------------===//

int64_t Memory::addObject(MemoryObject object) {
  objects.push_back(std::move(object));
  auto id = static_cast<int64_t>(objects.size());
  // Far apart, and at addresses that every alignment check accepts.
  objects.back().address += id << addressBits;
  return id;
}

MemoryObject *Memory::at(int64_t address, int64_t &offset) {
  int64_t id =
      advanced(address, int64_t(1) << (addressBits - 1), 1) >> addressBits;
  if (id < 1 || id > objectCount())
    return nullptr;
  MemoryObject &found = object(id);
  offset = address - found.address;
  return &found;
}

MemoryObject &Memory::target(int64_t address, ScalarKind kind, int64_t &offset,
                             const Accessor &by) {
  MemoryObject *found = at(address, offset);
  if (!found)
    throw RunFault{"an access through a pointer that points nowhere",
                   by.range ? *by.range : SourceRange()};
  int64_t bytes = sizeOf(kind);
  if (found->size > 0 && (offset < 0 || offset + bytes > found->size))
    throw RunFault{"an access outside of '" + found->name + "'",
                   by.range ? *by.range : SourceRange()};
  if (found->cellBytes == 0)
    found->cellBytes = bytes;
  return *found;
}

void Memory::forgetWrites(int64_t id) {
  CellTable &cells = object(id).cells;
  for (const auto &entry : cells.all())
    cells.slot(cells.slotOf(entry.first)).isWritten = false;
}

void Memory::endLaunch() {
  for (MemoryObject &object : objects) {
    CellTable &cells = object.cells;
    if (object.scope != MemoryObject::Scope::Launch) {
      cells.clear();
      continue;
    }
    for (const auto &entry : cells.all()) {
      MemoryCell &cell = cells.slot(cells.slotOf(entry.first));
      cell.writer = cell.reader = -1;
    }
  }
}

void Memory::cover(MemoryObject &object, const MemoryObject &other) {
  for (const auto &[offset, cell] : other.cells.all()) {
    if (!cell->isWritten)
      continue;
    object.cells.fit(offset, sizeOf(cell->kind));
    for (int64_t at = 0; at < sizeOf(cell->kind); at += object.cells.unit)
      if (object.cells.slot(object.cells.slotOf(offset + at)).state ==
          MemoryCell::State::Untouched)
        touch(object, offset + at, cell->kind);
  }
}

void Memory::noteWhole(int64_t address, int64_t bytes) {
  int64_t offset = 0;
  if (MemoryObject *found = at(address, offset))
    found->wholes.add(offset, offset + bytes - 1);
}

//===-- What cells hold at first ------------------------------------------===//

std::optional<std::pair<int64_t, ScalarKind>> scalarAt(const Type &type,
                                                       int64_t offset) {
  auto bytes = static_cast<int64_t>(type.size);
  if (bytes == 0)
    return std::nullopt;
  int64_t within = (offset % bytes + bytes) % bytes, begin = offset - within;
  std::optional<std::pair<int64_t, ScalarKind>> found;
  if (type.isPointer())
    return std::make_pair(begin, ScalarKind::ULong);
  if (type.isArray() && type.element) {
    found = scalarAt(*type.element, within);
  } else if (type.kind == TypeKind::Struct && type.fields) {
    for (const Field &field : *type.fields) {
      auto first = static_cast<int64_t>(field.offset);
      if (within < first ||
          within >= first + static_cast<int64_t>(field.type.size))
        continue;
      found = scalarAt(field.type, within - first);
      if (found)
        found->first += first;
      break;
    }
  } else if (type.isScalar() || type.isVector()) {
    int64_t part = sizeOf(type.scalar);
    if (part > 0 && within < part * type.lanes)
      found = std::make_pair(within / part * part, type.scalar);
  }
  if (found)
    found->first += begin;
  return found;
}

/// What an array of arrays is made of in the end.
static const Type &elementOf(const Type &type) {
  const Type *element = &type;
  while (element->isArray() && element->element)
    element = element->element.get();
  return *element;
}

bool isPadding(const Type &type, int64_t offset) {
  return elementOf(type).fields && !scalarAt(type, offset);
}

/// The fields that lead to the scalar: ".x".
static std::string fieldPath(const Type &type, int64_t within) {
  if (type.isArray() && type.element && type.element->size > 0) {
    auto bytes = static_cast<int64_t>(type.element->size);
    return "." + std::to_string(within / bytes) +
           fieldPath(*type.element, within % bytes);
  }
  if (type.isVector())
    return ".s" + std::to_string(within / sizeOf(type.scalar));
  if (type.kind == TypeKind::Struct && type.fields)
    for (const Field &field : *type.fields) {
      int64_t rest = within - static_cast<int64_t>(field.offset);
      if (rest >= 0 && rest < static_cast<int64_t>(field.type.size))
        return "." + field.name + fieldPath(field.type, rest);
    }
  return "";
}

/// Name and number of the cell: "a.x" and 3.
static std::pair<std::string, int64_t>
cellParts(const MemoryObject &object, int64_t offset, ScalarKind kind) {
  const Type *type = &elementOf(object.type);
  auto bytes = static_cast<int64_t>(type->size);
  if (type->kind != TypeKind::Struct || bytes == 0)
    return {object.name, offset / sizeOf(kind)};
  int64_t within = (offset % bytes + bytes) % bytes;
  return {object.name + fieldPath(*type, within), (offset - within) / bytes};
}

OffsetRange MemoryObject::accessed() const {
  OffsetRange range = reads;
  for (const auto &[offset, cell] : cells.all())
    if (cell->isWritten)
      range.add(offset, offset + sizeOf(cell->kind) - 1);
  if (wholes.first <= wholes.last)
    range.add(wholes.first, wholes.last);
  return range;
}

std::string cellName(const MemoryObject &object, int64_t offset,
                     ScalarKind kind) {
  auto [name, index] = cellParts(object, offset, kind);
  return name + "[" + std::to_string(index) + "]";
}

/// The number in the cell `index`, where `bits` are by chance.
static int64_t madeUp(const MadeUpIntegers &integers, int64_t index,
                      uint64_t bits) {
  const auto values = static_cast<uint64_t>(integers.high - integers.low) + 1;
  if (integers.order == MadeUpIntegers::Order::Any || integers.count < 2)
    return integers.low +
           static_cast<int64_t>(bits % std::max<uint64_t>(1, values));
  const int64_t within = std::clamp<int64_t>(index, 0, integers.count - 1);
  if (integers.order == MadeUpIntegers::Order::Permuted)
    return integers.low + integers.count - 1 - within;
  return integers.low +
         (integers.high - integers.low) * within / (integers.count - 1);
}

int64_t Memory::initial(const MemoryObject &object, int64_t offset,
                        ScalarKind kind) {
  if (auto known = object.given.find(offset);
      known != object.given.end() && !isFloatKind(kind))
    return wrapTo(kind, known->second);
  auto [name, index] = cellParts(object, offset, kind);
  if (!object.hasData)
    name = "unset " + name;
  if (isFloatKind(kind) && object.hasData)
    return terms->make(name + "[", "i", kind, {index});
  if (isFloatKind(kind))
    return terms->make(name + "[", "ii", kind,
                       {index, static_cast<int64_t>(unsetSeed)});
  uint64_t bits = mixBits(mixText(7 + terms->dataNumber(), name),
                          static_cast<uint64_t>(offset));
  if (!object.hasData)
    return wrapTo(kind, static_cast<int64_t>(mixBits(bits, unsetSeed)));
  if (object.integers)
    return wrapTo(kind, madeUp(*object.integers, index, bits));
  const std::vector<int64_t> &compared = terms->comparedNumbers();
  if (terms->dataNumber() % 4 == 3 && !compared.empty() && bits % 4 == 0)
    return wrapTo(kind, compared[(bits >> 8) % compared.size()]);
  // Differences of such numbers have both signs, and few are cut off.
  if (terms->dataNumber() % 8 == 5)
    return wrapTo(kind, static_cast<int64_t>(bits % 3) -
                            (wrapTo(kind, -1) < 0 ? 1 : 0));
  // Where rows begin, one behind the other.
  if (terms->dataNumber() % 8 == risingData)
    return wrapTo(kind, index * 5 + static_cast<int64_t>(bits % 5));
  const bool isLarge = terms->dataNumber() % 4 > 1 && bits >> 63;
  return wrapTo(kind, static_cast<int64_t>(bits % (isLarge ? 509 : 61)));
}

/// A cell that covers the byte, with what it holds at first; one of the kind
/// where the object does not say what it is made of.
void Memory::touch(MemoryObject &object, int64_t offset, ScalarKind kind) {
  std::optional<std::pair<int64_t, ScalarKind>> known =
      scalarAt(object.type, offset);
  int64_t begin = known ? known->first : offset;
  if (known)
    kind = known->second;
  int64_t bytes = sizeOf(kind);
  if (!known)
    begin -= (begin % bytes + bytes) % bytes;
  object.cells.fit(begin, bytes);
  int64_t first = object.cells.slotOf(begin);
  for (int64_t i = 0; i < bytes >> object.cells.shift; ++i)
    if (object.cells.slot(first + i).state != MemoryCell::State::Untouched) {
      if (bytes == 1)
        return;
      // A part was written before: single bytes for the rest.
      int64_t whole = initial(object, begin, kind);
      if (isFloatKind(kind))
        whole = terms->bitsOf(whole);
      object.cells.setUnit(1);
      MemoryCell &cell = object.cells.slot(offset);
      if (cell.state != MemoryCell::State::Untouched)
        return;
      cell.kind = ScalarKind::UChar;
      cell.value = wrapTo(ScalarKind::UChar, whole >> (8 * (offset - begin)));
      cell.state = MemoryCell::State::Head;
      cell.isUnset = !object.hasData;
      return;
    }
  MemoryCell fresh;
  fresh.value = initial(object, begin, kind);
  fresh.isUnset = !object.hasData;
  place(object, begin, kind, fresh);
}

/// Makes a cell of the kind; there is none at these bytes, or they do not
/// matter any more. It remembers what `like` does.
MemoryCell &Memory::place(MemoryObject &object, int64_t offset, ScalarKind kind,
                          const MemoryCell &like) {
  CellTable &cells = object.cells;
  int64_t first = cells.slotOf(offset), count = sizeOf(kind) >> cells.shift;
  for (int64_t i = 1; i < count; ++i) {
    MemoryCell &tail = cells.slot(first + i);
    tail = MemoryCell();
    tail.state = MemoryCell::State::Tail;
  }
  MemoryCell &head = cells.slot(first);
  head = like;
  head.kind = kind;
  head.state = MemoryCell::State::Head;
  return head;
}

/// Cells for all of these bytes, none of which sticks out.
void Memory::touchAll(MemoryObject &object, int64_t offset, int64_t bytes) {
  CellTable &cells = object.cells;
  cells.fit(offset, bytes);
  auto headOf = [&](int64_t at) {
    int64_t slot = cells.slotOf(at);
    while (cells.slot(slot).state == MemoryCell::State::Tail)
      --slot;
    return slot;
  };
  for (int64_t at = offset; at < offset + bytes; at += cells.unit)
    if (cells.slot(cells.slotOf(at)).state == MemoryCell::State::Untouched)
      touch(object, at, ScalarKind::UChar);
  for (int64_t at : {offset, offset + bytes - 1}) {
    int64_t slot = headOf(at), begin = slot * cells.unit;
    int64_t end = begin + sizeOf(cells.slot(slot).kind);
    if (begin < offset || end > offset + bytes)
      split(object, slot, cells.unit);
  }
}

/// Splits a cell into pieces of so many bytes.
void Memory::split(MemoryObject &object, int64_t headSlot, int64_t bytes) {
  CellTable &cells = object.cells;
  MemoryCell whole = cells.slot(headSlot);
  int64_t offset = headSlot * cells.unit, size = sizeOf(whole.kind);
  if (size <= bytes)
    return;
  auto bits = static_cast<uint64_t>(
      isFloatKind(whole.kind) ? terms->bitsOf(whole.value) : whole.value);
  ScalarKind kind = bytes == 1   ? ScalarKind::UChar
                    : bytes == 2 ? ScalarKind::UShort
                                 : ScalarKind::UInt;
  if (bytes < cells.unit)
    cells.setUnit(bytes);
  for (int64_t at = 0; at < size; at += bytes) {
    MemoryCell part = whole;
    part.value = wrapTo(kind, static_cast<int64_t>(bits >> (8 * at)));
    place(object, offset + at, kind, part);
  }
}

void Memory::alignCells(MemoryObject &x, MemoryObject &y) {
  auto splitThose = [&](MemoryObject &object, MemoryObject &other) {
    for (const auto &[offset, cell] : object.cells.all()) {
      int64_t bytes = sizeOf(cell->kind);
      const MemoryCell *same = other.cells.find(offset);
      if (bytes == 1 || (same && sizeOf(same->kind) == bytes))
        continue;
      bool isAlone = true;
      for (int64_t i = 0; i < bytes && isAlone && other.cells.unit; ++i) {
        const MemoryCell *part =
            other.cells.known(other.cells.slotOf(offset + i));
        isAlone = !part || part->state == MemoryCell::State::Untouched;
      }
      if (!isAlone)
        return true;
    }
    return false;
  };
  if (!splitThose(x, y) && !splitThose(y, x))
    return;
  for (MemoryObject *object : {&x, &y}) {
    object->cells.setUnit(1);
    std::vector<int64_t> heads;
    for (const auto &entry : object->cells.all())
      heads.push_back(entry.first);
    for (int64_t head : heads)
      split(*object, head, 1);
  }
}

//===-- What nobody set ---------------------------------------------------===//

bool Memory::isUnset(int64_t address, int64_t bytes) {
  int64_t offset = 0;
  const MemoryObject *object = at(address, offset);
  if (!object || bytes <= 0)
    return false;
  const CellTable &cells = object->cells;
  if (cells.empty())
    return !object->hasData;
  for (int64_t slot = cells.slotOf(offset);
       slot <= cells.slotOf(offset + bytes - 1); ++slot) {
    const MemoryCell *cell = cells.headOf(slot);
    if (cell ? cell->isUnset : !object->hasData)
      return true;
  }
  return false;
}

void Memory::noteUnset(int64_t address, int64_t bytes, bool isUnset) {
  int64_t offset = 0;
  MemoryObject *object = at(address, offset);
  if (!object || object->cells.empty())
    return;
  CellTable &cells = object->cells;
  for (int64_t slot = cells.slotOf(offset);
       slot <= cells.slotOf(offset + bytes - 1); ++slot)
    cells.slot(slot).isUnset = isUnset;
}

//===-- Accesses ----------------------------------------------------------===//

static std::string raceText(const MemoryObject &object) {
  return "two work-items access '" + object.name +
         "' without a barrier in between";
}

/// Whether an earlier access by `item` of `group` may come at the same time.
static bool isUnordered(int32_t item, int32_t group, int32_t phase, int32_t now,
                        const Accessor &by) {
  if (item == -1 || item == by.item)
    return false;
  return group != by.group || phase == now;
}

static int32_t phaseOf(const MemoryObject &object, const Accessor &by) {
  return object.scope == MemoryObject::Scope::Group ? by.localPhase
                                                    : by.globalPhase;
}

void Memory::noteRead(MemoryObject &object, MemoryCell &cell,
                      const Accessor &by) {
  if (object.scope == MemoryObject::Scope::Item)
    return;
  int32_t phase = phaseOf(object, by);
  if (isUnordered(cell.writer, cell.writerGroup, cell.writerPhase, phase, by))
    throw RunFault{raceText(object), by.range ? *by.range : SourceRange()};
  bool isSamePhase = cell.readerPhase == phase &&
                     (cell.readerGroup == by.group || cell.readerGroup == -2);
  bool isOther = cell.reader != -1 && cell.reader != by.item && isSamePhase;
  cell.readerGroup =
      cell.reader == -1 || cell.readerGroup == by.group ? by.group : -2;
  // No barrier orders what another group has read: it is not forgotten when
  // this one reads again.
  cell.reader = isOther || cell.readerGroup == -2 ? -2 : by.item;
  cell.readerPhase = phase;
}

void Memory::noteWrite(MemoryObject &object, MemoryCell &cell,
                       const Accessor &by) {
  cell.written = by.range;
  cell.isWritten = true;
  if (object.scope == MemoryObject::Scope::Item)
    return;
  int32_t phase = phaseOf(object, by);
  if (isUnordered(cell.writer, cell.writerGroup, cell.writerPhase, phase, by) ||
      isUnordered(cell.reader, cell.readerGroup, cell.readerPhase, phase, by))
    throw RunFault{raceText(object), by.range ? *by.range : SourceRange()};
  cell.writer = by.item;
  cell.writerGroup = by.group;
  cell.writerPhase = phase;
}

int64_t Memory::converted(const MemoryCell &cell, ScalarKind kind) {
  if (cell.kind == kind)
    return cell.value;
  if (!isFloatKind(kind))
    return wrapTo(kind, isFloatKind(cell.kind) ? terms->bitsOf(cell.value)
                                               : cell.value);
  return terms->fromBits(
      kind, isFloatKind(cell.kind) ? terms->bitsOf(cell.value) : cell.value);
}

static void noteBounds(MemoryObject &from, int64_t offset, int64_t bytes,
                       const Accessor &by) {
  if (from.scope != MemoryObject::Scope::Launch)
    return;
  if (offset < from.reads.first && by.range)
    from.firstRead = *by.range;
  if (offset + bytes - 1 > from.reads.last && by.range)
    from.lastRead = *by.range;
  from.reads.add(offset, offset + bytes - 1);
}

int64_t Memory::load(int64_t address, ScalarKind kind, const Accessor &by) {
  int64_t offset = 0, bytes = sizeOf(kind);
  MemoryObject &from = target(address, kind, offset, by);
  noteBounds(from, offset, bytes, by);
  CellTable &cells = from.cells;
  for (bool isNew : {true, false}) {
    if (cells.isFit(offset, bytes)) {
      MemoryCell &found = cells.slot(cells.slotOf(offset));
      if (found.state == MemoryCell::State::Head &&
          sizeOf(found.kind) == bytes) {
        noteRead(from, found, by);
        return converted(found, kind);
      }
      if (found.state != MemoryCell::State::Untouched)
        break;
    }
    if (isNew)
      touch(from, offset, kind);
  }
  // Cells of other sizes.
  touchAll(from, offset, bytes);
  uint64_t bits = 0;
  for (int64_t at = 0; at < bytes;) {
    MemoryCell &part = cells.slot(cells.slotOf(offset + at));
    noteRead(from, part, by);
    int64_t size = sizeOf(part.kind);
    auto value = static_cast<uint64_t>(
        isFloatKind(part.kind) ? terms->bitsOf(part.value) : part.value);
    if (size < 8)
      value &= (uint64_t(1) << (8 * size)) - 1;
    bits |= value << (8 * at);
    at += size;
  }
  auto number = static_cast<int64_t>(bits);
  return isFloatKind(kind) ? terms->fromBits(kind, number)
                           : wrapTo(kind, number);
}

/// The cell of exactly these bytes, for a write, by nobody if that is atomic.
MemoryCell &Memory::cell(MemoryObject &object, int64_t offset, ScalarKind kind,
                         const Accessor *by) {
  CellTable &cells = object.cells;
  if (cells.isFit(offset, sizeOf(kind))) {
    MemoryCell &found = cells.slot(cells.slotOf(offset));
    if (found.state == MemoryCell::State::Head &&
        sizeOf(found.kind) == sizeOf(kind))
      return found;
  }
  return mixedCell(object, offset, kind, by);
}

MemoryCell &Memory::mixedCell(MemoryObject &object, int64_t offset,
                              ScalarKind kind, const Accessor *by) {
  int64_t bytes = sizeOf(kind);
  CellTable &cells = object.cells;
  cells.fit(offset, bytes);
  bool isNew = true;
  for (int64_t at = offset; at < offset + bytes; at += cells.unit)
    isNew &= cells.slot(cells.slotOf(at)).state == MemoryCell::State::Untouched;
  if (isNew)
    return place(object, offset, kind, MemoryCell());
  touchAll(object, offset, bytes);
  // Who touched a part touched the whole.
  MemoryCell like;
  for (int64_t at = 0; at < bytes;) {
    MemoryCell &part = cells.slot(cells.slotOf(offset + at));
    if (by)
      noteWrite(object, part, *by);
    if (part.reader != -1 || part.writer != -1)
      like = part;
    at += sizeOf(part.kind);
  }
  return place(object, offset, kind, like);
}

void Memory::store(int64_t address, ScalarKind kind, int64_t value,
                   const Accessor &by) {
  int64_t offset = 0;
  MemoryObject &to = target(address, kind, offset, by);
  MemoryCell &found = cell(to, offset, kind, &by);
  noteWrite(to, found, by);
  found.kind = kind;
  found.value = value;
  found.isUnset = false;
}

MemoryCell &Memory::atomic(int64_t address, ScalarKind kind,
                           const Accessor &by) {
  int64_t offset = 0;
  MemoryObject &object = target(address, kind, offset, by);
  CellTable &cells = object.cells;
  if (!cells.isFit(offset, sizeOf(kind)) ||
      cells.slot(cells.slotOf(offset)).state == MemoryCell::State::Untouched)
    touch(object, offset, kind);
  const MemoryCell *known = cells.find(offset);
  bool isWhole = known && sizeOf(known->kind) == sizeOf(kind);
  int64_t value = isWhole ? converted(*known, kind) : load(address, kind, by);
  MemoryCell &found = cell(object, offset, kind, nullptr);
  found.kind = kind;
  found.value = value;
  found.isWritten = true;
  found.written = by.range;
  return found;
}

/// What is not known to be anything is not copied: it is padding.
void Memory::copy(int64_t to, int64_t from, int64_t bytes, const Accessor &by) {
  for (int64_t at = 0; at < bytes;) {
    int64_t offset = 0;
    const MemoryObject &source =
        target(from + at, ScalarKind::UChar, offset, by);
    std::optional<std::pair<int64_t, ScalarKind>> known =
        scalarAt(source.type, offset);
    const MemoryCell *cell = source.cells.find(offset);
    ScalarKind kind = ScalarKind::UChar;
    bool isStart = known && known->first == offset;
    if (cell)
      kind = cell->kind;
    else if (isStart)
      kind = known->second;
    if (sizeOf(kind) > bytes - at)
      kind = ScalarKind::UChar;
    if (cell || !isPadding(source.type, offset)) {
      const bool wasUnset = isUnset(from + at, sizeOf(kind));
      store(to + at, kind, load(from + at, kind, by), by);
      noteUnset(to + at, sizeOf(kind), wasUnset);
    }
    at += sizeOf(kind);
  }
}

} // namespace clopt
