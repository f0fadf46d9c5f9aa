//===- InstanceSystem.h - several instances as one linear system -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts pieces of isl relations beside each other in one system of constraints
// for PPL: statement instances, cells and parameters become columns, and so do
// the quotients inside the pieces. Nothing is intersected or simplified by isl
// on the way, so that the answer is PPL's own.
//
// Tested by test/unit/InstanceSystemTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_INSTANCESYSTEM_H
#define CLOPT_TRANSFORM_INSTANCESYSTEM_H

#include "Analysis/ranges/PplPolyhedron.h"

#include <isl/cpp.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// One basic map or set, taken apart. Columns of a row: parameters, inputs,
/// outputs, quotients. Of a set the coordinates are outputs.
struct RelationPiece {
  std::vector<std::string> parameters;
  unsigned inputs = 0, outputs = 0, quotients = 0;
  std::vector<LinearConstraint> rows;
};

/// The basic maps of { A[...] -> B[...] }, without the constraints that have a
/// number beyond 64 bits.
std::vector<RelationPiece> piecesOf(const isl::map &map);
std::vector<RelationPiece> piecesOf(const isl::set &set);

using Columns = std::vector<unsigned>;
/// A sum: constant and terms (column, coefficient).
struct LinearSum {
  int64_t constant = 0;
  std::vector<std::pair<unsigned, int64_t>> terms;
  LinearSum &add(const LinearSum &other, int64_t factor);
};

class InstanceSystem {
public:
  /// The column of an isl parameter, made when it is new.
  unsigned parameter(const std::string &name);
  Columns addColumns(unsigned number);
  void addPiece(const RelationPiece &piece, const Columns &inputs,
                const Columns &outputs);
  void addZero(const LinearSum &sum) { rows.push_back({true, sum}); }
  void addNonNegative(const LinearSum &sum) { rows.push_back({false, sum}); }
  Points findPoint() const;

private:
  unsigned count = 0;
  std::map<std::string, unsigned> parameters;
  std::vector<std::pair<bool, LinearSum>> rows;
};

} // namespace clopt

#endif // CLOPT_TRANSFORM_INSTANCESYSTEM_H
