//===- TimeStamps.h - when statements run -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by the analyses of this folder only.
//
// Tested by test/unit/DependencesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_TIMESTAMPS_H
#define CLOPT_ANALYSIS_TIMESTAMPS_H

#include "Model/KernelModel.h"
#include "Model/TransformedKernel.h"

#include <map>
#include <vector>

namespace clopt {

/// One entry of a statement's time stamp: a constant or a coordinate.
struct TimeEntry {
  bool isCoordinate = false;
  int64_t value = 0; ///< constant, or index of the coordinate
  int64_t sign = 1;
};

using TimeStamp = std::vector<TimeEntry>;

/// The coordinate of the statement that is the iterator of the loop, ~0u if
/// none is.
unsigned coordinateOfLoop(const KernelModel &model, const Statement &statement,
                          unsigned loop);

/// How many of the statement's coordinates are those of the work-item.
unsigned workDimensions(const KernelModel &model, const Statement &statement);

/// The stamp of every statement in the tree.
std::map<unsigned, TimeStamp> allStamps(const KernelModel &model,
                                        const ScheduleNode &tree);

/// Entries of the longest stamp.
size_t longest(const std::map<unsigned, TimeStamp> &stamps);

/// { S[w, i] -> [stamp] } for one statement, `length` entries.
isl::map stampMap(const Statement &statement, const TimeStamp &stamp,
                  size_t length);

} // namespace clopt

#endif // CLOPT_ANALYSIS_TIMESTAMPS_H
