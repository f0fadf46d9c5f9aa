//===- CodeColors.h - the words of OpenCL C by kind -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlSourceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_CODECOLORS_H
#define CLOPT_REPORT_HTML_CODECOLORS_H

#include "Report/html/HtmlWriter.h"

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace clopt {

/// A part of a line that a class of the style sheet is for. Parts may lie in
/// each other, the inner one behind the outer one; columns count from 0.
struct CodePart {
  size_t begin = 0, end = 0; ///< of the line
  std::string style;         ///< "kw", "cm", "num", "str", "pp"
};

struct CodeLine {
  llvm::StringRef text; ///< without its line break
  std::vector<CodePart> parts;
};

/// The lines of a text, with keywords, comments, numbers, strings and
/// directives of the preprocessor marked.
std::vector<CodeLine> colorCode(llvm::StringRef source);

/// Writes one line. Each character is in the last part that has it, so marks
/// that are added behind the colors win.
void writeCode(HtmlWriter &html, const CodeLine &line);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_CODECOLORS_H
