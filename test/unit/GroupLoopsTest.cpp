//===- GroupLoopsTest.cpp - loops that a group takes, and other steps -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmissionTesting.h"

using namespace clopt;

/// Sums of n parts of m cells, for each work-item.
static const std::string parts =
    kernelOf("int i = get_global_id(0);\nint sum = 0;\n"
             "for (int j = 0; j < n; j++)\n"
             "  for (int k = 0; k < m; k++)\n"
             "    sum += p[(j * m + k) * 8 + i];\n"
             "r[i] = sum;");

/// A sum over every n-th element.
static const std::string strided =
    kernelOf("float x = 0;\nfor (uint i = get_global_id(0); i < (uint)n; "
             "i += get_global_size(0))\n  x += a[i];\n"
             "r[get_global_id(0)] = x;");

static std::string treeAfter(const std::string &source,
                             const std::string &steps) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << steps;
  return printTree(tested.kernel);
}

TEST(GroupLoopsTest, TheOrderOfTheStepsDoesNotMatter) {
  for (const char *step :
       {"tile k:4", "unroll k:2", "vectorize k:4", "unroll j:2", "peel j:1"}) {
    const std::string share = "split-reduction k:8", own = step;
    EXPECT_EQ(treeAfter(parts, share + "\n" + own),
              treeAfter(parts, own + "\n" + share))
        << step;
  }
}

TEST(GroupLoopsTest, PiecesOfALoopAreShared) {
  // Two iterations at a time, or those of a tile.
  EXPECT_NE(treeAfter(parts, "unroll k:2\nsplit-reduction k:8")
                .find("loop k_tile [tiles of k, shared by 8]"),
            std::string::npos);
  EXPECT_NE(treeAfter(parts, "split-reduction k:8\ntile k:4")
                .find("loop k [shared by 8]"),
            std::string::npos);
}

TEST(GroupLoopsTest, SharedTwiceIsSharedByMore) {
  EXPECT_NE(treeAfter(parts, "split-reduction k:4\nsplit-reduction k:2")
                .find("loop k [shared by 8]"),
            std::string::npos);
  expectRefused(parts, "split-reduction k:64\nsplit-reduction k:8",
                "clopt-step-value",
                "a loop is shared by 2, 4, 8 ... 256 work-items");
}

TEST(GroupLoopsTest, BarriersNeedAllThatShare) {
  for (const char *steps : {"split-reduction j:4\nsplit-reduction k:4",
                            "split-reduction k:4\nsplit-reduction j:4"})
    expectRefused(parts, steps, "clopt-barrier",
                  "work-items that share the loop 'j' run different iterations "
                  "of it");
  expectRefused(parts, "split-reduction k:4\nvectorize j:4", "clopt-barrier",
                "iterations of the loop 'j' run as one vector");
}

TEST(GroupLoopsTest, OneLogicalWorkItemAtATime) {
  for (const char *steps :
       {"split-reduction k:4\ncoarsen i:2", "coarsen i:2\nsplit-reduction k:4",
        "vectorize i:4\nsplit-reduction k:4"})
    expectRefused(
        parts, steps, "clopt-group-shape",
        "the work-items that share a loop do one logical work-item at "
        "a time");
}

TEST(GroupLoopsTest, RoundsOfMergedWorkItems) {
  expectTaken(strided, "coarsen w0:2\nrounds i:2");
  expectTaken(strided, "rounds i:2\ncoarsen w0:2");
  expectTaken(strided, "require i:4\nrounds i:2");
  EXPECT_EQ(treeAfter(strided, "rounds i:2\nrounds i:4"),
            treeAfter(strided, "rounds i:8"));
  expectRefused(strided, "rounds i:8\nrounds i:4", "clopt-step-value",
                "2 to 16 iterations are taken at a time");
  expectRefused(strided, "rounds i:2 together\ncoarsen w0:2", "clopt-barrier",
                "not all work-items of a group may come to the loop");
  expectRefused(strided, "coarsen w0:2\nrounds i:2 together", "clopt-barrier",
                "not all work-items of a group may come to the loop");
}
