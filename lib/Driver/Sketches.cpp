//===- Sketches.cpp - what launches the kernels of a file suggest ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaunchSkeletonTest.cpp, test/lit/cli/skeleton.test.
//
//===----------------------------------------------------------------------===//

#include "Driver/CallMutex.h"
#include "Driver/TimeBudget.h"
#include "Frontend/clang/ClangParser.h"
#include "Transform/Apply.h"
#include "Validation/LaunchSketch.h"
#include "clopt/Clopt.h"

namespace clopt {

static LaunchSkeleton sketch(const KernelModel &model) {
  std::optional<TransformedKernel> kernel = startTransforming(model);
  if (!kernel) {
    kernel.emplace();
    kernel->model = &model;
  }
  try {
    return sketchLaunch(*kernel);
  } catch (const isl::exception &) {
    LaunchSkeleton skeleton;
    skeleton.kernel = model.function->name;
    skeleton.ruleId = "clopt-budget";
    skeleton.problem = "the analysis exceeded its budget";
    return skeleton;
  }
}

Result sketchLaunches(const std::string &path, const std::string &source,
                      const std::string &kernel, const Options &options) {
  const std::lock_guard<std::mutex> lock(callMutex());
  Result result;
  ParseResult parsed = parseOpenCL(path, source, options.buildFlags);
  result.diagnostics = std::move(parsed.diagnostics);
  if (!parsed.unit)
    return result;
  TimeBudget time(*parsed.unit, options);
  for (const auto &function : parsed.unit->functions) {
    if (!function->isKernel || (!kernel.empty() && function->name != kernel))
      continue;
    time.begin(function->name);
    std::unique_ptr<KernelModel> model =
        time.build(*parsed.unit, *function, true);
    time.limit(*model);
    result.skeletons.push_back(sketch(*model));
    time.finish();
  }
  result.ok = true;
  return result;
}

} // namespace clopt
