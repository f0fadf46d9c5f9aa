//===- ControlSlice.h - what decides the way through a kernel ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most launches that are tried by chance reach nothing new, and are run for no
// other reason than to see that. For such a run it does not matter what a
// kernel computes, only which way it goes: what conditions need stays, with
// the memory that they read, and all else only counts as the steps that it
// would take. What a kernel asks of a device is counted in the same way, with
// all of its accesses.
//
// For use inside Validation only; KernelRun.h is the interface.
//
// Tested by test/unit/ControlSliceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_CONTROLSLICE_H
#define CLOPT_VALIDATION_CONTROLSLICE_H

#include "Validation/Code.h"

namespace clopt {

/// Cuts `code`, in which no two values share a temporary register, down to what
/// decides conditions. A run goes the way of the whole kernel until that has a
/// fault or gives up, with the same steps. `mayOverlap`: buffer arguments may
/// be the same memory.
void cutToControl(Code &code, bool mayOverlap);

/// Cuts `code` down to what decides conditions and addresses. What computes
/// values becomes numbers of operations (Work), accesses to them become Touch.
void cutToCosts(Code &code);

} // namespace clopt

#endif // CLOPT_VALIDATION_CONTROLSLICE_H
