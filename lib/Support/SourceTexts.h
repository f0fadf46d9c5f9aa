//===- SourceTexts.h - the texts that messages point into -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages show the source line they are about. The texts of the inputs are
// put in by the caller; an included file is read when a message needs it.
//
// Tested by test/unit/DiagnosticsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_SOURCETEXTS_H
#define CLOPT_SUPPORT_SOURCETEXTS_H

#include <map>
#include <optional>
#include <string>

namespace clopt {

class SourceTexts {
public:
  void add(const std::string &path, std::string text);

  /// The text of a file, or null when it cannot be read.
  const std::string *find(const std::string &path);

  /// Line `number` (from 1) without its line break, or nothing.
  std::optional<std::string> line(const std::string &path, unsigned number);

private:
  /// Nothing for files that could not be read.
  std::map<std::string, std::optional<std::string>> texts;
};

} // namespace clopt

#endif // CLOPT_SUPPORT_SOURCETEXTS_H
