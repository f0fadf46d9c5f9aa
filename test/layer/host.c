/* An application as others write them, in C: knows nothing of clopt. Prints
 * what it computes and what OpenCL answers it, so that two runs can be
 * compared, and says where values are wrong. */

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 128 };

/* In pieces, as clCreateProgramWithSource takes them. */
static const char *const pieces[] = {
    "__kernel void product(__global const float *A, __global const float *B,\n"
    "                      __global float *C, int n)\n"
    "{\n"
    "    int i = get_global_id(1), j = get_global_id(0);\n"
    "    float sum = 0.0f;\n"
    "    for (int k = 0; k < n; k++)\n"
    "        sum += A[i * n + k] * B[k * n + j];\n"
    "    C[i * n + j] = sum * FACTOR;\n"
    "}\n",
    "__kernel void add(__global const float *x, __global const float *y, "
    "__global float *z)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    z[i] = x[i] + y[i] / FACTOR;\n"
    "}\n/* not part of it: length */ broken broken",
};

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static float a[N * N], b[N * N], c[N * N];
static int failures;

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  printf("%s: %d\n", what, status);
  exit(1);
}

static void expect(int isTrue, const char *what) {
  if (!isTrue) {
    printf("wrong: %s\n", what);
    ++failures;
  }
}

static void pickDevice(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0, chosen = 0, i;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  for (i = 0; i < count && i < 16; ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (strstr(name, "Portable Computing Language"))
      chosen = i;
  }
  check(clGetDeviceIDs(platforms[chosen], CL_DEVICE_TYPE_ALL, 1, &device, NULL),
        "clGetDeviceIDs");
}

static cl_program makeProgram(void) {
  const char *strings[2] = {pieces[0], pieces[1]};
  /* Zero: up to the terminator. */
  size_t lengths[2] = {0, 0};
  cl_int status;
  cl_program program;
  lengths[1] = (size_t)(strstr(pieces[1], "/* not") - pieces[1]);
  program = clCreateProgramWithSource(context, 2, strings, lengths, &status);
  check(status, "clCreateProgramWithSource");
  return program;
}

static cl_mem makeBuffer(float *data) {
  cl_int status;
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     N * N * sizeof(float), data, &status);
  check(status, "clCreateBuffer");
  return buffer;
}

static void readBack(cl_mem buffer, cl_uint count, const cl_event *events) {
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof c, c, count,
                            events, NULL),
        "clEnqueueReadBuffer");
}

/* All values are small integers, so every order of the sums gives the same. */
static void checkProduct(const char *what, float factor) {
  int i, j, k, wrong = 0;
  for (i = 0; i < N; ++i)
    for (j = 0; j < N; ++j) {
      float sum = 0;
      for (k = 0; k < N; ++k)
        sum += a[i * N + k] * b[k * N + j];
      wrong += c[i * N + j] != sum * factor;
    }
  printf("%s: %d wrong\n", what, wrong);
  failures += wrong;
}

static void run(const char *what, cl_kernel product, float factor) {
  const size_t global[2] = {N, N}, local[2] = {16, 4};
  const cl_int n = N;
  cl_mem buffers[3];
  int i;
  memset(c, 0, sizeof c);
  buffers[0] = makeBuffer(a);
  buffers[1] = makeBuffer(b);
  buffers[2] = makeBuffer(c);
  for (i = 0; i < 3; ++i)
    check(clSetKernelArg(product, (cl_uint)i, sizeof(cl_mem), &buffers[i]),
          "clSetKernelArg");
  check(clSetKernelArg(product, 3, sizeof n, &n), "clSetKernelArg");
  expect(clSetKernelArg(product, 4, sizeof n, &n) == CL_INVALID_ARG_INDEX,
         "a fifth argument");
  check(clEnqueueNDRangeKernel(queue, product, 2, NULL, global, NULL, 0, NULL,
                               NULL),
        "clEnqueueNDRangeKernel");
  readBack(buffers[2], 0, NULL);
  checkProduct(what, factor);
  check(clEnqueueNDRangeKernel(queue, product, 2, NULL, global, local, 0, NULL,
                               NULL),
        "clEnqueueNDRangeKernel");
  readBack(buffers[2], 0, NULL);
  checkProduct(what, factor);
  for (i = 0; i < 3; ++i)
    clReleaseMemObject(buffers[i]);
}

/* What OpenCL says of the program and its kernel is what the application has
 * made. */
