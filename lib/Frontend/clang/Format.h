//===- Format.h - emitted code in a house style -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_FORMAT_H
#define CLOPT_FRONTEND_FORMAT_H

#include <string>

namespace clopt {

/// Statements of a function body, formatted by libFormat: LLVM style with an
/// indentation of four columns and lines of at most 100. The text begins at
/// column four and ends with a line break. Text that cannot be formatted comes
/// back as it was.
std::string formatStatements(const std::string &statements);

} // namespace clopt

#endif // CLOPT_FRONTEND_FORMAT_H
