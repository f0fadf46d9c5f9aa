//===- Options.h - what a caller may ask of clopt ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_OPTIONS_H
#define CLOPT_OPTIONS_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// What the optimizer may assume of buffers that could overlap.
enum class AliasMode {
  Check, ///< optimized code runs behind a run-time check of the footprints
  None,  ///< the user promises that buffers do not overlap
  Strict ///< never assume; steps that would need it are refused
};

/// How much of what is written is run beside the original before it leaves.
enum class ValidateMode {
  Off,
  Fast, ///< a limited number of steps per kernel
  Full  ///< more launches, and a second check of every step with PPL
};

/// Everything that decides the output, apart from the source itself.
struct Options {
  /// Flags of clBuildProgram: -D, -I, -cl-std=, -cl-*.
  std::vector<std::string> buildFlags;
  /// Name of a built-in profile ("generic-gpu", "nvidia-hopper", "cpu") or a
  /// path of a profile in JSON.
  std::string target = "generic-gpu";
  AliasMode alias = AliasMode::Check;
  /// Local size of the launch in work-items, when the user promises it.
  std::optional<std::array<unsigned, 3>> localSize;
  /// Text of a recipe that replaces the planner's, and its name for messages.
  std::optional<std::string> recipe;
  std::string recipeName = "<recipe>";
  /// Steps of the recipe that are refused are left out, with a remark, and what
  /// cannot be written stays as it was. Otherwise both are errors.
  bool skipRefused = false;
  /// Use what the planner finds for launches that are too small for it, too.
  bool everyLaunch = false;
  /// Only analyse: no recipe is made and the text comes back unchanged.
  bool analyzeOnly = false;
  /// Also fill Result::modelDump.
  bool dumpModel = false;
  /// Also fill Result::stepDump, after these steps or after all.
  std::vector<std::string> printAfter;
  bool printAfterAll = false;
  /// Also fill Result::treeDump and Result::astDump.
  bool dumpTree = false;
  bool dumpAst = false;
  /// Also fill Result::plan, and write kernels for NDRanges of their own.
  bool makePlan = false;
  /// Work-items of their groups along the first and the second dimension, where
  /// the kernel takes any: by kernel, and under the empty name of all others.
  std::map<std::string, std::array<unsigned, 2>> planGroups;
  /// Also fill KernelReport::arrays when only analysing.
  bool dumpPlacement = false;
  /// Also fill KernelReport::prices: of the kernel of this name, or of all
  /// kernels when it is empty.
  std::optional<std::string> explain;
  /// A kernel that is not equal to the original in some launch keeps its text.
  ValidateMode validate = ValidateMode::Fast;
  /// Like ValidateMode::Full, but what is found is an error of the run.
  bool verifyEach = false;
  /// Upper bound on isl operations for the model of a kernel and for each
  /// version of its output; a step of the planner gets an eighth. A million
  /// operations take about a second. 0 means no bound.
  uint64_t operationBudget = 2000000;
  /// Upper bound on the work for the whole file, in seconds that it takes on
  /// some machine. Work is counted, so the result does not depend on a clock;
  /// kernels share it by their sizes. 0 means no bound.
  double timeBudget = 10;
};

} // namespace clopt

#endif // CLOPT_OPTIONS_H