static void askBack(cl_program program, cl_kernel kernel) {
  char text[4096] = "", name[64] = "";
  cl_program itsProgram = NULL;
  cl_context itsContext = NULL;
  cl_uint number = 0;
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL),
        "source");
  printf("source: %s\n", text);
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS,
                              sizeof text, text, NULL),
        "options");
  printf("options: %s\n", text);
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG,
                              sizeof text, text, NULL),
        "log");
  printf("log: %s\n", text);
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text,
                         NULL),
        "names");
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof size, &size,
                         NULL),
        "kernels");
  printf("kernels: %d, %s\n", (int)size, text);
  check(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof number,
                         &number, NULL),
        "references");
  check(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof itsProgram,
                        &itsProgram, NULL),
        "program");
  check(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof itsContext,
                        &itsContext, NULL),
        "context");
  check(
      clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL),
      "arguments");
  check(
      clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL),
      "name");
  expect(itsProgram == program && itsContext == context,
         "the kernel's program and context");
  printf("kernel: %s, %u arguments\n", name, number);
  check(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name,
                           NULL),
        "argument");
  check(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text,
                           text, NULL),
        "type");
  printf("argument: %s %s\n", text, name);
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                 sizeof size, &size, NULL),
        "group");
  printf("group: %d\n", (int)size);
}

static void runFromBinary(cl_program program) {
  size_t size = 0;
  unsigned char *binary;
  cl_int loaded, status;
  cl_program copy;
  cl_kernel kernel;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size,
                         NULL),
        "sizes");
  binary = malloc(size);
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary,
                         NULL),
        "binaries");
  copy = clCreateProgramWithBinary(context, 1, &device, &size,
                                   (const unsigned char **)&binary, &loaded,
                                   &status);
  check(status, "clCreateProgramWithBinary");
  check(clBuildProgram(copy, 1, &device, NULL, NULL, NULL), "clBuildProgram");
  kernel = clCreateKernel(copy, "product", &status);
  check(status, "clCreateKernel");
  run("from a binary", kernel, 2.0f);
  clReleaseKernel(kernel);
  clReleaseProgram(copy);
  free(binary);
}

static void runLinked(void) {
  cl_int status;
  cl_kernel kernel;
  cl_program program = makeProgram(), linked;
  check(clCompileProgram(program, 1, &device, "-DFACTOR=4", 0, NULL, NULL, NULL,
                         NULL),
        "clCompileProgram");
  linked = clLinkProgram(context, 1, &device, NULL, 1, &program, NULL, NULL,
                         &status);
  check(status, "clLinkProgram");
  kernel = clCreateKernel(linked, "product", &status);
  check(status, "clCreateKernel");
  run("compiled and linked", kernel, 4.0f);
  clReleaseKernel(kernel);
  clReleaseProgram(linked);
  clReleaseProgram(program);
}

static void buildBroken(void) {
  const char *text = "__kernel void k(__global int *p) { p[0] = missing; }";
  char log[4096] = "";
  cl_int status;
  cl_program program =
      clCreateProgramWithSource(context, 1, &text, NULL, &status);
  check(status, "clCreateProgramWithSource");
  printf("broken: %d\n", clBuildProgram(program, 0, NULL, "", NULL, NULL));
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                        NULL);
  /* The driver's own names of temporary files differ from run to run. */
  printf("log: %s\n", strstr(log, "use of") ? strstr(log, "use of") : log);
  clCreateKernel(program, "k", &status);
  printf("kernel of it: %d\n", status);
  clReleaseProgram(program);
}

static void CL_CALLBACK isBuilt(cl_program program, void *data) {
  (void)program;
  *(volatile int *)data = 1;
}

