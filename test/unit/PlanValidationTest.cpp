//===- PlanValidationTest.cpp - plans without what is wrong ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defects are planted in kernels that only plans launch.
//
//===----------------------------------------------------------------------===//

#include "Driver/Tampering.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clopt;

namespace {

const char *const product =
    "__kernel void f(__global const float *restrict a,\n"
    "                __global const float *restrict b,\n"
    "                __global float *restrict c, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];\n"
    "  c[i * n + j] = sum;\n"
    "}\n";

Options withRecipe(const std::string &recipe) {
  Options options;
  options.recipe = recipe;
  options.makePlan = true;
  return options;
}

const char *const ownRange = "kernel f\ncoarsen j:2\n";
const char *const ownLayout = "kernel f plan\nlayout b transpose buffer\n";
const char *const ownImage = "kernel f plan\nlayout b image width=16\n";

/// Replaces the text in the piece that has it.
Tamper plant(const std::string &from, const std::string &by, bool &isPlanted) {
  return [=, &isPlanted](const std::string &piece) {
    std::string text = piece;
    const size_t at = text.find(from);
    isPlanted |= at != std::string::npos;
    return at == std::string::npos ? text : text.replace(at, from.size(), by);
  };
}

/// The result with a defect.
Result planted(const Options &options, const std::string &from,
               const std::string &by) {
  bool isPlanted = false;
  Result result =
      optimizeTampered("f.cl", product, options, plant(from, by, isPlanted));
  EXPECT_TRUE(isPlanted) << from;
  return result;
}

std::string variantsOf(const Result &result) {
  std::string names;
  for (const PlanVariant &variant : result.plan.find("f")->variants)
    names += variant.name + ";";
  return names;
}

bool hasText(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST(PlanValidationTest, RightVariantsSayWhatRan) {
  for (const char *recipe : {ownRange, ownLayout, ownImage}) {
    const Result result = optimize("f.cl", product, withRecipe(recipe));
    EXPECT_TRUE(result.diagnostics.empty())
        << result.diagnostics.front().message;
    ASSERT_TRUE(result.kernels.at(0).validation) << recipe;
    const auto &variants = result.kernels[0].validation->variants;
    ASSERT_EQ(variants.size(), 1u) << recipe;
    EXPECT_FALSE(variants[0].isLeftOut);
    EXPECT_GT(variants[0].launches, 1u) << recipe;
    EXPECT_GT(variants[0].reached, 0u) << recipe;
  }
}

TEST(PlanValidationTest, AWrongKernelOfItsOwnIsLeftOut) {
  const Result right = optimize("f.cl", product, withRecipe(ownRange));
  EXPECT_EQ(variantsOf(right), "own NDRange;same launch;original;");
  ASSERT_TRUE(hasText(right.output, "f_plan("));
  // Only in the kernel that the plan has.
  bool isPlanted = false;
  Tamper change = plant("c[i * n + j0", "c[i * n + 1 + j0", isPlanted);
  const Result result = optimizeTampered(
      "f.cl", product, withRecipe(ownRange), [&](const std::string &piece) {
        return hasText(piece, "f_plan(") ? change(piece) : piece;
      });
  ASSERT_TRUE(isPlanted) << right.output;
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(variantsOf(result), "same launch;original;");
  EXPECT_FALSE(hasText(result.output, "f_plan("));
  EXPECT_TRUE(hasText(result.output, "Optimized by clopt"));
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].level, Diagnostic::Level::Warning);
  EXPECT_TRUE(hasText(result.diagnostics[0].message,
                      "variant 'own NDRange' of kernel 'f' is wrong"))
      << result.diagnostics[0].message;
  EXPECT_TRUE(std::any_of(result.remarks.begin(), result.remarks.end(),
                          [](const Remark &remark) {
                            return remark.ruleId == "clopt-validation";
                          }));
  ASSERT_EQ(result.reproducers.size(), 1u);
  for (const Reproducer::File &file : result.reproducers[0].files) {
    if (file.name == "kernel.recipe")
      EXPECT_TRUE(hasText(file.text, "kernel f\ncoarsen")) << file.text;
    if (file.name == "run.sh")
      EXPECT_TRUE(hasText(file.text, "--plan=")) << file.text;
    if (file.name == "wrong.cl")
      EXPECT_TRUE(hasText(file.text, "1 + j0")) << file.text;
  }
  EXPECT_TRUE(result.kernels[0].validation->variants.at(0).isLeftOut);
}

