//===- ConversionKernels.h - kernels that change a layout -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cell t of the copy, counted from 0 in every dimension, lies at
// `copy base + sum of p_r t_r`, and in the original at `base + sum of c_r t_r`:
// every data-space transform is affine. So one kernel per transform copies a
// box of cells, there or back, in one of four forms:
//
//   pieces  cells side by side in the original are so in the copy, or in the
//           opposite order
//   rows    cells side by side in the copy are a fixed distance apart in the
//           original
//   planes  the original's neighbours are the elements of small structures,
//           each of which has a plane of the copy
//   blocks  any other dimension is the one along which the original's cells
//           lie side by side
//
// The last two go through local memory. But for rows both sides are read and
// written in order, in 16 aligned bytes per work-item, and no two work-items
// meet in a bank.
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
  /// Of the last dimension's `counts` so many are cells of the original, those
  /// behind them become zeros; nothing: all are.
  std::optional<HostNumber> filled;
  bool isMinus = false; ///< the zeros are -0: their first bit is set
};

/// The tile of a group that turns cells in local memory, see
/// TransposeCopy.cpp.
struct BlockTile {
  unsigned elementBytes = 4;
  unsigned wordBytes = 4; ///< of local memory: 4, or an element if larger
  unsigned perWord = 1;   ///< elements of a word
  unsigned perVector = 4; ///< elements of 16 bytes
  unsigned columns = 0;   ///< cells along the original's rows
  unsigned rows = 0;      ///< cells along the copy's rows
  unsigned pitch = 0;     ///< words from one column to the next
  unsigned across = 0;    ///< work-items side by side along the original's rows
  bool isNarrow = false;  ///< the array has less than 32 columns
};
/// `columns`: how many there are, if that is known.
BlockTile blockTileOf(unsigned elementBytes, std::optional<int64_t> columns);

/// The segment of structures that a group takes apart, see
/// AosToSoa.cpp.
struct PlaneTile {
  unsigned wordBytes = 4;
  unsigned perWord = 1;
  int64_t structures = 0; ///< in a tile
  int64_t words = 0;      ///< of the tile
  int64_t gapEvery = 0;   ///< one more word after so many; 0: never
  /// Where word `index` is in local memory.
  int64_t place(int64_t index) const {
    return gapEvery ? index + index / gapEvery : index;
  }
};
/// Nothing when the structures are too long.
std::optional<PlaneTile> planeTileOf(unsigned elementBytes, int64_t stride);

struct ConversionKernel {
  std::string text; ///< the whole function
  /// NDRange and arguments; the first two arguments, the buffer that is read
  /// and the one that is written, are left to the caller.
  PlanLaunch launch;
};

ConversionKernel writeConversion(const ConversionShape &shape);

} // namespace clopt

#endif // CLOPT_EMIT_CONVERSIONKERNELS_H
