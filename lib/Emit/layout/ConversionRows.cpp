//===- ConversionRows.cpp - every K-th cell of rows -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells side by side in the copy are a fixed distance apart in the original.
// Work-items side by side take cells side by side of the copy, in tiles that
// have a few rows.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/ConversionText.h"

#include <algorithm>

namespace clopt {

namespace {

/// Bytes of a tile and of its rows.
constexpr int64_t tileBytes = 8192, rowBytes = 512;

class RowConversion : ConversionText {
public:
  explicit RowConversion(const ConversionShape &wanted)
      : ConversionText(wanted), other(rank > 1 ? last - 1 : last) {
    const int64_t bytes = sizes.bytes;
    wide = (rank > 1 ? rowBytes : tileBytes) / bytes;
    const std::optional<int64_t> &known = shape.counts[last].value;
    while (rank > 1 && known && wide > 128 / bytes && *known <= wide / 2)
      wide /= 2; // short rows
    high = rank > 1 ? tileBytes / bytes / wide : 1;
  }

  ConversionKernel run() {
    declareTiles(other, wide, high);
    declareAddresses();
    const std::string step = originalStep(last);
    std::vector<std::string> reach = {text(wide - 1) + " * " + step};
    std::string condition = left(last) + " == " + text(wide);
    if (rank > 1) {
      condition += " && " + left(other) + " == " + text(high);
      reach.push_back(text(high - 1) + " * " + originalStep(other));
    }
    declareFull(condition, reach);
    line(1, "if (isFull) {");
    moveElements();
    line(1, "} else {");
    moveEdge();
    line(1, "}");
    return finish();
  }

private:
  static std::string text(int64_t value) { return std::to_string(value); }

  std::string rowAt(const std::string &base, bool isOriginal) {
    if (rank == 1)
      return base;
    return plusTimes(base, "y",
                     isOriginal ? originalStep(other) : copyStep(other));
  }

  /// x and y from a number.
  void declareCell() {
    line(3, rank == 1 ? "const int x = cell;"
                      : "const int x = cell % " + text(wide) + ", y = cell / " +
                            text(wide) + ";");
  }

  std::string move(const std::string &original, const std::string &copy) {
    return shape.isBack ? "to[" + original + "] = from[" + copy + "];"
                        : "to[" + copy + "] = from[" + original + "];";
  }

  /// Neighbours by neighbours.
  void moveElements() {
    beginParts(2, "cell", wide * high);
    declareCell();
    line(3, move(plusTimes(rowAt("at", true), "x", originalStep(last)),
                 rowAt("place", false) + " + x"));
    line(2, "}");
  }

  void moveEdge() {
    line(2, "for (int cell = item; cell < " + text(wide * high) +
                "; cell += " + text(conversionItems) + ") {");
    declareCell();
    line(3, "if (x >= " + left(last) +
                (rank > 1 ? " || y >= " + left(other) : "") + ")");
    line(4, "continue;");
    line(3, "const long index = " +
                plusTimes(rowAt("at", true), "x", originalStep(last)) + ";");
    const std::string copy = rowAt("place", false) + " + x";
    const std::string condition = isRead("index", "x");
    if (!condition.empty())
      line(3, "if (" + condition + ")");
    line(condition.empty() ? 3 : 4, move("index", copy));
    if (shape.filled) {
      line(3, mayBeMissing() ? "else if (!(" + isFilled("x") + "))" : "else");
      line(4, "to[" + copy + "] = " + zero() + ";");
    }
    line(2, "}");
  }

  size_t other; ///< `last` when there is one dimension
  int64_t wide = 0, high = 0;
};

} // namespace

ConversionKernel writeRows(const ConversionShape &shape) {
  return RowConversion(shape).run();
}

} // namespace clopt
