//===- ReadBack.cpp - the written kernel against the meant one ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch in which the original itself has a race or leaves an array has no
// meaning and is passed over.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/ReadBack.h"

#include "Validation/Launches.h"
#include "Validation/ModelCells.h"

#include <algorithm>

namespace clopt {

namespace {

class Comparison {
public:
  Comparison(TermStore &store, RunResult &first, RunResult &second,
             bool anyOrder)
      : terms(store), original(first), emitted(second), mayReorder(anyOrder) {}

  /// What differs, or nothing.
  std::optional<RunFault> run();

private:
  std::optional<RunFault> compareCells(const std::string &name,
                                       MemoryObject &before,
                                       MemoryObject &after);
  std::optional<RunFault> compareReads(const std::string &name, MemoryObject &x,
                                       MemoryObject &y);
  OffsetRange structsAround(const std::string &field, const MemoryObject &part);
  bool areEqual(const MemoryCell &meant, const MemoryCell &found) const;
  std::string text(const MemoryCell &cell) const;

  TermStore &terms;
  RunResult &original, &emitted;
  bool mayReorder; ///< floating-point operations
};

} // namespace

static std::string cellName(const std::string &array, int64_t offset,
                            ScalarKind kind) {
  return array + "[" + std::to_string(offset / sizeOf(kind)) + "]";
}

static std::string lineText(const SourceRange *range) {
  return range ? " (line " + std::to_string(range->line) + " of the result)"
               : "";
}

std::string Comparison::text(const MemoryCell &cell) const {
  return isFloatKind(cell.kind) ? terms.print(cell.value)
                                : std::to_string(cell.value);
}

bool Comparison::areEqual(const MemoryCell &meant,
                          const MemoryCell &found) const {
  if (isFloatKind(meant.kind) != isFloatKind(found.kind))
    return false;
  if (meant.value == found.value)
    return true;
  if (!mayReorder || !isFloatKind(meant.kind))
    return false;
  std::optional<bool> isClose = terms.areClose(meant.value, found.value);
  if (!isClose)
    throw GiveUp{"functions of reordered values"};
  return *isClose;
}

std::optional<RunFault> Comparison::compareCells(const std::string &name,
                                                 MemoryObject &before,
                                                 MemoryObject &after) {
  std::set<int64_t> offsets;
  for (const auto &entry : before.cells)
    if (entry.second.isWritten)
      offsets.insert(entry.first);
  for (const auto &entry : after.cells)
    if (entry.second.isWritten)
      offsets.insert(entry.first);
  for (int64_t offset : offsets) {
    auto meant = before.cells.find(offset), found = after.cells.find(offset);
    bool isMeant = meant != before.cells.end() && meant->second.isWritten;
    bool isFound = found != after.cells.end() && found->second.isWritten;
    const MemoryCell &cell = isMeant ? meant->second : found->second;
    SourceRange range = isMeant && cell.written ? *cell.written : SourceRange();
    std::string where = cellName(name, offset, cell.kind);
    if (!isFound)
      return RunFault{where + " is not written", range};
    if (!isMeant)
      return RunFault{where + " is written, and the original does not" +
                          lineText(found->second.written),
                      range};
    if (!areEqual(cell, found->second))
      return RunFault{where + " becomes " + text(found->second) + ", not " +
                          text(cell) + lineText(found->second.written),
                      range};
  }
  return std::nullopt;
}

/// Fields of structs are buffers of their own only where they are used.
static MemoryObject &findBuffer(RunResult &run, const std::string &name,
                                MemoryObject &none) {
  auto found = run.buffers.find(name);
  return found == run.buffers.end() ? none : run.memory.object(found->second);
}

/// The field in all structs between the first and the last one of which the
/// original accesses some field.
OffsetRange Comparison::structsAround(const std::string &field,
                                      const MemoryObject &part) {
  const size_t dot = field.rfind('.');
  MemoryObject none;
  const MemoryObject &whole =
      dot == std::string::npos
          ? none
          : findBuffer(original, field.substr(0, dot), none);
  OffsetRange result;
  if (whole.wholes.first <= whole.wholes.last && whole.elementBytes > 0)
    result.add(
        whole.wholes.first / whole.elementBytes * part.elementBytes,
        (whole.wholes.last / whole.elementBytes + 1) * part.elementBytes - 1);
  return result;
}

/// Between the first and the last cell that the original accesses a buffer is
/// known to exist.
std::optional<RunFault> Comparison::compareReads(const std::string &name,
                                                 MemoryObject &x,
                                                 MemoryObject &y) {
  OffsetRange allowed = x.reads;
  for (const auto &[offset, cell] : x.cells)
    if (cell.isWritten)
      allowed.add(offset, offset + sizeOf(cell.kind) - 1);
  for (const OffsetRange &range : {x.wholes, structsAround(name, y)})
    if (range.first <= range.last)
      allowed.add(range.first, range.last);
  const OffsetRange &reads = y.reads;
  if (reads.first > reads.last ||
      (reads.first >= allowed.first && reads.last <= allowed.last))
    return std::nullopt;
  bool isBefore = reads.first < allowed.first;
  int64_t bytes = std::max<int64_t>(1, y.cellBytes);
  int64_t cell = (isBefore ? reads.first : reads.last) / bytes;
  const SourceRange &place = isBefore ? y.firstRead : y.lastRead;
  return RunFault{name + "[" + std::to_string(cell) +
                      "] is read, outside of what the original accesses" +
                      lineText(&place),
                  SourceRange()};
}

std::optional<RunFault> Comparison::run() {
  std::map<std::string, int64_t> names = original.buffers;
  names.insert(emitted.buffers.begin(), emitted.buffers.end());
  for (const auto &entry : names) {
    MemoryObject none;
    MemoryObject &before = findBuffer(original, entry.first, none);
    MemoryObject &after = findBuffer(emitted, entry.first, none);
    if (auto fault = compareCells(entry.first, before, after))
      return fault;
    if (auto fault = compareReads(entry.first, before, after))
      return fault;
  }
  return std::nullopt;
}

static RunFault complete(const Function &original, const SmallLaunch &launch,
                         const RunFault &fault) {
  return {fault.what + ", with " + launch.text(),
          fault.range.isValid() ? fault.range : original.range};
}

std::optional<RunFault> compareRuns(const TranslationUnit &originalUnit,
                                    const Function &original,
                                    const TranslationUnit &emittedUnit,
                                    const Function &emitted,
                                    const SmallLaunch &launch, uint64_t budget,
                                    const KernelModel *model, RunNotes &notes) {
  TermStore terms;
  RunResult before = runKernel(originalUnit, original, launch, terms, budget);
  notes.steps += before.steps;
  if (before.gaveUp || before.fault) {
    notes.skipped = before.gaveUp ? *before.gaveUp : before.fault->what;
    return std::nullopt;
  }
  RunResult after = runKernel(emittedUnit, emitted, launch, terms, budget);
  notes.steps += after.steps;
  notes.executed.insert(after.executed.begin(), after.executed.end());
  if (after.gaveUp) {
    notes.skipped = *after.gaveUp;
    return std::nullopt;
  }
  if (after.fault) {
    RunFault fault = *after.fault;
    fault.what += lineText(&fault.range);
    fault.range = SourceRange(); // a place in another text
    return complete(original, launch, fault);
  }
  try {
    bool mayReorder = originalUnit.unsafeMath;
    if (auto fault = Comparison(terms, before, after, mayReorder).run())
      return complete(original, launch, *fault);
  } catch (const GiveUp &end) {
    notes.skipped = end.reason;
    return std::nullopt;
  }
  if (model)
    if (auto fault = checkWrittenCells(*model, launch, after, 20000))
      return complete(original, launch, *fault);
  return std::nullopt;
}

ReadBackReport readBack(const TransformedKernel &transformed,
                        const KernelModel &model, const TranslationUnit &unit,
                        const Function &emitted, uint64_t budget) {
  ReadBackReport report;
  RunNotes notes;
  for (const SmallLaunch &launch : chooseLaunches(transformed)) {
    if (notes.steps >= budget) {
      report.skipped.insert("too many steps");
      break;
    }
    notes.skipped.clear();
    report.wrong = compareRuns(*model.unit, *model.function, unit, emitted,
                               launch, budget / 6, &model, notes);
    if (report.wrong)
      return report;
    if (notes.skipped.empty())
      ++report.compared;
    else
      report.skipped.insert(notes.skipped);
  }
  forEachStmt(emitted.body, [&](const StmtRef &stmt) {
    ++report.statements;
    report.executed += notes.executed.count(stmt.get());
  });
  return report;
}

} // namespace clopt
