//===- RuntimeLayoutTest.cpp - kernels on converted buffers ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clopt writes a plan with converted buffers, the runtime carries it out, and
// every buffer has to hold the bytes that the author's kernel leaves, cells
// that nobody touches included: at sizes 1, 2, 3 and primes, with odd global
// offsets and launches that are larger than the arrays' rows.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Process.h"
#include "RuntimePlanTesting.h"

#include <array>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

using namespace clopt::runtime;

namespace {

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void writeFile(const std::string &path, const std::string &text) {
  std::ofstream(path) << text;
}

/// A kernel f(buffers..., int n, int m) and a recipe for its plan.
struct LayoutCase {
  std::string name, source, recipe;
  unsigned buffers; ///< the first arguments
  /// Elements of every buffer and work-items for n and m.
  std::size_t (*elements)(int n, int m);
  std::array<std::size_t, 2> (*global)(int n, int m);
  unsigned elementBytes = 4;
  std::vector<std::string> flags = {};
  /// What the buffers have; empty: small numbers.
  std::vector<float> values = {};
};

/// The kernel of a case, with and without its plan.
class LayoutRun {
public:
  LayoutRun(const LayoutCase &wanted) : test(wanted) {
    const std::string base = folder.file("");
    writeFile(base + "f.cl", test.source);
    writeFile(base + "f.recipe", test.recipe);
    std::vector<std::string> command = {CLOPT_EXECUTABLE,
                                        base + "f.cl",
                                        "--recipe=" + base + "f.recipe",
                                        "-o",
                                        base + "o.cl",
                                        "--plan=" + base + "f.json"};
    command.insert(command.end(), test.flags.begin(), test.flags.end());
    const ProcessResult made = runProcess(command);
    EXPECT_TRUE(made.succeeded()) << test.name << ": " << made.output;
    plan = readFile(base + "f.json");
    optimized = readFile(base + "o.cl");
    buildOriginal();
    if (!plan.empty())
      buildPlan();
  }
  LayoutRun(const LayoutRun &) = delete;
  ~LayoutRun() {
    clopt_kernel_release(kernel);
    clopt_runtime_release(runtime);
  }

  /// The name of the variant; the bytes of all buffers are compared.
  std::string compare(int n, int m, std::array<std::size_t, 2> offset) {
    std::vector<Bytes> inputs;
    std::mt19937 random(static_cast<unsigned>(n * 1000 + m));
    for (unsigned i = 0; i < test.buffers; ++i) {
      inputs.emplace_back(test.elements(n, m) * test.elementBytes);
      // Small numbers: sums of floats are exact, and nothing is NaN.
      for (std::size_t at = 0; at < inputs.back().size();
           at += test.elementBytes)
        inputs.back()[at + test.elementBytes - 1] =
            test.elementBytes == 4 ? 64 : static_cast<unsigned char>(random());
      if (test.elementBytes == 4)
        for (std::size_t at = 0; at < inputs.back().size(); at += 4) {
          const float value = test.values.empty()
                                  ? static_cast<float>(random() % 16)
                                  : test.values[random() % test.values.size()];
          std::copy_n(reinterpret_cast<const unsigned char *>(&value), 4,
                      inputs.back().begin() + static_cast<long>(at));
        }
    }
    const std::vector<Bytes> wanted = run(inputs, n, m, offset, false);
    const std::vector<Bytes> got = run(inputs, n, m, offset, true);
    for (unsigned i = 0; i < test.buffers; ++i)
      EXPECT_EQ(got[i], wanted[i]) << test.name << " n=" << n << " m=" << m
                                   << " buffer " << i << " variant " << variant;
    return variant;
  }

  std::string plan, optimized;

private:
  using Bytes = std::vector<unsigned char>;

