//===- CellPartTest.cpp - which part of a cell an access names ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/CellPart.h"

#include "KernelTesting.h"

using namespace clopt;

static const char *const head =
    "struct Q { int2 pair; float one; };\n"
    "struct P { float x; float4 v; struct Q q; };\n"
    "__kernel void f(__global const float4 *a, __global const struct P *p,\n"
    "                __global float *r, int i) {\n  r[i] = ";

/// The part that the first read of the array names.
static std::optional<CellPart> partOf(const std::string &array,
                                      const std::string &value) {
  TestedKernel tested(head + value + ";\n}");
  for (const Access &access : tested.model->accesses)
    if (access.array == tested.array(array) && !access.isWrite && access.expr)
      return partOfCell(*access.expr);
  ADD_FAILURE() << value;
  return std::nullopt;
}

TEST(CellPartTest, Vectors) {
  EXPECT_EQ(partOf("a", "length(a[i])")->text, "");
  EXPECT_EQ(partOf("a", "length(*(a + i))")->text, "");
  EXPECT_TRUE(partOf("a", "length(a[i])")->components.empty());
  EXPECT_EQ(partOf("a", "a[i].w")->text, ".w");
  EXPECT_EQ(partOf("a", "a[i].w")->components, std::vector<unsigned>({3}));
  EXPECT_EQ(partOf("a", "a[i].zyx.y")->text, ".zyx.y");
  EXPECT_EQ(partOf("a", "a[i].zyx.x")->components, std::vector<unsigned>({2}));
  EXPECT_EQ(partOf("a", "length(a[i].xx)")->components,
            std::vector<unsigned>({0, 0}));
}

TEST(CellPartTest, Structures) {
  EXPECT_EQ(partOf("p", "p[i].x")->text, ".x");
  EXPECT_EQ(partOf("p", "(p + i)->x")->text, ".x");
  EXPECT_EQ(partOf("p", "p[i].q.pair.y")->text, ".q.pair.y");
  EXPECT_EQ(partOf("p", "p[i].v.wz.x")->text, ".v.wz.x");
  EXPECT_TRUE(partOf("p", "p[i].v.wz.x")->components.empty());
}

TEST(CellPartTest, WholeCells) {
  TestedKernel tested(std::string(head) +
                      "a[i].x + p[i].x + ((__global const char *)a)[i];\n}");
  const std::vector<Array> &arrays = tested.model->arrays;
  EXPECT_FALSE(hasWholeCells(arrays[tested.array("a")]));
  EXPECT_TRUE(hasWholeCells(arrays[tested.array("p")]));
  EXPECT_FALSE(hasPlainCells(arrays[tested.array("p")]));
  EXPECT_TRUE(hasPlainCells(arrays[tested.array("r")]));
  EXPECT_EQ(cellWords(arrays[tested.array("r")]), 1u);
  EXPECT_EQ(cellWords(arrays[tested.array("p")]), 12u);
}

/// Whoever takes the place of `*p++` loses that the pointer moves.
TEST(CellPartTest, PlacesWithEffects) {
  EXPECT_FALSE(partOf("a", "a[i++].x"));
  EXPECT_FALSE(partOf("a", "(*(a = a + 1)).x"));
  EXPECT_FALSE(partOf("p", "(p = p + 1)->x"));
  EXPECT_FALSE(partOf("p", "p[i -= 2].v.x"));
  EXPECT_TRUE(partOf("a", "a[-i].x"));
  TestedKernel tested("__kernel void f(__global const float *a,\n"
                      "  __global float4 *r, int i) {\n"
                      "  r[i] = vload4(i, a); r[i] = vload4(i++, a); }");
  std::vector<bool> whole;
  for (const Access &access : tested.model->accesses)
    if (access.array == tested.array("a"))
      whole.push_back(
          takesWholeCells(tested.model->arrays[access.array], access));
  EXPECT_EQ(whole, std::vector<bool>({true, false}));
}
