//===- AccessSummary.h - what `clopt check` says of each access -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the analyses of single accesses together: one report for every access
// of a kernel to global or constant memory, in OpenCL's words, and one for
// every access to local memory at which work-items wait for each other, or that
// is outside the declared array.
//
// Tested by test/unit/AccessSummaryTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_ACCESSSUMMARY_H
#define CLOPT_ANALYSIS_ACCESSSUMMARY_H

#include "Model/KernelModel.h"
#include "Target/DeviceProfile.h"
#include "clopt/Result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// One report per access in source order; a compound assignment has two, its
/// read and its write, at the same place. An access is a finding (has a rule
/// id) exactly when neighbouring work-items touch neither neighbouring cells
/// in increasing order nor the same cell, or when value ranges prove that it is
/// outside its declared array; accesses to local and private memory are only
/// reported when they are findings, those with bank conflicts or outside the
/// array. Throws isl::exception when the budget of isl operations is exceeded.
std::vector<AccessReport> reportAccesses(const KernelModel &model,
                                         const DeviceProfile &profile);

} // namespace clopt

#endif // CLOPT_ANALYSIS_ACCESSSUMMARY_H
