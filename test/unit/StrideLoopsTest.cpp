//===- StrideLoopsTest.cpp - loops over every n-th element ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/StrideLoops.h"

#include "KernelTesting.h"
#include "Model/ExprPrinter.h"

using namespace clopt;

/// The loops of a kernel with these statements, by name.
static std::vector<std::string> namesIn(const std::string &body) {
  TestedKernel tested(kernelOf(body));
  std::vector<std::string> names;
  for (const auto &[name, statement] : strideLoops(*tested.model))
    names.push_back(name);
  return names;
}

using Names = std::vector<std::string>;

TEST(StrideLoopsTest, StepsOfTheLaunch) {
  EXPECT_EQ(namesIn("float x = 0; for (int i = get_global_id(0); i < n; "
                    "i += get_global_size(0)) x += a[i]; b[0] = x;"),
            Names({"i"}));
  EXPECT_EQ(namesIn("float x = 0; uint i = get_local_id(0); uint g = "
                    "get_local_size(0); while (i < (uint)n) { x += a[i]; i = g "
                    "+ i; } b[0] = x;"),
            Names({"i"}));
  EXPECT_EQ(namesIn("float x = 0; for (ulong i = get_global_id(0); m > i; i += "
                    "get_global_size(0)) x += a[i]; b[0] = x;"),
            Names({"i"}));
}

TEST(StrideLoopsTest, MemoryThatIsWrittenIsKnown) {
  TestedKernel tested(
      kernelOf("__local float t[8]; float x = 0;\n"
               "__global float *q = a + m;\n"
               "for (int i = get_global_id(0); i < n; i += "
               "get_global_size(0)) { t[i % 8] += b[i]; q[i] = x; }"));
  const auto loops = strideLoops(*tested.model);
  ASSERT_EQ(loops.size(), 1u);
  const StrideLoop loop =
      *readStrideLoop(*tested.model->statements[loops[0].second].stmt);
  std::map<std::string, const Variable *> variables;
  for (const auto &variable : tested.model->function->variables)
    variables[variable->name] = variable.get();
  for (const Variable *param : tested.model->function->params)
    variables[param->name] = param;
  EXPECT_EQ(loop.written,
            (std::set<const Variable *>{variables.at("t"), variables.at("q")}));
  auto apart = [&](const char *one, const char *other) {
    return liesApart(*tested.model, *variables.at(one), *variables.at(other));
  };
  EXPECT_TRUE(apart("t", "b"));
  EXPECT_FALSE(apart("a", "b")); // nothing promises it
  // A pointer that the kernel sets is a variable of its own, and may point
  // anywhere.
  EXPECT_FALSE(apart("q", "a"));
  EXPECT_FALSE(apart("q", "b"));
  EXPECT_FALSE(apart("a", "a"));
}

TEST(StrideLoopsTest, HeadsThatAreNone) {
  // The bound moves, the loop is left, what is written is not known, the step
  // is data.
  EXPECT_EQ(
      namesIn("float x = 0; for (int i = get_global_id(0); i < n; "
              "i += get_global_size(0)) { x += a[i]; n -= 1; } b[0] = x;"),
      Names());
  EXPECT_EQ(namesIn("float x = 0; for (int i = get_global_id(0); i < n; "
                    "i += get_global_size(0)) { x += a[i]; if (x > 9) break; } "
                    "b[0] = x;"),
            Names());
  EXPECT_EQ(namesIn("float x = 0; for (int i = get_global_id(0); i < n; "
                    "i += get_global_size(0)) { x += a[i]; *(b + i) = x; }"),
            Names());
  EXPECT_EQ(namesIn("float x = 0; for (int i = get_global_id(0); i < n; "
                    "i += get_global_size(0)) { x += a[i]; b[i] = x; b++; }"),
            Names());
  EXPECT_EQ(namesIn("float x = 0; for (int i = get_global_id(0); i < n; "
                    "i += p[0]) x += a[i]; b[0] = x;"),
            Names());
  EXPECT_EQ(namesIn("float x = 0; for (int i = get_global_id(0); i <= n; "
                    "i += get_global_size(0)) x += a[i]; b[0] = x;"),
            Names());
}

