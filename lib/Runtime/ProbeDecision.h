//===- ProbeDecision.h - from measurements to a profile --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which keys of a device profile the measurements determine, and their values.
// A key that they do not determine is left out and comes from the built-in
// profile that the new one is based on. Needs no device: the same raw data give
// the same profile anywhere. docs/probe.md lists the rules. Tested by
// test/unit/RuntimeProbeDecisionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PROBEDECISION_H
#define CLOPT_RUNTIME_PROBEDECISION_H

#include "Runtime/ProbeData.h"

#include <string>
#include <vector>

namespace clopt::runtime {

struct DecidedKey {
  std::string key;
  Json value;
  std::string reason;
};

struct ProbeDecision {
  Json profile; ///< for clopt's --target
  std::vector<DecidedKey> keys;
  /// What cannot be true of a device: the measurements were disturbed.
  std::vector<std::string> warnings;
};

ProbeDecision decideProfile(const ProbeData &data);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PROBEDECISION_H
