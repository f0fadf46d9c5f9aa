//===- ConstantTables.cpp - tables that pay in constant memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array that is indexed by an iterator cannot be in registers, unless the
// loop is written out. Then it is in memory of the work-item's own, which is
// ordinary memory behind a cache.
//
// Tested by test/unit/ConstantTableTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/ConstantTables.h"

#include "Analysis/access/AccessPattern.h"
#include "Transform/Steps.h"

namespace clopt {

/// Loops of so few iterations are written out by compilers.
static constexpr int64_t writtenOut = 32;

/// True when a cell of the table is asked for by the iterator of a loop that
/// stays one.
static bool isWalkedThrough(const TransformedKernel &kernel, unsigned array) {
  const KernelModel &model = *kernel.model;
  for (const Access &access : model.accesses) {
    if (access.array != array || access.isWrite || !access.offset)
      continue;
    for (unsigned loop : model.statements[access.statement].loops) {
      const ScheduleNode *node = findLoop(kernel.tree, loop);
      if (!node || node->unroll == 0 ||
          !dependsOn(model, *access.offset, model.loops[loop].iterator))
        continue;
      std::optional<int64_t> trips = constantTripCount(kernel, loop);
      if (!trips || *trips > writtenOut)
        return true;
    }
  }
  return false;
}

std::vector<Step> tableSteps(const TransformedKernel &start,
                             const DeviceProfile &profile) {
  std::vector<Step> steps;
  // Private memory of a CPU is in its cache.
  if (!profile.localMemoryIsReal ||
      profile.latency.constant >= profile.latency.global)
    return steps;
  TransformedKernel kernel = start;
  for (unsigned array = 0; array < kernel.model->arrays.size(); ++array) {
    const Array &info = kernel.model->arrays[array];
    if (info.space != AddressSpace::Private || !info.var ||
        !info.var->type.isArray() || !isWalkedThrough(kernel, array) ||
        stageConstantTable(kernel, array))
      continue;
    Step step;
    step.name = "stage";
    step.targets.push_back({info.name, std::nullopt});
    step.flags.push_back("constant");
    steps.push_back(step);
  }
  return steps;
}

} // namespace clopt
