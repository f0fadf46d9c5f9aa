//===- DivergenceTest.cpp - what differs between lanes and points ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Divergence.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

/// Lanes along dimension 0; dimension 1 has several points.
struct Varied {
  TestedKernel tested;
  Divergence divergence;
  explicit Varied(const std::string &body)
      : tested("__kernel void f(__global float *restrict a,\n"
               "  __global float *restrict b, __global int *restrict p,\n"
               "  int n) {\n"
               "  int i = get_global_id(1), j = get_global_id(0);\n" +
               body + "}"),
        divergence(tested.kernel, tested.kernel.tree, axis(), 2u) {}
  LaneAxis axis() const {
    LaneAxis lane;
    lane.symbol = *tested.model->symbols.find(SymbolKind::GlobalId, 0);
    lane.lanes = 4;
    return lane;
  }
  const VariableDivergence &of(const std::string &name) const {
    for (const auto &variable : tested.model->function->variables)
      if (variable->name == name)
        return divergence.ofVariable(variable.get());
    ADD_FAILURE() << name;
    return divergence.ofVariable(nullptr);
  }
};

} // namespace

TEST(DivergenceTest, ValuesFollowWhatTheyAreMadeOf) {
  Varied varied("float x = a[j], y = a[i * n], z = a[0], w = a[i * n + j];\n"
                "b[i * n + j] = x + y + z + w;");
  EXPECT_EQ(varied.of("x").mask, LaneBit);
  EXPECT_EQ(varied.of("y").mask, 2u);
  EXPECT_EQ(varied.of("z").mask, 0u);
  EXPECT_EQ(varied.of("w").mask, LaneBit | 2u);
  EXPECT_TRUE(varied.of("x").isVector());
  EXPECT_FALSE(varied.of("y").isVector());
}

TEST(DivergenceTest, DivergencePassesThroughVariables) {
  Varied varied("float x = a[j]; float y = 1; y = y + x; b[j] = y;");
  EXPECT_EQ(varied.of("y").mask, LaneBit);
}

TEST(DivergenceTest, ControlMakesValuesVary) {
  Varied varied("float x = 0; if (p[j] > 0) x = 1; b[i * n + j] = x;");
  EXPECT_EQ(varied.of("x").mask & LaneBit, LaneBit);
}

TEST(DivergenceTest, SumsOverALoopVaryAsTheirTerms) {
  Varied varied("float x = 0, y = 0; for (int k = 0; k < n; k++) {\n"
                "  x += a[k * n + j]; y += a[i * n + k]; }\n"
                "b[i * n + j] = x * y;");
  EXPECT_EQ(varied.of("x").mask, LaneBit);
  EXPECT_EQ(varied.of("y").mask, 2u);
}

TEST(DivergenceTest, LocalArraysAreThereOnceForAllLanes) {
  Varied varied("__local float t[8]; float x = 1; t[j % 8] = x;\n"
                "barrier(CLK_LOCAL_MEM_FENCE); x = x + t[0];\n"
                "b[i * n + j] = x;");
  EXPECT_EQ(varied.of("t").mask & LaneBit, 0u);
  EXPECT_EQ(varied.of("x").mask & LaneBit, 0u);
}

TEST(DivergenceTest, PointersAdvanceByWhatTheyPointTo) {
  // The cells of `a` are floats, those of the rows float4.
  Varied varied(
      "__global const float4 *v = (__global const float4 *)a + j * n;\n"
      "__global const float *x = (__global const float *)v;\n"
      "b[j] = v[0].x + x[1];");
  const SymbolId n = *varied.tested.model->symbols.findVariable(
      varied.tested.model->function->params.back());
  EXPECT_EQ(varied.of("v").laneStride, Polynomial::symbol(n));
  EXPECT_EQ(varied.of("x").laneStride, Polynomial(4) * Polynomial::symbol(n));
}

TEST(DivergenceTest, IntegersThatAdvanceStayScalar) {
  Varied varied("int q = 3 * j + i; b[i * n + j] = a[q];");
  ASSERT_TRUE(varied.of("q").laneStride);
  EXPECT_EQ(varied.of("q").laneStride->asConstant(), 3);
  EXPECT_FALSE(varied.of("q").isVector());
}

