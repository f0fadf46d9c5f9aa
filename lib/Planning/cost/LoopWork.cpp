//===- LoopWork.cpp - what a work-item does in a loop ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LoopWorkTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/LoopWork.h"

#include "Analysis/access/ArithmeticWork.h"
#include "Planning/cost/Traffic.h"

#include <algorithm>

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

} // namespace clopt
