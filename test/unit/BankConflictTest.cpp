//===- BankConflictTest.cpp - degrees of conflict -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/BankConflict.h"

#include "KernelTesting.h"

#include <numeric>

using namespace clopt;
using Kind = BankConflict::Kind;

static std::vector<int64_t> strided(int64_t stride, unsigned count = 32) {
  std::vector<int64_t> result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(static_cast<int64_t>(i) * stride);
  return result;
}

TEST(BankConflictTest, TurnsOfStrides) {
  BankShape shape;
  EXPECT_EQ(countTurns(strided(0), 4, shape), 1u); // one word for all
  EXPECT_EQ(countTurns(strided(4), 4, shape), 1u);
  EXPECT_EQ(countTurns(strided(8), 4, shape), 2u);
  EXPECT_EQ(countTurns(strided(12), 4, shape), 1u); // odd strides
  EXPECT_EQ(countTurns(strided(64), 4, shape), 16u);
  EXPECT_EQ(countTurns(strided(128), 4, shape), 32u);
  EXPECT_EQ(countTurns(strided(132), 4, shape), 1u);
  EXPECT_EQ(countTurns(strided(1), 1, shape), 1u); // four in a word
  EXPECT_EQ(countTurns(strided(-4), 4, shape), 1u);
}

TEST(BankConflictTest, WideElementsAreServedInParts) {
  BankShape shape;
  EXPECT_EQ(countTurns(strided(8), 8, shape), 1u);
  EXPECT_EQ(countTurns(strided(16), 16, shape), 1u);
  EXPECT_EQ(countTurns(strided(16), 8, shape), 2u);
}

namespace {

/// Degrees of the accesses to local arrays, in program order.
struct Measured {
  std::vector<BankConflict> found;
  Measured(const std::string &body, const std::string &steps = "",
           const std::string &group = "32, 1, 1") {
    TestedKernel tested(
        "__kernel __attribute__((reqd_work_group_size(" + group +
        ")))\nvoid f(__global int *a, int n) {\n"
        "  __local int t[32][32]; __local int s[1024];\n"
        "  __local uchar c[1024]; __local double w[512];\n"
        "  int l = get_local_id(0); int m = get_local_id(1);\n" +
        body + "\n}\n");
    if (!steps.empty()) {
      EXPECT_EQ(tested.apply(steps).message, "");
    }
    const KernelModel &model = *tested.model;
    for (const Access &access : model.accesses)
      if (model.arrays[access.array].space == AddressSpace::Local)
        found.push_back(analyzeBanks(model, access, BankShape(),
                                     tested.kernel.paddingOf(access.array)));
  }
  std::vector<unsigned> degrees() const {
    std::vector<unsigned> result;
    for (const BankConflict &conflict : found) {
      EXPECT_EQ(conflict.kind, Kind::Known);
      result.push_back(conflict.degree);
    }
    return result;
  }
};

} // namespace

/// The addresses are those that take as many turns.
TEST(BankConflictTest, WhatIsWantedTogether) {
  for (const char *body : {"a[l] = t[l][n];", "s[3 * l] = 1;", "w[2 * l] = 1;",
                           "c[64 * l] = 1;"}) {
    const BankConflict found = Measured(body).found.front();
    ASSERT_FALSE(found.addresses.empty()) << body;
    EXPECT_EQ(countTurns(found.addresses, found.accessBytes, BankShape()),
              found.degree)
        << body;
  }
  EXPECT_EQ(Measured("w[l] = 1;").found[0].addresses.size(), 16u)
      << "doubles are served in two parts";
  EXPECT_TRUE(Measured("s[a[l]] = 1;").found[0].addresses.empty());
}

TEST(BankConflictTest, RowsAndColumns) {
  EXPECT_EQ(Measured("t[m][l] = 1; a[l] = t[l][n];").degrees(),
            (std::vector<unsigned>{1, 32}));
  EXPECT_EQ(Measured("t[m][l] = 1; a[l] = t[l][n];", "pad t:1").degrees(),
            (std::vector<unsigned>{1, 1}));
}

TEST(BankConflictTest, ALaneGroupMayCoverSeveralRows) {
  EXPECT_EQ(Measured("t[m][l] = 1; a[l] = t[l][m];", "", "16, 16, 1").degrees(),
            (std::vector<unsigned>{2, 16}));
  EXPECT_EQ(
      Measured("s[16 * m + l] = 1; a[l] = s[16 * l + m];", "", "16, 16, 1")
          .degrees(),
      (std::vector<unsigned>{1, 8}));
}

TEST(BankConflictTest, QuotientsAndRemainders) {
  EXPECT_EQ(Measured("t[l / 4][l % 4] = 1; t[l % 4][l / 4] = 2; s[l & 1] = 1;")
                .degrees(),
            (std::vector<unsigned>{8, 4, 1}));
}

TEST(BankConflictTest, ElementsOfOtherSizes) {
  EXPECT_EQ(Measured("c[l] = 1; c[4 * l] = 1; c[n + 2 * l] = 1;\n"
                     "w[l] = 1; w[2 * l] = 2;")
                .degrees(),
            (std::vector<unsigned>{1, 1, 1, 1, 2}));
}

TEST(BankConflictTest, WorkItemsThatDoNotRunDoNotCount) {
  EXPECT_EQ(Measured("if (l == 0) s[32 * l] = 1; if (l < 4) s[32 * l] = 1;")
                .degrees(),
            (std::vector<unsigned>{1, 4}));
}

