//===- TimeStamps.cpp - when statements run -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A time stamp holds the work coordinates, then constants and iterators from
// the root of the schedule tree to the statement.
//
// Tested by test/unit/DependencesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/TimeStamps.h"

#include "Analysis/dependence/Dependences.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>

#include <algorithm>

namespace clopt {

unsigned coordinateOfLoop(const KernelModel &model, const Statement &statement,
                          unsigned loop) {
  for (unsigned i = 0; i < statement.coordinates.size(); ++i)
    if (statement.coordinates[i] == model.loops[loop].iterator)
      return i;
  return ~0u;
}

static void collectStamps(const KernelModel &model, const ScheduleNode &node,
                          TimeStamp prefix,
                          std::map<unsigned, TimeStamp> &stamps) {
  switch (node.kind) {
  case ScheduleNode::Kind::Leaf: {
    const Statement &statement = model.statements[node.statement];
    // Loop entries hold the loop's index until the statement is known.
    for (TimeEntry &entry : prefix)
      if (entry.isCoordinate)
        entry.value = coordinateOfLoop(model, statement,
                                       static_cast<unsigned>(entry.value));
    stamps[node.statement] = prefix;
    return;
  }
  case ScheduleNode::Kind::Copy:
    return;
  case ScheduleNode::Kind::Loop: {
    TimeEntry entry;
    entry.isCoordinate = true;
    entry.value = node.loop;
    entry.sign = model.loops[node.loop].step < 0 ? -1 : 1;
    prefix.push_back(entry);
    collectStamps(model, node.children[0], prefix, stamps);
    return;
  }
  case ScheduleNode::Kind::Sequence:
    for (size_t i = 0; i < node.children.size(); ++i) {
      TimeStamp next = prefix;
      TimeEntry entry;
      entry.value = static_cast<int64_t>(i);
      next.push_back(entry);
      collectStamps(model, node.children[i], next, stamps);
    }
    return;
  }
}

unsigned workDimensions(const KernelModel &model, const Statement &statement) {
  unsigned count = 0;
  for (SymbolId id : statement.coordinates)
    if (model.symbols[id].kind != SymbolKind::Iterator)
      ++count;
  return count;
}

isl::map stampMap(const Statement &statement, const TimeStamp &stamp,
                  size_t length) {
  isl_space *domain = isl_set_get_space(statement.domain.get());
  isl_local_space *local = isl_local_space_from_space(isl_space_copy(domain));
  isl_space *range =
      isl_space_set_from_params(isl_space_params(isl_space_copy(domain)));
  range = isl_space_add_dims(range, isl_dim_set, length);
  isl_space *space = isl_space_map_from_domain_and_range(domain, range);
  isl_multi_aff *time = isl_multi_aff_zero(space);
  for (size_t i = 0; i < length; ++i) {
    isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_copy(local));
    if (i < stamp.size() && stamp[i].isCoordinate)
      aff = isl_aff_set_coefficient_si(aff, isl_dim_in,
                                       static_cast<int>(stamp[i].value),
                                       static_cast<int>(stamp[i].sign));
    else if (i < stamp.size())
      aff = isl_aff_set_constant_si(aff, static_cast<int>(stamp[i].value));
    time = isl_multi_aff_set_aff(time, static_cast<int>(i), aff);
  }
  isl_local_space_free(local);
  return isl::manage(isl_map_from_multi_aff(time));
}

static TimeStamp workPrefix(const KernelModel &model,
                            const Statement &statement) {
  TimeStamp stamp;
  unsigned count = workDimensions(model, statement);
  for (unsigned i = 0; i < count; ++i) {
    TimeEntry entry;
    entry.isCoordinate = true;
    entry.value = i;
    stamp.push_back(entry);
  }
  return stamp;
}

std::map<unsigned, TimeStamp> allStamps(const KernelModel &model,
                                        const ScheduleNode &tree) {
  std::map<unsigned, TimeStamp> stamps;
  collectStamps(model, tree, {}, stamps);
  for (auto &[statement, stamp] : stamps) {
    TimeStamp full = workPrefix(model, model.statements[statement]);
    full.insert(full.end(), stamp.begin(), stamp.end());
    stamp = std::move(full);
  }
  return stamps;
}

size_t longest(const std::map<unsigned, TimeStamp> &stamps) {
  size_t length = 0;
  for (const auto &[statement, stamp] : stamps)
    length = std::max(length, stamp.size());
  return length;
}

isl::union_map scheduleMap(const KernelModel &model, const ScheduleNode &tree) {
  std::map<unsigned, TimeStamp> stamps = allStamps(model, tree);
  size_t length = longest(stamps);
  isl_union_map *result = nullptr;
  for (const auto &[index, stamp] : stamps) {
    const Statement &statement = model.statements[index];
    isl_map *map = isl_map_intersect_domain(
        stampMap(statement, stamp, length).release(), statement.domain.copy());
    isl_union_map *one = isl_union_map_from_map(map);
    result = result ? isl_union_map_union(result, one) : one;
  }
  if (!result)
    return isl::union_map(isl::ctx(model.context.get()), "{ }");
  return isl::manage(result);
}

} // namespace clopt
