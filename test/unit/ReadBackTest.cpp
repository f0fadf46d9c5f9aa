//===- ReadBackTest.cpp - texts that mean the same, and others ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clopt writes is right, so wrong texts are made by hand: two kernels side
// by side, or a result of clopt with one place changed.
//
//===----------------------------------------------------------------------===//

#include "Validation/ReadBack.h"

#include "Emit/frame/KernelWriter.h"
#include "KernelTesting.h"
#include "Validation/Launches.h"
#include "clopt/Clopt.h"

using namespace clopt;

namespace {

constexpr uint64_t steps = 4000000;

SmallLaunch launchOf(int64_t global, int64_t local, int64_t n = 20) {
  SmallLaunch launch;
  launch.global[0] = global;
  launch.local[0] = local;
  launch.integers["n"] = n;
  return launch;
}

/// What differs between two kernels, "" for nothing, "?..." for not compared.
std::string difference(const std::string &original, const std::string &emitted,
                       const SmallLaunch &launch = launchOf(16, 4),
                       const std::vector<std::string> &flags = {}) {
  ParseResult first = parseOpenCL("a.cl", original, flags);
  ParseResult second = parseOpenCL("b.cl", emitted, flags);
  EXPECT_TRUE(first.unit && second.unit) << original << emitted;
  if (!first.unit || !second.unit)
    return "not parsed";
  RunNotes notes;
  std::optional<RunFault> wrong = compareRuns(
      *first.unit, *first.unit->functions.back(), *second.unit,
      *second.unit->functions.back(), launch, steps, nullptr, notes);
  return wrong ? wrong->what : notes.skipped.empty() ? "" : "?" + notes.skipped;
}

/// Kernels over buffers of floats and ints, with i as the id.
std::string kernel(const std::string &body) {
  return "__kernel void f(__global float *a, __global const float *b,\n"
         "                __global int *p, float x, int n) {\n"
         "  int i = get_global_id(0);\n" +
         body + "\n}\n";
}

std::string bodies(const std::string &original, const std::string &emitted,
                   const SmallLaunch &launch = launchOf(16, 4)) {
  return difference(kernel(original), kernel(emitted), launch);
}

void expectPart(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "was: " << text << ", not " << part;
}

TEST(ReadBackTest, TheSameValuesInAnotherForm) {
  EXPECT_EQ(bodies("a[i] = b[i] * x;", "float t = b[i]; t *= x; a[i] = t;"),
            "");
  EXPECT_EQ(bodies("float s = 0; for (int k = 0; k < n; k++) s += b[k]; "
                   "a[i] = s;",
                   "float s = 0; int k = 0; while (k + 1 < n) { s += b[k]; "
                   "s += b[k + 1]; k += 2; } if (k < n) s += b[k]; a[i] = s;"),
            "");
  EXPECT_EQ(bodies("a[i] = i < 7 ? b[i] : x;",
                   "if (i >= 7) a[i] = x; else a[i] = b[i];"),
            "");
}

TEST(ReadBackTest, VectorsAreTheirLanes) {
  const std::string original = "a[i] = b[i] * x + 1;";
  SmallLaunch launch = launchOf(16, 16);
  EXPECT_EQ(bodies(original, "if (i < 4) vstore4(vload4(i, b) * x + 1, i, a);",
                   launch),
            "");
  EXPECT_EQ(bodies(original,
                   "if (i < 4) { float4 v = *(__global const float4 *)&b[i * "
                   "4] * x; v.lo += 1; v.s23 += (float2)(1, 1); *(__global "
                   "float4 *)&a[i * 4] = v; }",
                   launch),
            "");
  expectPart(bodies(original,
                    "if (i < 4) { float4 v = vload4(i, b) * x + 1; "
                    "vstore4(v.s0132, i, a); }",
                    launch),
             "a[2] becomes ((x0 * b[3]) + 1)");
}

/// A literal may be assigned to: nothing else changes.
TEST(ReadBackTest, LiteralsThatAreAssignedTo) {
  expectPart(bodies("float y = 0; y += b[i]; a[i] = y;",
                    "float y = 0; ((float2)(y, x)).x += b[i]; a[i] = y;"),
             "a[0] becomes 0, not (0 + b[0])");
  EXPECT_EQ(
      bodies("float y = b[i]; a[i] = y;",
             "float y = b[i]; (float2)(y, x) = (float2)(x, x); a[i] = y;"),
      "");
}

TEST(ReadBackTest, WrongSubscriptsAreFound) {
  expectPart(bodies("a[i] = b[i + 1];", "a[i] = b[i];"),
             "a[0] becomes b[0], not b[1] (line 4 of the result), with 16 "
             "work-items in groups of 4, n = 20");
  expectPart(bodies("a[i] = x;", "a[i + 1] = x;"), "a[0] is not written");
  expectPart(bodies("if (i < 9) a[i] = x;", "a[i] = x;"),
             "a[9] is written, and the original does not");
}

TEST(ReadBackTest, LostStatementsAreFound) {
  expectPart(bodies("a[i] = b[i]; p[i] = i;", "a[i] = b[i];"),
             "p[0] is not written");
  expectPart(bodies("a[i] = 0; if (i == 11) a[i] = b[i];", "a[i] = 0;"),
             "a[11] becomes 0, not b[11]");
}

TEST(ReadBackTest, LoopsWithoutEndAreFound) {
  const std::string original =
      "float s = 0; for (int k = 0; k < n; k += 2) s += b[k]; a[i] = s;";
  const std::string endless =
      "float s = 0; for (int k = 0; k < n; k -= 2) if (k >= 0) s += b[k]; "
      "a[i] = s;";
  EXPECT_EQ(bodies(original, original, launchOf(1, 1)), "");
  expectPart(bodies(original, endless, launchOf(1, 1)),
             "a loop does not end (line 4 of the result)");
  // Nor one of which each iteration takes long.
  std::string sums;
  for (unsigned k = 0; k < 60; ++k)
    sums += "s += b[" + std::to_string(k) + "]; ";
  expectPart(bodies("float s = 0; for (int k = 0; k < n; k += 2) { " + sums +
                        "} a[i] = s;",
                    "float s = 0; for (int k = 0; k < n; k -= 2) { " + sums +
                        "} a[i] = s;",
                    launchOf(1, 1)),
             "a loop does not end (line 4 of the result)");
  // What the original takes as long for is only long.
  const std::string slow = "float s = 0; for (int k = 0; k < 80000000 * n; "
                           "k++) if (k < n) s += b[k]; a[i] = s;";
  EXPECT_EQ(bodies(slow, slow, launchOf(1, 1)), "?too many steps");
}

TEST(ReadBackTest, FloatingPointOrderIsFound) {
  expectPart(bodies("a[i] = b[i] - x;", "a[i] = x - b[i];"), "a[0] becomes");
  expectPart(
      bodies("a[i] = b[i] + b[i + 1] + x;", "a[i] = b[i] + (b[i + 1] + x);"),
      "a[0] becomes (b[0] + (x0 + b[1]))");
  expectPart(bodies("a[i] = b[i] * x + 1;", "a[i] = fma(b[i], x, 1.0f);"),
             "becomes fma(");
  expectPart(bodies("float s = 0; for (int k = 0; k < n; k++) s += b[k]; "
                    "a[i] = s;",
                    "float s = 0; for (int k = n - 1; k >= 0; k--) s += b[k]; "
                    "a[i] = s;"),
             "a[0] becomes");
}

TEST(ReadBackTest, SumsMayBeReorderedWherePermitted) {
  const std::vector<std::string> flags = {"-cl-unsafe-math-optimizations"};
  const std::string sum =
      "float s = 0; for (int k = 0; k < n; k++) s += b[k]; ";
  auto compare = [&](const std::string &emitted) {
    return difference(kernel(sum + "a[i] = s;"), kernel(emitted),
                      launchOf(16, 4), flags);
  };
  EXPECT_EQ(compare("float s = 0, t = 0; for (int k = 0; k < n; k += 2) { "
                    "s += b[k]; t += b[k + 1]; } a[i] = s + t;"),
            "");
  expectPart(compare("float s = 0; for (int k = 1; k < n; k++) s += b[k]; "
                     "a[i] = s;"),
             "a[0] becomes");
}

TEST(ReadBackTest, ConversionsAreFound) {
  expectPart(bodies("a[i] = b[i] * 0.5f;", "a[i] = b[i] * 0.5;"), "becomes");
  expectPart(bodies("p[i] = (uchar)(i * 40);", "p[i] = i * 40;"),
             "p[7] becomes 280, not 24");
  EXPECT_EQ(
      bodies("p[i] = convert_uchar_sat(i * 40);", "p[i] = min(i * 40, 255);"),
      "");
  EXPECT_EQ(bodies("a[i] = i;", "a[i] = (float)i;"), "");
}

TEST(ReadBackTest, DataDecidesAlikeInBoth) {
  EXPECT_EQ(bodies("a[i] = 0; if (b[i] > x) a[i] = b[i];",
                   "a[i] = x < b[i] ? b[i] : 0;"),
            "");
  expectPart(
      bodies("a[i] = b[i] > x ? b[i] : 0;", "a[i] = b[i] < x ? b[i] : 0;"),
      "becomes");
  EXPECT_EQ(bodies("a[i] = b[p[i]];", "int j = p[i]; a[i] = b[j];"), "");
  EXPECT_EQ(bodies("int c = 0; for (int k = 0; k < p[i]; k++) c += k; "
                   "a[i] = c;",
                   "int c = p[i]; a[i] = c * (c - 1) / 2;"),
            "");
}

std::string staged(const std::string &fence, const std::string &source = "l") {
  return kernel("__local float t[4]; int l = get_local_id(0);\n"
                "t[l] = b[i];\n" +
                fence + "\na[i] = t[3 - " + source + "] + b[i];");
}

TEST(ReadBackTest, LocalMemoryNeedsBarriers) {
  const std::string meant = kernel("a[i] = b[i / 4 * 4 + 3 - i % 4] + b[i];");
  EXPECT_EQ(difference(meant, staged("barrier(CLK_LOCAL_MEM_FENCE);")), "");
  expectPart(difference(meant, staged("")),
             "two work-items access 't' without a barrier in between");
  expectPart(difference(meant, staged("barrier(CLK_GLOBAL_MEM_FENCE);")),
             "'t' without a barrier");
  expectPart(difference(meant, staged("if (i != 2) "
                                      "barrier(CLK_LOCAL_MEM_FENCE);")),
             "a barrier that not all work-items of a group reach");
  expectPart(difference(meant, staged("barrier(CLK_LOCAL_MEM_FENCE);", "0")),
             "a[1] becomes (b[1] + b[3])");
  expectPart(difference(meant, staged("barrier(CLK_LOCAL_MEM_FENCE);", "4")),
             "an access outside of 't'");
  // Without a meaning, nothing can be compared.
  expectPart(difference(staged(""), meant), "?two work-items access 't'");
}

TEST(ReadBackTest, WhatOtherGroupsReadIsNotForgotten) {
  // The work-item of another group that writes the cell reads it first.
  const std::string racy = "float t = a[(i + 4) % 16]; a[i] += t;";
  expectPart(bodies(racy, racy), "?two work-items access 'a'");
}

TEST(ReadBackTest, ReadsStayBetweenThoseOfTheOriginal) {
  // Cell 8 lies between cells that are read, cell 16 after all of them.
  EXPECT_EQ(bodies("a[i] = i == 8 ? 0 : b[i];",
                   "float t = b[i]; a[i] = i == 8 ? 0 : t;"),
            "");
  expectPart(bodies("a[i] = b[i];", "float t = b[i + 1]; a[i] = b[i];"),
             "b[16] is read, outside of what the original accesses");
}

TEST(ReadBackTest, StructsAreTheirFields) {
  auto points = [](const std::string &body) {
    return "typedef struct { float x, y; int tag; } Point;\n"
           "__kernel void f(__global Point *a, __global const Point *b) {\n"
           "  int i = get_global_id(0);\n" +
           body + "\n}\n";
  };
  const std::string original =
      points("a[i].x = b[i].y; a[i].y = b[i].x; a[i].tag = i;");
  EXPECT_EQ(
      difference(original,
                 points("float t = (b + i)->x; int j = i; Point p;\n"
                        "p.x = b[i].y; p.tag = j; __global Point *q = &a[j];"
                        "\nq->x = p.x; q->y = t; q->tag = p.tag;")),
      "");
  expectPart(difference(original, points("a[i].x = b[i].x; a[i].y = b[i].x;\n"
                                         "a[i].tag = i;")),
             "a.x[0] becomes b.x[0], not b.y[0]");
  const std::string copied = points("a[i] = b[i + 1]; a[i].tag = 0;");
  EXPECT_EQ(difference(copied, points("Point p = b[i + 1]; p.tag = 0; "
                                      "a[i] = p;")),
            "");
  expectPart(difference(copied, points("Point p = b[i]; p.tag = 0; a[i] = p;")),
             "becomes");
}

TEST(ReadBackTest, FunctionsOfTheFileAreCalled) {
  const std::string helper =
      "float twice(float v) { if (v > 0) return v + v; return v * 2; }\n";
  EXPECT_EQ(difference(helper + kernel("a[i] = twice(b[i]) + twice(x);"),
                       helper + kernel("float t = twice(x); "
                                       "a[i] = twice(b[i]) + t;")),
            "");
}

TEST(ReadBackTest, AtomicUpdatesMayComeInAnyOrder) {
  EXPECT_EQ(bodies("atomic_add(&p[i % 3], i);",
                   "atomic_add(&p[(15 - i) % 3], 15 - i);"),
            "");
  expectPart(bodies("atomic_add(&p[0], i);", "atomic_add(&p[0], i + 1);"),
             "p[0] becomes");
  // Results depend on the order.
  expectPart(
      bodies("a[i] = atomic_inc(&p[20]);", "a[15 - i] = atomic_inc(&p[20]);"),
      "?results that depend on the order of atomic accesses");
}

TEST(ReadBackTest, SignedOverflowHasNoMeaning) {
  const std::string inInt = "if (n * n * n / 7 < i) a[i] = x;";
  const std::string inLong = "if ((long)n * n * n / 7 < i) a[i] = x;";
  const std::string skipped = "?signed integers that overflow";
  // 1290^3 is the last cube that fits into an int.
  EXPECT_EQ(bodies(inInt, inLong, launchOf(16, 4, 1290)), "");
  EXPECT_EQ(bodies(inInt, inLong, launchOf(16, 4, 1625)), skipped);
  // The other way round the original has a meaning.
  expectPart(bodies(inLong, inInt, launchOf(16, 4, 1625)), "is written");
  // Sums and differences, and of longs; the launch counts where both agree.
  const auto large = [](int64_t n) { return launchOf(16, 4, n); };
  EXPECT_EQ(bodies("p[i] = n + 16 < n;", "p[i] = 0;", large(2147483640)),
            skipped);
  EXPECT_EQ(bodies("p[i] = n - 16 > n;", "p[i] = 0;", large(-2147483640)),
            skipped);
  EXPECT_EQ(bodies("p[i] = -n < 0 && n < 0;", "p[i] = 0;", large(-2147483648)),
            skipped);
  EXPECT_EQ(bodies("long m = n; p[i] = m * m * m * m * m * m * m > 0;",
                   "p[i] = 2;", large(1000)),
            skipped);
  EXPECT_EQ(bodies("p[i] = n + i;", "int m = n; m += i; p[i] = m;",
                   large(2147483647)),
            "");
  // Unsigned, narrow and shifted numbers only lose bits.
  expectPart(bodies("p[i] = (uint)n * n * n;", "p[i] = 0;", large(1625)),
             "p[0] becomes 0");
  expectPart(
      bodies("short m = n; m *= 2; p[i] = m;", "p[i] = 0;", large(20000)),
      "p[0] becomes 0");
  expectPart(bodies("p[i] = n << 20 | 1;", "p[i] = 0;", large(1625)),
             "p[0] becomes 0");
}

TEST(ReadBackTest, BudgetsAreKept) {
  expectPart(bodies("while (n > 0) a[i] = x;", "a[i] = x;"), "?too many steps");
}

//===-- Results of clopt --------------------------------------------------===//

const std::string product =
    "__kernel void f(__global const float *a, __global const float *b,\n"
    "                __global float *c, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++)\n"
    "    sum += a[i * n + k] * b[k * n + j];\n"
    "  c[i * n + j] = sum;\n"
    "}\n";

/// Optimizes, replaces a part of the result, and compares.
ReadBackReport corrupted(const std::string &source, const std::string &recipe,
                         const std::string &part, const std::string &by) {
  Options options;
  options.recipe = recipe;
  Result result = optimize("test.cl", source, options);
  EXPECT_TRUE(result.ok);
  size_t at = part.empty() ? 0 : result.output.find(part);
  EXPECT_NE(at, std::string::npos) << part << " in " << result.output;
  if (at == std::string::npos)
    return {};
  std::string text = result.output;
  text.replace(at, part.size(), by);
  ParseResult emitted = parseOpenCL("test.cl", text, {});
  EXPECT_TRUE(emitted.unit) << text;
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(recipe).message, "");
  LoweringError refused;
  std::optional<EmittedKernel> again =
      emitKernel(tested.kernel, EmitOptions(), refused);
  if (!emitted.unit || !again)
    return {};
  Function &written = *emitted.unit->functions.back();
  admitSmallLaunches(written, again->advice.front());
  return readBack(tested.kernel, *tested.model, *emitted.unit, written,
                  10 * steps);
}

