// What the applications in C++ have in common. They define the versions of
// OpenCL before they include it.

#ifndef CLOPT_TEST_LAYER_HOST_H
#define CLOPT_TEST_LAYER_HOST_H

#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <string>
#include <vector>

inline cl::Device pickDevice() {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  cl::Platform chosen = platforms.at(0);
  for (const cl::Platform &platform : platforms)
    if (platform.getInfo<CL_PLATFORM_NAME>().find("Portable Computing") !=
        std::string::npos)
      chosen = platform;
  std::vector<cl::Device> devices;
  chosen.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  return devices.at(0);
}

// The product of matrices, and what becomes of a sum.
inline std::string productOf(const std::string &sum = "sum") {
  return R"(
__kernel void product(__global const float *A, __global const float *B, __global float *C, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += A[i * n + k] * B[k * n + j];
    C[i * n + j] = )" +
         sum + R"(;
}
)";
}

constexpr int n = 64;
using Matrix = std::vector<float>; // n x n

// Small integers, so every order of sums gives the same.
inline Matrix filled(int seed) {
  Matrix m(n * n);
  for (int i = 0; i < n * n; ++i)
    m[i] = float((i * seed) % 7 - 3);
  return m;
}

struct Compared {
  int wrong = 0;    // cells of C that are not those of A B, times a factor
  double total = 0; // of C
};

inline Compared compare(const float *a, const float *b, const float *c,
                        float factor = 1) {
  Compared result;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      result.wrong += c[i * n + j] != sum * factor;
      result.total += c[i * n + j] * (i + 2 * j);
    }
  return result;
}

#endif // CLOPT_TEST_LAYER_HOST_H
