//===- Sha256.cpp - SHA-256 as hexadecimal text ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/Sha256Test.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/Sha256.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

std::string clopt::sha256Hex(const std::string &bytes) {
  llvm::SHA256 hash;
  hash.update(bytes);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}
