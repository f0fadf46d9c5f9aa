//===- KernelPrice.h - the time of a kernel, predicted ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One price for any text: what some groups of a launch ask of the device
// (Validation/RunCosts.h) against what it does in a clock (DeviceProfile). The
// device works on all of its terms at once, so that the longest decides.
//
// Reference: S. Hong, H. Kim, An analytical model for a GPU architecture with
// memory-level and thread-level parallelism awareness, ISCA 2009; S. Williams,
// A. Waterman, D. Patterson, Roofline, CACM 2009.
//
// Tested by test/unit/KernelPriceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_KERNELPRICE_H
#define CLOPT_PLANNING_KERNELPRICE_H

#include "Target/DeviceProfile.h"
#include "Validation/RunCosts.h"

#include <vector>

namespace clopt {

struct PriceTerm {
  const char *name; ///< what the device is busy with
  double nanoseconds = 0;
};

struct KernelPrice {
  double nanoseconds = 0;
  std::vector<PriceTerm> terms; ///< the longest decides
  double residentGroups = 1;    ///< of a compute unit
};

KernelPrice priceOf(const RunCosts &costs, const DeviceProfile &profile);

} // namespace clopt

#endif // CLOPT_PLANNING_KERNELPRICE_H
