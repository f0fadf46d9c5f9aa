//===- BankConflict.h - work-items that wait for one bank -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory is dealt to banks, word by word. Work-items that are served
// together and want different words of one bank are served one after the
// other; the degree of an access is how many turns that takes. It is counted
// by enumerating the work-items of a lane group, for every position that the
// part of the address which they share can have.
//
// Tested by test/unit/BankConflictTest.cpp, test/oracle/BankOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_BANKCONFLICT_H
#define CLOPT_ANALYSIS_BANKCONFLICT_H

#include "Model/TransformedKernel.h"

#include <optional>
#include <vector>

namespace clopt {

/// The local memory of a device, as in DeviceProfile.
struct BankShape {
  unsigned banks = 32;
  unsigned bytes = 4;      ///< of a word; a bank delivers one word at a time
  unsigned laneGroup = 32; ///< work-items that are served together
  /// Wider accesses are served word by word, for the whole lane group.
  bool wordByWord = false;
};

struct BankConflict {
  enum class Kind {
    Known,   ///< `degree` holds
    Varying, ///< linear in the local id, by a factor that changes in a loop
    Unknown
  } kind = Kind::Unknown;
  /// Most turns that one lane group takes: 1 when there is no conflict.
  /// Varying: in the worst round of a tree with strides that double or halve; 0
  /// when the strides are not known.
  unsigned degree = 0;
  /// The same, but all turns of accesses that are served in several parts.
  unsigned turns = 0;
  /// Every lane group takes as many turns. Otherwise some may take fewer.
  bool isExact = false;
  /// Bytes that work-items want together, `accessBytes` at each of these
  /// addresses, which takes `degree` turns. Empty when that is not known.
  std::vector<int64_t> addresses;
  unsigned accessBytes = 0;
};

/// Turns for accesses of `accessBytes` at these byte addresses, one per
/// work-item, in the order of the work-items. The same word is delivered to
/// all at once. Accesses wider than a word are served in parts, of which the
/// one with the most turns counts.
unsigned countTurns(const std::vector<int64_t> &addresses, unsigned accessBytes,
                    const BankShape &shape);

/// The same, but the turns of all parts in which wide accesses are served.
unsigned sumTurns(const std::vector<int64_t> &addresses, unsigned accessBytes,
                  const BankShape &shape);

/// The index of cell `index` after padding (one-dimensional arrays).
int64_t paddedIndex(const LocalPadding &padding, int64_t index);

/// How the cells of an array lie, and what of them an access takes.
struct CellView {
  const LocalPadding *padding = nullptr; ///< null: none
  const LocalLayout *layout = nullptr;   ///< null: as declared
  /// The one component of a vector that is accessed; nothing: whole cells. With
  /// a plane per component one has to be named.
  std::optional<unsigned> component;
};

/// The degree of an access to local memory; `padding` is that of its array, or
/// null. Work-items are numbered along dimension 0 first. Where the local size
/// is not known, its first dimension is taken to be a multiple of the lane
/// group. May throw isl::exception.
BankConflict analyzeBanks(const KernelModel &model, const Access &access,
                          const BankShape &shape, const LocalPadding *padding);
BankConflict analyzeBanks(const KernelModel &model, const Access &access,
                          const BankShape &shape, const CellView &view);

} // namespace clopt

#endif // CLOPT_ANALYSIS_BANKCONFLICT_H
