//===- TripCount.cpp - how often a loop runs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RequireTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/TripCount.h"
#include "Support/DimCount.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// { [k] : k is an iteration }; of all work-items, or as far as the bounds of
/// the loop by themselves say.
static isl::set iterationsOf(const Statement &statement, unsigned position,
                             bool ownBoundsOnly) {
  isl_set *set = isl_set_reset_tuple_id(statement.domain.copy());
  if (ownBoundsOnly)
    set = isl_set_drop_constraints_not_involving_dims(set, isl_dim_set,
                                                      position, 1);
  auto total = dimCount(isl_set_dim(set, isl_dim_set));
  set =
      isl_set_project_out(set, isl_dim_set, position + 1, total - position - 1);
  return isl::manage(isl_set_project_out(set, isl_dim_set, 0, position));
}

static bool isBounded(const isl::set &numbers) {
  return isl_set_dim_has_any_lower_bound(numbers.get(), isl_dim_set, 0) ==
             isl_bool_true &&
         isl_set_dim_has_any_upper_bound(numbers.get(), isl_dim_set, 0) ==
             isl_bool_true;
}

/// { : two iterations of one execution of the loop are `apart` }, or a little
/// more: which work-item has them makes many cases, and nobody needs them.
static isl::set reaches(const Statement &statement, unsigned position,
                        int64_t apart) {
  isl_set *set = isl_set_reset_tuple_id(statement.domain.copy());
  const unsigned total = dimCount(isl_set_dim(set, isl_dim_set));
  set =
      isl_set_project_out(set, isl_dim_set, position + 1, total - position - 1);
  // { [outer..., k] } -> { [outer...] -> [k] }
  isl_map *runs = isl_map_move_dims(isl_map_from_domain(set), isl_dim_out, 0,
                                    isl_dim_in, position, 1);
  isl_map *pairs = isl_map_apply_range(isl_map_reverse(isl_map_copy(runs)),
                                       runs); // { [k] -> [k'] }
  isl_set *distances = isl_set_lower_bound_si(
      isl_map_deltas(pairs), isl_dim_set, 0, static_cast<int>(apart));
  return isl::manage(
      isl_set_from_basic_set(isl_set_simple_hull(isl_set_params(distances))));
}

std::optional<isl::set> runsAtLeast(const KernelModel &model, unsigned loop,
                                    int64_t count) {
  SymbolId iterator = model.loops[loop].iterator;
  int64_t apart = (count - 1) * std::abs(model.loops[loop].step);
  std::optional<isl::set> result;
  for (const Statement &statement : model.statements) {
    auto at = std::find(statement.coordinates.begin(),
                        statement.coordinates.end(), iterator);
    if (at == statement.coordinates.end())
      continue;
    auto position = static_cast<unsigned>(at - statement.coordinates.begin());
    isl::set range = iterationsOf(statement, position, true); // { [k] }
    if (!isBounded(range))
      range = iterationsOf(statement, position, false);
    if (!isBounded(range))
      return std::nullopt;
    isl_set *distances = isl_map_deltas(
        isl_map_from_domain_and_range(range.copy(), range.copy())); // { [d] }
    distances = isl_set_lower_bound_si(distances, isl_dim_set, 0,
                                       static_cast<int>(apart));
    isl::set enough = isl::manage(isl_set_params(distances)); // { : }
    // Of bounds that are choices nothing is left without their conditions.
    if (model.paramContext.is_subset(enough))
      enough = reaches(statement, position, apart);
    if (result)
      enough = enough.unite(*result);
    result = isl::manage(isl_set_coalesce(enough.release()));
  }
  return result;
}

bool runsMultipleOf(const KernelModel &model, unsigned loop, int64_t count) {
  const Loop &info = model.loops[loop];
  std::optional<int64_t> first = info.first.asConstant();
  if (info.step != 1 || !first)
    return false;
  bool any = false;
  for (const Statement &statement : model.statements) {
    auto at = std::find(statement.coordinates.begin(),
                        statement.coordinates.end(), info.iterator);
    if (at == statement.coordinates.end())
      continue;
    auto position = static_cast<unsigned>(at - statement.coordinates.begin());
    isl::set range = iterationsOf(statement, position, true); // { [k] }
    if (!isBounded(range))
      return false;
    isl::set last = isl::manage(isl_set_lexmax(range.release()));
    isl::set whole(last.ctx(), "{ [k] : (k + 1 - (" + std::to_string(*first) +
                                   ")) mod " + std::to_string(count) +
                                   " = 0 }");
    if (!last.is_subset(whole))
      return false;
    any = true;
  }
  return any;
}

} // namespace clopt
