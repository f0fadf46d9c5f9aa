//===- ReportInput.h - what the writers of reports are given ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of clopt handles one or several files; every report is a function of
// them and the options.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_REPORTINPUT_H
#define CLOPT_REPORT_REPORTINPUT_H

#include "Report/Measurements.h"
#include "clopt/Options.h"
#include "clopt/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// One input file and what became of it.
struct ProcessedFile {
  std::string path;      ///< as the user wrote it, "-" for standard input
  std::string source;    ///< its text
  std::string readError; ///< why there is none, or empty
  Result result;
  std::string outputPath; ///< where the optimized text went, or empty
  unsigned fixes = 0;     ///< that are in the text of the result
  /// Where a configuration makes them differ from those of the run.
  std::optional<Options> options;
};

/// One run.
struct RunReport {
  Options options;
  bool isCheck = false; ///< `clopt check`: findings only
  std::vector<ProcessedFile> files;
  /// An input could not be read, and is not one of `files`.
  bool hasUnread = false;
  /// Of their kernels, when there are some to show.
  std::optional<Measurements> measurements;
};

} // namespace clopt

#endif // CLOPT_REPORT_REPORTINPUT_H
