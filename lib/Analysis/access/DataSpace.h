//===- DataSpace.h - changing the layout of an array ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data-space transform of Chen Gang and Wu Baifeng ("GPU performance
// optimization targeting the OpenCL model", section 3.4, algorithm 2): the cell
// with the subscripts f is kept at f' = T f + delta. A transform is a list of
// elementary parts, each of which undoes one pattern; T, delta and the way back
// follow from the list.
//
//   exchange a, b    column     rows a and b change places
//   reverse d        reverse    f_d becomes -f_d; the copy is rebased by its
//                               least subscript, which is what the paper's
//                               table leaves out
//   offset d, c      offset c   f_d becomes f_d - c (the table has +c)
//   skew t, s, X     skew X     f_t becomes f_t - X f_s
//   compact d, K, r  stride K   f_d becomes (f_d - r) / K; only cells with
//                               f_d = r modulo K are kept
//   split d, K       stride K   K copies side by side: f_d becomes f_d div K,
//                               and f_d mod K a further, outermost subscript.
//                               Arrays of structures become structures of
//                               arrays
//   matrix M                    any unimodular M
//
// Tested by test/unit/DataSpaceTest.cpp, test/oracle/DataSpaceOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_DATASPACE_H
#define CLOPT_ANALYSIS_DATASPACE_H

#include "Analysis/access/AccessPattern.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

struct LayoutPart {
  enum class Kind { Exchange, Reverse, Offset, Skew, Compact, Split, Matrix };
  Kind kind = Kind::Exchange;
  unsigned dim = 0;   ///< the row that changes; Exchange: the first of the two
  unsigned other = 0; ///< Exchange: the second; Skew: the row that is taken off
  int64_t factor = 0; ///< Offset: c; Skew: X; Compact, Split: K, at least 2
  int64_t residue = 0;         ///< Compact: 0 <= r < K
  std::vector<int64_t> matrix; ///< Matrix: rows one after the other
};

using IntegerMatrix = std::vector<std::vector<int64_t>>;

/// An invertible change of the subscripts of one array.
class DataSpace {
public:
  explicit DataSpace(unsigned sourceRank) : before(sourceRank) {}

  /// Appends a part, on the subscripts as the parts before have left them.
  /// False, and nothing appended, when it makes no sense for them: a row that
  /// does not exist, K below 2, a matrix that is not unimodular, numbers beyond
  /// 2^20.
  bool add(const LayoutPart &part);

  unsigned sourceRank() const { return before; }
  /// Subscripts of the copy: one more per Split.
  unsigned rank() const;
  bool isIdentity() const { return parts.empty(); }
  const std::vector<LayoutPart> &list() const { return parts; }

  /// T and delta, on the cells whose residues modulo the K of the Splits are
  /// these, in order. T has rank() rows and sourceRank() columns, delta one
  /// constant per row.
  RationalMatrix transform() const;
  std::vector<Ratio> delta(const std::vector<int64_t> &residues = {}) const;

  /// f = U f' + v: the original subscripts from those of the copy, integers for
  /// every transform. U has sourceRank() rows and rank() columns.
  IntegerMatrix inverse() const;
  std::vector<int64_t> inverseOffset() const;

  /// The subscripts in the copy. Divisions that do not come out even become
  /// atoms of `symbols`; nothing when the transform keeps only cells of one
  /// residue and these may be others.
  std::optional<std::vector<Polynomial>>
  apply(std::vector<Polynomial> subscripts, SymbolTable &symbols) const;
  /// The same for numbers; nothing for a cell that the copy does not have.
  std::optional<std::vector<int64_t>> apply(std::vector<int64_t> cell) const;

  /// { array[s...] -> copy[t...] } in isl's notation.
  std::string relation(const std::string &array, const std::string &copy) const;
  /// "exchange 0 1, offset 1 2"
  std::string str() const;

private:
  void applyTo(RationalMatrix &matrix, std::vector<Ratio> &constants,
               const std::vector<int64_t> &residues) const;

  unsigned before;
  std::vector<LayoutPart> parts;
};

/// The parts that take a pattern to forward access, in the order in which they
/// have to be undone. Nothing when the pattern is not compatible, or when an
/// amount is no integer.
std::optional<DataSpace> undoing(const Pattern &pattern);

} // namespace clopt

#endif // CLOPT_ANALYSIS_DATASPACE_H
