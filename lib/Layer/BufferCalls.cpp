//===- BufferCalls.cpp - commands that write to buffers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch plans keep converted copies of buffers for as long as these do not
// change. All calls go through as they are; behind each it is noted what it may
// change. Without plans, buffers are none of the layer's business.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/Dispatch.h"
#include "Layer/PlannedLaunch.h"
#include "Layer/Settings.h"

namespace clopt::layer {

namespace {

// What is noted behind each call: `all` are its arguments.

constexpr auto creates = [](cl_mem buffer, const auto &all) {
  if (buffer != nullptr)
    noteBuffer(buffer, std::get<1>(all));
};

constexpr auto createsWith = [](cl_mem buffer, const auto &all) {
  if (buffer == nullptr)
    return;
  noteBuffer(buffer, std::get<2>(all));
  // They may say that its memory is another API's.
  const cl_mem_properties *properties = std::get<1>(all);
  if (properties != nullptr && *properties != 0)
    loseBuffer(buffer);
};

constexpr auto createsPart = [](cl_mem part, const auto &all) {
  if (part != nullptr)
    notePart(std::get<0>(all), part);
};

/// An image may lie in a buffer.
constexpr auto createsImage = [](cl_mem image, const auto &all) {
  const auto *description = std::get<const cl_image_desc *>(all);
  if (image != nullptr && description != nullptr)
    loseBuffer(description->buffer);
};

constexpr auto retains = [](cl_int status, const auto &all) {
  if (status == CL_SUCCESS)
    noteBufferRetain(std::get<0>(all));
};

cl_int CL_API_CALL release(cl_mem buffer) {
  noteBufferRelease(buffer);
  return target().clReleaseMemObject(buffer);
}

/// The argument with that number is a buffer that is written to.
template <unsigned Written>
constexpr auto writes = [](cl_int, const auto &all) {
  noteWrite(std::get<0>(all), std::get<Written>(all));
};

/// That argument is the number of buffers, and the next one the buffers.
template <unsigned Count>
constexpr auto writesAll = [](cl_int, const auto &all) {
  const cl_mem *buffers = std::get<Count + 1>(all);
  for (cl_uint i = 0; buffers != nullptr && i < std::get<Count>(all); ++i)
    noteWrite(std::get<0>(all), buffers[i]);
};

constexpr auto maps = [](const void *memory, const auto &all) {
  if (memory != nullptr)
    noteMap(std::get<0>(all), std::get<1>(all), std::get<3>(all));
};

constexpr auto unmaps = [](cl_int status, const auto &all) {
  if (status == CL_SUCCESS)
    noteUnmap(std::get<0>(all), std::get<1>(all));
};

} // namespace

void addBufferCalls(cl_icd_dispatch &table) {
  if (!settings().arePlansMade)
    return;
  using Calls = cl_icd_dispatch;
  table.clReleaseMemObject = release;
  table.clCreateBuffer = noted<&Calls::clCreateBuffer, creates>;
  table.clCreateSubBuffer = noted<&Calls::clCreateSubBuffer, createsPart>;
  table.clCreateImage = noted<&Calls::clCreateImage, createsImage>;
  table.clCreateBufferWithProperties =
      noted<&Calls::clCreateBufferWithProperties, createsWith>;
  table.clCreateImageWithProperties =
      noted<&Calls::clCreateImageWithProperties, createsImage>;
  table.clRetainMemObject = noted<&Calls::clRetainMemObject, retains>;
  table.clEnqueueWriteBuffer = noted<&Calls::clEnqueueWriteBuffer, writes<1>>;
  table.clEnqueueWriteBufferRect =
      noted<&Calls::clEnqueueWriteBufferRect, writes<1>>;
  table.clEnqueueFillBuffer = noted<&Calls::clEnqueueFillBuffer, writes<1>>;
  table.clEnqueueCopyBuffer = noted<&Calls::clEnqueueCopyBuffer, writes<2>>;
  table.clEnqueueCopyBufferRect =
      noted<&Calls::clEnqueueCopyBufferRect, writes<2>>;
  table.clEnqueueCopyImageToBuffer =
      noted<&Calls::clEnqueueCopyImageToBuffer, writes<2>>;
  table.clEnqueueMapBuffer = noted<&Calls::clEnqueueMapBuffer, maps>;
  table.clEnqueueUnmapMemObject =
      noted<&Calls::clEnqueueUnmapMemObject, unmaps>;
  table.clEnqueueMigrateMemObjects =
      noted<&Calls::clEnqueueMigrateMemObjects, writesAll<1>>;
  table.clEnqueueNativeKernel =
      noted<&Calls::clEnqueueNativeKernel, writesAll<4>>;
}

} // namespace clopt::layer
