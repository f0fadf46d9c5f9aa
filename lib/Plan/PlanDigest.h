//===- PlanDigest.h - SHA-256 without LLVM ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan names its texts by their digests; whoever carries it out has no LLVM
// to compute them with. Tested by test/unit/RuntimePlanDigestTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLAN_PLANDIGEST_H
#define CLOPT_PLAN_PLANDIGEST_H

#include <string>

namespace clopt {

/// 64 hexadecimal digits.
std::string planDigest(const std::string &bytes);

} // namespace clopt

#endif // CLOPT_PLAN_PLANDIGEST_H
