//===- Apply.cpp - carry out a recipe, step by step -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves the names of a step and calls the function that takes it. A step
// with several targets is taken whole or not at all.
//
// Tested by test/unit/ApplyTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Apply.h"

#include "Analysis/SharedLoops.h"
#include "Analysis/StrideLoops.h"
#include "Model/IdNames.h"
#include "Model/Operations.h"
#include "Support/Suggest.h"
#include "Transform/Hoist.h"
#include "Transform/Layout.h"
#include "Transform/Stager.h"
#include "Transform/Strength.h"

namespace clopt {

std::optional<TransformedKernel> startTransforming(const KernelModel &model) {
  if (model.isUntouchable)
    return std::nullopt;
  std::optional<ScheduleNode> tree = readSchedule(model);
  if (!tree)
    return std::nullopt;
  TransformedKernel kernel;
  kernel.model = &model;
  kernel.tree = std::move(*tree);
  return kernel;
}

StepResult shareLoops(TransformedKernel &kernel, AliasMode alias) {
  const KernelModel &model = *kernel.model;
  if (model.ndrange.mapped.empty())
    return std::nullopt;
  std::set<unsigned> touched, written;
  for (const Access &access : model.accesses) {
    if (model.arrays[access.array].space == AddressSpace::Private)
      continue;
    touched.insert(access.array);
    if (access.isWrite)
      written.insert(access.array);
  }
  for (unsigned first : written)
    for (unsigned second : touched)
      if (first != second)
        if (StepResult refusal = requireDisjoint(kernel, first, second, alias))
          return refusal;
  for (unsigned i = 0; i < model.assumptions.size(); ++i) {
    const Assumption &assumption = model.assumptions[i];
    if (assumption.kind == Assumption::Kind::Subscript &&
        assumption.array >= 0 &&
        touched.count(static_cast<unsigned>(assumption.array)))
      kernel.usedAssumptions.insert(i);
  }
  return std::nullopt;
}

std::string axisName(const KernelModel &model, unsigned dim) {
  if (const MappedDimension *mapped = model.ndrange.findMapped(dim))
    return model.loops[mapped->loop].name;
  if (const Variable *variable = idVariable(model, dim))
    if (!model.findLoop(variable->name))
      return variable->name;
  if (const Variable *variable = shiftedIdVariable(model, dim))
    return variable->name;
  return (model.ndrange.split[dim] ? "g" : "w") + std::to_string(dim);
}

AxisName resolveAxis(const KernelModel &model, const std::string &name) {
  AxisName axis;
  axis.loop = model.findLoop(name);
  for (const MappedDimension &mapped : model.ndrange.mapped)
    if (axis.loop == mapped.loop) {
      axis.loop = std::nullopt;
      axis.dim = mapped.dim;
      return axis;
    }
  if (axis.loop)
    return axis;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (dim < model.ndrange.rank &&
        (name == "w" + std::to_string(dim) || name == axisName(model, dim)))
      axis.dim = dim;
  return axis;
}

/// What a target can be called.
static std::vector<std::string> knownNames(const KernelModel &model,
                                           bool areArrays) {
  std::vector<std::string> names;
  if (areArrays) {
    for (const Array &array : model.arrays)
      names.push_back(array.name);
    return names;
  }
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim)
    names.push_back(axisName(model, dim));
  for (const Loop &loop : model.loops)
    names.push_back(loop.name);
  return names;
}

/// True for `for (int k = ...` and `for (k = ...`.
static bool countsWith(const Stmt &stmt, const std::string &name) {
  if (stmt.kind != StmtKind::For || !stmt.init)
    return false;
  const Stmt &init = stmt.init->kind == StmtKind::Group
                         ? *stmt.init->children.front()
                         : *stmt.init;
  if (init.kind == StmtKind::Decl)
    return init.var && init.var->name == name;
  const Expr *assign = init.expr.get();
  return assign && assign->kind == ExprKind::Assign &&
         assign->operands[0]->kind == ExprKind::VarRef &&
         assign->operands[0]->var->name == name;
}

