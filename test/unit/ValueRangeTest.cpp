//===- ValueRangeTest.cpp - what integers of a kernel can be --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel stores the integer it is about into `out[...]`.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/ValueRange.h"

#include "Frontend/clang/ClangParser.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

struct Ranged {
  ParseResult parsed;
  ValueRanges ranges;
  std::vector<ExprRef> subscripts; ///< all of the kernel, in order

  explicit Ranged(const std::string &body, const std::string &before = "")
      : parsed(parseOpenCL("test.cl",
                           before +
                               "\n__kernel void f(__global int *out, __global "
                               "const int *in, int n, uint u, int m, uchar c) "
                               "{\n" +
                               body + "\n}\n",
                           {})) {
    if (!parsed.unit) {
      ADD_FAILURE() << parsed.diagnostics.front().message;
      std::abort();
    }
    const Function &kernel = *parsed.unit->functions.back();
    ranges = analyzeRanges(kernel);
    forEachExpr(kernel.body, [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::Subscript)
        subscripts.push_back(expr);
    });
  }
  const Expr &index(size_t at = 0) const {
    return *subscripts.at(at)->operands[1];
  }
};

} // namespace

/// "[0, 9]" of the index of the first subscript.
static std::string rangeOf(const std::string &body,
                           const std::string &before = "") {
  Ranged ranged(body, before);
  std::optional<ValueRange> known = ranged.ranges.range(ranged.index());
  if (!known)
    return "unknown";
  auto text = [](const std::optional<int64_t> &value) {
    return value ? std::to_string(*value) : std::string("?");
  };
  return "[" + text(known->minimum) + ", " + text(known->maximum) + "]";
}

static const std::string AnyInt = "[-2147483648, 2147483647]";
static const std::string AnyUint = "[0, 4294967295]";

//===-- Loops -------------------------------------------------------------===//

TEST(ValueRangeTest, CountedLoops) {
  EXPECT_EQ(rangeOf("for (int i = 0; i < 10; i++) out[i] = 1;"), "[0, 9]");
  EXPECT_EQ(rangeOf("for (int i = 3; i <= 10; i += 2) out[i] = 1;"), "[3, 10]");
}

TEST(ValueRangeTest, DownwardLoops) {
  EXPECT_EQ(rangeOf("for (int i = 9; i >= 0; i--) out[i] = 1;"), "[0, 9]");
}

TEST(ValueRangeTest, NestedLoops) {
  EXPECT_EQ(rangeOf("for (int i = 0; i < 8; i++) for (int j = 0; j < 4; j++) "
                    "out[i * 4 + j] = 1;"),
            "[0, 31]");
}

TEST(ValueRangeTest, TriangularLoops) {
  EXPECT_EQ(rangeOf("for (int i = 0; i < 8; i++) for (int j = i; j < 8; j++) "
                    "out[j - i] = 1;"),
            "[0, 7]");
}

TEST(ValueRangeTest, BoundsBetweenVariablesAreKept) {
  EXPECT_EQ(rangeOf("for (int i = 0; i < n; i++) out[n - i] = 1;"),
            "[1, 2147483647]");
}

TEST(ValueRangeTest, WhileLoops) {
  EXPECT_EQ(rangeOf("int i = 0; while (i < 20) { out[i] = 1; i += 3; }"),
            "[0, 19]");
}

TEST(ValueRangeTest, DoLoops) {
  EXPECT_EQ(rangeOf("int i = 0; do { out[i] = 1; i++; } while (i < 5);"),
            "[0, 4]");
}

TEST(ValueRangeTest, LoopsOverData) {
  EXPECT_EQ(rangeOf("int i = 0; while (i < 16 && in == in) { i++; } out[i] = "
                    "1;"),
            "[0, 16]");
}

TEST(ValueRangeTest, TheValueAfterALoop) {
  EXPECT_EQ(rangeOf("int i; for (i = 0; i < 10; i++) ; out[i] = 1;"),
            "[10, 10]");
}

TEST(ValueRangeTest, BreakAndContinue) {
  EXPECT_EQ(rangeOf("int i; for (i = 0; i < 10; i++) { if (i == n) break; } "
                    "out[i] = 1;"),
            "[0, 10]");
  EXPECT_EQ(rangeOf("for (int i = 0; i < 10; i++) { if (i < 4) continue; "
                    "out[i] = 1; }"),
            "[4, 9]");
}

