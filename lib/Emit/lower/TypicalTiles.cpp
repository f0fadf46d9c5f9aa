//===- TypicalTiles.cpp - whether tiles agree in usual launches -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/TypicalTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/TypicalTiles.h"

#include "Emit/lower/Lowering.h"
#include "Emit/lower/TileSets.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

static constexpr int manyIds = 4096;
static constexpr int largestSmall = 16;
/// Ids of a group's tile that have to agree along each dimension: where only a
/// few ever do, the rest of the group waits for them.
static constexpr unsigned minTogether = 16;

/// { [base...] } of { : }, bases among the parameters.
static isl::set basesOf(const isl::set &tiles, const TileDomains &domains) {
  isl_set *set = isl_set_from_params(tiles.copy());
  unsigned place = 0;
  for (const std::string &base : domains.baseNames) {
    int position = isl_set_find_dim_by_name(set, isl_dim_param, base.c_str());
    if (position < 0)
      set = isl_set_insert_dims(set, isl_dim_set, place, 1);
    else
      set = isl_set_move_dims(set, isl_dim_set, place, isl_dim_param,
                              static_cast<unsigned>(position), 1);
    ++place;
  }
  return isl::manage(set);
}

/// { : } launches of which two tiles are far apart in every dimension in which
/// tiles have several work-items.
static isl::set largeLaunches(const TransformedKernel &kernel,
                              const TileDomains &tiles, const isl::set &bases) {
  isl_map *pairs = isl_map_from_domain_and_range(bases.copy(), bases.copy());
  std::vector<unsigned> dims = workCoordinates(*kernel.model);
  for (unsigned i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = kernel.work[dims[i]];
    if (work.total() <= 1 && tiles.extentNames[i].empty())
      continue;
    isl_local_space *space =
        isl_local_space_from_space(isl_map_get_space(pairs));
    isl_constraint *apart = isl_constraint_alloc_inequality(space);
    int place = static_cast<int>(i);
    apart = isl_constraint_set_coefficient_si(apart, isl_dim_out, place, 1);
    apart = isl_constraint_set_coefficient_si(apart, isl_dim_in, place, -1);
    apart = isl_constraint_set_constant_si(apart, -manyIds);
    pairs = isl_map_add_constraint(pairs, apart);
  }
  return isl::manage(isl_map_params(pairs));
}

/// Those of the launches whose arguments are small, where they may be.
static isl::set withSmallArguments(const isl::set &launches) {
  isl::set result = launches;
  unsigned count = isl_set_dim(launches.get(), isl_dim_param);
  for (unsigned i = 0; i < count; ++i) {
    isl_set *small = isl_set_lower_bound_si(result.copy(), isl_dim_param, i, 0);
    small = isl_set_upper_bound_si(small, isl_dim_param, i, largestSmall);
    isl::set narrowed = isl::manage(small);
    if (!narrowed.is_empty())
      result = narrowed;
  }
  return result;
}

/// Those of the tiles that so many ids of a group have together.
static isl::set inLargeGroups(const TransformedKernel &kernel,
                              const TileDomains &tiles, isl::set agreed) {
  std::vector<unsigned> dims = workCoordinates(*kernel.model);
  for (size_t i = 0; i < dims.size(); ++i) {
    int position = tiles.extentNames[i].empty()
                       ? -1
                       : isl_set_find_dim_by_name(agreed.get(), isl_dim_param,
                                                  tiles.extentNames[i].c_str());
    unsigned ids = std::min(minTogether, kernel.work[dims[i]].groupIds);
    if (position >= 0)
      agreed = isl::manage(isl_set_lower_bound_si(
          agreed.release(), isl_dim_param, static_cast<unsigned>(position),
          static_cast<int>(ids)));
  }
  return agreed;
}

bool divergesInUsualLaunches(const TransformedKernel &kernel,
                             const TileDomains &tiles) {
  return tiles.hasVaryingRanges ||
         areInNoUsualLaunch(kernel, tiles, tiles.agreed);
}

