//===- Diff.cpp - unified differences -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a shortest edit script with the greedy algorithm of E. Myers ("An
// O(ND) difference algorithm and its divergences", 1986). Its trace takes
// memory quadratic in the number of edits, which is therefore bounded; beyond
// the bound the whole middle part counts as replaced.
//
// Tested by test/unit/DiffTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Diff.h"

#include <algorithm>

using namespace clopt;

namespace {

using Lines = std::vector<std::string>;

using Edits = std::vector<LineEdit>;

constexpr long maxEdits = 1500;
constexpr size_t contextLines = 3;

/// Lines with their line breaks; the last one may have none.
Lines splitLines(const std::string &text) {
  Lines lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    end = end == std::string::npos ? text.size() : end + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

/// Myers' algorithm on the lines [oldBegin, oldEnd) and [newBegin, newEnd).
class EditScript {
public:
  EditScript(const Lines &oldText, const Lines &newText)
      : oldLines(oldText), newLines(newText),
        oldEnd(static_cast<long>(oldText.size())),
        newEnd(static_cast<long>(newText.size())) {}

  Edits compute() {
    skipCommonEnds();
    Edits script;
    for (long i = 0; i < begin; ++i)
      script.push_back(edit(' ', i, i));
    append(script, middle());
    for (long i = oldEnd; i < static_cast<long>(oldLines.size()); ++i)
      script.push_back(edit(' ', i, i - oldEnd + newEnd));
    return script;
  }

private:
  static LineEdit edit(char kind, long oldLine, long newLine) {
    return {kind, static_cast<size_t>(oldLine), static_cast<size_t>(newLine)};
  }

  static void append(Edits &to, const Edits &from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  void skipCommonEnds() {
    while (begin < std::min(oldEnd, newEnd) &&
           oldLines[begin] == newLines[begin])
      ++begin;
    while (std::min(oldEnd, newEnd) > begin &&
           oldLines[oldEnd - 1] == newLines[newEnd - 1]) {
      --oldEnd;
      --newEnd;
    }
  }

  Edits middle() {
    for (long edits = 0; edits <= maxEdits; ++edits)
      if (reachesEnd(edits))
        return backtrack(edits);
    Edits all;
    for (long i = begin; i < oldEnd; ++i)
      all.push_back(edit('-', i, begin));
    for (long i = begin; i < newEnd; ++i)
      all.push_back(edit('+', oldEnd, i));
    return all;
  }

  /// The furthest old position on diagonal `k` (old - new) after `edits`
  /// edits, given the furthest ones after one edit fewer.
  static long startOf(const std::vector<long> &previous, long k, long edits) {
    auto at = [&](long diagonal) { return previous[diagonal + edits]; };
    bool isInsertion = k == -edits || (k != edits && at(k - 1) < at(k + 1));
    return isInsertion ? at(k + 1) : at(k - 1) + 1;
  }

  /// Extends all diagonals by one more edit; frontier[d][k + d + 1] is the
  /// furthest old position on diagonal k.
  bool reachesEnd(long edits) {
    std::vector<long> next(2 * edits + 3, 0);
    bool isDone = false;
    for (long k = -edits; k <= edits; k += 2) {
      long x = edits == 0 ? 0 : startOf(frontiers[edits - 1], k, edits);
      long y = x - k;
      while (begin + x < oldEnd && begin + y < newEnd &&
             oldLines[begin + x] == newLines[begin + y]) {
        ++x;
        ++y;
      }
      next[k + edits + 1] = x;
      isDone |= begin + x >= oldEnd && begin + y >= newEnd;
    }
    frontiers.push_back(std::move(next));
    return isDone;
  }

  Edits backtrack(long edits) const {
    Edits reversed;
    long x = oldEnd - begin, y = newEnd - begin;
    for (; edits > 0; --edits) {
      const std::vector<long> &previous = frontiers[edits - 1];
      long k = x - y;
      long start = startOf(previous, k, edits);
      while (x > start) {
        --x;
        --y;
        reversed.push_back(edit(' ', begin + x, begin + y));
      }
      auto at = [&](long diagonal) { return previous[diagonal + edits]; };
      bool isInsertion = k == -edits || (k != edits && at(k - 1) < at(k + 1));
      if (isInsertion)
        reversed.push_back(edit('+', begin + x, begin + --y));
      else
        reversed.push_back(edit('-', begin + --x, begin + y));
    }
    for (; x > 0; --x)
      reversed.push_back(edit(' ', begin + x - 1, begin + x - 1));
    std::reverse(reversed.begin(), reversed.end());
    return reversed;
  }

  const Lines &oldLines, &newLines;
  long begin = 0, oldEnd, newEnd;
  std::vector<std::vector<long>> frontiers;
};

/// "12,3" of a hunk header; a single line is "12", no lines count from the
/// line before.
std::string hunkRange(size_t first, size_t count) {
  if (count == 1)
    return std::to_string(first + 1);
  return std::to_string(count == 0 ? first : first + 1) + "," +
         std::to_string(count);
}

void printHunk(const Edits &script, const Lines &oldLines,
               const Lines &newLines, size_t from, size_t to, size_t oldFirst,
               size_t newFirst, std::string &text) {
  size_t oldCount = 0, newCount = 0;
  std::string body;
  for (size_t i = from; i < to; ++i) {
    oldCount += script[i].kind != '+';
    newCount += script[i].kind != '-';
    body +=
        script[i].kind + (script[i].kind == '+' ? newLines[script[i].newLine]
                                                : oldLines[script[i].oldLine]);
    if (body.back() != '\n')
      body += "\n\\ No newline at end of file\n";
  }
  text += "@@ -" + hunkRange(oldFirst, oldCount) + " +" +
          hunkRange(newFirst, newCount) + " @@\n" + body;
}

/// End of the hunk that begins with the change at `from`: changes that are
/// at most twice the context apart share a hunk.
size_t hunkEnd(const Edits &script, size_t from) {
  size_t lastChange = from;
  for (size_t i = from; i < script.size(); ++i) {
    if (script[i].kind != ' ')
      lastChange = i;
    else if (i - lastChange > 2 * contextLines)
      break;
  }
  return std::min(script.size(), lastChange + 1 + contextLines);
}

} // namespace

std::vector<LineEdit>
clopt::lineEdits(const std::vector<std::string> &oldLines,
                 const std::vector<std::string> &newLines) {
  return EditScript(oldLines, newLines).compute();
}

std::string clopt::unifiedDiff(const std::string &oldName,
                               const std::string &newName,
                               const std::string &oldText,
                               const std::string &newText) {
  if (oldText == newText)
    return "";
  Lines oldLines = splitLines(oldText), newLines = splitLines(newText);
  Edits script = lineEdits(oldLines, newLines);
  std::string text = "--- " + oldName + "\n+++ " + newName + "\n";
  size_t oldLine = 0, newLine = 0, position = 0;
  auto skipTo = [&](size_t end) {
    for (; position < end; ++position) {
      oldLine += script[position].kind != '+';
      newLine += script[position].kind != '-';
    }
  };
  while (position < script.size()) {
    size_t change = position;
    while (change < script.size() && script[change].kind == ' ')
      ++change;
    if (change == script.size())
      break;
    size_t first = change - std::min(contextLines, change - position);
    skipTo(first);
    size_t end = hunkEnd(script, change);
    printHunk(script, oldLines, newLines, first, end, oldLine, newLine, text);
    skipTo(end);
  }
  return text;
}

static const char *colorOfLine(const std::string &line) {
  if (line.compare(0, 4, "--- ") == 0 || line.compare(0, 4, "+++ ") == 0)
    return "\033[1m";
  switch (line[0]) {
  case '@':
    return "\033[36m";
  case '-':
    return "\033[31m";
  case '+':
    return "\033[32m";
  }
  return nullptr;
}

std::string clopt::colorDiff(const std::string &diff) {
  std::string text;
  for (std::string line : splitLines(diff)) {
    const char *color = colorOfLine(line);
    if (!color) {
      text += line;
      continue;
    }
    const bool hasEnd = line.back() == '\n';
    if (hasEnd)
      line.pop_back();
    text += color + line + "\033[m" + (hasEnd ? "\n" : "");
  }
  return text;
}