TEST(ValueRangeTest, ALoopWithoutABound) {
  EXPECT_EQ(rangeOf("int i = 0; while (n > m) { i++; m++; } out[i] = 1;"),
            "[0, 2147483647]");
}

//===-- Conditions --------------------------------------------------------===//

TEST(ValueRangeTest, ConditionsRefine) {
  EXPECT_EQ(rangeOf("if (n >= 2 && n < 7) out[n] = 1;"), "[2, 6]");
  EXPECT_EQ(rangeOf("if (n < 2 || n > 7) return; out[n] = 1;"), "[2, 7]");
  EXPECT_EQ(rangeOf("if (!(n != 5)) out[n] = 1;"), "[5, 5]");
}

TEST(ValueRangeTest, Clamps) {
  EXPECT_EQ(rangeOf("int i = n; if (i < 0) i = 0; if (i > 9) i = 9; out[i] = "
                    "1;"),
            "[0, 9]");
  EXPECT_EQ(rangeOf("int i = n < 0 ? 0 : n; out[i] = 1;"), "[0, 2147483647]");
  EXPECT_EQ(rangeOf("out[clamp(n, 1, 8)] = 1;"), "[1, 8]");
  EXPECT_EQ(rangeOf("out[min(max(n, 0), 63)] = 1;"), "[0, 63]");
}

TEST(ValueRangeTest, BothArmsMeet) {
  EXPECT_EQ(rangeOf("int i; if (n > m) i = 3; else i = 8; out[i] = 1;"),
            "[3, 8]");
}

//===-- Arithmetic --------------------------------------------------------===//

TEST(ValueRangeTest, RemaindersAndMasks) {
  EXPECT_EQ(rangeOf("out[u % 7] = 1;"), "[0, 6]");
  EXPECT_EQ(rangeOf("out[n % 7] = 1;"), "[-6, 6]");
  EXPECT_EQ(rangeOf("out[n & 15] = 1;"), "[0, 15]");
}

TEST(ValueRangeTest, ShiftsAndDivisions) {
  EXPECT_EQ(rangeOf("out[c >> 4] = 1;"), "[0, 15]");
  EXPECT_EQ(rangeOf("out[c / 10] = 1;"), "[0, 25]");
  EXPECT_EQ(rangeOf("out[c << 2] = 1;"), "[0, 1020]");
  EXPECT_EQ(rangeOf("for (int i = 0; i < 64; i++) { int q = i / 8; out[i - q * "
                    "8] = 1; }"),
            "[0, 7]");
}

TEST(ValueRangeTest, Products) {
  EXPECT_EQ(rangeOf("for (int i = 0; i < 9; i++) for (int j = 0; j < 5; j++) "
                    "out[i * j] = 1;"),
            "[0, 32]");
}

TEST(ValueRangeTest, UnsignedValuesWrap) {
  EXPECT_EQ(rangeOf("out[u + 1] = 1;"), AnyUint);
  EXPECT_EQ(rangeOf("out[u - 1] = 1;"), AnyUint);
  EXPECT_EQ(rangeOf("if (u > 0) out[u - 1] = 1;"), "[0, 4294967294]");
  Ranged wraps("uint i = u + 1; out[i] = 1;");
  EXPECT_FALSE(wraps.ranges.isExact(wraps.index()));
  Ranged keeps("if (u < 100) { uint i = u + 1; out[i] = 1; }");
  EXPECT_TRUE(keeps.ranges.isExact(keeps.index()));
}

TEST(ValueRangeTest, SignedValuesDoNot) {
  EXPECT_EQ(rangeOf("if (n >= 0) out[n + 1] = 1;"), "[1, 2147483647]");
}

TEST(ValueRangeTest, NarrowingCasts) {
  EXPECT_EQ(rangeOf("uchar b = (uchar)n; out[b] = 1;"), "[0, 255]");
  EXPECT_EQ(rangeOf("if (n >= 3 && n < 99) { char b = n; out[b] = 1; }"),
            "[3, 98]");
  Ranged ranged("int i = get_global_id(0); out[i] = 1;");
  EXPECT_FALSE(ranged.ranges.isExact(ranged.index()));
}

