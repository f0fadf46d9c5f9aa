//===- LaunchSuggestion.h - a launch that takes the new body ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/run/check_verify.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_LAUNCHSUGGESTION_H
#define CLOPT_RUNTIME_LAUNCHSUGGESTION_H

#include "Runtime/LaunchSpec.h"
#include "Runtime/OpenCL.h"
#include "Runtime/Verify.h"

#include <functional>
#include <string>
#include <vector>

namespace clopt::runtime {

/// The probe of a kernel (EntryProbe.h) for flags of clBuildProgram.
using ProbeSource =
    std::function<KernelHandle(const std::vector<std::string> &)>;

/// Sizes and a group that the conditions of the new body accept, as they would
/// be written: "--size=n=64 and "LocalSize": {"X": 8}". Found by asking the
/// device for larger and larger launches, and then for smaller ones, for some
/// seconds at most; empty if none was found. Sizes that may stay as they are
/// are left out.
std::string suggestLaunch(const KernelSpec &spec, const VerifyOptions &options,
                          const Device &device, const ProbeSource &probe);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_LAUNCHSUGGESTION_H
