/* Builds the embedded kernels, runs both and checks the results. The one for
 * GPUs needs no header any more; it is loaded from its file, too. */

#include "clopt/scale.cl.h"
#include "factor.h"
#include "gpu/scale.cl.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1003 };

static const char Options[] = "-DOFFSET=1 -DEXTRA=2";
static const char OptionsWithHeaders[] =
    "-I" KERNEL_INCLUDE " -DOFFSET=1 -DEXTRA=2";

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  exit(1);
}

/* The first device of the platform named so, or of the first one. */
static cl_device_id pickDevice(const char *wanted) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  cl_uint chosen = 0;
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (strstr(name, wanted))
      chosen = i;
  }
  cl_device_id device;
  check(clGetDeviceIDs(platforms[chosen], CL_DEVICE_TYPE_ALL, 1, &device, NULL),
        "clGetDeviceIDs");
  return device;
}

/* Runs `scale` of the text and compares every element. */
static void runKernel(cl_context context, cl_device_id device, const char *text,
                      size_t length, const char *options) {
  cl_int status;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, &length, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, options, NULL, NULL),
        "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "scale", &status);
  check(status, "clCreateKernel");

  cl_int x[N], y[N], n = N;
  for (int i = 0; i < N; ++i) {
    x[i] = i * 7 - 100;
    y[i] = -1;
  }
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             sizeof x, x, &status);
  check(status, "clCreateBuffer");
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              sizeof y, y, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof n, &n), "clSetKernelArg");
  size_t global = 1024;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  for (int i = 0; i < N; ++i) {
    if (y[i] != FACTOR * x[i] + 3) {
      fprintf(stderr, "y[%d] is %d, not %d\n", i, y[i], FACTOR * x[i] + 3);
      exit(1);
    }
  }
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
}

static char *readFile(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  static char buffer[1 << 20];
  if (!file) {
    perror(path);
    exit(1);
  }
  *length = fread(buffer, 1, sizeof buffer - 1, file);
  buffer[*length] = 0;
  fclose(file);
  return buffer;
}

int main(int argc, char **argv) {
  /* The embedded text must be the text of the file that it was made from. */
  size_t length;
  char *text = readFile(argc > 1 ? argv[1] : "clopt/scale.cl", &length);
  if (length != clopt_scale_cl_length ||
      memcmp(text, clopt_scale_cl, length + 1) != 0) {
    fprintf(stderr, "the embedded text differs from the optimized file\n");
    return 1;
  }

  cl_device_id device = pickDevice("Portable Computing Language");
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  runKernel(context, device, clopt_scale_cl, clopt_scale_cl_length,
            OptionsWithHeaders);
  text = readFile(GPU_KERNEL, &length);
  if (length != gpu_scale_cl_length ||
      memcmp(text, gpu_scale_cl, length + 1) != 0) {
    fprintf(stderr, "the embedded text for GPUs differs from its file\n");
    return 1;
  }
  runKernel(context, device, gpu_scale_cl, gpu_scale_cl_length, Options);
  clReleaseContext(context);
  printf("factor %d: both kernels computed what was expected\n", FACTOR);
  return 0;
}
