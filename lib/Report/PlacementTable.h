//===- PlacementTable.h - arrays by memories, for people --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `--dump-placement` prints: for every array of a kernel the memories it
// could be in, what it takes there, and why it had better not be.
//
// Tested by test/unit/PlacementTableTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_PLACEMENTTABLE_H
#define CLOPT_REPORT_PLACEMENTTABLE_H

#include "clopt/Result.h"

#include <string>
#include <vector>

namespace clopt {

/// Its rows, those of the first column's names first: array, memory, bytes,
/// clocks, verdict, reason. An array is named in the first of its rows.
std::vector<std::vector<std::string>> placementRows(const KernelReport &kernel);

/// One table, ending in a line end; columns are as wide as they must be.
std::string renderPlacement(const KernelReport &kernel);

/// The tables of all kernels with arrays, an empty line between two.
std::string renderPlacements(const Result &result);

} // namespace clopt

#endif // CLOPT_REPORT_PLACEMENTTABLE_H
