//===- RelayoutTest.cpp - kernels on converted buffers, as text -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written, and what is refused. That it computes the same is for
// RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/Relayout.h"
#include "KernelTesting.h"
#include "Transform/Layout.h"

using namespace clopt;

namespace {

struct Relaid {
  TestedKernel tested;
  LoweringError error;
  std::optional<RelaidKernel> result;

  Relaid(const std::string &source, const std::string &layouts,
         AliasMode alias = AliasMode::Check)
      : tested(source) {
    RecipeError problem;
    std::optional<Recipe> recipe = parseRecipe(layouts, problem);
    EXPECT_TRUE(recipe) << problem.message;
    std::vector<CopyRequest> requests;
    for (const Step &step : recipe->kernels[0].steps) {
      unsigned array = tested.array(step.targets[0].name);
      requests.push_back(
          {array,
           dataSpaceOf(step.changes, tested.model->arrays[array].rank)
               .value_or(DataSpace(9)),
           step.hasFlag("image"), step.parameter("width").value_or(64)});
    }
    RelayoutOptions options;
    options.alias = alias;
    std::set<std::string> taken;
    options.fresh = [&](const std::string &name) {
      std::string candidate = name;
      while (!taken.insert(candidate).second)
        candidate += "x";
      return candidate;
    };
    result = relayKernel(tested.kernel, requests, options, error);
  }

  bool has(const std::string &text) const {
    return result && result->text.find(text) != std::string::npos;
  }
  bool hasCondition(const std::string &text) const {
    for (const PlanCondition &condition : result->changes.conditions)
      if (condition.expression.find(text) != std::string::npos)
        return true;
    return false;
  }
};

/// A matrix a that is read, c that is written.
std::string matrices(const std::string &body,
                     const std::string &qualifier = "restrict ") {
  return "__kernel void f(__global const float *" + qualifier +
         "a, __global float *" + qualifier +
         "c,\n  __global const int *p, int n, int m) {\n"
         "  int x = get_global_id(0), y = get_global_id(1);\n"
         "  if (x >= m || y >= n) return;\n  " +
         body + "\n}\n";
}

void expectNot(const std::string &source, const std::string &layouts,
               const std::string &rule, const std::string &part,
               AliasMode alias = AliasMode::Check) {
  Relaid relaid(source, layouts, alias);
  EXPECT_FALSE(relaid.result) << source;
  EXPECT_EQ(relaid.error.ruleId, rule) << relaid.error.message;
  EXPECT_NE(relaid.error.message.find(part), std::string::npos)
      << relaid.error.message;
}

TEST(RelayoutTest, AccessesGoToTheCopy) {
  Relaid relaid(matrices("c[y * m + x] = a[y * m + x] + a[(y + 1) * m + x];"),
                "layout a transpose");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_EQ(relaid.result->name, "f_layout");
  EXPECT_TRUE(relaid.has("a_t[(x - a_t_low0) * a_t_pitch + y - a_t_low1] + "
                         "a_t[(x - a_t_low0) * a_t_pitch + y + 1 - a_t_low1]"))
      << relaid.result->text;
  EXPECT_TRUE(relaid.has("__global const float *restrict a_t,"));
  EXPECT_EQ(relaid.result->conversions, std::vector<std::string>{"f_a_t_in"});
  ASSERT_EQ(relaid.result->changes.before.size(), 1u);
  EXPECT_TRUE(relaid.result->changes.after.empty());
  EXPECT_TRUE(relaid.hasCondition("a_t_cells <= 2147483647"));
}

TEST(RelayoutTest, WrittenCopiesGoBack) {
  Relaid relaid(matrices("c[y * m + x] += a[y * m + x];"),
                "layout c transpose");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("__global float *restrict c_t,"));
  EXPECT_EQ(relaid.result->changes.before.size(), 1u);
  EXPECT_EQ(relaid.result->changes.after.size(), 1u);
  EXPECT_EQ(relaid.result->changes.after[0].destination, "c");
  Relaid only(matrices("c[y * m + x] = a[y * m + x];"), "layout c transpose");
  ASSERT_TRUE(only.result) << only.error.message;
  EXPECT_TRUE(only.result->changes.before.empty()) << "nothing of c is read";
}

