//===- VerifyOrders.cpp - violated dependences, by isl --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PPL looks for an integer point of each system by branching, which need not
// end where a system is unbounded: chunks of lanes under loops over tiles, and
// subscripts that are choices. The same question as a relation: two references
// to one cell, the first strictly earlier in the program, and not so in the new
// order. isl's emptiness test is exact there.
//
// Tested by test/unit/VerifyStepsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/legality/TreeOrders.h"
#include "Transform/verify/OrderVerifier.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

/// { S[w, i] -> [time] } with `length` entries; nothing when an entry is not
/// affine.
std::optional<isl::map> OrderVerifier::timesOf(const Statement &statement,
                                               const Stamp &stamp,
                                               size_t length) const {
  isl::space space = isl::manage(isl_set_get_space(statement.domain.get()));
  std::optional<isl::map> times;
  for (size_t i = 0; i < length; ++i) {
    const Moment &moment = i < stamp.size() ? stamp[i] : Moment();
    Polynomial value(moment.constant);
    if (moment.kind != Moment::Kind::Constant) {
      const Loop &loop = model.loops[moment.loop];
      value = Polynomial::symbol(loop.iterator);
      if (moment.kind == Moment::Kind::Chunk)
        value = value - loop.first;
      if (loop.step < 0)
        value = -value;
    }
    std::optional<isl::pw_aff> entry =
        toPwAff(model, space, statement.coordinates, value);
    if (!entry)
      return std::nullopt;
    isl_pw_aff *own = entry->release();
    if (moment.kind == Moment::Kind::Chunk)
      own = isl_pw_aff_floor(isl_pw_aff_scale_down_val(
          own, isl_val_int_from_si(model.context.get(), moment.size)));
    isl_map *map = isl_map_from_pw_aff(own);
    times = isl::manage(
        times ? isl_map_flat_range_product(times->release(), map) : map);
  }
  return times;
}

/// isl's word that two references to one array change their order nowhere.
bool OrderVerifier::neverReversed(const Reference &x, const Reference &y,
                                  const Stamp &xAfter,
                                  const Stamp &yAfter) const {
  if (x.access->array != y.access->array || !model.ndrange.mapped.empty())
    return false;
  const Statement &s = *x.statement, &t = *y.statement;
  size_t before = std::max(x.before.size(), y.before.size());
  size_t after = std::max(xAfter.size(), yAfter.size());
  std::optional<isl::map> sBefore = timesOf(s, x.before, before);
  std::optional<isl::map> tBefore = timesOf(t, y.before, before);
  std::optional<isl::map> sAfter = timesOf(s, xAfter, after);
  std::optional<isl::map> tAfter = timesOf(t, yAfter, after);
  if (!sBefore || !tBefore || !sAfter || !tAfter)
    return false;
  isl::map xCell = x.access->relation.intersect_domain(s.domain);
  isl::map yCell = y.access->relation.intersect_domain(t.domain);
  isl_map *same =
      isl_map_apply_range(xCell.copy(), isl_map_reverse(yCell.copy()));
  same = isl_map_intersect_params(same, model.paramContext.copy());
  for (unsigned c = 0; c < s.coordinates.size(); ++c)
    if (model.symbols[s.coordinates[c]].kind != SymbolKind::Iterator)
      same = isl_map_equate(same, isl_dim_in, static_cast<int>(c), isl_dim_out,
                            static_cast<int>(c));
  isl::map pairs =
      isl::manage(same).intersect(ordered(*sBefore, *tBefore, true));
  for (const Assumption &assumption : model.assumptions)
    if (kernel.usedAssumptions.count(
            static_cast<unsigned>(&assumption - model.assumptions.data())))
      pairs = pairs.intersect_params(assumption.condition);
  return pairs.intersect(ordered(*sAfter, *tAfter, false)).is_empty();
}

} // namespace clopt
