//===- FlatIds.h - ids that are several in one ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that takes its only id apart, `x = id % w, y = id / w`, computes the
// ids of a launch with more dimensions, which lie row by row in the one it has.
// Its body is written anew for that launch: `w` and what is left of the
// work-items become sizes of dimensions, and digits of the id their ids. What
// must hold for both to do the same is asked where the new text begins.
//
// Tested by test/unit/FlatIdsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_FLATIDS_H
#define CLOPT_FRONTEND_FLATIDS_H

#include "Model/Expr.h"

namespace clopt {

/// Gives the kernel the body of a launch with two or three dimensions, where
/// its id is divided by values that all work-items share; the author's becomes
/// Function::written. False, with nothing changed, where that is not so.
bool splitFlatIds(Function &kernel);
/// Takes that back.
void joinFlatIds(Function &kernel);

} // namespace clopt

#endif // CLOPT_FRONTEND_FLATIDS_H
