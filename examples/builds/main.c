/* Builds the optimized kernel, whose file the build has named, and prints two
 * sums. */

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 512 };

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  exit(1);
}

static char *readFile(const char *path) {
  static char text[1 << 20];
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return text;
}

int main(void) {
  static float a[ROWS * COLUMNS], sums[COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    a[i] = (float)(i % COLUMNS);

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
        "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");

  const char *text = readFile(KERNEL_FILE);
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, NULL, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "sums", &status);
  check(status, "clCreateKernel");

  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             sizeof a, a, &status);
  check(status, "clCreateBuffer");
  cl_mem out =
      clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof sums, NULL, &status);
  check(status, "clCreateBuffer");
  cl_int rows = ROWS, columns = COLUMNS;
  check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof rows, &rows), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof columns, &columns), "clSetKernelArg");
  size_t global = COLUMNS;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                               NULL),
        "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sums, sums, 0, NULL,
                            NULL),
        "clEnqueueReadBuffer");
  printf("%g %g\n", sums[1], sums[COLUMNS - 1]);

  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
