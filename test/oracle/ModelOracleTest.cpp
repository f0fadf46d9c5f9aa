//===- ModelOracleTest.cpp - the model against what really happens --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs small kernels with a plain interpreter and compares every statement
// instance, its place in the schedule, and every address with the model:
// exact accesses touch exactly the cells of their relation, others at most.
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"
#include "ModelComparison.h"

#include "Frontend/clang/ClangParser.h"
#include "Frontend/model/ModelBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clopt;
using namespace clopt::test;

namespace {

struct Outcome {
  size_t compared = 0; ///< launches under which all assumptions held
  size_t exactGlobal = 0;
  bool isUntouchable = false;
};

Outcome compare(const std::string &source, const std::vector<Launch> &launches,
                const std::vector<std::string> &flags = {}) {
  Outcome outcome;
  SCOPED_TRACE(source);
  ParseResult parsed = parseOpenCL("oracle.cl", source, flags);
  if (!parsed.unit) {
    ADD_FAILURE() << "does not parse";
    return outcome;
  }
  for (const auto &function : parsed.unit->functions) {
    if (!function->isKernel)
      continue;
    // The launched work-items are what runs.
    ModelOptions options;
    options.shareLoops = false;
    std::unique_ptr<KernelModel> model =
        buildModel(*parsed.unit, *function, options);
    outcome.isUntouchable |= model->isUntouchable;
    for (const Launch &launch : launches) {
      Comparison comparison(*model, launch);
      if (!comparison.assumptionsHold())
        continue;
      SCOPED_TRACE(printModel(*model));
      try {
        comparison.run();
      } catch (const RunsTooLong &) {
        // Only a loop that the model does not claim to know may do that.
        EXPECT_TRUE(std::any_of(
            model->statements.begin(), model->statements.end(),
            [](const Statement &known) { return known.isCompound; }));
        continue;
      }
      ++outcome.compared;
      outcome.exactGlobal += comparison.exactGlobal;
    }
  }
  return outcome;
}

Launch launchOf(std::array<int64_t, 3> size,
                std::map<std::string, int64_t> arguments,
                std::array<int64_t, 3> local = {1, 1, 1},
                std::array<int64_t, 3> offset = {0, 0, 0}) {
  Launch launch;
  launch.globalSize = size;
  launch.localSize = local;
  launch.globalOffset = offset;
  launch.arguments = std::move(arguments);
  return launch;
}

/// One dimension, n equal to its size, and a few others; rows of few and of
/// many cells.
std::vector<Launch> lines() {
  std::vector<Launch> result;
  for (int64_t size : {1, 4, 6})
    for (int64_t n : {0, 1, 4, 6, 7})
      for (int64_t offset : {0, 3})
        result.push_back(launchOf({size, 1, 1}, {{"n", n}, {"m", 5}}, {2, 1, 1},
                                  {offset, 0, 0}));
  for (int64_t m : {1, 60})
    result.push_back(launchOf({6, 1, 1}, {{"n", 6}, {"m", m}}, {2, 1, 1}));
  for (Launch &launch : result)
    if (launch.globalSize[0] % 2)
      launch.localSize[0] = 1;
  return result;
}

std::vector<Launch> planes() {
  std::vector<Launch> result;
  for (int64_t n : {1, 3, 4, 6})
    for (int64_t m : {1, 4, 5})
      result.push_back(launchOf({3, 4, 1}, {{"n", n}, {"m", m}}));
  return result;
}

} // namespace

//===-- Handwritten forms -------------------------------------------------===//

struct Form {
  const char *name;
  const char *body;
  bool isPlane;
  size_t atLeast; ///< exact global accesses over all launches
};

static void PrintTo(const Form &form, std::ostream *out) { *out << form.name; }

class ModelOracleForm : public testing::TestWithParam<Form> {};

TEST_P(ModelOracleForm, TouchesWhatTheModelSays) {
  const Form &form = GetParam();
  Outcome outcome =
      compare(kernel(form.body), form.isPlane ? planes() : lines());
  EXPECT_FALSE(outcome.isUntouchable);
  EXPECT_GT(outcome.compared, 0u);
  EXPECT_GE(outcome.exactGlobal, form.atLeast);
}

