//===- StrengthTest.cpp - cheaper integer operations ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Strength.h"

#include "KernelTesting.h"
#include "Model/ExprPrinter.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

/// What stands in place of the operations after the steps, sorted.
static std::multiset<std::string> after(const std::string &source,
                                        const std::string &steps) {
  TestedKernel tested(source);
  std::multiset<std::string> texts;
  Refusal refusal = tested.apply(steps);
  EXPECT_EQ(refusal.message, "") << source << steps;
  for (const auto &[expr, reduced] : tested.kernel.replacements)
    texts.insert(printExpr(reduced));
  return texts;
}

using Texts = std::multiset<std::string>;

static void expectUnproved(const std::string &body, const std::string &step) {
  expectRefused(item(body), step, "clopt-value-range",
                "not known to be small and not negative");
}

//===-- Shifts and masks --------------------------------------------------===//

TEST(StrengthTest, IdsAreNotNegative) {
  EXPECT_EQ(after(item("r[i] = s[(i / 16) * n + i % 16];"), "strength s"),
            Texts({"i >> 4", "i & 15"}));
}

// F34
TEST(StrengthTest, ValuesOfVariables) {
  EXPECT_EQ(
      after(item("int x = i % 8, y; y = i / 8; r[x] = y;"), "strength x y"),
      Texts({"i & 7", "i >> 3"}));
}

TEST(StrengthTest, IteratorsHaveTheirBounds) {
  EXPECT_EQ(after(item("for (int k = 3; k < n; k++) r[i] += s[(k - 3) / 4];"),
                  "strength s"),
            Texts({"(k - 3) >> 2"}));
}

TEST(StrengthTest, SumsDoNotOverflow) {
  EXPECT_EQ(after(item("for (int k = 0; k < n; k++) r[i] += s[(i + k) % 4];"),
                  "strength s"),
            Texts({"i + k & 3"}));
}

// F34
TEST(StrengthTest, NegativeOperandsAreRefused) {
  expectUnproved("r[i] = s[(i - 1) / 8 + 1];", "strength s");
  expectUnproved("r[i] = s[n % 8 + 8];", "strength s");
  expectUnproved("r[i] = s[p[i] / 4];", "strength s");
  expectUnproved("for (int k = -4; k < n; k++) r[i] += s[k / 4 + 1];",
                 "strength s");
}

TEST(StrengthTest, AConditionIsAProof) {
  EXPECT_EQ(after(item("if (i > 0) r[i] = s[(i - 1) / 8];"), "strength s"),
            Texts({"(i - 1) >> 3"}));
  EXPECT_EQ(
      after(item("int c = p[i]; if (c >= 0) r[i] = s[c % 4];"), "strength s"),
      Texts({"c & 3"}));
}

TEST(StrengthTest, UnsignedNumbersNeedNoProof) {
  EXPECT_EQ(after(item("uint c = p[i]; r[i] = s[c / 4];"), "strength s"),
            Texts({"c >> 2"}));
}

TEST(StrengthTest, AnUnsignedValueMayHaveWrapped) {
  // c is 2^32 - 1 for i = 0: as an int it is -1.
  expectUnproved("uint c = (uint)i - 1; int d = c; r[i] = s[d / 8 + 1];",
                 "strength s");
}

TEST(StrengthTest, OtherDivisorsStay) {
  expectRefused(item("r[i] = s[i / 6 + i / n + i / 1];"), "strength s",
                "clopt-not-profitable", "no operation for 's'");
}

TEST(StrengthTest, PowersThatAreComputed) {
  EXPECT_EQ(after(item("for (int k = 0; k < 5; k++)\n"
                       "  r[i] += s[i / (1 << k) + i % (1 << k)];"),
                  "strength s"),
            Texts({"i >> k", "i & (1 << k) - 1"}));
  expectUnproved("r[i] = s[i / (1 << n)];", "strength s");
}

//===-- Wraps -------------------------------------------------------------===//

TEST(StrengthTest, ARemainderThatWrapsOnceIsAChoice) {
  EXPECT_EQ(after(item("if (i < n) r[i] = s[(i + 1) % n];"), "strength s"),
            Texts({"i + 1 >= n ? i + 1 - n : i + 1"}));
  // Nothing says how often the row is cut.
  expectRefused(item("r[i] = s[i % n];"), "strength s", "clopt-not-profitable",
                "cheaper form");
  // (i + 2 * n - 1) % n wraps up to three times.
  expectRefused(item("if (i < n) r[i] = s[(i + 2 * n - 1) % n];"), "strength s",
                "clopt-not-profitable", "cheaper form");
}

//===-- Narrow divisions --------------------------------------------------===//

TEST(StrengthTest, DivisionsOf64BitsAreNarrowed) {
  EXPECT_EQ(after(item("uint w = n & 1023;\n"
                       "r[i] = s[(ulong)i / (w + 1)];"),
                  "strength s"),
            Texts({"(ulong)((uint)(ulong)i / (uint)(w + 1))"}));
  expectRefused("__kernel void f(__global float *a, ulong w) {\n"
                "  size_t i = get_global_id(0); a[i] = a[i / w]; }",
                "strength a", "clopt-value-range", "small");
}

//===-- 24 bits -----------------------------------------------------------===//

TEST(StrengthTest, ProductsNeedTheFlag) {
  const std::string source = item("int c = p[i] & 4095;\n"
                                  "r[i] = s[c * 100 + 1];");
  expectRefused(source, "strength s", "clopt-not-profitable", "cheaper form");
  Texts texts = after(source, "strength s mul24");
  EXPECT_EQ(texts, Texts({"mad24(c, 100, 1)", "mul24(c, 100)"}));
}

// F34
TEST(StrengthTest, LargeFactorsAreRefused) {
  expectUnproved("int c = p[i] & 16777215; r[i] = s[c * 100];",
                 "strength s mul24");
  expectUnproved("r[i] = s[i * n];", "strength s mul24");
  expectUnproved("int c = p[i] & 4095; r[i] = s[c * 8388608];",
                 "strength s mul24");
  // Unsigned factors have one bit more.
  EXPECT_EQ(after(item("uint c = p[i] & 16777215; r[i] = s[c * 3u];"),
                  "strength s mul24"),
            Texts({"mul24(c, 3u)"}));
}

// F34
TEST(StrengthTest, NegativeFactorsOf24Bits) {
  EXPECT_EQ(after(item("int c = (p[i] & 1023) - 512; r[i] = s[c * -9 + 9000];"),
                  "strength s mul24"),
            Texts({"mad24(c, -9, 9000)", "mul24(c, -9)"}));
}

//===-- What the planner asks for -----------------------------------------===//

TEST(StrengthTest, TargetsAreFoundAndKnowTheirLoops) {
  TestedKernel tested(item("int x = i % 4;\n"
                           "for (int k = 0; k < n; k++)\n"
                           "  r[x] += s[(i + k) / 16] + a[k];"));
  std::vector<StrengthTarget> targets =
      findStrengthTargets(tested.kernel, false);
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(targets[0].name, "s");
  EXPECT_TRUE(targets[0].isInLoop);
  EXPECT_EQ(targets[1].name, "x");
  EXPECT_FALSE(targets[1].isInLoop);
}
