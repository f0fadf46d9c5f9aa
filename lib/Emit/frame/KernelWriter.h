//===- KernelWriter.h - a kernel's new body ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the drop-in form of a kernel together: guard, mapping of launched to
// virtual work-items, optimized versions, original body.
//
// Tested by test/unit/KernelWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_KERNELWRITER_H
#define CLOPT_EMIT_KERNELWRITER_H

#include "Emit/frame/PlannedKernel.h"

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

struct EmitOptions {
  /// Deal virtual work-items evenly to the launched groups, instead of packing
  /// them into the first ones (DeviceProfile::spreadWorkItems).
  bool spreadWorkItems = false;
  /// Tiles of groups are made smaller while there are fewer than this.
  unsigned computeUnits = 1;
  /// Work-items that a compute unit has in flight.
  unsigned itemsPerComputeUnit = 512;
  /// Also fill EmittedKernel::plan and, where there is something to gain,
  /// EmittedKernel::planned.
  bool withPlan = false;
  /// Its groups along the first and the second dimension, where any will do.
  std::optional<std::array<unsigned, 2>> planGroup;
  /// Refuse code that hardly any work-item of a large launch would run.
  bool often = false;
  /// Leave out what only says that a launch is large enough to gain.
  bool everyLaunch = false;
  /// Names that the planned kernel must not have.
  std::set<std::string> takenNames;
  /// Lays out statements of a function body; may be empty.
  std::function<std::string(const std::string &)> format;
};

/// All versions of a kernel (TransformedKernel::otherwise).
struct EmittedKernel {
  /// Text that replaces the kernel's body, braces included.
  std::string body;
  std::vector<std::string> guards; ///< for people
  /// Of each version with a guard, which the last may lack: operands of its &&,
  /// counted from the left, that only say that the new text pays,
  /// Guards::advice.
  std::vector<std::set<unsigned>> advice;
  /// The conditions of the first guard that the host can evaluate, as the
  /// variant that launches the drop-in kernel as it is.
  PlanVariant sameLaunch;
  /// The form for an NDRange of its own; its conditions are complete.
  std::optional<PlannedKernel> planned;
};

/// The new body; nothing and `error` when the kernel cannot be written.
std::optional<EmittedKernel> emitKernel(const TransformedKernel &kernel,
                                        const EmitOptions &options,
                                        LoweringError &error);

} // namespace clopt

#endif // CLOPT_EMIT_KERNELWRITER_H
