//===- RecipeNeighboursTest.cpp - what a tuner may try next ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/RecipeNeighbours.h"

#include <llvm/Support/JSON.h>

#include <gtest/gtest.h>

using namespace clopt;

namespace {

const std::string source =
    "__kernel void f(__global float *restrict a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++) a[k * n + i] = k;\n"
    "}\n"
    "__kernel void g(__global float *a) { a[get_global_id(0)] = 1; }\n"
    "__kernel void h(__global float *a) { g(a); }\n";

RecipeNeighbours listed(const std::string &recipe) {
  Options options;
  options.target = "cpu";
  options.recipe = recipe;
  return listNeighbours("test.cl", source, options);
}

TEST(RecipeNeighboursTest, KernelsThatTheRecipeNames) {
  const RecipeNeighbours all = listed("kernel f\nunroll k:2\n");
  ASSERT_TRUE(all.ok);
  ASSERT_EQ(all.kernels.size(), 1u);
  EXPECT_EQ(all.kernels[0].kernel, "f");
  EXPECT_EQ(all.kernels[0].problem, "");
  EXPECT_FALSE(all.kernels[0].found.others.empty());
}

TEST(RecipeNeighboursTest, AKernelWithoutStepsHasNeighbours) {
  const RecipeNeighbours all = listed("kernel f\n");
  ASSERT_EQ(all.kernels.size(), 1u);
  EXPECT_TRUE(all.kernels[0].found.centre.steps.empty());
  EXPECT_FALSE(all.kernels[0].found.others.empty());
}

TEST(RecipeNeighboursTest, WhereNoStepCanBeAppliedItIsSaid) {
  const RecipeNeighbours all = listed("kernel g\n");
  ASSERT_EQ(all.kernels.size(), 1u);
  EXPECT_NE(all.kernels[0].problem, "");
  EXPECT_TRUE(all.kernels[0].found.others.empty());
  EXPECT_NE(printNeighbours(all).find("\"problem\": "), std::string::npos);
}

TEST(RecipeNeighboursTest, AWrongRecipeIsAnError) {
  const RecipeNeighbours all = listed("kernel f\nunrol k:2\n");
  EXPECT_FALSE(all.ok);
  ASSERT_FALSE(all.diagnostics.empty());
  EXPECT_EQ(all.diagnostics.back().location.line, 2u);
}

TEST(RecipeNeighboursTest, TheJsonHasStepsAndClocks) {
  const RecipeNeighbours all = listed("kernel f\nunroll k:2\n");
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(printNeighbours(all));
  ASSERT_TRUE(static_cast<bool>(json));
  const llvm::json::Object &kernel =
      *(*json->getAsObject()->getArray("kernels"))[0].getAsObject();
  EXPECT_EQ(*kernel.getString("kernel"), "f");
  EXPECT_EQ(*(*kernel.getArray("steps"))[0].getAsString(), "unroll     k:2");
  EXPECT_TRUE(kernel.getNumber("clocks"));
  const llvm::json::Object &first =
      *(*kernel.getArray("neighbours"))[0].getAsObject();
  EXPECT_EQ(*first.getString("change"), "without unroll k:2");
  EXPECT_TRUE(first.getArray("steps")->empty());
}

} // namespace
