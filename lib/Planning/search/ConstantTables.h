//===- ConstantTables.h - tables that pay in constant memory ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ConstantTableTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_CONSTANTTABLES_H
#define CLOPT_PLANNING_CONSTANTTABLES_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "clopt/Recipe.h"

#include <vector>

namespace clopt {

/// `stage w constant` for private tables of constants that a loop walks
/// through, unless it is short enough for compilers to write it out, which
/// leaves no table.
std::vector<Step> tableSteps(const TransformedKernel &kernel,
                             const DeviceProfile &profile);

} // namespace clopt

#endif // CLOPT_PLANNING_CONSTANTTABLES_H
