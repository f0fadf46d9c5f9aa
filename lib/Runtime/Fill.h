//===- Fill.h - first contents of buffers and scalars ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLaunchTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_FILL_H
#define CLOPT_RUNTIME_FILL_H

#include "Runtime/LaunchSpec.h"

#include <cstdint>
#include <vector>

namespace clopt::runtime {

/// The bytes of `count` elements of `argument`, by its FillType. Throws Error
/// if a value cannot be had or a file is too short.
std::vector<std::uint8_t>
makeContents(const KernelSpec &spec, const ArgumentSpec &argument,
             std::size_t count, const Bindings &bindings, std::uint64_t seed);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_FILL_H