static void runWithCallback(void) {
  static volatile int done = 0;
  cl_int status;
  cl_kernel kernel;
  cl_program program = makeProgram();
  check(
      clBuildProgram(program, 1, &device, "-DFACTOR=5", isBuilt, (void *)&done),
      "clBuildProgram");
  while (!done)
    ;
  kernel = clCreateKernel(program, "product", &status);
  check(status, "clCreateKernel");
  run("built with a callback", kernel, 5.0f);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

/* The program is released before its kernels, and built again with other
 * options. */
static void runAgain(void) {
  cl_kernel kernels[2], more;
  cl_uint count = 0, i;
  cl_int status;
  char name[64];
  cl_program program = makeProgram();
  check(clBuildProgram(program, 0, NULL, "-DFACTOR=3.0f", NULL, NULL),
        "clBuildProgram");
  check(clBuildProgram(program, 1, &device, "-D FACTOR=1", NULL, NULL),
        "clBuildProgram");
  check(clCreateKernelsInProgram(program, 2, kernels, &count),
        "clCreateKernelsInProgram");
  check(clRetainProgram(program), "clRetainProgram");
  clReleaseProgram(program);
  clReleaseProgram(program);
  for (i = 0; i < count; ++i) {
    check(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name,
                          name, NULL),
          "name");
    if (strcmp(name, "product") == 0) {
      check(clRetainKernel(kernels[i]), "clRetainKernel");
      clReleaseKernel(kernels[i]);
      run("built again", kernels[i], 1.0f);
      check(clGetKernelInfo(kernels[i], CL_KERNEL_PROGRAM, sizeof program,
                            &program, NULL),
            "program");
      more = clCreateKernel(program, "product", &status);
      check(status, "clCreateKernel");
      run("a kernel of a kernel's program", more, 1.0f);
      clReleaseKernel(more);
    }
  }
  for (i = 0; i < count; ++i)
    clReleaseKernel(kernels[i]);
}

/* A chain of launches in a queue without an order: C = A * B, then C + C / 2.
 */
static void runOutOfOrder(cl_program program, cl_kernel product) {
  cl_command_queue own;
  cl_int status, i, n = N, wrong = 0;
  cl_event done[2];
  const size_t global[2] = {N, N}, all = N * N;
  cl_kernel add = clCreateKernel(program, "add", &status);
  cl_mem x = makeBuffer(a), y = makeBuffer(b), z = makeBuffer(c);
  check(status, "clCreateKernel");
  own = clCreateCommandQueue(context, device,
                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  clSetKernelArg(product, 0, sizeof x, &x);
  clSetKernelArg(product, 1, sizeof y, &y);
  clSetKernelArg(product, 2, sizeof z, &z);
  clSetKernelArg(product, 3, sizeof n, &n);
  for (i = 0; i < 3; ++i)
    clSetKernelArg(add, (cl_uint)i, sizeof z, &z);
  check(clEnqueueNDRangeKernel(own, product, 2, NULL, global, NULL, 0, NULL,
                               &done[0]),
        "product");
  check(clEnqueueNDRangeKernel(own, add, 1, NULL, &all, NULL, 1, &done[0],
                               &done[1]),
        "add");
  check(clEnqueueReadBuffer(own, z, CL_TRUE, 0, sizeof c, c, 1, &done[1], NULL),
        "read");
  for (i = 0; i < N * N; ++i) {
    float sum = 0;
    int k;
    for (k = 0; k < N; ++k)
      sum += a[i / N * N + k] * b[k * N + i % N];
    sum *= 2.0f;
    wrong += c[i] != sum + sum / 2.0f;
  }
  printf("out of order: %d wrong\n", wrong);
  failures += wrong;
  for (i = 0; i < 2; ++i)
    clReleaseEvent(done[i]);
  clReleaseKernel(add);
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  clReleaseMemObject(z);
  clReleaseCommandQueue(own);
}

/* With an argument, only the first program is run. */
int main(int argc, char **argv) {
  const char *options = "-DFACTOR=2.0f -cl-kernel-arg-info";
  cl_int status;
  cl_program program;
  cl_kernel product;
  int i;
  (void)argv;
  for (i = 0; i < N * N; ++i) {
    a[i] = (float)(i % 7 - 3);
    b[i] = (float)(i % 5 - 1);
  }
  pickDevice();
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  program = makeProgram();
  check(clBuildProgram(program, 1, &device, options, NULL, NULL),
        "clBuildProgram");
  product = clCreateKernel(program, "product", &status);
  check(status, "clCreateKernel");
  expect(clCreateKernel(program, "nothing", &status) == NULL &&
             status == CL_INVALID_KERNEL_NAME,
         "a kernel that is not there");
  run("built", product, 2.0f);
  askBack(program, product);
  if (argc == 1) {
    runOutOfOrder(program, product);
    runFromBinary(program);
  }
  clReleaseKernel(product);
  clReleaseProgram(program);
  if (argc == 1) {
    runLinked();
    runWithCallback();
    for (i = 0; i < 2; ++i)
      runAgain();
    buildBroken();
  }
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  printf("%d wrong\n", failures);
  return failures != 0;
}
