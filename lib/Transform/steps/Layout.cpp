//===- Layout.cpp - the data-space transform in registers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: P1's data-space transform f' = T f + delta (Chen and Wu, section 3.4)
// takes a reversed, strided or offset access to forward by changing the layout
// of the array. Inside one vector access the same T can be applied to the
// registers instead of the memory:
//
//   reverse  a[n - 1 - j]   vload4 at the last lane's address, .s3210
//   stride K a[K * j]       ceil(((V-1)K + 1) / V) vector loads, lanes picked
//   offset c a[j + c]       a vector load at the shifted address
//
// Legal always: exactly the cells between the first and the last lane's are
// read, and both of those the original reads, so all lie inside the buffer; and
// stores are permuted only for reverse, where every cell is written.
//
// The same T in local memory means rows of a staged section along another
// dimension of the array; in the buffer, a copy that the launch plan makes
// (lib/Emit/layout/Relayout.h).
//
// Tested by test/unit/LayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Layout.h"

namespace clopt {

StepResult layoutInRegisters(TransformedKernel &kernel, unsigned array,
                             AliasMode alias) {
  const Array &info = kernel.model->arrays[array];
  if (info.space == AddressSpace::Private)
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is a private variable");
  if (!info.elementType.isScalar())
    return refuse("clopt-not-profitable",
                  "the elements of '" + info.name + "' are not scalars");
  // Cells between those that are used are loaded, too: nobody may write them.
  // Of the array itself only rows without any are (StatementPrinter).
  TransformedKernel trial = kernel;
  for (unsigned other : writtenArrays(*kernel.model))
    if (other != array)
      if (StepResult refusal = requireDisjoint(trial, array, other, alias))
        return refusal;
  kernel = std::move(trial);
  kernel.registerLayouts.insert(array);
  return std::nullopt;
}

StepResult layoutInLocalMemory(TransformedKernel &kernel, unsigned array,
                               const DataSpace &space) {
  const Array &info = kernel.model->arrays[array];
  const std::vector<LayoutPart> &parts = space.list();
  if (parts.size() != 1 || parts.front().kind != LayoutPart::Kind::Exchange)
    return refuse("clopt-not-profitable",
                  "sections in local memory can be transposed, nothing else");
  bool any = false;
  for (ArrayTile &tile : kernel.tiles) {
    if (tile.array != array || tile.isPrivate())
      continue;
    any = true;
    for (unsigned id : tile.accesses)
      if (kernel.model->accesses[id].width > 1)
        return refuse("clopt-not-profitable",
                      "several cells of a row of '" + info.name +
                          "' are read at once",
                      "", kernel.model->accesses[id].range);
    const LayoutPart &exchange = parts.front();
    if (tile.rowDimension == exchange.dim)
      tile.rowDimension = exchange.other;
    else if (tile.rowDimension == exchange.other)
      tile.rowDimension = exchange.dim;
    else
      return refuse("clopt-not-profitable",
                    "the rows of the section of '" + info.name +
                        "' run along neither dimension");
  }
  if (any)
    return std::nullopt;
  return refuse("clopt-not-profitable",
                "'" + info.name + "' is not in local memory",
                "write `stage " + info.name + "` before");
}

/// Every read of a cell is as many loads as it has components, or as it uses;
/// what the group writes would have to be taken apart on the way.
static StepResult checkPlanes(const ArrayTile &tile, const Array &info) {
  if (!info.elementType.isVector())
    return refuse("clopt-not-profitable",
                  "the cells of '" + info.name + "' are no vectors");
  if (tile.copyOut)
    return refuse("clopt-dependence", "'" + info.name +
                                          "' is written, and planes are for "
                                          "what is read");
  return std::nullopt;
}

StepResult planesInLocalMemory(TransformedKernel &kernel, unsigned array) {
  const Array &info = kernel.model->arrays[array];
  bool any = false;
  for (ArrayTile &tile : kernel.tiles) {
    if (tile.array != array || tile.isPrivate())
      continue;
    if (StepResult refusal = checkPlanes(tile, info))
      return refusal;
    tile.inPlanes = any = true;
  }
  if (any)
    return std::nullopt;
  return refuse("clopt-not-profitable",
                "'" + info.name + "' is not in local memory",
                "write `stage " + info.name + "` before");
}

static std::optional<LayoutPart> partOf(const LayoutChange &change,
                                        unsigned rank) {
  using Kind = LayoutPart::Kind;
  // Numbers that are not given, and negative dimensions, are none.
  auto at = [&](size_t index, int64_t otherwise) {
    return index < change.numbers.size() ? change.numbers[index] : otherwise;
  };
  auto dimension = [&](size_t index, unsigned otherwise) {
    int64_t dim = at(index, otherwise);
    return dim < 0 ? rank : static_cast<unsigned>(dim);
  };
  const unsigned last = rank - 1, above = rank > 1 ? rank - 2 : 0;
  const size_t count = change.numbers.size();
  LayoutPart part;
  if (change.name == "transpose" && (count == 0 || count == 2)) {
    part.kind = Kind::Exchange;
    part.dim = dimension(0, above);
    part.other = dimension(1, last);
  } else if (change.name == "reverse" && count <= 1) {
    part.kind = Kind::Reverse;
    part.dim = dimension(0, last);
  } else if (change.name == "offset" && count >= 1 && count <= 2) {
    part.kind = Kind::Offset;
    part.factor = at(0, 0);
    part.dim = dimension(1, last);
  } else if (change.name == "skew" && (count == 1 || count == 3)) {
    part.kind = Kind::Skew;
    part.factor = at(0, 0);
    part.other = dimension(1, above);
    part.dim = dimension(2, last);
  } else if (change.name == "stride" && count >= 1 && count <= 2) {
    part.kind = count == 1 ? Kind::Split : Kind::Compact;
    part.factor = at(0, 0);
    part.residue = at(1, 0);
    part.dim = last;
  } else if (change.name == "matrix") {
    part.kind = Kind::Matrix;
    part.matrix = change.numbers;
  } else {
    return std::nullopt;
  }
  return part;
}

std::optional<DataSpace> dataSpaceOf(const std::vector<LayoutChange> &changes,
                                     unsigned rank) {
  DataSpace space(rank);
  for (const LayoutChange &change : changes) {
    std::optional<LayoutPart> part = partOf(change, space.rank());
    if (!part || !space.add(*part))
      return std::nullopt;
  }
  return space;
}

} // namespace clopt
