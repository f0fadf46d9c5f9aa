//===- Require.cpp - launches that the new code is for --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles and register blocks pay when loops run long enough and when there are
// work-items enough to merge. How often and how many is known at the launch
// only: all other launches take the original body. Like the trip count check
// of LLVM's loop vectorizer, this is about speed and never about results.
//
// Tested by test/unit/RequireTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/TripCount.h"
#include "Transform/Steps.h"

#include <isl/set.h>

#include <algorithm>

namespace clopt {

StepResult requireIterations(TransformedKernel &kernel, unsigned loop,
                             unsigned count) {
  const KernelModel &model = *kernel.model;
  // A loop that is a dimension of the launch: for every launched work-item.
  bool isDimension = false;
  for (const MappedDimension &mapped : model.ndrange.mapped)
    isDimension |= mapped.isLaunched && mapped.loop == loop;
  std::optional<isl::set> enough;
  if (!isDimension)
    enough = runsAtLeast(model, loop, count);
  if (!isDimension && !enough)
    return refuse("clopt-non-affine-control",
                  "how often the loop runs is not known before it does");
  if (enough && isl_set_is_empty(enough->get()) == isl_bool_true)
    return refuse("clopt-not-profitable", "the loop never runs so often");
  unsigned &least = kernel.minIterations[loop];
  least = std::max(least, count);
  return std::nullopt;
}

StepResult requireWorkItems(TransformedKernel &kernel, uint64_t count) {
  kernel.minWorkItems = std::max(kernel.minWorkItems, count);
  return std::nullopt;
}

StepResult requireGroupSize(TransformedKernel &kernel, unsigned count) {
  kernel.minGroupSize = std::max(kernel.minGroupSize, count);
  return std::nullopt;
}

StepResult requireSmallGroups(TransformedKernel &kernel, unsigned count) {
  if (count < 2)
    return refuse("clopt-group-shape", "every group has a work-item");
  kernel.groupsBelow =
      kernel.groupsBelow ? std::min(kernel.groupsBelow, count) : count;
  return std::nullopt;
}

} // namespace clopt
