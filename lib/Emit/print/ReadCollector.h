//===- ReadCollector.h - values that are loaded once ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copies of a statement for several points read many cells in common. They
// are printed twice: first to know their reads, of which those that occur more
// than once, or lie side by side in an aligned row of local memory, become
// variables that are loaded before the statement (scalar replacement); then
// with these variables.
//
// Tested by test/unit/ReadCollectorTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_READCOLLECTOR_H
#define CLOPT_EMIT_READCOLLECTOR_H

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// One cell, or one vector of cells, that a statement reads.
struct CollectedRead {
  std::string text;           ///< how it is written in place
  std::string type;           ///< "float", "float4"
  std::string array;          ///< stem of the variable's name
  std::set<std::string> uses; ///< private variables in the text
  /// Reads with the same row differ in `column` only; cells whose columns are
  /// multiples of `vectorWidth` are aligned to a vector. 1: no vectors.
  std::string row;
  std::string rowBegin, rowEnd; ///< text around the column
  int64_t column = 0;
  unsigned vectorWidth = 1;
  std::string vectorType, vectorPointer; ///< "float4", "__local float4 *"
  unsigned count = 0;
};

/// A line that loads something, and the private variables it uses.
struct LoadLine {
  std::string text;
  std::set<std::string> uses;
};

class ReadCollector {
public:
  /// What stands for the read: its own text, and the read is noted; after
  /// `load` the variable, or a part of it, where there is one.
  std::string add(const CollectedRead &read);
  /// Chooses what becomes a variable; `fresh` makes names.
  std::vector<LoadLine>
  load(const std::function<std::string(const std::string &)> &fresh);

private:
  void loadVectors(const std::function<std::string(const std::string &)> &fresh,
                   std::vector<LoadLine> &lines);

  std::vector<CollectedRead> reads;
  std::map<std::string, size_t> byText;
  std::vector<std::string> values; ///< what stands for each read
};

} // namespace clopt

#endif // CLOPT_EMIT_READCOLLECTOR_H
