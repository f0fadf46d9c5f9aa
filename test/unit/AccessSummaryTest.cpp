//===- AccessSummaryTest.cpp - reports of whole kernels -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From OpenCL text to findings. The programs of examples/ must have exactly
// the findings listed here; the nests of Chen and Wu have the patterns of their
// Fig. 5 when they come through the front end, too.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/AccessSummary.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/LaneAxis.h"
#include "Analysis/access/Vectorizability.h"
#include "Frontend/clang/ClangParser.h"
#include "Frontend/model/ModelBuilder.h"
#include "Support/Refusals.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace clopt;

namespace {

using Lines = std::vector<std::string>;

/// All kernels of one file with their reports.
class Summary {
public:
  explicit Summary(const std::string &source,
                   const std::string &target = "nvidia-hopper") {
    ParseResult result = parseOpenCL("test.cl", source, {});
    unit = std::move(result.unit);
    for (const Diagnostic &diagnostic : result.diagnostics)
      ADD_FAILURE() << diagnostic.message;
    llvm::Expected<DeviceProfile> profile = loadProfile(target);
    if (!unit || !profile)
      return;
    for (const auto &function : unit->functions) {
      if (!function->isKernel)
        continue;
      models.push_back(buildModel(*unit, *function));
      reports.push_back(reportAccesses(*models.back(), *profile));
    }
  }

  static Summary ofExample(const std::string &name) {
    std::ifstream file(CLOPT_SOURCE_DIR "/examples/" + name + "/" + name +
                       ".cl");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    return Summary(text.str());
  }

  /// "kernel: R a[i] stride" for every finding.
  Lines findings() const {
    Lines lines;
    for (const auto &kernel : reports)
      for (const AccessReport &report : kernel)
        if (!report.ruleId.empty())
          lines.push_back(report.kernel + (report.isWrite ? ": W " : ": R ") +
                          report.text + " " +
                          report.ruleId.substr(report.ruleId.rfind('-') + 1));
    return lines;
  }

  const AccessReport &find(const std::string &text,
                           bool isWrite = false) const {
    for (const auto &kernel : reports)
      for (const AccessReport &report : kernel)
        if (report.text == text && report.isWrite == isWrite)
          return report;
    ADD_FAILURE() << "no access " << text;
    static const AccessReport none;
    return none;
  }

  /// The first access with this text, relative to the loop `loop`.
  Pattern patternAlong(const std::string &loop, const std::string &text) const {
    const KernelModel &model = *models.front();
    std::optional<unsigned> index = model.findLoop(loop);
    for (const Access &access : model.accesses)
      if (index && access.range.isEditable() &&
          unit->text.substr(access.range.begin,
                            access.range.end - access.range.begin) == text)
        return classify(model, access, model.loops[*index].iterator,
                        model.loops[*index].step);
    ADD_FAILURE() << "no access " << text << " or loop " << loop;
    return {};
  }

  /// Arrays in the vectorizable set of the statement that writes `array`.
  Lines vectorizable(const std::string &array, SymbolId axis) const {
    const KernelModel &model = *models.front();
    for (const Access &access : model.accesses)
      if (access.isWrite && model.arrays[access.array].name == array)
        return vectorizableArrays(model,
                                  colorAccesses(model, access.statement, axis));
    ADD_FAILURE() << "no write to " << array;
    return {};
  }

  SymbolId iterator(const std::string &loop) const {
    const KernelModel &model = *models.front();
    std::optional<unsigned> index = model.findLoop(loop);
    EXPECT_TRUE(index) << loop;
    return index ? model.loops[*index].iterator : 0;
  }

