//===- TunedRecipes.cpp - optimizing with recorded recipes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipe of the whole file is what the planner did, with the recorded steps
// in place of its own. The file is done again until every recipe that is left
// was followed to the end.
//
// Tested by test/unit/TunedRecipesTest.cpp, test/lit/tune/database.test.
//
//===----------------------------------------------------------------------===//

#include "Driver/TunedRecipes.h"

#include "Support/Sha256.h"
#include "clopt/Recipe.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FormatVariadic.h>

namespace clopt {

static Remark remarkOn(const Result &result, const TuningRecord &record) {
  Remark remark;
  remark.pass = "tuning";
  remark.ruleId = "clopt-tuning";
  remark.function = record.kernel;
  for (const KernelReport &kernel : result.kernels)
    if (kernel.name == record.kernel)
      remark.location = kernel.location;
  remark.args = {{"Device", record.device}, {"Driver", record.driver}};
  return remark;
}

static Remark takenRemark(const Result &result, const TuningRecord &record) {
  Remark remark = remarkOn(result, record);
  remark.kind = RemarkKind::Passed;
  const std::string what = record.steps.empty()
                               ? "the author's text is kept"
                               : "the recorded recipe is taken";
  remark.message =
      llvm::formatv("{0}: {1:F4} ms, the original {2:F4} ms on {3}", what,
                    record.ms, record.originalMs, record.device);
  return remark;
}

static Remark droppedRemark(const Result &result, const TuningRecord &record,
                            const std::string &why) {
  Remark remark = remarkOn(result, record);
  remark.kind = RemarkKind::Missed;
  remark.message = "the recorded recipe does not hold any more: " + why;
  remark.hint = "run 'clopt tune' again";
  return remark;
}

static std::string linesOf(const TuningRecord &record) {
  std::string text;
  for (const std::string &step : record.steps)
    text += step + "\n";
  return text;
}

/// The steps of the record; nothing, and why, when they are no recipe.
static std::optional<std::vector<Step>> stepsOf(const TuningRecord &record,
                                                std::string &why) {
  RecipeError error;
  std::optional<Recipe> recipe = parseRecipe(linesOf(record), error);
  if (recipe && recipe->kernels.empty())
    return std::vector<Step>();
  if (recipe && recipe->kernels.size() == 1 &&
      recipe->kernels.front().kernel.empty())
    return recipe->kernels.front().steps;
  why = error.message.empty() ? "it names kernels" : error.message;
  return std::nullopt;
}

/// Along two dimensions, no more work-items than clopt allows itself.
static bool isGroup(const std::vector<int64_t> &sizes) {
  return sizes.size() == 2 && sizes[0] > 0 && sizes[1] > 0 &&
         sizes[0] <= 1024 && sizes[1] <= 1024 && sizes[0] * sizes[1] <= 1024;
}

/// The recipe with these steps for the kernel.
static void put(Recipe &recipe, const std::string &kernel,
                const std::vector<Step> &steps) {
  for (KernelRecipe &own : recipe.kernels)
    if (own.kernel == kernel && !own.forPlan) {
      own.steps = steps;
      return;
    }
  recipe.kernels.push_back({kernel, steps, 0, false});
}

/// Why the record was not followed to the end; empty: it was.
static std::string failureOf(const Result &result, const TuningRecord &record,
                             const std::vector<Step> &steps) {
  auto own = llvm::find_if(result.kernels, [&](const KernelReport &kernel) {
    return kernel.name == record.kernel;
  });
  if (own == result.kernels.end())
    return "the file has no such kernel";
  if (own->changed == !steps.empty() && own->recipe == printSteps(steps))
    return "";
  for (const Remark &remark : result.remarks)
    if (remark.function == record.kernel && remark.kind == RemarkKind::Missed)
      return remark.message;
  return "the new text was not written";
}

namespace {

struct Followed {
  TuningRecord record;
  std::vector<Step> steps;
};

} // namespace

/// One run with all of them. Takes out those that fail, with a remark; true
/// when none did.
static bool tryRecords(const std::string &path, const std::string &source,
                       const Options &options, const Result &planned,
                       std::vector<Followed> &records, Result &result,
                       std::vector<Remark> &dropped) {
  RecipeError error;
  Recipe recipe = *parseRecipe(planned.recipe, error); // our own text
  Options again = options;
  for (const Followed &one : records) {
    put(recipe, one.record.kernel, one.steps);
    if (isGroup(one.record.group))
      again.planGroups[one.record.kernel] = {
          static_cast<unsigned>(one.record.group[0]),
          static_cast<unsigned>(one.record.group[1])};
  }
  again.recipe = printRecipe(recipe);
  again.recipeName = "<tuning database>";
  again.skipRefused = true;
  result = optimize(path, source, again);
  if (!result.ok)
    return false;
  const size_t before = records.size();
  llvm::erase_if(records, [&](const Followed &one) {
    const std::string why = failureOf(result, one.record, one.steps);
    if (!why.empty())
      dropped.push_back(droppedRemark(planned, one.record, why));
    return !why.empty();
  });
  return records.size() == before;
}

Result optimizeTuned(const std::string &path, const std::string &source,
                     const Options &options,
                     const std::vector<TuningRecord> &records) {
  Result planned = optimize(path, source, options);
  if (!planned.ok || options.recipe || options.analyzeOnly)
    return planned;
  std::vector<Followed> left;
  std::vector<Remark> dropped;
  for (const TuningRecord &record :
       selectRecords(records, sha256Hex(source), options.buildFlags,
                     options.target, options.makePlan ? "plan" : "drop-in")) {
    std::string why;
    if (std::optional<std::vector<Step>> steps = stepsOf(record, why))
      left.push_back({record, std::move(*steps)});
    else
      dropped.push_back(droppedRemark(planned, record, why));
  }
  Result result;
  bool isDone = false;
  while (!left.empty() && !isDone) {
    const size_t before = left.size();
    isDone = tryRecords(path, source, options, planned, left, result, dropped);
    if (!isDone && left.size() == before)
      left.clear(); // the file as a whole is refused
  }
  if (!isDone)
    result = std::move(planned);
  for (const Followed &one : left)
    result.remarks.push_back(takenRemark(result, one.record));
  llvm::append_range(result.remarks, dropped);
  return result;
}

} // namespace clopt
