//===- ModelPrinterTest.cpp - the text of a model -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"
#include "Frontend/model/ModelBuilder.h"

#include <gtest/gtest.h>

using namespace clopt;

static std::string dump(const std::string &source) {
  ParseResult parsed = parseOpenCL("test.cl", source, {});
  if (!parsed.unit)
    return "does not parse";
  return printModel(*buildModel(*parsed.unit, *parsed.unit->functions[0]));
}

TEST(ModelPrinterTest, PrintsEveryPart) {
  EXPECT_EQ(dump("__kernel void f(__global float *a, int n) {\n"
                 "  size_t i = get_global_id(0);\n"
                 "  for (int k = n; k > 1; k -= 2)\n"
                 "    a[k] = i;\n"
                 "}\n"),
            R"(kernel f
ndrange: 1 dimension
  0: global w0
context: [gs0, go0, n] -> {  : gs0 > 0 and 0 <= go0 <= 4611686018427387904 - gs0 and -2147483648 <= n <= 2147483647 }
arrays:
  global float a[]
  private size_t i
loops:
  k from n step -2, line 3
statements:
  S0, line 2: size_t i = get_global_id(0);
    domain [gs0, go0, n] -> { S0[w0] : go0 <= w0 < gs0 + go0 }
      write i
  S1, line 4: a[k] = i;
    domain [gs0, go0, n] -> { S1[w0, k] : (n + k) mod 2 = 0 and go0 <= w0 < gs0 + go0 and 2 <= k <= n }
      read i
      write a[k]
        [gs0, go0, n] -> { S1[w0, k] -> a[k] : (n + k) mod 2 = 0 and go0 <= w0 < gs0 + go0 and 2 <= k <= n }
schedule:
  work w0
    S0
    loop k, downward
      S1
)");
}

TEST(ModelPrinterTest, SameInputSameText) {
  std::string source = "__kernel void f(__global int *a, int n) { int i = "
                       "get_global_id(0); if (i / 3 < n) a[i % 5] += a[i]; }";
  std::string first = dump(source);
  for (int count = 0; count < 5; ++count)
    EXPECT_EQ(dump(source), first);
}
