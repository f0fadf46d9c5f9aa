//===- HtmlMeasurements.h - times of a kernel -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlMeasurementsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLMEASUREMENTS_H
#define CLOPT_REPORT_HTML_HTMLMEASUREMENTS_H

#include "Report/Measurements.h"
#include "Report/html/HtmlWriter.h"

#include <string>

namespace clopt {

/// The launches of a kernel as a table, and below the roofline of a copy.
/// Nothing when it was not measured.
void writeMeasurements(HtmlWriter &html, const Measurements &measured,
                       const std::string &kernel);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLMEASUREMENTS_H
