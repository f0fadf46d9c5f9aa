//===- Launches.h - small launches that show a kernel -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches for symbolic runs: some in which the tiles of the steps are full and
// others in which they are cut, with offsets, and some that the guard of the
// optimized version refuses.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_LAUNCHES_H
#define CLOPT_VALIDATION_LAUNCHES_H

#include "Model/TransformedKernel.h"
#include "Validation/KernelRun.h"

namespace clopt {

/// Launches for `kernel`, cheap ones first. May throw isl::exception.
std::vector<SmallLaunch> chooseLaunches(const TransformedKernel &kernel);

/// Gives a launch the integers that it lacks: each the first of the values,
/// which go by name, with which all that the model assumes can still hold and
/// most statements still run. May throw isl::exception.
void completeLaunch(const TransformedKernel &kernel, SmallLaunch &launch,
                    const std::map<std::string, std::vector<int64_t>> &values);

/// Shapes of groups for a kernel that depends on them, those of its local
/// arrays first; none for other kernels.
std::vector<std::array<int64_t, 3>>
suitedGroups(const TransformedKernel &kernel);

/// The values that isl's parameters have in a launch, by name. Parameters that
/// are not values of the launch are left out.
std::map<std::string, int64_t> parameterValues(const KernelModel &model,
                                               const SmallLaunch &launch);

/// The names of arguments that are integers, and of integer parts of others
/// that the model knows: "n", "size.width".
std::vector<std::string> integerArguments(const KernelModel &model);
/// The name in SmallLaunch::integers of what gives a parameter its value: of
/// `(int)ceil(radius)` it is "radius".
std::string integerOf(const Symbol &parameter);

/// The polynomial for these values; nothing when a symbol has none.
std::optional<int64_t> valueOf(const KernelModel &model, const Polynomial &poly,
                               const std::map<std::string, int64_t> &values);

/// `set` for these values of its parameters.
isl::set fixParameters(const isl::set &set,
                       const std::map<std::string, int64_t> &values);

/// Whether everything that the model assumes holds in the launch.
bool meetsAssumptions(const KernelModel &model, const SmallLaunch &launch);

} // namespace clopt

#endif // CLOPT_VALIDATION_LAUNCHES_H
