//===- ReportSamples.h - results for the tests of reports -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A made-up run over one file, so that the writers of reports are tested
// without parsing anything.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_UNIT_REPORTSAMPLES_H
#define CLOPT_TEST_UNIT_REPORTSAMPLES_H

#include "Report/ReportInput.h"

#include <string>

namespace clopt::samples {

inline const char *const source =
    "kernel void copy(global float *a, global float *b) {\n"
    "  int i = get_global_id(0);\n"
    "  a[2 * i] = b[i];\n"
    "  a[2 * i + 1] = b[i];\n"
    "}\n";

inline SourceRange range(unsigned line, unsigned column, unsigned length) {
  SourceRange result;
  result.file = "dir/copy.cl";
  result.line = result.endLine = line;
  result.column = column;
  result.endColumn = column + length;
  return result;
}

/// A finding in line 3 of the source.
inline AccessReport stridedAccess() {
  AccessReport access;
  access.kernel = "copy";
  access.array = "a";
  access.isWrite = true;
  access.location = range(3, 3, 8);
  access.text = "a[2 * i]";
  access.subscript = "[2*i]";
  access.elementType = "float";
  access.pattern = "stride 2";
  access.transactions = 8;
  access.idealTransactions = 4;
  access.ruleId = "clopt-unvectorized-stride";
  access.reason = "neighbouring work-items write every second float of 'a'";
  access.hint = "store the two halves in arrays of their own";
  return access;
}

/// Nothing to complain about.
inline AccessReport forwardAccess() {
  AccessReport access;
  access.kernel = "copy";
  access.array = "b";
  access.location = range(3, 14, 4);
  access.text = "b[i]";
  access.subscript = "[i]";
  access.elementType = "float";
  access.pattern = "forward";
  access.isVectorizable = access.isContiguous = access.isReadOnly = true;
  access.transactions = access.idealTransactions = 4;
  return access;
}

inline Remark remark(RemarkKind kind) {
  Remark result;
  result.kind = kind;
  result.pass = "vectorize";
  result.function = "copy";
  result.location = range(2, 3, 3);
  switch (kind) {
  case RemarkKind::Passed:
    result.ruleId = "clopt-vectorize";
    result.message = "4 work-items run as one vector";
    result.args = {{"Lanes", "4"}};
    break;
  case RemarkKind::Missed:
    result.ruleId = "clopt-may-alias";
    result.message = "'a' may overlap 'b'";
    result.hint = "add 'restrict' to 'a'";
    result.args = {{"First", "a"}, {"Second", "b"}};
    break;
  case RemarkKind::Analysis:
    result.ruleId = "clopt-access-pattern";
    result.message = "'b' is read forward";
    break;
  }
  return result;
}

/// Of a kernel that `clopt check` gave up on.
inline Remark unanalyzed() {
  Remark result;
  result.kind = RemarkKind::Missed;
  result.pass = "kernel";
  result.ruleId = "clopt-budget";
  result.function = "copy";
  result.location = range(1, 13, 4);
  result.message = "the analysis exceeded its budget";
  result.hint = "raise --operation-budget";
  return result;
}

inline RunReport run() {
  ProcessedFile file;
  file.path = "dir/copy.cl";
  file.source = source;
  file.outputPath = "out.cl";
  Result &result = file.result;
  result.ok = true;
  result.output = source;
  result.dependencies = {"dir/copy.cl", "dir/size.h"};
  KernelReport kernel;
  kernel.name = "copy";
  kernel.location = range(1, 13, 4);
  kernel.accesses = {stridedAccess(), forwardAccess()};
  result.kernels = {kernel};
  result.remarks = {remark(RemarkKind::Passed), remark(RemarkKind::Missed),
                    remark(RemarkKind::Analysis)};
  RunReport report;
  report.files.push_back(std::move(file));
  return report;
}

} // namespace clopt::samples

#endif // CLOPT_TEST_UNIT_REPORTSAMPLES_H
