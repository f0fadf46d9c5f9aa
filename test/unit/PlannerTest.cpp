//===- PlannerTest.cpp - which steps are chosen for which device ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/Planner.h"

#include "KernelTesting.h"

#include <algorithm>

using namespace clopt;

static Plan planOf(const TestedKernel &tested, const std::string &target,
                   AliasMode alias = AliasMode::Check) {
  llvm::Expected<DeviceProfile> profile = loadProfile(target);
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return {};
  }
  return planKernel(tested.kernel, *profile, alias);
}

static std::string stepsOf(const std::string &source, const std::string &target,
                           const std::vector<std::string> &flags = {}) {
  TestedKernel tested(source, flags);
  return printSteps(planOf(tested, target).steps);
}

static bool has(const std::string &steps, const std::string &part) {
  return steps.find(part) != std::string::npos;
}

static const char *const product =
    "__kernel void f(__global const float *A, __global const float *B,\n"
    "                __global float *C, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++)\n"
    "    C[i * n + j] += A[i * n + k] * B[k * n + j]; }";

TEST(PlannerTest, CellsUsedInALoopAreKeptInRegisters) {
  for (const char *target : {"cpu", "generic-gpu", "nvidia-hopper"})
    EXPECT_TRUE(has(stepsOf(product, target), "privatize  C\n")) << target;
}

TEST(PlannerTest, CellsAreKeptWhileOverlappingOnesAreWritten) {
  auto batch = [](const std::string &qualifier) {
    return "__kernel void f(__global const float *" + qualifier +
           "A, __global float *" + qualifier +
           "C, int n) {\n"
           "  int b = get_global_id(0);\n"
           "  for (int i = 0; i < 4; i++)\n"
           "    for (int j = 0; j < 4; j++)\n"
           "      C[b * 16 + i * 4 + j] = A[b * 4 + i] * A[b * 4 + j]; }";
  };
  EXPECT_TRUE(has(stepsOf(batch(""), "nvidia-hopper"), "privatize  A\n"));
  EXPECT_FALSE(has(stepsOf(batch("restrict "), "nvidia-hopper"), "privatize"));
  EXPECT_FALSE(has(stepsOf(batch(""), "cpu"), "privatize"));
}

TEST(PlannerTest, CopiesThatSaveLittleAreNoPlan) {
  auto loops = [](int count) {
    std::string body;
    for (int i = 0; i < count; ++i)
      body += "  for (int k = 0; k < n; k++) t += a[(k * n + y) * n + x] * "
              "b[(k * n + y) * n + x];\n";
    return "__kernel void f(__global const float *a, __global const float *b,\n"
           "                __global float *s, __global uint *c, int n) {\n"
           "  int x = get_global_id(0), y = get_global_id(1);\n"
           "  float t = 0;\n" +
           body +
           "  for (int k = 0; k < n; k++) c[y * n + x] ^= k;\n"
           "  s[y * n + x] = t; }";
  };
  EXPECT_TRUE(has(stepsOf(loops(1), "nvidia-hopper"), "privatize  c\n"));
  EXPECT_EQ(stepsOf(loops(6), "nvidia-hopper"), "");
}

/// Sums of `term` over all k, of which work-items make one each.
static std::string sumOfAll(const std::string &term,
                            const std::string &before = "") {
  return "__kernel void f(__global const float *restrict a,\n"
         "  __global const float4 *restrict v, __global float *restrict r,\n"
         "  int n, int m) {\n"
         "  int x = get_global_id(0), y = get_global_id(1);\n"
         "  float t = 0;\n" +
         before + "  for (int k = 0; k < n; k++) t += " + term +
         ";\n  r[y * m + x] = t; }";
}

TEST(PlannerTest, NeighboursAreLanesWhereAllLoadTheSame) {
  const std::string lanes = "vectorize  x:4\nrequire    k:16\n"
                            "require    items=811008\n";
  EXPECT_EQ(stepsOf(sumOfAll("a[k] * x"), "nvidia-hopper"), lanes);
  // Compute much with it, wait for loads of their own, or have arrays.
  EXPECT_EQ(stepsOf(sumOfAll("a[k] / (x + a[k] * y)"), "nvidia-hopper"), "");
  EXPECT_FALSE(has(stepsOf(sumOfAll("a[k] * a[k * m + x]"), "nvidia-hopper"),
                   "vectorize"));
  EXPECT_EQ(stepsOf(sumOfAll("a[k] * own[(k + x) & 3]",
                             "  float own[4] = {x, y, n, m};\n"),
                    "nvidia-hopper"),
            "");
  // What is kept in memory is stored again and again.
  TestedKernel inMemory("__kernel void f(__global float *s,\n"
                        "  __global const float *a, int n) {\n"
                        "  int x = get_global_id(0);\n"
                        "  for (int k = 0; k < n; k++) s[x] += a[k] * x; }");
  EXPECT_FALSE(has(
      printSteps(planOf(inMemory, "nvidia-hopper", AliasMode::Strict).steps),
      "vectorize"));
  // A vector comes with one load, whichever components are taken.
  EXPECT_EQ(
      stepsOf(sumOfAll("v[k].x * x + v[k].y * (x + 1) + v[k].z * (x + 2) + "
                       "v[k].w * (x + 3)"),
              "nvidia-hopper"),
      "");
  EXPECT_EQ(stepsOf(sumOfAll("v[k].x * x"), "nvidia-hopper"), lanes);
}

