//===- PlannedRange.cpp - one work-item or group per tile -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and offsets in these texts are those of the application's launch, also
// on the device, where they are arguments. Ids are those of the plan's NDRange,
// whose offset is zero.
//
// Tested by test/unit/PlannedKernelTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/MappedWork.h"
#include "Emit/frame/PlannedKernel.h"
#include "Emit/frame/WorkMapping.h"

#include <algorithm>

namespace clopt {

/// `(n + 3) / 4`
static std::string ceilQuotient(const std::string &value, unsigned divisor) {
  if (divisor == 1)
    return value;
  return "(" + value + " + " + std::to_string(divisor - 1) + ") / " +
         std::to_string(divisor);
}

static std::string times(unsigned factor) {
  return factor > 1 ? " * " + std::to_string(factor) : "";
}

//===-- Groups
//--------------------------------------------------------------===//

namespace {

class GroupRange {
public:
  GroupRange(const TransformedKernel &transformed, const KernelNames &allNames,
             const PlannedRangeOptions &how)
      : kernel(transformed), names(allNames), options(how),
        dims(workCoordinates(*transformed.model)) {}

  PlannedRange run() {
    declareGroup();
    declareOffsets();
    for (size_t i = 0; i < dims.size(); ++i)
      declareFirst(i);
    range.lines.insert(range.lines.end(), names.moves.begin(),
                       names.moves.end());
    for (size_t i = 0; i < dims.size(); ++i)
      declareBase(i);
    describe();
    return std::move(range);
  }

private:
  /// Work-items side by side. Along the adaptive dimension any number does:
  /// groups stay as small as devices promise to start.
  unsigned threadsOf(unsigned dim) const {
    const unsigned all = kernel.work[dim].threads();
    if (kernel.adaptiveDimension() != dim)
      return all;
    const unsigned others = minWorkItems(kernel);
    return std::min(all, std::max(1u, options.groupItems / others));
  }

  unsigned items() const {
    unsigned count = 1;
    for (unsigned d = 0; d < kernel.model->ndrange.rank; ++d)
      count *= threadsOf(d);
    return count;
  }

  unsigned idsOf(unsigned dim) const {
    const WorkDimension &work = kernel.work[dim];
    if (kernel.adaptiveDimension() == dim)
      return threadsOf(dim) * work.total();
    return work.groupIds ? work.groupIds : work.total();
  }

  void add(const std::string &type, const std::string &name,
           const std::string &value, std::set<std::string> uses = {}) {
    range.lines.push_back(
        ConstantDeclaration{type, name, value, std::move(uses)});
  }

  void declareGroup() {
    const GroupNames &group = names.group;
    add("int", group.size, std::to_string(items()));
    add("int", group.item, "(int)get_local_id(0)");
    add("bool", group.active, "true");
    for (size_t i = 0; i < dims.size(); ++i)
      if (!group.extents[i].empty())
        add("int", group.extents[i], std::to_string(idsOf(dims[i])));
  }

  /// Where a work-item's first ids lie within the tile.
  void declareOffsets() {
    unsigned below = 1;
    for (unsigned d = 0; d < kernel.model->ndrange.rank; ++d) {
      auto at = std::find(dims.begin(), dims.end(), d);
      if (at == dims.end())
        continue;
      size_t i = static_cast<size_t>(at - dims.begin());
      if (names.group.offsets[i].empty())
        continue;
      const WorkDimension &work = kernel.work[d];
      std::string text = names.group.item;
      if (below > 1)
        text += " / " + std::to_string(below);
      text += " % " + std::to_string(threadsOf(d));
      add("int", names.group.offsets[i],
          text + times(work.strided ? work.lanes : work.total()),
          {names.group.item});
      below *= threadsOf(d);
      if (!names.strides[i].empty())
        add("int", names.strides[i], std::to_string(threadsOf(d) * work.lanes));
    }
  }

  void declareFirst(size_t i) {
    unsigned d = dims[i];
    const std::string &type = names.idTypes[i];
    const std::string offset =
        names.launch.text(WorkItemQuery::GlobalOffset, d);
    add(type, firstOfTile(names, i, true),
        "(" + type + ")(" + offset + " + " +
            printWorkItem(WorkItemQuery::GroupId, d) + times(idsOf(d)) + ")",
        {offset});
  }

  void declareBase(size_t i) {
    const std::string &type = names.idTypes[i];
    if (!names.group.offsets[i].empty())
      add(type, names.bases[i],
          names.group.bases[i] + " + " + names.group.offsets[i],
          {names.group.bases[i], names.group.offsets[i]});
  }

  /// Below one tile for every compute unit the drop-in form is better: it makes
  /// the tiles smaller.
  void describe() {
    std::string tiles;
    for (unsigned d = 0; d < kernel.model->ndrange.rank; ++d) {
      std::string count =
          ceilQuotient(printWorkItem(WorkItemQuery::GlobalSize, d), idsOf(d));
      tiles += (d ? " * (" : "(") + count + ")";
      range.global.push_back(d ? count : "(" + count + ")" + times(items()));
      range.local.push_back(std::to_string(d ? 1 : items()));
    }
    if (options.computeUnits > 1)
      range.conditions.push_back(
          {tiles + " >= " + std::to_string(options.computeUnits),
           "there is a tile for every compute unit", true});
  }

  const TransformedKernel &kernel;
  const KernelNames &names;
  const PlannedRangeOptions &options;
  std::vector<unsigned> dims;
  PlannedRange range;
};

//===-- Work-items
//----------------------------------------------------------===//

class ItemRange {
public:
  ItemRange(const TransformedKernel &transformed, const KernelNames &allNames,
            const PlannedRangeOptions &how)
      : kernel(transformed), model(*transformed.model), names(allNames),
        options(how), dims(workCoordinates(*transformed.model)) {}

