//===- Trace.h - when kernels ran -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With CLOPT_LAYER_TRACE every launch is an event in a file of Chrome's trace
// format: chrome://tracing or ui.perfetto.dev show it. Times are those of the
// device where the queue takes them, and else those between the call and the
// end of the kernel as the host sees them. The file is complete after every
// event, and several processes may write to it.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_TRACE_H
#define CLOPT_LAYER_TRACE_H

#include <CL/cl.h>

#include <string>

namespace clopt::layer {

bool isTracing();

struct Launch {
  cl_command_queue queue;
  std::string kernel;
  std::string text; ///< "original", "optimized", or "plan: " and a variant
  std::string global, local; ///< sizes, "64x64"; "NULL"
  double called;             ///< microseconds
};

/// Microseconds since the machine has started.
double microsecondsNow();

/// Writes the event of a launch when its kernel has ended. Never throws.
void traceLaunch(Launch launch, cl_event event) noexcept;

/// One object of a JSON array, a line of the trace.
std::string traceEvent(const Launch &launch, double begin, double duration,
                       bool isDeviceTime, int process);

/// Adds an element to the JSON array in a file, which is made if need be.
/// False if it cannot be written.
bool appendToArray(const std::string &path, const std::string &element);

} // namespace clopt::layer

#endif // CLOPT_LAYER_TRACE_H
