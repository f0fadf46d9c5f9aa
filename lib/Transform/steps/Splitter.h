//===- Splitter.h - whether work-items can share a loop ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by SplitReduction.cpp, which looks at the loop, SplitCounted.cpp, at
// loops with bounds that depend on data, SplitScan.cpp, at those that use their
// results on the way, and SplitOrder.cpp, at what stands around it.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_SPLITTER_H
#define CLOPT_TRANSFORM_SPLITTER_H

#include "Transform/Steps.h"

#include "Analysis/dependence/CooperativeReductions.h"

#include <map>

namespace clopt {

/// Where a statement stands among the barriers of the shared loops.
struct Place {
  unsigned phase = 0;  ///< shared loops that are over
  bool inLoop = false; ///< of a loop around shared ones
};

class Splitter {
public:
  Splitter(const TransformedKernel &before, const CooperativeReduction &target,
           AliasMode aliasMode)
      : result(before), model(*before.model), shared(target), alias(aliasMode) {
  }
  StepResult run();
  TransformedKernel result;

private:
  StepResult checkKernel() const;
  StepResult checkPlace() const;
  StepResult checkOuterLoops() const;
  StepResult checkRange() const;
  StepResult findBody();
  StepResult findCounted();
  StepResult checkWrites() const;
  StepResult addScan();
  StepResult checkScanned(const Access &first, const Access &second);
  StepResult checkSummed() const;
  bool isPeeled() const;
  StepResult addResults();
  StepResult addResult(unsigned array);
  StepResult checkMemoryOfGroup() const;
  StepResult checkPrivates() const;
  StepResult checkFlow(const std::vector<unsigned> &accesses) const;
  void findPlaces(const ScheduleNode &node, bool inLoop);
  StepResult checkOrder();
  struct Reference {
    unsigned array = 0;
    const Access *access = nullptr; ///< null: cells of a copy
    Place place;
    isl::set items;                 ///< { [w...] } work-items that get there
    std::optional<size_t> sharedBy; ///< the shared loop that it is in
  };
  StepResult checkPair(const Reference &write, const Reference &read);
  bool isBarrierBetween(const Reference &write, const Reference &read) const;
  StepResult checkCells(const Reference &write, const Reference &read);
  std::optional<size_t> sharedAround(unsigned statement) const;
  void addReferences(std::vector<Reference> &writes,
                     std::vector<Reference> &reads) const;
  bool ordersWrites() const;
  bool leaves(unsigned array, bool toItself) const;
  bool hasShared(const ScheduleNode &node) const;
  const ScheduleNode *node() const;

  const KernelModel &model;
  CooperativeReduction shared;
  AliasMode alias;
  std::vector<unsigned> statements; ///< of the loop
  std::vector<StmtRef> body;
  std::set<unsigned> values; ///< arrays that go from iteration to iteration
  std::set<unsigned> summed; ///< of a scan: the statements that make them
  std::map<unsigned, Place> places, copyPlaces;
  unsigned phase = 0;
  /// { [w...] } the work-items that get to the shared loop at the end of each
  /// phase.
  std::vector<isl::set> endsOfPhases;
};

} // namespace clopt

#endif // CLOPT_TRANSFORM_SPLITTER_H
