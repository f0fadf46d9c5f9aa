//===- LoopWork.h - what a work-item does in a loop -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks of a work-item's arithmetic and of its accesses to memory, as if none
// overlapped: what part of a kernel a plan can make faster at all.
//
// Tested by test/unit/LoopWorkTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_LOOPWORK_H
#define CLOPT_PLANNING_LOOPWORK_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"

#include <optional>

namespace clopt {

struct LoopWork {
  double arithmetic = 0, memory = 0;
  double total() const { return arithmetic + memory; }
};

/// In the loop and those inside, or in all of the kernel.
LoopWork workIn(const TransformedKernel &kernel, const DeviceProfile &profile,
                std::optional<unsigned> loop = std::nullopt);

/// Words of 4 bytes that the loop carries from one iteration to the next, of
/// one work-item.
unsigned wordsCarriedBy(const TransformedKernel &kernel, unsigned loop);

} // namespace clopt

#endif // CLOPT_PLANNING_LOOPWORK_H