/// Why a loop of the program is no loop of the model.
static StepResult unanalysedLoop(const KernelModel &model,
                                 const std::string &name) {
  for (const Statement &statement : model.statements) {
    const Stmt *loop = nullptr;
    forEachStmt(StmtRef(StmtRef(), statement.stmt), [&](const StmtRef &stmt) {
      if (!loop && countsWith(*stmt, name))
        loop = stmt.get();
    });
    if (!loop)
      continue;
    for (const Note &note : model.notes) {
      bool isAround = note.range.begin >= statement.stmt->range.begin &&
                      note.range.begin < loop->range.end;
      bool isCause = note.ruleId == "clopt-non-affine-control" ||
                     note.ruleId == "clopt-opaque-code";
      if (isAround && isCause)
        return refuse(note.ruleId,
                      "the loop '" + name +
                          "' is not analysed: " + note.message,
                      note.hint, note.range);
    }
    return refuse("clopt-non-affine-control",
                  "the loop '" + name +
                      "' is part of code that is one "
                      "statement to the analysis",
                  "", loop->range);
  }
  return std::nullopt;
}

static Refusal unknownName(const KernelModel &model, const std::string &name,
                           const std::string &what) {
  bool areArrays = what.rfind("array", 0) == 0;
  AxisName axis = resolveAxis(model, name);
  if (!areArrays && (axis.loop || axis.dim))
    return refuse("", "'" + name + "' is a " +
                          (axis.loop ? "loop" : "work-item dimension") +
                          ", not a " + what);
  if (!areArrays)
    if (StepResult reason = unanalysedLoop(model, name))
      return *reason;
  return refuse("", "kernel '" + model.function->name + "' has no " + what +
                        " '" + name + "'" +
                        didYouMean(name, knownNames(model, areArrays)));
}

static StepResult privatizeOutermost(TransformedKernel &kernel, unsigned array,
                                     AliasMode alias) {
  StepResult first = privatize(kernel, array, std::nullopt, alias);
  if (!first)
    return std::nullopt;
  for (unsigned loop : loopsBelow(kernel.tree))
    if (!privatize(kernel, array, loop, alias))
      return std::nullopt;
  return first;
}

static bool isExchange(const DataSpace &space) {
  return space.list().size() == 1 &&
         space.list().front().kind == LayoutPart::Kind::Exchange;
}

static StepResult applyLayout(TransformedKernel &kernel, const Step &step,
                              unsigned array) {
  if (step.hasFlag("buffer") || step.hasFlag("image"))
    return refuse("", "'" + step.flags.front() +
                          "' is for the plan: write it below 'kernel " +
                          kernel.model->function->name + " plan'");
  const bool isOwn = isOwnLocalArray(kernel.model->arrays[array]);
  const bool isPlanes =
      step.changes.size() == 1 && step.changes.front().name == "planes";
  if (isPlanes &&
      (!step.hasFlag("local") || !step.changes.front().numbers.empty()))
    return refuse("", "'planes' is for vectors in local memory: write 'planes "
                      "local'");
  if (isPlanes)
    return isOwn ? layoutOwnLocal(kernel, array, LocalLayout::Kind::Planes)
                 : planesInLocalMemory(kernel, array);
  std::optional<DataSpace> space =
      dataSpaceOf(step.changes, kernel.model->arrays[array].rank);
  if (!space)
    return refuse("", "'" + kernel.model->arrays[array].name + "' has " +
                          std::to_string(kernel.model->arrays[array].rank) +
                          " dimensions, which is not what the layout is for");
  if (step.hasFlag("local") && isOwn) {
    if (!isExchange(*space))
      return refuse("clopt-not-profitable",
                    "local arrays can be transposed, nothing else");
    return layoutOwnLocal(kernel, array, LocalLayout::Kind::Turned);
  }
  if (step.hasFlag("local"))
    return layoutInLocalMemory(kernel, array, *space);
  if (!space->isIdentity())
    return refuse("", "in registers the pattern of an access says how it is "
                      "permuted");
  return layoutInRegisters(kernel, array);
}

