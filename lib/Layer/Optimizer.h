//===- Optimizer.h - optimized texts from clopt or the cache ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The application's process may hold an LLVM of its driver, so clopt runs as a
// process of its own (Runtime/Process.h), and only for texts that the cache
// does not know.
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_OPTIMIZER_H
#define CLOPT_LAYER_OPTIMIZER_H

#include "Layer/Includes.h"
#include "Layer/Settings.h"

#include <set>
#include <string>
#include <vector>

namespace clopt::layer {

struct Optimized {
  enum class State {
    Changed,
    Unchanged, ///< clopt has found nothing to gain
    Failed
  };
  State state = State::Failed;
  std::string text;           ///< if changed
  std::string plan;           ///< the launch plan of the text, if asked for
  std::set<std::string> kept; ///< kernels that are in it as they were
  std::string message;        ///< why it failed
  bool isCached = false;
  bool isFinal = true; ///< it would be the same another time
};

/// What a text is compiled with besides its options.
struct Surroundings {
  std::vector<NamedText>
      headers;       ///< in memory; the names are those of #include
  Includes includes; ///< files
};

/// Never throws; what goes wrong is a failure with a message.
Optimized optimize(const std::string &source,
                   const std::vector<std::string> &flags,
                   const std::string &target, const Settings &settings,
                   const Surroundings &surroundings = {});

} // namespace clopt::layer

#endif // CLOPT_LAYER_OPTIMIZER_H
