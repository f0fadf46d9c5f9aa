//===- LocalMentions.h - how a kernel uses a local array --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cells of one of the author's own local arrays may lie elsewhere if every
// mention of the array is a whole subscript.
//
// Tested by test/unit/PadTest.cpp, test/unit/LocalLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_LOCALMENTIONS_H
#define CLOPT_TRANSFORM_LOCALMENTIONS_H

#include "Transform/Steps.h"

namespace clopt {

/// Refuses when the array is used otherwise than in whole subscripts; with
/// `copiesIndex` also when evaluating a subscript twice would matter.
StepResult checkMentions(const KernelModel &model, const Variable *variable,
                         bool copiesIndex);

} // namespace clopt

#endif // CLOPT_TRANSFORM_LOCALMENTIONS_H
