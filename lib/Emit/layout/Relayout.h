//===- Relayout.h - a kernel that works on converted buffers ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffer form of the data-space transform
// (lib/Analysis/access/DataSpace.h): a second kernel whose accesses to an array
// go to a copy of it in another layout, the kernels that fill the copy and
// write it back, and what the launch plan says of both. The second kernel is
// source text like any other: it is parsed, modelled and optimized as the
// author's own. Arrays that are only read may become images, too.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_RELAYOUT_H
#define CLOPT_EMIT_RELAYOUT_H

#include "Analysis/access/DataSpace.h"
#include "Emit/lower/Lowering.h"
#include "clopt/LaunchPlan.h"
#include "clopt/Options.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// A copy of an array in another layout. An array that is only read may have
/// several; every access then uses the one in which it needs no offset.
struct CopyRequest {
  unsigned array = 0;
  DataSpace space;
  /// An image instead, with the cells in their order: texel p of the array is
  /// at (p mod width, p div width), equation (1) of Chen and Wu, or rows of a
  /// two-dimensional array are rows of the image.
  bool isImage = false;
  int64_t width = 0; ///< texels per row; 0: chosen
  /// The buffer itself, as a pointer to constant memory.
  bool isConstant = false;
  /// Zeros behind the rows, so that loops that sum along them run a multiple of
  /// this many times; 0: none.
  int64_t pad = 0;
};

struct RelaidKernel {
  std::string name; ///< of the kernel
  /// The kernel and the conversions, to be put behind the text of the file.
  std::string text;
  std::vector<std::string> conversions; ///< names of their kernels
  /// Definitions, conditions, buffers and conversions; no launch.
  PlanVariant changes;
  /// What the parameters that the author's kernel does not have are given.
  std::map<std::string, PlanArgument> arguments;
  std::vector<std::string> copies; ///< names of the copies, as requested
};

struct RelayoutOptions {
  AliasMode alias = AliasMode::Check;
  /// A name that nothing in the file has.
  std::function<std::string(const std::string &)> fresh;
};

/// Nothing and `error` when an access cannot be redirected, or when the cells
/// that would be copied are not known exactly enough.
std::optional<RelaidKernel> relayKernel(const TransformedKernel &start,
                                        const std::vector<CopyRequest> &copies,
                                        const RelayoutOptions &options,
                                        LoweringError &error);

} // namespace clopt

#endif // CLOPT_EMIT_RELAYOUT_H