TEST(PlannerTest, WideRequestsPayWhereFewOperationsAreDone) {
  auto window = [](const std::string &divisor) {
    return "__kernel void f(__global const uchar *a, __global uchar *b, int "
           "w,\n"
           "                int h) {\n"
           "  int x = get_global_id(0), y = get_global_id(1);\n"
           "  if (x >= w || y >= h) return;\n"
           "  int sum = 0;\n"
           "  for (int i = -1; i <= 1; i++)\n"
           "    sum += a[y * w + clamp(x + i, 0, w - 1)] / " +
           divisor + ";\n  b[y * w + x] = sum; }";
  };
  EXPECT_TRUE(
      has(stepsOf(window("3"), "nvidia-hopper"), "vectorize  x:8 aligned\n"));
  EXPECT_FALSE(has(stepsOf(window("(h + i)"), "nvidia-hopper"), "vectorize"));
}

TEST(PlannerTest, NeighboursThatReadNeighboursBecomeLanesOnACpu) {
  EXPECT_TRUE(has(stepsOf(product, "cpu"), "vectorize  j:8\n"));
  // A GPU combines their accesses by itself.
  EXPECT_FALSE(has(stepsOf(product, "generic-gpu"), "vectorize  j"));
}

/// F09.
TEST(PlannerTest, TheAxisThatRunsThroughMemoryIsTaken) {
  // The work-items are rows; along k the cells are neighbours.
  const char *const rows =
      "__kernel void f(__global float *restrict a,\n"
      "                __global float *restrict b, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  for (int k = 0; k < n; k++) a[i * n + k] = b[i * n + k] * 2; }";
  EXPECT_TRUE(has(stepsOf(rows, "cpu"), "vectorize  k:8\n"));
}

/// Compilers of processors make lanes along dimension 0.
TEST(PlannerTest, FieldsThatLieAcrossAreDoneAlongTheirRows) {
  auto field = [](const std::string &place, const std::string &rest = "") {
    return "__kernel void f(__global float *restrict a,\n"
           "                __global const float *restrict b, int n) {\n"
           "  int x = get_global_id(0), y = get_global_id(1);\n"
           "  a[" +
           place + "] = b[" + place + "] * 2" + rest + "; }";
  };
  EXPECT_EQ(stepsOf(field("x * n + y"), "cpu"),
            "interchange x y\nvectorize  y:8\nrequire    items=200000\n");
  EXPECT_EQ(stepsOf(field("y * n + x"), "cpu"), "");
  // Some lie along one, some along the other.
  EXPECT_EQ(stepsOf(field("x * n + y", " + b[y * n + x]"), "cpu"), "");
}

/// With rows a power of two apart, lanes evict each other's lines.
TEST(PlannerTest, RowsThatAreReadAndWrittenHaveFewLanes) {
  auto rows = [](const std::string &last) {
    return "__kernel void f(__global const float *restrict a,\n"
           "                __global float *restrict b, int n) {\n"
           "  int r = get_global_id(0);\n  float s = 0, t = 0;\n"
           "  for (int i = 0; i < n; i++) s += a[r * n + i];\n"
           "  for (int i = 0; i < n; i++) {\n"
           "    float d = a[r * n + i] - s; t += d * d; }\n" +
           last + " }";
  };
  const std::string rescaled =
      stepsOf(rows("for (int i = 0; i < n; i++)\n"
                   "    b[r * n + i] = a[r * n + i] * t;"),
              "cpu");
  EXPECT_TRUE(has(rescaled, "vectorize  r:4\n")) << rescaled;
  // And no more rows by coarsening.
  EXPECT_FALSE(has(rescaled, "coarsen")) << rescaled;
  const std::string summed = stepsOf(rows("b[r] = t;"), "cpu");
  EXPECT_TRUE(has(summed, "vectorize  r:8\n")) << summed;
}

/// Lanes leave loops one after the other.
TEST(PlannerTest, LoopsThatDataEndsAreRunTogetherWhereMuchIsComputed) {
  auto loop = [](const std::string &step) {
    return "__kernel void f(__global const float *restrict a,\n"
           "                __global int *restrict b) {\n"
           "  int i = get_global_id(0), k = 0, v = (int)a[i];\n"
           "  float x = a[i], y = 0;\n  " +
           step + "\n  b[i] = k + v; }";
  };
  const std::string orbit = stepsOf(
      loop("while (k < 99 && x * x + y * y < 4) {\n"
           "    float t = x * x - y * y + 1; y = 2 * x * y + 1; x = t;\n"
           "    k++; }"),
      "cpu");
  EXPECT_TRUE(has(orbit, "vectorize  i:8\n")) << orbit;
  EXPECT_EQ(stepsOf(loop("while (v != 1) { k++; if (k > 99) break;\n"
                         "    if (v % 2) v = 3 * v + 1; else v /= 2; }"),
                    "cpu"),
            "");
  EXPECT_EQ(stepsOf(loop("while (v < 9) v = (int)a[v + i];"), "cpu"), "");
}

TEST(PlannerTest, OperandsThatAreReusedCoarsenTheOtherDimension) {
  EXPECT_TRUE(has(stepsOf(product, "cpu"), "coarsen    i:"));
}

