//===- BarrierFlow.h - barriers stay where all work-items agree -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All work-items of a group have to reach the same barriers the same number of
// times. In generated code that holds when every condition and loop bound
// around a barrier has the same value for all of them: it may use arguments,
// launch sizes, group ids and loops for which the same is true.
//
// Tested by test/unit/BarrierFlowTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_BARRIERFLOW_H
#define CLOPT_EMIT_BARRIERFLOW_H

#include "Emit/lower/Lowering.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// Kind of every work coordinate: GlobalId, or GroupId followed by LocalId
/// where the dimension is split.
std::vector<SymbolKind> workKinds(const KernelModel &model);

/// An error when a barrier below `root` stands behind something that differs
/// between work-items of a group. `baseNames` are isl's names of the work
/// coordinates, as in LoweredKernel.
std::optional<LoweringError>
checkBarrierFlow(const KernelModel &model,
                 const std::vector<std::string> &baseNames,
                 const EmitNode &root);

} // namespace clopt

#endif // CLOPT_EMIT_BARRIERFLOW_H
