//===- SplitScan.cpp - shared loops that do more than to find results -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations that change memory, each that of no other, are as free as those
// that only find results. Those that use the results so far are a scan:
//
//   for (int k = 0; k < n; k++) {
//     sum += in[k];
//     out[k] = sum;
//   }
//
// Work-items take an iteration each, in rounds. They first run the statements
// that the results come from, each with a result of its own; from these follows
// with what every iteration begins, and then all of it is run once more from
// there. So every iteration sees the author's values, as far as the order of
// their terms does not matter.
//
// Legality of a scan. What the results come from runs twice, and before what
// other iterations of the round do: it changes no memory, and reads none that
// the loop changes before. All work-items of a group run as many rounds, in
// which they meet.
//
// Reference: P5 (sections 3.1 and 3.2); Hillis, Steele: Data Parallel
// Algorithms, 1986; Blelloch, Prefix Sums and Their Applications, 1990.
//
// Tested by test/unit/SplitScanTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Splitter.h"

#include "Analysis/dependence/Dependences.h"
#include "Analysis/dependence/TimeStamps.h"

#include <llvm/ADT/STLExtras.h>

#include <isl/map.h>

namespace clopt {

/// True when some of the iterations are written out apart from the others.
bool Splitter::isPeeled() const {
  return llvm::any_of(model.loops[*shared.loop].outer, [this](unsigned outer) {
    const ScheduleNode *loop = findLoop(result.tree, outer);
    return loop && loop->unroll == 0;
  });
}

/// Nothing where different iterations touch different cells of memory.
StepResult Splitter::checkScanned(const Access &first, const Access &second) {
  if (first.array != second.array)
    return requireDisjoint(result, std::min(first.array, second.array),
                           std::max(first.array, second.array), alias);
  const unsigned at =
      coordinateOfLoop(model, model.statements[first.statement], *shared.loop);
  isl_map *both = meetings(model, first, second, at).release();
  isl_map *same =
      isl_map_equate(isl_map_copy(both), isl_dim_in, at, isl_dim_out, at);
  const bool areApart = isl_map_is_subset(both, same) == isl_bool_true;
  isl_map_free(both);
  isl_map_free(same);
  if (areApart) {
    useSubscripts(result, {first.array});
    return std::nullopt;
  }
  return refuse("clopt-dependence",
                "different iterations of '" + model.loops[*shared.loop].name +
                    "' write and use the same cells of '" +
                    model.arrays[first.array].name + "'",
                "", second.range);
}

/// What the results come from must not need what the same iteration changes.
StepResult Splitter::checkSummed() const {
  std::map<unsigned, std::vector<unsigned>> changed;
  for (unsigned index : statements)
    for (unsigned id : model.statements[index].accesses)
      if (!result.registersOf(id) &&
          model.arrays[model.accesses[id].array].space != AddressSpace::Private)
        changed[model.accesses[id].array].push_back(id);
  for (const auto &[array, accesses] : changed)
    for (const StatementFlow &flow :
         statementFlows(model, valueFlow(model, result.tree, accesses)))
      if (summed.count(flow.to) && isInside(model, flow.from, shared))
        return refuse("clopt-dependence",
                      "the results come from what the loop writes to '" +
                          model.arrays[array].name + "'",
                      "", model.statements[flow.to].stmt->range);
  return std::nullopt;
}

/// What iterations have to do with each other besides their results.
StepResult Splitter::addScan() {
  const bool isCombined = llvm::all_of(values, [this](unsigned array) {
    return reductionOpIn(result, body, valueOf(result, array)).has_value();
  });
  std::vector<const Access *> touched;
  bool changes = false;
  for (unsigned index : statements) {
    changes |= changesMemory(result, index);
    for (unsigned id : model.statements[index].accesses)
      if (!result.registersOf(id) &&
          model.arrays[model.accesses[id].array].space != AddressSpace::Private)
        touched.push_back(&model.accesses[id]);
  }
  shared.writes = changes;
  if (!isCombined) {
    shared.isScan = true;
    summed = statementsFor(result, shared, values);
    body.clear();
    for (unsigned index : summed)
      body.push_back(StmtRef(StmtRef(), model.statements[index].stmt));
  }
  if (changes && isPeeled())
    return refuse("clopt-dependence",
                  "iterations of '" + model.loops[*shared.loop].name +
                      "' that change memory are written out apart");
  for (const Access *write : touched)
    for (const Access *other : touched)
      if (write->isWrite && (write->array == other->array ||
                             !areDisjoint(model, write->array, other->array)))
        if (StepResult refusal = checkScanned(*write, *other))
          return refusal;
  return shared.isScan ? checkSummed() : std::nullopt;
}

} // namespace clopt
