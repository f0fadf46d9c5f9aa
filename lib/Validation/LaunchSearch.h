//===- LaunchSearch.h - launches that reach what others do not --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes launches by chance, as fuzzers change inputs: arguments by numbers
// that the written kernel compares with, sizes, groups, offsets, alignment and
// buffers that overlap. The chance is the same in every run. Launches that
// reached something new are changed further.
//
// Tested by test/unit/LaunchSearchTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_LAUNCHSEARCH_H
#define CLOPT_VALIDATION_LAUNCHSEARCH_H

#include "Model/KernelModel.h"
#include "Validation/KernelRun.h"

#include <vector>

namespace clopt {

class LaunchSearch {
public:
  /// `numbers`: those of the written kernel. `seeds`: not empty.
  LaunchSearch(const KernelModel &model, std::vector<int64_t> numbers,
               std::vector<SmallLaunch> seeds);

  /// Another launch.
  SmallLaunch next();
  /// The launch reached something new.
  void keep(const SmallLaunch &launch) { launches.push_back(launch); }
  /// Arguments and sizes should change by these.
  void aim(std::vector<int64_t> by) { distances = std::move(by); }

private:
  void addOverlaps();
  uint64_t random(uint64_t below);
  void changeArgument(SmallLaunch &launch);
  void changeExtent(SmallLaunch &launch);
  void changeGroup(SmallLaunch &launch);
  void changeData(SmallLaunch &launch);
  void changeOverlap(SmallLaunch &launch);
  int64_t interesting(const SmallLaunch &launch, int64_t now);

  const KernelModel &model;
  std::vector<int64_t> numbers, distances;
  std::vector<SmallLaunch> launches;
  std::vector<std::string> integers; ///< arguments
  /// Parameters that may be one buffer; the second one begins later.
  std::vector<std::pair<const Variable *, const Variable *>> overlaps;
  bool isGroupFixed = false;
  uint64_t state = 1;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_LAUNCHSEARCH_H
