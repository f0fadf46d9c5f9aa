/* An application of CLBlast, a library with programs of its own. Prints sums
 * of what it gets, so that two runs can be compared, and says where values are
 * wrong. They are small integers, so every order of the sums gives the same. */

#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 40, N = 56, K = 72 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static int failures;

static void check(int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  printf("%s: %d\n", what, status);
  exit(1);
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

/* Element i of the matrix or vector with that number. */
static float value(int which, size_t i) {
  return (float)((i * (size_t)(which + 3) + i / 5) % 7) - 3;
}

static cl_mem makeBuffer(int which, size_t count) {
  float *data = malloc(count * sizeof *data);
  cl_int status;
  cl_mem buffer;
  size_t i;
  for (i = 0; i < count; ++i)
    data[i] = value(which, i);
  buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                          count * sizeof *data, data, &status);
  check(status, "clCreateBuffer");
  free(data);
  return buffer;
}

/* Compares the buffer, which then goes, with the values. */
static void compare(const char *what, cl_mem buffer, const float *wanted,
                    size_t count) {
  float *found = malloc(count * sizeof *found);
  size_t i, wrong = 0;
  double total = 0;
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof *found,
                            found, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  for (i = 0; i < count; ++i) {
    wrong += found[i] != wanted[i];
    total += found[i] * (double)(i % 13 + 1);
  }
  printf("%s: %d wrong, %g\n", what, (int)wrong, total);
  failures += wrong != 0;
  free(found);
  clReleaseMemObject(buffer);
}

/* C = 2 A B + 3 C. */
static void multiply(void) {
  cl_mem a = makeBuffer(0, M * K), b = makeBuffer(1, K * N),
         c = makeBuffer(2, M * N);
  float wanted[M * N];
  int i, j, k;
  check(CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo,
                     CLBlastTransposeNo, M, N, K, 2, a, 0, K, b, 0, N, 3, c, 0,
                     N, &queue, NULL),
        "gemm");
  for (i = 0; i < M; ++i)
    for (j = 0; j < N; ++j) {
      float sum = 0;
      for (k = 0; k < K; ++k)
        sum += value(0, (size_t)(i * K + k)) * value(1, (size_t)(k * N + j));
      wanted[i * N + j] = 2 * sum + 3 * value(2, (size_t)(i * N + j));
    }
  compare("gemm", c, wanted, M * N);
  clReleaseMemObject(a);
  clReleaseMemObject(b);
}

static void withVectors(void) {
  cl_mem a = makeBuffer(0, M * N), x = makeBuffer(1, N), y = makeBuffer(2, M),
         s = makeBuffer(3, 1);
  float wanted[M * N];
  int i, j;
  check(CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, M, N, 2, a, 0,
                     N, x, 0, 1, 1, y, 0, 1, &queue, NULL),
        "gemv");
  for (i = 0; i < M; ++i) {
    wanted[i] = value(2, (size_t)i);
    for (j = 0; j < N; ++j)
      wanted[i] += 2 * value(0, (size_t)(i * N + j)) * value(1, (size_t)j);
  }
  compare("gemv", y, wanted, M);
  y = makeBuffer(2, M);
  check(CLBlastSger(CLBlastLayoutRowMajor, M, N, 1, y, 0, 1, x, 0, 1, a, 0, N,
                    &queue, NULL),
        "ger");
  for (i = 0; i < M * N; ++i)
    wanted[i] = value(0, (size_t)i) +
                value(2, (size_t)(i / N)) * value(1, (size_t)(i % N));
  compare("ger", a, wanted, M * N);
  check(CLBlastSdot(M, s, 0, y, 0, 1, x, 0, 1, &queue, NULL), "dot");
  wanted[0] = 0;
  for (i = 0; i < M; ++i)
    wanted[0] += value(2, (size_t)i) * value(1, (size_t)i);
  compare("dot", s, wanted, 1);
  check(CLBlastSaxpy(M, 5, x, 0, 1, y, 0, 1, &queue, NULL), "axpy");
  for (i = 0; i < M; ++i)
    wanted[i] = value(2, (size_t)i) + 5 * value(1, (size_t)i);
  compare("axpy", y, wanted, M);
  clReleaseMemObject(x);
}

/* The lower half of C = A A^T. */
static void square(void) {
  cl_mem a = makeBuffer(0, M * K), c = makeBuffer(2, M * M);
  float wanted[M * M];
  int i, j, k;
  check(CLBlastSsyrk(CLBlastLayoutRowMajor, CLBlastTriangleLower,
                     CLBlastTransposeNo, M, K, 1, a, 0, K, 0, c, 0, M, &queue,
                     NULL),
        "syrk");
  for (i = 0; i < M; ++i)
    for (j = 0; j < M; ++j) {
      wanted[i * M + j] = j > i ? value(2, (size_t)(i * M + j)) : 0;
      for (k = 0; j <= i && k < K; ++k)
        wanted[i * M + j] +=
            value(0, (size_t)(i * K + k)) * value(0, (size_t)(j * K + k));
    }
  compare("syrk", c, wanted, M * M);
  clReleaseMemObject(a);
}

int main(void) {
  cl_int status;
  pickDevice();
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  multiply();
  square();
  withVectors();
  check(CLBlastClearCache(), "CLBlastClearCache");
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  printf("%d wrong\n", failures);
  return failures != 0;
}
