//===- ConversionKernels.h - kernels that change a layout -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cell t of the copy, counted from 0 in every dimension, lies at
// `copy base + sum of p_r t_r`, and in the original at `base + sum of c_r t_r`:
// every data-space transform is affine. So one kernel per transform copies a
// box of cells, there or back. When another dimension than the copy's last is
// the one along which the original's cells lie side by side, a tile of both
// goes through local memory, with rows of odd length, so that both sides are
// read and written in order and no two work-items meet in a bank.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_CONVERSIONKERNELS_H
#define CLOPT_EMIT_CONVERSIONKERNELS_H

#include "clopt/LaunchPlan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// A number of the launch: the expression for the host, and its value when it
/// is known here.
struct HostNumber {
  std::string text;
  std::optional<int64_t> value;

  static HostNumber of(int64_t value) { return {std::to_string(value), value}; }
};

struct ConversionShape {
  std::string name;                      ///< of the kernel
  unsigned elementBytes = 4;             ///< 1, 2, 4, 8 or 16
  std::vector<HostNumber> counts;        ///< cells per dimension of the copy
  std::vector<HostNumber> originalSteps; ///< c_r
  std::vector<HostNumber> copySteps;     ///< p_r; the last one is 1
  HostNumber originalBase, copyBase;
  /// Cells of the original from here on are not touched; empty: all are there.
  std::string originalEnd;
  bool isBack = false; ///< from the copy into the original
};

struct ConversionKernel {
  std::string text; ///< the whole function
  /// NDRange and arguments; the first two arguments, the buffer that is read
  /// and the one that is written, are left to the caller.
  PlanLaunch launch;
};

ConversionKernel writeConversion(const ConversionShape &shape);

} // namespace clopt

#endif // CLOPT_EMIT_CONVERSIONKERNELS_H
