//===- PipelineDumps.cpp - kernels on their way, as text ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --print-after, --dump-tree and --dump-ast. The work that this takes is not
// counted: what is written is the same with and without.
//
// Tested by test/lit/cli/print-after.test, dump-tree.test.
//
//===----------------------------------------------------------------------===//

#include "Driver/PipelineImpl.h"

#include "Emit/lower/EmitTree.h"

#include <algorithm>
#include <sstream>

namespace clopt {

/// The step as a line of a recipe, without its columns.
static std::string lineOf(const Step &step) {
  std::istringstream words(printSteps({step}));
  std::string text;
  for (std::string word; words >> word;)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

static std::string banner(const std::string &what, const KernelModel &model) {
  return "*** " + what + " (kernel '" + model.function->name + "') ***\n";
}

static std::string reasonText(const LoweringError &error) {
  return error.message +
         (error.ruleId.empty() ? "" : " [" + error.ruleId + "]");
}

static const char *const overBudget = "writing the kernel exceeded the budget";

/// The kernel with its new body, or why it has none.
static std::string textOf(const TransformedKernel &kernel,
                          const EmitOptions &how) {
  LoweringError error;
  std::optional<EmittedKernel> emitted;
  try {
    emitted = emitKernel(kernel, how, error);
  } catch (const isl::exception &) {
    error = {"clopt-budget", overBudget, ""};
  }
  if (!emitted)
    return "cannot be written: " + reasonText(error) + "\n";
  const Function &function = *kernel.model->function;
  return kernel.model->unit->spelling(function.range.begin,
                                      function.bodyRange.begin) +
         emitted->body + "\n";
}

void Pipeline::dumpAfter(const TransformedKernel &kernel,
                         const std::vector<Step> &steps, bool isPlanned) {
  const std::vector<std::string> &wanted = options.printAfter;
  const Step &step = steps.back();
  bool isWanted =
      options.printAfterAll ||
      std::find(wanted.begin(), wanted.end(), step.name) != wanted.end();
  if (!isWanted)
    return;
  TransformedKernel copy = kernel;
  addComments(copy, steps);
  result.stepDump += banner("After " + lineOf(step), *kernel.model);
  result.stepDump += printTree(kernel);
  time.withoutCharge(*kernel.model, [&] {
    result.stepDump +=
        textOf(copy, emitOptions(kernel.model->function->name, isPlanned));
  });
}

/// The planner goes on without some of the steps then.
void Pipeline::dumpFailure(const TransformedKernel &kernel,
                           const LoweringError &error) {
  if (options.printAfterAll || !options.printAfter.empty())
    result.stepDump +=
        banner("Cannot be written: " + reasonText(error), *kernel.model);
}

void Pipeline::dumpFinal(const TransformedKernel &kernel, bool isPlanned) {
  if (options.dumpTree)
    result.treeDump += printTree(kernel);
  if (!options.dumpAst)
    return;
  for (const TransformedKernel *version = &kernel; version;
       version = version->otherwise.get())
    dumpCode(*version, isPlanned);
}

void Pipeline::dumpCode(const TransformedKernel &kernel, bool isPlanned) {
  time.withoutCharge(*kernel.model, [&] {
    LoweringError error = {"clopt-budget", overBudget, ""};
    std::string code;
    try {
      code = printEmitTree(kernel, isPlanned, error);
    } catch (const isl::exception &) {
    }
    result.astDump += code.empty() ? "code of " + kernel.model->function->name +
                                         ": " + reasonText(error) + "\n"
                                   : code;
  });
}

/// The order of the program; there is no new code.
void Pipeline::dumpUnchanged(const KernelModel &model) {
  const std::string &name = model.function->name;
  if (options.dumpTree) {
    std::optional<TransformedKernel> kernel = startTransforming(model);
    result.treeDump += kernel ? printTree(*kernel)
                              : "schedule of " + name + ": not modelled\n";
  }
  if (options.dumpAst)
    result.astDump += "code of " + name + ": the kernel keeps its text\n";
}

} // namespace clopt