  void buildOriginal() {
    const char *text = test.source.c_str();
    cl_int status = CL_SUCCESS;
    program = ProgramHandle(clCreateProgramWithSource(device.context(), 1,
                                                      &text, nullptr, &status));
    const cl_device_id id = device.id();
    EXPECT_EQ(clBuildProgram(program.get(), 1, &id, "-cl-opt-disable", nullptr,
                             nullptr),
              CL_SUCCESS);
    original = KernelHandle(clCreateKernel(program.get(), "f", &status));
  }

  void buildPlan() {
    EXPECT_EQ(clopt_runtime_create(device.context(), device.id(),
                                   {plan.data(), plan.size()},
                                   {optimized.data(), optimized.size()},
                                   {test.source.data(), test.source.size()},
                                   "-cl-opt-disable", &runtime),
              CLOPT_SUCCESS)
        << clopt_last_error();
    EXPECT_EQ(clopt_kernel_create(runtime, "f", &kernel), CLOPT_SUCCESS);
  }

  std::vector<Bytes> run(const std::vector<Bytes> &inputs, int n, int m,
                         const std::array<std::size_t, 2> &offset,
                         bool withPlan) {
    std::vector<BufferHandle> buffers;
    for (const Bytes &input : inputs) {
      cl_int status = CL_SUCCESS;
      buffers.emplace_back(clCreateBuffer(
          device.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
          input.size(), const_cast<unsigned char *>(input.data()), &status));
      EXPECT_EQ(status, CL_SUCCESS);
    }
    cl_uint index = 0;
    auto set = [&](std::size_t size, const void *value) {
      if (withPlan)
        EXPECT_EQ(clopt_kernel_set_arg(kernel, index, size, value),
                  CLOPT_SUCCESS);
      else
        EXPECT_EQ(clSetKernelArg(original.get(), index, size, value),
                  CL_SUCCESS);
      ++index;
    };
    for (const BufferHandle &buffer : buffers) {
      cl_mem memory = buffer.get();
      set(sizeof memory, &memory);
    }
    set(sizeof n, &n);
    set(sizeof m, &m);
    const std::array<std::size_t, 2> global = test.global(n, m);
    if (withPlan) {
      EXPECT_EQ(clopt_enqueue_kernel(device.queue(), kernel, 2, offset.data(),
                                     global.data(), nullptr, 0, nullptr,
                                     nullptr),
                CLOPT_SUCCESS)
          << clopt_last_error();
      variant = clopt_kernel_variant(kernel);
    } else {
      EXPECT_EQ(clEnqueueNDRangeKernel(device.queue(), original.get(), 2,
                                       offset.data(), global.data(), nullptr, 0,
                                       nullptr, nullptr),
                CL_SUCCESS);
    }
    EXPECT_EQ(clFinish(device.queue()), CL_SUCCESS);
    std::vector<Bytes> outputs;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      outputs.emplace_back(inputs[i].size());
      EXPECT_EQ(clEnqueueReadBuffer(device.queue(), buffers[i].get(), CL_TRUE,
                                    0, outputs[i].size(), outputs[i].data(), 0,
                                    nullptr, nullptr),
                CL_SUCCESS);
    }
    return outputs;
  }

  LayoutCase test;
  Device device = Device::select("", "");
  TemporaryFolder folder;
  std::string variant;
  ProgramHandle program;
  KernelHandle original;
  clopt_runtime *runtime = nullptr;
  clopt_kernel *kernel = nullptr;
};

std::size_t square(int n, int m) { return static_cast<std::size_t>(n) * m; }
std::array<std::size_t, 2> both(int n, int m) {
  return {static_cast<std::size_t>(m), static_cast<std::size_t>(n)};
}

constexpr const char *heading = "__kernel void f(__global float *a, __global "
                                "float *c, int n, int m) {\n"
                                "  int x = get_global_id(0);\n"
                                "  int y = get_global_id(1);\n";

