//===- VerifyStepsTest.cpp - orders that are right and orders that are not ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps refuse what is wrong, so wrong orders are made by hand here.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/VerifySteps.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

std::string along(const std::string &statement,
                  const std::string &head = "int k = 20; k < n; k++") {
  return kernelOf("for (" + head + ") {\n" + statement + "\n}");
}

/// What is wrong when loop k has so many lanes, whatever the step would say.
std::string withLanes(const std::string &source, unsigned lanes,
                      AliasMode alias = AliasMode::Check) {
  TestedKernel tested(source);
  EXPECT_TRUE(tested.isStarted()) << source;
  findLoop(tested.kernel.tree, tested.loop("k"))->lanes = lanes;
  StepResult wrong = verifyOrder(tested.kernel, alias);
  return wrong ? wrong->message : "";
}

/// What is wrong after steps that are taken.
std::string afterSteps(const std::string &source, const std::string &steps) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << source << steps;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  return wrong ? wrong->message : "";
}

void expectPart(const std::string &message, const std::string &part) {
  EXPECT_NE(message.find(part), std::string::npos) << "was: " << message;
}

TEST(VerifyStepsTest, TheProgramItselfIsInOrder) {
  TestedKernel tested(along("r[k] = r[k - 1] + 1;"));
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Strict));
}

TEST(VerifyStepsTest, LanesThatPassAValueAreNamed) {
  expectPart(withLanes(along("r[k] = r[k - 1] + 1;"), 2),
             "the value written to 'r' at line 5 is read in a later iteration "
             "at line 5");
  EXPECT_EQ(withLanes(along("r[k] = r[k - 8] + 1;"), 8), "");
  expectPart(withLanes(along("r[k] = r[k - 7] + 1;"), 8), "'r' at line 5");
}

TEST(VerifyStepsTest, ChunksBeginAtTheFirstIteration) {
  // The loop begins at 20: iterations 20 .. 23 are one chunk.
  const std::string source = along("if (k == 24) r[23] = 1;\nr[k] = 2;");
  EXPECT_EQ(withLanes(source, 4), "");
  expectPart(withLanes(source, 8), "'r'");
}

TEST(VerifyStepsTest, AntiDependencesAreKeptByTheOrderOfStatements) {
  EXPECT_EQ(withLanes(along("r[k] = r[k + 1] + 1;"), 16), "");
  EXPECT_EQ(withLanes(along("s[k] = r[k + 1];\nr[k] = 0;"), 4), "");
  expectPart(withLanes(along("r[k] = 0;\ns[k] = r[k + 1];"), 4),
             "the value read from 'r' at line 6 is overwritten in a later "
             "iteration at line 5");
}

TEST(VerifyStepsTest, DownwardLoopsRunTheOtherWay) {
  const std::string head = "int k = n - 20; k >= 0; k--";
  expectPart(withLanes(along("r[k] = r[k + 1] + 1;", head), 4), "'r'");
  EXPECT_EQ(withLanes(along("r[k] = r[k - 1] + 1;", head), 4), "");
}

/// PPL's search for a point does not end here.
TEST(VerifyStepsTest, LanesInBlocksOfChoices) {
  const std::string rows =
      "for (int t = 0; t < n; t++)\n"
      "for (int k = 1; k < m; k++)\n"
      "r[((t > 0 ? t - 1 : n - 1)) * m + k] = "
      "r[((t + n - 1) % n) * m + k] + r[(t + 1 < n ? t + 1 : 0) * m + k";
  const std::string steps = "tile t:4 k:8\nvectorize k:4";
  EXPECT_EQ(afterSteps(kernelOf(rows + "];"), steps), "");
  TestedKernel tested(kernelOf(rows + " - 1];"));
  findLoop(tested.kernel.tree, tested.loop("k"))->lanes = 4;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  ASSERT_TRUE(wrong);
  expectPart(wrong->message, "written to 'r' at line 6");
}

TEST(VerifyStepsTest, BuffersThatMayOverlap) {
  const std::string source = along("a[k] = b[k] + 1;");
  expectPart(withLanes(source, 4), "'a' at line 5");
  EXPECT_EQ(withLanes(source, 4, AliasMode::None), "");
  EXPECT_EQ(afterSteps(source, "vectorize k:4"), ""); // behind a guard
}

