//===- ProbeReport.h - what a probe measured, to read ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeProbeDecisionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PROBEREPORT_H
#define CLOPT_RUNTIME_PROBEREPORT_H

#include "Runtime/ProbeDecision.h"

#include <string>

namespace clopt::runtime {

/// Markdown: the decided keys with their reasons, warnings, and one table for
/// each test.
std::string probeReport(const ProbeData &data, const ProbeDecision &decision);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PROBEREPORT_H
