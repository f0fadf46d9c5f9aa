//===- LaunchSkeletonTest.cpp - launches that kernels suggest -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/LaunchSpecText.h"
#include "clopt/Clopt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

using namespace clopt;

namespace {

LaunchSkeleton sketchOf(const std::string &source) {
  const Result result = sketchLaunches("test.cl", source, "", Options());
  EXPECT_TRUE(result.ok);
  return result.skeletons.empty() ? LaunchSkeleton() : result.skeletons.front();
}

SkeletonArgument argument(const LaunchSkeleton &skeleton,
                          const std::string &name) {
  for (const SkeletonArgument &candidate : skeleton.arguments)
    if (candidate.name == name)
      return candidate;
  ADD_FAILURE() << "no argument " << name;
  return {};
}

std::string sizeOf(const LaunchSkeleton &skeleton, const std::string &name) {
  return argument(skeleton, name).size;
}

using Shape = std::vector<std::string>;

TEST(LaunchSkeletonTest, AGuardIsTheSizeOfTheLaunch) {
  const LaunchSkeleton skeleton =
      sketchOf("__kernel void k(__global const float *a, __global float4 *b,\n"
               "                float x, int n) {\n"
               "  int i = get_global_id(0);\n"
               "  if (i < n) b[i] = a[2 * i + 1] * x; }");
  EXPECT_EQ(skeleton.ranges[0].global, Shape{"n"});
  EXPECT_TRUE(skeleton.ranges[0].local.empty());
  EXPECT_EQ(skeleton.ranges[1].global, Shape{"roundup(n, 64)"});
  EXPECT_EQ(sizeOf(skeleton, "a"), "2*n");
  EXPECT_EQ(sizeOf(skeleton, "b"), "n");
  EXPECT_EQ(argument(skeleton, "b").type, "float4");
  EXPECT_FALSE(argument(skeleton, "b").isRead);
  EXPECT_FALSE(argument(skeleton, "a").isWritten);
  EXPECT_EQ(argument(skeleton, "x").values, Shape{"0.5"});
  EXPECT_TRUE(argument(skeleton, "n").values.empty());
  ASSERT_GE(skeleton.sizes.size(), 3u);
  EXPECT_EQ(skeleton.sizes[0].front(),
            (std::pair<std::string, int64_t>("n", 7)));
}

TEST(LaunchSkeletonTest, ARowIsTheSizeOfTheLaunch) {
  const LaunchSkeleton skeleton =
      sketchOf("__kernel void k(__global const float *a, __global float *c,\n"
               "                int m, int n) {\n"
               "  int i = get_global_id(1), j = get_global_id(0);\n"
               "  float s = 0;\n"
               "  for (int k = 0; k < m; k++) s += a[i * m + k];\n"
               "  c[i * n + j] = s; }");
  EXPECT_EQ(skeleton.ranges[0].global[0], "n");
  // More work-items than that would meet in one cell.
  EXPECT_EQ(skeleton.ranges[1].local[0], "gcd(n, 16)");
  EXPECT_EQ(skeleton.ranges[1].global[0], "n");
}

TEST(LaunchSkeletonTest, RowsOfAFixedLengthDoNotMeet) {
  // Rows have room for 128 elements; small launches write up to 20.
  const LaunchSkeleton skeleton =
      sketchOf("__kernel void k(__global float *a, int n) {\n"
               "  int i = get_global_id(0); if (i >= n) return;\n"
               "  for (int j = 0; j < n; j++) a[i * 128 + j] = i; }");
  ASSERT_GE(skeleton.sizes.size(), 3u);
  int64_t largest = 0;
  for (const auto &point : skeleton.sizes)
    for (const auto &[name, value] : point)
      largest = std::max(largest, value);
  EXPECT_LE(largest, 128);
  EXPECT_GE(largest, 64);
}

TEST(LaunchSkeletonTest, ProductsAndMargins) {
  const LaunchSkeleton all =
      sketchOf("__kernel void k(__global float *a, int w, int h) {\n"
               "  int i = get_global_id(0); if (i >= w * h) return;\n"
               "  a[i] = i; }");
  EXPECT_EQ(all.ranges[0].global, Shape{"w*h"});
  EXPECT_EQ(sizeOf(all, "a"), "w*h");
  const LaunchSkeleton inner =
      sketchOf("__kernel void k(__global const float *a, __global float *b, "
               "int w, int h) "
               "{\n  int x = get_global_id(0), y = get_global_id(1);\n"
               "  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;\n"
               "  b[y * w + x] = a[(y - 1) * w + x] + a[(y + 1) * w + x]; }");
  EXPECT_EQ(inner.ranges[0].global, (Shape{"w", "h"}));
  EXPECT_EQ(sizeOf(inner, "a"), "w*h - 1");
}

/// The values of a size, one of each launch.
std::vector<int64_t> valuesOf(const LaunchSkeleton &skeleton,
                              const std::string &name) {
  std::vector<int64_t> values;
  for (const auto &point : skeleton.sizes)
    for (const auto &[size, value] : point)
      if (size == name)
        values.push_back(value);
  return values;
}

// Every work-item of `k0 + 8 + id < n` has work: rows of n, and more of them
// than there are work-items.
TEST(LaunchSkeletonTest, GuardsOfSeveralArgumentsLetWorkThrough) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global float *a, int lda, int n, int k0) {\n"
      "  int j = k0 + 8 + get_global_id(0), i = k0 + 8 + get_global_id(1);\n"
      "  if (j >= n || i >= n) return;\n"
      "  float s = a[i * lda + j];\n"
      "  for (int k = k0; k < k0 + 8; k++) s -= a[i * lda + k];\n"
      "  a[i * lda + j] = s; }");
  EXPECT_EQ(skeleton.ranges[0].global, (Shape{"width", "height"}));
  const std::vector<int64_t> n = valuesOf(skeleton, "n"),
                             k0 = valuesOf(skeleton, "k0"),
                             width = valuesOf(skeleton, "width"),
                             height = valuesOf(skeleton, "height");
  ASSERT_GE(n.size(), 3u);
  EXPECT_EQ(valuesOf(skeleton, "lda"), n);
  for (size_t at = 0; at < n.size(); ++at)
    EXPECT_GE(n[at], k0[at] + 8 + std::max(width[at], height[at]));
}

