//===- DimCount.h - numbers of dimensions -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef CLOPT_SUPPORT_DIMCOUNT_H
#define CLOPT_SUPPORT_DIMCOUNT_H

#include <isl/cpp.h>

namespace clopt {

/// What isl answers for a number of dimensions, to count to. It is -1 for the
/// null that functions give when a budget is spent: throws isl::exception.
inline unsigned dimCount(isl_size dims) {
  if (dims < 0)
    isl::exception::throw_error(isl_error_quota, "the budget is spent",
                                __FILE__, __LINE__);
  return static_cast<unsigned>(dims);
}

} // namespace clopt

#endif // CLOPT_SUPPORT_DIMCOUNT_H
