//===- Apply.cpp - carry out a recipe, step by step -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function takes a step is said by Steps.def; those here resolve names
// and numbers (StepNames.h) and leave the work to the files of the steps. A
// step with several targets is taken whole or not at all.
//
// Tested by test/unit/ApplyTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Apply.h"

#include "Analysis/dependence/CooperativeReductions.h"
#include "Analysis/dependence/StrideLoops.h"
#include "Model/Operations.h"
#include "Support/StepTable.h"
#include "Transform/StepNames.h"
#include "Transform/steps/Hoist.h"
#include "Transform/steps/Layout.h"
#include "Transform/steps/Stager.h"
#include "Transform/steps/Strength.h"
#include "Transform/tree/GroupLoops.h"

namespace clopt {

std::optional<TransformedKernel> startTransforming(const KernelModel &model) {
  if (model.isUntouchable)
    return std::nullopt;
  std::optional<ScheduleNode> tree = readSchedule(model);
  if (!tree)
    return std::nullopt;
  TransformedKernel kernel;
  kernel.model = kernel.original = &model;
  kernel.tree = std::move(*tree);
  return kernel;
}

std::optional<TransformedKernel>
startAgain(const TransformedKernel &kernel,
           const std::shared_ptr<const KernelModel> &made) {
  std::optional<TransformedKernel> fresh = startTransforming(*made);
  if (!fresh)
    return std::nullopt;
  fresh->ownModel = made;
  fresh->original = kernel.original;
  fresh->operationsPerStep = kernel.operationsPerStep;
  return fresh;
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
  useSubscripts(kernel, touched);
  return std::nullopt;
}

//===-- The steps ---------------------------------------------------------===//

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

StepResult applyPrivatize(TransformedKernel &kernel, const Step &step,
                          AliasMode alias) {
  return forEachArray(kernel, step, [&](const StepTarget &, unsigned array) {
    return privatizeOutermost(kernel, array, alias);
  });
}

static bool isExchange(const DataSpace &space) {
  return space.list().size() == 1 &&
         space.list().front().kind == LayoutPart::Kind::Exchange;
}

static StepResult layoutArray(TransformedKernel &kernel, const Step &step,
                              unsigned array, AliasMode alias) {
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
    return layoutOwnLocal(kernel, array, LocalLayout::Kind::Transposed);
  }
  if (step.hasFlag("local"))
    return layoutInLocalMemory(kernel, array, *space);
  if (!space->isIdentity())
    return refuse("", "in registers the pattern of an access says how it is "
                      "permuted");
  return layoutInRegisters(kernel, array, alias);
}

StepResult applyLayout(TransformedKernel &kernel, const Step &step,
                       AliasMode alias) {
  StepResult taken =
      forEachArray(kernel, step, [&](const StepTarget &, unsigned array) {
        return layoutArray(kernel, step, array, alias);
      });
  if (taken || step.parameters.empty())
    return taken;
  // They are for buffers and images.
  return refuse("", "step 'layout' has no parameter '" +
                        step.parameters.front().first + "'");
}

StepResult applyHoist(TransformedKernel &kernel, const Step &step,
                      AliasMode alias) {
  return forEachTarget(step, [&](const StepTarget &target) {
    const KernelModel &model = *kernel.model;
    if (!model.findArray(target.name))
      if (std::optional<unsigned> loop = resolveAxis(model, target.name).loop)
        return hoistValues(kernel, *loop, alias);
    unsigned array;
    if (StepResult refusal = resolveArray(model, target, array))
      return refusal;
    return hoist(kernel, array, alias);
  });
}

static StepResult stageTarget(TransformedKernel &kernel, const Step &step,
                              unsigned array, AliasMode alias) {
  const KernelModel &model = *kernel.model;
  if (step.hasFlag("constant") &&
      model.arrays[array].space == AddressSpace::Private)
    return stageConstantTable(kernel, array);
  if (step.hasFlag("constant"))
    return refuse("", "'constant' is for the plan, which knows how large the "
                      "buffer is: write it below 'kernel " +
                          model.function->name + " plan'");
  if (step.hasFlag("private")) {
    if (step.hasFlag("converted"))
      return refuse("clopt-not-profitable",
                    "registers hold cells as they are in memory");
    return stagePrivately(kernel, array, alias);
  }
  return stageArray(kernel, array,
                    static_cast<unsigned>(step.parameter("pad").value_or(0)),
                    alias, step.hasFlag("converted"));
}

StepResult applyStage(TransformedKernel &kernel, const Step &step,
                      AliasMode alias) {
  return forEachArray(kernel, step, [&](const StepTarget &, unsigned array) {
    return stageTarget(kernel, step, array, alias);
  });
}

