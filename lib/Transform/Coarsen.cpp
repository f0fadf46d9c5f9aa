//===- Coarsen.cpp - a work-item does the work of several -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `coarsen i:4` makes one virtual work-item do four logical ones,
// consecutive (block) or a whole pass over the range apart (stride). Their
// statements are interleaved, sequential loops stay outside:
//
//   for (k) s += a[i] * b[k];   becomes   for (k) { s_0 += a[i] * b[k];
//                                                   s_1 += a[i + 1] * b[k]; }
//
// Legal because work-items between barriers are unordered (Legality.cpp).
// Refused: group ids, local memory, barriers, ordered effects, opaque code.
// Reference: P2 section 2.2; Volkov and Demmel, SC 2008 (register blocking).
//
// Tested by test/unit/CoarsenTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

namespace clopt {

/// More copies than this per statement no longer fit any register file.
static constexpr unsigned maximumPoints = 64;

StepResult coarsen(TransformedKernel &kernel, unsigned dim, unsigned count,
                   bool strided) {
  if (StepResult refusal = mergeableWorkItems(kernel, dim))
    return refusal;
  if (StepResult refusal = resizableWorkItems(kernel, dim))
    return refusal;
  WorkDimension &work = kernel.work[dim];
  if (work.points > 1)
    return refuse("clopt-dependence", "the dimension is coarsened already");
  unsigned points = count;
  for (const WorkDimension &other : kernel.work)
    points *= other.points;
  if (count < 2 || points > maximumPoints)
    return refuse("clopt-not-profitable", "one work-item can do 2 to " +
                                              std::to_string(maximumPoints) +
                                              " others");
  work.points = count;
  work.strided = strided;
  return std::nullopt;
}

} // namespace clopt
