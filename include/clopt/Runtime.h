//===- Runtime.h - carries out launch plans ----------------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches kernels as the plan says that `clopt --plan` writes. The calls are
// those of OpenCL: a clopt_kernel takes arguments by index, an enqueue takes a
// wait list and gives an event. The plan decides what is really launched.
//
//   clopt_runtime *runtime;
//   clopt_runtime_create_from_files(context, device, "mm.plan.json",
//                                   "mm_opt.cl", "mm.cl", "", &runtime);
//   clopt_kernel *mm;
//   clopt_kernel_create(runtime, "mm", &mm);
//   clopt_kernel_set_arg(mm, 0, sizeof a, &a);    (and so on)
//   clopt_enqueue_kernel(queue, mm, 2, NULL, global, NULL, 0, NULL, &event);
//
// All calls give a status; clopt_last_error() says more. Objects may be used by
// several threads at a time, except that one kernel's arguments should be set
// and enqueued by one thread, as in OpenCL. docs/runtime.md has the details.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_H
#define CLOPT_RUNTIME_H

#include <CL/cl.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clopt_runtime clopt_runtime;
typedef struct clopt_kernel clopt_kernel;

typedef enum clopt_status {
  CLOPT_SUCCESS = 0,
  CLOPT_INVALID_ARGUMENT, /* a null pointer, an index out of range */
  CLOPT_INVALID_PLAN,     /* the text is no launch plan */
  CLOPT_INVALID_SOURCE,   /* the text is not the one that the plan is for */
  CLOPT_UNKNOWN_KERNEL,   /* the plan has no such kernel */
  CLOPT_FILE_ERROR,       /* a file cannot be read */
  CLOPT_OPENCL_ERROR,     /* see clopt_last_opencl_error() */
  CLOPT_OUT_OF_MEMORY     /* of the host */
} clopt_status;

/* What went wrong in the last call of this thread that failed: the OpenCL
 * call, its error and the kernel, or the place in the plan. Valid until the
 * thread's next call. */
const char *clopt_last_error(void);
/* The OpenCL error behind CLOPT_OPENCL_ERROR, else CL_SUCCESS. */
cl_int clopt_last_opencl_error(void);

/* Texts need not end with a zero byte. */
typedef struct clopt_text {
  const char *text;
  size_t length;
} clopt_text;

/* Makes a runtime for one device of a context. `original` may be null or
 * empty; then its kernels are taken from the optimized text, which has them
 * too. `options` (may be null) are further flags of clBuildProgram. */
clopt_status clopt_runtime_create(cl_context context, cl_device_id device,
                                  clopt_text plan, clopt_text optimized,
                                  clopt_text original, const char *options,
                                  clopt_runtime **runtime);
/* The same from files; `original` may be null. */
clopt_status
clopt_runtime_create_from_files(cl_context context, cl_device_id device,
                                const char *plan, const char *optimized,
                                const char *original, const char *options,
                                clopt_runtime **runtime);
clopt_status clopt_runtime_retain(clopt_runtime *runtime);
/* Kernels keep their runtime alive. */
clopt_status clopt_runtime_release(clopt_runtime *runtime);

clopt_status clopt_kernel_create(clopt_runtime *runtime, const char *name,
                                 clopt_kernel **kernel);
clopt_status clopt_kernel_retain(clopt_kernel *kernel);
clopt_status clopt_kernel_release(clopt_kernel *kernel);
/* As clSetKernelArg. Memory objects must live until the kernel is enqueued.
 */
clopt_status clopt_kernel_set_arg(clopt_kernel *kernel, cl_uint index,
                                  size_t size, const void *value);

/* As clEnqueueNDRangeKernel. The event is that of the last command. */
clopt_status clopt_enqueue_kernel(cl_command_queue queue, clopt_kernel *kernel,
                                  cl_uint work_dim, const size_t *global_offset,
                                  const size_t *global_size,
                                  const size_t *local_size, cl_uint wait_count,
                                  const cl_event *wait_list, cl_event *event);
/* Name of the variant that the last enqueue used: "own NDRange", "same
 * launch", "original"; empty before. Valid until the kernel's next enqueue.
 */
const char *clopt_kernel_variant(const clopt_kernel *kernel);

/* Conversions of a buffer are done for every launch, because the runtime
 * cannot know who writes to it. Tracking promises that only launches through
 * this runtime do, or that clopt_buffer_changed() is called: then converted
 * copies and images are kept. A sub-buffer stands for the whole buffer. */
clopt_status clopt_buffer_track(clopt_runtime *runtime, cl_mem buffer);
clopt_status clopt_buffer_changed(clopt_runtime *runtime, cl_mem buffer);
/* Also releases the copies. To be called before the buffer is released. */
clopt_status clopt_buffer_untrack(clopt_runtime *runtime, cl_mem buffer);

#ifdef __cplusplus
}
#endif

#endif /* CLOPT_RUNTIME_H */