// A launch of `n - 32` has as many work-items as others.
TEST(LaunchSkeletonTest, MarginsAreNoWorkItems) {
  const LaunchSkeleton skeleton =
      sketchOf("__kernel void k(__global float *a, int n, int k0) {\n"
               "  int j = k0 + 32 + get_global_id(0), i = k0 + 32 + "
               "get_global_id(1);\n"
               "  if (i >= n || j > i) return;\n"
               "  a[i * n + j] -= a[i * n + k0] * a[j * n + k0]; }");
  EXPECT_EQ(skeleton.problem, "");
  EXPECT_EQ(skeleton.ranges[0].global[0], "n - 32");
  for (int64_t n : valuesOf(skeleton, "n"))
    EXPECT_GT(n, 32);
  EXPECT_EQ(valuesOf(skeleton, "n").front(), 39);
}

// Rows of the launch that no arguments suit as a whole have some work.
TEST(LaunchSkeletonTest, SomeWorkItemsHaveWork) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global float *m, __global float *a, int n, int t) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  if (x < n - 1 - t && y < n - t)\n"
      "    a[n * (x + 1 + t) + (y + t)] -= m[n * (x + 1 + t) + t]; }");
  const std::vector<int64_t> n = valuesOf(skeleton, "n"),
                             t = valuesOf(skeleton, "t");
  ASSERT_GE(n.size(), 3u);
  for (size_t at = 0; at < n.size(); ++at)
    EXPECT_LT(t[at], n[at] - 1);
}

// What a group reads for its neighbours, under conditions of its own, does not
// hide what the stores stay below.
TEST(LaunchSkeletonTest, AGuardOfStoresIsTheSizeOfTheLaunch) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel __attribute__((reqd_work_group_size(16, 1, 1)))\n"
      "void k(__global const uchar *a, __global uchar *b, int w, int h,\n"
      "       int pitch) {\n"
      "  __local uchar t[18];\n"
      "  for (int x = get_local_id(0); x < 18; x += 16) {\n"
      "    int s = get_group_id(0) * 16 + x - 1;\n"
      "    t[x] = s >= 0 && s < w ? a[get_global_id(1) * pitch + s] : 0;\n"
      "  }\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);\n"
      "  if (x < w && y < h)\n"
      "    b[y * pitch + x] = max(max(t[l], t[l + 1]), t[l + 2]); }");
  EXPECT_EQ(skeleton.ranges[0].global, (Shape{"roundup(w, 16)", "h"}));
}

