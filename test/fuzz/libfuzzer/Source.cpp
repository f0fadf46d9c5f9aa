//===- Source.cpp - any text as OpenCL C ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The length of the text chooses the device and whether there is a plan.
//
//===----------------------------------------------------------------------===//

#include "Optimizing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const targets[] = {"generic-gpu", "cpu", "nvidia-hopper",
                                        "amd-cypress", "mali-midgard"};
  const std::string text(reinterpret_cast<const char *>(data), size);
  clopt::Options options;
  options.target = targets[size % 5];
  options.makePlan = size % 2 == 0;
  const clopt::Result result = optimizeOrAbort(text, options);
  demand(!result.ok || !result.kernels.empty() || result.output == text,
         "a file without kernels was changed");
  return 0;
}
