//===- CoverageTest.cpp - what counts as having run -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/Coverage.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

/// A written kernel over an author's `a[i] = b[i];`.
struct Written {
  ParseResult original, emitted;
  BodyCoverage coverage;

  explicit Written(const std::string &body)
      : original(parse("a[i] = b[i];")), emitted(parse(body)),
        coverage(*emitted.unit->functions[0], *original.unit->functions[0]) {}

  static ParseResult parse(const std::string &body) {
    return parseOpenCL("t.cl",
                       "__kernel void f(__global float *a, __global float *b, "
                       "int n) {\n" +
                           body + "\n}\n",
                       {"-Di=get_global_id(0)"});
  }

  /// Runs 8 work-items; true when anything was new.
  bool run(int64_t n) {
    SmallLaunch launch;
    launch.global[0] = launch.local[0] = 8;
    launch.integers["n"] = n;
    TermStore terms;
    RunResult result = runKernel(*emitted.unit, *emitted.unit->functions[0],
                                 launch, terms, 100000);
    EXPECT_FALSE(result.gaveUp || result.fault);
    return coverage.add(result.executed, result.branches, result.edges);
  }
};

TEST(CoverageTest, ParametersThatTheAuthorChangesAreTheAuthors) {
  const std::string author = "n++; if (n < 3) a[i] = b[n];";
  ParseResult original = Written::parse(author);
  ParseResult emitted =
      Written::parse("if (n > 3) { a[i] = 0; return; }\n" + author);
  BodyCoverage coverage(*emitted.unit->functions[0],
                        *original.unit->functions[0]);
  EXPECT_EQ(coverage.branches().size(), 2u);
}

TEST(CoverageTest, BothWaysOfEachCondition) {
  Written written("if (n > 3 && n < 9) { a[i] = n == 5 ? b[i] : 0; return; }\n"
                  "a[i] = b[i];");
  // The conjunction, its first operand, and that of ?:.
  EXPECT_EQ(written.coverage.branches().size(), 6u);
  EXPECT_TRUE(written.run(2));
  EXPECT_EQ(written.coverage.branchesReached(), 2u);
  EXPECT_FALSE(written.run(1));
  EXPECT_TRUE(written.run(5));
  EXPECT_EQ(written.coverage.branchesReached(), 5u);
  EXPECT_FALSE(written.coverage.isComplete());
  for (const Branch &branch : written.coverage.branches())
    if (!branch.isReached)
      EXPECT_EQ(branch.text(),
                "'n == 5' is never false (line 2 of the result)");
  EXPECT_TRUE(written.run(6));
  EXPECT_TRUE(written.coverage.isComplete());
}

TEST(CoverageTest, TheAuthorsTextDoesNotCount) {
  Written written("if (n > 3) { a[i] = b[i]; return; } a[i] = b[i];");
  EXPECT_EQ(written.coverage.statements(), 4u); // if, block, =, return
  Written alone("a[i] = b[i];");
  EXPECT_EQ(alone.coverage.statements(), 1u);
}

TEST(CoverageTest, IsEnteredBehindTheGuard) {
  Written written("if (n < 0) return;\n"
                  "if (n > 3) { a[i] = b[i]; return; } a[i] = b[i];");
  written.run(-1); // work-items without work return
  EXPECT_FALSE(written.coverage.isEntered());
  written.run(2);
  EXPECT_FALSE(written.coverage.isEntered());
  written.run(4);
  EXPECT_TRUE(written.coverage.isEntered());
  Written unguarded("b[i]; a[i] = b[i];");
  EXPECT_FALSE(unguarded.coverage.isEntered());
  unguarded.run(0);
  EXPECT_TRUE(unguarded.coverage.isEntered());
}

TEST(CoverageTest, LoopsAreConditions) {
  Written written("for (int k = 0; k < n; k++) a[i] = b[i]; a[i] = b[i];");
  EXPECT_EQ(written.coverage.branches().size(), 2u);
  EXPECT_TRUE(written.run(0));
  EXPECT_EQ(written.coverage.branchesReached(), 1u);
  EXPECT_TRUE(written.run(1));
  EXPECT_TRUE(written.coverage.isComplete());
}

TEST(CoverageTest, EdgesOfComparisons) {
  Written written("if (n <= 3) { a[i] = b[i]; return; } a[i] = b[i];");
  EXPECT_TRUE(written.run(1));
  EXPECT_TRUE(written.run(6));
  EXPECT_TRUE(written.coverage.isComplete());
  EXPECT_FALSE(written.coverage.hasAllEdges());
  EXPECT_TRUE(written.run(3));
  EXPECT_FALSE(written.coverage.hasAllEdges());
  EXPECT_TRUE(written.run(4));
  EXPECT_TRUE(written.coverage.hasAllEdges());
  EXPECT_FALSE(written.run(5));
}

TEST(CoverageTest, NumbersOfTheBody) {
  Written written("for (int k = 0; k + 15 < n; k += 16) a[i] = b[i] * 32; "
                  "a[i] = b[i];");
  EXPECT_EQ(written.coverage.numbers(), (std::vector<int64_t>{15, 16, 32}));
}

} // namespace
