//===- AccessPattern.h - how an access moves along an axis ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifies accesses as Chen Gang and Wu Baifeng do ("GPU performance
// optimization targeting the OpenCL model", sections 3.2 to 3.4): forward,
// reverse, offset, skew, stride, column. The paper leaves open which loop a
// pattern is relative to; here the axis is an argument, a work-item dimension
// or a loop.
//
// An access is compatible with forward access when an invertible T and a
// delta exist such that f' = T f + delta has the last row e_axis (in the
// columns of coordinates, and zero in the others) while all other rows are
// free of the axis. T and delta are those of the paper's table with its
// errors corrected: delta is -c for an offset c, the column pattern needs the
// exchange matrix, and a reversed array is rebased by its extent.
//
// Tested by test/unit/AccessPatternTest.cpp, test/oracle/PatternOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_ACCESSPATTERN_H
#define CLOPT_ANALYSIS_ACCESSPATTERN_H

#include "Analysis/ranges/RationalMatrix.h"
#include "Model/KernelModel.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

enum class PatternKind {
  Forward,      ///< the last subscript is the axis
  Reverse,      ///< the last subscript runs down
  Offset,       ///< the last subscript starts `amount` cells further
  Skew,         ///< `amount` times another subscript or coordinate is added
  Stride,       ///< the axis moves `amount` cells at a time
  Column,       ///< the axis moves along another dimension than the last
  Broadcast,    ///< the axis does not matter
  Unpredictable ///< the subscript depends on data, or piecewise on the axis
};

struct PatternPart {
  PatternKind kind = PatternKind::Forward;
  Ratio amount; ///< Offset, Skew, Stride
  /// Skew: `amount` times row `row` stands in row `target`. Column: the row
  /// that held the axis.
  unsigned row = 0, target = 0;
};

/// f: one row per array dimension, one column per entry of `columns`.
struct AccessMatrix {
  /// First the statement's coordinates, in order; then products and values
  /// that vary between instances; then parameters; then {}, the constant.
  std::vector<Monomial> columns;
  /// Number of columns before the parameters.
  unsigned varyingColumns = 0;
  /// Number of columns that are coordinates.
  unsigned coordinateColumns = 0;
  RationalMatrix entries;
};

struct Pattern {
  /// In the order in which they have to be undone. {Forward} when there is
  /// nothing to undo.
  std::vector<PatternPart> parts;
  /// T and delta exist.
  bool isCompatible = false;
  AccessMatrix access; ///< empty when Unpredictable
  /// Rows x rows and rows x columns; only when compatible. Delta is zero but
  /// in the last row and the columns of parameters and the constant.
  RationalMatrix transform, delta;
  /// With a Reverse part and a known extent: what to add to the last subscript
  /// of the transformed array so that it counts from 0.
  std::optional<Polynomial> rebase;
  /// Why it is not compatible.
  std::string reason;

  bool has(PatternKind kind) const;
  /// "column + offset 1", "stride 2 + offset 1", "reverse".
  std::string str(const KernelModel &model) const;
  std::string str(const std::function<std::string(SymbolId)> &nameOf) const;
};

/// Pattern of `access` when its axis moves by `step` (not 0): the increment of
/// a loop, 1 for work-items. Accesses of vectors count in whole vectors.
Pattern classify(const KernelModel &model, const Access &access, SymbolId axis,
                 int64_t step = 1);

/// f of `access` alone: its subscripts, or its offset as the only row. Without
/// rows when neither is known.
AccessMatrix accessMatrix(const KernelModel &model, const Access &access);

/// True when the value of `symbol` may change with `axis`: the axis itself, an
/// atom whose definition has it, an unknown value that varies.
bool dependsOn(const KernelModel &model, SymbolId symbol, SymbolId axis);
bool dependsOn(const KernelModel &model, const Polynomial &poly, SymbolId axis);

/// poly(axis + step) - poly(axis), when that does not depend on the axis;
/// nothing otherwise. Exact for divisions and remainders whose operand moves
/// by a multiple of the divisor.
std::optional<Polynomial> laneStride(const KernelModel &model,
                                     const Polynomial &poly, SymbolId axis,
                                     int64_t step = 1);

/// Where a loop's iterations find the cells of an access in a row: at
/// `start` + `step` * iterator, `start` being made of arguments, sizes of the
/// launch, ids and other iterators.
struct RowPlace {
  Polynomial start;
  int64_t step = 1;
};

/// For `a[i * n + k]` in the loop over k: { i * n, 1 }. Nothing for accesses
/// that are not written as elements of the array itself, that the loop does not
/// move by a constant, or that begin where the array does.
std::optional<RowPlace> rowPlace(const KernelModel &model, const Access &access,
                                 unsigned loop);

/// `poly` as instances that run at the same time see it: iterators of loops
/// whose first iteration depends on the axis count from there. In
/// `for (k = i; ...) a[k]` neighbours i, i + 1 touch neighbouring cells.
Polynomial inLockstep(const KernelModel &model, const Statement &statement,
                      const Polynomial &poly, SymbolId axis);

/// A printable name for every symbol: a call for ids and sizes, the definition
/// for atoms. `known` overrides names, within definitions too.
std::string displayName(const KernelModel &model, SymbolId symbol,
                        const std::map<SymbolId, std::string> &known = {});

} // namespace clopt

#endif // CLOPT_ANALYSIS_ACCESSPATTERN_H
