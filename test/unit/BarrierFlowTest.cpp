//===- BarrierFlowTest.cpp - barriers in uniform flow ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BarrierFlow.h"

#include "Emit/frame/KernelWriter.h"
#include "KernelTesting.h"

using namespace clopt;

static std::string withGroups(const std::string &body) {
  return "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
         "void f(__global int *a, int n) {\n"
         "  __local int t[8];\n  int l = get_local_id(0);\n  t[l] = l;\n" +
         body + "\n}\n";
}

/// What lowering the kernel says; empty when it is written.
static std::string refusalOf(const std::string &body) {
  TestedKernel tested(withGroups(body));
  LoweringError error;
  return emitKernel(tested.kernel, {}, error) ? "" : error.ruleId;
}

TEST(BarrierFlowTest, KindsOfCoordinates) {
  TestedKernel tested("__kernel void f(__global int *a) {\n"
                      "a[get_global_id(0) + 9 * get_group_id(1) +\n"
                      "  2 * get_local_id(1)] = 0; }");
  EXPECT_EQ(workKinds(*tested.model),
            (std::vector<SymbolKind>{SymbolKind::GlobalId, SymbolKind::GroupId,
                                     SymbolKind::LocalId}));
}

TEST(BarrierFlowTest, UniformConditionsAreFine) {
  EXPECT_EQ(refusalOf("barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[7 - l];"), "");
  EXPECT_EQ(refusalOf("if (n > 4) barrier(CLK_LOCAL_MEM_FENCE); a[l] = n;"),
            "");
  EXPECT_EQ(refusalOf("if (get_group_id(0) >= n) return;\n"
                      "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[7 - l];"),
            "");
  EXPECT_EQ(refusalOf("for (int k = 0; k < n; k++)\n"
                      "  barrier(CLK_LOCAL_MEM_FENCE);\na[l] = t[l];"),
            "");
}

TEST(BarrierFlowTest, WorkItemsAroundTheBarrierMayDiffer) {
  EXPECT_EQ(refusalOf("if (l < n) t[l] = 2;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                      "if (l < 4) a[l] = t[7 - l];"),
            "");
  EXPECT_EQ(refusalOf("for (int k = 0; k < n; k++) {\n"
                      "  if (l < k) t[l] = 2;\n"
                      "  barrier(CLK_LOCAL_MEM_FENCE); }\na[l] = t[l];"),
            "");
}

TEST(BarrierFlowTest, ABarrierForSomeIsRefused) {
  EXPECT_EQ(refusalOf("if (l < n) barrier(CLK_LOCAL_MEM_FENCE); a[l] = 1;"),
            "clopt-barrier");
  EXPECT_EQ(refusalOf("if (8 * get_group_id(0) + l >= n) return;\n"
                      "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[7 - l];"),
            "clopt-barrier");
  EXPECT_EQ(refusalOf("for (int k = l; k < n; k++)\n"
                      "  barrier(CLK_LOCAL_MEM_FENCE);\na[l] = t[l];"),
            "clopt-barrier");
}

TEST(BarrierFlowTest, NestedLoopsInheritTheirBounds) {
  EXPECT_EQ(refusalOf("for (int k = l; k < n; k++)\n"
                      "  for (int j = 0; j < k; j++)\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE);\na[l] = t[l];"),
            "clopt-barrier");
  EXPECT_EQ(refusalOf("for (int k = 0; k < n; k++)\n"
                      "  for (int j = 0; j < k; j++)\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE);\na[l] = t[l];"),
            "");
}
