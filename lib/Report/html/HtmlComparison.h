//===- HtmlComparison.h - original and result side by side ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlComparisonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLCOMPARISON_H
#define CLOPT_REPORT_HTML_HTMLCOMPARISON_H

#include "Report/ReportInput.h"
#include "Report/html/HtmlWriter.h"
#include "Report/html/LineFates.h"

#include <string>

namespace clopt {

/// Shows kernels of one file beside their optimized text.
class ComparisonView {
public:
  ComparisonView(const std::string &fileId, const ProcessedFile &file);

  /// To be unfolded; nothing for a kernel whose text stayed as it was.
  void write(HtmlWriter &html, const KernelReport &kernel) const;

private:
  /// Lines from `begin` to `end` - 1 of a text, from 0.
  struct Part {
    size_t begin = 0, end = 0;
    size_t size() const { return end - begin; }
  };

  Part newPart(const Part &old) const;
  void pane(HtmlWriter &html, const Part &part, bool isOld) const;

  const std::string &fileId;
  const ProcessedFile &file;
  std::vector<LinePair> pairs;
  std::vector<LinePair::Fate> oldFates, newFates; ///< by line
};

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLCOMPARISON_H
