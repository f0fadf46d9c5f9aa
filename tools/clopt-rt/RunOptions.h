//===- RunOptions.h - options that several commands have -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_RUNOPTIONS_H
#define CLOPT_TOOLS_RUNOPTIONS_H

#include "CommandLine.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/Verify.h"

#include <string>

namespace clopt::runtime {

/// Kernel file, launch specifications, and what clopt is told.
void addKernelOptions(CommandLine &line, VerifyOptions &options);
/// The same, and what may take the place of what clopt makes.
void addFileOptions(CommandLine &line, VerifyOptions &options);
/// Sizes, platform and device, seed, repetitions.
void addLaunchOptions(CommandLine &line, VerifyOptions &options);
/// What only a comparison needs.
void addCompareOptions(CommandLine &line, VerifyOptions &options);
/// What is printed, text or JSON, and where the JSON goes as well.
struct ReportSettings {
  bool isText = true;
  std::string file;
  /// Prints and writes what is wanted. Throws Error.
  void give(const Json &report) const;
};
void addReportOptions(CommandLine &line, ReportSettings &report);
/// Throws Error when a file is missing on the command line.
void checkFiles(const VerifyOptions &options);
/// Platform and device; part of the launch options.
void addDeviceOptions(CommandLine &line, std::string &platform,
                      std::string &device);
/// Writes `report` with a line break at its end. Throws Error.
void writeReport(const std::string &path, const Json &report);

} // namespace clopt::runtime

#endif // CLOPT_TOOLS_RUNOPTIONS_H
