//===- DeviceProfile.h - what the planner knows of a device -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that decide which steps pay on a device. A profile is data, a
// JSON document: the built-in ones are the files of lib/Target/devices, which
// are compiled in and installed. docs/devices.md says what every number means
// and where the built-in values come from.
//
// Tested by test/unit/DeviceProfileTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TARGET_DEVICEPROFILE_H
#define CLOPT_TARGET_DEVICEPROFILE_H

#include <llvm/Support/Error.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace clopt {

/// Latencies in clocks of one dependent access or operation.
struct Latencies {
  double global = 219;
  /// Of what the cache nearest to a compute unit holds of global memory;
  /// `global` where it holds none.
  double cached = 219;
  double constant = 110;
  /// Of global memory that no cache holds.
  double memory = 438;
  double image = 219;
  double local = 48;
  double alu = 9; ///< a dependent single-precision addition
};

/// One measured copy bandwidth.
struct BandwidthEntry {
  unsigned elementBytes = 0; ///< size of a component: 1 for uchar
  unsigned width = 0;        ///< components per work-item access: 4 for uchar4
  double gigabytesPerSecond = 0; ///< 10^9 bytes read plus written per second
};

/// What a compute unit does in a clock. An instruction is one of `lanes`
/// work-items together.
struct Rates {
  double gigahertz = 1.4;
  double issue = 1;      ///< instructions
  double single = 1;     ///< of these, on numbers of up to 32 bits
  double twice = 0.5;    ///< on doubles
  double special = 0.25; ///< roots, quotients, functions
  double integer = 0.5;  ///< on integers
  double lines = 1;      ///< requests to a cache line, or turns of local memory
  double scattered = 1;  ///< turns of each cache line of a request
  double bytesFromDevice = 32; ///< from the cache of the device
  /// Iterations of an innermost loop that wait for memory together.
  double overlap = 4;
  double fetchBytes = 32; ///< that memory delivers for a segment
  /// Nanoseconds from one group that does nothing to the next, and of a launch.
  double groupNanoseconds = 0.6;
  double launchNanoseconds = 4000;
};

/// What a compute unit holds.
struct Capacity {
  double cacheBytes = 16384;         ///< of the cache nearest to it
  double deviceCacheBytes = 1 << 20; ///< of that of the whole device
  double workItems = 2048;
  double groups = 32;
  double registers = 65536; ///< of 4 bytes
  double localBytes = 65536;
};

struct DeviceProfile {
  std::string name;
  std::string description;

  /// Neighbouring work-items whose accesses form one request.
  unsigned lanes = 32;
  /// Bytes of the smallest piece that memory delivers.
  unsigned segmentBytes = 32;
  /// Bytes of a cache line.
  unsigned lineBytes = 128;

  /// Banks of local memory, bytes each delivers per clock, and how many
  /// work-items are served together.
  unsigned banks = 32;
  unsigned bankBytes = 4;
  unsigned bankLaneGroup = 32;
  /// Accesses wider than a word of a bank are served word by word, each time
  /// for all work-items that are served together. Otherwise they are served
  /// whole, for as many work-items at a time as there are banks for.
  bool bankWordByWord = false;

  uint64_t localMemoryBytes = 32768; ///< per work-group
  /// False where `__local` lies in ordinary memory and staging only copies.
  bool localMemoryIsReal = true;
  uint64_t constantBytes = 65536;
  /// Registers of 4 bytes that a work-item may use before the device runs too
  /// few of them at once (or, on a CPU, spills).
  unsigned registersPerWorkItem = 64;
  unsigned maxGroupSize = 256;
  unsigned computeUnits = 16;
  /// Work-items that one compute unit needs in flight to hide its latencies.
  unsigned itemsPerComputeUnit = 512;
  /// Lanes that take different paths run one after the other.
  bool divergenceCosts = true;

  /// Bytes a work-item should load or store at once.
  unsigned preferredVectorBytes = 16;
  /// Vector arithmetic inside one work-item feeds wider units than scalar code.
  bool vectorizeComputation = false;
  /// An access that is not aligned to its own size costs no more than one that
  /// is.
  bool unalignedIsCheap = false;
  /// mul24 and mad24 are faster than a multiplication of 32 bits.
  bool multiply24IsFast = false;
  /// How virtual work-items go to the launched groups when a kernel needs
  /// fewer of them than were launched: dealt evenly to all groups (true), or
  /// packed into the first groups so that the rest end at once (false).
  bool spreadWorkItems = false;

  /// Outputs one work-item should compute when operands are reused between
  /// them: the product of all coarsening factors.
  unsigned coarsenFactor = 1;
  /// Most of them in one dimension.
  unsigned maxCoarsenPerDimension = 1;
  /// Copies of an innermost loop's body that unrolling should make.
  unsigned unrollFactor = 1;

  std::vector<BandwidthEntry> bandwidth; ///< sorted by element size, width
  Latencies latency;
  Rates rates;
  Capacity capacity;

  /// Predicted copy bandwidth in 10^9 bytes/s for accesses of `width`
  /// components of `elementBytes` bytes: the measured value, else the value
  /// interpolated over bytes per access. Zero when nothing was measured.
  double copyBandwidth(unsigned elementBytes, unsigned width) const;
};

/// Names of the built-in profiles, sorted.
std::vector<std::string> builtinProfileNames();

/// The JSON text of a built-in profile; empty when there is none.
std::string builtinProfileText(const std::string &name);

/// A built-in profile by its name, or the profile in the file at a path. A
/// string that is no built-in name is a path when it holds a '/' or ends in
/// ".json". Errors: an unknown name ("did you mean"), an unreadable file,
/// malformed JSON with line and column, a missing or unknown key, a value of
/// the wrong type or range.
llvm::Expected<DeviceProfile> loadProfile(const std::string &nameOrPath);

/// A profile from its text. `source` names it in errors. A document may name
/// a built-in profile under "base" and then only give what differs.
llvm::Expected<DeviceProfile> parseProfile(const std::string &text,
                                           const std::string &source);

} // namespace clopt

#endif // CLOPT_TARGET_DEVICEPROFILE_H