TEST(BankConflictTest, GapsHelpEveryPowerOfTwo) {
  for (const char *factor : {"2", "4", "8", "16", "32"}) {
    std::string body = std::string("s[") + factor + " * l + n] = 1;";
    EXPECT_GT(Measured(body).degrees()[0], 1u);
    EXPECT_LE(Measured(body, "pad s:1").degrees()[0], 2u) << body;
  }
  // From a multiple of 32 on there is no conflict at all.
  EXPECT_EQ(Measured("s[32 * l] = 1;", "pad s:1").degrees()[0], 1u);
  EXPECT_EQ(Measured("s[2 * l] = 1;", "pad s:1").degrees()[0], 1u);
}

TEST(BankConflictTest, AConflictThatDependsOnThePosition) {
  Measured measured("s[2 * l + n] = 1;", "pad s:1");
  EXPECT_EQ(measured.found[0].kind, Kind::Known);
  EXPECT_FALSE(measured.found[0].isExact);
}

TEST(BankConflictTest, FactorsThatChangeInALoop) {
  Measured measured("for (int d = 16, o = 1; d > 0; d >>= 1, o *= 2) {\n"
                    "  if (l < d) s[o * (2 * l + 1) - 1] = 1; }");
  ASSERT_FALSE(measured.found.empty());
  EXPECT_EQ(measured.found[0].kind, Kind::Varying);
  EXPECT_EQ(measured.found[0].degree, 32u);
}

/// Turns of the worst round, for an index in which o doubles.
static unsigned worst(const std::string &index, const std::string &array = "s",
                      const std::string &change = "o *= 2") {
  Measured measured("int o = 1; for (int d = n; d > 0; d -= o) {\n"
                    "  if (l < d) " +
                    array + "[" + index + "] = 1; " + change + "; }");
  EXPECT_EQ(measured.found.size(), 1u);
  EXPECT_NE(measured.found[0].kind, Kind::Known);
  return measured.found[0].degree;
}

TEST(BankConflictTest, TheWorstRoundOfATree) {
  EXPECT_EQ(worst("o * l"), 32u);
  EXPECT_EQ(worst("l << d"), 32u);
  EXPECT_EQ(worst("(2 * l + 1) * o - 1", "s", "o <<= 1"), 32u);
  // 21 work-items that are 48 cells apart, in two banks.
  EXPECT_EQ(worst("3 * o * l + n"), 11u);
  // 512 cells, half as many work-items for every doubling: 16 are 32 apart.
  EXPECT_EQ(worst("o * l", "w"), 16u);
  // Nothing is known of other factors.
  EXPECT_EQ(worst("o * l", "s", "o += 2"), 0u);
  EXPECT_EQ(worst("o * l", "s", "o = n"), 0u);
  EXPECT_EQ(worst("d * l"), 0u);
}

TEST(BankConflictTest, DistancesThatAreKnownWithoutAValue) {
  Measured measured("for (int d = 16; d > 0; d >>= 1) s[l + d] = 1;\n");
  ASSERT_FALSE(measured.found.empty());
  EXPECT_EQ(measured.found[0].kind, Kind::Known);
  EXPECT_EQ(measured.found[0].degree, 1u);
}

TEST(BankConflictTest, DataIsUnknown) {
  Measured measured("s[a[l] & 31] = 1;");
  EXPECT_EQ(measured.found[0].kind, Kind::Unknown);
}

/// Example 2 of Chen and Wu: 32 banks, work-items 0, 8, 16, 24 collide; their
/// offsets are 0, 1, 2, 3.
TEST(BankConflictTest, F13ExampleTwo) {
  const int64_t stride = 4, banks = 32;
  LocalPadding padding;
  padding.count = 1;
  padding.every = banks;
  std::vector<int64_t> before, after;
  for (int64_t id : {0, 8, 16, 24}) {
    before.push_back(id * stride * 4);
    after.push_back(paddedIndex(padding, id * stride) * 4);
    EXPECT_EQ(paddedIndex(padding, id * stride) - id * stride, id / 8);
  }
  EXPECT_EQ(countTurns(before, 4, BankShape()), 4u);
  EXPECT_EQ(countTurns(after, 4, BankShape()), 1u);
  std::vector<int64_t> all;
  for (int64_t id = 0; id < banks; ++id)
    all.push_back(paddedIndex(padding, id * stride) * 4);
  EXPECT_EQ(countTurns(all, 4, BankShape()), 1u);
}

/// A gap after every lcm(K, N) cells is free of conflicts for every even K; one
/// after every N is so for the K that divide N; both spoil odd K.
TEST(BankConflictTest, F13GapsByStride) {
  for (unsigned banks : {16u, 32u}) {
    BankShape shape{banks, 4, banks};
    for (int64_t stride = 1; stride <= 128; ++stride) {
      auto turns = [&](int64_t every) {
        LocalPadding padding;
        padding.count = every ? 1 : 0;
        padding.every = every;
        std::vector<int64_t> addresses;
        for (int64_t id = 0; id < banks; ++id)
          addresses.push_back(paddedIndex(padding, id * stride) * 4);
        return countTurns(addresses, 4, shape);
      };
      int64_t general = std::lcm<int64_t>(stride, banks);
      EXPECT_EQ(turns(0), std::gcd<int64_t>(stride, banks)) << stride;
      EXPECT_EQ(turns(general), 1u) << stride;
      if (banks % stride == 0) {
        EXPECT_EQ(turns(banks), 1u) << stride;
      }
      if (stride % 2 == 1 && stride >= 3 && stride < banks) {
        EXPECT_EQ(turns(0), 1u);
        EXPECT_GT(turns(banks), 1u) << stride;
      }
    }
  }
}
