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
  /// `numbers`: those of the written kernel. `seeds`: what is changed first,
  /// beside the launches that are kept.
  LaunchSearch(const KernelModel &model, std::vector<int64_t> numbers,
               const std::vector<SmallLaunch> &seeds);

  /// Another launch.
  SmallLaunch next();
  /// True while there is nothing to change.
  bool isEmpty() const { return launches.empty(); }
  /// The launch reached something new, and a run of it took the steps. What
  /// was not reached would be if arguments or sizes changed by `distances`.
  void keep(const SmallLaunch &launch, uint64_t steps = 0,
            std::vector<int64_t> distances = {}) {
    launches.push_back({launch, steps, std::move(distances)});
  }
  /// What the launch took that `next` changed.
  uint64_t stepsBefore() const { return launches[last].steps; }

private:
  struct Kept {
    SmallLaunch launch;
    uint64_t steps = 0;
    std::vector<int64_t> distances;
  };

  void addOverlaps();
  size_t choose();
  uint64_t random(uint64_t below);
  void changeArgument(SmallLaunch &launch);
  void changeExtent(SmallLaunch &launch);
  void changeGroup(SmallLaunch &launch);
  void changeData(SmallLaunch &launch);
  void changeOverlap(SmallLaunch &launch);
  int64_t interesting(const SmallLaunch &launch, int64_t now);

  const KernelModel &model;
  std::vector<int64_t> numbers;
  std::vector<Kept> launches;
  size_t last = 0;                   ///< of these, that was changed
  std::vector<std::string> integers; ///< arguments
  /// Parameters that may be one buffer; the second one begins later.
  std::vector<std::pair<const Variable *, const Variable *>> overlaps;
  bool isGroupFixed = false;
  uint64_t state = 1;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_LAUNCHSEARCH_H
