//===- Neighbours.h - recipes one change away from another ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tuner may try next. The changes come from the grammar of the steps
// (Support/StepTable.h) and from the names of the kernel, so every step that
// there is takes part:
//
//   vectorize j:8      a number, half or double       vectorize j:4
//                      another name of its kind       vectorize k:8
//                      a flag or parameter of it      vectorize j:8 load=4
//                      without it
//                      a further step                 unroll k:4
//
// Only what is legal is listed: a step that is refused is no neighbour, and
// steps behind a change that are refused by then are left out with it.
//
// Tested by test/unit/NeighboursTest.cpp, test/lit/cli/neighbours.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_NEIGHBOURS_H
#define CLOPT_PLANNING_NEIGHBOURS_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "clopt/Options.h"
#include "clopt/Recipe.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// A recipe that differs by one change.
struct Neighbour {
  std::string change; ///< for people: "with unroll k:4"
  std::vector<Step> steps;
  /// predictClocks() of the kernel with these steps.
  std::optional<double> clocks;
};

struct Neighbourhood {
  /// The steps themselves, without those that are refused.
  Neighbour centre;
  std::vector<Neighbour> others; ///< no two have the same steps
};

/// The neighbours of `steps` for a kernel that no step was applied to yet. The
/// order depends on the arguments alone.
Neighbourhood findNeighbours(const TransformedKernel &start,
                             const std::vector<Step> &steps,
                             const DeviceProfile &profile, AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_NEIGHBOURS_H
