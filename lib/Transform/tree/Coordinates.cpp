//===- Coordinates.cpp - statements in other coordinates ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything goes through one relation between old and new coordinates, so that
// domains and accesses cannot disagree.
//
// Tested by test/unit/MapTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/tree/Coordinates.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

namespace clopt {

static isl_map *equateSymbols(isl_map *map, const std::vector<SymbolId> &from,
                              const std::vector<SymbolId> &to) {
  for (unsigned i = 0; i < from.size(); ++i) {
    auto it = std::find(to.begin(), to.end(), from[i]);
    if (it != to.end())
      map = isl_map_equate(map, isl_dim_in, static_cast<int>(i), isl_dim_out,
                           static_cast<int>(it - to.begin()));
  }
  return map;
}

isl::map coordinateMap(const KernelModel &model, const std::string &tuple,
                       const std::vector<SymbolId> &from,
                       const std::vector<SymbolId> &to) {
  isl_space *space = isl_space_map_from_domain_and_range(
      statementSpace(model, tuple, from).release(),
      statementSpace(model, tuple, to).release());
  return isl::manage(equateSymbols(isl_map_universe(space), from, to));
}

void changeCoordinates(KernelModel &model, Statement &statement,
                       const std::vector<SymbolId> &coordinates) {
  isl::map change =
      coordinateMap(model, statement.name, statement.coordinates, coordinates);
  statement.domain = isl::manage(isl_set_coalesce(
      isl_set_apply(statement.domain.release(), change.copy())));
  for (unsigned id : statement.accesses) {
    Access &access = model.accesses[id];
    access.relation = isl::manage(
        isl_map_apply_domain(access.relation.release(), change.copy()));
  }
  statement.coordinates = coordinates;
}

/// The same for { Copy[coordinates..., cell...] }.
static void changeDomain(const KernelModel &model, const ArrayTile &copy,
                         const std::vector<SymbolId> &coordinates,
                         std::optional<isl::set> &domain) {
  if (!domain)
    return;
  unsigned cells = static_cast<unsigned>(copy.extents.size());
  isl_map *change =
      coordinateMap(model, "", copy.coordinates, coordinates).release();
  change = isl_map_add_dims(change, isl_dim_in, cells);
  change = isl_map_add_dims(change, isl_dim_out, cells);
  for (unsigned c = 0; c < cells; ++c)
    change = isl_map_equate(
        change, isl_dim_in, static_cast<int>(copy.coordinates.size() + c),
        isl_dim_out, static_cast<int>(coordinates.size() + c));
  isl_set *set = isl_set_reset_tuple_id(domain->copy());
  set = isl_set_coalesce(isl_set_apply(set, change));
  domain = isl::manage(isl_set_set_tuple_name(set, "Copy"));
}

void changeCoordinates(const KernelModel &model, ArrayTile &copy,
                       const std::vector<SymbolId> &coordinates) {
  changeDomain(model, copy, coordinates, copy.inDomain);
  changeDomain(model, copy, coordinates, copy.outDomain);
  copy.coordinates = coordinates;
}

isl::set restrictTo(const isl::set &domain, const isl::set &prefix) {
  unsigned have = isl_set_dim(prefix.get(), isl_dim_set);
  unsigned want = isl_set_dim(domain.get(), isl_dim_set);
  isl_set *wide = isl_set_add_dims(isl_set_reset_tuple_id(prefix.copy()),
                                   isl_dim_set, want - have);
  wide = isl_set_set_tuple_id(wide, isl_set_get_tuple_id(domain.get()));
  return isl::manage(isl_set_coalesce(isl_set_intersect(domain.copy(), wide)));
}

} // namespace clopt
