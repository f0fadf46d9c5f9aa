//===- Version.h - versions of clopt and of what it is built on -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A miscompiled kernel can only be reproduced when one knows which isl, PPL and
// LLVM answered; `clopt --version` and every report carry these strings.
//
// Tested by test/unit/IslVersionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_VERSION_H
#define CLOPT_SUPPORT_VERSION_H

#include <string>

namespace clopt {

/// The version of clopt, as in "0.1.0".
const char *versionString();

/// The version that the linked isl reports, as in "isl-0.25-GMP".
std::string islVersionString();

/// The version that the linked PPL reports, as in "1.2".
std::string pplVersionString();

/// The version of LLVM and Clang, as in "19.1.7".
const char *llvmVersionString();

/// All of them on one line: "clopt 0.1.0 (LLVM 19.1.7, isl-0.25-GMP, PPL 1.2)".
std::string fullVersionString();

} // namespace clopt

#endif // CLOPT_SUPPORT_VERSION_H