/// Nothing is left of the kernels of the layout.
TEST(PlanValidationTest, AWrongConversionIsLeftOut) {
  for (const char *part : {"left0 = min(", "first0 = "}) {
    const Result result =
        planted(withRecipe(ownLayout), part, std::string(part) + "1 + ");
    ASSERT_TRUE(result.ok);
    EXPECT_EQ(variantsOf(result), "original;") << part;
    EXPECT_EQ(result.output, product) << part;
    EXPECT_EQ(result.recipe, "") << part;
    ASSERT_EQ(result.reproducers.size(), 1u);
    EXPECT_EQ(result.reproducers[0].files[0].text, product);
    EXPECT_TRUE(hasText(result.reproducers[0].files[1].text,
                        "kernel f plan\nlayout     b transpose buffer"));
  }
}

/// What is left out may come before what another kernel's variant changes.
TEST(PlanValidationTest, TheVariantsOfOtherKernelsStay) {
  std::string both = product, second = product;
  second.replace(second.find("void f("), 7, "void g(");
  both += second;
  const std::string changed =
      "kernel g plan\nlayout a transpose buffer\ncoarsen j:2\n";
  bool isPlanted = false;
  Tamper change = plant("sum += ", "sum += 1.0f + ", isPlanted);
  const Result result = optimizeTampered(
      "f.cl", both, withRecipe(ownLayout + changed),
      [&](const std::string &piece) {
        return hasText(piece, "void f_layout(") ? change(piece) : piece;
      });
  ASSERT_TRUE(isPlanted);
  ASSERT_TRUE(result.ok);
  const Result alone = optimize("f.cl", both, withRecipe(changed));
  ASSERT_TRUE(hasText(alone.output, "Optimized by clopt"));
  EXPECT_EQ(result.output, alone.output);
}

TEST(PlanValidationTest, WrongTexelsAreLeftOut) {
  const Result result = planted(withRecipe(ownImage), " >> 4", " >> 5");
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(variantsOf(result), "original;");
  EXPECT_EQ(result.output, product);
}

/// What the plan launches is in the file, or the plan does not launch it.
TEST(PlanValidationTest, AWrongBodyTakesTheKernelsBesideIt) {
  bool isPlanted = false;
  Tamper change = plant("c[i * n + j0", "c[i * n + 1 + j0", isPlanted);
  const Result result = optimizeTampered(
      "f.cl", product, withRecipe(ownRange), [&](const std::string &piece) {
        return hasText(piece, "f_plan(") ? piece : change(piece);
      });
  ASSERT_TRUE(isPlanted);
  EXPECT_EQ(result.output, product);
  EXPECT_EQ(variantsOf(result), "original;");
}

TEST(PlanValidationTest, VerifyEachMakesADefectAnError) {
  Options options = withRecipe(ownImage);
  options.verifyEach = true;
  const Result result = planted(options, " >> 4", " >> 5");
  EXPECT_FALSE(result.ok);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_TRUE(hasText(result.diagnostics.back().message,
                      "internal error: variant 'same launch with b_image'"));
}

TEST(PlanValidationTest, WithoutValidationADefectLeaves) {
  Options options = withRecipe(ownImage);
  options.validate = ValidateMode::Off;
  const Result result = planted(options, " >> 4", " >> 5");
  EXPECT_EQ(variantsOf(result), "same launch with b_image;original;");
}

TEST(PlanValidationTest, VariantsStayWhenTheTimeIsUsedUp) {
  auto isLate = [](const Remark &remark) {
    return remark.ruleId == "clopt-time-budget" && remark.pass == "plan";
  };
  Options options = withRecipe(ownRange);
  const Result all = optimize("f.cl", product, options);
  EXPECT_TRUE(std::none_of(all.remarks.begin(), all.remarks.end(), isLate));
  options.timeBudget = 0.2;
  const Result some = optimize("f.cl", product, options);
  EXPECT_TRUE(std::any_of(some.remarks.begin(), some.remarks.end(), isLate));
  EXPECT_EQ(variantsOf(some), variantsOf(all));
  ASSERT_TRUE(all.kernels.at(0).validation && some.kernels.at(0).validation);
  EXPECT_LT(some.kernels[0].validation->variants.at(0).launches,
            all.kernels[0].validation->variants.at(0).launches);
}
