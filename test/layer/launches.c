/* An application whose kernel stays as it is, to see what the layer costs it:
 * prints the nanoseconds of ten launches with new arguments, the lowest of
 * many. */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const source =
    "__kernel void add(__global const float *x, __global const float *y,\n"
    "                  __global float *z, float f)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    z[i] = x[i] + f * y[i];\n"
    "}\n";

enum { N = 1 << 18, ROUNDS = 300 };

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  printf("%s: %d\n", what, status);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

int main(void) {
  cl_platform_id platforms[16];
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel add;
  cl_mem buffers[3];
  cl_uint count = 0, chosen = 0, i;
  cl_int status;
  const size_t global = N, local = 64;
  float f = 0;
  double best = 1e18;
  int round, launch;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  for (i = 0; i < count && i < 16; ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (strstr(name, "Portable Computing Language"))
      chosen = i;
  }
  check(clGetDeviceIDs(platforms[chosen], CL_DEVICE_TYPE_ALL, 1, &device, NULL),
        "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL,
                                      &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  add = clCreateKernel(program, "add", &status);
  check(status, "clCreateKernel");
  for (i = 0; i < 3; ++i) {
    buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, N * sizeof(float),
                                NULL, &status);
    check(status, "clCreateBuffer");
    check(clEnqueueFillBuffer(queue, buffers[i], &f, sizeof f, 0,
                              N * sizeof(float), 0, NULL, NULL),
          "clEnqueueFillBuffer");
  }
  for (round = 0; round < ROUNDS; ++round) {
    const double begin = now();
    double took;
    for (launch = 0; launch < 10; ++launch) {
      f = (float)launch;
      for (i = 0; i < 3; ++i)
        clSetKernelArg(add, i, sizeof(cl_mem), &buffers[i]);
      clSetKernelArg(add, 3, sizeof f, &f);
      check(clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, &local, 0,
                                   NULL, NULL),
            "clEnqueueNDRangeKernel");
      check(clFinish(queue), "clFinish");
    }
    took = now() - begin;
    best = took < best ? took : best;
  }
  printf("%.0f\n", best);
  return 0;
}
