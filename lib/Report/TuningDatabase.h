//===- TuningDatabase.h - the recipes that a tuner found --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what `clopt tune --tuning-db` keeps; docs/tune.md describes the file.
//
// Tested by test/unit/TuningDatabaseTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_TUNINGDATABASE_H
#define CLOPT_REPORT_TUNINGDATABASE_H

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace clopt {

/// The fastest recipe of one kernel on one device.
struct TuningRecord {
  std::string source;             ///< SHA-256 of the file's text
  std::vector<std::string> flags; ///< of clBuildProgram
  std::string kernel;
  std::string target; ///< the profile that clopt was given
  std::string platform, device, driver;
  int64_t sizeClass = 0;          ///< logarithm of the work-items
  std::string form = "drop-in";   ///< or "plan"
  std::vector<std::string> steps; ///< none: the author's text is the fastest
  /// Of the plan's own NDRange, along two dimensions; empty: clopt's own
  /// choice.
  std::vector<int64_t> group;
  double originalMs = 0, ms = 0;
};

/// Errors name `source`: malformed JSON, a missing member, a wrong type,
/// another version of the form.
llvm::Expected<std::vector<TuningRecord>>
parseTuningDatabase(const std::string &text, const std::string &source);

/// Of the records for this source, these flags, this target and this form, the
/// one of the largest size class for each kernel; of several devices, the one
/// with the largest gain.
std::vector<TuningRecord> selectRecords(const std::vector<TuningRecord> &all,
                                        const std::string &source,
                                        const std::vector<std::string> &flags,
                                        const std::string &target,
                                        const std::string &form);

} // namespace clopt

#endif // CLOPT_REPORT_TUNINGDATABASE_H
