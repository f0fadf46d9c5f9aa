//===- LoopHeads.h - loops that are tested ahead of their body --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `while (n-- > 0) S`, `do S while (++k < n);`, `for (;;) { if (k == n) break;
// S }` and `while (k < n) { S k++; }` as loops whose test has no effect and
// whose increment stands in their head, which everything behind the front end
// understands.
//
// Tested by test/unit/LoopHeadsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_LOOPHEADS_H
#define CLOPT_FRONTEND_LOOPHEADS_H

#include "Model/Expr.h"

namespace clopt {

/// A loop that does the same in the same order, in such a form where there is
/// one: a `for`, or a `do` whose test has no effect. Else the loop itself.
StmtRef withPlainHead(const StmtRef &loop);

} // namespace clopt

#endif // CLOPT_FRONTEND_LOOPHEADS_H
