//===- GroupLoops.cpp - loops that a group takes together -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/GroupLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/tree/GroupLoops.h"

#include "Analysis/dependence/CooperativeReductions.h"

#include <algorithm>
#include <utility>

namespace clopt {

GroupLoops::GroupLoops(TransformedKernel &kernel)
    : rounds(std::exchange(kernel.rounds, {})) {
  for (const CooperativeReduction &loop : kernel.cooperativeReductions) {
    SharedLoop taken;
    taken.request.loop = loop.loop;
    taken.request.statement = loop.statement;
    taken.request.lanes = loop.lanes;
    if (loop.loop) {
      taken.statement =
          statementsBelow(*findLoop(kernel.tree, *loop.loop)).front();
      taken.depth =
          static_cast<unsigned>(kernel.model->loops[*loop.loop].outer.size());
    }
    shared.push_back(taken);
  }
  kernel.cooperativeReductions.clear();
  kernel.fencedStatements.clear();
  kernel.ordersMemory = false;
}

/// Where two loops have become one it is that one.
std::optional<CooperativeReduction>
GroupLoops::requestIn(const TransformedKernel &kernel,
                      const SharedLoop &shared) {
  CooperativeReduction request = shared.request;
  if (!request.loop || findLoop(kernel.tree, *request.loop))
    return request;
  const std::vector<unsigned> &loops =
      kernel.model->statements[shared.statement].loops;
  if (loops.size() <= shared.depth)
    return std::nullopt;
  request.loop = loops[shared.depth];
  return request;
}

StepResult GroupLoops::giveBack(TransformedKernel &kernel,
                                AliasMode alias) const {
  std::set<unsigned> given;
  for (const SharedLoop &taken : shared) {
    std::optional<CooperativeReduction> request = requestIn(kernel, taken);
    if (!request)
      return refuse("clopt-group-shape",
                    "work-items share the iterations of a loop, which is none "
                    "any more");
    if (request->loop && !given.insert(*request->loop).second)
      continue;
    if (StepResult refusal = splitReduction(kernel, *request, alias))
      return refusal;
  }
  for (const BatchedStrideLoop &loop : rounds)
    if (StepResult refusal = takeRounds(kernel, loop))
      return refusal;
  return std::nullopt;
}

} // namespace clopt
