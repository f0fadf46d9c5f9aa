//===- LocalCells.h - cells of the author's local arrays --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PadTest.cpp, test/unit/LocalLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_LOCALCELLS_H
#define CLOPT_ANALYSIS_LOCALCELLS_H

#include "Model/KernelModel.h"

#include <optional>
#include <vector>

namespace clopt {

/// Extents of an array type.
unsigned arrayDepth(const Type &type);

/// The cells of an array type, as far as its extents are known.
int64_t arrayCells(const Type &type);

/// What an array type is made of.
const Type &arrayElement(const Type &type);

/// How many cells of a `__local` argument the kernel reaches, counted from the
/// first, in any launch; nothing where that has no limit, or some access is not
/// a whole cell by its index.
std::optional<int64_t> reachedCells(const KernelModel &model, unsigned array);

/// The array variable of which the expression is a whole cell, or null.
const Variable *cellVariable(const Expr &expr);

/// The indices of a whole cell of the variable, outermost first; empty when the
/// expression is none.
std::vector<ExprRef> cellIndices(const Expr &expr, const Variable *variable);

} // namespace clopt

#endif // CLOPT_ANALYSIS_LOCALCELLS_H