TEST(PlannerTest, LanesDoNotScatterTheirStores) {
  auto copyOf = [](const std::string &to, const std::string &from) {
    return "__kernel void f(__global float *restrict a,\n"
           "                __global const float *restrict b, int n, int m) {\n"
           "  for (int i = 0; i < n; i++)\n"
           "    for (int j = 0; j < m; j++) a[" +
           to + "] = b[" + from + "]; }";
  };
  const std::string rows = "i * m + j", columns = "j * n + i";
  std::string scattered = stepsOf(copyOf(rows, columns), "cpu");
  EXPECT_FALSE(has(scattered, "vectorize  i")) << scattered;
  std::string gathered = stepsOf(copyOf(columns, rows), "cpu");
  EXPECT_TRUE(has(gathered, "vectorize  i:8")) << gathered;
}

TEST(PlannerTest, OperationsPayForCellsThatLanesFetch) {
  auto sums = [](const std::string &value) {
    return "__kernel void f(__global const float *restrict a,\n"
           "                __global float *restrict b, int n, int m) {\n"
           "  int i = get_global_id(0);\n"
           "  float s = 0;\n"
           "  for (int k = 0; k < n; k++) s += " +
           value + ";\n  b[i] = s; }";
  };
  EXPECT_EQ(stepsOf(sums("a[i * m + k * n]"), "cpu"), "");
  EXPECT_TRUE(has(stepsOf(sums("(a[i * m + k * n] - k) * k / (1 + m)"), "cpu"),
                  "vectorize  i:8\n"));
}

/// A loop that stops early for some work-items counts cells of an array.
TEST(PlannerTest, BlocksOnAGpuLeaveArraysInRegisters) {
  auto rowsOf = [](const std::string &condition) {
    return "__kernel void f(__global const float *restrict A,\n"
           "  __global const float *restrict B, __global float *restrict C,\n"
           "  int m, int n, int K) {\n"
           "  int i = get_global_id(0), j = get_global_id(1) * 4;\n"
           "  float acc[4];\n"
           "  for (int w = 0; w < 4; w++) acc[w] = 0;\n"
           "  for (int k = 0; k < K; k++)\n"
           "    for (int w = 0; w < 4; w++)" +
           condition +
           " acc[w] += A[k * m + i] * B[(j + w) * K + k];\n"
           "  for (int w = 0; w < 4; w++)" +
           condition + " C[(j + w) * m + i] = acc[w]; }";
  };
  EXPECT_EQ(stepsOf(rowsOf(" if (j + w < n)"), "nvidia-hopper"), "");
}

/// Compilers take sums of integers apart themselves.
TEST(PlannerTest, SumsOfIntegersAreNotTakenApart) {
  auto sumOf = [](const std::string &count) {
    return "__kernel void f(__global const uchar *a, __global int *b, int n) "
           "{\n  int i = get_global_id(0), sum = 0;\n"
           "  for (int k = 0; k < " +
           count + "; k++) sum += a[i * " + count + " + k];\n  b[i] = sum; }";
  };
  EXPECT_EQ(stepsOf(sumOf("8"), "cpu"), "");
  EXPECT_EQ(stepsOf(sumOf("64"), "cpu"), "");
  auto rowsOf = [](const std::string &type, const std::string &sum,
                   const std::string &term) {
    return "__kernel void f(__global const " + type +
           " *a,\n  __global const " + type + " *b, __global " + sum +
           " *c, int n, int m) {\n  " + sum +
           " s = 0;\n  int j = get_global_id(0), i = get_global_id(1);\n"
           "  if (i >= n || j >= n) return;\n"
           "  for (int k = 0; k < m; k++) s += " +
           term + ";\n  c[i * n + j] = s; }";
  };
  const std::string product = "a[i * m + k] * b[j * m + k]";
  EXPECT_EQ(stepsOf(rowsOf("int", "int", product), "cpu"), "");
  EXPECT_EQ(stepsOf(rowsOf("short", "int", product), "cpu"), "");
  const std::string lanes = "vectorize  j:8\nstrength   b rows\n"
                            "require    k:3\ncoarsen    i:4\n";
  EXPECT_EQ(stepsOf(rowsOf("uchar", "uint", "max(a[i * m + k], b[j * m + k])"),
                    "cpu"),
            lanes);
  EXPECT_EQ(stepsOf(rowsOf("float", "float", product), "cpu"), lanes);
  EXPECT_TRUE(has(stepsOf(rowsOf("float", "float", product), "cpu",
                          {"-cl-fast-relaxed-math"}),
                  "vectorize  k:8\nrequire    k:128\n"));
}

/// Vectors of pixels that are only weighted are vectors already.
TEST(PlannerTest, WeightedVectorsAreNotTurned) {
  EXPECT_EQ(stepsOf("__kernel void f(__global const float4 *a,\n"
                    "  __global float4 *c, int w, int r) {\n"
                    "  int x = get_global_id(0), y = get_global_id(1);\n"
                    "  float4 s = 0.0f;\n"
                    "  for (int k = 0; k < r; k++)\n"
                    "    s += a[y * (w + r) + x + k];\n"
                    "  c[y * w + x] = s / r; }",
                    "cpu"),
            "");
}

