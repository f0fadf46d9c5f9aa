//===- Dispatch.cpp - the calls below the layer, and its own --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer/Dispatch.h"

#include <cstddef>

namespace clopt::layer {

namespace {

const cl_icd_dispatch *below = nullptr;
bool isActive = false;

/// The highest slot that the layer fills or calls. A table may be longer than
/// the one of these headers, or shorter.
constexpr std::size_t neededEntries =
    offsetof(cl_icd_dispatch, clCreateProgramWithIL) / sizeof(void *) + 1;

cl_icd_dispatch makeOwnCalls() {
  cl_icd_dispatch table = {};
  addProgramCalls(table);
  addKernelCalls(table);
  addLaunchCalls(table);
  addQueueCalls(table);
  addBufferCalls(table);
  return table;
}

} // namespace

const cl_icd_dispatch &target() { return *below; }

bool setTarget(cl_uint entries, const cl_icd_dispatch *table) {
  if (table == nullptr || entries < neededEntries || isActive)
    return false;
  below = table;
  isActive = true;
  return true;
}

void endTarget() { isActive = false; }

const cl_icd_dispatch &ownCalls() {
  static const cl_icd_dispatch table = makeOwnCalls();
  return table;
}

} // namespace clopt::layer
