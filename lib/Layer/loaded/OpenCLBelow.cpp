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

#define CLOPT_BELOW(Result, Name, Parameters, Arguments)                       \
  CL_API_ENTRY Result CL_API_CALL Name Parameters {                            \
    return target().Name Arguments;                                            \
  }

extern "C" {

CLOPT_BELOW(cl_int, clBuildProgram,
            (cl_program program, cl_uint count, const cl_device_id *devices,
             const char *options,
             void(CL_CALLBACK *notify)(cl_program program, void *data),
             void *data),
            (program, count, devices, options, notify, data))
CLOPT_BELOW(cl_mem, clCreateBuffer,
            (cl_context context, cl_mem_flags flags, size_t size, void *host,
             cl_int *status),
            (context, flags, size, host, status))
CLOPT_BELOW(cl_command_queue, clCreateCommandQueue,
            (cl_context context, cl_device_id device,
             cl_command_queue_properties properties, cl_int *status),
            (context, device, properties, status))
CLOPT_BELOW(cl_context, clCreateContext,
            (const cl_context_properties *properties, cl_uint count,
             const cl_device_id *devices,
             void(CL_CALLBACK *notify)(const char *errinfo, const void *info,
                                       size_t cb, void *data),
             void *data, cl_int *status),
            (properties, count, devices, notify, data, status))
CLOPT_BELOW(cl_mem, clCreateImage,
            (cl_context context, cl_mem_flags flags,
             const cl_image_format *format, const cl_image_desc *shape,
             void *host, cl_int *status),
            (context, flags, format, shape, host, status))
CLOPT_BELOW(cl_kernel, clCreateKernel,
            (cl_program program, const char *name, cl_int *status),
            (program, name, status))
CLOPT_BELOW(cl_program, clCreateProgramWithSource,
            (cl_context context, cl_uint count, const char **strings,
             const size_t *lengths, cl_int *status),
            (context, count, strings, lengths, status))
CLOPT_BELOW(cl_int, clEnqueueCopyBufferToImage,
            (cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
             const size_t *origin, const size_t *region, cl_uint count,
             const cl_event *waits, cl_event *event),
            (queue, from, to, offset, origin, region, count, waits, event))
CLOPT_BELOW(cl_int, clEnqueueMarkerWithWaitList,
            (cl_command_queue queue, cl_uint count, const cl_event *waits,
             cl_event *event),
            (queue, count, waits, event))
CLOPT_BELOW(cl_int, clEnqueueNDRangeKernel,
            (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
             const size_t *offset, const size_t *global, const size_t *local,
             cl_uint count, const cl_event *waits, cl_event *event),
            (queue, kernel, dimensions, offset, global, local, count, waits,
             event))
CLOPT_BELOW(cl_int, clFinish, (cl_command_queue queue), (queue))
CLOPT_BELOW(cl_int, clFlush, (cl_command_queue queue), (queue))
CLOPT_BELOW(cl_int, clGetDeviceIDs,
            (cl_platform_id platform, cl_device_type type, cl_uint count,
             cl_device_id *devices, cl_uint *found),
            (platform, type, count, devices, found))
CLOPT_BELOW(cl_int, clGetDeviceInfo,
            (cl_device_id device, cl_device_info what, size_t size, void *value,
             size_t *sizeBack),
            (device, what, size, value, sizeBack))
CLOPT_BELOW(cl_int, clGetEventInfo,
            (cl_event event, cl_event_info what, size_t size, void *value,
             size_t *sizeBack),
            (event, what, size, value, sizeBack))
CLOPT_BELOW(cl_int, clGetEventProfilingInfo,
            (cl_event event, cl_profiling_info what, size_t size, void *value,
             size_t *sizeBack),
            (event, what, size, value, sizeBack))
CLOPT_BELOW(cl_int, clGetKernelWorkGroupInfo,
            (cl_kernel kernel, cl_device_id device,
             cl_kernel_work_group_info what, size_t size, void *value,
             size_t *sizeBack),
            (kernel, device, what, size, value, sizeBack))
CLOPT_BELOW(cl_int, clGetMemObjectInfo,
            (cl_mem memory, cl_mem_info what, size_t size, void *value,
             size_t *sizeBack),
            (memory, what, size, value, sizeBack))
CLOPT_BELOW(cl_int, clGetPlatformIDs,
            (cl_uint count, cl_platform_id *platforms, cl_uint *found),
            (count, platforms, found))
CLOPT_BELOW(cl_int, clGetPlatformInfo,
            (cl_platform_id platform, cl_platform_info what, size_t size,
             void *value, size_t *sizeBack),
            (platform, what, size, value, sizeBack))
CLOPT_BELOW(cl_int, clGetProgramBuildInfo,
            (cl_program program, cl_device_id device,
             cl_program_build_info what, size_t size, void *value,
             size_t *sizeBack),
            (program, device, what, size, value, sizeBack))
CLOPT_BELOW(cl_int, clGetSupportedImageFormats,
            (cl_context context, cl_mem_flags flags, cl_mem_object_type type,
             cl_uint count, cl_image_format *formats, cl_uint *found),
            (context, flags, type, count, formats, found))
CLOPT_BELOW(cl_int, clReleaseCommandQueue, (cl_command_queue queue), (queue))
CLOPT_BELOW(cl_int, clReleaseContext, (cl_context context), (context))
CLOPT_BELOW(cl_int, clReleaseEvent, (cl_event event), (event))
CLOPT_BELOW(cl_int, clReleaseKernel, (cl_kernel kernel), (kernel))
CLOPT_BELOW(cl_int, clReleaseMemObject, (cl_mem memory), (memory))
CLOPT_BELOW(cl_int, clReleaseProgram, (cl_program program), (program))
CLOPT_BELOW(cl_int, clRetainContext, (cl_context context), (context))
CLOPT_BELOW(cl_int, clRetainEvent, (cl_event event), (event))
CLOPT_BELOW(cl_int, clRetainMemObject, (cl_mem memory), (memory))
CLOPT_BELOW(cl_int, clRetainProgram, (cl_program program), (program))
CLOPT_BELOW(cl_int, clSetKernelArg,
            (cl_kernel kernel, cl_uint index, size_t size, const void *value),
            (kernel, index, size, value))

} // extern "C"
