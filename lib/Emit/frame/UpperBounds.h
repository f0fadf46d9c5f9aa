//===- UpperBounds.h - one upper bound for each value -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a guard come from several places: what the model assumes, what
// emitted arithmetic needs, what the vectors need. Each may bound the same end
// of a launch, `x_end <= 2147483648 && x_end <= 1073741823`; only the least
// bound says something.
//
// Tested by test/unit/UpperBoundsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_UPPERBOUNDS_H
#define CLOPT_EMIT_UPPERBOUNDS_H

#include "Emit/frame/Guards.h"

#include <vector>

namespace clopt {

/// Takes those parts `value <= number` out of conditions that are joined by &&
/// for which another part gives the same value a lesser number, or the same one
/// before.
void keepLeastBounds(std::vector<GuardCondition> &conditions);

} // namespace clopt

#endif // CLOPT_EMIT_UPPERBOUNDS_H