TEST(DivergenceTest, CopiesVaryAsTheirCells) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "for (int k = 0; k < n; k++) r[i] += s[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  LaneAxis axis;
  axis.symbol = *tested.model->symbols.find(SymbolKind::GlobalId, 0);
  axis.lanes = 4;
  Divergence divergence(tested.kernel, tested.kernel.tree, axis, 0);
  EXPECT_EQ(divergence.ofCopy(0), LaneBit);
}

/// Where a lane may not evaluate what its neighbour does, lanes part.
TEST(DivergenceTest, ConditionsAreEvaluatedTogetherWhereThatIsHarmless) {
  auto runTogether = [](const std::string &condition) {
    const Varied varied("float x = a[j]; int c = 0;\n"
                        "for (int k = 0; k < n; k++) { if (" +
                        condition + ") c += 1; }\nb[i * n + j] = c;");
    const KernelModel &model = *varied.tested.model;
    for (const Statement &statement : model.statements)
      if (statement.stmt && statement.stmt->kind == StmtKind::If)
        return runsTogether(varied.tested.kernel, varied.divergence,
                            StmtRef(StmtRef(), statement.stmt));
    ADD_FAILURE() << "no condition";
    return false;
  };
  EXPECT_TRUE(runTogether("x < a[k]"));
  EXPECT_TRUE(runTogether("(x < a[k]) != (x < a[k + 1])"));
  EXPECT_TRUE(runTogether("x < a[k] && x > 1.0f"));
  EXPECT_FALSE(runTogether("x > 1.0f && x < a[k]"));
  EXPECT_FALSE(runTogether("x > 1.0f || x < a[k]"));
  EXPECT_FALSE(runTogether("x < (x > 1.0f ? a[k] : 2.0f)"));
}

/// How the only loop varies, and whether lanes run it together.
static std::pair<DivergenceMask, bool> ofOnlyLoop(const std::string &loop) {
  const Varied varied("float x = a[j], y = 1; int k = 0;\n" + loop +
                      "\nb[i * n + j] = x + y + k;");
  for (const Statement &statement : varied.tested.model->statements)
    if (statement.isCompound) {
      const StmtRef stmt(StmtRef(), statement.stmt);
      return {varied.divergence.ofLoop(stmt),
              runsTogether(varied.tested.kernel, varied.divergence, stmt)};
    }
  ADD_FAILURE() << "no loop that is kept whole";
  return {};
}

TEST(DivergenceTest, LoopsVaryAsTheirConditionsAndJumps) {
  using Loop = std::pair<DivergenceMask, bool>;
  const DivergenceMask lanes = LaneBit;
  EXPECT_EQ(ofOnlyLoop("while (x < 9) { x = x * x; k++; }"), Loop(lanes, true));
  // What a jump ends is ended for some lanes.
  EXPECT_EQ(ofOnlyLoop("while (k < 9) { if (x > 2) break; x += 1; k++; }"),
            Loop(lanes, true));
  EXPECT_EQ(ofOnlyLoop("do { k++; if (x > k) continue; y += 1; } "
                       "while (y < 9 && k < 20);"),
            Loop(lanes, true));
  EXPECT_EQ(ofOnlyLoop("while (p[k] > 0) { y += 1; k = p[k]; }"),
            Loop(0, true));
  // A jump of an inner loop ends that.
  EXPECT_EQ(ofOnlyLoop("while (p[k] > 0) { for (int c = 0; c < n; c++) { if "
                       "(x > c) break; y += 1; } k = p[k]; }"),
            Loop(0, true));
}

TEST(DivergenceTest, ConditionsHaveLoadedForAllLanes) {
  auto runs = [](const std::string &branch) {
    return ofOnlyLoop("for (int c = 0; p[c] > 0; c++) { " + branch + " }")
        .second;
  };
  EXPECT_TRUE(runs("if (a[j + c] > x) { x = a[j + c]; k = c; }"));
  EXPECT_TRUE(runs("if (x < a[j + c] && y < 2) y += a[j + c];"));
  // Not by those that did not ask, not elsewhere, and not another cell.
  EXPECT_FALSE(runs("if (y < 2 && x < 3) y += a[j + c];"));
  EXPECT_FALSE(runs("if (x < 3) y += a[j + c];"));
  EXPECT_FALSE(runs("if (a[j + k] > x) { k++; x = a[j + k]; }"));
  EXPECT_TRUE(runs("if (a[j + c] > x) { if (y < x) y = a[j + c]; }"));
  // A store may change what says where the cell is.
  EXPECT_TRUE(runs("if (a[p[j]] > x) { x = 2; y = a[p[j]]; }"));
  EXPECT_FALSE(runs("if (a[p[j]] > x) { b[j] = 2; y = a[p[j]]; }"));
}

