//===- SpecFiles.h - the launch specifications of a command ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeSpecFilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SPECFILES_H
#define CLOPT_RUNTIME_SPECFILES_H

#include "Runtime/LaunchSpec.h"
#include "Runtime/Verify.h"

#include <string>
#include <vector>

namespace clopt::runtime {

/// The specifications of the kernels that the options ask for, of all their
/// files. Throws Error when none is of a kernel or a size that they name.
std::vector<KernelSpec> loadSpecs(const VerifyOptions &options);

/// Standard input among the files becomes `file`, for what reads it again.
void keepStandardInput(std::vector<std::string> &specFiles,
                       const std::string &file);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SPECFILES_H
