//===- PipelineValidation.cpp - what was written, beside the original -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The new text is run symbolically beside the author's before it leaves. What
// differs is a defect of clopt: the kernel keeps its text, with a warning and
// with what is needed to repeat it. With --verify-each it is an error.
//
// Tested by test/unit/PipelineTest.cpp, test/lit/validate.
//
//===----------------------------------------------------------------------===//

#include "Driver/PipelineImpl.h"

#include "Driver/Remarks.h"
#include "Support/Files.h"
#include "Validation/ReadBack.h"

#include <algorithm>

namespace clopt {

/// Steps of the symbolic runs of a kernel in full validation, some seconds.
static constexpr uint64_t fullSteps = 36000000;
/// Where fewer are not enough for any launch: loops have long bounds that no
/// argument makes shorter, as the sizes of a program's -D flags are.
static constexpr uint64_t longSteps = 72000000;

bool Pipeline::validates() const {
  return options.verifyEach || options.validate != ValidateMode::Off;
}

bool Pipeline::isFull() const {
  return options.verifyEach || options.validate == ValidateMode::Full;
}

bool Pipeline::hasOwnBody(const std::string &kernel) const {
  return llvm::any_of(edits, [&](const Edit &edit) {
    return edit.kernel == kernel && edit.planned.empty();
  });
}

void Pipeline::validateWritten() {
  for (const Written &entry : written)
    time.addToValidation(*entry.model->function);
  for (const Written &entry : written) {
    const std::string &name = entry.model->function->name;
    auto function = std::find_if(
        emitted->functions.begin(), emitted->functions.end(),
        [&](const auto &f) { return f->isKernel && f->name == name; });
    if (layouts.find(name) || function == emitted->functions.end() ||
        !hasOwnBody(name))
      continue;
    if (std::optional<Refusal> reason = validate(entry, **function))
      withdrawAll(name, *reason);
  }
}

/// The kernel's new body and the kernels beside it.
void Pipeline::withdrawAll(const std::string &kernel, const Refusal &reason) {
  auto isOf = [&](const Edit &edit) { return edit.kernel == kernel; };
  for (const Edit &edit : edits)
    if (isOf(edit))
      withdraw(edit, reason);
  edits.erase(std::remove_if(edits.begin(), edits.end(), isOf), edits.end());
}

Refusal refuseUnrun(const std::string &what, const ReadBackReport &found) {
  std::string message = what + " ran beside the original in no launch";
  for (const std::string &reason : found.skipped)
    message += (message.find(": ") == std::string::npos ? ": " : "; ") + reason;
  return refuse("clopt-validation", message,
                "raise --operation-budget or --time-budget; --validate=off "
                "writes it unchecked");
}

/// One version of the kernel, in a function that has no other.
ReadBackReport Pipeline::readVersion(const Written &entry,
                                     const TransformedKernel &kernel,
                                     const Function &function,
                                     uint64_t &spent) {
  ReadBackReport found;
  for (uint64_t most :
       {isFull() ? fullSteps : defaultValidationSteps, longSteps}) {
    const uint64_t steps = time.beginValidation(*entry.model, most);
    try {
      found = readBack(kernel, *entry.model, *emitted, function, steps);
    } catch (const isl::exception &) {
      found.skipped.insert("the model exceeds its budget");
    }
    spent += found.steps;
    if (found.wrong || found.isEntered || !found.skipped.count(tooManySteps))
      break;
  }
  return found;
}

/// What was found of one version more.
static void addReport(const ReadBackReport &more, ReadBackReport &all) {
  all.steps += more.steps;
  all.compared += more.compared;
  all.branches += more.branches;
  all.reached += more.reached;
  all.statements += more.statements;
  all.executed += more.executed;
  all.missed.insert(all.missed.end(), more.missed.begin(), more.missed.end());
  all.skipped.insert(more.skipped.begin(), more.skipped.end());
  all.isEntered &= more.isEntered;
  all.wrong = more.wrong;
}

/// Why the written kernel must not leave: it is wrong, or nobody knows.
std::optional<Refusal> Pipeline::validate(const Written &entry,
                                          Function &function) {
  uint64_t spent = 0;
  std::optional<ReadBackReport> all;
  const TransformedKernel *version = &entry.kernel;
  for (const Function &alone :
       versionsOf(function, entry.kernel, entry.advice)) {
    const ReadBackReport one = readVersion(entry, *version, alone, spent);
    if (all)
      addReport(one, *all);
    else
      all = one;
    if (one.wrong || !one.isEntered)
      break;
    version = version->otherwise.get();
  }
  if (!entry.advice.empty())
    admitSmallLaunches(function, entry.advice.front());
  time.finishValidation(*entry.model, spent);
  const ReadBackReport &found = *all;
  if (found.wrong && options.verifyEach) {
    internalError(
        entry.kernel, "kernel '" + function.name + "'",
        refuse("clopt-dependence", found.wrong->what, "", found.wrong->range));
    return std::nullopt;
  }
  if (found.wrong) {
    keepText(*entry.model,
             "its optimized version is wrong, " + found.wrong->what,
             found.wrong->range);
    reproduce(function.name, {{function.name, entry.steps, 0, false}},
              found.wrong->what);
    return refuse("clopt-validation",
                  "the optimized version of the kernel was found to be wrong");
  }
  if (!found.isEntered)
    return refuseUnrun("the optimized version of the kernel", found);
  ValidationReport validation;
  validation.launches = found.compared;
  validation.branches = static_cast<unsigned>(found.branches);
  validation.reached = static_cast<unsigned>(found.reached);
  validation.missed = found.missed;
  validation.skipped.assign(found.skipped.begin(), found.skipped.end());
  addValidationRemark(*entry.model, "", found);
  for (KernelReport &report : result.kernels)
    if (report.name == function.name)
      report.validation = validation;
  return std::nullopt;
}

/// How far the runs went.
void Pipeline::addValidationRemark(const KernelModel &model,
                                   const std::string &what,
                                   const ReadBackReport &found) {
  Remark remark =
      remarkOn(model, RemarkKind::Analysis, "validate",
               what + (what.empty() ? "" : " ") + "validated in " +
                   std::to_string(found.compared) +
                   " launches: " + std::to_string(found.reached) + " of " +
                   std::to_string(found.branches) + " branches, " +
                   std::to_string(found.executed) + " of " +
                   std::to_string(found.statements) + " statements");
  for (const std::string &branch : found.missed)
    remark.message += "; " + branch;
  for (const std::string &reason : found.skipped)
    remark.message += "; not compared: " + reason;
  result.remarks.push_back(std::move(remark));
}

/// Where a file lies in a reproducer.
static std::string placeOf(const std::string &path) {
  std::string place = "files";
  if (path.empty() || path[0] != '/')
    place += '/';
  for (size_t i = 0; i < path.size(); ++i) {
    bool isUp = path.compare(i, 2, "..") == 0;
    place += isUp ? std::string("up") : std::string(1, path[i]);
    i += isUp;
  }
  return place;
}

static std::string quoted(const std::string &word) {
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The file and what it includes, the recipe, and a command for a shell.
void Pipeline::reproduce(const std::string &kernel,
                         const std::vector<KernelRecipe> &recipes,
                         const std::string &what) {
  Recipe recipe;
  recipe.kernels = recipes;
  Reproducer reproducer;
  reproducer.kernel = kernel;
  const std::string main = placeOf(unit.path);
  reproducer.files.push_back({main, layouts.original()});
  for (const std::string &path : unit.dependencies)
    if (path != unit.path) {
      if (llvm::Expected<std::string> text = readTextFile(path))
        reproducer.files.push_back({placeOf(path), *text});
      else
        llvm::consumeError(text.takeError());
    }
  reproducer.files.push_back({"kernel.recipe", printRecipe(recipe)});
  reproducer.files.push_back({"wrong.cl", applied(edits)});
  reproducer.files.push_back({"what.txt", what + "\n"});
  std::string command =
      "#!/bin/sh\n# " + what +
      "\ncd \"$(dirname \"$0\")\" && exec ${CLOPT:-clopt} " + quoted(main) +
      " --recipe=kernel.recipe --target=" + quoted(options.target) +
      " --config-file=/dev/null --verify-each -o /dev/null";
  if (options.makePlan)
    command += " --plan=/dev/null";
  if (options.alias != AliasMode::Check)
    command +=
        options.alias == AliasMode::None ? " --alias=none" : " --alias=strict";
  if (options.localSize)
    command += " --local-size=" + std::to_string((*options.localSize)[0]) +
               "," + std::to_string((*options.localSize)[1]) + "," +
               std::to_string((*options.localSize)[2]);
  for (const auto &[name, group] : options.planGroups)
    if (name.empty() || name == kernel)
      command += " --plan-group=" + std::to_string(group[0]) + "," +
                 std::to_string(group[1]);
  command += " --";
  bool isFolder = false;
  for (const std::string &flag : options.buildFlags) {
    bool isInclude = flag.compare(0, 2, "-I") == 0;
    if (isFolder)
      command += " " + quoted(placeOf(flag));
    else if (isInclude && flag.size() > 2)
      command += " " + quoted("-I" + placeOf(flag.substr(2)));
    else
      command += " " + quoted(flag);
    isFolder = isInclude && flag.size() == 2;
  }
  reproducer.files.push_back({"run.sh", command + "\n"});
  result.reproducers.push_back(std::move(reproducer));
}

} // namespace clopt
