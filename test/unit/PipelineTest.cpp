//===- PipelineTest.cpp - the library's one call --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Tampering.h"
#include "clopt/Clopt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace clopt;

static const std::string twoKernels =
    "// first\n"
    "#define SCALE 2.0f\n"
    "__kernel void one(__global float *restrict a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++) a[i] += SCALE * k; // sum\n"
    "}\n"
    "\n"
    "/* between */\n"
    "__kernel void two(__global float *restrict a) {\n"
    "  a[get_global_id(0)] = 1; }\n"
    "// last";

static Options withRecipe(const std::string &recipe) {
  Options options;
  options.recipe = recipe;
  options.recipeName = "test.recipe";
  return options;
}

static const Diagnostic *firstError(const Result &result) {
  for (const Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.level == Diagnostic::Level::Error)
      return &diagnostic;
  return nullptr;
}

TEST(PipelineTest, OnlyBodiesOfNamedKernelsChange) {
  Result result =
      optimize("t.cl", twoKernels, withRecipe("kernel one\nprivatize a\n"));
  ASSERT_TRUE(result.ok);
  size_t head = twoKernels.find(" {") + 1;
  EXPECT_EQ(result.output.substr(0, head), twoKernels.substr(0, head));
  std::string tail = twoKernels.substr(twoKernels.find("\n\n/* between"));
  ASSERT_GT(result.output.size(), tail.size());
  EXPECT_EQ(result.output.substr(result.output.size() - tail.size()), tail);
  ASSERT_EQ(result.kernels.size(), 2u);
  EXPECT_TRUE(result.kernels[0].changed);
  EXPECT_FALSE(result.kernels[1].changed);
  EXPECT_EQ(result.kernels[0].recipe, "privatize  a\n");
}

TEST(PipelineTest, AnEmptyRecipeChangesNothing) {
  Result result = optimize("t.cl", twoKernels, withRecipe(""));
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.output, twoKernels);
  EXPECT_EQ(result.recipe, "");
}

TEST(PipelineTest, OnlyAnalysing) {
  Options options;
  options.target = "cpu";
  options.analyzeOnly = true;
  Result result = optimize("t.cl", twoKernels, options);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.output, twoKernels);
  ASSERT_EQ(result.kernels.size(), 2u);
  EXPECT_FALSE(result.kernels[0].accesses.empty());
}

TEST(PipelineTest, TheTakenRecipeGivesTheSameBytes) {
  for (const char *target : {"cpu", "generic-gpu", "nvidia-hopper"}) {
    Options options;
    options.target = target;
    Result first = optimize("t.cl", twoKernels, options);
    ASSERT_TRUE(first.ok);
    options.recipe = first.recipe;
    Result again = optimize("t.cl", twoKernels, options);
    ASSERT_TRUE(again.ok);
    EXPECT_EQ(again.output, first.output) << target;
    EXPECT_EQ(again.recipe, first.recipe) << target;
  }
}

TEST(PipelineTest, TheSameInputGivesTheSameBytes) {
  Options options;
  options.target = "cpu";
  EXPECT_EQ(optimize("t.cl", twoKernels, options).output,
            optimize("t.cl", twoKernels, options).output);
}

TEST(PipelineTest, OutputIsLeftAloneTheSecondTime) {
  for (const char *target : {"cpu", "generic-gpu"}) {
    Options options;
    options.target = target;
    Result first = optimize("t.cl", twoKernels, options);
    ASSERT_TRUE(first.ok);
    Result second = optimize("t.cl", first.output, options);
    ASSERT_TRUE(second.ok);
    EXPECT_EQ(second.output, first.output) << target;
  }
}

TEST(PipelineTest, AnIllegalStepIsAnErrorAtItsLine) {
  Result result =
      optimize("t.cl", twoKernels,
               withRecipe("kernel one\n# comment\n  vectorize k:4\n"));
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.output, "");
  const Diagnostic *error = firstError(result);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->location.file, "test.recipe");
  EXPECT_EQ(error->location.line, 3u);
  EXPECT_EQ(error->location.column, 3u);
  EXPECT_NE(error->message.find(
                "step 'vectorize' is refused in kernel 'one': the value "
                "written to 'a' at line 5"),
            std::string::npos)
      << error->message;
}

