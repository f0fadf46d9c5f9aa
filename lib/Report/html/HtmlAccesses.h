//===- HtmlAccesses.h - pictures of what requests touch ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlAccessesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLACCESSES_H
#define CLOPT_REPORT_HTML_HTMLACCESSES_H

#include "Report/html/HtmlWriter.h"
#include "clopt/Result.h"

#include <string>

namespace clopt {

/// The accesses of a kernel, those that look alike in one row with a picture
/// of one request. The worst come first. `onlyFindings`: those that
/// `clopt check` complains of.
void writeAccesses(HtmlWriter &html, const std::string &fileId,
                   const KernelReport &kernel, bool onlyFindings);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLACCESSES_H
