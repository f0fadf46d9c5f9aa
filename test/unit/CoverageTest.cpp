//===- CoverageTest.cpp - what counts as having run -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/Coverage.h"

#include "KernelTesting.h"

#include <algorithm>

using namespace clopt;

namespace {

/// A written kernel over an author's `a[i] = b[i];`.
struct Written {
  ParseResult original, emitted;
  BodyCoverage coverage;
  std::map<const Expr *, EdgeCoverage> last; ///< of the last run

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

  /// Runs 8 work-items; true when anything was new. `shift`: bytes from where
  /// a begins to where b does.
  bool run(int64_t n, std::optional<int64_t> shift = std::nullopt) {
    SmallLaunch launch;
    launch.global[0] = launch.local[0] = 8;
    launch.integers["n"] = n;
    if (shift)
      launch.sameAs["b"] = "a";
    launch.overlapShift = shift.value_or(0);
    TermStore terms;
    RunResult result = runKernel(*emitted.unit, *emitted.unit->functions[0],
                                 launch, terms, 100000);
    EXPECT_FALSE(result.gaveUp || result.fault);
    last = result.edges;
    return coverage.add(result.executed, result.branches, result.edges);
  }
  /// Whether a move of the last run is for that way of the only comparison.
  bool hasMove(LaunchNumber::Kind kind, int64_t by, bool way) const {
    const std::vector<LaunchMove> moves = coverage.moves(last);
    return std::any_of(moves.begin(), moves.end(), [&](const auto &move) {
      return move.number.kind == kind && move.by == by && move.way == way;
    });
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

using Kind = LaunchNumber::Kind;

TEST(CoverageTest, MovesLeadToEdges) {
  Written written("if (get_global_id(0) + 2 <= n) { a[i] = b[i]; return; }\n"
                  "a[i] = b[i];");
  written.run(20); // 7 + 2, and nothing is false
  EXPECT_TRUE(written.hasMove(Kind::Argument, -11, true));
  EXPECT_TRUE(written.hasMove(Kind::Argument, -12, false));
  EXPECT_TRUE(written.hasMove(Kind::Size, 12, false));
  EXPECT_TRUE(written.hasMove(Kind::Offset, 12, false));
  written.run(8);
  EXPECT_TRUE(written.coverage.hasAllEdges());
  EXPECT_TRUE(written.coverage.moves(written.last).empty());
}

TEST(CoverageTest, MovesGoOverDeclarationsAndChoices) {
  Written written("const int end = min(20 - 3 * n, (int)get_global_size(0));\n"
                  "const int first = end - 4;\n"
                  "if (first > 1) { a[i] = b[i]; return; } a[i] = b[i];");
  written.run(0); // 4 > 1: barely false would be 1 > 1
  EXPECT_TRUE(written.hasMove(Kind::Argument, 1, false));
  EXPECT_TRUE(written.hasMove(Kind::Size, -3, false));
  EXPECT_TRUE(written.hasMove(Kind::Size, -2, true));
  EXPECT_FALSE(written.hasMove(Kind::Argument, 2, true)); // 2 is no multiple
}

TEST(CoverageTest, MovesOfGroups) {
  Written written("if (get_local_size(0) * get_local_size(1) >= 16) {\n"
                  "a[i] = b[i]; return; } a[i] = b[i];");
  written.run(0);
  EXPECT_TRUE(written.hasMove(Kind::Group, 7, false));
  EXPECT_TRUE(written.hasMove(Kind::Group, 8, true));
}

TEST(CoverageTest, AddressesDifferByWholeElements) {
  Written written("const size_t end = (size_t)(a + n);\n"
                  "if (end <= (size_t)b) return;\n"
                  "if (i == 0) a[0] = 1;");
  written.run(2, 12);
  EXPECT_TRUE(written.hasMove(Kind::Begin, -4, true));
  EXPECT_TRUE(written.hasMove(Kind::Begin, -5, false));
  written.run(2, 8);
  EXPECT_FALSE(written.coverage.hasAllEdges());
  written.run(2, 4); // no float begins at the three bytes in between
  EXPECT_TRUE(written.coverage.hasAllEdges());
}

TEST(CoverageTest, OtherDataForNumbersOfBuffers) {
  Written written("if (b[i] < 1.0e9f) { a[i] = b[i]; return; } a[i] = b[i];");
  written.run(0);
  EXPECT_TRUE(written.hasMove(Kind::Data, 1, false));
  EXPECT_FALSE(written.hasMove(Kind::Data, 1, true));
}

TEST(CoverageTest, NumbersOfTheBody) {
  Written written("for (int k = 0; k + 15 < n; k += 16) a[i] = b[i] * 32; "
                  "a[i] = b[i];");
  EXPECT_EQ(written.coverage.numbers(), (std::vector<int64_t>{15, 16, 32}));
}

} // namespace

TEST(CoverageTest, NumbersThatMemoryIsComparedWith) {
  ParseResult parsed = Written::parse(
      "int m = (int)b[i]; if (m == 123456 || m != 7) a[i] = m == -2;"
      "if (m > 1000) a[i] = 1.0f; if (b[i] > 5000.0f) a[i] = 300;");
  EXPECT_EQ(comparedNumbers(*parsed.unit->functions[0]),
            (std::vector<int64_t>{-2, 999, 1000, 1001, 123456}));
  // Some of the data are these numbers, of both kernels alike.
  ParseResult reader = parseOpenCL(
      "t.cl",
      "__kernel void f(__global int *a, __global const int *m) { int i = "
      "get_global_id(0); if (m[i] == 123456) a[i] = 1; }",
      {});
  bool isMet = false;
  for (uint64_t data = 0; data < 8; ++data) {
    SmallLaunch launch;
    launch.global[0] = launch.local[0] = 16;
    const Function &function = *reader.unit->functions[0];
    TermStore terms(data, comparedNumbers(function));
    const RunResult result =
        runKernel(*reader.unit, function, launch, terms, 100000);
    for (const auto &[condition, ways] : result.branches)
      isMet |= ways.whenTrue && ways.whenFalse;
  }
  EXPECT_TRUE(isMet);
}
