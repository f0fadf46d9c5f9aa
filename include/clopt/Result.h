//===- Result.h - what clopt gives back -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RESULT_H
#define CLOPT_RESULT_H

#include "clopt/LaunchPlan.h"
#include "clopt/LaunchSkeleton.h"
#include "clopt/Remark.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// A message in clang's form about the input or the options.
struct Diagnostic {
  enum class Level { Note, Warning, Error };
  Level level = Level::Error;
  SourceRange location; ///< line 0 when it is about no place in a file
  std::string message;
  /// The message as clang printed it, with source line and caret, or empty.
  std::string rendered;
};

/// What the work-items that memory serves together want of it at once: one
/// request of an access to global memory, one part of one to local memory.
struct RequestReport {
  unsigned lanes = 0;     ///< work-items
  unsigned bytes = 0;     ///< that each of them wants
  unsigned unitBytes = 0; ///< of a segment, or of a word of a bank
  unsigned banks = 0;     ///< of local memory; 0: it is in global memory
  /// Of each work-item, in bytes from where a unit begins; empty when the
  /// distances are only known at run time.
  std::vector<int64_t> addresses;
};

/// What is known of one global memory access of a kernel, relative to
/// neighbouring work-items of dimension 0.
struct AccessReport {
  std::string kernel;
  std::string array;
  bool isWrite = false;
  SourceRange location;
  std::string text;        ///< the access as written, "B[k * n + j]"
  std::string subscript;   ///< normalised, "[k][j]" or "unknown"
  std::string elementType; ///< "float"
  /// "forward", "reverse", "offset 2", "skew 1", "stride n", "column",
  /// "broadcast", compositions "column + offset 1", "unpredictable".
  std::string pattern;
  bool isVectorizable = false; ///< in the vectorizable set (P1, Algorithm 1)
  bool isContiguous = false;   ///< neighbours touch neighbouring cells
  bool isBroadcast = false;    ///< neighbours touch the same cell
  /// Segments a request of the target's lanes touches; 0 when unknown.
  unsigned transactions = 0;
  unsigned idealTransactions = 0;
  bool isReadOnly = false, isReused = false, isUniform = false;
  std::optional<RequestReport> request; ///< when `transactions` is known
  /// Rule id when the access is a finding ("clopt-unvectorized-stride"), else
  /// empty.
  std::string ruleId;
  std::string reason; ///< why it is a finding
  std::string hint;   ///< what would help
  bool suppressed = false;
};

/// One array in one kind of memory.
struct MemoryReport {
  std::string memory; ///< "private", "constant", "local", "image", "global"
  bool isPossible = false;
  bool needsHost = false; ///< only with another host program or a launch plan
  /// Bytes it takes: registers per work-item, local memory per work-group, the
  /// whole array in constant memory or an image; 0 when unknown.
  int64_t bytes = 0;
  int64_t clocks = 0; ///< predicted for one work-item; 0 when not predicted
  std::string reason; ///< why not; empty for the best memory
};

/// Which memory suits one array of a kernel.
struct ArrayReport {
  std::string array;
  std::string chosen;       ///< the best memory
  std::string dropIn;       ///< the best one without the host's help
  int64_t clocks = 0;       ///< predicted where the array is now
  int64_t chosenClocks = 0; ///< predicted in the best memory
  std::vector<MemoryReport> memories;
};

/// How a variant of a launch plan was run beside the original.
struct VariantValidation {
  std::string name;
  bool isLeftOut = false; ///< since it was found to be wrong
  unsigned launches = 0;
  unsigned branches = 0, reached = 0; ///< of all its kernels
  std::vector<std::string> missed, skipped;
};

/// How a kernel was run beside the original before it was written.
struct ValidationReport {
  unsigned launches = 0; ///< in which the two were compared
  /// Both ways of every condition in the new body, and those that ran.
  unsigned branches = 0, reached = 0;
  std::vector<std::string> missed;  ///< what did not run, for people
  std::vector<std::string> skipped; ///< why launches were not compared
  /// Those with kernels of their own.
  std::vector<VariantValidation> variants;
};

/// A kernel that validation found wrong, and what is needed to repeat it.
struct Reproducer {
  std::string kernel;
  struct File {
    std::string name; ///< relative, with '/'
    std::string text;
  };
  std::vector<File> files;
};

/// A text and the time that it is predicted to take.
struct PriceReport {
  std::string label;      ///< what is different from the one before
  double nanoseconds = 0; ///< 0: not predicted
  /// What the device is busy with, all at the same time, in nanoseconds.
  std::vector<std::pair<std::string, double>> terms;
  std::string problem; ///< why it is not predicted
};

/// Prices of a kernel in one launch.
struct PriceList {
  std::string launch, problem;
  std::vector<PriceReport> steps;  ///< as written, then after each step
  std::vector<PriceReport> others; ///< recipes around the chosen one
};

/// What was done to one kernel.
struct KernelReport {
  std::string name;
  SourceRange location;
  bool changed = false;
  /// The steps taken, as recipe text; empty when unchanged.
  std::string recipe;
  /// Conditions under which the optimized body runs, for people.
  std::vector<std::string> guards;
  /// Of a changed kernel, or one with variants of its own.
  std::optional<ValidationReport> validation;
  std::vector<AccessReport> accesses;
  std::vector<ArrayReport> arrays; ///< in the order of their declarations
  /// Predicted for one work-item of the original; 0 when not predicted.
  int64_t arithmeticClocks = 0, memoryClocks = 0;
  std::optional<PriceList> prices; ///< when asked for
  /// The order of its statements, as --dump-tree prints it; of the result only
  /// when it was changed.
  std::string orderBefore, orderAfter;
};

struct Result {
  bool ok = false;
  /// The optimized source; equal to the input when nothing was changed.
  std::string output;
  std::vector<KernelReport> kernels;
  std::vector<Remark> remarks; ///< in source order
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> dependencies; ///< files read, main file first
  std::string recipe;                  ///< all recipes of the file, replayable
  std::string modelDump;               ///< when asked for
  std::string stepDump;                ///< the kernels after their steps
  std::string treeDump;                ///< the order of every kernel
  std::string astDump;                 ///< the code that is written of it
  std::vector<Reproducer> reproducers; ///< defects of clopt
  std::vector<LaunchSkeleton> skeletons; ///< of sketchLaunches only
  LaunchPlan plan; ///< when asked for; names of the files are the caller's
};

} // namespace clopt

#endif // CLOPT_RESULT_H
