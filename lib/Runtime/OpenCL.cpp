//===- OpenCL.cpp - OpenCL objects that clean up and explain --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/OpenCL.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace clopt::runtime {

namespace {

#define CLOPT_CL_ERROR(name) {name, #name}
constexpr std::pair<cl_int, const char *> errorNames[] = {
    CLOPT_CL_ERROR(CL_DEVICE_NOT_FOUND),
    CLOPT_CL_ERROR(CL_DEVICE_NOT_AVAILABLE),
    CLOPT_CL_ERROR(CL_COMPILER_NOT_AVAILABLE),
    CLOPT_CL_ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    CLOPT_CL_ERROR(CL_OUT_OF_RESOURCES),
    CLOPT_CL_ERROR(CL_OUT_OF_HOST_MEMORY),
    CLOPT_CL_ERROR(CL_PROFILING_INFO_NOT_AVAILABLE),
    CLOPT_CL_ERROR(CL_MEM_COPY_OVERLAP),
    CLOPT_CL_ERROR(CL_BUILD_PROGRAM_FAILURE),
    CLOPT_CL_ERROR(CL_MAP_FAILURE),
    CLOPT_CL_ERROR(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    CLOPT_CL_ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    CLOPT_CL_ERROR(CL_COMPILE_PROGRAM_FAILURE),
    CLOPT_CL_ERROR(CL_LINK_PROGRAM_FAILURE),
    CLOPT_CL_ERROR(CL_INVALID_VALUE),
    CLOPT_CL_ERROR(CL_INVALID_DEVICE_TYPE),
    CLOPT_CL_ERROR(CL_INVALID_PLATFORM),
    CLOPT_CL_ERROR(CL_INVALID_DEVICE),
    CLOPT_CL_ERROR(CL_INVALID_CONTEXT),
    CLOPT_CL_ERROR(CL_INVALID_QUEUE_PROPERTIES),
    CLOPT_CL_ERROR(CL_INVALID_COMMAND_QUEUE),
    CLOPT_CL_ERROR(CL_INVALID_MEM_OBJECT),
    CLOPT_CL_ERROR(CL_INVALID_BINARY),
    CLOPT_CL_ERROR(CL_INVALID_BUILD_OPTIONS),
    CLOPT_CL_ERROR(CL_INVALID_PROGRAM),
    CLOPT_CL_ERROR(CL_INVALID_PROGRAM_EXECUTABLE),
    CLOPT_CL_ERROR(CL_INVALID_KERNEL_NAME),
    CLOPT_CL_ERROR(CL_INVALID_KERNEL_DEFINITION),
    CLOPT_CL_ERROR(CL_INVALID_KERNEL),
    CLOPT_CL_ERROR(CL_INVALID_ARG_INDEX),
    CLOPT_CL_ERROR(CL_INVALID_ARG_VALUE),
    CLOPT_CL_ERROR(CL_INVALID_ARG_SIZE),
    CLOPT_CL_ERROR(CL_INVALID_KERNEL_ARGS),
    CLOPT_CL_ERROR(CL_INVALID_WORK_DIMENSION),
    CLOPT_CL_ERROR(CL_INVALID_WORK_GROUP_SIZE),
    CLOPT_CL_ERROR(CL_INVALID_WORK_ITEM_SIZE),
    CLOPT_CL_ERROR(CL_INVALID_GLOBAL_OFFSET),
    CLOPT_CL_ERROR(CL_INVALID_EVENT_WAIT_LIST),
    CLOPT_CL_ERROR(CL_INVALID_EVENT),
    CLOPT_CL_ERROR(CL_INVALID_OPERATION),
    CLOPT_CL_ERROR(CL_INVALID_BUFFER_SIZE),
    CLOPT_CL_ERROR(CL_INVALID_GLOBAL_WORK_SIZE),
    CLOPT_CL_ERROR(CL_INVALID_COMPILER_OPTIONS),
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};
#undef CLOPT_CL_ERROR

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

bool isNumber(const std::string &text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

bool matches(const std::string &filter, std::size_t index,
             const std::string &name) {
  if (isNumber(filter))
    return filter == std::to_string(index);
  return lower(name).find(lower(filter)) != std::string::npos;
}

std::string listed(const std::vector<std::string> &names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(i) + " '" + names[i] + "'";
  return text;
}

/// The index of the first name that fits, or names.size().
std::size_t findName(const std::vector<std::string> &names,
                     const std::string &filter) {
  std::size_t index = 0;
  while (index < names.size() && !matches(filter, index, names[index]))
    ++index;
  return index;
}

cl_platform_id selectPlatform(const std::string &filter, std::string &name) {
  cl_uint count = 0;
  const cl_int status = clGetPlatformIDs(0, nullptr, &count);
  if (status != CL_SUCCESS || count == 0)
    throw Error("there is no OpenCL platform on this machine");
  std::vector<cl_platform_id> platforms(count);
  checkCL(clGetPlatformIDs(count, platforms.data(), nullptr),
          "clGetPlatformIDs");
  std::vector<std::string> names;
  for (cl_platform_id platform : platforms)
    names.push_back(queryText(clGetPlatformInfo, platform, CL_PLATFORM_NAME));
  std::size_t chosen =
      findName(names, filter.empty() ? "portable computing language" : filter);
  if (chosen == names.size() && !filter.empty())
    throw Error("no OpenCL platform '" + filter + "' (known: " + listed(names) +
                ")");
  if (chosen == names.size())
    chosen = 0;
  name = names[chosen];
  return platforms[chosen];
}

cl_device_id selectDevice(cl_platform_id platform,
                          const std::string &platformName,
                          const std::string &filter, std::string &name) {
  cl_uint count = 0;
  const cl_int status =
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (status != CL_SUCCESS || count == 0)
    throw Error("platform '" + platformName + "' has no device");
  std::vector<cl_device_id> devices(count);
  checkCL(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(),
                         nullptr),
          "clGetDeviceIDs");
  std::vector<std::string> names;
  for (cl_device_id device : devices)
    names.push_back(queryText(clGetDeviceInfo, device, CL_DEVICE_NAME));
  const std::size_t chosen = filter.empty() ? 0 : findName(names, filter);
  if (chosen == names.size())
    throw Error("no device '" + filter + "' on platform '" + platformName +
                "' (known: " + listed(names) + ")");
  name = names[chosen];
  return devices[chosen];
}

} // namespace

std::string errorName(cl_int code) {
  for (const auto &[value, name] : errorNames)
    if (value == code)
      return std::string(name) + " (" + std::to_string(code) + ")";
  return "error " + std::to_string(code);
}

Device Device::select(const std::string &platformFilter,
                      const std::string &deviceFilter) {
  Device device;
  cl_platform_id platform = selectPlatform(platformFilter, device.platform);
  device.deviceId =
      selectDevice(platform, device.platform, deviceFilter, device.deviceName);
  device.open();
  return device;
}

Device Device::selectNative(const std::string &platformFilter,
                            const std::string &deviceFilter) {
  cl_uint count = 0;
  std::vector<cl_platform_id> platforms;
  if (platformFilter.empty() && deviceFilter.empty() &&
      clGetPlatformIDs(0, nullptr, &count) == CL_SUCCESS) {
    platforms.resize(count);
    clGetPlatformIDs(count, platforms.data(), nullptr);
  }
  for (cl_platform_id platform : platforms) {
    Device device;
    // Simulators call themselves devices of every type.
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device.deviceId,
                       nullptr) != CL_SUCCESS ||
        deviceInfo<cl_device_type>(device.deviceId, CL_DEVICE_TYPE) &
            CL_DEVICE_TYPE_CPU)
      continue;
    device.platform = queryText(clGetPlatformInfo, platform, CL_PLATFORM_NAME);
    device.deviceName =
        queryText(clGetDeviceInfo, device.deviceId, CL_DEVICE_NAME);
    device.open();
    return device;
  }
  return select(platformFilter, deviceFilter);
}

