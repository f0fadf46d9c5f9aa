//===- ConversionKernels.cpp - kernels that change a layout ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the forms a conversion takes.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/ConversionText.h"

namespace clopt {

/// The dimension along which the original's cells lie side by side.
static std::optional<size_t> sideOf(const ConversionShape &shape) {
  for (size_t r = shape.counts.size(); r-- > 0;) {
    const std::optional<int64_t> &step = shape.originalSteps[r].value;
    if (step && (*step == 1 || *step == -1))
      return r;
  }
  return std::nullopt;
}

static HostNumber plus(const HostNumber &a, const HostNumber &b, bool isMinus) {
  if (a.value && b.value)
    return HostNumber::of(isMinus ? *a.value - *b.value : *a.value + *b.value);
  return {"(" + a.text + ")" + (isMinus ? " - (" : " + (") + b.text + ")", {}};
}

static HostNumber times(const HostNumber &a, const HostNumber &b) {
  if (a.value && b.value)
    return HostNumber::of(*a.value * *b.value);
  return {"(long)(" + a.text + ") * (" + b.text + ")", {}};
}

/// Counts the cells of this dimension from the other end.
static void turnAround(ConversionShape &shape, size_t r) {
  const HostNumber end = plus(shape.counts[r], HostNumber::of(1), true);
  for (bool isOriginal : {true, false}) {
    HostNumber &step = isOriginal ? shape.originalSteps[r] : shape.copySteps[r];
    HostNumber &base = isOriginal ? shape.originalBase : shape.copyBase;
    base = plus(base, times(end, step), false);
    step = step.value ? HostNumber::of(-*step.value)
                      : HostNumber{"-(" + step.text + ")", {}};
  }
}

/// The structures' size, when the original's neighbours are their elements.
static std::optional<int64_t> structureSize(const ConversionShape &shape,
                                            size_t side) {
  const std::optional<int64_t> &stride = shape.originalSteps.back().value;
  const std::optional<int64_t> &planes = shape.counts[side].value;
  bool isKnown = stride && planes && *planes >= 1 && *planes <= *stride &&
                 planeTileOf(shape.elementBytes, *stride);
  // Of a structure written back in part the rest would be written, too.
  if (!isKnown || (shape.isBack && *planes != *stride))
    return std::nullopt;
  return stride;
}

ConversionKernel writeConversion(const ConversionShape &shape) {
  const size_t last = shape.counts.size() - 1;
  const size_t side = sideOf(shape).value_or(last);
  ConversionShape forward = shape;
  if (side == last) {
    const std::optional<int64_t> &step = shape.originalSteps[last].value;
    // What is written runs forward.
    if (shape.isBack && step == -1)
      turnAround(forward, last);
    const bool isSide = step && (*step == 1 || *step == -1);
    return isSide ? writePieces(forward) : writeRows(forward);
  }
  if (shape.originalSteps[side].value == -1)
    turnAround(forward, side);
  if (std::optional<int64_t> size = structureSize(forward, side))
    return writePlanes(forward, side, *size);
  return writeBlocks(forward, side);
}

} // namespace clopt
