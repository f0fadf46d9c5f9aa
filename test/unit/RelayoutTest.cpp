//===- RelayoutTest.cpp - kernels on converted buffers, as text -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written, and what is refused. That it computes the same is for
// RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/Relayout.h"
#include "KernelTesting.h"
#include "Transform/steps/Layout.h"

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
           step.hasFlag("image"), step.parameter("width").value_or(0),
           step.hasFlag("constant"), step.parameter("pad").value_or(0)});
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

/// Two operands of a sum over k.
std::string sumOf(const std::string &loop, const std::string &type = "float",
                  const std::string &first = "0") {
  return "__kernel void f(__global const " + type +
         " *restrict a, __global const " + type + " *restrict b,\n  __global " +
         type +
         " *restrict c, int n, int m) {\n"
         "  int x = get_global_id(0), y = get_global_id(1);\n"
         "  if (x >= m || y >= m) return;\n  " +
         type + " s = " + first + ";\n  " + loop + "\n  c[y * m + x] = s;\n}\n";
}

Relaid relaidSum(const std::string &loop, const std::string &type = "float",
                 const std::string &first = "0") {
  return Relaid(sumOf(loop, type, first), "layout a pad=4\nlayout b pad=4");
}

/// F10: the loop runs over whole vectors, and one operand ends in -0, so that
/// no sum changes.
TEST(RelayoutTest, F10SumsRunOverZeros) {
  const Relaid relaid = relaidSum(
      "for (int k = 0; k < n; k++) s += a[y * n + k] * b[x * n + k];");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("for (int k = 0; k < 4 * k_turns; k++) s +="))
      << relaid.result->text;
  EXPECT_TRUE(relaid.has("= (uint)(0);"));
  EXPECT_TRUE(relaid.has("= 0x80000000u;"));
  EXPECT_EQ(relaid.result->arguments.count("k_turns"), 1u);
  EXPECT_TRUE(relaid.hasCondition("k_sum_n0 >= 1"));
}

/// F10: known numbers of terms.
TEST(RelayoutTest, F10KnownSums) {
  const Relaid relaid = relaidSum(
      "for (int k = 0; k < 9; k++) s += a[y * 9 + k] * b[x * 9 + k];");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("k < 12; k++")) << relaid.result->text;
}

/// F10: what may be added up, and what the zeros' signs are.
TEST(RelayoutTest, F10SignsOfZeros) {
  const std::string head = "for (int k = 0; k < n; k++) ";
  const std::string a = "a[y * n + k]", b = "b[x * n + k]";
  for (const std::string &sum : std::vector<std::string>{
           "s -= " + a + " * " + b + ";", "s = fma(" + a + ", " + b + ", s);",
           "s = 2.0f * " + a + " * " + b + " + s;",
           "{ float t = -" + a + "; s = s - t * " + b + "; }",
           "s += " + a + " * " + a + " + " + b + " * " + b + ";"})
    EXPECT_TRUE(relaidSum(head + sum).result) << sum;
  // s may be -0 to begin with, and squares of zeros are +0.
  const Relaid square =
      relaidSum(head + "s += " + a + " * " + a + " + " + b + " * " + b + ";",
                "float", "c[y * m + x]");
  EXPECT_FALSE(square.result);
  EXPECT_EQ(square.error.ruleId, "clopt-reassociation");
  // Integers need one factor.
  EXPECT_TRUE(
      relaidSum(head + "s += " + a + " * (k + 3) + " + b + " * c[x];", "int")
          .result);
}

