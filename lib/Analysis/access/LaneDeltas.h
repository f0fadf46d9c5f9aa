//===- LaneDeltas.h - isl's view of neighbouring work-items -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/oracle/CoalescingOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_LANEDELTAS_H
#define CLOPT_ANALYSIS_LANEDELTAS_H

#include "Model/KernelModel.h"

#include <optional>
#include <set>
#include <vector>

namespace clopt {

/// { S[x] -> S[x'] } where the coordinate `axis` becomes
/// factor * coordinate + distance and all others stay.
isl::multi_aff moveAlong(const KernelModel &model, const Statement &statement,
                         SymbolId axis, int64_t factor, int64_t distance);

/// { S[x] : x and the instance `distance` further along the axis execute }
isl::set instancesWithNeighbour(const KernelModel &model,
                                const Statement &statement, SymbolId axis,
                                int64_t distance);

/// { [d0, d1, ...] } all differences of `values` between instances that are
/// `distance` apart along the axis; nothing when a value is not quasi-affine.
std::optional<isl::set> differences(const KernelModel &model,
                                    const Statement &statement,
                                    const std::vector<Polynomial> &values,
                                    SymbolId axis, int64_t distance);

/// The only element of a set of integers, if it has exactly one whatever the
/// parameters are.
std::optional<int64_t> onlyElement(const isl::set &numbers);

/// Groups are the instances lanes * q to lanes * q + lanes - 1 along the axis,
/// where all of them execute.

/// For every lane, `value` there minus `value` at the first lane of its group;
/// nothing when that is not the same in all groups, or not quasi-affine.
std::optional<std::vector<int64_t>>
laneOffsetsInGroups(const KernelModel &model, const Statement &statement,
                    const Polynomial &value, SymbolId axis, unsigned lanes);

/// All values of scale * value modulo `modulus` at the first lanes of groups;
/// nothing when it is not quasi-affine.
std::optional<std::set<int64_t>>
residuesOfGroups(const KernelModel &model, const Statement &statement,
                 const Polynomial &value, SymbolId axis, unsigned lanes,
                 int64_t scale, int64_t modulus);

} // namespace clopt

#endif // CLOPT_ANALYSIS_LANEDELTAS_H
