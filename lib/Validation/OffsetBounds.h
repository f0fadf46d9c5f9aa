//===- OffsetBounds.h - how far accesses go, in terms of sizes --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of integer values of a kernel, over all its work-items, as expressions
// over the sizes of a launch. Where the model knows a value, isl bounds the
// coordinates that it is made of; elsewhere the program is followed. Bounds may
// be wider than need be.
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_OFFSETBOUNDS_H
#define CLOPT_VALIDATION_OFFSETBOUNDS_H

#include "Model/KernelModel.h"
#include "Validation/DataRoles.h"
#include "Validation/SizeTerms.h"

#include <array>
#include <set>

namespace clopt {

/// Inclusive; nothing where no bound is known.
struct TermInterval {
  std::optional<Polynomial> low, high;
};

/// A launch whose sizes are expressions.
struct TermLaunch {
  std::array<Polynomial, 3> global, local;
  /// Parameters of the model that the global size is at least, with a constant
  /// that is added: the accesses stay below. Nothing: it has no such bound.
  std::array<std::optional<std::pair<SymbolId, int64_t>>, 3> tied;
  std::array<bool, 3> isExact = {false, false, false}; ///< it is just that
  std::map<std::string, Polynomial> integers; ///< as SmallLaunch::integers
  /// What the integers of these buffers are.
  std::map<const Variable *, TermInterval> contents;
};

/// What the argument points to, or what all accesses through it are of.
const Type &elementOf(const KernelModel &model, const Variable &pointer);

class OffsetBounds {
public:
  OffsetBounds(const KernelModel &model, const Assignments &assignments,
               SizeTerms &terms, const TermLaunch &launch);

  /// Of the cell that an access begins with, in elements of its array.
  TermInterval of(const Access &access);
  /// Of the value of an integer expression.
  TermInterval of(const ExprRef &expr);

private:
  TermInterval of(const Polynomial &poly, const isl::set *instances,
                  const std::vector<SymbolId> *coordinates);
  TermInterval ofSymbol(SymbolId id, const isl::set *instances,
                        const std::vector<SymbolId> *coordinates);
  TermInterval ofCoordinate(const isl::set &instances, unsigned at);
  TermInterval ofVariable(const Variable *variable);
  TermInterval ofQuery(const Expr &expr);
  TermInterval ofCall(const Expr &expr);
  TermInterval ofBinary(const Expr &expr);
  TermInterval ofPlace(const Expr &expr);
  std::optional<Polynomial> ofPieces(isl_pw_aff *values, bool isHigh);
  std::optional<Polynomial> parameter(SymbolId id);
  std::optional<Polynomial> ofParameters(const Polynomial &poly);
  isl::set tie(isl::set set) const;
  TermInterval join(const TermInterval &x, const TermInterval &y);
  TermInterval add(const TermInterval &x, const TermInterval &y) const;
  TermInterval multiply(const TermInterval &x, const TermInterval &y);
  bool isNatural(const TermInterval &x) const {
    return x.low && terms.isAtLeast(*x.low, Polynomial());
  }

  const KernelModel &model;
  const Assignments &assignments;
  SizeTerms &terms;
  const TermLaunch &launch;
  std::set<const Variable *> active; ///< being followed
  std::set<SymbolId> activeSymbols;
  std::map<const Variable *, TermInterval> known;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_OFFSETBOUNDS_H
