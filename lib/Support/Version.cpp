//===- Version.cpp - versions of clopt and of what it is built on ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl and PPL are asked at run time, not through their headers: what counts is
// the library that was linked, and libLLVM carries an isl of its own.
//
// Tested by test/unit/IslVersionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/Version.h"

#include "Support/Config.h"

#include <isl/version.h>

const char *clopt::versionString() { return CLOPT_VERSION_STRING; }

const char *clopt::llvmVersionString() { return CLOPT_LLVM_VERSION_STRING; }

std::string clopt::islVersionString() {
  std::string text = isl_version();
  // isl ends its answer with a line break.
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

std::string clopt::fullVersionString() {
  return std::string("clopt ") + versionString() + " (LLVM " +
         llvmVersionString() + ", " + islVersionString() + ", PPL " +
         pplVersionString() + ")";
}
