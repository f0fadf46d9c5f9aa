//===- Delinearize.h - the shape behind flat subscripts ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `a[i * n + j + 1]` is `a[i][j + 1]` of an array with rows of n elements,
// provided 0 <= j + 1 < n. From all offsets into one array this proposes
// shapes, best first; whoever asks checks that the inner subscripts stay
// within their dimensions (see ModelRealize.cpp).
//
// Method: the coefficients of ids and loop variables are the candidate
// strides. A chain of strides, each a multiple of the next, is a shape; the
// subscripts are the quotients of successive long divisions. Constants and
// parameters that no stride divides go to the innermost subscript.
//
// Tested by test/unit/DelinearizeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_DELINEARIZE_H
#define CLOPT_FRONTEND_DELINEARIZE_H

#include "Model/Polynomial.h"

#include <vector>

namespace clopt {

/// Strides in elements, outermost first; the last is 1.
struct ArrayShape {
  std::vector<Polynomial> strides;

  /// extents[0] is 0 (unknown); extents[d] = strides[d - 1] / strides[d].
  std::vector<Polynomial> extents() const;
  /// One subscript per stride; the sum of subscript * stride is `offset`.
  std::vector<Polynomial> subscripts(const Polynomial &offset) const;
};

/// Shapes to try for an array that is reached at these offsets, the one with
/// most dimensions first; the last is always the flat one.
std::vector<ArrayShape> proposeShapes(const SymbolTable &symbols,
                                      const std::vector<Polynomial> &offsets);

} // namespace clopt

#endif // CLOPT_FRONTEND_DELINEARIZE_H
