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

/// The cell of which the expression is a component, or itself.
const Expr *wholeCell(const Expr *expr);

class ForwardedValues {
public:
  ForwardedValues(const KernelModel &model, const ScheduleNode &tree);

  /// An expression with the value of the cell (wholeCell) in its place, or
  /// null: then `problem` says why.
  ExprRef valueOf(const Access &read);

  /// What the comparison asks, both sides affine at the reader: a polynomial
  /// that is compared with zero.
  std::optional<Polynomial> comparedAt(const Expr &comparison) const;

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
  std::optional<Polynomial> idOf(const Expr &query) const;
  std::optional<Polynomial> polynomialAt(const Polynomial &poly,
                                         const Place &place);
  std::optional<Polynomial> affineAt(const Polynomial &poly,
                                     const Place &place) const;
  ExprRef makeInteger(const Polynomial &poly, const Type &type);
  void note(const ExprRef &expr, const Polynomial &value);
  ExprRef choose(const std::vector<std::pair<isl::set, ExprRef>> &values,
                 const Statement &reader, const SourceRange &range);
  ExprRef conditionOf(const isl::set &cases, const Statement &reader);
  bool areSame(const ExprRef &left, const ExprRef &right, const isl::set &where,
               const Statement &reader) const;

  const KernelModel &model;
  const ScheduleNode &tree;
  PolynomialExprs made;
  std::set<const Variable *> assigned;         ///< anywhere in the kernel
  std::map<const Expr *, Polynomial> integers; ///< that were made
  std::vector<ExprRef> kept;                   ///< keeps their keys alive
  std::set<unsigned> read;
  PolynomialExprs::Site site; ///< of the reader
};

} // namespace clopt

#endif // CLOPT_TRANSFORM_FORWARDEDVALUES_H
