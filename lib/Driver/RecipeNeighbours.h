//===- RecipeNeighbours.h - what a tuner may try next -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neighbours (Planning/search/Neighbours.h) of the recipes of a file.
//
// Tested by test/unit/RecipeNeighboursTest.cpp, test/lit/cli/neighbours.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_RECIPENEIGHBOURS_H
#define CLOPT_DRIVER_RECIPENEIGHBOURS_H

#include "Planning/search/Neighbours.h"
#include "clopt/Options.h"
#include "clopt/Result.h"

#include <string>
#include <vector>

namespace clopt {

struct KernelNeighbours {
  std::string kernel;
  Neighbourhood found;
  std::string problem; ///< why no step can be applied; then nothing is found
};

struct RecipeNeighbours {
  bool ok = false;
  std::vector<Diagnostic> diagnostics;
  std::vector<KernelNeighbours> kernels; ///< in the order of the file
};

/// Of every kernel that Options::recipe names; its steps for a plan do not
/// count. Never throws.
RecipeNeighbours listNeighbours(const std::string &path,
                                const std::string &source,
                                const Options &options);

/// As JSON: {"kernels": [{"kernel", "steps", "clocks", "neighbours":
/// [{"change", "steps", "clocks"}]}]}, with "problem" in place of the last
/// three where there is one.
std::string printNeighbours(const RecipeNeighbours &all);

} // namespace clopt

#endif // CLOPT_DRIVER_RECIPENEIGHBOURS_H
