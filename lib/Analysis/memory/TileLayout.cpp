//===- TileLayout.cpp - where cells of a section lie ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ArrayTilesTest.cpp, test/unit/BankConflictCostTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/TileLayout.h"

#include <algorithm>

namespace clopt {

std::vector<unsigned> tileDimensions(const TransformedKernel &kernel,
                                     const ArrayTile &tile) {
  std::vector<unsigned> dims;
  unsigned rank = static_cast<unsigned>(tile.extents.size());
  for (unsigned d = 0; d < rank; ++d)
    if (d != tile.rowDimension && tile.largest(kernel, d) > 1)
      dims.push_back(d);
  dims.push_back(tile.rowDimension);
  return dims;
}

int64_t rowCells(const TransformedKernel &kernel, const ArrayTile &tile) {
  return tile.largest(kernel, tile.rowDimension) + tile.pad;
}

std::vector<int64_t> tileShape(const TransformedKernel &kernel,
                               const ArrayTile &tile) {
  std::vector<int64_t> shape;
  for (unsigned d : tileDimensions(kernel, tile))
    shape.push_back(d == tile.rowDimension ? rowCells(kernel, tile)
                                           : tile.largest(kernel, d));
  return shape;
}

/// True when neither loop has the other in it: a tile of one is over before
/// those of the other begin, or after they have ended.
static bool areApart(const TransformedKernel &kernel, unsigned first,
                     unsigned second) {
  for (auto [outer, inner] : {std::pair(first, second), {second, first}}) {
    const ScheduleNode *node = findLoop(kernel.tree, outer);
    if (!node)
      return false;
    const std::vector<unsigned> below = loopsBelow(*node);
    if (llvm::is_contained(below, inner))
      return false;
  }
  return true;
}

/// True when one local array can have the cells of both, one after the other:
/// only its outermost dimension may differ.
static bool mayFollow(const TransformedKernel &kernel, const ArrayTile &first,
                      const ArrayTile &second) {
  if (first.array != second.array || first.isPrivate() || second.isPrivate() ||
      !first.loop || !second.loop || first.stored != second.stored ||
      first.inPlanes != second.inPlanes ||
      !areApart(kernel, *first.loop, *second.loop))
    return false;
  std::vector<int64_t> one = tileShape(kernel, first);
  std::vector<int64_t> other = tileShape(kernel, second);
  if (one.size() == other.size() && !first.inPlanes)
    one.front() = other.front();
  return one == other;
}

unsigned storageOf(const TransformedKernel &kernel, unsigned index) {
  // The sections before it decide first; each array has few.
  std::vector<unsigned> storages;
  for (unsigned t = 0; t <= index; ++t) {
    unsigned own = t;
    for (unsigned candidate = 0; candidate < t && own == t; ++candidate) {
      bool isFree = storages[candidate] == candidate;
      for (unsigned other = 0; other < t; ++other)
        isFree &= storages[other] != candidate ||
                  mayFollow(kernel, kernel.tiles[other], kernel.tiles[t]);
      if (isFree)
        own = candidate;
    }
    storages.push_back(own);
  }
  return storages[index];
}

std::vector<int64_t> storageShape(const TransformedKernel &kernel,
                                  unsigned index) {
  std::vector<int64_t> shape = tileShape(kernel, kernel.tiles[index]);
  for (unsigned t = index + 1; t < kernel.tiles.size(); ++t)
    if (storageOf(kernel, t) == index)
      shape.front() =
          std::max(shape.front(), tileShape(kernel, kernel.tiles[t]).front());
  return shape;
}

bool countsFromFirst(const KernelModel &model, const ArrayTile &tile,
                     SymbolId symbol) {
  return (model.symbols[symbol].kind == SymbolKind::GlobalId &&
          !tile.isPrivate()) ||
         (tile.loop && tile.nest.empty() &&
          model.loops[*tile.loop].iterator == symbol);
}

Polynomial relativeSubscript(const KernelModel &model, const ArrayTile &tile,
                             const Access &access, unsigned dim) {
  // What the base has in common cancels out.
  Polynomial result = access.subscripts[dim] - tile.base[dim];
  for (const auto &[monomial, factor] : tile.base[dim].terms)
    if (monomial.size() == 1 && countsFromFirst(model, tile, monomial.front()))
      result =
          result + Polynomial::symbol(monomial.front()) * Polynomial(factor);
  return result;
}

/// Cells along a dimension, unless the launch says how many they are.
static std::optional<int64_t> fixedExtent(const TransformedKernel &kernel,
                                          const ArrayTile &tile, unsigned dim) {
  std::optional<unsigned> adaptive = kernel.adaptiveDimension();
  if (adaptive && !tile.isPrivate() && tile.extents[dim].perId[*adaptive])
    return std::nullopt;
  return tile.largest(kernel, dim);
}

std::optional<int64_t> cellsPerIteration(const KernelModel &model,
                                         const ArrayTile &tile, unsigned dim) {
  const Loop &loop = model.loops[*tile.loop];
  std::optional<Polynomial> factor =
      tile.base[dim].coefficientOf(loop.iterator);
  std::optional<int64_t> cells = factor ? factor->asConstant() : std::nullopt;
  return cells ? std::optional(*cells * loop.step) : std::nullopt;
}

bool canCutSections(const TransformedKernel &kernel, unsigned loop) {
  bool any = false;
  for (const ArrayTile &tile : kernel.sections()) {
    if (tile.loop != loop)
      continue;
    any = true;
    if (tile.isPrivate() || !tile.nest.empty() || !tile.hasWholeBox())
      return false;
    for (unsigned d = 0; d < tile.base.size(); ++d)
      if (!cellsPerIteration(*kernel.model, tile, d))
        return false;
  }
  return any;
}

unsigned copiedAtOnce(const TransformedKernel &kernel, const ArrayTile &tile) {
  const KernelModel &model = *kernel.model;
  const Type &type = model.arrays[tile.array].elementType;
  unsigned bytes = model.arrays[tile.array].elementBytes;
  unsigned stored = std::max(bytes, tile.cellBytes(model));
  if (type.kind == TypeKind::Struct || type.lanes == 3 || tile.inPlanes)
    return 1;
  unsigned last = static_cast<unsigned>(tile.extents.size()) - 1;
  for (unsigned d = 0; d <= last; ++d)
    if (tile.skipFirst[d] || tile.skipLast[d])
      return 1;
  std::optional<int64_t> cells = fixedExtent(kernel, tile, last);
  if (!cells || type.scalar == ScalarKind::Half)
    return 1;
  for (unsigned width : {16u, 8u, 4u, 2u})
    if (width * stored <= 16 && width * bytes >= 4 && *cells % width == 0)
      return width;
  return 1;
}

bool copiesRows(const TransformedKernel &kernel, const ArrayTile &tile) {
  unsigned last = static_cast<unsigned>(tile.extents.size()) - 1;
  return !tile.isPrivate() && tile.rowDimension == last &&
         rowCells(kernel, tile) % copiedAtOnce(kernel, tile) == 0;
}

} // namespace clopt
