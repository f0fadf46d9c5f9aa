//===- Apply.h - carry out a recipe, step by step ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_APPLY_H
#define CLOPT_TRANSFORM_APPLY_H

#include "Transform/StepNames.h"
#include "clopt/Recipe.h"

#include <string>
#include <vector>

namespace clopt {

/// The kernel as it is, ready for steps. Nothing when its order is not a tree
/// of loops and sequences.
std::optional<TransformedKernel> startTransforming(const KernelModel &model);

/// The same with another model of the kernel, which a step has made.
std::optional<TransformedKernel>
startAgain(const TransformedKernel &kernel,
           const std::shared_ptr<const KernelModel> &made);
/// What must hold at run time for loops of the author's that are dimensions:
/// iterations of one work-item may run in any order when no buffers overlap.
StepResult shareLoops(TransformedKernel &kernel, AliasMode alias);

/// Applies one step; on refusal the kernel is unchanged.
StepResult applyStep(TransformedKernel &kernel, const Step &step,
                     AliasMode alias);

/// The steps of Steps.def, one function each, on a kernel that is given up when
/// the step is refused: apply<Name>.
#define CLOPT_STEP(Name, ...)                                                  \
  StepResult apply##Name(TransformedKernel &kernel, const Step &step,          \
                         AliasMode alias);
#include "Support/Steps.def"

} // namespace clopt

#endif // CLOPT_TRANSFORM_APPLY_H
