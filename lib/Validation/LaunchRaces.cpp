//===- LaunchRaces.cpp - launches in which work-items meet ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/LaunchRaces.h"

#include "Analysis/dependence/Dependences.h"
#include "Model/Operations.h"
#include "Validation/Launches.h"

#include <isl/map.h>

namespace clopt {

/// Operations of isl: a launch is proposed in no time that a user notices.
static constexpr uint64_t mostOperations = 2000000;

/// What is executed whenever its statement is, with cells that are known.
static bool isKnown(const KernelModel &model, const Access &access) {
  return model.arrays[access.array].space == AddressSpace::Global &&
         access.isExact && !access.isOrdered && !access.subscripts.empty() &&
         !model.statements[access.statement].isOpaque;
}

/// Places of the coordinates that tell work-items apart which no barrier
/// orders: with barriers, those of groups.
static std::vector<unsigned> unorderedCoordinates(const KernelModel &model,
                                                  const Statement &statement) {
  std::vector<unsigned> result;
  for (unsigned c = 0; c < statement.coordinates.size(); ++c) {
    const SymbolKind kind = model.symbols[statement.coordinates[c]].kind;
    if (kind == SymbolKind::GroupId ||
        (!model.hasBarrier &&
         (kind == SymbolKind::GlobalId || kind == SymbolKind::LocalId)))
      result.push_back(c);
  }
  return result;
}

LaunchRaces::LaunchRaces(const KernelModel &original) : model(original) {
  const OperationLimit limit(model.context.get(), mostOperations);
  try {
    for (const Access &first : model.accesses)
      for (const Access &second : model.accesses) {
        if (!first.isWrite || first.array != second.array ||
            (second.isWrite && second.id < first.id) ||
            !isKnown(model, first) || !isKnown(model, second))
          continue;
        const isl::map all = clopt::meetings(model, first, second, 0);
        for (unsigned c :
             unorderedCoordinates(model, model.statements[first.statement])) {
          auto apart = [&](auto order) {
            const isl::map some =
                isl::manage(order(all.copy(), isl_dim_in, static_cast<int>(c),
                                  isl_dim_out, static_cast<int>(c)));
            meetings.emplace_back(some.wrap());
          };
          apart(isl_map_order_lt);
          // The other way round is the same for an access and itself.
          if (first.id != second.id)
            apart(isl_map_order_gt);
        }
      }
  } catch (const isl::exception &) {
    meetings.clear();
  }
}

bool LaunchRaces::occurIn(const SmallLaunch &launch) const {
  if (meetings.empty() || !meetsAssumptions(model, launch))
    return false;
  const OperationLimit limit(model.context.get(), mostOperations);
  const std::map<std::string, int64_t> values = parameterValues(model, launch);
  try {
    for (const ParametricSet &set : meetings)
      if (!set.isEmpty(values))
        return true;
  } catch (const isl::exception &) {
    return false;
  }
  return false;
}

} // namespace clopt