std::string wrongness(const ReadBackReport &report) {
  return report.wrong ? report.wrong->what : "";
}

const std::string groupRecipe = "coarsen j:2\ncoarsen i:2\ntile j:16\n"
                                "tile i:16\ntile k:8\nstage a\nstage b\n";

TEST(ReadBackTest, ResultsAreCompared) {
  for (const std::string &recipe :
       {std::string("vectorize j:4\ncoarsen i:2\n"), groupRecipe}) {
    ReadBackReport report = corrupted(product, recipe, "", "");
    EXPECT_EQ(wrongness(report), "") << recipe;
    EXPECT_GE(report.compared, 4u);
    EXPECT_GT(report.executed * 10, report.statements * 8);
  }
}

TEST(ReadBackTest, CorruptedVectorsAreFound) {
  const std::string recipe = "vectorize j:4\ncoarsen i:2\n";
  auto expectWrong = [&](const std::string &part, const std::string &by) {
    EXPECT_NE(wrongness(corrupted(product, recipe, part, by)), "") << part;
  };
  expectWrong("vload4(0, &b[k * n + j0])", "vload4(0, &b[k * n + j0 + 1])");
  expectWrong("sum_1 += ", "sum_1 = ");
  expectWrong("a[(i0 + 1) * n + k]", "a[i0 * n + k]");
  expectWrong("vstore4(sum_1, 0, &c[(i0 + 1) * n + j0]);", ";");
  // Ids past the end of the range.
  expectWrong("j0 + 4 <= ", "j0 <= ");
}

