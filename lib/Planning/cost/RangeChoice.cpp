//===- RangeChoice.cpp - when an NDRange of its own pays ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are dimensions, or that work-items share, make more of them, and
// devices that run work-items one after the other save those that only find
// nothing to do. On others the drop-in kernel launches groups that leave at
// once, and evaluates its guard: as much as the work of kernels that end soon,
// nothing beside that of long ones. Those gain by groups of the right size, if
// the application asks for smaller ones; a device that chooses chooses well.
//
// Tested by test/unit/RangeChoiceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/RangeChoice.h"

#include "Transform/Steps.h"

namespace clopt {

/// Most iterations of a statement in a kernel that ends soon.
static constexpr int64_t fewIterations = 1024;

static bool endsSoon(const TransformedKernel &kernel) {
  for (const Statement &statement : kernel.model->statements) {
    int64_t runs = 1;
    for (unsigned loop : statement.loops) {
      std::optional<int64_t> trips = constantTripCount(kernel, loop);
      if (!trips || *trips > fewIterations)
        return false;
      runs *= std::max<int64_t>(1, *trips);
      if (runs > fewIterations)
        return false;
    }
    if (statement.isCompound && statement.stmt &&
        statement.stmt->kind != StmtKind::If)
      return false; // loops that only the data ends
  }
  return true;
}

std::optional<PlanCondition> ownRangePays(const TransformedKernel &kernel,
                                          const PlanVariant &variant,
                                          const DeviceProfile &profile) {
  if (profile.spreadWorkItems || !kernel.model->ndrange.mapped.empty() ||
      kernel.sharesWork() || endsSoon(kernel))
    return std::nullopt;
  int64_t items = 1;
  for (const std::string &size : variant.launch.local)
    items *= std::stol(size);
  std::string given;
  for (unsigned d = 0; d < kernel.model->ndrange.rank; ++d)
    given += (d ? " * " : "") + std::string("get_local_size(") +
             std::to_string(d) + ")";
  return PlanCondition{given + " < " + std::to_string(items),
                       "the application's groups are smaller", true};
}

} // namespace clopt
