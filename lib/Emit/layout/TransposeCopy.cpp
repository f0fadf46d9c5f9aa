//===- TransposeCopy.cpp - tiles turned in local memory ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile has `columns` cells along the rows of the original and `rows` along
// those of the copy. Local memory keeps it column by column, in words of at
// least 4 bytes, each column followed by one word that nobody uses:
//
//   cell (x, y) of the original's row y     words[x * pitch + y / perWord]
//
// On the original's side a work-item moves a block of perWord rows with 16
// bytes each; small elements are turned in registers, so that local memory only
// sees whole words. `across` work-items side by side take one row, and as many
// rows of blocks follow that a lane group fills a row of banks: word j of the
// blocks lies at (perVector * l + j) * pitch + R for l < across, R < banks /
// across, and perVector * across = banks, so all are in different banks. On the
// copy's side 16 bytes of a column are moved.
//
// Edges, and rows that are not aligned, go element by element, neighbours by
// neighbours.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/ConversionText.h"

#include <algorithm>

namespace clopt {

BlockTile blockTileOf(unsigned elementBytes, std::optional<int64_t> columns) {
  BlockTile tile;
  tile.elementBytes = elementBytes;
  tile.wordBytes = std::max(elementBytes, 4u);
  tile.perWord = tile.wordBytes / elementBytes;
  tile.perVector = 16 / elementBytes;
  tile.rows = 128 / elementBytes;
  // Small tiles, of which a compute unit has many; one block per work-item.
  tile.columns = elementBytes == 1 ? 128 : 64;
  while (columns && tile.columns > 32 && *columns < tile.columns)
    tile.columns /= 2;
  if (columns && *columns < 32) {
    // A narrow array: as many cells along the other side.
    tile.columns = static_cast<unsigned>(std::max<int64_t>(*columns, 1));
    while (tile.rows * tile.columns * elementBytes < 4096)
      tile.rows *= 2;
    tile.isNarrow = true;
  }
  tile.pitch = tile.rows / tile.perWord + 1;
  const unsigned banks = 128 / tile.wordBytes;
  tile.across = banks / tile.perVector;
  return tile;
}

namespace {

class BlockConversion : ConversionText {
public:
  BlockConversion(const ConversionShape &wanted, size_t otherDimension)
      : ConversionText(wanted), other(otherDimension),
        tile(blockTileOf(wanted.elementBytes,
                         wanted.counts[otherDimension].value)) {}

  ConversionKernel run() {
    declareMemory();
    declareTiles(other, tile.rows, tile.columns);
    declareAddresses();
    declareFull(left(other) + " == " + std::to_string(tile.columns) + " && " +
                    left(last) + " == " + std::to_string(tile.rows),
                {std::to_string(tile.columns - 1),
                 std::to_string(tile.rows - 1) + " * " + originalStep(last)});
    if (shape.isBack)
      moveCopy();
    else
      moveOriginal();
    line(1, "barrier(CLK_LOCAL_MEM_FENCE);");
    if (shape.isBack)
      moveOriginal();
    else
      moveCopy();
    return finish();
  }

private:
  static std::string text(int64_t value) { return std::to_string(value); }

  /// "cells" are its elements.
  void declareMemory() {
    line(1, "__local " + sizes.word + " words[" +
                text(tile.columns * tile.pitch) + "];");
    if (tile.perWord > 1)
      line(1, "__local " + sizes.element + " *cells = (__local " +
                  sizes.element + " *)words;");
  }

  std::string cells() const { return tile.perWord > 1 ? "cells" : "words"; }

  //===-- The original's rows ---------------------------------------------===//

  void moveOriginal() {
    const std::string step = originalStep(last);
    const int64_t blocks = static_cast<int64_t>(tile.columns) / tile.perVector *
                           (tile.rows / tile.perWord);
    if (tile.isNarrow) {
      moveCells(1, true);
      return;
    }
    line(1, "if (isFull && " + isAligned(originalBuffer(), "at", 16, step) +
                ") {");
    beginParts(2, "block", blocks);
    moveBlock(step);
    line(2, "}");
    line(1, "} else {");
    moveCells(2, true);
    line(1, "}");
  }

  void moveBlock(const std::string &step) {
    const std::string across = text(tile.across);
    const int64_t wordRows = tile.rows / tile.perWord;
    line(3, "const int x = (block / " + text(wordRows * tile.across) + " * " +
                across + " + block % " + across + ") * " +
                text(tile.perVector) + ";");
    line(3, "const int y = block / " + across + " % " + text(wordRows) + ";");
    line(3, "const long row = " +
                plusTimes("at",
                          tile.perWord > 1 ? "(y * " + text(tile.perWord) + ")"
                                           : "y",
                          step) +
                " + x;");
    line(3, "__local " + sizes.group + " *column = (__local " + sizes.group +
                " *)words + x * " + text(tile.pitch) + " + y;");
    shape.isBack ? writeBlock(step) : readBlock(step);
  }

  /// The digit of a component.
  static std::string digit(unsigned index) {
    return std::string(1, "0123456789abcdef"[index]);
  }

  std::string component(const std::string &vector, unsigned index,
                        bool isPlain) const {
    return isPlain ? vector : vector + ".s" + digit(index);
  }

  std::string rowIndex(unsigned row, const std::string &step) const {
    return row == 0   ? "row"
           : row == 1 ? "row + " + step
                      : "row + " + text(row) + " * " + step;
  }

