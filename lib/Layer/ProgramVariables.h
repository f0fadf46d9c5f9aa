//===- ProgramVariables.h - variables that outlive a kernel -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From OpenCL C 2.0 on, a program may have variables that keep their values
// from launch to launch. Kernels of two programs cannot share them, so such a
// program gets no optimized form. Drivers can be asked, but PoCL 3.1 says that
// there are none where there are.
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_PROGRAMVARIABLES_H
#define CLOPT_LAYER_PROGRAMVARIABLES_H

#include <string>

namespace clopt::layer {

/// Whether a text may declare such a variable: outside of functions, there is
/// something besides functions, types and constants; or something is static
/// inside of one.
bool mayDeclareVariables(const std::string &source);

} // namespace clopt::layer

#endif // CLOPT_LAYER_PROGRAMVARIABLES_H
