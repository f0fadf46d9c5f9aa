//===- ConversionRows.cpp - rows that stay rows ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells side by side in the copy are so in the original, or keep a fixed
// distance there. Where both sides are aligned 16 bytes are moved at once.
// Where the rows of the original begin anywhere, as in skewed arrays, elements
// below 4 bytes are moved in aligned words, put together from two. Words that
// are read begin before the last cell of all, so they are in the buffer.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/ConversionText.h"

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
    const std::string originalRow = rank > 1 ? originalStep(other) : "0";
    const std::string copyRow = rank > 1 ? copyStep(other) : "0";
    if (shape.originalSteps[last].value == 1 && sizes.bytes < 16) {
      line(1, "if (isFull && " +
                  isAligned(originalBuffer(), "at", 16, originalRow) + " && " +
                  isAligned(copyBuffer(), "place", 16, copyRow) + ") {");
      moveVectors();
      line(1, "} else if (isFull" + shiftCondition(copyRow) + ") {");
    } else {
      line(1, "if (isFull) {");
    }
    if (isShifted()) {
      moveShifted();
      line(1, "} else if (isFull) {");
    }
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

  /// x and y from a number, `width` parts per row of `perPart` cells.
  void declarePart(unsigned depth, const std::string &part, int64_t width,
                   int64_t perPart, const std::string &x = "x") {
    const std::string scale = perPart > 1 ? " * " + text(perPart) : "";
    if (rank == 1) {
      line(depth, "const int " + x + " = " + part + scale + ";");
      return;
    }
    line(depth, "const int " + x + " = " + part + " % " + text(width) + scale +
                    ", y = " + part + " / " + text(width) + ";");
  }

  void moveVectors() {
    const int64_t lanes = sizes.perVector;
    beginParts(2, "part", wide * high / lanes);
    declarePart(3, "part", wide / lanes, lanes);
    const std::string original =
        vectorAt(originalBuffer(), sizes.vector, rowAt("at", true) + " + x");
    const std::string copy =
        vectorAt(copyBuffer(), sizes.vector, rowAt("place", false) + " + x");
    line(3, shape.isBack ? original + " = " + copy + ";"
                         : copy + " = " + original + ";");
    line(2, "}");
  }

  //===-- Rows that begin anywhere ----------------------------------------===//

  bool isShifted() const {
    return sizes.perWord > 1 && shape.originalSteps[last].value == 1;
  }

  /// Words are aligned, and the one after the last cell of the tile is there.
  std::string shiftCondition(const std::string &copyRow) {
    if (!isShifted())
      return "";
    const std::string condition =
        " && " + isAligned(originalBuffer(), "0", 4, "0") + " && " +
        isAligned(copyBuffer(), "place", 4, copyRow);
    if (shape.isBack)
      return condition;
    std::string beyond = "at + " + text(wide - 1 + sizes.perWord);
    if (rank > 1)
      beyond +=
          " + max(" + text(high - 1) + " * " + originalStep(other) + ", 0l)";
    return condition + " && " + beyond + " <= " + lastCell();
  }

  /// The greatest address of a cell that the original has.
  std::string lastCell() {
    if (mayBeMissing())
      return "end - 1";
    std::string result = "at";
    for (size_t r = 0; r < rank; ++r)
      result += " + max((long)(" + (r == last ? filled() : count(r)) +
                " - 1 - " + (r == last || r == other ? "first" : "t") +
                std::to_string(r) + ") * " + originalStep(r) + ", 0l)";
    return result;
  }

  /// Elements from the s-th of `a` on, or those before the s-th of the last.
  std::string joined(bool fromFirst) const {
    const unsigned count = sizes.perWord;
    std::string result = fromFirst ? "a" : "b";
    for (unsigned s = count; s-- > 1;) {
      const unsigned skip = fromFirst ? s : count - s;
      std::string parts;
      for (unsigned i = 0; i < count; ++i)
        parts += (i ? ", " : "") +
                 std::string(skip + i < count ? "a.s" : "b.s") +
                 std::to_string((skip + i) % count);
      result = "s == " + std::to_string(s) + " ? (" + sizes.group + ")(" +
               parts + ") : " + result;
    }
    return result;
  }

  void moveShifted() {
    const unsigned elements = sizes.perWord;
    beginParts(2, "part", wide * high / elements);
    const std::string count = std::to_string(elements);
    declarePart(3, "part", wide / elements, elements,
                shape.isBack ? "x0" : "x");
    line(3, "const long row = " + rowAt("at", true) + ";");
    line(3, "const int s = (int)((size_t)(" + originalBuffer() +
                " + row) & 3)" + (sizes.bytes > 1 ? " / 2;" : ";"));
    if (shape.isBack) // whole lines, as below
      line(3, "const int x = (x0 - (int)((size_t)(to + row) % 128 / 4) * " +
                  count + ") & " + text(wide - 1) + ";");
    const std::string step = " + " + std::to_string(elements);
    const std::string copy = rowAt("place", false) + " + x";
    if (!shape.isBack) {
      line(3, "const " + sizes.group +
                  " a = " + vectorAt("from", sizes.group, "row - s + x") + ";");
      line(3, "const " + sizes.group + " b = " +
                  vectorAt("from", sizes.group, "row - s + x" + step) + ";");
      line(3, vectorAt("to", sizes.group, copy) + " = " + joined(true) + ";");
      line(2, "}");
      return;
    }
    line(3, "if (x == 0) {");
    line(4, "for (int e = 0; e < " + std::to_string(elements) + "; ++e) {");
    line(5, "const int end = e < " + std::to_string(elements) + " - s ? e : " +
                text(wide) + " - " + std::to_string(elements) + " + e;");
    line(5, move("row + end", rowAt("place", false) + " + end"));
    line(4, "}");
    line(4, "continue;");
    line(3, "}");
    line(3, "const " + sizes.group + " a = " +
                vectorAt("from", sizes.group,
                         copy + " - " + std::to_string(elements)) +
                ";");
    line(3, "const " + sizes.group +
                " b = " + vectorAt("from", sizes.group, copy) + ";");
    line(3, vectorAt("to", sizes.group, "row - s + x") + " = " + joined(false) +
                ";");
    line(2, "}");
  }

  std::string move(const std::string &original, const std::string &copy) {
    return shape.isBack ? "to[" + original + "] = from[" + copy + "];"
                        : "to[" + copy + "] = from[" + original + "];";
  }

  /// Neighbours by neighbours. Lane groups that write rows which begin anywhere
  /// begin with a line of memory; those left of the row take its end.
  void moveElements() {
    beginParts(2, "cell", wide * high);
    declarePart(3, "cell", wide, 1);
    if (shape.isBack && shape.originalSteps[last].value == 1) {
      line(3, "const long row = " + rowAt("at", true) + ";");
      line(3, "const int turned = (x - (int)((size_t)(to + row) / " +
                  std::to_string(sizes.bytes) + " % " +
                  std::to_string(128 / sizes.bytes) + ")) & " + text(wide - 1) +
                  ";");
      line(3, move("row + turned", rowAt("place", false) + " + turned"));
      line(2, "}");
      return;
    }
    line(3, move(plusTimes(rowAt("at", true), "x", originalStep(last)),
                 rowAt("place", false) + " + x"));
    line(2, "}");
  }

  void moveEdge() {
    line(2, "for (int cell = item; cell < " + text(wide * high) +
                "; cell += " + text(conversionItems) + ") {");
    declarePart(3, "cell", wide, 1);
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
