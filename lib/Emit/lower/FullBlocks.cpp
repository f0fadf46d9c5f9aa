//===- FullBlocks.cpp - whole blocks of nested loops ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is whole when the statement deepest in it runs for all iterations
// between the block's first ones and its size further on. The loops over the
// tiles are cut where blocks begin and cease to be whole; isl's option
// `isolate` keeps the order.
//
// Reference: S. Verdoolaege, isl manual, AST generation options; M. Kong et
// al., When polyhedral transformations meet SIMD code generation, PLDI 2013, on
// full and partial tiles.
//
// Tested by test/unit/FullBlocksTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/FullBlocks.h"
#include "Support/DimCount.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Larger bodies would be written too often.
static constexpr size_t maximumStatements = 6;

namespace {

/// Coordinates of one statement in a nest of blocks.
struct Nest {
  const Statement *statement = nullptr;
  isl::set domain;
  /// Places of the loops over tiles and over the iterations of one.
  std::vector<std::pair<unsigned, unsigned>> pairs;
  std::vector<std::pair<int64_t, int64_t>> sizes; ///< of a tile, step
};

} // namespace

static unsigned placeOf(const Statement &statement, SymbolId symbol) {
  return static_cast<unsigned>(std::find(statement.coordinates.begin(),
                                         statement.coordinates.end(), symbol) -
                               statement.coordinates.begin());
}

/// Chunks of lanes and copies have their own rests; both together would be many
/// versions.
static bool hasChunksBelow(const ScheduleNode &node) {
  return node.lanes > 1 || node.unroll != 1 || node.tile ||
         std::any_of(node.children.begin(), node.children.end(),
                     hasChunksBelow);
}

/// The statement in most blocks below the node.
static Nest deepestNest(const TransformedKernel &kernel,
                        const ScheduleNode &node, const DomainMap &domains) {
  const KernelModel &model = *kernel.model;
  Nest deepest;
  for (unsigned index : statementsBelow(node)) {
    auto domain = domains.find(static_cast<int>(index));
    if (domain == domains.end())
      continue;
    Nest nest;
    nest.statement = &model.statements[index];
    nest.domain = domain->second;
    for (unsigned loop : nest.statement->loops) {
      std::optional<unsigned> points = pointLoop(model, loop);
      if (!points)
        continue;
      unsigned point = placeOf(*nest.statement, model.loops[*points].iterator);
      // What stood outside a loop runs in one iteration of it.
      if (point == nest.statement->coordinates.size()) {
        nest.pairs.clear();
        break;
      }
      nest.pairs.emplace_back(
          placeOf(*nest.statement, model.loops[loop].iterator), point);
      nest.sizes.emplace_back(model.loops[loop].step,
                              model.loops[*points].step);
    }
    if (nest.pairs.size() > deepest.pairs.size())
      deepest = nest;
  }
  return deepest;
}

/// { S[...] : each iteration lies in its tile }
static isl_set *allOfBlocks(const Nest &nest, isl_space *space) {
  isl_ctx *context = isl_space_get_ctx(space);
  isl_set *box = isl_set_universe(isl_space_copy(space));
  isl_local_space *local = isl_local_space_from_space(space);
  for (size_t i = 0; i < nest.pairs.size(); ++i) {
    auto [tile, point] = nest.pairs[i];
    auto [size, step] = nest.sizes[i];
    int sign = size < 0 ? -1 : 1;
    // { : 0 <= sign * (point - tile) <= |size| - |step|, a multiple of step }
    isl_aff *distance = isl_aff_zero_on_domain(isl_local_space_copy(local));
    distance = isl_aff_set_coefficient_si(distance, isl_dim_in,
                                          static_cast<int>(point), sign);
    distance = isl_aff_set_coefficient_si(distance, isl_dim_in,
                                          static_cast<int>(tile), -sign);
    isl_aff *rest = isl_aff_mod_val(
        isl_aff_copy(distance), isl_val_int_from_si(context, std::llabs(step)));
    isl_aff *most = isl_aff_val_on_domain(
        isl_local_space_copy(local),
        isl_val_int_from_si(context, std::llabs(size) - std::llabs(step)));
    box = isl_set_intersect(
        box, isl_set_from_basic_set(isl_aff_ge_basic_set(
                 isl_aff_copy(distance),
                 isl_aff_zero_on_domain(isl_local_space_copy(local)))));
    box = isl_set_intersect(
        box, isl_set_from_basic_set(isl_aff_le_basic_set(distance, most)));
    box = isl_set_intersect(
        box, isl_set_from_basic_set(isl_aff_zero_basic_set(rest)));
  }
  isl_local_space_free(local);
  return box;
}

