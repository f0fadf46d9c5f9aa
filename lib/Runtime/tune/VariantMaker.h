//===- VariantMaker.h - recipes made into texts ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search asks of clopt, a process each time: the planner's recipe, the
// recipes around another, and the text that a recipe makes. The text is
// validated as always before it is run. Tested by test/lit/tune.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_TUNE_VARIANTMAKER_H
#define CLOPT_RUNTIME_TUNE_VARIANTMAKER_H

#include "Runtime/JsonDocument.h"
#include "Runtime/Process.h"
#include "Runtime/Verify.h"
#include "Runtime/tune/TuneResults.h"
#include "Runtime/tune/TuneStrategy.h"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace clopt::runtime {

/// Names of files; empty: there is none.
struct MadeVariant {
  std::string text, plan;
};

class VariantMaker : public CandidateSource {
public:
  /// For one kernel of options.kernelFile with these flags. Each process gets
  /// so much time.
  VariantMaker(const VerifyOptions &what, std::string kernelName,
               std::vector<std::string> buildFlags,
               std::chrono::milliseconds limit);

  /// What the planner does. Fills source, flags, kernel and target of the
  /// subject. Throws Error when the file has errors.
  Steps plan(TuneSubject &subject);

  const CandidateNeighbours &neighbours(const Steps &steps) override;

  /// Makes the text, and with VerifyOptions::isPlanned a launch plan with the
  /// result's group; or says in `result` why they cannot be made. The next call
  /// overwrites the files.
  MadeVariant make(TuneResult &result);

private:
  ProcessResult ask(const std::vector<std::string> &arguments) const;
  std::string writeRecipe(const Steps &steps) const;

  VerifyOptions options;
  const std::string kernel;
  const std::vector<std::string> flags;
  const std::chrono::milliseconds timeLimit;
  const TemporaryFolder folder;
  std::map<std::string, CandidateNeighbours> known; ///< by recipe
  std::string planSteps; ///< what the planner does in kernels of the plan
};

/// The number of dimensions that the variant of the plan launches the kernel
/// in; 0 where it is the application's NDRange.
std::size_t dimensionsIn(const std::string &planFile, const std::string &kernel,
                         const std::string &variant);

/// The first line of a program's output that is an error, without its head; or
/// how it ended.
std::string complaintOf(const ProcessResult &process);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_TUNE_VARIANTMAKER_H
