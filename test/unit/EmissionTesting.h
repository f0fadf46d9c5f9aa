//===- EmissionTesting.h - the text of transformed kernels ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_EMISSIONTESTING_H
#define CLOPT_TEST_EMISSIONTESTING_H

#include "Emit/frame/KernelWriter.h"
#include "KernelTesting.h"

#include <string>

namespace clopt {

/// The new body of a kernel to which steps were applied; a failure of the test,
/// and empty, where there is none.
inline std::string emittedBody(const TestedKernel &tested,
                               const EmitOptions &options = EmitOptions()) {
  LoweringError error;
  std::optional<EmittedKernel> emitted =
      emitKernel(tested.kernel, options, error);
  EXPECT_TRUE(emitted) << error.message;
  return emitted ? emitted->body : "";
}

/// The same of a source, after the steps of a recipe.
inline std::string emittedBody(const std::string &source,
                               const std::string &steps) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "");
  return emittedBody(tested);
}

inline bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace clopt

#endif // CLOPT_TEST_EMISSIONTESTING_H
