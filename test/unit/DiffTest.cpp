//===- DiffTest.cpp - tests of unified differences ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Diff.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <vector>

using clopt::unifiedDiff;

namespace {

std::string diff(const std::string &before, const std::string &after) {
  return unifiedDiff("a", "b", before, after);
}

/// Carries a difference out, checking every context and removed line: an
/// independent reading of the format.
std::string patched(const std::string &before, const std::string &difference) {
  std::vector<std::string> old;
  for (size_t begin = 0; begin < before.size();) {
    size_t end = before.find('\n', begin);
    end = end == std::string::npos ? before.size() : end + 1;
    old.push_back(before.substr(begin, end - begin));
    begin = end;
  }
  std::istringstream stream(difference);
  std::string line, result;
  std::getline(stream, line);
  std::getline(stream, line);
  size_t position = 0;
  while (std::getline(stream, line)) {
    line += '\n';
    if (line[0] == '@') {
      size_t comma = line.find_first_of(", ", 4);
      size_t first = std::stoul(line.substr(4));
      bool isEmpty = line.compare(comma, 3, ",0 ") == 0;
      for (size_t target = isEmpty ? first : first - 1; position < target;)
        result += old[position++];
      continue;
    }
    if (line[0] == '\\') {
      result.pop_back();
      continue;
    }
    if (line[0] != '+') {
      std::string expected = old.at(position++);
      if (expected.back() != '\n')
        expected += '\n';
      EXPECT_EQ(line.substr(1), expected) << difference;
    }
    if (line[0] != '-')
      result += line.substr(1);
  }
  while (position < old.size())
    result += old[position++];
  return result;
}

} // namespace

TEST(Diff, equalTextsHaveNone) { EXPECT_EQ(diff("x\n", "x\n"), ""); }

TEST(Diff, oneLine) {
  EXPECT_EQ(
      diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
      "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(Diff, ends) {
  EXPECT_EQ(diff("", "x\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(diff("x\n", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
  EXPECT_EQ(diff("x", "x\n"), "--- a\n+++ b\n@@ -1 +1 @@\n-x\n"
                              "\\ No newline at end of file\n+x\n");
}

TEST(Diff, farChangesAreSeparateHunks) {
  std::string before, after;
  for (int i = 1; i <= 20; ++i) {
    std::string line = std::to_string(i) + "\n";
    before += line;
    after += i == 4 || i == 15 ? "new\n" : line;
  }
  EXPECT_EQ(diff(before, after),
            "--- a\n+++ b\n@@ -1,7 +1,7 @@\n 1\n 2\n 3\n-4\n+new\n 5\n 6\n 7\n"
            "@@ -12,7 +12,7 @@\n 12\n 13\n 14\n-15\n+new\n 16\n 17\n 18\n");
}

TEST(Diff, patchingGivesTheNewText) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    auto text = [&] {
      std::string result;
      for (unsigned i = random() % 30; i > 0; --i)
        result += std::string(1, 'a' + random() % 4) + "\n";
      return result;
    };
    std::string before = text(), after = text();
    EXPECT_EQ(patched(before, diff(before, after)), after)
        << diff(before, after);
  }
}

TEST(Diff, largeDifferencesAreBounded) {
  std::string before, after;
  for (int i = 0; i < 3000; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(patched(before, diff(before, after)), after);
}

TEST(Diff, editsSayWhereLinesAre) {
  const std::vector<std::string> before = {"a", "b", "c", "d"},
                                 after = {"a", "x", "c", "d", "e"};
  std::string text;
  for (const clopt::LineEdit &edit : clopt::lineEdits(before, after)) {
    text += edit.kind;
    text += edit.kind == '+' ? after[edit.newLine] : before[edit.oldLine];
    if (edit.kind == ' ') {
      EXPECT_EQ(before[edit.oldLine], after[edit.newLine]);
    }
  }
  EXPECT_EQ(text, " a-b+x c d+e");
}

TEST(DiffTest, Colours) {
  EXPECT_EQ(clopt::colorDiff("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n"),
            "\033[1m--- a\033[m\n\033[1m+++ b\033[m\n"
            "\033[36m@@ -1 +1 @@\033[m\n\033[31m-x\033[m\n"
            "\033[32m+y\033[m\n z\n");
  EXPECT_EQ(clopt::colorDiff(""), "");
}
