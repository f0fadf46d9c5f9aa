//===- Reductions.h - statements that only add something up -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `x = x op e` in a loop, with an operation whose operands could be combined in
// any order, and nothing else in the loop that looks at x: the only dependence
// that the loop carries through x is the statement's own. That is a fact and no
// permission: floating-point sums depend on their order, so only a step that
// may reassociate can use it for them.
//
// Tested by test/unit/ReductionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_REDUCTIONS_H
#define CLOPT_ANALYSIS_REDUCTIONS_H

#include "Model/TransformedKernel.h"

#include <functional>
#include <optional>
#include <vector>

namespace clopt {

struct Reduction {
  using Operation = ReductionOp;
  unsigned statement = 0; ///< index into KernelModel::statements
  unsigned loop = 0;      ///< index into KernelModel::loops
  unsigned array = 0;     ///< of x; index into KernelModel::arrays
  Operation operation = Operation::Sum;
  /// Integers wrap, so their results do not depend on the order. Sums and
  /// products of floating-point numbers do, and so do their extremes: the sign
  /// of zero and which NaN remains are the implementation's choice.
  bool isExact = false;
};

/// What an assignment does to x.
struct ReductionUpdate {
  ReductionOp operation = ReductionOp::Sum;
  unsigned mentions = 0; ///< how often it says x
};

/// The update that `x op= e`, `x = x op e`, `x = min(x, e)`,
/// `x = e > x ? e : x` or `x = mad(a, b, x)` is, where `isTarget` knows x;
/// nothing for other assignments. More mentions than the update's are in e.
std::optional<ReductionUpdate>
reductionUpdateOf(const Expr &assign,
                  const std::function<bool(const Expr &)> &isTarget);

/// All reductions: by loop, then by statement.
std::vector<Reduction> findReductions(const KernelModel &model,
                                      const ScheduleNode &tree);

/// Those of one loop, by statement. `isApart` says of two arrays that they do
/// not overlap in the launches in question.
std::vector<Reduction>
findReductions(const KernelModel &model, const ScheduleNode &tree,
               unsigned loop,
               const std::function<bool(unsigned, unsigned)> &isApart);

/// True when a program with these flags may combine the values in any order.
bool mayReassociate(const KernelModel &model, const Reduction &reduction);

} // namespace clopt

#endif // CLOPT_ANALYSIS_REDUCTIONS_H
