//===- TreeOrders.cpp - what two orders disagree about --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/InterchangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/legality/TreeOrders.h"

#include "Analysis/dependence/Dependences.h"

#include <isl/map.h>
#include <isl/space.h>
#include <isl/union_map.h>

namespace clopt {

TreeOrders::Times TreeOrders::timesOf(const KernelModel &model,
                                      const ScheduleNode &tree) {
  Times times;
  isl::map_list maps = scheduleMap(model, tree).get_map_list();
  for (unsigned i = 0; i < static_cast<unsigned>(maps.size()); ++i)
    times[isl_map_get_tuple_name(maps.at(i).get(), isl_dim_in)] = maps.at(i);
  return times;
}

TreeOrders::TreeOrders(const KernelModel &model, const ScheduleNode &before,
                       const ScheduleNode &after)
    : kernel(model), oldTimes(timesOf(model, before)),
      newTimes(timesOf(model, after)) {}

isl::map ordered(const isl::map &first, const isl::map &second, bool isBefore) {
  isl_space *space = isl_space_range(isl_map_get_space(first.get()));
  isl_map *order = isBefore ? isl_map_lex_lt(space) : isl_map_lex_ge(space);
  return isl::manage(
      isl_map_apply_range(isl_map_apply_range(first.copy(), order),
                          isl_map_reverse(second.copy())));
}

isl::map TreeOrders::reversed(const Access &first, const Access &second) const {
  const Statement &s = kernel.statements[first.statement];
  const Statement &t = kernel.statements[second.statement];
  isl_map *same = isl_map_apply_range(first.relation.copy(),
                                      isl_map_reverse(second.relation.copy()));
  same = isl_map_intersect_domain(same, s.domain.copy());
  same = isl_map_intersect_range(same, t.domain.copy());
  for (unsigned c = 0; c < s.coordinates.size(); ++c)
    if (kernel.symbols[s.coordinates[c]].kind != SymbolKind::Iterator)
      same = isl_map_equate(same, isl_dim_in, static_cast<int>(c), isl_dim_out,
                            static_cast<int>(c));
  isl::map pairs = isl::manage(same);
  if (isl_map_is_empty(pairs.get()) == isl_bool_true)
    return pairs;
  pairs =
      pairs.intersect(ordered(oldTimes.at(s.name), oldTimes.at(t.name), true));
  return pairs.intersect(
      ordered(newTimes.at(s.name), newTimes.at(t.name), false));
}

} // namespace clopt
