//===- SequenceOverlap.h - copies beside kernels ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence with the copies of its buffers as commands. A launch begins when
// what it touches is there, and what is not written again goes back at once;
// launches are cut into parts, so that the first ones begin early. After M.
// Fang's thesis, 2017, 4.7.2. What parts touch comes from `clopt --batch`.
// Tested by test/unit/RuntimeSequenceOverlapTest.cpp and
// test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SEQUENCEOVERLAP_H
#define CLOPT_RUNTIME_SEQUENCEOVERLAP_H

#include "Runtime/SequenceBatches.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace clopt::runtime {

/// Bytes from `first` to before `second`.
using Bytes = std::pair<std::size_t, std::size_t>;

/// Bytes of one buffer, in any number of pieces.
class ByteSet {
public:
  /// The pieces of `bytes` that are not in the set, in order.
  std::vector<Bytes> missing(Bytes bytes) const;
  void add(Bytes bytes);

private:
  std::vector<Bytes> pieces; // apart, in order
};

/// Of one buffer, by a launch or a part of it.
struct TouchedBytes {
  Bytes all{0, 0};     ///< read or written
  Bytes written{0, 0}; ///< may be
};

/// A launch, and what the cells of a grid over its NDRange touch.
struct PartedCall {
  NDRange range;
  /// By dimension: where the cells of the grid end.
  std::vector<std::vector<std::size_t>> ends;
  /// By cell, dimension 0 first, and buffer of the sequence.
  std::vector<std::vector<TouchedBytes>> cells;
  std::string problem; ///< why there is one cell only
};

/// Into how many parts which dimensions of a launch are cut. Two of them: part
/// b is what lies in the b-th band of one and not behind it in the other.
struct Cut {
  std::vector<unsigned> dimensions;
  std::size_t parts = 1;
};

struct CopyCommand {
  enum class Kind { Write, Launch, Read };
  Kind kind = Kind::Launch;
  std::size_t buffer = 0; ///< Write, Read
  Bytes bytes{0, 0};      ///< of it
  std::size_t call = 0;   ///< Launch
  NDRange range;          ///< of it: a part of the call's
  /// Another command, earlier in the list, that has to have ended.
  std::optional<std::size_t> after;
};

/// Copies and launches in the order in which they are enqueued. Those of a kind
/// run in this order. `isWanted` says which buffers the host reads at the end.
std::vector<CopyCommand> planCopies(const std::vector<PartedCall> &calls,
                                    const std::vector<Cut> &cuts,
                                    const std::vector<bool> &isWanted);

/// Milliseconds.
struct CopyCosts {
  double writeByte = 0, readByte = 0;
  std::vector<double> calls; ///< by call, uncut
  double command = 0;        ///< beside its work
};

/// How long the commands take, copies beside launches; with `isOneQueue` one
/// after the other.
double predictCopies(const std::vector<CopyCommand> &commands,
                     const std::vector<PartedCall> &calls,
                     const CopyCosts &costs, bool isOneQueue);

/// The cuts that are predicted to take least, up to 16 parts.
std::vector<Cut> chooseCuts(const std::vector<PartedCall> &calls,
                            const std::vector<bool> &isWanted,
                            const CopyCosts &costs);

/// Every dimension that can be, in so many parts.
std::vector<Cut> cutAll(const std::vector<PartedCall> &calls,
                        std::size_t parts);

/// Asks clopt what the launches touch. Throws Error.
std::vector<PartedCall> findParts(const VerifyOptions &options,
                                  const SequenceSpec &spec,
                                  const BoundSequence &sequence);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SEQUENCEOVERLAP_H
