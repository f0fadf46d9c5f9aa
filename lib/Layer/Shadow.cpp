//===- Shadow.cpp - optimized objects behind the application's ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer/Shadow.h"

#include "Layer/Dispatch.h"
#include "Layer/Log.h"

namespace clopt::layer {

static std::atomic<bool> isStopped{false};

ProgramShadow::~ProgramShadow() {
  if (program != nullptr)
    target().clReleaseProgram(program);
}

KernelShadow::~KernelShadow() {
  if (kernel != nullptr)
    target().clReleaseKernel(kernel);
}

// Neither table is ever destroyed: applications call OpenCL from destructors
// of their own.
HandleTable<cl_program, ProgramRecord> &programs() {
  static auto &table = *new HandleTable<cl_program, ProgramRecord>();
  return table;
}

HandleTable<cl_kernel, KernelShadow> &kernels() {
  static auto &table = *new HandleTable<cl_kernel, KernelShadow>();
  return table;
}

void stopLaunchingShadows(const std::string &reason) {
  if (!isStopped.exchange(true))
    log("kernels run as they were written from here on: " + reason);
}

bool areShadowsLaunched() { return !isStopped.load(); }

} // namespace clopt::layer
