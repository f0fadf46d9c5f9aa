//===- ResultTransfer.h - a result on its way between processes -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files are worked on side by side in processes of their own (PPL keeps its
// state in global variables, so threads will not do). What such a process has
// found out travels as bytes to the one that shows it. Both are the same
// program, so the form is nobody else's business and has no version.
//
// Tested by test/unit/ResultTransferTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_RESULTTRANSFER_H
#define CLOPT_REPORT_RESULTTRANSFER_H

#include "Report/ReportInput.h"

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace clopt {

/// Everything that is known of the file, but for launch plan and skeletons:
/// these are made of one file alone.
std::string packFile(const ProcessedFile &file);

/// What packFile was given; nothing when bytes are missing.
std::optional<ProcessedFile> unpackFile(llvm::StringRef bytes);

} // namespace clopt

#endif // CLOPT_REPORT_RESULTTRANSFER_H
