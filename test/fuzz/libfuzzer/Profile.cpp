//===- Profile.cpp - any text as a device profile -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile that can be read plans some kernels.
//
//===----------------------------------------------------------------------===//

#include "Optimizing.h"

#include "Target/DeviceProfile.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

static const char *const kernels = R"(
__kernel void product(__global const float *A, __global const float *B,
                      __global float *C, int n) {
  int i = get_global_id(1);
  int j = get_global_id(0);
  for (int k = 0; k < n; k++)
    C[i * n + j] += A[i * n + k] * B[k * n + j];
}
__kernel void column(__global const uchar *a, __global uchar *b, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    b[k * n + i] = a[i * n + k] + 1;
}
)";

/// A file that is gone with the program.
struct TemporaryFile {
  TemporaryFile() {
    llvm::SmallString<64> name;
    demand(!llvm::sys::fs::createTemporaryFile("profile", "json", name),
           "no temporary file");
    path = std::string(name);
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  std::string path;
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const TemporaryFile file;
  const std::string text(reinterpret_cast<const char *>(data), size);
  llvm::Expected<clopt::DeviceProfile> profile =
      clopt::parseProfile(text, "input.json");
  if (!profile) {
    demand(!llvm::toString(profile.takeError()).empty(),
           "a refusal without a message");
    return 0;
  }
  std::error_code error;
  llvm::raw_fd_ostream stream(file.path, error);
  stream << text;
  stream.close();
  clopt::Options options;
  options.target = file.path;
  options.makePlan = true;
  const clopt::Result result = optimizeOrAbort(kernels, options);
  demand(result.ok, "a profile that can be read is refused");
  return 0;
}
