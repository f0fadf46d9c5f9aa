//===- PlanDraft.h - the launch plan while it is made -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the variants of all kernels of a file. A variant is only taken when
// the host can read all its expressions; every kernel ends with its original.
//
// Tested by test/unit/PlanDraftTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_PLANDRAFT_H
#define CLOPT_DRIVER_PLANDRAFT_H

#include "Emit/layout/Relayout.h"
#include "clopt/LaunchPlan.h"
#include "clopt/Options.h"

#include <set>
#include <string>

namespace clopt {

class PlanDraft {
public:
  explicit PlanDraft(const Options &options);

  /// Variants belong to the kernel that was added last, or before.
  void addKernel(PlanKernel kernel);
  /// The drop-in kernel under the application's launch. Conditions that the
  /// host cannot read are left to the kernel. The kernel asks for what pays,
  /// too, so there is no advice in the plan.
  void addSameLaunch(const std::string &kernel, PlanVariant variant);
  /// A kernel with an NDRange of its own, ahead of the others; false when the
  /// host cannot read its expressions.
  bool addOwnRange(const std::string &kernel, const PlanVariant &variant);

  /// The variants of a kernel on converted buffers become variants of the
  /// author's kernel, ahead of its own, with the conversions around them.
  void adopt(const std::string &kernel, const RelaidKernel &relaid);

  /// Names of kernels that only plans launch.
  std::set<std::string> kernelNames() const;
  /// Takes back all variants that launch this kernel of the optimized file.
  void removeLaunchesOf(const std::string &name);
  /// Takes back one variant.
  void remove(const std::string &kernel, const std::string &variant);
  void removeSameLaunch(const std::string &kernel) { removeLaunchesOf(kernel); }

  /// The plan for these two texts.
  LaunchPlan finish(const std::string &original,
                    const std::string &optimized) const;
  /// The same with all that is about speed as advice.
  LaunchPlan withAdvice() const;

private:
  PlanKernel *find(const std::string &kernel);
  bool isReadable(const PlanKernel &kernel, const PlanVariant &variant) const;

  LaunchPlan plan;
  std::set<std::string> paying; ///< what drop-in kernels ask for
};

} // namespace clopt

#endif // CLOPT_DRIVER_PLANDRAFT_H
