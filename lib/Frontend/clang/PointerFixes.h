//===- PointerFixes.h - qualifiers that pointers could have -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the pointer parameters of a file to which a qualifier can be added:
//
//   __kernel void f(__global float *a, __global float *b)
//   __kernel void f(__global const float *a, __global float *b)
//
// const: every mention of the parameter is followed, through casts, sums,
// pointers that are set to it and calls, until its cell is read. One that ends
// in any other way refuses it. Parameters of helpers and local pointers that
// the value reaches need the qualifier as well, and get it; where one of them
// cannot have it, none gets it. const changes no result.
//
// restrict: a promise about the buffers of all launches that no text proves:
// `b[i] = 2 * a[i]` has a meaning when both are one buffer, and has none with
// restrict. So it is found only when it is asked for, and then wherever it
// promises no more than that buffers do not overlap. Work-items that hand
// values to each other through a buffer break it without any overlap, because
// each of them has a pointer of its own: what is written is refused where the
// kernel has barriers, fences or atomics.
//
// Nothing is found in C++ for OpenCL, and nothing where other flags would give
// the function another text.
//
// Tested by test/unit/PointerFixesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_POINTERFIXES_H
#define CLOPT_FRONTEND_POINTERFIXES_H

#include "clopt/Fixes.h"
#include "clopt/Result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// What a kernel without reqd_work_group_size begins with.
struct KernelHead {
  std::string kernel;
  SourceRange location;
  std::optional<int64_t> attribute; ///< in front of which byte one goes
  std::string problem;              ///< why none can; empty: it can
  /// Macros by the extents of local arrays that they are; empty where several
  /// are, or none.
  std::map<uint64_t, std::string> extents;
};

struct PointerFixes {
  bool isGood = false; ///< the file has no errors
  std::vector<Diagnostic> diagnostics;
  std::vector<Fix> fixes; ///< in the order of the parameters
  std::vector<KernelHead> heads;
};

/// The fixes of the kinds Const and, with `withRestrict`, Restrict, and those
/// that are refused, with the reason. The arguments are those of parseOpenCL.
PointerFixes findPointerFixes(const std::string &path,
                              const std::string &source,
                              const std::vector<std::string> &buildFlags,
                              bool withRestrict);

} // namespace clopt

#endif // CLOPT_FRONTEND_POINTERFIXES_H
