//===- HtmlPlacement.h - predicted work, arrays by memories -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlPlacementTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLPLACEMENT_H
#define CLOPT_REPORT_HTML_HTMLPLACEMENT_H

#include "Report/html/HtmlWriter.h"
#include "clopt/Result.h"

namespace clopt {

/// What a work-item of the original is predicted to spend its clocks on.
/// Nothing where that is not known.
void writeWork(HtmlWriter &html, const KernelReport &kernel);

/// The memories of every array, as --dump-placement has them.
void writePlacement(HtmlWriter &html, const KernelReport &kernel);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLPLACEMENT_H
