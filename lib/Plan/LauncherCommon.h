//===- LauncherCommon.h - what all launcher headers share -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLAN_LAUNCHERCOMMON_H
#define CLOPT_PLAN_LAUNCHERCOMMON_H

namespace clopt {

/// Texts in C, the second after the first, with one guard for both, so that
/// several headers can be included.
extern const char *const launcherValues;
extern const char *const launcherCommands;

} // namespace clopt

#endif // CLOPT_PLAN_LAUNCHERCOMMON_H
