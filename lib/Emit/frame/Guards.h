//===- Guards.h - run-time conditions of optimized code ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimized body runs only when everything it assumes holds for the whole
// launch: the conditions use arguments and launch sizes only, so all work-items
// decide alike.
//
// Tested by test/unit/GuardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_GUARDS_H
#define CLOPT_EMIT_GUARDS_H

#include "Emit/body/BodyWriter.h"
#include "Emit/lower/Lowering.h"
#include "Emit/print/LinearForm.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// A condition in OpenCL C.
struct GuardCondition {
  bool operator==(const GuardCondition &other) const {
    return parts == other.parts;
  }
  std::vector<Conjunct> parts; ///< operands of &&
  /// Only says that the new text pays: without it that is right for more
  /// launches.
  bool isAdvice = false;
};

/// Which launches a guard is about: those of the drop-in kernel, or those for
/// which the host asks before it launches something else.
enum class GuardScope { Device, Host };

struct Guards {
  /// What the conditions use.
  std::vector<ConstantDeclaration> definitions;
  /// To be joined by &&.
  std::vector<GuardCondition> conditions;
  /// What they mean, for people.
  std::vector<std::string> reasons;
  /// Terms in the definitions and the conditions.
  std::set<std::string> mentioned;
  /// Ends of ids that one of the conditions keeps below 2^30.
  std::set<std::string> boundedEnds;
  /// What the conditions on arguments and ends say, under the names of isl's
  /// parameters: { : }, and those of the ends.
  std::optional<isl::set> known;
  std::map<std::string, std::string> endParameters;
  /// Set when the conditions can never hold or cannot be written.
  std::optional<LoweringError> error;
};

/// `ends`: isl's name and the variable for the end of the launch, per work
/// coordinate of the statements. For the host conditions on the launched groups
/// are left out. Names of `launch` must outlive the call. `asked`: { : } of
/// arguments, from LoweredKernel.
Guards makeGuards(const TransformedKernel &kernel,
                  const std::vector<std::string> &endParameters,
                  const std::vector<std::string> &endVariables,
                  const std::function<std::string(const std::string &)> &fresh,
                  GuardScope scope = GuardScope::Device,
                  const LaunchNames &launch = {},
                  const std::optional<isl::set> &asked = std::nullopt);

/// Conditions that hold where no two of the arrays have a cell in common.
Guards
makeOverlapGuards(const TransformedKernel &kernel,
                  const std::set<std::pair<unsigned, unsigned>> &arrays,
                  const std::vector<std::string> &endParameters,
                  const std::vector<std::string> &endVariables,
                  const std::function<std::string(const std::string &)> &fresh);

/// True when the guard keeps the iterators of the loop clear of the end of
/// `int` that they count towards: emitted code adds to them.
bool clearOfEnds(const TransformedKernel &kernel, unsigned loop);
/// Ids along a dimension that is kept in `int`, as the guard lets them through.
IntRange idValues(const TransformedKernel &kernel, unsigned dim);
/// Conditions for arguments that have to stay clear of the least (false) or
/// greatest (true) values of `int`, unless the guards say so already.
void addClearArguments(
    const std::map<std::pair<std::string, bool>, int64_t> &arguments,
    Guards &guards);

} // namespace clopt

#endif // CLOPT_EMIT_GUARDS_H
