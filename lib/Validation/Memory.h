//===- Memory.h - memory of a symbolic run ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers, local arrays and private arrays are objects; a cell is one scalar
// at a byte offset of an object. Where bytes are accessed as other scalars than
// they were written as, cells are split. Cells remember who touched them since
// the last barrier, so that accesses which nothing orders are found.
//
// A pointer is a number: the address of an object and an offset in bytes.
//
// Tested by test/unit/ValidationMemoryTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_MEMORY_H
#define CLOPT_VALIDATION_MEMORY_H

#include "Model/Wrap.h"
#include "Validation/Terms.h"

#include "clopt/Remark.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace clopt {

/// Objects are that many bytes apart, in powers of two, and none is at 0.
constexpr int64_t addressBits = 40;
constexpr int64_t firstAddress = int64_t(1) << (addressBits - 1);

/// A part of a kernel's language that symbolic runs do not know, or a budget
/// that is spent. Never leaves the run.
struct GiveUp {
  std::string reason;
};

/// What no correct kernel does: a race, a barrier that some work-items miss, an
/// access outside of a declared array.
struct RunFault {
  std::string what;
  SourceRange range;
};

/// base + number * bytes, however large: nonsense leads nowhere.
inline int64_t advanced(int64_t base, int64_t number, int64_t bytes) {
  return static_cast<int64_t>(static_cast<uint64_t>(base) +
                              static_cast<uint64_t>(number) *
                                  static_cast<uint64_t>(bytes));
}

/// Who accesses, and when.
struct Accessor {
  int32_t item = 0;                        ///< in the whole launch
  int32_t group = 0;                       ///< in the whole launch
  int32_t localPhase = 0, globalPhase = 0; ///< barriers of the group so far
  const SourceRange *range = nullptr;
};

struct MemoryCell {
  int64_t value = 0;                    ///< an integer, or a term
  const SourceRange *written = nullptr; ///< the last write
  int32_t writer = -1, writerGroup = -1, writerPhase = -1;
  /// The last reader, or -2 when there are several in that phase or group.
  int32_t reader = -1, readerGroup = -1, readerPhase = -1;
  ScalarKind kind = ScalarKind::Int;
  /// Tail: bytes of a cell that begins at a lower offset.
  enum class State : uint8_t { Untouched, Head, Tail } state = State::Untouched;
  bool isWritten = false;
  /// Made of what nobody set, as far as a run traces that (see KernelRun.h).
  bool isUnset = false;
};

/// The cells of an object by their offsets, which may be far apart.
class CellTable {
public:
  /// The cell that begins at the offset, or null.
  const MemoryCell *find(int64_t offset) const;
  /// All cells in the order of their offsets.
  std::vector<std::pair<int64_t, const MemoryCell *>> all() const;
  bool empty() const { return unit == 0; }
  void clear();

private:
  friend class Memory;
  static constexpr unsigned pageBits = 5, nearPages = 2048;
  struct Page {
    uint32_t generation = 0;
    MemoryCell cells[1 << pageBits];
  };
  /// Whether slots have other offsets than this one and pieces of this size.
  bool isFit(int64_t offset, int64_t bytes) const {
    return unit != 0 && ((offset | bytes) & (unit - 1)) == 0;
  }
  int64_t slotOf(int64_t offset) const { return offset >> shift; }
  MemoryCell &slot(int64_t number);
  const MemoryCell *known(int64_t number) const;
  const MemoryCell *headOf(int64_t number) const;
  void setUnit(int64_t bytes);
  void fit(int64_t offset, int64_t bytes);

  int64_t unit = 0; ///< bytes of a slot; 0: nothing was touched
  unsigned shift = 0;
  uint32_t generation = 1;
  std::vector<std::unique_ptr<Page>> pages;
  std::unordered_map<int64_t, std::unique_ptr<Page>> farPages;
};

/// Byte offsets from `first` to `last` inclusive.
struct OffsetRange {
  int64_t first = INT64_MAX, last = INT64_MIN;
  void add(int64_t begin, int64_t end) {
    first = begin < first ? begin : first;
    last = end > last ? end : last;
  }
};

/// An image whose texels lie in a buffer, row by row.
struct BufferImage {
  int64_t source = 0; ///< address of the first texel
  int64_t width = 0, height = 0, rowBytes = 0;
  unsigned channels = 1;
  ScalarKind kind = ScalarKind::UInt; ///< of a channel
};

/// Integers that a buffer holds at first: any in the range, never decreasing
/// ones, or each once, in the first `count` cells.
struct MadeUpIntegers {
  enum class Order { Any, Rising, Permuted } order = Order::Any;
  int64_t low = 0, high = 0; ///< both inclusive
  int64_t count = 1;
};

