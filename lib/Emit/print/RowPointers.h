//===- RowPointers.h - rows that a loop walks along -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `strength a rows` asks for: where a loop moves cells of `a` by a
// constant number of elements, the rest of their subscripts is computed once,
// in front of the loop.
//
//   __global const float *a_r0 = a + (long)i0 * n;
//   __global const float *a_r1 = a + (long)(i0 + 1) * n;
//   for (int k = 0; k < n; k++)
//     ... (float2)(a_r0[k], a_r1[k]) ...
//
// Tested by test/lit/strength/rows.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_ROWPOINTERS_H
#define CLOPT_EMIT_ROWPOINTERS_H

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// The rows of one loop without loops inside.
struct RowPointers {
  unsigned loop = 0;
  /// Terms of coordinates that mean the same in front of the loop.
  std::set<std::string> outside;
  /// Makes the name of a pointer into an array.
  std::function<std::string(const std::string &)> fresh;
  /// Names by what they are set to.
  std::map<std::string, std::string> names;
  std::vector<std::string> lines; ///< declarations
  RowPointers *outer = nullptr;   ///< of the loop around
};

} // namespace clopt

#endif // CLOPT_EMIT_ROWPOINTERS_H
