//===- LayoutVariants.h - kernels on converted buffers ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes `kernel NAME plan` that begin with `layout ... buffer` ask for a
// second kernel beside the author's, on copies of its buffers in other layouts.
// It is put behind the text of the file and goes the same way as any kernel.
//
// Tested by test/unit/RuntimeLayoutTest.cpp, test/lit/layout.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_LAYOUTVARIANTS_H
#define CLOPT_DRIVER_LAYOUTVARIANTS_H

#include "Driver/Tampering.h"
#include "Emit/layout/Relayout.h"
#include "Transform/Steps.h"
#include "clopt/Recipe.h"

#include <set>
#include <string>
#include <vector>

namespace clopt {

struct LayoutVariant {
  std::string kernel; ///< the author's
  RelaidKernel relaid;
  std::vector<Step> layouts; ///< steps that it comes from
  KernelRecipe rest;         ///< steps that are left for it
  bool hasRest = false;      ///< else the planner decides
};

/// A layout step that cannot be taken.
struct LayoutProblem {
  std::string kernel;
  Step step;
  Refusal refusal;
};

class LayoutVariants {
public:
  LayoutVariants(const TranslationUnit &parsed, const Options &how);

  /// Whether the recipe begins with what only a host can do.
  static bool isFor(const KernelRecipe &recipe);
  /// The variant that a recipe asks for; false and `problem` when it cannot be
  /// made, true and nothing when it asks for none.
  bool add(const KernelModel &model, const KernelRecipe &recipe,
           LayoutProblem &problem);
  /// The same for steps that nobody wrote: the planner decides what follows.
  bool addPlanned(const KernelModel &model, const KernelRecipe &recipe,
                  LayoutProblem &problem);

  /// The steps after the layouts of the last variant are the planner's, and it
  /// is used under these conditions only.
  void leaveToPlanner(const std::vector<PlanCondition> &conditions);

  /// Changes the texts.
  void tamper(const Tamper &change);

  bool isEmpty() const { return variants.empty(); }
  void clear() {
    variants.clear();
    conversions.clear();
  }
  const std::string &original() const { return unit.text; }
  /// The text of the file with the further kernels.
  std::string extendedText() const;
  /// Where that has the kernels of the variant, and what stands there when no
  /// variant is left.
  std::pair<int64_t, int64_t> placeOf(const LayoutVariant &variant) const;
  std::string originalEnd() const { return unit.text.substr(keptSize()); }
  /// The variant whose kernel this is, or null.
  const LayoutVariant *find(const std::string &kernel) const;
  bool isConversion(const std::string &kernel) const {
    return conversions.count(kernel) != 0;
  }
  const std::vector<LayoutVariant> &all() const { return variants; }

private:
  std::string fresh(const std::string &name);
  size_t keptSize() const;

  const TranslationUnit &unit;
  const Options &options;
  std::set<std::string> taken; ///< names
  std::set<std::string> conversions;
  std::vector<LayoutVariant> variants;
};

} // namespace clopt

#endif // CLOPT_DRIVER_LAYOUTVARIANTS_H
