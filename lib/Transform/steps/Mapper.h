//===- Mapper.h - how a loop becomes a dimension, inside --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by Map.cpp and MapRegisters.cpp only.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_MAPPER_H
#define CLOPT_TRANSFORM_MAPPER_H

#include "Transform/Steps.h"

#include <memory>

namespace clopt {

/// Which virtual work-items execute a statement or copy.
enum class Placement {
  Iteration,  ///< it has the loop's coordinate
  Everywhere, ///< before the loop, without effect on memory
  First,      ///< before the loop
  Last        ///< after the loop
};

class Mapper {
public:
  Mapper(const TransformedKernel &transformed, unsigned loopIndex);

  StepResult check();
  StepResult build(bool isFastest);
  StepResult checkNewOrder(AliasMode alias);
  TransformedKernel result;

private:
  StepResult checkLoop() const;
  StepResult place();
  StepResult placeAround(const ScheduleNode &node);
  void placeAll(const ScheduleNode &node, bool isBefore);
  StepResult checkFlow() const;
  StepResult checkArrayFlow(unsigned array) const;
  bool keeps(isl::map flow, unsigned from, unsigned to) const;
  bool writesMemory(const Statement &statement) const;
  bool mentionsVariable(const Statement &statement) const;
  isl::set iterations() const;
  isl::set endOf(const isl::set &executed, bool last) const;
  std::optional<isl::pw_aff> bound(const isl::set &executed, bool last) const;
  StepResult addDimension(const isl::set &executed, bool isFastest);
  StepResult moveStatements(const isl::set &executed);
  StepResult moveCopies(const isl::set &executed);
  StepResult updateCopy(ArrayTile &copy);
  StepResult checkExposed(const ArrayTile &copy, const isl::map &exposed,
                          const isl::map &written) const;
  StepResult loadExposed(ArrayTile &copy, const isl::map &exposed) const;
  bool sharesRegisters(const Access &first, const Access &second) const;
  bool isShared(const ArrayTile &copy) const;
  StepResult requireIterations(const isl::set &needed, const isl::set &from);

  const TransformedKernel &kernel;
  const KernelModel &old;
  unsigned loop;
  const Loop &info;
  std::vector<Placement> placements;     ///< per statement
  std::vector<Placement> copyPlacements; ///< per private copy
  std::shared_ptr<KernelModel> model;    ///< the new one
  std::vector<SymbolId> workItem;        ///< coordinates of the old model
  std::vector<SymbolId> virtualItem;     ///< and the loop's
};

/// Work coordinates, then the loop's, then the others.
std::vector<SymbolId> withAxis(const std::vector<SymbolId> &coordinates,
                               const std::vector<SymbolId> &virtualItem);

} // namespace clopt

#endif // CLOPT_TRANSFORM_MAPPER_H
