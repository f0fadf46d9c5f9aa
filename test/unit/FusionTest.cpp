//===- FusionTest.cpp - neighbouring launches as one ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Fusion.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// Work-item i of `set` writes cell i of y, and so on.
const char *const kernels =
    "__kernel void set(__global const float *x, __global float *y, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= n) return;\n"
    "  y[i] = x[i] * 2;\n"
    "}\n"
    "__kernel void add(__global float *x, __global const float *y, int m) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < m) x[i] += y[i];\n"
    "}\n"
    "__kernel void turn(__global float *x, __global const float *y, int m) {\n"
    "  int i = get_global_id(0);\n"
    "  x[i] = y[m - 1 - i];\n"
    "}\n"
    "__kernel void walk(__global float *x, int from, int to) {\n"
    "  int i = get_global_id(0);\n"
    "  x[to + i] = x[from + i] + 1;\n"
    "}\n"
    "__kernel void swap(__global const float *x, __global float *y) {\n"
    "  int i = get_group_id(0) * 8 + 7 - get_local_id(0);\n"
    "  y[get_global_id(0)] = x[i];\n"
    "}\n"
    "__kernel void count(__global int *x) { atomic_inc(x); }\n"
    "__kernel void share(__global float *x, __local float *t) {\n"
    "  t[get_local_id(0)] = x[get_global_id(0)];\n"
    "}\n"
    "__kernel void keep(__global float *x) {\n"
    "  __local float t[8];\n"
    "  t[get_local_id(0)] = x[get_global_id(0)];\n"
    "  x[get_global_id(0)] = t[get_local_id(0)];\n"
    "}\n"
    "__kernel void whole(__global float *x) { x[0] = 1; }\n"
    "__kernel void pairs(__global float2 *x) { x[get_global_id(0)] = 1; }\n";

FusedArgument buffer(const std::string &name) {
  FusedArgument result;
  result.buffer = name;
  return result;
}

FusedArgument number(int64_t first, int64_t step = 0) {
  FusedArgument result;
  result.first = first;
  result.step = step;
  return result;
}

/// Two launches over 16 work-items.
FusionRequest two(const FusedPart &first, const FusedPart &second) {
  FusionRequest request;
  request.global = {16};
  request.parts = {first, second};
  return request;
}

FusionAnswer answerTo(const FusionRequest &request) {
  FusionAnswer answer = makeFusion("test.cl", kernels, request, Options());
  EXPECT_TRUE(answer.ok);
  return answer;
}

/// The new kernel.
std::string textFor(const FusionRequest &request) {
  const FusionAnswer answer = answerTo(request);
  EXPECT_EQ(answer.problem, "");
  const size_t at = answer.text.rfind("__kernel");
  return at == std::string::npos ? "" : answer.text.substr(at);
}

std::string problemOf(const FusionRequest &request) {
  const FusionAnswer answer = answerTo(request);
  EXPECT_EQ(answer.text, "");
  return answer.problem;
}

const FusedPart set = {"set", {buffer("x"), buffer("y"), number(10)}};
const FusedPart add = {"add", {buffer("z"), buffer("y"), number(10)}};

/// `walk` eight times over `from` and `to`, in one launch.
FusionRequest walks(int64_t to, int64_t step) {
  FusionRequest request;
  request.global = {16};
  request.count = 8;
  request.isLoop = true;
  request.parts = {{"walk", {buffer("x"), number(0, step), number(to, step)}}};
  return request;
}

} // namespace

TEST(FusionTest, F27WorkItemsDoTheirsOneAfterTheOther) {
  EXPECT_EQ(textFor(two(set, add)),
            "__kernel void set_add_fused(__global const float *restrict x, "
            "__global float *restrict y, int n, __global float *restrict "
            "x_1)\n"
            "{\n"
            "    {\n"
            "        int i = get_global_id(0);\n"
            "        if (!(i >= n)) {\n"
            "            y[i] = x[i] * 2;\n"
            "        }\n"
            "    }\n"
            "    {\n"
            "        int i_1 = get_global_id(0);\n"
            "        if (i_1 < n)\n"
            "            x_1[i_1] += y[i_1];\n"
            "    }\n"
            "}\n");
  const FusionAnswer answer = answerTo(two(set, add));
  const std::vector<std::pair<unsigned, unsigned>> arguments = {
      {0, 0}, {0, 1}, {0, 2}, {1, 0}};
  EXPECT_EQ(answer.arguments, arguments);
}

TEST(FusionTest, F27WhatNothingElseReadsIsAVariable) {
  FusionRequest request = two(set, add);
  request.temporaries = {"y"};
  const FusionAnswer answer = answerTo(request);
  EXPECT_EQ(answer.removed, std::vector<std::string>{"y"});
  EXPECT_EQ(answer.arguments.size(), 3u);
  EXPECT_NE(answer.text.find("float y_value;"), std::string::npos);
  EXPECT_NE(answer.text.find("x_1[i_1] += y_value;"), std::string::npos);

  // Cell 10 is what it was before.
  request.parts[1].arguments[2] = number(11);
  const FusionAnswer kept = answerTo(request);
  EXPECT_TRUE(kept.removed.empty());
  ASSERT_EQ(kept.notes.size(), 1u);
  EXPECT_EQ(kept.notes[0],
            "'y' stays a buffer: it may be read before it is written");
}

