//===- Compare.cpp - bit-by-bit comparison of two buffers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point numbers of one sign are ordered like their bits read as
// integers, so the distance in units in the last place is a difference of
// integers once negative values are mirrored. Negative zero is placed one below
// positive zero. Tested by test/unit/RuntimeCompareTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Compare.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <optional>

namespace clopt::runtime {

namespace {

struct FloatFormat {
  unsigned bits;
  unsigned mantissaBits;
};

FloatFormat formatOf(ScalarKind kind) {
  if (kind == ScalarKind::Half)
    return {16, 10};
  return kind == ScalarKind::Float ? FloatFormat{32, 23} : FloatFormat{64, 52};
}

std::uint64_t loadBits(std::size_t bytes, const std::uint8_t *from) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from,
              bytes); // the hosts of OpenCL that we know are little-endian
  return bits;
}

/// Not a number or not finite, by the exponent's bits.
struct Classified {
  bool isNan;
  bool isInfinite;
  std::int64_t ordered; // grows with the value
};

Classified classify(FloatFormat format, std::uint64_t bits) {
  const std::uint64_t sign = std::uint64_t(1) << (format.bits - 1);
  const std::uint64_t magnitude = bits & (sign - 1);
  const std::uint64_t mantissaMask =
      (std::uint64_t(1) << format.mantissaBits) - 1;
  const std::uint64_t infinity = (sign - 1) & ~mantissaMask;
  const auto distance = static_cast<std::int64_t>(magnitude);
  return {magnitude > infinity, magnitude == infinity,
          (bits & sign) != 0 ? -distance - 1 : distance};
}

std::uint64_t componentDistance(const Component &component,
                                const std::uint8_t *a, const std::uint8_t *b) {
  if (isFloating(component.kind))
    return ulpDistance(component.kind, a, b);
  return std::memcmp(a, b, sizeOf(component.kind)) == 0 ? 0 : infiniteUlp;
}

void noteDifference(BufferDifference &result, std::size_t index,
                    ScalarKind kind, const std::uint8_t *expected,
                    const std::uint8_t *actual) {
  if (result.differing != 0)
    return;
  result.first = index;
  result.firstExpected = formatValue(kind, expected);
  result.firstActual = formatValue(kind, actual);
}

/// The median magnitude of the finite values other than zero; 0 if there are
/// none.
double medianMagnitude(const ElementType &type,
                       const std::vector<std::uint8_t> &values) {
  std::vector<double> magnitudes;
  for (std::size_t at = 0; at + type.size <= values.size(); at += type.size)
    for (const Component &component : type.components) {
      if (!isFloating(component.kind))
        continue;
      const double magnitude =
          std::fabs(loadReal(component.kind, &values[at + component.offset]));
      if (std::isfinite(magnitude) && magnitude != 0)
        magnitudes.push_back(magnitude);
    }
  if (magnitudes.empty())
    return 0;
  const auto middle =
      magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
  std::nth_element(magnitudes.begin(), middle, magnitudes.end());
  return *middle;
}

/// Decides about values that differ.
class Judge {
public:
  Judge(const ElementType &of, const std::vector<std::uint8_t> &values,
        const Tolerance &accepted)
      : type(of), expected(values), tolerance(accepted) {}

  bool accepts(ScalarKind kind, std::uint64_t distance, const std::uint8_t *a,
               const std::uint8_t *b) {
    if (distance <= tolerance.ulp)
      return true;
    const double share =
        tolerance.isReassociated ? halfOfDigits(kind) : tolerance.relative;
    if (!isFloating(kind) || share <= 0)
      return false;
    const double x = loadReal(kind, a), y = loadReal(kind, b);
    if (!std::isfinite(x) || !std::isfinite(y))
      return false;
    if (!median)
      median = medianMagnitude(type, expected);
    return std::fabs(x - y) <=
           share * std::max({std::fabs(x), std::fabs(y), *median});
  }

private:
  const ElementType &type;
  const std::vector<std::uint8_t> &expected;
  const Tolerance &tolerance;
  std::optional<double> median; // when it is asked for
};

} // namespace

double halfOfDigits(ScalarKind kind) {
  return std::sqrt(
      std::ldexp(1.0, -static_cast<int>(formatOf(kind).mantissaBits)));
}

std::uint64_t ulpDistance(ScalarKind kind, const std::uint8_t *a,
                          const std::uint8_t *b) {
  const FloatFormat format = formatOf(kind);
  const Classified left = classify(format, loadBits(sizeOf(kind), a));
  const Classified right = classify(format, loadBits(sizeOf(kind), b));
  if (left.isNan && right.isNan)
    return 0;
  if (left.ordered == right.ordered)
    return 0;
  if (left.isNan || right.isNan || left.isInfinite || right.isInfinite)
    return infiniteUlp;
  return left.ordered > right.ordered
             ? std::uint64_t(left.ordered) - std::uint64_t(right.ordered)
             : std::uint64_t(right.ordered) - std::uint64_t(left.ordered);
}

BufferDifference compareBuffers(const ElementType &type,
                                const std::vector<std::uint8_t> &expected,
                                const std::vector<std::uint8_t> &actual,
                                const Tolerance &tolerance) {
  assert(expected.size() == actual.size() && type.size != 0);
  BufferDifference result;
  result.elements = expected.size() / type.size;
  if (expected ==
      actual) // the usual case, and much faster than looking at each value
    return result;
  Judge judge(type, expected, tolerance);
  for (std::size_t index = 0; index < result.elements; ++index) {
    bool differs = false, isAccepted = true;
    for (const Component &component : type.components) {
      const std::size_t at = index * type.size + component.offset;
      const std::uint64_t distance =
          componentDistance(component, &expected[at], &actual[at]);
      if (distance == 0)
        continue;
      if (!differs)
        noteDifference(result, index, component.kind, &expected[at],
                       &actual[at]);
      differs = true;
      isAccepted &=
          judge.accepts(component.kind, distance, &expected[at], &actual[at]);
      if (distance > result.maxUlp) {
        result.maxUlp = distance;
        result.maxUlpIndex = index;
      }
    }
    result.differing += differs;
    result.intolerable += !isAccepted;
  }
  return result;
}

} // namespace clopt::runtime
