//===- ClangTypes.h - Clang's types as ours ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use inside Frontend only. Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGTYPES_H
#define CLOPT_FRONTEND_CLANGTYPES_H

#include "Model/Expr.h"

#include "clang/AST/ASTContext.h"

namespace clopt {

/// The type with the author's spelling; Opaque when it has no counterpart.
Type convertType(clang::QualType type, const clang::ASTContext &context);

/// True for a struct without a tag and a typedef, which cannot be written.
bool hasNoName(clang::QualType type);

AddressSpace convertSpace(clang::LangAS space);

/// Name of an operator-free type for casts written anew: "float4", "ulong".
std::string canonicalName(const Type &type);

/// The value as a model has it (`Expr::intValue`): 64 bits, above INT64_MAX
/// those of a negative number.
int64_t bitsOf(const llvm::APSInt &value);

/// The scalars that the variable is initialized with, without zeros at the end
/// of arrays; null when they are not known, or too many.
std::shared_ptr<const std::vector<ConstantScalar>>
constantValue(const clang::VarDecl &variable, const clang::ASTContext &context);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGTYPES_H
