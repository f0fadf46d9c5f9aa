//===- ElementType.cpp - the element types of kernel arguments ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeElementTypeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/ElementType.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace clopt::runtime {

namespace {

struct NamedKind {
  const char *name;
  ScalarKind kind;
};

/// T1 names first: they win where OpenCL C means a vector by the same word.
constexpr NamedKind namedKinds[] = {
    {"int8", ScalarKind::Int8},     {"uint8", ScalarKind::UInt8},
    {"int16", ScalarKind::Int16},   {"uint16", ScalarKind::UInt16},
    {"int32", ScalarKind::Int32},   {"uint32", ScalarKind::UInt32},
    {"int64", ScalarKind::Int64},   {"uint64", ScalarKind::UInt64},
    {"half", ScalarKind::Half},     {"float", ScalarKind::Float},
    {"double", ScalarKind::Double}, {"bool", ScalarKind::UInt8},
    {"char", ScalarKind::Int8},     {"uchar", ScalarKind::UInt8},
    {"short", ScalarKind::Int16},   {"ushort", ScalarKind::UInt16},
    {"int", ScalarKind::Int32},     {"uint", ScalarKind::UInt32},
    {"long", ScalarKind::Int64},    {"ulong", ScalarKind::UInt64},
    {"byte", ScalarKind::Int8},     {"size_t", ScalarKind::UInt64},
};

std::optional<ScalarKind> findKind(const std::string &name) {
  for (const NamedKind &entry : namedKinds)
    if (name == entry.name)
      return entry.kind;
  return std::nullopt;
}

ElementType makeVector(const std::string &name, ScalarKind kind,
                       std::size_t width) {
  ElementType type;
  type.name = name;
  const std::size_t slots =
      width == 3 ? 4 : width; // three take the room of four
  type.size = type.alignment = slots * sizeOf(kind);
  for (std::size_t i = 0; i < width; ++i)
    type.components.push_back({kind, i * sizeOf(kind)});
  return type;
}

std::optional<std::size_t> vectorWidth(const std::string &digits) {
  for (std::size_t width : {2, 3, 4, 8, 16})
    if (digits == std::to_string(width))
      return width;
  return std::nullopt;
}

std::uint16_t halfFromDouble(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  if (magnitude >= 65520.0)
    return sign | 0x7c00;
  int exponent = 0;
  std::frexp(magnitude, &exponent); // magnitude = m * 2^exponent, m in [0.5, 1)
  const int unit = magnitude < std::ldexp(1.0, -14) ? -24 : exponent - 11;
  const double steps = std::nearbyint(std::ldexp(magnitude, -unit));
  const auto mantissa = static_cast<std::uint32_t>(steps);
  // A mantissa that rounds up to the next power of two carries into the
  // exponent.
  const std::uint32_t biased =
      unit == -24 ? 0 : static_cast<std::uint32_t>(unit + 24);
  return static_cast<std::uint16_t>(sign | ((biased << 10) + mantissa));
}

double doubleFromHalf(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int mantissa = bits & 0x3ff;
  double magnitude;
  if (exponent == 31)
    magnitude = mantissa != 0 ? std::nan("") : HUGE_VAL;
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, -24);
  else
    magnitude = std::ldexp(mantissa + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename T> T load(const std::uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T> void store(T value, std::uint8_t *to) {
  std::memcpy(to, &value, sizeof(T));
}

std::string formatReal(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

} // namespace

std::size_t sizeOf(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::Int8:
  case ScalarKind::UInt8:
    return 1;
  case ScalarKind::Int16:
  case ScalarKind::UInt16:
  case ScalarKind::Half:
    return 2;
  case ScalarKind::Int32:
  case ScalarKind::UInt32:
  case ScalarKind::Float:
    return 4;
  default:
    return 8;
  }
}

bool isFloating(ScalarKind kind) {
  return kind == ScalarKind::Half || kind == ScalarKind::Float ||
         kind == ScalarKind::Double;
}

bool isSigned(ScalarKind kind) {
  return kind != ScalarKind::UInt8 && kind != ScalarKind::UInt16 &&
         kind != ScalarKind::UInt32 && kind != ScalarKind::UInt64;
}

std::optional<ElementType> parseElementType(const std::string &name) {
  if (const std::optional<ScalarKind> kind = findKind(name))
    return makeVector(name, *kind, 1);
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == std::string::npos)
    return std::nullopt;
  const std::optional<std::size_t> width = vectorWidth(name.substr(end + 1));
  std::optional<ScalarKind> kind = findKind(name.substr(0, end + 1));
  if (!kind && name[end] == 'x')
    kind = findKind(name.substr(0, end));
  if (!width || !kind)
    return std::nullopt;
  return makeVector(name, *kind, *width);
}

std::optional<ElementType>
makeStructType(const std::vector<std::string> &members) {
  ElementType type;
  type.name = "struct";
  for (const std::string &member : members) {
    const std::size_t bracket = member.find('[');
    std::size_t count = 1;
    if (bracket != std::string::npos) {
      char closing = 0;
      if (std::sscanf(member.c_str() + bracket, "[%6zu%c", &count, &closing) !=
              2 ||
          closing != ']' || count == 0)
        return std::nullopt;
    }
    const std::optional<ElementType> part =
        parseElementType(member.substr(0, bracket));
    if (!part)
      return std::nullopt;
    type.alignment = std::max(type.alignment, part->alignment);
    type.size =
        (type.size + part->alignment - 1) / part->alignment * part->alignment;
    for (std::size_t i = 0; i < count; ++i, type.size += part->size)
      for (const Component &component : part->components)
        type.components.push_back(
            {component.kind, type.size + component.offset});
  }
  type.size =
      (type.size + type.alignment - 1) / type.alignment * type.alignment;
  return type;
}

ElementType makeOpaqueType(std::size_t bytes) {
  ElementType type;
  type.name = "custom";
  type.size = bytes;
  // Whatever the type is, its size is a multiple of its alignment.
  while (type.alignment < 128 && bytes != 0 &&
         bytes % (2 * type.alignment) == 0)
    type.alignment *= 2;
  for (std::size_t i = 0; i < bytes; ++i)
    type.components.push_back({ScalarKind::UInt8, i});
  return type;
}

void storeInteger(ScalarKind kind, std::int64_t value, std::uint8_t *to) {
  if (isFloating(kind))
    return storeReal(kind, static_cast<double>(value), to);
  std::memcpy(to, &value, sizeOf(kind));
}

void storeReal(ScalarKind kind, double value, std::uint8_t *to) {
  switch (kind) {
  case ScalarKind::Half:
    return store(halfFromDouble(value), to);
  case ScalarKind::Float:
    return store(static_cast<float>(value), to);
  case ScalarKind::Double:
    return store(value, to);
  default:
    return storeInteger(kind, static_cast<std::int64_t>(value), to);
  }
}

double loadReal(ScalarKind kind, const std::uint8_t *from) {
  if (kind == ScalarKind::Half)
    return doubleFromHalf(load<std::uint16_t>(from));
  return kind == ScalarKind::Float ? static_cast<double>(load<float>(from))
                                   : load<double>(from);
}

std::string formatValue(ScalarKind kind, const std::uint8_t *from) {
  if (isFloating(kind))
    return formatReal(loadReal(kind, from), kind == ScalarKind::Half    ? 5
                                            : kind == ScalarKind::Float ? 9
                                                                        : 17);
  // The lowest bytes of a wider integer.
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, sizeOf(kind));
  const auto unused = static_cast<int>(64 - 8 * sizeOf(kind));
  bits <<= unused;
  return isSigned(kind)
             ? std::to_string(static_cast<std::int64_t>(bits) >> unused)
             : std::to_string(bits >> unused);
}

} // namespace clopt::runtime
