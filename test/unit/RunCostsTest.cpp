//===- RunCostsTest.cpp - what a kernel asks of a device ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/RunCosts.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

DeviceProfile hopper() {
  llvm::Expected<DeviceProfile> profile = loadProfile("nvidia-hopper");
  EXPECT_TRUE(bool(profile));
  return *profile;
}

/// 64 groups of 64 work-items, two requests' worth each.
SmallLaunch usual() {
  SmallLaunch launch;
  launch.global[0] = 4096;
  launch.local[0] = 64;
  launch.integers["n"] = 4096;
  return launch;
}

/// Per group.
RunCosts costsOf(const std::string &text, const SmallLaunch &launch = usual(),
                 uint64_t budget = 100000) {
  ParseResult parsed = parseOpenCL("a.cl", text, {});
  EXPECT_TRUE(parsed.unit) << text;
  std::string why;
  std::optional<RunCosts> costs =
      countCosts(*parsed.unit, *parsed.unit->functions.back(), launch, hopper(),
                 budget, why);
  EXPECT_TRUE(costs) << why;
  if (!costs)
    return {};
  const auto groups = static_cast<double>(costs->counted);
  for (double *sum :
       {&costs->operations, &costs->doubles, &costs->specials, &costs->integers,
        &costs->branches, &costs->accesses, &costs->lines, &costs->localTurns,
        &costs->missedBytes, &costs->alone, &costs->barriers})
    *sum /= groups;
  return *costs;
}

std::string copying(const std::string &body) {
  return "__kernel void f(__global const float *a, __global float *r, int n) "
         "{ int i = get_global_id(0), l = get_local_id(0); " +
         body + " }";
}

} // namespace

TEST(RunCostsTest, NeighboursShareLines) {
  RunCosts copy = costsOf(copying("r[i] = a[i];"));
  EXPECT_EQ(copy.launched, 64);
  EXPECT_EQ(copy.items, 64);
  EXPECT_EQ(copy.accesses, 4); // a load and a store of two halves
  EXPECT_EQ(copy.lines, 4);
  EXPECT_EQ(copy.missedBytes, 512);
  RunCosts column = costsOf(copying("r[i] = a[i * 64];"));
  EXPECT_EQ(column.accesses, 4);
  EXPECT_GT(column.lines, 4 * copy.lines);
  EXPECT_EQ(column.missedBytes, 64 * 32 + 256);
}

TEST(RunCostsTest, GroupsWithoutAccessesOnlyDecide) {
  // One of four groups has something to do.
  auto guarded = [](const std::string &type) {
    RunCosts some = costsOf(
        copying("if ((" + type + ")i * 4 + 3 < (" + type + ")n) r[i] = a[i];"));
    EXPECT_EQ(some.seen, 64);
    EXPECT_EQ(some.busy, 16);
    return some.idleControl / static_cast<double>(some.seen - some.busy);
  };
  EXPECT_GE(guarded("int"), 2 * 4); // two requests' worth of work-items
  EXPECT_GT(guarded("long"), guarded("int"));
  EXPECT_EQ(costsOf(copying("r[i] = a[i];")).idleControl, 0);
}

TEST(RunCostsTest, WideRequestsAreServedInParts) {
  SmallLaunch launch = usual();
  RunCosts wide = costsOf("__kernel void f(__global const float4 *a, __global "
                          "float4 *r) { int i = get_global_id(0); r[i] = a[i]; "
                          "}");
  EXPECT_EQ(wide.accesses, 4);
  EXPECT_EQ(wide.missedBytes, 2048);
}

TEST(RunCostsTest, WhatTheCacheHoldsIsNotMissedAgain) {
  RunCosts twice = costsOf(
      copying("float s = 0; for (int k = 0; k < 3; k++) s += a[i]; r[i] = s;"));
  EXPECT_EQ(twice.accesses, 2 * 4);
  EXPECT_EQ(twice.missedBytes, 512);
  // Every work-item has a line of its own, more than there is room for.
  RunCosts far = costsOf(copying(
      "float s = 0; for (int k = 0; k < 2; k++) for (int j = 0; j < 256; j++) "
      "s += a[(i * 256 + j) * 16]; r[i] = s;"));
  EXPECT_EQ(far.missedBytes, 2 * 256 * 64 * 32 + 256);
}

