//===- LineFates.cpp - what became of each line of a source ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlComparisonTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/LineFates.h"

#include "Report/Diff.h"

#include <llvm/ADT/StringRef.h>

using namespace clopt;

/// Without indentation and ends of lines: code that now stands in a condition
/// is moved to the right and still the same.
static std::vector<std::string> trimmedLines(llvm::StringRef text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back(line.trim().str());
    text = rest;
  }
  return lines;
}

std::vector<LinePair> clopt::pairLines(const std::string &oldText,
                                       const std::string &newText) {
  std::vector<LineEdit> edits =
      lineEdits(trimmedLines(oldText), trimmedLines(newText));
  std::vector<LinePair> pairs;
  std::vector<size_t> removed, added;
  // Between lines that are kept, old and new ones stand side by side.
  auto flush = [&] {
    for (size_t i = 0; i < std::max(removed.size(), added.size()); ++i) {
      LinePair pair;
      if (i < removed.size())
        pair.oldLine = removed[i];
      if (i < added.size())
        pair.newLine = added[i];
      pair.fate = !pair.newLine   ? LinePair::Removed
                  : !pair.oldLine ? LinePair::Added
                                  : LinePair::Changed;
      pairs.push_back(pair);
    }
    removed.clear();
    added.clear();
  };
  for (const LineEdit &edit : edits) {
    if (edit.kind == '-') {
      removed.push_back(edit.oldLine);
    } else if (edit.kind == '+') {
      added.push_back(edit.newLine);
    } else {
      flush();
      pairs.push_back({LinePair::Kept, edit.oldLine, edit.newLine});
    }
  }
  flush();
  return pairs;
}
