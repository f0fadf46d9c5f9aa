//===- Recipe.cpp - any text as a recipe ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recipe that can be read is printed, read again, and carried out on kernels
// with names that recipes of this repository use. Kernels that it names are
// taken for one of these.
//
//===----------------------------------------------------------------------===//

#include "Optimizing.h"

#include "clopt/Recipe.h"

static const char *const kernels = R"(
__kernel void product(__global const float *A, __global const float *B,
                      __global float *C, int n) {
  int i = get_global_id(1);
  int j = get_global_id(0);
  for (int k = 0; k < n; k++)
    C[i * n + j] += A[i * n + k] * B[k * n + j];
}
__kernel void sums(__global const int *a, __global int *b, int n) {
  __local int part[64];
  int i = get_global_id(0), l = get_local_id(0);
  int sum = 0;
  for (int k = i; k < n; k += get_global_size(0))
    sum += a[k];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s)
      part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    b[get_group_id(0)] = part[0];
}
__kernel void rows(__global const float *x, __global float *y, int n, int m) {
  int i = get_global_id(0);
  float t[4];
  for (int k = 0; k < 4; k++)
    t[k] = 0.0f;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < 4; k++)
      t[k] += x[j * m + i + k];
  for (int k = 0; k < 4; k++)
    y[i * 4 + k] = t[k];
}
)";

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  clopt::RecipeError error;
  std::optional<clopt::Recipe> recipe = clopt::parseRecipe(text, error);
  if (!recipe) {
    demand(!error.message.empty(), "a refusal without a message");
    return 0;
  }
  const std::string printed = clopt::printRecipe(*recipe);
  std::optional<clopt::Recipe> again = clopt::parseRecipe(printed, error);
  demand(again && clopt::printRecipe(*again) == printed,
         "a recipe that is printed and read is another one:\n" + printed);
  static const char *const names[] = {"product", "sums", "rows"};
  size_t count = 0;
  for (clopt::KernelRecipe &kernel : recipe->kernels)
    if (!kernel.kernel.empty())
      kernel.kernel = names[count++ % 3];
  if (count > 3)
    return 0;
  clopt::Options options;
  options.recipe = clopt::printRecipe(*recipe);
  options.skipRefused = true;
  options.makePlan = true;
  optimizeOrAbort(kernels, options);
  return 0;
}
