//===- PplVersion.cpp - the version of the linked PPL ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart from Version.cpp because ppl.hh is slow to compile.
//
// Tested by test/unit/IslVersionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/Version.h"

#include <ppl.hh>

std::string clopt::pplVersionString() {
  return Parma_Polyhedra_Library::version();
}