StepResult applyPad(TransformedKernel &kernel, const Step &step, AliasMode) {
  return forEachArray(kernel, step,
                      [&](const StepTarget &target, unsigned array) {
                        return pad(kernel, array, target.count.value_or(1),
                                   step.parameter("every").value_or(32));
                      });
}

StepResult applyForward(TransformedKernel &kernel, const Step &step,
                        AliasMode alias) {
  std::set<unsigned> arrays;
  if (StepResult refusal = forEachArray(
          kernel, step, [&](const StepTarget &, unsigned array) -> StepResult {
            arrays.insert(array);
            return std::nullopt;
          }))
    return refusal;
  return forward(kernel, arrays, alias);
}

/// The target is an array or a variable.
static StepResult needValue(const KernelModel &model,
                            const StepTarget &target) {
  bool isVariable = false;
  for (const auto &variable : model.function->variables)
    isVariable |= variable->name == target.name;
  if (!isVariable && !model.findArray(target.name))
    return unknownName(model, target.name, "array or variable");
  return std::nullopt;
}

StepResult applySelect(TransformedKernel &kernel, const Step &step, AliasMode) {
  return forEachTarget(step, [&](const StepTarget &target) {
    if (StepResult refusal = needValue(*kernel.model, target))
      return refusal;
    return selectBranches(kernel, target.name);
  });
}

StepResult applyStrength(TransformedKernel &kernel, const Step &step,
                         AliasMode) {
  return forEachTarget(step, [&](const StepTarget &target) -> StepResult {
    const KernelModel &model = *kernel.model;
    if (StepResult refusal = needValue(model, target))
      return refusal;
    bool advances = step.hasFlag("add");
    if (!advances && !step.hasFlag("rows"))
      return reduceStrength(kernel, target.name, step.hasFlag("mul24"));
    std::optional<unsigned> array = model.findArray(target.name);
    if (!array || model.arrays[*array].space == AddressSpace::Private)
      return unknownName(model, target.name, "array in memory");
    return advances ? advanceSubscripts(kernel, *array)
                    : pointToRows(kernel, *array);
  });
}

StepResult applySplitReduction(TransformedKernel &kernel, const Step &step,
                               AliasMode alias) {
  return forEachTarget(step, [&](const StepTarget &target) {
    const KernelModel &model = *kernel.model;
    CooperativeReduction loop;
    if (StepResult refusal = needNumber(step, target, 32))
      return refusal;
    loop.lanes = static_cast<unsigned>(*target.count);
    for (const auto &[name, statement] : dataDependentLoops(model))
      if (name == target.name) {
        loop.statement = statement;
        return splitReduction(kernel, loop, alias);
      }
    unsigned index;
    if (StepResult refusal = resolveLoop(model, target, index))
      return refusal;
    loop.loop = index;
    return splitReduction(kernel, loop, alias);
  });
}

/// The statement that is the loop of this name, in steps of the launch's size.
static std::optional<unsigned> findStride(const KernelModel &model,
                                          const std::string &name) {
  for (const auto &[loop, statement] : strideLoops(model))
    if (loop == name)
      return statement;
  return std::nullopt;
}

StepResult applyRounds(TransformedKernel &kernel, const Step &step, AliasMode) {
  return forEachTarget(step, [&](const StepTarget &target) -> StepResult {
    std::optional<unsigned> statement = findStride(*kernel.model, target.name);
    if (!statement)
      return unknownName(*kernel.model, target.name,
                         "loop in steps of the launch's size");
    if (StepResult refusal = needNumber(step, target))
      return refusal;
    BatchedStrideLoop loop;
    loop.statement = *statement;
    loop.count = static_cast<unsigned>(*target.count);
    loop.isTogether = step.hasFlag("together");
    return takeRounds(kernel, loop);
  });
}

/// The target is a loop or a dimension, of which the step takes loops.
static StepResult resolveLoopAxis(const KernelModel &model,
                                  const StepTarget &target, unsigned &loop) {
  AxisName axis;
  if (StepResult refusal = resolveAxis(model, target, axis))
    return refusal;
  return resolveLoop(model, target, loop);
}

StepResult applyUnroll(TransformedKernel &kernel, const Step &step, AliasMode) {
  return forEachTarget(step, [&](const StepTarget &target) {
    unsigned loop;
    if (StepResult refusal = resolveLoopAxis(*kernel.model, target, loop))
      return refusal;
    auto count = static_cast<unsigned>(target.count.value_or(0));
    return step.hasFlag("pragma") ? askToUnroll(kernel, loop, count)
                                  : unroll(kernel, loop, count);
  });
}

