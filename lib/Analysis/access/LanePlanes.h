//===- LanePlanes.h - vectors that lanes hold by component ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_LANEPLANES_H
#define CLOPT_ANALYSIS_LANEPLANES_H

#include "Analysis/access/Divergence.h"

#include <set>

namespace clopt {

/// Private vectors of which lanes hold every component as a vector of its own,
/// a plane: all that is written to them is computed component by component, or
/// is one component. Only those that differ between lanes.
std::set<const Variable *> planeVariables(const TransformedKernel &kernel,
                                          const Divergence &divergence);

/// A product that an operation on vectors adds as it is, rounded by itself, and
/// one on its components would be rounded with: compilers may round `a * b + c`
/// once, and look for the product in the text (`FP_CONTRACT`). `toVector`: it
/// is added to a vector.
bool hidesProduct(const ExprRef &expr, bool toVector = false);

} // namespace clopt

#endif // CLOPT_ANALYSIS_LANEPLANES_H
