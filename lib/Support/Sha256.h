//===- Sha256.h - SHA-256 as hexadecimal text -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports name the exact text they speak of; fingerprints of findings are
// stable across machines. Both are SHA-256 in lower-case hexadecimal digits.
//
// Tested by test/unit/Sha256Test.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_SHA256_H
#define CLOPT_SUPPORT_SHA256_H

#include <string>

namespace clopt {

/// 64 hexadecimal digits.
std::string sha256Hex(const std::string &bytes);

} // namespace clopt

#endif // CLOPT_SUPPORT_SHA256_H
