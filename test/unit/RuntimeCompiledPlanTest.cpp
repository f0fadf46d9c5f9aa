//===- RuntimeCompiledPlanTest.cpp - numbers for launch plans -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimePlanTesting.h"

#include "Plan/CompiledPlan.h"

#include <cstring>

using namespace clopt;
using namespace clopt::runtime;

static LaunchPlan readPlan(const std::string &text) {
  LaunchPlan plan;
  LaunchPlanError error;
  EXPECT_TRUE(parseLaunchPlan(text, plan, error)) << error.message;
  return plan;
}

static std::vector<GivenArgument> argumentsFor(int n) {
  std::vector<GivenArgument> arguments(3);
  arguments[0].address = 1ull << 44;
  arguments[1].address = 2ull << 44;
  arguments[2].bytes.resize(4);
  std::memcpy(arguments[2].bytes.data(), &n, 4);
  return arguments;
}

TEST(RuntimeCompiledPlanTest, SizesComeFromTheArguments) {
  const CompiledPlan compiled(readPlan(planWith(transposedVariant("n > 3"))));
  const PlanKernel &kernel = *compiled.plan().find("add");
  const std::vector<CompiledVariant> &variants = *compiled.variants("add");
  ASSERT_EQ(variants.size(), 2u);
  EXPECT_EQ(compiled.variants("other"), nullptr);
  RequestedRange range;
  range.dimensions = 2;
  range.global = {5, 5, 1};
  const PlanScope scope(kernel, range, argumentsFor(5), {});
  std::optional<ResolvedVariant> resolved = scope.resolve(variants[0]);
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->bufferBytes, std::vector<std::size_t>{100});
  EXPECT_EQ(resolved->launch.range.global[0], 32u);
  EXPECT_EQ(resolved->launch.groupItems(), 8u);
  EXPECT_EQ(resolved->launch.values[3],
            (std::vector<std::uint8_t>{25, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(resolved->before[0].range.dimensions, 2u);
  EXPECT_EQ(resolved->before[0].groupItems(), 0u);
  EXPECT_EQ(scope.held(variants[0]), 1u);
  const PlanScope refused(kernel, range, argumentsFor(3), {});
  EXPECT_FALSE(refused.resolve(variants[0]));
  EXPECT_EQ(refused.held(variants[0]), 0u);
  // The last variant launches what was asked for.
  resolved = scope.resolve(variants[1]);
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->launch.range.global, range.global);
}

TEST(RuntimeCompiledPlanTest, SizesWithoutAValueFailTheVariant) {
  for (const char *size : {"n - 100", "n / 0", "a", "(long)n << 50"}) {
    std::string variant = transposedVariant("1");
    const std::string from = "roundup(n * n, 8)";
    variant.replace(variant.find(from), from.size(), size);
    const CompiledPlan compiled(readPlan(planWith(variant)));
    EXPECT_FALSE(PlanScope(*compiled.plan().find("add"), RequestedRange(),
                           argumentsFor(5), {})
                     .resolve(compiled.variants("add")->front()))
        << size;
  }
}

TEST(RuntimeCompiledPlanTest, AddressesKeepOrigins) {
  const int first = 0, second = 0;
  const std::vector<std::uint64_t> addresses =
      planAddresses({{&first, 0}, {&second, 128}, {&first, 256}, {nullptr, 0}});
  EXPECT_EQ(addresses[2] - addresses[0], 256u);
  EXPECT_GT(addresses[1], addresses[2] + (1ull << 40));
  EXPECT_EQ(addresses[3], 0u);
}

TEST(RuntimeCompiledPlanTest, MacrosComeFromTheFlags) {
  const PlanNames names = integerMacros(splitOptions(
      "-DA -D B=3 -DC=\"(1 + 2)\" -DS=1+2 -DT=float -I x -DA=7 -DH=0x10"));
  EXPECT_EQ(names.at("A").bits, 7u);
  EXPECT_EQ(names.at("B").bits, 3u);
  EXPECT_EQ(names.at("C").bits, 3u);
  EXPECT_EQ(names.at("H").bits, 16u);
  EXPECT_EQ(names.count("T"), 0u);
  // Operators of the kernel beside it take a part of the sum.
  EXPECT_EQ(names.count("S"), 0u);
}
