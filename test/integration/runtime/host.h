/* What both hosts share: a device, and what the kernel has to compute. */

#ifndef HOST_H
#define HOST_H

#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { N = 67 };

static cl_device_id pickDevice(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0, chosen = 0, i;
  cl_device_id device = NULL;
  clGetPlatformIDs(16, platforms, &count);
  for (i = 0; i < count && i < 16; ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (strstr(name, "Portable Computing Language"))
      chosen = i;
  }
  if (count)
    clGetDeviceIDs(platforms[chosen], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  return device;
}

static void fill(float *s, float *r) {
  int i;
  for (i = 0; i < N * N; ++i) {
    s[i] = (float)(i % 31);
    r[i] = -1.0f;
  }
}

static int countWrong(const float *s, const float *r) {
  int i, k, wrong = 0;
  for (i = 0; i < N; ++i)
    for (k = 0; k < N; ++k) {
      float expected =
          k == 0 || k == N - 1 ? -1.0f : s[i * N + k - 1] + s[i * N + k + 1];
      wrong += r[i * N + k] != expected;
    }
  return wrong;
}

#endif
