// An application as others write them, in C++ and with several threads: each
// builds a program of its own, and all launch kernels of one that they share.

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include "host.h"

#include <atomic>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

static const std::string source = productOf("sum * FACTOR");

static int run(const cl::Context &context, const cl::Device &device,
               const cl::Program &program, int factor) {
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
  return compare(a.data(), b.data(), c.data(), float(factor)).wrong;
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
