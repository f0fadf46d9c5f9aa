//===- DivergentInstancesTest.cpp - statements that not all of a tile run -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/DivergentInstances.h"

#include "AstEvaluation.h"
#include "EmissionTesting.h"

using namespace clopt;

namespace {

struct Form {
  const char *body; ///< a loop over j around one statement
  bool (*runs)(int i, int j, int n);
};

const Form forms[] = {
    {"for (int j = 0; j < n; j++) if (j != i) t += s[j];",
     [](int i, int j, int n) { return j >= 0 && j < n && j != i; }},
    {"for (int j = 0; j < n; j++) { if (j == i + 1) continue; t += s[j]; }",
     [](int i, int j, int n) { return j >= 0 && j < n && j != i + 1; }},
    {"for (int j = 0; j <= i; j++) t += s[j];",
     [](int i, int j, int) { return j >= 0 && j <= i; }},
    {"for (int j = i + 1; j < n; j++) t += s[j];",
     [](int i, int j, int n) { return j > i && j < n; }},
    {"for (int j = max(i - 3, 0); j < n; j++) t += s[j];",
     [](int i, int j, int n) { return j >= 0 && j >= i - 3 && j < n; }},
    {"for (int j = n - 1 - i; j < n; j++) t += s[j];",
     [](int i, int j, int n) { return j >= n - 1 - i && j < n; }},
    {"for (int j = 0; j < n; j++) if (j < i - 2 || j > i + 2) t += s[j];",
     [](int i, int j, int n) {
       return j >= 0 && j < n && (j < i - 2 || j > i + 2);
     }},
};

const char *const recipes[] = {"coarsen i:2", "coarsen i:3", "vectorize i:4",
                               "coarsen i:2\nunroll j:3", "unroll j:4"};

} // namespace

static std::string kernelWith(const Form &form) {
  return kernelOf("int i = get_global_id(0);\nfloat t = 0;\n" +
                  std::string(form.body) + "\nr[i] = t;");
}

/// Iterations of j that every work-item runs, in order, from "S2(i,j)".
static std::map<int, std::vector<int>>
iterationsOf(const KernelModel &model, const std::vector<std::string> &done) {
  std::map<int, std::vector<int>> result;
  for (const std::string &text : done) {
    std::string name = text.substr(0, text.find('('));
    unsigned index = model.findStatement(name).value();
    size_t comma = text.find(',');
    if (model.statements[index].loops.empty() || comma == std::string::npos)
      continue;
    result[std::stoi(text.substr(text.find('(') + 1))].push_back(
        std::stoi(text.substr(comma + 1)));
  }
  return result;
}

/// Every work-item runs its iterations once, in their order; false when the
/// kernel is refused.
static bool runsIterations(const Form &form, const std::string &steps) {
  TestedKernel tested(kernelWith(form));
  EXPECT_EQ(tested.apply(steps).message, "");
  LoweringError error;
  std::optional<LoweredKernel> kernel = lower(tested.kernel, error);
  if (!kernel) {
    EXPECT_EQ(error.ruleId, "clopt-lane-control") << form.body << steps;
    return false;
  }
  int total = static_cast<int>(tested.kernel.work[0].total());
  unsigned fast = 0;
  for (int n = 0; n <= 11; ++n)
    for (int end : {1, 5, 12}) {
      std::vector<std::string> done;
      for (int base = 0; base < end; base += total) {
        Values values = {{"n", n}, {"go0", 0}, {kernel->baseNames[0], base}};
        values[kernel->endNames[0]] = end;
        bool isFast =
            kernel->full && evaluate(*kernel->full->condition, values);
        fast += isFast;
        LoweredRun run(*tested.model, isFast ? total : 1);
        run.run(isFast ? kernel->full->root : kernel->general.root, values);
        done.insert(done.end(), run.done.begin(), run.done.end());
      }
      std::map<int, std::vector<int>> expected;
      for (int i = 0; i < end; ++i)
        for (int j = -end; j < n + end; ++j)
          if (form.runs(i, j, n))
            expected[i].push_back(j);
      EXPECT_EQ(iterationsOf(*tested.model, done), expected)
          << form.body << " " << steps << " n " << n << " end " << end;
    }
  if (kernel->full) {
    EXPECT_GT(fast, 0u) << form.body << " " << steps;
  }
  return true;
}

TEST(DivergentInstancesTest, EveryWorkItemRunsItsOwnIterationsInOrder) {
  unsigned refused = 0;
  for (const Form &form : forms)
    for (const char *steps : recipes)
      refused += !runsIterations(form, steps);
  // Copies of which isl sees that there is one iteration only, and chunks of
  // loops that begin with the work-item.
  EXPECT_LE(refused, 3u);
}

