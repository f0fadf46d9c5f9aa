//===- ControlSliceTest.cpp - what decides the way through a kernel -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/KernelRun.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

/// A kernel and what decides its way, run beside each other.
struct CutRun {
  explicit CutRun(const std::string &text, SmallLaunch launch = usual())
      : parsed(parseOpenCL("a.cl", text, {})) {
    EXPECT_TRUE(parsed.unit) << text;
    if (!parsed.unit)
      return;
    const Function &kernel = *parsed.unit->functions.back();
    TermStore terms(launch.data);
    RunResult all =
        CompiledKernel(*parsed.unit, kernel).run(launch, terms, 1000000);
    EXPECT_FALSE(all.fault || all.gaveUp) << text;
    TermStore others(launch.data);
    RunResult cut =
        CompiledKernel::cut(*parsed.unit, kernel, !launch.sameAs.empty())
            .run(launch, others, 1000000);
    EXPECT_FALSE(cut.fault || cut.gaveUp) << text;
    EXPECT_EQ(cut.executed, all.executed) << text;
    EXPECT_EQ(cut.steps, all.steps) << text;
    EXPECT_EQ(waysOf(cut), waysOf(all)) << text;
    EXPECT_EQ(edgesOf(cut), edgesOf(all)) << text;
    skipped = cut.skipped;
    termsMade = others.size();
  }

  static SmallLaunch usual() {
    SmallLaunch launch;
    launch.global[0] = 8;
    launch.local[0] = 4;
    launch.integers["n"] = 5;
    return launch;
  }
  static std::map<const Expr *, std::pair<bool, bool>>
  waysOf(const RunResult &run) {
    std::map<const Expr *, std::pair<bool, bool>> result;
    for (const auto &[condition, branch] : run.branches)
      result[condition] = {branch.whenTrue, branch.whenFalse};
    return result;
  }
  static std::map<const Expr *, std::pair<uint64_t, uint64_t>>
  edgesOf(const RunResult &run) {
    std::map<const Expr *, std::pair<uint64_t, uint64_t>> result;
    for (const auto &[comparison, edge] : run.edges)
      result[comparison] = {edge.toFalse, edge.toTrue};
    return result;
  }

  ParseResult parsed;
  uint64_t skipped = 0; ///< steps
  size_t termsMade = 0;
};

const std::string head =
    "__kernel void f(__global float *a, __global int *p, int n) {\n"
    "  int i = get_global_id(0);\n";

TEST(ControlSliceTest, ValuesThatDecideNothingAreCut) {
  CutRun run(head + "  float sum = 0;\n"
                    "  for (int k = 0; k < n; k++) sum += a[i * n + k];\n"
                    "  a[8 * n + i] = sum;\n"
                    "}\n");
  EXPECT_GT(run.skipped, 300u);
  EXPECT_EQ(run.termsMade, 0u);
}

TEST(ControlSliceTest, ConditionsOnDataKeepWhatWasStored) {
  CutRun run(head + "  p[i] = i * 3 - n;\n"
                    "  a[i] = a[i + 8] + 1;\n"
                    "  if (p[i] > 4) p[i] = 7;\n"
                    "  while (p[i] > 0 && p[i] < 100) p[i] -= 2;\n"
                    "}\n");
  EXPECT_GT(run.skipped, 0u);
  EXPECT_EQ(run.termsMade, 0u);
}

TEST(ControlSliceTest, FloatingPointDecides) {
  CutRun run(head + "  a[i] = a[i] * 2 + i;\n"
                    "  if (a[i] > a[i + 8]) p[i] = 1;\n"
                    "  p[(int)a[i] & 7 ? i : i + 8] = n > 3 ? 1 : 2;\n"
                    "}\n");
  EXPECT_GT(run.termsMade, 0u);
}

TEST(ControlSliceTest, BuffersThatAreOneKeepWritesOfBoth) {
  const std::string text =
      "__kernel void f(__global int *a, __global int *p, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  a[i] = i - n;\n"
      "  if (p[i] < 0) p[i] = 3;\n"
      "}\n";
  const uint64_t apart = CutRun(text).skipped;
  SmallLaunch launch = CutRun::usual();
  launch.sameAs["p"] = "a";
  EXPECT_LT(CutRun(text, launch).skipped, apart);
}

TEST(ControlSliceTest, PointersThroughMemoryLeadAnywhere) {
  CutRun run(head + "  __global int *where[2] = {p, p + 8};\n"
                    "  __global int *own = where[i & 1];\n"
                    "  own[i] = 2 * i;\n"
                    "  if (p[i] > 6) a[i] = 0;\n"
                    "}\n");
}

TEST(ControlSliceTest, PrivateAndLocalArraysFollow) {
  CutRun run(head + "  __local int l[4];\n"
                    "  int q[4];\n"
                    "  for (int k = 0; k < 4; k++) q[k] = k * i;\n"
                    "  l[get_local_id(0)] = q[i & 3];\n"
                    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                    "  if (l[3 - get_local_id(0)] > n) a[i] = 1;\n"
                    "  else a[i] += 2;\n"
                    "}\n");
  EXPECT_GT(run.skipped, 0u);
}

TEST(ControlSliceTest, LeavingEarlyAndCallsAreKept) {
  CutRun run("int g(int i, int n) {\n"
             "  for (int k = 0; k < n; k++) if (k > i) return k;\n"
             "  return n;\n"
             "}\n" +
             head +
             "  float sum = 0;\n"
             "  for (int k = 0; k < 9; k++) {\n"
             "    if (k == 2) continue;\n"
             "    if (k > g(i, n)) break;\n"
             "    sum += a[k];\n"
             "  }\n"
             "  a[i + 16] = sum;\n"
             "  if (i > n) return;\n"
             "  p[i] = 1;\n"
             "}\n");
  EXPECT_GT(run.skipped, 0u);
}

TEST(ControlSliceTest, StructsAndVectorsAreFollowed) {
  CutRun run("typedef struct { int x, y; float z; } S;\n" + head +
             "  S s = {i, n, 1};\n"
             "  S t = s;\n"
             "  int4 v = vload4(0, p);\n"
             "  v.y = t.y - t.x;\n"
             "  if (any(v > n) || t.x > 3) p[i + 8] = (int)t.z;\n"
             "  float4 w = vload4(i, a);\n"
             "  vstore4(w * 2, i + 10, a);\n"
             "}\n");
  EXPECT_GT(run.skipped, 0u);
}

} // namespace
