//===- PlanReadBackTest.cpp - variants that mean the same, and others -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that adds one to a matrix, and plans by hand: each with one place
// that is wrong.
//
//===----------------------------------------------------------------------===//

#include "Validation/PlanReadBack.h"

#include "Emit/frame/PlannedKernel.h"
#include "KernelTesting.h"

using namespace clopt;

namespace {

const char *const author =
    "__kernel void f(__global const float *a, __global float *c, int n) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  if (x < n && y < n) c[y * n + x] = a[y * n + x] + 1; }\n";

const char *const others =
    "__kernel void turn(__global const uint *from, __global uint *to, int n) "
    "{\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  to[x * n + y] = from[y * n + x]; }\n"
    "__kernel void f_turned(__global const float *t, __global float *u, int n)"
    " {\n"
    "  int x = get_global_id(1), y = get_global_id(0);\n"
    "  if (x < n && y < n) u[x * n + y] = t[x * n + y] + 1; }\n"
    "__kernel void f_range(__global const float *a, __global float *c,\n"
    "                      long count) {\n"
    "  long i = get_global_id(0);\n"
    "  if (i < count) c[i] = a[i] + 1; }\n"
    "__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE |"
    " CLK_FILTER_NEAREST;\n"
    "__kernel void f_image(__read_only image2d_t i, __global float *c, int n) "
    "{\n"
    "  int x = get_global_id(0), y = get_global_id(1), p = y * n + x;\n"
    "  if (x < n && y < n)\n"
    "    c[p] = as_float(read_imageui(i, s, (int2)(p % 8, p / 8)).x) + 1; }\n";

PlanArgument argument(PlanArgument::Kind kind, const std::string &text) {
  PlanArgument result;
  result.kind = kind;
  (kind == PlanArgument::Kind::Value ? result.value : result.name) = text;
  return result;
}
PlanArgument parameter(const std::string &name) {
  return argument(PlanArgument::Kind::Parameter, name);
}
PlanArgument buffer(const std::string &name) {
  return argument(PlanArgument::Kind::Buffer, name);
}

PlanConversion turn(const PlanArgument &from, const PlanArgument &to) {
  PlanConversion result;
  result.source = from.name;
  result.destination = to.name;
  result.launch.kernel = "turn";
  result.launch.global = {"n", "n"};
  result.launch.arguments = {from, to, parameter("n")};
  return result;
}

/// On transposed copies of both buffers.
PlanVariant turned() {
  PlanVariant variant;
  variant.name = "turned";
  variant.conditions = {{"n >= 1 && n <= 40", "", false}};
  variant.conditions.push_back({"n <= get_global_size(0)", "", false});
  variant.conditions.push_back({"n <= get_global_size(1)", "", false});
  variant.conditions.push_back({"get_global_offset(0) == 0", "", false});
  variant.conditions.push_back({"get_global_offset(1) == 0", "", false});
  variant.conditions.push_back({"(size_t)(a + n * n) <= (size_t)c || "
                                "(size_t)(c + n * n) <= (size_t)a",
                                "", false});
  variant.conditions.push_back({"n > 1000000", "", true});
  variant.buffers = {{"t", "a", "n * n * 4"}, {"u", "c", "n * n * 4"}};
  variant.before = {turn(parameter("a"), buffer("t"))};
  variant.after = {turn(buffer("u"), parameter("c"))};
  variant.launch.kernel = "f_turned";
  variant.launch.sameRange = true;
  variant.launch.arguments = {buffer("t"), buffer("u"), parameter("n")};
  return variant;
}

/// All cells in one dimension.
PlanVariant flat() {
  PlanVariant variant = turned();
  variant.name = "flat";
  variant.buffers.clear();
  variant.before.clear();
  variant.after.clear();
  variant.launch.kernel = "f_range";
  variant.launch.sameRange = false;
  variant.launch.global = {"roundup(n * n, 8)"};
  variant.launch.local = {"8"};
  variant.launch.arguments = {parameter("a"), parameter("c"),
                              argument(PlanArgument::Kind::Value, "n * n")};
  variant.launch.arguments.back().type = "long";
  return variant;
}

PlanVariant withImage() {
  PlanVariant variant = turned();
  variant.name = "image";
  variant.buffers.clear();
  variant.before.clear();
  variant.after.clear();
  variant.images = {
      {"i", "a", "8", "ceildiv(n * n, 8)", "", "CL_R", "CL_UNSIGNED_INT32"}};
  variant.launch.kernel = "f_image";
  variant.launch.arguments = {argument(PlanArgument::Kind::Image, "i"),
                              parameter("c"), parameter("n")};
  return variant;
}

VariantReadBack reportOf(const PlanVariant &variant,
                         const std::string &kernels = others,
                         const std::string &text = author) {
  TestedKernel tested(text);
  ParseResult written = parseOpenCL("o.cl", text + kernels, {});
  EXPECT_TRUE(written.unit);
  LaunchPlan plan;
  plan.kernels = {describeKernel(*tested.model)};
  plan.kernels[0].variants = {variant};
  SmallLaunch launch;
  launch.dimensions = 2;
  launch.global = {6, 4, 1};
  launch.local = {3, 2, 1};
  launch.integers["n"] = 5;
  std::vector<VariantReadBack> reports =
      readBackPlan(CompiledPlan(plan), *tested.model, *tested.parsed.unit,
                   *written.unit, {launch}, 2000000);
  EXPECT_EQ(reports.size(), 1u);
  return reports.empty() ? VariantReadBack() : reports.front();
}

void expectRight(const PlanVariant &variant) {
  const VariantReadBack report = reportOf(variant);
  EXPECT_FALSE(report.wrong) << report.wrong->what;
  EXPECT_GT(report.compared, 3u) << variant.name;
  EXPECT_EQ(report.reached, report.branches) << variant.name;
}

void expectWrong(const PlanVariant &variant, const std::string &what,
                 const std::string &kernels = others) {
  const VariantReadBack report = reportOf(variant, kernels);
  ASSERT_TRUE(report.wrong) << what;
  EXPECT_NE(report.wrong->what.find(what), std::string::npos)
      << report.wrong->what;
}

std::string replacedIn(std::string text, const std::string &from,
                       const std::string &by) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return at == std::string::npos ? text : text.replace(at, from.size(), by);
}

