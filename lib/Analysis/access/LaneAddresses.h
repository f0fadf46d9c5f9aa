//===- LaneAddresses.h - one address per work-item of a group ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/BankConflictTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_LANEADDRESSES_H
#define CLOPT_ANALYSIS_LANEADDRESSES_H

#include "Model/KernelModel.h"

#include <optional>
#include <vector>

namespace clopt {

/// The ids of the work-items of a group, in the order in which they are served:
/// dimension 0 first. An id is a multiple of its alignment plus a value.
struct LaneIds {
  std::vector<SymbolId> ids; ///< local ids, or global ids
  /// Per id; 0 when the values are all there is.
  std::vector<int64_t> alignment;
  std::vector<std::vector<int64_t>> values; ///< per work-item, per id
};

/// All work-items of a group when its size is known; else `count` neighbours
/// that begin at a multiple of `count` in dimension 0.
LaneIds lanesOfGroup(const KernelModel &model, unsigned count);

/// Values of one polynomial for some work-items: shared part + own.
struct LaneValues {
  Polynomial shared; ///< without constant; the same for all
  std::vector<int64_t> own;
};

/// Values for these work-items; nothing when they differ by more than
/// constants.
std::optional<LaneValues> valuesOfLanes(const KernelModel &model,
                                        const Polynomial &poly,
                                        const LaneIds &lanes,
                                        const std::vector<size_t> &items);

/// How an integer expression changes from work-item to work-item, also where
/// the model has no value: follows the definitions of private variables.
struct LaneForm {
  enum class Shape {
    Uniform, ///< the same for all
    Linear,  ///< a multiple of the id along `axis`, plus something uniform
    Other
  } shape = Shape::Uniform;
  /// Linear: what the id is multiplied by, when it is always the same.
  std::optional<int64_t> factor;
  /// Linear without `factor`: what the id is multiplied by is this times powers
  /// of two, as in `2 * s * id` where a loop doubles or halves s.
  std::optional<int64_t> doubling;
};
LaneForm laneForm(const KernelModel &model, const ExprRef &expr, SymbolId axis);

} // namespace clopt

#endif // CLOPT_ANALYSIS_LANEADDRESSES_H
