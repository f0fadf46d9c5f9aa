//===- PipelineResults.cpp - the text of a file, and what it does ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The new bodies become edits of the source; the text has to compile.
//
// Tested by test/unit/PipelineTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Driver/PipelineImpl.h"

#include "Frontend/clang/ClangParser.h"

#include <llvm/ADT/STLExtras.h>

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
    text +=
        unit.spelling(at, edit.begin) + withLineEndsOf(unit.text, edit.text);
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

/// The text with these edits, parsed; null when it is not OpenCL C.
std::unique_ptr<TranslationUnit>
Pipeline::parseEdited(const std::vector<Edit> &selected) const {
  ParseResult parsed =
      parseOpenCL(unit.path, applied(selected), options.buildFlags);
  for (const Edit &edit : selected)
    if (parsed.unit && !edit.planned.empty() &&
        !hasKernel(*parsed.unit, edit.planned, edit.parameters))
      return nullptr;
  return std::move(parsed.unit);
}

void Pipeline::sortEdits() {
  llvm::stable_sort(
      edits, [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
}

/// What was written has to be OpenCL C, and equal to the original where it is
/// run beside it; a kernel for which it is not keeps its text.
void Pipeline::applyEdits() {
  sortEdits();
  if (!edits.empty() || !layouts.isEmpty())
    emitted = parseEdited(edits);
  if (!edits.empty() && !emitted) {
    std::vector<Edit> good;
    for (const Edit &edit : edits)
      if (parseEdited({edit}))
        good.push_back(edit);
      else
        withdraw(edit,
                 refuse("clopt-opaque-code",
                        "the optimized text of the kernel does not compile"));
    edits = good;
    emitted = parseEdited(edits);
  }
  if (emitted && validates())
    validateWritten();
}

void Pipeline::withdraw(const Edit &edit, const Refusal &reason) {
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
    kernel.orderAfter.clear();
    Remark remark;
    remark.kind = RemarkKind::Missed;
    remark.pass = "emit";
    remark.ruleId = reason.ruleId;
    remark.function = kernel.name;
    remark.location = kernel.location;
    remark.message = reason.message;
    result.remarks.push_back(std::move(remark));
  }
  auto isWithdrawn = [&](const KernelRecipe &recipe) {
    return recipe.kernel == edit.kernel;
  };
  llvm::erase_if(taken.kernels, isWithdrawn);
}

} // namespace clopt
