//===- LastBarriersTest.cpp - barriers with nothing behind them -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/LastBarriers.h"

#include "KernelTesting.h"

using namespace clopt;

/// Barriers of the body that is modelled, and of the author's.
static std::pair<unsigned, unsigned> barriersOf(const std::string &body) {
  const ParseResult parsed =
      parseOpenCL("f.cl",
                  "__kernel void f(__global int *a, __local int *t, int n) {\n"
                  "  int i = get_global_id(0), l = get_local_id(0);\n" +
                      body + "}",
                  {});
  std::pair<unsigned, unsigned> result;
  if (!parsed.unit) {
    ADD_FAILURE() << "does not parse";
    return result;
  }
  const Function &kernel = *parsed.unit->functions[0];
  forEachStmt(kernel.body, [&](const StmtRef &stmt) {
    result.first += stmt->kind == StmtKind::Barrier;
  });
  forEachStmt(kernel.asWritten(), [&](const StmtRef &stmt) {
    result.second += stmt->kind == StmtKind::Barrier;
  });
  return result;
}

static const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);";

TEST(LastBarriersTest, NothingComesAfterThem) {
  for (const std::string &body :
       {"a[i] = n; " + barrier, "a[i] = n; " + barrier + barrier,
        "a[i] = n; " + barrier + " return;", "a[i] = n; { " + barrier + " }",
        "{ a[i] = n; " + barrier + " ; }"}) {
    const auto [left, written] = barriersOf(body);
    EXPECT_EQ(left, 0u) << body;
    EXPECT_GE(written, 1u) << body;
  }
}

TEST(LastBarriersTest, OthersStay) {
  for (const std::string &body :
       {"t[l] = n; " + barrier + " a[i] = t[0];",
        "for (int k = 0; k < n; k++) { a[i] += k; " + barrier + " }",
        "if (n > 0) { a[i] = 1; " + barrier + " }",
        "t[l] = n; " + barrier + " { a[i] = t[0]; }"}) {
    const auto [left, written] = barriersOf(body);
    EXPECT_EQ(left, 1u) << body;
    EXPECT_EQ(written, 1u) << body;
  }
  const auto [left, written] =
      barriersOf("t[l] = n; " + barrier + " a[i] = t[0]; " + barrier);
  EXPECT_EQ(left, 1u);
  EXPECT_EQ(written, 2u);
}
