//===- Diagnostics.h - messages in clang's form -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns messages into text as clang prints it, so that editors and build tools
// recognise it:
//
//   mm.cl:7:12: warning: message [clopt-unvectorized-column]
//       7 |     s += B[k * n + i];
//         |          ^~~~~~~~~~~~
//
// A message about no place begins with "clopt: error: ".
//
// Tested by test/unit/DiagnosticsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_DIAGNOSTICS_H
#define CLOPT_SUPPORT_DIAGNOSTICS_H

#include "Support/SourceTexts.h"
#include "clopt/Remark.h"
#include "clopt/Result.h"

#include <string>

namespace clopt {

/// The word between the location and the message decides the colour.
enum class MessageKind { Note, Remark, Warning, Error };

/// How a message is shown.
struct MessageStyle {
  bool color = false;  ///< ANSI escapes, for terminals
  bool snippet = true; ///< source line and caret
};

/// One message as text, with a line break at the end. `flag` is shown in
/// brackets behind the message when it is not empty.
std::string renderMessage(MessageKind kind, const SourceRange &location,
                          const std::string &message, const std::string &flag,
                          SourceTexts &sources, const MessageStyle &style);

/// A diagnostic as text: as clang rendered it, or in the same form.
std::string renderDiagnostic(const Diagnostic &diagnostic, SourceTexts &sources,
                             const MessageStyle &style);

/// "clopt: error: message\n", for messages about options and files.
std::string renderError(const std::string &message, const MessageStyle &style);

} // namespace clopt

#endif // CLOPT_SUPPORT_DIAGNOSTICS_H
