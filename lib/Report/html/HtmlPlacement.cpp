//===- HtmlPlacement.cpp - predicted work, arrays by memories -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlPlacementTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlPlacement.h"

#include "Report/PlacementTable.h"

#include <algorithm>

using namespace clopt;

/// A bar of this part of the width.
static void writeBar(HtmlWriter &html, const std::string &style, int64_t value,
                     int64_t whole) {
  const int64_t percent =
      whole > 0 ? std::clamp<int64_t>(value * 100 / whole, 1, 100) : 0;
  html.element("span", {{"class", "track"}}, [&] {
    html.element("span",
                 {{"class", "bar " + style},
                  {"style", "width:" + std::to_string(percent) + "%"}},
                 "");
  });
}

void clopt::writeWork(HtmlWriter &html, const KernelReport &kernel) {
  const int64_t whole = kernel.arithmeticClocks + kernel.memoryClocks;
  if (whole <= 0)
    return;
  html.element("h4", "Predicted clocks of one work-item of the original, as if "
                     "none overlapped");
  html.element("table", {{"class", "data"}}, [&] {
    auto row = [&](const char *name, const char *style, int64_t clocks) {
      html.element("tr", [&] {
        html.element("td", name);
        html.element("td", {{"class", "n"}}, std::to_string(clocks));
        html.element("td", [&] { writeBar(html, style, clocks, whole); });
      });
    };
    row("arithmetic", "sum", kernel.arithmeticClocks);
    row("memory", "mem", kernel.memoryClocks);
  });
}

/// Clocks of the slowest memory of the array that a row is about.
static int64_t slowestOf(const ArrayReport &array) {
  int64_t slowest = 0;
  for (const MemoryReport &memory : array.memories)
    slowest = std::max(slowest, memory.clocks);
  return slowest;
}

void clopt::writePlacement(HtmlWriter &html, const KernelReport &kernel) {
  if (kernel.arrays.empty())
    return;
  const std::vector<std::vector<std::string>> rows = placementRows(kernel);
  std::string best;
  for (const ArrayReport &array : kernel.arrays)
    best += (best.empty() ? "" : ", ") + array.array + ": " + array.chosen;
  html.details("memories", "Which memory suits each array", best, [&] {
    html.element("table", {{"class", "data placement"}}, [&] {
      html.element("tr", [&] {
        for (size_t i = 0; i < rows[0].size(); ++i) {
          const bool isNumber = i == 2 || i == 3;
          html.element("th", {{"class", isNumber ? "n" : "t"}}, rows[0][i]);
          if (i == 3)
            html.element("th", "");
        }
      });
      size_t at = 0;
      for (const ArrayReport &array : kernel.arrays)
        for (const MemoryReport &memory : array.memories) {
          const std::vector<std::string> &row = rows[++at];
          const bool isBest = memory.memory == array.chosen;
          std::string style = row[0].empty() ? "" : "first";
          style += isBest ? " best" : memory.isPossible ? "" : " not";
          html.element("tr", {{"class", style}}, [&] {
            html.element("td", [&] {
              if (!row[0].empty())
                html.element("code", row[0]);
            });
            html.element("td", row[1]);
            html.element("td", {{"class", "n"}}, row[2]);
            html.element("td", {{"class", "n"}}, row[3]);
            html.element("td", [&] {
              if (memory.clocks > 0)
                writeBar(html, isBest ? "good" : "mem", memory.clocks,
                         slowestOf(array));
            });
            html.element("td", row[4]);
            html.element("td", [&] { writeMessage(html, row[5]); });
          });
        }
    });
  });
}