/// Sizes of one case; the variant has to be the converted one at least once.
void check(const LayoutCase &test,
           const std::vector<std::pair<int, int>> &sizes,
           std::array<std::size_t, 2> offset = {0, 0}) {
  LayoutRun run(test);
  ASSERT_FALSE(run.plan.empty()) << test.name;
  unsigned converted = 0;
  for (const auto &[n, m] : sizes)
    converted += run.compare(n, m, offset).find(" with ") != std::string::npos;
  EXPECT_GT(converted, sizes.size() / 2) << test.name;
}

const std::vector<std::pair<int, int>> sizes = {
    {1, 1}, {2, 2}, {3, 3}, {1, 37}, {37, 1}, {31, 33}, {61, 7}, {67, 101}};

TEST(RuntimeLayoutTest, ReadThroughATransposedCopy) {
  LayoutCase test = {
      "transpose",
      std::string(heading) +
          "  if (x < m && y < n) c[y * m + x] = a[y * m + x];\n}",
      "kernel f plan\nlayout a transpose buffer\n",
      2,
      square,
      both};
  check(test, sizes);
  check(test, {{5, 5}, {31, 33}, {12, 70}}, {3, 2});
}

/// F06.
TEST(RuntimeLayoutTest, EveryKindOfPart) {
  for (const std::string layout :
       {"reverse", "reverse:0", "offset:3", "offset:-2,0", "skew:1", "skew:-2",
        "skew:1,1,0", "stride:3", "stride:2 transpose",
        "stride:5 transpose:0,2", "matrix:1,1,0,1", "matrix:2,1,1,1",
        "transpose reverse", "skew:1 transpose", "transpose stride:4 reverse:0",
        "reverse transpose offset:7 skew:2"}) {
    LayoutCase test = {
        layout,
        std::string(heading) +
            "  if (x < m && y < n) c[y * m + x] += a[y * m + x];\n}",
        "kernel f plan\nlayout a " + layout + " buffer\n",
        2,
        square,
        both};
    check(test, {{1, 1}, {3, 2}, {13, 37}, {34, 5}});
  }
}

/// F06.
TEST(RuntimeLayoutTest, WrittenBack) {
  for (const std::string layout :
       {"transpose", "reverse", "reverse:0 transpose offset:1"}) {
    LayoutCase test = {
        layout + ", written",
        std::string(heading) +
            "  if (x < m && y < n) c[y * m + x] = 2 * a[y * m + x];\n}",
        "kernel f plan\nlayout c " + layout + " buffer\n",
        2,
        square,
        both};
    check(test, sizes);
    LayoutCase update = {
        layout + ", updated",
        std::string(heading) +
            "  if (x < m && y < n) c[y * m + x] += a[y * m + x];\n}",
        "kernel f plan\nlayout a c " + layout + " buffer\n",
        2,
        square,
        both};
    check(update, sizes);
  }
}

/// F32: work-items that each go through a row read and write columns of
/// transposed copies; so do those that scan columns, in rows of them.
TEST(RuntimeLayoutTest, F32ScansThroughTransposedCopies) {
  const std::string head = "__kernel void f(__global const int *restrict a, "
                           "__global int *restrict c, int n, int m) {\n"
                           "  int y = get_global_id(0), s = 0;\n";
  LayoutCase rows = {
      "rows",
      head + "  if (y < n) for (int k = 0; k < m; k++) {\n"
             "    s += a[y * m + k];\n    c[y * m + k] = s;\n  }\n}",
      "kernel f plan\nlayout a c transpose buffer\n",
      2,
      square,
      both};
  check(rows, sizes);
  LayoutCase columns = rows;
  columns.name = "columns";
  columns.source = head +
                   "  if (y < m) for (int k = 0; k < n; k++) {\n"
                   "    c[k * m + y] = s;\n    s += a[k * m + y];\n  }\n}";
  check(columns, sizes);
}

