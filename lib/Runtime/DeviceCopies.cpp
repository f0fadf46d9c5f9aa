//===- DeviceCopies.cpp - what goes to a device and comes back ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart from OpenCL.cpp: the layer has that, and none of these calls.
//
//===----------------------------------------------------------------------===//

#include "Runtime/OpenCL.h"

namespace clopt::runtime {

void Device::write(const BufferHandle &to, const void *data, std::size_t bytes,
                   std::size_t first) const {
  checkCL(clEnqueueWriteBuffer(queue(), to.get(), CL_TRUE, first, bytes, data,
                               0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
}

void Device::read(const BufferHandle &from, void *data, std::size_t bytes,
                  std::size_t first) const {
  checkCL(clEnqueueReadBuffer(queue(), from.get(), CL_TRUE, first, bytes, data,
                              0, nullptr, nullptr),
          "clEnqueueReadBuffer");
}

void *Device::map(const BufferHandle &buffer, std::size_t bytes,
                  cl_map_flags flags) const {
  cl_int status = CL_SUCCESS;
  void *memory = clEnqueueMapBuffer(queue(), buffer.get(), CL_TRUE, flags, 0,
                                    bytes, 0, nullptr, nullptr, &status);
  checkCL(status, "clEnqueueMapBuffer");
  return memory;
}

void Device::unmap(const BufferHandle &buffer, void *memory) const {
  checkCL(clEnqueueUnmapMemObject(queue(), buffer.get(), memory, 0, nullptr,
                                  nullptr),
          "clEnqueueUnmapMemObject");
  finish();
}

double Device::copy(const BufferHandle &from, const BufferHandle &to,
                    std::size_t bytes) const {
  cl_event event = nullptr;
  checkCL(clEnqueueCopyBuffer(queue(), from.get(), to.get(), 0, 0, bytes, 0,
                              nullptr, &event),
          "clEnqueueCopyBuffer");
  const EventHandle owner(event);
  checkCL(clWaitForEvents(1, &event), "clWaitForEvents");
  return eventMilliseconds(event);
}

} // namespace clopt::runtime
