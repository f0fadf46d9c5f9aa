// planned_cpp <plan> <optimized> <original>: runs the kernel as the plan says.

#include "host.h"

#include <clopt/Runtime.hpp>

#include <vector>

int main(int argc, char **argv) {
  cl_device_id device = pickDevice();
  if (argc != 4 || !device)
    return 1;
  std::vector<float> s(N * N), r(N * N);
  fill(s.data(), r.data());
  const size_t bytes = s.size() * sizeof(float);
  cl_context context =
      clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             bytes, s.data(), nullptr);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              bytes, r.data(), nullptr);
  try {
    clopt::PlanRuntime runtime = clopt::PlanRuntime::fromFiles(
        context, device, argv[1], argv[2], argv[3]);
    clopt::PlannedLaunch rows(runtime, "rows");
    rows.set(0, in).set(1, out).set(2, cl_int(N)).enqueue(queue, {N});
    clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, r.data(), 0, nullptr,
                        nullptr);
    std::printf("C++: %s, %d wrong\n", rows.variant().c_str(),
                countWrong(s.data(), r.data()));
    clopt::PlannedLaunch missing(runtime, "columns");
  } catch (const clopt::RuntimeError &error) {
    std::printf("C++: %d, %s\n", error.status == CLOPT_UNKNOWN_KERNEL,
                error.what());
  }
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
