//===- ClangFlags.h - flags of clBuildProgram for Clang ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGFLAGS_H
#define CLOPT_FRONTEND_CLANGFLAGS_H

#include <string>
#include <vector>

namespace clopt {

/// The flags as Clang's compiler proper wants them, and what they permit.
struct TranslatedFlags {
  std::vector<std::string> arguments; ///< for clang -cc1, without the input
  std::vector<std::string> unknown;   ///< flags that were ignored
  bool unsafeMath = false;
  bool finiteMath = false;
  bool madEnable = false;
};

/// Accepts "-D", "X" as well as "-DX" and "-D X"; likewise -I, -U, -include.
TranslatedFlags translateFlags(const std::vector<std::string> &buildFlags);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGFLAGS_H
