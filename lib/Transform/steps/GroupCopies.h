//===- GroupCopies.h - loops that a group shares out ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (int i = get_local_id(0); i < n; i += get_local_size(0))
//     t[i] = a[i];
//
// does the same as one work-item that runs all iterations, as far as what lies
// in the cells is asked, and not who has put it there. In that form the
// iterations are known whatever the size of the group.
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_GROUPCOPIES_H
#define CLOPT_TRANSFORM_GROUPCOPIES_H

#include "Model/KernelModel.h"

namespace clopt {

/// The body of the kernel where the first work-item runs such loops alone, with
/// the author's expressions in them; null where it has none. Only what they
/// leave in local memory is the same.
StmtRef withLoopsOfOne(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_TRANSFORM_GROUPCOPIES_H
