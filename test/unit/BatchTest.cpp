//===- BatchTest.cpp - many launches of one shape as one ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Batch.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// Five launches of the statement over 4 work-items, s growing by `step`.
BatchAnswer batch(const std::string &statement, int64_t step,
                  const std::vector<int64_t> &local = {}) {
  BatchRequest request;
  request.kernel = "k";
  request.count = 5;
  request.global = {4};
  request.local = local;
  request.scalars = {{"s", 0, step}};
  const std::string source =
      "__kernel void k(__global int *a, __global const int *b, int s) {\n"
      "  int i = get_global_id(0);\n  " +
      statement + "\n}\n";
  BatchAnswer answer = makeBatch("test.cl", source, request, Options());
  EXPECT_TRUE(answer.ok);
  return answer;
}

} // namespace

TEST(BatchTest, F41OneMoreDimension) {
  const BatchAnswer answer = batch("a[s + i] = b[i];", 4);
  EXPECT_EQ(answer.problem, "");
  EXPECT_EQ(answer.kernel, "k_batch");
  EXPECT_EQ(answer.stepped, std::vector<std::string>{"s"});
  EXPECT_EQ(answer.text.substr(answer.text.rfind("__kernel")),
            "__kernel void k_batch(__global int *a, __global const int *b, int "
            "s,\n        long s_step) {\n"
            "    s += s_step * (long)get_global_id(1);\n"
            "  int i = get_global_id(0);\n"
            "  a[s + i] = b[i];\n}\n");
}

TEST(BatchTest, F41CellsOfTwoLaunches) {
  const std::string depends = "launches depend on each other through 'a'";
  EXPECT_EQ(batch("a[s + i] = b[i];", 3).problem, depends);
  EXPECT_EQ(batch("a[i] = s;", 1).problem, depends);
  EXPECT_EQ(batch("a[s + i] = a[s + i + 4];", 4).problem, depends);
  EXPECT_EQ(batch("a[b[s] + i] = 1;", 4).problem, depends);
  EXPECT_EQ(batch("a[s - i + 9] = b[i];", -4).problem, "");
}

TEST(BatchTest, F41WhatAKernelAsksOfTheLaunch) {
  const std::string asks = "it asks for what another dimension changes";
  EXPECT_EQ(batch("a[s + i] = get_work_dim();", 4).problem, asks);
  EXPECT_EQ(batch("a[s + i] = get_local_id(0);", 4).problem, asks);
  EXPECT_EQ(batch("a[s + i] = get_local_size(0);", 4, {2}).problem, "");
}

TEST(BatchTest, NumbersThatDoNotFit) {
  BatchRequest request;
  request.kernel = "k";
  request.global = {4};
  const std::string source = "__kernel void k(__global int *a) { a[0] = 1; }\n";
  const auto problem = [&] {
    return makeBatch("test.cl", source, request, Options()).problem;
  };
  EXPECT_EQ(problem(), "there is no room for another dimension");
  request.count = 2;
  request.local = {4, 1};
  EXPECT_EQ(problem(), "the launches have no NDRange");
  request.local = {};
  request.scalars = {{"s", 0, INT64_MAX}};
  request.count = 3;
  EXPECT_EQ(problem(), "'s' goes too far");
  request.scalars = {};
  request.kernel = "other";
  EXPECT_EQ(problem(), "there is no kernel 'other'");
}
