//===- LaunchCalls.cpp - which kernel is launched -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimized kernels decide themselves which launches their new bodies are
// for, so any launch may go to them. Should the driver refuse one, the
// application's own kernel is launched, and its answer is the answer.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/Dispatch.h"
#include "Layer/PlannedLaunch.h"
#include "Layer/Recorder.h"
#include "Layer/Settings.h"
#include "Layer/Shadow.h"
#include "Layer/Trace.h"

namespace clopt::layer {

namespace {

/// Null: the kernel has no shadow that could be launched so.
std::shared_ptr<KernelShadow> shadowFor(cl_kernel kernel, cl_uint dimensions,
                                        const std::size_t *local) {
  std::shared_ptr<KernelShadow> shadow = kernels().find(kernel);
  if (shadow == nullptr || !shadow->isUsable || !areShadowsLaunched())
    return nullptr;
  std::size_t items = 1;
  for (cl_uint i = 0; local != nullptr && i < dimensions && i < 3; ++i)
    items *= local[i];
  return shadow->maxGroup != 0 && items > shadow->maxGroup ? nullptr : shadow;
}

/// For the recorder, which is not asked for often.
RecordedRange rangeOf(cl_uint dimensions, const std::size_t *global,
                      const std::size_t *local, const std::size_t *offset) {
  const auto copied = [&](const std::size_t *sizes) {
    return sizes != nullptr && dimensions <= 3
               ? std::vector<std::size_t>(sizes, sizes + dimensions)
               : std::vector<std::size_t>();
  };
  return {copied(global), copied(local), copied(offset)};
}

std::string sizes(cl_uint dimensions, const std::size_t *values) {
  std::string text = values == nullptr ? "NULL" : "";
  for (cl_uint i = 0; values != nullptr && i < dimensions; ++i)
    text += (i == 0 ? "" : "x") + std::to_string(values[i]);
  return text;
}

/// `launch` takes a kernel and where to put the event; `plan` only the latter,
/// and tells the variant that it has launched, if any.
template <typename LaunchKernel, typename LaunchPlan>
cl_int launchEither(cl_command_queue queue, cl_kernel kernel,
                    cl_uint dimensions, const std::size_t *global,
                    const std::size_t *local, cl_event *event,
                    const LaunchKernel &launch, const LaunchPlan &plan) {
  const double called = isTracing() ? microsecondsNow() : 0;
  cl_event own = nullptr;
  cl_event *slot = isTracing() && event == nullptr ? &own : event;
  cl_int status = CL_SUCCESS;
  const std::string variant = plan(slot);
  bool isOptimized = false;
  if (variant.empty()) {
    const std::shared_ptr<KernelShadow> shadow =
        shadowFor(kernel, dimensions, local);
    isOptimized =
        shadow != nullptr && launch(shadow->kernel, slot) == CL_SUCCESS;
    if (!isOptimized)
      status = launch(kernel, slot);
  }
  noteLaunch(queue, kernel);
  if (isTracing() && status == CL_SUCCESS && *slot != nullptr) {
    try {
      traceLaunch({queue,
                   queryText(target().clGetKernelInfo, kernel,
                             cl_kernel_info(CL_KERNEL_FUNCTION_NAME)),
                   !variant.empty() ? "plan: " + variant
                   : isOptimized    ? "optimized"
                                    : "original",
                   sizes(dimensions, global), sizes(dimensions, local), called},
                  *slot);
    } catch (...) {
      // The event is not in the trace.
    }
    if (own != nullptr)
      target().clReleaseEvent(own);
  }
  return status;
}

cl_int CL_API_CALL enqueueNDRange(cl_command_queue queue, cl_kernel kernel,
                                  cl_uint dimensions, const std::size_t *offset,
                                  const std::size_t *global,
                                  const std::size_t *local, cl_uint count,
                                  const cl_event *waitList, cl_event *event) {
  if (isRecording() && global != nullptr)
    recordLaunch(queue, kernel, rangeOf(dimensions, global, local, offset),
                 count, waitList);
  return launchEither(
      queue, kernel, dimensions, global, local, event,
      [&](cl_kernel chosen, cl_event *slot) {
        return target().clEnqueueNDRangeKernel(queue, chosen, dimensions,
                                               offset, global, local, count,
                                               waitList, slot);
      },
      [&](cl_event *slot) {
        return settings().arePlansMade && areShadowsLaunched()
                   ? launchPlanned({queue, kernel, dimensions, offset, global,
                                    local, count, waitList},
                                   slot)
                   : std::string();
      });
}

cl_int CL_API_CALL enqueueTask(cl_command_queue queue, cl_kernel kernel,
                               cl_uint count, const cl_event *waitList,
                               cl_event *event) {
  const std::size_t one = 1;
  if (isRecording())
    recordLaunch(queue, kernel, {{1}, {1}, {}}, count, waitList);
  return launchEither(
      queue, kernel, 1, &one, &one, event,
      [&](cl_kernel chosen, cl_event *slot) {
        return target().clEnqueueTask(queue, chosen, count, waitList, slot);
      },
      [](cl_event *) { return std::string(); });
}

} // namespace

void addLaunchCalls(cl_icd_dispatch &table) {
  table.clEnqueueNDRangeKernel = enqueueNDRange;
  table.clEnqueueTask = enqueueTask;
}

} // namespace clopt::layer