/// Only what is written is written back: the border stays as it is.
TEST(RuntimeLayoutTest, InnerCellsAreWrittenBack) {
  LayoutCase test = {
      "inner",
      std::string(heading) +
          "  if (x > 0 && x < m - 1 && y > 0 && y < n - 1)\n"
          "    c[y * m + x] = a[(y - 1) * m + x] + a[(y + 1) * m + x]"
          " + a[y * m + x - 1] + a[y * m + x + 1] + c[y * m + x];\n}",
      "kernel f plan\nlayout a c transpose buffer\n",
      2,
      square,
      both};
  check(test, {{3, 3}, {4, 3}, {5, 7}, {31, 37}, {64, 33}, {2, 9}});
}

TEST(RuntimeLayoutTest, PlanesOfAnInterleavedArray) {
  LayoutCase test = {
      "planes",
      "__kernel void f(__global float *a, __global float *c, int n, int m) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < m) c[i] = a[3 * i] - a[3 * i + 1] * a[3 * i + 2];\n}",
      "kernel f plan\nlayout a stride:3 buffer\n",
      2,
      [](int, int m) { return std::size_t(3) * m; },
      [](int, int m) { return std::array<std::size_t, 2>{std::size_t(m), 1}; }};
  check(test, {{1, 1}, {1, 2}, {1, 3}, {1, 341}, {1, 1021}});
  test.recipe = "kernel f plan\nlayout a stride:3,1 buffer\n";
  check(test, {{1, 1}, {1, 2}, {1, 3}, {1, 341}, {1, 1021}});
}

TEST(RuntimeLayoutTest, SeveralCopiesOfOneArray) {
  LayoutCase test = {
      "shifted",
      "__kernel void f(__global float *a, __global float *c, int n, int m) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < m) c[i] = a[i] * a[i + 10] + a[i + 11];\n}",
      "kernel f plan\nlayout a offset:0 buffer\nlayout a offset:10 buffer\n"
      "layout a offset:11 buffer\n",
      2,
      [](int, int m) { return std::size_t(m) + 11; },
      [](int, int m) { return std::array<std::size_t, 2>{std::size_t(m), 1}; }};
  check(test, {{1, 1}, {1, 2}, {1, 3}, {1, 1021}});
  LayoutRun run(test);
  EXPECT_NE(run.optimized.find("a_t[i - a_t_low0] * a_t2[i - a_t2_low0] + "
                               "a_t3[i - a_t3_low0]"),
            std::string::npos)
      << run.optimized;
}

/// One plane is read, another one written: copies serve the reads alone.
TEST(RuntimeLayoutTest, SeveralCopiesOfAnArrayThatIsWrittenElsewhere) {
  LayoutCase test = {
      "planes of one buffer",
      "__kernel void f(__global float *u, __global float *d, int n, int m) {\n"
      "  int y = get_global_id(1);\n"
      "  if (y < 1 || y >= n - 1) return;\n"
      "  for (int x = 1; x < n - 1; x++) {\n"
      "    d[y] = u[(y + 1) * n + x] - u[(y - 1) * n + x];\n"
      "    u[n * n + y * n + x] = u[y * n + x] + 2 * d[y] +\n"
      "        u[y * n + x + 1] - 2 * u[y * n + x] + u[y * n + x - 1];\n"
      "  }\n}",
      "kernel f plan\nlayout u offset:1 buffer\nlayout u offset:-1 buffer\n",
      2,
      [](int n, int) { return std::size_t(2) * n * n; },
      [](int n, int) { return std::array<std::size_t, 2>{1, std::size_t(n)}; }};
  check(test, {{3, 1}, {4, 1}, {7, 1}, {31, 1}, {67, 1}});
  LayoutRun run(test);
  EXPECT_NE(run.optimized.find("u_t["), std::string::npos);
  EXPECT_NE(run.optimized.find("u_t2["), std::string::npos);
  test.recipe = "kernel f plan\nlayout u transpose buffer\n"
                "layout u offset:1 transpose:0,2 buffer\n";
  check(test, {{3, 1}, {7, 1}, {67, 1}});
}