/// Wide requests help those that wait for requests.
TEST(PlannerTest, BytesAreWidenedWhereLittleIsComputed) {
  auto rowOf = [](const std::string &value) {
    return "__kernel void f(__global const uchar *a, __global const uchar *b, "
           "__global uchar *c, int w) {\n"
           "  int i = get_global_id(1) * w + get_global_id(0);\n  c[i] = " +
           value + "; }";
  };
  EXPECT_TRUE(has(stepsOf(rowOf("a[i] + b[i]"), "nvidia-hopper"),
                  "vectorize  w0:8 aligned\n"))
      << stepsOf(rowOf("a[i] + b[i]"), "nvidia-hopper");
  EXPECT_EQ(stepsOf(rowOf("max(min(a[i], b[i]), (uchar)(3 * a[i] - b[i] ^ 5))"),
                    "nvidia-hopper"),
            "");
}

/// What is the same for a block counts without its loads, too, and choices are
/// seen as they are away from the borders.
TEST(PlannerTest, BlocksOnAGpuShareWindows) {
  auto windowOf = [](const std::string &weight, const std::string &end) {
    return "__kernel void f(__global const float *a, __global float *b,\n"
           "  __constant float *weight, int w, int h, int r) {\n"
           "  int x = get_global_id(0), y = get_global_id(1);\n"
           "  if (x >= w || y >= h) return;\n"
           "  float sum = 0;\n"
           "  for (int v = -r; v <= r; v++)\n"
           "    for (int u = -r; u <= r; u++) {\n"
           "      int xx = clamp(x + u, 0, w - 1);\n"
           "      int yy = clamp(y + v, 0, h - 1);\n"
           "      sum += a[yy * w + xx] * " +
           weight + ";\n" + end + "    }\n  b[y * w + x] = sum; }";
  };
  const std::string shared = "weight[(v + r) * (2 * r + 1) + u + r]";
  EXPECT_TRUE(has(stepsOf(windowOf(shared, ""), "nvidia-hopper"),
                  "select     a\ncoarsen    y:2\ncoarsen    x:2\n"));
  EXPECT_TRUE(has(stepsOf(windowOf("2", ""), "nvidia-hopper"),
                  "select     a\ncoarsen    y:2\ncoarsen    x:2\n"));
  // So do windows whose size is in memory that is only read.
  ModelOptions options;
  options.memoryArguments = true;
  TestedKernel inMemory(
      "__kernel void f(__global const float *a, __global float *b,\n"
      "  int w, int h, __constant int *p) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  float sum = 0;\n"
      "  for (int v = -p[0]; v <= p[0]; v++)\n"
      "    for (int u = -p[0]; u <= p[0]; u++)\n"
      "      sum += a[clamp(y + v, 0, h - 1) * w + clamp(x + u, 0, w - 1)];\n"
      "  b[y * w + x] = sum; }",
      {}, options);
  EXPECT_TRUE(has(printSteps(planOf(inMemory, "nvidia-hopper").steps),
                  "select     a\ncoarsen    y:2\ncoarsen    x:2\n"));
  // Each work-item does what is kept whole for itself.
  EXPECT_FALSE(has(stepsOf(windowOf(shared, "for (int q = 0; q < 9; q++) {\n"
                                            "  if (sum > q) break;\n"
                                            "  sum += a[q]; }\n"),
                           "nvidia-hopper"),
                   "coarsen"));
  // Nobody shares a store.
  EXPECT_EQ(stepsOf(windowOf(shared, "b[(y * w + x) * r + u] = sum;\n"),
                    "nvidia-hopper"),
            "");
}

TEST(PlannerTest, BlocksOnAGpuMustSaveLoads) {
  auto sumOf = [](const std::string &loop, const std::string &term) {
    return "__kernel void f(__global const float *restrict a,\n"
           "                __global const float *restrict b,\n"
           "                __global float *restrict c, int n) {\n"
           "  int i = get_global_id(1), j = get_global_id(0);\n"
           "  float sum = 0;\n  " +
           loop + "\n    sum += " + term + ";\n  c[i * n + j] = sum; }";
  };
  const std::string unknown = "for (int k = 0; k < n; k++)";
  const std::string product = "a[i * n + k] * b[k * n + j]";
  std::string steps = stepsOf(sumOf(unknown, product), "nvidia-hopper");
  EXPECT_TRUE(has(steps, "coarsen    i:4\n")) << steps;
  EXPECT_TRUE(has(steps, "require    k:16\n")) << steps;
  EXPECT_TRUE(has(steps, "require    items=")) << steps;
  // A few iterations, or one address for all lanes.
  EXPECT_EQ(
      stepsOf(sumOf("for (int k = 0; k < 25; k++)", product), "nvidia-hopper"),
      "");
  EXPECT_FALSE(
      has(stepsOf(sumOf(unknown, "a[i * n + k] * b[k]"), "nvidia-hopper"),
          "coarsen"));
  // A CPU has few work-items at a time and gains anyway.
  EXPECT_FALSE(has(stepsOf(sumOf(unknown, product), "cpu"), "require"));
  // Windows are short, but many rows of them are many iterations.
  std::string windows = stepsOf(
      sumOf("for (int p = 0; p < n; p++) for (int q = 0; q < n - 1; q++)",
            "a[(i + p) * n + q] * b[(j + p) * n + q]"),
      "nvidia-hopper");
  EXPECT_TRUE(has(windows, "require    p:4\n")) << windows;
  EXPECT_TRUE(has(windows, "require    q:4\n")) << windows;
  // Little that both do would be the same.
  std::string own = stepsOf(
      sumOf("for (int p = 0; p < n; p++) for (int q = 0; q < n - 1; q++)",
            "(a[(i * n + p) * n + j * n + q] * 2.0f + i) * (b[j * n + q] - i) "
            "* i"),
      "nvidia-hopper");
  EXPECT_FALSE(has(own, "require    p:4\n")) << own;
}

