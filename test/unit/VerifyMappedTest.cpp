//===- VerifyMappedTest.cpp - loops that must not be dimensions -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step refuses what is wrong, so what it made is spoiled here.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/VerifySteps.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

std::string item(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

std::string wrongness(const TestedKernel &tested,
                      AliasMode alias = AliasMode::Check) {
  StepResult wrong = verifyOrder(tested.kernel, alias);
  return wrong ? wrong->message : "";
}

void expectPart(const std::string &message, const std::string &part) {
  EXPECT_NE(message.find(part), std::string::npos) << "was: " << message;
}

/// The model of the mapped kernel, to be changed.
KernelModel &openModel(TestedKernel &tested) {
  auto copy = std::make_shared<KernelModel>(*tested.kernel.model);
  tested.kernel.ownModel = copy;
  tested.kernel.model = copy.get();
  return *copy;
}

Access &writeOf(KernelModel &model, const std::string &array) {
  for (Access &access : model.accesses)
    if (access.isWrite && model.arrays[access.array].name == array)
      return access;
  ADD_FAILURE() << "no write of " << array;
  return model.accesses.front();
}

TEST(VerifyMappedTest, IterationsThatDoNotMeet) {
  for (const std::string &body :
       {std::string("for (int k = 0; k < n; k++) r[i * n + k] = s[i * n + k];"),
        std::string("float x = s[i];\na[i] = x;\n"
                    "for (int k = 2; k < n; k++) r[i * n + k] = x;\n"
                    "b[i] = x;"),
        std::string("for (int t = 0; t < 3; t++)\n"
                    "  for (int k = 0; k < n; k++)\n"
                    "    r[i * n + k] += s[t * n + k];")}) {
    TestedKernel tested(item(body));
    ASSERT_EQ(tested.apply("map k").message, "") << body;
    EXPECT_EQ(wrongness(tested), "") << body;
  }
}

TEST(VerifyMappedTest, CellsOfTwoIterations) {
  TestedKernel tested(
      item("for (int k = 0; k < n; k++) r[i * n + k] = s[i * n + k];"));
  ASSERT_EQ(tested.apply("map k").message, "");
  KernelModel &model = openModel(tested);
  Access &write = writeOf(model, "r");
  // All iterations of a work-item write its first cell.
  isl::map first(write.relation.ctx(),
                 "[n] -> { S0[w, k] -> A[w, 0] : 0 <= w and 0 <= k < n }");
  first = isl::manage(isl_map_set_tuple_id(
      first.release(), isl_dim_in,
      isl_map_get_tuple_id(write.relation.get(), isl_dim_in)));
  write.relation = isl::manage(isl_map_set_tuple_id(
      first.release(), isl_dim_out,
      isl_map_get_tuple_id(write.relation.get(), isl_dim_out)));
  expectPart(wrongness(tested), "'r' at line 5");
}

TEST(VerifyMappedTest, BuffersThatMayOverlap) {
  TestedKernel tested(
      item("for (int k = 0; k < n; k++) a[i * n + k] = b[i * n + k];"));
  ASSERT_EQ(tested.apply("map k").message, "");
  EXPECT_EQ(wrongness(tested), "");
  tested.kernel.disjointArrays.clear();
  expectPart(wrongness(tested), "the order is not kept");
  EXPECT_EQ(wrongness(tested, AliasMode::None), "");
}

TEST(VerifyMappedTest, RegistersThatIterationsOverwrite) {
  const std::string source = item("for (int k = 0; k < n; k++) {\n"
                                  "  r[i] = s[i * n + k];\n"
                                  "  a[i * n + k] = r[i] * 2;\n"
                                  "}");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("privatize r\nmap k").message, "");
  EXPECT_EQ(wrongness(tested), "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  ArrayTile &copy = tested.kernel.tiles[0];
  isl::set last = *copy.outDomain;
  // Every iteration stores.
  copy.outDomain = isl::manage(isl_set_set_tuple_id(
      isl_set_from_union_set(isl_union_set_read_from_str(
          last.ctx().get(), "[n] -> { C[w, k, c] : 0 <= k < n and c = 0 }")),
      isl_set_get_tuple_id(last.get())));
  expectPart(wrongness(tested), "iterations of 'k' share cells of 'r'");
  // No iteration does.
  copy.outDomain = last.subtract(last);
  expectPart(wrongness(tested), "the last value of 'r' is not stored");
  // The first one does.
  copy.outDomain = isl::manage(isl_set_set_tuple_id(
      isl_set_from_union_set(isl_union_set_read_from_str(
          last.ctx().get(), "[n] -> { C[w, 0, 0] : n > 0 }")),
      isl_set_get_tuple_id(last.get())));
  expectPart(wrongness(tested), "the last value of 'r' is not stored");
}

TEST(VerifyMappedTest, ValuesFromBeforeTheLoop) {
  TestedKernel tested(item("float x = s[i];\n"
                           "for (int k = 0; k < n; k++) r[i * n + k] = x;"));
  ASSERT_EQ(tested.apply("map k").message, "");
  EXPECT_EQ(wrongness(tested), "");
  // Only the first iteration sets x.
  KernelModel &model = openModel(tested);
  for (Statement &statement : model.statements)
    if (statement.loops.empty() && statement.stmt &&
        statement.stmt->kind == StmtKind::Decl && statement.stmt->var &&
        statement.stmt->var->name == "x")
      statement.domain = isl::manage(
          isl_set_fix_si(statement.domain.release(), isl_dim_set, 1, 0));
  expectPart(wrongness(tested), "a value of 'x' leaves its iteration");
}

TEST(VerifyMappedTest, ValuesOfOtherIterations) {
  TestedKernel tested(item("float x;\n"
                           "for (int k = 0; k < n; k++) {\n"
                           "  x = s[i * n + k];\n"
                           "  r[i * n + k] = x;\n"
                           "}"));
  ASSERT_EQ(tested.apply("map k").message, "");
  EXPECT_EQ(wrongness(tested), "");
  // Perhaps x keeps its value.
  writeOf(openModel(tested), "x").isExact = false;
  expectPart(wrongness(tested), "a value of 'x' leaves its iteration");
}

/// Loops of all work-items together are in no tree.
TEST(VerifyMappedTest, StatementsInLaunchedLoops) {
  TestedKernel tested(
      kernelOf("float x;\n"
               "for (int i = get_global_id(0); i < n; i += get_global_size(0)) "
               "{\n  x = 0;\n"
               "  for (int k = 0; k < n; k++) if (k != i) x += s[k];\n"
               "  r[i] = x;\n}"));
  ASSERT_EQ(tested.apply("vectorize i:4").message, "");
  ASSERT_FALSE(tested.kernel.model->ndrange.mapped.empty());
  EXPECT_EQ(wrongness(tested), "");
  // Perhaps x keeps the value of the iteration before.
  writeOf(openModel(tested), "x").isExact = false;
  expectPart(wrongness(tested), "a value of 'x' leaves its iteration");
}

/// What an iteration declares ends with it.
TEST(VerifyMappedTest, VariablesOfLaunchedLoops) {
  TestedKernel tested(kernelOf(
      "for (int i = get_global_id(0); i < n; i += get_global_size(0)) "
      "{\n  int end = s[i] > 0 ? 8 : i;\n"
      "  float x = 0;\n"
      "  for (int k = end; k < n; k++) { x += s[k]; if (x > 9) break; }"
      "\n  r[i] = x;\n}"));
  ASSERT_EQ(tested.apply("coarsen w0:3").message, "");
  ASSERT_FALSE(tested.kernel.model->ndrange.mapped.empty());
  EXPECT_EQ(wrongness(tested), "");
  // As if each iteration perhaps kept what the one before left in x.
  writeOf(openModel(tested), "x").isExact = false;
  EXPECT_EQ(wrongness(tested), "");
}

/// The first part of a loop's head is a statement of its own, which the tree of
/// the program does not have.
TEST(VerifyMappedTest, HeadsInLaunchedLoops) {
  TestedKernel tested(
      kernelOf("for (int i = get_global_id(0); i < n; i += get_global_size(0)) "
               "{\n  int x = i & 31, k = 0;\n"
               "  for (k = 1, x++; k < 6; k++) r[6 * i + k] = x;\n}"));
  ASSERT_EQ(tested.apply("coarsen w0:4").message, "");
  ASSERT_FALSE(tested.kernel.model->ndrange.mapped.empty());
  EXPECT_EQ(wrongness(tested), "");
}

/// Rows are not in the loop over columns, whichever of the two dimensions they
/// are, and outer iterations come first.
TEST(VerifyMappedTest, StatementsBetweenLaunchedLoops) {
  for (const char *declared : {"", "int "}) {
    std::string before = *declared ? "" : "int row;\n";
    TestedKernel tested(kernelOf(
        before +
        "for (int y = get_global_id(1); y < n; y += get_global_size(1)) {\n  " +
        declared +
        "row = y * n;\n"
        "  for (int x = get_global_id(0); x < n; x += get_global_size(0))\n"
        "    r[row + x] = s[row + x];\n}"));
    ASSERT_EQ(tested.apply("vectorize x:4").message, "");
    ASSERT_EQ(tested.kernel.model->ndrange.mapped.size(), 2u);
    EXPECT_EQ(wrongness(tested), "") << before;
    writeOf(openModel(tested), "row").isExact = false;
    if (*declared)
      EXPECT_EQ(wrongness(tested), "");
    else
      expectPart(wrongness(tested), "a value of 'row' leaves its iteration");
  }
}

} // namespace
