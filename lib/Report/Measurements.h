//===- Measurements.h - what clopt bench measured ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what `clopt bench --json` writes, so that a report can show it.
//
// Tested by test/unit/MeasurementsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_MEASUREMENTS_H
#define CLOPT_REPORT_MEASUREMENTS_H

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace clopt {

/// Times in milliseconds.
struct MeasuredTimes {
  double kernel = 0, conversion = 0, total = 0;
  /// On the device.
  double device() const { return kernel + conversion; }
};

/// One launch, original and optimized.
struct Measurement {
  std::string kernel;
  std::string sizes;   ///< "n=4096 m=16"
  std::string ndRange; ///< "global 4096, local NULL"
  std::string variant; ///< of the launch plan
  double bytes = 0;    ///< of the kernel's buffers, read and written
  double roofline = 0; ///< milliseconds of a copy that moves as many
  MeasuredTimes original, optimized;
};

struct Measurements {
  std::string platform, device;
  double copyGigabytes = 0; ///< per second
  std::vector<Measurement> launches;
};

/// Errors name `source`: malformed JSON, a missing member, a wrong type.
llvm::Expected<Measurements> parseMeasurements(const std::string &text,
                                               const std::string &source);

} // namespace clopt

#endif // CLOPT_REPORT_MEASUREMENTS_H
