//===- IntegerFunctions.cpp - OpenCL's functions of integers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/IntegerFunctionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/IntegerFunctions.h"

#include <algorithm>

namespace clopt {

__int128 widened(ScalarKind kind, int64_t value) {
  return kind == ScalarKind::ULong
             ? static_cast<__int128>(static_cast<uint64_t>(value))
             : static_cast<__int128>(value);
}

static bool isSignedKind(ScalarKind kind) {
  return kind == ScalarKind::Char || kind == ScalarKind::Short ||
         kind == ScalarKind::Int || kind == ScalarKind::Long;
}

int64_t saturated(ScalarKind kind, __int128 value) {
  unsigned bits = sizeOf(kind) * 8;
  bool isSigned = isSignedKind(kind);
  __int128 one = 1;
  __int128 high = (one << (isSigned ? bits - 1 : bits)) - 1;
  __int128 low = isSigned ? -high - 1 : 0;
  return wrapTo(kind,
                static_cast<int64_t>(std::min(std::max(value, low), high)));
}

static int64_t countBits(IntegerFunction function, uint64_t value,
                         unsigned bits) {
  if (function == IntegerFunction::Popcount)
    return __builtin_popcountll(value);
  if (value == 0)
    return bits;
  if (function == IntegerFunction::Ctz)
    return __builtin_ctzll(value);
  return __builtin_clzll(value) - (64 - static_cast<int>(bits));
}

static int64_t rotated(uint64_t value, int64_t amount, unsigned bits) {
  auto by = static_cast<unsigned>(amount) & (bits - 1);
  return static_cast<int64_t>(by ? (value << by) | (value >> (bits - by))
                                 : value);
}

/// Functions of 24 bits.
static int64_t cut24(ScalarKind kind, int64_t value) {
  if (kind == ScalarKind::UInt)
    return value & 0xffffff;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << 40) >> 40;
}

int64_t integerFunction(IntegerFunction function, ScalarKind kind,
                        const int64_t *operands) {
  unsigned bits = sizeOf(kind) * 8;
  __int128 x = widened(kind, operands[0]), y = widened(kind, operands[1]),
           z = widened(kind, operands[2]);
  uint64_t mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  uint64_t u = static_cast<uint64_t>(operands[0]) & mask;
  switch (function) {
  case IntegerFunction::Min:
    return static_cast<int64_t>(std::min(x, y));
  case IntegerFunction::Max:
    return static_cast<int64_t>(std::max(x, y));
  case IntegerFunction::Clamp:
    return static_cast<int64_t>(std::min(std::max(x, y), z));
  case IntegerFunction::Abs:
    return static_cast<int64_t>(x < 0 ? -x : x);
  case IntegerFunction::AbsDiff:
    return static_cast<int64_t>(x < y ? y - x : x - y);
  case IntegerFunction::Mul24:
  case IntegerFunction::Mad24: {
    int64_t product = cut24(kind, operands[0]) * cut24(kind, operands[1]);
    return function == IntegerFunction::Mad24 ? product + operands[2] : product;
  }
  case IntegerFunction::Rotate:
    return rotated(u, operands[1], bits);
  case IntegerFunction::Popcount:
  case IntegerFunction::Clz:
  case IntegerFunction::Ctz:
    return countBits(function, u, bits);
  case IntegerFunction::Hadd:
    return static_cast<int64_t>((x + y) >> 1);
  case IntegerFunction::Rhadd:
    return static_cast<int64_t>((x + y + 1) >> 1);
  case IntegerFunction::AddSat:
    return saturated(kind, x + y);
  case IntegerFunction::SubSat:
    return saturated(kind, x - y);
  case IntegerFunction::MulHi:
  case IntegerFunction::MadHi: {
    // Two unsigned factors of 64 bits have a product of 128.
    auto high =
        kind == ScalarKind::ULong
            ? static_cast<int64_t>((static_cast<unsigned __int128>(x) *
                                    static_cast<unsigned __int128>(y)) >>
                                   64)
            : static_cast<int64_t>((x * y) >> bits);
    return function == IntegerFunction::MadHi
               ? static_cast<int64_t>(static_cast<uint64_t>(high) +
                                      static_cast<uint64_t>(operands[2]))
               : high;
  }
  case IntegerFunction::MadSat: {
    __int128 product = 0;
    if (__builtin_mul_overflow(x, y, &product) ||
        __builtin_add_overflow(product, z, &product))
      return saturated(kind, (x < 0) != (y < 0) ? -(__int128(1) << 100)
                                                : __int128(1) << 100);
    return saturated(kind, product);
  }
  case IntegerFunction::Upsample: {
    uint64_t low = static_cast<uint64_t>(operands[1]) & mask;
    return static_cast<int64_t>(u << (bits & 63) | low);
  }
  case IntegerFunction::Bitselect:
    return (operands[0] & ~operands[2]) | (operands[1] & operands[2]);
  }
  return 0;
}

} // namespace clopt
