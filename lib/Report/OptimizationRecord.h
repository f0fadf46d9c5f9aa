//===- OptimizationRecord.h - remarks for LLVM's tools ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks in the formats of clang's -fsave-optimization-record, written with
// LLVM's own serializers: opt-viewer and llvm-remarkutil read them.
//
// Tested by test/unit/OptimizationRecordTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_OPTIMIZATIONRECORD_H
#define CLOPT_REPORT_OPTIMIZATIONRECORD_H

#include "clopt/Remark.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace clopt {

enum class RecordFormat { Yaml, Bitstream };

/// The remarks as one stand-alone record. Suppressed remarks are left out.
llvm::Expected<std::string>
printOptimizationRecord(const std::vector<Remark> &remarks,
                        RecordFormat format);

} // namespace clopt

#endif // CLOPT_REPORT_OPTIMIZATIONRECORD_H
