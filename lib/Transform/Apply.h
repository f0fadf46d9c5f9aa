//===- Apply.h - carry out a recipe, step by step ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_APPLY_H
#define CLOPT_TRANSFORM_APPLY_H

#include "Transform/Steps.h"
#include "clopt/Recipe.h"

#include <string>
#include <vector>

namespace clopt {

/// The kernel as it is, ready for steps. Nothing when its order is not a tree
/// of loops and sequences.
std::optional<TransformedKernel> startTransforming(const KernelModel &model);
/// What must hold at run time for loops of the author's that are dimensions:
/// iterations of one work-item may run in any order when no buffers overlap.
StepResult shareLoops(TransformedKernel &kernel, AliasMode alias);

/// A name in a recipe: a loop, or a dimension of the NDRange. Dimensions answer
/// to `w0`, `w1`, `w2` and to the variable that holds the global id.
struct AxisName {
  std::optional<unsigned> loop;
  std::optional<unsigned> dim;
};
AxisName resolveAxis(const KernelModel &model, const std::string &name);
/// The name a recipe uses for dimension `dim`.
std::string axisName(const KernelModel &model, unsigned dim);
/// Applies one step; on refusal the kernel is unchanged.
StepResult applyStep(TransformedKernel &kernel, const Step &step,
                     AliasMode alias);

} // namespace clopt

#endif // CLOPT_TRANSFORM_APPLY_H
