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

#include "Analysis/ranges/PplPolyhedron.h"

#include <ppl.hh>

#include <algorithm>
#include <numeric>

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

/// Runs `search`; false when it is given up. Branch and bound need not end
/// where the polyhedron is unbounded: the budget counts PPL's own measure of
/// work, so the answer is the same on each machine.
template <typename Search> static bool withinBudget(const Search &search) {
  using Watcher = ppl::Threshold_Watcher<ppl::Weightwatch_Traits>;
  static const BudgetSpent spent;
  const ppl::Weightwatch_Traits::Threshold budget = 200000000;
  Watcher watcher(budget, ppl::abandon_expensive_computations, spent);
  try {
    search();
    ppl::abandon_expensive_computations = nullptr;
    return true;
  } catch (const BudgetSpent &) {
    ppl::abandon_expensive_computations = nullptr;
    return false;
  }
}

static ppl::Variables_Set firstVariables(unsigned count) {
  ppl::Variables_Set all;
  for (unsigned i = 0; i < count; ++i)
    all.insert(ppl::Variable(i));
  return all;
}

static Points searchIntegers(ppl::MIP_Problem &problem, unsigned dimensions) {
  bool found = false;
  bool isDone = withinBudget([&] {
    problem.add_to_integer_space_dimensions(firstVariables(dimensions));
    found = problem.is_satisfiable();
  });
  if (!isDone)
    return Points::Unknown;
  return found ? Points::Some : Points::None;
}

/// `row` without its term of column `index`, by an equality whose coefficient
/// there is 1 or -1. False where numbers leave 64 bits.
static bool substitute(LinearConstraint &row, const LinearConstraint &equality,
                       size_t index) {
  if (row.coefficients[index] == 0)
    return true;
  int64_t factor = 0;
  if (__builtin_mul_overflow(row.coefficients[index],
                             -equality.coefficients[index], &factor))
    return false;
  auto add = [&](int64_t &to, int64_t value) {
    int64_t product = 0;
    return !__builtin_mul_overflow(factor, value, &product) &&
           !__builtin_add_overflow(to, product, &to);
  };
  LinearConstraint sum = row;
  bool fits = add(sum.constant, equality.constant);
  for (size_t i = 0; i < sum.coefficients.size(); ++i)
    fits = fits && add(sum.coefficients[i], equality.coefficients[i]);
  if (fits)
    row = sum;
  return fits;
}

/// Replaces columns by what equalities say of them. The equalities stay.
static void eliminate(LinearSystem &system) {
  for (size_t e = 0; e < system.constraints.size(); ++e) {
    const LinearConstraint equality = system.constraints[e];
    auto unit =
        std::find_if(equality.coefficients.begin(), equality.coefficients.end(),
                     [](int64_t value) { return value == 1 || value == -1; });
    if (!equality.isEquality || unit == equality.coefficients.end())
      continue;
    auto index = static_cast<size_t>(unit - equality.coefficients.begin());
    for (size_t i = 0; i < system.constraints.size(); ++i)
      if (i != e)
        substitute(system.constraints[i], equality, index);
  }
}

/// g * x + c >= 0 has the integer points of x + floor(c / g) >= 0, g * x + c =
/// 0 none unless g divides c: what lies between is where branch and bound does
/// not end in unbounded directions.
static void tighten(LinearConstraint &row) {
  int64_t divisor = 0;
  for (int64_t value : row.coefficients)
    divisor = std::gcd(divisor, value);
  if (divisor <= 1)
    return;
  const int64_t rest = row.constant % divisor;
  const bool isContradiction = row.isEquality && rest != 0;
  for (int64_t &value : row.coefficients)
    value = isContradiction ? 0 : value / divisor;
  row.constant = row.constant / divisor - (rest < 0 ? 1 : 0);
  if (isContradiction)
    row.constant = 1;
}

static bool areOpposite(int64_t a, int64_t b) {
  int64_t sum = 0;
  return !__builtin_add_overflow(a, b, &sum) && sum == 0;
}

/// Makes an equality of two bounds that leave one value; false when there are
/// none.
static bool joinBounds(LinearSystem &system) {
  std::vector<LinearConstraint> &rows = system.constraints;
  auto leaveOne = [](const LinearConstraint &low,
                     const LinearConstraint &high) {
    return !low.isEquality && !high.isEquality &&
           areOpposite(low.constant, high.constant) &&
           std::equal(low.coefficients.begin(), low.coefficients.end(),
                      high.coefficients.begin(), areOpposite);
  };
  for (auto low = rows.begin(); low != rows.end(); ++low)
    for (auto high = low + 1; high != rows.end(); ++high)
      if (leaveOne(*low, *high)) {
        low->isEquality = true;
        rows.erase(high);
        return true;
      }
  return false;
}

Points findIntegerPoint(const LinearSystem &given) {
  LinearSystem system = given;
  do {
    eliminate(system);
    for (LinearConstraint &row : system.constraints)
      tighten(row);
  } while (joinBounds(system));
  ppl::MIP_Problem problem(system.dimensions, constraintsOf(system),
                           ppl::Linear_Expression(0), ppl::MAXIMIZATION);
  if (!problem.is_satisfiable())
    return Points::None;
  if (system.dimensions == 0)
    return Points::Some;
  return searchIntegers(problem, system.dimensions);
}

/// cost * 2^n - 2^(n - 1 - i) for variable i of n: whatever the costs leave
/// open goes to the first variables.
static ppl::Linear_Expression objectiveOf(const std::vector<int64_t> &costs) {
  ppl::Linear_Expression sum(coefficient(0));
  ppl::Coefficient preference = 1;
  for (size_t i = costs.size(); i-- > 0;) {
    ppl::Coefficient weight = coefficient(costs[i]);
    ppl::mul_2exp_assign(weight, weight, static_cast<unsigned>(costs.size()));
    weight -= preference;
    sum += weight * ppl::Variable(i);
    preference *= 2;
  }
  return sum;
}

std::optional<std::vector<bool>> minimizeBinary(const BinaryProgram &program) {
  unsigned count = static_cast<unsigned>(program.costs.size());
  LinearSystem system{count, program.constraints};
  for (unsigned i = 0; i < count; ++i) {
    LinearConstraint low, high;
    low.coefficients.assign(count, 0);
    low.coefficients[i] = 1;
    high.coefficients.assign(count, 0);
    high.coefficients[i] = -1;
    high.constant = 1;
    system.constraints.push_back(low);
    system.constraints.push_back(high);
  }
  ppl::MIP_Problem problem(count, constraintsOf(system),
                           objectiveOf(program.costs), ppl::MINIMIZATION);
  std::optional<std::vector<bool>> result;
  withinBudget([&] {
    problem.add_to_integer_space_dimensions(firstVariables(count));
    if (problem.solve() != ppl::OPTIMIZED_MIP_PROBLEM)
      return;
    const ppl::Generator &point = problem.optimizing_point();
    result.emplace();
    for (unsigned i = 0; i < count; ++i)
      result->push_back(i < point.space_dimension() &&
                        point.coefficient(ppl::Variable(i)) != 0);
  });
  return result;
}

} // namespace clopt
