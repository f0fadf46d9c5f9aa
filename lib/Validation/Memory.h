//===- Memory.h - memory of a symbolic run ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers, local arrays and private arrays are objects; a cell is one scalar
// at a byte offset of an object. Cells remember who touched them since the last
// barrier, so that accesses which nothing orders are found.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_MEMORY_H
#define CLOPT_VALIDATION_MEMORY_H

#include "Model/Wrap.h"
#include "Validation/Terms.h"

#include "clopt/Remark.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace clopt {

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

/// Who accesses, and when.
struct Accessor {
  int64_t item = 0;  ///< in the whole launch
  int64_t group = 0; ///< in the whole launch
  int64_t phase = 0; ///< barriers of the group so far
  const SourceRange *range = nullptr;
};

struct MemoryCell {
  ScalarKind kind = ScalarKind::Int;
  int64_t value = 0; ///< an integer, or a term
  bool isWritten = false;
  int64_t writer = -1, writerGroup = -1, writerPhase = -1;
  /// The last reader, or -2 when there are several in that phase or group.
  int64_t reader = -1, readerGroup = -1, readerPhase = -1;
  const SourceRange *written = nullptr; ///< the last write
};

/// Byte offsets from `first` to `last` inclusive.
struct OffsetRange {
  int64_t first = INT64_MAX, last = INT64_MIN;
  void add(int64_t begin, int64_t end) {
    first = begin < first ? begin : first;
    last = end > last ? end : last;
  }
};

struct MemoryObject {
  enum class Scope { Launch, Group, Item } scope = Scope::Launch;
  std::string name;
  int64_t size = 0;      ///< in bytes; 0: not known
  int64_t cellBytes = 0; ///< of all cells; 0: none yet
  /// What cells hold at first: made-up data of the launch, or nothing yet.
  bool hasData = false;
  int64_t address = 0;
  std::unordered_map<int64_t, MemoryCell> cells;
  int64_t elementBytes = 0; ///< of structs and of their fields; 0: neither
  OffsetRange reads;
  /// Whole vectors and structs of which a part was accessed: they exist.
  OffsetRange wholes;
  SourceRange firstRead, lastRead;
};

class Memory {
public:
  explicit Memory(TermStore &store) : terms(store) {}

  int64_t addObject(MemoryObject object);
  MemoryObject &object(int64_t id) { return objects[static_cast<size_t>(id)]; }
  int64_t objectCount() const { return static_cast<int64_t>(objects.size()); }

  /// The scalar at the offset; GiveUp when it was written as something else.
  int64_t load(int64_t object, int64_t offset, ScalarKind kind,
               const Accessor &by);
  void store(int64_t object, int64_t offset, ScalarKind kind, int64_t value,
             const Accessor &by);
  /// An atomic access: ordered with other ones.
  MemoryCell &atomic(int64_t object, int64_t offset, ScalarKind kind);

private:
  MemoryCell &cell(MemoryObject &object, int64_t offset, ScalarKind kind,
                   const Accessor *by);
  int64_t initial(const MemoryObject &object, int64_t offset, ScalarKind kind);
  void noteRead(MemoryObject &object, MemoryCell &cell, const Accessor &by);
  void noteWrite(MemoryObject &object, MemoryCell &cell, const Accessor &by);

  TermStore &terms;
  std::vector<MemoryObject> objects;
};

bool isFloatKind(ScalarKind kind);

} // namespace clopt

#endif // CLOPT_VALIDATION_MEMORY_H