void Device::open() {
  cl_int status = CL_SUCCESS;
  contextHandle = ContextHandle(
      clCreateContext(nullptr, 1, &deviceId, nullptr, nullptr, &status));
  checkCL(status, "clCreateContext");
  // The OpenCL 1.x call: devices of every version have it.
  queueHandle = QueueHandle(clCreateCommandQueue(
      context(), deviceId, CL_QUEUE_PROFILING_ENABLE, &status));
  checkCL(status, "clCreateCommandQueue");
}

std::string Device::driver() const {
  return queryText(clGetDeviceInfo, deviceId, CL_DRIVER_VERSION);
}

DeviceIdentity Device::identity() const {
  return {queryText(clGetDeviceInfo, deviceId, CL_DEVICE_VENDOR), deviceName,
          isProcessor()};
}

std::size_t Device::baseAlignment() const {
  return std::max(
      deviceInfo<cl_uint>(deviceId, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8, 1u);
}

std::uint64_t Device::maxAllocation() const {
  return deviceInfo<cl_ulong>(deviceId, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
}

std::uint64_t Device::localMemory() const {
  return deviceInfo<cl_ulong>(deviceId, CL_DEVICE_LOCAL_MEM_SIZE);
}

bool Device::isProcessor() const {
  // Oclgrind calls itself a device of every type.
  return deviceInfo<cl_device_type>(deviceId, CL_DEVICE_TYPE) ==
         CL_DEVICE_TYPE_CPU;
}

ProgramHandle buildProgram(const Device &device, const std::string &source,
                           const std::string &options,
                           const std::string &what) {
  return buildProgram(device.context(), device.id(), source, options, what);
}

ProgramHandle buildProgram(cl_context context, cl_device_id id,
                           const std::string &source,
                           const std::string &options,
                           const std::string &what) {
  const char *text = source.data();
  const std::size_t length = source.size();
  cl_int status = CL_SUCCESS;
  ProgramHandle program(
      clCreateProgramWithSource(context, 1, &text, &length, &status));
  checkCL(status, "clCreateProgramWithSource");
  status =
      clBuildProgram(program.get(), 1, &id, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS)
    throw OpenCLError("clBuildProgram", status,
                      " for '" + what + "' with options '" + options + "'\n" +
                          queryText(clGetProgramBuildInfo, program.get(), id,
                                    CL_PROGRAM_BUILD_LOG));
  return program;
}

BufferHandle makeBuffer(const Device &device, std::size_t bytes,
                        cl_mem_flags more, void *host) {
  cl_int status = CL_SUCCESS;
  BufferHandle buffer(clCreateBuffer(device.context(), CL_MEM_READ_WRITE | more,
                                     bytes, host, &status));
  checkCL(status, "clCreateBuffer");
  return buffer;
}

cl_ulong eventTime(cl_event event, cl_profiling_info what) {
  return askCL<cl_ulong>("clGetEventProfilingInfo", clGetEventProfilingInfo,
                         event, what);
}

double eventMilliseconds(cl_event event) {
  return static_cast<double>(eventTime(event, CL_PROFILING_COMMAND_END) -
                             eventTime(event, CL_PROFILING_COMMAND_START)) *
         1e-6;
}

KernelHandle makeKernel(const ProgramHandle &program, const std::string &name) {
  cl_int status = CL_SUCCESS;
  KernelHandle kernel(clCreateKernel(program.get(), name.c_str(), &status));
  if (status != CL_SUCCESS)
    throw OpenCLError("clCreateKernel", status, " for kernel '" + name + "'");
  return kernel;
}

} // namespace clopt::runtime
