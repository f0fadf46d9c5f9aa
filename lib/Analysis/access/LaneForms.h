//===- LaneForms.h - what statements are over lanes -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statement whose lanes run one after the other is no vector, whatever axis
// it is on. Whether it has a vector form follows from what it reads and writes:
// the printer, the planner's price and the comments ask the same.
//
// Tested by test/unit/LaneFormsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_LANEFORMS_H
#define CLOPT_ANALYSIS_LANEFORMS_H

#include "Analysis/access/Divergence.h"

namespace clopt {

/// How what an operand stands for changes from lane to lane.
enum class OperandVariation {
  Uniform,     ///< not at all
  Consecutive, ///< neighbours, which one vector holds
  Strided,     ///< a constant number of elements apart
  Other        ///< anything else: each lane has its own access
};

/// Elements that vectors in memory hold: scalars, but not `bool`, nor `half`,
/// which not every device computes with.
bool isLaneType(const Type &type);

/// What lanes hold of the access: the cell, or what a call makes of it.
const Type &laneTypeOf(const KernelModel &model, const Access &access);

/// The variation of elements that are `stride` apart; nothing: it is not known.
OperandVariation variationOf(const Type &element,
                             const std::optional<Polynomial> &stride);

/// True when the statement runs for all lanes together, as vectors or because
/// lanes do not differ in it: not where it stores elements that vectors do not
/// hold, and not where it only moves cells that are apart on both sides.
bool hasLaneForm(const TransformedKernel &kernel, const Divergence &divergence,
                 const Statement &statement);

/// True when a statement of the region makes values that differ between lanes,
/// and has a vector form.
bool hasVectors(const TransformedKernel &kernel, const ScheduleNode &region,
                const LaneAxis &axis);

} // namespace clopt

#endif // CLOPT_ANALYSIS_LANEFORMS_H
