//===- ClangTypes.cpp - Clang's types as ours -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structure of a type comes from its canonical form, its spelling from the
// sugar that the author wrote, with qualifiers and address spaces peeled off,
// since these are kept beside it.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangTypes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/Type.h"

#include <optional>
#include <utility>

using namespace clopt;

AddressSpace clopt::convertSpace(clang::LangAS space) {
  switch (space) {
  case clang::LangAS::opencl_global:
  case clang::LangAS::opencl_global_device:
  case clang::LangAS::opencl_global_host:
    return AddressSpace::Global;
  case clang::LangAS::opencl_local:
    return AddressSpace::Local;
  case clang::LangAS::opencl_constant:
    return AddressSpace::Constant;
  case clang::LangAS::opencl_generic:
    return AddressSpace::Generic;
  default:
    return AddressSpace::Private;
  }
}

bool clopt::hasNoName(clang::QualType type) {
  while (type->isPointerType() || type->isArrayType())
    type = type->isPointerType()
               ? type->getPointeeType()
               : clang::QualType(type->getPointeeOrArrayElementType(), 0);
  const clang::TagDecl *tag = type->getAsTagDecl();
  return tag && !tag->getIdentifier() && !tag->getTypedefNameForAnonDecl();
}

static std::optional<ScalarKind> scalarKind(const clang::BuiltinType &type) {
  using Builtin = clang::BuiltinType;
  static constexpr std::pair<Builtin::Kind, ScalarKind> table[] = {
      {Builtin::Void, ScalarKind::Void},
      {Builtin::Bool, ScalarKind::Bool},
      {Builtin::Char_S, ScalarKind::Char},
      {Builtin::Char_U, ScalarKind::Char},
      {Builtin::SChar, ScalarKind::Char},
      {Builtin::UChar, ScalarKind::UChar},
      {Builtin::Short, ScalarKind::Short},
      {Builtin::UShort, ScalarKind::UShort},
      {Builtin::Int, ScalarKind::Int},
      {Builtin::UInt, ScalarKind::UInt},
      {Builtin::Long, ScalarKind::Long},
      {Builtin::LongLong, ScalarKind::Long},
      {Builtin::ULong, ScalarKind::ULong},
      {Builtin::ULongLong, ScalarKind::ULong},
      {Builtin::Half, ScalarKind::Half},
      {Builtin::Float, ScalarKind::Float},
      {Builtin::Double, ScalarKind::Double}};
  for (const auto &[known, kind] : table)
    if (known == type.getKind())
      return kind;
  return std::nullopt;
}

/// Sugar that only carries qualifiers or parentheses is not worth a name.
static clang::QualType peel(clang::QualType type) {
  for (;;) {
    type = type.getLocalUnqualifiedType();
    if (const auto *attributed = type->getAs<clang::AttributedType>();
        attributed && type->getTypeClass() == clang::Type::Attributed)
      type = attributed->getModifiedType();
    else if (type->getTypeClass() == clang::Type::MacroQualified)
      type = llvm::cast<clang::MacroQualifiedType>(type)->getUnderlyingType();
    else if (type->getTypeClass() == clang::Type::Paren)
      type = llvm::cast<clang::ParenType>(type)->getInnerType();
    else if (const auto *deduced = type->getContainedAutoType())
      type = deduced->getDeducedType().isNull() ? type.getCanonicalType()
                                                : deduced->getDeducedType();
    else
      return type;
    if (type->isUndeducedType())
      return type;
  }
}

/// A name of a type that is declared in a function means nothing, or something
/// else, outside of its block.
static clang::QualType withoutLocalNames(clang::QualType type) {
  while (const auto *name = type->getAs<clang::TypedefType>()) {
    const clang::TagDecl *tag = name->desugar()->getAsTagDecl();
    bool isOnlyName = tag && !tag->getIdentifier();
    if (isOnlyName || !name->getDecl()->getParentFunctionOrMethod())
      return type;
    type = peel(name->desugar());
  }
  return type;
}

static std::string spellingOf(clang::QualType type,
                              const clang::ASTContext &context) {
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  clang::QualType named = withoutLocalNames(peel(type));
  if (llvm::isa<clang::TypedefType, clang::ElaboratedType, clang::BuiltinType,
                clang::RecordType, clang::EnumType>(named.getTypePtr()))
    return named.getAsString(policy);
  return type.getUnqualifiedType().getAsString(policy);
}

