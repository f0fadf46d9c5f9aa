//===- Remarks.cpp - what happened, in OpenCL's words ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was done by a step is said by Steps.def, or here where it depends on
// more than names.
//
// Tested by test/unit/PipelineTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Driver/Remarks.h"

#include "Analysis/access/LaneForms.h"
#include "Model/Control.h"
#include "Support/StepTable.h"
#include "Transform/Apply.h"

#include <map>
#include <set>

namespace clopt {

Remark remarkOn(const KernelModel &model, RemarkKind kind,
                const std::string &pass, const std::string &message) {
  Remark remark;
  remark.kind = kind;
  remark.pass = pass;
  remark.function = model.function->name;
  remark.location = model.function->range;
  remark.message = message;
  return remark;
}

void addNotes(const KernelModel &model, Result &result) {
  for (const Note &note : model.notes) {
    Remark remark =
        remarkOn(model, RemarkKind::Analysis, "model", note.message);
    remark.ruleId = note.ruleId;
    remark.location = note.range;
    remark.hint = note.hint;
    result.remarks.push_back(std::move(remark));
  }
}

Remark missedRemark(const KernelModel &model, const std::string &pass,
                    const Refusal &refusal) {
  Remark remark = remarkOn(model, RemarkKind::Missed, pass, refusal.message);
  remark.ruleId = refusal.ruleId;
  if (refusal.range.isValid())
    remark.location = refusal.range;
  remark.hint = refusal.hint;
  return remark;
}

static std::string join(const std::vector<StepTarget> &targets) {
  std::string text;
  for (const StepTarget &target : targets)
    text += (text.empty() ? "" : ", ") + target.name;
  return text;
}

static std::string isOrAre(const std::vector<StepTarget> &targets) {
  return targets.size() > 1 ? " are " : " is ";
}

static std::string axisText(const TransformedKernel &kernel,
                            const StepTarget &target) {
  AxisName axis = resolveAxis(*kernel.model, target.name);
  // Loops that have no axis are statements of the model as a whole.
  if (axis.loop || !axis.dim)
    return "iterations of " + target.name;
  return "work-items along " + target.name;
}

/// The number of the first target, as text.
static std::string countOf(const Step &step) {
  return std::to_string(step.targets.front().count.value_or(0));
}

static std::string describeCoarsen(const TransformedKernel &kernel,
                                   const Step &step) {
  const std::string count = countOf(step);
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
  std::optional<int64_t> below = step.parameter("below");
  if (!text.empty())
    text = "launches with at least " + text;
  if (below)
    text += (text.empty() ? "launches with " : ", in ") +
            std::string("groups of fewer than ") + std::to_string(*below) +
            (text.empty() ? "" : " of them");
  return text + " run what follows";
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

static std::string describeTiles(const TransformedKernel &kernel,
                                 const Step &step) {
  std::string text;
  for (const StepTarget &target : step.targets)
    text += (text.empty() ? "" : ", ") +
            std::to_string(target.count.value_or(0)) + " " +
            axisText(kernel, target);
  return text + " are one tile";
}

static std::string describeStrength(const TransformedKernel &,
                                    const Step &step) {
  if (step.hasFlag("rows"))
    return "loops have pointers to the rows of " + join(step.targets);
  return step.hasFlag("add")
             ? "subscripts of " + join(step.targets) + " advance by addition"
             : "index operations for " + join(step.targets) +
                   " are cheaper ones";
}

static std::string describeStage(const TransformedKernel &, const Step &step) {
  const std::string arrays = join(step.targets) + isOrAre(step.targets);
  if (step.hasFlag("constant"))
    return arrays + "read from constant memory";
  if (step.hasFlag("private"))
    return arrays + "kept in registers during each tile";
  if (step.hasFlag("converted"))
    return arrays + "converted and copied to local memory by the group";
  return arrays + "copied to local memory by the group";
}

static std::string describeRounds(const TransformedKernel &, const Step &step) {
  return join(step.targets) + " takes " + countOf(step) +
         " iterations at a time" +
         (step.hasFlag("together") ? ", the work-items of a group together"
                                   : "");
}

static std::string describeLayout(const TransformedKernel &kernel,
                                  const Step &step) {
  const std::string arrays = join(step.targets);
  if (step.hasFlag("buffer"))
    return arrays + " has another layout in a copy";
  if (step.hasFlag("image"))
    return arrays + " is read through an image";
  if (!step.hasFlag("local")) {
    bool isRead = false, isWritten = false;
    for (const StepTarget &target : step.targets)
      for (const Access &access : kernel.model->accesses)
        if (kernel.model->arrays[access.array].name == target.name)
          (access.isWrite ? isWritten : isRead) = true;
    return arrays +
           (!isWritten ? " is loaded whole and permuted in registers"
            : !isRead  ? " is permuted in registers and stored whole"
                       : " is loaded and stored whole, permuted in registers");
  }
  if (!step.changes.empty() && step.changes.front().name == "planes")
    return "each component of " + arrays +
           " has a plane of its own in local memory";
  if (isOwn(kernel, step.targets.front()))
    return arrays + " lies turned in local memory";
  return "sections of " + arrays + " lie turned in local memory";
}

static std::string describeUnroll(const TransformedKernel &kernel,
                                  const Step &step) {
  const StepTarget &first = step.targets.front();
  if (first.count)
    return countOf(step) + " " + axisText(kernel, first) + " per pass" +
           (step.hasFlag("pragma") ? ", by compilers" : "");
  return (step.targets.size() > 1 ? "loops " : "loop ") + join(step.targets) +
         isOrAre(step.targets) +
         (step.hasFlag("pragma") ? "for compilers to write out"
                                 : "written out");
}

static std::string describeInterchange(const TransformedKernel &kernel,
                                       const Step &step) {
  const bool isLoops =
      resolveAxis(*kernel.model, step.targets.front().name).loop.has_value();
  return isLoops ? "the loops " + join(step.targets) + " change places"
                 : "neighbouring work-items lie along another one of " +
                       join(step.targets);
}

/// Lanes are called vectors where a statement is one.
static std::string describeVectorize(const TransformedKernel &kernel,
                                     const Step &step) {
  const StepTarget &first = step.targets.front();
  const KernelModel &model = *kernel.model;
  const AxisName name = resolveAxis(model, first.name);
  std::optional<LaneAxis> axis;
  const ScheduleNode *region = &kernel.tree;
  const unsigned lanes = static_cast<unsigned>(first.count.value_or(1));
  if (name.loop) {
    const Loop &loop = model.loops[*name.loop];
    axis = {loop.iterator, loop.step, lanes};
    region = findLoop(kernel.tree, *name.loop);
  } else if (name.dim) {
    if (auto id = model.symbols.find(SymbolKind::GlobalId, *name.dim))
      axis = {*id, 1, lanes};
  }
  const bool areVectors =
      !axis || !region || hasVectors(kernel, *region, *axis);
  return countOf(step) + " " + axisText(kernel, first) +
         (areVectors ? " run as one vector" : " run one after the other");
}

/// The remark of the table with names and numbers in their places.
static std::string filledIn(const TransformedKernel &kernel, const Step &step,
                            std::string text) {
  auto fill = [&](const std::string &place, const std::string &value) {
    if (size_t at = text.find(place); at != std::string::npos)
      text.replace(at, place.size(), value);
  };
  fill("{targets}", join(step.targets));
  fill(" {is} ", isOrAre(step.targets));
  fill("{count}", countOf(step));
  fill("{axis}", axisText(kernel, step.targets.front()));
  return text;
}

std::string describeStep(const TransformedKernel &kernel, const Step &step) {
  const StepInfo *info = findStep(step.name);
  if (info && info->targets == StepTargets::Nothing)
    return info->remark;
  if (info && !info->remark.empty())
    return filledIn(kernel, step, info->remark);
  using Describe = std::string (*)(const TransformedKernel &, const Step &);
  static const std::map<std::string, Describe> texts = {
      {"coarsen", describeCoarsen},         {"hoist", describeHoist},
      {"layout", describeLayout},           {"require", describeLaunches},
      {"rounds", describeRounds},           {"stage", describeStage},
      {"strength", describeStrength},       {"tile", describeTiles},
      {"interchange", describeInterchange}, {"unroll", describeUnroll},
      {"vectorize", describeVectorize}};
  auto text = texts.find(step.name);
  return text == texts.end() ? step.name : text->second(kernel, step);
}

static std::vector<std::string> describeSteps(const TransformedKernel &kernel,
                                              llvm::ArrayRef<Step> steps) {
  static const std::set<std::string> joined = {"privatize", "require", "stage",
                                               "tile", "unroll"};
  std::vector<std::string> texts;
  for (size_t i = 0; i < steps.size();) {
    Step step = steps[i++];
    auto isSame = [&](const Step &next) {
      if (!joined.count(step.name) || next.name != step.name)
        return false;
      if (step.name == "unroll" &&
          (step.targets.front().count || next.targets.front().count))
        return false;
      return next.flags == step.flags &&
             (next.parameters.empty() || step.parameters.empty());
    };
    for (; i < steps.size() && isSame(steps[i]); ++i) {
      step.targets.insert(step.targets.end(), steps[i].targets.begin(),
                          steps[i].targets.end());
      step.parameters.insert(step.parameters.end(), steps[i].parameters.begin(),
                             steps[i].parameters.end());
    }
    texts.push_back(describeStep(kernel, step));
  }
  return texts;
}

static bool startsVersion(const Step &step) { return step.name == "otherwise"; }

static void addComments(TransformedKernel &kernel, llvm::ArrayRef<Step> steps) {
  const auto *end = llvm::find_if(steps, startsVersion);
  const auto own = static_cast<size_t>(end - steps.begin());
  kernel.comments = describeSteps(kernel, steps.take_front(own));
  if (!kernel.otherwise || end == steps.end())
    return;
  TransformedKernel next = *kernel.otherwise;
  addComments(next, steps.drop_front(own + 1));
  kernel.otherwise = std::make_shared<const TransformedKernel>(std::move(next));
}

void addComments(TransformedKernel &kernel, const std::vector<Step> &steps) {
  addComments(kernel, llvm::ArrayRef<Step>(steps));
}

std::vector<Remark> passedRemarks(const TransformedKernel &kernel,
                                  const std::vector<Step> &steps) {
  std::vector<Remark> remarks;
  const TransformedKernel *version = &kernel;
  for (const Step &step : steps) {
    remarks.push_back(passedRemark(*version, step));
    if (startsVersion(step) && version->otherwise)
      version = version->otherwise.get();
  }
  return remarks;
}

Remark passedRemark(const TransformedKernel &kernel, const Step &step) {
  Remark remark = remarkOn(*kernel.model, RemarkKind::Passed, step.name,
                           describeStep(kernel, step));
  remark.ruleId = "clopt-" + step.name;
  AxisName axis;
  if (!step.targets.empty())
    axis = resolveAxis(*kernel.model, step.targets.front().name);
  if (axis.loop && kernel.model->loops[*axis.loop].stmt)
    remark.location = kernel.model->loops[*axis.loop].stmt->range;
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
  Remark remark =
      remarkOn(model, RemarkKind::Analysis, "placement",
               array.array + " suits " + array.chosen +
                   " memory: " + std::to_string(array.chosenClocks) +
                   " clocks instead of " + std::to_string(array.clocks));
  remark.hint = hostHint(array);
  remark.args.emplace_back("Array", array.array);
  remark.args.emplace_back("Memory", array.chosen);
  return remark;
}

static std::string counted(size_t count, const std::string &noun,
                           const std::string &plural) {
  return count == 0
             ? "no " + noun
             : std::to_string(count) + " " + (count == 1 ? noun : plural);
}

/// The accesses and loops that were looked at.
static std::string lookedAt(const KernelModel &model,
                            const KernelReport &report) {
  const size_t all = report.accesses.size();
  const size_t apart = static_cast<size_t>(std::count_if(
      report.accesses.begin(), report.accesses.end(),
      [](const AccessReport &access) { return !access.ruleId.empty(); }));
  std::string text =
      counted(all, "access to global memory", "accesses to global memory");
  if (apart != 0)
    text += ", " + std::to_string(apart) + " not side by side";
  else if (all != 0)
    text += all == 1 ? ", side by side or one for all"
                     : ", all side by side or one for all";
  // Statements that are kept whole have loops of their own.
  size_t kept = 0;
  for (const Statement &statement : model.statements)
    if (statement.stmt)
      forEachStmt(StmtRef(StmtRef(), statement.stmt),
                  [&](const StmtRef &stmt) { kept += isLoop(*stmt); });
  text += "; " + counted(model.loops.size() + kept, "loop", "loops");
  if (kept != 0)
    text += ", " + (model.loops.empty() ? "all" : std::to_string(kept)) +
            " kept as written";
  if (model.usesImages)
    text += "; images are read as they are";
  return text;
}

Refusal idleReason(const TransformedKernel &kernel, const KernelReport &report,
                   const std::string &target) {
  const KernelModel &model = *kernel.model;
  if (StepResult fixed = mergeableWorkItems(kernel, 0))
    return *fixed;
  for (const Note &note : model.notes)
    if (note.ruleId == "clopt-non-affine-control")
      return refuse(note.ruleId, note.message, note.hint, note.range);
  const bool isApart = std::any_of(
      report.accesses.begin(), report.accesses.end(),
      [](const AccessReport &access) { return !access.ruleId.empty(); });
  return refuse("clopt-not-profitable",
                "no step is predicted to gain on '" + target +
                    "': " + lookedAt(model, report),
                isApart ? "'clopt check' says what would help the accesses"
                        : "--recipe takes steps unasked; 'clopt ladder' shows "
                          "what each gains on a device",
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

std::optional<Refusal> ownOutputReason(const KernelModel &model) {
  if (!isOwnOutput(model))
    return std::nullopt;
  return refuse("clopt-already-optimized", "the kernel was written by clopt",
                "run clopt on the original", model.function->range);
}

std::optional<Refusal> untouchableReason(const KernelModel &model) {
  const Function &function = *model.function;
  if (std::optional<Refusal> reason = ownOutputReason(model))
    return reason;
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

Diagnostic plainError(const std::string &message) {
  Diagnostic diagnostic;
  diagnostic.message = message;
  return diagnostic;
}

Diagnostic errorInRecipe(const RecipeError &error, const Options &options) {
  Diagnostic diagnostic = plainError(error.message);
  diagnostic.location.file = options.recipeName;
  diagnostic.location.line = error.line;
  diagnostic.location.column = error.column;
  return diagnostic;
}

} // namespace clopt
