//===- HtmlStyle.h - the looks of the HTML report ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlReportTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLSTYLE_H
#define CLOPT_REPORT_HTML_HTMLSTYLE_H

namespace clopt {

/// The style sheet. Colors are variables, light and dark, so that pictures in
/// SVG follow them, too.
extern const char *const htmlStyleSheet;

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLSTYLE_H
