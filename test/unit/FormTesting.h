//===- FormTesting.h - what the front end hands on --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_FORMTESTING_H
#define CLOPT_TEST_FORMTESTING_H

#include "KernelTesting.h"
#include "Model/ExprPrinter.h"

/// The statement in one line.
inline std::string lineOf(const clopt::StmtRef &stmt) {
  std::string text;
  for (std::string line : clopt::printStmt(stmt)) {
    line.erase(0, line.find_first_not_of(' '));
    text += (text.empty() ? "" : " ") + line;
  }
  return text;
}

/// The last statement of the file's last kernel, as the front end hands it on.
inline std::string lastStatementOf(const std::string &source) {
  const clopt::ParseResult parsed = clopt::parseOpenCL("test.cl", source, {});
  if (!parsed.unit)
    return "not parsed";
  return lineOf(parsed.unit->functions.back()->body->children.back());
}

#endif // CLOPT_TEST_FORMTESTING_H
