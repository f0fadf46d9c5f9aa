//===- HtmlOrder.h - the order of statements before and after ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlKernelTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLORDER_H
#define CLOPT_REPORT_HTML_HTMLORDER_H

#include "Report/html/HtmlWriter.h"
#include "clopt/Result.h"

namespace clopt {

/// The trees of --dump-tree before and after all steps, to be unfolded.
void writeOrders(HtmlWriter &html, const KernelReport &kernel);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLORDER_H
