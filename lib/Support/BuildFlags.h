//===- BuildFlags.h - flags of clBuildProgram as words ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host passes its flags as one string, a command line as words. People copy
// the string from the host, so a word may be several flags.
//
// Tested by test/unit/BuildFlagsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_BUILDFLAGS_H
#define CLOPT_SUPPORT_BUILDFLAGS_H

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace clopt {

/// Whether the flag, alone in its word, has its value in the next one.
bool takesNextWord(llvm::StringRef flag);

/// Splits words that hold several flags, at blanks outside of quotation marks,
/// as clBuildProgram does: "-D A=1 -D B=2" is two definitions. A word with a
/// part that is neither a flag nor the value of one stays whole:
/// "-DT=unsigned int" is one definition, whose blank the shell has kept.
std::vector<std::string> splitBuildFlags(const std::vector<std::string> &words);

/// The flags of a general place followed by those of a special one, where the
/// special ones win: a macro that they define or undefine is left out of the
/// others, and so is -cl-std when they have one.
std::vector<std::string>
joinBuildFlags(const std::vector<std::string> &general,
               const std::vector<std::string> &special);

} // namespace clopt

#endif // CLOPT_SUPPORT_BUILDFLAGS_H
