//===- TakenNames.cpp - names that new variables must not have ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/TakenNamesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/TakenNames.h"

#include <algorithm>

namespace clopt {

std::string copiedName(const std::string &name) {
  const size_t last = name.find_last_not_of("0123456789_v");
  const size_t begin = last == std::string::npos ? 0 : last + 1;
  const size_t end = name.find('_', std::max<size_t>(begin, 1));
  return end == std::string::npos ? name : name.substr(0, end);
}

void TakenNames::insert(const std::string &name) {
  const std::string stem = copiedName(name);
  names.insert(name);
  stems.insert(stem);
  if (stem != name)
    copied.insert(stem);
}

} // namespace clopt
