//===- ModelBuilder.cpp - from the statement tree to the model ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drafts the kernel, turns the draft into isl, and starts again when isl finds
// that a fact of the draft cannot hold. Every attempt settles at least one
// question (a dimension is split, a value unknown, a loop kept whole, cells
// finer), so that few attempts are needed.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilder.h"

#include "Analysis/dependence/Dependences.h"
#include "Frontend/model/ModelRealize.h"
#include "Frontend/model/OperationBudget.h"
#include "Model/Operations.h"

#include <isl/ctx.h>
#include <isl/options.h>

#include <algorithm>

namespace clopt {

static std::shared_ptr<isl_ctx> makeContext(uint64_t budget) {
  std::shared_ptr<isl_ctx> context(isl_ctx_alloc(), isl_ctx_free);
  // Errors come back as null and are thrown by isl::manage.
  isl_options_set_on_error(context.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(context.get(), budget);
  return context;
}

/// A model that says only that nothing may be changed.
static std::unique_ptr<KernelModel> makeUntouchable(const TranslationUnit &unit,
                                                    const Function &kernel,
                                                    const Note &why) {
  auto model = std::make_unique<KernelModel>();
  model->context = makeContext(0);
  model->unit = &unit;
  model->function = &kernel;
  isl_space *space = isl_space_params_alloc(model->context.get(), 0);
  model->paramContext = isl::manage(isl_set_universe(space));
  isl_union_set *nothing =
      isl_union_set_empty(isl_space_params_alloc(model->context.get(), 0));
  model->schedule = isl::manage(isl_schedule_from_domain(nothing));
  model->isUntouchable = true;
  model->hasOrderedEffects = true;
  model->notes.push_back(why);
  return model;
}

/// `n & 1`, `n % 4` of an argument.
static bool hasRemainders(const Function &kernel) {
  bool found = false;
  forEachExpr(kernel.body, [&](const ExprRef &expr) {
    if (expr->op != Op::And && expr->op != Op::Rem)
      return;
    const Expr *left = withoutCasts(expr->operands[0].get());
    const Expr *right = withoutCasts(expr->operands[1].get());
    found |= left->kind == ExprKind::VarRef && left->var->isParam &&
             right->kind == ExprKind::IntLiteral;
  });
  return found;
}

static DraftSettings initialSettings(const Function &kernel,
                                     const ModelOptions &options) {
  DraftSettings settings;
  settings.mayShareLoops = options.shareLoops;
  settings.memoryArguments = options.memoryArguments;
  settings.wholeGroups = options.wholeGroups;
  settings.startsAtZero = options.startsAtZero;
  settings.hasRemainders = hasRemainders(kernel);
  settings.compound = options.wholeLoops;
  // The groups of the launch are not those of its dimensions.
  if (kernel.flat)
    return settings;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (kernel.requiredLocalSize[0] != 0)
      settings.localSize[dim] = kernel.requiredLocalSize[dim];
    else if (options.localSize && (*options.localSize)[dim] != 0) {
      settings.localSize[dim] = (*options.localSize)[dim];
      settings.assumesLocalSize[dim] = settings.isForLocalSize[dim] =
          options.assumesLocalSize;
    }
  }
  return settings;
}

/// Why the iterations of loops that are dimensions must keep their order; empty
/// when they need not.
static std::string sharingProblem(const KernelModel &model) {
  std::vector<SymbolId> axes;
  for (const MappedDimension &mapped : model.ndrange.mapped)
    axes.push_back(model.loops[mapped.loop].iterator);
  if (axes.empty())
    return "";
  bool isOrdered = model.hasAtomics || model.hasOrderedEffects ||
                   model.hasBarrier || model.usesLocalMemory;
  for (const Statement &statement : model.statements)
    isOrdered |= statement.isOpaque || statement.isBarrier;
  if (isOrdered)
    return "the kernel has effects that keep their order";
  std::vector<unsigned> accesses;
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].space != AddressSpace::Private)
      accesses.push_back(access.id);
  std::vector<Conflict> conflicts = conflictsAcross(model, axes, accesses);
  return conflicts.empty() ? "" : describe(model, conflicts.front());
}

