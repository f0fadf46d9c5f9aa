//===- Coalescing.h - what a request of neighbouring items costs -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ideal access of Chen and Wu (section 3.1): neighbouring work-items (2),
// at the same time (1), touch neighbouring cells (3), and the first of them
// the start of a row (4). Decided exactly from the set of differences
// A(y) - A(x) over all neighbours x, y that both execute the access.
//
// Tested by test/unit/CoalescingTest.cpp, test/oracle/CoalescingOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_COALESCING_H
#define CLOPT_ANALYSIS_COALESCING_H

#include "Model/KernelModel.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

struct Coalescing {
  enum class Verdict {
    Contiguous,   ///< neighbours touch neighbouring cells, in order
    Broadcast,    ///< neighbours touch the same cell
    Nearby,       ///< some neighbours the same cell, some the next one
    Strided,      ///< neighbours are `stride` elements apart
    Irregular,    ///< the distance differs from neighbour to neighbour
    NoNeighbours, ///< no two neighbours execute the access
    Unknown       ///< the address is not known
  };
  Verdict verdict = Verdict::Unknown;
  /// Elements from one work-item to the next, when it is the same for all.
  std::optional<Polynomial> stride;
  /// Condition 4: the part of the last subscript that all instances share is
  /// zero. Implies that a request is aligned when rows are.
  bool startsRow = false;

  /// Conditions 1 to 4.
  bool isIdeal() const { return verdict == Verdict::Contiguous && startsRow; }
  /// One request has no more to fetch than the cells that are used.
  bool isCoalesced() const {
    return verdict != Verdict::Strided && verdict != Verdict::Irregular &&
           verdict != Verdict::Unknown;
  }
};

/// The verdict on `access` for neighbours along `axis`, the symbol of a global
/// or local id.
/// `neighboursRun` is the answer of hasNeighbours for its statement, for those
/// who ask about many accesses.
Coalescing analyzeCoalescing(const KernelModel &model, const Access &access,
                             SymbolId axis,
                             std::optional<bool> neighboursRun = std::nullopt);

/// True when two neighbours along `axis` execute the statement at the same
/// time.
bool hasNeighbours(const KernelModel &model, const Statement &statement,
                   SymbolId axis);

/// Segments that one request of neighbouring work-items touches.
struct TransactionCount {
  /// Fewest and most over all requests of full lane groups, when the buffer
  /// is aligned to a segment and lane groups start at multiples of the lane
  /// count. Zero when nothing is known.
  unsigned best = 0, worst = 0;
  /// Segments that the distinct bytes would fill if they lay side by side.
  unsigned ideal = 0;
  /// Both ends are reached. Otherwise `worst` is a bound and `best` supposes
  /// that lanes whose distance is not known share no segment.
  bool isExact = false;
  std::string reason; ///< why it is not exact
  /// A request with `best` segments: the byte of each lane, counted from where
  /// a segment begins. Empty when their distances are not known.
  std::vector<int64_t> addresses;
};

TransactionCount countTransactions(const KernelModel &model,
                                   const Access &access, SymbolId axis,
                                   unsigned lanes, unsigned segmentBytes);

/// Segments of `segmentBytes` that accesses of `accessBytes` at the given byte
/// addresses touch together.
unsigned countSegments(const std::vector<int64_t> &addresses,
                       unsigned accessBytes, unsigned segmentBytes);

} // namespace clopt

#endif // CLOPT_ANALYSIS_COALESCING_H
