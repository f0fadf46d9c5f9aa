//===- KeptCellsTest.cpp - several copies of one array --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

/// So many copies in registers, and an order that is right to an eye that knows
/// nothing of the steps.
static void expectCopies(const std::string &source, const std::string &steps,
                         size_t count) {
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply(steps).message, "") << source << steps;
  EXPECT_EQ(tested.kernel.tiles.size(), count) << source;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_FALSE(wrong) << source << steps << wrong->message;
}

TEST(KeptCellsTest, EachLoopHasItsOwn) {
  // Too many cells for the whole work-item; a loop has one.
  const std::string source = item("for (int k = 0; k < n; k++)\n"
                                  "  for (int j = 0; j < n; j++)\n"
                                  "    r[i * n + k] += s[j];\n"
                                  "for (int l = 0; l < n; l++)\n"
                                  "  for (int m2 = 0; m2 < n; m2++)\n"
                                  "    r[i * n + l] += s[m2];");
  expectCopies(source, "privatize r\nprivatize r", 2);
  expectRefused(source, "privatize r\nprivatize r\nprivatize r",
                "clopt-not-profitable", "no access to 'r' goes to memory");
}

TEST(KeptCellsTest, WhatNothingWritesMayBeCopiedAnywhere) {
  const std::string source = item("float t = 0;\n"
                                  "for (int k = 0; k < n; k++)\n"
                                  "  t += r[k] * r[k + 1] + r[n + i];\n"
                                  "s[i] = t;");
  expectTaken(source, "tile k:8\nstage r private\nprivatize s");
  expectTaken(source, "hoist r\ntile k:8");
}

TEST(KeptCellsTest, WhatIsWrittenHasOneCopyAtATime) {
  // The load in front of the inner loop would miss what the registers have.
  const std::string source = item("for (int k = 0; k < n; k++) {\n"
                                  "  for (int j = 0; j < n; j++)\n"
                                  "    s[j] = r[i] * r[i];\n"
                                  "  r[i] = k;\n"
                                  "}");
  expectRefused(source, "hoist r\nprivatize r", "clopt-dependence",
                "'r' is written, and other accesses to it have a copy");
}

/// Registers over the whole work-item and sections for tiles are in one list.
TEST(KeptCellsTest, AnAccessGoesToOneTileOrToMemory) {
  TestedKernel tested(item("float t = 0;\n"
                           "for (int k = 0; k < n; k++)\n"
                           "  t += r[k] * r[k + 1] + p[n + i];\n"
                           "s[i] += t;"));
  ASSERT_EQ(tested.apply("tile k:8\nstage r private\nprivatize s").message, "");
  const TransformedKernel &kernel = tested.kernel;
  ASSERT_EQ(kernel.tiles.size(), 2u);
  for (const Access &access : kernel.model->accesses) {
    const std::string &name = kernel.model->arrays[access.array].name;
    std::optional<unsigned> tile = kernel.tileOf(access.id);
    ASSERT_EQ(tile.has_value(), name == "r" || name == "s") << name;
    if (!tile)
      continue;
    EXPECT_EQ(kernel.tiles[*tile].inTree, name == "s");
    EXPECT_TRUE(kernel.tiles[*tile].isPrivate());
    EXPECT_EQ(kernel.registersOf(access.id) != nullptr, name == "s");
  }
  EXPECT_EQ(kernel.sections().begin()->cells(kernel), 9);
  EXPECT_EQ(kernel.registers().begin()->cells(kernel), 1);
}
