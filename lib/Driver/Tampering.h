//===- Tampering.h - defects that tests plant -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests only: what validation finds of a defect, and what becomes of it.
//
// Tested by test/unit/PipelineTest.cpp, test/unit/PlanValidationTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_TAMPERING_H
#define CLOPT_DRIVER_TAMPERING_H

#include "clopt/Clopt.h"

#include <functional>
#include <string>

namespace clopt {

/// What becomes of a piece of new text: a body, a kernel of a plan, or the
/// kernels of a layout.
using Tamper = std::function<std::string(const std::string &piece)>;

/// Like optimize, but pieces are changed before they are validated. `tamper`
/// may be empty.
Result optimizeTampered(const std::string &path, const std::string &source,
                        const Options &options, const Tamper &tamper);

} // namespace clopt

#endif // CLOPT_DRIVER_TAMPERING_H
