//===- ProgramOrigins.h - what binaries were built of -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applications that keep the binaries of their programs make them of these the
// next time, so no text is seen. What each binary was built of is kept on disk
// beside the optimized texts, under a digest of the binary.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_PROGRAMORIGINS_H
#define CLOPT_LAYER_PROGRAMORIGINS_H

#include <optional>
#include <string>
#include <string_view>

namespace clopt::layer {

struct ProgramOrigin {
  std::string source;
  std::string options;
  /// A digest of all texts that the source may include.
  std::string surroundings;

  bool operator==(const ProgramOrigin &other) const {
    return source == other.source && options == other.options &&
           surroundings == other.surroundings;
  }
};

/// Keeps the origin of a binary of at least one byte. Throws std::bad_alloc.
void keepOrigin(std::string_view binary, const ProgramOrigin &origin);
/// Of a binary that a program gave away whose origin was known.
std::optional<ProgramOrigin> originOf(std::string_view binary);

} // namespace clopt::layer

#endif // CLOPT_LAYER_PROGRAMORIGINS_H
