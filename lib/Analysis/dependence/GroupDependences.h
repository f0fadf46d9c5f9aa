//===- GroupDependences.h - order between work-items of a group -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between barriers work-items are unordered, and a kernel in which two of them
// then touch one cell, one writing, has no meaning. Across a barrier they are
// ordered: what one work-item did before it happens before what another one
// does after it. All relations here connect instances of different work-items
// of one group; Analysis/dependence/Dependences has those of one work-item.
//
// Every barrier is taken to order local and global memory alike, whatever its
// fence: what is kept in order may only be too much.
//
// A barrier counts as passed between two instances when some instance of it
// lies between them in the order of the program. That is exact for barriers in
// loops too, where the last phase of one iteration is the first of the next.
//
// Tested by test/unit/GroupDependencesTest.cpp,
// test/oracle/GroupDependencesOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_GROUPDEPENDENCES_H
#define CLOPT_ANALYSIS_GROUPDEPENDENCES_H

#include "Analysis/dependence/Dependences.h"

#include <vector>

namespace clopt {

/// { S[w, i] -> T[w', j] } instances of work-items of one group such that a
/// barrier lies between them. Statements that hide barriers in themselves order
/// what is before them and what is after.
isl::union_map barrierOrder(const KernelModel &model, const ScheduleNode &tree);

/// Two references of different work-items of a group to one cell.
struct GroupDependence : Conflict {
  /// { S[w, i] -> T[w', j] }
  isl::map instances;
  /// Both are atomic: one after the other, in either order.
  bool isAtomic = false;
};

/// Dependences through local and global memory that barriers keep, and those of
/// atomics, in the order of the accesses. Supersets where accesses are not
/// exact. Only those of the accesses that `wanted` takes, if there is one.
std::vector<GroupDependence>
groupDependences(const KernelModel &model, const ScheduleNode &tree,
                 const std::function<bool(const Access &)> &wanted = {});

/// Pairs that nothing orders: races, if the program has them. Only those of
/// the accesses that `wanted` takes, if there is one.
std::vector<GroupDependence>
unorderedConflicts(const KernelModel &model, const ScheduleNode &tree,
                   const std::function<bool(const Access &)> &wanted = {});

/// { S[w, i] -> T[w', j] } the writes T that the reads S, of one local array or
/// one private variable, get their values from: the last one to the cell of the
/// group, or of the work-item, in the order that all work-items share. Of a
/// kernel without races that is what each of them sees. Empty where a write may
/// not happen.
isl::union_map groupFlow(const KernelModel &model, const ScheduleNode &tree,
                         const Access &read);

/// True when no cell that one of these accesses writes is touched by the same
/// or another of them in another work-item of the group.
bool haveOwnCells(const KernelModel &model,
                  const std::vector<unsigned> &accesses);

} // namespace clopt

#endif // CLOPT_ANALYSIS_GROUPDEPENDENCES_H
