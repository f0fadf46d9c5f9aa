//===- StageJoined.cpp - one section for the references of several loops --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: references in loops of their own have other iterators, and so other
// linear parts, but may use the same cells: `p[k]` in one loop and `p[15 - l]`
// in the next. Sections with one and the same box, or with boxes that together
// are one, become one section. It is filled once.
//
// Legal for what is only read: the cells are the same during the whole region,
// and those of the joined box lie between two that the original reads.
//
// Tested by test/unit/StageTest.cpp, test/lit/stage/shared-by-loops.test.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Stager.h"

#include <algorithm>

namespace clopt {

static bool isWhole(const std::vector<int64_t> &skip) {
  return std::all_of(skip.begin(), skip.end(),
                     [](int64_t cells) { return cells == 0; });
}

/// Widens `extent`, and moves `base`, along one dimension to what `other` has,
/// which begins `apart` cells later; false when there would be a hole.
static bool widen(Polynomial &base, TileExtent &extent, const TileExtent &other,
                  int64_t apart) {
  int64_t own = extent.constant, theirs = other.constant;
  for (int64_t perId : extent.perId) {
    own += perId;
    theirs += perId;
  }
  if (apart > own || -apart > theirs)
    return false;
  const int64_t first = std::min<int64_t>(0, apart);
  const int64_t end = std::max(extent.constant, apart + other.constant);
  extent.constant = end - first;
  base = base + Polynomial(first);
  return true;
}

/// The corners that only one of two sections with the same box leaves out are
/// used by the other.
static bool joinCorners(std::vector<int64_t> &skip,
                        const std::vector<int64_t> &other) {
  if (skip == other)
    return true;
  if (!isWhole(skip) && !isWhole(other))
    return false;
  std::fill(skip.begin(), skip.end(), 0);
  return true;
}

/// True when every cell of the second section is one of the first.
static bool contains(const ArrayTile &outer, const ArrayTile &inner) {
  for (size_t d = 0; d < outer.base.size(); ++d) {
    const TileExtent &own = outer.extents[d], &other = inner.extents[d];
    std::optional<int64_t> apart = (inner.base[d] - outer.base[d]).asConstant();
    if (!apart || *apart < 0 || *apart + other.constant > own.constant ||
        !std::equal(std::begin(own.perId), std::end(own.perId),
                    std::begin(other.perId)))
      return false;
  }
  return true;
}

/// Both as one section, if their cells are one box: one contains the other, or
/// they differ along one dimension at most.
static std::optional<ArrayTile> join(const ArrayTile &first,
                                     const ArrayTile &second) {
  for (auto [outer, inner] : {std::pair(&first, &second), {&second, &first}})
    if (isWhole(outer->skipFirst) && isWhole(outer->skipLast) &&
        contains(*outer, *inner)) {
      ArrayTile result = *outer;
      result.accesses.insert(result.accesses.end(), inner->accesses.begin(),
                             inner->accesses.end());
      result.required.insert(inner->required.begin(), inner->required.end());
      return result;
    }
  ArrayTile result = first;
  unsigned differing = 0;
  for (size_t d = 0; d < first.base.size(); ++d) {
    const TileExtent &one = first.extents[d], &other = second.extents[d];
    std::optional<int64_t> apart =
        (second.base[d] - first.base[d]).asConstant();
    if (!apart || !std::equal(std::begin(one.perId), std::end(one.perId),
                              std::begin(other.perId)))
      return std::nullopt;
    if (*apart == 0 && one.constant == other.constant)
      continue;
    ++differing;
    if (!widen(result.base[d], result.extents[d], other, *apart))
      return std::nullopt;
  }
  if (first.rowDimension != second.rowDimension || differing > 1)
    return std::nullopt;
  if (differing && !(first.hasWholeBox() && second.hasWholeBox()))
    return std::nullopt;
  if (!joinCorners(result.skipFirst, second.skipFirst) ||
      !joinCorners(result.skipLast, second.skipLast))
    return std::nullopt;
  result.accesses.insert(result.accesses.end(), second.accesses.begin(),
                         second.accesses.end());
  result.required.insert(second.required.begin(), second.required.end());
  return result;
}

void Stager::joinTiles() {
  for (size_t i = 0; i < tiles.size(); ++i)
    for (size_t j = i + 1; j < tiles.size();)
      if (std::optional<ArrayTile> both = join(tiles[i], tiles[j])) {
        tiles[i] = std::move(*both);
        tiles.erase(tiles.begin() + static_cast<std::ptrdiff_t>(j));
        j = i + 1;
      } else {
        ++j;
      }
}

} // namespace clopt
