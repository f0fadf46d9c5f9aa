//===- KernelRunTest.cpp - what a symbolic run tells ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/KernelRun.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

/// Ways in which the conditions of the last kernel came out, in the order of
/// the text: "TF" both, "T-" only true, "--" not reached.
std::string branchesOf(const std::string &text, int64_t n) {
  ParseResult parsed = parseOpenCL("a.cl", text, {});
  EXPECT_TRUE(parsed.unit) << text;
  if (!parsed.unit)
    return "not parsed";
  SmallLaunch launch;
  launch.global[0] = 8;
  launch.local[0] = 4;
  launch.integers["n"] = n;
  launch.sameAs["q"] = "p";
  TermStore terms;
  RunResult run = runKernel(*parsed.unit, *parsed.unit->functions.back(),
                            launch, terms, 100000);
  EXPECT_FALSE(run.gaveUp || run.fault);
  std::map<std::pair<int64_t, int64_t>, BranchCoverage> ordered;
  for (const auto &[condition, branch] : run.branches)
    ordered[{condition->range.begin, condition->range.end}] = branch;
  std::string result;
  for (const auto &entry : ordered) {
    result += result.empty() ? "" : " ";
    result += entry.second.whenTrue ? 'T' : '-';
    result += entry.second.whenFalse ? 'F' : '-';
  }
  return result;
}

TEST(KernelRunTest, BothSidesOfBranchesAreNoted) {
  const std::string text = "__kernel void f(__global int *p, int n) {\n"
                           "  int i = get_global_id(0);\n"
                           "  if (i < n)\n"
                           "    for (int k = 0; k < n; k++)\n"
                           "      p[i] += k;\n"
                           "}\n";
  EXPECT_EQ(branchesOf(text, 5), "TF TF");
  EXPECT_EQ(branchesOf(text, 9), "T- TF");
  EXPECT_EQ(branchesOf(text, 0), "-F");
}

TEST(KernelRunTest, EveryGroupBeginsWithTheArguments) {
  const std::string walk = "(__global int *volatile p, __global int *q, int n) "
                           "{ if (p == q) p[get_global_id(0)] = n; p += n; }";
  EXPECT_EQ(branchesOf("__kernel void f" + walk, 5), "T-");
  // Also where calls have been replaced by what they do.
  EXPECT_EQ(branchesOf("void put(__global int *r, int n) { *r = n; }"
                       "__kernel void f(__global int *p, __global int *q, "
                       "int n) { put(p + get_global_id(0), 1); "
                       "if (p == q) p[get_global_id(0)] = 2; p += n; }",
                       5),
            "T-");
}

TEST(KernelRunTest, OperatorsThatSkipAnOperandAreBranches) {
  const std::string head = "__kernel void f(__global int *p, int n) {\n"
                           "  int i = get_global_id(0);\n";
  EXPECT_EQ(branchesOf(head + "p[i] = n > 3 ? 1 : 2; }", 5), "T-");
  EXPECT_EQ(branchesOf(head + "p[i] = n > 3 && i > 3; }", 5), "T-");
  EXPECT_EQ(branchesOf(head + "p[i] = n > 3 || i > 3; }", 3), "-F");
  EXPECT_EQ(branchesOf(head + "p[i] = i > 3 || i > 4; }", 3), "TF");
}

TEST(KernelRunTest, BranchesOfCalledFunctionsAreNoted) {
  EXPECT_EQ(branchesOf("int g(int i) { if (i > 3) return 1; return 2; }\n"
                       "__kernel void f(__global int *p, int n) {\n"
                       "  int i = get_global_id(0);\n"
                       "  p[i] = g(i);\n"
                       "  while (n > 0) n--;\n"
                       "}\n",
                       0),
            "TF -F");
}

} // namespace