TEST(RelayoutTest, F10WhatIsNoSumOfZeros) {
  const std::string head = "for (int k = 0; k < n; k++) ";
  const std::string a = "a[y * n + k]", b = "b[x * n + k]";
  auto refusal = [&](const std::string &loop, const std::string &type = "float",
                     const std::string &first = "0") {
    const Relaid relaid = relaidSum(loop, type, first);
    EXPECT_FALSE(relaid.result) << loop;
    return relaid.error.ruleId;
  };
  const std::string product = "s += " + a + " * " + b;
  // 0 * Inf is no zero, 0 * m may be -0.
  EXPECT_EQ(refusal(head + product + " * c[x];"), "clopt-reassociation");
  EXPECT_EQ(refusal(head + product + " * m;"), "clopt-reassociation");
  EXPECT_EQ(refusal(head + product + " + 1;"), "clopt-reassociation");
  EXPECT_EQ(refusal(head + "s *= " + a + " * " + b + ";"),
            "clopt-not-profitable");
  EXPECT_EQ(refusal(head + "s += " + a + " / " + b + ";", "int"),
            "clopt-not-profitable");
  // Another cell in every iteration, the ends differ, or cells follow.
  EXPECT_EQ(refusal(head + "c[k] += " + a + " * " + b + ";"),
            "clopt-not-profitable");
  EXPECT_EQ(refusal("for (int k = 0; k <= y; k++) " + product + ";"),
            "clopt-not-profitable");
  EXPECT_EQ(refusal("for (int k = 0; k < n - 1; k++) " + product +
                    "; s += a[y * n + n - 1] * b[x * n];"),
            "clopt-not-profitable");
  EXPECT_EQ(refusal("for (int k = 0; k < n; k += 2) " + product + ";"),
            "clopt-not-profitable");
  // The loop's variable is seen afterwards, or has no room for more.
  EXPECT_EQ(refusal("int k; for (k = 0; k < n; k++) " + product + "; s += k;"),
            "clopt-not-profitable");
  EXPECT_EQ(refusal("for (uchar k = 0; k < 255; k++) s += a[y * 255 + k] * "
                    "b[x * 255 + k];"),
            "clopt-not-profitable");
}

TEST(RelayoutTest, F10PaddedArraysThatAreNoOperands) {
  expectNot(sumOf("for (int k = 0; k < n; k++) s += a[y * n + k] * "
                  "b[x * n + k];"),
            "layout a pad=4\nlayout b pad=8", "clopt-not-profitable",
            "the same multiple");
  expectNot(sumOf("for (int k = 0; k < n; k++) s += a[y * n + k] * "
                  "a[x * n + k]; s += b[x];"),
            "layout a pad=4\nlayout b pad=4", "clopt-not-profitable",
            "no sum reads the zeros of 'b'");
  expectNot(sumOf("for (int k = 0; k < n; k++) s += a[y * n + k] * "
                  "b[x * n + k];"),
            "layout a pad=4\nlayout c pad=4", "clopt-dependence",
            "'c' is written");
}

TEST(RelayoutTest, OverlapIsACondition) {
  const std::string source = matrices("c[y * m + x] = a[y * m + x];", "");
  Relaid relaid(source, "layout a transpose");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.hasCondition("a_end <= (size_t)c"));
  Relaid promised(source, "layout a transpose", AliasMode::None);
  ASSERT_TRUE(promised.result);
  EXPECT_FALSE(promised.hasCondition("a_end <= (size_t)c"));
  expectNot(source, "layout a transpose", "clopt-may-alias", "may overlap",
            AliasMode::Strict);
}

/// F15: equation (1), element p is the texel (p mod W, p div W).
TEST(RelayoutTest, F15ReadsThroughAnImage) {
  Relaid relaid(matrices("c[y * m + x] = a[p[x]];", ""),
                "layout a image width=64");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("as_float(read_imageui(a_image, f_sampler, "
                         "(int2)((int)((p[x]) & 63), (int)((p[x]) >> 6))).x)"))
      << relaid.result->text;
  EXPECT_TRUE(relaid.has("__read_only image2d_t a_image"));
  EXPECT_TRUE(relaid.hasCondition("buffer_bytes(a) <= (size_t)c"));
  EXPECT_TRUE(relaid.hasCondition("CL_DEVICE_IMAGE2D_MAX_HEIGHT"));
  ASSERT_EQ(relaid.result->changes.images.size(), 1u);
  EXPECT_EQ(relaid.result->changes.images[0].channelType, "CL_UNSIGNED_INT32");
  EXPECT_EQ(relaid.result->changes.images[0].channelOrder, "CL_R");
  Relaid odd(matrices("c[x] = p[p[x]];"), "layout p image width=100");
  EXPECT_FALSE(odd.result) << "a subscript is an access itself";
  Relaid hundred(matrices("c[x] = p[x % 7];"), "layout p image width=100");
  ASSERT_TRUE(hundred.result) << hundred.error.message;
  EXPECT_TRUE(hundred.has("read_imagei(p_image, f_sampler, (int2)((int)((x % "
                          "7) % 100), (int)((x % 7) / 100))).x"));
  expectNot(matrices("c[x] += 1;"), "layout c image", "clopt-dependence",
            "images are only read");
  for (const char *layout : {"layout a image", "layout a reverse"})
    expectNot(matrices("int k = x; c[x] = a[k++];"), layout,
              "clopt-opaque-code", "has effects of its own");
  expectNot(matrices("c[x] = vload4(0, a + x).x;"), "layout a image",
            "clopt-non-affine-subscript", "no closed form");
  expectNot(matrices("c[x] = ((__global const int *)a)[x];"), "layout a image",
            "clopt-opaque-code", "reads its elements");
  expectNot(matrices("c[x] = a[p[x]];", ""), "layout a image",
            "clopt-may-alias", "may overlap", AliasMode::Strict);
}

