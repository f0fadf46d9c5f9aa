//===- ReadCollectorTest.cpp - which reads become variables ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/print/ReadCollector.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// A collector with names that count: A0, A1.
struct Collected {
  ReadCollector reads;
  std::vector<LoadLine> lines;

  void load() {
    unsigned next = 0;
    lines = reads.load(
        [&](const std::string &stem) { return stem + std::to_string(next++); });
  }
  /// Collects the reads, loads them, and says what stands for each.
  std::string valuesOf(const std::vector<CollectedRead> &all) {
    for (const CollectedRead &read : all)
      reads.add(read);
    load();
    std::string values;
    for (const CollectedRead &read : all)
      values += reads.add(read) + " ";
    return values;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> result;
    for (const LoadLine &line : lines)
      result.push_back(line.text);
    return result;
  }
};

} // namespace

using Texts = std::vector<std::string>;

static CollectedRead scalarRead(const std::string &text) {
  CollectedRead read;
  read.text = text;
  read.type = "float";
  read.array = "A";
  return read;
}

/// T[row][j + column], in vectors of `width` cells.
static CollectedRead rowRead(int64_t column, unsigned width,
                             const std::string &row = "0") {
  std::string sign = column < 0 ? " - " : " + ";
  std::string place =
      column ? sign + std::to_string(column < 0 ? -column : column) : "";
  CollectedRead read = scalarRead("T[" + row + "][j" + place + "]");
  read.row = "T[" + row + "][j]";
  read.rowBegin = "T[" + row + "][j";
  read.rowEnd = "]";
  read.column = column;
  read.vectorWidth = width;
  read.vectorType = "float" + std::to_string(width);
  read.vectorPointer = "__local " + read.vectorType + " *";
  return read;
}

//===-- Single cells ------------------------------------------------------===//

TEST(ReadCollectorTest, WhatIsReadOnceStaysInPlace) {
  Collected collected;
  EXPECT_EQ(collected.reads.add(scalarRead("A[i]")), "A[i]");
  collected.load();
  EXPECT_EQ(collected.texts(), Texts());
  EXPECT_EQ(collected.reads.add(scalarRead("A[i]")), "A[i]");
}

TEST(ReadCollectorTest, WhatIsReadTwiceIsLoadedOnce) {
  Collected collected;
  CollectedRead read = scalarRead("A[i + t]");
  read.uses = {"t"};
  collected.reads.add(read);
  collected.reads.add(scalarRead("A[i]"));
  collected.reads.add(read);
  collected.load();
  EXPECT_EQ(collected.texts(), Texts({"const float A0 = A[i + t];"}));
  EXPECT_EQ(collected.lines[0].uses, std::set<std::string>({"t"}));
  EXPECT_EQ(collected.reads.add(read), "A0");
  EXPECT_EQ(collected.reads.add(scalarRead("A[i]")), "A[i]");
}

TEST(ReadCollectorTest, VectorsOfMemoryAreValuesToo) {
  Collected collected;
  CollectedRead read = scalarRead("vload4(0, A + i)");
  read.type = "float4";
  collected.reads.add(read);
  collected.reads.add(read);
  collected.load();
  EXPECT_EQ(collected.texts(), Texts({"const float4 A0 = vload4(0, A + i);"}));
  EXPECT_EQ(collected.reads.add(read), "A0");
}

TEST(ReadCollectorTest, VariablesAreInTheOrderOfTheFirstReads) {
  Collected collected;
  for (const char *text : {"A[2]", "A[0]", "A[1]", "A[1]", "A[0]", "A[2]"})
    collected.reads.add(scalarRead(text));
  collected.load();
  EXPECT_EQ(collected.texts(),
            Texts({"const float A0 = A[2];", "const float A1 = A[0];",
                   "const float A2 = A[1];"}));
}

//===-- Rows of local memory ----------------------------------------------===//

