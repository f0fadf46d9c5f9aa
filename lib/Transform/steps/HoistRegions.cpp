//===- HoistRegions.cpp - where cells keep their values -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What writes an array, or may, while a part of the kernel runs: its own
// stores, those to arrays that may overlap it, those of other work-items behind
// a barrier. Hoist.cpp says what follows from it.
//
// Tested by test/unit/HoistTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Hoister.h"

namespace clopt {

StepResult HoistRegions::extend(Region &region,
                                const Statement &statement) const {
  SourceRange range = statement.stmt ? statement.stmt->range : SourceRange();
  if (statement.isOpaque && !statement.isBarrier)
    return refuse("clopt-opaque-code",
                  "the region has code that must see memory as it is", "",
                  range);
  if (findJump(model, ScheduleNode::leaf(static_cast<unsigned>(
                          &statement - model.statements.data()))))
    return refuse("clopt-non-affine-control",
                  "a work-item may leave the region early, depending on data",
                  "", range);
  region.hasBarrier |= statement.isBarrier;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    if (access.isOrdered)
      return refuse("clopt-ordered-effect",
                    "the region has accesses in a fixed order", "",
                    access.range);
    if (access.isWrite &&
        model.arrays[access.array].space != AddressSpace::Private)
      region.written.insert(access.array);
  }
  return std::nullopt;
}

StepResult HoistRegions::isUnwritten(const std::set<unsigned> &written) {
  if (written.count(array))
    return refuse("clopt-dependence", "'" + model.arrays[array].name +
                                          "' is written where it is read");
  for (unsigned other : written) {
    auto known = overlaps.find(other);
    if (known == overlaps.end()) {
      TransformedKernel trial;
      trial.model = &model;
      known =
          overlaps.emplace(other, requireDisjoint(trial, array, other, alias))
              .first;
    }
    if (known->second)
      return known->second;
  }
  return std::nullopt;
}

StepResult HoistRegions::extend(Region &region, const ScheduleNode &node) {
  for (unsigned index : statementsBelow(node))
    if (StepResult refusal = extend(region, model.statements[index]))
      return refusal;
  if (region.hasBarrier && (model.hasAtomics || model.hasOrderedEffects))
    return refuse("clopt-ordered-effect",
                  "the region has barriers in a kernel with ordered effects");
  if (region.hasBarrier)
    region.written = writtenArrays(model);
  return isUnwritten(region.written);
}

void HoistRegions::requireUnwritten(const std::set<unsigned> &written) {
  for (unsigned other : written)
    requireDisjoint(kernel, array, other, alias);
  useSubscripts(kernel, {array});
}

} // namespace clopt