TEST(LaunchSkeletonTest, NumbersThatLeadIntoBuffers) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global const int *row, __global const int *col,\n"
      "    __global const float *v, __global const float *x,\n"
      "    __global float *y, int rows) {\n"
      "  int i = get_global_id(0); if (i >= rows) return; float s = 0;\n"
      "  for (int k = row[i]; k < row[i + 1]; k++) s += v[k] * x[col[k]];\n"
      "  y[i] = s; }");
  EXPECT_EQ(sizeOf(skeleton, "row"), "rows + 1");
  EXPECT_EQ(argument(skeleton, "row").fill, SkeletonArgument::Fill::Rows);
  EXPECT_EQ(argument(skeleton, "row").high, "4*rows");
  EXPECT_EQ(sizeOf(skeleton, "v"), "4*rows");
  EXPECT_EQ(argument(skeleton, "col").fill, SkeletonArgument::Fill::Range);
  EXPECT_EQ(argument(skeleton, "col").high, "rows - 1");
  EXPECT_EQ(sizeOf(skeleton, "x"), "rows");
  EXPECT_FALSE(argument(skeleton, "col").comment.empty());
}

TEST(LaunchSkeletonTest, ScatteredResultsHavePlacesOfTheirOwn) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global const int *to, __global const float *a,\n"
      "                __global float *b, int n) {\n"
      "  int i = get_global_id(0); if (i < n) b[to[i]] = a[i]; }");
  EXPECT_EQ(argument(skeleton, "to").fill, SkeletonArgument::Fill::Permutation);
  EXPECT_EQ(sizeOf(skeleton, "b"), "n");
}

TEST(LaunchSkeletonTest, GroupsAreThoseThatTheKernelIsFor) {
  const std::string body =
      "  __local float t[64]; int l = get_local_id(0);\n"
      "  t[l] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  b[get_global_id(0)] = t[63 - l]; }";
  const LaunchSkeleton own = sketchOf(
      "__kernel void k(__global const float *a, __global float *b) {\n" + body);
  EXPECT_EQ(own.ranges[0].local, Shape{"64"});
  EXPECT_EQ(own.ranges[0].global, Shape{"roundup(items, 64)"});
  EXPECT_EQ(sizeOf(own, "a"), "roundup(items, 64)");
  const LaunchSkeleton required =
      sketchOf("__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
               "void k(__global const float *a, __global float *b) {\n" +
               body);
  EXPECT_EQ(required.ranges[0].local, Shape{"64"});
}

/// A kernel whose groups share `t`, which is declared as `array`; `at` is the
/// work-item's own cell.
Shape groupOf(const std::string &array, const std::string &at) {
  const bool isArgument = array.empty();
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global const float *a, __global float *b, int w" +
      std::string(isArgument ? ", __local float *t" : "") +
      ") {\n  int x = get_local_id(0), y = get_local_id(1);\n"
      "  int i = get_global_id(1) * w + get_global_id(0);\n" +
      array + "  t[" + at +
      "] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (get_global_id(0) < w) b[i] = t[" +
      at + "] + t[0]; }");
  return skeleton.ranges.empty() ? Shape() : skeleton.ranges[0].local;
}

TEST(LaunchSkeletonTest, RowsOfLocalArraysAreThoseOfGroups) {
  // What the host allocates is taken for a square.
  EXPECT_EQ(groupOf("", "y * 16 + x"), (Shape{"16", "16"}));
  EXPECT_EQ(groupOf("", "y + x * 8"), (Shape{"8", "8"}));
  EXPECT_EQ(groupOf("__local float t[128];", "y * 32 + x"), (Shape{"32", "4"}));
  EXPECT_EQ(groupOf("__local float t[128];", "y + 4 * x"), (Shape{"32", "4"}));
  EXPECT_EQ(groupOf("__local float t[256];", "(7 - y) * 32 + 31 - x"),
            (Shape{"32", "8"}));
  // The last cell of a row is there for the banks.
  EXPECT_EQ(groupOf("__local float t[8 * 17];", "y * 17 + x"),
            (Shape{"16", "8"}));
  // Rows that are too long for a square.
  EXPECT_EQ(groupOf("", "y * 64 + x"), (Shape{"64", "4"}));
}

TEST(LaunchSkeletonTest, RowsOfOtherArraysSayNothing) {
  // As long as the group is wide, whatever that is.
  EXPECT_EQ(groupOf("", "y * get_local_size(0) + x"), (Shape{"4", "4"}));
  // Neighbours lie apart.
  EXPECT_EQ(groupOf("", "y * 16 + 2 * x"), (Shape{"4", "4"}));
  // No group has so many work-items in a row.
  EXPECT_EQ(groupOf("", "y * 2048 + x"), (Shape{"4", "4"}));
}

