//===- PlannedKernel.h - a kernel for an NDRange of its own -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside the drop-in form there is one that the host launches as the plan says:
// one work-item or group for every tile, sizes and offsets of the application's
// launch as further arguments, no guard and no second body. The conditions of
// the guard become those of the variant.
//
// Tested by test/unit/PlannedKernelTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_PLANNEDKERNEL_H
#define CLOPT_EMIT_PLANNEDKERNEL_H

#include "Emit/body/BodyWriter.h"
#include "Emit/frame/Guards.h"
#include "clopt/LaunchPlan.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// A line ahead of a planned kernel's body.
struct PlannedLine {
  PlannedLine(std::string line, std::set<std::string> names = {})
      : text(std::move(line)), uses(std::move(names)) {}
  PlannedLine(const ConstantDeclaration &declaration)
      : text(declaration.text()), constant(declaration.name),
        uses(declaration.uses) {}
  std::string text;
  std::string constant; ///< that it declares, and does nothing else; or empty
  std::set<std::string> uses; ///< as in ConstantDeclaration
};

/// How the work-items of the plan's NDRange find their tile.
struct PlannedRange {
  std::vector<PlannedLine> lines; ///< declarations of the tile's first ids
  std::vector<PlanDefinition> definitions;
  std::vector<PlanCondition> conditions;
  std::vector<std::string> global, local;
};

struct PlannedRangeOptions {
  unsigned computeUnits = 1;
  unsigned groupItems = 256; ///< where the kernel does not fix it
  unsigned rowItems = 64;    ///< of these along dimension 0
  std::function<std::string(const std::string &)> fresh;
  Configuration configuration; ///< that the kernel is written for
};

/// Groups that share tiles: one group for each.
PlannedRange planGroupRange(const TransformedKernel &kernel,
                            const KernelNames &names,
                            const PlannedRangeOptions &options);
/// Work-items with tiles of their own, loops made dimensions included.
PlannedRange planItemRange(const TransformedKernel &kernel,
                           const KernelNames &names,
                           const PlannedRangeOptions &options);

/// So many work-items for each of the application's as share its loops. They
/// find what they do by themselves, however many there are.
PlannedRange planSharedRange(const TransformedKernel &kernel,
                             const PlannedRangeOptions &options);

/// The definitions and conditions of a variant that relies on the guards.
void addGuards(const Guards &guards, PlanVariant &variant);

/// The parameters of the kernel, as the host sees them.
PlanKernel describeKernel(const KernelModel &model);

/// Text of a kernel and how it is launched.
struct PlannedKernel {
  std::string text; ///< the whole function
  PlanVariant variant;
};

/// The text of the kernel from `__kernel` to its body, with another name and
/// further parameters; nothing when macros or directives are in the way.
std::optional<std::string>
kernelHead(const KernelModel &model, const std::string &name,
           const std::vector<std::string> &parameters);

/// Names for the arguments that say what the application's launch is.
LaunchNames
launchArguments(const std::function<std::string(const std::string &)> &fresh);
/// True when OpenCL is asked for any of it in a text with these names.
bool asksForLaunch(const std::set<std::string> &mentioned);

/// Puts the kernel together from the lines of its body; nothing when it asks
/// for something that the plan's NDRange does not have. `body` is the text
/// between the braces without declarations of the range, and `mentioned` are
/// the names in it.
std::optional<PlannedKernel> writePlannedKernel(
    const TransformedKernel &kernel, const PlannedRange &range,
    const std::vector<PlannedLine> &head, const std::vector<std::string> &body,
    const std::set<std::string> &mentioned, const LaunchNames &launch,
    const PlannedRangeOptions &options,
    const std::function<std::string(const std::string &)> &format);

} // namespace clopt

#endif // CLOPT_EMIT_PLANNEDKERNEL_H
