//===- SelectionsTest.cpp - choices that a whole tile makes alike ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Selections.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

struct Clamped : TestedKernel {
  Clamped()
      : TestedKernel(kernelOf("int x = get_global_id(0);\n"
                              "r[x] = a[min(max(x, 1), n - 1)];")) {}

  const Access &read() const {
    for (const Access &access : model->accesses)
      if (access.array == array("a"))
        return access;
    std::abort();
  }
  const Statement &statement() const {
    return model->statements[read().statement];
  }
  std::string text(const Polynomial &poly) const {
    return poly.str([&](SymbolId id) { return model->symbols.name(id); });
  }
};

} // namespace

TEST(SelectionsTest, NestedAtomsAreFound) {
  Clamped tested;
  std::set<SymbolId> atoms =
      selectsIn(*tested.model, *tested.read().offset, {});
  ASSERT_EQ(atoms.size(), 2u);
  EXPECT_EQ(selectsOf(*tested.model, tested.statement(), {}), atoms);
}

TEST(SelectionsTest, AtomsOfOtherBranchesDoNotMatter) {
  Clamped tested;
  std::set<SymbolId> atoms =
      selectsIn(*tested.model, *tested.read().offset, {});
  SymbolId outer = *atoms.rbegin();
  const Symbol &symbol = tested.model->symbols[outer];
  // One branch is n - 1, the other holds the inner atom.
  bool innerIsFirst = !selectsIn(*tested.model, symbol.first, {}).empty();
  Selections toInner{{outer, innerIsFirst}}, toEnd{{outer, !innerIsFirst}};
  EXPECT_EQ(selectsIn(*tested.model, *tested.read().offset, toInner), atoms);
  EXPECT_EQ(selectsIn(*tested.model, *tested.read().offset, toEnd).size(), 1u);
  EXPECT_EQ(tested.text(resolve(*tested.model, *tested.read().offset, toEnd)),
            "n - 1");
}

TEST(SelectionsTest, InstancesAgainstABranchAreTheOthers) {
  Clamped tested;
  SymbolId inner = *selectsIn(*tested.model, *tested.read().offset, {}).begin();
  const Statement &statement = tested.statement();
  isl::set first = *instancesAgainst(*tested.model, statement, inner, true);
  isl::set second = *instancesAgainst(*tested.model, statement, inner, false);
  EXPECT_TRUE(first.is_disjoint(second));
  EXPECT_TRUE(first.unite(second).is_equal(statement.domain));
  EXPECT_FALSE(first.is_empty());
  EXPECT_FALSE(second.is_empty());
}

TEST(SelectionsTest, TheResolvedModelHasAffineOffsets) {
  Clamped tested;
  ASSERT_EQ(tested.apply("select a").message, "");
  KernelModel resolved = resolveModel(*tested.model, tested.kernel.selections);
  for (const Access &access : resolved.accesses)
    if (access.array == tested.array("a")) {
      EXPECT_EQ(tested.text(*access.offset), "w0");
      EXPECT_EQ(tested.text(access.subscripts[0]), "w0");
    }
  EXPECT_EQ(findReplacements(*tested.model, resolved, tested.kernel.selections)
                .size(),
            2u);
}
