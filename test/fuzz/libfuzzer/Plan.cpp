//===- Plan.cpp - any text as a launch plan -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan that can be read is printed and read again, becomes a launcher, and
// gets numbers for a launch.
//
//===----------------------------------------------------------------------===//

#include "Fuzzing.h"

#include "Plan/CompiledPlan.h"
#include "clopt/LaunchPlan.h"

using namespace clopt;

static std::vector<GivenArgument> argumentsOf(const PlanKernel &kernel) {
  std::vector<GivenArgument> arguments(kernel.parameters.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    GivenArgument &argument = arguments[i];
    argument.isSet = true;
    argument.size = kernel.parameters[i].bytes % 256;
    argument.bytes.assign(argument.size, static_cast<std::uint8_t>(7 * i));
    argument.address = (i + 1) << 44;
    argument.bufferBytes = 1 << 20;
  }
  return arguments;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  LaunchPlan plan, again;
  LaunchPlanError error;
  if (!parseLaunchPlan(text, plan, error)) {
    demand(!error.message.empty(), "a refusal without a message");
    return 0;
  }
  const std::string printed = printLaunchPlan(plan);
  demand(parseLaunchPlan(printed, again, error) &&
             printLaunchPlan(again) == printed,
         "a plan that is printed and read is another one");
  demand(!printLauncher(plan, "launch.h").empty(), "no launcher");
  RequestedRange range;
  range.dimensions = 2;
  range.global = {24, 8, 1};
  const CompiledPlan compiled(plan);
  for (const PlanKernel &kernel : compiled.plan().kernels)
    if (const auto *variants = compiled.variants(kernel.name)) {
      const PlanScope scope(kernel, range, argumentsOf(kernel),
                            integerMacros(compiled.plan().buildFlags));
      for (const CompiledVariant &variant : *variants)
        scope.resolve(variant);
    }
  return 0;
}
