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

cl_mem CL_API_CALL create(cl_context context, cl_mem_flags flags,
                          std::size_t size, void *host, cl_int *status) {
  const cl_mem buffer =
      target().clCreateBuffer(context, flags, size, host, status);
  if (buffer != nullptr)
    noteBuffer(buffer, flags);
  return buffer;
}

cl_mem CL_API_CALL createWith(cl_context context,
                              const cl_mem_properties *properties,
                              cl_mem_flags flags, std::size_t size, void *host,
                              cl_int *status) {
  const cl_mem buffer = target().clCreateBufferWithProperties(
      context, properties, flags, size, host, status);
  if (buffer == nullptr)
    return buffer;
  noteBuffer(buffer, flags);
  // They may say that its memory is another API's.
  if (properties != nullptr && *properties != 0)
    loseBuffer(buffer);
  return buffer;
}

cl_mem CL_API_CALL createPart(cl_mem buffer, cl_mem_flags flags,
                              cl_buffer_create_type type, const void *info,
                              cl_int *status) {
  const cl_mem part =
      target().clCreateSubBuffer(buffer, flags, type, info, status);
  if (part != nullptr)
    notePart(buffer, part);
  return part;
}

/// An image may lie in a buffer.
cl_mem CL_API_CALL createImage(cl_context context, cl_mem_flags flags,
                               const cl_image_format *format,
                               const cl_image_desc *description, void *host,
                               cl_int *status) {
  const cl_mem image =
      target().clCreateImage(context, flags, format, description, host, status);
  if (image != nullptr && description != nullptr)
    loseBuffer(description->buffer);
  return image;
}

cl_mem CL_API_CALL createImageWith(cl_context context,
                                   const cl_mem_properties *properties,
                                   cl_mem_flags flags,
                                   const cl_image_format *format,
                                   const cl_image_desc *description, void *host,
                                   cl_int *status) {
  const cl_mem image = target().clCreateImageWithProperties(
      context, properties, flags, format, description, host, status);
  if (image != nullptr && description != nullptr)
    loseBuffer(description->buffer);
  return image;
}

cl_int CL_API_CALL retain(cl_mem buffer) {
  const cl_int status = target().clRetainMemObject(buffer);
  if (status == CL_SUCCESS)
    noteBufferRetain(buffer);
  return status;
}

cl_int CL_API_CALL release(cl_mem buffer) {
  noteBufferRelease(buffer);
  return target().clReleaseMemObject(buffer);
}

/// Makes a call of OpenCL from that below, with the buffer that it writes to:
/// the argument with that number.
template <auto Below, unsigned Written> struct Writing;

template <unsigned Written, typename... Parameters,
          cl_int (CL_API_CALL *cl_icd_dispatch::*Below)(Parameters...)>
struct Writing<Below, Written> {
  static cl_int CL_API_CALL call(Parameters... arguments) {
    const cl_int status = (target().*Below)(arguments...);
    const auto all = std::make_tuple(arguments...);
    noteWrite(std::get<0>(all), std::get<Written>(all));
    return status;
  }
};

void *CL_API_CALL map(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking,
                      cl_map_flags flags, std::size_t offset, std::size_t size,
                      cl_uint count, const cl_event *waitList, cl_event *event,
                      cl_int *status) {
  void *const memory =
      target().clEnqueueMapBuffer(queue, buffer, isBlocking, flags, offset,
                                  size, count, waitList, event, status);
  if (memory != nullptr)
    noteMap(queue, buffer, flags);
  return memory;
}

cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem buffer, void *memory,
                         cl_uint count, const cl_event *waitList,
                         cl_event *event) {
  const cl_int status = target().clEnqueueUnmapMemObject(
      queue, buffer, memory, count, waitList, event);
  if (status == CL_SUCCESS)
    noteUnmap(queue, buffer);
  return status;
}

cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint bufferCount,
                           const cl_mem *buffers, cl_mem_migration_flags flags,
                           cl_uint count, const cl_event *waitList,
                           cl_event *event) {
  const cl_int status = target().clEnqueueMigrateMemObjects(
      queue, bufferCount, buffers, flags, count, waitList, event);
  for (cl_uint i = 0; buffers != nullptr && i < bufferCount; ++i)
    noteWrite(queue, buffers[i]);
  return status;
}

cl_int CL_API_CALL native(cl_command_queue queue,
                          void(CL_CALLBACK *function)(void *), void *arguments,
                          std::size_t size, cl_uint bufferCount,
                          const cl_mem *buffers, const void **places,
                          cl_uint count, const cl_event *waitList,
                          cl_event *event) {
  const cl_int status = target().clEnqueueNativeKernel(
      queue, function, arguments, size, bufferCount, buffers, places, count,
      waitList, event);
  for (cl_uint i = 0; buffers != nullptr && i < bufferCount; ++i)
    noteWrite(queue, buffers[i]);
  return status;
}

template <auto Below, unsigned Written>
constexpr auto writing = Writing<Below, Written>::call;

} // namespace

void addBufferCalls(cl_icd_dispatch &table) {
  if (!settings().arePlansMade)
    return;
  using Calls = cl_icd_dispatch;
  table.clCreateBuffer = create;
  table.clCreateSubBuffer = createPart;
  table.clCreateImage = createImage;
  table.clCreateBufferWithProperties = createWith;
  table.clCreateImageWithProperties = createImageWith;
  table.clRetainMemObject = retain;
  table.clReleaseMemObject = release;
  table.clEnqueueWriteBuffer = writing<&Calls::clEnqueueWriteBuffer, 1>;
  table.clEnqueueWriteBufferRect = writing<&Calls::clEnqueueWriteBufferRect, 1>;
  table.clEnqueueFillBuffer = writing<&Calls::clEnqueueFillBuffer, 1>;
  table.clEnqueueCopyBuffer = writing<&Calls::clEnqueueCopyBuffer, 2>;
  table.clEnqueueCopyBufferRect = writing<&Calls::clEnqueueCopyBufferRect, 2>;
  table.clEnqueueCopyImageToBuffer =
      writing<&Calls::clEnqueueCopyImageToBuffer, 2>;
  table.clEnqueueMapBuffer = map;
  table.clEnqueueUnmapMemObject = unmap;
  table.clEnqueueMigrateMemObjects = migrate;
  table.clEnqueueNativeKernel = native;
}

} // namespace clopt::layer
