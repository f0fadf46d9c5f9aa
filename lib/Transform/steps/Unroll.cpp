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

#include "Model/Operations.h"
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
    const isl::fixed_box box = rangeBox(isl::manage(map));
    if (isl_fixed_box_is_valid(box.get()) != isl_bool_true)
      return std::nullopt;
    const isl::multi_val sizes = isl::manage(isl_fixed_box_get_size(box.get()));
    const isl::val size = isl::manage(isl_multi_val_get_val(sizes.get(), 0));
    if (isl_val_is_int(size.get()) != isl_bool_true)
      return std::nullopt;
    most = std::max<int64_t>(most, isl_val_get_num_si(size.get()));
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