TEST(ReadBackTest, SmallLaunchesRunWhatIsFastForLargeOnes) {
  const std::string recipe = "vectorize j:4\nrequire items=100000\n";
  ReadBackReport report = corrupted(product, recipe, "", "");
  EXPECT_EQ(wrongness(report), "");
  EXPECT_GT(report.executed * 10, report.statements * 8);
  EXPECT_NE(wrongness(corrupted(product, recipe, "j0 + 4 <= ", "j0 <= ")), "");
}

// Neither what the arithmetic of the tile needs nor the kernel's own condition,
// though both compare with the least number of work-items.
TEST(ReadBackTest, OnlyAdviceIsDropped) {
  const std::string source =
      "__kernel void f(__global const float *a, __global float *b, int n) {\n"
      "  int j = get_global_id(0), i = get_global_id(1);\n"
      "  if (j < n && i < n && i >= 2) {\n"
      "    float sum = 0;\n"
      "    for (int k = 0; k <= i; k++)\n"
      "      sum += a[(i - 2) * n + k] * a[k * n + j];\n"
      "    b[i * n + j] = sum;\n"
      "  }\n"
      "}\n";
  const std::string recipe = "coarsen j:2\ncoarsen i:2\ntile j:4\ntile i:8\n"
                             "require items=2\n";
  const std::string needed = "get_local_size(0) * get_local_size(1) >= 2";
  EXPECT_EQ(wrongness(corrupted(source, recipe, needed, needed)), "");
  EXPECT_NE(wrongness(corrupted(source, recipe, needed, "true")), "");
}

