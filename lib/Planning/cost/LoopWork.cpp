//===- LoopWork.cpp - what a work-item does in a loop ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LoopWorkTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/LoopWork.h"

#include "Analysis/access/ArithmeticWork.h"
#include "Analysis/access/CellPart.h"
#include "Planning/cost/Traffic.h"

#include <algorithm>
#include <set>

namespace clopt {

LoopWork workIn(const TransformedKernel &kernel, const DeviceProfile &profile,
                std::optional<unsigned> loop) {
  const KernelModel &model = *kernel.model;
  const TrafficModel traffic(kernel, profile);
  LoopWork result;
  for (const Statement &statement : model.statements) {
    if (loop && std::find(statement.loops.begin(), statement.loops.end(),
                          *loop) == statement.loops.end())
      continue;
    if (statement.stmt)
      result.arithmetic +=
          static_cast<double>(instructionsOf(*statement.stmt)) *
          traffic.runs(statement) * profile.latency.alu;
    for (unsigned id : statement.accesses) {
      const Access &access = model.accesses[id];
      const AddressSpace space = model.arrays[access.array].space;
      if (space == AddressSpace::Private || kernel.registersOf(access.id))
        continue;
      result.memory += space == AddressSpace::Local
                           ? traffic.runs(access) * profile.latency.local
                           : traffic.inGlobalMemory(access);
    }
  }
  return result;
}

/// Arrays and variables that the loop reads before it writes them: sums, and
/// what it only reads.
static std::set<unsigned> readFirstIn(const TransformedKernel &kernel,
                                      unsigned loop) {
  std::set<unsigned> seen, result;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    for (unsigned id : kernel.model->statements[index].accesses) {
      const Access &access = kernel.model->accesses[id];
      if (seen.insert(access.array).second && !access.isWrite)
        result.insert(access.array);
    }
  return result;
}

unsigned wordsCarriedBy(const TransformedKernel &kernel, unsigned loop) {
  const std::set<unsigned> first = readFirstIn(kernel, loop);
  std::set<unsigned> carried;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    for (unsigned id : kernel.model->statements[index].accesses) {
      const Access &access = kernel.model->accesses[id];
      if (access.isWrite && first.count(access.array))
        carried.insert(access.array);
    }
  unsigned words = 0;
  for (unsigned array : carried)
    words += cellWords(kernel.model->arrays[array]);
  return words;
}

} // namespace clopt
