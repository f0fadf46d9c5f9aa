//===- Pad.cpp - local arrays against bank conflicts ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `pad t:1` makes every row of a local array `t[32][32]` one cell longer,
// so that a column lies in different banks. In a one-dimensional array one cell
// is left free after every 32: index i becomes i + (i >> 5), and i + i / 96 for
// gaps that are no power of two apart.
//
// Legal for any subscripts, affine or not: another place for every cell is only
// another layout, as long as all accesses use it. So the array must be one that
// the kernel declares itself, and each mention of it a whole subscript: no
// pointer into it, no call that gets it, no sizeof. The author's body may use
// the longer array as if it were the shorter one.
//
// Reference: Harris, Sengupta, Owens: Parallel prefix sum (scan) with CUDA, GPU
// Gems 3, section 39.2.3.
//
// Tested by test/unit/PadTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/LocalCells.h"
#include "Transform/Steps.h"
#include "Transform/steps/LocalMentions.h"

#include <algorithm>

namespace clopt {

/// What every OpenCL device with a full profile has per group.
static constexpr uint64_t guaranteedLocalBytes = 32768;
static constexpr int64_t maximumPadding = 64;

static const LocalPadding *paddingOf(const TransformedKernel &kernel,
                                     const Variable *variable) {
  for (const LocalPadding &padding : kernel.paddings)
    if (kernel.model->arrays[padding.array].var == variable)
      return &padding;
  return nullptr;
}

static int64_t cellsOf(const Type &type, const LocalPadding *padding) {
  int64_t cells = 1;
  unsigned depth = arrayDepth(type), at = 0;
  for (const Type *t = &type; t->isArray(); t = t->element.get()) {
    int64_t extent = static_cast<int64_t>(t->extent);
    if (padding && ++at == depth)
      extent += padding->every ? extent / padding->every * padding->count
                               : padding->count;
    cells *= extent;
  }
  return cells;
}

uint64_t localBytesOf(const TransformedKernel &kernel,
                      const Variable &variable) {
  const int64_t cells = cellsOf(variable.type, paddingOf(kernel, &variable));
  return static_cast<uint64_t>(cells) * arrayElement(variable.type).size;
}

uint64_t declaredLocalBytes(const TransformedKernel &kernel) {
  const KernelModel &model = *kernel.model;
  uint64_t bytes = 0;
  for (const auto &variable : model.function->variables) {
    if (variable->isParam || variable->space != AddressSpace::Local)
      continue;
    bytes += localBytesOf(kernel, *variable);
  }
  return bytes;
}

static StepResult checkForm(const Array &info, int64_t count, int64_t every) {
  if (info.space != AddressSpace::Local || !info.var ||
      !info.var->type.isArray() || info.var->isParam)
    return refuse("clopt-not-profitable",
                  "'" + info.name +
                      "' is no local array that the kernel declares itself");
  if (count < 1 || count > maximumPadding)
    return refuse("", "a padding has 1 to " + std::to_string(maximumPadding) +
                          " cells");
  if (every < 1 || every > 4096)
    return refuse("", "'every' must be from 1 to 4096");
  return std::nullopt;
}

StepResult pad(TransformedKernel &kernel, unsigned array, int64_t count,
               int64_t every) {
  const KernelModel &model = *kernel.model;
  const Array &info = model.arrays[array];
  if (StepResult refusal = checkForm(info, count, every))
    return refusal;
  if (kernel.layoutOf(array))
    return refuse("clopt-not-profitable",
                  "the cells of '" + info.name +
                      "' lie in another order than its rows");
  LocalPadding padding;
  padding.array = array;
  padding.count = count;
  padding.every = arrayDepth(info.var->type) == 1 ? every : 0;
  // More cells at the same places add up.
  if (const LocalPadding *own = kernel.paddingOf(array)) {
    if (own->every != padding.every)
      return refuse("clopt-not-profitable",
                    "'" + info.name + "' has gaps after every " +
                        std::to_string(own->every) + " cells",
                    "", info.var->range);
    padding.count += own->count;
    if (padding.count > maximumPadding)
      return refuse("", "a padding has 1 to " + std::to_string(maximumPadding) +
                            " cells");
  }
  if (StepResult refusal = checkMentions(model, info.var, padding.every != 0))
    return refusal;
  TransformedKernel trial = kernel;
  trial.paddings.erase(std::remove_if(trial.paddings.begin(),
                                      trial.paddings.end(),
                                      [&](const LocalPadding &own) {
                                        return own.array == array;
                                      }),
                       trial.paddings.end());
  trial.paddings.push_back(padding);
  auto bytes = [](const TransformedKernel &of) {
    return declaredLocalBytes(of) + mergedLocalBytes(of);
  };
  if (bytes(trial) > guaranteedLocalBytes &&
      bytes(kernel) <= guaranteedLocalBytes)
    return refuse("clopt-not-profitable",
                  "with '" + info.name +
                      "' padded the local arrays would no longer fit every "
                      "device",
                  "", info.var->range);
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
