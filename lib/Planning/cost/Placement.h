//===- Placement.h - every array in the memory that suits it ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates by the rules of Chen and Wu (Algorithm 3): unpredictable arrays
// first, images only for what is read, constant memory only for what all
// work-items of a group read alike. Their sizes against the device's limits
// are constraints, their predicted times the objective of an integer program
// with one 0/1 variable per array and memory. What is no candidate says why.
// docs/internals/placement.md has the rules, the model and its limits.
//
// Tested by test/unit/PlacementTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_PLACEMENT_H
#define CLOPT_PLANNING_PLACEMENT_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "clopt/Options.h"
#include "clopt/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// In the order in which equally good ones are preferred.
enum class MemoryKind { Private, Constant, Local, Image, Global };
constexpr unsigned memoryCount = 5;

/// "private", "constant", "local", "image", "global".
const char *memoryName(MemoryKind memory);

/// One array in one memory.
struct MemoryChoice {
  MemoryKind memory = MemoryKind::Global;
  /// A candidate, even if another memory is better.
  bool isPossible = false;
  /// The host has to set up the argument in another way: a launch plan.
  bool needsHost = false;
  /// Bytes it takes: of registers per work-item, of local memory per group,
  /// of the whole array in constant memory or an image. 0: not known.
  int64_t bytes = 0;
  /// Predicted time of one work-item's accesses, in clocks; 0: not predicted.
  double clocks = 0;
  /// Why not, with figures; empty for the memory that was chosen.
  std::string reason;
};

struct ArrayPlacement {
  unsigned array = 0; ///< index into KernelModel::arrays
  std::string name;
  /// The best memory when the host follows a launch plan, and when it launches
  /// the kernel as ever.
  MemoryKind chosen = MemoryKind::Global, dropIn = MemoryKind::Global;
  std::vector<MemoryChoice> choices; ///< one per MemoryKind, in that order
  const MemoryChoice &in(MemoryKind memory) const {
    return choices[static_cast<unsigned>(memory)];
  }
};

struct Placement {
  int64_t groupItems = 1;    ///< work-items of the group that sizes are for
  int64_t localCapacity = 0; ///< bytes per group at the wanted occupancy
  std::vector<ArrayPlacement> arrays; ///< in the order of the model
  const ArrayPlacement *find(unsigned array) const;
};

/// The placement for a kernel that no step was applied to yet. May throw
/// isl::exception.
Placement placeArrays(const TransformedKernel &start,
                      const DeviceProfile &profile, AliasMode alias);

/// The placement as the report shows it.
std::vector<ArrayReport> reportPlacement(const Placement &placement);

} // namespace clopt

#endif // CLOPT_PLANNING_PLACEMENT_H
