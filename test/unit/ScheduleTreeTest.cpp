//===- ScheduleTreeTest.cpp - the order of a kernel as a tree -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

/// "[k S0 S1]" for a loop k over two statements.
static std::string shape(const KernelModel &model, const ScheduleNode &node) {
  std::string text;
  switch (node.kind) {
  case ScheduleNode::Kind::Leaf:
    return model.statements[node.statement].name;
  case ScheduleNode::Kind::Copy:
    return "copy" + std::to_string(node.copy);
  case ScheduleNode::Kind::Loop:
    return "[" + model.loops[node.loop].name + " " +
           shape(model, node.children[0]) + "]";
  case ScheduleNode::Kind::Sequence:
    for (const ScheduleNode &child : node.children)
      text += (text.empty() ? "" : " ") + shape(model, child);
  }
  return text;
}

TEST(ScheduleTreeTest, LoopsAndSequencesInProgramOrder) {
  TestedKernel tested(kernelOf("r[0] = 0;\n"
                               "for (int j = 0; j < n; j++) {\n"
                               "  s[j] = 1;\n"
                               "  for (int k = n; k > 0; k--) s[k] = 2;\n"
                               "  r[j] = 3; }\n"
                               "r[1] = 4;"));
  EXPECT_EQ(shape(*tested.model, tested.kernel.tree), "S0 [j S1 [k S2] S3] S4");
}

TEST(ScheduleTreeTest, WorkDimensionsAreNotLoops) {
  TestedKernel tested(kernelOf("r[get_global_id(0)] = 1;"));
  EXPECT_TRUE(loopsBelow(tested.kernel.tree).empty());
  EXPECT_EQ(statementsBelow(tested.kernel.tree), std::vector<unsigned>({0}));
}

TEST(ScheduleTreeTest, WhatIsBelowANode) {
  TestedKernel tested(kernelOf("for (int j = 0; j < n; j++) {\n"
                               "  for (int k = 0; k < n; k++) s[k] = 2;\n"
                               "  r[j] = 3; }\n"
                               "for (int l = 0; l < n; l++) r[l] = 4;"));
  const ScheduleNode &tree = tested.kernel.tree;
  unsigned j = tested.loop("j"), k = tested.loop("k"), l = tested.loop("l");
  EXPECT_EQ(loopsBelow(tree), std::vector<unsigned>({j, k, l}));
  EXPECT_EQ(loopsBelow(*findLoop(tree, j)), std::vector<unsigned>({j, k}));
  EXPECT_EQ(statementsBelow(*findLoop(tree, k)).size(), 1u);
  EXPECT_EQ(findLoop(tree, 99), nullptr);
}

TEST(ScheduleTreeTest, CopiesStandAroundTheirRegion) {
  // The barrier is between the neighbour's read and the loop's writes.
  TestedKernel tested(kernelOf("int i = get_global_id(0); s[i] = r[i + 1];\n"
                               "barrier(CLK_GLOBAL_MEM_FENCE);\n"
                               "for (int k = 0; k < n; k++) r[i] += p[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  std::string text = shape(*tested.model, tested.kernel.tree);
  EXPECT_NE(text.find(" copy0 [k "), std::string::npos) << text;
  EXPECT_NE(text.find("] copy1"), std::string::npos) << text;
}

TEST(ScheduleTreeTest, CopiesOfOwnCellsStandAroundBarriers) {
  // No other work-item ever uses the cell: the whole kernel is the region.
  TestedKernel tested(kernelOf("int i = get_global_id(0); s[i] = 0;\n"
                               "barrier(CLK_GLOBAL_MEM_FENCE);\n"
                               "for (int k = 0; k < n; k++) r[i] += p[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  std::string text = shape(*tested.model, tested.kernel.tree);
  EXPECT_EQ(text.find("copy0 S0 "), 0u) << text;
  EXPECT_EQ(text.rfind("] copy1"), text.size() - 7) << text;
}

TEST(ScheduleTreeTest, WhichArraysCanNeverShareMemory) {
  TestedKernel tested("__constant float table[2] = {1, 2};\n"
                      "__kernel void f(__global float *a, __global float *b,\n"
                      "  __global float *restrict r, __local float *t) {\n"
                      "  float own[2]; own[0] = 1; own[1] = 2;\n"
                      "  a[0] = b[0] + r[0] + t[0] + own[a[1] > 0]\n"
                      "    + table[0]; }");
  auto disjoint = [&](const char *first, const char *second) {
    return areDisjoint(*tested.model, tested.array(first),
                       tested.array(second));
  };
  EXPECT_FALSE(disjoint("a", "b"));
  EXPECT_FALSE(disjoint("a", "a"));
  EXPECT_TRUE(disjoint("a", "r"));
  EXPECT_TRUE(disjoint("r", "a"));
  EXPECT_TRUE(disjoint("a", "t"));
  EXPECT_TRUE(disjoint("a", "own"));
}

TEST(ScheduleTreeTest, VirtualMeansSeveralLogicalWorkItems) {
  TestedKernel tested(kernelOf("int i = get_global_id(0); r[i] = 1;"));
  EXPECT_FALSE(tested.kernel.isVirtual());
  ASSERT_EQ(tested.apply("vectorize i:4").message, "");
  EXPECT_TRUE(tested.kernel.isVirtual());
}