static const Form Forms[] = {
    {"Guard", "int i = get_global_id(0); if (i < n) a[i] = b[i + 2];", false,
     2},
    {"EarlyReturn",
     "int i = get_global_id(0); if (i >= n) return; a[i] = 1; a[i + m] = 2;",
     false, 2},
    {"NestedReturn",
     "int i = get_global_id(0); if (i > 1) { b[i] = 0; if (i >= n) return; "
     "a[i] = 1; } else { a[i + 9] = 3; } b[i + 20] = 1;",
     false, 4},
    {"Otherwise",
     "int i = get_global_id(0); if (i < n && i > 0 || i == 5) a[i] = 1; else "
     "b[i] = 2;",
     false, 2},
    {"Not", "int i = get_global_id(0); if (!(i < n || i == 3)) a[i] = 1;",
     false, 1},
    {"Loop",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) a[i * n + k] = "
     "b[k];",
     false, 2},
    {"Downward",
     "int i = get_global_id(0); for (int k = n - 1; k >= 0; k--) a[k + i] = "
     "b[i];",
     false, 2},
    {"StepThree",
     "int i = get_global_id(0); for (int k = 1; k <= n; k += 3) a[k + 7 * i] "
     "= 1;",
     false, 1},
    {"DownwardStep",
     "int i = get_global_id(0); for (int k = n; k > i; k -= 2) a[k] = 1;",
     false, 1},
    {"NotEqual",
     "int i = get_global_id(0); for (int k = 0; k != n; ++k) a[k] = i;", false,
     1},
    {"NotEqualStep",
     "int i = get_global_id(0); for (int k = 0; k != n; k += 2) a[k] = i;",
     false, 1},
    {"Triangle",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) for (int j = k; j "
     "< n; j++) a[j - k] = i;",
     false, 1},
    {"OuterVariable",
     "int i = get_global_id(0); int k; for (k = 0; k < n; k++) a[k] = i; for "
     "(k = 2; k < m; k++) b[k] = i;",
     false, 2},
    {"VariableReadLater",
     "int i = get_global_id(0); int k; for (k = 0; k < n; k++) a[k] = i; b[k] "
     "= 1;",
     false, 0},
    {"TwoInductionVariables",
     "int i = get_global_id(0); int p = i; for (int k = 0; k < n; k++) { a[p] "
     "= 1; p += 3; b[p] = 2; }",
     false, 2},
    {"CommaIncrement",
     "int i = get_global_id(0); for (int k = 0, q = 5; k < n; q += 2, k++) "
     "a[q + i] = 1;",
     false, 1},
    {"BackwardInduction",
     "int i = get_global_id(0); int p = 40; for (int k = 10; k > n; k -= 2) { "
     "a[p] = i; p--; }",
     false, 1},
    {"Continue",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) { if (k == i) "
     "continue; a[k] = 1; }",
     false, 1},
    {"Break",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) { if (k > i) "
     "break; a[k] = 1; } b[i] = 0;",
     false, 1},
    {"WhileLoop",
     "int i = get_global_id(0); int k = 0; while (k < b[i]) { a[k] = 1; k++; "
     "} b[i + 30] = k;",
     false, 1},
    {"DataBound",
     "int i = get_global_id(0); for (int k = b[i]; k < b[i + 1]; k++) a[k] = "
     "b[k];",
     false, 2},
    {"DataCondition",
     "int i = get_global_id(0); int x = i; if (b[i] > 1) x = 3; a[x] = 1; "
     "a[i] = 2;",
     false, 1},
    {"DataReturn",
     "int i = get_global_id(0); a[i] = 0; if (b[i] > 1) return; a[i + 9] = 1;",
     false, 1},
    {"ReturnInLoop",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) { if (b[k] == i) "
     "return; a[k] = 1; } a[i + 30] = 2;",
     false, 0},
    {"Clamp",
     "int i = get_global_id(0); int x = i - 2; if (x < 0) x = 0; else if (x >= "
     "n) x = n - 1; a[x] = b[min(i, n)] + b[max(i, m)] + b[clamp(i, 1, 3)];",
     false, 4},
    {"Ternary",
     "int i = get_global_id(0); int x = i < n ? i : n; a[x] = i > 2 ? b[i - 3] "
     ": b[i];",
     false, 3},
    {"Division",
     "int i = get_global_id(0); a[i / 3] = b[i % 3] + b[(i - 2) / 2 + 5] + "
     "b[(i - 3) % 2 + 5];",
     false, 4},
    {"Shifts",
     "int i = get_global_id(0); a[(i << 2) + 1] = b[i >> 1] + b[i & 3] + b[i & "
     "~1] + b[(i - 3 >> 1) + 4];",
     false, 5},
    {"Unsigned",
     "uint i = get_global_id(0); uint k = n; if (i < k) a[i] = b[k - i];",
     false, 2},
    {"UnsignedWrap",
     "uint i = get_global_id(0); if (i - 1 < 2) a[i] = 1; else a[i + 1] = b[i "
     "% 3u];",
     false, 0},
    {"SizeT",
     "size_t i = get_global_id(0); if (i < n) for (size_t k = i; k > 0; k--) "
     "a[i * n + k - 1] = 1;",
     false, 0},
    {"UnsignedDownward",
     "int i = get_global_id(0); for (uint k = n; k > 0; k--) a[k - 1 + i] = 1;",
     false, 1},
    {"CharIterator",
     "int i = get_global_id(0); for (char k = 0; k < 5; k++) a[k + i] = 1;",
     false, 1},
    {"RowPointer",
     "int i = get_global_id(0); __global float *row = a + i * n; for (int k = "
     "0; k < n; k++) row[k] = *(row + k) + (&b[m])[k];",
     false, 3},
    {"MovingPointer",
     "int i = get_global_id(0); __global int *p = b + i; for (int k = 0; k < "
     "n; k++) { a[k] = *p; p += m; }",
     false, 1},
    {"MovingParameter",
     "int i = get_global_id(0); a += i * 8; b += 3; for (int k = 0; k < n; k++)"
     " a[k] = b[i];",
     false, 2},
    {"PointerIncrement",
     "int i = get_global_id(0); __global float *p = a; for (int k = 0; k < n; "
     "k++) *p++ = i; ",
     false, 0},
    {"UnknownPointer",
     "int i = get_global_id(0); __global float *p = a + i; if (b[i]) p = a + "
     "7; p[1] = 2; a[i] = 1;",
     false, 1},
    {"Vectors",
     "int i = get_global_id(0); __global float4 *v = (__global float4 *)a; "
     "v[i] = vload4(i + 1, a); vstore2((float2)(1.0f, 2.0f), i, a + 1); "
     "vstore3(vload3(i, a), 2, a);",
     false, 5},
    {"Swizzles",
     "int i = get_global_id(0); float4 x = vload4(i, a); x.y = 2.0f; x.zw = "
     "x.xy; a[i] = x.y;",
     false, 2},
    {"PrivateArray",
     "int i = get_global_id(0); int t[4]; int u[2][3]; for (int k = 0; k < 4; "
     "k++) t[k] = b[i + k]; u[1][2] = t[3]; u[i & 1][0] = 5; a[i] = u[1][i & "
     "1] + t[2];",
     false, 2},
    {"InitializedArray",
     "int i = get_global_id(0); int t[3] = {1, 2, 3}; a[i] = t[i % 3];", false,
     1},
    {"CommaAndLogic",
     "int i = get_global_id(0); int j = (b[i] = 1, i + 1); int c = i < n && "
     "b[i] > 0; a[j] = c;",
     false, 2},
    {"StoredCondition",
     "int i = get_global_id(0); int in = i > 0 && i < n; if (in) a[i] = 1;",
     false, 1},
    {"CompoundAssignment",
     "int i = get_global_id(0); b[i] += b[i + 1]; b[i]++; --b[i + 2]; a[i] *= "
     "2;",
     false, 8},
    {"GridStride",
     "for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = 1;",
     false, 0},
    {"ReuseOfNames",
     "int i = get_global_id(0); for (int k = 0; k < 2; k++) a[k] = i; { int i "
     "= 4; a[i] = 2; } for (int k = 1; k < n; k++) b[k] = i;",
     false, 3},
    {"WalkByRows",
     "int i = get_global_id(0); int s = n * i; for (int p = s, q = 3; p <= s + "
     "n - 1; p += 2, q += m) { a[p] = b[q + i]; }",
     false, 2},
    {"WalkDown",
     "int i = get_global_id(0); int s = n * i + n; for (int p = s; p > n * i; "
     "p -= 3) a[p] = 1;",
     false, 1},
    {"WalkAndBack",
     "int i = get_global_id(0); int l = 0, r = n; while (l < r) { a[l + i * 20]"
     " = b[r]; l++; --r; } b[l + 30] = r;",
     false, 2},
    {"WalkWhile",
     "int i = get_global_id(0); int p = i * m; int e = p + n; b += i; while (p "
     "< e) { a[p] = *b; p += 4; b += m; } a[p + 40] = 2;",
     false, 2},
    {"WalkUntilEqual",
     "int i = get_global_id(0); int e = m * i + 3 * n; for (int p = m * i; p "
     "!= e; p += 3) a[p] = i;",
     false, 1},
    {"WalkUnsigned",
     "uint i = get_global_id(0); uint s = i * m; for (uint p = s; p < s + n; p "
     "+= 2) a[p] = 1;",
     false, 1},
    {"WalkLong",
     "size_t i = get_global_id(0); size_t s = i * m, e = s + n; for (size_t p "
     "= s; p < e; ++p) a[p] = b[p - s];",
     false, 2},
    {"WalkNested",
     "int i = get_global_id(0); int s = n * i; for (int p = s; p < s + n; p += "
     "2) for (int q = p; q < p + m; q++) a[q] = b[p];",
     false, 2},
    {"WalkInTheBody",
     "int i = get_global_id(0); int p = n * i; for (; p < n * i + n;) { a[p] = "
     "1; p += 1; if (p > 2) b[p] = i; p += 2; }",
     false, 2},
    {"WalkContinue",
     "int i = get_global_id(0); int s = n * i; for (int p = s; p < s + n; p += "
     "2) { if (p == 4) continue; a[p] = 1; }",
     false, 0},
    {"WalkUnderACondition",
     "int i = get_global_id(0); int s = n * i, q = 0; for (int p = s; p < s + "
     "n; p++) { if (b[i] > 0) q += m; a[p] = 1; b[q + 9] = 2; }",
     false, 1},
    {"WalkThatMayNotMove",
     "int i = get_global_id(0); int p = n * i; while (p < n * i + m) { a[p] = "
     "1; p += 1 + (b[i] & 1); }",
     false, 0},
    {"WalkThenRest",
     "int i = get_global_id(0); int k = 0; for (; k + 3 < n; k += 4) a[k] = i; "
     "for (; k < n; k++) b[k] = i;",
     false, 1},
    {"WalkPointers",
     "int i = get_global_id(0); __global float *p = a + i * n; int k = n; "
     "while "
     "(k > 0) { *p = 1; p += 2; k -= 3; } p[1] = 2;",
     false, 1},
    {"ProductBound",
     "int i = get_global_id(0); if (i < n * m) a[i] = 1; for (int k = 0; k < n "
     "* n; k++) b[k] = i;",
     false, 2},
    {"Plane",
     "int j = get_global_id(0), i = get_global_id(1); if (i < m && j < n) a[i "
     "* n + j] = b[j * m + i];",
     true, 2},
    {"Stencil",
     "int j = get_global_id(0), i = get_global_id(1); if (i > 0 && i < m - 1 "
     "&& "
     "j > 0 && j < n - 1) a[i * n + j] = b[(i - 1) * n + j + 1] + b[i * n + j "
     "- 1] + b[n * (i + 1) + j];",
     true, 4},
    {"Cube",
     "int j = get_global_id(0), i = get_global_id(1); for (int k = 0; k < 3; "
     "k++) if (j < n && i < m) a[k * (m * n) + i * n + j] = b[i * (n * 3) + j "
     "* 3 + k];",
     true, 2},
    {"Reverse",
     "int j = get_global_id(0), i = get_global_id(1); if (j < n && i < m) a[i "
     "* n + n - 1 - j] = b[(m - 1 - i) * n + j];",
     true, 2},
    {"PolynomialPitch",
     "int j = get_global_id(0), i = get_global_id(1); int p = n + 3; if (j < "
     "n) a[(i + 1) * p + j + 2] = 1;",
     true, 1},
    {"ColumnMajor",
     "int j = get_global_id(0), i = get_global_id(1); if (i < m && j < n) { "
     "__global float *c = a + j * m; c[i] = 2; }",
     true, 1},
    {"Planes",
     "int j = get_global_id(0), i = get_global_id(1); if (i < n && j < n) a[n "
     "* n + i * n + j] = b[i * n + j];",
     true, 2},
    {"NotAChain",
     "int j = get_global_id(0), i = get_global_id(1); a[i * n + j * m] = 1;",
     true, 0},
    {"ProductOfIds",
     "int j = get_global_id(0), i = get_global_id(1); a[i * j] = b[i];", true,
     1},
};

