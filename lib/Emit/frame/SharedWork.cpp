//===- SharedWork.cpp - several work-items in the place of one ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logical work-items are counted through all dimensions, and groups take as
// many of them at a time as they have sets of `lanes` work-items, in a loop
// that all work-items of a group run equally often: it has barriers.
//
// Tested by test/unit/SharedWorkTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/SharedWork.h"

#include "Analysis/dependence/CooperativeReductions.h"
#include "Emit/frame/MappedWork.h"
#include "Emit/lower/Lowering.h"
#include "Model/ExprPrinter.h"

#include <algorithm>
#include <map>

namespace clopt {

unsigned sharedLanes(const TransformedKernel &kernel) {
  return kernel.cooperativeReductions.empty()
             ? 1
             : kernel.cooperativeReductions.front().lanes;
}

void nameSharedWork(
    const TransformedKernel &kernel, KernelNames &names,
    const std::function<std::string(const std::string &)> &fresh) {
  SharedNames &shared = names.shared;
  shared.item = fresh("item");
  shared.lane = fresh("lane");
  shared.active = fresh("active");
  shared.places = fresh("places");
  for (const CooperativeReduction &loop : kernel.cooperativeReductions) {
    std::map<ScalarKind, size_t> counts;
    for (const SharedResult &result : loop.results) {
      ScalarKind kind = kernel.model->arrays[result.array].elementType.scalar;
      std::vector<std::string> &cells = shared.cells[kind];
      if (++counts[kind] > cells.size())
        cells.push_back(
            fresh("partial_" + typeName(kind) +
                  (cells.empty() ? "" : std::to_string(cells.size()))));
    }
  }
}

const std::string &sharedCells(const KernelNames &names, ScalarKind kind,
                               unsigned place) {
  return names.shared.cells.at(kind).at(place);
}

std::vector<std::string> declareSharedCells(const TransformedKernel &kernel,
                                            const KernelNames &names) {
  std::vector<std::string> lines;
  if (!kernel.sharesWork())
    return lines;
  for (const auto &[kind, arrays] : names.shared.cells)
    for (const std::string &array : arrays)
      lines.push_back("__local " + typeName(kind) + " " + array + "[" +
                      std::to_string(cellsPerResult(kernel)) + "];");
  return lines;
}

namespace {

/// The logical work-items along one dimension.
struct Extent {
  unsigned dim;
  std::string first, size;
};

} // namespace

/// Neighbours differ in the first one.
static std::vector<Extent>
extentsOf(const TransformedKernel &kernel, const KernelNames &names,
          const std::function<std::string(const std::string &)> &fresh,
          std::vector<std::string> &lines) {
  const KernelModel &model = *kernel.model;
  std::vector<unsigned> order = mappedOrder(model);
  if (model.ndrange.mapped.empty())
    std::stable_partition(order.begin(), order.end(),
                          [&](unsigned dim) { return dim == kernel.fastest; });
  const std::vector<unsigned> dims = workCoordinates(model);
  std::vector<Extent> extents;
  for (unsigned dim : order) {
    Extent extent = {
        dim, launchText(kernel, names.launch, WorkItemQuery::GlobalOffset, dim),
        launchText(kernel, names.launch, WorkItemQuery::GlobalSize, dim)};
    if (const MappedDimension *mapped = model.ndrange.findMapped(dim)) {
      extent.first = declareBounds(model, names, *mapped, fresh, lines);
      const auto place = std::find(dims.begin(), dims.end(), dim);
      const std::string &end = names.ends[place - dims.begin()];
      extent.size =
          "(size_t)" +
          (extent.first == "0" ? end : "(" + end + " - " + extent.first + ")");
    }
    extents.push_back(extent);
  }
  return extents;
}

/// What the extents ask of the launch.
static std::set<std::string> askedFor(const std::vector<Extent> &extents,
                                      const KernelNames &names) {
  std::set<std::string> result;
  for (const Extent &extent : extents)
    for (WorkItemQuery query :
         {WorkItemQuery::GlobalOffset, WorkItemQuery::GlobalSize})
      result.insert(names.launch.text(query, extent.dim));
  return result;
}

/// Ids of the logical work-item that is the `at`-th one.
static void addIds(const KernelModel &model, const KernelNames &names,
                   const std::vector<Extent> &extents, const std::string &at,
                   WorkMapping &result) {
  const std::vector<unsigned> dims = workCoordinates(model);
  for (size_t i = 0; i < dims.size(); ++i) {
    std::string position = at;
    size_t e = 0;
    for (; extents[e].dim != dims[i]; ++e)
      position += " / " + extents[e].size;
    if (e + 1 < extents.size())
      position += " % " + extents[e].size;
    const std::string &type = names.idTypes[i];
    if (extents[e].first != "0")
      position = extents[e].first + " + " + position;
    result.inside.push_back("const " + type + " " + names.bases[i] + " = (" +
                            type + ")(" + position + ");");
  }
}

WorkMapping
mapSharedWork(const TransformedKernel &kernel, const KernelNames &names,
              const std::function<std::string(const std::string &)> &fresh) {
  const SharedNames &shared = names.shared;
  const unsigned rank = kernel.model->ndrange.launchRank();
  std::string lanes = std::to_string(sharedLanes(kernel));
  auto linear = [&](WorkItemQuery query, WorkItemQuery counts) {
    return linearId(rank, query, counts);
  };
  WorkMapping result;
  // Larger groups leave some of their work-items without work.
  result.before = {
      "const int " + shared.item + " = (int)(" +
          linear(WorkItemQuery::LocalId, WorkItemQuery::LocalSize) + ");",
      "const int " + shared.lane + " = " + shared.item + " & " +
          std::to_string(sharedLanes(kernel) - 1) + ";",
      "const int " + shared.places + " = min((int)(" +
          productOf(rank, WorkItemQuery::LocalSize) + "), " +
          std::to_string(cellsPerResult(kernel)) + ") / " + lanes + ";"};
  std::string items = fresh("items"), first = fresh("first"), at = fresh("at");
  std::string step = fresh("step");
  const std::vector<Extent> extents =
      extentsOf(kernel, names, fresh, result.before);
  result.asked = askedFor(extents, names);
  std::string count;
  for (const Extent &extent : extents)
    count += (count.empty() ? "" : " * ") + extent.size;
  result.before.push_back("const size_t " + items + " = " + count + ";");
  std::string groups = productOf(rank, WorkItemQuery::NumGroups);
  std::string group = linear(WorkItemQuery::GroupId, WorkItemQuery::NumGroups);
  if (rank > 1) {
    groups = "(" + groups + ")";
    group = "(" + group + ")";
  }
  result.before.push_back("const size_t " + step + " = " + groups + " * " +
                          shared.places + ";");
  result.loop = "for (size_t " + first + " = " + group + " * " + shared.places +
                "; " + first + " < " + items + "; " + first + " += " + step +
                ")";
  result.inside.push_back("const size_t " + at + " = " + first + " + " +
                          shared.item + " / " + lanes + ";");
  result.inside.push_back("const bool " + shared.active + " = " + shared.item +
                          " < " + shared.places + " * " + lanes + " && " + at +
                          " < " + items + ";");
  addIds(*kernel.model, names, extents, at, result);
  return result;
}

} // namespace clopt