/// One attempt; nothing when it has to be repeated with `settings`.
static std::unique_ptr<KernelModel> attempt(const TranslationUnit &unit,
                                            const Function &kernel,
                                            std::shared_ptr<isl_ctx> context,
                                            DraftSettings &settings) {
  Draft draft = draftModel(unit, kernel, settings, std::move(context));
  bool isDone = realizeModel(draft);
  settings = draft.wanted;
  if (!isDone)
    return nullptr;
  if (std::string problem = sharingProblem(draft.model); !problem.empty()) {
    for (const auto &[loop, form] : settings.gridLoops)
      settings.wholeLoops[loop] = problem;
    settings.gridLoops.clear();
    return nullptr;
  }
  return std::make_unique<KernelModel>(std::move(draft.model));
}

namespace {

/// What attempts have done, and may do in all.
struct AttemptedWork {
  std::optional<uint64_t> most;
  uint64_t done = 0;

  bool isSpent() const { return most && done >= *most; }
  /// Operations of the next attempt, which may do `each`; 0: no limit.
  uint64_t next(uint64_t each) const {
    if (!most)
      return each;
    const uint64_t left = *most > done ? *most - done : 1;
    return each ? std::min(each, left) : left;
  }
};

} // namespace

/// Attempts until one needs no repetition; nothing when there are too many.
static std::unique_ptr<KernelModel> settle(const TranslationUnit &unit,
                                           const Function &kernel,
                                           const ModelOptions &options,
                                           DraftSettings &settings,
                                           AttemptedWork &work) {
  const unsigned MaxAttempts = 32;
  const uint64_t budget = operationsFor(kernel, options.operationBudget);
  for (unsigned count = 0; count < MaxAttempts; ++count) {
    std::shared_ptr<isl_ctx> context =
        options.context ? options.context : makeContext(work.next(budget));
    // Who has given a context counts what is done in it.
    auto countWork = [&] {
      if (!options.context)
        work.done += operationsDone(context.get());
    };
    std::unique_ptr<KernelModel> model;
    try {
      model = attempt(unit, kernel, context, settings);
    } catch (...) {
      countWork();
      throw;
    }
    if (model)
      return model;
    countWork();
  }
  return nullptr;
}

std::unique_ptr<KernelModel> buildModel(const TranslationUnit &unit,
                                        const Function &kernel,
                                        const ModelOptions &options) {
  AttemptedWork work{options.workBudget};
  std::shared_ptr<const ValueRanges> ranges = options.ranges;
  if (!ranges) {
    ranges = std::make_shared<ValueRanges>(
        work.isSpent() ? ValueRanges() : analyzeRanges(kernel));
    work.done += ranges->work();
  }
  std::string problem;
  for (bool isPlain : {false, true}) {
    if (work.isSpent())
      break;
    DraftSettings settings = initialSettings(kernel, options);
    settings.ranges = ranges.get();
    settings.isPlain = isPlain;
    problem = "the analysis of this kernel did not settle";
    try {
      if (auto model = settle(unit, kernel, options, settings, work)) {
        model->earlierWork = work.done;
        model->ranges = ranges;
        return model;
      }
    } catch (const isl::exception &error) {
      problem = "the analysis of this kernel exceeded its budget";
    } catch (const std::bad_alloc &) {
      problem = "the analysis of this kernel ran out of memory";
    }
  }
  Note why = {"clopt-budget", kernel.range, problem, ""};
  if (work.isSpent())
    why = {"clopt-time-budget", kernel.range,
           "the share of the kernel in the file's time is used up", ""};
  auto model = makeUntouchable(unit, kernel, why);
  model->earlierWork = work.done;
  return model;
}

} // namespace clopt
