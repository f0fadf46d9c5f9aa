//===- LocalRaces.h - accesses that no barrier separates --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two work-items of a group that touch one cell of local memory, one of them to
// write it, need a barrier between them.
//
// Tested by test/unit/LocalRacesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_LOCALRACES_H
#define CLOPT_ANALYSIS_LOCALRACES_H

#include "Analysis/dependence/Dependences.h"

#include <vector>

namespace clopt {

/// Pairs of accesses to local memory that race in some launch, in program
/// order; an access may race with itself, executed by another work-item. Only
/// what is known exactly: both accesses are performed whenever their statement
/// is, and the cells are known. Where the kernel does not say the size of its
/// groups, work-items have to meet in groups of all usual shapes. Atomic and
/// volatile accesses do not race with each other. Throws isl::exception when
/// the budget of isl operations is exceeded.
std::vector<Conflict> localRaces(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_ANALYSIS_LOCALRACES_H