TEST(ValueRangeTest, UnsignedComparisonsOfNegativeValuesSayNothing) {
  EXPECT_EQ(rangeOf("if ((uint)n < 10u) out[n] = 1;"), AnyInt);
}

TEST(ValueRangeTest, CompoundAssignments) {
  EXPECT_EQ(rangeOf("int i = 4; i += 3; i *= 2; i -= 1; out[i] = 1;"),
            "[13, 13]");
  EXPECT_EQ(rangeOf("int i = 4; int j = i++ + 1; out[i + j] = 1;"), "[10, 10]");
}

TEST(ValueRangeTest, TwentyFourBitProducts) {
  EXPECT_EQ(rangeOf("out[mul24(n, 3)] = 1;"), AnyInt);
  EXPECT_EQ(rangeOf("if (n >= 0 && n < 100) out[mul24(n, 3)] = 1;"),
            "[0, 297]");
}

//===-- What is not known -------------------------------------------------===//

TEST(ValueRangeTest, LoadsAndUnknownCalls) {
  EXPECT_EQ(rangeOf("int v = in[0]; out[v] = 1;"), "[0, 0]"); // in's own index
  EXPECT_EQ(rangeOf("out[g(n)] = 1;", "int g(int x) { return x * x; }"),
            AnyInt);
}

TEST(ValueRangeTest, AddressesEscape) {
  EXPECT_EQ(rangeOf("int i = 3; g(&i); out[i] = 1;", "void g(int *p);"),
            AnyInt);
}

TEST(ValueRangeTest, CodeThatIsNeverReached) {
  EXPECT_EQ(rangeOf("if (n < 0 && n > 0) out[n] = 1;"), "unknown");
}

//===-- Ids and queries ---------------------------------------------------===//

TEST(ValueRangeTest, IdsAreNotNegative) {
  Ranged ranged("out[get_global_id(0)] = 1;");
  EXPECT_TRUE(ranged.ranges.provesNonNegative(ranged.index()));
  Ranged local("size_t l = get_local_id(0), s = get_local_size(0); out[s - l] "
               "= 1;");
  EXPECT_TRUE(local.ranges.provesWithin(local.index(), 1, INT64_MAX));
}

TEST(ValueRangeTest, Bits) {
  Ranged ranged("out[c * 256 + c] = 1;");
  EXPECT_TRUE(ranged.ranges.fits(ranged.index(), 24));
  EXPECT_FALSE(ranged.ranges.fits(ranged.index(), 16));
}

TEST(ValueRangeTest, BoundsOfDeclaredArrays) {
  const std::string table = "int t[16]; ";
  Ranged inside(table + "for (int i = 0; i < 16; i++) t[i] = 1; out[0] = 1;");
  EXPECT_TRUE(inside.ranges.provesInBounds(*inside.subscripts[0]));
  EXPECT_FALSE(inside.ranges.provesOutOfBounds(*inside.subscripts[0]));
  Ranged past(table + "for (int i = 0; i < 16; i++) t[i + 16] = 1;");
  EXPECT_TRUE(past.ranges.provesOutOfBounds(*past.subscripts[0]));
  Ranged maybe(table + "for (int i = 0; i <= 16; i++) t[i] = 1;");
  EXPECT_FALSE(maybe.ranges.provesInBounds(*maybe.subscripts[0]));
  EXPECT_FALSE(maybe.ranges.provesOutOfBounds(*maybe.subscripts[0]));
}

//===-- The answer that is kept -------------------------------------------===//

TEST(ValueRangeTest, KeptAnswersAreOfTheSameBody) {
  Ranged first("for (int i = 0; i < 10; i++) out[i] = 1;");
  Ranged second("for (int i = 0; i < 20; i++) out[i] = 1;");
  auto again = [](const Ranged &of) {
    return analyzeRanges(*of.parsed.unit->functions.back());
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(again(first).provesWithin(first.index(), 0, 9));
    EXPECT_FALSE(again(first).range(second.index()));
    EXPECT_FALSE(again(second).provesWithin(second.index(), 0, 9));
    EXPECT_TRUE(again(second).provesWithin(second.index(), 0, 19));
  }
}
