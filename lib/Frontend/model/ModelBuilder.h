//===- ModelBuilder.h - from the statement tree to the model ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the polyhedral model of one kernel from its typed statement tree.
// What cannot be modelled exactly becomes may-accesses, compound or opaque
// statements with a note, never an error.
//
// Tested by test/unit/ModelBuilderTest.cpp, test/oracle/ModelOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_MODELBUILDER_H
#define CLOPT_FRONTEND_MODELBUILDER_H

#include "Model/KernelModel.h"

#include <array>
#include <memory>
#include <optional>
#include <set>

namespace clopt {

struct ModelOptions {
  /// Local size of the launch, when the user promises it. The attribute
  /// reqd_work_group_size wins.
  std::optional<std::array<unsigned, 3>> localSize;
  /// The same sizes are no promise, but what the model is for: the guard asks
  /// for them.
  bool assumesLocalSize = false;
  /// Whether all groups of a launch have the known size, as before OpenCL 2.0.
  bool wholeGroups = false;
  /// Whether the model is for launches without offset, where the kernel asks
  /// for ids within its groups: the guard asks for them.
  bool startsAtZero = false;
  /// Whether a loop in steps of the launch's size whose iterations do not
  /// depend on each other is a dimension of the NDRange.
  bool shareLoops = true;
  /// Whether integers at fixed places of memory that the kernel only reads,
  /// `p->n` or `sizes[1]`, are arguments. Hosts do not know them by name.
  bool memoryArguments = false;
  /// Loops that are statements of the model, whatever is known of them.
  std::set<const Stmt *> wholeLoops;
  /// What the model lives in, with the limits that it has; null: one of its
  /// own.
  std::shared_ptr<isl_ctx> context;
  /// What is known of the kernel's integers; null: it is found out.
  std::shared_ptr<const ValueRanges> ranges;
  /// Upper bound on isl operations in a context of its own; 0 means none.
  uint64_t operationBudget = 0;
  /// Upper bound on the work of all attempts together; none: no bound.
  std::optional<uint64_t> workBudget;
};

/// The model of `kernel`, which must belong to `unit`; both must outlive it.
/// Never throws: when the budget is exceeded the model is untouchable and has
/// a note "clopt-budget", or "clopt-time-budget" when that was `workBudget`.
std::unique_ptr<KernelModel> buildModel(const TranslationUnit &unit,
                                        const Function &kernel,
                                        const ModelOptions &options = {});

} // namespace clopt

#endif // CLOPT_FRONTEND_MODELBUILDER_H
