//===- Type.h - OpenCL C types after the front end --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types as the model needs them: scalars, vectors, pointers, arrays, structs,
// and everything else as Opaque. Values, freely copied.
//
// Tested by test/unit/TypeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_TYPE_H
#define CLOPT_MODEL_TYPE_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clopt {

enum class ScalarKind {
  Void,
  Bool,
  Char,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  Half,
  Float,
  Double
};

enum class AddressSpace { Private, Local, Global, Constant, Generic };

enum class TypeKind { Scalar, Vector, Pointer, Array, Struct, Opaque };

struct Field;

/// A type of OpenCL C. `size_t` is ULong (spir64), `ptrdiff_t` is Long.
struct Type {
  TypeKind kind = TypeKind::Opaque;
  /// Scalar and Vector: the component type.
  ScalarKind scalar = ScalarKind::Void;
  /// Vector: 2, 3, 4, 8 or 16; 1 for all else.
  unsigned lanes = 1;
  /// Pointer and Array: what it points to or holds.
  std::shared_ptr<const Type> element;
  /// Pointer: the address space pointed into.
  AddressSpace space = AddressSpace::Private;
  /// Array: number of elements; 0 when not a constant.
  uint64_t extent = 0;
  /// Struct: what it holds; null when that is not known, or has bit-fields.
  std::shared_ptr<const std::vector<Field>> fields;
  /// sizeof in bytes; 0 when unknown.
  uint64_t size = 0;
  bool isConst = false;    ///< of the type itself, not of the pointee
  bool isVolatile = false; ///< of the type itself, not of the pointee
  bool isRestrict = false; ///< Pointer only
  /// `signed char`, which is no `char` to functions that take pointers.
  bool isSignedChar = false;
  /// As the author wrote it, without qualifiers: "size_t", "real", "float4".
  std::string spelling;

  bool isScalar() const { return kind == TypeKind::Scalar; }
  bool isVector() const { return kind == TypeKind::Vector; }
  bool isPointer() const { return kind == TypeKind::Pointer; }
  bool isArray() const { return kind == TypeKind::Array; }
  /// Values of parts that have names: vectors and structs.
  bool hasParts() const { return isVector() || kind == TypeKind::Struct; }
  bool isFloating() const {
    return (isScalar() || isVector()) && scalar >= ScalarKind::Half;
  }
  bool isInteger() const {
    return (isScalar() || isVector()) && scalar >= ScalarKind::Bool &&
           scalar <= ScalarKind::ULong;
  }
  bool isUnsigned() const;

  static Type makeScalar(ScalarKind kind);
  static Type makeVector(ScalarKind kind, unsigned lanes);
  static Type makePointer(Type pointee, AddressSpace space);
};

/// A field of a struct. Structs that it points to have no fields.
struct Field {
  std::string name;
  Type type;
  uint64_t offset = 0; ///< in bytes
};

/// Size of a scalar in bytes (Void: 0, Bool: 1).
unsigned sizeOf(ScalarKind kind);
/// The canonical OpenCL C name: "uint"; with lanes > 1 "uint4".
std::string typeName(ScalarKind kind, unsigned lanes = 1);
/// The signed integer type of the same size (result of vector comparisons).
ScalarKind signedOfSameSize(ScalarKind kind);
/// The type as OpenCL C text without a declarator: "__global const float *".
std::string typeText(const Type &type);
/// The type around a name: "__global const float *a", "float t[16][17]". The
/// address space of the variable itself is not part of its type.
std::string declarationText(const Type &type, const std::string &name);

/// What stands before and behind the name: "float (*" and ")[4]".
struct DeclarationParts {
  std::string before, after;
};
DeclarationParts declarationParts(const Type &type);

} // namespace clopt

#endif // CLOPT_MODEL_TYPE_H
