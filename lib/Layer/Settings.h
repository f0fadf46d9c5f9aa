//===- Settings.h - what the environment says to the layer -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An application knows nothing of the layer, so the environment is the only
// place for settings. docs/layer.md lists the variables. A program that runs
// with the rights of another user gets none of them.
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_SETTINGS_H
#define CLOPT_LAYER_SETTINGS_H

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace clopt::layer {

struct Settings {
  std::string program;              ///< the file of clopt
  std::string target;               ///< empty: chosen by the device
  std::vector<std::string> options; ///< more options of clopt
  std::chrono::milliseconds timeLimit{30000};
  bool arePlansMade = false; ///< launches may take another form
  std::string logFile;       ///< empty: none
  bool isVerbose = false;
  std::string traceFile;    ///< empty: none
  std::string recordFolder; ///< empty: none
  std::string cacheFolder;  ///< empty: nothing is kept
  std::uint64_t cacheBytes = std::uint64_t(256) << 20;
};

/// The value of a variable, or nullptr.
using Lookup = const char *(*)(const char *name);

/// `program` is the file of clopt where the environment names none.
Settings readSettings(Lookup lookup, const std::string &program);

/// Those of this process, read once.
const Settings &settings();

} // namespace clopt::layer

#endif // CLOPT_LAYER_SETTINGS_H
