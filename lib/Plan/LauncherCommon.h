//===- LauncherCommon.h - what all launcher headers share -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLAN_LAUNCHERCOMMON_H
#define CLOPT_PLAN_LAUNCHERCOMMON_H

namespace clopt {

/// Text in C with a guard of its own, so that several headers can be included.
extern const char *const launcherCommon;

} // namespace clopt

#endif // CLOPT_PLAN_LAUNCHERCOMMON_H