TEST(ReadBackTest, CorruptedTilesAreFound) {
  auto expectWrong = [&](const std::string &part, const std::string &by,
                         const std::string &message) {
    expectPart(wrongness(corrupted(product, groupRecipe, part, by)), message);
  };
  expectWrong("barrier(CLK_LOCAL_MEM_FENCE);", ";", "without a barrier");
  expectWrong("k0 + TILE_K <= n", "k0 + TILE_K <= n + 1",
              "is read, outside of what");
  expectWrong("tile += groups", "tile += groups + 1", "is not written");
  expectWrong("a_tile[k - k0]", "a_tile[1 + k - k0]",
              "an access outside of 'a_tile'");
}

// One work-item, two buffers that are one: also where groups have a shape.
TEST(ReadBackTest, OverlapsAreTriedWithLocalMemory) {
  const std::string source =
      "__kernel void f(__global float *a, __global const float *b, int n) {\n"
      "  __local float t[16];\n"
      "  int l = get_local_id(0);\n"
      "  t[l] = b[l];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int k = 0; k < n; k++)\n"
      "    a[get_global_id(0)] += t[l] * b[k];\n"
      "}\n";
  const std::string guard = "(a_end <= (size_t)b || b_end <= (size_t)a)";
  EXPECT_EQ(wrongness(corrupted(source, "privatize a", guard, guard)), "");
  expectPart(wrongness(corrupted(source, "privatize a", guard, "true")),
             "a is b + 4 bytes");
}

