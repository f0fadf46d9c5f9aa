//===- LoweringTest.cpp - loops and conditions against enumeration --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered kernels are run with numbers for all small sizes: every instance of
// every statement must be executed exactly once, in its order.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/Lowering.h"

#include "AstEvaluation.h"
#include "KernelTesting.h"

using namespace clopt;

static LoweredKernel lowered(const TestedKernel &tested) {
  LoweringError error;
  std::optional<LoweredKernel> result = lower(tested.kernel, error);
  EXPECT_TRUE(result) << error.message;
  return result ? std::move(*result) : LoweredKernel();
}

/// Values of the launch: nothing of it is offset.
static Values launchValues(const KernelModel &model) {
  Values values;
  for (SymbolId id = 0; id < model.symbols.size(); ++id)
    if (model.symbols[id].kind == SymbolKind::GlobalOffset)
      values[model.symbols.name(id)] = 0;
  return values;
}

//===-- Sequential loops --------------------------------------------------===//

namespace {

struct LoopForm {
  const char *head;
  int first, step;
  bool (*runs)(int k, int n);
};

const LoopForm forms[] = {
    {"int k = 0; k < n; k++", 0, 1, [](int k, int n) { return k < n; }},
    {"int k = 3; k < n; k++", 3, 1, [](int k, int n) { return k < n; }},
    {"int k = 0; k <= n; k++", 0, 1, [](int k, int n) { return k <= n; }},
    {"int k = 1; k < n; k += 2", 1, 2, [](int k, int n) { return k < n; }},
    {"int k = 2; k < n; k += 3", 2, 3, [](int k, int n) { return k < n; }},
    {"int k = 17; k >= n; k--", 17, -1, [](int k, int n) { return k >= n; }},
    {"int k = 18; k > n; k -= 2", 18, -2, [](int k, int n) { return k > n; }},
};

} // namespace

/// Runs `steps` on all forms of loops, for n from 0 to 20.
static void expectAllIterations(const std::string &steps) {
  for (const LoopForm &form : forms) {
    TestedKernel tested(kernelOf("for (" + std::string(form.head) +
                                 ") { r[k] = 1; s[k] = 2; }"));
    ASSERT_EQ(tested.apply(steps).message, "") << form.head;
    LoweredKernel kernel = lowered(tested);
    EXPECT_FALSE(kernel.full);
    for (int n = 0; n <= 20; ++n) {
      std::vector<std::string> expected;
      for (int k = form.first; form.runs(k, n); k += form.step)
        for (const char *statement : {"S0(", "S1("})
          expected.push_back(statement + std::to_string(k) + ")");
      Values values = launchValues(*tested.model);
      values["n"] = n;
      LoweredRun run(*tested.kernel.model);
      run.run(kernel.general.root, values);
      // Loops that steps have put around stand in front of k.
      for (std::string &instance : run.done)
        if (size_t comma = instance.rfind(','); comma != std::string::npos)
          instance.erase(instance.find('(') + 1, comma - instance.find('('));
      EXPECT_EQ(run.done, expected) << form.head << " " << steps << " n=" << n;
    }
  }
}

TEST(LoweringTest, PlainLoops) { expectAllIterations(""); }
TEST(LoweringTest, UnrolledBy2) { expectAllIterations("unroll k:2"); }
TEST(LoweringTest, UnrolledBy3) { expectAllIterations("unroll k:3"); }
TEST(LoweringTest, UnrolledBy4) { expectAllIterations("unroll k:4"); }
TEST(LoweringTest, Peeled) {
  expectAllIterations("peel k:1");
  expectAllIterations("peel k:3 last");
  expectAllIterations("peel k:2\npeel k:1 last");
  expectAllIterations("peel k:1\nunroll k:3");
}
TEST(LoweringTest, Vectors) {
  expectAllIterations("vectorize k:2");
  expectAllIterations("vectorize k:4");
  expectAllIterations("vectorize k:8");
}

