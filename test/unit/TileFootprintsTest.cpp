//===- TileFootprintsTest.cpp - what parts of a launch touch --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/TileFootprints.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// Over 8 work-items in two parts, n = 8.
FootprintAnswer footprints(const std::string &statement,
                           const std::vector<int64_t> &local = {}) {
  FootprintRequest request;
  request.kernel = "k";
  request.global = {8};
  request.local = local;
  request.scalars = {{"n", 8, 0}};
  request.ends = {{4, 8}};
  FootprintAnswer answer = findFootprints(
      "test.cl",
      "__kernel void k(__global int *a, __global const short *b, int n) {\n"
      "  int i = get_global_id(0);\n  " +
          statement + "\n}\n",
      request, Options());
  EXPECT_TRUE(answer.ok);
  return answer;
}

/// "a 0-16 w, b 0-8": of a part.
std::string text(const FootprintAnswer &answer, size_t part) {
  std::string result = answer.problem;
  const auto add = [&](const char *name, const ByteRange &bytes) {
    if (bytes && bytes->first == bytes->second)
      return;
    result += (result.empty() ? "" : ", ") + std::string(name) + " " +
              (bytes ? std::to_string(bytes->first) + "-" +
                           std::to_string(bytes->second)
                     : "all");
  };
  if (!result.empty())
    return result;
  add("read a", answer.tiles[part][0].reads);
  add("write a", answer.tiles[part][0].writes);
  add("read b", answer.tiles[part][1].reads);
  return result;
}

} // namespace

TEST(TileFootprintsTest, F39BytesOfEachPart) {
  const FootprintAnswer moved = footprints("a[i] = b[i + 1];");
  EXPECT_EQ(text(moved, 0), "write a 0-16, read b 2-10");
  EXPECT_EQ(text(moved, 1), "write a 16-32, read b 10-18");
  const FootprintAnswer rows =
      footprints("for (int k = 0; k < n; k++) a[i * n + k] = b[k];");
  EXPECT_EQ(text(rows, 1), "write a 128-256, read b 0-16");
  EXPECT_EQ(text(footprints("if (i < 4) a[i] += 1;"), 1), "");
}

TEST(TileFootprintsTest, F39WhatDataDecideIsAll) {
  EXPECT_EQ(text(footprints("a[b[i]] = 1;"), 0), "write a all, read b 0-8");
}

TEST(TileFootprintsTest, F39WhatAPartChanges) {
  const std::string asks = "it asks for what is different in a part of the "
                           "launch: sizes, groups, or offsets";
  EXPECT_EQ(text(footprints("a[i] = get_global_size(0);"), 0), asks);
  EXPECT_EQ(text(footprints("a[i] = get_group_id(0);", {4}), 0), asks);
  EXPECT_EQ(text(footprints("a[i] = get_local_id(0);"), 0), asks);
  EXPECT_EQ(text(footprints("a[i] = get_local_id(0);", {4}), 1),
            "write a 16-32");
  EXPECT_EQ(text(footprints("a[i] = 1;", {8}), 0),
            "the parts do not fit the launch");
}
