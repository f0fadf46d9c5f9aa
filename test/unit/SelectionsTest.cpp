//===- SelectionsTest.cpp - choices that a whole tile makes alike ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Selections.h"

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

/// A condition within the statement is one of the access, not of the statement.
TEST(SelectionsTest, AccessesThatTheirStatementsAlwaysMake) {
  TestedKernel tested(kernelOf("int x = get_global_id(0);\n"
                               "r[x] = x > 0 ? a[x - 1] : 0.0f;\n"
                               "if (x < n) r[x] += b[x];\n"
                               "r[x] += s[x] > 0.0f ? p[x] : 0;"));
  const KernelModel &model = *tested.model;
  auto first = [&](const std::string &name) -> const Access & {
    for (const Access &access : model.accesses)
      if (access.array == tested.array(name))
        return access;
    std::abort();
  };
  const Access &left = first("a");
  SymbolId atom = model.choices.begin()->second;
  EXPECT_FALSE(isAlwaysMade(model, left, {}));
  EXPECT_TRUE(isAlwaysMade(model, left, {{atom, true}}));
  EXPECT_FALSE(isAlwaysMade(model, left, {{atom, false}}));
  EXPECT_TRUE(isAlwaysMade(model, first("b"), {}));
  EXPECT_FALSE(isAlwaysMade(model, first("p"), {}));
  isl::set made = instancesOf(model, left);
  EXPECT_TRUE(made.is_equal(isl::manage(isl_set_lower_bound_si(
      model.statements[left.statement].domain.copy(), isl_dim_set, 0, 1))));
}

/// What is left out of the fast version must not do anything.
TEST(SelectionsTest, ConditionsWithEffectsStay) {
  TestedKernel tested(kernelOf("int x = get_global_id(0), c = x;\n"
                               "r[x] = (c = c + 1) > 0 ? a[x] : b[x];\n"
                               "s[x] = c > 0 ? a[x] : b[x];"));
  const KernelModel &model = *tested.model;
  ASSERT_EQ(model.choices.size(), 2u);
  Selections all;
  for (const auto &[expr, atom] : model.choices)
    all[atom] = true;
  EXPECT_EQ(findReplacements(model, resolveModel(model, all), all).size(), 1u);
}
