//===- ConversionPieces.cpp - rows in aligned pieces ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells side by side in the copy are so in the original, or in the opposite
// order. Rows may begin anywhere, as those of skewed arrays do, while memory
// moves 16 aligned bytes best. So every work-item writes one aligned piece of
// 16 bytes and reads the two aligned pieces in which its cells lie:
//
//   read      |. . . s c c c c|c c c c . . .|      s: bytes before the cells
//   written            |c c c c c c c c|
//
// The two are shifted against each other by 8 and 4 bytes in whole words and
// by less than a word in pairs of words, whatever the size of an element.
// Pieces are counted from the last aligned address before each row of what is
// written: nothing but the first and the last piece of a row is incomplete.
// Those, and pieces near the ends of what is read, go element by element.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/ConversionText.h"

#include <algorithm>

namespace clopt {

namespace {

std::string text(int64_t value) { return std::to_string(value); }

class PieceConversion : ConversionText {
public:
  explicit PieceConversion(const ConversionShape &wanted)
      : ConversionText(wanted), lanes(sizes.perVector) {}

  ConversionKernel run() {
    declarePiece();
    declareRows();
    line(1, "if (" + isWhole() + ") {");
    movePiece();
    line(2, "return;");
    line(1, "}");
    moveElements();
    return finish();
  }

private:
  bool isReversed() const {
    return (shape.isBack ? shape.copySteps : shape.originalSteps)
               .back()
               .value == -1;
  }
  /// What is read is the original, or the copy.
  std::string source() const { return shape.isBack ? "place" : "at"; }
  std::string target() const { return shape.isBack ? "at" : "place"; }

  /// Rows that begin between two pieces have one more.
  void declarePiece() {
    const std::string more = text(2 * (lanes - 1));
    std::string groups = "((ulong)(" + shape.counts[last].text + ") + " + more +
                         ") / " + text(lanes);
    line(1, "const uint pieces = ((uint)" + count(last) + " + " + more +
                ") / " + text(lanes) + ";");
    line(1, "const uint piece = (uint)get_global_id(0);");
    line(1, "uint row = piece / pieces;");
    for (size_t r = last; r-- > 0;) {
      groups += " * (ulong)(" + shape.counts[r].text + ")";
      const std::string t = "const int t" + text(r) + " = (int)";
      if (r == 0) {
        line(1, t + "row;");
        break;
      }
      line(1, t + "(row % (uint)" + count(r) + ");");
      line(1, "row /= (uint)" + count(r) + ";");
    }
    line(1, "if (row >= " + (last > 0 ? "(uint)" + count(0) : "1u") + ")");
    line(2, "return;");
    setGroups("(" + groups + " + " + text(conversionItems - 1) + ") / " +
              text(conversionItems));
  }

  /// Where the row's first cell lies, and which cells the piece has.
  void declareRows() {
    declareRowAddresses();
    line(1, "const int x = (int)(piece % pieces) * " + text(lanes) +
                (lanes == 1 ? ";"
                            : " - (int)((size_t)(to + " + target() + ") & 15)" +
                                  perElement() + ";"));
    line(1,
         "const long low = " + source() +
             (isReversed() ? " - x" + (lanes > 1 ? " - " + text(lanes - 1) : "")
                           : std::string(" + x")) +
             ";");
    if (lanes == 1)
      return;
    line(1, "const int s = (int)((size_t)(from + low) & 15);");
    line(1, "const long first = low - s" + perElement() + ";");
  }

  void declareRowAddresses() {
    for (bool isOriginal : {true, false}) {
      std::string text;
      const HostNumber &base = isOriginal ? shape.originalBase : shape.copyBase;
      if (base.value != 0)
        text = use(base, isOriginal ? "c_base" : "p_base", "long");
      for (size_t r = 0; r < last; ++r) {
        const std::string step = isOriginal ? originalStep(r) : copyStep(r);
        if (step != "0")
          text += (text.empty() ? "" : " + ") + std::string("(long)t") +
                  std::to_string(r) + (step == "1" ? "" : " * " + step);
      }
      line(1, std::string("const long ") + (isOriginal ? "at" : "place") +
                  " = " + (text.empty() ? "0" : text) + ";");
    }
  }

