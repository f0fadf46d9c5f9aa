//===- GuardChoices.cpp - conditions with alternatives --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `min(w, x_end) <= columns` is for isl the disjoint union of w <= columns and
// w > columns && x_end <= columns. Three of them together have eight
// alternatives with all conditions in each. So every one is printed on its own,
// and without what only keeps its alternatives apart: w <= columns ||
// x_end <= columns.
//
// Tested by test/unit/GuardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/GuardMaker.h"

#include "Emit/lower/TileDomains.h"

#include <isl/constraint.h>
#include <isl/set.h>

namespace clopt {

/// { : } of symbols, said with the ends of the launch.
isl::set GuardMaker::launched(const isl::set &set) const {
  return isl::manage(
      isl_set_coalesce(replaceSizes(model, dims, endParameters, set.copy())));
}

/// The constraints of `part` but those that `whole` does without, where
/// `context` holds.
static isl_basic_set *widened(isl_basic_set *part, const isl::set &whole,
                              const isl::set &context) {
  isl_constraint_list *all = isl_basic_set_get_constraint_list(part);
  int count = isl_constraint_list_n_constraint(all);
  std::vector<bool> isNeeded(count, true);
  auto remaining = [&] {
    isl_basic_set *rest = isl_basic_set_universe(isl_basic_set_get_space(part));
    for (int i = 0; i < count; ++i)
      if (isNeeded[i])
        rest = isl_basic_set_add_constraint(
            rest, isl_constraint_list_get_constraint(all, i));
    return rest;
  };
  bool isPlain = isl_basic_set_dim(part, isl_dim_div) == 0;
  for (int i = 0; isPlain && i < count; ++i) {
    isNeeded[i] = false;
    isl::set wider = isl::manage(isl_set_from_basic_set(remaining()));
    isNeeded[i] = !wider.intersect(context).is_subset(whole);
  }
  isl_basic_set *result = isPlain ? remaining() : isl_basic_set_copy(part);
  isl_constraint_list_free(all);
  isl_basic_set_free(part);
  return result;
}

/// One of several alternatives holds.
void GuardMaker::addChoice(const isl::set &choice) {
  isl::set simple = choice.gist(context).coalesce(); // { : }
  if (isl_set_plain_is_universe(simple.get()) == isl_bool_true)
    return;
  isl_set *wide = isl_set_empty(isl_set_get_space(simple.get()));
  isl_basic_set_list *parts = isl_set_get_basic_set_list(simple.get());
  for (int i = 0; i < isl_basic_set_list_n_basic_set(parts); ++i)
    wide = isl_set_union(wide, isl_set_from_basic_set(widened(
                                   isl_basic_set_list_get_basic_set(parts, i),
                                   simple, context)));
  isl_basic_set_list_free(parts);
  addPrinted(isl::manage(wide).coalesce());
}

/// `plain` and all of `choices` hold, and the context knows.
void GuardMaker::addChoices(const isl::set &plain,
                            const std::vector<isl::set> &choices) {
  isl::set all = plain;
  for (const isl::set &choice : choices)
    all = all.intersect(choice);
  all = launched(all);
  isl::set simple = all.gist(context).coalesce();
  if (isl_set_n_basic_set(simple.get()) <= 1) {
    addConditions(all);
  } else {
    addConditions(launched(plain));
    isl::set before = context;
    context = context.intersect(launched(plain));
    for (const isl::set &choice : choices)
      addChoice(launched(choice));
    context = before;
    if (all.intersect(context).is_empty())
      refuseContext();
  }
  if (!result.error)
    context = context.intersect(all);
}

} // namespace clopt