TEST(ReadCollectorTest, NeighboursOfARowAreAVector) {
  Collected collected;
  std::vector<CollectedRead> reads;
  for (int64_t column = 0; column < 4; ++column)
    reads.push_back(rowRead(column, 4));
  const std::string values = collected.valuesOf(reads);
  EXPECT_EQ(collected.texts(),
            Texts({"const float4 A0 = *(__local float4 *)&T[0][j];"}));
  EXPECT_EQ(values, "A0.s0 A0.s1 A0.s2 A0.s3 ");
}

TEST(ReadCollectorTest, VectorsBeginAtMultiplesOfTheirWidth) {
  // Columns 2 to 5 are halves of two vectors.
  Collected collected;
  std::vector<CollectedRead> reads;
  for (int64_t column = 2; column < 6; ++column)
    reads.push_back(rowRead(column, 4));
  const std::string values = collected.valuesOf(reads);
  EXPECT_EQ(collected.texts(),
            Texts({"const float4 A0 = *(__local float4 *)&T[0][j];",
                   "const float4 A1 = *(__local float4 *)&T[0][j + 4];"}));
  EXPECT_EQ(values, "A0.s2 A0.s3 A1.s0 A1.s1 ");
}

TEST(ReadCollectorTest, ColumnsBeforeTheFirstAreRoundedDown) {
  Collected collected;
  std::vector<CollectedRead> reads;
  for (int64_t column : {-1, -3, -4})
    reads.push_back(rowRead(column, 4));
  const std::string values = collected.valuesOf(reads);
  EXPECT_EQ(collected.texts(),
            Texts({"const float4 A0 = *(__local float4 *)&T[0][j - 4];"}));
  EXPECT_EQ(values, "A0.s3 A0.s1 A0.s0 ");
}

TEST(ReadCollectorTest, AVectorThatIsMostlyUnusedIsNotLoaded) {
  Collected collected;
  const std::vector<CollectedRead> reads = {rowRead(4, 4), rowRead(1, 4)};
  EXPECT_EQ(collected.valuesOf(reads), "T[0][j + 4] T[0][j + 1] ");
  EXPECT_EQ(collected.texts(), Texts());
}

TEST(ReadCollectorTest, OneCellReadTwiceIsOneCellOfAVector) {
  Collected collected;
  collected.reads.add(rowRead(1, 4));
  collected.reads.add(rowRead(1, 4));
  collected.load();
  // Half of a vector needs two different cells; the value is still shared.
  EXPECT_EQ(collected.texts(), Texts({"const float A0 = T[0][j + 1];"}));
  EXPECT_EQ(collected.reads.add(rowRead(1, 4)), "A0");
}

TEST(ReadCollectorTest, RowsDoNotMix) {
  Collected collected;
  std::vector<CollectedRead> reads;
  for (const char *row : {"0", "1"})
    for (int64_t column : {1, 0})
      reads.push_back(rowRead(column, 2, row));
  const std::string values = collected.valuesOf(reads);
  EXPECT_EQ(collected.texts(),
            Texts({"const float2 A0 = *(__local float2 *)&T[0][j];",
                   "const float2 A1 = *(__local float2 *)&T[1][j];"}));
  EXPECT_EQ(values, "A0.s1 A0.s0 A1.s1 A1.s0 ");
}

TEST(ReadCollectorTest, LanesOfWideVectorsHaveLetters) {
  Collected collected;
  std::vector<CollectedRead> reads;
  for (int64_t column = 8; column < 16; ++column)
    reads.push_back(rowRead(column, 16));
  const std::string values = collected.valuesOf(reads);
  ASSERT_EQ(collected.lines.size(), 1u);
  EXPECT_EQ(values, "A0.s8 A0.s9 A0.sa A0.sb A0.sc A0.sd A0.se A0.sf ");
}

TEST(ReadCollectorTest, UsesOfVectorsAreKnown) {
  Collected collected;
  for (int64_t column : {0, 1}) {
    CollectedRead read = rowRead(column, 2);
    read.uses = {"j"};
    collected.reads.add(read);
  }
  collected.load();
  ASSERT_EQ(collected.lines.size(), 1u);
  EXPECT_EQ(collected.lines[0].uses, std::set<std::string>({"j"}));
}
