//===- ReadCollector.cpp - values that are loaded once --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ReadCollectorTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/ReadCollector.h"

#include <llvm/Support/MathExtras.h>

#include <cstdlib>

namespace clopt {

std::string ReadCollector::add(const CollectedRead &read) {
  auto [it, isNew] = byText.emplace(read.text, reads.size());
  if (isNew) {
    reads.push_back(read);
    values.push_back(read.text);
  }
  ++reads[it->second].count;
  return values[it->second];
}

void ReadCollector::loadVectors(
    const std::function<std::string(const std::string &)> &fresh,
    std::vector<LoadLine> &lines) {
  // Reads by row and by vector of the row.
  std::map<std::pair<std::string, int64_t>, std::vector<size_t>> groups;
  std::vector<std::pair<std::string, int64_t>> order;
  for (size_t i = 0; i < reads.size(); ++i) {
    if (reads[i].vectorWidth <= 1)
      continue;
    std::pair<std::string, int64_t> key(
        reads[i].row,
        llvm::divideFloorSigned(reads[i].column, reads[i].vectorWidth));
    if (groups[key].empty())
      order.push_back(key);
    groups[key].push_back(i);
  }
  for (const auto &key : order) {
    const std::vector<size_t> &group = groups[key];
    // A vector of which half is not used is no gain.
    const CollectedRead &first = reads[group.front()];
    if (group.size() * 2 < first.vectorWidth)
      continue;
    int64_t column = key.second * first.vectorWidth;
    std::string at = first.rowBegin;
    if (column)
      at += (column < 0 ? " - " : " + ") + std::to_string(std::llabs(column));
    std::string name = fresh(first.array);
    lines.push_back({"const " + first.vectorType + " " + name + " = *(" +
                         first.vectorPointer + ")&" + at + first.rowEnd + ";",
                     first.uses});
    for (size_t i : group)
      values[i] = name + ".s" + "0123456789abcdef"[reads[i].column - column];
  }
}

std::vector<LoadLine> ReadCollector::load(
    const std::function<std::string(const std::string &)> &fresh) {
  std::vector<LoadLine> lines;
  loadVectors(fresh, lines);
  for (size_t i = 0; i < reads.size(); ++i) {
    if (values[i] != reads[i].text || reads[i].count < 2)
      continue;
    std::string name = fresh(reads[i].array);
    lines.push_back(
        {"const " + reads[i].type + " " + name + " = " + reads[i].text + ";",
         reads[i].uses});
    values[i] = name;
  }
  return lines;
}

} // namespace clopt
