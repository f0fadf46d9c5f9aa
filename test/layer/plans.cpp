// An application whose kernel is launched with copies of a buffer in another
// layout, and that changes this buffer in all the ways there are. It prints
// sums of what it gets, so that two runs can be compared, and says where values
// are wrong.

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include "host.h"

#include <cstring>
#include <iostream>
#include <string>
#include <vector>

static const std::string source = productOf() + R"(
__kernel void add(__global float *x, float y)
{
    x[get_global_id(0)] += y;
}
)";

constexpr size_t bytes = n * n * sizeof(float);

// One buffer B, what the host knows to be in it, and how it is used.
struct Bench {
  cl::Context context;
  cl::Program program;
  cl::CommandQueue queue;
  cl::Kernel product, add;
  Matrix a = filled(3), b;
  cl::Buffer A, B, C;

  Bench(const cl::Context &where, const cl::Program &what,
        const cl::CommandQueue &by, cl::Buffer second, Matrix content)
      : context(where), program(what), queue(by), product(what, "product"),
        add(what, "add"), b(std::move(content)),
        A(where, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a.data()),
        B(second), C(where, CL_MEM_READ_WRITE, bytes) {}

  int check(const char *what, const cl::CommandQueue &by,
            const std::vector<cl::Event> *after = nullptr) {
    product.setArg(0, A);
    product.setArg(1, B);
    product.setArg(2, C);
    product.setArg(3, n);
    cl::Event done;
    by.enqueueNDRangeKernel(product, cl::NullRange, cl::NDRange(n, n),
                            cl::NDRange(8, 8), after, &done);
    Matrix c(n * n);
    const std::vector<cl::Event> events = {done};
    by.enqueueReadBuffer(C, true, 0, bytes, c.data(), &events);
    const Compared all = compare(a.data(), b.data(), c.data());
    const bool isKernel =
        done.getInfo<CL_EVENT_COMMAND_TYPE>() == CL_COMMAND_NDRANGE_KERNEL;
    std::cout << what << ": " << all.wrong << " wrong, " << all.total
              << (isKernel ? "" : ", the event of another command") << "\n";
    return all.wrong;
  }
  int check(const char *what) { return check(what, queue); }
};

// All changes of a buffer through a queue with an order.
static int change(Bench &bench) {
  int wrong = bench.check("first") + bench.check("the same");
  bench.b = filled(4);
  bench.queue.enqueueWriteBuffer(bench.B, true, 0, bytes, bench.b.data());
  wrong += bench.check("written") + bench.check("the same");
  const float two = 2;
  std::fill(bench.b.begin() + n, bench.b.begin() + 3 * n, two);
  bench.queue.enqueueFillBuffer(bench.B, two, n * sizeof two,
                                2 * n * sizeof two);
  wrong += bench.check("filled");
  const Matrix other = filled(5);
  const cl::Buffer from(bench.context, CL_MEM_COPY_HOST_PTR, bytes,
                        (void *)other.data());
  bench.queue.enqueueCopyBuffer(from, bench.B, 0, 0, bytes / 2);
  std::copy_n(other.begin(), n * n / 2, bench.b.begin());
  wrong += bench.check("copied");
  for (const cl_map_flags flags :
       {CL_MAP_WRITE, CL_MAP_READ, CL_MAP_WRITE_INVALIDATE_REGION}) {
    auto *memory = static_cast<float *>(
        bench.queue.enqueueMapBuffer(bench.B, true, flags, 0, bytes));
    if (flags != CL_MAP_READ) {
      bench.b = filled(int(flags) + 6);
      std::memcpy(memory, bench.b.data(), bytes);
    }
    bench.queue.enqueueUnmapMemObject(bench.B, memory);
    wrong += bench.check(flags != CL_MAP_READ ? "mapped" : "mapped to read");
  }
  bench.add.setArg(0, bench.B);
  bench.add.setArg(1, 1.0f);
  bench.queue.enqueueNDRangeKernel(bench.add, cl::NullRange,
                                   cl::NDRange(n * n));
  for (float &value : bench.b)
    value += 1;
  wrong += bench.check("written by another kernel");
  // What the kernel itself writes is read by the next launch.
  std::swap(bench.B, bench.C);
  Matrix product(n * n, 0.0f);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        product[i * n + j] += bench.a[i * n + k] * bench.b[k * n + j];
  bench.b = product;
  return wrong + bench.check("its own result") + bench.check("again");
}