  std::unique_ptr<TranslationUnit> unit;
  std::vector<std::unique_ptr<KernelModel>> models;
  std::vector<std::vector<AccessReport>> reports;
};

//===-- The programs ------------------------------------------------------===//

TEST(AccessSummaryTest, ProgramsWithoutFindings) {
  for (const char *name : {"hydro", "mm", "beamform", "sad", "laplace"})
    EXPECT_EQ(Summary::ofExample(name).findings(), Lines()) << name;
}

TEST(AccessSummaryTest, Adi) {
  Lines expected;
  // du is forward and a is uniform; every u is read and written by column.
  for (std::string u : {"u1", "u2", "u3"})
    for (std::string row : {"(ky + 1) * n + kx", "(ky - 1) * n + kx"})
      expected.push_back("adi: R " + u + "[" + row + "] column");
  for (std::string u : {"u1", "u2", "u3"}) {
    expected.push_back("adi: W " + u + "[n * n + ky * n + kx] column");
    for (std::string cell : {"kx", "kx + 1", "kx", "kx - 1"})
      expected.push_back("adi: R " + u + "[ky * n + " + cell + "] column");
  }
  EXPECT_EQ(Summary::ofExample("adi").findings(), expected);
}

TEST(AccessSummaryTest, Nbody) {
  EXPECT_EQ(
      Summary::ofExample("nbody").findings(),
      (Lines{"nbody: W acc[3 * i + d] stride", "nbody: R pos[3 * i + d] stride",
             "nbody: R acc[3 * i + d] stride", "nbody: W acc[3 * i + d] stride",
             "nbody: R vel[3 * i + d] stride", "nbody: W vel[3 * i + d] stride",
             "nbody: R acc[3 * i + d] stride"}));
}

TEST(AccessSummaryTest, Spmv) {
  Summary spmv = Summary::ofExample("spmv");
  EXPECT_EQ(spmv.findings(),
            (Lines{"spmv: R elem[k] indirect", "spmv: R p[col[k]] indirect",
                   "spmv: R col[k] indirect"}));
  EXPECT_EQ(spmv.find("p[col[k]]").reason, "the subscript is read from `col`");
  EXPECT_TRUE(spmv.find("row_ptr[i + 1]").isContiguous);
}

TEST(AccessSummaryTest, Hyperspectral) {
  EXPECT_EQ(Summary::ofExample("hyperspectral").findings(),
            (Lines{"covariance: R x[j * pixels + k] column"}));
}

TEST(AccessSummaryTest, IntegralImage) {
  EXPECT_EQ(Summary::ofExample("integral").findings(),
            (Lines{"scan_rows: R in[y * w + x] column",
                   "scan_rows: W out[y * w + x] column",
                   "transpose: W out[x * h + y] column",
                   "scan_block: W t[2 * l] conflict",
                   "scan_block: R in[base + 2 * l] stride",
                   "scan_block: W t[2 * l + 1] conflict",
                   "scan_block: R in[base + 2 * l + 1] stride",
                   "scan_block: R t[offset * (2 * l + 2) - 1] conflict",
                   "scan_block: W t[offset * (2 * l + 2) - 1] conflict",
                   "scan_block: R t[offset * (2 * l + 1) - 1] conflict",
                   "scan_block: R t[offset * (2 * l + 1) - 1] conflict",
                   "scan_block: W t[offset * (2 * l + 1) - 1] conflict",
                   "scan_block: R t[offset * (2 * l + 2) - 1] conflict",
                   "scan_block: R t[offset * (2 * l + 2) - 1] conflict",
                   "scan_block: W t[offset * (2 * l + 2) - 1] conflict",
                   "scan_block: W out[base + 2 * l] stride",
                   "scan_block: R t[2 * l] conflict",
                   "scan_block: W out[base + 2 * l + 1] stride",
                   "scan_block: R t[2 * l + 1] conflict"}));
}

//===-- What a report says ------------------------------------------------===//

TEST(AccessSummaryTest, FieldsOfAReport) {
  Summary summary = Summary::ofExample("adi");
  const AccessReport &report = summary.find("u1[(ky + 1) * n + kx]");
  EXPECT_EQ(report.kernel, "adi");
  EXPECT_EQ(report.array, "u1");
  EXPECT_EQ(report.subscript, "[0][ky + 1][kx]");
  EXPECT_EQ(report.elementType, "float");
  EXPECT_EQ(report.pattern, "column + offset 1");
  EXPECT_TRUE(report.isVectorizable);
  EXPECT_FALSE(report.isContiguous);
  EXPECT_EQ(report.transactions, 32u);
  EXPECT_EQ(report.idealTransactions, 4u);
  EXPECT_EQ(report.reason, "neighbouring work-items are n elements apart");
  EXPECT_EQ(report.hint, "let get_global_id(0) run along the last subscript, "
                         "where `kx` runs, or transpose `u1`");
  EXPECT_EQ(report.location.line, 11u);
  EXPECT_EQ(report.location.column, 19u);
  EXPECT_TRUE(summary.find("a[0]").isUniform);
  EXPECT_TRUE(summary.find("a[0]").isBroadcast);
}

TEST(AccessSummaryTest, VectorElementsAndOffsets) {
  Summary beamform = Summary::ofExample("beamform");
  const AccessReport &spectrum = beamform.find("spectrum[k * frequencies + f]");
  EXPECT_EQ(spectrum.elementType, "float2");
  EXPECT_TRUE(spectrum.isContiguous);
  EXPECT_EQ(spectrum.idealTransactions, 8u);
  Summary hydro = Summary::ofExample("hydro");
  EXPECT_EQ(hydro.find("z[k + 10]").pattern, "offset 10");
  EXPECT_EQ(hydro.find("z[k + 10]").transactions, 5u);
}

TEST(AccessSummaryTest, EveryFindingHasARule) {
  Summary summary(R"(
__kernel void k(__global float *a, __global const float *b, int n) {
  int i = get_global_id(0);
  a[n - 1 - i] = b[i * (n + 1)];
  a[2 * i] = b[(int)b[i]];
  a[i * i] = b[i / 3 * 7];
})");
  EXPECT_EQ(summary.findings(),
            (Lines{"k: W a[n - 1 - i] reverse", "k: R b[i * (n + 1)] column",
                   "k: W a[2 * i] stride", "k: R b[(int)b[i]] indirect",
                   "k: W a[i * i] unknown", "k: R b[i / 3 * 7] unknown"}));
  for (const AccessReport &report : summary.reports.front()) {
    if (report.ruleId.empty())
      continue;
    EXPECT_NE(findRule(report.ruleId), nullptr) << report.ruleId;
    EXPECT_FALSE(report.reason.empty());
    EXPECT_FALSE(report.hint.empty());
  }
}

TEST(AccessSummaryTest, ExchangedIdsAreNamed) {
  Summary summary(R"(
__kernel void k(__global float *a, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  a[row * n + column] = 0.0f;
})");
  EXPECT_EQ(summary.find("a[row * n + column]", true).hint,
            "let get_global_id(0) run along the last subscript by exchanging "
            "it with get_global_id(1), or transpose `a`");
}

TEST(AccessSummaryTest, LanesRunAlongTheLowestDimensionUsed) {
  Summary summary(R"(
__kernel void k(__global float *a, __global float *b, int n) {
  int row = get_global_id(1);
  a[row] = b[row * n];
})");
  EXPECT_EQ(summary.findings(), (Lines{"k: R b[row * n] column"}));
}

TEST(AccessSummaryTest, KernelsWithoutIdsHaveNoFindings) {
  Summary summary(R"(
__kernel void k(__global float *a, int n) {
  for (int i = 0; i < n; i++)
    a[3 * i] = 0.0f;
})");
  ASSERT_EQ(summary.reports.size(), 1u);
  EXPECT_EQ(summary.findings(), Lines());
  EXPECT_TRUE(summary.find("a[3 * i]", true).isBroadcast);
}

TEST(AccessSummaryTest, TilesAreContiguousWithinTheGroup) {
  Summary summary(R"(
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void k(__global const float *b, __global float *c, int n) {
  __local float t[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  for (int k = 0; k < n; k++) {
    t[y][x] = b[(k * 16 + y) * n + get_group_id(0) * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    c[(get_group_id(1) * 16 + y) * n + get_group_id(0) * 16 + x] += t[x][y];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
})");
  // Two rows of the group are served together, each by half of the banks.
  EXPECT_EQ(summary.findings(), Lines({"k: R t[x][y] conflict"}));
  EXPECT_EQ(summary.find("t[x][y]").transactions, 8u);
  // A request ends with the row of the group: 16 floats.
  EXPECT_EQ(summary.find("b[(k * 16 + y) * n + get_group_id(0) * 16 + x]")
                .idealTransactions,
            2u);
}

TEST(AccessSummaryTest, WideLoadsAreContiguous) {
  Summary summary(R"(
__kernel void k(__global const float *a, __global float4 *b,
                __global float *c) {
  int i = get_global_id(0);
  b[i] = vload4(i, a);
  vstore2(b[i].xy, i, c);
})");
  EXPECT_EQ(summary.findings(), Lines());
  EXPECT_EQ(summary.find("vload4(i, a)").elementType, "float4");
  EXPECT_EQ(summary.find("vload4(i, a)").idealTransactions, 16u);
}

TEST(AccessSummaryTest, IdsPutTogetherByHand) {
  Summary summary(R"(
__kernel void k(__global float *a) {
  int gid = get_group_id(0) * get_local_size(0) + get_local_id(0);
  a[gid] = 0.0f;
})");
  EXPECT_EQ(summary.find("a[gid]", true).pattern, "forward");
  EXPECT_EQ(summary.find("a[gid]", true).subscript, "[gid]");
}

TEST(AccessSummaryTest, GridStrideLoopsRunInLockstep) {
  Summary summary(R"(
__kernel void k(__global float *a, __global const float *b,
                int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    a[i] = b[2 * i + 1] + b[i * n];
  int j = get_global_id(0);
  while (j < n) {
    a[j + n] = 0.0f;
    j += get_local_size(0) * get_num_groups(0);
  }
})");
  EXPECT_TRUE(summary.find("a[i]", true).isContiguous);
  EXPECT_EQ(summary.find("a[i]", true).transactions, 4u);
  EXPECT_TRUE(summary.find("a[j + n]", true).isContiguous);
  EXPECT_EQ(summary.find("b[2 * i + 1]").pattern, "stride 2");
  EXPECT_EQ(summary.find("b[i * n]").ruleId, "clopt-unvectorized-column");
}

TEST(AccessSummaryTest, AtomicsOfGridStrideLoopsRunInLockstep) {
  Summary summary(R"(
__kernel void k(__global uint *bins, __local uint *part) {
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    atomic_add(&bins[i], part[i]);
})");
  EXPECT_TRUE(summary.findings().empty());
}

TEST(AccessSummaryTest, WhatAnAtomicAddsIsNoSubscript) {
  Summary summary(R"(
__kernel void k(__global uint *bins, __global const uint *next,
                __global const uint *weight) {
  int i = get_global_id(0);
  while (next[i] > 3)
    i = i * 5;
  atomic_add(&bins[i], weight[0]);
})");
  EXPECT_EQ(summary.find("atomic_add(&bins[i], weight[0])").reason,
            "the subscript is only known at run time");
}

TEST(AccessSummaryTest, ArgumentsOfFunctionsThatStayCallsAreUnknown) {
  Summary summary(R"(
float sum(__constant float *a) {
  float s = 0.0f;
  for (int k = 0; k < 4; k++) {
    s += a[k];
    if (s > 1.0f)
      return s;
  }
  return s;
}
__kernel void k(__constant float *a, __global float *b) {
  b[get_global_id(0)] = sum(a);
})");
  EXPECT_EQ(summary.find("a").reason,
            "which elements the called function touches is not known");
}

TEST(AccessSummaryTest, UnevenUpdatesBreakLockstep) {
  Summary summary(R"(
__kernel void k(__global float *a, __global float *b, __global float *c,
                __global const int *next, int n) {
  for (int i = get_global_id(0); i < n; i += next[i])
    a[i] = 0.0f;
  for (int j = get_global_id(0); j < n; j += 8) {
    b[j] = 0.0f;
    if (next[j] > 0)
      j++;
  }
  int m = get_global_id(0);
  while (m < n) {
    if (next[m] > 3)
      continue;
    c[m] = 0.0f;
    m += 8;
  }
})");
  EXPECT_EQ(summary.find("a[i]", true).ruleId, "clopt-unvectorized-indirect");
  EXPECT_EQ(summary.find("b[j]", true).ruleId, "clopt-unvectorized-indirect");
  EXPECT_EQ(summary.find("c[m]", true).ruleId, "clopt-unvectorized-indirect");
}

//===-- Chen and Wu through the front end ---------------------------------===//

/// Fig. 5: the statement of one nest, over an array with declared dimensions.
Summary nest(const std::string &head, const std::string &access) {
  return Summary("__kernel void k(__global float *out) {\n"
                 "  __local float A[64][512];\n"
                 "  for (int i = 0; i < 64; i++)\n    for (" +
                 head + ")\n      " + access +
                 " = 0.0f;\n"
                 "  out[0] = A[0][0];\n}\n");
}

TEST(FrontendPatternTest, Figure5) {
  const char *up = "int j = 0; j < 64; j++";
  struct {
    const char *head, *access, *pattern;
  } nests[] = {
      {up, "A[i][j]", "forward"},
      {"int j = 63; j >= 0; j--", "A[i][j]", "reverse"},
      {up, "A[i][j + 2]", "offset 2"},
      {up, "A[i][i + j]", "skew 1"},
      {up, "A[i][5 * j]", "stride 5"},
      {up, "A[j][i]", "column"},
      {up, "A[j + 1][i]", "column + offset 1"},
      {up, "A[i][2 * j + 1]", "stride 2 + offset 1"},
      {up, "A[i][7]", "broadcast"},
  };
  for (const auto &[head, access, pattern] : nests) {
    Summary summary = nest(head, access);
    Pattern found = summary.patternAlong("j", access);
    EXPECT_EQ(found.str(*summary.models.front()), pattern) << access;
    EXPECT_EQ(found.isCompatible, !found.has(PatternKind::Broadcast)) << access;
  }
}

/// Flattened, the shape has to be found first.
TEST(FrontendPatternTest, FlattenedSubscripts) {
  Summary summary(R"(
__kernel void k(__global float *A, int N, int P) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i * P + j] = 0.0f;
      A[i * P + 5 * j] = 0.0f;
      A[j * P + i + 1] = 0.0f;
    }
})");
  const KernelModel &model = *summary.models.front();
  EXPECT_EQ(summary.patternAlong("j", "A[i * P + j]").str(model), "forward");
  EXPECT_EQ(summary.patternAlong("j", "A[i * P + 5 * j]").str(model),
            "stride 5");
  EXPECT_EQ(summary.patternAlong("j", "A[j * P + i + 1]").str(model), "column");
}

TEST(FrontendPatternTest, ExampleOne) {
  Summary summary(R"(
__kernel void k(__global float *A, __global const float *B,
                __global const float *C, __global const float *D, int N) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      A[i] = A[i] + B[i * N + j] + C[i * (2 * N) + 2 * j] * D[i * (N + 10) + j + 10];
})");
  EXPECT_EQ(summary.vectorizable("A", summary.iterator("j")),
            (Lines{"B", "C", "D"}));
}

