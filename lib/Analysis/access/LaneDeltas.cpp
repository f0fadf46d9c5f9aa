//===- LaneDeltas.cpp - isl's view of neighbouring work-items -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/oracle/CoalescingOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/LaneDeltas.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <numeric>

using namespace clopt;

isl::multi_aff clopt::moveAlong(const KernelModel &model,
                                const Statement &statement, SymbolId axis,
                                int64_t factor, int64_t distance) {
  // { S[x] -> S[x] }
  isl::space space =
      statementSpace(model, statement.name, statement.coordinates);
  isl::multi_aff moved = space.identity_multi_aff_on_domain();
  for (unsigned at = 0; at < statement.coordinates.size(); ++at) {
    if (statement.coordinates[at] != axis)
      continue;
    isl::aff coordinate = moved.at(at)
                              .scale(isl::val(moved.ctx(), factor))
                              .add_constant(distance);
    moved = moved.set_at(at, coordinate);
  }
  return moved;
}

/// The domain under what is known of the parameters.
static isl::set knownDomain(const KernelModel &model,
                            const Statement &statement) {
  if (model.paramContext.is_null())
    return statement.domain;
  return statement.domain.intersect_params(model.paramContext);
}

isl::set clopt::instancesWithNeighbour(const KernelModel &model,
                                       const Statement &statement,
                                       SymbolId axis, int64_t distance) {
  // { S[x] }
  isl::set domain = knownDomain(model, statement);
  return domain.intersect(
      domain.preimage(moveAlong(model, statement, axis, 1, distance)));
}

std::optional<isl::set>
clopt::differences(const KernelModel &model, const Statement &statement,
                   const std::vector<Polynomial> &values, SymbolId axis,
                   int64_t distance) {
  isl::space space =
      statementSpace(model, statement.name, statement.coordinates);
  isl::multi_aff move = moveAlong(model, statement, axis, 1, distance);
  isl::map all; // { S[x] -> [d0, d1, ...] }
  for (const Polynomial &value : values) {
    // { S[x] -> [value] }
    std::optional<isl::pw_aff> here =
        toPwAff(model, space, statement.coordinates, value);
    if (!here)
      return std::nullopt;
    isl::map change = here->pullback(move).sub(*here).as_map();
    all = all.is_null() ? change
                        : isl::manage(isl_map_flat_range_product(
                              all.release(), change.release()));
  }
  if (all.is_null())
    return std::nullopt;
  return all
      .intersect_domain(
          instancesWithNeighbour(model, statement, axis, distance))
      .range();
}

/// The set without parameters: the numbers reached for any of their values.
static isl::set forAnyParameters(const isl::set &set) {
  return isl::manage(isl_set_project_out(
      set.copy(), isl_dim_param, 0, isl_set_dim(set.get(), isl_dim_param)));
}

std::optional<int64_t> clopt::onlyElement(const isl::set &numbers) {
  isl::set values = forAnyParameters(numbers);
  if (values.is_empty() || !values.is_singleton())
    return std::nullopt;
  isl::val value = isl::manage(isl_point_get_coordinate_val(
      values.sample_point().get(), isl_dim_set, 0));
  return value.get_num_si();
}

/// True when the set has no holes along any line, so that two instances of a
/// group execute only if all between them do.
static bool isConvex(const isl::set &set) {
  if (isl_set_n_basic_set(set.get()) != 1)
    return false;
  return !isl_set_involves_locals(set.get());
}

/// Quotients in the instances of a lane beyond which questions about those that
/// all lanes of a request have in common take too long.
static constexpr unsigned mostQuotients = 1;

static unsigned quotientsIn(const isl::set &set) {
  unsigned quotients = 0;
  set.foreach_basic_set([&](isl::basic_set part) {
    quotients += isl_basic_set_dim(part.get(), isl_dim_div);
  });
  return quotients;
}

/// { S[q...] } the groups all of whose instances execute; nothing where that is
/// hard to say.
static std::optional<isl::set> fullGroups(const KernelModel &model,
                                          const Statement &statement,
                                          SymbolId axis, unsigned lanes) {
  isl::set domain = knownDomain(model, statement);
  const unsigned step = isConvex(domain) ? std::max(1u, lanes - 1) : 1;
  if (step == 1 && quotientsIn(domain) > mostQuotients)
    return std::nullopt;
  isl::set groups;
  for (unsigned lane = 0; lane < lanes; lane += step) {
    isl::set runs =
        domain.preimage(moveAlong(model, statement, axis, lanes, lane));
    groups = groups.is_null() ? runs : groups.intersect(runs);
  }
  return groups;
}

std::optional<std::vector<int64_t>>
clopt::laneOffsetsInGroups(const KernelModel &model, const Statement &statement,
                           const Polynomial &value, SymbolId axis,
                           unsigned lanes) {
  isl::space space =
      statementSpace(model, statement.name, statement.coordinates);
  // { S[x] -> [value] }
  std::optional<isl::pw_aff> affine =
      toPwAff(model, space, statement.coordinates, value);
  if (!affine)
    return std::nullopt;
  const std::optional<isl::set> groups =
      fullGroups(model, statement, axis, lanes);
  if (!groups)
    return std::nullopt;
  // { S[q...] -> [value at a lane] }
  auto atLane = [&](unsigned lane) {
    return affine->pullback(moveAlong(model, statement, axis, lanes, lane));
  };
  isl::pw_aff first = atLane(0);
  std::vector<int64_t> result{0};
  for (unsigned lane = 1; lane < lanes; ++lane) {
    // { [distance] }
    isl::set distances =
        atLane(lane).sub(first).as_map().intersect_domain(*groups).range();
    std::optional<int64_t> only = onlyElement(distances);
    if (!only)
      return std::nullopt;
    result.push_back(*only);
  }
  return result;
}

std::optional<std::set<int64_t>>
clopt::residuesOfGroups(const KernelModel &model, const Statement &statement,
                        const Polynomial &value, SymbolId axis, unsigned lanes,
                        int64_t scale, int64_t modulus) {
  isl::space space =
      statementSpace(model, statement.name, statement.coordinates);
  // { S[x] -> [value] }
  std::optional<isl::pw_aff> affine =
      toPwAff(model, space, statement.coordinates, value);
  if (!affine)
    return std::nullopt;
  const std::optional<isl::set> groups =
      fullGroups(model, statement, axis, lanes);
  if (!groups)
    return std::nullopt;
  // { S[q...] -> [scale * value mod modulus] }
  isl::pw_aff residue =
      affine->pullback(moveAlong(model, statement, axis, lanes, 0))
          .scale(isl::val(affine->ctx(), scale))
          .mod(modulus);
  isl::set residues =
      forAnyParameters(residue.as_map().intersect_domain(*groups).range());
  // Only multiples of the common divisor can occur, shifted by the constant.
  int64_t divisor = modulus, constant = 0;
  for (const auto &[monomial, coefficient] : value.terms) {
    if (monomial.empty())
      constant = coefficient % modulus * scale;
    else
      divisor = std::gcd(divisor, coefficient % modulus * scale);
  }
  std::set<int64_t> result;
  const int64_t first = ((constant % divisor) + divisor) % divisor;
  for (int64_t at = first; at < modulus; at += divisor) {
    isl::set point =
        isl::manage(isl_set_fix_si(residues.copy(), isl_dim_set, 0, at));
    if (!point.is_empty())
      result.insert(at);
  }
  return result;
}
