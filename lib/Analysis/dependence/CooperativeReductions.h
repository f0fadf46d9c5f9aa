//===- CooperativeReductions.h - loops that work-items can share -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the step `split-reduction` and the emission of what it makes need to
// know of a loop: its iterations, also where its bounds depend on data, and
// what its body only adds something to.
//
// Tested by test/unit/CooperativeReductionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_COOPERATIVEREDUCTIONS_H
#define CLOPT_ANALYSIS_COOPERATIVEREDUCTIONS_H

#include "Model/TransformedKernel.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// True for the variable, perhaps cast by the language.
bool isVariable(const ExprRef &expr, const Variable *variable);

/// Types of counters: integers of 4 and 8 bytes.
bool isCounter(const Type &type);

/// `for (T k = first; k < bound; k += step)`, with bounds of any kind.
struct CountedLoop {
  const Variable *var = nullptr; ///< of 4 or 8 bytes
  ExprRef first;                 ///< of the variable's type
  Op comparison = Op::Lt;        ///< k on the left
  ExprRef bound;                 ///< of the type that is compared
  int64_t step = 1;              ///< in the direction of the comparison
  std::vector<StmtRef> others;   ///< further declarations of the head
};

/// The head of a `for` statement; nothing when its variable does not count up
/// or down by a constant to a bound, or could wrap on the way. Whether the body
/// leaves variable and bound alone is not looked at.
std::optional<CountedLoop> readCountedLoop(const Stmt &stmt);

/// Statements that are a whole loop, and the names that recipes use: that of
/// the variable, numbered when it is taken. `variableOf` gives null for others.
std::vector<std::pair<std::string, unsigned>> namedLoops(
    const KernelModel &model, std::set<std::string> taken,
    const std::function<const Variable *(unsigned statement)> &variableOf);

/// Those with bounds that depend on data.
std::vector<std::pair<std::string, unsigned>>
dataDependentLoops(const KernelModel &model);

/// A value that a loop changes: a private variable, or registers.
struct LoopValue {
  const Variable *var = nullptr;
  std::optional<unsigned> copy; ///< index into TransformedKernel::privates
  bool isNamedBy(const TransformedKernel &kernel, const Expr &expr) const;
};

/// The value of an array that is private or in registers.
LoopValue valueOf(const TransformedKernel &kernel, unsigned array);

/// What is done to the value when the statements only combine it with something
/// and nothing else in them looks at it; else nothing.
std::optional<ReductionOp> reductionOpIn(const TransformedKernel &kernel,
                                         const std::vector<StmtRef> &statements,
                                         const LoopValue &value);

/// True when the statement is part of the loop.
bool isInside(const KernelModel &model, unsigned statement,
              const CooperativeReduction &loop);

/// True when the statement changes memory, and not registers only.
bool changesMemory(const TransformedKernel &kernel, unsigned statement);

/// True when the statement changes memory: where several work-items do one
/// logical one, only one of them may run it. In a shared loop each does its
/// own.
bool isDoneOnce(const TransformedKernel &kernel, unsigned statement);

/// The statements of a loop of the schedule that values of these arrays come
/// from.
std::set<unsigned> statementsFor(const TransformedKernel &kernel,
                                 const CooperativeReduction &loop,
                                 std::set<unsigned> arrays);

/// The shared loop that the statement is, or null.
const CooperativeReduction *
cooperativeReductionOf(const TransformedKernel &kernel, unsigned statement);
/// The shared loop of the schedule, or null.
const CooperativeReduction *
findCooperativeReduction(const TransformedKernel &kernel, unsigned loop);

/// Cells of local memory for each result: work-items of a group that can share
/// loops, a power of two; 0 when the results need too much of it.
unsigned cellsPerResult(const TransformedKernel &kernel);

} // namespace clopt

#endif // CLOPT_ANALYSIS_COOPERATIVEREDUCTIONS_H
