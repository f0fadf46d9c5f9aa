//===- ConfigurationText.h - for which flags a text holds -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written for a kernel holds for the configuration that the kernel was
// read in. Built in any other one, the program is the author's:
//
//   {
//   #if defined(ABS) && TS == 16 // what the following was optimized for
//       ...
//   #endif
//       the author's body
//   }
//
// Tested by test/unit/ConfigurationTextTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_CONFIGURATIONTEXT_H
#define CLOPT_EMIT_CONFIGURATIONTEXT_H

#include "Model/Expr.h"

#include <string>

namespace clopt {

/// A name of OpenCL C in a new text that means something else at this offset
/// of the file; empty when there is none.
std::string changedName(const TranslationUnit &unit, const std::string &text,
                        int64_t at);

/// The `#if` line and what it needs, with line ends; empty when the text holds
/// for all configurations.
std::string configurationLine(const Configuration &configuration);

/// `text`, then `other` where the configuration is another one. Both end with
/// their line.
std::string forConfiguration(const Configuration &configuration,
                             const std::string &text, const std::string &other);

} // namespace clopt

#endif // CLOPT_EMIT_CONFIGURATIONTEXT_H