TEST(DivergenceTest, LanesThatHaveLeftALoopLoadNothingOfTheirOwn) {
  EXPECT_TRUE(ofOnlyLoop("while (x < 9) x += a[n];").second);
  EXPECT_FALSE(ofOnlyLoop("while (x < 9) x += a[n + j];").second);
  EXPECT_FALSE(ofOnlyLoop("while (x < a[j + k]) { x += 1; k++; }").second);
  // What the first test has loaded is there.
  EXPECT_TRUE(ofOnlyLoop("while (x < a[j + n]) x += 1;").second);
  EXPECT_TRUE(ofOnlyLoop("while (x < a[j + n]) x += a[j + n] * y;").second);
  EXPECT_FALSE(ofOnlyLoop("do x += a[j + n]; while (x < a[j + n]);").second);
  EXPECT_FALSE(
      ofOnlyLoop("while (x < 9) { if (a[n + j] > x) break; x += 1; }").second);
  // Each stores for itself.
  EXPECT_TRUE(ofOnlyLoop("while (x < 9) { p[j] = k; x += 1; }").second);
  EXPECT_FALSE(
      ofOnlyLoop("while (x < 9) { if (x > 7) return; x += 1; }").second);
}

/// What `advanceOf` says of the last loop.
static std::optional<int64_t> advanceIn(const std::string &body) {
  Varied varied(body);
  std::optional<int64_t> result;
  for (const Statement &statement : varied.tested.model->statements)
    forEachStmt(StmtRef(StmtRef(), statement.stmt), [&](const StmtRef &stmt) {
      if (stmt->kind == StmtKind::For)
        result = varied.divergence.advanceOf(stmt);
    });
  return result;
}

TEST(DivergenceTest, LanesBeginLoopsApart) {
  const std::string body = " s += b[k]; a[j] = s;";
  auto loop = [&](const std::string &head) {
    return advanceIn("float s = 0; for (" + head + ")" + body);
  };
  EXPECT_EQ(loop("int k = j; k < n; k += p[0]"), std::nullopt);
  EXPECT_EQ(loop("int k = j; k < n; k += get_local_size(0)"), 1);
  EXPECT_EQ(loop("int k = 4 * j + 1; k < n; k += get_local_size(0)"), 4);
  EXPECT_EQ(loop("size_t k = j; k < 99; k += get_local_size(0)"), 1);
  // The launch is asked whether they wrap, where that can be asked.
  EXPECT_EQ(loop("uint k = j; k < 99u; k += get_local_size(0)"), 1);
  EXPECT_EQ(loop("uint k = j; k < p[0]; k += get_local_size(0)"), std::nullopt);
  EXPECT_EQ(loop("uint k = j; k < 99u / n; k += get_local_size(0)"),
            std::nullopt);
  EXPECT_EQ(loop("uint k = j - 5; k < 99u; k += get_local_size(0)"),
            std::nullopt);
  // They may go on by other steps, or end apart.
  EXPECT_EQ(loop("size_t k = j; k < 99; k += (size_t)n"), std::nullopt);
  EXPECT_EQ(loop("size_t k = get_global_id(0) - 5; k < 99;"
                 " k += get_local_size(0)"),
            std::nullopt);
  EXPECT_EQ(loop("int k = j; k < n + j; k += get_local_size(0)"), std::nullopt);
  EXPECT_EQ(loop("int k = n - j; k < n; k += get_local_size(0)"), std::nullopt);
}

TEST(DivergenceTest, WhatAnIterationDeclaresIsOfItsLanes) {
  Varied varied("float s = 0; int c = 0;\n"
                "for (int k = j; k < n; k += get_local_size(0)) {\n"
                "  int m = 0; for (int q = 0; q < n; q++) m += p[q];\n"
                "  s += b[k] * m; c = 1; }\n"
                "a[j] = s + c;");
  EXPECT_EQ(varied.of("m").mask, 0u);
  EXPECT_EQ(varied.of("q").mask, 0u);
  EXPECT_TRUE(varied.of("s").isVector());
  EXPECT_TRUE(varied.of("c").isVector());
  EXPECT_FALSE(varied.of("k").isVector());
}
