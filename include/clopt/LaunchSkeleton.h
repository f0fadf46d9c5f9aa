//===- LaunchSkeleton.h - a launch that a kernel suggests -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch specification says of a kernel, as far as the kernel tells it:
// sizes are expressions over named ones, as in docs/launch-spec.md.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAUNCHSKELETON_H
#define CLOPT_LAUNCHSKELETON_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

struct SkeletonArgument {
  enum class Memory { Scalar, Vector, Local, Image, Sampler };
  enum class Fill { Usual, Range, Rows, Permutation };
  std::string name;
  std::string type;                 ///< "float4", or the name of a struct
  std::vector<std::string> members; ///< of a struct
  uint64_t bytes = 0;               ///< of a type that is not described, or 0
  Memory memory = Memory::Vector;
  std::string size; ///< of buffers and local memory, in elements
  std::string channelOrder, channelType; ///< of images, as "RGBA" and "FLOAT"
  /// Of images: "Width", "Height", "Depth" and "Layers", those that there are.
  std::vector<std::pair<std::string, std::string>> extents;
  bool isRead = true, isWritten = true;
  Fill fill = Fill::Usual;
  std::string low, high; ///< Range: both inclusive; Rows: `high` only
  /// Scalars: one expression or number for each lane; none: the size of the
  /// argument's name.
  std::vector<std::string> values;
  std::string comment; ///< what was guessed, for people
};

struct SkeletonRange {
  std::vector<std::string> global; ///< by dimension
  std::vector<std::string> local;  ///< empty: NULL
};

struct LaunchSkeleton {
  std::string kernel;
  std::vector<std::vector<std::pair<std::string, int64_t>>> sizes;
  std::vector<SkeletonRange> ranges; ///< the first is the specification's own
  std::vector<SkeletonArgument> arguments;
  /// Why the kernel has no specification, and the rule (docs/rules); empty: it
  /// has.
  std::string problem, ruleId;
};

} // namespace clopt

#endif // CLOPT_LAUNCHSKELETON_H