StepResult applyMap(TransformedKernel &kernel, const Step &step,
                    AliasMode alias) {
  return forEachTarget(step, [&](const StepTarget &target) {
    unsigned loop;
    if (StepResult refusal = resolveLoopAxis(*kernel.model, target, loop))
      return refusal;
    return mapLoop(kernel, loop, !step.hasFlag("slow"), alias);
  });
}

static StepResult requireTarget(TransformedKernel &kernel, const Step &step,
                                const StepTarget &target) {
  const KernelModel &model = *kernel.model;
  unsigned count = static_cast<unsigned>(target.count.value_or(0));
  if (target.count)
    if (std::optional<unsigned> statement = findStride(model, target.name))
      return requireStrideIterations(kernel, *statement, count);
  AxisName axis;
  if (StepResult refusal = resolveAxis(model, target, axis))
    return refusal;
  const MappedDimension *shared =
      axis.dim ? model.ndrange.findMapped(*axis.dim) : nullptr;
  bool isShared = shared && shared->isLaunched;
  if (!axis.loop && !isShared)
    return unknownName(model, target.name, "loop");
  if (StepResult refusal = needNumber(step, target))
    return refusal;
  return requireIterations(kernel, isShared ? shared->loop : *axis.loop, count);
}

StepResult applyRequire(TransformedKernel &kernel, const Step &step,
                        AliasMode) {
  if (StepResult refusal = forEachTarget(step, [&](const StepTarget &target) {
        return requireTarget(kernel, step, target);
      }))
    return refusal;
  return takeParameters(step, [&](const std::string &key, int64_t value) {
    if (key == "items")
      return requireWorkItems(kernel, static_cast<uint64_t>(value));
    const auto count = static_cast<unsigned>(value);
    return key == "below" ? requireSmallGroups(kernel, count)
                          : requireGroupSize(kernel, count);
  });
}

static StepResult vectorizeAxis(TransformedKernel &kernel, const Step &step,
                                const StepTarget &target, AliasMode alias) {
  AxisName axis;
  if (StepResult refusal = resolveAxis(*kernel.model, target, axis))
    return refusal;
  if (StepResult refusal = needNumber(step, target))
    return refusal;
  unsigned count = static_cast<unsigned>(*target.count);
  if (!step.hasFlag("aligned"))
    return axis.loop ? vectorizeLoop(kernel, *axis.loop, count, alias)
                     : vectorizeWork(kernel, *axis.dim, count);
  if (axis.loop)
    return refuse("", "'aligned' is for dimensions of the NDRange");
  if (StepResult refusal = vectorizeWork(kernel, *axis.dim, count))
    return refusal;
  return alignAccesses(kernel, *axis.dim);
}

StepResult applyVectorize(TransformedKernel &kernel, const Step &step,
                          AliasMode alias) {
  if (StepResult refusal = forEachTarget(step, [&](const StepTarget &target) {
        return vectorizeAxis(kernel, step, target, alias);
      }))
    return refusal;
  return takeParameters(
      step, [&](const std::string &, int64_t value) -> StepResult {
        if (value != 1 && value != 2 && value != 4 && value != 8 && value != 16)
          return refuse("", "'load' must be 1, 2, 4, 8 or 16");
        kernel.loadLanes = static_cast<unsigned>(value);
        return std::nullopt;
      });
}

StepResult applyCoarsen(TransformedKernel &kernel, const Step &step,
                        AliasMode) {
  return forEachTarget(step, [&](const StepTarget &target) -> StepResult {
    AxisName axis;
    if (StepResult refusal = resolveAxis(*kernel.model, target, axis))
      return refusal;
    if (StepResult refusal = needNumber(step, target))
      return refusal;
    if (!axis.dim)
      return unknownName(*kernel.model, target.name, "work-item dimension");
    return coarsen(kernel, *axis.dim, static_cast<unsigned>(*target.count),
                   step.hasFlag("stride"));
  });
}

