//===- Unroll.cpp - several copies of a loop body -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `unroll k:4` writes the body of loop k four times per iteration, and a
// loop for what is left over; `unroll d` writes out a loop with a constant
// number of iterations, `unroll d pragma` asks compilers to do so. A loop that
// runs as vectors has that many vectors per iteration. The order of statements
// does not change, so it is always legal; refused when a complete unrolling has
// no constant trip count, or has too many iterations.
//
// Tested by test/unit/UnrollTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/DimCount.h"
#include "Transform/Steps.h"

#include <isl/fixed_box.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

static constexpr int64_t maximumCopies = 64;

std::optional<int64_t> constantTripCount(const TransformedKernel &kernel,
                                         unsigned loop) {
  const KernelModel &model = *kernel.model;
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  int64_t most = 0;
  for (unsigned index : statementsBelow(*node)) {
    const Statement &statement = model.statements[index];
    unsigned position = 0;
    while (statement.coordinates[position] != model.loops[loop].iterator)
      ++position;
    // { [w..., outer...] -> [k] }
    isl_set *domain = isl_set_reset_tuple_id(statement.domain.copy());
    unsigned total = dimCount(isl_set_dim(domain, isl_dim_set));
    domain = isl_set_project_out(domain, isl_dim_set, position + 1,
                                 total - position - 1);
    isl_map *map = isl_map_from_domain(domain);
    map = isl_map_move_dims(map, isl_dim_out, 0, isl_dim_in, position, 1);
    isl_fixed_box *box = isl_map_get_range_simple_fixed_box_hull(map);
    isl_map_free(map);
    bool valid = isl_fixed_box_is_valid(box) == isl_bool_true;
    int64_t size = 0;
    if (valid) {
      isl_multi_val *sizes = isl_fixed_box_get_size(box);
      isl_val *value = isl_multi_val_get_val(sizes, 0);
      valid = isl_val_is_int(value) == isl_bool_true;
      size = isl_val_get_num_si(value);
      isl_val_free(value);
      isl_multi_val_free(sizes);
    }
    isl_fixed_box_free(box);
    if (!valid)
      return std::nullopt;
    most = std::max(most, size);
  }
  int64_t step = std::abs(model.loops[loop].step);
  return (most + step - 1) / step;
}

/// Trip count of a loop that may be written out as a whole.
static StepResult wholeTripCount(const TransformedKernel &kernel, unsigned loop,
                                 std::optional<int64_t> &trips) {
  trips = constantTripCount(kernel, loop);
  if (trips && *trips <= maximumCopies)
    return std::nullopt;
  return refuse("clopt-not-profitable",
                trips ? "the loop has too many iterations to write out"
                      : "the number of iterations is not constant",
                "give a number of copies");
}

StepResult askToUnroll(TransformedKernel &kernel, unsigned loop,
                       unsigned count) {
  ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!node)
    return refuse("clopt-opaque-code",
                  "the loop is part of code that is kept as written");
  std::optional<int64_t> trips;
  if (count == 0)
    if (StepResult refusal = wholeTripCount(kernel, loop, trips))
      return refusal;
  if (count > maximumCopies)
    return refuse("clopt-step-value",
                  "at most " + std::to_string(maximumCopies) + " copies");
  node->askedCopies = count;
  return std::nullopt;
}

StepResult unroll(TransformedKernel &kernel, unsigned loop, unsigned count) {
  ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!node)
    return refuse("clopt-opaque-code",
                  "the loop is part of code that is kept as written");
  if (const Statement *jump = findJump(*kernel.model, *node))
    return refuse("clopt-non-affine-control",
                  "the loop may be left early, depending on data", "",
                  jump->stmt->range);
  // Copies of copies; what is written out stays so.
  if (count <= maximumCopies)
    count *= node->unroll;
  if (count > maximumCopies)
    return refuse("clopt-step-value",
                  "at most " + std::to_string(maximumCopies) + " copies");
  std::optional<int64_t> trips;
  if (count == 0)
    if (StepResult refusal = wholeTripCount(kernel, loop, trips))
      return refusal;
  // Of vectors all whole ones are written out; what is left are iterations.
  if (trips && node->lanes > 1)
    count = std::max(1u, static_cast<unsigned>(*trips) / node->lanes);
  node->unroll = count;
  return std::nullopt;
}

} // namespace clopt
