//===- Annotations.h - what is said about the lines of a file ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks, findings and warnings in one form, sorted by their lines: what the
// views of the HTML report that show a source put beside it.
//
// Tested by test/unit/AnnotationsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_ANNOTATIONS_H
#define CLOPT_REPORT_HTML_ANNOTATIONS_H

#include "Report/Findings.h"

#include <string>
#include <vector>

namespace clopt {

enum class AnnotationKind { Passed, Missed, Analysis, Finding, Warning, Error };

/// "passed", "missed" ...: in the page, and class of its style sheet.
const char *annotationName(AnnotationKind kind);

struct Annotation {
  AnnotationKind kind = AnnotationKind::Analysis;
  SourceRange location; ///< line 0: about the file as a whole
  std::string pass;     ///< "vectorize", or empty
  std::string ruleId;   ///< or empty
  std::string kernel;   ///< or empty
  std::string message, hint;
  bool isSuppressed = false;
  bool isInBaseline = false;
};

/// Everything about one file, by lines; what is about no line comes first.
/// `findings` are those in this file.
std::vector<Annotation> annotationsOf(const ProcessedFile &file,
                                      const std::vector<Finding> &findings);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_ANNOTATIONS_H
