//===- SplitScanTest.cpp - loops that do more than to find results --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/VerifySteps.h"

#include "KernelTesting.h"

using namespace clopt;

static std::string row(const std::string &body, const std::string &after = "",
                       const std::string &before = "int t = 0;",
                       const std::string &head = "int k = 0; k < m; k++") {
  return kernelOf("int i = get_global_id(0);\n" + before + "\nfor (" + head +
                  ") {\n" + body + "\n}\n" + after);
}

/// The loop that is shared in what the steps make, which is right.
static CooperativeReduction
shared(const std::string &source,
       const std::string &steps = "split-reduction k:8") {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << source;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_EQ(wrong ? wrong->message : "", "") << source;
  return tested.kernel.cooperativeReductions.empty()
             ? CooperativeReduction()
             : tested.kernel.cooperativeReductions.front();
}

// F33
TEST(SplitScanTest, F33ResultsSoFarAreUsed) {
  for (const std::string &body :
       {"t += p[k]; r[i * m + k] = t;", "r[i * m + k] = t; t += p[k];",
        "t = max(t, p[k]); r[i * m + k] = t;",
        "if (p[k] > 3) t |= p[k]; int u = t * 2; r[i * m + k] = u + 1;"}) {
    CooperativeReduction loop = shared(row(body));
    EXPECT_TRUE(loop.isScan) << body;
    EXPECT_TRUE(loop.writes) << body;
    EXPECT_EQ(loop.results.size(), 1u) << body;
  }
  EXPECT_EQ(shared(row("t += p[k]; u ^= p[k]; r[i * m + k] = t + u;", "",
                       "int t = 0, u = 0;"))
                .results.size(),
            2u);
}

TEST(SplitScanTest, F33InPlaceAndBackwards) {
  EXPECT_TRUE(shared(row("t += p[i * m + k]; p[i * m + k] = t;")).isScan);
  EXPECT_TRUE(shared(row("t += p[k]; r[i * m + k] = t;", "s[i] = t;",
                         "int t = 0;", "int k = m - 1; k >= 0; k -= 2"))
                  .isScan);
}

TEST(SplitScanTest, F33PiecesOfSeveralIterations) {
  EXPECT_TRUE(shared(row("t += p[k]; r[i * m + k] = t;"),
                     "unroll k:4\nsplit-reduction k:8")
                  .isScan);
}

TEST(SplitScanTest, IterationsThatOnlyWriteAreFree) {
  CooperativeReduction loop = shared(row("r[i * m + k] = s[i * m + k];"));
  EXPECT_TRUE(loop.writes);
  EXPECT_FALSE(loop.isScan);
  EXPECT_TRUE(loop.results.empty());
  // What is only found is no scan either.
  loop = shared(row("t += p[k]; r[i * m + k] = 1;", "s[i] = t;"));
  EXPECT_TRUE(loop.writes);
  EXPECT_FALSE(loop.isScan);
}

TEST(SplitScanTest, BuffersThatMayOverlapAreCompared) {
  TestedKernel tested(row("b[i * m + k] = a[i * m + k];"));
  ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
  expectRefused(row("b[i * m + k] = a[i * m + k];"), "split-reduction k:8",
                "clopt-may-alias", "may overlap", AliasMode::Strict);
}

TEST(SplitScanTest, OrderOfFractionsNeedsPermission) {
  expectRefused(row("t += s[k]; r[i * m + k] = t;", "", "float t = 0;"),
                "split-reduction k:8", "clopt-reassociation",
                "the value of 't' goes from one iteration to the next");
}

TEST(SplitScanTest, RecurrencesAreNoScans) {
  for (const std::string &body :
       {"t = t * 3 + p[k]; r[i * m + k] = t;",
        "t += p[k] * t; r[i * m + k] = t;",
        "t += p[k]; if (t > 9) t = 0; r[i * m + k] = t;"})
    expectRefused(row(body), "split-reduction k:8", "clopt-dependence",
                  "the value of 't' goes from one iteration to the next");
}

