//===- ClangParser.h - from OpenCL C text to our own tree -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs Clang in this process over one source file and converts every function
// of it to the tree of Model/Expr.h. No Clang type appears here.
//
// How the tree says things that C leaves to the reader:
// - Parentheses and conversions from lvalue to rvalue are gone. Conversions of
//   values are Casts with `implicit`; the base of a Subscript has none, so it
//   is a pointer or an array. Elsewhere an array that becomes a pointer is a
//   Cast.
// - An integer constant expression that is all of an object-like macro is an
//   IntLiteral with `macro`; sizeof, enum constants and integers at file scope
//   that cannot change are IntLiterals with their spelling in `text`.
// - A Decl holds "static" in `text` and attributes of the variable in
// `pragmas`.
// - Calls of small side-effect-free helpers are replaced by what they compute;
//   conversions to the types of parameters are then explicit Casts. The root of
//   such an expression has the range of the call; the parts cannot be edited.
// - What has no form of its own (switch, goto, asm, ...) is Opaque: `text` is
//   the source, `expr` mentions its variables, and `children` lists the jumps
//   (Return, Break, Continue) that may leave it and the barriers in it.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGPARSER_H
#define CLOPT_FRONTEND_CLANGPARSER_H

#include "Model/Expr.h"
#include "clopt/Result.h"

#include <memory>
#include <string>
#include <vector>

namespace clopt {

struct ParseResult {
  std::unique_ptr<TranslationUnit> unit; ///< null when there are errors
  std::vector<Diagnostic> diagnostics;   ///< in the order clang gave them
};

/// Parses `source`, which messages and `#include "..."` know as `path`, with
/// the flags of clBuildProgram. Flags that have no meaning here are ignored,
/// with a warning when they are unknown. Never prints, never throws; inputs of
/// any depth are handled on a thread with a large stack.
ParseResult parseOpenCL(const std::string &path, const std::string &source,
                        const std::vector<std::string> &buildFlags);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGPARSER_H