/// Subscripts count from where the pointer is, texels from the buffer's start.
TEST(RelayoutTest, PointersThatMove) {
  expectNot(matrices("a += 4; c[x] = a[p[x]];"), "layout a image",
            "clopt-non-affine-subscript", "no closed form");
  Relaid known(matrices("a += x; c[x] = a[1];"), "layout a image width=8");
  ASSERT_TRUE(known.result) << known.error.message;
  EXPECT_TRUE(known.has("(int)((x + 1) & 7)")) << known.result->text;
  expectNot(matrices("a++; c[0] = a[0];"), "stage a constant",
            "clopt-opaque-code", "otherwise than in subscripts");
}

/// F15: the width is chosen by the host so that the rows fit.
TEST(RelayoutTest, F15WidthWithinTheLimits) {
  Relaid relaid(matrices("c[y * m + x] = a[p[x]];"), "layout a image");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("(int)((p[x]) & a_image_mask), (int)((p[x]) >> "
                         "a_image_bits)"))
      << relaid.result->text;
  EXPECT_TRUE(relaid.has("int a_image_mask, int a_image_bits)"));
  EXPECT_EQ(relaid.result->changes.images[0].width, "a_image_width");
  EXPECT_EQ(relaid.result->arguments.at("a_image_mask").value,
            "a_image_width - 1");
}

TEST(RelayoutTest, RowsOfTheArrayAreRowsOfTheImage) {
  Relaid relaid(matrices("c[y * m + x] = a[y * m + x] + a[(y + 1) * m + x];"),
                "layout a image");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("as_float(read_imageui(a_image, f_sampler, (int2)(x, "
                         "y)).x) + as_float(read_imageui(a_image, f_sampler, "
                         "(int2)(x, y + 1)).x)"))
      << relaid.result->text;
  EXPECT_TRUE(
      relaid.hasCondition("a_image_width <= CL_DEVICE_IMAGE2D_MAX_WIDTH"));
  Relaid flat(matrices("c[y * m + x] = a[y * m + x];"),
              "layout a image width=32");
  ASSERT_TRUE(flat.result) << flat.error.message;
  EXPECT_TRUE(flat.has("(int)((y * m + x) & 31)")) << flat.result->text;
}

TEST(RelayoutTest, FourElementsAreOneTexel) {
  Relaid relaid(matrices("c[x] = a[4 * x + 1] + a[4 * x + 3];"),
                "layout a image");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("(int)((x) & a_image_mask), (int)((x) >> "
                         "a_image_bits))).y)"))
      << relaid.result->text;
  EXPECT_TRUE(relaid.has(".w)"));
  EXPECT_EQ(relaid.result->changes.images[0].channelOrder, "CL_RGBA");
  EXPECT_TRUE(relaid.hasCondition("buffer_bytes(a) % 16 == 0"));
  Relaid plane(matrices("if (4 * x < m) c[y * m + x] = a[y * m + 4 * x + 2];"),
               "layout a image");
  ASSERT_TRUE(plane.result) << plane.error.message;
  EXPECT_TRUE(plane.has("(int2)(x, y)).z)")) << plane.result->text;
  EXPECT_TRUE(plane.hasCondition("((long)m) % 4 == 0"));
  Relaid mixed(matrices("c[x] = a[4 * x + 1] + a[2 * x];"), "layout a image");
  ASSERT_TRUE(mixed.result) << mixed.error.message;
  EXPECT_EQ(mixed.result->changes.images[0].channelOrder, "CL_R");
}