TEST(PlannerTest, SmallStridesAreLoadedWhole) {
  const char *const pairs =
      "__kernel void f(__global float *restrict a,\n"
      "                __global float *restrict b, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  for (int k = 0; k < n; k++)\n"
      "    a[k * n + i] = b[2 * i + k] * 3; }";
  EXPECT_TRUE(has(stepsOf(pairs, "cpu"), "layout     b\n"));
}

/// Every work-item scales a column.
static std::string columns(const std::string &type) {
  return "__kernel void f(__global " + type + " *restrict a, __global " + type +
         " *restrict b, int n) {\n"
         "  int i = get_global_id(0);\n"
         "  for (int k = 0; k < n; k++) a[k * n + i] = b[k * n + i] * 2; }";
}

/// F08.
TEST(PlannerTest, LanesFollowTheWidestElement) {
  EXPECT_TRUE(has(stepsOf(columns("float"), "cpu"), "vectorize  i:8\n"));
  EXPECT_TRUE(has(stepsOf(columns("double"), "cpu"), "vectorize  i:4\n"));
}

// What no select can say runs lane by lane, and is most of this kernel.
TEST(PlannerTest, ConditionsWithMoreThanAssignmentsAreNoReasonForLanes) {
  auto greatest = [](const std::string &body) {
    return stepsOf("__kernel void f(__global const float *a,"
                   "  __global float *r, int n) {"
                   "int i = get_global_id(0); float b[2]; b[0] = 0; b[1] = 0;"
                   "for (int j = 0; j < n; j++) { float t = a[j * n + i];" +
                       body + " } r[i] = b[0] + b[1]; }",
                   "cpu");
  };
  EXPECT_FALSE(has(greatest("for (int k = 0; k < 2; k++) if (t > b[k])"
                            " { float s = b[k]; b[k] += t; t = s; }"),
                   "vectorize"));
  EXPECT_TRUE(has(greatest("for (int k = 0; k < 2; k++) if (t > b[k])"
                           " { float s = b[k]; b[k] = t; t = s; }"),
                  "vectorize  i:8\n"));
  EXPECT_TRUE(
      has(greatest("if (t < 0) t = 0; b[0] = b[0] + t;"), "vectorize  i:8\n"));
}

TEST(PlannerTest, RowsOfVectorsAreNotSharedByHandWithoutLanes) {
  auto products = [](const std::string &column) {
    return stepsOf("__kernel void f(__global const float4 *a,"
                   "  __global const float4 *b, __global float4 *r, int n) {"
                   "int j = get_global_id(0), i = get_global_id(1);"
                   "float4 s = 0; for (int k = 0; k < n; k++)"
                   " s += normalize(a[i * n + k] * b[" +
                       column + "]); r[i * n + j] = s; }",
                   "cpu");
  };
  EXPECT_TRUE(has(products("k * n + j"), "coarsen    i:4\n"));
  EXPECT_FALSE(has(products("j * n + k"), "coarsen"));
}

TEST(PlannerTest, StraightLineKernelsAreLeftToTheCompiler) {
  // It makes vectors of them itself, one work-item per lane.
  EXPECT_EQ(stepsOf("__kernel void f(__global float *restrict a,\n"
                    "                __global float *restrict b) {\n"
                    "  int i = get_global_id(0); a[i] = b[i] * 2; }",
                    "cpu"),
            "");
}

TEST(PlannerTest, PlacesThatNeighboursChooseKeepCompilersFromLanes) {
  auto kernel = [](const std::string &place, const std::string &value) {
    return "__kernel void f(__global const float *restrict a,\n"
           "                __global float *restrict b, int w, int h) {\n"
           "  int i = get_global_id(0), j = get_global_id(1);\n"
           "  if (i >= w || j >= h) return;\n"
           "  int l = max(i - 1, 0), u = max(j - 1, 0);\n"
           "  float x = a[" +
           place + "], y = a[j * w + i]; b[j * w + i] = " + value + "; }";
  };
  const std::string little = "x + y", much = "(x - y) / (x + y) / x / y / 3";
  EXPECT_EQ(stepsOf(kernel("j * w + l", much), "cpu"),
            "select     a\nvectorize  i:8\n");
  // Finding their tile takes longer.
  EXPECT_EQ(stepsOf(kernel("j * w + l", little), "cpu"), "");
  // What rows choose is one for all lanes.
  EXPECT_EQ(stepsOf(kernel("u * w + i", much), "cpu"), "");
  EXPECT_EQ(stepsOf(kernel("j * w + l", much), "nvidia-hopper"), "");
}

TEST(PlannerTest, WhatEachLaneLoadsOrNotIsNoGain) {
  auto upwind = [](const std::string &difference) {
    return "__kernel void f(__global const float *restrict q,\n"
           "                __global const uchar *v,\n"
           "                __global uchar *restrict r, int n) {\n"
           "  int i = get_global_id(0) + 1;\n"
           "  if (i >= n - 1) return;\n"
           "  float d = " +
           difference +
           ";\n"
           "  r[3 * i] = convert_uchar_sat(d); }";
  };
  const std::string both = "q[i + 1] - q[i - 1]";
  EXPECT_TRUE(has(stepsOf(upwind(both), "cpu"), "vectorize"));
  EXPECT_EQ(
      stepsOf(upwind("v[i] > 9 ? q[i] - q[i - 1] : q[i + 1] - q[i]"), "cpu"),
      "");
}

