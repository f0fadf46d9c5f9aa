//===- Optimizing.h - one call of the optimizer -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_FUZZ_OPTIMIZING_H
#define CLOPT_TEST_FUZZ_OPTIMIZING_H

#include "Fuzzing.h"

#include "clopt/Clopt.h"

/// Optimizes, and ends the program where clopt finds a defect of its own, fails
/// without a message, or changes a text without a kernel.
inline clopt::Result optimizeOrAbort(const std::string &source,
                                     clopt::Options options) {
  options.operationBudget = 100000; // many inputs rather than long ones
  options.timeBudget = 0.2;
  clopt::Result result = clopt::optimize("input.cl", source, options);
  bool hasError = false;
  for (const clopt::Diagnostic &diagnostic : result.diagnostics) {
    hasError |= diagnostic.level == clopt::Diagnostic::Level::Error;
    const std::string &message = diagnostic.message;
    demand(message.find("defect of clopt") == std::string::npos, message);
    demand(message.find("internal error") == std::string::npos, message);
  }
  demand(result.ok || hasError, "a failure without an error");
  for (const clopt::Remark &remark : result.remarks)
    demand(remark.message.find("does not compile") == std::string::npos,
           remark.message);
  return result;
}

#endif // CLOPT_TEST_FUZZ_OPTIMIZING_H
