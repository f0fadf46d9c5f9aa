//===- FullBlocks.h - whole blocks of nested loops --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that are whole need no bounds but their own: isl writes them apart
// from those at the borders.
//
// Tested by test/unit/FullBlocksTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_FULLBLOCKS_H
#define CLOPT_EMIT_FULLBLOCKS_H

#include "Emit/lower/TileDomains.h"

namespace clopt {

/// For a loop over tiles: which of its iterations have whole blocks, as isl's
/// option { isolate[[outer loops] -> [tile]] }. `outer`: the loops around it,
/// each a dimension of the schedule. Nothing when there are none, or when isl
/// could not write them as one loop.
std::optional<isl::set> wholeBlocks(const TransformedKernel &kernel,
                                    const ScheduleNode &tiles,
                                    const std::vector<unsigned> &outer,
                                    const DomainMap &domains);

} // namespace clopt

#endif // CLOPT_EMIT_FULLBLOCKS_H
