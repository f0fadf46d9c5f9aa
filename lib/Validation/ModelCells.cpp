//===- ModelCells.cpp - what a run wrote, by the model --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/ModelCells.h"

#include "Validation/Launches.h"

namespace clopt {

namespace {

/// Elements of one array, as offsets in elements.
struct CellSets {
  std::map<int64_t, unsigned> must; ///< with the access that writes it
  std::set<int64_t> may;
  bool isUnknown = false; ///< any cell may be written
};

} // namespace

/// Where the cell is in its array; nothing when an extent is not known.
static std::optional<int64_t>
offsetOf(const KernelModel &model, const Array &array,
         const std::vector<int64_t> &cell,
         const std::map<std::string, int64_t> &values) {
  int64_t offset = 0;
  for (size_t d = 0; d < cell.size(); ++d) {
    std::optional<int64_t> extent = 0;
    if (d > 0)
      extent = valueOf(model, array.extents[d], values);
    if (!extent)
      return std::nullopt;
    offset = offset * *extent + cell[d];
  }
  std::optional<int64_t> origin = valueOf(model, array.origin, values);
  if (!origin)
    return std::nullopt;
  return *origin + offset;
}

/// Adds the cells of a write; false when there are too many or some parameter
/// has no value.
static bool addCells(const KernelModel &model, const Access &access,
                     const ParametricSet &elements,
                     const std::map<std::string, int64_t> &values, size_t limit,
                     CellSets &cells) {
  std::optional<std::vector<std::vector<int64_t>>> points =
      elements.points(values, limit);
  if (!points)
    return false;
  for (const std::vector<int64_t> &point : *points) {
    std::optional<int64_t> offset =
        offsetOf(model, model.arrays[access.array], point, values);
    if (!offset)
      return false;
    if (access.isExact)
      cells.must.emplace(*offset, access.id);
    cells.may.insert(*offset);
  }
  return true;
}

static std::optional<RunFault> compare(const KernelModel &model,
                                       const Array &array, CellSets &cells,
                                       MemoryObject &object) {
  int64_t bytes = array.elementBytes;
  std::set<int64_t> written;
  for (const auto &[offset, cell] : object.cells.all()) {
    if (!cell->isWritten)
      continue;
    // A float may be stored through a pointer to bytes. Rounded down: where
    // arguments make no sense cells are negative, in both.
    for (int64_t at = offset; at < offset + sizeOf(cell->kind); at += bytes)
      written.insert((at - (at < 0 ? bytes - 1 : 0)) / bytes);
  }
  if (!cells.isUnknown)
    for (int64_t element : written)
      if (!cells.may.count(element))
        return RunFault{"cell " + std::to_string(element) + " of '" +
                            array.name +
                            "' is written, and no access of the model does",
                        SourceRange()};
  for (const auto &[element, access] : cells.must)
    if (!written.count(element))
      return RunFault{"cell " + std::to_string(element) + " of '" + array.name +
                          "' is not written, but an access of the model does",
                      model.accesses[access].range};
  return std::nullopt;
}

WrittenCells::WrittenCells(const KernelModel &original) : model(original) {
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    bool isPlain = array.elementType.isScalar() || array.elementType.isVector();
    if (!access.isWrite || array.space != AddressSpace::Global || !array.var ||
        !isPlain)
      continue;
    const Statement &statement = model.statements[access.statement];
    writes.push_back(
        {&access,
         ParametricSet(
             access.relation.intersect_domain(statement.domain).range())});
  }
}

std::optional<RunFault> WrittenCells::check(const SmallLaunch &launch,
                                            RunResult &run,
                                            size_t limit) const {
  if (!meetsAssumptions(model, launch) || !launch.sameAs.empty())
    return std::nullopt;
  std::map<std::string, int64_t> values = parameterValues(model, launch);
  std::map<unsigned, CellSets> sets;
  for (const Write &write : writes) {
    CellSets &cells = sets[write.access->array];
    if (!addCells(model, *write.access, write.elements, values, limit, cells))
      cells.isUnknown = true;
  }
  for (auto &[index, cells] : sets) {
    const Array &array = model.arrays[index];
    auto buffer = run.buffers.find(array.var->name);
    if (buffer == run.buffers.end())
      continue;
    if (auto fault =
            compare(model, array, cells, run.memory.object(buffer->second)))
      return fault;
  }
  return std::nullopt;
}

} // namespace clopt
