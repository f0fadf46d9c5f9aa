//===- TileShapes.cpp - sections that work-items do not wait for ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/GroupPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/TileShapes.h"

#include "Planning/cost/BankConflictCost.h"

#include <algorithm>

namespace clopt {

static Step layoutStep(const std::string &name, const LayoutChange &change) {
  Step step;
  step.name = "layout";
  step.targets.push_back({name, std::nullopt});
  step.changes.push_back(change);
  step.flags.push_back("local");
  return step;
}

/// The steps that give the section its shape; the first one stages it.
static std::vector<Step> stepsFor(const Step &stage, const Array &array,
                                  unsigned rows, const TileShape &shape) {
  std::vector<Step> steps = {stage};
  steps.front().parameters.clear();
  if (shape.pad)
    steps.front().parameters.emplace_back("pad", shape.pad);
  const std::string name = stage.targets.front().name;
  if (shape.rowDimension != rows) {
    LayoutChange turn{"transpose", {}};
    if (array.rank != 2)
      turn.numbers = {std::min(rows, shape.rowDimension),
                      std::max(rows, shape.rowDimension)};
    steps.push_back(layoutStep(name, turn));
  }
  if (shape.inPlanes)
    steps.push_back(layoutStep(name, {"planes", {}}));
  return steps;
}

/// The section of the array that may get another shape.
static const ArrayTile *sectionOf(const TransformedKernel &kernel,
                                  unsigned array, unsigned bankBytes) {
  for (const ArrayTile &tile : kernel.sections()) {
    if (tile.array != array)
      continue;
    const bool isWord = kernel.model->arrays[array].elementType.isScalar() &&
                        tile.cellBytes(*kernel.model) >= bankBytes;
    return tile.isPrivate() || isWord ? nullptr : &tile;
  }
  return nullptr;
}

void reshapeTiles(const TransformedKernel &start, const DeviceProfile &profile,
                  AliasMode alias, int64_t maxBytes, TransformedKernel &kernel,
                  std::vector<Step> &steps) {
  const KernelModel &model = *start.model;
  const BankShape banks{profile.banks, profile.bankBytes, profile.bankLaneGroup,
                        profile.bankWordByWord};
  for (size_t at = 0; at < steps.size(); ++at) {
    if (steps[at].name != "stage")
      continue;
    const unsigned array = *model.findArray(steps[at].targets.front().name);
    const ArrayTile *tile = sectionOf(kernel, array, profile.bankBytes);
    const std::optional<TileShape> best =
        tile ? bestShape(kernel, array, banks) : std::nullopt;
    if (!best || (best->rowDimension == tile->rowDimension &&
                  best->pad == tile->pad && best->inPlanes == tile->inPlanes))
      continue;
    const std::vector<Step> own =
        stepsFor(steps[at], model.arrays[array], tile->rowDimension, *best);
    std::vector<Step> reshaped = steps;
    const auto place = reshaped.begin() + static_cast<std::ptrdiff_t>(at);
    reshaped.insert(reshaped.erase(place), own.begin(), own.end());
    TransformedKernel trial = start;
    const bool isTaken =
        std::all_of(reshaped.begin(), reshaped.end(), [&](const Step &step) {
          return !applyStep(trial, step, alias);
        });
    if (!isTaken || localBytes(trial) > std::max(localBytes(kernel), maxBytes))
      continue;
    kernel = std::move(trial);
    steps = std::move(reshaped);
  }
}

} // namespace clopt