TEST(ReadBackTest, NegativeCellsAreThoseOfTheModel) {
  const std::string source = kernel("  a[(n - 1) * 4 + i] = 1;\n");
  TestedKernel tested(source);
  ParseResult other = parseOpenCL("test.cl", source, {});
  ASSERT_TRUE(other.unit);
  const Function &function = *other.unit->functions.back();
  SmallLaunch launch = launchOf(4, 2, 0);
  RunNotes notes;
  auto wrong = compareRuns(*other.unit, function, *other.unit, function, launch,
                           steps, tested.model.get(), notes);
  EXPECT_FALSE(wrong) << wrong->what;
}

TEST(ReadBackTest, WritesAreThoseOfTheModel) {
  // Both texts agree, and the model is of another kernel.
  TestedKernel tested(product);
  ParseResult other = parseOpenCL(
      "test.cl",
      "__kernel void f(__global const float *a, __global const float *b,\n"
      "                __global float *c, int n) {\n"
      "  c[get_global_id(0)] = 0;\n"
      "}\n",
      {});
  ASSERT_TRUE(other.unit);
  const Function &function = *other.unit->functions.back();
  SmallLaunch launch = launchOf(4, 2, 4);
  launch.dimensions = 2;
  launch.global[1] = 1;
  RunNotes notes;
  EXPECT_FALSE(compareRuns(*other.unit, function, *other.unit, function, launch,
                           steps, tested.model.get(), notes));
  launch.integers["n"] = 8;
  launch.global[0] = 8;
  launch.offset[1] = 1;
  auto wrong = compareRuns(*other.unit, function, *other.unit, function, launch,
                           steps, tested.model.get(), notes);
  ASSERT_TRUE(wrong);
  expectPart(wrong->what, "of 'c' is written, and no access of the model does");
}

TEST(ReadBackTest, AllBytesOfAStoreAreWritten) {
  // The model writes four elements, the run one cell of four bytes.
  TestedKernel tested(
      "__kernel void f(__global char *dst, int off, int step) {\n"
      "  *(__global int *)(dst + off + get_global_id(1) * step +\n"
      "                    get_global_id(0) * sizeof(int)) = 1;\n"
      "}\n");
  const Function &function = *tested.parsed.unit->functions.back();
  SmallLaunch launch = launchOf(3, 1);
  launch.dimensions = 2;
  launch.global[1] = 2;
  launch.integers = {{"off", 16}, {"step", 16}};
  RunNotes notes;
  auto wrong = compareRuns(*tested.parsed.unit, function, *tested.parsed.unit,
                           function, launch, steps, tested.model.get(), notes);
  EXPECT_FALSE(wrong) << wrong->what;
}

} // namespace
