//===- DeviceProbe.h - measures a device -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the micro-benchmarks of 'clopt probe' on a device. OpenCL has no clock
// in kernels, so everything is a long run that the device's events time; the
// time of an empty kernel is taken off. Every test says what it measured and
// nothing else: ProbeDecision.h makes a profile of it. docs/probe.md describes
// the tests. Tested by test/lit/cli/probe.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_DEVICEPROBE_H
#define CLOPT_RUNTIME_DEVICEPROBE_H

#include "Runtime/OpenCL.h"
#include "Runtime/ProbeData.h"

#include <string>

namespace clopt::runtime {

class ProbeObserver {
public:
  virtual ~ProbeObserver() = default;
  virtual void deviceChosen(const Device &device) = 0;
  /// Before each test.
  virtual void testBegins(const std::string &name, std::size_t done,
                          std::size_t total) = 0;
  /// A test that the device cannot run; the others go on.
  virtual void testFailed(const std::string &name,
                          const std::string &message) = 0;
};

struct ProbeOptions {
  std::string platform;
  std::string device;
  bool isQuick = false; ///< fewer points, shorter runs
};

/// Throws Error when there is no device, or when one computes wrong values.
ProbeData probeDevice(const ProbeOptions &options, ProbeObserver &observer);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_DEVICEPROBE_H
