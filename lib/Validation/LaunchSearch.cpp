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
#include <set>

namespace clopt {

/// Work-items of a launch, and what an argument is at most.
static constexpr int64_t maxWorkItems = 2048, maxArgument = 600;

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

SmallLaunch LaunchSearch::next() {
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
