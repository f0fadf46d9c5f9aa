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

#include "Emit/TileDomains.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

using MaybeSchedule = std::optional<isl::schedule>;

/// Makes isl schedules of schedule trees over given domains.
class ScheduleMaker {
public:
  ScheduleMaker(const TransformedKernel &transformed, bool keepLanes)
      : kernel(transformed), model(*transformed.model), lanes(keepLanes) {}

  /// Nothing when nothing is executed. Of the whole tree; whole blocks of
  /// nested loops are written apart.
  MaybeSchedule makeAll(const ScheduleNode &root, const DomainMap &domains);
  /// Of a part of it.
  MaybeSchedule make(const ScheduleNode &node, const DomainMap &domains);
  bool failed = false;
  std::string failure; ///< why, for people

private:
  MaybeSchedule makeLeaf(const isl::set &domain);
  MaybeSchedule makeCopy(const ScheduleNode &node, const DomainMap &domains);
  MaybeSchedule makeSequence(const ScheduleNode &node,
                             const DomainMap &domains);
  MaybeSchedule makeLoop(const ScheduleNode &node, const DomainMap &domains);
  MaybeSchedule band(MaybeSchedule body, const ScheduleNode &node,
                     const std::string &mark, bool unrollFully);
  bool split(const ScheduleNode &node, const DomainMap &domains,
             unsigned factor, DomainMap &chunks, DomainMap &rest, bool &single);
  bool isRequired(unsigned loop, int key) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  bool lanes;
  std::vector<unsigned> around; ///< loops around what is being made
  /// Options of bands, which isl takes when all bands around are there; their
  /// marks end in `#` and the number.
  std::vector<isl::set> apart;
};

/// Puts a band over one coordinate of every statement at the top, under a mark.
isl::schedule addBand(isl::schedule schedule, const std::string &mark,
                      const std::function<int(const char *)> &coordinate,
                      int sign, bool unrollFully);

} // namespace clopt

#endif // CLOPT_EMIT_SCHEDULEMAKER_H