static StepResult applyToArray(TransformedKernel &kernel, const Step &step,
                               const StepTarget &target, AliasMode alias) {
  const KernelModel &model = *kernel.model;
  std::optional<unsigned> array = model.findArray(target.name);
  if (step.name == "hoist" && !array)
    if (std::optional<unsigned> loop = resolveAxis(model, target.name).loop)
      return hoistValues(kernel, *loop, alias);
  if (!array)
    return unknownName(model, target.name, "array");
  if (step.name == "hoist")
    return hoist(kernel, *array, alias);
  if (step.name == "layout")
    return applyLayout(kernel, step, *array);
  if (step.name == "stage" && step.hasFlag("constant") &&
      model.arrays[*array].space == AddressSpace::Private)
    return stageConstantTable(kernel, *array);
  if (step.name == "stage" && step.hasFlag("constant"))
    return refuse("", "'constant' is for the plan, which knows how large the "
                      "buffer is: write it below 'kernel " +
                          model.function->name + " plan'");
  if (step.name == "stage" && step.hasFlag("private")) {
    if (step.hasFlag("converted"))
      return refuse("clopt-not-profitable",
                    "registers hold cells as they are in memory");
    return stagePrivately(kernel, *array, alias);
  }
  if (step.name == "stage")
    return stageArray(kernel, *array,
                      static_cast<unsigned>(step.parameter("pad").value_or(0)),
                      alias, step.hasFlag("converted"));
  if (step.name == "pad")
    return pad(kernel, *array, target.count.value_or(1),
               step.parameter("every").value_or(32));
  return privatizeOutermost(kernel, *array, alias);
}

/// Targets are arrays, or variables, for the values of which a step is.
static StepResult applyToValues(TransformedKernel &kernel, const Step &step,
                                const StepTarget &target) {
  const KernelModel &model = *kernel.model;
  bool isVariable = false;
  for (const auto &variable : model.function->variables)
    isVariable |= variable->name == target.name;
  if (!isVariable && !model.findArray(target.name))
    return unknownName(model, target.name, "array or variable");
  if (step.hasFlag("add")) {
    std::optional<unsigned> array = model.findArray(target.name);
    return array && model.arrays[*array].space != AddressSpace::Private
               ? advanceSubscripts(kernel, *array)
               : unknownName(model, target.name, "array in memory");
  }
  if (step.name == "strength")
    return reduceStrength(kernel, target.name, step.hasFlag("mul24"));
  return selectBranches(kernel, target.name);
}

/// The target is a loop, also one with bounds that depend on data.
static StepResult applySplit(TransformedKernel &kernel,
                             const StepTarget &target, AliasMode alias) {
  const KernelModel &model = *kernel.model;
  SharedLoop loop;
  loop.lanes = static_cast<unsigned>(target.count.value_or(0));
  if (!target.count)
    return refuse("",
                  "'split-reduction' needs a number: '" + target.name + ":32'");
  for (const auto &[name, statement] : dataDependentLoops(model))
    if (name == target.name) {
      loop.statement = statement;
      return splitReduction(kernel, loop, alias);
    }
  loop.loop = resolveAxis(model, target.name).loop;
  if (!loop.loop)
    return unknownName(model, target.name, "loop");
  return splitReduction(kernel, loop, alias);
}

/// The statement that is the loop of this name, in steps of the launch's size.
static std::optional<unsigned> findStride(const KernelModel &model,
                                          const std::string &name) {
  for (const auto &[loop, statement] : strideLoops(model))
    if (loop == name)
      return statement;
  return std::nullopt;
}

static StepResult applyRounds(TransformedKernel &kernel, const Step &step,
                              const StepTarget &target) {
  std::optional<unsigned> statement = findStride(*kernel.model, target.name);
  if (!statement)
    return unknownName(*kernel.model, target.name,
                       "loop in steps of the launch's size");
  if (!target.count)
    return refuse("", "'rounds' needs a number: '" + target.name + ":4'");
  RoundLoop loop;
  loop.statement = *statement;
  loop.count = static_cast<unsigned>(*target.count);
  loop.isTogether = step.hasFlag("together");
  return takeRounds(kernel, loop);
}

