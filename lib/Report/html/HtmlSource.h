//===- HtmlSource.h - a source with remarks under its lines -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlSourceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLSOURCE_H
#define CLOPT_REPORT_HTML_HTMLSOURCE_H

#include "Report/html/Annotations.h"
#include "Report/html/HtmlWriter.h"

#include <string>
#include <vector>

namespace clopt {

/// The place of a line in the page, as `#f1-L12` links to it.
std::string lineAnchor(const std::string &fileId, unsigned line);

/// One annotation: its kind, text and hint.
void writeAnnotation(HtmlWriter &html, const Annotation &annotation);

/// Annotations that are about no line of the text `file` come before it.
/// `file`: as places name it.
void writeSource(HtmlWriter &html, const std::string &fileId,
                 const std::string &file, const std::string &source,
                 const std::vector<Annotation> &annotations);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLSOURCE_H
