//===- Remarks.cpp - what happened, in OpenCL's words ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PipelineTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Driver/Remarks.h"

#include "Transform/Apply.h"

namespace clopt {

void addNotes(const KernelModel &model, Result &result) {
  for (const Note &note : model.notes) {
    Remark remark;
    remark.kind = RemarkKind::Analysis;
    remark.pass = "model";
    remark.ruleId = note.ruleId;
    remark.function = model.function->name;
    remark.location = note.range;
    remark.message = note.message;
    remark.hint = note.hint;
    result.remarks.push_back(std::move(remark));
  }
}

Remark missedRemark(const KernelModel &model, const std::string &pass,
                    const Refusal &refusal) {
  Remark remark;
  remark.kind = RemarkKind::Missed;
  remark.pass = pass;
  remark.ruleId = refusal.ruleId;
  remark.function = model.function->name;
  remark.location =
      refusal.range.isValid() ? refusal.range : model.function->range;
  remark.message = refusal.message;
  remark.hint = refusal.hint;
  return remark;
}

static std::string join(const std::vector<StepTarget> &targets) {
  std::string text;
  for (const StepTarget &target : targets)
    text += (text.empty() ? "" : ", ") + target.name;
  return text;
}

static std::string axisText(const TransformedKernel &kernel,
                            const StepTarget &target) {
  AxisName axis = resolveAxis(*kernel.model, target.name);
  // Loops that have no axis are statements of the model as a whole.
  if (axis.loop || !axis.dim)
    return "iterations of " + target.name;
  return "work-items along " + target.name;
}

static std::string describeCoarsen(const TransformedKernel &kernel,
                                   const Step &step, const std::string &count) {
  if (kernel.mergesGroups())
    return "one group does the work of " + count + " groups along " +
           step.targets.front().name;
  return "one work-item does " + count +
         (step.hasFlag("stride") ? " distant " : " ") +
         axisText(kernel, step.targets.front());
}

/// A loop that all work-items of the launch go through together.
static bool isShared(const TransformedKernel &kernel,
                     const StepTarget &target) {
  std::optional<unsigned> dim = resolveAxis(*kernel.model, target.name).dim;
  const MappedDimension *mapped =
      dim ? kernel.model->ndrange.findMapped(*dim) : nullptr;
  return mapped && mapped->isLaunched;
}

static std::string describeLaunches(const TransformedKernel &kernel,
                                    const Step &step) {
  std::string text;
  for (const StepTarget &target : step.targets)
    text += (text.empty() ? "" : " and ") +
            std::to_string(target.count.value_or(0)) + " " +
            (isShared(kernel, target)
                 ? "iterations of " + target.name + " per work-item"
                 : axisText(kernel, target));
  if (std::optional<int64_t> items = step.parameter("items"))
    text +=
        (text.empty() ? "" : " and ") + std::to_string(*items) + " work-items";
  if (std::optional<int64_t> items = step.parameter("group"))
    text += (text.empty() ? "" : " and ") + std::to_string(*items) +
            " work-items in a group";
  return "launches with at least " + text + " run what follows";
}

/// Targets are arrays, or loops.
static std::string describeHoist(const TransformedKernel &kernel,
                                 const Step &step) {
  const KernelModel &model = *kernel.model;
  bool isLoop = !model.findArray(step.targets.front().name);
  return isLoop ? "what stays the same in " + join(step.targets) +
                      " is computed once"
                : "what is read of " + join(step.targets) +
                      " again is loaded once";
}

/// True when the target is one of the kernel's own local arrays.
static bool isOwn(const TransformedKernel &kernel, const StepTarget &target) {
  std::optional<unsigned> array = kernel.model->findArray(target.name);
  return array && isOwnLocalArray(kernel.model->arrays[*array]);
}

std::string describeStep(const TransformedKernel &kernel, const Step &step) {
  if (step.name == "require")
    return describeLaunches(kernel, step);
  const StepTarget &first = step.targets.front();
  std::string count = std::to_string(first.count.value_or(0));
  if (step.name == "privatize")
    return join(step.targets) + " is kept in registers";
  if (step.name == "hoist")
    return describeHoist(kernel, step);
  if (step.name == "vectorize")
    return count + " " + axisText(kernel, first) + " run as one vector";
  if (step.name == "coarsen")
    return describeCoarsen(kernel, step, count);
  if (step.name == "strength" && step.hasFlag("add"))
    return "subscripts of " + join(step.targets) + " advance by addition";
  if (step.name == "strength")
    return "index operations for " + join(step.targets) + " are cheaper ones";
  if (step.name == "select")
    return "choices of " + join(step.targets) +
           " are resolved away from borders";
  if (step.name == "tile") {
    std::string text;
    for (const StepTarget &target : step.targets)
      text += (text.empty() ? "" : ", ") +
              std::to_string(target.count.value_or(0)) + " " +
              axisText(kernel, target);
    return text + " are one tile";
  }
  if (step.name == "stage" && step.hasFlag("constant"))
    return join(step.targets) + " is read from constant memory";
  if (step.name == "stage" && step.hasFlag("private"))
    return join(step.targets) + " is kept in registers during each tile";
  if (step.name == "stage" && step.hasFlag("converted"))
    return join(step.targets) +
           " is converted and copied to local memory by the group";
  if (step.name == "stage")
    return join(step.targets) + " is copied to local memory by the group";
  if (step.name == "split-reduction")
    return count + " work-items share the iterations of " + join(step.targets);
  if (step.name == "rounds")
    return join(step.targets) + " takes " + count + " iterations at a time" +
           (step.hasFlag("together") ? ", the work-items of a group together"
                                     : "");
  if (step.name == "map")
    return "the iterations of " + join(step.targets) + " are work-items";
  if (step.name == "interchange")
    return "the loops " + join(step.targets) + " change places";
  if (step.name == "layout" && step.hasFlag("buffer"))
    return join(step.targets) + " has another layout in a copy";
  if (step.name == "layout" && step.hasFlag("image"))
    return join(step.targets) + " is read through an image";
  if (step.name == "layout" && step.hasFlag("local") && !step.changes.empty() &&
      step.changes.front().name == "planes")
    return "each component of " + join(step.targets) +
           " has a plane of its own in local memory";
  if (step.name == "layout" && step.hasFlag("local") && isOwn(kernel, first))
    return join(step.targets) + " lies turned in local memory";
  if (step.name == "layout" && step.hasFlag("local"))
    return "sections of " + join(step.targets) + " lie turned in local memory";
  if (step.name == "layout")
    return join(step.targets) + " is loaded whole and permuted in registers";
  if (step.name == "pad")
    return "the cells of " + join(step.targets) +
           " are moved apart in local memory";
  if (first.count)
    return count + " " + axisText(kernel, first) + " per pass";
  return "loop " + join(step.targets) + " is written out";
}

Remark passedRemark(const TransformedKernel &kernel, const Step &step) {
  Remark remark;
  remark.kind = RemarkKind::Passed;
  remark.pass = step.name;
  remark.ruleId = "clopt-" + step.name;
  remark.function = kernel.model->function->name;
  remark.location = kernel.model->function->range;
  AxisName axis;
  if (!step.targets.empty())
    axis = resolveAxis(*kernel.model, step.targets.front().name);
  if (axis.loop && kernel.model->loops[*axis.loop].stmt)
    remark.location = kernel.model->loops[*axis.loop].stmt->range;
  remark.message = describeStep(kernel, step);
  for (const StepTarget &target : step.targets)
    remark.args.emplace_back("Target", target.count
                                           ? target.name + ":" +
                                                 std::to_string(*target.count)
                                           : target.name);
  return remark;
}

/// Bytes that an argument by value may have without a second thought; all
/// arguments together have 1024 on every device.
static constexpr int64_t smallArgument = 128;

/// What the host could do about an array; nothing when it need not.
static std::string hostHint(const ArrayReport &array) {
  if (array.dropIn == array.chosen)
    return "";
  if (array.chosen != "constant")
    return "let the host make an image of '" + array.array + "'";
  std::string hint = "declare '" + array.array +
                     "' __constant, if the buffer is never larger than the "
                     "device's constant memory";
  for (const MemoryReport &memory : array.memories)
    if (memory.memory == array.chosen && memory.bytes > 0 &&
        memory.bytes <= smallArgument)
      hint += ", or pass its " + std::to_string(memory.bytes) +
              " bytes by value, in a structure";
  return hint;
}

Remark placementRemark(const KernelModel &model, const ArrayReport &array) {
  Remark remark;
  remark.kind = RemarkKind::Analysis;
  remark.pass = "placement";
  remark.function = model.function->name;
  remark.location = model.function->range;
  remark.message = array.array + " suits " + array.chosen +
                   " memory: " + std::to_string(array.chosenClocks) +
                   " clocks instead of " + std::to_string(array.clocks);
  remark.hint = hostHint(array);
  remark.args.emplace_back("Array", array.array);
  remark.args.emplace_back("Memory", array.chosen);
  return remark;
}

Refusal idleReason(const TransformedKernel &kernel) {
  const KernelModel &model = *kernel.model;
  if (StepResult fixed = mergeableWorkItems(kernel, 0))
    return *fixed;
  for (const Note &note : model.notes)
    if (note.ruleId == "clopt-non-affine-control")
      return refuse(note.ruleId, note.message, note.hint, note.range);
  return refuse("clopt-not-profitable", "no step is predicted to gain", "",
                model.function->range);
}

/// Emitted bodies begin with a comment that says so; optimizing them again
/// would only stack guards.
static bool isOwnOutput(const KernelModel &model) {
  const SourceRange &body = model.function->bodyRange;
  if (!body.isEditable())
    return false;
  const std::string &text = model.unit->text;
  size_t first =
      text.find_first_not_of(" \t\r\n", static_cast<size_t>(body.begin) + 1);
  // The flags it was written for.
  while (first != std::string::npos && text[first] == '#') {
    first = text.find('\n', first);
    while (first != std::string::npos && first > 0 && text[first - 1] == '\\')
      first = text.find('\n', first + 1);
    if (first != std::string::npos)
      first = text.find_first_not_of(" \t\r\n", first);
  }
  return first != std::string::npos &&
         text.compare(first, 21, "// Optimized by clopt") == 0;
}

std::optional<Refusal> untouchableReason(const KernelModel &model) {
  const Function &function = *model.function;
  if (isOwnOutput(model))
    return refuse("clopt-already-optimized", "the kernel was written by clopt",
                  "run clopt on the original", function.range);
  if (!function.isEditable)
    return refuse("clopt-macro-body",
                  "the kernel's body comes from a macro or an included file",
                  "", function.range);
  if (!function.configuration.problem.empty())
    return refuse("clopt-configuration", function.configuration.problem, "",
                  function.range);
  if (function.isCalled)
    return refuse("clopt-called-kernel",
                  "the kernel is called by another function", "",
                  function.range);
  if (function.hasGoto)
    return refuse("clopt-opaque-code", "the kernel uses goto", "",
                  function.range);
  return std::nullopt;
}

Refusal unmodelledReason(const KernelModel &model) {
  for (const Note &note : model.notes)
    if (model.isUntouchable &&
        (note.ruleId == "clopt-budget" || note.ruleId == "clopt-time-budget"))
      return refuse(note.ruleId, note.message,
                    note.ruleId == "clopt-budget" ? "raise --operation-budget"
                                                  : "raise --time-budget",
                    model.function->range);
  return refuse("clopt-opaque-code", "the kernel is not modelled", "",
                model.function->range);
}

} // namespace clopt
