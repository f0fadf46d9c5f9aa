//===- SharedWorkTest.cpp - kernels whose work-items share loops ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/KernelWriter.h"

#include "KernelTesting.h"

using namespace clopt;

/// The new body, or the message why there is none.
static std::string written(const std::string &body, const std::string &steps,
                           const std::vector<std::string> &flags = {}) {
  TestedKernel tested(kernelOf(body), flags);
  EXPECT_EQ(tested.apply(steps).message, "");
  LoweringError error;
  std::optional<EmittedKernel> kernel =
      emitKernel(tested.kernel, EmitOptions(), error);
  return kernel ? kernel->body : error.message;
}

static bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(SharedWorkTest, GroupsOfAnyShapeTakeWholeSetsOfLanes) {
  std::string text =
      written("int y = get_global_id(1);\nint t = 0;\n"
              "for (int k = p[y]; k < p[y + 1]; k++) t += p[k];\n"
              "b[y] = t;",
              "split-reduction k:16");
  EXPECT_TRUE(has(text, "const int lane = item & 15;")) << text;
  EXPECT_TRUE(has(text, "min((int)(get_local_size(0) * get_local_size(1)), "
                        "1024) / 16;"))
      << text;
  EXPECT_TRUE(has(text, "get_local_size(0) * get_local_size(1) >= 16")) << text;
  // Work-items of a third dimension would be added to the same sums.
  EXPECT_TRUE(has(text, "get_global_size(2) == 1")) << text;
}

TEST(SharedWorkTest, ManyResultsLeaveCellsForSmallerGroups) {
  std::string text = written("int i = get_global_id(0);\n"
                             "long t = 0, u = 0, v = 0;\n"
                             "for (int k = p[i]; k < p[i + 1]; k++) {\n"
                             "  t += p[k]; u |= p[k]; v ^= p[k]; }\n"
                             "b[i] = t + u + v;",
                             "split-reduction k:4");
  EXPECT_TRUE(has(text, "__local long partial_long2[512];")) << text;
  EXPECT_TRUE(has(text, ", 512) / 4;")) << text;
}

TEST(SharedWorkTest, WideVariablesCountFromTheFirstValue) {
  std::string text =
      written("int i = get_global_id(0);\nulong t = 0;\n"
              "for (size_t k = p[i]; k <= p[i + 1]; k += 2) t += p[k];\n"
              "b[i] = t;",
              "split-reduction k:4");
  EXPECT_TRUE(has(text, "k_first = (ulong)p[i]") ||
              has(text, "k_first = (size_t)p[i]"))
      << text;
  EXPECT_TRUE(has(text, "k_at = (lane * 2)") || has(text, "k_at = lane * 2"))
      << text;
  EXPECT_TRUE(has(text, "k_first <= k_end && k_at <= (ulong)k_end - "
                        "(ulong)k_first"))
      << text;
  EXPECT_TRUE(has(text, "k_at += 8")) << text;
}

TEST(SharedWorkTest, BarriersStandInNoCondition) {
  std::string text = written("int i = get_global_id(0);\nint t = 0;\n"
                             "if (i < m) {\n"
                             "  for (int k = 0; k < i; k++) t += p[k];\n"
                             "  b[i] = t;\n"
                             "} else {\n"
                             "  for (int k = 0; k < n; k++) t += 2 * p[k];\n"
                             "  b[i] = t;\n"
                             "}",
                             "split-reduction k:8 k_1:8");
  // The guard, the loop over the work-items, and nothing else around them.
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += (text[at] == '{') - (text[at] == '}');
    if (text.compare(at, 8, "barrier(") == 0) {
      EXPECT_LE(depth, 3) << text;
    }
  }
  EXPECT_TRUE(has(text, "barrier(")) << text;
}
