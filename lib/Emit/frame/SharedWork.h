//===- SharedWork.h - several work-items in the place of one ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text for kernels whose loops are shared by work-items of a group: which of
// them do which logical work-item together, and the local memory in which they
// combine their results. The loops themselves: CooperativeReductionWriter.cpp.
//
// Tested by test/unit/SharedWorkTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_SHAREDWORK_H
#define CLOPT_EMIT_SHAREDWORK_H

#include "Emit/frame/WorkMapping.h"

#include <functional>
#include <string>
#include <vector>

namespace clopt {

/// Chooses the names in `names.shared`.
void nameSharedWork(
    const TransformedKernel &kernel, KernelNames &names,
    const std::function<std::string(const std::string &)> &fresh);

/// `lanes` neighbours in a group take one logical work-item, the group as many
/// as fit it, in a loop over all of them. Right for every number and shape of
/// groups of at least `lanes` work-items.
WorkMapping
mapSharedWork(const TransformedKernel &kernel, const KernelNames &names,
              const std::function<std::string(const std::string &)> &fresh);

/// `__local float partial_float[1024];`
std::vector<std::string> declareSharedCells(const TransformedKernel &kernel,
                                            const KernelNames &names);

/// The array for the `place`-th result of its type in a loop.
const std::string &sharedCells(const KernelNames &names, ScalarKind kind,
                               unsigned place);

/// How many work-items do a logical one.
unsigned sharedLanes(const TransformedKernel &kernel);

/// Whether all lanes but the first start with what changes nothing; otherwise
/// it changes nothing to start with the same value.
bool startsNeutral(ReductionOp operation);

} // namespace clopt

#endif // CLOPT_EMIT_SHAREDWORK_H