namespace {

/// The first loop of the kernel.
struct FirstLoop {
  explicit FirstLoop(const std::string &body) : tested(kernelOf(body)) {
    statement = strideLoops(*tested.model).at(0).second;
    loop = *readStrideLoop(*tested.model->statements[statement].stmt);
  }
  const Function &function() const { return *tested.model->function; }
  TestedKernel tested;
  unsigned statement = 0;
  StrideLoop loop;
};

} // namespace

static GroupValue firstOf(const std::string &first,
                          const std::string &type = "uint") {
  FirstLoop found("float x = 0; for (" + type + " i = " + first + "; i < (" +
                  type + ")n; i += get_global_size(0)) x += a[i]; b[0] = x;");
  return GroupValues(found.function()).ofFirst(found.loop);
}

TEST(StrideLoopsTest, FirstValuesAreThePosition) {
  EXPECT_EQ(firstOf("get_global_id(0)"), GroupValue::Position);
  EXPECT_EQ(firstOf("get_global_id(0) + 3"), GroupValue::Position);
  EXPECT_EQ(firstOf("get_group_id(0) * 2 * get_local_size(0) + "
                    "get_local_id(0)"),
            GroupValue::Position);
  EXPECT_EQ(firstOf("m * get_group_id(0)"), GroupValue::Same);
  EXPECT_EQ(firstOf("2 * get_global_id(0)"), GroupValue::Other);
  EXPECT_EQ(firstOf("get_global_id(1)"), GroupValue::Other);
  EXPECT_EQ(firstOf("m - get_global_id(0)"), GroupValue::Other);
  EXPECT_EQ(firstOf("p[0] + get_global_id(0)"), GroupValue::Other);
  // 32 bits wrap between two work-items where 64 do not.
  EXPECT_EQ(firstOf("(uint)get_global_id(0)", "ulong"), GroupValue::Other);
  EXPECT_EQ(firstOf("get_global_id(0)", "ulong"), GroupValue::Position);
}

TEST(StrideLoopsTest, VariablesHaveOneValue) {
  FirstLoop found("float x = 0; uint g = get_local_size(0) * 2; uint h = m; "
                  "if (n > 3) h = 4; uint i = get_global_id(0); while (i < "
                  "(uint)n) { x += a[i]; i += g; } b[h] = x;");
  GroupValues values(found.function());
  EXPECT_EQ(values.ofFirst(found.loop), GroupValue::Position);
  EXPECT_EQ(values.of(found.loop.step, 4), GroupValue::Same);
  EXPECT_EQ(printExpr(values.atEntry(found.loop.step)),
            "(uint)(get_local_size(0) * 2)");
  EXPECT_EQ(printExpr(values.atEntry(found.loop.bound)), "(uint)n");
}

TEST(StrideLoopsTest, WhatAllWorkItemsRun) {
  const std::string loop = "for (uint i = get_global_id(0); i < (uint)n; i += "
                           "get_global_size(0)) x += a[i];";
  FirstLoop plain("float x = 0; { " + loop + " } b[0] = x;");
  EXPECT_TRUE(isRunByAll(
      plain.function(), *plain.tested.model->statements[plain.statement].stmt));
  FirstLoop chosen("float x = 0; if (get_local_id(0) > 3) " + loop +
                   " b[0] = x;");
  EXPECT_FALSE(
      isRunByAll(chosen.function(),
                 *chosen.tested.model->statements[chosen.statement].stmt));
  FirstLoop left("if (get_local_id(0) > 3) return; float x = 0; " + loop +
                 " b[0] = x;");
  EXPECT_FALSE(isRunByAll(left.function(),
                          *left.tested.model->statements[left.statement].stmt));
}
