//===- ConversionText.h - the parts of conversion kernels -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the forms of ConversionKernels.cpp share: arguments, the tile of a
// work-group, addresses. TransposeCopy.cpp turns tiles, AosToSoa.cpp
// takes structures apart, ConversionPieces.cpp copies rows, ConversionRows.cpp
// every K-th cell of rows.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_CONVERSIONTEXT_H
#define CLOPT_EMIT_CONVERSIONTEXT_H

#include "Emit/layout/ConversionKernels.h"

namespace clopt {

/// Writes a kernel line by line. Work-items of a group are numbered by `item`;
/// `first0`, `first1`, ... are the tile's first cell in its two dimensions, t0,
/// t1, ... the cell's coordinates in the others.
class ConversionText {
public:
  explicit ConversionText(const ConversionShape &wanted)
      : shape(wanted), sizes(wanted.elementBytes), rank(wanted.counts.size()),
        last(rank - 1) {}

protected:
  /// Declares item and the tile; `other` may be `last` for tiles of one row.
  void declareTiles(size_t other, int64_t wide, int64_t high);
  /// `at` and `place`: where the tile's first cell lies in the original and in
  /// the copy.
  void declareAddresses();
  /// `isFull`: no cell of the tile is missing. `reach` are the distances, in
  /// the original, of the tile's last cells from its first.
  void declareFull(const std::string &condition,
                   const std::vector<std::string> &reach);
  /// The condition for cell number `cell` of the last dimension, at `index`, to
  /// be read; empty: always.
  std::string isRead(const std::string &index, const std::string &cell);
  /// Work-groups of a kernel that has no tiles, for the host.
  void setGroups(const std::string &groups) { tiles = groups; }
  ConversionKernel finish();

  std::string count(size_t r) {
    return use(shape.counts[r], "n" + std::to_string(r), "int");
  }
  std::string originalStep(size_t r) {
    return use(shape.originalSteps[r], "c" + std::to_string(r), "long");
  }
  std::string copyStep(size_t r) {
    return use(shape.copySteps[r], "p" + std::to_string(r), "long");
  }
  /// How many cells the tile has in this dimension.
  std::string left(size_t r) { return "left" + std::to_string(r); }
  /// `, at + x >= 0 && at + x < end` for cells that may be missing.
  bool mayBeMissing() const {
    return !shape.isBack && !shape.originalEnd.empty();
  }
  std::string isThere(const std::string &index) {
    return index + " >= 0 && " + index + " < " +
           use({shape.originalEnd, {}}, "end", "long");
  }

  /// How many cells of the last dimension the original has.
  std::string filled() {
    return shape.filled ? use(*shape.filled, "filled", "int") : count(last);
  }
  /// `first1 + y < filled`, for the cells that are no zeros; empty: all are.
  std::string isFilled(const std::string &cell) {
    return shape.filled ? "first" + std::to_string(last) + " + " + cell +
                              " < " + filled()
                        : "";
  }
  /// The zero behind the rows.
  std::string zero() const;

  void line(unsigned depth, const std::string &text) {
    body += std::string(depth * 4, ' ') + text + "\n";
  }
  /// A loop of `steps` turns over k, unrolled.
  void beginSteps(unsigned depth, int64_t steps, int64_t unrolled = 16);

  /// A loop of the group over `parts` things, which `name` numbers.
  void beginParts(unsigned depth, const std::string &name, int64_t parts);

  /// `base + y * step`, with known factors.
  static std::string plusTimes(const std::string &base, const std::string &y,
                               const std::string &step);
  /// `((size_t)(from + at) & 15) == 0 && (c0 & 3) == 0`
  std::string isAligned(const std::string &buffer, const std::string &index,
                        unsigned bytes, const std::string &step) const;
  /// The buffers' pointers: those of the author and of the copy.
  std::string originalBuffer() const { return shape.isBack ? "to" : "from"; }
  std::string copyBuffer() const { return shape.isBack ? "from" : "to"; }
  /// `*(__global const uint4 *)(from + at)`
  std::string vectorAt(const std::string &buffer, const std::string &type,
                       const std::string &index) const;

  /// Words of local memory: several small elements, or one.
  struct Sizes {
    explicit Sizes(unsigned elementBytes);
    unsigned bytes;                           ///< of an element
    unsigned wordBytes;                       ///< 4, 8 or 16
    unsigned perWord;                         ///< elements in a word
    unsigned perVector;                       ///< elements in 16 bytes
    unsigned vectorWords;                     ///< words in 16 bytes
    std::string element, word, vector, group; ///< types; `group`: of a word
  };

  const ConversionShape &shape;
  const Sizes sizes;
  size_t rank, last;

  /// The number as the kernel writes it: known ones as they are, others as
  /// arguments.
  std::string use(const HostNumber &what, const std::string &name,
                  const std::string &argumentType);

private:
  void declareTile(size_t r, int64_t size);
  void declareOuter(size_t r);
  std::string firstAddress(const std::vector<HostNumber> &steps,
                           const HostNumber &base, const std::string &stem);
  std::string head() const;

  std::vector<std::string> names, parameters;
  std::vector<bool> isTiled;
  std::string body, tiles;
  ConversionKernel result;
};

/// Work-items of a group.
constexpr int64_t conversionItems = 256;

/// Turns tiles in local memory: the original's cells lie side by side along
/// `other`, those of the copy along the last dimension.
ConversionKernel writeBlocks(const ConversionShape &shape, size_t other);
/// Structures with `stride` elements, of which those along `other` are copied.
ConversionKernel writePlanes(const ConversionShape &shape, size_t other,
                             int64_t stride);
/// Rows of the original become rows of the copy, forward or reversed.
ConversionKernel writePieces(const ConversionShape &shape);
/// Cells at a fixed distance in rows of the original become rows of the copy.
ConversionKernel writeRows(const ConversionShape &shape);

} // namespace clopt

#endif // CLOPT_EMIT_CONVERSIONTEXT_H
