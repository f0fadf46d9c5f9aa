//===- ElementType.h - the element types of kernel arguments ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one element of a buffer, or one scalar argument, lies in memory: which
// bytes are values of which kind, and which are padding. Vectors, structs and
// plain scalars are all lists of components, so that filling and comparing need
// one loop. Tested by test/unit/RuntimeElementTypeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_ELEMENTTYPE_H
#define CLOPT_RUNTIME_ELEMENTTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

enum class ScalarKind {
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Half,
  Float,
  Double
};

/// Bytes of one value.
std::size_t sizeOf(ScalarKind kind);
bool isFloating(ScalarKind kind);
bool isSigned(ScalarKind kind);

/// A value of an element; `offset` is in bytes from the element's first byte.
struct Component {
  ScalarKind kind;
  std::size_t offset;
};

struct ElementType {
  std::string name;
  std::size_t size = 0;      // bytes from one element to the next
  std::size_t alignment = 1; // bytes
  std::vector<Component> components;
};

/// The type called `name`: those of T1 (int32, uint8, float4, ...), those of
/// OpenCL C (int, uchar, float4, ...), and <scalar>x<width> where the two
/// disagree ("int8" is one byte, as in T1; "intx8" is a vector of eight int).
/// No value for unknown names.
std::optional<ElementType> parseElementType(const std::string &name);

/// A struct of the named member types with C's natural alignment; a member may
/// be an array, "uchar[3]". No value if a member type is unknown.
std::optional<ElementType>
makeStructType(const std::vector<std::string> &members);

/// `bytes` bytes without known meaning.
ElementType makeOpaqueType(std::size_t bytes);

/// Stores `value` in the form of `kind`. Integers wrap; floating kinds round to
/// nearest.
void storeInteger(ScalarKind kind, std::int64_t value, std::uint8_t *to);
void storeReal(ScalarKind kind, double value, std::uint8_t *to);

/// The value of a floating kind stored at `from`.
double loadReal(ScalarKind kind, const std::uint8_t *from);

/// The value stored at `from`, for messages.
std::string formatValue(ScalarKind kind, const std::uint8_t *from);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_ELEMENTTYPE_H
