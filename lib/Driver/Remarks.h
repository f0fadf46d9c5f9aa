//===- Remarks.h - what happened, in OpenCL's words -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_REMARKS_H
#define CLOPT_DRIVER_REMARKS_H

#include "Transform/Steps.h"
#include "clopt/Options.h"
#include "clopt/Recipe.h"
#include "clopt/Result.h"

#include <optional>
#include <string>

namespace clopt {

/// A remark about the whole kernel.
Remark remarkOn(const KernelModel &model, RemarkKind kind,
                const std::string &pass, const std::string &message);
/// Adds the front end's notes as analysis remarks.
void addNotes(const KernelModel &model, Result &result);
/// A step that was not taken.
Remark missedRemark(const KernelModel &model, const std::string &pass,
                    const Refusal &refusal);
/// A step that was taken.
Remark passedRemark(const TransformedKernel &kernel, const Step &step);
/// The same of all steps, each of the version that it made.
std::vector<Remark> passedRemarks(const TransformedKernel &kernel,
                                  const std::vector<Step> &steps);
/// One line about a step, for the comment in the output and for remarks.
std::string describeStep(const TransformedKernel &kernel, const Step &step);
/// Such lines of all steps as the comments of the kernel and of the versions
/// behind it; neighbours that are one and the same step share a line.
void addComments(TransformedKernel &kernel, const std::vector<Step> &steps);
/// Which memory suits an array better than the one it is in.
Remark placementRemark(const KernelModel &model, const ArrayReport &array);
/// Why the planner found nothing to do for the target: what it looked at, as
/// far as `report` has it, and what would help.
Refusal idleReason(const TransformedKernel &kernel, const KernelReport &report,
                   const std::string &target);
/// Why no step at all can be applied to a kernel, if so.
std::optional<Refusal> untouchableReason(const KernelModel &model);
/// That clopt has written the kernel, which is one of those reasons.
std::optional<Refusal> ownOutputReason(const KernelModel &model);
/// Why there is no model: the budget of the analysis, where that was the
/// reason.
Refusal unmodelledReason(const KernelModel &model);

/// An error without a place.
Diagnostic plainError(const std::string &message);

/// What is wrong with the recipe of the options, and where.
Diagnostic errorInRecipe(const RecipeError &error, const Options &options);

} // namespace clopt

#endif // CLOPT_DRIVER_REMARKS_H