TEST(LaunchSkeletonTest, GroupsSetWhatTheyRead) {
  auto groupOf = [](const std::string &body) {
    const LaunchSkeleton skeleton =
        sketchOf("__kernel void k(__global const float *a, __global float *b,\n"
                 "                __local float *t) {\n"
                 "  int l = get_local_id(0), i = get_global_id(0);\n" +
                 body + " }");
    return skeleton.ranges.empty() ? Shape() : skeleton.ranges[0].local;
  };
  const std::string fill = "  t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n";
  EXPECT_EQ(groupOf(fill + "b[i] = t[l % 32 ^ 31];"), Shape{"32"});
  EXPECT_EQ(groupOf(fill + "if (t[40] > 0) b[i] = t[l];"), Shape{"64"});
  // What is read and not used says nothing.
  EXPECT_EQ(groupOf(fill + "float s = t[40]; b[i] = t[l];"), Shape{"16"});
  // Where no group does, any will do.
  EXPECT_EQ(groupOf("  barrier(CLK_LOCAL_MEM_FENCE); b[i] = t[l];"),
            Shape{"16"});
}

TEST(LaunchSkeletonTest, GroupsAndIdsInThemAreSubscripts) {
  const std::string begin =
      "__kernel void k(__global const float *a, __global float *b, int w) {\n"
      "  __local float t[16][16];\n"
      "  int x = get_local_id(0), y = get_local_id(1);\n"
      "  int r = get_group_id(1) * 16 + y, c = get_group_id(0) * 16 + x;\n";
  auto widthOf = [&](const std::string &to, const std::string &from) {
    const LaunchSkeleton skeleton = sketchOf(
        begin + "  t[y][x] = a[" + from +
        "]; barrier(CLK_LOCAL_MEM_FENCE);\n  b[" + to + "] = t[15 - y][x]; }");
    return skeleton.ranges.empty() ? "" : skeleton.ranges[0].global[0];
  };
  EXPECT_EQ(widthOf("r * w + c", "r * w + c"), "roundup(w, 16)");
  // As many columns as are behind the first that a work-item has.
  EXPECT_EQ(widthOf("r * w + c + 8", "r * w + c"), "roundup(w - 8, 16)");
  // These columns are not the ids, so there is no telling how many are behind.
  EXPECT_EQ(widthOf("get_group_id(0) * 256 + y * 16 + x",
                    "r * w + get_group_id(0) * 32 + x + 8"),
            "roundup(w, 16)");
}

TEST(LaunchSkeletonTest, LocalMemoryOfTheHost) {
  const LaunchSkeleton skeleton =
      sketchOf("__kernel void k(__global const float *a, __global float *b,\n"
               "                __local float *t) {\n"
               "  int l = get_local_id(0), s = get_local_size(0);\n"
               "  t[l] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
               "  b[get_global_id(0)] = t[s - 1 - l]; }");
  const SkeletonArgument &local = argument(skeleton, "t");
  EXPECT_EQ(local.memory, SkeletonArgument::Memory::Local);
  EXPECT_EQ(local.size, skeleton.ranges[0].local[0]);
}

TEST(LaunchSkeletonTest, WhatAllGroupsWouldDoIsForOneGroup) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global const float *a, __global float *b, int n) {\n"
      "  __local float t[64]; int l = get_local_id(0); float s = 0;\n"
      "  for (int i = l; i < n; i += get_local_size(0)) s += a[i];\n"
      "  t[l] = s; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (l == 0) b[0] = t[0] + t[63]; }");
  EXPECT_EQ(skeleton.ranges[0].global, Shape{"64"});
  EXPECT_EQ(skeleton.ranges[0].local, Shape{"64"});
  ASSERT_FALSE(skeleton.sizes.empty());
  EXPECT_EQ(skeleton.sizes.back().size(), 1u);
  EXPECT_GE(skeleton.sizes.back().front().second, 64 * 64);
}

TEST(LaunchSkeletonTest, LoopsInStepsOfTheLaunchHaveSeveralIterations) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global const float *a, __global float *b, int n) {\n"
      "  int g = get_global_id(0); float s = 0;\n"
      "  for (int i = g; i < n; i += get_global_size(0)) s += a[i];\n"
      "  b[g] = s; }");
  for (const auto &point : skeleton.sizes) {
    const std::map<std::string, int64_t> sizes(point.begin(), point.end());
    EXPECT_GE(sizes.at("n"), 2 * sizes.at("items"));
  }
}