TEST(PlannerTest, ShortLoopsOverNarrowCellsAreLeftToTheCompiler) {
  auto sums = [](const std::string &type, const std::string &place) {
    return "__kernel void f(__global const " + type +
           " *restrict a,\n"
           "                __global " +
           type +
           " *restrict b) {\n"
           "  int i = get_global_id(0);\n"
           "  " +
           type +
           " s = a[i];\n"
           "  for (int k = 0; k < 3; k++) s += a[" +
           place +
           "];\n"
           "  b[i] = s; }";
  };
  EXPECT_EQ(stepsOf(sums("char", "i"), "cpu"), "");
  EXPECT_EQ(stepsOf(sums("float", "i"), "cpu"), "vectorize  i:8\n");
  EXPECT_TRUE(has(stepsOf(sums("char", "i + k"), "cpu"), "vectorize  i:8\n"));
}

TEST(PlannerTest, VectorsByComponentAreLanes) {
  auto sums = [](const std::string &value, const std::string &count = "n") {
    return "__kernel void f(__global const float2 *restrict a,\n"
           "                __global float2 *restrict b, int n) {\n"
           "  int i = get_global_id(0);\n"
           "  float2 s = (float2)(0.0f);\n"
           "  for (int k = 0; k < " +
           count + "; k++) s += " + value +
           ";\n"
           "  b[i] = s; }";
  };
  EXPECT_TRUE(
      has(stepsOf(sums("a[k * n + i] * a[k].yx"), "cpu"), "vectorize  i:8\n"));
  EXPECT_EQ(stepsOf(sums("normalize(a[k * n + i])"), "cpu"), "");
  // Compilers make lanes of short loops themselves.
  EXPECT_EQ(stepsOf(sums("a[k * n + i]", "3"), "cpu"), "");
}

TEST(PlannerTest, ShortConstantLoopsAreVectorsThatFillARegister) {
  auto products = [](const std::string &size) {
    return "__kernel void f(__global const float *restrict a,\n"
           "                __global const float *restrict b,\n"
           "                __global float *restrict c) {\n"
           "  int at = get_global_id(0) * " +
           size + " * " + size +
           ";\n"
           "  for (int i = 0; i < " +
           size +
           "; i++)\n"
           "    for (int j = 0; j < " +
           size +
           "; j++) {\n"
           "      float s = 0;\n"
           "      for (int k = 0; k < " +
           size +
           "; k++)\n"
           "        s += a[at + i * " +
           size +
           " + k] *\n"
           "             b[at + k * " +
           size +
           " + j];\n"
           "      c[at + i * " +
           size + " + j] = s; } }";
  };
  EXPECT_TRUE(has(stepsOf(products("4"), "cpu"), "vectorize  j:4\n"));
  EXPECT_TRUE(has(stepsOf(products("8"), "cpu"), "vectorize  j:8\n"));
  EXPECT_FALSE(has(stepsOf(products("5"), "cpu"), "vectorize"));
}

TEST(PlannerTest, BlocksShareVectorsBeforeCells) {
  // Channels have the pixels in common, images of the batch the weights.
  const std::string layer =
      "__kernel void f(__global const float *a, __global const float *w,\n"
      "                __global float *c, int n, int m) {\n"
      "  int x = get_global_id(0), o = get_global_id(1);\n"
      "  int b = get_global_id(2);\n  float s = 0;\n"
      "  for (int k = 0; k < n; k++)\n"
      "    s += a[(b * n + k) * m + x] * w[o * n + k];\n"
      "  c[(b * 64 + o) * m + x] = s; }";
  EXPECT_TRUE(has(stepsOf(layer, "cpu"), "coarsen    o:4\n"));
  std::string apart = layer;
  apart.replace(apart.find("(b * n + k) * m"), 15,
                "((b * 64 + o) * n + k) * m");
  EXPECT_TRUE(has(stepsOf(apart, "cpu"), "coarsen    b:4\n"));
}

TEST(PlannerTest, LanesOfVectorsThatAreTakenApartAreNotLeftToTheCompiler) {
  auto saturation = [](const std::string &load) {
    return "__kernel void f(__global const float4 *a, __global float *o) {\n"
           "  int i = get_global_id(0);\n" +
           load +
           "  float most = fmax(x, fmax(y, z)), least = fmin(x, fmin(y, z));\n"
           "  float s = 0.0f;\n"
           "  if (most > 0.0f) s = (most - least) / most;\n"
           "  o[i] = s; }";
  };
  EXPECT_TRUE(has(stepsOf(saturation("  float4 p = a[i];\n"
                                     "  float x = p.x, y = p.y, z = p.z;\n"),
                          "cpu"),
                  "vectorize"));
  // Components that are loaded are scalars.
  EXPECT_EQ(stepsOf(saturation("  float x = a[i].x, y = a[i].y, z = a[i].z;\n"),
                    "cpu"),
            "");
  // What stays whole is a vector without lanes.
  EXPECT_EQ(stepsOf("__kernel void f(__global const float4 *a,\n"
                    "                __global float4 *o, float4 b) {\n"
                    "  int i = get_global_id(0);\n"
                    "  float4 p = a[i];\n  o[i] = p * b + p; }",
                    "cpu"),
            "");
}

