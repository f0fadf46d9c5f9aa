//===- Depfile.h - dependencies for make and ninja --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/DepfileTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_DEPFILE_H
#define CLOPT_REPORT_DEPFILE_H

#include <string>
#include <vector>

namespace clopt {

/// A rule in the syntax of make: "target: dependency ...". Names are escaped
/// as GCC and Clang do it, so make and ninja read them back. Repeated names
/// are written once. With `namesPhony` every file but the first one is also a
/// target that needs nothing, so that make goes on when it is gone.
std::string printDepfile(const std::string &target,
                         const std::vector<std::string> &dependencies,
                         bool namesPhony = false);

} // namespace clopt

#endif // CLOPT_REPORT_DEPFILE_H
