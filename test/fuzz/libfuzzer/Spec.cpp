//===- Spec.cpp - any text as a launch specification ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be read is bound to some of its sizes, with small buffers.
//
//===----------------------------------------------------------------------===//

#include "Fuzzing.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/Launch.h"
#include "Runtime/LaunchSpec.h"

#include <algorithm>

using namespace clopt::runtime;

static void bind(const KernelSpec &spec) {
  std::vector<SizePoint> points = spec.sizePoints();
  points.resize(std::min<size_t>(points.size(), 3));
  LaunchLimits limits;
  limits.bufferBytes = 1 << 16;
  for (const SizePoint &point : points)
    try {
      bindOptions(spec, bindNames(spec, point));
      for (const NDRange &range : bindRanges(spec, point))
        demand(!range.str().empty(), "an NDRange without a text");
      bindLaunch(spec, point, 1, limits);
    } catch (const Error &) {
      // A size without a value.
    }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  try {
    const JsonDocument document("input.json", text);
    for (const KernelSpec &spec : readLaunchSpec(document))
      bind(spec);
  } catch (const Error &error) {
    demand(!error.str("clopt-rt").empty(), "a refusal without a message");
  }
  return 0;
}