/// { [w, outer, tiles] } of blocks that are whole: the iterations projected
/// out.
static isl_set *withoutPoints(isl_set *set, const Nest &nest) {
  std::vector<unsigned> points;
  for (const auto &[tile, point] : nest.pairs)
    points.push_back(point);
  std::sort(points.rbegin(), points.rend());
  for (unsigned point : points)
    set = isl_set_project_out(set, isl_dim_set, point, 1);
  return set;
}

/// { S[...] : the block around is whole }, iterations of it free.
static isl::set wholeOnes(const Nest &nest) {
  unsigned depth = 0;
  for (const auto &[tile, point] : nest.pairs)
    depth = std::max({depth, tile + 1, point + 1});
  isl_set *some = prefixOf(nest.domain, depth);
  isl_set *tiles = withoutPoints(isl_set_copy(some), nest);
  // { [w, outer, tiles] } -> { [w, outer, tiles, points] }
  std::vector<unsigned> points;
  for (const auto &[tile, point] : nest.pairs)
    points.push_back(point);
  std::sort(points.begin(), points.end());
  isl_set *lifted = isl_set_copy(tiles);
  for (unsigned point : points)
    lifted = isl_set_insert_dims(lifted, isl_dim_set, point, 1);
  lifted =
      isl_set_intersect(lifted, allOfBlocks(nest, isl_set_get_space(lifted)));
  isl_set *missing = withoutPoints(isl_set_subtract(lifted, some), nest);
  return isl::manage(isl_set_coalesce(isl_set_subtract(tiles, missing)));
}

std::optional<isl::set> wholeBlocks(const TransformedKernel &kernel,
                                    const ScheduleNode &tiles,
                                    const std::vector<unsigned> &outer,
                                    const DomainMap &domains) {
  const KernelModel &model = *kernel.model;
  if (!pointLoop(model, tiles.loop) ||
      statementsBelow(tiles).size() > maximumStatements ||
      hasChunksBelow(tiles))
    return std::nullopt;
  Nest nest = deepestNest(kernel, tiles, domains);
  if (nest.pairs.empty())
    return std::nullopt;
  isl_set *whole = wholeOnes(nest).release();
  // Places without the iterations of blocks.
  std::vector<unsigned> loops = outer;
  loops.push_back(tiles.loop);
  auto placeIn = [&](unsigned loop) {
    unsigned place = placeOf(*nest.statement, model.loops[loop].iterator);
    unsigned before = 0;
    for (const auto &[tile, point] : nest.pairs)
      before += point < place;
    return place - before;
  };
  // { [w, outer, tiles] -> [outer, tile] }, downward loops negated
  isl_space *space = isl_set_get_space(whole);
  unsigned count = dimCount(isl_set_dim(whole, isl_dim_set));
  isl_space *target = isl_space_set_from_params(isl_space_params(space));
  target = isl_space_add_dims(target, isl_dim_set,
                              static_cast<unsigned>(loops.size()));
  isl_map *times = isl_map_from_domain_and_range(
      isl_set_universe(isl_set_get_space(whole)), isl_set_universe(target));
  for (unsigned d = 0; d < loops.size(); ++d) {
    unsigned place = placeIn(loops[d]);
    if (place >= count) {
      isl_set_free(whole);
      isl_map_free(times);
      return std::nullopt;
    }
    int sign = model.loops[loops[d]].step < 0 ? -1 : 1;
    isl_constraint *equal = isl_constraint_alloc_equality(
        isl_local_space_from_space(isl_map_get_space(times)));
    equal = isl_constraint_set_coefficient_si(equal, isl_dim_in,
                                              static_cast<int>(place), sign);
    equal = isl_constraint_set_coefficient_si(equal, isl_dim_out,
                                              static_cast<int>(d), -1);
    times = isl_map_add_constraint(times, equal);
  }
  isl_set *image = isl_set_coalesce(isl_set_apply(whole, times));
  image = isl_set_make_disjoint(image);
  if (isl_set_is_empty(image) == isl_bool_true ||
      isl_set_n_basic_set(image) != 1) {
    isl_set_free(image);
    return std::nullopt;
  }
  // { isolate[[outer] -> [tile]] }
  isl_map *option = isl_map_from_domain(image);
  option = isl_map_move_dims(option, isl_dim_out, 0, isl_dim_in,
                             static_cast<unsigned>(outer.size()), 1);
  return isl::manage(isl_set_set_tuple_name(isl_map_wrap(option), "isolate"));
}

} // namespace clopt
