//===- LaunchSearch.h - launches that reach what others do not --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes launches by chance, as fuzzers change inputs: arguments by numbers
// that the written kernel compares with, sizes, groups, offsets, alignment and
// buffers that overlap. The chance is the same in every run. Launches that
// reached something new are changed further. Before chance, the moves are tried
// that should lead to what is missing.
//
// Tested by test/unit/LaunchSearchTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_LAUNCHSEARCH_H
#define CLOPT_VALIDATION_LAUNCHSEARCH_H

#include "Model/KernelModel.h"
#include "Validation/EdgeMoves.h"
#include "Validation/KernelRun.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <set>
#include <string>
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
  /// One by a move that is still wanted, of the cheapest launch that there is;
  /// nothing when all of these were tried.
  std::optional<SmallLaunch>
  nextMove(llvm::function_ref<bool(const LaunchMove &)> isWanted);
  /// True while there is nothing to change.
  bool isEmpty() const { return launches.empty(); }
  /// The launch reached something new, and a run of it took the steps. What
  /// was not reached would be if arguments or sizes changed by `distances`, or
  /// may be by the moves.
  void keep(const SmallLaunch &launch, uint64_t steps = 0,
            std::vector<int64_t> distances = {},
            std::vector<LaunchMove> moves = {});
  /// What the launch took that `next` changed.
  uint64_t stepsBefore() const { return launches[last].steps; }

private:
  struct Kept {
    SmallLaunch launch;
    uint64_t steps = 0;
    std::vector<int64_t> distances;
    std::vector<LaunchMove> moves; ///< those that were not tried, last first
  };

  void addOverlaps();
  size_t choose();
  SmallLaunch changed();
  bool isNew(const SmallLaunch &launch);
  bool apply(const LaunchMove &move, SmallLaunch &launch) const;
  bool resize(SmallLaunch &launch, unsigned dim, int64_t by) const;
  bool regroup(SmallLaunch &launch, int64_t by) const;
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
  std::set<std::string> tried; ///< launches
  /// Moves that were tried, by what they are for.
  std::map<std::pair<size_t, bool>, unsigned> tries;
  bool isGroupFixed = false;
  uint64_t state = 1;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_LAUNCHSEARCH_H
