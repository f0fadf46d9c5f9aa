//===- GuardMaker.h - the condition of the fast versions, inside *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by Guards.cpp and GuardRanges.cpp only.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_GUARDMAKER_H
#define CLOPT_EMIT_GUARDMAKER_H

#include "Emit/body/BodyWriter.h"
#include "Emit/frame/Guards.h"
#include "Emit/frame/ProductGuards.h"
#include "Emit/print/StatementPrinter.h"

namespace clopt {

class GuardMaker {
public:
  GuardMaker(const TransformedKernel &transformed,
             const std::vector<std::string> &parameters,
             const std::vector<std::string> &variables,
             const std::function<std::string(const std::string &)> &fresh,
             GuardScope guardScope, const LaunchNames &launchNames);
  Guards run();
  /// Of what `run` makes, that alone which keeps these arrays apart.
  Guards keepApart(const std::set<std::pair<unsigned, unsigned>> &arrays);
  /// { : } conditions on arguments, beside those of the model.
  std::optional<isl::set> asked;

private:
  void addRank();
  void addFlatLaunch();
  bool isOfFlatLaunch(const Polynomial &poly) const;
  void addQuotients();
  void addUniformGroups();
  void addGroupSize();
  void addMacros();
  void addWideArguments();
  std::string symbolText(SymbolId id) const;
  void addAssumptions();
  void addConditions(const isl::set &conditions);
  void addChoices(const isl::set &plain, const std::vector<isl::set> &choices);
  void addChoice(const isl::set &choice);
  void addPrinted(const isl::set &condition);
  void refuseContext();
  isl::set launched(const isl::set &set) const;
  bool addIdRanges(isl_set *&all);
  bool addLoopRanges(isl_set *&all);
  void addLeastIterations();
  void addLeastRounds();
  void addStrides();
  void addLeastWorkItems();
  void addWholeBlocks();
  std::string launchedItems(unsigned rank);
  std::string alignedRows() const;
  bool addParameterRanges(isl_set *&all);
  void addProducts(const std::vector<ProductBound> &bounds,
                   const isl::set &assumed);
  ProductBound withEnds(const ProductBound &bound);
  ProductFactor factorOf(SymbolId id, const isl::set &assumed) const;
  void addOverlaps(const std::set<std::pair<unsigned, unsigned>> &arrays);
  void addAlignment();
  void addZeros();
  isl::set addCommonBound(const isl::set &condition);
  void addDirections(const Array &array, const isl::set &cells);
  bool footprint(unsigned array, std::string &first, std::string &end);
  bool declareFootprint(unsigned array);
  std::optional<PrintedText> bound(const isl::set &cells, unsigned dim,
                                   bool maximum);
  void add(const std::vector<Conjunct> &parts, const std::string &reason,
           bool isAdvice = false);

  const TransformedKernel &kernel;
  const KernelModel &model;
  std::vector<unsigned> dims;
  const std::vector<std::string> &endParameters;
  const std::vector<std::string> &endVariables;
  const std::function<std::string(const std::string &)> &freshName;
  GuardScope scope;
  const LaunchNames &launch;
  std::map<unsigned, std::pair<std::string, std::string>> footprints;
  std::string items;              ///< that are launched, or empty
  std::vector<std::string> zeros; ///< expressions of type size_t
  AstNames names;
  isl::set context; ///< { : } what is known of arguments and launch
  Guards result;
};

} // namespace clopt

#endif // CLOPT_EMIT_GUARDMAKER_H
