//===- PlanReadBack.h - variants of a plan against the original -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a host does for a variant of a launch plan, on small launches: the
// numbers of the plan are evaluated as the run-time evaluates them, conversions
// run before and after the kernel, in one memory, and the application's buffers
// have to end as the author's kernel leaves them. Buffers are as large as the
// author's kernel needs, and nothing outside of them may be touched. Advice is
// not followed: variants that would not pay are right as well.
//
// Tested by test/unit/PlanReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_PLANREADBACK_H
#define CLOPT_VALIDATION_PLANREADBACK_H

#include "Model/KernelModel.h"
#include "Plan/CompiledPlan.h"
#include "Validation/ReadBack.h"

namespace clopt {

/// Steps for each variant of a kernel by default.
constexpr uint64_t defaultVariantSteps = 10000000;

/// True for variants that do something else than launching the drop-in kernel,
/// or the original, as the application asked.
bool isOwnVariant(const PlanKernel &kernel, const PlanVariant &variant);

/// `launches` and `branches` are those of all kernels of the variant.
struct VariantReadBack : ReadBackReport {
  std::string name;
};

/// Runs the variants of `model`'s kernel that isOwnVariant has, with kernels of
/// `written`; `parsed` is the text that those were made of. `seeds` are
/// launches to begin with. Takes about `budget` steps for each variant; what
/// was taken is in the reports, that of the original in one of them.
std::vector<VariantReadBack>
readBackPlan(const CompiledPlan &plan, const KernelModel &model,
             const TranslationUnit &parsed, const TranslationUnit &written,
             const std::vector<SmallLaunch> &seeds, uint64_t budget);

} // namespace clopt

#endif // CLOPT_VALIDATION_PLANREADBACK_H
