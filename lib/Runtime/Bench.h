//===- Bench.h - where the time of a launch goes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of kernels before and after optimization, with their launch plan:
// kernel, conversions, transfers and total apart, because a conversion that
// nobody counts makes every layout look good. Tested by test/run.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_BENCH_H
#define CLOPT_RUNTIME_BENCH_H

#include "Runtime/Execution.h"
#include "Runtime/Verify.h"

#include <string>

namespace clopt::runtime {

struct BenchOptions {
  VerifyOptions run;   ///< files, sizes, device, repeat
  std::string variant; ///< use this one only; empty: as the plan says
  /// Kinds of memory to time the original in; all that the device has, and the
  /// choice of the model, when `chooseMemory` says so.
  std::vector<MemoryMode> memory;
  bool chooseMemory = false;
};

/// Milliseconds, medians; kernel and conversion are the device's own.
struct BenchTimes {
  double kernel = 0;
  double conversion = 0; ///< images included
  double transfer = 0;   ///< buffers to the device, written ones back
  double total() const { return kernel + conversion + transfer; }
};

/// The original in memory of one kind.
struct BenchMemory {
  std::string name;       ///< of the kind, or "chosen"
  MemoryTimes times;      ///< medians
  std::string choice;     ///< "chosen": "A alloc-host, B device"
  double predictedMs = 0; ///< "chosen": without the kernel
};

struct BenchResult {
  std::string kernel;
  SizePoint point;
  NDRange range;
  std::string variant;
  BenchTimes original, optimized;
  std::vector<BenchMemory> memory;
  /// How much longer the choice takes than the best kind for all buffers, as a
  /// share of its time; below 0 when it is faster.
  double regret = 0;
  /// Bytes of all buffers that are read plus those that are written.
  double footprintBytes = 0;
  /// Milliseconds that a copy takes to move as much.
  double rooflineMs = 0;
};

class BenchObserver : public VerifyObserver {
public:
  /// 10^9 bytes read plus written per second, of a copy between buffers.
  virtual void copyMeasured(double gigabytesPerSecond) = 0;
  virtual void benchDone(const BenchResult &result) = 0;
};

/// Throws Error when something goes wrong.
void bench(const BenchOptions &options, BenchObserver &observer);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_BENCH_H