TEST(FrontendPatternTest, MatrixProduct) {
  Summary summary = Summary::ofExample("mm");
  EXPECT_EQ(summary.vectorizable("C", summary.iterator("k")),
            (Lines{"A", "B"}));
}

TEST(FrontendPatternTest, Adi) {
  Summary summary = Summary::ofExample("adi");
  SymbolId axis = *laneAxis(*summary.models.front());
  EXPECT_EQ(summary.vectorizable("du1", axis), (Lines{"u1", "du1"}));
  EXPECT_EQ(summary.vectorizable("u1", axis),
            (Lines{"u1", "du1", "du2", "du3"}));
}

} // namespace

//===-- Bounds ------------------------------------------------------------===//

TEST(AccessSummaryTest, AccessesOutsideDeclaredArrays) {
  Summary summary(R"(
__constant int table[4] = {1, 2, 3, 4};
__kernel void f(__global int *out, int n) {
  __local int tile[2][8];
  int own[4];
  int i = get_global_id(0), l = get_local_id(0);
  own[0] = 1;
  tile[1][(l & 7) + 8] = 2;
  if (n > 3)
    own[n] = table[n];
  out[i] = own[1];
})",
                  "cpu");
  EXPECT_EQ(summary.findings(),
            Lines({"f: W tile[1][(l & 7) + 8] bounds",
                   "f: W tile[1][(l & 7) + 8] race", "f: W own[n] bounds",
                   "f: R table[n] bounds"}));
  EXPECT_EQ(summary.find("own[n]", true).reason,
            "the subscript is at least 4, outside the 4 elements of `own` in "
            "this dimension");
}

TEST(AccessSummaryTest, AccessesThatMayBeInside) {
  Summary summary(R"(
struct open { int count, values[1]; };
__kernel void f(__global int *out, __global struct open *s, int n) {
  int own[4], *end = &own[4];
  int i = get_global_id(0);
  for (int k = 0; k <= 4; k++)
    own[k] = 0;
  own[n] = end - own;
  if (n > 7 && n < 4)
    own[n] = 1;
  s->values[2] = 3;
  out[i] = own[n & 7];
})",
                  "cpu");
  EXPECT_EQ(summary.findings(), Lines({}));
}