static StepResult applyToAxis(TransformedKernel &kernel, const Step &step,
                              const StepTarget &target, AliasMode alias) {
  const KernelModel &model = *kernel.model;
  if (step.name == "require" && target.count && !kernel.rounds.empty())
    if (std::optional<unsigned> statement = findStride(model, target.name))
      return requireStrideIterations(kernel, *statement,
                                     static_cast<unsigned>(*target.count));
  AxisName axis = resolveAxis(model, target.name);
  unsigned count = static_cast<unsigned>(target.count.value_or(0));
  if (!axis.loop && !axis.dim)
    return unknownName(model, target.name, "loop or work-item dimension");
  if (step.name == "unroll") {
    if (!axis.loop)
      return unknownName(model, target.name, "loop");
    return unroll(kernel, *axis.loop, count);
  }
  const MappedDimension *shared =
      axis.dim ? model.ndrange.findMapped(*axis.dim) : nullptr;
  bool isShared = shared && shared->isLaunched;
  if (step.name == "require" && !axis.loop && !isShared)
    return unknownName(model, target.name, "loop");
  if (step.name == "map") {
    if (!axis.loop)
      return unknownName(model, target.name, "loop");
    return mapLoop(kernel, *axis.loop, !step.hasFlag("slow"), alias);
  }
  if (!target.count)
    return refuse("", "'" + step.name + "' needs a number: '" + target.name +
                          ":4'");
  if (step.name == "require")
    return requireIterations(kernel, isShared ? shared->loop : *axis.loop,
                             count);
  if (step.name == "vectorize" && step.hasFlag("aligned")) {
    if (axis.loop)
      return refuse("", "'aligned' is for dimensions of the NDRange");
    if (StepResult refusal = vectorizeWork(kernel, *axis.dim, count))
      return refusal;
    return alignAccesses(kernel, *axis.dim);
  }
  if (step.name == "vectorize")
    return axis.loop ? vectorizeLoop(kernel, *axis.loop, count, alias)
                     : vectorizeWork(kernel, *axis.dim, count);
  if (step.name == "tile")
    return axis.loop ? tileLoop(kernel, *axis.loop, count)
                     : tileWork(kernel, *axis.dim, count);
  if (!axis.dim)
    return unknownName(model, target.name, "work-item dimension");
  return coarsen(kernel, *axis.dim, count, step.hasFlag("stride"));
}

static StepResult applyParameters(TransformedKernel &kernel, const Step &step) {
  for (const auto &[key, value] : step.parameters) {
    if ((step.name == "stage" && key == "pad") ||
        (step.name == "pad" && key == "every"))
      continue;
    if (step.name == "require" && key == "items") {
      if (StepResult refusal =
              requireWorkItems(kernel, static_cast<uint64_t>(value)))
        return refusal;
      continue;
    }
    if (step.name == "require" && key == "group") {
      if (StepResult refusal =
              requireGroupSize(kernel, static_cast<unsigned>(value)))
        return refusal;
      continue;
    }
    bool known = step.name == "vectorize" && key == "load";
    if (!known)
      return refuse("",
                    "step '" + step.name + "' has no parameter '" + key + "'");
    if (value != 1 && value != 2 && value != 4 && value != 8 && value != 16)
      return refuse("", "'load' must be 1, 2, 4, 8 or 16");
    kernel.loadLanes = static_cast<unsigned>(value);
  }
  return std::nullopt;
}

static StepResult applyToTarget(TransformedKernel &kernel, const Step &step,
                                const StepTarget &target, AliasMode alias) {
  if (step.name == "privatize" || step.name == "layout" ||
      step.name == "stage" || step.name == "pad" || step.name == "hoist")
    return applyToArray(kernel, step, target, alias);
  if (step.name == "select" || step.name == "strength")
    return applyToValues(kernel, step, target);
  if (step.name == "split-reduction")
    return applySplit(kernel, target, alias);
  if (step.name == "rounds")
    return applyRounds(kernel, step, target);
  return applyToAxis(kernel, step, target, alias);
}

/// Steps that deal with launched groups know nothing of mapped loops, and `map`
/// nothing of values that are loaded ahead.
static StepResult checkMapped(const TransformedKernel &kernel,
                              const Step &step) {
  const KernelModel &model = *kernel.model;
  for (const MappedDimension &mapped : model.ndrange.mapped)
    if (step.name == "map" && mapped.isLaunched)
      return refuse("clopt-group-shape",
                    "the loop '" + model.loops[mapped.loop].name +
                        "' is a dimension of the virtual NDRange");
  for (const PrivateCopy &copy : kernel.privates)
    if (step.name == "map" && (copy.window || copy.within || copy.isHoisted))
      return refuse("clopt-dependence",
                    "'" + model.arrays[copy.array].name +
                        "' is loaded ahead for the loops as they are",
                    "write the step earlier");
  bool needsGroups = step.name == "tile" || step.name == "stage" ||
                     step.name == "select" || step.name == "pad" ||
                     step.hasFlag("aligned");
  if (model.ndrange.mapped.empty() || !needsGroups)
    return std::nullopt;
  return refuse("clopt-group-shape",
                "the loop '" +
                    model.loops[model.ndrange.mapped.front().loop].name +
                    "' is a dimension of the virtual NDRange");
}

