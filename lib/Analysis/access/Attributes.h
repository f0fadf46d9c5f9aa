//===- Attributes.h - reuse, read-only, unpredictable, uniform --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes by which Chen and Wu choose a memory (Definitions 5 to 7 and
// Algorithm 3). Their Definition 6 of read-only cannot be meant as printed;
// here it has its ordinary sense.
//
// Tested by test/unit/AttributesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_ATTRIBUTES_H
#define CLOPT_ANALYSIS_ATTRIBUTES_H

#include "Model/KernelModel.h"

#include <vector>

namespace clopt {

struct AccessAttributes {
  /// The kernel has several references to the array, or the access touches a
  /// cell in several instances: rank(f) < dimension of the domain.
  bool isReused = false;
  /// Nothing in the kernel writes the array.
  bool isReadOnly = false;
  /// The address depends on data.
  bool isUnpredictable = false;
  /// All work-items of a group use the same address at the same time.
  bool isUniform = false;
};

struct ArrayAttributes {
  bool isReused = false;
  bool isReadOnly = false;
  bool isWriteOnly = false;
  bool isUnpredictable = false; ///< at least one access is
  bool isUniform = false;       ///< all accesses are
  unsigned references = 0;      ///< a compound assignment counts as two
};

/// Indexed like KernelModel::accesses.
std::vector<AccessAttributes> accessAttributes(const KernelModel &model);

/// Indexed like KernelModel::arrays.
std::vector<ArrayAttributes> arrayAttributes(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_ANALYSIS_ATTRIBUTES_H
