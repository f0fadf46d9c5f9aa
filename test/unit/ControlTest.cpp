//===- ControlTest.cpp - loops and jumps of statements --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Control.h"

#include "KernelTesting.h"

using namespace clopt;

/// The body of a kernel with this text.
static StmtRef bodyOf(const std::string &text) {
  const ParseResult parsed = parseOpenCL(
      "t.cl",
      "__kernel void f(__global int *a, int n) { int k = 0;" + text + "}", {});
  return parsed.unit ? parsed.unit->functions.front()->body : nullptr;
}

/// The letters of what leaves the first loop's body: break, continue, return.
static std::string leavesIn(const std::string &text) {
  std::string letters;
  bool isFirst = true;
  forEachStmt(bodyOf(text), [&](const StmtRef &stmt) {
    if (!isLoop(*stmt) || !std::exchange(isFirst, false))
      return;
    const Leaves leaves = leavesOf(stmt->body);
    letters = std::string(leaves.byBreak ? "b" : "") +
              (leaves.byContinue ? "c" : "") + (leaves.byReturn ? "r" : "");
    EXPECT_EQ(leaves.any(), !letters.empty());
    // A loop is left by a return only.
    EXPECT_FALSE(leavesOf(stmt).byBreak || leavesOf(stmt).byContinue);
  });
  EXPECT_FALSE(isFirst);
  return letters;
}

TEST(ControlTest, LoopsAreOfThreeKinds) {
  unsigned count = 0;
  forEachStmt(bodyOf("for (int i = 0; i < n; i++) a[i] = 0;"
                     "while (a[k]) k++; do k--; while (a[k]);"
                     "if (k) { a[k] = 1; }"),
              [&](const StmtRef &stmt) { count += isLoop(*stmt); });
  EXPECT_EQ(count, 3u);
}

TEST(ControlTest, JumpsLeaveTheLoopTheyStandIn) {
  EXPECT_EQ(leavesIn("while (a[k]) { k++; }"), "");
  EXPECT_EQ(leavesIn("while (a[k]) { if (k > n) break; k++; }"), "b");
  EXPECT_EQ(leavesIn("while (a[k]) { k++; if (k > n) continue; a[k]--; }"),
            "c");
  EXPECT_EQ(leavesIn("do { if (k > n) { a[0] = 1; return; } } while (a[k++]);"),
            "r");
  // Those of loops inside leave these.
  EXPECT_EQ(leavesIn("while (a[k]) { for (int i = 0; i < n; i++) { if (a[i]) "
                     "continue; if (a[i + 1]) break; } k++; }"),
            "");
  EXPECT_EQ(leavesIn("while (a[k]) { for (int i = 0; i < n; i++) if (a[i]) "
                     "return; k++; }"),
            "r");
}
