//===- TimeBudget.cpp - how much work a file may take ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/TimeBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Driver/TimeBudget.h"

#include "Frontend/model/OperationBudget.h"
#include "Model/Operations.h"

#include <algorithm>

namespace clopt {

/// What takes about a second, in a kernel without deep nests.
static constexpr double operationsPerSecond = 2000000;
/// Steps of validation that take as long as an operation.
static constexpr uint64_t stepsPerOperation = 50;

/// Validation of a kernel is worth little with fewer steps.
static constexpr uint64_t minSteps = 2500000;

/// Statements and expressions, and what every kernel takes.
static uint64_t sizeOf(const Function &function) {
  uint64_t size = 100;
  forEachStmt(function.body, [&](const StmtRef &) { ++size; });
  forEachExpr(function.body, [&](const ExprRef &) { ++size; });
  return size;
}

static uint64_t workIn(double seconds) {
  return static_cast<uint64_t>(std::min(seconds, 1e9) * operationsPerSecond);
}

/// The time of an operation grows with the loops around it, with rows of
/// constraints and their number, and with quotients.
static double weightOf(const Function &function) {
  const double depth = loopDepth(function) / 8.0;
  return std::max(1.0, depth * depth) * quotientWeight(function);
}

static uint64_t scaled(uint64_t operations, double factor) {
  return static_cast<uint64_t>(static_cast<double>(operations) * factor);
}

TimeBudget::TimeBudget(const TranslationUnit &unit, const Options &how)
    : options(how), planning(workIn(how.timeBudget * 0.75)),
      validation(stepsPerOperation * workIn(how.timeBudget * 0.25)) {
  for (const auto &function : unit.functions)
    if (function->isKernel)
      planning.add(function->name, sizeOf(*function));
}

bool TimeBudget::isSpent() const {
  return options.timeBudget > 0 && planning.left(current) == 0;
}

bool TimeBudget::isAmple() const {
  return options.timeBudget <= 0 || planning.left(current) >= workIn(0.5);
}

/// Operations on the function that the kernel's share is enough for.
uint64_t TimeBudget::operationsLeft(const Function &function) const {
  return scaled(planning.left(current), 1 / weightOf(function));
}

std::unique_ptr<KernelModel> TimeBudget::build(const TranslationUnit &unit,
                                               const Function &function,
                                               bool isForHost) {
  ModelOptions modelOptions;
  modelOptions.localSize = options.localSize;
  modelOptions.operationBudget = options.operationBudget;
  modelOptions.memoryArguments = !isForHost && !options.makePlan;
  if (options.timeBudget > 0)
    modelOptions.workBudget = operationsLeft(function);
  std::unique_ptr<KernelModel> model = buildModel(unit, function, modelOptions);
  chargeEarlier(*model);
  return model;
}

void TimeBudget::chargeEarlier(const KernelModel &model) {
  planning.spend(current, scaled(model.earlierWork, weightOf(*model.function)));
}

void TimeBudget::charge(const KernelModel &model) {
  isl_ctx *context = model.context.get();
  if (options.timeBudget > 0)
    planning.spend(current,
                   scaled(operationsDone(context), weightOf(*model.function)));
  isl_ctx_reset_operations(context);
}

void TimeBudget::allow(const KernelModel &model, uint64_t most,
                       unsigned parts) {
  charge(model);
  if (options.timeBudget > 0) {
    // At least one: 0 would be no limit.
    const uint64_t left =
        std::max<uint64_t>(1, operationsLeft(*model.function) / parts);
    most = most ? std::min(most, left) : left;
  }
  isl_ctx_reset_error(model.context.get());
  isl_ctx_set_max_operations(model.context.get(), most);
}

void TimeBudget::limit(const KernelModel &model, unsigned parts) {
  allow(model, operationsFor(*model.function, options.operationBudget), parts);
}

void TimeBudget::limitToShare(const KernelModel &model) { allow(model, 0); }

void TimeBudget::withoutCharge(const KernelModel &model,
                               const std::function<void()> &work) {
  isl_ctx *context = model.context.get();
  const unsigned long most = isl_ctx_get_max_operations(context);
  charge(model);
  isl_ctx_reset_error(context);
  isl_ctx_set_max_operations(
      context, operationsFor(*model.function, options.operationBudget));
  work();
  isl_ctx_reset_error(context);
  isl_ctx_reset_operations(context);
  if (most)
    limitToShare(model);
  else
    isl_ctx_set_max_operations(context, 0);
}

uint64_t TimeBudget::operationsPerStep(const Function &function) const {
  return operationsFor(function, options.operationBudget) / 8;
}

void TimeBudget::addToValidation(const Function &function) {
  validation.add(function.name, sizeOf(function));
}

/// Launch plans are a part of their own, beside the kernel.
static std::string planPart(const std::string &kernel) {
  return kernel + " plan";
}

void TimeBudget::addPlanToValidation(const Function &function,
                                     size_t variants) {
  validation.add(planPart(function.name), variants * sizeOf(function));
}

/// Steps out of the share; the model's context may do what takes as long.
uint64_t TimeBudget::allowSteps(const KernelModel &model, uint64_t most,
                                uint64_t share) const {
  const Function &function = *model.function;
  uint64_t operations = operationsFor(function, options.operationBudget);
  if (options.timeBudget > 0) {
    // At least one: 0 would be no limit.
    const uint64_t left = std::max<uint64_t>(
        1, scaled(share / stepsPerOperation, 1 / weightOf(function)));
    operations = operations ? std::min(operations, left) : left;
    most = std::min(most, share);
  }
  isl_ctx_reset_error(model.context.get());
  isl_ctx_reset_operations(model.context.get());
  isl_ctx_set_max_operations(model.context.get(), operations);
  return most;
}

void TimeBudget::chargeSteps(const std::string &part, const KernelModel &model,
                             uint64_t steps) {
  const uint64_t operations = operationsDone(model.context.get());
  const double weight = stepsPerOperation * weightOf(*model.function);
  validation.spend(part, steps + scaled(operations, weight));
  isl_ctx_reset_operations(model.context.get());
}

uint64_t TimeBudget::beginValidation(const KernelModel &model,
                                     uint64_t most) const {
  return allowSteps(model, most,
                    std::max(minSteps, validation.left(model.function->name)));
}

void TimeBudget::finishValidation(const KernelModel &model, uint64_t steps) {
  chargeSteps(model.function->name, model, steps);
  validation.finish(model.function->name);
}

uint64_t TimeBudget::beginPlan(const std::string &kernel,
                               const KernelModel &model, uint64_t most) const {
  return allowSteps(model, most, validation.left(planPart(kernel)));
}

void TimeBudget::chargePlan(const std::string &kernel, const KernelModel &model,
                            uint64_t steps) {
  chargeSteps(planPart(kernel), model, steps);
}

void TimeBudget::finishPlan(const std::string &kernel) {
  validation.finish(planPart(kernel));
}

bool TimeBudget::isPlanSpent(const std::string &kernel) const {
  return options.timeBudget > 0 && validation.left(planPart(kernel)) == 0;
}

} // namespace clopt