TEST(VerifyStepsTest, TheLastLanesValueOfARegister) {
  const std::string after = "s[0] = s[0] * 2;";
  EXPECT_EQ(
      afterSteps(kernelOf("for (int k = 0; k < n; k++) s[0] = r[k];\n" + after),
                 "privatize s\nvectorize k:8"),
      "");
  EXPECT_EQ(
      afterSteps(kernelOf("for (int k = n; k > 0; k--) s[0] = r[k];\n" + after),
                 "privatize s\nvectorize k:8"),
      "");
  // Iterations behind the one that sets it.
  TestedKernel tested(kernelOf("for (int k = 0; k < n; k++) {\n"
                               "  if (k < m) s[0] = r[k];\n  r[k] = 0;\n}\n" +
                               after));
  EXPECT_EQ(tested.apply("privatize s").message, "");
  findLoop(tested.kernel.tree, tested.loop("k"))->lanes = 4;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::None);
  ASSERT_TRUE(wrong);
  expectPart(wrong->message, "a value of 's' leaves its lane");
}

TEST(VerifyStepsTest, ValuesOfPrivateVariables) {
  expectPart(withLanes(kernelOf("float sum = 0;\n"
                                "for (int k = 0; k < n; k++) sum += r[k];\n"
                                "s[0] = sum;"),
                       4),
             "a value of 'sum' leaves its lane");
  EXPECT_EQ(withLanes(along("float t = r[k];\ns[k] = t * t;"), 4), "");
  expectPart(withLanes(kernelOf("float t = 0;\n"
                                "for (int k = 0; k < n; k++) { t = r[k];\n"
                                "  s[k] = t; }\ns[0] = t;"),
                       4),
             "a value of 't' leaves its lane");
}

TEST(VerifyStepsTest, StatementsThatTakeTheirLanesInOrder) {
  // What is wrong when all statements of loop k that use `array` are in order.
  auto inOrder = [](const std::string &source, const std::string &array) {
    TestedKernel tested(source);
    const unsigned loop = tested.loop("k"), index = tested.array(array);
    const bool isPrivate =
        tested.model->arrays[index].space == AddressSpace::Private;
    findLoop(tested.kernel.tree, loop)->lanes = 4;
    std::set<unsigned> users;
    for (unsigned id : statementsBelow(*findLoop(tested.kernel.tree, loop)))
      for (unsigned access : tested.model->statements[id].accesses)
        if (tested.model->accesses[access].array == index)
          users.insert(id);
    for (unsigned id : users) {
      tested.kernel.orderedStatements.push_back({loop, id, {}, {}});
      if (isPrivate)
        tested.kernel.orderedStatements.back().arrays.insert(index);
    }
    StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
    return wrong ? wrong->message : "";
  };
  auto with = [](const std::string &body) {
    return kernelOf("float x = 0; for (int k = 0; k < n; k++) {\n"
                    "  float y = s[k];\n" +
                    body + "}\nr[0] = x;");
  };
  EXPECT_EQ(inOrder(with("x = x * 2 + y;"), "x"), "");
  EXPECT_EQ(inOrder(with("r[0] = r[0] * 2 + y;"), "r"), "");
  EXPECT_EQ(inOrder(with("for (int l = 0; l < n; l++) r[l] += y;"), "r"), "");
  expectPart(inOrder(with("x = x * 2 + y;\nr[k] = x;"), "x"),
             "the value read from 'x' at line 7 is overwritten in a later "
             "iteration at line 6");
  expectPart(inOrder(with("for (int l = 0; l < n; l++) x += y;"), "x"), "'x'");
  expectPart(inOrder(with("for (int l = 0; l < n; l++) r[l + k] += y;"), "r"),
             "'r'");
}

TEST(VerifyStepsTest, StatementsThatChangePlaces) {
  TestedKernel tested(along("r[k] = 1;\ns[k] = r[k];"));
  ScheduleNode &body =
      findLoop(tested.kernel.tree, tested.loop("k"))->children[0];
  ASSERT_EQ(body.children.size(), 2u);
  std::swap(body.children[0], body.children[1]);
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->ruleId, "clopt-dependence");
  expectPart(wrong->message, "the value written to 'r' at line 5");
}