TEST(LoweringTest, TriangularNests) {
  for (const char *steps : {"unroll k:3", "vectorize k:4", "unroll j:2"}) {
    TestedKernel tested(kernelOf("for (int j = 0; j < n; j++)\n"
                                 "  for (int k = j; k < n; k++)\n"
                                 "    r[j * 64 + k] = 1;"));
    ASSERT_EQ(tested.apply(steps).message, "");
    LoweringError error;
    std::optional<LoweredKernel> kernel = lower(tested.kernel, error);
    if (!kernel) {
      // Copies of the outer iteration would have different inner loops.
      EXPECT_EQ(error.ruleId, "clopt-lane-control") << steps;
      continue;
    }
    for (int n = 0; n <= 12; ++n) {
      std::vector<std::string> expected;
      for (int j = 0; j < n; ++j)
        for (int k = j; k < n; ++k)
          expected.push_back("S0(" + std::to_string(j) + "," +
                             std::to_string(k) + ")");
      LoweredRun run(*tested.model);
      run.run(kernel->general.root, {{"n", n}});
      EXPECT_EQ(run.done, expected) << steps << " n=" << n;
    }
  }
}

TEST(LoweringTest, CompleteUnrollingLeavesNoLoop) {
  TestedKernel tested(kernelOf("for (int k = 0; k < 4; k++) r[k] = s[k];"));
  ASSERT_EQ(tested.apply("unroll k").message, "");
  LoweredKernel kernel = lowered(tested);
  LoweredRun run(*tested.model);
  run.run(kernel.general.root, {});
  EXPECT_EQ(run.done,
            std::vector<std::string>({"S0(0)", "S0(1)", "S0(2)", "S0(3)"}));
}

//===-- Work-items --------------------------------------------------------===//

/// First ids of the tiles, and for strided dimensions their distance.
static void runTile(const LoweredKernel &kernel, const TestedKernel &tested,
                    Values values, int base, int end,
                    std::vector<std::string> &done) {
  const WorkDimension &work = tested.kernel.work[0];
  values[kernel.baseNames[0]] = base;
  int64_t step = 0;
  if (!kernel.strideNames[0].empty())
    step = values[kernel.strideNames[0]];
  if (evaluate(*kernel.full->condition, values)) {
    LoweredRun run(*tested.model);
    run.run(kernel.full->root, values);
    // A statement stands for all work-items of the tile.
    for (const std::string &text : run.done)
      for (unsigned p = 0; p < work.points; ++p)
        for (unsigned lane = 0; lane < work.lanes; ++lane) {
          int64_t id = base + lane + (step ? p * step : p * work.lanes);
          EXPECT_EQ(text.substr(0, text.find_first_of(",)")),
                    text.substr(0, 3) + std::to_string(base));
          done.push_back(text.substr(0, 3) + std::to_string(id) +
                         text.substr(text.find_first_of(",)")));
        }
    return;
  }
  for (int64_t at = base; at < end; at += step ? step : end) {
    values[kernel.baseNames[0]] = at;
    LoweredRun run(*tested.model);
    run.run(kernel.general.root, values);
    done.insert(done.end(), run.done.begin(), run.done.end());
  }
}

/// All instances of all tiles of launches with 1 to 13 work-items.
static void expectAllWorkItems(const std::string &body,
                               const std::string &steps,
                               bool (*runs)(int id, int n)) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + body));
  ASSERT_EQ(tested.apply(steps).message, "");
  LoweredKernel kernel = lowered(tested);
  ASSERT_TRUE(kernel.full);
  const WorkDimension &work = tested.kernel.work[0];
  int total = static_cast<int>(work.total());
  unsigned fast = 0;
  for (int size = 1; size <= 13; ++size)
    for (int n = 0; n <= 14; ++n) {
      Values values = launchValues(*tested.model);
      values["n"] = n;
      values[kernel.endNames[0]] = size;
      int tiles = (size + total - 1) / total;
      int blocks = static_cast<int>(work.strided ? work.lanes : total);
      if (!kernel.strideNames[0].empty())
        values[kernel.strideNames[0]] = tiles * blocks;
      std::vector<std::string> done, expected;
      for (int tile = 0; tile < tiles; ++tile) {
        runTile(kernel, tested, values, tile * blocks, size, done);
        values[kernel.baseNames[0]] = tile * blocks;
        fast += evaluate(*kernel.full->condition, values) != 0;
      }
      // Of the store, the last statement of these kernels.
      std::string last = tested.model->statements.back().name;
      for (int id = 0; id < size; ++id)
        if (runs(id, n))
          expected.push_back(last + "(" + std::to_string(id) + ")");
      done.erase(std::remove_if(done.begin(), done.end(),
                                [&](const std::string &text) {
                                  return text.rfind(last, 0) != 0;
                                }),
                 done.end());
      std::sort(done.begin(), done.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(done, expected)
          << body << steps << " size " << size << " n " << n;
    }
  EXPECT_GT(fast, 0u) << "the fast version never runs";
}

