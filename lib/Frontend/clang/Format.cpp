//===- Format.cpp - emitted code in a house style -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/FormatTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/Format.h"

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>

namespace clopt {

static clang::format::FormatStyle houseStyle() {
  clang::format::FormatStyle style = clang::format::getLLVMStyle();
  style.IndentWidth = 4;
  style.ContinuationIndentWidth = 4;
  style.ColumnLimit = 100;
  style.ReflowComments = false;
  return style;
}

static constexpr size_t longestText = 60000;

std::string formatStatements(const std::string &statements) {
  // The search for good line breaks takes time and memory that grow with the
  // text; long output keeps the simple layout it has.
  if (statements.size() > longestText)
    return statements;
  // Statements are only laid out as such inside a function.
  const std::string open = "void f() {\n", close = "}\n";
  std::string code = open + statements + close;
  clang::tooling::Range all(0, static_cast<unsigned>(code.size()));
  clang::tooling::Replacements edits =
      clang::format::reformat(houseStyle(), code, {all}, "kernel.cl");
  llvm::Expected<std::string> formatted =
      clang::tooling::applyAllReplacements(code, edits);
  if (!formatted) {
    llvm::consumeError(formatted.takeError());
    return statements;
  }
  bool isIntact = formatted->size() > open.size() + close.size() &&
                  formatted->compare(0, open.size(), open) == 0 &&
                  formatted->compare(formatted->size() - close.size(),
                                     close.size(), close) == 0;
  if (!isIntact)
    return statements;
  return formatted->substr(open.size(),
                           formatted->size() - open.size() - close.size());
}

} // namespace clopt
