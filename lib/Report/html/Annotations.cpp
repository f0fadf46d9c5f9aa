//===- Annotations.cpp - what is said about the lines of a file -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/AnnotationsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/Annotations.h"

#include <llvm/ADT/STLExtras.h>

#include <tuple>

using namespace clopt;

const char *clopt::annotationName(AnnotationKind kind) {
  // In the order of AnnotationKind.
  static constexpr const char *names[] = {"passed",  "missed",  "analysis",
                                          "finding", "warning", "error"};
  return names[static_cast<size_t>(kind)];
}

static Annotation annotationOf(const Remark &remark) {
  Annotation result;
  result.kind = remark.kind == RemarkKind::Passed   ? AnnotationKind::Passed
                : remark.kind == RemarkKind::Missed ? AnnotationKind::Missed
                                                    : AnnotationKind::Analysis;
  result.location = remark.location;
  result.pass = remark.pass;
  // Steps that were taken have their own name as a rule.
  if (remark.ruleId != "clopt-" + remark.pass)
    result.ruleId = remark.ruleId;
  result.kernel = remark.function;
  result.message = remark.message;
  result.hint = remark.hint;
  result.isSuppressed = remark.suppressed;
  return result;
}

static Annotation annotationOf(const Finding &finding) {
  const AccessReport &access = *finding.access;
  Annotation result;
  result.kind = AnnotationKind::Finding;
  result.location = access.location;
  result.ruleId = access.ruleId;
  result.kernel = access.kernel;
  result.message = "`" + access.text + "`: " + access.reason;
  result.hint = access.hint;
  result.isSuppressed = finding.isSuppressed;
  result.isInBaseline = finding.isInBaseline;
  return result;
}

static Annotation annotationOf(const Diagnostic &diagnostic) {
  Annotation result;
  result.kind = diagnostic.level == Diagnostic::Level::Error
                    ? AnnotationKind::Error
                : diagnostic.level == Diagnostic::Level::Warning
                    ? AnnotationKind::Warning
                    : AnnotationKind::Analysis;
  result.location = diagnostic.location;
  result.message = diagnostic.message;
  return result;
}

std::vector<Annotation>
clopt::annotationsOf(const ProcessedFile &file,
                     const std::vector<Finding> &findings) {
  std::vector<Annotation> all;
  for (const Diagnostic &diagnostic : file.result.diagnostics)
    all.push_back(annotationOf(diagnostic));
  for (const Finding &finding : findings)
    all.push_back(annotationOf(finding));
  for (const Remark &remark : file.result.remarks)
    all.push_back(annotationOf(remark));
  if (!file.readError.empty()) {
    all.emplace_back().kind = AnnotationKind::Error;
    all.back().message = file.readError;
  }
  llvm::stable_sort(all, [](const Annotation &a, const Annotation &b) {
    return std::tie(a.location.line, a.location.column) <
           std::tie(b.location.line, b.location.column);
  });
  return all;
}