// What ids are divided by is an extent, and has several cells.
TEST(LaunchSkeletonTest, DivisorsAreExtents) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global const float *a, __global float *b, int n,\n"
      "                int w, int h, int step) {\n"
      "  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
      "    int x = i % w, y = i / w % h;\n"
      "    b[i] = 2.0f * a[(y * w + x) * step]; } }");
  ASSERT_GE(skeleton.sizes.size(), 3u);
  for (const auto &point : skeleton.sizes) {
    const std::map<std::string, int64_t> sizes(point.begin(), point.end());
    EXPECT_GE(sizes.at("w"), 5);
    EXPECT_GE(sizes.at("h"), 5);
    EXPECT_LE(sizes.at("step"), 2);
  }
}

// A kernel that makes sense for one cell only gets that.
TEST(LaunchSkeletonTest, DivisorsAreOneWhereMoreWouldRace) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global const float *a, __global float *b, int n,\n"
      "                int factor) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < n) b[i / factor] = a[i]; }");
  ASSERT_FALSE(skeleton.sizes.empty());
  for (const auto &point : skeleton.sizes) {
    const std::map<std::string, int64_t> sizes(point.begin(), point.end());
    EXPECT_EQ(sizes.at("factor"), 1);
  }
}

// Iterations that do not depend on each other are no other matter: a launch
// has fewer work-items than there are iterations.
TEST(LaunchSkeletonTest, IndependentIterationsInStepsOfTheLaunch) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(__global const float *a, __global float *b, int n) {\n"
      "  for (int i = get_global_id(0); i < n; i += get_global_size(0))\n"
      "    b[i] = 2.0f * a[i]; }");
  EXPECT_EQ(skeleton.ranges[0].global, Shape{"items"});
  EXPECT_EQ(sizeOf(skeleton, "a"), "n");
  EXPECT_EQ(sizeOf(skeleton, "b"), "n");
  ASSERT_GE(skeleton.sizes.size(), 3u);
  for (const auto &point : skeleton.sizes) {
    const std::map<std::string, int64_t> sizes(point.begin(), point.end());
    EXPECT_GE(sizes.at("n"), 2 * sizes.at("items"));
  }
}

TEST(LaunchSkeletonTest, StructuresByValue) {
  const LaunchSkeleton skeleton =
      sketchOf("typedef struct { int width, height; float gain; } Size;\n"
               "__kernel void k(__global float *a, Size s) {\n"
               "  int i = get_global_id(0); if (i < s.width) a[i] = s.gain; }");
  EXPECT_EQ(skeleton.ranges[0].global, Shape{"s_width"});
  const SkeletonArgument &size = argument(skeleton, "s");
  EXPECT_EQ(size.members, (Shape{"int", "int", "float"}));
  ASSERT_EQ(size.values.size(), 3u);
  EXPECT_EQ(size.values[0], "s_width");
  EXPECT_EQ(size.values[2], "0.5");
  EXPECT_FALSE(size.comment.empty());
}

TEST(LaunchSkeletonTest, StructuresOfVectorsHaveAValueForEachLane) {
  const LaunchSkeleton skeleton = sketchOf(
      "typedef struct { float4 row[4]; } Matrix;\n"
      "typedef struct { float3 a[2]; short2 s; } Pair;\n"
      "typedef struct { Matrix m; int n; } Camera;\n"
      "__kernel void k(__global float *a, Matrix m, Pair p, Camera c)\n"
      "{ int i = get_global_id(0);\n"
      "  a[i] += m.row[1].x + p.a[1].y * c.m.row[2].z; }");
  EXPECT_EQ(argument(skeleton, "m").members, (Shape{"float4[4]"}));
  EXPECT_EQ(argument(skeleton, "m").values, Shape(16, "0.5"));
  EXPECT_EQ(argument(skeleton, "p").values.size(), 8u);
  // Members that are structures are not described: the bytes are.
  EXPECT_EQ(argument(skeleton, "c").bytes, 80u);
  EXPECT_EQ(argument(skeleton, "c").values, Shape{"0"});
}

