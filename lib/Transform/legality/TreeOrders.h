//===- TreeOrders.h - what two orders disagree about ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of one work-item that touch the same cell and change their order
// from one schedule tree to another.
//
// Tested by test/unit/InterchangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_TREEORDERS_H
#define CLOPT_TRANSFORM_TREEORDERS_H

#include "Model/TransformedKernel.h"

#include <map>
#include <string>

namespace clopt {

/// { S -> T } the first strictly before the second, or not, by their times
/// { S -> [time] } and { T -> [time] }.
isl::map ordered(const isl::map &first, const isl::map &second, bool isBefore);

class TreeOrders {
public:
  /// Both trees are of statements of `model`. Lanes and tiles do not count.
  TreeOrders(const KernelModel &model, const ScheduleNode &before,
             const ScheduleNode &after);

  /// { S[w, i] -> T[w, j] } of two references to one array: the same cell, the
  /// first strictly earlier before and not so after.
  isl::map reversed(const Access &first, const Access &second) const;

private:
  /// { S[w, i] -> [time] } by name of the statement.
  using Times = std::map<std::string, isl::map>;
  static Times timesOf(const KernelModel &model, const ScheduleNode &tree);

  const KernelModel &kernel;
  Times oldTimes, newTimes;
};

} // namespace clopt

#endif // CLOPT_TRANSFORM_TREEORDERS_H