INSTANTIATE_TEST_SUITE_P(All, ModelOracleForm, testing::ValuesIn(Forms),
                         [](const testing::TestParamInfo<Form> &form) {
                           return form.param.name;
                         });

//===-- Groups ------------------------------------------------------------===//

TEST(ModelOracleTest, FoldsGroupTimesSizePlusLocal) {
  Outcome outcome = compare(
      kernel("int i = get_group_id(0) * get_local_size(0) + get_local_id(0) + "
             "get_global_offset(0); if (i < n) a[i] = b[i];"),
      lines());
  EXPECT_GT(outcome.exactGlobal, 0u);
}

TEST(ModelOracleTest, SplitsADimensionWithUnknownSize) {
  Outcome outcome = compare(
      kernel("int l = get_local_id(0); int g = get_group_id(0); if (l < n) "
             "a[l] = b[g * 3 + l];"),
      lines());
  EXPECT_GT(outcome.exactGlobal, 0u);
}

TEST(ModelOracleTest, SplitsADimensionWithKnownSize) {
  std::string source =
      "__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void "
      "f(__global float *a, __global int *b, int n) { __local float t[4]; int "
      "l = get_local_id(0); int i = get_global_id(0); t[l] = b[i]; "
      "barrier(CLK_LOCAL_MEM_FENCE); if (i < n) a[i] = t[1 - l] + "
      "b[get_group_id(0)] + b[get_num_groups(0)]; }";
  std::vector<Launch> launches;
  for (int64_t size : {2, 4, 8})
    for (int64_t n : {0, 3, 8})
      launches.push_back(launchOf({size, 1, 1}, {{"n", n}}, {2, 1, 1}));
  Outcome outcome = compare(source, launches);
  EXPECT_EQ(outcome.compared, launches.size());
  EXPECT_GT(outcome.exactGlobal, 0u);
}

