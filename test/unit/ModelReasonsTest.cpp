//===- ModelReasonsTest.cpp - why a subscript is not known ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"
#include "Frontend/model/ModelBuilder.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// The notes of a kernel with this body, one per line.
std::string notes(const std::string &body) {
  ParseResult parsed = parseOpenCL(
      "test.cl",
      "int next(int i) { for (int k = 0; k < i; k++) i ^= k; return i; }\n"
      "__kernel void f(__global float *a, __global int *b, int n, int m) {"
      "int x = get_global_id(0);" +
          body + "}",
      {});
  if (!parsed.unit)
    return "not parsed";
  std::string text;
  for (const auto &function : parsed.unit->functions) {
    if (!function->isKernel)
      continue;
    auto model = buildModel(*parsed.unit, *function, {});
    for (const Note &note : model->notes)
      text += note.message + "\n";
  }
  return text;
}

bool says(const std::string &body, const std::string &reason) {
  std::string text = notes(body);
  EXPECT_NE(text.find(reason), std::string::npos) << text;
  return text.find(reason) != std::string::npos;
}

} // namespace

TEST(ModelReasonsTest, WhatIsToBlame) {
  EXPECT_TRUE(says("a[b[x]] = 1;", ": 'b[x]' is read from memory"));
  EXPECT_TRUE(
      says("int k = b[x] + 1; a[k * 2] = 1;", ": 'b[x]' is read from memory"));
  EXPECT_TRUE(says("int k = 0; if (b[x]) k = 2; a[k] = 1;",
                   ": 'k' has no value that is known here"));
  EXPECT_TRUE(says("a[x | m] = 1;", ": 'x | m' mixes bits"));
  EXPECT_TRUE(says("a[x << m] = 1;", ": 'x << m' shifts by"));
  EXPECT_TRUE(says("a[x / m] = 1;", ": 'x / m' divides by"));
  EXPECT_TRUE(says("a[next(x)] = 1;", ": the value of the call 'next(x)'"));
  EXPECT_TRUE(says("a[x * x] = 1;", ": it contains the product "
                                    "get_global_id(0) * get_global_id(0)"));
  EXPECT_TRUE(says("a[(int)a[0]] = 1;", "'a[0]' is a floating-point number"));
}

TEST(ModelReasonsTest, OfConditions) {
  EXPECT_TRUE(says("if (b[x] > 3) a[x] = 1;",
                   "depends on data: 'b[x]' is read from memory"));
  EXPECT_TRUE(says("if (a[x] > 3.0f) a[x] = 1;", "is a floating-point number"));
  // A constant is not what is to blame.
  EXPECT_TRUE(says("if (0.5f * a[x] > 3.0f) a[x] = 1;",
                   "'a[x]' is a floating-point number"));
}
