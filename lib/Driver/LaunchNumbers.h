//===- LaunchNumbers.h - a model in launches whose numbers are known -C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of one NDRange that differ in scalars only, each of which grows by
// the same amount from one to the next. For these numbers isl decides what
// batches (Batch.h), fusion (Fusion.h) and launches in parts
// (TileFootprints.h) ask of accesses.
//
// Tested by test/unit/BatchTest.cpp, test/unit/FusionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_LAUNCHNUMBERS_H
#define CLOPT_DRIVER_LAUNCHNUMBERS_H

#include "Frontend/model/ModelBuilder.h"
#include "clopt/Options.h"
#include "clopt/Result.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/JSON.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// Has the value first + t * step in launch t.
struct LaunchedScalar {
  std::string name;
  int64_t first = 0;
  int64_t step = 0;
};

/// `count` launches.
struct LaunchNumbers {
  int64_t count = 1;
  std::vector<int64_t> global; ///< one to three dimensions
  std::vector<int64_t> local;  ///< as many, or none: NULL
  std::vector<int64_t> offset; ///< as many, or none
  std::vector<LaunchedScalar> scalars;
};

/// What is said of launches of kernels in a file.
struct LaunchAnswer {
  bool ok = false; ///< the file could be read
  std::vector<Diagnostic> diagnostics;
  std::string problem; ///< why it cannot be done; then there is nothing else
};

/// Reads the file; unless there is a `problem` already, `find` goes on.
void answerLaunches(const std::string &path, const std::string &source,
                    const Options &options, const std::string &problem,
                    LaunchAnswer &answer,
                    llvm::function_ref<void(const TranslationUnit &unit)> find);

/// The answer's problem, or what `fill` writes, as JSON.
std::string printAnswer(const LaunchAnswer &answer,
                        llvm::function_ref<void(llvm::json::OStream &)> fill);

/// Why the sizes and scalars are none to calculate with, or empty.
std::string numbersProblem(const LaunchNumbers &numbers);

bool fromJSON(const llvm::json::Value &value, LaunchedScalar &scalar,
              llvm::json::Path path);
/// Reads the NDRange: "global", "local", "offset".
bool mapRange(llvm::json::ObjectMapper &map, LaunchNumbers &numbers);
/// True for a JSON object that has the field.
bool hasJsonField(const std::string &text, const std::string &name);

/// The kernel of that name, or null.
const Function *findKernel(const TranslationUnit &unit,
                           const std::string &name);
/// For a model of the launches: with their groups, work-items as they are.
ModelOptions modelOptionsFor(const LaunchNumbers &numbers,
                             const Options &options);

/// What the numbers say of a model. The model is kept by reference.
class KnownLaunches {
public:
  KnownLaunches(const KernelModel &of, const LaunchNumbers &what);

  /// Why nothing can be said of them, or empty: an assumption of the model does
  /// not hold, or the cells of an array have other places in other launches.
  std::string problem() const;

  /// [params] -> { ... } to [params, launch] -> { ... }: with what is known of
  /// the parameters. The launch is the last one.
  isl::set constrain(const isl::set &set) const;

  /// [params, launch] -> { S[w, i] -> A[s] }, s counted from the array's first
  /// cell. Nothing if that is not known.
  std::optional<isl::map> cells(const Access &access) const;

  /// The number that the polynomial is in all launches, if it is one.
  std::optional<int64_t> numberOf(const Polynomial &poly) const {
    return inLaunches(poly).asConstant();
  }

private:
  std::string shapeProblem(const Array &array) const;
  std::optional<Polynomial> valueOf(const Symbol &symbol) const;
  Polynomial inLaunches(Polynomial poly) const;
  std::optional<std::pair<int64_t, int64_t>>
  alongLaunches(const Polynomial &poly) const;
  bool holds(const Assumption &assumption) const;

  const KernelModel &model;
  const LaunchNumbers numbers;
  const SymbolId launch; ///< of polynomials: the number of the launch
};

/// True for buffers and constants: what a work-item leaves there another one
/// may find.
bool isShared(const KernelModel &model, const Access &access);

/// A name that begins so and occurs nowhere in the text.
std::string nameNotIn(const std::string &text, const std::string &stem);

} // namespace clopt

#endif // CLOPT_DRIVER_LAUNCHNUMBERS_H
