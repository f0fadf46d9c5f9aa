//===- CellPart.h - which part of a cell an access names --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells of arrays may be vectors or structures, and accesses may be to some of
// their components or to a member: `a[i].xy`, `p[i].mass`.
//
// Tested by test/unit/CellPartTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_CELLPART_H
#define CLOPT_ANALYSIS_CELLPART_H

#include "Model/KernelModel.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

struct CellPart {
  /// What follows the cell: ".xy", ".position.x"; empty for whole cells.
  std::string text;
  /// Of the cell's vector, in the order in which they are named; empty for
  /// whole cells and for members.
  std::vector<unsigned> components;
};

/// Nothing when the expression is no part of a cell that can be named so, or
/// does more than to name it, as `*p++` does.
std::optional<CellPart> partOfCell(const Expr &expr);

/// Elements of the array are its cells, and plain values: scalars, vectors or
/// structures.
bool hasWholeCells(const Array &array);

/// Its cells are vectors, or scalars.
bool hasPlainCells(const Array &array);

/// The access is to one cell, or reads a vector of cells side by side: by
/// vloadN, or through a pointer to vectors of them.
bool takesWholeCells(const Array &array, const Access &access);

/// Words of 4 bytes, at least one, that a cell takes in registers.
unsigned cellWords(const Array &array);

} // namespace clopt

#endif // CLOPT_ANALYSIS_CELLPART_H
