//===- RangeInterpreter.h - the walk behind value ranges --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to ValueRange.cpp, RangeExpressions.cpp and RangeStatements.cpp: the
// types of PPL stay behind ValueRange.h. They include ppl.hh before this.
//
// Dimensions of the polyhedra are the integer variables that conditions and
// subscripts name most, and the ids and sizes of the launch.
//
// Tested by test/unit/ValueRangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_RANGEINTERPRETER_H
#define CLOPT_ANALYSIS_RANGEINTERPRETER_H

#include "Model/Expr.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace clopt::range {

namespace ppl = Parma_Polyhedra_Library;
using ppl::Coefficient;
using ppl::Linear_Expression;

/// Thrown when the analysis has done enough, also by PPL.
struct RangeBudgetSpent final : ppl::Throwable {
  void throw_me() const override { throw *this; }
  int priority() const { return 0; }
};

/// PPL's own measure of work, about 0.1 s.
constexpr ppl::Weightwatch_Traits::Threshold MostWeight = 100000000;

/// Dimensions of a polyhedron, at most; their number is in the exponent.
constexpr size_t MostDimensions = 8;
/// Statements and expressions visited, at most.
constexpr size_t MostWork = 40000;
/// Bytes of the states that statements start from, at most, in all: PPL does
/// not weigh copies, which are most of the work on states of many corners.
constexpr size_t MostBytes = size_t(80) << 20;

/// A set of states: polyhedron over the dimensions.
using State = ppl::C_Polyhedron;

struct Bounds {
  Coefficient least, most;
};

/// lower <= denominator * value <= upper in every state, where present.
struct Value {
  Bounds bounds;
  std::optional<Linear_Expression> lower, upper;
  Coefficient denominator = 1;
  bool isLinear = false; ///< lower is upper is the value
};

inline Bounds boundsOfType(const Type &type) {
  if (type.scalar == ScalarKind::Bool)
    return {0, 1};
  unsigned bits = 8 * sizeOf(type.scalar);
  Coefficient one = 1, half = one << (bits - 1);
  if (type.isUnsigned())
    return {0, half * 2 - 1};
  return {-half, half - 1};
}

inline bool isNumber(const Type &type) {
  return type.isScalar() && type.isInteger();
}

inline bool hasEffects(const ExprRef &expr) {
  bool found = false;
  forEachExpr(expr, [&](const ExprRef &inner) {
    found |= inner->kind == ExprKind::Assign ||
             inner->kind == ExprKind::Opaque ||
             (inner->kind == ExprKind::Unary && isStep(inner->op));
  });
  return found;
}

class Interpreter {
public:
  explicit Interpreter(const Function &interpreted) : function(interpreted) {}
  void run();
  /// The work in operations of isl, about as many for each of the limits.
  uint64_t operations() const {
    constexpr uint64_t each = 200000;
    const uint64_t weight = ppl::Weightwatch_Traits::get() - weightBefore;
    return weight * each / MostWeight + bytes * each / MostBytes;
  }
  std::map<const Expr *, Bounds> found;
  std::set<const Expr *> wrapped;

private:
  //===-- Set-up ----------------------------------------------------------===//
  void chooseDimensions();
  void limitLaunch(State &state) const;
  void limitTypes(State &state) const;
  std::optional<ppl::Variable> dimensionOf(const Variable *var) const;
  State nothing() const { return State(count, ppl::EMPTY); }
  void spend();
  void spendOn(const State &state);

  //===-- Statements ------------------------------------------------------===//
  void walk(const StmtRef &stmt, State &state);
  void walkIf(const Stmt &stmt, State &state);
  bool keepsState(const StmtRef &stmt) const;
  bool isAboutDimensions(const ExprRef &condition) const;
  void walkLoop(const Stmt &loop, State &state);
  State iterate(const Stmt &loop, State state);
  State afterCondition(const ExprRef &condition, bool value, State state);
  void refine(const ExprRef &condition, bool value, State &state);
  void compare(const Expr &expr, Op op, State &state);
  void forget(const Variable *var, State &state);
  void forgetAll(State &state);

  //===-- Expressions -----------------------------------------------------===//
  Value evaluate(const ExprRef &expr, State &state);
  Value evaluateNode(const ExprRef &expr, State &state);
  Value evaluateUnary(const ExprRef &expr, State &state);
  Value evaluateBinary(const ExprRef &expr, State &state);
  Value evaluateConditional(const ExprRef &expr, State &state);
  Value evaluateCall(const ExprRef &expr, State &state);
  Value evaluateAssign(const ExprRef &expr, State &state);
  Value arithmetic(Op op, const Value &left, const Value &right,
                   const State &state);
  Value divide(const Value &left, const Coefficient &divisor) const;
  void assign(const Variable *var, const ExprRef &source, State &state);
  void assignValue(const Variable *var, const Value &value, State &state);
  Value linear(const Linear_Expression &form, const State &state) const;
  Value ofType(const Type &type) const;
  Value fit(const ExprRef &expr, const Type &type, bool mayWrap, Value value);
  void record(const ExprRef &expr, const Value &value, const State &state);

  const Function &function;
  std::map<const Variable *, ppl::dimension_type> dimensions;
  std::map<std::pair<WorkItemQuery, unsigned>, ppl::dimension_type> launch;
  ppl::dimension_type count = 0;
  size_t work = 0, bytes = 0;
  const ppl::Weightwatch_Traits::Threshold weightBefore =
      ppl::Weightwatch_Traits::get();
  bool isRecording = true;
  /// Where `break` and `continue` of the loops around lead.
  std::vector<State> breaks, continues;
};

} // namespace clopt::range

#endif // CLOPT_ANALYSIS_RANGEINTERPRETER_H