/// Chunks are counted from the first iteration of the tile's first work-item,
/// before which no other may begin.
TEST(DivergentInstancesTest, ChunksBeginWithTheFirstWorkItem) {
  auto hasFastTiles = [&](const std::string &loop) {
    TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + loop +
                                 " r[i] += s[l * 64 + i];"));
    EXPECT_EQ(tested.apply("coarsen i:4\ntile i:16\ntile l:5").message, "");
    LoweringError error;
    return lower(tested.kernel, error).has_value();
  };
  EXPECT_TRUE(hasFastTiles("for (int l = n; l >= 0; l--)"));
  EXPECT_FALSE(hasFastTiles("for (int l = i; l >= 0; l--)"));
  EXPECT_TRUE(hasFastTiles("for (int l = n - i; l >= 0; l--)"));
  EXPECT_TRUE(hasFastTiles("for (int l = i; l < n; l++)"));
  EXPECT_TRUE(hasFastTiles("for (int l = max(i - 3, 0); l < n; l++)"));
  EXPECT_FALSE(hasFastTiles("for (int l = n - i; l < n; l++)"));
  EXPECT_FALSE(hasFastTiles("for (int l = max(3 - i, i); l < n; l++)"));
  // In steps of two, neighbours have other iterations.
  EXPECT_FALSE(hasFastTiles("for (int l = i; l < n; l += 2)"));
}

TEST(DivergentInstancesTest, CopiesHaveConditionsOfTheirOwn) {
  std::string body = emittedBody(kernelWith(forms[0]), "coarsen i:2");
  EXPECT_TRUE(has(body, "if (j != i0)")) << body;
  EXPECT_TRUE(has(body, "if (j != i0 + 1)")) << body;
  // Where all run, there is no condition.
  EXPECT_TRUE(has(body, "for (int j = i0 + 2; j < n; j++)")) << body;
}

TEST(DivergentInstancesTest, LanesRunOneByOneWhereTheyDiffer) {
  std::string body = emittedBody(kernelWith(forms[0]), "vectorize i:4");
  EXPECT_TRUE(has(body, "t_v += s[j]") || has(body, "t += s[j]")) << body;
  EXPECT_TRUE(has(body, ".s3 += s[j]")) << body;
}

TEST(DivergentInstancesTest, VariablesThatOutliveTheConditionHaveCopies) {
  std::string body =
      emittedBody(kernelOf("int i = get_global_id(0);\nfloat t = 0;\n"
                           "for (int j = 0; j < n; j++) {\n"
                           "  if (j != i) t = s[j];\n  r[i * 64 + j] = t;\n}"),
                  "coarsen i:2");
  EXPECT_TRUE(has(body, "t_1 = s[j]")) << body;
}

TEST(DivergentInstancesTest, VariablesOfTheConditionAreShared) {
  std::string body = emittedBody(
      kernelOf("int i = get_global_id(0);\nfloat t = 0;\n"
               "for (int j = 0; j < n; j++)\n"
               "  if (j != i) { float v = s[j]; t += v * v; }\nr[i] = t;"),
      "coarsen i:2");
  EXPECT_FALSE(has(body, "v_1")) << body;
  EXPECT_TRUE(has(body, "t_1 += v * v")) << body;
}

/// The first cell of a section has to be one that somebody reads.
TEST(DivergentInstancesTest, SectionsNeedTheirCorners) {
  const char *const steps = "tile i:8\ntile j:4\nstage s";
  TestedKernel most(kernelWith(forms[0]));
  ASSERT_EQ(most.apply(std::string("coarsen i:2\n") + steps).message, "");
  LoweringError error;
  EXPECT_TRUE(lower(most.kernel, error)) << error.message;
  // With a single work-item in a tile nobody may: such tiles have none.
  const std::string body =
      emittedBody(kernelOf("int i = get_global_id(0);\nif (i >= n) return;\n"
                           "float t = 0;\nfor (int j = 0; j < n; j++)\n"
                           "  if (j != i) t += s[j];\nr[i] = t;"),
                  steps);
  EXPECT_TRUE(has(body, "if (i_valid >= 2) {")) << body;
  TestedKernel triangle(kernelWith(forms[2]));
  ASSERT_EQ(triangle.apply(std::string("coarsen i:2\n") + steps).message, "");
  EXPECT_TRUE(lower(triangle.kernel, error)) << error.message;
}

/// The first work-items read nothing before the first cell that is read; their
/// tiles are left over, all others are staged.
TEST(DivergentInstancesTest, TilesThatMayNotBeReadAreLeftOver) {
  const std::string body =
      emittedBody(kernelOf("int i = get_global_id(0);\nif (i >= n) return;\n"
                           "float t = 0;\nfor (int j = 0; j < i; j++)\n"
                           "  t += s[i * n + j];\nr[i] = t;"),
                  "tile i:16\ntile j:16\nstage s");
  // In whole tiles, in the one tile across the diagonal, one by one.
  EXPECT_TRUE(has(body, "j0 + TILE_J <= i_tile")) << body;
  EXPECT_TRUE(has(body, "if (i_tile % 16 + i_valid >= 17)")) << body;
  EXPECT_TRUE(has(body, "t += s[i0 * n + j]")) << body;
}