TEST(SplitScanTest, CellsOfOtherIterations) {
  for (const std::string &body :
       {"t += p[k]; r[i] = t;", "r[i * m + k + 1] = r[i * m + k];",
        "t += p[i * m + k + 1]; p[i * m + k] = t;"})
    expectRefused(row(body), "split-reduction k:8", "clopt-dependence", "");
}

TEST(SplitScanTest, ResultsThatComeFromWhatIsWritten) {
  expectRefused(row("p[i * m + k] = k; t += p[i * m + k]; r[i * m + k] = t;"),
                "split-reduction k:8", "clopt-dependence",
                "the results come from what the loop writes to 'p'");
}

TEST(SplitScanTest, AllScanEquallyManyIterations) {
  expectRefused(row("t += p[k]; r[i * m + k] = t;", "", "int t = 0;",
                    "int k = 0; k < i; k++"),
                "split-reduction k:8", "clopt-barrier",
                "work-items scan differently many iterations");
  // Without rounds they need not.
  EXPECT_TRUE(
      shared(row("r[i * m + k] = 1;", "", "", "int k = 0; k < i; k++")).writes);
}

TEST(SplitScanTest, IterationsBesideTheLoop) {
  for (const std::string &steps :
       {"split-reduction k:8\npeel k:1", "peel k:1 last\nsplit-reduction k:8"})
    expectRefused(row("t += p[k]; r[i * m + k] += t;"), steps,
                  "clopt-dependence",
                  "iterations of 'k' that change memory are written out apart");
  // What they only find all of the work-items find.
  expectTaken(row("t += p[k];", "r[i] = t;"),
              "peel k:1 last\nsplit-reduction k:8");
}

TEST(SplitScanTest, VariablesOfConditions) {
  EXPECT_TRUE(
      shared(row("t += p[k]; if (t & 1) { int u = t * 2; r[i * m + k] = u; }"))
          .isScan);
}

TEST(SplitScanTest, RegistersInTheLoop) {
  expectRefused(row("for (int l = 0; l < n; l++) p[i * m + k] += l;"),
                "privatize p\nsplit-reduction k:4", "clopt-dependence",
                "'p' is kept in registers over an inner loop");
}

/// The step refuses what is wrong, so what it made is spoiled here.
TEST(SplitScanTest, TheSecondCheckLooksAtWrites) {
  auto wrongness = [](TestedKernel &tested) {
    StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
    return wrong ? wrong->message : "";
  };
  TestedKernel tested(row("t += p[k]; r[i * m + k] = t;"));
  ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
  auto model = std::make_shared<KernelModel>(*tested.kernel.model);
  tested.kernel.cooperativeReductions[0].writes = false;
  EXPECT_NE(wrongness(tested).find("write 'r'"), std::string::npos);
  tested.kernel.cooperativeReductions[0].writes = true;
  tested.kernel.cooperativeReductions[0].isScan = false;
  EXPECT_NE(wrongness(tested), "");
  tested.kernel.cooperativeReductions[0].isScan = true;
  // As if all iterations wrote one cell.
  for (Access &access : model->accesses)
    if (access.isWrite && model->arrays[access.array].name == "r")
      for (const Access &other : model->accesses)
        if (model->arrays[other.array].name == "p")
          access.relation = isl::manage(isl_map_set_tuple_name(
              isl_map_project_out(
                  isl_map_insert_dims(
                      isl_map_project_out(
                          access.relation.copy(), isl_dim_out, 0,
                          isl_map_dim(access.relation.get(), isl_dim_out)),
                      isl_dim_out, 0, 1),
                  isl_dim_out, 0, 0),
              isl_dim_out, "r"));
  tested.kernel.ownModel = model;
  tested.kernel.model = model.get();
  EXPECT_NE(wrongness(tested).find("use the same cells of 'r'"),
            std::string::npos);
}