StepResult applyInterchange(TransformedKernel &kernel, const Step &step,
                            AliasMode alias) {
  std::vector<AxisName> axes(step.targets.size());
  bool areDimensions = axes.size() == 2;
  for (size_t i = 0; areDimensions && i < axes.size(); ++i) {
    axes[i] = resolveAxis(*kernel.model, step.targets[i].name);
    areDimensions = axes[i].dim.has_value();
  }
  if (areDimensions)
    return interchangeDimensions(kernel, *axes[0].dim, *axes[1].dim);
  unsigned first, second;
  if (StepResult refusal = resolveTwoLoops(*kernel.model, step, first, second))
    return refusal;
  return interchangeLoops(kernel, first, second, alias);
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

StepResult applyTile(TransformedKernel &kernel, const Step &step,
                     AliasMode alias) {
  std::vector<std::pair<unsigned, unsigned>> nest = nestOf(kernel, step);
  if (!nest.empty())
    return tileNest(kernel, nest, alias);
  return forEachTarget(step, [&](const StepTarget &target) {
    AxisName axis;
    if (StepResult refusal = resolveAxis(*kernel.model, target, axis))
      return refusal;
    if (StepResult refusal = needNumber(step, target))
      return refusal;
    unsigned count = static_cast<unsigned>(*target.count);
    return axis.loop ? tileLoop(kernel, *axis.loop, count)
                     : tileWork(kernel, *axis.dim, count);
  });
}

StepResult applyOtherwise(TransformedKernel &kernel, const Step &,
                          AliasMode alias) {
  std::optional<TransformedKernel> next = startTransforming(*kernel.original);
  if (!next)
    return refuse("clopt-opaque-code", "the kernel has no model");
  next->operationsPerStep = kernel.operationsPerStep;
  if (StepResult refusal = shareLoops(*next, alias))
    return refusal;
  kernel.otherwise =
      std::make_shared<const TransformedKernel>(std::move(*next));
  return std::nullopt;
}

//===-- What goes together ------------------------------------------------===//

/// Groups have tiles along the dimensions of the launch, in their order.
static StepResult checkLaunched(const TransformedKernel &kernel) {
  const KernelModel &model = *kernel.model;
  if (!model.ndrange.mapped.empty())
    return refuse("clopt-group-shape",
                  "the loop '" +
                      model.loops[model.ndrange.mapped.front().loop].name +
                      "' is a dimension of the virtual NDRange");
  if (kernel.fastest != 0)
    return refuse("clopt-group-shape",
                  "the dimensions of the NDRange have changed places");
  return std::nullopt;
}

//===-- A step of the table -----------------------------------------------===//

using StepFunction = StepResult (*)(TransformedKernel &, const Step &,
                                    AliasMode);

static StepFunction functionOf(const StepInfo &info) {
  static const StepFunction functions[] = {
#define CLOPT_STEP(Name, ...) apply##Name,
#include "Support/Steps.def"
  };
  return functions[&info - allSteps().data()];
}

static StepResult applyWhole(TransformedKernel &kernel, const Step &step,
                             AliasMode alias) {
  const StepInfo *info = findStep(step.name);
  if (!info)
    return refuse("", "unknown step '" + step.name + "'");
  if (info->has(StepTraits::OnGroups) || step.hasFlag("aligned"))
    if (StepResult refusal = checkLaunched(kernel))
      return refusal;
  TransformedKernel trial = kernel;
  const GroupLoops together(trial);
  StepResult refusal = functionOf(*info)(trial, step, alias);
  if (!refusal)
    refusal = takeParameters(step);
  if (!refusal)
    refusal = together.giveBack(trial, alias);
  if (refusal && info->has(StepTraits::ForGroupLoops)) {
    // Loops that are shared before may be what makes the group wait.
    trial = kernel;
    if (!functionOf(*info)(trial, step, alias) && !takeParameters(step))
      refusal = std::nullopt;
  }
  if (!refusal)
    kernel = std::move(trial);
  return refusal;
}

/// Steps that look at a whole kernel and model it anew may do so many times
/// what others do.
static constexpr uint64_t operationsOfModels = 4;

StepResult applyStep(TransformedKernel &kernel, const Step &step,
                     AliasMode alias) {
  if (kernel.otherwise) {
    TransformedKernel last = *kernel.otherwise;
    StepResult refusal = applyStep(last, step, alias);
    if (!refusal)
      kernel.otherwise =
          std::make_shared<const TransformedKernel>(std::move(last));
    return refusal;
  }
  const StepInfo *info = findStep(step.name);
  const bool isModelled = info && info->has(StepTraits::MakesModel);
  OperationLimit limit(kernel.model->context.get(),
                       kernel.operationsPerStep *
                           (isModelled ? operationsOfModels : 1));
  try {
    return applyWhole(kernel, step, alias);
  } catch (const isl::exception &) {
    // isl reports a spent budget here as such, or as a missing value.
    return refuse("clopt-budget", "the step exceeded its budget",
                  "raise --operation-budget", kernel.model->function->range);
  }
}

} // namespace clopt
