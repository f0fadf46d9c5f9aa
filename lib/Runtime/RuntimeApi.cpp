//===- RuntimeApi.cpp - the C interface of the runtime --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects are counted; no exception leaves a call.
//
// Tested by test/unit/RuntimeApiTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "clopt/Runtime.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/PlanExecutor.h"

#include <algorithm>
#include <atomic>
#include <new>

using namespace clopt;
using namespace clopt::runtime;

struct clopt_runtime {
  clopt_runtime(cl_context context, cl_device_id device, const PlanTexts &texts)
      : executor(context, device, texts) {}
  std::atomic<unsigned> references{1};
  PlanExecutor executor;
};

struct clopt_kernel {
  clopt_kernel(clopt_runtime *owner, const PlanKernel &description)
      : runtime(owner), plan(description),
        arguments(description.parameters.size()) {
    ++runtime->references;
  }
  ~clopt_kernel() { clopt_runtime_release(runtime); }
  std::atomic<unsigned> references{1};
  clopt_runtime *runtime;
  const PlanKernel &plan;
  std::mutex mutex;
  std::vector<GivenArgument> arguments;
  std::string variant;
};

namespace {

struct LastError {
  std::string text;
  cl_int code = CL_SUCCESS;
};

thread_local LastError lastError;

clopt_status fail(clopt_status status, const std::string &text,
                  cl_int code = CL_SUCCESS) {
  lastError.text = text;
  lastError.code = code;
  return status;
}

clopt_status invalid(const std::string &text) {
  return fail(CLOPT_INVALID_ARGUMENT, text);
}

/// Runs `action` and makes a status of what it throws; `otherwise` is that of
/// errors without a kind.
template <typename Action>
clopt_status guarded(clopt_status otherwise, Action action) {
  try {
    lastError = LastError();
    return action();
  } catch (const OpenCLError &error) {
    return fail(CLOPT_OPENCL_ERROR, error.what(), error.code);
  } catch (const WrongSourceError &error) {
    return fail(CLOPT_INVALID_SOURCE, error.what());
  } catch (const std::bad_alloc &) {
    return fail(CLOPT_OUT_OF_MEMORY, "the host has no memory left");
  } catch (const std::exception &error) {
    return fail(otherwise, error.what());
  }
}

std::string textOf(const clopt_text &text) {
  return text.text ? std::string(text.text, text.length) : std::string();
}

} // namespace

const char *clopt_last_error(void) { return lastError.text.c_str(); }

cl_int clopt_last_opencl_error(void) { return lastError.code; }

//===-- Runtimes --------------------------------------------------------===//

clopt_status clopt_runtime_create(cl_context context, cl_device_id device,
                                  clopt_text plan, clopt_text optimized,
                                  clopt_text original, const char *options,
                                  clopt_runtime **runtime) {
  if (!runtime || !context || !device || !plan.text || !optimized.text)
    return invalid("clopt_runtime_create: a null pointer");
  *runtime = nullptr;
  return guarded(CLOPT_INVALID_PLAN, [&] {
    const PlanTexts texts{textOf(plan), textOf(optimized), textOf(original),
                          options ? options : ""};
    *runtime = new clopt_runtime(context, device, texts);
    return CLOPT_SUCCESS;
  });
}

clopt_status
clopt_runtime_create_from_files(cl_context context, cl_device_id device,
                                const char *plan, const char *optimized,
                                const char *original, const char *options,
                                clopt_runtime **runtime) {
  if (!plan || !optimized)
    return invalid("clopt_runtime_create_from_files: a null pointer");
  std::string texts[3];
  const clopt_status status = guarded(CLOPT_FILE_ERROR, [&] {
    texts[0] = readFile(plan);
    texts[1] = readFile(optimized);
    if (original)
      texts[2] = readFile(original);
    return CLOPT_SUCCESS;
  });
  if (status != CLOPT_SUCCESS)
    return status;
  return clopt_runtime_create(
      context, device, {texts[0].data(), texts[0].size()},
      {texts[1].data(), texts[1].size()}, {texts[2].data(), texts[2].size()},
      options, runtime);
}

template <typename Object>
static clopt_status retain(Object *object, const char *call) {
  if (!object)
    return invalid(std::string(call) + ": a null pointer");
  ++object->references;
  return CLOPT_SUCCESS;
}

template <typename Object>
static clopt_status release(Object *object, const char *call) {
  if (!object)
    return invalid(std::string(call) + ": a null pointer");
  if (--object->references == 0)
    delete object;
  return CLOPT_SUCCESS;
}

clopt_status clopt_runtime_retain(clopt_runtime *runtime) {
  return retain(runtime, "clopt_runtime_retain");
}

clopt_status clopt_runtime_release(clopt_runtime *runtime) {
  return release(runtime, "clopt_runtime_release");
}

//===-- Kernels ---------------------------------------------------------===//

