//===- ClangConstants.cpp - values of variables at file scope -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang evaluates the initializer; here its value is taken apart.
//
// Tested by test/unit/ClangConstantsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangTypes.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clopt;

static constexpr size_t maxScalars = 1 << 16;

namespace {

class ValueReader {
public:
  explicit ValueReader(std::vector<ConstantScalar> &result) : scalars(result) {}
  /// False when there are parts of an unknown form.
  bool read(const clang::APValue &value, const Type &type, uint64_t offset);

private:
  bool readScalar(const clang::APValue &value, ScalarKind kind,
                  uint64_t offset);
  bool readArray(const clang::APValue &value, const Type &type,
                 uint64_t offset);
  bool readStruct(const clang::APValue &value, const Type &type,
                  uint64_t offset);

  std::vector<ConstantScalar> &scalars;
};

} // namespace

int64_t clopt::bitsOf(const llvm::APSInt &value) {
  return static_cast<int64_t>(value.extOrTrunc(64).getZExtValue());
}

bool ValueReader::readScalar(const clang::APValue &value, ScalarKind kind,
                             uint64_t offset) {
  ConstantScalar scalar;
  scalar.offset = offset;
  scalar.kind = kind;
  if (value.isInt()) {
    scalar.integer = bitsOf(value.getInt());
  } else if (value.isFloat()) {
    llvm::APFloat number = value.getFloat();
    bool isInexact = false;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &isInexact);
    scalar.number = number.convertToDouble();
  } else {
    return false;
  }
  scalars.push_back(scalar);
  return scalars.size() <= maxScalars;
}

bool ValueReader::readArray(const clang::APValue &value, const Type &type,
                            uint64_t offset) {
  if (!type.element)
    return false;
  for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
    if (!read(value.getArrayInitializedElt(i), *type.element,
              offset + i * type.element->size))
      return false;
  return true;
}

bool ValueReader::readStruct(const clang::APValue &value, const Type &type,
                             uint64_t offset) {
  // Unnamed structs inside are not taken apart.
  if (!type.fields || type.fields->size() != value.getStructNumFields())
    return false;
  for (unsigned i = 0; i < value.getStructNumFields(); ++i) {
    const Field &field = (*type.fields)[i];
    if (!read(value.getStructField(i), field.type, offset + field.offset))
      return false;
  }
  return true;
}

bool ValueReader::read(const clang::APValue &value, const Type &type,
                       uint64_t offset) {
  if (type.isScalar())
    return readScalar(value, type.scalar, offset);
  if (value.isArray() && type.isArray())
    return readArray(value, type, offset);
  if (value.isStruct() && type.kind == TypeKind::Struct)
    return readStruct(value, type, offset);
  if (!value.isVector() || !type.isVector())
    return false;
  for (unsigned i = 0; i < value.getVectorLength() && i < type.lanes; ++i)
    if (!readScalar(value.getVectorElt(i), type.scalar,
                    offset + i * sizeOf(type.scalar)))
      return false;
  return true;
}

std::shared_ptr<const std::vector<ConstantScalar>>
clopt::constantValue(const clang::VarDecl &variable,
                     const clang::ASTContext &context) {
  auto result = std::make_shared<std::vector<ConstantScalar>>();
  const clang::Expr *init = variable.getAnyInitializer();
  if (!init)
    return result;
  if (init->isValueDependent() || variable.getType()->isSamplerT())
    return nullptr;
  const clang::APValue *value = variable.evaluateValue();
  if (!value || value->isAbsent() ||
      !ValueReader(*result).read(*value,
                                 convertType(variable.getType(), context), 0))
    return nullptr;
  return result;
}
