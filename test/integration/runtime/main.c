/* planned_c <plan> <optimized> <original>: runs the kernel as the plan says. */

#include "host.h"

#include <clopt/Runtime.h>
#include <stdlib.h>

static void check(clopt_status status) {
  if (status == CLOPT_SUCCESS)
    return;
  fprintf(stderr, "%s\n", clopt_last_error());
  exit(1);
}

int main(int argc, char **argv) {
  static float s[N * N], r[N * N];
  const size_t global = N;
  cl_int n = N;
  cl_device_id device = pickDevice();
  cl_context context;
  cl_command_queue queue;
  cl_mem in, out;
  clopt_runtime *runtime;
  clopt_kernel *kernel;
  cl_event event;
  if (argc != 4 || !device)
    return 1;
  fill(s, r);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, 0, NULL);
  in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                      sizeof s, s, NULL);
  out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       sizeof r, r, NULL);
  check(clopt_runtime_create_from_files(context, device, argv[1], argv[2],
                                        argv[3], NULL, &runtime));
  check(clopt_kernel_create(runtime, "rows", &kernel));
  check(clopt_runtime_release(runtime)); /* the kernel keeps it */
  check(clopt_kernel_set_arg(kernel, 0, sizeof in, &in));
  check(clopt_kernel_set_arg(kernel, 1, sizeof out, &out));
  check(clopt_kernel_set_arg(kernel, 2, sizeof n, &n));
  check(clopt_enqueue_kernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                             &event));
  clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof r, r, 1, &event, NULL);
  clReleaseEvent(event);
  printf("C: %s, %d wrong\n", clopt_kernel_variant(kernel), countWrong(s, r));
  check(clopt_kernel_release(kernel));
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
