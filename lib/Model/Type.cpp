//===- Type.cpp - OpenCL C types after the front end ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and text of types. Declarations are printed inside out, as C reads
// them, because pointers to arrays and arrays of pointers both occur.
//
// Tested by test/unit/TypeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/Type.h"

using namespace clopt;

bool Type::isUnsigned() const {
  if (!isScalar() && !isVector())
    return false;
  switch (scalar) {
  case ScalarKind::Bool:
  case ScalarKind::UChar:
  case ScalarKind::UShort:
  case ScalarKind::UInt:
  case ScalarKind::ULong:
    return true;
  default:
    return false;
  }
}

Type Type::makeScalar(ScalarKind kind) {
  Type type;
  type.kind = TypeKind::Scalar;
  type.scalar = kind;
  type.size = sizeOf(kind);
  type.spelling = typeName(kind);
  return type;
}

Type Type::makeVector(ScalarKind kind, unsigned lanes) {
  if (lanes == 1)
    return makeScalar(kind);
  Type type;
  type.kind = TypeKind::Vector;
  type.scalar = kind;
  type.lanes = lanes;
  // Three components take the room of four.
  type.size = uint64_t(sizeOf(kind)) * (lanes == 3 ? 4 : lanes);
  type.spelling = typeName(kind, lanes);
  return type;
}

Type Type::makePointer(Type pointee, AddressSpace space) {
  Type type;
  type.kind = TypeKind::Pointer;
  type.space = space;
  type.size = 8;
  type.element = std::make_shared<const Type>(std::move(pointee));
  return type;
}

unsigned clopt::sizeOf(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::Void:
    return 0;
  case ScalarKind::Bool:
  case ScalarKind::Char:
  case ScalarKind::UChar:
    return 1;
  case ScalarKind::Short:
  case ScalarKind::UShort:
  case ScalarKind::Half:
    return 2;
  case ScalarKind::Int:
  case ScalarKind::UInt:
  case ScalarKind::Float:
    return 4;
  case ScalarKind::Long:
  case ScalarKind::ULong:
  case ScalarKind::Double:
    return 8;
  }
  return 0;
}

std::string clopt::typeName(ScalarKind kind, unsigned lanes) {
  static const char *const names[] = {
      "void", "bool", "char",  "uchar", "short", "ushort", "int",
      "uint", "long", "ulong", "half",  "float", "double"};
  std::string name = names[static_cast<unsigned>(kind)];
  return lanes > 1 ? name + std::to_string(lanes) : name;
}

ScalarKind clopt::signedOfSameSize(ScalarKind kind) {
  switch (sizeOf(kind)) {
  case 1:
    return ScalarKind::Char;
  case 2:
    return ScalarKind::Short;
  case 8:
    return ScalarKind::Long;
  default:
    return ScalarKind::Int;
  }
}

static const char *spaceKeyword(AddressSpace space) {
  switch (space) {
  case AddressSpace::Private:
    return "";
  case AddressSpace::Local:
    return "__local ";
  case AddressSpace::Global:
    return "__global ";
  case AddressSpace::Constant:
    return "__constant ";
  case AddressSpace::Generic:
    return "__generic ";
  }
  return "";
}

static std::string qualifiers(const Type &type) {
  return std::string(type.isConst ? "const " : "") +
         (type.isVolatile ? "volatile " : "");
}

/// What a declaration has around its name; spaces depend on whether there is
/// one.
static DeclarationParts partsOf(const Type &type, bool hasName) {
  DeclarationParts parts;
  auto isSomething = [&] { // that does not begin with its bounds
    return hasName || !parts.before.empty();
  };
  std::string space;
  const Type *current = &type;
  bool lastWasPointer = false;
  while ((current->isPointer() || current->isArray()) && current->element) {
    if (current->isArray()) {
      if (lastWasPointer) {
        parts.before = "(" + parts.before;
        parts.after += ")";
      }
      parts.after +=
          "[" + (current->extent ? std::to_string(current->extent) : "") + "]";
      lastWasPointer = false;
    } else {
      std::string star = "*";
      if (current->isConst)
        star += "const";
      if (current->isVolatile)
        star += star.size() > 1 ? " volatile" : "volatile";
      if (current->isRestrict)
        star += star.size() > 1 ? " restrict" : "restrict";
      const bool needsBlank = star.size() > 1 && isSomething();
      parts.before = star + (needsBlank ? " " : "") + parts.before;
      // A pointer to a pointer carries its own space before the inner star.
      const Type &pointee = *current->element;
      if (pointee.isPointer())
        parts.before = spaceKeyword(current->space) + parts.before;
      else
        space = spaceKeyword(current->space);
      lastWasPointer = true;
    }
    current = current->element.get();
  }
  std::string base = current->spelling;
  if (base.empty())
    base = typeName(current->scalar, current->lanes);
  parts.before = space + qualifiers(*current) + base +
                 (isSomething() ? " " : "") + parts.before;
  return parts;
}

DeclarationParts clopt::declarationParts(const Type &type) {
  return partsOf(type, true);
}

std::string clopt::declarationText(const Type &type, const std::string &name) {
  const DeclarationParts parts = partsOf(type, !name.empty());
  return parts.before + name + parts.after;
}

std::string clopt::typeText(const Type &type) {
  return declarationText(type, "");
}
