//===- AlignedVectorsTest.cpp - vector accesses at aligned addresses ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/KernelWriter.h"

#include "KernelTesting.h"

using namespace clopt;

static std::string emitted(const std::string &statement,
                           const std::string &steps = "vectorize x:8 aligned") {
  TestedKernel tested("__kernel void f(__global const uchar *a, __global uchar "
                      "*b, int w, int h) {\nint x = get_global_id(0), y = "
                      "get_global_id(1);\n" +
                      statement + "\n}");
  Refusal refusal = tested.apply(steps);
  EXPECT_EQ(refusal.message, "");
  LoweringError error;
  std::optional<EmittedKernel> kernel =
      emitKernel(tested.kernel, EmitOptions(), error);
  return kernel ? kernel->body : error.message;
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(AlignedVectorsTest, AlignedAccessesAreOneVector) {
  std::string text = emitted("b[y * w + x] = a[y * w + x];");
  EXPECT_TRUE(contains(text, "*(__global uchar8 *)&b[y * w + x0] = "
                             "*(__global const uchar8 *)&a[y * w + x0];"))
      << text;
}

TEST(AlignedVectorsTest, WholeVectorsFurtherOnAreAligned) {
  std::string text = emitted("b[y * w + x] = a[y * w + x + 16];");
  EXPECT_TRUE(contains(text, "*(__global const uchar8 *)&a[y * w + x0 + 16]"))
      << text;
}

/// Pieces cover the cells once, and each begins at a multiple of its size.
TEST(AlignedVectorsTest, PiecesAreAligned) {
  const char *const sizes[] = {"8",   "1 2 4 1", "2 4 2", "1 4 2 1",
                               "4 4", "1 2 4 1", "2 4 2", "1 4 2 1"};
  for (int shift = 0; shift < 8; ++shift) {
    std::string text =
        emitted("b[y * w + x] = a[y * w + x + " + std::to_string(shift) + "];");
    size_t first = text.find("(uchar8)(");
    std::string found;
    if (first == std::string::npos) {
      found = "8";
    } else {
      std::string value = text.substr(first + 9);
      value = value.substr(0, value.find(";"));
      for (size_t at = 0; (at = value.find("a[", at)) != std::string::npos;
           ++at) {
        std::string size = "1";
        if (at > 5 && value.compare(at - 3, 3, "*)&") == 0)
          size = value.substr(at - 5, 1);
        found += (found.empty() ? "" : " ") + size;
      }
    }
    EXPECT_EQ(found, sizes[shift]) << text;
  }
}

TEST(AlignedVectorsTest, UnknownDistancesStayUnaligned) {
  std::string text = emitted("b[y * w + x] = a[y + x];");
  EXPECT_TRUE(contains(text, "vload8(0, &a[y + x0])")) << text;
  EXPECT_FALSE(contains(text, "(size_t)a")) << text;
}

TEST(AlignedVectorsTest, TheGuardAsksForMultiples) {
  std::string text = emitted("b[y * w + x] = a[y * h + x];");
  EXPECT_TRUE(contains(text, "(size_t)a | (size_t)b")) << text;
  EXPECT_TRUE(contains(text, "(size_t)w")) << text;
  EXPECT_TRUE(contains(text, "(size_t)h")) << text;
  // The last groups of a working one need not exist.
  EXPECT_FALSE(contains(text, "get_num_groups(0)")) << text;
  EXPECT_TRUE(contains(text, "if (get_group_id(0) * get_local_size(0) + "
                             "get_local_id(0) * 8 >= get_global_size(0))"))
      << text;
}

TEST(AlignedVectorsTest, GroupsStandApart) {
  std::string text = emitted("b[y * w + x] = a[y * w + x];",
                             "vectorize x:4 aligned\ncoarsen y:2");
  EXPECT_TRUE(contains(text, "if ((get_group_id(0) & 3) != 0 || "
                             "(get_group_id(1) & 1) != 0)"))
      << text;
}
