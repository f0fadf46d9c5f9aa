//===- FormatTest.cpp - emitted code in a house style ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/Format.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace clopt;

namespace {

TEST(FormatTest, IndentsByFourColumns) {
  EXPECT_EQ(formatStatements("if (a) {\nb = 1;\n}\n"),
            "    if (a) {\n        b = 1;\n    }\n");
}

TEST(FormatTest, BreaksLinesAtHundredColumns) {
  std::string sum = "x = a0";
  for (int i = 1; i < 60; ++i)
    sum += " + a" + std::to_string(i);
  std::istringstream lines(formatStatements(sum + ";\n"));
  unsigned count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_LE(line.size(), 100u);
  EXPECT_GT(count, 2u);
}

TEST(FormatTest, KeepsCommentsAndTokens) {
  std::string text = formatStatements("// - a is kept in registers\n"
                                      "vstore8(v, 0, &a[i]);\n");
  EXPECT_EQ(text, "    // - a is kept in registers\n"
                  "    vstore8(v, 0, &a[i]);\n");
}

TEST(FormatTest, LeavesVeryLongTextAsItIs) {
  std::string text;
  while (text.size() <= 60000)
    text += "x=1;\n";
  EXPECT_EQ(formatStatements(text), text);
}

} // namespace