TEST(PlannerTest, LanesOfNarrowCellsThatAreRoundedAreNotLeftToTheCompiler) {
  auto pixels = [](const std::string &type, const std::string &factor,
                   const std::string &rounding) {
    return "__kernel void f(__global const " + type + " *a, __global " + type +
           " *b) {\n"
           "  int i = get_global_id(0);\n"
           "  float x = a[i] * 5 + 7, y = x * 3 - 2;\n"
           "  b[" +
           factor + "i] = convert_" + type + rounding + "(x + y); }";
  };
  EXPECT_EQ(stepsOf(pixels("uchar", "3 * ", "_sat"), "cpu"),
            "vectorize  i:8\n");
  EXPECT_EQ(stepsOf(pixels("uchar", "3 * ", ""), "cpu"), "");
  EXPECT_EQ(stepsOf(pixels("uchar", "", "_sat"), "cpu"), "");
  EXPECT_EQ(stepsOf(pixels("int", "3 * ", "_sat"), "cpu"), "");
  EXPECT_EQ(stepsOf(pixels("uchar", "3 * ", "_sat"), "nvidia-hopper"), "");
  // Where no compiler makes lanes of work-items, vectors are.
  EXPECT_EQ(stepsOf(pixels("uchar", "3 * ", ""), "mali-midgard"),
            "vectorize  i:4\n");
}

TEST(PlannerTest, ShortLoopsThatKeepCompilersFromLanesAreWrittenOut) {
  auto window = [](const std::string &count,
                   const std::string &function = "exp") {
    return "__kernel void f(__global const float4 *restrict a,\n"
           "                __global const float4 *restrict k,\n"
           "                __global float4 *restrict b, int w) {\n"
           "  int x = get_global_id(0), y = get_global_id(1);\n"
           "  float4 s = 0;\n"
           "  for (int j = 0; j < " +
           count +
           "; j++)\n"
           "    for (int i = 0; i < 3; i++) s += " +
           function +
           "(a[(y + j) * w + x + i]);\n"
           "  b[y * w + x] = s; }";
  };
  EXPECT_EQ(stepsOf(window("3"), "cpu"), "unroll     i\nunroll     j\n");
  EXPECT_FALSE(has(stepsOf(window("30"), "cpu"), "unroll"));
  EXPECT_EQ(stepsOf(window("3", ""), "cpu"), "");
  // Nor does a block of work-items pay for operands that they share.
  EXPECT_EQ(stepsOf(window("3", "k[3 * j + i] * "), "cpu"), "");
  EXPECT_FALSE(has(stepsOf(window("3"), "generic-gpu"), "unroll"));
}

TEST(PlannerTest, WhatEachLaneDoesOrNotIsNoGain) {
  auto sum = [](const std::string &term) {
    return "__kernel void f(__global const float *v,\n"
           "                __global const int *c,\n"
           "                __global const float *x,\n"
           "                __global float *y, int n, int m) {\n"
           "  int i = get_global_id(0); float s = 0;\n"
           "  for (int k = 0; k < n; k++) {\n"
           "    int j = c[k * m + i]; float a = v[k * m + i];\n"
           "    if (j >= 0) s += a * " +
           term + "; }\n  y[i] = s; }";
  };
  // Cells of their own are fetched one by one for every term.
  EXPECT_EQ(stepsOf(sum("x[j]"), "cpu"), "");
  EXPECT_TRUE(has(stepsOf(sum("x[k]"), "cpu"), "vectorize  i:8\n"));
}

TEST(PlannerTest, VectorsAreTakenApartToCountBits) {
  auto distance = [](const std::string &term) {
    return "__kernel void f(__global const uint *a, __global const uint *b,\n"
           "                __global int *d, int n, int m) {\n"
           "  int i = get_global_id(0), s = 0;\n"
           "  for (int k = 0; k < n; k++)\n"
           "    s += " +
           term + ";\n  d[i] = s; }";
  };
  const std::string bits = "(a[k] ^ b[k * m + i])";
  EXPECT_TRUE(has(stepsOf(distance(bits), "cpu"), "vectorize"));
  EXPECT_FALSE(has(stepsOf(distance("popcount" + bits), "cpu"), "vectorize"));
  EXPECT_FALSE(has(stepsOf(distance("clz" + bits), "cpu"), "vectorize"));
  const std::string operands = "(a[k], b[k * m + i])";
  EXPECT_TRUE(has(stepsOf(distance("abs_diff" + operands), "cpu"), "vector"));
  EXPECT_FALSE(has(
      stepsOf(distance("abs_diff((uchar)a[k], (uchar)b[k * m + i])"), "cpu"),
      "vector"));
  // What is one for all lanes is counted once.
  EXPECT_TRUE(has(stepsOf(distance("popcount(a[k]) * b[k * m + i]"), "cpu"),
                  "vectorize"));
  // Other devices count in every lane.
  EXPECT_TRUE(
      has(stepsOf(distance("popcount" + bits), "mali-midgard"), "vectorize"));
}

