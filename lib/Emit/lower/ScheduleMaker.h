//===- ScheduleMaker.h - isl schedules of schedule trees --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of a kernel's statements as isl schedules, for its AST generator.
// Tested by test/unit/LoweringTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_SCHEDULEMAKER_H
#define CLOPT_EMIT_SCHEDULEMAKER_H

#include "Emit/lower/DivergentInstances.h"
#include "Emit/lower/TileDomains.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

using MaybeSchedule = std::optional<isl::schedule>;

/// How isl writes the loop of a band: as it likes, with all iterations one
/// after the other, or with parts that run different statements apart.
enum class BandForm { Plain, Unrolled, Separate };

/// Makes isl schedules of schedule trees over given domains.
class ScheduleMaker {
public:
  ScheduleMaker(const TransformedKernel &transformed, bool keepLanes)
      : kernel(transformed), model(*transformed.model), lanes(keepLanes) {}
  /// Lets statements run under conditions. `known` holds for all tiles.
  /// `inChunks`: also those on which only iterations of a chunk differ.
  void allowParts(const TileDomains &domains, const isl::set &known,
                  bool inChunks) {
    tiles = &domains;
    context = known;
    guardsChunks = inChunks;
  }

  /// Nothing when nothing is executed. Of the whole tree; whole blocks of
  /// nested loops are written apart.
  MaybeSchedule makeAll(const ScheduleNode &root, const DomainMap &domains);
  /// Of a part of it.
  MaybeSchedule make(const ScheduleNode &node, const DomainMap &domains);
  bool failed = false;
  std::string failure; ///< why, for people

private:
  MaybeSchedule makeLeaf(const isl::set &domain);
  MaybeSchedule makeMasked(int key, const isl::set &instances);
  MaybeSchedule makePart(unsigned statement, const DomainMap &domains);
  bool sharesParts(const ScheduleNode &first, const ScheduleNode &second,
                   const DomainMap &domains) const;
  bool mayGuard(int key, const DomainMap &domains) const {
    return tiles && mayBeGuarded(kernel, key) &&
           (guardsChunks || domains.count(partKey(key)));
  }
  bool isSameForAll(unsigned loop, int key) const;
  MaybeSchedule makeCopy(const ScheduleNode &node, const DomainMap &domains);
  MaybeSchedule makeSequence(const ScheduleNode &node,
                             const DomainMap &domains);
  IdLabel markFor(const ScheduleNode &node) const;
  MaybeSchedule makeLoop(const ScheduleNode &node, const DomainMap &domains);
  MaybeSchedule makeWholeTiles(const ScheduleNode &node,
                               const DomainMap &domains);
  MaybeSchedule band(MaybeSchedule body, const ScheduleNode &node,
                     const IdLabel &mark, BandForm form);
  bool splitKey(int key, const DomainMap &domains, const isl::set &starts,
                const ScheduleNode &node, unsigned factor, DomainMap &chunks);
  isl::set withSections(int key, const DomainMap &domains,
                        const isl::set &starts, const ScheduleNode &node,
                        unsigned factor) const;
  /// The iterations of a loop in chunks and a rest.
  struct Split {
    DomainMap chunks, rest;
    bool isSingle = false;  ///< never more than one chunk
    bool isCutTile = false; ///< the rest is one tile that is cut
  };
  bool split(const ScheduleNode &node, const DomainMap &domains,
             unsigned factor, Split &result);
  bool isCutTile(const ScheduleNode &node, const DomainMap &domains,
                 const DomainMap &rest, const isl::set &left,
                 int position) const;
  bool isRequired(const ArrayTile &tile, int key) const;
  bool isRequired(unsigned loop, int key) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  bool lanes;
  std::vector<unsigned> around;     ///< loops around what is being made
  std::vector<ChunkedLoop> chunked; ///< those of them that have chunks
  const TileDomains *tiles = nullptr;
  /// Numbers the parts: isl's order of what is disjoint depends on names.
  std::shared_ptr<size_t> partCount = std::make_shared<size_t>(0);
  bool guardsChunks = false;
  std::optional<isl::set> context; ///< { : }
};

/// Puts a band over one coordinate of every statement at the top, under a mark.
isl::schedule addBand(isl::schedule schedule, const IdLabel &mark,
                      const std::function<int(const isl::set &)> &coordinate,
                      int sign, BandForm form);

} // namespace clopt

#endif // CLOPT_EMIT_SCHEDULEMAKER_H
