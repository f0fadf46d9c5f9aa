//===- ImageReads.h - reads of an array as reads of texels ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one access of the author's reads, in scalars of the array, and how it
// is split into a texel and one of its channels.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_IMAGEREADS_H
#define CLOPT_EMIT_IMAGEREADS_H

#include "Model/KernelModel.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// How an array lies in an image.
struct ImageForm {
  unsigned channels = 1; ///< scalars of one texel: 1, 2 or 4
  /// Rows of a two-dimensional array are rows of the image; else all texels
  /// follow each other, `width` per row.
  bool isPlane = false;
};

/// One access that reads whole scalars of the array, side by side.
struct ImageRead {
  const Expr *expr = nullptr; ///< what is replaced
  ScalarKind scalar = ScalarKind::Void;
  unsigned lanes = 1;
  bool fromHalf = false; ///< vload_half: the value is a float
  /// The author's index when it can be written again; it counts `step` scalars.
  ExprRef index;
  unsigned step = 1;
  /// Of the first scalar, where it is known; per dimension of the array, too.
  std::optional<Polynomial> offset;
  std::vector<Polynomial> subscripts;
};

/// Nothing when the access is none of these: subscripts and dereferences, also
/// of the pointer as one to vectors, vloadN and vload_halfN.
std::optional<ImageRead> imageReadOf(const KernelModel &model,
                                     const Access &access);

/// divisor * quotient + remainder with a constant remainder, 0 <= remainder <
/// divisor; nothing when the remainder is not the same everywhere.
struct ConstantRemainder {
  Polynomial quotient;
  unsigned remainder = 0;
};
std::optional<ConstantRemainder> splitBy(const Polynomial &value,
                                         unsigned divisor);

/// "CL_UNSIGNED_INT32"; null for types that no channel holds.
const char *channelTypeOf(ScalarKind scalar);

/// The value of the read from `channel` on; `place` are the arguments of
/// read_image. Floating-point numbers are read as their bits: of others a
/// device may lose denormal ones and NaNs, and PoCL 3.1 reads halves wrong.
/// Halves that are read as floats go through a function, `halfHelper` and the
/// lanes.
std::string texelValue(const ImageRead &read, unsigned channel,
                       const std::string &place, const std::string &halfHelper);
/// That function.
std::string halfHelperText(const std::string &name, unsigned lanes);

} // namespace clopt

#endif // CLOPT_EMIT_IMAGEREADS_H