TEST(PipelineTest, ErrorsOfARecipe) {
  struct Case {
    const char *recipe;
    unsigned line, column;
    const char *message;
  };
  for (const Case &test :
       {Case{"kernel three\nunroll k", 1, 8, "no kernel 'three' in 't.cl'"},
        Case{"kernel one\nunroll q:2", 2, 1, "no loop or work-item"},
        Case{"kernel one\nmelt k", 2, 1, "unknown step 'melt'"},
        Case{"kernel one\nprivatize b", 2, 1, "no array 'b'"}}) {
    Result result = optimize("t.cl", twoKernels, withRecipe(test.recipe));
    EXPECT_FALSE(result.ok) << test.recipe;
    const Diagnostic *error = firstError(result);
    ASSERT_TRUE(error) << test.recipe;
    EXPECT_EQ(error->location.line, test.line) << test.recipe;
    EXPECT_EQ(error->location.column, test.column) << test.recipe;
    EXPECT_NE(error->message.find(test.message), std::string::npos)
        << error->message;
  }
}

TEST(PipelineTest, SyntaxErrorsAndUnknownTargets) {
  Result broken = optimize("t.cl", "__kernel void f( {", Options());
  EXPECT_FALSE(broken.ok);
  ASSERT_TRUE(firstError(broken));
  EXPECT_EQ(firstError(broken)->location.line, 1u);
  Options options;
  options.target = "no-such-device";
  Result unknown = optimize("t.cl", twoKernels, options);
  EXPECT_FALSE(unknown.ok);
  ASSERT_TRUE(firstError(unknown));
  EXPECT_NE(firstError(unknown)->message.find("no-such-device"),
            std::string::npos);
}

TEST(PipelineTest, ATinyBudgetLeavesTheTextWithARemark) {
  Options options;
  options.target = "cpu";
  options.operationBudget = 50;
  Result result = optimize("t.cl", twoKernels, options);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.output, twoKernels);
  EXPECT_TRUE(std::any_of(
      result.remarks.begin(), result.remarks.end(),
      [](const Remark &remark) { return remark.ruleId == "clopt-budget"; }));
  // That there is no model is not a reason of its own.
  EXPECT_FALSE(std::any_of(result.remarks.begin(), result.remarks.end(),
                           [](const Remark &remark) {
                             return remark.ruleId == "clopt-opaque-code";
                           }));
}

TEST(PipelineTest, EveryChangeHasARemark) {
  Options options;
  options.target = "cpu";
  Result result = optimize("t.cl", twoKernels, options);
  ASSERT_TRUE(result.ok);
  for (const KernelReport &kernel : result.kernels) {
    auto passed = std::count_if(result.remarks.begin(), result.remarks.end(),
                                [&](const Remark &remark) {
                                  return remark.kind == RemarkKind::Passed &&
                                         remark.function == kernel.name;
                                });
    auto steps = std::count(kernel.recipe.begin(), kernel.recipe.end(), '\n');
    EXPECT_EQ(passed, steps) << kernel.name;
  }
}

//===-- Validation --------------------------------------------------------===//

static Options withMode(ValidateMode mode) {
  Options options = withRecipe("kernel one\nprivatize a\n");
  options.validate = mode;
  return options;
}

/// The optimized version of a kernel gets a defect.
static Result withDefect(const std::string &path, const Options &options) {
  return optimizeTampered(path, twoKernels, options,
                          [](const std::string &body) {
                            std::string text = body;
                            size_t at = text.find("SCALE * k");
                            EXPECT_NE(at, std::string::npos) << body;
                            return text.replace(at, 9, "SCALE * n");
                          });
}

TEST(PipelineTest, AWrongKernelKeepsItsText) {
  Result result = withDefect("t.cl", withMode(ValidateMode::Fast));
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.output, twoKernels);
  EXPECT_FALSE(result.kernels[0].changed);
  EXPECT_EQ(result.recipe, "");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic &warning = result.diagnostics[0];
  EXPECT_EQ(warning.level, Diagnostic::Level::Warning);
  EXPECT_EQ(warning.location.line, 5u);
  EXPECT_NE(warning.message.find("kernel 'one' keeps its text"),
            std::string::npos);
  EXPECT_NE(warning.message.find("a[0] becomes"), std::string::npos)
      << warning.message;
  EXPECT_TRUE(std::any_of(result.remarks.begin(), result.remarks.end(),
                          [](const Remark &remark) {
                            return remark.ruleId == "clopt-validation";
                          }));
}

