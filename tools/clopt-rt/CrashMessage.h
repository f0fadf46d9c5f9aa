//===- CrashMessage.h - says which kernel took the process down -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a CPU device a kernel runs in this process, so one that is badly wrong
// ends it. The user must still learn which kernel it was, and at which sizes.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CRASHMESSAGE_H
#define CLOPT_TOOLS_CRASHMESSAGE_H

#include <string>

namespace clopt::runtime {

/// From now on a fatal signal prints an error that names the last activity, and
/// the process exits with 1.
void installCrashMessage();

/// What the process is about to do.
void setCrashMessage(const std::string &activity);

} // namespace clopt::runtime

#endif // CLOPT_TOOLS_CRASHMESSAGE_H