TEST(LoweringTest, EveryWorkItemRunsOnce) {
  for (const char *steps :
       {"coarsen i:2", "coarsen i:3", "vectorize i:4", "coarsen i:3 stride",
        "vectorize i:2\ncoarsen i:2", "vectorize i:2\ncoarsen i:3 stride"}) {
    expectAllWorkItems("r[i] = 1;", steps, [](int, int) { return true; });
    expectAllWorkItems("if (i < n) r[i] = 1;", steps,
                       [](int i, int n) { return i < n; });
    expectAllWorkItems("if (i >= n) return;\nr[i] = 1;", steps,
                       [](int i, int n) { return i < n; });
    expectAllWorkItems("if (i >= 1 && i < n - 1) r[i] = 1;", steps,
                       [](int i, int n) { return i >= 1 && i < n - 1; });
  }
}

TEST(LoweringTest, TiledLoopsVisitTheFirstOfEveryTileAndTheRest) {
  for (const LoopForm &form : forms) {
    TestedKernel tested(
        kernelOf("for (" + std::string(form.head) + ") r[k] = 1;"));
    ASSERT_EQ(tested.apply("tile k:3").message, "") << form.head;
    LoweredKernel kernel = lowered(tested);
    for (int n = 0; n <= 20; ++n) {
      std::vector<int> iterations;
      for (int k = form.first; form.runs(k, n); k += form.step)
        iterations.push_back(k);
      // Tiles stand for three iterations; those left over are on their own.
      std::vector<std::string> expected;
      size_t whole = iterations.size() / 3 * 3;
      for (size_t i = 0; i < iterations.size(); i += i < whole ? 3 : 1)
        expected.push_back("S0(" + std::to_string(iterations[i]) + ")");
      Values values = launchValues(*tested.model);
      values["n"] = n;
      LoweredRun run(*tested.model);
      run.run(kernel.general.root, values);
      EXPECT_EQ(run.done, expected) << form.head << " n=" << n;
    }
  }
}

//===-- Tiles at borders --------------------------------------------------===//

namespace {

/// How far the tiles of a kernel over x and y reach, for many small launches.
class Borders {
public:
  using Runs = bool (*)(int x, int y, int n, int m);

  Borders(const TestedKernel &testedKernel, Runs runsWhere)
      : tested(testedKernel), kernel(lowered(testedKernel)), runs(runsWhere) {}

  /// In every tile that takes the fast version, all its valid ids do what the
  /// first one does, and one more would be outside.
  void check() {
    ASSERT_TRUE(kernel.full);
    ASSERT_FALSE(kernel.validIds.empty());
    std::vector<unsigned> dims = workCoordinates(*tested.model);
    ASSERT_EQ(kernel.validIds.size(), dims.size());
    for (int width : {1, 5, 8, 13})
      for (int height : {1, 4, 9})
        for (int n = 0; n <= 15; n += 3)
          for (int m = 0; m <= 9; m += 2)
            checkLaunch(width, height, n, m);
    EXPECT_GT(whole, 0u) << "no tile is whole";
    EXPECT_GT(cut, 0u) << "no tile is cut";
    EXPECT_GT(outside, 0u) << "every tile takes the fast version";
  }

private:
  void checkLaunch(int width, int height, int n, int m) {
    Values values = launchValues(*tested.model);
    values["n"] = n;
    values["m"] = m;
    int ends[2] = {width, height};
    for (int y = 0; y < height; y += size(1))
      for (int x = 0; x < width; x += size(0)) {
        int first[2] = {x, y};
        for (unsigned i = 0; i < dims.size(); ++i) {
          values[kernel.baseNames[i]] = first[dims[i]];
          values[kernel.endNames[i]] = ends[dims[i]];
          values[kernel.extentNames[i]] = size(dims[i]);
        }
        checkTile(values, x, y, n, m, ends);
      }
  }