std::string replaced(const std::string &from, const std::string &by) {
  return replacedIn(others, from, by);
}

} // namespace

TEST(PlanReadBackTest, LaunchesThatTheConditionsAllowAreFound) {
  expectRight(turned());
  expectRight(flat());
  expectRight(withImage());
}

// Those that the application gives are the same for both forms, whatever else
// there is.
TEST(PlanReadBackTest, ImagesAndSamplersOfTheKernel) {
  const std::string withPicture =
      replacedIn(std::string("__constant float one = 1;\n") + author, "+ 1",
                 "+ one * read_imagef(i, s, (int2)(x, y)).x");
  const auto more = [](const std::string &text, const std::string &before) {
    return replacedIn(text, before,
                      before + ", __read_only image2d_t i, sampler_t s");
  };
  PlanVariant variant = turned();
  variant.launch.arguments.insert(variant.launch.arguments.end(),
                                  {parameter("i"), parameter("s")});
  for (const bool isRight : {true, false}) {
    const std::string written =
        replacedIn(others, "t[x * n + y] + 1",
                   std::string("t[x * n + y] + one * read_imagef(i, s, ") +
                       (isRight ? "(int2)(x, y)" : "(int2)(y, x)") + ").x");
    const VariantReadBack report =
        reportOf(variant, more(written, "__global float *u, int n"),
                 more(withPicture, "__global float *c, int n"));
    EXPECT_EQ(isRight, !report.wrong.has_value())
        << (report.wrong ? report.wrong->what : "");
    if (isRight)
      EXPECT_GT(report.compared, 3u);
  }
}

TEST(PlanReadBackTest, WrongConversionsAreFound) {
  expectWrong(turned(), "becomes",
              replaced("to[x * n + y] = from[y * n + x]",
                       "to[x * n + y] = from[y * n + y]"));
  PlanVariant variant = turned();
  variant.after.clear();
  expectWrong(variant, "is not written");
  variant = turned();
  variant.before.clear();
  expectWrong(variant, "becomes");
  variant = turned();
  variant.before[0].launch.global = {"n", "n - 1"};
  expectWrong(variant, "becomes");
}

TEST(PlanReadBackTest, WrongSizesAreFound) {
  PlanVariant variant = turned();
  variant.buffers[1].bytes = "n * n * 4 - 1";
  expectWrong(variant, "an access outside of 'u'");
  variant = flat();
  variant.launch.global = {"n * n / 8 * 8"};
  expectWrong(variant, "is not written");
  variant = flat();
  variant.launch.arguments[2].value = "n * n + 1";
  expectWrong(variant, "an access outside of ");
  variant = flat();
  variant.launch.arguments[2].type = "int";
  expectWrong(variant, "'count' is given 4 bytes");
  variant = withImage();
  variant.images[0].height = "n * n / 8";
  expectWrong(variant, "outside of the image 'i'");
  variant = withImage();
  variant.images[0].width = "9";
  expectWrong(variant, "becomes");
}

TEST(PlanReadBackTest, MissingConditionsAreFound) {
  PlanVariant variant = flat();
  variant.conditions.erase(variant.conditions.begin() + 1,
                           variant.conditions.begin() + 5);
  expectWrong(variant, "outside of ");
  // Copies do not see what is written.
  variant = turned();
  variant.conditions.erase(variant.conditions.begin() + 5);
  expectRight(variant); // each cell is read by who writes it
}

TEST(PlanReadBackTest, KernelsThatAreMissingAreFound) {
  PlanVariant variant = flat();
  variant.launch.kernel = "f_other";
  expectWrong(variant, "'f_other' is no kernel with 3 arguments");
  variant = flat();
  variant.launch.arguments.pop_back();
  expectWrong(variant, "'f_range' is no kernel with 2 arguments");
  expectWrong(flat(), "in groups that it is not for",
              replaced("__kernel void f_range",
                       "__attribute__((reqd_work_group_size(4, 1, 1)))\n"
                       "__kernel void f_range"));
}

TEST(PlanReadBackTest, WhatIsNotRunIsSaid) {
  PlanVariant variant = flat();
  variant.conditions[0].expression = "n > 100000";
  VariantReadBack report = reportOf(variant);
  EXPECT_EQ(report.compared, 0u);
  EXPECT_EQ(report.skipped,
            (std::set<std::string>{"no launch meets 'n > 100000'"}));
  variant = withImage();
  variant.images[0].channelType = "CL_FLOAT";
  report = reportOf(variant);
  EXPECT_EQ(report.compared, 0u);
  EXPECT_EQ(report.skipped, (std::set<std::string>{"images of this form"}));
  // The drop-in kernel is compared on its own.
  PlanKernel kernel;
  kernel.name = "f";
  variant = turned();
  EXPECT_TRUE(isOwnVariant(kernel, variant));
  variant.buffers.clear();
  variant.launch.kernel = "f";
  EXPECT_FALSE(isOwnVariant(kernel, variant));
}
