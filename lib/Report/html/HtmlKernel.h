//===- HtmlKernel.h - what was done to one kernel ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlKernelTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLKERNEL_H
#define CLOPT_REPORT_HTML_HTMLKERNEL_H

#include "Report/html/Annotations.h"
#include "Report/html/HtmlWriter.h"

#include <vector>

namespace clopt {

/// The recipe, for which launches it is, how it was validated, and what was not
/// done. `annotations` are those of the file.
void writeRecipe(HtmlWriter &html, const KernelReport &kernel,
                 const std::vector<Annotation> &annotations);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLKERNEL_H