TEST(LaunchSkeletonTest, ImagesAndSamplers) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(read_only image2d_t a, sampler_t s, write_only\n"
      "                image3d_t b, read_only image1d_array_t c, int n) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  float4 v = read_imagef(a, s, (int2)(2 * x + 1, y));\n"
      "  int4 at = (int4)(x, y, 4, 0);\n"
      "  write_imagef(b, at, v + read_imageui(c, s, (float2)(x, y)).x); }");
  EXPECT_EQ(skeleton.problem, "");
  const SkeletonArgument &a = argument(skeleton, "a");
  EXPECT_EQ(a.memory, SkeletonArgument::Memory::Image);
  EXPECT_EQ(a.type, "image2d_t");
  EXPECT_FALSE(a.isWritten);
  EXPECT_EQ(a.channelType, "FLOAT");
  using Extents = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(a.extents, (Extents{{"Width", "2*width"}, {"Height", "height"}}));
  const SkeletonArgument &b = argument(skeleton, "b");
  EXPECT_FALSE(b.isRead);
  EXPECT_EQ(
      b.extents,
      (Extents{{"Width", "width"}, {"Height", "height"}, {"Depth", "5"}}));
  // What is not known is as large as the launch.
  const SkeletonArgument &c = argument(skeleton, "c");
  EXPECT_EQ(c.channelType, "UNSIGNED_INT8");
  EXPECT_EQ(c.extents, (Extents{{"Width", "width"}, {"Layers", "height"}}));
  EXPECT_FALSE(c.comment.empty());
  EXPECT_EQ(argument(skeleton, "s").memory, SkeletonArgument::Memory::Sampler);
  const std::string text = printLaunchSpec({skeleton}, "k.cl", {});
  for (const char *part :
       {"\"MemoryType\": \"Image\"", "\"ChannelOrder\": \"RGBA\"",
        "\"Width\": \"2*width\"", "\"Depth\": 5", "\"MemoryType\": \"Sampler\"",
        "\"Type\": \"sampler_t\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(LaunchSkeletonTest, WhatCannotBeDescribed) {
  const LaunchSkeleton skeleton = sketchOf(
      "__kernel void k(read_only image1d_buffer_t image, __global float *a) "
      "{\n"
      "  a[get_global_id(0)] = 1; }");
  EXPECT_NE(skeleton.problem.find("'image'"), std::string::npos);
  EXPECT_EQ(skeleton.ruleId, "clopt-no-launch");
  EXPECT_TRUE(skeleton.arguments.empty());
}

TEST(LaunchSkeletonTest, LaunchesWithoutMeaningAreNotProposed) {
  const LaunchSkeleton skeleton =
      sketchOf("__kernel void k(__global float *a) {\n"
               "  a[0] = get_global_id(0); }");
  EXPECT_EQ(skeleton.ruleId, "clopt-no-launch");
  EXPECT_NE(skeleton.problem.find("without a barrier"), std::string::npos);
  EXPECT_TRUE(skeleton.arguments.empty());
}

TEST(LaunchSkeletonTest, OneKernelOfAFile) {
  const std::string source = "__kernel void a(__global int *x) { x[0] = 1; }\n"
                             "__kernel void b(__global int *x) { x[0] = 1; }\n";
  EXPECT_EQ(sketchLaunches("t.cl", source, "", Options()).skeletons.size(), 2u);
  const Result one = sketchLaunches("t.cl", source, "b", Options());
  ASSERT_EQ(one.skeletons.size(), 1u);
  EXPECT_EQ(one.skeletons[0].kernel, "b");
  EXPECT_TRUE(sketchLaunches("t.cl", source, "c", Options()).skeletons.empty());
}

TEST(LaunchSkeletonTest, WrongSourcesHaveDiagnostics) {
  const Result result =
      sketchLaunches("t.cl", "__kernel void a(", "", Options());
  EXPECT_FALSE(result.ok);
  EXPECT_FALSE(result.diagnostics.empty());
}

TEST(LaunchSkeletonTest, TheTextIsALaunchSpecification) {
  LaunchSkeleton skeleton;
  skeleton.kernel = "k";
  skeleton.sizes = {{{"n", 7}}, {{"n", 64}}};
  skeleton.ranges = {{{"n"}, {}}, {{"roundup(n, 64)"}, {"64"}}};
  SkeletonArgument x;
  x.name = "x";
  x.type = "int";
  x.size = "n";
  x.fill = SkeletonArgument::Fill::Range;
  x.low = "0";
  x.high = "n - 1";
  skeleton.arguments = {x};
  const std::string text = printLaunchSpec({skeleton}, "k.cl", {"-DA=1"});
  for (const char *part :
       {"\"KernelName\": \"k\"", "\"CompilerOptions\"", "\"n\": [",
        "\"X\": \"roundup(n, 64)\"", "\"X\": 64", "\"n - 1\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("Comment"), std::string::npos);
}

} // namespace