bool areInNoUsualLaunch(const TransformedKernel &kernel,
                        const TileDomains &tiles, const isl::set &some) {
  // One piece per statement until here, and all pairs of them from here on.
  isl::set all = basesOf(tiles.touched, tiles).coalesce();
  isl::set large = largeLaunches(kernel, tiles, all);
  if (large.is_empty())
    return false;
  isl::set together = inLargeGroups(kernel, tiles, some);
  isl::set agreeing =
      isl::manage(isl_set_params(basesOf(together, tiles).release()));
  return withSmallArguments(large).intersect(agreeing).is_empty();
}

/// The greatest distance of two iterations of the innermost loop; nothing where
/// it has no bound.
static std::optional<int64_t> longest(const isl::set &instances) {
  const auto last =
      static_cast<unsigned>(isl_set_dim(instances.get(), isl_dim_set)) - 1;
  // { [outer...] -> [k] }
  isl_map *runs = isl_map_from_domain(instances.copy());
  runs = isl_map_move_dims(runs, isl_dim_out, 0, isl_dim_in, last, 1);
  isl_pw_aff *most = isl_map_dim_max(isl_map_copy(runs), 0);
  isl_val *length =
      isl_pw_aff_max_val(isl_pw_aff_sub(most, isl_map_dim_min(runs, 0)));
  const bool isKnown = isl_val_is_int(length) == isl_bool_true;
  const int64_t value = isKnown ? isl_val_get_num_si(length) : 0;
  isl_val_free(length);
  return isKnown ? std::optional<int64_t>(value) : std::nullopt;
}

bool runsMostlyTogether(const TransformedKernel &kernel,
                        const TileDomains &tiles, const isl::set &full,
                        const isl::set &part) {
  const bool hasLanes = kernel.work[0].lanes > 1 || kernel.work[1].lanes > 1 ||
                        kernel.work[2].lanes > 1;
  if ((!kernel.isGrouped() && !hasLanes) ||
      !longest(part.intersect_params(tiles.context)))
    return false;
  isl_set *far = isl_set_params(isl_set_union(full.copy(), part.copy()));
  far = isl_set_intersect(far, tiles.context.copy());
  for (const std::string &base : tiles.baseNames)
    far = constrain(far, {{base, -1, 1}}, -manyIds, false);
  const isl::set launches = isl::manage(far).coalesce();
  if (launches.is_empty())
    return false;
  const std::optional<int64_t> most =
      longest(full.intersect_params(withSmallArguments(launches)));
  return !most || *most >= manyIds / 2;
}

static bool touchesMemory(const KernelModel &model, const Statement &statement,
                          bool byWriting) {
  return std::any_of(statement.accesses.begin(), statement.accesses.end(),
                     [&](unsigned access) {
                       const Access &own = model.accesses[access];
                       return (own.isWrite || !byWriting || own.isOrdered) &&
                              model.arrays[own.array].space !=
                                  AddressSpace::Private;
                     });
}

bool agreeOnNothing(const TransformedKernel &kernel, const TileDomains &tiles) {
  const KernelModel &model = *kernel.model;
  // What is only read is of no use where nothing is done with it: what only
  // some of a tile's work-items run may do something.
  bool any = false, hasEffect = false;
  for (const auto &[key, domain] : tiles.full) {
    if (key < 0) // copies
      continue;
    const bool isPart = isPartKey(key);
    const Statement &statement =
        model.statements[static_cast<size_t>(isPart ? key - partKey(0) : key)];
    const bool isEffect = statement.isCompound || statement.isOpaque ||
                          statement.isBarrier ||
                          touchesMemory(model, statement, true);
    const bool counts =
        !isPart && !any && touchesMemory(model, statement, false);
    if ((isEffect && !hasEffect) || counts) {
      if (domain.intersect_params(tiles.uniform).is_empty())
        continue;
      hasEffect |= isEffect;
      any |= counts;
    }
  }
  return !any || !hasEffect;
}

} // namespace clopt
