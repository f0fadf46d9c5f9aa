//===- EdgeMoves.h - what moves a comparison to its edge --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `y + 8 <= h` with y at most 20 is barely false when h is 27. Which numbers of
// a launch the two sides of a comparison are sums of stands in the text, and a
// run tells the distance: together they are the launch that comes to the edge.
//
// Tested by test/unit/CoverageTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_EDGEMOVES_H
#define CLOPT_VALIDATION_EDGEMOVES_H

#include "Model/Expr.h"

#include <map>
#include <string>
#include <vector>

namespace clopt {

/// An integer argument or a part of one, a size or an offset of the launch, the
/// work-items of a group, where a buffer begins, in bytes, or the number of the
/// made-up data.
struct LaunchNumber {
  enum class Kind { Argument, Size, Offset, Group, Begin, Data };
  Kind kind = Kind::Argument;
  std::string name; ///< arguments and buffers
  unsigned dim = 0; ///< sizes and offsets

  bool operator<(const LaunchNumber &other) const;
  bool operator==(const LaunchNumber &other) const;
};

/// A launch with that number greater by `by` may come to an edge.
struct LaunchMove {
  LaunchNumber number;
  int64_t by = 0;
  size_t edge = 0; ///< of a BodyCoverage
  bool way = false;
};

/// A sum of numbers of a launch, without all else that it has.
using LaunchSum = std::map<LaunchNumber, int64_t>;

class ComparedNumbers {
public:
  explicit ComparedNumbers(const std::vector<StmtRef> &body);

  /// The side of a comparison of order that is to be greater less the other:
  /// what that may be, for min, max and ?: choose.
  std::vector<LaunchSum> gaps(const Expr &comparison) const;

private:
  using Sums = std::vector<LaunchSum>;
  Sums sumsOf(const Expr &expr, unsigned depth) const;

  /// What variables are set to where they are declared.
  std::map<const Variable *, ExprRef> values;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_EDGEMOVES_H