static void convertScalar(clang::QualType canonical, Type &result) {
  if (const auto *builtin = canonical->getAs<clang::BuiltinType>()) {
    if (std::optional<ScalarKind> kind = scalarKind(*builtin)) {
      result.kind = TypeKind::Scalar;
      result.scalar = *kind;
      result.isSignedChar = builtin->getKind() == clang::BuiltinType::SChar;
    }
  } else if (const auto *enumeration = canonical->getAs<clang::EnumType>()) {
    clang::QualType integer = enumeration->getDecl()->getIntegerType();
    if (!integer.isNull())
      convertScalar(integer.getCanonicalType(), result);
  } else if (const auto *vector = canonical->getAs<clang::VectorType>()) {
    convertScalar(vector->getElementType().getCanonicalType(), result);
    unsigned lanes = vector->getNumElements();
    bool isKnown =
        llvm::isa<clang::ExtVectorType>(vector) &&
        (lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16);
    result.kind =
        isKnown && result.isScalar() ? TypeKind::Vector : TypeKind::Opaque;
    result.lanes = isKnown ? lanes : 1;
  } else if (canonical->isRecordType()) {
    result.kind = TypeKind::Struct;
  }
}

static uint64_t byteSize(clang::QualType type,
                         const clang::ASTContext &context) {
  if (type->isDependentType() || type->isIncompleteType() ||
      type->isFunctionType() || type->isUndeducedType() ||
      type->isVariableArrayType())
    return 0;
  if (type->isVoidType())
    return 0;
  return context.getTypeSizeInChars(type).getQuantity();
}

/// Pointers that are followed to the fields of structs: those of a struct may
/// lead back to it.
static constexpr unsigned manyPointers = 8;

static Type convertType(clang::QualType type, const clang::ASTContext &context,
                        unsigned pointers, bool withFields);

/// Fields of unnamed structs inside are fields of the whole.
static bool addFields(const clang::RecordDecl &record, uint64_t begin,
                      const clang::ASTContext &context,
                      std::vector<Field> &fields) {
  if (record.isInvalidDecl() || !record.isCompleteDefinition() ||
      record.isDependentType())
    return false;
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  for (const clang::FieldDecl *field : record.fields()) {
    if (field->isBitField())
      return false;
    uint64_t offset = begin + layout.getFieldOffset(field->getFieldIndex()) / 8;
    const auto *inner = field->getType()->getAsRecordDecl();
    if (!field->getDeclName() && inner) {
      if (!addFields(*inner, offset, context, fields))
        return false;
      continue;
    }
    fields.push_back({field->getNameAsString(),
                      convertType(field->getType(), context, 0, true), offset});
  }
  return true;
}

static void convertRecord(clang::QualType canonical,
                          const clang::ASTContext &context, Type &result) {
  const clang::RecordDecl *record = canonical->getAsRecordDecl();
  std::vector<Field> fields;
  if (record && addFields(*record, 0, context, fields))
    result.fields = std::make_shared<const std::vector<Field>>(fields);
}

Type clopt::convertType(clang::QualType type,
                        const clang::ASTContext &context) {
  return ::convertType(type, context, manyPointers, true);
}

static Type convertType(clang::QualType type, const clang::ASTContext &context,
                        unsigned pointers, bool withFields) {
  Type result;
  if (type.isNull())
    return result;
  clang::QualType canonical = type.getCanonicalType();
  result.isConst = canonical.isConstQualified();
  result.isVolatile = canonical.isVolatileQualified();
  result.isRestrict = canonical.isRestrictQualified();
  result.size = byteSize(canonical, context);
  if (const auto *pointer = type->getAs<clang::PointerType>()) {
    clang::QualType pointee = pointer->getPointeeType();
    result.kind = TypeKind::Pointer;
    result.space = convertSpace(pointee.getAddressSpace());
    result.element = std::make_shared<const Type>(convertType(
        pointee, context, pointers ? pointers - 1 : 0, pointers > 0));
    if (pointee->isFunctionType())
      result.kind = TypeKind::Opaque;
  } else if (const clang::ArrayType *array = context.getAsArrayType(type)) {
    result.kind = TypeKind::Array;
    result.element = std::make_shared<const Type>(
        convertType(array->getElementType(), context, pointers, withFields));
    if (const auto *sized = llvm::dyn_cast<clang::ConstantArrayType>(array))
      result.extent = sized->getSize().getZExtValue();
  } else {
    convertScalar(canonical, result);
    if (withFields && result.kind == TypeKind::Struct)
      convertRecord(canonical, context, result);
  }
  if (!result.isPointer() && !result.isArray())
    result.spelling = spellingOf(type, context);
  return result;
}

std::string clopt::canonicalName(const Type &type) {
  if (type.isScalar() || type.isVector())
    return typeName(type.scalar, type.lanes);
  return type.spelling;
}