  /// One past the greatest address of a cell that is read.
  std::string sourceEnd() {
    if (mayBeMissing())
      return use({shape.originalEnd, {}}, "end", "long");
    const auto &steps = shape.isBack ? shape.copySteps : shape.originalSteps;
    const HostNumber &base = shape.isBack ? shape.copyBase : shape.originalBase;
    std::optional<int64_t> known = base.value;
    std::string end = "(long)(" + base.text + ") + 1";
    for (size_t r = 0; r < rank; ++r) {
      const HostNumber &cells =
          r == last && shape.filled ? *shape.filled : shape.counts[r];
      end += " + max((long)((" + cells.text + ") - 1) * (" + steps[r].text +
             "), 0l)";
      if (!known || !cells.value || !steps[r].value)
        known = std::nullopt;
      else
        *known += std::max<int64_t>((*cells.value - 1) * *steps[r].value, 0);
    }
    if (known)
      ++*known;
    return use({end, known}, shape.isBack ? "p_end" : "c_end", "long");
  }

  std::string perElement() const {
    return sizes.bytes > 1 ? " / " + text(sizes.bytes) : "";
  }

  std::string isWhole() {
    const std::string width = text(lanes);
    std::string begin = "first", condition = "x >= 0 && ";
    std::string beyond =
        "first + (s ? " + text(2 * lanes) + " : " + width + ")";
    if (lanes == 1) {
      begin = beyond = "low";
      beyond += " + 1";
      condition = "";
    }
    condition += "x <= " + filled() + " - " + width + " && " + begin +
                 " >= 0 && " + beyond + " <= " + sourceEnd();
    // Words are shifted as numbers.
    return sizes.bytes < 4 ? condition + " && as_uchar4(1u).s0" : condition;
  }

  void movePiece() {
    if (lanes == 1) {
      line(2, vectorAt("to", "uint4", target() + " + x") + " = " +
                  vectorAt("from", "uint4", "low") + ";");
      return;
    }
    line(2, "const uint4 a = " + vectorAt("from", "uint4", "first") + ";");
    line(2, "const uint4 b = s ? " +
                vectorAt("from", "uint4", "first + " + text(lanes)) + " : a;");
    line(2, "const uint4 v8 = (s & 8) ? (uint4)(a.zw, b.xy) : a;");
    std::string cells = "v8";
    if (sizes.bytes <= 4) {
      line(2, "const uint2 w8 = (s & 8) ? b.zw : b.xy;");
      line(2, "const uint4 v4 = (s & 4) ? (uint4)(v8.yzw, w8.x) : v8;");
      cells = "v4";
    }
    if (sizes.bytes < 4) {
      line(2, "const uint w4 = (s & 4) ? w8.y : w8.x;");
      line(2, "const int bits = (s & 3) * 8;");
      line(2, "const uint4 v = (uint4)((uint)(upsample(v4.y, v4.x) >> bits),");
      line(8, "(uint)(upsample(v4.z, v4.y) >> bits),");
      line(8, "(uint)(upsample(v4.w, v4.z) >> bits),");
      line(8, "(uint)(upsample(w4, v4.w) >> bits));");
      cells = "v";
    }
    line(2, vectorAt("to", "uint4", target() + " + x") + " = " +
                (isReversed() ? reversed(cells) : cells) + ";");
  }

  /// The elements in the opposite order.
  std::string reversed(const std::string &cells) const {
    if (sizes.bytes == 8)
      return cells + ".zwxy";
    if (sizes.bytes == 4)
      return cells + ".wzyx";
    const bool isByte = sizes.bytes == 1;
    std::string parts;
    for (char word : {'w', 'z', 'y', 'x'})
      parts += std::string(parts.empty() ? "" : ", ") + "as_uint(as_" +
               sizes.group + "(" + cells + "." + word + ")" +
               (isByte ? ".wzyx)" : ".yx)");
    return "(uint4)(" + parts + ")";
  }

  void moveElements() {
    const std::string beyond =
        "min(x + " + text(lanes) + ", " + count(last) + ")";
    // As BodyWriter::isAtBorder.
    line(0, "#pragma unroll 1");
    line(1, "for (int e = max(x, 0); e < " + beyond + "; ++e) {");
    line(2,
         "const long index = " + source() + (isReversed() ? " - e;" : " + e;"));
    const std::string condition = cellCondition();
    if (!condition.empty())
      line(2, "if (" + condition + ")");
    line(condition.empty() ? 2 : 3, "to[" + target() + " + e] = from[index];");
    if (shape.filled) {
      line(2, mayBeMissing() ? "else if (!(e < " + filled() + "))" : "else");
      line(3, "to[" + target() + " + e] = " + zero() + ";");
    }
    line(1, "}");
  }

  std::string cellCondition() {
    std::string condition = shape.filled ? "e < " + filled() : "";
    if (mayBeMissing())
      condition += (condition.empty() ? "" : " && ") + isThere("index");
    return condition;
  }

  size_t lanes; ///< elements of a piece
};

} // namespace

ConversionKernel writePieces(const ConversionShape &shape) {
  return PieceConversion(shape).run();
}

} // namespace clopt
