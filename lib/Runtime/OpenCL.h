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

#include <cstdint>
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

template <typename T> T deviceInfo(cl_device_id device, cl_device_info what) {
  T value{};
  checkCL(clGetDeviceInfo(device, what, sizeof value, &value, nullptr),
          "clGetDeviceInfo");
  return value;
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
BufferHandle makeBuffer(const Device &device, std::size_t bytes);

/// The device's own time of a command that has ended.
double eventMilliseconds(cl_event event);

/// Throws OpenCLError if there is no such kernel.
KernelHandle makeKernel(const ProgramHandle &program, const std::string &name);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_OPENCL_H
