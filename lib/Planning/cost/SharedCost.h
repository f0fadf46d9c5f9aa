//===- SharedCost.h - what is done once for several -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When one work-item does what several did, or one pass of a loop what several
// iterations did, a part of it is the same for all of them and is done once.
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_SHAREDCOST_H
#define CLOPT_PLANNING_SHAREDCOST_H

#include "Analysis/access/Divergence.h"
#include "Model/TransformedKernel.h"

#include <functional>
#include <utility>

namespace clopt {

/// Cost of a load whose lines are in a cache, of one address for all lanes, in
/// arithmetic operations of a GPU.
constexpr double loadCost = 6, uniformLoadCost = 2;

/// Of a load, and of that the part that is another one's, too.
struct LoadCost {
  double cost = 0, common = 0;
};

/// What all work-items along a dimension read alike in loops, of what those
/// along other dimensions read apart.
struct SharedOperands {
  bool cells = false;   ///< one for all lanes
  bool vectors = false; ///< of lanes
};
SharedOperands sharedAlong(const TransformedKernel &kernel, unsigned dim);

/// Operations that one evaluation takes, without those of subscripts; of
/// vectors, those of each component unless told otherwise.
double operationsIn(const Expr &expr, bool ofComponents = true);
inline double operationsOf(const Expr &expr) { return operationsIn(expr); }

/// Sums over statements, in arithmetic operations of a GPU.
class SharedCost {
public:
  /// `varies`: neighbouring work-items load different cells.
  using CostOfLoad = std::function<LoadCost(const Expr &load, bool varies)>;
  /// What one evaluation takes without its loads.
  using Counting = std::function<double(const Expr &)>;

  /// Bit 0 of the divergence is dimension 0 of the NDRange, along which
  /// neighbours lie; `mergedBit` is the mask of what is merged.
  SharedCost(const Divergence &analysis, DivergenceMask mergedBit,
             CostOfLoad loads, Counting counting = operationsOf)
      : divergence(analysis), merged(mergedBit), costOf(std::move(loads)),
        count(std::move(counting)) {}

  /// What the statement evaluates. Loads are worth more than the arithmetic of
  /// their subscripts, which compilers make cheap.
  void addAll(const StmtRef &stmt);

  double own = 0;    ///< what each does
  double shared = 0; ///< what is the same for all
  double common = 0; ///< of what is own: in windows that overlap

private:
  void add(const ExprRef &expr, double cost) {
    (divergence.ofExpr(expr) & merged ? own : shared) += cost;
  }
  void addAll(const ExprRef &expr);

  const Divergence &divergence;
  DivergenceMask merged;
  CostOfLoad costOf;
  Counting count;
};

} // namespace clopt

#endif // CLOPT_PLANNING_SHAREDCOST_H
