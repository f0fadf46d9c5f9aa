//===- ProbeKernels.h - the kernels of a probe -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of all kernels that 'clopt probe' runs, made of a few templates.
// Each function gives one kernel, named after its arguments. Tested by
// test/unit/RuntimeProbeKernelsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PROBEKERNELS_H
#define CLOPT_RUNTIME_PROBEKERNELS_H

#include <string>
#include <vector>

namespace clopt::runtime {

struct ProbeKernel {
  std::string name;
  std::string source;
};

enum class ProbedMemory { Global, Constant, Local, Image };
const char *nameOf(ProbedMemory memory);

/// Accesses of a chain between two tests of its end.
constexpr unsigned chaseUnroll = 16;
/// Cells of the array that a chain in local memory uses.
constexpr unsigned chaseLocalCells = 4096;
/// Texels in a row of the image of a chain: its cell p is at
/// (p % 1024, p / 1024).
constexpr unsigned chaseImageWidth = 1024;

/// (uint *at, const uint *next or image, uint rounds, uint count): every
/// work-item follows its own chain p = next[p].
ProbeKernel chaseKernel(ProbedMemory memory);

/// (T *to, const T *from): one element per work-item. `shift`: elements of the
/// component by which the source is off its alignment; the access is then a
/// vload.
ProbeKernel copyKernel(const std::string &component, unsigned width,
                       unsigned shift);

/// (uint *out, const uint *in, uint step): every work-item reads one element.
/// `pattern` is contiguous, reversed, shuffled or scattered.
ProbeKernel gatherKernel(const std::string &pattern);

/// (uint *out, const uint *in, uint count): the launched work-items share the
/// sum of all elements.
ProbeKernel sumKernel();

struct ProbedOperation {
  std::string name;
  std::string type;
  std::string text;     ///< of x, with a and b
  unsigned perItem = 1; ///< components
  unsigned perStep = 1; ///< operations on each
};
/// Those of a quick probe are in front.
const std::vector<ProbedOperation> &probedOperations();
extern const unsigned quickOperations;

/// Operations of one chain between two tests of its end.
constexpr unsigned operationUnroll = 16;

/// (T *data, uint rounds, T a, T b), with that many independent chains.
ProbeKernel operationKernel(const ProbedOperation &operation, unsigned chains);

/// (float *data, uint rounds, float a): a round changes `live` values.
ProbeKernel liveKernel(unsigned live);

/// (float *data, uint rounds, uint width): runs of `width` work-items take
/// different paths of equal length.
ProbeKernel divergenceKernel();

/// (float *data, uint rounds, uint isPacked): an eighth of the work-items
/// works; whole groups, or a part of each.
ProbeKernel spreadKernel();

/// (float *data, uint rounds, local float *cells)
ProbeKernel barrierKernel();

/// (uint unused)
ProbeKernel emptyKernel();

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PROBEKERNELS_H