TEST(RuntimeLayoutTest, NarrowAndWideElements) {
  for (const auto &[type, bytes] :
       std::vector<std::pair<std::string, unsigned>>{
           {"uchar", 1}, {"short", 2}, {"long", 8}}) {
    for (const std::string layout : {"transpose", "reverse", "stride:3"}) {
      LayoutCase test = {
          type + " " + layout,
          "__kernel void f(__global " + type + " *a, __global " + type +
              " *c, int n, int m) {\n"
              "  int x = get_global_id(0), y = get_global_id(1);\n"
              "  if (x < m && y < n) c[y * m + x] = a[y * m + x];\n}",
          "kernel f plan\nlayout a " + layout + " buffer\n",
          2,
          square,
          both};
      test.elementBytes = bytes;
      check(test, {{1, 1}, {3, 2}, {33, 129}, {130, 5}, {256, 384}});
    }
  }
}

/// Tiles that are whole, with rows that are aligned and rows that are not,
/// there and back.
TEST(RuntimeLayoutTest, WholeTiles) {
  for (const auto &[type, bytes] :
       std::vector<std::pair<std::string, unsigned>>{
           {"uchar", 1}, {"short", 2}, {"float", 4}, {"long", 8}}) {
    for (const std::string layout :
         {"transpose", "reverse transpose", "offset:1"}) {
      LayoutCase test = {
          type + " " + layout + ", whole",
          "__kernel void f(__global " + type + " *a, __global " + type +
              " *c, int n, int m) {\n"
              "  int x = get_global_id(0), y = get_global_id(1);\n"
              "  if (x < m && y < n) c[y * m + x] += a[y * m + x];\n}",
          "kernel f plan\nlayout a c " + layout + " buffer\n",
          2,
          square,
          both};
      test.elementBytes = bytes;
      check(test, {{128, 256}, {260, 192}, {129, 131}, {384, 64}});
    }
  }
}

/// Rows that begin anywhere, forward and reversed, there and back.
TEST(RuntimeLayoutTest, RowsThatBeginAnywhere) {
  for (const auto &[type, bytes] :
       std::vector<std::pair<std::string, unsigned>>{
           {"uchar", 1}, {"short", 2}, {"float", 4}, {"long", 8}})
    for (const std::string layout :
         {"skew:1", "skew:-3", "offset:1", "reverse"}) {
      LayoutCase test = {
          type + " " + layout + ", skewed",
          "__kernel void f(__global " + type + " *a, __global " + type +
              " *c, int n, int m) {\n"
              "  int x = get_global_id(0), y = get_global_id(1);\n"
              "  if (x < m && y < n) c[y * m + x] += a[y * m + x];\n}",
          "kernel f plan\nlayout a " +
              std::string(layout[0] == 's' ? "" : "c ") + layout + " buffer\n",
          2,
          square,
          both};
      test.elementBytes = bytes;
      check(test, {{64, 1600}, {67, 1601}, {40, 2050}, {33, 1023}});
    }
}

/// Sums in any order: partial sums along rows of a transposed operand.
TEST(RuntimeLayoutTest, DotProductsOfRows) {
  LayoutCase test = {
      "product",
      "__kernel void f(__global float *a, __global float *b, __global "
      "float *c, int n, int m) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  for (int k = 0; k < m; k++)\n"
      "    c[y * m + x] += a[y * m + k] * b[k * m + x];\n}",
      "kernel f plan\nlayout b transpose buffer\n"
      "privatize c\nvectorize k:8\ncoarsen y:2\ncoarsen x:2\n",
      3,
      [](int n, int m) { return square(std::max(n, m), m); },
      both};
  test.flags = {"--target=cpu", "-cl-unsafe-math-optimizations"};
  check(test, {{1, 1}, {2, 3}, {7, 7}, {8, 8}, {31, 33}, {40, 64}, {67, 61}});
}

std::string paddedSum(const std::string &type, const std::string &sum) {
  return "__kernel void f(__global " + type + " *a, __global " + type +
         " *b, __global " + type +
         " *c, int n, int m) {\n"
         "  int x = get_global_id(0), y = get_global_id(1);\n" +
         sum + "\n}";
}

