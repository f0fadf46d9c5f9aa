//===- ModelRealize.h - from a draft to the model ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second half of building a model: domains, array shapes, access
// relations, assumptions and the schedule, with isl.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_MODELREALIZE_H
#define CLOPT_FRONTEND_MODELREALIZE_H

#include "Frontend/model/ModelDraft.h"

namespace clopt {

/// Fills `draft.model`. Returns false when the draft has to be made again with
/// `draft.wanted`. Throws isl::exception.
bool realizeModel(Draft &draft);

} // namespace clopt

#endif // CLOPT_FRONTEND_MODELREALIZE_H
