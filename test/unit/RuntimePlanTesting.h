//===- RuntimePlanTesting.h - plans and devices for tests -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that adds one to a matrix, with plans that reach the same by other
// NDRanges, a transposed copy or an image.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_UNIT_RUNTIMEPLANTESTING_H
#define CLOPT_TEST_UNIT_RUNTIMEPLANTESTING_H

#include "Runtime/OpenCL.h"
#include "clopt/Runtime.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace clopt::runtime {

inline const char *const originalText =
    "__kernel void add(__global const float *a, __global float *c, int n) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  c[y * n + x] = a[y * n + x] + 1;\n"
    "}\n";

/// Every kernel leaves a mark of its own behind the comma.
inline const char *const optimizedText =
    "__kernel void add(__global const float *a, __global float *c, int n) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  c[y * n + x] = a[y * n + x] + 1.0625f;\n"
    "}\n"
    "__kernel void turn(__global const float *from, __global float *to, int n) "
    "{\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  to[x * n + y] = from[y * n + x];\n"
    "}\n"
    "__kernel void add_turned(__global const float *t, __global float *c,\n"
    "                         int n, ulong count) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i < count) c[i] = t[i % n * n + i / n] + 1.125f;\n"
    "}\n"
    "__kernel void add_to_turned(__global const float *t, __global float *c,\n"
    "                            int n, ulong count) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i < count) c[i] = t[i] + 1.375f;\n"
    "}\n"
    "__kernel void add_image(__read_only image2d_t a, __global float *c, int "
    "n,\n"
    "                        __local float *unused) {\n"
    "  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE |\n"
    "                      CLK_FILTER_NEAREST;\n"
    "  int x = get_global_id(0), y = get_global_id(1), p = y * n + x;\n"
    "  c[p] = read_imagef(a, s, (int2)(p % 8, p / 8)).x + 1.25f;\n"
    "}\n";

/// The plan with these variants ahead of the original.
inline std::string planWith(const std::string &variants,
                            const std::string &flags = "[]") {
  return R"json({"schema": "launch-plan.schema.json", "schema_version": "1.0.0",
"tool": {"name": "clopt", "version": "0.1.0"}, "target": "cpu",
"original": {"file": "add.cl"}, "optimized": {"file": "add_opt.cl"},
"build_flags": )json" +
         flags + R"json(, "kernels": [{"name": "add", "parameters": [
{"name": "a", "kind": "buffer", "type": "float", "bytes": 4, "written": false},
{"name": "c", "kind": "buffer", "type": "float", "bytes": 4},
{"name": "n", "kind": "scalar", "type": "int", "bytes": 4}],
"variants": [)json" +
         variants + R"json(
{"name": "original", "launch": {"program": "original", "kernel": "add",
 "same_range": true, "arguments": [{"parameter": "a"}, {"parameter": "c"},
 {"parameter": "n"}]}}]}]})json";
}

/// Reads a transposed copy of `a` under the given condition.
inline std::string transposedVariant(const std::string &condition) {
  return R"json({"name": "turned",
"definitions": [{"name": "a_end", "value": "(size_t)(a + n * n)"},
                {"name": "c_end", "value": "(size_t)(c + n * n)"}],
"conditions": [{"expression": ")json" +
         condition + R"json("}],
"buffers": [{"name": "a_t", "source": "a", "bytes": "n * n * 4"}],
"before": [{"source": "a", "destination": "a_t", "launch": {
  "program": "optimized", "kernel": "turn", "global": ["n", "n"],
  "arguments": [{"parameter": "a"}, {"buffer": "a_t"}, {"parameter": "n"}]}}],
"launch": {"program": "optimized", "kernel": "add_turned",
  "global": ["roundup(n * n, 8)"], "local": ["8"],
  "arguments": [{"buffer": "a_t"}, {"parameter": "c"}, {"parameter": "n"},
                {"value": "n * n", "type": "ulong"}]}
},)json";
}

inline const char *const imageVariant = R"json({"name": "image",
"conditions": [{"expression": "CL_DEVICE_IMAGE_SUPPORT && CL_DEVICE_IMAGE2D_MAX_WIDTH >= 8"}],
"images": [{"name": "a_i", "source": "a", "width": "8",
  "height": "ceildiv(n * n, 8)", "channel_order": "CL_R",
  "channel_type": "CL_FLOAT"}],
"launch": {"program": "optimized", "kernel": "add_image", "global": ["n", "n"],
  "arguments": [{"image": "a_i"}, {"parameter": "c"}, {"parameter": "n"},
                {"local": "64"}]}},)json";

/// Computes into a transposed copy and converts it back.
inline const char *const writtenVariant = R"json({"name": "written",
"buffers": [{"name": "a_t", "source": "a", "bytes": "n * n * 4"},
            {"name": "c_t", "source": "c", "bytes": "n * n * 4"}],
