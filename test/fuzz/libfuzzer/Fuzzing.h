//===- Fuzzing.h - what all fuzz targets share ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_FUZZ_FUZZING_H
#define CLOPT_TEST_FUZZ_FUZZING_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

/// What libFuzzer calls with every input.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Ends the program when something that has to hold does not.
inline void demand(bool holds, const std::string &what) {
  if (holds)
    return;
  std::fprintf(stderr, "wrong: %s\n", what.c_str());
  std::abort();
}

#endif // CLOPT_TEST_FUZZ_FUZZING_H
