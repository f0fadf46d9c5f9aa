//===- ArgumentTypes.h - specifications against kernels --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A specification that describes other arguments than the kernel has makes a
// comparison of nonsense. Tested by test/unit/RuntimeArgumentTypesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_ARGUMENTTYPES_H
#define CLOPT_RUNTIME_ARGUMENTTYPES_H

#include "Runtime/LaunchSpec.h"
#include "Runtime/OpenCL.h"

#include <optional>
#include <string>

namespace clopt::runtime {

/// The specification does not fit the kernel.
class SpecMismatch : public Error {
public:
  using Error::Error;
};

/// A parameter as clGetKernelArgInfo describes it.
struct KernelParameter {
  std::string name; ///< may be empty
  std::string type; ///< "float4*", "uint", "struct S*", "image2d_t"
  MemoryKind memory = MemoryKind::Scalar;
};

/// Why an argument of the specification cannot be one for the parameter;
/// nothing where it can, or where the type is the program's own.
std::optional<std::string> findMismatch(const ArgumentSpec &argument,
                                        const KernelParameter &parameter);

/// Throws SpecMismatch at the place of the first argument that does not fit.
/// What the device does not tell is not checked.
void checkArgumentTypes(const KernelSpec &spec, const KernelHandle &kernel);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_ARGUMENTTYPES_H
