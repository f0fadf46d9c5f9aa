//===- ReductionsTest.cpp - sums, products, minima ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/Reductions.h"

#include "KernelTesting.h"

using namespace clopt;
using Operation = Reduction::Operation;

static std::vector<Reduction> reductionsIn(const std::string &body) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + body));
  return findReductions(*tested.model, tested.kernel.tree);
}

/// "k:x:sum exact" for every reduction.
static std::vector<std::string> namesIn(const std::string &body) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + body));
  static const char *const names[] = {"sum", "product", "and",    "or",
                                      "xor", "minimum", "maximum"};
  std::vector<std::string> result;
  for (const Reduction &found :
       findReductions(*tested.model, tested.kernel.tree))
    result.push_back(tested.model->loops[found.loop].name + ":" +
                     tested.model->arrays[found.array].name + ":" +
                     names[static_cast<int>(found.operation)] +
                     (found.isExact ? " exact" : ""));
  return result;
}

using Names = std::vector<std::string>;

TEST(ReductionsTest, SumsOfPrivateVariables) {
  EXPECT_EQ(namesIn("float x = 0; for (int k = 0; k < n; k++) x += r[k];\n"
                    "s[i] = x;"),
            Names{"k:x:sum"});
  EXPECT_EQ(namesIn("int x = 0; for (int k = 0; k < n; k++) x = p[k] + x;\n"
                    "s[i] = x;"),
            Names{"k:x:sum exact"});
  EXPECT_EQ(namesIn("float x = 0; for (int k = 0; k < n; k++) x -= r[k];\n"
                    "s[i] = x;"),
            Names{"k:x:sum"});
}

TEST(ReductionsTest, OtherOperations) {
  EXPECT_EQ(namesIn("float x = 0; int y = 0, z = -1; float w = 1;\n"
                    "for (int k = 0; k < n; k++) {\n"
                    "  x = fmax(x, r[k]); y ^= p[k]; z = min(p[k], z);\n"
                    "  w = w * r[k]; }\ns[i] = x + y + z + w;"),
            (Names{"k:x:maximum", "k:y:xor exact", "k:z:minimum exact",
                   "k:w:product"}));
}

TEST(ReductionsTest, ExtremesThatAreChosen) {
  auto chosen = [](const std::string &update) {
    return namesIn("int x = 0; for (int k = 0; k < n; k++) " + update +
                   "\ns[i] = x;");
  };
  for (const char *update :
       {"x = p[k] > x ? p[k] : x;", "x = p[k] >= x ? p[k] : x;",
        "x = x > p[k] ? x : p[k];", "x = x < p[k] ? p[k] : x;",
        "{ int v = p[k]; x = v <= x ? x : v; }", "if (p[k] > x) x = p[k];",
        "{ int v = p[k]; if (x < v) { x = v; } }"})
    EXPECT_EQ(chosen(update), Names{"k:x:maximum exact"}) << update;
  for (const char *update :
       {"x = p[k] < x ? p[k] : x;", "x = x < p[k] ? x : p[k];",
        "if (x > p[k]) x = p[k];", "x = x >= p[k] ? p[k] : x;"})
    EXPECT_EQ(chosen(update), Names{"k:x:minimum exact"}) << update;
  // What is taken is not what is compared, or in another order.
  for (const char *update :
       {"x = p[k] > x ? p[k + 1] : x;", "x = p[k] > 0 ? p[k] : x;",
        "x = p[k] > x ? x : x;", "x = p[k] == x ? p[k] : x;",
        "x = (uint)p[k] > x ? p[k] : x;", "x = p[k] + x > x ? p[k] + x : x;",
        "x = r[k] > x ? r[k] : x;", "if (p[k] > x) x = -p[k];"})
    EXPECT_EQ(chosen(update), Names{}) << update;
  EXPECT_EQ(namesIn("float x = 0; for (int k = 0; k < n; k++)\n"
                    "x = r[k] > x ? r[k] : x;\ns[i] = x;"),
            Names{"k:x:maximum"});
  EXPECT_EQ(namesIn("uchar x = 0; for (int k = 0; k < n; k++)\n"
                    "{ uchar v = p[k]; if (v > x) x = v; }\ns[i] = x;"),
            Names{"k:x:maximum exact"});
  EXPECT_EQ(namesIn("uchar x = 0; for (int k = 0; k < n; k++)\n"
                    "if (p[k] > x) x = p[k];\ns[i] = x;"),
            Names{});
}

TEST(ReductionsTest, CellsOfArrays) {
  EXPECT_EQ(namesIn("for (int k = 0; k < n; k++) r[i] += s[k];"),
            Names{"k:r:sum"});
  // Not the same cell in the next iteration.
  EXPECT_EQ(namesIn("for (int k = 0; k < n; k++) r[k] += s[k];"), Names{});
  // The other array may be the same.
  EXPECT_EQ(namesIn("for (int k = 0; k < n; k++) a[i] += b[k];"), Names{});
}

TEST(ReductionsTest, SeveralLoops) {
  EXPECT_EQ(namesIn("float x = 0; for (int k = 0; k < n; k++)\n"
                    "for (int j = 0; j < m; j++) x += r[k * m + j];\n"
                    "s[i] = x;"),
            (Names{"k:x:sum", "j:x:sum"}));
}

TEST(ReductionsTest, AValueThatIsUsedOnTheWayIsNone) {
  EXPECT_EQ(namesIn("float x = 0; for (int k = 0; k < n; k++) {\n"
                    "  x += r[k]; s[k] = x; }"),
            Names{});
  EXPECT_EQ(namesIn("float x = 0; for (int k = 0; k < n; k++) x += x * r[k];\n"
                    "s[i] = x;"),
            Names{});
  EXPECT_EQ(namesIn("float x = 0; for (int k = 0; k < n; k++) x = r[k] - x;\n"
                    "s[i] = x;"),
            Names{});
}

TEST(ReductionsTest, OperationsThatHaveAnOrder) {
  EXPECT_EQ(namesIn("float x = 1; for (int k = 0; k < n; k++) x /= r[k];\n"
                    "s[i] = x;"),
            Names{});
  EXPECT_EQ(namesIn("int x = 1; for (int k = 0; k < n; k++) x <<= p[k];\n"
                    "s[i] = x;"),
            Names{});
}

TEST(ReductionsTest, AValueThatStaysInItsIterationIsNone) {
  EXPECT_EQ(reductionsIn("for (int k = 0; k < n; k++) {\n"
                         "  float x = s[k]; x += r[k]; r[k] = x; }")
                .size(),
            0u);
}