"before": [{"source": "a", "destination": "a_t", "launch": {
  "program": "optimized", "kernel": "turn", "global": ["n", "n"],
  "arguments": [{"parameter": "a"}, {"buffer": "a_t"}, {"parameter": "n"}]}}],
"launch": {"program": "optimized", "kernel": "add_to_turned",
  "global": ["n * n"],
  "arguments": [{"buffer": "a_t"}, {"buffer": "c_t"}, {"parameter": "n"},
                {"value": "n * n", "type": "ulong"}]},
"after": [{"source": "c_t", "destination": "c", "launch": {
  "program": "optimized", "kernel": "turn", "global": ["n", "n"],
  "arguments": [{"buffer": "c_t"}, {"parameter": "c"}, {"parameter": "n"}]}}]},)json";

/// A device with the matrix a[i] = i and a result.
struct PlanBench {
  Device device = Device::select("", "");
  int n;
  BufferHandle a, c;

  explicit PlanBench(int size = 5) : n(size) {
    std::vector<float> values(static_cast<std::size_t>(n) * n);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i);
    a = makeBuffer(values);
    c = makeBuffer(std::vector<float>(values.size(), -1.0f));
  }

  /// No launch outlives the bench: PoCL compiles a kernel in a thread of its
  /// own when it is launched, and a process that ends meanwhile crashes.
  ~PlanBench() { clFinish(device.queue()); }

  BufferHandle makeBuffer(const std::vector<float> &values,
                          cl_mem_flags access = CL_MEM_READ_WRITE) const {
    cl_int status = CL_SUCCESS;
    BufferHandle buffer(
        clCreateBuffer(device.context(), access | CL_MEM_COPY_HOST_PTR,
                       values.size() * sizeof(float),
                       const_cast<float *>(values.data()), &status));
    EXPECT_EQ(status, CL_SUCCESS);
    return buffer;
  }

  void write(cl_mem buffer, std::size_t index, float value) const {
    EXPECT_EQ(clEnqueueWriteBuffer(device.queue(), buffer, CL_TRUE,
                                   index * sizeof value, sizeof value, &value,
                                   0, nullptr, nullptr),
              CL_SUCCESS);
  }

  std::vector<float> read(cl_mem buffer) const {
    std::vector<float> values(static_cast<std::size_t>(n) * n);
    EXPECT_EQ(clEnqueueReadBuffer(device.queue(), buffer, CL_TRUE, 0,
                                  values.size() * sizeof(float), values.data(),
                                  0, nullptr, nullptr),
              CL_SUCCESS);
    return values;
  }

  /// What every cell of c has more than its cell of a, or -1 when they differ.
  float added() const {
    const std::vector<float> before = read(a.get()), after = read(c.get());
    for (std::size_t i = 1; i < before.size(); ++i)
      if (after[i] - before[i] != after[0] - before[0])
        return -1;
    return after[0] - before[0];
  }
};

/// A runtime and its kernel "add", made of texts.
struct PlanRun {
  clopt_runtime *runtime = nullptr;
  clopt_kernel *kernel = nullptr;
  clopt_status status;

  PlanRun(const PlanBench &bench, const std::string &plan,
          const std::string &optimized = optimizedText,
          const char *options = nullptr) {
    const std::string original = originalText;
    status = clopt_runtime_create(
        bench.device.context(), bench.device.id(), {plan.data(), plan.size()},
        {optimized.data(), optimized.size()},
        {original.data(), original.size()}, options, &runtime);
    if (status == CLOPT_SUCCESS)
      status = clopt_kernel_create(runtime, "add", &kernel);
    if (status == CLOPT_SUCCESS)
      setArguments(bench.a.get(), bench.c.get(), bench.n);
  }
  PlanRun(const PlanRun &) = delete;
  ~PlanRun() {
    if (kernel)
      clopt_kernel_release(kernel);
    if (runtime)
      clopt_runtime_release(runtime);
  }

  void setArguments(cl_mem a, cl_mem c, int n) {
    EXPECT_EQ(clopt_kernel_set_arg(kernel, 0, sizeof a, &a), CLOPT_SUCCESS);
    EXPECT_EQ(clopt_kernel_set_arg(kernel, 1, sizeof c, &c), CLOPT_SUCCESS);
    EXPECT_EQ(clopt_kernel_set_arg(kernel, 2, sizeof n, &n), CLOPT_SUCCESS);
  }

  clopt_status launch(const PlanBench &bench, cl_event *event = nullptr) {
    const std::size_t side = static_cast<std::size_t>(bench.n);
    const std::size_t global[2] = {side, side};
    return clopt_enqueue_kernel(bench.device.queue(), kernel, 2, nullptr,
                                global, nullptr, 0, nullptr, event);
  }

  /// Launches and gives the variant, or the error.
  std::string variant(const PlanBench &bench) {
    return launch(bench) == CLOPT_SUCCESS ? clopt_kernel_variant(kernel)
                                          : clopt_last_error();
  }
};

} // namespace clopt::runtime

#endif // CLOPT_TEST_UNIT_RUNTIMEPLANTESTING_H
