//===- StageRecurrence.cpp - sections that a loop reads and writes --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: a loop that goes along cells of an array, and makes each of others,
//
//   for (int y = 1; y < h; y++)
//     a[y * w + x] += a[(y - 1) * w + x];
//
// keeps a tile's section in registers. What earlier iterations have written is
// there already; what later ones have not written yet is loaded before the
// first iteration of the tile, all of it at once. What the tile has written is
// stored behind the last one.
//
// Legal because a work-item sees its own writes in its own order, and every
// cell between the first and the last one is its own: it reads or writes all of
// them.
//
// Tested by test/unit/StagePrivateTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Stager.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Sets which cells are loaded: those that are read before they are written.
/// Places count in the order of the iterations.
StepResult Stager::checkRecurrence(ArrayTile &tile) const {
  const std::string &name = model.arrays[array].name;
  const Loop &info = model.loops[*loop];
  const std::vector<unsigned> order =
      statementsBelow(*findLoop(kernel.tree, *loop));
  const std::vector<LinearPart> &form = parts.at(tile.accesses.front());
  auto refused = [&](unsigned id) {
    return refuse("clopt-dependence",
                  "'" + name + "' is both read and written in the region", "",
                  model.accesses[id].range);
  };
  // One dimension moves, by one cell per iteration.
  std::optional<unsigned> row;
  int64_t direction = 0;
  for (unsigned d = 0; d < form.size(); ++d)
    for (const auto &[symbol, factor] : form[d].moving) {
      if (row || symbol != info.iterator || std::llabs(factor * info.step) != 1)
        return refused(tile.accesses.front());
      row = d;
      direction = factor * info.step;
    }
  if (!row)
    return refused(tile.accesses.front());
  const int64_t count = findLoop(kernel.tree, *loop)->tile;
  auto placeOf = [&](unsigned id) {
    return direction * parts.at(id)[*row].constant;
  };
  auto statementAt = [&](unsigned id) {
    return std::find(order.begin(), order.end(), model.accesses[id].statement) -
           order.begin();
  };
  std::optional<unsigned> write;
  std::vector<int64_t> places;
  for (unsigned id : tile.accesses) {
    for (unsigned d = 0; d < form.size(); ++d)
      if (d != *row && parts.at(id)[d].constant != form[d].constant)
        return refused(id);
    if (!runsEverywhere(model.accesses[id]))
      return refuse("clopt-non-affine-control",
                    "'" + name + "' is not accessed in all iterations", "",
                    model.accesses[id].range);
    places.push_back(placeOf(id));
    if (!model.accesses[id].isWrite)
      continue;
    if (write && placeOf(*write) != placeOf(id))
      return refused(id);
    if (!write || statementAt(id) < statementAt(*write))
      write = id;
  }
  std::sort(places.begin(), places.end());
  for (size_t i = 1; i < places.size(); ++i)
    if (places[i] - places[i - 1] > count)
      return refused(*write);
  const int64_t low = places.front(), high = places.back() + count;
  int64_t firstIn = high, lastIn = low; // of what is loaded, and behind it
  for (unsigned id : tile.accesses) {
    const Access &access = model.accesses[id];
    const int64_t place = placeOf(id), written = placeOf(*write);
    // An assignment reads its operands before it writes.
    const bool isBefore =
        place > written ||
        (place == written && statementAt(id) <= statementAt(*write));
    const int64_t end =
        isBefore ? place + count : std::min(written, place + count);
    if (access.isWrite || end <= place)
      continue;
    firstIn = std::min(firstIn, place);
    lastIn = std::max(lastIn, end);
  }
  if (firstIn >= lastIn)
    return refused(*write);
  tile.skipFirst.assign(form.size(), 0);
  tile.skipLast.assign(form.size(), 0);
  tile.skipFirst[*row] = direction > 0 ? firstIn - low : high - lastIn;
  tile.skipLast[*row] = direction > 0 ? high - lastIn : firstIn - low;
  return std::nullopt;
}

} // namespace clopt