const std::vector<std::pair<int, int>> sumSizes = {
    {1, 1}, {1, 2}, {2, 3}, {2, 4},  {3, 5},  {3, 6},
    {3, 7}, {3, 8}, {2, 9}, {3, 63}, {2, 64}, {3, 65}};

/// F10: rows that end in zeros, of what nobody can add zeros to unseen: sums
/// that are -0, factors that are infinite or no numbers.
TEST(RuntimeLayoutTest, F10PaddedSumsOfFloats) {
  LayoutCase test = {
      "padded floats",
      paddedSum("float", "  for (int k = 0; k < m; k++)\n"
                         "    c[y * m + x] += a[y * m + k] * b[k * m + x];"),
      "kernel f plan\nlayout a pad=4 buffer\n"
      "layout b transpose pad=4 buffer\nunroll k:4\n",
      3,
      [](int n, int m) { return square(std::max(n, m), m); },
      both};
  check(test, sumSizes);
  test.values = {0.0f, -0.0f, -1.0f, 1.0f, INFINITY, -INFINITY, NAN};
  check(test, sumSizes);
  test.values = {-0.0f};
  check(test, {{1, 1}, {2, 6}, {3, 65}});
}

/// F10: of integers, whatever else the terms have.
TEST(RuntimeLayoutTest, F10PaddedSumsOfIntegers) {
  for (const auto &[type, bytes] :
       std::vector<std::pair<std::string, unsigned>>{{"uchar", 1},
                                                     {"ulong", 8}}) {
    LayoutCase test = {
        "padded " + type,
        paddedSum(type, "  " + type + " s = c[y * m + x];\n" +
                            "  for (int k = 0; k < m; k++) {\n"
                            "    int left = a[y * m + k] * (k + x);\n"
                            "    s -= left * b[k * m + x];\n"
                            "  }\n"
                            "  c[y * m + x] = s;"),
        "kernel f plan\nlayout a pad=8 buffer\n"
        "layout b transpose pad=8 buffer\nunroll k:8\n",
        3,
        [](int n, int m) { return square(std::max(n, m), m); },
        both};
    test.elementBytes = bytes;
    check(test, {{1, 1}, {2, 3}, {2, 8}, {3, 9}, {3, 65}});
  }
}

/// F10: the copies' other transforms, and sums that begin later.
TEST(RuntimeLayoutTest, F10PaddedCopiesOfEveryKind) {
  LayoutCase test = {
      "padded planes",
      paddedSum("float", "  float s = 0;\n"
                         "  for (int k = 2; k <= m - 1; k++)\n"
                         "    s += a[3 * (y * m + k) + 1] * b[n * k + y];\n"
                         "  c[y * m + x] = s;"),
      "kernel f plan\nlayout a stride:3,1 pad=16 buffer\n"
      "layout b transpose pad=16 buffer\n",
      3,
      [](int n, int m) { return 3 * square(n, m); },
      both};
  check(test, {{1, 3}, {1, 18}, {1, 300}, {1, 1030}});
}

/// Structures whose elements have planes: all of them, and those that are used.
TEST(RuntimeLayoutTest, StructuresOfElements) {
  for (const auto &[type, bytes] :
       std::vector<std::pair<std::string, unsigned>>{
           {"uchar", 1}, {"float", 4}, {"ulong", 8}})
    for (const std::string size : {"2", "3", "6"}) {
      LayoutCase test = {
          type + " structures of " + size,
          "__kernel void f(__global " + type + " *a, __global " + type +
              " *c, int n, int m) {\n"
              "  int i = get_global_id(0);\n"
              "  if (i < m)\n"
              "    for (int k = 0; k < " +
              size + "; k++) c[" + size + " * i + k] += a[" + size +
              " * i + 1];\n}",
          "kernel f plan\nlayout a c stride:" + size + " buffer\n",
          2,
          [](int, int m) { return std::size_t(8) * m; },
          [](int, int m) {
            return std::array<std::size_t, 2>{std::size_t(m), 1};
          }};
      test.elementBytes = bytes;
      check(test, {{1, 1}, {1, 2}, {1, 3}, {1, 2048}, {1, 4099}});
    }
}

