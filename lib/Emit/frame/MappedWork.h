//===- MappedWork.h - tiles where loops are dimensions ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With the loops that `map` made dimensions there are more tiles than launched
// work-items: each takes several, one after the other.
//
//   packed: tile = linear id, + work-items, ...   neighbours take neighbours
//   spread: ceil(tiles / work-items) in a row      each has its own part
//
// Tested by test/unit/KernelWriterTest.cpp, test/lit/map.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_MAPPEDWORK_H
#define CLOPT_EMIT_MAPPEDWORK_H

#include "Emit/body/BodyWriter.h"

#include <functional>
#include <string>
#include <vector>

namespace clopt {

struct MappedWorkOptions {
  bool spread = false; ///< EmitOptions::spreadWorkItems
  /// Linear id of the launched work-item, and their number, as products.
  std::string item, items;
  std::function<std::string(const std::string &)> fresh;
};

/// The loop over the tiles of one launched work-item.
struct MappedWork {
  std::vector<std::string> before; ///< declarations
  std::string loop;                ///< "for (...)"
  /// First lines of its body: the bases of the tile.
  std::vector<std::string> inside;
  /// Last lines of its body: the position of the next tile.
  std::vector<std::string> after;
};

MappedWork writeMappedWork(const TransformedKernel &kernel,
                           const KernelNames &names,
                           const MappedWorkOptions &options);

/// Declares the bounds of a mapped dimension, and leaves the kernel where it
/// has no iteration; the first value as text.
std::string
declareBounds(const KernelModel &model, const KernelNames &names,
              const MappedDimension &mapped,
              const std::function<std::string(const std::string &)> &fresh,
              std::vector<std::string> &lines);

/// All dimensions, the one in which neighbouring work-items differ first.
std::vector<unsigned> mappedOrder(const KernelModel &model);

/// A bound of a mapped dimension as OpenCL C; with `wide` in 64 bits. Adds the
/// names in it to `mentioned`.
PrintedText printBound(const KernelModel &model, const isl::pw_aff &bound,
                       bool wide, const LaunchNames &launch = {},
                       std::set<std::string> *mentioned = nullptr);

} // namespace clopt

#endif // CLOPT_EMIT_MAPPEDWORK_H
