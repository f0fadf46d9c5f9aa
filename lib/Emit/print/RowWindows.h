//===- RowWindows.h - cells that aligned vectors share ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: the neighbours of a stencil read the same cells of a row again, each
// vector from another cell on. Of all cells that statements in a line read from
// one row, each is loaded once, in the largest aligned pieces, and the vectors
// are put together from components:
//
//   const uchar a_r0 = a[y * w + x0 - 1];
//   const uchar8 a_r1 = *(__global const uchar8 *)&a[y * w + x0];
//   const uchar a_r2 = a[y * w + x0 + 8];
//   (uchar8)(a_r0, a_r1.s0123, a_r1.s456)          a[y * w + x0 - 1], ...
//   (uchar8)(a_r1.s1234, a_r1.s567, a_r2)          a[y * w + x0 + 1], ...
//
// Exactly the cells that are read are loaded. Scalar replacement (Callahan,
// Carr, Kennedy, PLDI 1990) for vectors.
//
// Tested by test/unit/RowWindowsTest.cpp, test/lit/vectorize/aligned.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_ROWWINDOWS_H
#define CLOPT_EMIT_ROWWINDOWS_H

#include "Model/Polynomial.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clopt {

class RowWindows {
public:
  /// Vectors have `width` cells.
  explicit RowWindows(unsigned width) : lanes(width) {}

  /// The vector of the cells from row + `first` on is read. Multiples of the
  /// width, counted from the row, are aligned.
  void add(unsigned array, const Polynomial &row, int64_t first);
  /// True when other vectors read cells of this one, too.
  bool isShared(unsigned array, const Polynomial &row, int64_t first) const;

  /// Loads `count` cells from row + `first` on and returns the variable's name.
  using Loader = std::function<std::string(int64_t first, unsigned count)>;
  /// The vector's cells, as operands of a constructor, or the name of a vector
  /// that has them all; what is not loaded yet is loaded first.
  std::vector<std::string> vectorOf(unsigned array, const Polynomial &row,
                                    int64_t first, const Loader &load);

private:
  struct Piece {
    int64_t first = 0;
    unsigned count = 1;
    std::string name; ///< empty: not loaded yet
  };
  struct Row {
    unsigned array = 0;
    Polynomial place;
    std::map<int64_t, unsigned> reads; ///< vectors that read the cell
    std::vector<Piece> pieces;         ///< in the order of cells
  };

  const Row *find(unsigned array, const Polynomial &row) const;
  void cutIntoPieces(Row &row) const;

  unsigned lanes;
  std::vector<Row> rows;
};

} // namespace clopt

#endif // CLOPT_EMIT_ROWWINDOWS_H
