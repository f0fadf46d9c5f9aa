//===- GroupDependencesTest.cpp - order that barriers make ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/GroupDependences.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

struct Group {
  TestedKernel tested;
  explicit Group(const std::string &body)
      : tested("__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
               "void f(__global int *a, __global int *c, int n) {\n"
               "  __local int t[64];\n  int l = get_local_id(0);\n" +
               body + "\n}\n") {}
  size_t kept() const {
    return groupDependences(*tested.model, tested.kernel.tree).size();
  }
  size_t races() const {
    return unorderedConflicts(*tested.model, tested.kernel.tree).size();
  }
  bool ownCells(const std::string &array) const {
    std::vector<unsigned> accesses;
    for (const Access &access : tested.model->accesses)
      if (access.array == tested.array(array))
        accesses.push_back(access.id);
    return haveOwnCells(*tested.model, accesses);
  }
};

const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);\n";

} // namespace

TEST(GroupDependencesTest, ABarrierOrdersWritesAndReads) {
  Group group("t[l] = l;\n" + barrier + "a[l] = t[7 - l];");
  std::vector<GroupDependence> found =
      groupDependences(*group.tested.model, group.tested.kernel.tree);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Conflict::Kind::Flow);
  EXPECT_FALSE(found[0].isAtomic);
  EXPECT_EQ(group.races(), 0u);
}

TEST(GroupDependencesTest, WithoutABarrierItIsARace) {
  Group group("t[l] = l;\na[l] = t[7 - l];");
  EXPECT_EQ(group.kept(), 0u);
  EXPECT_EQ(group.races(), 1u);
}

TEST(GroupDependencesTest, IterationsAreSeparatedByTheirBarriers) {
  // Write, barrier, read: the next write is not ordered after the read.
  Group open("for (int k = 0; k < n; k++) {\n  t[l] = k;\n" + barrier +
             "  a[l] += t[7 - l]; }");
  EXPECT_EQ(open.races(), 1u);
  Group closed("for (int k = 0; k < n; k++) {\n  t[l] = k;\n" + barrier +
               "  a[l] += t[7 - l];\n" + barrier + "}");
  EXPECT_EQ(closed.races(), 0u);
  // Flow within an iteration and into later ones, and back.
  EXPECT_EQ(closed.kept(), 2u);
}

TEST(GroupDependencesTest, OtherGroupsDoNotMatter) {
  Group group("a[get_group_id(0)] = l;\n");
  EXPECT_EQ(group.races(), 1u);
  Group apart("a[8 * get_group_id(0) + l] = l;\n");
  EXPECT_EQ(apart.races(), 0u);
}

TEST(GroupDependencesTest, AtomicsAreOrdered) {
  Group group("atomic_inc(&t[0]);");
  EXPECT_EQ(group.races(), 0u);
  std::vector<GroupDependence> found =
      groupDependences(*group.tested.model, group.tested.kernel.tree);
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].isAtomic);
}

TEST(GroupDependencesTest, GlobalIdsShareAGroupInBlocks) {
  TestedKernel tested(
      "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
      "void f(__global int *a) {\n"
      "  int i = get_global_id(0);\n"
      "  a[i / 8] = i; }");
  std::vector<GroupDependence> found =
      unorderedConflicts(*tested.model, tested.kernel.tree);
  ASSERT_EQ(found.size(), 1u);
  isl::set distances = found[0].instances.deltas();
  EXPECT_FALSE(distances.is_empty());
  isl::set within(distances.ctx(), "{ S[d] : -7 <= d <= 7 and d != 0 }");
  EXPECT_TRUE(
      isl::manage(isl_set_reset_tuple_id(distances.copy()))
          .is_subset(isl::manage(isl_set_reset_tuple_id(within.copy()))));
}

TEST(GroupDependencesTest, CellsOfOneWorkItem) {
  Group group("int i = 8 * get_group_id(0) + l;\n"
              "for (int k = 0; k < n; k++) {\n  t[l] = a[k];\n" +
              barrier + "  c[i] += t[7 - l];\n" + barrier + "}");
  EXPECT_TRUE(group.ownCells("c"));
  EXPECT_FALSE(group.ownCells("t"));
  EXPECT_TRUE(group.ownCells("a"));
}
