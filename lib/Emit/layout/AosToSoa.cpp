//===- AosToSoa.cpp - structures taken apart ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The original has structures of `stride` elements, the copy a plane for each
// of the elements: element e of structure s lies at s * stride + e. A group
// moves a segment of structures, as it is, between the original and local
// memory, in words of at least 4 bytes; on the copy's side a work-item gathers
// or scatters the elements of one word of a plane.
//
// Neighbouring work-items are then `stride` words apart. When that has a factor
// in common with the number of banks, they meet after lcm(stride, banks) words;
// one unused word after so many makes all of them different.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/ConversionText.h"

#include <algorithm>
#include <numeric>

namespace clopt {

/// Local memory of a group, in bytes.
static constexpr int64_t largestSegment = 8192;

std::optional<PlaneTile> planeTileOf(unsigned elementBytes, int64_t stride) {
  PlaneTile tile;
  tile.wordBytes = std::max(elementBytes, 4u);
  tile.perWord = tile.wordBytes / elementBytes;
  const int64_t banks = 128 / tile.wordBytes;
  // Rows of 128 bytes of every plane, or several.
  int64_t rows = 1;
  while (rows < 16 && rows * 2 * 128 * stride <= largestSegment)
    rows *= 2;
  if (stride < 2 || rows * 128 * stride > largestSegment)
    return std::nullopt;
  tile.structures = rows * 128 / elementBytes;
  tile.words = tile.structures * stride / tile.perWord;
  if (int64_t common = std::gcd(stride, banks); common > 1)
    tile.gapEvery = stride / common * banks;
  return tile;
}

namespace {

class PlaneConversion : ConversionText {
public:
  PlaneConversion(const ConversionShape &wanted, size_t otherDimension,
                  int64_t structureSize)
      : ConversionText(wanted), other(otherDimension), stride(structureSize),
        planes(wanted.counts[otherDimension].value.value_or(structureSize)),
        tile(planeTileOf(wanted.elementBytes, structureSize)
                 .value_or(PlaneTile())) {}

  ConversionKernel run() {
    line(1, "__local " + sizes.word + " words[" +
                text(tile.place(tile.words - 1) + 1) + "];");
    if (tile.perWord > 1)
      line(1, "__local " + sizes.element + " *cells = (__local " +
                  sizes.element + " *)words;");
    // All planes are in the tile.
    declareTiles(other, tile.structures, planes);
    declareAddresses();
    std::string condition = left(last) + " == " + text(tile.structures);
    if (planes < stride) // the last structure may not be there as a whole
      condition += " && first" + text(static_cast<int64_t>(last)) + " + " +
                   text(tile.structures) + " < " + filled();
    declareFull(condition, {text(tile.structures * stride - 1)});
    if (shape.isBack)
      movePlanes();
    else
      moveSegment();
    line(1, "barrier(CLK_LOCAL_MEM_FENCE);");
    if (shape.isBack)
      moveSegment();
    else
      movePlanes();
    return finish();
  }

private:
  static std::string text(int64_t value) { return std::to_string(value); }

  std::string wordPlace(const std::string &index) const {
    return tile.gapEvery ? index + " + " + index + " / " + text(tile.gapEvery)
                         : index;
  }

  /// Element `index` of the segment, a name.
  std::string cell(const std::string &index) const {
    if (tile.perWord == 1)
      return "words[" + wordPlace(index) + "]";
    if (!tile.gapEvery)
      return "cells[" + index + "]";
    return "cells[" + index + " + " + index + " / " +
           text(tile.gapEvery * tile.perWord) + " * " + text(tile.perWord) +
           "]";
  }

  //===-- The original's side ---------------------------------------------===//