std::size_t line(int, int m) { return static_cast<std::size_t>(m); }
std::array<std::size_t, 2> items(int, int m) {
  return {static_cast<std::size_t>(m), 1};
}

/// F15: every element of buffers whose length is no multiple of the width, in
/// rows of several lengths, and with the width that the host chooses.
TEST(RuntimeLayoutTest, F15ReadThroughAnImage) {
  for (const auto &[type, bytes] :
       std::vector<std::pair<std::string, unsigned>>{{"float", 4},
                                                     {"int", 4},
                                                     {"uint", 4},
                                                     {"short", 2},
                                                     {"ushort", 2},
                                                     {"char", 1},
                                                     {"uchar", 1}})
    for (const std::string width :
         {"", " width=1", " width=8", " width=64", " width=100"}) {
      if (!width.empty() && type != "float" && type != "uchar")
        continue;
      LayoutCase test = {type + " image" + width,
                         "__kernel void f(__global const " + type +
                             " *a, __global " + type +
                             " *c, int n, int m) {\n"
                             "  int i = get_global_id(0);\n"
                             "  if (i < m) c[m - 1 - i] = a[(i * 7) % m];\n}",
                         "kernel f plan\nlayout a image" + width + "\n",
                         2,
                         line,
                         items};
      test.elementBytes = bytes;
      if (width.empty() || type == "float")
        check(test, {{1, 1},
                     {1, 2},
                     {1, 7},
                     {1, 8},
                     {1, 9},
                     {1, 64},
                     {1, 1021},
                     {1, 4100}});
      else
        check(test, {{1, 1}, {1, 99}, {1, 1021}});
    }
}

/// Rows of the array are rows of the image, with a border and whole vectors.
TEST(RuntimeLayoutTest, ReadThroughAnImageOfTwoDimensions) {
  for (const auto &[type, bytes] :
       std::vector<std::pair<std::string, unsigned>>{
           {"float", 4}, {"int", 4}, {"uchar", 1}, {"short", 2}}) {
    LayoutCase test = {
        type + " plane",
        "__kernel void f(__global const " + type + " *a, __global " + type +
            " *c, int n, int m) {\n"
            "  int x = get_global_id(0), y = get_global_id(1);\n"
            "  if (x > 0 && x < m - 1 && y > 0 && y < n - 1)\n"
            "    c[y * m + x] = a[(y - 1) * m + x] + a[(y + 1) * m + x]"
            " + a[y * m + x - 1] - a[y * m + x + 1];\n}",
        "kernel f plan\nlayout a image\n",
        2,
        square,
        both};
    test.elementBytes = bytes;
    check(test, {{3, 3}, {4, 3}, {5, 7}, {31, 37}, {64, 33}, {2, 9}});
    LayoutCase four = test;
    four.name = type + " texels of four";
    four.source = "__kernel void f(__global const " + type + " *a, __global " +
                  type +
                  " *c, int n, int m) {\n"
                  "  int x = get_global_id(0), y = get_global_id(1);\n"
                  "  if (4 * x < m && y < n)\n"
                  "    c[y * m + x] = a[y * m + 4 * x + 3] - "
                  "a[y * m + 4 * x];\n}";
    four.global = [](int n, int m) {
      return std::array<std::size_t, 2>{static_cast<std::size_t>(m / 4),
                                        static_cast<std::size_t>(n)};
    };
    check(four, {{1, 4}, {4, 4}, {3, 8}, {16, 20}, {5, 64}});
  }
}

