//===- ValueRange.h - what integers of a kernel can be ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abstract interpretation of a kernel's statement tree over closed convex
// polyhedra (Cousot and Halbwachs, POPL 1978), with the widening of Bagnara,
// Hill, Ricci and Zaffanella (SAS 2003) and descending steps after it.
//
// Unsigned values wrap and conversions cut off: a result that is not proved to
// fit its type has the range of the type. Signed overflow is undefined, so
// signed results lie in their type.
//
// Tested by test/unit/ValueRangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_VALUERANGE_H
#define CLOPT_ANALYSIS_VALUERANGE_H

#include "Model/Expr.h"

#include <map>
#include <optional>
#include <set>

namespace clopt {

struct KernelModel;

/// All values between, both included; nothing: beyond 64 signed bits.
struct ValueRange {
  std::optional<int64_t> minimum, maximum;
};

/// What is known of the integer expressions of one function. Facts hold for
/// every evaluation that an execution without undefined behaviour makes.
class ValueRanges {
public:
  /// Nothing for expressions that are no integers, are never reached, or when
  /// the budget was spent.
  std::optional<ValueRange> range(const Expr &expr) const;
  bool provesNonNegative(const Expr &expr) const;
  /// minimum <= expr <= maximum.
  bool provesWithin(const Expr &expr, int64_t minimum, int64_t maximum) const;
  /// The value has at most `bits` bits: two's complement for signed types.
  bool fits(const Expr &expr, unsigned bits) const;
  /// A Subscript of a declared array of constant extent stays inside.
  bool provesInBounds(const Expr &subscript) const;
  /// Every evaluation of the Subscript lies outside the array.
  bool provesOutOfBounds(const Expr &subscript) const;
  /// Nothing that the value was computed from can have wrapped or been cut
  /// off: it is the mathematical value of the source.
  bool isExact(const Expr &expr) const;
  /// What finding this out took, in operations of isl that take as long.
  uint64_t work() const { return spent; }

private:
  friend ValueRanges runInterpreter(const Function &function);
  std::map<const Expr *, ValueRange> ranges;
  std::set<const Expr *> inexact;
  uint64_t spent = 0;
};

/// Elements of the declared array that a Subscript selects from; 0: not known.
int64_t declaredExtent(const Expr &subscript);

/// Never throws; a spent budget gives no facts. The budget counts operations,
/// so the result is the same on every machine.
ValueRanges analyzeRanges(const Function &function);
ValueRanges analyzeRanges(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_ANALYSIS_VALUERANGE_H
