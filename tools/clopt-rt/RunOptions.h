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
/// What is printed, "text" or "json", and where results go as well.
void addReportOptions(CommandLine &line, std::string &format,
                      std::string &jsonFile);
/// Prints the report where `format` is "json", and writes it to the file, if
/// there is one. Throws Error.
void giveReport(const std::string &format, const std::string &jsonFile,
                const Json &report);
/// Throws Error when a file is missing on the command line.
void checkFiles(const VerifyOptions &options);
/// Platform and device; part of the launch options.
void addDeviceOptions(CommandLine &line, std::string &platform,
                      std::string &device);
/// Writes `report` with a line break at its end. Throws Error.
void writeReport(const std::string &path, const Json &report);

} // namespace clopt::runtime

#endif // CLOPT_TOOLS_RUNOPTIONS_H
