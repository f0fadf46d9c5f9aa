//===- ReadBack.h - the written kernel against the meant one ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translation validation on small launches. The emitted text is parsed like any
// other, and run side by side with the author's for a few launches: integers
// as numbers, floating-point values as terms. Both have to write the same cells
// with the same terms, those that the model says, and to read only between
// cells that the original accesses. Nothing is known here of how the text was
// made.
//
// Reference: Necula, Translation validation for an optimizing compiler, PLDI
// 2000; here for single launches, so that no invariants have to be found.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_READBACK_H
#define CLOPT_VALIDATION_READBACK_H

#include "Validation/KernelRun.h"

#include "Model/TransformedKernel.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace clopt {

/// Steps that a kernel is validated with by default: some tenths of a second.
constexpr uint64_t defaultValidationSteps = 20000000;

struct ReadBackReport {
  /// What is wrong, with the place in the original; nothing when all agrees.
  std::optional<RunFault> wrong;
  unsigned compared = 0; ///< launches
  /// Some of these launches ran what stands behind the guard, of all kernels.
  bool isEntered = false;
  uint64_t steps = 0; ///< of all runs
  /// Why launches were not compared, each reason once.
  std::set<std::string> skipped;
  /// Statements of the written body, and how many of them ran.
  size_t statements = 0, executed = 0;
  /// Both ways of all conditions of the written body, and those that ran.
  size_t branches = 0, reached = 0;
  std::vector<std::string> missed; ///< Branch::text of the others
};

/// What comparing two kernels took.
struct RunNotes {
  /// Of the second kernel; nothing when it did not run.
  std::set<const Stmt *> executed;
  std::map<const Expr *, BranchCoverage> branches;
  std::map<const Expr *, EdgeCoverage> edges;
  std::string skipped; ///< why the launch could not be compared, or empty
  uint64_t steps = 0;
};

/// Compares two kernels for one launch, and with the writes of `model` unless
/// that is null: nothing when they agree or cannot be compared, else what
/// differs. At most `budget` steps each. May throw isl::exception.
std::optional<RunFault> compareRuns(const TranslationUnit &originalUnit,
                                    const Function &original,
                                    const TranslationUnit &emittedUnit,
                                    const Function &emitted,
                                    const SmallLaunch &launch, uint64_t budget,
                                    const KernelModel *model, RunNotes &notes);

/// What differs between the buffers of a kernel and what others made of them,
/// in one store of terms: every cell that one of them wrote, where the others
/// may have written what was there before. Throws GiveUp.
std::optional<RunFault> compareRestored(TermStore &terms, RunResult &meant,
                                        RunResult &found, bool mayReorder);

/// What differs from a run of the original.
using RunDifference = llvm::function_ref<std::optional<RunFault>(RunResult &)>;

/// Why `wrong`, a difference from `first`, what the original did in the launch,
/// has no meaning: what it computes from what it never sets, from the order of
/// its work-items, or from signed integers that overflow, is no more right than
/// anything else. Empty: it has one, or `wrong` is now another difference,
/// `differs` with a run that marks what is made of what is never set.
std::string whyMeaningless(const CompiledKernel &original,
                           const SmallLaunch &launch, TermStore &terms,
                           uint64_t budget, const RunResult &first,
                           RunDifference differs,
                           std::optional<RunFault> &wrong);

/// Drops what the guard, the first condition of the body, only advises, so that
/// small launches run the new text as well. `advice`: operands of its &&, from
/// the left (EmittedKernel::advice); once only, since places move.
void admitSmallLaunches(Function &emitted, const std::set<unsigned> &advice);

/// A function for each version of the body that was made from the kernel and
/// those behind it (TransformedKernel::otherwise): without the guarded texts of
/// the others, and such that small launches run it. `advice`: of those with a
/// guard (EmittedKernel::advice).
std::vector<Function> versionsOf(const Function &emitted,
                                 const TransformedKernel &transformed,
                                 const std::vector<std::set<unsigned>> &advice);

/// " (line 7 of the result)", or nothing.
std::string lineText(const SourceRange *range);

/// Compares the kernel that `transformed` was made from with `emitted`, a
/// kernel of `unit` whose new text small launches run as well
/// (admitSmallLaunches). `model`: of the original. Takes at most about `budget`
/// steps in all. May throw isl::exception.
ReadBackReport readBack(const TransformedKernel &transformed,
                        const KernelModel &model, const TranslationUnit &unit,
                        const Function &emitted, uint64_t budget);

} // namespace clopt

#endif // CLOPT_VALIDATION_READBACK_H
