//===- Depfile.cpp - dependencies for make and ninja ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/DepfileTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Depfile.h"

#include <set>

/// Spaces and '#' take a backslash, as do backslashes right before a space;
/// '$' is doubled.
static std::string escaped(const std::string &name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == ' ')
      for (size_t j = i; j > 0 && name[j - 1] == '\\'; --j)
        result += '\\';
    if (name[i] == ' ' || name[i] == '#')
      result += '\\';
    else if (name[i] == '$')
      result += '$';
    result += name[i];
  }
  return result;
}

std::string clopt::printDepfile(const std::string &target,
                                const std::vector<std::string> &dependencies,
                                bool namesPhony) {
  std::string text = escaped(target) + ":", phony;
  std::set<std::string> written;
  for (const std::string &dependency : dependencies) {
    if (!written.insert(dependency).second)
      continue;
    text += " \\\n  " + escaped(dependency);
    if (namesPhony && written.size() > 1)
      phony += "\n" + escaped(dependency) + ":\n";
  }
  return text + "\n" + phony;
}
