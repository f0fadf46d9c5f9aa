//===- VerifyAddedTest.cpp - what steps add, and what it must not be ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/VerifySteps.h"

#include "KernelTesting.h"

#include <algorithm>

using namespace clopt;

namespace {

/// A kernel after a step that adds statements, to be spoiled.
struct Added {
  TestedKernel tested;
  unsigned authors; ///< statements of the program

  Added(const std::string &body, const std::string &steps)
      : tested(kernelOf("int i = get_global_id(0);\n" + body)),
        authors(static_cast<unsigned>(tested.model->statements.size())) {
    EXPECT_EQ(tested.apply(steps).message, "");
  }

  std::string verdict() const {
    StepResult wrong = verifyOrder(tested.kernel, AliasMode::None);
    return wrong ? wrong->message : "";
  }

  bool isAdded(const ScheduleNode &node) const {
    return node.kind == ScheduleNode::Kind::Leaf && node.statement >= authors;
  }

  /// The sequence that has the first added statement, and its place there.
  ScheduleNode *sequenceOf(ScheduleNode &node, size_t &place) {
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (node.kind == ScheduleNode::Kind::Sequence &&
          isAdded(node.children[i])) {
        place = i;
        return &node;
      }
      if (ScheduleNode *found = sequenceOf(node.children[i], place))
        return found;
    }
    return nullptr;
  }

  /// Moves it to the beginning of the outer loop's body.
  void moveToFront() {
    size_t from = 0;
    ScheduleNode *sequence = sequenceOf(tested.kernel.tree, from);
    ScheduleNode *outer = findLoop(tested.kernel.tree, 0);
    ASSERT_TRUE(sequence && outer);
    ScheduleNode moved = sequence->children[from];
    sequence->children.erase(sequence->children.begin() +
                             static_cast<std::ptrdiff_t>(from));
    outer->children[0] = ScheduleNode::sequence({moved, outer->children[0]});
  }

  /// Moves the first added statement to another place of its sequence.
  void move(size_t to) {
    size_t from = 0;
    ScheduleNode *sequence = sequenceOf(tested.kernel.tree, from);
    ASSERT_TRUE(sequence);
    ScheduleNode moved = sequence->children[from];
    sequence->children.erase(sequence->children.begin() +
                             static_cast<std::ptrdiff_t>(from));
    to = std::min(to, sequence->children.size());
    sequence->children.insert(
        sequence->children.begin() + static_cast<std::ptrdiff_t>(to), moved);
  }
};

bool says(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

const char *const valueOfRow = "for (int l = 0; l < n; l++) {\n"
                               "  float t = s[l];\n"
                               "  for (int k = 0; k < m; k++)\n"
                               "    r[k] = sqrt(t) * s[k];\n}";
const char *const columns = "float t = 0;\n"
                            "for (int k = 0; k < n; k++) t += s[k * m + i];\n"
                            "r[i] = t;";

} // namespace

TEST(VerifyAddedTest, ValuesInTheirPlace) {
  EXPECT_EQ(Added(valueOfRow, "hoist k").verdict(), "");
}

TEST(VerifyAddedTest, AValueThatIsComputedTooLate) {
  Added added(valueOfRow, "hoist k");
  added.move(99);
  EXPECT_TRUE(says(added.verdict(), "is used before it is set"))
      << added.verdict();
}

TEST(VerifyAddedTest, AValueOfWhatChangesMeanwhile) {
  Added added(valueOfRow, "hoist k");
  added.moveToFront();
  EXPECT_TRUE(says(added.verdict(), "is made of changes before it is used"))
      << added.verdict();
}

TEST(VerifyAddedTest, AValueThatNotAllIterationsCompute) {
  Added added(valueOfRow, "hoist k");
  Statement &statement =
      const_cast<KernelModel *>(added.tested.kernel.model)->statements.back();
  isl::set most(statement.domain.ctx(), "[n] -> { : n > 3 }");
  statement.domain = statement.domain.intersect_params(most);
  EXPECT_TRUE(says(added.verdict(), "is used where it is not set"))
      << added.verdict();
}

TEST(VerifyAddedTest, CellsThatAreWrittenMeanwhile) {
  Added added("for (int l = 1; l < n; l++) {\n  a[l] = s[l];\n"
              "  for (int k = 0; k < m; k++)\n"
              "    r[k] = sqrt(a[l]) * s[k];\n}",
              "hoist k");
  EXPECT_EQ(added.verdict(), "");
  added.moveToFront();
  EXPECT_TRUE(says(added.verdict(), "is made of changes before it is used"))
      << added.verdict();
}

TEST(VerifyAddedTest, SubscriptsThatAdvance) {
  Added added(columns, "strength s add");
  EXPECT_EQ(added.verdict(), "");
  // The value is there after the loop only.
  added.move(99);
  EXPECT_TRUE(says(added.verdict(), "is used before it is set"))
      << added.verdict();
}

TEST(VerifyAddedTest, AnAdditionOnTheWrongSide) {
  Added added(columns, "strength s add");
  ScheduleNode *loop = findLoop(added.tested.kernel.tree, 0);
  ASSERT_TRUE(loop);
  ScheduleNode &body = loop->children[0];
  ASSERT_GE(body.children.size(), 2u);
  std::reverse(body.children.begin(), body.children.end());
  EXPECT_TRUE(says(added.verdict(), "advances before it is used"))
      << added.verdict();
}
