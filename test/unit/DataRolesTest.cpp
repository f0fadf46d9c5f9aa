//===- DataRolesTest.cpp - numbers in buffers that say where to go --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/DataRoles.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

std::map<std::string, DataRole> rolesOf(const std::string &source) {
  const ParseResult parsed = parseOpenCL("test.cl", source, {});
  EXPECT_TRUE(parsed.unit);
  std::map<std::string, DataRole> roles;
  for (const auto &function : parsed.unit->functions)
    if (function->isKernel)
      for (const auto &[variable, role] :
           dataRoles(*function, Assignments(*function)))
        roles[variable->name] = role;
  return roles;
}

using Roles = std::map<std::string, DataRole>;

TEST(DataRolesTest, SparseRows) {
  const std::string head =
      "__kernel void k(__global const int *row, __global const int *col,\n"
      "                __global const float *x, __global float *y) {\n"
      "  int i = get_global_id(0); float s = 0;\n";
  const Roles expected = {{"row", DataRole::Rows}, {"col", DataRole::Index}};
  EXPECT_EQ(rolesOf(head + "  for (int k = row[i]; k < row[i + 1]; k++)\n"
                           "    s += x[col[k]];\n  y[i] = s; }"),
            expected);
  // The same through variables, and with another loop.
  EXPECT_EQ(rolesOf(head + "  int k = row[i], end = row[i + 1];\n"
                           "  while (k < end) { int c = col[k]; s += x[c]; "
                           "k++; }\n  y[i] = s; }"),
            expected);
}

TEST(DataRolesTest, LengthsOfLoops) {
  const Roles expected = {{"count", DataRole::Length}};
  EXPECT_EQ(rolesOf("__kernel void k(__global const int *count,\n"
                    "    __global const float *x, __global float *y, int n) {\n"
                    "  int i = get_global_id(0); float s = 0;\n"
                    "  for (int k = 0; k < count[i]; k++) s += x[k * n + i];\n"
                    "  y[i] = s; }"),
            expected);
}

TEST(DataRolesTest, NumbersOfVectorsAndStructures) {
  const Roles expected = {{"edges", DataRole::Index},
                          {"cells", DataRole::Index}};
  EXPECT_EQ(rolesOf("typedef struct { int next; float w; } Cell;\n"
                    "__kernel void k(__global const int2 *edges,\n"
                    "    __global const Cell *cells, __global float *y) {\n"
                    "  int i = get_global_id(0);\n"
                    "  y[edges[i].x] = cells[i].w;\n"
                    "  y[cells[i].next] = 1; }"),
            expected);
}

TEST(DataRolesTest, DataThatIsOnlyComputedWith) {
  EXPECT_EQ(
      rolesOf("__kernel void k(__global const int *a, __global int *b,\n"
              "                int n) {\n"
              "  int i = get_global_id(0);\n"
              "  for (int j = 0; j < n; j++) b[i] += a[j] > 3 ? a[j] : 2;\n"
              "}"),
      Roles());
}

} // namespace
