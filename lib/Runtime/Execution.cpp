//===- Execution.cpp - launches a kernel and reads what it did ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Execution.h"

namespace clopt::runtime {

Execution::Execution(const Device &where, const Launch &what,
                     std::size_t guardBytes)
    : device(where), launch(what) {
  for (const LaunchBuffer &buffer : launch.buffers)
    buffers.emplace_back(device, buffer.contents.size(), guardBytes,
                         buffers.size());
}

void Execution::restore() {
  for (std::size_t i = 0; i < buffers.size(); ++i)
    buffers[i].upload(launch.buffers[i].contents);
}

void Execution::setArguments(const KernelHandle &kernel) {
  cl_uint index = 0;
  for (const LaunchArgument &argument : launch.arguments) {
    cl_int status = CL_SUCCESS;
    if (argument.memory == MemoryKind::Scalar) {
      status = clSetKernelArg(kernel.get(), index, argument.scalar.size(),
                              argument.scalar.data());
    } else if (argument.memory == MemoryKind::Local) {
      status =
          clSetKernelArg(kernel.get(), index, argument.localBytes, nullptr);
    } else {
      const cl_mem memory =
          buffers[argument.buffer].argument(argument.shiftBytes);
      status = clSetKernelArg(kernel.get(), index, sizeof memory, &memory);
    }
    if (status != CL_SUCCESS)
      throw OpenCLError("clSetKernelArg", status,
                        " for argument '" + argument.name + "'");
    ++index;
  }
}

EventHandle Execution::launchKernel(const KernelHandle &kernel,
                                    const NDRange &range) {
  cl_event event = nullptr;
  const cl_int status = clEnqueueNDRangeKernel(
      device.queue(), kernel.get(), range.dimensions,
      range.offset ? range.offset->data() : nullptr, range.global.data(),
      range.local ? range.local->data() : nullptr, 0, nullptr, &event);
  if (status != CL_SUCCESS)
    throw OpenCLError("clEnqueueNDRangeKernel", status, " for " + range.str());
  EventHandle owner(event);
  checkCL(clWaitForEvents(1, &event), "clWaitForEvents");
  return owner;
}

Outcome Execution::run(const KernelHandle &kernel, const NDRange &range) {
  restore();
  setArguments(kernel);
  launchKernel(kernel, range);
  Outcome outcome;
  for (const GuardedBuffer &buffer : buffers) {
    outcome.damage.emplace_back();
    outcome.buffers.push_back(buffer.download(outcome.damage.back()));
  }
  return outcome;
}

double Execution::time(const KernelHandle &kernel, const NDRange &range) {
  restore();
  setArguments(kernel);
  const EventHandle event = launchKernel(kernel, range);
  cl_ulong begin = 0;
  cl_ulong end = 0;
  checkCL(clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_START,
                                  sizeof begin, &begin, nullptr),
          "clGetEventProfilingInfo");
  checkCL(clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END,
                                  sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
  return static_cast<double>(end - begin) * 1e-6;
}

std::size_t Execution::maxGroup(const KernelHandle &kernel) const {
  std::size_t size = 0;
  checkCL(clGetKernelWorkGroupInfo(kernel.get(), device.id(),
                                   CL_KERNEL_WORK_GROUP_SIZE, sizeof size,
                                   &size, nullptr),
          "clGetKernelWorkGroupInfo");
  return size;
}

} // namespace clopt::runtime
