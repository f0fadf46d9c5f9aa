//===- LaunchSearch.cpp - launches that reach what others do not ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches stay small: what a launch takes grows with its work-items times the
// iterations of loops.
//
// Tested by test/unit/LaunchSearchTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/LaunchSearch.h"

#include "Validation/Launches.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

namespace clopt {

/// Work-items of a launch, and what an argument is at most.
static constexpr int64_t maxWorkItems = 2048, maxArgument = 600;
static constexpr int64_t maxGroup = 1024;

LaunchSearch::LaunchSearch(const KernelModel &kernel,
                           std::vector<int64_t> known,
                           const std::vector<SmallLaunch> &seeds)
    : model(kernel), numbers(std::move(known)),
      integers(integerArguments(kernel)) {
  for (const SmallLaunch &seed : seeds)
    keep(seed);
  addOverlaps();
  for (unsigned d = 0; d < 3; ++d)
    isGroupFixed |= model.function->requiredLocalSize[d] > 0 ||
                    model.ndrange.localSize[d].has_value();
}

/// Pairs of buffers that a program may give as one, where that could matter:
/// one of them is written, and no `restrict` promises that nobody else does
/// (C99, 6.7.3.1).
void LaunchSearch::addOverlaps() {
  std::set<unsigned> written;
  for (const Access &access : model.accesses)
    if (access.isWrite)
      written.insert(access.array);
  for (unsigned b = 0; b < model.arrays.size(); ++b)
    for (unsigned a = 0; a < model.arrays.size(); ++a) {
      const Variable *first = model.arrays[a].var,
                     *second = model.arrays[b].var;
      if (!first || !second || !first->isParam || !second->isParam ||
          first->paramIndex >= second->paramIndex ||
          model.arrays[a].space != AddressSpace::Global ||
          model.arrays[b].space != AddressSpace::Global)
        continue;
      if (areDisjoint(model, a, b) || !(written.count(a) || written.count(b)))
        continue;
      overlaps.push_back({first, second});
      overlaps.push_back({second, first});
    }
}

uint64_t LaunchSearch::random(uint64_t below) {
  state = mixBits(state, 0x6c6f7074);
  return state % below;
}

/// A number near one that matters.
int64_t LaunchSearch::interesting(const SmallLaunch &launch, int64_t now) {
  const std::vector<int64_t> &distances = launches[last].distances;
  if (!distances.empty() && random(3) == 0) {
    const int64_t by = distances[random(distances.size())];
    return random(2) ? now + by : now - by;
  }
  const int64_t d = static_cast<int64_t>(random(launch.dimensions));
  int64_t base = 0;
  switch (random(6)) {
  case 5: // a size times a number, as loops in steps of the launch's size run
    base = launch.global[static_cast<size_t>(d)] *
           (numbers.empty() ? 2 : numbers[random(numbers.size())]);
    break;
  case 0:
    base = now;
    break;
  case 1:
    base = launch.global[static_cast<size_t>(d)];
    break;
  case 2:
    base = static_cast<int64_t>(random(4));
    break;
  default:
    if (!numbers.empty())
      base = numbers[random(numbers.size())];
  }
  switch (random(6)) {
  case 0:
    return base + 1;
  case 1:
    return base - 1;
  case 2:
    return 2 * base;
  case 3:
    return base + static_cast<int64_t>(random(8));
  default:
    return base;
  }
}

void LaunchSearch::changeArgument(SmallLaunch &launch) {
  if (integers.empty())
    return;
  int64_t &value = launch.integers[integers[random(integers.size())]];
  value = std::min(interesting(launch, value), maxArgument);
}

void LaunchSearch::changeExtent(SmallLaunch &launch) {
  const size_t d = random(launch.dimensions);
  if (random(4) == 0) {
    static constexpr int64_t offsets[] = {0, 1, 3, 16};
    launch.offset[d] = offsets[random(4)];
    return;
  }
  int64_t groups = 1 + static_cast<int64_t>(random(5));
  if (!isGroupFixed && random(2)) {
    // A size that is close to what matters, in one group or single items.
    const int64_t size =
        std::clamp<int64_t>(interesting(launch, launch.global[d]), 1, 256);
    launch.local[d] = random(2) ? size : 1;
    groups = size / launch.local[d];
  }
  launch.global[d] = launch.local[d] * groups;
}

void LaunchSearch::changeGroup(SmallLaunch &launch) {
  if (isGroupFixed)
    return changeExtent(launch);
  static constexpr int64_t sizes[] = {1, 2, 3, 4, 5, 8, 16, 32, 64};
  const size_t d = random(launch.dimensions);
  int64_t groups = launch.global[d] / launch.local[d];
  launch.local[d] = sizes[random(9)];
  launch.global[d] = launch.local[d] * groups;
}

void LaunchSearch::changeData(SmallLaunch &launch) {
  launch.data = 1 + random(64);
}

void LaunchSearch::changeOverlap(SmallLaunch &launch) {
  if (random(3) == 0) {
    static constexpr int64_t bytes[] = {0, 1, 2, 4, 8};
    launch.misalignment = bytes[random(5)];
    return;
  }
  launch.sameAs.clear();
  launch.overlapShift = 0;
  if (overlaps.empty() || random(4) == 0)
    return;
  const auto &[first, second] = overlaps[random(overlaps.size())];
  launch.sameAs[second->name] = first->name;
  // Some elements later: footprints touch, or overlap in part.
  static constexpr int64_t shifts[] = {0, 0, 4, 8, 16, 64, 256};
  const int64_t shift = shifts[random(7)];
  const Type *element = second->type.element.get();
  const auto bytes = static_cast<int64_t>(element ? element->size : 0);
  launch.overlapShift =
      bytes == 0 ? shift : (shift + bytes - 1) / bytes * bytes;
}

/// The last ones more often: they reached the most. Cheap ones, too: there can
/// be more of what comes of them.
size_t LaunchSearch::choose() {
  auto one = [this] {
    return random(2) ? launches.size() - 1 -
                           random(std::min<size_t>(4, launches.size()))
                     : random(launches.size());
  };
  const size_t first = one(), second = one();
  return launches[second].steps < launches[first].steps ? second : first;
}

void LaunchSearch::keep(const SmallLaunch &launch, uint64_t steps,
                        std::vector<int64_t> distances,
                        std::vector<LaunchMove> moves) {
  isNew(launch);
  std::reverse(moves.begin(), moves.end());
  launches.push_back({launch, steps, std::move(distances), std::move(moves)});
}

/// False when it was tried before.
bool LaunchSearch::isNew(const SmallLaunch &launch) {
  return tried
      .insert(launch.text() + " " + std::to_string(launch.misalignment) + " " +
              std::to_string(launch.data))
      .second;
}

//===-- Moves -------------------------------------------------------------===//

/// The size and one that groups make: as many of them, or one, or single
/// work-items.
bool LaunchSearch::resize(SmallLaunch &launch, unsigned dim, int64_t by) const {
  int64_t &size = launch.global[dim], &group = launch.local[dim];
  const int64_t groups = size / group, wanted = size + by;
  if (dim >= launch.dimensions || wanted < 1 || wanted > maxWorkItems)
    return false;
  size = wanted;
  if (size % group == 0)
    return true;
  if (isGroupFixed)
    return false;
  const int64_t others =
      launch.local[0] * launch.local[1] * launch.local[2] / group;
  if (size % groups == 0)
    group = size / groups;
  else
    group = others * size <= maxGroup ? size : 1;
  return true;
}

/// A group of one row that is larger by that, and at least as many of them.
bool LaunchSearch::regroup(SmallLaunch &launch, int64_t by) const {
  const int64_t size = launch.local[0] * launch.local[1] * launch.local[2] + by;
  if (isGroupFixed || size < 1 || size > maxGroup)
    return false;
  launch.local = {size, 1, 1};
  launch.global[0] = (launch.global[0] + size - 1) / size * size;
  return true;
}

bool LaunchSearch::apply(const LaunchMove &move, SmallLaunch &launch) const {
  const LaunchNumber &number = move.number;
  switch (number.kind) {
  case LaunchNumber::Kind::Argument: {
    auto argument = launch.integers.find(number.name);
    if (argument == launch.integers.end())
      return false;
    argument->second += move.by;
    return std::abs(argument->second) <= maxArgument;
  }
  case LaunchNumber::Kind::Size:
    return resize(launch, number.dim, move.by);
  case LaunchNumber::Kind::Offset:
    launch.offset[number.dim] += move.by;
    return number.dim < launch.dimensions && launch.offset[number.dim] >= 0 &&
           launch.offset[number.dim] <= maxArgument;
  case LaunchNumber::Kind::Group:
    return regroup(launch, move.by);
  case LaunchNumber::Kind::Data:
    launch.data += static_cast<uint64_t>(move.by);
    return true;
  case LaunchNumber::Kind::Begin:
    break;
  }
  const std::vector<const Variable *> &params = model.function->params;
  const auto buffer =
      std::find_if(params.begin(), params.end(), [&](const Variable *param) {
        return param->name == number.name;
      });
  if (buffer == params.end() || !launch.sameAs.count(number.name))
    return false;
  const Type *element = (*buffer)->type.element.get();
  const int64_t bytes =
      element ? std::max<int64_t>(1, static_cast<int64_t>(element->size)) : 1;
  // By whole elements, and no less than asked for.
  const int64_t elements = (std::abs(move.by) + bytes - 1) / bytes;
  launch.overlapShift += move.by < 0 ? -elements * bytes : elements * bytes;
  return launch.overlapShift >= 0;
}

std::optional<SmallLaunch>
LaunchSearch::nextMove(llvm::function_ref<bool(const LaunchMove &)> isWanted) {
  // What cannot be reached is not worth more.
  constexpr unsigned mostTries = 4;
  std::vector<size_t> order(launches.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) {
    return launches[a].steps < launches[b].steps;
  });
  for (size_t i : order)
    while (!launches[i].moves.empty()) {
      const LaunchMove move = std::move(launches[i].moves.back());
      launches[i].moves.pop_back();
      unsigned &count = tries[{move.edge, move.way}];
      SmallLaunch launch = launches[i].launch;
      if (count >= mostTries || !isWanted(move) || !apply(move, launch) ||
          launch.workItems() > maxWorkItems || !isNew(launch))
        continue;
      ++count;
      last = i;
      return launch;
    }
  return std::nullopt;
}