  void checkTile(const Values &values, int x, int y, int n, int m,
                 const int *ends) {
    auto isIn = [&](int atX, int atY) {
      return atX < ends[0] && atY < ends[1] && runs(atX, atY, n, m);
    };
    if (!evaluate(*kernel.full->condition, values)) {
      bool all = true;
      for (unsigned p = 0; p < tested.kernel.work[0].total(); ++p)
        for (unsigned q = 0; q < tested.kernel.work[1].total(); ++q)
          all &= isIn(x + p, y + q);
      EXPECT_FALSE(all) << "at " << x << "," << y << " n " << n << " m " << m;
      ++outside;
      return;
    }
    int valid[2] = {};
    for (unsigned i = 0; i < dims.size(); ++i) {
      ASSERT_TRUE(kernel.validIds[i]);
      valid[dims[i]] =
          std::min<int>(size(dims[i]), evaluate(*kernel.validIds[i], values));
      EXPECT_GE(valid[dims[i]],
                static_cast<int>(tested.kernel.work[dims[i]].total()));
    }
    for (int q = 0; q < valid[1]; ++q)
      for (int p = 0; p < valid[0]; ++p)
        EXPECT_TRUE(isIn(x + p, y + q))
            << "at " << x << "+" << p << "," << y << "+" << q << " n " << n
            << " m " << m << " of " << ends[0] << "x" << ends[1];
    // No row or column that is inside is left to the general version.
    bool isWider = valid[0] < size(0) && isIn(x + valid[0], y),
         isHigher = valid[1] < size(1) && isIn(x, y + valid[1]);
    EXPECT_FALSE(isWider || isHigher) << "at " << x << "," << y;
    ++(valid[0] == size(0) && valid[1] == size(1) ? whole : cut);
  }

  int size(unsigned dim) const {
    return static_cast<int>(tested.kernel.work[dim].groupIds);
  }

  const TestedKernel &tested;
  LoweredKernel kernel;
  Runs runs;
  std::vector<unsigned> dims = workCoordinates(*tested.model);
  unsigned whole = 0, cut = 0, outside = 0;
};

} // namespace

static const char *const plane =
    "int x = get_global_id(0), y = get_global_id(1);\n";

TEST(LoweringTest, TilesAtBordersKnowTheirValidIds) {
  struct Case {
    const char *guard;
    Borders::Runs runs;
  };
  const Case cases[] = {
      {"if (x < n && y < m) ",
       [](int x, int y, int n, int m) { return x < n && y < m; }},
      {"if (x >= n || y >= m) return;\n",
       [](int x, int y, int n, int m) { return x < n && y < m; }},
      {"if (x >= 1 && x < n - 1 && y >= 1 && y < m) ",
       [](int x, int y, int n, int m) {
         return x >= 1 && x < n - 1 && y >= 1 && y < m;
       }},
  };
  for (const char *steps :
       {"tile x:4 y:2", "tile x:4 y:4", "coarsen x:2\ntile x:4 y:2",
        "coarsen x:2 y:2\ntile x:6 y:4", "vectorize x:2\ntile x:4 y:3"})
    for (const Case &each : cases) {
      TestedKernel tested(
          kernelOf(plane + std::string(each.guard) + "r[y * 64 + x] = 1;"));
      ASSERT_EQ(tested.apply(steps).message, "");
      Borders(tested, each.runs).check();
      if (HasFailure()) {
        ADD_FAILURE() << each.guard << steps;
        return;
      }
    }
}

/// Whether tiles that are not whole can take the fast version.
static bool isCut(const std::string &body, const std::string &steps) {
  TestedKernel tested(kernelOf(plane + body));
  EXPECT_EQ(tested.apply(steps).message, "") << steps;
  LoweredKernel kernel = lowered(tested);
  EXPECT_TRUE(kernel.full) << steps;
  return !kernel.validIds.empty();
}