TEST(FusionTest, F27OtherWorkItemsAreNotWaitedFor) {
  const FusedPart turn = {"turn", {buffer("z"), buffer("y"), number(16)}};
  EXPECT_EQ(problemOf(two(set, turn)),
            "work-items of 'set' and other ones of 'turn' share cells of 'y'");
  // What is read first must not be overwritten.
  const FusedPart back = {"turn", {buffer("z"), buffer("x"), number(16)}};
  const FusedPart over = {"set", {buffer("w"), buffer("x"), number(16)}};
  EXPECT_EQ(problemOf(two(back, over)),
            "work-items of 'turn' and other ones of 'set' share cells of 'y'");
  // Work-items that all write one cell.
  const FusedPart whole = {"whole", {buffer("y")}};
  EXPECT_EQ(problemOf(two(set, whole)),
            "work-items of 'set' and other ones of 'whole' share cells of 'y'");
}

TEST(FusionTest, F27GroupsWaitAtABarrier) {
  const FusedPart swap = {"swap", {buffer("y"), buffer("z")}};
  FusionRequest request = two(set, swap);
  EXPECT_EQ(problemOf(request),
            "the shape of their groups is not known: give 'LocalSize'");
  request.local = {8};
  EXPECT_NE(textFor(request).find("    }\n"
                                  "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                  "    {\n"),
            std::string::npos);
  request.local = {4}; // half of what a work-item reads is another group's
  EXPECT_EQ(problemOf(request), "work-items of 'set' and other ones of 'swap' "
                                "share cells across groups of 'y'");
}

TEST(FusionTest, F27LaunchesThatRepeatAreALoop) {
  const std::string text = textFor(walks(16, 16));
  EXPECT_NE(text.find("for (long launch = 0; launch < 8; ++launch) {"),
            std::string::npos);
  EXPECT_NE(text.find("int from = (int)(0L + launch * 16L);"),
            std::string::npos);
  // A work-item reads what its neighbour has written the launch before.
  EXPECT_EQ(problemOf(walks(17, 16)),
            "work-items of 'walk' and other ones of another launch of it share "
            "cells of 'x'");
}

TEST(FusionTest, RepetitionsInLaunchesOfTheirOwn) {
  FusionRequest request =
      two({"walk", {buffer("x"), number(0, 20), number(200, 20)}},
          {"walk", {buffer("x"), number(200, 20), number(400, 20)}});
  request.count = 8;
  // Launch t reads what launch t - 1 has written, which is of no matter.
  EXPECT_NE(textFor(request).find("int from, int to, int to_1"),
            std::string::npos);
}

TEST(FusionTest, WhatIsNotLookedInto) {
  const FusedPart count = {"count", {buffer("c")}};
  EXPECT_EQ(problemOf(two(set, count)),
            "they have atomic accesses, effects whose order counts, or images");
  const FusedPart share = {"share", {buffer("c"), FusedArgument()}};
  EXPECT_EQ(problemOf(two(set, share)),
            "'t' is neither a buffer nor a value; local memory is not shared "
            "between launches");
  FusionRequest request = two(set, {"keep", {buffer("c")}});
  request.local = {8};
  EXPECT_NE(problemOf(request).find("a kernel has a local array"),
            std::string::npos);
}

TEST(FusionTest, BuffersAreMemoryOfTheirOwn) {
  // Two arguments may be one of them.
  const FusedPart same = {"set", {buffer("y"), buffer("y"), number(10)}};
  EXPECT_NE(textFor(two(set, same)).find("y[i_1] = y[i_1] * 2;"),
            std::string::npos);
  const FusedPart turned = {"turn", {buffer("y"), buffer("y"), number(16)}};
  EXPECT_EQ(problemOf(two(set, turned)),
            "work-items of 'set' and other ones of 'turn' share cells of 'y'");
  const FusedPart pairs = {"pairs", {buffer("y")}};
  EXPECT_EQ(problemOf(two(set, pairs)), "'y' has elements of different types");
}

TEST(FusionTest, RequestsThatDoNotFit) {
  FusionRequest request = two(set, add);
  request.parts.pop_back();
  EXPECT_EQ(problemOf(request), "there is only one launch");
  request = two(set, {"other", {}});
  EXPECT_EQ(problemOf(request), "there is no kernel 'other'");
  request = two(set, {"add", {}});
  EXPECT_EQ(problemOf(request), "'add' has another number of arguments");
  request = two(set, add);
  request.global = {16, 2}; // both rows do the same
  EXPECT_EQ(problemOf(request),
            "work-items that differ in dimension 1 do the same work");
  EXPECT_FALSE(isFusionRequest("{\"kernel\": \"set\"}"));
  EXPECT_FALSE(isFusionRequest("["));
  EXPECT_TRUE(isFusionRequest("{\"parts\": []}"));
}