TEST(PlannerTest, LoopsThatEndApartNeedIterationsInCommon) {
  auto sum = [](const std::string &head) {
    return "__kernel void f(__global const float *a,\n"
           "                __global float *r, int n, int m) {\n"
           "  int i = get_global_id(0); float s = 0;\n"
           "  if (i >= m) return;\n  for (" +
           head + ") s += a[k] * a[k + i];\n  r[i] = s; }";
  };
  for (const char *head :
       {"int k = 0; k + i < n; k++", "int k = 0; k < n - i; k++",
        "int k = 0; k <= i; k++", "int k = i + 1; k < m; k++"}) {
    const std::string steps = stepsOf(sum(head), "cpu");
    EXPECT_TRUE(has(steps, "vectorize  i:8\n")) << head << "\n" << steps;
    EXPECT_TRUE(has(steps, "require    k:32\n")) << head << "\n" << steps;
  }
  EXPECT_FALSE(has(stepsOf(sum("int k = 0; k < n; k++"), "cpu"), "require"));
}

TEST(PlannerTest, ChoicesThatLoopsMakeAreNotResolved) {
  auto column = [](const std::string &choice) {
    return "__kernel void f(__global const int *restrict a,\n"
           "                __global int *restrict b, int w, int h, int r) {\n"
           "  int x = get_global_id(0), s = 0;\n"
           "  for (int y = 0; y < h; y++) {\n"
           "    s += a[" +
           choice + "]; b[y * w + x] = s; } }";
  };
  std::string steps = stepsOf(column("min(y + r, h - 1) * w + x"), "cpu");
  EXPECT_TRUE(has(steps, "vectorize  x:8\n")) << steps;
  EXPECT_FALSE(has(steps, "select")) << steps;
  steps = stepsOf(column("y * w + min(x + r, w - 1)"), "cpu");
  EXPECT_TRUE(has(steps, "select")) << steps;
}

TEST(PlannerTest, NothingToGainMeansNoSteps) {
  const char *const gather =
      "__kernel void f(__global float *restrict a,\n"
      "                __global float *restrict b, __global int *p) {\n"
      "  int i = get_global_id(0); a[p[i]] = b[p[i] * 2]; }";
  EXPECT_EQ(stepsOf(gather, "generic-gpu"), "");
}

TEST(PlannerTest, WhatWouldHavePaidIsToldWithItsReason) {
  TestedKernel tested(
      "__kernel void f(__global float *s, __global float *a, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  for (int k = 0; k < n; k++) s[i] += a[k]; }");
  Plan plan = planOf(tested, "generic-gpu", AliasMode::Strict);
  ASSERT_FALSE(plan.missed.empty());
  EXPECT_EQ(plan.missed[0].step.name, "privatize");
  EXPECT_EQ(plan.missed[0].refusal.ruleId, "clopt-may-alias");
  EXPECT_FALSE(plan.missed[0].refusal.hint.empty());
}

TEST(PlannerTest, EveryPlanCanBeReplayed) {
  for (const char *target : {"cpu", "generic-gpu", "nvidia-hopper"}) {
    TestedKernel tested(product);
    std::string steps = printSteps(planOf(tested, target).steps);
    EXPECT_EQ(tested.apply(steps).message, "") << target << "\n" << steps;
  }
}

TEST(PlannerTest, PlansDoNotDependOnNames) {
  std::string renamed = product;
  for (char &letter : renamed)
    letter = letter == 'A' ? 'P' : letter == 'C' ? 'Q' : letter;
  std::string steps = stepsOf(product, "cpu");
  std::replace(steps.begin(), steps.end(), 'C', 'Q');
  std::replace(steps.begin(), steps.end(), 'A', 'P');
  EXPECT_EQ(stepsOf(renamed, "cpu"), steps);
}

TEST(PlannerTest, IndexOperationsInLoopsAreMadeCheaper) {
  const char *const head = "__kernel void f(__global float *restrict a,\n"
                           "    __global float *restrict b, int n) {\n"
                           "  int i = get_global_id(0);\n";
  std::string inLoop = head + std::string("float t = 0;\n"
                                          "for (int k = 0; k < n; k++)\n"
                                          "  t += a[(i + k) / 16 + i % 4];\n"
                                          "b[i] = t; }");
  EXPECT_TRUE(has(stepsOf(inLoop, "nvidia-hopper"), "strength   a\n"));
  // Once is not worth a second version.
  std::string once = head + std::string("b[i] = a[i / 16]; }");
  EXPECT_EQ(stepsOf(once, "nvidia-hopper"), "");
}

static std::string transposed(const std::string &expr) {
  return "__kernel void f(__global const float *a, __global const float *b,\n"
         "                __global float *c, int n, int r) {\n"
         "  int i = get_global_id(0), j = get_global_id(1);\n" +
         expr + " }";
}

/// A request to store counts as two that load.
TEST(PlannerTest, StoresDecideWhereNeighboursLie) {
  EXPECT_TRUE(has(stepsOf(transposed("c[i * n + j] = a[j * n + i] +\n"
                                     "  b[i * n + j];"),
                          "nvidia-hopper"),
                  "interchange"));
  EXPECT_FALSE(has(stepsOf(transposed("c[j * n + i] = a[i * n + j] +\n"
                                      "  b[i * n + j];"),
                           "nvidia-hopper"),
                   "interchange"));
}

/// Windows that are cut at borders lie in rows like any others.
TEST(PlannerTest, ClampedIdsAreNeighbours) {
  EXPECT_TRUE(
      has(stepsOf(transposed("float s = 0;\n"
                             "  for (int k = -r; k <= r; k++)\n"
                             "    s += b[k + r] *\n"
                             "         a[i * n + clamp(j + k, 0, n - 1)];\n"
                             "  c[i * n + j] = s;"),
                  "nvidia-hopper"),
          "interchange"));
}
