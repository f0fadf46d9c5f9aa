//===- PlacementTable.cpp - arrays by memories, for people ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PlacementTableTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/PlacementTable.h"

#include <algorithm>

using namespace clopt;

using Row = std::vector<std::string>;

static std::string number(int64_t value) {
  return value > 0 ? std::to_string(value) : "-";
}

static std::string verdict(const ArrayReport &array,
                           const MemoryReport &memory) {
  if (memory.memory == array.chosen)
    return array.dropIn == array.chosen ? "yes" : "yes, by the host";
  if (memory.memory == array.dropIn)
    return "otherwise";
  return memory.isPossible ? "possible" : "no";
}

std::vector<Row> clopt::placementRows(const KernelReport &kernel) {
  std::vector<Row> rows = {
      {"array", "memory", "bytes", "clocks", "verdict", "reason"}};
  for (const ArrayReport &array : kernel.arrays) {
    std::string name = array.array;
    for (const MemoryReport &memory : array.memories) {
      rows.push_back({name, memory.memory, number(memory.bytes),
                      number(memory.clocks), verdict(array, memory),
                      memory.reason});
      name.clear();
    }
  }
  return rows;
}

static bool isNumber(size_t column) { return column == 2 || column == 3; }

std::string clopt::renderPlacement(const KernelReport &kernel) {
  std::vector<Row> rows = placementRows(kernel);
  std::vector<size_t> widths(rows.front().size());
  for (const Row &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text = "kernel " + kernel.name + "\n";
  for (const Row &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string space(widths[i] - row[i].size(), ' ');
      line += "  " + (isNumber(i) ? space + row[i] : row[i] + space);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string clopt::renderPlacements(const Result &result) {
  std::string text;
  for (const KernelReport &kernel : result.kernels)
    if (!kernel.arrays.empty())
      text += (text.empty() ? "" : "\n") + renderPlacement(kernel);
  return text;
}
