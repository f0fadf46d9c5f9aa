//===- FixesTest.cpp - what the head of a kernel could say ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clopt/Fixes.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

const std::vector<FixKind> proved = {FixKind::Const, FixKind::LocalSize};

const std::string body =
    "  __local float t[N];\n  int l = get_local_id(0), i = get_global_id(0);\n"
    "  t[l] = a[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  b[i] = t[N - 1 - l];\n}\n";

FixResult fixOf(const std::string &source,
                const std::vector<FixKind> &kinds = proved,
                const std::vector<std::string> &flags = {}) {
  Options options;
  options.buildFlags = flags;
  return fixSource("test.cl", source, kinds, options);
}

} // namespace

TEST(FixesTest, AllOfThemInOneText) {
  const std::string source =
      "#define N 64\n"
      "kernel void k(global float *a, global float *b) {\n" +
      body;
  const FixResult result = fixOf(source);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.text,
            "#define N 64\nkernel __attribute__((reqd_work_group_size(N, 1, "
            "1))) void k(global const float *a, global float *b) {\n" +
                body);
  // What has been fixed is left.
  EXPECT_EQ(fixOf(result.text).text, result.text);
  EXPECT_EQ(fixOf(source, {FixKind::Restrict}).text,
            "#define N 64\nkernel void k(global float *restrict a, global "
            "float *b) {\n" +
                body);
}

TEST(FixesTest, SizesOfTheFlagsAreNotWritten) {
  const std::string source =
      "kernel void k(global const float *a, global float *b) {\n" + body;
  const FixResult result = fixOf(source, proved, {"-DN=64"});
  EXPECT_EQ(result.text, source);
  ASSERT_EQ(result.fixes.size(), 2u);
  EXPECT_EQ(result.fixes[0].message,
            "'k' cannot have reqd_work_group_size(64, 1, 1): flags decide "
            "about its text");
}

TEST(FixesTest, WhatWouldNotCompileIsTakenBack) {
  // The type of x would be that of a cell, and const.
  const std::string source =
      "kernel void k(global float *a, global float *b, global float *c) {\n"
      "  __private __typeof__(a[0] + 0) y;\n"
      "  __typeof__(a) x = c;\n  x[0] = 1; b[0] = a[0];\n}\n";
  const FixResult result = fixOf(source);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.text, source);
  bool isSaid = false;
  for (const Fix &fix : result.fixes) {
    EXPECT_TRUE(fix.isRefused());
    isSaid |=
        fix.message.find("would not compile as before") != std::string::npos;
  }
  EXPECT_TRUE(isSaid);
}

TEST(FixesTest, FilesWithErrors) {
  const FixResult result = fixOf("kernel void k(");
  EXPECT_FALSE(result.ok);
  EXPECT_FALSE(result.diagnostics.empty());
}
