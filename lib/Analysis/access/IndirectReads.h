//===- IndirectReads.h - subscripts that are themselves data ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both `p[col[k]]` and, under bounds that depend on data, `elem[k]` are read
// at addresses that nobody knows before the launch. But the cells of `elem`
// follow each other as the loop counts, and each is read once, whereas those of
// `p` may lie anywhere and be read again: only the latter is for an image.
//
// Tested by test/unit/IndirectReadsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_INDIRECTREADS_H
#define CLOPT_ANALYSIS_INDIRECTREADS_H

#include "Model/KernelModel.h"

#include <vector>

namespace clopt {

/// Whether some subscript of the array comes from memory, directly or through
/// variables other than counters of loops; indexed like KernelModel::arrays.
std::vector<bool> indirectlyAccessed(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_ANALYSIS_INDIRECTREADS_H
