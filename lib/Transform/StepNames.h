//===- StepNames.h - what the targets of a step mean ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in recipes stand for arrays, loops and dimensions of one kernel. A name
// that stands for nothing is refused, with the name that may be meant.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_STEPNAMES_H
#define CLOPT_TRANSFORM_STEPNAMES_H

#include "Transform/Steps.h"
#include "clopt/Recipe.h"

#include <functional>
#include <string>

namespace clopt {

/// A name in a recipe: a loop, or a dimension of the NDRange. Dimensions answer
/// to `w0`, `w1`, `w2` and to the variable that holds the global id.
struct AxisName {
  std::optional<unsigned> loop;
  std::optional<unsigned> dim;
};
AxisName resolveAxis(const KernelModel &model, const std::string &name);
/// The name a recipe uses for dimension `dim`.
std::string axisName(const KernelModel &model, unsigned dim);

/// The name is no `what` ("array", "loop", ...) of the kernel.
Refusal unknownName(const KernelModel &model, const std::string &name,
                    const std::string &what);

StepResult resolveArray(const KernelModel &model, const StepTarget &target,
                        unsigned &array);
StepResult resolveAxis(const KernelModel &model, const StepTarget &target,
                       AxisName &axis);
StepResult resolveLoop(const KernelModel &model, const StepTarget &target,
                       unsigned &loop);
/// The step's targets, two loops without numbers.
StepResult resolveTwoLoops(const KernelModel &model, const Step &step,
                           unsigned &first, unsigned &second);
/// Refuses a target without a number; `example` stands for one in the message.
StepResult needNumber(const Step &step, const StepTarget &target,
                      unsigned example = 4);
/// Refuses parameters that the step has not got, and what `take`, which may be
/// empty, refuses of those that it has.
StepResult takeParameters(
    const Step &step,
    const std::function<StepResult(const std::string &, int64_t)> &take = {});

/// Calls `take` for the targets from left to right.
template <typename Take>
StepResult forEachTarget(const Step &step, const Take &take) {
  for (const StepTarget &target : step.targets)
    if (StepResult refusal = take(target))
      return refusal;
  return std::nullopt;
}

/// The same with the arrays that the targets name.
template <typename Take>
StepResult forEachArray(const TransformedKernel &kernel, const Step &step,
                        const Take &take) {
  return forEachTarget(step, [&](const StepTarget &target) -> StepResult {
    unsigned array;
    if (StepResult refusal = resolveArray(*kernel.model, target, array))
      return refusal;
    return take(target, array);
  });
}

} // namespace clopt

#endif // CLOPT_TRANSFORM_STEPNAMES_H
