//===- PplPolyhedron.h - integer points of a polyhedron, by PPL -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second opinion on what isl says, and integer programs: a system of linear
// constraints goes to the Parma Polyhedra Library. Neither isl nor PPL appears
// here: ppl.hh is slow to compile, and the two have exceptions of their own.
//
// Tested by test/unit/PplPolyhedronTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_PPLPOLYHEDRON_H
#define CLOPT_ANALYSIS_PPLPOLYHEDRON_H

#include <cstdint>
#include <optional>
#include <vector>

namespace clopt {

/// constant + sum of coefficients[i] * x_i, equal to or at least zero.
struct LinearConstraint {
  bool isEquality = false;
  int64_t constant = 0;
  std::vector<int64_t> coefficients; ///< one per dimension
};

struct LinearSystem {
  unsigned dimensions = 0;
  std::vector<LinearConstraint> constraints;
};

enum class Points {
  None,   ///< no integer point, proved
  Some,   ///< an integer point was found
  Unknown ///< given up: the search takes too long
};

/// Whether the system has an integer point. Linear programming first, then
/// branch and bound under a fixed budget; exact rational arithmetic.
Points findIntegerPoint(const LinearSystem &system);

/// Variables that are 0 or 1, each with a cost when it is 1.
struct BinaryProgram {
  std::vector<int64_t> costs;                ///< one per variable
  std::vector<LinearConstraint> constraints; ///< on the same variables
};

/// The cheapest choice that meets all constraints. Of several, the one in which
/// the first variable is 1 if it is in any of them, then the second, and so on:
/// the answer does not depend on how PPL searches. Nothing when no choice meets
/// them, or when the search takes too long.
std::optional<std::vector<bool>> minimizeBinary(const BinaryProgram &program);

} // namespace clopt

#endif // CLOPT_ANALYSIS_PPLPOLYHEDRON_H