clopt_status clopt_kernel_create(clopt_runtime *runtime, const char *name,
                                 clopt_kernel **kernel) {
  if (!runtime || !name || !kernel)
    return invalid("clopt_kernel_create: a null pointer");
  *kernel = nullptr;
  const PlanKernel *plan = runtime->executor.plan().plan().find(name);
  if (!plan)
    return fail(CLOPT_UNKNOWN_KERNEL,
                "the launch plan has no kernel '" + std::string(name) + "'");
  return guarded(CLOPT_OUT_OF_MEMORY, [&] {
    *kernel = new clopt_kernel(runtime, *plan);
    return CLOPT_SUCCESS;
  });
}

clopt_status clopt_kernel_retain(clopt_kernel *kernel) {
  return retain(kernel, "clopt_kernel_retain");
}

clopt_status clopt_kernel_release(clopt_kernel *kernel) {
  return release(kernel, "clopt_kernel_release");
}

clopt_status clopt_kernel_set_arg(clopt_kernel *kernel, cl_uint index,
                                  size_t size, const void *value) {
  if (!kernel)
    return invalid("clopt_kernel_set_arg: a null pointer");
  if (index >= kernel->arguments.size())
    return invalid("clopt_kernel_set_arg: kernel '" + kernel->plan.name +
                   "' has no argument " + std::to_string(index));
  const PlanParameter &parameter = kernel->plan.parameters[index];
  const std::string what = "clopt_kernel_set_arg: argument " +
                           std::to_string(index) + " of kernel '" +
                           kernel->plan.name + "' ";
  using Kind = PlanParameter::Kind;
  const bool mayBeNull =
      parameter.kind == Kind::Local || parameter.kind == Kind::Buffer;
  if (!value && !mayBeNull)
    return invalid(what + "needs a value");
  if (value && parameter.kind == Kind::Local)
    return invalid(what + "is local memory");
  if (parameter.kind == Kind::Buffer && size != sizeof(cl_mem))
    return invalid(what + "is a buffer");
  if (parameter.kind == Kind::Scalar && parameter.bytes != 0 &&
      size != parameter.bytes)
    return invalid(what + "has " + std::to_string(parameter.bytes) + " bytes");
  return guarded(CLOPT_OUT_OF_MEMORY, [&] {
    GivenArgument argument =
        GivenArgument::of(size, value, parameter.kind == Kind::Buffer);
    const std::lock_guard<std::mutex> lock(kernel->mutex);
    kernel->arguments[index] = std::move(argument);
    return CLOPT_SUCCESS;
  });
}

static clopt_status enqueue(cl_command_queue queue, clopt_kernel *kernel,
                            const RequestedRange &range,
                            const std::vector<cl_event> &waitList,
                            cl_event *event) {
  const std::lock_guard<std::mutex> lock(kernel->mutex);
  EnqueueResult result = kernel->runtime->executor.enqueue(
      queue, kernel->plan, kernel->arguments, range, waitList);
  kernel->variant = result.variant;
  if (!event)
    return CLOPT_SUCCESS;
  *event = result.commands.back().event.get();
  checkCL(clRetainEvent(*event), "clRetainEvent");
  return CLOPT_SUCCESS;
}

clopt_status clopt_enqueue_kernel(cl_command_queue queue, clopt_kernel *kernel,
                                  cl_uint work_dim, const size_t *global_offset,
                                  const size_t *global_size,
                                  const size_t *local_size, cl_uint wait_count,
                                  const cl_event *wait_list, cl_event *event) {
  if (!queue || !kernel || !global_size)
    return invalid("clopt_enqueue_kernel: a null pointer");
  if (work_dim < 1 || work_dim > 3)
    return invalid("clopt_enqueue_kernel: an NDRange has 1 to 3 dimensions");
  if ((wait_count == 0) != (wait_list == nullptr))
    return invalid("clopt_enqueue_kernel: wait list and count do not fit");
  return guarded(CLOPT_OPENCL_ERROR, [&] {
    return enqueue(
        queue, kernel,
        RequestedRange::of(work_dim, global_offset, global_size, local_size),
        std::vector<cl_event>(wait_list, wait_list + wait_count), event);
  });
}

const char *clopt_kernel_variant(const clopt_kernel *kernel) {
  return kernel ? kernel->variant.c_str() : "";
}

//===-- Buffers ---------------------------------------------------------===//

template <typename Action>
static clopt_status onBuffer(clopt_runtime *runtime, cl_mem buffer,
                             Action action) {
  if (!runtime || !buffer)
    return invalid("clopt_buffer: a null pointer");
  return guarded(CLOPT_OPENCL_ERROR, [&] {
    action(runtime->executor);
    return CLOPT_SUCCESS;
  });
}

clopt_status clopt_buffer_track(clopt_runtime *runtime, cl_mem buffer) {
  return onBuffer(runtime, buffer, [&](PlanExecutor &it) { it.track(buffer); });
}

clopt_status clopt_buffer_changed(clopt_runtime *runtime, cl_mem buffer) {
  return onBuffer(runtime, buffer,
                  [&](PlanExecutor &it) { it.changed(buffer); });
}

clopt_status clopt_buffer_untrack(clopt_runtime *runtime, cl_mem buffer) {
  return onBuffer(runtime, buffer,
                  [&](PlanExecutor &it) { it.untrack(buffer); });
}