TEST(RelayoutTest, VectorsAreTexels) {
  const std::string head =
      "__kernel void f(__global const float4 *a, __global const short2 *s,\n"
      "  __global const uchar *u, __global const half *h,\n"
      "  __global float *restrict c, __global const int *p) {\n"
      "  int x = get_global_id(0);\n  ";
  Relaid wide(head + "c[x] = a[p[x]].y + dot(a[x], a[x + 1]);\n}",
              "layout a image");
  ASSERT_TRUE(wide.result) << wide.error.message;
  EXPECT_TRUE(wide.has("as_float4(read_imageui(a_image, f_sampler, "
                       "(int2)((int)((p[x]) & a_image_mask), (int)((p[x]) >> "
                       "a_image_bits)))).y"))
      << wide.result->text;
  Relaid two(head + "c[x] = s[p[x]].y;\n}", "layout s image");
  ASSERT_TRUE(two.result) << two.error.message;
  EXPECT_TRUE(two.has("convert_short2(read_imagei(")) << two.result->text;
  EXPECT_TRUE(two.has(".xy).y")) << two.result->text;
  EXPECT_EQ(two.result->changes.images[0].channelOrder, "CL_RG");
  Relaid bytes(head + "c[x] = convert_float4(vload4(p[x], u)).x + u[4 * x];\n}",
               "layout u image");
  ASSERT_TRUE(bytes.result) << bytes.error.message;
  EXPECT_TRUE(bytes.has("convert_uchar4(read_imageui(")) << bytes.result->text;
  EXPECT_TRUE(bytes.has("((uchar)read_imageui("));
  EXPECT_EQ(bytes.result->changes.images[0].channelType, "CL_UNSIGNED_INT8");
  Relaid half(head + "c[x] = vload_half(p[x], h);\n}", "layout h image");
  ASSERT_TRUE(half.result) << half.error.message;
  EXPECT_TRUE(half.has("= f_half(((ushort)read_imageui(h_image"))
      << half.result->text;
  EXPECT_TRUE(half.has("float f_half(ushort bits)"));
  EXPECT_EQ(half.result->changes.images[0].channelType, "CL_UNSIGNED_INT16");
}

/// F11: read-only, and read alike by all work-items at once.
TEST(RelayoutTest, F11ConstantMemory) {
  const std::string loop =
      "float s = 0; for (int k = 0; k < 9; k++) s += a[k] * p[k + 1];\n"
      "  c[y * m + x] = s + vload4(0, a + 4).x + *p;";
  Relaid relaid(matrices(loop, ""), "stage a constant\nstage p constant");
  ASSERT_TRUE(relaid.result) << relaid.error.message;
  EXPECT_TRUE(relaid.has("a_constant[k] * p_constant[k + 1]"))
      << relaid.result->text;
  EXPECT_TRUE(relaid.has("vload4(0, a_constant + 4).x + *p_constant"));
  EXPECT_TRUE(
      relaid.has("__constant float *a_constant, __constant int *p_constant"));
  EXPECT_TRUE(relaid.hasCondition(
      "buffer_bytes(a) <= CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE"));
  EXPECT_TRUE(relaid.hasCondition("buffer_bytes(a) <= (size_t)c"));
  EXPECT_TRUE(relaid.result->conversions.empty());
  EXPECT_EQ(relaid.result->arguments.at("a_constant").name, "a");
}

TEST(RelayoutTest, F11LaneVaryingIsRefused) {
  expectNot(matrices("c[y * m + x] = a[x];"), "stage a constant",
            "clopt-not-profitable", "different cells of 'a' at once");
  expectNot(matrices("c[y * m + x] = a[p[x]];"), "stage a constant",
            "clopt-not-profitable", "different cells of 'a' at once");
  expectNot(matrices("c[0] += a[0];"), "stage c constant", "clopt-dependence",
            "only read");
  expectNot(matrices("__global const float *b = a; c[x] = a[0] + b[1];"),
            "stage a constant", "clopt-opaque-code",
            "otherwise than in subscripts");
  expectNot(matrices("c[x] = a[0];", ""), "stage a constant", "clopt-may-alias",
            "may overlap", AliasMode::Strict);
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
      "layout p reverse", "clopt-ordered-effect",
      "'p' has atomic or volatile accesses");
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

