//===- LoopBounds.h - first iterations of loops in a new order --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that moves outward or inward begins somewhere else: of
// `for (i = 0; i < n; i++) for (j = i; j < n; j++)` the loop over j begins at 0
// once it is the outer one, and i then at 0, too. isl knows the iterations;
// this says where they begin in the model's own terms.
//
// Tested by test/unit/InterchangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_LOOPBOUNDS_H
#define CLOPT_TRANSFORM_LOOPBOUNDS_H

#include "Model/KernelModel.h"

#include <optional>
#include <vector>

namespace clopt {

/// { [coordinates...] -> [value] } as a polynomial in coordinates and
/// parameters of the model; nothing when it divides.
std::optional<Polynomial>
toPolynomial(const KernelModel &model, const isl::aff &aff,
             const std::vector<SymbolId> &coordinates);

/// { [w..., outer..., k] } the iterations of the loop that any statement runs,
/// by the coordinates of the statements up to and including the loop's.
isl::set iterationsOf(const KernelModel &model, unsigned loop);

/// The first iteration of the loop for each iteration of the loops around it,
/// as far as `iterations` has any: an affine expression, or the greatest
/// (downward loops: the least) of several. Nothing when it is neither. New
/// symbols are added to the model.
std::optional<Polynomial> firstIteration(KernelModel &model, unsigned loop,
                                         const isl::set &iterations);

} // namespace clopt

#endif // CLOPT_TRANSFORM_LOOPBOUNDS_H
