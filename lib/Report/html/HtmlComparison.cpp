//===- HtmlComparison.cpp - original and result side by side --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The original is far shorter than the result, which has it once more for
// launches that the new code is not for. So the two are not aligned line by
// line: the original stays in view while the result scrolls by, and colors say
// which lines are in both.
//
// Tested by test/unit/HtmlComparisonTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlComparison.h"

#include "Report/html/CodeColors.h"
#include "Report/html/HtmlSource.h"

#include <algorithm>

using namespace clopt;

ComparisonView::ComparisonView(const std::string &id,
                               const ProcessedFile &processed)
    : fileId(id), file(processed),
      pairs(pairLines(file.source, file.result.output)) {
  for (const LinePair &pair : pairs) {
    if (pair.oldLine)
      oldFates.push_back(pair.fate);
    if (pair.newLine)
      newFates.push_back(pair.fate);
  }
}

/// What stands in the place of these lines now, and what was added behind
/// them.
ComparisonView::Part ComparisonView::newPart(const Part &old) const {
  Part result;
  bool isInside = false;
  for (const LinePair &pair : pairs) {
    if (pair.oldLine)
      isInside = *pair.oldLine >= old.begin && *pair.oldLine < old.end;
    if (!isInside || !pair.newLine)
      continue;
    if (result.size() == 0)
      result.begin = *pair.newLine;
    result.end = *pair.newLine + 1;
  }
  return result;
}

void ComparisonView::pane(HtmlWriter &html, const Part &part,
                          bool isOld) const {
  const std::vector<CodeLine> lines =
      colorCode(isOld ? file.source : file.result.output);
  const std::vector<LinePair::Fate> &fates = isOld ? oldFates : newFates;
  html.element("table", {{"class", "source"}}, [&] {
    for (size_t i = part.begin; i < part.end && i < lines.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      const std::string anchor =
          "#" + lineAnchor(fileId, static_cast<unsigned>(i + 1));
      const char *style = fates[i] == LinePair::Kept ? "code"
                          : isOld                    ? "code old"
                                                     : "code new";
      html.element("tr", [&] {
        html.element("td", {{"class", "number"}}, [&] {
          if (isOld)
            html.element("a", {{"href", anchor}}, number);
          else
            html.text(number);
        });
        html.element("td", {{"class", style}},
                     [&] { writeCode(html, lines[i]); });
      });
    }
  });
}

static std::string linesText(size_t count) {
  return std::to_string(count) + (count == 1 ? " line" : " lines");
}

void ComparisonView::write(HtmlWriter &html, const KernelReport &kernel) const {
  const SourceRange &at = kernel.location;
  Part old;
  if (at.line >= 1 && at.endLine >= at.line && at.endLine <= oldFates.size())
    old = {at.line - 1, at.endLine};
  const Part now = newPart(old);
  auto countNew = [&](LinePair::Fate fate) {
    return static_cast<size_t>(std::count(
        newFates.begin() + static_cast<std::ptrdiff_t>(now.begin),
        newFates.begin() + static_cast<std::ptrdiff_t>(now.end), fate));
  };
  const size_t kept = countNew(LinePair::Kept);
  if (now.size() == 0 || (kept == old.size() && kept == now.size()))
    return;
  const std::string facts = linesText(old.size()) + ", now " +
                            linesText(now.size()) + ": " +
                            std::to_string(kept) + " of the original, " +
                            std::to_string(now.size() - kept) + " new";
  html.details("comparison", "Original and optimized", facts, [&] {
    html.element("div", {{"class", "panes"}}, [&] {
      html.element("div", {{"class", "pane original"}},
                   [&] { pane(html, old, true); });
      html.element("div", {{"class", "pane"}}, [&] { pane(html, now, false); });
    });
  });
}
