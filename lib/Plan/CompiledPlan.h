//===- CompiledPlan.h - a launch plan ready for evaluation -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expressions of a plan are parsed once; for every launch they are
// evaluated over the application's arguments and NDRange. Nothing here calls
// OpenCL. Tested by test/unit/RuntimeCompiledPlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLAN_COMPILEDPLAN_H
#define CLOPT_PLAN_COMPILEDPLAN_H

#include "Plan/PlanExpression.h"
#include "clopt/LaunchPlan.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// The NDRange that the application asks for.
struct RequestedRange {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> offset{0, 0, 0};
  std::optional<std::array<std::size_t, 3>> local;

  /// As clEnqueueNDRangeKernel is given it; `offset` and `local` may be null.
  static RequestedRange of(unsigned dimensions, const std::size_t *offset,
                           const std::size_t *global, const std::size_t *local);
};

/// What the application gave as one argument.
struct GivenArgument {
  /// As clSetKernelArg is given it.
  static GivenArgument of(std::size_t size, const void *value, bool isBuffer);

  bool isSet = false;
  std::vector<std::uint8_t> bytes; ///< as for clSetKernelArg
  std::size_t size = 0;            ///< bytes.size(), or that of local memory
  std::uint64_t address = 0;       ///< buffers: see makeScope
  std::uint64_t bufferBytes = 0;   ///< buffers: their size
};

/// Where a buffer argument lies: equal `root`s are one memory object.
struct BufferPlace {
  const void *root = nullptr;
  std::uint64_t origin = 0; ///< bytes
};

/// Addresses as plan expressions see them: those of one memory object are as
/// far apart as the origins, those of different ones far away from each other.
std::vector<std::uint64_t>
planAddresses(const std::vector<BufferPlace> &places);

using PlanNames = std::map<std::string, PlanValue>;

/// The integer macros that these flags of clBuildProgram define.
PlanNames integerMacros(const std::vector<std::string> &flags);

/// The words of a string of options; quotes keep blanks.
std::vector<std::string> splitOptions(const std::string &options);

struct CompiledLaunch {
  const PlanLaunch *plan = nullptr;
  std::vector<PlanExpression> global, local, offset;
  /// One per argument; only values and sizes of local memory have one.
  std::vector<std::optional<PlanExpression>> arguments;
};

struct CompiledImage {
  PlanExpression width, height;
  std::optional<PlanExpression> rowBytes;
};

struct CompiledVariant {
  const PlanVariant *plan = nullptr;
  std::vector<std::pair<std::string, PlanExpression>> definitions;
  std::vector<PlanExpression> conditions;
  std::vector<PlanExpression> bufferBytes;
  std::vector<CompiledImage> images;
  std::vector<CompiledLaunch> before, after;
  CompiledLaunch launch;
};

/// A launch with numbers. A global size of 0 launches nothing.
struct ResolvedLaunch {
  const PlanLaunch *plan = nullptr;
  RequestedRange range;
  /// Per argument: the bytes of a value, or the size of local memory.
  std::vector<std::vector<std::uint8_t>> values;
  std::vector<std::size_t> localBytes;
  bool isEmpty() const;
  std::size_t groupItems() const; ///< 0: no local size
};

struct ResolvedImage {
  std::size_t width = 0, height = 0, rowBytes = 0; ///< 0: dense
};

/// A variant whose conditions hold, with all its numbers.
struct ResolvedVariant {
  const PlanVariant *plan = nullptr;
  std::vector<std::size_t> bufferBytes;
  std::vector<ResolvedImage> images;
  std::vector<ResolvedLaunch> before, after;
  ResolvedLaunch launch;
};

class CompiledPlan {
public:
  /// `readPlan` is what parseLaunchPlan accepts; throws PlanExpressionError
  /// for others.
  explicit CompiledPlan(LaunchPlan readPlan);
  CompiledPlan(const CompiledPlan &) = delete;
  CompiledPlan &operator=(const CompiledPlan &) = delete;

  const LaunchPlan &plan() const { return launchPlan; }
  /// The variants of a kernel, or null.
  const std::vector<CompiledVariant> *variants(const std::string &kernel) const;

private:
  LaunchPlan launchPlan;
  std::map<std::string, std::vector<CompiledVariant>> compiled;
};

/// The names that expressions may use at one launch: device facts and macros
/// (`fixed`), and the arguments of the kernel.
class PlanScope {
public:
  PlanScope(const PlanKernel &kernel, const RequestedRange &requested,
            const std::vector<GivenArgument> &arguments,
            const PlanNames &fixed);

  /// Nothing when a condition does not hold or a size has no value. Advice is
  /// followed unless `ignoreAdvice`.
  std::optional<ResolvedVariant> resolve(const CompiledVariant &variant,
                                         bool ignoreAdvice = false) const;
  /// How many conditions come before the first that does not hold. Advice is
  /// taken to hold.
  std::size_t held(const CompiledVariant &variant) const;

private:
  RequestedRange range;
  PlanNames names;
};

} // namespace clopt

#endif // CLOPT_PLAN_COMPILEDPLAN_H