struct MemoryObject {
  enum class Scope { Launch, Group, Item } scope = Scope::Launch;
  std::string name;
  /// What the object consists of, or of many of which, as it was declared.
  Type type;
  int64_t size = 0;      ///< in bytes; 0: not known
  int64_t cellBytes = 0; ///< of the first cell; 0: none yet
  /// What cells hold at first: made-up data of the launch, or nothing yet.
  bool hasData = false;
  std::optional<MadeUpIntegers> integers; ///< of the data
  std::map<int64_t, int64_t> given; ///< integers of the data, by their offsets
  int64_t address = 0;
  CellTable cells;
  OffsetRange reads;
  /// Whole vectors and structs of which a part was accessed: they exist.
  OffsetRange wholes;

  /// From the first byte that is known to exist to the last.
  OffsetRange accessed() const;
  SourceRange firstRead, lastRead;
  std::optional<BufferImage> image;
};

class Memory {
public:
  explicit Memory(TermStore &store) : terms(&store) {}

  /// Numbers begin with 1: address 0 is that of no object.
  int64_t addObject(MemoryObject object);
  MemoryObject &object(int64_t id) {
    return objects[static_cast<size_t>(id - 1)];
  }
  int64_t objectCount() const { return static_cast<int64_t>(objects.size()); }
  /// The object that the address is in or near to, and its offset there; null
  /// when there is none.
  MemoryObject *at(int64_t address, int64_t &offset);

  /// The scalar at the address.
  int64_t load(int64_t address, ScalarKind kind, const Accessor &by);
  void store(int64_t address, ScalarKind kind, int64_t value,
             const Accessor &by);
  /// An atomic access: ordered with other ones.
  MemoryCell &atomic(int64_t address, ScalarKind kind, const Accessor &by);
  /// Copies so many bytes as the scalars that they are.
  void copy(int64_t to, int64_t from, int64_t bytes, const Accessor &by);
  /// What was stored so far is what the object holds at first.
  void forgetWrites(int64_t id);
  /// What comes next is after all accesses so far, by other work-items.
  void endLaunch();
  /// Makes cells of `object` wherever the other has some that were written.
  void cover(MemoryObject &object, const MemoryObject &other);
  /// The vector or struct of so many bytes exists, since a part of it does.
  void noteWhole(int64_t address, int64_t bytes);
  /// Splits cells until those of both objects have the same bounds.
  void alignCells(MemoryObject &x, MemoryObject &y);
  /// Whether some of these bytes hold what nobody set, or what is made of it.
  bool isUnset(int64_t address, int64_t bytes);
  /// Marks the cells of these bytes, which were stored together.
  void noteUnset(int64_t address, int64_t bytes, bool isUnset);
  /// Cells that were not touched and not set hold numbers made from this.
  uint64_t unsetSeed = 0;

private:
  MemoryObject &target(int64_t address, ScalarKind kind, int64_t &offset,
                       const Accessor &by);
  MemoryCell &cell(MemoryObject &object, int64_t offset, ScalarKind kind,
                   const Accessor *by);
  MemoryCell &mixedCell(MemoryObject &object, int64_t offset, ScalarKind kind,
                        const Accessor *by);
  void touch(MemoryObject &object, int64_t offset, ScalarKind kind);
  void touchAll(MemoryObject &object, int64_t offset, int64_t bytes);
  void split(MemoryObject &object, int64_t headSlot, int64_t bytes);
  MemoryCell &place(MemoryObject &object, int64_t offset, ScalarKind kind,
                    const MemoryCell &like);
  int64_t initial(const MemoryObject &object, int64_t offset, ScalarKind kind);
  int64_t converted(const MemoryCell &cell, ScalarKind kind);
  void noteRead(MemoryObject &object, MemoryCell &cell, const Accessor &by);
  void noteWrite(MemoryObject &object, MemoryCell &cell, const Accessor &by);

  TermStore *terms;
  std::deque<MemoryObject> objects;
};

bool isFloatKind(ScalarKind kind);

/// The scalar of `type`, or of one of many of it side by side, that the byte
/// belongs to: its offset and kind. Nothing where the parts are not known.
std::optional<std::pair<int64_t, ScalarKind>> scalarAt(const Type &type,
                                                       int64_t offset);

/// True for bytes between the fields of a structure: nobody's value.
bool isPadding(const Type &type, int64_t offset);

/// "a[3]"; a field of the third struct is "a.x[3]".
std::string cellName(const MemoryObject &object, int64_t offset,
                     ScalarKind kind);

} // namespace clopt

#endif // CLOPT_VALIDATION_MEMORY_H
