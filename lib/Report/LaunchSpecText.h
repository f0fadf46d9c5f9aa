//===- LaunchSpecText.h - launch specifications as JSON ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/launch-spec.md describes the format.
//
// Tested by test/unit/LaunchSkeletonTest.cpp, test/lit/cli/skeleton.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_LAUNCHSPECTEXT_H
#define CLOPT_REPORT_LAUNCHSPECTEXT_H

#include "clopt/LaunchSkeleton.h"

#include <string>
#include <vector>

namespace clopt {

/// A document of all of them that have no problem. `file`: of the kernels;
/// `flags`: of clBuildProgram.
std::string printLaunchSpec(const std::vector<LaunchSkeleton> &skeletons,
                            const std::string &file,
                            const std::vector<std::string> &flags);

} // namespace clopt

#endif // CLOPT_REPORT_LAUNCHSPECTEXT_H