/// What other steps do to loops and work-items was not made for several
/// work-items in the place of one.
static StepResult checkShared(const TransformedKernel &kernel,
                              const Step &step) {
  if (!kernel.sharesWork() || step.name == "split-reduction" ||
      step.name == "strength")
    return std::nullopt;
  return refuse("clopt-dependence",
                "work-items share the iterations of a loop already",
                "write the step earlier");
}

/// Rounds are written from the tree of the program: nothing else may have been
/// made of what is in them, and their barriers are for the launch as it is.
static StepResult checkRounds(const TransformedKernel &kernel,
                              const Step &step) {
  bool isApart = step.name == "rounds" || step.name == "require" ||
                 step.name == "pad" || step.name == "unroll";
  if (kernel.rounds.empty() || isApart)
    return std::nullopt;
  return refuse("clopt-dependence", "a loop has rounds already",
                "write the step earlier");
}

/// The targets are two loops.
static StepResult applyInterchange(TransformedKernel &kernel, const Step &step,
                                   AliasMode alias) {
  const KernelModel &model = *kernel.model;
  std::vector<unsigned> loops;
  for (const StepTarget &target : step.targets) {
    AxisName axis = resolveAxis(model, target.name);
    if (!axis.loop)
      return unknownName(model, target.name, "loop");
    if (target.count)
      return refuse("", "'interchange' takes no numbers");
    loops.push_back(*axis.loop);
  }
  if (loops.size() != 2)
    return refuse("", "'interchange' needs two loops");
  return interchangeLoops(kernel, loops[0], loops[1], alias);
}

/// The targets with their sizes, outermost first, when they are two or more
/// loops one inside the other; else nothing.
static std::vector<std::pair<unsigned, unsigned>>
nestOf(const TransformedKernel &kernel, const Step &step) {
  std::vector<std::pair<unsigned, unsigned>> nest;
  for (unsigned loop : loopsBelow(kernel.tree))
    for (const StepTarget &target : step.targets)
      if (resolveAxis(*kernel.model, target.name).loop == loop && target.count)
        nest.emplace_back(loop, static_cast<unsigned>(*target.count));
  bool isNest = nest.size() == step.targets.size() && nest.size() > 1;
  for (size_t i = 1; isNest && i < nest.size(); ++i)
    isNest = nest[i].first != nest[i - 1].first &&
             findLoop(*findLoop(kernel.tree, nest[i - 1].first), nest[i].first);
  if (!isNest)
    nest.clear();
  return nest;
}

static StepResult applyTargets(TransformedKernel &kernel, const Step &step,
                               AliasMode alias) {
  if (StepResult refusal = checkMapped(kernel, step))
    return refusal;
  if (StepResult refusal = checkShared(kernel, step))
    return refusal;
  if (StepResult refusal = checkRounds(kernel, step))
    return refusal;
  TransformedKernel trial = kernel;
  std::vector<std::pair<unsigned, unsigned>> nest;
  if (step.name == "tile")
    nest = nestOf(kernel, step);
  if (step.name == "interchange") {
    if (StepResult refusal = applyInterchange(trial, step, alias))
      return refusal;
  } else if (!nest.empty()) {
    if (StepResult refusal = tileNest(trial, nest, alias))
      return refusal;
  } else {
    for (const StepTarget &target : step.targets)
      if (StepResult refusal = applyToTarget(trial, step, target, alias))
        return refusal;
  }
  if (StepResult refusal = applyParameters(trial, step))
    return refusal;
  kernel = std::move(trial);
  return std::nullopt;
}

StepResult applyStep(TransformedKernel &kernel, const Step &step,
                     AliasMode alias) {
  OperationLimit limit(kernel.model->context.get(), kernel.operationsPerStep);
  try {
    return applyTargets(kernel, step, alias);
  } catch (const isl::exception &) {
    // isl reports a spent budget here as such, or as a missing value.
    return refuse("clopt-budget", "the step exceeded its budget",
                  "raise --operation-budget", kernel.model->function->range);
  }
}

} // namespace clopt