TEST(RunCostsTest, TurnsOfLocalMemory) {
  auto tile = [](const std::string &index) {
    return copying("__local float t[64 * 33]; t[" + index +
                   "] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); r[i] = t[l];");
  };
  EXPECT_EQ(costsOf(tile("l")).localTurns, 4);
  EXPECT_EQ(costsOf(tile("l * 32")).localTurns, 64 + 2);
  EXPECT_EQ(costsOf(tile("l * 33")).localTurns, 4);
  EXPECT_EQ(costsOf(tile("0 * l")).localTurns, 4);
  EXPECT_EQ(costsOf(tile("l")).localBytes, 64 * 33 * 4);
  EXPECT_EQ(costsOf(tile("l")).barriers, 2);
}

TEST(RunCostsTest, OperationsAreCountedWhereTheyRun) {
  RunCosts sum = costsOf(copying("float s = 0.0f; for (int k = 0; k < 10; k++) "
                                 "s += a[i] * 2.0f; r[i] = s;"));
  EXPECT_EQ(sum.operations, 2 * 10); // a product goes along with its sum
  EXPECT_EQ(sum.branches, 0);        // compilers unroll ten iterations
  RunCosts some = costsOf(copying("if (l < 32) r[i] = a[i] + 1.0f;"));
  EXPECT_EQ(some.operations, 1);
  EXPECT_EQ(some.accesses, 2);
  EXPECT_EQ(some.branches, 2);
  RunCosts root = costsOf(copying("r[i] = sqrt(a[i]);"));
  EXPECT_EQ(root.specials, 2);
  RunCosts whole =
      costsOf("__kernel void f(__global const int *a, __global int "
              "*r) { int i = get_global_id(0); r[i] = a[i] ^ 5; "
              "}");
  EXPECT_EQ(whole.integers, 2);
}

TEST(RunCostsTest, PrivateArraysAreRegisters) {
  RunCosts tile = costsOf(
      copying("float t[4]; for (int k = 0; k < 4; k++) t[k] = a[i + k * n]; "
              "r[i] = t[0] + t[1] + t[2] + t[3];"));
  EXPECT_EQ(tile.accesses, 2 * 4 + 2);
  EXPECT_EQ(tile.privateBytes, 16);
}

TEST(RunCostsTest, GroupsThatDoNothingAreSeen) {
  // One of sixteen, the first ones.
  const std::string text = copying(
      "if (get_group_id(0) >= 4) return; float s = 0; for (int k = 0; k < n; "
      "k++) s += a[k]; r[i] = s;");
  RunCosts packed = costsOf(text, usual(), 1000);
  EXPECT_EQ(packed.launched, 64);
  EXPECT_EQ(packed.seen, 64);
  EXPECT_EQ(packed.busy, 4);
  EXPECT_EQ(packed.counted, 2); // more is not needed
  EXPECT_EQ(packed.accesses, 2 * 4096 + 2);
}

TEST(RunCostsTest, StoresInALoopKeepItsLoadsApart) {
  const RunCosts sum = costsOf(copying(
                     "float s = 0; for (int k = 0; k < n; k++) s += a[k * n + "
                     "i]; r[i] = s;")),
                 inMemory =
                     costsOf(copying("for (int k = 0; k < n; k++) r[i] += a[k "
                                     "* n + i];"));
  EXPECT_GT(inMemory.alone, 3 * sum.alone);
}

TEST(RunCostsTest, DataMayDecideTheWay) {
  RunCosts rows = costsOf(
      "__kernel void f(__global const int *row, __global const float *a, "
      "__global float *r) { int i = get_global_id(0); float s = 0; for (int k "
      "= "
      "row[i] & 3; k < 8; k++) s += a[k]; r[i] = s; }");
  EXPECT_GT(rows.accesses, 2 * 4);
  EXPECT_GT(rows.operations, 0);
}

TEST(RunCostsTest, AtomicsTouchOneCell) {
  // What they do, `max` or `add`, is no offset. The old value says where to go.
  auto counted = [](const std::string &name) {
    return costsOf(
        "__kernel void f(__global int *c, __global float *r) { int i "
        "= get_global_id(0); r[" +
        name + "(&c[i], 1)] = 1.0f; }");
  };
  const RunCosts add = counted("atomic_add"), most = counted("atomic_max");
  EXPECT_EQ(add.accesses, 4);
  EXPECT_EQ(most.accesses, 4);
  EXPECT_EQ(most.lines, add.lines);
  EXPECT_EQ(most.missedBytes, add.missedBytes);
}

TEST(RunCostsTest, WhatCannotRunIsRefused) {
  ParseResult parsed =
      parseOpenCL("a.cl", copying("r[i] = a[n / (n - 4096)];"), {});
  std::string why;
  EXPECT_FALSE(countCosts(*parsed.unit, *parsed.unit->functions.back(), usual(),
                          hopper(), 1000, why));
  EXPECT_EQ(why, "a division by zero");
}
