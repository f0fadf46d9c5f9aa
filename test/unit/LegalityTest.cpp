//===- LegalityTest.cpp - conditions shared by several steps --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

/// Merging work-items is refused for coarsening and for lanes alike.
static void expectUnmergeable(const std::string &source,
                              const std::string &rule,
                              const std::string &part) {
  expectRefused(source, "coarsen w0:2", rule, part);
  expectRefused(source, "vectorize w0:4", rule, part);
}

TEST(LegalityTest, BarriersKeepWorkItemsApart) {
  expectUnmergeable(kernelOf("int i = get_global_id(0); r[i] = 1;\n"
                             "barrier(CLK_GLOBAL_MEM_FENCE); s[i] = r[i];"),
                    "clopt-barrier", "the kernel has barriers");
}

TEST(LegalityTest, IdsWithinTheGroupKeepWorkItemsApart) {
  for (const char *id : {"get_local_id(0)", "get_group_id(0)"}) {
    std::string source =
        kernelOf(std::string("r[get_global_id(0)] = ") + id + ";");
    expectRefused(source, "tile w0:4", "clopt-group-shape",
                  "uses ids within its work-group");
    // Whole groups are merged instead, or work-items within them.
    expectTaken(source, "coarsen w0:2");
    expectTaken(source, "vectorize w0:4");
    expectRefused(source, "vectorize w0:4\ncoarsen w0:2", "clopt-group-shape",
                  "are lanes of others");
    expectRefused(source, "coarsen w0:2\nvectorize w0:4", "clopt-group-shape",
                  "taken together have no lanes");
  }
}

TEST(LegalityTest, AGlobalIdSpelledWithGroupsIsOne) {
  expectTaken(kernelOf("int i = get_group_id(0) * get_local_size(0) +\n"
                       "  get_local_id(0); r[i] = 1;"),
              "coarsen w0:2");
}

TEST(LegalityTest, LocalMemoryKeepsWorkItemsApart) {
  expectUnmergeable("__kernel void f(__global float *a, __local float *t) {\n"
                    "  int i = get_global_id(0); t[0] = 1; a[i] = 2; }",
                    "clopt-group-shape", "the kernel uses local memory");
}

TEST(LegalityTest, AtomicsAndVolatileKeepTheirOrder) {
  expectUnmergeable(
      kernelOf("int i = get_global_id(0); r[i] = 1; atomic_inc(p);"),
      "clopt-ordered-effect", "the kernel has atomic operations");
  expectUnmergeable("__kernel void f(__global volatile float *a) {\n"
                    "  a[get_global_id(0)] = 1; }",
                    "clopt-ordered-effect", "volatile");
}

TEST(LegalityTest, PrintingKeepsWorkItemsApart) {
  expectUnmergeable("__kernel void f(__global float *a) {\n"
                    "  int i = get_global_id(0); a[i] = 1;\n"
                    "  printf(\"%d\\n\", i); }",
                    "clopt-opaque-code", "the kernel calls 'printf'");
}

TEST(LegalityTest, OpaqueCodeKeepsWorkItemsApart) {
  Refusal refusal = expectRefused(
      kernelOf("int i = get_global_id(0);\n"
               "switch (p[i]) { case 1: r[i] = 1; default: r[i] = 2; }"),
      "coarsen w0:2", "clopt-opaque-code", "code that is not modelled");
  EXPECT_EQ(refusal.range.line, 5u);
}

TEST(LegalityTest, DimensionsThatTheKernelDoesNotUse) {
  TestedKernel tested(kernelOf("r[get_global_id(0)] = 1;"));
  EXPECT_FALSE(mergeableWorkItems(tested.kernel, 0));
  StepResult refusal = mergeableWorkItems(tested.kernel, 1);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->ruleId, "clopt-group-shape");
  EXPECT_EQ(refusal->message,
            "the kernel does not use dimension 1 of its NDRange");
}

TEST(LegalityTest, DisjointArraysByMode) {
  TestedKernel tested(kernelOf("a[0] = b[0]; r[0] = s[0];"));
  unsigned a = tested.array("a"), b = tested.array("b");
  unsigned r = tested.array("r");
  EXPECT_FALSE(requireDisjoint(tested.kernel, a, r, AliasMode::Strict));
  EXPECT_TRUE(tested.kernel.disjointArrays.empty());
  StepResult refusal = requireDisjoint(tested.kernel, a, b, AliasMode::Strict);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->ruleId, "clopt-may-alias");
  EXPECT_FALSE(requireDisjoint(tested.kernel, b, a, AliasMode::Check));
  EXPECT_EQ(tested.kernel.disjointArrays.count(std::minmax(a, b)), 1u);
}

TEST(LegalityTest, ADelinearizedFootprintRestsOnItsAssumption) {
  TestedKernel tested(kernelOf("int i = get_global_id(1);\n"
                               "int j = get_global_id(0);\n"
                               "for (int k = 0; k < n; k++)\n"
                               "  a[i * n + j] += b[k * n + j];"));
  unsigned a = tested.array("a"), b = tested.array("b");
  EXPECT_FALSE(requireDisjoint(tested.kernel, a, b, AliasMode::Check));
  EXPECT_FALSE(tested.kernel.usedAssumptions.empty());
  for (unsigned index : tested.kernel.usedAssumptions)
    EXPECT_EQ(tested.model->assumptions[index].kind,
              Assumption::Kind::Subscript);
}