  void readBlock(const std::string &step) {
    const bool isPlain = tile.elementBytes == 16;
    for (unsigned row = 0; row < tile.perWord; ++row)
      line(3, "const " + sizes.vector + " v" + text(row) + " = " +
                  vectorAt("from", sizes.vector, rowIndex(row, step)) + ";");
    for (unsigned j = 0; j < tile.perVector; ++j) {
      std::string parts;
      for (unsigned row = 0; row < tile.perWord; ++row)
        parts += (row ? ", " : "") + component("v" + text(row), j, isPlain);
      line(3, "column[" + text(j * tile.pitch) + "] = " +
                  (tile.perWord > 1 ? "(" + sizes.group + ")(" + parts + ")"
                                    : parts) +
                  ";");
    }
  }

  /// Words first: compilers take wide vectors of small elements apart.
  void writeBlock(const std::string &step) {
    for (unsigned j = 0; j < tile.perVector; ++j)
      line(3, "const " + sizes.group + " w" + text(j) + " = column[" +
                  text(j * tile.pitch) + "];");
    for (unsigned row = 0; row < tile.perWord; ++row) {
      std::string parts;
      for (unsigned j = 0; j < tile.perVector; j += tile.perWord)
        parts += (j ? ", " : "") + wordOfRow(row, j);
      const std::string type = wordVector();
      line(3, vectorAt("to", type, rowIndex(row, step)) + " = " +
                  (sizes.vectorWords > 1 ? "(" + type + ")(" + parts + ")"
                                         : parts) +
                  ";");
    }
  }

  /// Element `row` of the words from the j-th on.
  std::string wordOfRow(unsigned row, unsigned j) const {
    if (tile.perWord == 1)
      return "w" + text(j);
    std::string parts;
    for (unsigned i = 0; i < tile.perWord; ++i)
      parts += (i ? ", w" : "w") + text(j + i) + ".s" + digit(row);
    return "as_uint((" + sizes.group + ")(" + parts + "))";
  }

  //===-- The copy's rows -------------------------------------------------===//

  void moveCopy() {
    const std::string step = copyStep(other);
    const int64_t perColumn = tile.rows / tile.perVector;
    const int64_t vectors = perColumn * tile.columns;
    line(1,
         "if (isFull && " + isAligned(copyBuffer(), "place", 16, step) + ") {");
    beginParts(2, "part", vectors);
    line(3, "const int x = part / " + text(perColumn) + ", y = part % " +
                text(perColumn) + ";");
    const std::string index =
        plusTimes("place", "x", step) + " + y * " + text(tile.perVector);
    line(3, "__local " + sizes.word + " *column = words + x * " +
                text(tile.pitch) + " + y" +
                (sizes.vectorWords > 1 ? " * " + text(sizes.vectorWords) : "") +
                ";");
    shape.isBack ? readPart(index) : writePart(index);
    line(2, "}");
    line(1, "} else {");
    moveCells(2, false);
    line(1, "}");
  }

  std::string wordVector() const {
    return tile.wordBytes == 8 ? "ulong2" : "uint4";
  }

  void writePart(const std::string &index) {
    std::string parts;
    for (unsigned i = 0; i < sizes.vectorWords; ++i)
      parts += (i ? ", " : "") + std::string("column[") + text(i) + "]";
    line(3, vectorAt("to", wordVector(), index) + " = " +
                (sizes.vectorWords > 1 ? "(" + wordVector() + ")(" + parts + ")"
                                       : parts) +
                ";");
  }

  void readPart(const std::string &index) {
    line(3, "const " + wordVector() +
                " v = " + vectorAt("from", wordVector(), index) + ";");
    for (unsigned i = 0; i < sizes.vectorWords; ++i)
      line(3, "column[" + text(i) + "] = " +
                  (sizes.vectorWords > 1 ? "v.s" + digit(i) : "v") + ";");
  }

  //===-- Single elements -------------------------------------------------===//

  /// Neighbours along the rows of the original, or of the copy.
  void moveCells(unsigned depth, bool isOriginal) {
    const int64_t side = isOriginal ? tile.columns : tile.rows;
    const int64_t all = static_cast<int64_t>(tile.columns) * tile.rows;
    line(depth, "for (int cell = item; cell < " + text(all) +
                    "; cell += " + text(conversionItems) + ") {");
    const std::string fast = "cell % " + text(side),
                      slow = "cell / " + text(side);
    line(depth + 1, "const int x = " + (isOriginal ? fast : slow) +
                        ", y = " + (isOriginal ? slow : fast) + ";");
    line(depth + 1, "if (x >= " + left(other) + " || y >= " + left(last) + ")");
    line(depth + 2, "continue;");
    const std::string cell =
        cells() + "[x * " + text(tile.pitch * tile.perWord) + " + y]";
    if (isOriginal) {
      line(depth + 1, "const long index = " +
                          plusTimes("at", "y", originalStep(last)) + " + x;");
      if (shape.isBack)
        line(depth + 1, "to[index] = " + cell + ";");
      else
        readCell(depth + 1, cell);
    } else {
      std::string index = plusTimes("place", "x", copyStep(other)) + " + y";
      line(depth + 1, shape.isBack ? cell + " = from[" + index + "];"
                                   : "to[" + index + "] = " + cell + ";");
    }
    line(depth, "}");
  }

  void readCell(unsigned depth, const std::string &cell) {
    const std::string condition = isRead("index", "y");
    if (condition.empty()) {
      line(depth, cell + " = from[index];");
      return;
    }
    line(depth, "if (" + condition + ")");
    line(depth + 1, cell + " = from[index];");
    line(depth, "else");
    line(depth + 1, cell + " = " + zero() + ";");
  }

  size_t other;
  BlockTile tile;
};

} // namespace

ConversionKernel writeBlocks(const ConversionShape &shape, size_t other) {
  return BlockConversion(shape, other).run();
}

} // namespace clopt
