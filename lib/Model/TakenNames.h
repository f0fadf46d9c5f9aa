//===- TakenNames.h - names that new variables must not have ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of a variable for points and lanes are `s_0`, `s_1_2`, `s_v`: where
// one of them is taken, or `s` itself, so are the others.
//
// Tested by test/unit/TakenNamesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_TAKENNAMES_H
#define CLOPT_MODEL_TAKENNAMES_H

#include <set>
#include <string>

namespace clopt {

/// What the name is a copy of: `s` of `s_1_2`, else the name itself.
std::string copiedName(const std::string &name);

class TakenNames {
public:
  void insert(const std::string &name);
  template <typename Iterator> void insert(Iterator begin, Iterator end) {
    for (; begin != end; ++begin)
      insert(*begin);
  }
  /// True for exactly this name.
  bool count(const std::string &name) const { return names.count(name) != 0; }
  /// True where the name, a copy of it, or what it is a copy of is taken.
  bool countAlike(const std::string &name) const {
    return stems.count(copiedName(name)) != 0;
  }
  /// True where a copy of the name is taken.
  bool countCopies(const std::string &name) const {
    return copied.count(name) != 0;
  }

private:
  std::set<std::string> names, stems, copied;
};

} // namespace clopt

#endif // CLOPT_MODEL_TAKENNAMES_H
