//===- TunedRecipes.h - optimizing with recorded recipes --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recorded recipe takes the place of the planner's for its kernel when every
// step of it is still legal and the new text passes validation; otherwise the
// planner's choice stays, and a remark says why.
//
// Tested by test/unit/TunedRecipesTest.cpp, test/lit/tune/database.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_TUNEDRECIPES_H
#define CLOPT_DRIVER_TUNEDRECIPES_H

#include "Report/TuningDatabase.h"
#include "clopt/Clopt.h"

#include <string>
#include <vector>

namespace clopt {

/// Like optimize(), with the best recipe that `records` have for each kernel.
/// Without a record that fits it is optimize().
Result optimizeTuned(const std::string &path, const std::string &source,
                     const Options &options,
                     const std::vector<TuningRecord> &records);

} // namespace clopt

#endif // CLOPT_DRIVER_TUNEDRECIPES_H
