//===- LaunchSearchTest.cpp - launches that chance finds ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/LaunchSearch.h"

#include "KernelTesting.h"
#include "Validation/Launches.h"

#include <set>
#include <tuple>

using namespace clopt;

namespace {

const std::string sized =
    "typedef struct { int width, height; float gain; } Size;\n"
    "__kernel void f(__global float *a, __global float *b, int n, Size s) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n && i < s.width) a[i] = b[i] * s.gain;\n"
    "}\n";

SmallLaunch seed() {
  SmallLaunch launch;
  launch.global[0] = 8;
  launch.local[0] = 4;
  launch.integers = {{"n", 5}, {"s.width", 6}};
  return launch;
}

TEST(LaunchSearchTest, PartsOfArgumentsAreArguments) {
  TestedKernel tested(sized);
  EXPECT_EQ(integerArguments(*tested.model),
            (std::vector<std::string>{"n", "s.width"}));
}

TEST(LaunchSearchTest, LaunchesAreWholeAndSmallAndOfAllKinds) {
  TestedKernel tested(sized);
  LaunchSearch search(*tested.model, {16, 32}, {seed()});
  std::set<int64_t> values, groups, offsets, shifts, misaligned;
  for (unsigned i = 0; i < 400; ++i) {
    SmallLaunch launch = search.next();
    ASSERT_EQ(launch.global[0] % launch.local[0], 0) << launch.text();
    ASSERT_LE(launch.workItems(), 2048) << launch.text();
    values.insert(launch.integers["n"]);
    groups.insert(launch.local[0]);
    offsets.insert(launch.offset[0]);
    misaligned.insert(launch.misalignment);
    if (launch.sameAs.count("b"))
      shifts.insert(launch.overlapShift);
  }
  for (int64_t number : {0, 1, 15, 16, 17, 31, 32, 33})
    EXPECT_TRUE(values.count(number)) << number;
  EXPECT_GT(groups.size(), 4u);
  EXPECT_GT(offsets.size(), 2u);
  EXPECT_GT(shifts.size(), 2u);
  EXPECT_GT(misaligned.size(), 3u);
}

TEST(LaunchSearchTest, TheChanceIsTheSameEachTime) {
  TestedKernel tested(sized);
  LaunchSearch first(*tested.model, {16}, {seed()});
  LaunchSearch second(*tested.model, {16}, {seed()});
  for (unsigned i = 0; i < 50; ++i)
    EXPECT_EQ(first.next().text(), second.next().text());
}

TEST(LaunchSearchTest, CheapLaunchesAreChangedMoreOften) {
  TestedKernel tested(sized);
  LaunchSearch search(*tested.model, {}, {});
  SmallLaunch cheap = seed(), dear = seed();
  cheap.integers["n"] = dear.integers["n"] = 500;
  for (unsigned i = 0; i < 4; ++i)
    search.keep(i % 2 ? cheap : dear, i % 2 ? 100 : 9000);
  unsigned cheaper = 0;
  for (unsigned i = 0; i < 400; ++i) {
    search.next();
    cheaper += search.stepsBefore() == 100;
  }
  EXPECT_GT(cheaper, 260u);
  EXPECT_LT(cheaper, 340u);
}

TEST(LaunchSearchTest, ArgumentsMoveByTheDistancesOfTheirLaunch) {
  TestedKernel tested(sized);
  LaunchSearch search(*tested.model, {}, {});
  SmallLaunch near = seed(), far = seed();
  near.integers = {{"n", 100}, {"s.width", 100}};
  far.integers = {{"n", 300}, {"s.width", 300}};
  search.keep(near, 1, {37});
  search.keep(far, 1, {41});
  std::set<int64_t> values;
  for (unsigned i = 0; i < 500; ++i)
    values.insert(search.next().integers["n"]);
  for (int64_t value : {63, 137, 259, 341})
    EXPECT_TRUE(values.count(value)) << value;
  for (int64_t value : {59, 141, 263, 337})
    EXPECT_FALSE(values.count(value)) << value;
}

LaunchMove moveOf(LaunchNumber::Kind kind, int64_t by, size_t edge = 0,
                  const std::string &name = "") {
  LaunchMove move;
  move.number = {kind, name, 0};
  move.by = by;
  move.edge = edge;
  return move;
}

using Kind = LaunchNumber::Kind;

constexpr auto anyMove = [](const LaunchMove &) { return true; };

TEST(LaunchSearchTest, MovesOfCheapLaunchesComeFirst) {
  TestedKernel tested(sized);
  LaunchSearch search(*tested.model, {}, {});
  SmallLaunch dear = seed();
  dear.integers["n"] = 100;
  search.keep(dear, 900, {}, {moveOf(Kind::Argument, 1, 0, "n")});
  search.keep(seed(), 9, {},
              {moveOf(Kind::Argument, -2, 1, "s.width"),
               moveOf(Kind::Argument, 7, 2, "s.width"),
               moveOf(Kind::Argument, 3, 1, "n")});
  EXPECT_EQ(search.nextMove(anyMove)->integers["s.width"], 4);
  EXPECT_EQ(search.stepsBefore(), 9u);
  const auto isWanted = [](const LaunchMove &move) { return move.edge != 2; };
  EXPECT_EQ(search.nextMove(isWanted)->integers["n"], 8);
  EXPECT_EQ(search.nextMove(isWanted)->integers["n"], 101);
  EXPECT_EQ(search.stepsBefore(), 900u);
  EXPECT_FALSE(search.nextMove(anyMove));
}

TEST(LaunchSearchTest, MovesInVainEnd) {
  TestedKernel tested(sized);
  LaunchSearch search(*tested.model, {}, {});
  std::vector<LaunchMove> moves;
  for (int64_t by = 1; by < 100; ++by)
    moves.push_back(moveOf(Kind::Argument, by, 0, "n"));
  search.keep(seed(), 1, {}, moves);
  unsigned tried = 0;
  while (search.nextMove(anyMove))
    ++tried;
  EXPECT_LT(tried, 9u);
}

TEST(LaunchSearchTest, MovesKeepLaunchesWhole) {
  TestedKernel tested(sized);
  auto moved = [&](const LaunchMove &move, SmallLaunch launch) {
    LaunchSearch search(*tested.model, {}, {});
    search.keep(launch, 1, {}, {move});
    return search.nextMove(anyMove);
  };
  // As many groups, or one.
  EXPECT_EQ(moved(moveOf(Kind::Size, 2), seed())->text().substr(0, 31),
            "10 work-items in groups of 5, n");
  EXPECT_EQ(moved(moveOf(Kind::Size, -1), seed())->text().substr(0, 30),
            "7 work-items in groups of 7, n");
  EXPECT_FALSE(moved(moveOf(Kind::Size, -8), seed()));
  EXPECT_EQ(moved(moveOf(Kind::Group, 2), seed())->text().substr(0, 31),
            "12 work-items in groups of 6, n");
  EXPECT_EQ(moved(moveOf(Kind::Offset, 3), seed())->offset[0], 3);
  EXPECT_FALSE(moved(moveOf(Kind::Offset, -1), seed()));
  EXPECT_EQ(moved(moveOf(Kind::Data, 2), seed())->data, 2u);
  // Only where buffers overlap, and by whole elements.
  EXPECT_FALSE(moved(moveOf(Kind::Begin, 4, 0, "b"), seed()));
  SmallLaunch overlap = seed();
  overlap.sameAs["b"] = "a";
  overlap.overlapShift = 8;
  EXPECT_EQ(moved(moveOf(Kind::Begin, 1, 0, "b"), overlap)->overlapShift, 12);
  EXPECT_EQ(moved(moveOf(Kind::Begin, -5, 0, "b"), overlap)->overlapShift, 0);
  EXPECT_FALSE(moved(moveOf(Kind::Begin, 4, 0, "a"), overlap));
}

TEST(LaunchSearchTest, NoLaunchComesTwice) {
  TestedKernel tested(sized);
  LaunchSearch search(*tested.model, {16}, {seed()});
  std::set<std::tuple<std::string, uint64_t, int64_t>> launches;
  for (unsigned i = 0; i < 200; ++i) {
    const SmallLaunch launch = search.next();
    EXPECT_TRUE(
        launches.insert({launch.text(), launch.data, launch.misalignment})
            .second)
        << launch.text();
  }
}

TEST(LaunchSearchTest, WhatIsPromisedApartStaysApart) {
  TestedKernel tested(
      "__kernel void f(__global float *restrict w, __global float4 *x,\n"
      "                __global const float *r, __global const float *s) {\n"
      "  int i = get_global_id(0);\n"
      "  w[i] = r[i] * s[i];\n"
      "  x[i] = r[i] + s[i];\n"
      "}\n");
  LaunchSearch search(*tested.model, {16}, {seed()});
  std::set<std::pair<std::string, std::string>> pairs;
  for (unsigned i = 0; i < 400; ++i) {
    const SmallLaunch launch = search.next();
    for (const auto &[name, other] : launch.sameAs) {
      pairs.insert({other, name});
      EXPECT_EQ(launch.overlapShift % (name == "x" ? 16 : 4), 0);
    }
  }
  // Not with w; and r and s, which nobody writes, may well be one.
  EXPECT_EQ(pairs, (std::set<std::pair<std::string, std::string>>{
                       {"r", "x"}, {"x", "r"}, {"s", "x"}, {"x", "s"}}));
}

TEST(LaunchSearchTest, PromisedGroupsStay) {
  ModelOptions options;
  options.localSize = std::array<unsigned, 3>{4, 1, 1};
  TestedKernel tested(sized, {}, options);
  LaunchSearch search(*tested.model, {16}, {seed()});
  for (unsigned i = 0; i < 100; ++i)
    EXPECT_EQ(search.next().local[0], 4);
}

} // namespace
