//===- ModelCells.h - what a run wrote, by the model ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_MODELCELLS_H
#define CLOPT_VALIDATION_MODELCELLS_H

#include "Model/KernelModel.h"
#include "Validation/KernelRun.h"

namespace clopt {

/// Compares the cells of global arrays that `run` wrote in `launch` with the
/// write accesses of the model, parameters fixed: the cells of exact accesses
/// have to be written, others only where some access may. Nothing when they
/// agree or cannot be compared; at most `limit` cells are looked at. May throw
/// isl::exception.
std::optional<RunFault> checkWrittenCells(const KernelModel &model,
                                          const SmallLaunch &launch,
                                          RunResult &run, size_t limit);

} // namespace clopt

#endif // CLOPT_VALIDATION_MODELCELLS_H
