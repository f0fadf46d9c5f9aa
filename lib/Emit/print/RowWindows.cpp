//===- RowWindows.cpp - cells that aligned vectors share ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RowWindowsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/RowWindows.h"

#include <algorithm>

namespace clopt {

const RowWindows::Row *RowWindows::find(unsigned array,
                                        const Polynomial &row) const {
  for (const Row &own : rows)
    if (own.array == array && own.place == row)
      return &own;
  return nullptr;
}

void RowWindows::add(unsigned array, const Polynomial &row, int64_t first) {
  if (!find(array, row)) {
    rows.emplace_back();
    rows.back().array = array;
    rows.back().place = row;
  }
  Row &own = const_cast<Row &>(*find(array, row));
  for (unsigned lane = 0; lane < lanes; ++lane)
    ++own.reads[first + lane];
  own.pieces.clear();
}

bool RowWindows::isShared(unsigned array, const Polynomial &row,
                          int64_t first) const {
  const Row *own = find(array, row);
  if (!own)
    return false;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    auto cell = own->reads.find(first + lane);
    if (cell != own->reads.end() && cell->second > 1)
      return true;
  }
  return false;
}

/// The largest aligned pieces, from the first cell on.
void RowWindows::cutIntoPieces(Row &row) const {
  auto has = [&](int64_t first, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      if (!row.reads.count(first + i))
        return false;
    return true;
  };
  int64_t next = row.reads.begin()->first;
  for (const auto &[cell, count] : row.reads) {
    if (cell < next)
      continue;
    Piece piece;
    piece.first = cell;
    piece.count = lanes;
    while (cell % piece.count != 0 || !has(cell, piece.count))
      piece.count /= 2;
    next = cell + piece.count;
    row.pieces.push_back(piece);
  }
}

/// Components of vectors come in ones, twos, threes, fours and eights.
static void addComponents(const std::string &name, unsigned begin, unsigned end,
                          std::vector<std::string> &out) {
  while (begin < end) {
    unsigned count = end - begin;
    if (count > 4)
      count = count >= 8 ? 8 : 4;
    std::string text = name + ".s";
    for (unsigned i = 0; i < count; ++i)
      text += "0123456789abcdef"[begin + i];
    out.push_back(text);
    begin += count;
  }
}

std::vector<std::string> RowWindows::vectorOf(unsigned array,
                                              const Polynomial &row,
                                              int64_t first,
                                              const Loader &load) {
  Row &own = const_cast<Row &>(*find(array, row));
  if (own.pieces.empty())
    cutIntoPieces(own);
  std::vector<std::string> result;
  for (Piece &piece : own.pieces) {
    int64_t begin = std::max(first, piece.first);
    int64_t end = std::min(first + lanes, piece.first + piece.count);
    if (begin >= end)
      continue;
    if (piece.name.empty())
      piece.name = load(piece.first, piece.count);
    if (end - begin == piece.count)
      result.push_back(piece.name);
    else
      addComponents(piece.name, static_cast<unsigned>(begin - piece.first),
                    static_cast<unsigned>(end - piece.first), result);
  }
  return result;
}

} // namespace clopt
