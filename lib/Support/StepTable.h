//===- StepTable.h - the steps of recipes, as a table -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Steps.def says of each step. How a step is taken is not known here:
// lib/Transform/Apply.h.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_STEPTABLE_H
#define CLOPT_SUPPORT_STEPTABLE_H

#include <string>
#include <vector>

namespace clopt {

/// What the targets of a step name; docs/recipes.md has a row for each.
enum class StepTargets {
  Arrays,
  ArraysOrLoops,
  ArraysOrVariables,
  LocalArrays,
  Dimensions, ///< of the NDRange
  Axes,       ///< dimensions or loops
  Loops,
  DataLoops,   ///< loops, also those with bounds that depend on data
  StrideLoops, ///< loops in steps of the launch's or the group's size
  Nothing
};

/// What a step goes together with.
namespace StepTraits {
enum : unsigned {
  Plain = 0,
  /// It is about the groups of the launch, and for kernels whose dimensions are
  /// those of the launch, in their order.
  OnGroups = 1,
  /// Work-items of a group share a loop or go through it together: asked for
  /// again behind every later step.
  ForGroupLoops = 2,
  /// It comes first, and the kernel is modelled anew.
  MakesModel = 4
};
} // namespace StepTraits

struct StepInfo {
  std::string name;
  StepTargets targets;
  unsigned traits; ///< a sum of StepTraits
  std::vector<std::string> flags, parameters;
  std::string remark, summary; ///< Steps.def
  bool has(unsigned trait) const { return traits & trait; }
  bool hasFlag(const std::string &flag) const;
  bool hasParameter(const std::string &key) const;
};

/// In the order of Steps.def.
const std::vector<StepInfo> &allSteps();
/// The step with this name, or null.
const StepInfo *findStep(const std::string &name);
std::vector<std::string> stepNames();

} // namespace clopt

#endif // CLOPT_SUPPORT_STEPTABLE_H
