//===- ModelRealizer.h - the isl half of building a model -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by ModelRealize.cpp, ModelBounds.cpp, ModelShapes.cpp and
// ModelSchedule.cpp.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_MODELREALIZER_H
#define CLOPT_FRONTEND_MODELREALIZER_H

#include "Frontend/model/Delinearize.h"
#include "Frontend/model/ModelDraft.h"

namespace clopt {

/// Decimal digits of a wide integer.
std::string wideText(WideInt value);

class Realizer {
public:
  explicit Realizer(Draft &source);
  bool run();

private:
  //===-- Domains (ModelRealize.cpp) --------------------------------------===//
  isl::set paramBounds();
  void dropUnusedQuotients();
  std::optional<Polynomial> asKnownProduct(const Polynomial &sum) const;
  std::vector<SymbolId> workCoordinates() const;
  Condition workBounds() const;
  std::optional<Condition> gridBounds(unsigned dim) const;
  bool addGridDimensions();
  isl::set convert(const Condition &condition,
                   const std::vector<SymbolId> &coordinates) const;
  const isl::set &contextSet(unsigned index);
  std::string nameForPeople(SymbolId id) const;
  void addStatements();

  //===-- Requirements (ModelRealize.cpp) ---------------------------------===//
  std::optional<isl::set> violations(const Polynomial &poly,
                                     const Interval &range, unsigned context);
  std::optional<isl::set> conditionAgainst(const isl::set &violating,
                                           const isl::set &domain);
  bool resolve(const Requirement &requirement);
  bool refuse(const Requirement &requirement);
  isl::set plainLaunches(const Polynomial &poly,
                         const isl::set &condition) const;
  isl::set usualLaunches(const Requirement &requirement) const;
  void assume(Assumption assumption);
  void markSplits();
  void assumeSingles();
  void assumeGroupSizes();
  void assumeOrigins();
  void assumeZero(const Polynomial &poly, const std::string &text);
  void markSplit(const Polynomial &poly);
  void markSplit(const Condition &condition);

  //===-- Products (ModelBounds.cpp) --------------------------------------===//
  bool isNonNegative(const Polynomial &poly, unsigned context,
                     isl::set &assumed);
  bool isBounded(const Polynomial &poly, WideInt maximum, unsigned context,
                 isl::set &assumed);
  std::vector<Polynomial> upperBounds(SymbolId symbol, unsigned context);
  bool boundProduct(const Polynomial &poly, WideInt maximum, unsigned context,
                    Assumption &assumption);
  bool resolveProduct(const Requirement &requirement, Assumption &assumption);

  //===-- Arrays (ModelShapes.cpp) ----------------------------------------===//
  struct Candidate {
    ArrayShape shape;
    std::vector<Polynomial> extents;
    /// Per access of the array: subscripts, empty when not affine.
    std::vector<std::vector<Polynomial>> subscripts;
    size_t affine = 0; ///< accesses with subscripts
    Polynomial origin; ///< taken from all offsets
  };
  void prepareShapes();
  void addAccesses();
  isl::set worthwhile() const;
  void shapeArray(unsigned array);
  void addCandidate(unsigned array, const ArrayShape &shape,
                    const std::vector<Polynomial> &offsets,
                    const Polynomial &origin);
  bool tryCandidate(unsigned array, Candidate &candidate,
                    bool mayAssume = true);
  bool isBetterWithin(unsigned array, size_t at);
  bool isGuarded(const isl::set &domain, const isl::pw_aff &value) const;
  void addRelation(DraftAccess &record);
  isl::map relationOf(const DraftAccess &record);
  isl::pw_aff affine(const Polynomial &poly, unsigned context) const;

  //===-- Schedule (ModelSchedule.cpp) ------------------------------------===//
  isl::schedule buildSchedule();

  Draft &draft;
  KernelModel &model;
  std::vector<isl::set> contextSets;              ///< { [w..., i...] }
  std::vector<std::vector<SymbolId>> coordinates; ///< of contextSets
  std::vector<std::vector<unsigned>> accessesOf;  ///< with an offset, by array
  std::vector<std::vector<Candidate>> candidates; ///< by array
};

} // namespace clopt

#endif // CLOPT_FRONTEND_MODELREALIZER_H
