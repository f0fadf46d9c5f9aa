//===- LoopFormsTest.cpp - loops with geometric steps ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/LoopForms.h"

#include "EmissionTesting.h"

using namespace clopt;

/// Statements of the kind in the kernel's tree.
static unsigned count(const TestedKernel &tested, StmtKind kind) {
  unsigned result = 0;
  forEachStmt(tested.model->function->body,
              [&](const StmtRef &stmt) { result += stmt->kind == kind; });
  return result;
}

static bool isWritten(const std::string &head, const std::string &body) {
  TestedKernel tested(kernelOf(head + " { " + body + " }"));
  return count(tested, StmtKind::For) == 0;
}

/// Values that the subscript of `r[...]` has, one per statement.
static std::vector<std::string> subscripts(const std::string &source) {
  TestedKernel tested(source);
  std::vector<std::string> result;
  for (const Access &access : tested.model->accesses)
    if (access.isWrite && tested.model->arrays[access.array].name == "r") {
      std::optional<int64_t> value;
      if (access.offset)
        value = access.offset->asConstant();
      result.push_back(value ? std::to_string(*value) : "?");
    }
  return result;
}

using Texts = std::vector<std::string>;

TEST(LoopFormsTest, GeometricLoopsAreWrittenOut) {
  EXPECT_EQ(subscripts(kernelOf("for (int d = 1; d < 16; d <<= 1) r[d] = 1;")),
            Texts({"1", "2", "4", "8"}));
  EXPECT_EQ(
      subscripts(kernelOf("for (uint d = 20 / 2; d > 0; d >>= 1) r[d] = 1;")),
      Texts({"10", "5", "2", "1"}));
  EXPECT_EQ(
      subscripts(kernelOf("for (int d = 1; d <= 27; d = 3 * d) r[d - 1] = 1;")),
      Texts({"0", "2", "8", "26"}));
  EXPECT_EQ(subscripts(kernelOf("for (int d = 64; d != 0; d /= 4) r[d] = 1;")),
            Texts({"64", "16", "4", "1"}));
}

TEST(LoopFormsTest, InnerLoopsFollow) {
  EXPECT_EQ(subscripts(kernelOf("for (int k = 2; k <= 8; k *= 2)\n"
                                "  for (int j = k / 2; j > 0; j /= 2)\n"
                                "    r[8 * k + j] = 1;")),
            Texts({"17", "34", "33", "68", "66", "65"}));
}

TEST(LoopFormsTest, VariablesThatAdvanceBesideAreFollowed) {
  EXPECT_EQ(subscripts(kernelOf("int at = 1;\n"
                                "for (int d = 8; d > 0; d >>= 1) {\n"
                                "  r[at] = 1;\n  at *= 3;\n}")),
            Texts({"1", "3", "9", "27"}));
}

TEST(LoopFormsTest, TheVariableKeepsItsLastValue) {
  EXPECT_EQ(subscripts(kernelOf("int d;\n"
                                "for (d = 1; d < 10; d *= 2) r[d] = 1;\n"
                                "r[d] = 2;")),
            Texts({"1", "2", "4", "8", "16"}));
}

TEST(LoopFormsTest, TheSizeOfGroupsMayBeTheBound) {
  TestedKernel tested(
      "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
      "void f(__global float *a) {\n  __local float t[8];\n"
      "  int l = get_local_id(0);\n  t[l] = a[l];\n"
      "  for (int d = get_local_size(0) / 2; d > 0; d >>= 1) {\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    if (l < d) t[l] += t[l + d];\n  }\n"
      "  if (l == 0) a[0] = t[0];\n}");
  EXPECT_EQ(count(tested, StmtKind::For), 0u);
  unsigned barriers = 0;
  for (const Statement &statement : tested.model->statements) {
    barriers += statement.isBarrier;
    EXPECT_FALSE(statement.isOpaque);
  }
  EXPECT_EQ(barriers, 3u);
}

TEST(LoopFormsTest, OtherLoopsStayLoops) {
  EXPECT_TRUE(isWritten("for (int d = 1; d < 9; d *= 2)", "r[d] = 1;"));
  // Bounds that are not known, too many iterations, none, or no end.
  EXPECT_FALSE(isWritten("for (int d = 1; d < n; d *= 2)", "r[d] = 1;"));
  EXPECT_FALSE(isWritten("for (int d = n; d > 0; d /= 2)", "r[0] = d;"));
  EXPECT_FALSE(isWritten("for (int d = 1; d < 100000; d *= 2)", "r[d] = 1;"));
  EXPECT_FALSE(isWritten("for (int d = 9; d < 9; d *= 2)", "r[d] = 1;"));
  EXPECT_FALSE(isWritten("for (int d = 1; d > 0; d *= 1)", "r[d] = 1;"));
  // Another step, or a body that changes what is counted.
  EXPECT_FALSE(isWritten("for (int d = 1; d < 9; d += 2)", "r[d] = 1;"));
  EXPECT_FALSE(isWritten("for (int d = 1; d < 9; d *= 2)", "d += p[0];"));
  EXPECT_FALSE(isWritten("for (int d = 1; d < 9; d *= 2)",
                         "if (p[d]) break; r[d] = 1;"));
  EXPECT_FALSE(isWritten("for (int d = 1; d < 9; d *= 2)",
                         "if (p[d]) continue; r[d] = 1;"));
}

TEST(LoopFormsTest, GridStrideLoopsMayBeWhileLoops) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "while (i < n) {\n  r[i] = s[i];\n"
                               "  i += get_global_size(0);\n}"));
  EXPECT_EQ(tested.model->ndrange.mapped.size(), 1u);
}
