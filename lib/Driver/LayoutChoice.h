//===- LayoutChoice.h - the planner's own converted buffers -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a recipe the planner decides which kernels get a further form on
// converted buffers: it writes that form, plans it like any kernel, and keeps
// it when the prediction says that it pays.
//
// Tested by test/unit/LayoutChoiceTest.cpp, test/lit/layout.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_LAYOUTCHOICE_H
#define CLOPT_DRIVER_LAYOUTCHOICE_H

#include "Driver/LayoutVariants.h"
#include "Driver/TimeBudget.h"
#include "Target/DeviceProfile.h"

namespace clopt {

/// Adds the variants that pay.
void chooseLayouts(const TranslationUnit &unit, const DeviceProfile &profile,
                   const Options &options, TimeBudget &time,
                   LayoutVariants &variants);

} // namespace clopt

#endif // CLOPT_DRIVER_LAYOUTCHOICE_H
