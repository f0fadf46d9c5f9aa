// An application as others write them, in C++ and with several threads: each
// builds a program of its own, and all launch kernels of one that they share.

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <atomic>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

static const std::string source = R"(
__kernel void product(__global const float *A, __global const float *B, __global float *C, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += A[i * n + k] * B[k * n + j];
    C[i * n + j] = sum * FACTOR;
}
)";

static cl::Device pickDevice() {
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

static int run(const cl::Context &context, const cl::Device &device,
               const cl::Program &program, int factor) {
  constexpr int n = 64;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = float(i % 7 - 3);
    b[i] = float(i % 5 - factor);
  }
  cl::CommandQueue queue(context, device);
  cl::Buffer x(context, a.begin(), a.end(), true);
  cl::Buffer y(context, b.begin(), b.end(), true);
  cl::Buffer z(context, CL_MEM_WRITE_ONLY, c.size() * sizeof(float));
  cl::Kernel kernel(program, "product");
  kernel.setArg(0, x);
  kernel.setArg(1, y);
  kernel.setArg(2, z);
  kernel.setArg(3, n);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n, n));
  queue.enqueueReadBuffer(z, true, 0, c.size() * sizeof(float), c.data());
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      wrong += c[i * n + j] != sum * factor;
    }
  return wrong;
}

int main() {
  const cl::Device device = pickDevice();
  const cl::Context context(device);
  cl::Program shared(context, source);
  shared.build("-DFACTOR=7");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 1; t <= 4; ++t)
    threads.emplace_back([&, t] {
      try {
        for (int round = 0; round < 3; ++round) {
          cl::Program own(context, source);
          own.build(("-DFACTOR=" + std::to_string(t)).c_str());
          wrong += run(context, device, own, t);
          wrong += run(context, device, shared, 7);
        }
      } catch (const cl::Error &error) {
        std::cout << error.what() << ": " << error.err() << "\n";
        ++wrong;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  std::cout << wrong << " wrong\n";
  return wrong != 0;
}
