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
// Refused: ordered effects, opaque code.
//
// Kernels that use ids within their groups keep the groups: `coarsen x:2` lets
// one group do the work of two, statement by statement, with one barrier for
// both. Local arrays whose cells differ between the two get a second copy, the
// others are filled once. Legal because groups are unordered.
// Reference: P2 section 2.2; Volkov and Demmel, SC 2008 (register blocking).
//
// Tested by test/unit/CoarsenTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Divergence.h"
#include "Analysis/memory/LocalCells.h"
#include "Transform/Steps.h"

#include <algorithm>

namespace clopt {

/// Local memory that every device has, in bytes (OpenCL 1.2, table 4.3).
static constexpr uint64_t guaranteedLocalBytes = 32768;

/// Bytes that the kernel uses of what the host makes room for; nothing for
/// other variables.
static std::optional<uint64_t> givenBytes(const KernelModel &model,
                                          const Variable *variable) {
  if (!variable->isParam)
    return std::nullopt;
  for (unsigned array = 0; array < model.arrays.size(); ++array)
    if (model.arrays[array].var == variable)
      if (std::optional<int64_t> cells = reachedCells(model, array))
        return static_cast<uint64_t>(*cells) * model.arrays[array].elementBytes;
  return std::nullopt;
}

uint64_t mergedLocalBytes(const TransformedKernel &kernel) {
  uint64_t bytes = 0;
  for (const auto &[variable, mask] : variedLocals(kernel)) {
    const uint64_t copies = mergedCopies(kernel, mask);
    // The host's own is not declared, either.
    std::optional<uint64_t> given = givenBytes(*kernel.model, variable);
    bytes += given ? copies * *given
                   : (copies - 1) * localBytesOf(kernel, *variable);
  }
  return bytes;
}

/// More copies than this per statement no longer fit any register file.
static constexpr unsigned maximumPoints = 64;

/// Twice the points of a dimension that has some: `count` times as many.
static StepResult checkPoints(const TransformedKernel &kernel, unsigned dim,
                              unsigned count, bool strided) {
  const WorkDimension &own = kernel.work[dim];
  if (own.points > 1 && own.strided != strided)
    return refuse("clopt-group-shape",
                  own.strided ? "its work-items are a pass over the range apart"
                              : "its work-items lie side by side",
                  own.strided ? "coarsen by more with 'stride'"
                              : "coarsen by more without 'stride'");
  unsigned points = std::min(count, 2 * maximumPoints);
  for (const WorkDimension &other : kernel.work)
    points *= other.points;
  if (count < 2 || points > maximumPoints)
    return refuse("clopt-step-value", "one work-item can do 2 to " +
                                          std::to_string(maximumPoints) +
                                          " others");
  return std::nullopt;
}

/// One group does the work of `count` groups.
static StepResult coarsenGroups(TransformedKernel &kernel, unsigned dim,
                                unsigned count, bool strided) {
  if (StepResult refusal = mergeableGroups(kernel, dim))
    return refusal;
  if (StepResult refusal = checkPoints(kernel, dim, count, strided))
    return refusal;
  if (strided)
    return refuse("clopt-group-shape", "groups are merged in blocks");
  TransformedKernel trial = kernel;
  trial.work[dim].points *= count;
  for (const Access &access : kernel.model->accesses) {
    const Array &array = kernel.model->arrays[access.array];
    if (array.space == AddressSpace::Local && access.isWrite && array.var &&
        array.var->isParam && !givenBytes(*kernel.model, array.var))
      return refuse("clopt-group-shape",
                    "the host makes room for one '" + array.name + "'",
                    "declare it in the kernel");
  }
  uint64_t bytes = declaredLocalBytes(trial) + mergedLocalBytes(trial);
  if (bytes > guaranteedLocalBytes)
    return refuse("clopt-local-memory",
                  "the groups need " + std::to_string(bytes) +
                      " bytes of local memory together, more than " +
                      std::to_string(guaranteedLocalBytes));
  kernel = std::move(trial);
  return std::nullopt;
}

StepResult coarsen(TransformedKernel &kernel, unsigned dim, unsigned count,
                   bool strided) {
  for (bool usesGroups : kernel.model->ndrange.split)
    if (usesGroups)
      return coarsenGroups(kernel, dim, count, strided);
  if (StepResult refusal = mergeableWorkItems(kernel, dim))
    return refusal;
  if (StepResult refusal = checkPoints(kernel, dim, count, strided))
    return refusal;
  if (StepResult refusal = resizableWorkItems(kernel, dim, count))
    return refusal;
  kernel.work[dim].points *= count;
  kernel.work[dim].strided = strided;
  return std::nullopt;
}

} // namespace clopt