  PlannedRange run() {
    std::vector<unsigned> order = mappedOrder(model);
    std::string outside;
    std::set<std::string> all; // numbers of tiles
    for (unsigned place = 0; place < order.size(); ++place)
      addDimension(order[place], place, order.size(), outside);
    for (const std::string &count : counts)
      all.insert(count);
    range.lines.push_back({"if (" + outside + ")", all});
    range.lines.push_back(std::string("    return;"));
    for (unsigned place = 0; place < order.size(); ++place)
      declareBase(order[place], place);
    range.lines.insert(range.lines.end(), names.moves.begin(),
                       names.moves.end());
    return std::move(range);
  }

private:
  const std::string *nameOf(const std::vector<std::string> &list,
                            unsigned dim) const {
    auto it = std::find(dims.begin(), dims.end(), dim);
    return it == dims.end() ? nullptr : &list[it - dims.begin()];
  }

  /// First id and number of ids of a loop that is a dimension, in 64 bits.
  std::string declareLoop(const MappedDimension &mapped) {
    const std::string &end = *nameOf(names.ends, mapped.dim);
    std::string first =
        options.fresh(*nameOf(names.ids, mapped.dim) + "_first");
    firsts[mapped.dim] = first;
    for (const auto &[name, value] :
         {std::pair(first, mapped.first), std::pair(end, mapped.end)}) {
      std::set<std::string> uses;
      const PrintedText device =
          printBound(model, value, true, names.launch, &uses);
      range.lines.push_back(
          ConstantDeclaration{"long", name, device.text, std::move(uses)});
      range.definitions.push_back(
          {name, "(long)(" + printBound(model, value, true).text + ")"});
    }
    return "max(" + end + " - " + first + ", 0l)";
  }

  void addDimension(unsigned dim, unsigned place, size_t rank,
                    std::string &outside) {
    // On the host, and on the device.
    std::string size = printWorkItem(WorkItemQuery::GlobalSize, dim);
    std::string own = names.launch.text(WorkItemQuery::GlobalSize, dim);
    firsts[dim] = names.launch.text(WorkItemQuery::GlobalOffset, dim);
    std::set<std::string> uses = {own};
    if (const MappedDimension *mapped = model.ndrange.findMapped(dim)) {
      size = own = declareLoop(*mapped);
      uses = {firsts[dim], *nameOf(names.ends, dim)};
    }
    std::string count = ceilQuotient(size, kernel.work[dim].total());
    counts[dim] = options.fresh("tiles" + std::to_string(dim));
    range.lines.push_back(ConstantDeclaration{
        "long", counts[dim],
        "(long)(" + ceilQuotient(own, kernel.work[dim].total()) + ")",
        std::move(uses)});
    outside += (outside.empty() ? "" : " || ") + std::string("(long)") +
               printWorkItem(WorkItemQuery::GlobalId, place) +
               " >= " + counts[dim];
    unsigned items = rank == 1    ? options.groupItems
                     : place == 0 ? options.rowItems
                     : place == 1 ? options.groupItems / options.rowItems
                                  : 1;
    range.global.push_back(items > 1 ? "roundup(" + count + ", " +
                                           std::to_string(items) + ")"
                                     : count);
    range.local.push_back(std::to_string(items));
  }

  void declareBase(unsigned dim, unsigned place) {
    auto at = std::find(dims.begin(), dims.end(), dim);
    if (at == dims.end())
      return;
    const std::string &base =
        firstOfTile(names, static_cast<size_t>(at - dims.begin()), false);
    const std::string &type = *nameOf(names.idTypes, dim);
    const WorkDimension &work = kernel.work[dim];
    std::string text = printWorkItem(WorkItemQuery::GlobalId, place) +
                       times(work.strided ? work.lanes : work.total());
    range.lines.push_back(ConstantDeclaration{type,
                                              base,
                                              "(" + type + ")(" + firsts[dim] +
                                                  " + " + text + ")",
                                              {firsts[dim]}});
    const std::string &stride = *nameOf(names.strides, dim);
    if (!stride.empty())
      range.lines.push_back(ConstantDeclaration{
          type,
          stride,
          "(" + type + ")(" + counts[dim] + times(work.lanes) + ")",
          {counts[dim]}});
  }

  const TransformedKernel &kernel;
  const KernelModel &model;
  const KernelNames &names;
  const PlannedRangeOptions &options;
  std::vector<unsigned> dims;
  std::string firsts[3], counts[3];
  PlannedRange range;
};

} // namespace

PlannedRange planSharedRange(const TransformedKernel &kernel,
                             const PlannedRangeOptions &options) {
  std::string count;
  for (unsigned dim = 0; dim < kernel.model->ndrange.launchRank(); ++dim)
    count += printWorkItem(WorkItemQuery::GlobalSize, dim) + " * ";
  const unsigned lanes = kernel.cooperativeReductions.front().lanes;
  const std::string items = std::to_string(options.groupItems);
  PlannedRange range;
  range.global = {"roundup(" + count + std::to_string(lanes) + ", " + items +
                  ")"};
  range.local = {items};
  return range;
}

PlannedRange planGroupRange(const TransformedKernel &kernel,
                            const KernelNames &names,
                            const PlannedRangeOptions &options) {
  return GroupRange(kernel, names, options).run();
}

PlannedRange planItemRange(const TransformedKernel &kernel,
                           const KernelNames &names,
                           const PlannedRangeOptions &options) {
  return ItemRange(kernel, names, options).run();
}

} // namespace clopt
