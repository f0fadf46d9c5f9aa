//===- GridLoopsTest.cpp - loops in steps of the launch's size ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

namespace {

std::string kernelOf(const std::string &body) {
  return "__kernel void k(__global const float *restrict a, __global float "
         "*restrict b, int n, uint u, ulong z, int m) {\n" +
         body + "\n}\n";
}

/// "0:i 1:j": the dimensions that are loops.
std::string dimensionsOf(const std::string &body,
                         const ModelOptions &options = {}) {
  TestedKernel tested(kernelOf(body), {}, options);
  std::string text;
  for (const MappedDimension &mapped : tested.model->ndrange.mapped) {
    EXPECT_TRUE(mapped.isLaunched);
    text += (text.empty() ? "" : " ") + std::to_string(mapped.dim) + ":" +
            tested.model->loops[mapped.loop].name;
  }
  return text;
}

/// Why the loop is kept whole.
std::string problemOf(const std::string &body) {
  TestedKernel tested(kernelOf(body));
  EXPECT_TRUE(tested.model->ndrange.mapped.empty());
  std::string head =
      "the iterations of this loop are no work-items of their own: ";
  for (const Note &note : tested.model->notes)
    if (note.ruleId == "clopt-grid-stride" &&
        note.message.compare(0, head.size(), head) == 0)
      return note.message.substr(head.size());
  return "no note";
}

const char *const plain =
    "for (int i = get_global_id(0); i < n; i += get_global_size(0)) "
    "b[i] = a[i];";

TEST(GridLoops, AreDimensions) {
  EXPECT_EQ(dimensionsOf(plain), "0:i");
  EXPECT_EQ(dimensionsOf("int i = get_global_id(0); int s = get_global_size(0);"
                         "for (; i < n; i += s) b[i] = a[i];"),
            "0:i");
  EXPECT_EQ(dimensionsOf("int gid = get_group_id(0) * get_local_size(0) + "
                         "get_local_id(0); for (uint i = gid; i < u; i += "
                         "get_num_groups(0) * get_local_size(0)) b[i] = a[i];"),
            "0:i");
  EXPECT_EQ(dimensionsOf("for (size_t i = get_global_id(0); i < z; i = i + "
                         "get_global_size(0)) b[i] = a[i];"),
            "0:i");
  EXPECT_EQ(dimensionsOf(
                "for (int i = get_global_id(0) - get_global_offset(0) + 1; i "
                "<= n - 2; i += get_global_size(0)) b[i] = a[i];"),
            "0:i");
}

TEST(GridLoops, NestsAreTwoDimensions) {
  EXPECT_EQ(dimensionsOf("for (int y = get_global_id(1); y < m; y += "
                         "get_global_size(1)) { int row = y * n; for (int x = "
                         "get_global_id(0); x < n; x += get_global_size(0)) "
                         "b[row + x] = a[row + x]; }"),
            "0:x 1:y");
}

TEST(GridLoops, OthersAroundAndInside) {
  EXPECT_EQ(dimensionsOf("if (m > 3) for (int i = get_global_id(0); i < n; i "
                         "+= get_global_size(0)) { float s = 0; for (int k = "
                         "0; k < m; k++) s += a[k * n + i]; b[i] = s; }"),
            "0:i");
  EXPECT_EQ(dimensionsOf("for (int t = 0; t < m; t++) for (int i = "
                         "get_global_id(0); i < n; i += get_global_size(0)) "
                         "b[i] += a[i];"),
            "0:i");
  EXPECT_EQ(dimensionsOf("int i; for (i = get_global_id(0); i < n; i += "
                         "get_global_size(0)) b[i] = 1; for (i = "
                         "get_global_id(0); i < n; i += get_global_size(0)) "
                         "b[i] *= a[i];"),
            "0:i");
}

TEST(GridLoops, DomainsAndBounds) {
  TestedKernel tested(kernelOf(plain));
  const KernelModel &model = *tested.model;
  ASSERT_EQ(model.statements.size(), 1u);
  EXPECT_TRUE(model.statements[0].loops.empty());
  isl::set expected = isl::manage(isl_set_read_from_str(
      model.context.get(),
      "[gs0, go0, n, u, z, m] -> { S0[w0] : go0 <= w0 < n }"));
  isl::set domain =
      model.statements[0].domain.intersect_params(model.paramContext);
  EXPECT_TRUE(domain.is_equal(expected.intersect_params(model.paramContext)));
  EXPECT_EQ(model.ndrange.launchRank(), 1u);
}

TEST(GridLoops, TheStepMustNotWrap) {
  TestedKernel tested(kernelOf(plain));
  bool isFound = false;
  for (const Assumption &assumption : tested.model->assumptions)
    isFound |= assumption.text ==
               "get_global_id(0) + get_global_size(0) <= 2147483647";
  EXPECT_TRUE(isFound);
}

TEST(GridLoops, ValuesForTheFirstIterationAreLeftOut) {
  TestedKernel tested(kernelOf(
      "int gid = get_global_id(0); int step = get_global_size(0); float f = "
      "2.0f; for (int i = gid; i < n; i += step) b[i] = a[i] * f;"));
  ASSERT_EQ(tested.model->ndrange.mapped.size(), 1u);
  EXPECT_EQ(tested.model->statements.size(), 2u);
}

TEST(GridLoops, Problems) {
  auto loop = [](const std::string &body) {
    return "for (int i = get_global_id(0); i < n; i += get_global_size(0)) { " +
           body + " }";
  };
  EXPECT_EQ(problemOf("float s = 0; " + loop("s += a[i];") +
                      "b[get_global_id(0)] = s;"),
            "the kernel does more than the loop");
  EXPECT_EQ(problemOf("float s = 0; " + loop("s += a[i]; b[i] = s;")),
            "the value of 's' goes from one iteration to the next");
  EXPECT_EQ(problemOf(loop("b[i] = get_global_id(0);")),
            "the id is used in the loop beside its iterator");
  EXPECT_EQ(problemOf("if (get_global_id(0) < m) " + loop("b[i] = 0;")),
            "a condition depends on the id");
  EXPECT_EQ(problemOf(loop("if (a[i] > 0) return; b[i] = 0;")),
            "it may be left early");
  EXPECT_EQ(problemOf("float t[2]; " + loop("t[0] = a[i]; b[i] = t[0];")),
            "'t' is shared by the iterations");
  EXPECT_EQ(problemOf("for (int i = get_global_id(0) - m; i < n; i += "
                      "get_global_size(0)) b[i] = 0;"),
            "it does not begin at the id, or may begin below zero");
  EXPECT_EQ(problemOf("b[0] = 1; " + loop("b[i] = 0;")),
            "the kernel does more than the loop");
  EXPECT_NE(problemOf("for (int i = get_global_id(0); i < n - 1; i += "
                      "get_global_size(0)) b[i] = b[i + 1];"),
            "no note");
  EXPECT_NE(problemOf(loop("b[i / 2] = a[i];")), "no note");
  EXPECT_NE(problemOf(loop("b[(int)a[i]] = a[i];")), "no note");
}

TEST(GridLoops, OtherLoopsAreNoDimensions) {
  EXPECT_EQ(dimensionsOf("for (int i = get_global_id(0); i < n; i += "
                         "get_global_size(1)) b[i] = a[i];"),
            "");
  EXPECT_EQ(dimensionsOf("for (int i = get_global_id(0); i < n; i += "
                         "get_local_size(0)) b[i] = a[i];"),
            "");
  EXPECT_EQ(dimensionsOf("for (int i = n - get_global_id(0); i > 0; i -= "
                         "get_global_size(0)) b[i] = a[i];"),
            "");
  ModelOptions off;
  off.shareLoops = false;
  EXPECT_EQ(dimensionsOf(plain, off), "");
}

TEST(GridLoops, BuffersMustNotOverlap) {
  TestedKernel tested(
      "__kernel void k(__global float *a, __global float *b, int n) {" +
      std::string(plain) + "}");
  EXPECT_FALSE(shareLoops(tested.kernel, AliasMode::Check));
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
  TestedKernel strict(
      "__kernel void k(__global float *a, __global float *b, int n) {" +
      std::string(plain) + "}");
  EXPECT_TRUE(shareLoops(strict.kernel, AliasMode::Strict));
}

TEST(GridLoops, StepsWorkOnThem) {
  TestedKernel tested(kernelOf(plain));
  EXPECT_EQ(tested.apply("vectorize i:4\ncoarsen i:2\nrequire i:16").message,
            "");
  TestedKernel tiled(kernelOf(plain));
  EXPECT_EQ(tiled.apply("tile i:64").message,
            "the loop 'i' is a dimension of the virtual NDRange");
}

} // namespace