TEST(LoweringTest, ProductsHaveValidIds) {
  const std::string sum = "float t = 0;\nfor (int k = 0; k < n; k++)\n"
                          "  t += a[y * n + k] * s[k * n + x];\n"
                          "r[y * n + x] = t;";
  for (const char *steps :
       {"tile x:8 y:4\ntile k:4\nstage a s",
        "coarsen x:2 y:2\ntile x:8 y:4\ntile k:4\nstage a s"}) {
    EXPECT_TRUE(isCut(sum, steps)) << steps;
    EXPECT_TRUE(isCut("if (x >= n || y >= m) return;\n" + sum, steps)) << steps;
  }
}

TEST(LoweringTest, BordersThatAreNoBoxAreNotCut) {
  EXPECT_TRUE(isCut("if (x < n && y < m) r[y * 64 + x] = 1;", "tile x:4 y:2"));
  EXPECT_FALSE(isCut("if (x + y < n) r[y * 64 + x] = 1;", "tile x:4 y:2"));
  EXPECT_FALSE(isCut("if (2 * x + y < n) r[y * 64 + x] = 1;", "tile x:4 y:2"));
  // The first row decides how far all of them reach.
  EXPECT_TRUE(isCut("if (x <= y) r[y * 64 + x] = 1;", "tile x:4 y:2"));
}

TEST(LoweringTest, SectionsWithUnusedCornersAreNotCut) {
  const std::string inside =
      "if (x > 0 && y > 0 && x < n - 1 && y < m - 1)\n  r[y * n + x] = ";
  EXPECT_FALSE(isCut(inside + "s[y * n + x - 1] + s[y * n + x + 1]\n"
                              "+ s[(y - 1) * n + x] + s[(y + 1) * n + x];",
                     "tile x:4 y:4\nstage s"));
  EXPECT_TRUE(isCut(inside + "s[(y - 1) * n + x - 1] + s[(y + 1) * n + x + 1];",
                    "tile x:4 y:4\nstage s"));
}

TEST(LoweringTest, StridedSectionsThatAreWrittenAreNotCut) {
  const char *const turned = "r[x * m + y] = s[y * n + x];";
  EXPECT_TRUE(isCut(turned, "tile x:4 y:4\nstage r"));
  EXPECT_TRUE(isCut(turned, "coarsen y:2\ntile x:4 y:4\nstage r"));
  EXPECT_TRUE(isCut(turned, "coarsen y:2 stride\ntile x:4 y:4\nstage s"));
  EXPECT_FALSE(isCut(turned, "coarsen y:2 stride\ntile x:4 y:4\nstage r"));
}

TEST(LoweringTest, OnlyTilesOfGroupsAreCut) {
  EXPECT_FALSE(isCut("if (x < n) r[y * 64 + x] = 1;", "coarsen x:4"));
}

//===-- Refusals ----------------------------------------------------------===//

TEST(LoweringTest, SectionsThatNotEveryTileUsesAreRefused) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\nfloat t = 0;\n"
                               "for (int k = 0; k < n; k++)\n"
                               "  if (k > 2) t += s[k]; else t += 1;\n"
                               "r[i] = t;"));
  ASSERT_EQ(tested.apply("tile i:8\ntile k:4\nstage s").message, "");
  LoweringError error;
  EXPECT_FALSE(lower(tested.kernel, error));
  EXPECT_FALSE(error.message.empty());
}

TEST(LoweringTest, BranchesThatNoTileTakesAreLeftOut) {
  // Both the condition and the tiles away from it have two pieces.
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "int j = get_global_id(1);\n"
                               "if (m && i > j) r[j * 4096 + i] = 1;\n"
                               "else { float t = 0;\n"
                               "  for (int k = 0; k < n; k++) t += s[k];\n"
                               "  r[j * 4096 + i] = t; }"));
  ASSERT_EQ(tested.apply("vectorize i:8").message, "");
  LoweringError error;
  EXPECT_TRUE(lower(tested.kernel, error)) << error.message;
}

TEST(LoweringTest, LanesThatNeverAgreeAreRefused) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "if (i % 2) r[i] = 1;"));
  ASSERT_EQ(tested.apply("vectorize i:4").message, "");
  LoweringError error;
  EXPECT_FALSE(lower(tested.kernel, error));
  EXPECT_EQ(error.ruleId, "clopt-lane-control");
  EXPECT_EQ(error.message, "neighbouring work-items run different iterations");
}