/// vload, pointers to vectors and single elements of the same array.
TEST(RuntimeLayoutTest, ReadThroughTexelsOfVectors) {
  const std::vector<std::pair<std::string, std::string>> reads = {
      {"float", "a[4 * i + 2] + vload4(j, a).y"},
      {"float", "((__global const float4 *)a)[j].z - a[4 * i + 1]"},
      {"int", "vload4(j, a).w * a[4 * i]"},
      {"uint", "vload2(2 * i, a).y + a[4 * i + 3]"}};
  for (const auto &[type, read] : reads) {
    LayoutCase test = {type + " " + read,
                       "__kernel void f(__global const " + type +
                           " *a, __global " + type +
                           " *c, int n, int m) {\n"
                           "  int i = get_global_id(0), j = (i * 3) % m;\n"
                           "  if (i < m) c[i] = " +
                           read + ";\n}",
                       "kernel f plan\nlayout a image\n",
                       2,
                       [](int, int m) { return std::size_t(4) * m; },
                       items};
    check(test, {{1, 1}, {1, 2}, {1, 37}, {1, 1021}});
  }
  LayoutCase half = {"half",
                     "__kernel void f(__global const half *a, __global short "
                     "*c, int n, int m) {\n"
                     "  int i = get_global_id(0);\n"
                     "  if (i < m) c[i] = convert_short_sat(256 * "
                     "vload_half((i * 5) % m, a));\n}",
                     "kernel f plan\nlayout a image\n",
                     2,
                     line,
                     items,
                     2};
  check(half, {{1, 1}, {1, 7}, {1, 1021}});
  half.source.replace(half.source.find("vload_half("), 11, "vload_half2(");
  half.source.replace(half.source.find("% m, a)"), 7,
                      "% m, (__global const half *)a).y");
  half.elements = [](int, int m) { return std::size_t(2) * m; };
  half.name = "half2";
  LayoutRun two(half);
  // Two channels: not every device has them.
  for (int m : {1, 7, 1021})
    two.compare(1, m, {0, 0});
}

/// F11: no copy, the same buffer; what follows names the new parameter.
TEST(RuntimeLayoutTest, F11ConstantMemory) {
  LayoutCase test = {
      "constant",
      std::string(heading) + "  if (x >= m || y >= n) return;\n"
                             "  float s = 0;\n"
                             "  for (int k = 0; k < m; k++) s += k * a[k];\n"
                             "  c[y * m + x] = s;\n}",
      "kernel f plan\nstage a constant\ncoarsen x:2\nunroll k:2\n",
      2,
      square,
      both};
  check(test, {{1, 1}, {3, 2}, {13, 37}, {34, 5}});
  LayoutRun run(test);
  EXPECT_NE(run.plan.find("same launch with a_constant"), std::string::npos)
      << run.plan;
}

/// F19: weights that all work-items read alike.
TEST(RuntimeLayoutTest, F19UniformWeightsInConstantMemory) {
  LayoutCase test = {"weights",
                     std::string(heading) +
                         "  if (x >= m || y >= n) return;\n"
                         "  float s = 0;\n"
                         "  for (int k = 0; k < 3; k++)\n"
                         "    s += a[k] * c[y * m + x] + a[2 - k];\n"
                         "  c[y * m + x] = s;\n}",
                     "kernel f plan\nstage a constant\nunroll k:3\n",
                     2,
                     [](int n, int m) { return square(n, m) + 3; },
                     both};
  check(test, {{1, 1}, {5, 7}, {33, 2}});
}

/// Steps that follow are for the kernel on copies, whose parameters they name.
TEST(RuntimeLayoutTest, OptimizedFurther) {
  LayoutCase test = {"further",
                     std::string(heading) + "  if (x >= m || y >= n) return;\n"
                                            "  float sum = 0;\n"
                                            "  for (int k = 0; k < n; k++)\n"
                                            "    sum += a[k * m + x];\n"
                                            "  c[y * m + x] = sum;\n}",
                     "kernel f plan\nlayout a transpose buffer\n"
                     "coarsen y:2\nunroll k:2\n",
                     2,
                     square,
                     both};
  check(test, sizes);
}

} // namespace
