//===- ForwardedValues.h - what a read of local memory gets -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cell of local memory that was copied there from a buffer has the value that
// the buffer has, where nothing writes to the buffer. Which work-item copied
// it, and in which iteration, is asked of the flow between the work-items of
// the group; what it copied is then said by the ids and iterators of the
// reader.
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_FORWARDEDVALUES_H
#define CLOPT_TRANSFORM_FORWARDEDVALUES_H

#include "Transform/Steps.h"
#include "Transform/steps/PolynomialExprs.h"

namespace clopt {

/// Scalars, and none that are `bool`.
bool isInteger(const Type &type);
/// min, max and clamp of integers.
bool isNearestInteger(const Expr &call);
/// The operands of `&&`, and of the operands that are such themselves.
void addConjuncts(const ExprRef &expr, std::vector<ExprRef> &all);
/// { R[...] -> [] } as a polynomial of the reader's coordinates and of
/// parameters, or nothing.
std::optional<Polynomial> asPolynomial(const KernelModel &model,
                                       isl::pw_aff value,
                                       const Statement &reader);

/// The cell of which the expression is a component, or itself.
const Expr *wholeCell(const Expr *expr);

class ForwardedValues {
public:
  /// `startsAtZero`: the model is of launches without offset.
  ForwardedValues(const KernelModel &model, const ScheduleNode &tree,
                  bool startsAtZero = false);

  /// An expression with the value of the cell (wholeCell) in its place, or
  /// null: then `problem` says why.
  ExprRef valueOf(const Access &read);

  /// What the comparison asks to be 0 or more, where both sides are affine.
  std::optional<Polynomial> askedBy(const Expr &comparison) const;

  /// Arrays that are read in the place of local memory.
  const std::set<unsigned> &sources() const { return read; }
  std::optional<Refusal> problem;

private:
  /// Where an expression is evaluated, seen from the reading statement R.
  struct Place {
    unsigned reader, statement; ///< indices into KernelModel::statements
    isl::map where;             ///< { R[...] -> S[...] }, single-valued
    /// The reading instance itself, not another one of its statement.
    bool isHere = false;
  };

  /// What one statement has written.
  struct Writer {
    isl::set cases; ///< { R[...] } instances of the reader that get it
    ExprRef value;
  };
  struct Nearest;

  ExprRef fail(const std::string &rule, const std::string &message,
               const SourceRange &range);
  ExprRef flowInto(const Access &access, const Place &place, unsigned depth);
  ExprRef writtenBy(const Access &access, const Place &place, unsigned depth);
  ExprRef at(const ExprRef &expr, const Place &place, unsigned depth);
  ExprRef integerAt(const ExprRef &expr, const Place &place, unsigned depth);
  bool isFixedName(const Expr &expr) const;
  ExprRef cellAt(const ExprRef &expr, const Access &access, const Place &place,
                 unsigned depth);
  ExprRef subscriptAt(const ExprRef &expr, const Place &place, unsigned depth);
  ExprRef partsAt(const ExprRef &expr, const Place &place, unsigned depth);
  ExprRef nearestAt(const ExprRef &expr, const Place &place, unsigned depth);
  bool isBelow(const ExprRef &low, const ExprRef &high, const isl::set &cases,
               const Statement &reader) const;
  bool isNeverBelowZero(const Polynomial &poly, const isl::set &cases,
                        const Statement &reader) const;
  std::optional<Polynomial> integerOf(const ExprRef &expr) const;
  bool hasPartsOfGroups(const Expr &sum) const;
  std::optional<Polynomial> idOf(const Expr &query) const;
  std::optional<Polynomial> polynomialAt(const Polynomial &poly,
                                         const Place &place);
  std::optional<Polynomial> affineAt(const Polynomial &poly,
                                     const Place &place) const;
  ExprRef makeInteger(const Polynomial &poly, const Type &type);
  void note(const ExprRef &expr, const Polynomial &value);
  ExprRef choose(const std::vector<Writer> &values, const Statement &reader,
                 const SourceRange &range);
  ExprRef joined(const Writer &left, const Writer &right,
                 const Statement &reader);
  struct Conjunct;
  std::optional<std::vector<Conjunct>>
  conjunctsOf(const ExprRef &condition) const;
  std::optional<Conjunct> moved(const Conjunct &from,
                                const Polynomial &distance);
  std::optional<Polynomial> distanceOf(const ExprRef &one,
                                       const ExprRef &other) const;
  ExprRef joinedConditions(const Writer &left, const Writer &right,
                           const Statement &reader);
  ExprRef joinedNearest(const Writer &left, const Writer &right,
                        const Statement &reader) const;
  std::optional<Nearest> nearestOf(const ExprRef &expr) const;
  ExprRef conditionOf(const isl::set &cases, const Statement &reader);
  bool areSame(const ExprRef &left, const ExprRef &right, const isl::set &where,
               const Statement &reader) const;

  const KernelModel &model;
  const ScheduleNode &tree;
  PolynomialExprs made;
  std::set<const Variable *> assigned;         ///< anywhere in the kernel
  std::map<const Expr *, Polynomial> integers; ///< that were made
  std::set<const Expr *> wholes; ///< of parts that count within groups
  std::vector<ExprRef> kept;     ///< keeps their keys alive
  std::set<unsigned> read;
  PolynomialExprs::Site site; ///< of the reader
};

} // namespace clopt

#endif // CLOPT_TRANSFORM_FORWARDEDVALUES_H
