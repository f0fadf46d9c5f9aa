//===- OptionValues.h - values of options as words --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options stand on command lines and in configuration files. Both are read and
// refused by the same words.
//
// Tested by test/unit/OptionValuesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_OPTIONVALUES_H
#define CLOPT_REPORT_OPTIONVALUES_H

#include "clopt/Options.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <array>
#include <string>
#include <vector>

namespace clopt {

/// `error-on: WHAT=N`: more than `limit` findings of `what` are an error.
struct ErrorThreshold {
  /// "unvectorized" for all findings, "unanalyzed" for kernels whose analysis
  /// was given up, or a rule id.
  std::string what;
  unsigned limit = 0;
};

/// How findings are printed.
enum class FindingFormat { Text, Gcc, GitHub, None };

// `option` is what messages call the option: "--alias", or "alias".

llvm::Expected<AliasMode> parseAliasMode(llvm::StringRef text,
                                         const std::string &option);
llvm::Expected<ValidateMode> parseValidateMode(llvm::StringRef text,
                                               const std::string &option);
/// "64", "16,16" or "8,8,4", in work-items; missing sizes are 1.
llvm::Expected<std::array<unsigned, 3>>
parseLocalSize(llvm::StringRef text, const std::string &option);
/// "text", "gcc" or "github". Reports ("json", "sarif", "html") are files.
llvm::Expected<FindingFormat> parseFindingFormat(llvm::StringRef text,
                                                 const std::string &option);
/// "true" or "false".
llvm::Expected<bool> parseFlag(llvm::StringRef text, const std::string &option);
/// "unvectorized", "unvectorized=3", "clopt-unvectorized-column=1".
llvm::Expected<ErrorThreshold> parseErrorThreshold(llvm::StringRef text,
                                                   const std::string &option);

const char *aliasName(AliasMode mode);
const char *validateName(ValidateMode mode);
const char *formatName(FindingFormat format);

} // namespace clopt

#endif // CLOPT_REPORT_OPTIONVALUES_H
