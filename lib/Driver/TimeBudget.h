//===- TimeBudget.h - how much work a file may take -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seconds are counted as work that takes about so long: operations of isl and
// PPL, and steps of validation. A clock would make the output depend on the
// machine. The kernels of a file share the work by their sizes; a quarter of it
// is for validation.
//
// Tested by test/unit/TimeBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_TIMEBUDGET_H
#define CLOPT_DRIVER_TIMEBUDGET_H

#include "Frontend/model/ModelBuilder.h"
#include "Support/WorkShares.h"
#include "clopt/Options.h"

#include <functional>
#include <memory>
#include <string>

namespace clopt {

class TimeBudget {
public:
  TimeBudget(const TranslationUnit &unit, const Options &options);

  /// All work from here on is for this kernel of the file.
  void begin(const std::string &kernel) { current = kernel; }
  /// No more work is done for it but validation.
  void finish() { planning.finish(current); }
  /// The share of the kernel is used up.
  bool isSpent() const;
  /// What is left for the kernel is enough to try what it can do without.
  bool isAmple() const;

  /// The model of the kernel, or of another form of it. Hosts have no names for
  /// what arguments point to.
  std::unique_ptr<KernelModel> build(const TranslationUnit &unit,
                                     const Function &function,
                                     bool isForHost = false);
  /// Counts what the model's context has done; from now on it may do what one
  /// analysis may, but no more than one of so many parts of what is left for
  /// the kernel.
  void limit(const KernelModel &model, unsigned parts = 1);
  /// The same with all that is left for the kernel.
  void limitToShare(const KernelModel &model);
  void charge(const KernelModel &model);
  /// What making the model took beside that.
  void chargeEarlier(const KernelModel &model);
  /// What `work` does with the model's context counts for nothing, so that the
  /// output does not depend on it; it may do what one analysis may.
  void withoutCharge(const KernelModel &model,
                     const std::function<void()> &work);
  /// Of one step.
  uint64_t operationsPerStep(const Function &function) const;

  //===-- Validation, after all kernels -----------------------------------===//
  /// The kernel will be validated.
  void addToValidation(const Function &function);
  /// So many variants of its launch plan will be.
  void addPlanToValidation(const Function &function, size_t variants);
  /// Steps that validation of the kernel may take, at most `most`; limits the
  /// operations of the model's context as well.
  uint64_t beginValidation(const KernelModel &model, uint64_t most) const;
  void finishValidation(const KernelModel &model, uint64_t steps);
  /// The same for the variants of a kernel's plan; the model may be that of
  /// another form of the kernel.
  uint64_t beginPlan(const std::string &kernel, const KernelModel &model,
                     uint64_t most) const;
  void chargePlan(const std::string &kernel, const KernelModel &model,
                  uint64_t steps);
  void finishPlan(const std::string &kernel);
  /// The share of the variants is used up.
  bool isPlanSpent(const std::string &kernel) const;

private:
  uint64_t operationsLeft(const Function &function) const;
  uint64_t allowSteps(const KernelModel &model, uint64_t most,
                      uint64_t share) const;
  void chargeSteps(const std::string &part, const KernelModel &model,
                   uint64_t steps);
  void allow(const KernelModel &model, uint64_t most, unsigned parts = 1);

  const Options &options;
  WorkShares planning, validation;
  std::string current;
};

} // namespace clopt

#endif // CLOPT_DRIVER_TIMEBUDGET_H