TEST(PipelineTest, EachVersionIsValidated) {
  const std::string source =
      "__kernel void f(__global const float *restrict a,\n"
      "                __global float *restrict b, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < n)\n    b[i] = a[i] + 1.0f;\n}\n";
  Options options = withRecipe("coarsen i:4\nrequire items=4096\n"
                               "otherwise\ncoarsen i:2\nrequire below=8\n");
  const char *const second = "// Optimized by clopt for other launches";
  const Result good = optimize("f.cl", source, options);
  ASSERT_NE(good.output.find(second), std::string::npos) << good.output;
  for (bool isSecond : {false, true}) {
    const Result wrong =
        optimizeTampered("f.cl", source, options, [&](const std::string &body) {
          std::string text = body;
          const size_t from = isSecond ? text.find(second) : 0;
          return text.replace(text.find("+ 1.0f", from), 6, "+ 2.0f");
        });
    EXPECT_EQ(wrong.output, source);
    EXPECT_FALSE(wrong.kernels[0].changed);
  }
}

TEST(PipelineTest, TheLastVersionMayBeForAllLaunches) {
  // Groups of fewer than 32 work-items run the second one, whose condition is
  // none of a guard.
  const std::string source = "__kernel void f(__global int *b, int n) {\n"
                             "  size_t i = get_global_id(0), s = 0;\n"
                             "  for (int k = 0; k < 8; k++)\n    s ^= k + i;\n"
                             "  if (n > 0)\n    s += 2;\n  b[i] = (int)s;\n}\n";
  const Options options =
      withRecipe("coarsen i:2\ntile i:64\notherwise\nunroll k:2\n");
  const Result good = optimize("f.cl", source, options);
  EXPECT_NE(good.output.find("for other launches"), std::string::npos)
      << (good.diagnostics.empty() ? "" : good.diagnostics[0].message);
  const Result wrong =
      optimizeTampered("f.cl", source, options, [](const std::string &body) {
        std::string text = body;
        const size_t from = text.find("for other launches");
        return text.replace(text.find("s += 2", from), 6, "s += 3");
      });
  EXPECT_EQ(wrong.output, source);
}

TEST(PipelineTest, AReproducerHasAllThatIsNeeded) {
  Options options = withMode(ValidateMode::Fast);
  options.buildFlags = {"-DX=it's", "-I", "../inc"};
  Result result = withDefect("dir/t.cl", options);
  ASSERT_EQ(result.reproducers.size(), 1u);
  const Reproducer &reproducer = result.reproducers[0];
  EXPECT_EQ(reproducer.kernel, "one");
  std::map<std::string, std::string> files;
  for (const Reproducer::File &file : reproducer.files)
    files[file.name] = file.text;
  EXPECT_EQ(files["files/dir/t.cl"], twoKernels);
  EXPECT_EQ(files["kernel.recipe"], "kernel one\nprivatize  a\n");
  EXPECT_NE(files["wrong.cl"].find("SCALE * n"), std::string::npos);
  EXPECT_NE(files["run.sh"].find("'files/dir/t.cl' --recipe=kernel.recipe"),
            std::string::npos);
  EXPECT_NE(files["run.sh"].find("'-DX=it'\\''s' '-I' 'files/up/inc'"),
            std::string::npos)
      << files["run.sh"];
}

TEST(PipelineTest, WithoutValidationADefectLeaves) {
  Result result = withDefect("t.cl", withMode(ValidateMode::Off));
  ASSERT_TRUE(result.ok);
  EXPECT_TRUE(result.kernels[0].changed);
  EXPECT_FALSE(result.kernels[0].validation);
}

TEST(PipelineTest, VerifyEachMakesADefectAnError) {
  Options options = withMode(ValidateMode::Fast);
  options.verifyEach = true;
  Result result = withDefect("t.cl", options);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.output, "");
  const Diagnostic *error = firstError(result);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message.find("internal error: kernel 'one': a[0]"), 0u)
      << error->message;
}

TEST(PipelineTest, AGoodKernelSaysWhatRan) {
  Result result =
      optimize("t.cl", twoKernels, withRecipe("kernel one\nprivatize a\n"));
  ASSERT_TRUE(result.kernels[0].validation);
  const ValidationReport &report = *result.kernels[0].validation;
  EXPECT_GT(report.launches, 0u);
  EXPECT_GT(report.branches, 0u);
  // No small launch has ids of more than 31 bits.
  EXPECT_EQ(report.reached + 1, report.branches);
  ASSERT_EQ(report.missed.size(), 1u);
  EXPECT_NE(report.missed[0].find("2147483648' is never false"),
            std::string::npos);
  EXPECT_FALSE(result.kernels[1].validation);
}