/// The author's text of a loop that is written out stands for every iteration.
TEST(RelayoutTest, TextThatStandsForSeveralAccesses) {
  const auto loop = [](const std::string &body) {
    return matrices("float s = 0;\n  for (int d = 1; d <= 8; d *= 2) { " +
                    body + " }\n  c[y * m + x] = s;");
  };
  const std::string rule = "clopt-non-affine-subscript";
  const std::string message = "becomes another in each iteration of a loop";
  expectNot(loop("s += a[y * n + d];"), "layout a transpose", rule, message);
  expectNot(loop("s += a[y * n + x + d];"), "layout a transpose", rule,
            message);
  expectNot(loop("s += a[d];"), "layout a reverse", rule, message);
  expectNot(loop("s += a[d];"), "layout a image", rule, message);
  expectNot(loop("c[y * m + x] += a[y * n + d];"), "layout a transpose", rule,
            message);
  // Copies that some iterations use, and others do not.
  expectNot(matrices("float s = 0;\n  for (int d = 1; d <= 2; d *= 2) "
                     "s += a[64 * y + d];\n  c[y * m + x] = s;"),
            "layout a stride:2,0", rule, "in some iterations of a loop");
  // The same for all of them.
  Relaid same(loop("s += a[y * n + x] * d;"), "layout a transpose");
  ASSERT_TRUE(same.result) << same.error.message;
  EXPECT_TRUE(same.has("s += a_t[")) << same.result->text;
  Relaid index(loop("s += a[p[x] + d];"), "layout a image width=64");
  ASSERT_TRUE(index.result) << index.error.message;
  EXPECT_TRUE(index.has("(p[x] + d) & 63")) << index.result->text;
  Relaid table(loop("s += p[d];"), "stage p constant");
  ASSERT_TRUE(table.result) << table.error.message;
  EXPECT_TRUE(table.has("s += p_constant[d];")) << table.result->text;
}

TEST(RelayoutTest, LoopsInLoopsThatAreWrittenOut) {
  const std::string head =
      "__kernel void f(__global const float *restrict a,\n"
      "    __global const float *restrict b, __global float *restrict c, "
      "int n) {\n  int x = get_global_id(0);\n  float s = 0;\n  ";
  const std::string sum =
      "for (int k = 0; k < n; k++) s += a[x * n + k] * b[k];\n";
  const std::string steps = "layout a pad=4\nlayout b pad=4";
  Relaid once(head + sum + "  c[x] = s; }", steps);
  EXPECT_TRUE(once.result) << once.error.message;
  expectNot(head + "for (int d = 1; d < 5; d *= 2)\n    " + sum +
                "  c[x] = s; }",
            steps, "clopt-not-profitable", "no loop sums up");
}

/// Names that mean something else where the access stands.
TEST(RelayoutTest, HiddenNames) {
  const auto named = [](const std::string &name) {
    return "__kernel void f(__global const float *restrict a,\n"
           "    __global float *restrict c, int n, int m) {\n"
           "  int i = get_global_id(0);\n  int q = m - 1 - i;\n"
           "  float s = 0;\n  for (int k = 0; k < n; k++) {\n    int " +
           name + " = 3 * k;\n    s += a[q * n + k] * " + name +
           ";\n  }\n  c[i] = s;\n}\n";
  };
  Relaid plain(named("t"), "layout a transpose");
  ASSERT_TRUE(plain.result) << plain.error.message;
  EXPECT_TRUE(plain.has("m - i - 1")) << plain.result->text;
  expectNot(named("m"), "layout a transpose", "clopt-non-affine-subscript",
            "no closed form");
  // The id can be asked for again.
  Relaid id(named("i"), "layout a transpose");
  ASSERT_TRUE(id.result) << id.error.message;
  EXPECT_TRUE(id.has("m - (int)get_global_id(0) - 1")) << id.result->text;
  // Variables of their own, one after the other.
  Relaid twice(matrices("float s = 0;\n"
                        "  for (int k = 0; k < n; k++) s += a[k * m + x];\n"
                        "  for (int k = 0; k < n; k++) s += a[k * m + y];\n"
                        "  c[y * m + x] = s;"),
               "layout a transpose");
  EXPECT_TRUE(twice.result) << twice.error.message;
}

} // namespace
