//===- LocalRacesTest.cpp - accesses that no barrier separates ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/LocalRaces.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

using Lines = std::vector<std::pair<unsigned, unsigned>>;

/// Lines of the pairs that race. The first line of the body is line 3.
Lines racesIn(const std::string &body, const std::string &attribute = "") {
  TestedKernel tested("__kernel " + attribute + "\n" +
                      "void f(__global int *a, __local int *t, int n) {\n" +
                      body + "}\n");
  Lines result;
  for (const Conflict &race : localRaces(*tested.model))
    result.emplace_back(tested.model->accesses[race.first].range.line,
                        tested.model->accesses[race.second].range.line);
  return result;
}

const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);\n";
const std::string eight = "__attribute__((reqd_work_group_size(8, 1, 1)))";

} // namespace

TEST(LocalRacesTest, AReadThatABarrierDoesNotSeparate) {
  const std::string write = "int l = get_local_id(0);\nt[l] = a[l];\n";
  EXPECT_EQ(racesIn(write + "a[l] = t[l + 1];\n"), (Lines{{4, 5}}));
  EXPECT_EQ(racesIn(write + barrier + "a[l] = t[l + 1];\n"), Lines());
  EXPECT_EQ(racesIn(write + "a[l] = t[l];\n"), Lines());
}

TEST(LocalRacesTest, TheNextIterationWritesAgain) {
  const std::string loop = "int l = get_local_id(0);\n"
                           "for (int k = 0; k < n; k++) {\n"
                           "t[l] = k;\n" +
                           barrier + "a[l] += t[l + 1];\n";
  EXPECT_EQ(racesIn(loop + "}\n"), (Lines{{5, 7}}));
  EXPECT_EQ(racesIn(loop + barrier + "}\n"), Lines());
}

TEST(LocalRacesTest, AllWriteOneElement) {
  EXPECT_EQ(racesIn("int l = get_local_id(0);\nt[0] = l;\n"), (Lines{{4, 4}}));
  EXPECT_EQ(racesIn("int l = get_local_id(0);\nif (l == 0) t[0] = n;\n"),
            Lines());
  EXPECT_EQ(racesIn("__local int count;\ncount = 0;\n"
                    "a[get_local_id(0)] = 1;\n" +
                    barrier + "a[get_local_id(0)] = count;\n"),
            (Lines{{4, 4}}));
}

/// Steps that the author takes without barriers, as if in lockstep.
TEST(LocalRacesTest, TheEndOfAReduction) {
  EXPECT_EQ(racesIn("int l = get_local_id(0);\nif (l < 8) {\n"
                    "t[l] += t[l + 8];\nt[l] += t[l + 4];\n}\n"),
            (Lines{{5, 6}, {6, 6}}));
  // In registers of the device these are the author's matter.
  EXPECT_EQ(racesIn("int l = get_local_id(0);\n"
                    "volatile __local int *v = t;\nif (l < 8) {\n"
                    "v[l] += v[l + 8];\nv[l] += v[l + 4];\n}\n"),
            Lines());
}

TEST(LocalRacesTest, TilesAreForGroupsOfTheirShape) {
  const std::string tile = "int x = get_local_id(0), y = get_local_id(1);\n"
                           "t[y * 16 + x] = a[y * n + x];\n" +
                           barrier + "a[x * n + y] = t[y * 16 + x];\n";
  EXPECT_EQ(racesIn(tile), Lines());
  EXPECT_EQ(racesIn(tile, "__attribute__((reqd_work_group_size(16, 16, 1)))"),
            Lines());
  EXPECT_EQ(racesIn(tile, "__attribute__((reqd_work_group_size(32, 8, 1)))"),
            (Lines{{4, 4}}));
  // Nothing else moves along the second dimension.
  EXPECT_EQ(racesIn("int x = get_local_id(0);\nt[x] = a[x];\n" + barrier +
                    "a[get_global_id(1)] = t[x];\n"),
            Lines());
}

TEST(LocalRacesTest, WhatIsNotKnownExactly) {
  EXPECT_EQ(racesIn("int l = get_local_id(0);\n"
                    "if (a[l] > 0) t[0] = l;\n"),
            Lines());
  EXPECT_EQ(racesIn("int l = get_local_id(0);\nt[a[l]] = l;\n"), Lines());
  EXPECT_EQ(racesIn("int l = get_local_id(0);\natomic_inc(&t[0]);\n"), Lines());
  // Which global ids share a group is not said.
  const std::string ids = "int i = get_global_id(0);\nt[i / 8] = i;\n";
  EXPECT_EQ(racesIn(ids), Lines());
  EXPECT_EQ(racesIn(ids, eight), (Lines{{4, 4}}));
}