TEST(VerifyStepsTest, AStatementThatIsLost) {
  TestedKernel tested(along("r[k] = 1;\ns[k] = 2;"));
  findLoop(tested.kernel.tree, tested.loop("k"))
      ->children[0]
      .children.pop_back();
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  ASSERT_TRUE(wrong);
  expectPart(wrong->message, "no longer in the tree");
}

TEST(VerifyStepsTest, NestsThatAreExchanged) {
  auto exchanged = [](const std::string &statement) {
    TestedKernel tested(kernelOf("for (int i = 1; i < n; i++)\n"
                                 "  for (int k = 1; k < n; k++)\n" +
                                 statement));
    ScheduleNode &outer = *findLoop(tested.kernel.tree, tested.loop("i"));
    std::swap(outer.loop, findLoop(outer, tested.loop("k"))->loop);
    StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
    return wrong ? wrong->message : std::string();
  };
  EXPECT_EQ(exchanged("r[i * n + k] = r[(i - 1) * n + k - 1];"), "");
  EXPECT_EQ(exchanged("r[i * n + k] = r[(i - 1) * n + k];"), "");
  expectPart(exchanged("if (k < n - 1) r[i * n + k] = r[(i - 1) * n + k + 1];"),
             "the value written to 'r'");
}

TEST(VerifyStepsTest, BarriersStayWhereTheyAre) {
  TestedKernel tested("__kernel void f(__global float *r, __local float *t) {\n"
                      "  int l = get_local_id(0);\n"
                      "  t[l] = r[get_global_id(0)];\n"
                      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "  r[get_global_id(0)] = t[l ^ 1];\n}\n");
  ASSERT_TRUE(tested.isStarted());
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
  ASSERT_EQ(tested.kernel.tree.children.size(), 4u);
  std::swap(tested.kernel.tree.children[1], tested.kernel.tree.children[2]);
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  ASSERT_TRUE(wrong);
  expectPart(wrong->message, "barrier");
}

TEST(VerifyStepsTest, RegistersThatAreReadAroundAnotherReference) {
  const std::string source =
      kernelOf("int i = get_global_id(0);\n"
               "for (int k = 0; k < n; k++) r[i] += s[k];");
  EXPECT_EQ(afterSteps(source, "privatize r"), "");
  // The same registers without the load: what they hold is not set.
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("privatize r").message, "");
  tested.kernel.tiles[0].copyIn = false;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  ASSERT_TRUE(wrong);
  expectPart(wrong->message, "registers of 'r' are read before they are set");
  // A section in the wrong place.
  TestedKernel moved(source);
  ASSERT_EQ(moved.apply("privatize r").message, "");
  moved.kernel.tiles[0].base[0] = moved.kernel.tiles[0].base[0] + Polynomial(1);
  wrong = verifyOrder(moved.kernel, AliasMode::Check);
  ASSERT_TRUE(wrong);
  expectPart(wrong->message, "a reference to 'r' is outside of its registers");
}

TEST(VerifyStepsTest, SectionsInLocalMemory) {
  const std::string source =
      kernelOf("int i = get_global_id(0);\n"
               "for (int k = 0; k < n; k++) { s[i] += r[k]; }");
  const std::string steps = "tile i:8 k:4\nstage r\n";
  EXPECT_EQ(afterSteps(source, steps), "");
  // The array that is staged is written, too, as far as the section goes.
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "for (int k = 0; k < n; k++) {\n"
                               "  s[i * n + k] = r[k];\n"
                               "  a[i * n + k] = s[i * n + k];\n}"));
  ASSERT_EQ(tested.apply("tile i:8 k:4").message, "");
  ArrayTile tile;
  tile.array = tested.array("s");
  tile.loop = tested.loop("k");
  for (const Access &access : tested.model->accesses)
    if (access.array == tile.array && !access.isWrite)
      tile.accesses.push_back(access.id);
  tested.kernel.tiles.push_back(tile);
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::None);
  ASSERT_TRUE(wrong);
  expectPart(wrong->message, "the value written to 's' at line 6 is read");
}

TEST(VerifyStepsTest, StepsThatAreTaken) {
  EXPECT_EQ(afterSteps(along("s[k] = r[k + 1];\nr[k] = 0;"), "vectorize k:4\n"),
            "");
  EXPECT_EQ(afterSteps(along("r[k] = r[k - 1];"), "unroll k:4\n"), "");
}

} // namespace
