//===- Pipeline.cpp - the whole order of optimizing a file ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/cli.
//
//===----------------------------------------------------------------------===//

#include "Frontend/ClangParser.h"
#include "clopt/Clopt.h"

using namespace clopt;

Result clopt::optimize(const std::string &path, const std::string &source,
                       const Options &options) {
  Result result;
  ParseResult parsed = parseOpenCL(path, source, options.buildFlags);
  result.diagnostics = std::move(parsed.diagnostics);
  if (!parsed.unit)
    return result;
  result.ok = true;
  result.output = source;
  for (const auto &function : parsed.unit->functions) {
    if (!function->isKernel)
      continue;
    KernelReport kernel;
    kernel.name = function->name;
    kernel.location = function->range;
    result.kernels.push_back(std::move(kernel));
  }
  result.dependencies = parsed.unit->dependencies;
  return result;
}
