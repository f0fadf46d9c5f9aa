//===- Verify.h - original and optimized kernels side by side --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of launch specifications before and after optimization on an
// OpenCL device, with the same inputs, and compares every byte of every buffer.
// Tested by test/run.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_VERIFY_H
#define CLOPT_RUNTIME_VERIFY_H

#include "Runtime/Compare.h"
#include "Runtime/Launch.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

class Device;

struct VerifyOptions {
  std::string kernelFile;
  std::vector<std::string> specFiles;
  /// What messages call the one on standard input.
  std::string inputName = "<stdin>";
  /// Compared with the original one after the other; none: run clopt.
  std::vector<std::string> optimizedFiles;
  /// A launch plan for the only one of `optimizedFiles`; its variants take the
  /// place of the drop-in kernel.
  std::string planFile;
  bool isPlanned = false; // the same, with the plan that clopt writes
  std::string cloptPath;  // empty: beside this program, or in PATH
  std::vector<std::string> cloptArguments;
  /// Flags of clBuildProgram: those of the project come before those of the
  /// specification, the others behind.
  std::vector<std::string> projectFlags, buildFlags;
  std::string onlyKernel;      // empty: all of the specifications
  bool onlyFirstRange = false; // of each kernel's NDRanges: that of the times
  std::string platform;
  std::string device;
  std::map<std::string, std::vector<std::int64_t>>
      sizes; // replace those of the specs
  std::uint64_t seed = 1;
  unsigned repeat = 5;
  bool takeTimes = true;
  /// Added to the flags when values are compared, not when times are taken.
  /// PoCL 3.1 miscompiles some correct kernels at its default optimization.
  std::string compareFlags = "-cl-opt-disable";
  std::uint64_t toleratedUlp = 0;
  /// Relative; nothing: half of the digits where the flags let sums be
  /// reordered, else none.
  std::optional<double> toleratedRelative;
  /// Guard bands; 0: plain buffers, no protected pages either.
  std::size_t guardBytes = 4096;
  /// Ask which launches run the new body.
  bool countEntries = true;
  /// Larger launches are left out, but for the smallest of a kernel; 0: no
  /// limit.
  std::size_t maxWorkItems = 0;
};

enum class LaunchStatus {
  Equal,
  WithinTolerance, // differs by no more than is tolerated
  Differs,
  GuardOverwritten,
  OutsideAccess, // the optimized kernel touches what the original does not
  NotComparable, // differs, but the original differs from itself as well
  Skipped,       // the device cannot run the original this way
  Failed         // an OpenCL call failed
};

/// True if the status is no fault of the optimized kernel.
bool isGood(LaunchStatus status);
/// True if the launch says something about the optimized kernel.
bool isCompared(LaunchStatus status);
/// "equal", "differs", ...
const char *statusName(LaunchStatus status);

struct BufferResult {
  std::string name;
  BufferDifference difference;
};

struct LaunchResult {
  NDRange range;
  std::string variant; // of the launch plan; empty without one
  LaunchStatus status = LaunchStatus::Equal;
  std::string message; // says more about every status but Equal
  std::vector<BufferResult> differences; // buffers that are not equal
  std::vector<std::string> notes; // what is no fault of the optimized kernel
  std::optional<bool> entered;    // the new body; nothing if that is not known
  std::string
      missing; // the first condition of it that the launch does not meet
  /// The original leaves every byte of every buffer as it was: that both agree
  /// says nothing.
  bool changesNothing = false;
};

/// Medians of the device's own times, in milliseconds.
struct Times {
  double original;
  double optimized; // with a plan: conversions included
  /// The second one ran a new body; nothing if that is not known.
  std::optional<bool> entered;
  std::vector<double> runs = {}; ///< of the optimized one, as they came
  std::string variant = {};      ///< of the launch plan
  double ratio() const { return original / optimized; }
  /// Too short to tell the kernel from what every launch costs.
  bool isShort() const { return original < shortest; }
  static constexpr double shortest = 0.03;
};

/// What came out for one kernel at one point of its sizes. Times are those of
/// the first NDRange.
struct PointResult {
  std::string kernel;
  std::string specFile;
  SizePoint point;
  std::vector<LaunchResult> launches;
  std::optional<Times> times;

  bool good() const;
  /// The first launch that is not good, else the last that is not equal, else
  /// one that is.
  LaunchResult summary() const;
};

/// How many of a kernel's launches were about its new body.
struct KernelCoverage {
  std::string kernel;
  bool isChanged = false;   // it has a body that clopt wrote
  std::size_t launches = 0; // for which it is known
  std::size_t entered = 0;  // that ran the new body
  std::size_t compared = 0; // of these
  /// What the new body needs and no launch has, as in the text.
  std::vector<std::string> missing;
  std::string suggestion;     // a launch that would; empty: none was found
  bool changesNothing = true; // in any of its launches

  bool isMissed() const {
    return isChanged && launches != 0 && (compared == 0 || changesNothing);
  }
};

/// All flags of clBuildProgram for a launch, later ones win.
std::vector<std::string> launchFlags(const VerifyOptions &options,
                                     const KernelSpec &spec,
                                     const Bindings &bindings);
/// The same around the launch's own.
std::vector<std::string> allFlags(const VerifyOptions &options,
                                  const std::vector<std::string> &own);

/// Adds a text that is not there yet.
void addOnce(std::vector<std::string> &texts, const std::string &text);

/// What is going to be compared.
struct PlannedPoint {
  std::string kernel;
  SizePoint point;
};

/// Hears how the work goes on. Everything is called from the thread of
/// verify().
class VerifyObserver {
public:
  virtual ~VerifyObserver() = default;
  virtual void deviceChosen(const Device &device) = 0;
  /// Before all of it: `pointDone` is called for these, or for less.
  virtual void pointsPlanned(const std::vector<PlannedPoint> &) {}
  /// What follows is about this file; only if there are several.
  virtual void fileBegins(const std::string &) {}
  /// Before a step that may take long or, with a broken driver or kernel, never
  /// return.
  virtual void activity(const std::string &what, std::size_t done,
                        std::size_t total) = 0;
  virtual void cloptSaid(const std::string &output) = 0;
  /// Nobody can tell which launches run new bodies. `what` says so in a line,
  /// `log` is what the OpenCL compiler has against the program that would tell.
  virtual void entriesUnknown(const std::string & /*what*/,
                              const std::string & /*log*/) {}
  virtual void pointDone(const PointResult &result) = 0;
  /// After all points of the kernel.
  virtual void kernelDone(const KernelCoverage &) {}
};

/// Throws Error when something other than a launch goes wrong: a file, clopt, a
/// build.
void verify(const VerifyOptions &options, VerifyObserver &observer);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_VERIFY_H
