//===- Launch.h - one launch, with sizes as numbers ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch specification bound to one point of its sizes: buffers with their
// first contents, the bytes of the scalar arguments, and the NDRanges to run.
// Tested by test/unit/RuntimeLaunchTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_LAUNCH_H
#define CLOPT_RUNTIME_LAUNCH_H

#include "Runtime/LaunchSpec.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

struct LaunchBuffer {
  std::string name;
  ElementType type;
  std::vector<std::uint8_t> contents; // before the launch; whole elements
  std::optional<ImageShape> image;    // an image of these texels
};

struct LaunchArgument {
  std::string name;
  MemoryKind memory = MemoryKind::Scalar;
  std::vector<std::uint8_t> scalar; // Scalar: the argument's bytes
  std::size_t localBytes = 0;       // Local
  std::size_t buffer = 0;           // Vector, Image: index into Launch::buffers
  std::size_t shiftBytes = 0;       // Vector: where in the buffer it begins
  SamplerSpec sampler;              // Sampler

  bool hasBuffer() const {
    return memory == MemoryKind::Vector || memory == MemoryKind::Image;
  }
};

struct NDRange {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1};
  std::optional<std::array<std::size_t, 3>> local; // none: NULL
  std::optional<std::array<std::size_t, 3>> offset;

  std::size_t workItems() const { return global[0] * global[1] * global[2]; }
  std::size_t groupItems() const {
    return local ? (*local)[0] * (*local)[1] * (*local)[2] : 0;
  }

  /// "global 64x64, local 8x4, offset 0x1", with "local NULL" when there is
  /// none.
  std::string str() const;
};

struct Launch {
  Bindings bindings; // every name that has a value
  std::vector<LaunchBuffer> buffers;
  std::vector<LaunchArgument> arguments;
  std::vector<NDRange> ranges;

  std::size_t bytes() const;
};

struct LaunchLimits {
  std::uint64_t bufferBytes = std::uint64_t(1)
                              << 32; // the largest single buffer
  std::uint64_t localBytes = std::uint64_t(1)
                             << 32; // all local memory of a group
};

/// Throws Error, at the place in the specification, when a size has no value,
/// is negative or exceeds the limits. The same seed gives the same contents
/// everywhere.
Launch bindLaunch(const KernelSpec &spec, const SizePoint &point,
                  std::uint64_t seed, const LaunchLimits &limits = {});

/// The same for one more launch beside those before: `launch` gets the names,
/// arguments and NDRanges of this one, and keeps the buffers that are there. An
/// argument takes the one of its name; it must be of the same size.
void bindNext(const KernelSpec &spec, const SizePoint &point,
              std::uint64_t seed, const LaunchLimits &limits, Launch &launch);

/// The NDRanges alone, without the cost of filling buffers.
std::vector<NDRange> bindRanges(const KernelSpec &spec, const SizePoint &point);

/// The names and values that the expressions of `spec` see at `point`.
Bindings bindNames(const KernelSpec &spec, const SizePoint &point);

/// The compiler options with each ${expression} replaced by its value.
std::vector<std::string> bindOptions(const KernelSpec &spec,
                                     const Bindings &bindings);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_LAUNCH_H
