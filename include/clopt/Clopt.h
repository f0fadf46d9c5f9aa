//===- Clopt.h - optimize OpenCL C in one call ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clopt::Options options;
//   options.target = "cpu";
//   clopt::Result result = clopt::optimize("mm.cl", source, options);
//   if (result.ok)
//     write(result.output);
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_CLOPT_H
#define CLOPT_CLOPT_H

#include "clopt/Options.h"
#include "clopt/Result.h"

#include <string>

namespace clopt {

/// Optimizes all kernels of one source file. `path` names it in messages and
/// is the base of relative includes; `source` is its text. Never throws, never
/// prints; on failure `ok` is false and `diagnostics` says why.
Result optimize(const std::string &path, const std::string &source,
                const Options &options);

/// Launch specifications that the kernels suggest, or only the one of that name
/// if that is not empty: fills Result::skeletons. The rest is as for optimize;
/// of the options only `buildFlags` and the budgets matter.
Result sketchLaunches(const std::string &path, const std::string &source,
                      const std::string &kernel, const Options &options);

/// What clopt prints of a result: warnings and errors with the line of the
/// source, and those remarks that a comment does not silence.
std::string messages(const std::string &path, const std::string &source,
                     const Result &result);

/// The report that `clopt --report=FILE.json` writes of a result; with the
/// findings of `clopt check` when it was only analysed. docs/report.md has the
/// format.
std::string reportJson(const std::string &path, const std::string &source,
                       const Options &options, const Result &result);

} // namespace clopt

#endif // CLOPT_CLOPT_H
