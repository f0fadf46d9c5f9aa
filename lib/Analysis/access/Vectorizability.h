//===- Vectorizability.h - which accesses of a statement vectorize -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithm 1 of Chen and Wu, graph colouring, in the meaning their Example 1
// has: every access of a statement gets a colour, and those of the first are
// the vectorizable set. Printed, the algorithm reaches an access only from one
// with another pattern; here every node is visited.
//
// Tested by test/unit/VectorizabilityTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_VECTORIZABILITY_H
#define CLOPT_ANALYSIS_VECTORIZABILITY_H

#include "Analysis/access/AccessPattern.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

enum class AccessColor {
  Vectorizable = 1, ///< c1: can be made forward, and is independent
  Incompatible = 2, ///< c2: no transform makes it forward
  Dependent = 3     ///< c3: shares a cell with another access of the statement
};

struct ColoredAccess {
  unsigned access = 0; ///< index into KernelModel::accesses
  AccessColor color = AccessColor::Incompatible;
  Pattern pattern;
  /// Dependent: the other access.
  std::optional<unsigned> conflict;
};

/// Colours all accesses of a statement to arrays that are not private, in
/// program order. An access that the axis does not move is Dependent when it
/// shares its cell (an accumulator) and Incompatible when not (a value that
/// all lanes share).
std::vector<ColoredAccess> colorAccesses(const KernelModel &model,
                                         unsigned statement, SymbolId axis,
                                         int64_t step = 1);

/// Names of the arrays all of whose accesses are vectorizable, in the order of
/// their first access.
std::vector<std::string>
vectorizableArrays(const KernelModel &model,
                   const std::vector<ColoredAccess> &accesses);

/// The paper's Definition 3: two references of one statement, at least one a
/// write, that touch the same cell in the same instance, or in instances that
/// differ only along `axis` if that is a loop. (Work-items never conflict: a
/// kernel with a data race has no meaning.)
bool areDependent(const KernelModel &model, const Access &first,
                  const Access &second, SymbolId axis);

} // namespace clopt

#endif // CLOPT_ANALYSIS_VECTORIZABILITY_H
