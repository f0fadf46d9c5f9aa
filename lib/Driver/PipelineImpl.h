//===- PipelineImpl.h - the whole order of optimizing a file ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by Pipeline.cpp, PipelineDumps.cpp, PipelineResults.cpp,
// PipelineValidation.cpp and PlanValidation.cpp only.
//
// Tested by test/unit/PipelineTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_PIPELINEIMPL_H
#define CLOPT_DRIVER_PIPELINEIMPL_H

#include "Driver/LayoutVariants.h"
#include "Driver/PlanDraft.h"
#include "Driver/TimeBudget.h"

#include "Driver/Tampering.h"
#include "Emit/frame/KernelWriter.h"
#include "Planning/search/Proposals.h"
#include "Target/DeviceProfile.h"
#include "Transform/Apply.h"
#include "Validation/PlanReadBack.h"
#include "clopt/Clopt.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// A replacement of source bytes.
struct Edit {
  int64_t begin = 0, end = 0;
  std::string text;
  std::string kernel;
  /// A kernel beside it that only the launch plan uses: its name, parameters.
  std::string planned;
  size_t parameters = 0;
};

/// A kernel that was written, for validation; those on converted buffers are
/// validated with the plan.
struct Written {
  std::shared_ptr<const KernelModel> model; ///< of the original
  TransformedKernel kernel;
  std::vector<Step> steps;
  std::vector<std::set<unsigned>> advice; ///< EmittedKernel::advice
};

class Pipeline {
public:
  Pipeline(const Options &userOptions, const DeviceProfile &deviceProfile,
           const TranslationUnit &parsed, const LayoutVariants &layoutVariants,
           TimeBudget &timeBudget, const Tamper &planted, Result &output)
      : options(userOptions), profile(deviceProfile), unit(parsed),
        layouts(layoutVariants), time(timeBudget), tamper(planted),
        result(output), plan(userOptions) {}
  /// False when the recipe is wrong.
  bool run(const Recipe *recipe);

private:
  /// What is said of kernels so far.
  struct Outcome {
    size_t kernels, remarks;
    std::string model, tree, ast;
  };
  Outcome outcome() const;
  void restore(const Outcome &before);
  bool runKernel(Function &function, const Recipe *recipe);
  bool isForLaunch(const Function &function, const KernelRecipe &recipe);
  bool runForm(const Function &function, const Recipe *recipe);
  bool runVariant(Function &function, const LayoutVariant &variant);
  void note(const LayoutVariant &variant, const std::vector<Step> &steps);
  void explainKernel(const KernelModel &model, KernelReport &report);
  void placeKernel(const KernelModel &model, KernelReport &report);
  bool optimizeKernel(const KernelModel &model, const Recipe *recipe,
                      KernelReport &report);
  StepResult take(TransformedKernel &kernel, const Step &step);
  bool followRecipe(TransformedKernel &kernel, const KernelRecipe &recipe,
                    std::vector<Step> &steps);
  void emitPlan(const TransformedKernel &start, KernelReport &report);
  bool emitPlan(const Proposal &proposal, KernelReport &report);
  bool emitBoth(const TransformedKernel &first, const std::vector<Step> &steps,
                const std::vector<Step> &others, KernelReport &report,
                unsigned parts);
  bool emit(TransformedKernel &kernel, const std::vector<Step> &steps,
            KernelReport &report, LoweringError &error, bool isPlanned,
            unsigned parts = 1);
  EmitOptions emitOptions(const std::string &kernel, bool isPlanned) const;
  void dumpAfter(const TransformedKernel &kernel,
                 const std::vector<Step> &steps, bool isPlanned);
  void dumpFailure(const TransformedKernel &kernel, const LoweringError &error);
  void dumpFinal(const TransformedKernel &kernel, bool isPlanned);
  void dumpCode(const TransformedKernel &kernel, bool isPlanned);
  void dumpUnchanged(const KernelModel &model);
  bool addOwnRange(const TransformedKernel &kernel,
                   const PlannedKernel &planned);
  bool addSharedVariant(const KernelModel &model, const Recipe *recipe);
  void addToPlan(const TransformedKernel &kernel, const EmittedKernel &emitted);
  void internalError(const TransformedKernel &kernel, const std::string &what,
                     const Refusal &wrong);
  void keepText(const KernelModel &model, const std::string &what,
                const SourceRange &place = SourceRange());
  bool recipeError(unsigned line, unsigned column, const std::string &message);
  void addBudgetRemark(const KernelModel &model);
  void addTimeRemark(const KernelModel &model);
  void addUnanalyzedRemark(const KernelModel &model);
  LoweringError spentLimit(const KernelModel &model);
  std::string applied(const std::vector<Edit> &selected) const;
  std::unique_ptr<TranslationUnit>
  parseEdited(const std::vector<Edit> &selected) const;
  void withdraw(const Edit &edit, const Refusal &reason);
  /// In the order in which the text is written from them.
  void sortEdits();
  void applyEdits();
  bool validates() const;
  /// The kernel's body is a new one, not only those of kernels beside it.
  bool hasOwnBody(const std::string &kernel) const;
  bool isFull() const;
  void validateWritten();
  std::optional<Refusal> validate(const Written &entry, Function &function);
  ReadBackReport readVersion(const Written &entry,
                             const TransformedKernel &kernel,
                             const Function &function, uint64_t &spent);
  void withdrawAll(const std::string &kernel, const Refusal &reason);
  void validatePlan();
  void addPlanToValidation();
  void addPlanTimeRemark(const KernelModel &model);
  std::vector<VariantReadBack> validatePlan(const CompiledPlan &compiled,
                                            const PlanKernel &kernel);
  void addValidationRemark(const KernelModel &model, const std::string &what,
                           const ReadBackReport &found);
  void report(const PlanKernel &kernel, const VariantReadBack &found);
  void leaveOut(const PlanKernel &kernel, const PlanVariant &variant,
                const RunFault &wrong);
  void leaveOut(const PlanKernel &kernel, const VariantReadBack &notRun);
  void cutUnusedKernels();
  void reproduce(const std::string &kernel,
                 const std::vector<KernelRecipe> &recipes,
                 const std::string &what);

  const Options &options;
  const DeviceProfile &profile;
  const TranslationUnit &unit;
  const LayoutVariants &layouts;
  TimeBudget &time;
  const Tamper &tamper; ///< may be empty
  Result &result;
  Recipe taken;
  std::vector<Edit> edits;
  PlanDraft plan;
  std::vector<Written> written;
  /// Of kernels that a plan alone has (SharedVariants.cpp).
  std::map<std::string, TransformedKernel> ownRanges;
  /// Of the author's kernels, for plans.
  std::map<std::string, std::shared_ptr<const KernelModel>> models;
  std::unique_ptr<TranslationUnit> emitted; ///< with all edits, parsed
  bool isDefective = false;    ///< the kernel, as full validation found
  bool isOneDimension = false; ///< its plan has no use for those of FlatLaunch
  bool isPartlyKnown = false;  ///< the kernel, since a budget was spent
  bool isBroken = false;       ///< --verify-each found an error of clopt
};

/// Why `what`, which was never run beside the original, is not written.
Refusal refuseUnrun(const std::string &what, const ReadBackReport &found);

} // namespace clopt

#endif // CLOPT_DRIVER_PIPELINEIMPL_H