TEST(RelayoutTest, OverlapIsACondition) {
  const std::string source = matrices("c[y * m + x] = a[y * m + x];", "");
  Relaid relaid(source, "layout a transpose");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.hasCondition("a_end <= c_begin"));
  Relaid promised(source, "layout a transpose", AliasMode::None);
  ASSERT_TRUE(promised.result);
  EXPECT_FALSE(promised.hasCondition("a_end <= c_begin"));
  expectNot(source, "layout a transpose", "clopt-may-alias", "may overlap",
            AliasMode::Strict);
}

TEST(RelayoutTest, ReadsThroughAnImage) {
  Relaid relaid(matrices("c[y * m + x] = a[p[x]];", ""), "layout a image");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("read_imagef(a_image, f_sampler, (int2)((int)((p[x]) "
                         "& 63), (int)((p[x]) >> 6))).x"))
      << relaid.result->text;
  EXPECT_TRUE(relaid.has("__read_only image2d_t a_image"));
  EXPECT_TRUE(relaid.hasCondition("buffer_bytes(a) <= (size_t)c"));
  EXPECT_TRUE(relaid.hasCondition("CL_DEVICE_IMAGE2D_MAX_HEIGHT"));
  ASSERT_EQ(relaid.result->changes.images.size(), 1u);
  EXPECT_EQ(relaid.result->changes.images[0].channelType, "CL_FLOAT");
  Relaid odd(matrices("c[x] = p[x];"), "layout p image width=100");
  ASSERT_TRUE(odd.result) << odd.error.message;
  EXPECT_TRUE(odd.has("read_imagei(p_image, f_sampler, (int2)((int)((x) % "
                      "100), (int)((x) / 100))).x"));
  expectNot(matrices("c[x] += 1;"), "layout c image", "clopt-dependence",
            "images are only read");
  expectNot(matrices("int k = x; c[x] = a[k++];"), "layout a image",
            "clopt-non-affine-subscript", "no closed form");
  expectNot(matrices("c[x] = vload4(0, a + x).x;"), "layout a image",
            "clopt-opaque-code", "reads one element");
  expectNot(matrices("c[x] = a[p[x]];", ""), "layout a image",
            "clopt-may-alias", "may overlap", AliasMode::Strict);
}

TEST(RelayoutTest, Refusals) {
  expectNot(matrices("c[y * m + x] = a[p[x]];"), "layout a reverse",
            "clopt-non-affine-subscript", "not every access to 'a'");
  expectNot(matrices("c[y * m + x] = a[y * m + x];"), "layout c skew:1",
            "clopt-non-affine-subscript", "are no box");
  expectNot(matrices("if (p[x] > 0) c[y * m + x] = 0;"), "layout c transpose",
            "clopt-non-affine-subscript", "not every access to 'c'");
  expectNot(matrices("c[y * m + x] = c[y * m + x] + 1;"),
            "layout c transpose\nlayout c reverse", "clopt-dependence",
            "several copies");
  expectNot(matrices("c[y * m + x] = 1;"), "layout c stride:2,1",
            "clopt-dependence", "not all cells");
  expectNot(
      matrices("c[y * m + x] = 1; atomic_inc((volatile __global int *)p);"),
      "layout p reverse", "clopt-ordered-effect", "");
  expectNot(matrices("vstore4((float4)(1), 0, &c[4 * x]);"), "layout c reverse",
            "clopt-not-profitable", "whole vectors");
  expectNot("__kernel void f(__local float *t, __global float *c) {\n"
            "  int x = get_global_id(0); c[x] = t[x]; }",
            "layout t reverse", "clopt-not-profitable", "no buffer");
  expectNot(matrices("c[y * m + x] = a[y * m + x];") + "#define LATER 1\n",
            "layout a transpose", "clopt-macro-body", "directive");
  expectNot("#define PAIR a[x] + a[x + 1]\n" + matrices("c[y * m + x] = PAIR;"),
            "layout a reverse", "clopt-macro-body", "comes from a macro");
  expectNot(matrices("c[y * m + x] = a[x];"), "layout a transpose",
            "clopt-not-profitable", "has 1 dimensions");
}

TEST(RelayoutTest, QuotientsOfNegativeNumbers) {
  const std::string source = matrices("c[y * m + x] = a[y * m + x];");
  Relaid relaid(source, "layout a stride:3");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("((x) % 3)")) << relaid.result->text;
  expectNot(source, "layout a reverse stride:3", "clopt-non-affine-subscript",
            "no closed form");
}

} // namespace
