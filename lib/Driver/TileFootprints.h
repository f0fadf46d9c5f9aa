//===- TileFootprints.h - what parts of a launch touch ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch may be done in parts, each with a global offset of its own: the
// work-items of one launch do not wait for each other, groups apart. For every
// part of a grid isl gives the bytes of each buffer that it may read and write,
// so that a part can begin when these are there. After the overlap of copies
// and kernels in M. Fang's thesis, 2017, 4.7.2.
//
// Tested by test/unit/TileFootprintsTest.cpp, test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_TILEFOOTPRINTS_H
#define CLOPT_DRIVER_TILEFOOTPRINTS_H

#include "Driver/LaunchNumbers.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace clopt {

struct FootprintRequest : LaunchNumbers {
  std::string kernel;
  /// By dimension: where its parts end, counted from the offset, ascending; the
  /// last is the size. Parts are whole groups.
  std::vector<std::vector<int64_t>> ends;
};

/// Bytes from `first` to before `end`; nothing: they are not known.
using ByteRange = std::optional<std::pair<int64_t, int64_t>>;

struct BufferFootprint {
  ByteRange reads, writes; ///< hulls; empty: (0, 0)
};

struct FootprintAnswer : LaunchAnswer {
  /// Parameters that are buffers, by index.
  std::vector<unsigned> buffers;
  /// By part, dimension 0 first, and buffer.
  std::vector<std::vector<BufferFootprint>> tiles;
};

/// Never throws.
FootprintAnswer findFootprints(const std::string &path,
                               const std::string &source,
                               const FootprintRequest &request,
                               const Options &options);

/// True for JSON with "ends".
bool isFootprintRequest(const std::string &text);

/// A request as JSON: {"kernel", "global", "local", "offset", "scalars":
/// [{"name", "first", "step"}], "ends": [[...]]}.
llvm::Expected<FootprintRequest> parseFootprintRequest(const std::string &text);

/// As JSON: {"buffers", "tiles": [[[r, r, w, w]]]}, with -1 for what is not
/// known, or {"problem"}.
std::string printFootprints(const FootprintAnswer &answer);

} // namespace clopt

#endif // CLOPT_DRIVER_TILEFOOTPRINTS_H
