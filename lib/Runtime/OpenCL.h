//===- OpenCL.h - OpenCL objects that clean up and explain -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin layer over the C API: owners that release, errors that say which call
// failed with which code, the choice of a device, and programs with their build
// log.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_OPENCL_H
#define CLOPT_RUNTIME_OPENCL_H

#include "Runtime/Error.h"
#include "Runtime/ProfileChoice.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clopt::runtime {

/// "CL_INVALID_VALUE (-30)".
std::string errorName(cl_int code);

/// A failed call, "clFoo failed: CL_BAR (-1)".
class OpenCLError : public Error {
public:
  OpenCLError(const std::string &call, cl_int status,
              const std::string &detail = "")
      : Error(call + " failed: " + errorName(status) + detail), code(status) {}
  cl_int code;
};

inline void checkCL(cl_int status, const char *call) {
  if (status != CL_SUCCESS)
    throw OpenCLError(call, status);
}

/// The text that a query of OpenCL gives, or an empty one.
template <typename Query, typename... Where>
std::string queryText(Query query, Where... where) {
  std::size_t size = 0;
  if (query(where..., 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return {};
  std::string text(size, '\0');
  if (query(where..., size, text.data(), nullptr) != CL_SUCCESS)
    return {};
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

/// The number that a query gives, or `otherwise`.
template <typename Value, typename Query, typename... Where>
Value queryValue(Value otherwise, Query query, Where... where) {
  Value value{};
  return query(where..., sizeof value, &value, nullptr) == CL_SUCCESS
             ? value
             : otherwise;
}

/// The same where it has to say something; `call` is its name for messages.
template <typename T, typename Query, typename... Where>
T askCL(const char *call, Query query, Where... where) {
  T value{};
  checkCL(query(where..., sizeof value, &value, nullptr), call);
  return value;
}

template <typename T> T deviceInfo(cl_device_id device, cl_device_info what) {
  return askCL<T>("clGetDeviceInfo", clGetDeviceInfo, device, what);
}

template <typename T> T memoryInfo(cl_mem memory, cl_mem_info what) {
  return askCL<T>("clGetMemObjectInfo", clGetMemObjectInfo, memory, what);
}

template <typename T>
T groupInfo(cl_kernel kernel, cl_device_id device,
            cl_kernel_work_group_info what) {
  return askCL<T>("clGetKernelWorkGroupInfo", clGetKernelWorkGroupInfo, kernel,
                  device, what);
}

/// The shape of a launch's groups: `said`, or where a launch leaves it open the
/// one that the kernel requires (`reqd_work_group_size`), without which OpenCL
/// refuses it; nothing: NULL. Throws OpenCLError.
inline std::optional<std::array<std::size_t, 3>>
groupOf(cl_kernel kernel, cl_device_id device,
        const std::optional<std::array<std::size_t, 3>> &said) {
  if (said)
    return said;
  const auto required = groupInfo<std::array<std::size_t, 3>>(
      kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  if (required[0] == 0)
    return std::nullopt;
  return required;
}

/// Owns one reference to an OpenCL object.
template <typename T, cl_int(CL_API_CALL *Release)(T)> class Handle {
public:
  Handle() = default;
  explicit Handle(T owned) : object(owned) {}
  Handle(Handle &&other) noexcept
      : object(std::exchange(other.object, nullptr)) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Handle() {
    if (object != nullptr)
      Release(object);
  }
  T get() const { return object; }
  explicit operator bool() const { return object != nullptr; }

private:
  T object = nullptr;
};

using ContextHandle = Handle<cl_context, clReleaseContext>;
using QueueHandle = Handle<cl_command_queue, clReleaseCommandQueue>;
using ProgramHandle = Handle<cl_program, clReleaseProgram>;
using KernelHandle = Handle<cl_kernel, clReleaseKernel>;
using BufferHandle = Handle<cl_mem, clReleaseMemObject>;
using SamplerHandle = Handle<cl_sampler, clReleaseSampler>;
using EventHandle = Handle<cl_event, clReleaseEvent>;

/// A device with a context and an in-order queue that takes times.
class Device {
public:
  /// `platform` and `device` are each a number, a part of the name in any case,
  /// or empty. Without a platform, PoCL is taken if it is there: it runs
  /// everywhere, so results can be compared between machines. Throws Error if
  /// nothing fits.
  static Device select(const std::string &platform, const std::string &device);

  /// Without a platform and a device: the first GPU of all platforms, if there
  /// is one; else like select().
  static Device selectNative(const std::string &platform,
                             const std::string &device);

  cl_context context() const { return contextHandle.get(); }
  cl_command_queue queue() const { return queueHandle.get(); }
  cl_device_id id() const { return deviceId; }

  const std::string &name() const { return deviceName; }
  const std::string &platformName() const { return platform; }
  std::string driver() const; ///< version of it
  DeviceIdentity identity() const;

  std::size_t baseAlignment() const;   // bytes, for the origin of a sub-buffer
  std::uint64_t maxAllocation() const; // bytes
  std::uint64_t localMemory() const;   // bytes
  /// True for a CPU: kernels touch the host's memory where it lies.
  bool isProcessor() const;
  void finish() const { checkCL(clFinish(queue()), "clFinish"); }

  // What follows waits for its end.
  void write(const BufferHandle &to, const void *data, std::size_t bytes,
             std::size_t first = 0) const;
  void read(const BufferHandle &from, void *data, std::size_t bytes,
            std::size_t first = 0) const;
  void *map(const BufferHandle &buffer, std::size_t bytes,
            cl_map_flags flags = CL_MAP_READ | CL_MAP_WRITE) const;
  void unmap(const BufferHandle &buffer, void *memory) const;
  /// The device's own milliseconds.
  double copy(const BufferHandle &from, const BufferHandle &to,
              std::size_t bytes) const;

private:
  void open();

  cl_device_id deviceId = nullptr;
  std::string deviceName;
  std::string platform;
  ContextHandle contextHandle;
  QueueHandle queueHandle;
};

/// Builds a program; `what` names it in messages ("kernel.cl"). The build log
/// is part of the error.
ProgramHandle buildProgram(cl_context context, cl_device_id device,
                           const std::string &source,
                           const std::string &options, const std::string &what);
ProgramHandle buildProgram(const Device &device, const std::string &source,
                           const std::string &options, const std::string &what);

/// A buffer for reading and writing. Throws OpenCLError.
BufferHandle makeBuffer(const Device &device, std::size_t bytes,
                        cl_mem_flags more = 0, void *host = nullptr);

/// The device's own time of a command that has ended.
double eventMilliseconds(cl_event event);
/// When it has begun or ended, in nanoseconds.
cl_ulong eventTime(cl_event event, cl_profiling_info what);

/// The host's time since it was made.
class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin)
        .count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
};

/// Throws OpenCLError if there is no such kernel.
KernelHandle makeKernel(const ProgramHandle &program, const std::string &name);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_OPENCL_H