// Through a part of the buffer, and with a part as the argument.
static int parts(Bench &bench) {
  cl_buffer_region region = {0, bytes};
  cl::Buffer whole = bench.B;
  cl::Buffer part = whole.createSubBuffer(
      CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  int wrong = bench.check("before its part is written");
  bench.b = filled(9);
  bench.queue.enqueueWriteBuffer(part, true, 0, bytes, bench.b.data());
  wrong += bench.check("its part is written");
  bench.B = part;
  wrong += bench.check("a part");
  bench.b = filled(10);
  bench.queue.enqueueWriteBuffer(whole, true, 0, bytes, bench.b.data());
  wrong += bench.check("the whole is written");
  bench.B = whole;
  return wrong;
}

// Writes and launches in queues whose order only events tell.
static int queues(Bench &bench, const cl::CommandQueue &other,
                  const char *what) {
  int wrong = bench.check(what, bench.queue);
  for (int seed = 11; seed < 14; ++seed) {
    cl::Event written;
    bench.b = filled(seed);
    cl::UserEvent mayBegin(bench.context);
    const std::vector<cl::Event> begin = {mayBegin};
    other.enqueueWriteBuffer(bench.B, false, 0, bytes, bench.b.data(), &begin,
                             &written);
    other.flush();
    const std::vector<cl::Event> after = {written};
    mayBegin.setStatus(CL_COMPLETE);
    wrong += bench.check(what, bench.queue, &after);
    wrong += bench.check(what, other);
  }
  return wrong;
}

// Cells that a launch leaves alone stay what they are, also where they lie
// between those that it writes.
static int partly(Bench &bench) {
  const int first = 8, count = 24;
  const float five = 5;
  bench.queue.enqueueFillBuffer(bench.C, five, 0, bytes);
  bench.product.setArg(0, bench.A);
  bench.product.setArg(1, bench.B);
  bench.product.setArg(2, bench.C);
  bench.product.setArg(3, n);
  bench.queue.enqueueNDRangeKernel(bench.product, cl::NDRange(first, 2 * first),
                                   cl::NDRange(count, count));
  Matrix c(n * n);
  bench.queue.enqueueReadBuffer(bench.C, true, 0, bytes, c.data());
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += bench.a[i * n + k] * bench.b[k * n + j];
      const bool isWritten = i >= 2 * first && i < 2 * first + count &&
                             j >= first && j < first + count;
      wrong += c[i * n + j] != (isWritten ? sum : five);
    }
  std::cout << "a part of the result: " << wrong << " wrong, of them\n";
  return wrong;
}

int main() {
  int wrong = 0;
  try {
    const cl::Device device = pickDevice();
    const cl::Context context(device);
    cl::Program program(context, source);
    program.build();
    const cl::CommandQueue queue(context, device), second(context, device);
    const cl::CommandQueue unordered(context, device,
                                     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    Matrix host = filled(2);
    const auto bench = [&](const cl::CommandQueue &by, cl_mem_flags flags) {
      return Bench(context, program, by,
                   cl::Buffer(context, flags, bytes, host.data()), host);
    };
    Bench ordered = bench(queue, CL_MEM_COPY_HOST_PTR);
    wrong += change(ordered);
    Bench divided = bench(queue, CL_MEM_COPY_HOST_PTR);
    wrong += parts(divided);
    Bench two = bench(queue, CL_MEM_COPY_HOST_PTR);
    wrong += queues(two, second, "two queues");
    Bench loose = bench(unordered, CL_MEM_COPY_HOST_PTR);
    wrong += queues(loose, unordered, "without an order");
    // The host's own memory.
    Bench hosts = bench(queue, CL_MEM_USE_HOST_PTR);
    wrong += hosts.check("memory of the host");
    void *memory =
        queue.enqueueMapBuffer(hosts.B, true, CL_MAP_WRITE, 0, bytes);
    hosts.b = filled(8);
    std::memcpy(memory, hosts.b.data(), bytes);
    queue.enqueueUnmapMemObject(hosts.B, memory);
    wrong += hosts.check("memory of the host");
    Bench part = bench(queue, CL_MEM_COPY_HOST_PTR);
    wrong += partly(part);
    // Buffers come and go at the same addresses.
    for (int round = 0; round < 20; ++round) {
      host = filled(round + 1);
      wrong += bench(queue, CL_MEM_COPY_HOST_PTR).check("a new one");
    }
  } catch (const cl::Error &error) {
    std::cout << error.what() << ": " << error.err() << "\n";
    return 1;
  }
  std::cout << wrong << " wrong\n";
  return wrong != 0;
}
