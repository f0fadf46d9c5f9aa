//===- MentionedNames.h - names that a text depends on ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that is put somewhere else means the same there only when every name in
// it does. These functions say which names that is about: of variables,
// functions, types, enumerators and macros, but not of members.
//
// Tested by test/unit/MentionedNamesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_MENTIONEDNAMES_H
#define CLOPT_MODEL_MENTIONEDNAMES_H

#include "Model/Expr.h"

#include <set>
#include <string>

namespace clopt {

/// Adds the identifiers of OpenCL C text, keywords and directives included.
/// Comments, literals and names of members (`.x`, `->next`) are left out.
void addWords(const std::string &text, std::set<std::string> &words);

/// Adds `convert_int` for `convert_int4`: libraries that are included as source
/// convert vectors by what converts scalars (NVIDIA, driver 580), and a macro
/// of that name changes both.
void addScalarConversions(std::set<std::string> &words);

/// The words of the expression, but not the names of the variables `except`.
std::set<std::string> mentionedNames(const ExprRef &expr,
                                     const std::set<const Variable *> &except);

} // namespace clopt

#endif // CLOPT_MODEL_MENTIONEDNAMES_H