//===-- Chance ------------------------------------------------------------===//

SmallLaunch LaunchSearch::next() {
  constexpr unsigned mostTries = 8;
  SmallLaunch launch = changed();
  for (unsigned again = 1; again < mostTries && !isNew(launch); ++again)
    launch = changed();
  return launch;
}

SmallLaunch LaunchSearch::changed() {
  last = choose();
  SmallLaunch launch = launches[last].launch;
  for (uint64_t changes = 1 + random(3); changes > 0; --changes)
    switch (random(8)) {
    case 0:
    case 1:
      changeExtent(launch);
      break;
    case 2:
      changeGroup(launch);
      break;
    case 3:
      changeOverlap(launch);
      break;
    case 4:
      changeData(launch);
      break;
    default:
      changeArgument(launch);
    }
  while (launch.workItems() > maxWorkItems) {
    size_t d = 0;
    for (size_t other = 1; other < 3; ++other)
      if (launch.global[other] / launch.local[other] >
          launch.global[d] / launch.local[d])
        d = other;
    if (launch.global[d] > launch.local[d]) {
      launch.global[d] -= launch.local[d];
    } else if (!isGroupFixed) {
      d = static_cast<size_t>(
          std::max_element(launch.local.begin(), launch.local.end()) -
          launch.local.begin());
      launch.local[d] = launch.global[d] = (launch.local[d] + 1) / 2;
    } else {
      break;
    }
  }
  return launch;
}

} // namespace clopt
