//===- PplPolyhedron.cpp - the bridge to PPL ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference: Bagnara, Hill and Zaffanella, The Parma Polyhedra Library, Science
// of Computer Programming 72 (2008).
//
// Tested by test/unit/PplPolyhedronTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/PplPolyhedron.h"

#include <ppl.hh>

namespace clopt {

namespace ppl = Parma_Polyhedra_Library;

/// Thrown by PPL out of a computation that used up its budget.
struct BudgetSpent final : ppl::Throwable {
  void throw_me() const override { throw *this; }
  int priority() const { return 0; }
};

static ppl::Coefficient coefficient(int64_t value) {
  return ppl::Coefficient(static_cast<long>(value));
}

static ppl::Constraint_System constraintsOf(const LinearSystem &system) {
  ppl::Constraint_System result;
  result.set_space_dimension(system.dimensions);
  for (const LinearConstraint &constraint : system.constraints) {
    ppl::Linear_Expression sum(coefficient(constraint.constant));
    for (size_t i = 0; i < constraint.coefficients.size(); ++i)
      if (constraint.coefficients[i] != 0)
        sum += coefficient(constraint.coefficients[i]) * ppl::Variable(i);
    result.insert(constraint.isEquality ? sum == 0 : sum >= 0);
  }
  return result;
}

/// Branch and bound need not end where the polyhedron is unbounded: the budget
/// counts PPL's own measure of work, so the answer is the same on each machine.
static Points searchIntegers(ppl::MIP_Problem &problem, unsigned dimensions) {
  ppl::Variables_Set all;
  for (unsigned i = 0; i < dimensions; ++i)
    all.insert(ppl::Variable(i));
  using Watcher = ppl::Threshold_Watcher<ppl::Weightwatch_Traits>;
  static const BudgetSpent spent;
  const ppl::Weightwatch_Traits::Threshold budget = 200000000;
  Watcher watcher(budget, ppl::abandon_expensive_computations, spent);
  try {
    problem.add_to_integer_space_dimensions(all);
    bool found = problem.is_satisfiable();
    ppl::abandon_expensive_computations = nullptr;
    return found ? Points::Some : Points::None;
  } catch (const BudgetSpent &) {
    ppl::abandon_expensive_computations = nullptr;
    return Points::Unknown;
  }
}

Points findIntegerPoint(const LinearSystem &system) {
  ppl::MIP_Problem problem(system.dimensions, constraintsOf(system),
                           ppl::Linear_Expression(0), ppl::MAXIMIZATION);
  if (!problem.is_satisfiable())
    return Points::None;
  if (system.dimensions == 0)
    return Points::Some;
  return searchIntegers(problem, system.dimensions);
}

} // namespace clopt
