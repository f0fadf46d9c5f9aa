//===- Batch.h - many launches of one shape as one --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that differ in scalars only, each of which grows by the same amount
// from one launch to the next, become one launch with one more dimension:
//
//   for (r = 0; r < rows; r++)              dft_batch(..., r0, n, n)
//     dft(..., r0 + r * n, n)        ->     over n x rows work-items
//
// The new kernel is a copy of the author's, which first adds to each scalar
// what belongs to the place in the new dimension. It is legal where no two
// launches touch one cell, one of them writing: isl decides it for the numbers
// of the request. After the batches of Fourier transforms in M. Fang's thesis,
// 2017, 6.4.3.1.
//
// Tested by test/unit/BatchTest.cpp, test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_BATCH_H
#define CLOPT_DRIVER_BATCH_H

#include "Driver/LaunchNumbers.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace clopt {

/// Launches of a kernel, in one or two dimensions. Every buffer is another
/// argument.
struct BatchRequest : LaunchNumbers {
  std::string kernel;
};

struct BatchAnswer : LaunchAnswer {
  std::string kernel; ///< the new kernel's name
  std::string text;   ///< of the file, with the new kernel
  /// Scalars for which a step follows behind the arguments, of type `long`, in
  /// this order.
  std::vector<std::string> stepped;
};

/// Never throws.
BatchAnswer makeBatch(const std::string &path, const std::string &source,
                      const BatchRequest &request, const Options &options);

/// A request as JSON: {"kernel", "count", "global", "local", "offset",
/// "scalars": [{"name", "first", "step"}]}.
llvm::Expected<BatchRequest> parseBatchRequest(const std::string &text);

/// As JSON: {"kernel", "stepped", "text"}, or {"problem"}.
std::string printBatch(const BatchAnswer &answer);

} // namespace clopt

#endif // CLOPT_DRIVER_BATCH_H
