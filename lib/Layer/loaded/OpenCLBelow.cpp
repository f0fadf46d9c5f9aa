//===- OpenCLBelow.cpp - OpenCL as the layer's own parts see it -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What carries out launch plans calls OpenCL by its names. In the library that
// the loader loads, these are the calls below the layer: those of the loader
// would come back to the layer. Only this library has them, and it exports
// none.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "Layer/Dispatch.h"

using clopt::layer::target;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(
    cl_program program, cl_uint num_devices, const cl_device_id *device_list,
    const char *options,
    void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
    void *user_data) {
  return target().clBuildProgram(program, num_devices, device_list, options,
                                 pfn_notify, user_data);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context,
                                               cl_mem_flags flags, size_t size,
                                               void *host_ptr,
                                               cl_int *errcode_ret) {
  return target().clCreateBuffer(context, flags, size, host_ptr, errcode_ret);
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(
    cl_context context, cl_device_id device,
    cl_command_queue_properties properties, cl_int *errcode_ret) {
  return target().clCreateCommandQueue(context, device, properties,
                                       errcode_ret);
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(
    const cl_context_properties *properties, cl_uint num_devices,
    const cl_device_id *devices,
    void(CL_CALLBACK *pfn_notify)(const char *errinfo, const void *private_info,
                                  size_t cb, void *user_data),
    void *user_data, cl_int *errcode_ret) {
  return target().clCreateContext(properties, num_devices, devices, pfn_notify,
                                  user_data, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(
    cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
    const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret) {
  return target().clCreateImage(context, flags, image_format, image_desc,
                                host_ptr, errcode_ret);
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program,
                                                  const char *kernel_name,
                                                  cl_int *errcode_ret) {
  return target().clCreateKernel(program, kernel_name, errcode_ret);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **strings,
    const size_t *lengths, cl_int *errcode_ret) {
  return target().clCreateProgramWithSource(context, count, strings, lengths,
                                            errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image,
    size_t src_offset, const size_t *dst_origin, const size_t *region,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
    cl_event *event) {
  return target().clEnqueueCopyBufferToImage(
      command_queue, src_buffer, dst_image, src_offset, dst_origin, region,
      num_events_in_wait_list, event_wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(
    cl_command_queue command_queue, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event) {
  return target().clEnqueueMarkerWithWaitList(
      command_queue, num_events_in_wait_list, event_wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    const size_t *local_work_size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event) {
  return target().clEnqueueNDRangeKernel(
      command_queue, kernel, work_dim, global_work_offset, global_work_size,
      local_work_size, num_events_in_wait_list, event_wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  return target().clFinish(command_queue);
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  return target().clFlush(command_queue);
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform,
                                               cl_device_type device_type,
                                               cl_uint num_entries,
                                               cl_device_id *devices,
                                               cl_uint *num_devices) {
  return target().clGetDeviceIDs(platform, device_type, num_entries, devices,
                                 num_devices);
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device,
                                                cl_device_info param_name,
                                                size_t param_value_size,
                                                void *param_value,
                                                size_t *param_value_size_ret) {
  return target().clGetDeviceInfo(device, param_name, param_value_size,
                                  param_value, param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event,
                                               cl_event_info param_name,
                                               size_t param_value_size,
                                               void *param_value,
                                               size_t *param_value_size_ret) {
  return target().clGetEventInfo(event, param_name, param_value_size,
                                 param_value, param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(
    cl_event event, cl_profiling_info param_name, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret) {
  return target().clGetEventProfilingInfo(event, param_name, param_value_size,
                                          param_value, param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(
    cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return target().clGetKernelWorkGroupInfo(kernel, device, param_name,
                                           param_value_size, param_value,
                                           param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(
    cl_mem memobj, cl_mem_info param_name, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret) {
  return target().clGetMemObjectInfo(memobj, param_name, param_value_size,
                                     param_value, param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries,
                                                 cl_platform_id *platforms,
                                                 cl_uint *num_platforms) {
  return target().clGetPlatformIDs(num_entries, platforms, num_platforms);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(
    cl_platform_id platform, cl_platform_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return target().clGetPlatformInfo(platform, param_name, param_value_size,
                                    param_value, param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(
    cl_program program, cl_device_id device, cl_program_build_info param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return target().clGetProgramBuildInfo(program, device, param_name,
                                        param_value_size, param_value,
                                        param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(
    cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
    cl_uint num_entries, cl_image_format *image_formats,
    cl_uint *num_image_formats) {
  return target().clGetSupportedImageFormats(context, flags, image_type,
                                             num_entries, image_formats,
                                             num_image_formats);
}

CL_API_ENTRY cl_int CL_API_CALL
clReleaseCommandQueue(cl_command_queue command_queue) {
  return target().clReleaseCommandQueue(command_queue);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return target().clReleaseContext(context);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return target().clReleaseEvent(event);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return target().clReleaseKernel(kernel);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  return target().clReleaseMemObject(memobj);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return target().clReleaseProgram(program);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainContext(cl_context context) {
  return target().clRetainContext(context);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return target().clRetainEvent(event);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  return target().clRetainMemObject(memobj);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return target().clRetainProgram(program);
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel,
                                               cl_uint arg_index,
                                               size_t arg_size,
                                               const void *arg_value) {
  return target().clSetKernelArg(kernel, arg_index, arg_size, arg_value);
}

} // extern "C"