//===-- Random kernels ----------------------------------------------------===//

/// Compares random kernels; says how many launches and accesses took part.
static Outcome compareRandom(unsigned first, unsigned last, bool isMixed,
                             bool isWalking = false) {
  Outcome total;
  for (unsigned seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<Launch> launches;
    for (int64_t n : {3, 7})
      launches.push_back(launchOf({3, 2, 1}, {{"n", n}, {"m", 4}}));
    Outcome outcome =
        compare(Generator(seed, isMixed, isWalking).write(), launches);
    EXPECT_FALSE(outcome.isUntouchable);
    total.compared += outcome.compared;
    total.exactGlobal += outcome.exactGlobal;
    if (testing::Test::HasFailure())
      break;
  }
  return total;
}

/// F01.
TEST(ModelOracleTest, RandomKernels) {
  Outcome total = compareRandom(1, 60, false);
  // The generator must not drift into kernels that say nothing.
  EXPECT_GT(total.compared, 30u);
  EXPECT_GT(total.exactGlobal, 100u);
}

TEST(ModelOracleTest, RandomKernelsOfMixedIntegerTypes) {
  Outcome total = compareRandom(1001, 1040, true);
  EXPECT_GT(total.compared, 30u);
  EXPECT_GT(total.exactGlobal, 40u);
}

TEST(ModelOracleTest, RandomKernelsWithCountedLoops) {
  Outcome total = compareRandom(1, 20, false, true);
  EXPECT_GT(total.compared, 12u);
  EXPECT_GT(total.exactGlobal, 10u);
}
