//===- PipelineResults.cpp - the text of a file, and what it does ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The new bodies become edits of the source; the text is parsed again, and with
// --verify-each run and compared with what was meant.
//
// Tested by test/unit/PipelineTest.cpp, test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Driver/PipelineImpl.h"

#include "Frontend/ClangParser.h"
#include "Validation/ReadBack.h"

#include <algorithm>

namespace clopt {

/// The text with the ends of lines that the file has.
static std::string withLineEndsOf(const std::string &file,
                                  const std::string &text) {
  size_t first = file.find('\n');
  if (first == std::string::npos || first == 0 || file[first - 1] != '\r')
    return text;
  std::string result;
  for (char c : text) {
    if (c == '\n' && (result.empty() || result.back() != '\r'))
      result += '\r';
    result += c;
  }
  return result;
}

std::string Pipeline::applied(const std::vector<Edit> &selected) const {
  std::string text;
  int64_t at = 0;
  for (const Edit &edit : selected) {
    text += unit.text.substr(static_cast<size_t>(at),
                             static_cast<size_t>(edit.begin - at));
    text += withLineEndsOf(unit.text, edit.text);
    at = edit.end;
  }
  return text + unit.text.substr(static_cast<size_t>(at));
}

/// True when the file has a kernel of this name and number of parameters.
static bool hasKernel(const TranslationUnit &unit, const std::string &name,
                      size_t parameters) {
  for (const auto &function : unit.functions)
    if (function->name == name)
      return function->isKernel && function->params.size() == parameters;
  return false;
}

/// What was written has to be OpenCL C; a kernel for which it is not keeps its
/// text.
void Pipeline::applyEdits() {
  std::stable_sort(
      edits.begin(), edits.end(),
      [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
  auto compiles = [&](const std::vector<Edit> &selected) {
    ParseResult parsed =
        parseOpenCL(unit.path, applied(selected), options.buildFlags);
    bool isGood = parsed.unit != nullptr;
    for (const Edit &edit : selected)
      if (isGood && !edit.planned.empty())
        isGood = hasKernel(*parsed.unit, edit.planned, edit.parameters);
    return isGood;
  };
  if (!edits.empty() && !compiles(edits)) {
    std::vector<Edit> good;
    for (const Edit &edit : edits)
      if (compiles({edit}))
        good.push_back(edit);
      else
        withdraw(edit);
    edits = good;
  }
  result.output = applied(edits);
}

void Pipeline::withdraw(const Edit &edit) {
  if (!edit.planned.empty()) {
    plan.removeLaunchesOf(edit.planned);
    return;
  }
  plan.removeSameLaunch(edit.kernel);
  for (KernelReport &kernel : result.kernels) {
    if (kernel.name != edit.kernel)
      continue;
    kernel.changed = false;
    kernel.recipe.clear();
    kernel.guards.clear();
    Remark remark;
    remark.kind = RemarkKind::Missed;
    remark.pass = "emit";
    remark.ruleId = "clopt-opaque-code";
    remark.function = kernel.name;
    remark.location = kernel.location;
    remark.message = "the optimized text of the kernel does not compile";
    result.remarks.push_back(std::move(remark));
  }
  auto isWithdrawn = [&](const KernelRecipe &recipe) {
    return recipe.kernel == edit.kernel;
  };
  taken.kernels.erase(
      std::remove_if(taken.kernels.begin(), taken.kernels.end(), isWithdrawn),
      taken.kernels.end());
}

/// --verify-each: what was written is parsed again and compared with what was
/// meant.
void Pipeline::compareWritten() {
  ParseResult parsed =
      parseOpenCL(unit.path, result.output, options.buildFlags);
  if (!parsed.unit)
    return;
  for (const Written &entry : written)
    for (const auto &function : parsed.unit->functions)
      if (function->isKernel && function->name == entry.model->function->name &&
          std::any_of(edits.begin(), edits.end(), [&](const Edit &edit) {
            return edit.kernel == function->name;
          }))
        readBack(entry, *parsed.unit, *function);
}

/// Steps of the symbolic runs of a kernel, some seconds.
static constexpr uint64_t readBackSteps = 36000000;

void Pipeline::readBack(const Written &entry, const TranslationUnit &emitted,
                        const Function &function) {
  limitOperations(*entry.model);
  ReadBackReport report;
  try {
    report = clopt::readBack(entry.kernel, *entry.model, emitted, function,
                             readBackSteps);
  } catch (const isl::exception &) {
    report.skipped.insert("the model exceeds its budget");
  }
  if (report.wrong) {
    internalError(entry.kernel, "kernel '" + function.name + "'",
                  refuse("clopt-dependence", report.wrong->what, "",
                         report.wrong->range));
    return;
  }
  Remark remark;
  remark.kind = RemarkKind::Analysis;
  remark.pass = "read-back";
  remark.function = function.name;
  remark.location = entry.model->function->range;
  remark.message = "the result was compared in " +
                   std::to_string(report.compared) + " launches; " +
                   std::to_string(report.executed) + " of its " +
                   std::to_string(report.statements) + " statements ran";
  for (const std::string &reason : report.skipped)
    remark.message += "; not compared: " + reason;
  result.remarks.push_back(std::move(remark));
}

} // namespace clopt