  void moveSegment() {
    line(1, "if (isFull" +
                (tile.perWord > 1 ? " && " + isAligned(originalBuffer(), "at",
                                                       tile.wordBytes, "0")
                                  : "") +
                ") {");
    beginParts(2, "word", tile.words);
    std::string outside = tile.perWord > 1
                              ? vectorAt(originalBuffer(), sizes.word,
                                         "at + word * " + text(tile.perWord))
                              : originalBuffer() + "[at + word]";
    std::string inside = "words[" + wordPlace("word") + "]";
    line(3, shape.isBack ? outside + " = " + inside + ";"
                         : inside + " = " + outside + ";");
    line(2, "}");
    line(1, "} else {");
    line(2, "for (int e = item; e < " + left(last) + " * " + text(stride) +
                "; e += " + text(conversionItems) + ") {");
    std::vector<std::string> conditions;
    if (planes < stride)
      conditions.push_back("e % " + text(stride) + " < " + text(planes));
    const std::string isCell = isRead("at + e", "e / " + text(stride));
    if (!isCell.empty())
      conditions.push_back(isCell);
    std::string all;
    for (const std::string &condition : conditions)
      all += (all.empty() ? "" : " && ") + condition;
    if (!all.empty())
      line(3, "if (" + all + ")");
    line(all.empty() ? 3 : 4, shape.isBack ? "to[at + e] = " + cell("e") + ";"
                                           : cell("e") + " = from[at + e];");
    if (!isCell.empty()) {
      line(3, "else");
      line(4, cell("e") + " = " + zero() + ";");
    }
    line(2, "}");
    line(1, "}");
  }

  //===-- The copy's side -------------------------------------------------===//

  void movePlanes() {
    const std::string step = copyStep(other);
    const int64_t wordsPerPlane = tile.structures / tile.perWord;
    line(1, "if (isFull" +
                (tile.perWord > 1 ? " && " + isAligned(copyBuffer(), "place",
                                                       tile.wordBytes, step)
                                  : "") +
                ") {");
    beginParts(2, "part", planes * wordsPerPlane);
    line(3, "const int x = part / " + text(wordsPerPlane) + ", s = part % " +
                text(wordsPerPlane) +
                (tile.perWord > 1 ? " * " + text(tile.perWord) : "") + ";");
    const std::string index = plusTimes("place", "x", step) + " + s";
    moveWord(index);
    line(2, "}");
    line(1, "} else {");
    line(2, "for (int part = item; part < " + text(planes * tile.structures) +
                "; part += " + text(conversionItems) + ") {");
    line(3, "const int x = part / " + text(tile.structures) + ", s = part % " +
                text(tile.structures) + ";");
    line(3, "const int e = s * " + text(stride) + " + x;");
    line(3, "if (s < " + left(last) + ")");
    line(4, shape.isBack ? cell("e") + " = from[" + index + "];"
                         : "to[" + index + "] = " + cell("e") + ";");
    line(2, "}");
    line(1, "}");
  }

  void moveWord(const std::string &index) {
    std::string parts;
    for (unsigned j = 0; j < tile.perWord; ++j) {
      const std::string name = "e" + text(j);
      line(3, "const int " + name + " = " +
                  (j ? "(s + " + text(j) + ")" : "s") + " * " + text(stride) +
                  " + x;");
      parts += (j ? ", " : "") + cell(name);
    }
    if (tile.perWord == 1) {
      line(3, shape.isBack ? parts + " = from[" + index + "];"
                           : "to[" + index + "] = " + parts + ";");
      return;
    }
    if (!shape.isBack) {
      line(3, vectorAt("to", sizes.group, index) + " = (" + sizes.group + ")(" +
                  parts + ");");
      return;
    }
    line(3, "const " + sizes.group +
                " v = " + vectorAt("from", sizes.group, index) + ";");
    for (unsigned j = 0; j < tile.perWord; ++j)
      line(3, cell("e" + text(j)) + " = v.s" + text(j) + ";");
  }

  size_t other;
  int64_t stride, planes;
  PlaneTile tile;
};

} // namespace

ConversionKernel writePlanes(const ConversionShape &shape, size_t other,
                             int64_t stride) {
  return PlaneConversion(shape, other, stride).run();
}

} // namespace clopt
