//===- Arguments.h - a first look at the arguments --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm::cl accepts every option that any library has registered and answers
// mistakes with several lines in a form of its own. So the arguments are
// looked through first, mistakes are answered in clang's words, and llvm::cl
// only sees what it will understand.
//
// Tested by test/lit/errors.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_ARGUMENTS_H
#define CLOPT_TOOLS_CLOPT_ARGUMENTS_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include <deque>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// The arguments, sorted out.
struct Arguments {
  std::vector<const char *> forParser; ///< the program's name first
  /// Texts in it that stand differently on the command line.
  std::deque<std::string> rewritten;
  /// -D, -I and -cl-* wherever they stand, and all that follows `--`.
  std::vector<std::string> buildFlags;
  /// Names of the options that occur, without dashes.
  std::set<std::string> names;
};

/// What the program is to do.
enum class Command { Optimize, Check, Skeleton };

/// Sorts the arguments, the program's name first and the command taken off.
/// Fails on unknown options, options of other commands, missing values, values
/// where none is taken, and repetitions.
llvm::Expected<Arguments> scanArguments(llvm::ArrayRef<const char *> arguments,
                                        Command command);

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_ARGUMENTS_H
