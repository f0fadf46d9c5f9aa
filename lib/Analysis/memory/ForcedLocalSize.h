//===- ForcedLocalSize.h - the one local size with a meaning ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with local arrays of fixed size often has a meaning for one local
// size only:
//
//   __local float t[64];
//   t[get_local_id(0)] = a[get_global_id(0)];
//   barrier(CLK_LOCAL_MEM_FENCE);
//   b[get_global_id(0)] = t[63 - get_local_id(0)];
//
// Larger groups write beyond the array, smaller ones read cells that nothing
// has written. Dimensions that the kernel does not ask for are taken to be 1:
// work-items that differ in them alone would all do the same work at once.
//
// Launches in which the arrays are not used at all do not count: a loop over
// tiles that has no iteration has a meaning for any group. Neither do launches
// with ids beyond an int.
//
// Tested by test/unit/ForcedLocalSizeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_FORCEDLOCALSIZE_H
#define CLOPT_ANALYSIS_FORCEDLOCALSIZE_H

#include "Model/KernelModel.h"

#include <array>
#include <cstdint>
#include <optional>

namespace clopt {

/// The local size, in work-items of each dimension, that every launch has in
/// which the kernel uses its local arrays and has a meaning; nothing when
/// several have, or nothing is known. The model must be one without a known
/// local size. May throw isl::exception.
std::optional<std::array<int64_t, 3>> forcedLocalSize(const KernelModel &model);

/// The same where all that the kernel may do with its local arrays is taken to
/// be done, `if (x < w) b[x] = t[l + 1] - t[l];`, and what the model assumes to
/// hold. Of several sizes it is the largest power of two that the arrays have
/// room for, halved to a group of 256 where no device has it, and 0 along
/// dimensions where one work-item would do, unless that is so along all of
/// them; nothing where the arrays tell nothing, or finding out would take long.
std::optional<std::array<int64_t, 3>> likelyLocalSize(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_ANALYSIS_FORCEDLOCALSIZE_H
