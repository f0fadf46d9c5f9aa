//===- DataRoles.h - numbers in buffers that say where to go ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of a buffer may be subscripts of others, `p[col[k]]`, or bounds of
// loops, `k < row[i + 1]`. What such buffers hold cannot be any number.
//
// Tested by test/unit/DataRolesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_DATAROLES_H
#define CLOPT_VALIDATION_DATAROLES_H

#include "Model/Expr.h"

#include <map>
#include <set>
#include <vector>

namespace clopt {

enum class DataRole {
  Index,  ///< a part of subscripts
  Length, ///< iterations of loops
  Rows    ///< where the iterations of loops begin and end: never decreasing
};

/// What the variables of a function, and the cells of its own arrays, are set
/// to.
class Assignments {
public:
  explicit Assignments(const Function &function);

  /// A value that is stored, or the way in which it is changed.
  struct Value {
    ExprRef value; ///< null for ++ and --
    Op op = Op::None;
  };
  const std::vector<Value> &of(const Variable *variable) const;
  /// What the variable is compared with where loops go on, `k < end`; the flag
  /// says that the two may be equal.
  const std::vector<std::pair<ExprRef, bool>> &
  endsOf(const Variable *variable) const;

private:
  void addEnds(const ExprRef &condition);

  std::map<const Variable *, std::vector<Value>> values;
  std::map<const Variable *, std::vector<std::pair<ExprRef, bool>>> ends;
};

/// The parameter or variable that a part of memory is accessed through, `x` of
/// `x[i].y` and of `*(x + 1)`; null when that is not clear.
const Variable *baseOf(const Expr *expr);

/// Pointer parameters whose integers decide where others are accessed.
std::map<const Variable *, DataRole> dataRoles(const Function &function,
                                               const Assignments &assignments);

} // namespace clopt

#endif // CLOPT_VALIDATION_DATAROLES_H
