//===- GroupDependences.cpp - order between work-items of a group ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every work-item of a group passes the same barriers, so the instances of a
// barrier are those of any one of them: x is before barrier b in its own
// work-item, and b before y in the order that all of them share.
//
// Tested by test/unit/GroupDependencesTest.cpp,
// test/oracle/GroupDependencesOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/GroupDependences.h"

#include "Analysis/dependence/TimeStamps.h"

#include <llvm/ADT/STLExtras.h>

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>

#include <array>
#include <map>
#include <string>

namespace clopt {

namespace {

/// Relations between the work-items of two statements.
class GroupRelations {
public:
  GroupRelations(const KernelModel &kernel, const ScheduleNode &tree);
  unsigned workCount() const { return works; }
  /// { S[w, i] -> T[w', j] : one group }
  isl::map sameGroup(const Statement &from, const Statement &to) const;
  /// The same, without pairs within one work-item.
  isl::map otherWorkItem(const Statement &from, const Statement &to) const;
  /// { S[w, i] -> T[w, j] : one work-item, S first }
  isl::map before(const Statement &from, const Statement &to) const;
  /// { S[w, i] -> T[w', j] : one group, a barrier between }
  isl::map separated(const Statement &from, const Statement &to) const;
  /// { S[w, i] -> T[w', j] : of `pairs`, no barrier between, in either order }
  isl::map unordered(isl::map pairs, const Statement &from,
                     const Statement &to) const;

private:
  isl::map separatedBy(const Statement &barrier, const Statement &from,
                       const Statement &to) const;
  isl::map timeOf(const Statement &statement) const;
  isl::map ordered(const Statement &from, const Statement &to) const;
  isl::map pairs(const Statement &from, const Statement &to) const;

  const KernelModel &model;
  isl::union_map schedule; ///< { S[w, i] -> [w..., time...] }
  unsigned works = 0;
  /// What separatedBy() has found, by names.
  mutable std::map<std::array<std::string, 3>, isl::map> known;
};

} // namespace

GroupRelations::GroupRelations(const KernelModel &kernel,
                               const ScheduleNode &tree)
    : model(kernel), schedule(scheduleMap(kernel, tree)) {
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    works += model.ndrange.split[d] ? 2 : 1;
}

/// { S[w, i] -> T[w', j] : both are executed }
isl::map GroupRelations::pairs(const Statement &from,
                               const Statement &to) const {
  return isl::manage(
      isl_map_from_domain_and_range(from.domain.copy(), to.domain.copy()));
}

/// Adds floor((w - go) / size) == floor((w' - go) / size): there is a q with
/// both in [size * q, size * q + size).
static isl_map *sameBlock(isl_map *map, unsigned position, int64_t size,
                          const std::string &offset) {
  isl_space *space = isl_map_get_space(map);
  auto block = [&](isl_dim_type type) {
    isl_space *wrapped = isl_space_wrap(isl_space_copy(space));
    isl_local_space *flat = isl_local_space_from_space(wrapped);
    unsigned at = position +
                  (type == isl_dim_out
                       ? static_cast<unsigned>(isl_space_dim(space, isl_dim_in))
                       : 0);
    isl_aff *aff = isl_aff_var_on_domain(flat, isl_dim_set, at);
    int parameter =
        isl_space_find_dim_by_name(space, isl_dim_param, offset.c_str());
    if (parameter >= 0)
      aff = isl_aff_add_coefficient_si(aff, isl_dim_param, parameter, -1);
    aff = isl_aff_scale_down_ui(aff, static_cast<unsigned>(size));
    return isl_aff_floor(aff);
  };
  isl_set *equal = isl_aff_eq_set(block(isl_dim_in), block(isl_dim_out));
  isl_space_free(space);
  return isl_map_intersect(map, isl_set_unwrap(equal));
}

isl::map GroupRelations::sameGroup(const Statement &from,
                                   const Statement &to) const {
  isl_map *map = pairs(from, to).release();
  unsigned position = 0;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    if (model.ndrange.split[d]) {
      map = isl_map_equate(map, isl_dim_in, position, isl_dim_out, position);
      position += 2;
      continue;
    }
    // With an unknown size any two work-items may share a group.
    if (std::optional<int64_t> size = model.ndrange.localSize[d]) {
      auto offset = model.symbols.find(SymbolKind::GlobalOffset, d);
      map = sameBlock(map, position, *size,
                      offset ? model.symbols.name(*offset) : "");
    }
    ++position;
  }
  return isl::manage(map);
}

static isl_map *equateWork(isl_map *map, unsigned works) {
  for (unsigned i = 0; i < works; ++i)
    map = isl_map_equate(map, isl_dim_in, i, isl_dim_out, i);
  return map;
}

isl::map GroupRelations::otherWorkItem(const Statement &from,
                                       const Statement &to) const {
  isl::map group = sameGroup(from, to);
  isl_map *own = equateWork(group.copy(), works);
  return isl::manage(isl_map_subtract(group.release(), own));
}

/// { S[w, i] -> [time...] }
isl::map GroupRelations::timeOf(const Statement &statement) const {
  isl_map *result = nullptr;
  isl::map_list maps = schedule.get_map_list();
  for (unsigned i = 0; i < static_cast<unsigned>(maps.size()); ++i) {
    isl::map map = maps.at(i);
    if (statement.name == isl_map_get_tuple_name(map.get(), isl_dim_in))
      result = map.copy();
  }
  if (!result)
    return isl::map();
  return isl::manage(isl_map_project_out(result, isl_dim_out, 0, works));
}

/// { S[w, i] -> T[w', j] : S's place in the program is before T's }
isl::map GroupRelations::ordered(const Statement &from,
                                 const Statement &to) const {
  isl::map first = timeOf(from), second = timeOf(to);
  isl_map *earlier =
      isl_map_lex_lt(isl_space_range(isl_map_get_space(first.get())));
  return isl::manage(
      isl_map_apply_range(isl_map_apply_range(first.release(), earlier),
                          isl_map_reverse(second.release())));
}

isl::map GroupRelations::before(const Statement &from,
                                const Statement &to) const {
  return isl::manage(equateWork(ordered(from, to).release(), works));
}

/// { S[w, i] -> T[w', j] : one group, the barrier between }
isl::map GroupRelations::separatedBy(const Statement &barrier,
                                     const Statement &from,
                                     const Statement &to) const {
  isl::map &result = known[{barrier.name, from.name, to.name}];
  if (result.is_null()) {
    isl_map *after = isl_map_intersect(ordered(barrier, to).release(),
                                       sameGroup(barrier, to).release());
    result = isl::manage(isl_map_coalesce(
        isl_map_apply_range(before(from, barrier).release(), after)));
  }
  return result;
}

isl::map GroupRelations::separated(const Statement &from,
                                   const Statement &to) const {
  isl_map *result = isl_map_empty(isl_map_get_space(pairs(from, to).get()));
  for (const Statement &barrier : model.statements)
    if (barrier.isBarrier)
      result = isl_map_union(result, separatedBy(barrier, from, to).release());
  return isl::manage(isl_map_coalesce(result));
}

isl::map GroupRelations::unordered(isl::map pairs, const Statement &from,
                                   const Statement &to) const {
  for (const Statement &barrier : model.statements) {
    if (!barrier.isBarrier || pairs.is_empty())
      continue;
    pairs = pairs.subtract(separatedBy(barrier, from, to));
    pairs = pairs.subtract(separatedBy(barrier, to, from).reverse());
  }
  return pairs;
}

isl::union_map barrierOrder(const KernelModel &model,
                            const ScheduleNode &tree) {
  GroupRelations relations(model, tree);
  isl::union_map result(isl::ctx(model.context.get()), "{ }");
  std::vector<unsigned> order = statementsBelow(tree);
  for (unsigned from : order)
    for (unsigned to : order)
      result = result.unite(
          relations.separated(model.statements[from], model.statements[to])
              .to_union_map());
  return result;
}

//===-- Conflicts ---------------------------------------------------------===//

/// { S[w, i] -> T[w', j] : other work-items of the group, the same cell }
static isl::map conflictsOf(const KernelModel &model,
                            const GroupRelations &relations, const Access &a,
                            const Access &b) {
  isl_map *cells = isl_map_apply_range(a.relation.copy(),
                                       isl_map_reverse(b.relation.copy()));
  return isl::manage(
      isl_map_intersect(cells, relations
                                   .otherWorkItem(model.statements[a.statement],
                                                  model.statements[b.statement])
                                   .release()));
}

static bool isShared(const KernelModel &model, const Access &access) {
  AddressSpace space = model.arrays[access.array].space;
  return space == AddressSpace::Local || space == AddressSpace::Global ||
         space == AddressSpace::Generic;
}

/// Pairs of one array, one of them a write.
template <typename Action>
static void forEachPair(const KernelModel &model, const Action &action) {
  for (const Access &a : model.accesses)
    for (const Access &b : model.accesses)
      if (a.array == b.array && (a.isWrite || b.isWrite) && isShared(model, a))
        action(a, b);
}

std::vector<GroupDependence>
groupDependences(const KernelModel &model, const ScheduleNode &tree,
                 const std::function<bool(const Access &)> &wanted) {
  std::vector<GroupDependence> result;
  GroupRelations relations(model, tree);
  forEachPair(model, [&](const Access &a, const Access &b) {
    if (wanted && !(wanted(a) && wanted(b)))
      return;
    isl::map conflicts = conflictsOf(model, relations, a, b);
    bool isAtomic = a.isOrdered && b.isOrdered;
    isl_map *kept = conflicts.copy();
    if (!isAtomic)
      kept =
          isl_map_intersect(kept, relations
                                      .separated(model.statements[a.statement],
                                                 model.statements[b.statement])
                                      .release());
    isl::map instances = isl::manage(kept);
    if (!instances.is_empty())
      result.push_back({conflictBetween(a, b), instances, isAtomic});
  });
  return result;
}

std::vector<GroupDependence>
unorderedConflicts(const KernelModel &model, const ScheduleNode &tree,
                   const std::function<bool(const Access &)> &wanted) {
  std::vector<GroupDependence> result;
  GroupRelations relations(model, tree);
  forEachPair(model, [&](const Access &a, const Access &b) {
    if (a.id > b.id || (a.isOrdered && b.isOrdered) ||
        (wanted && !(wanted(a) && wanted(b))))
      return;
    const isl::map instances = relations.unordered(
        conflictsOf(model, relations, a, b), model.statements[a.statement],
        model.statements[b.statement]);
    if (!instances.is_empty())
      result.push_back({conflictBetween(a, b), instances, false});
  });
  return result;
}

/// { S[w, i] -> [Owner[...] -> A[s]] } with the coordinates of the work-item
/// that say whose cells they are.
static isl::map ownedCells(const KernelModel &model, const Access &access) {
  const Statement &statement = model.statements[access.statement];
  const bool isLocal = model.arrays[access.array].space == AddressSpace::Local;
  isl_map *owner = isl_set_identity(statement.domain.copy());
  for (size_t c = statement.coordinates.size(); c-- > 0;) {
    const SymbolKind kind = model.symbols[statement.coordinates[c]].kind;
    const bool isOwner = kind == SymbolKind::GroupId ||
                         kind == SymbolKind::GlobalId ||
                         (kind == SymbolKind::LocalId && !isLocal);
    if (!isOwner)
      owner =
          isl_map_project_out(owner, isl_dim_out, static_cast<unsigned>(c), 1);
  }
  owner = isl_map_reset_tuple_id(owner, isl_dim_out);
  return isl::manage(isl_map_range_product(
      owner, isl_map_intersect_domain(access.relation.copy(),
                                      statement.domain.copy())));
}

/// Coordinates that two statements share when one of them runs in an iteration
/// of the loops around both: { S[w, i] -> T[w', j] : those are equal }, where T
/// stands in front of S; nothing where it does not.
static std::optional<isl::map> withinIteration(const TimeStamp &later,
                                               const TimeStamp &earlier,
                                               isl::map pairs) {
  isl_map *result = pairs.release();
  for (size_t i = 0; i < later.size() && i < earlier.size(); ++i) {
    const TimeEntry &s = later[i], &t = earlier[i];
    const bool isAlike = s.isCoordinate == t.isCoordinate;
    if (isAlike && s.isCoordinate) {
      result = isl_map_equate(result, isl_dim_in, static_cast<int>(s.value),
                              isl_dim_out, static_cast<int>(t.value));
      continue;
    }
    if (isAlike && s.value == t.value)
      continue;
    if (isAlike && t.value < s.value)
      return isl::manage(result);
    break;
  }
  isl_map_free(result);
  return std::nullopt;
}

/// The flow into reads whose cells are all written in front of them in the same
/// iteration of the loops around both; nothing for others. A later write comes
/// before an earlier one.
static std::optional<isl::union_map>
flowOfIteration(const KernelModel &model,
                const std::map<unsigned, TimeStamp> &stamps, const Access &read,
                const std::vector<const Access *> &writes) {
  const TimeStamp &own = stamps.at(read.statement);
  const isl::map cells = ownedCells(model, read);
  auto isBefore = [](const TimeStamp &left, const TimeStamp &right) {
    for (size_t i = 0; i < left.size() && i < right.size(); ++i)
      if (left[i].value != right[i].value)
        return left[i].value < right[i].value;
    return left.size() < right.size();
  };
  std::vector<std::pair<const Access *, isl::map>> sources;
  for (const Access *write : writes) {
    const isl::map pairs =
        cells.apply_range(ownedCells(model, *write).reverse());
    const std::optional<isl::map> within =
        withinIteration(own, stamps.at(write->statement), pairs);
    if (!within)
      return std::nullopt;
    sources.emplace_back(write, *within);
  }
  llvm::sort(sources, [&](const auto &left, const auto &right) {
    return isBefore(stamps.at(right.first->statement),
                    stamps.at(left.first->statement));
  });
  isl::union_map result(isl::ctx(model.context.get()), "{ }");
  isl::set open = instancesOf(model, read);
  for (const auto &[write, within] : sources) {
    const isl::map flow =
        isl::manage(isl_map_coalesce(within.intersect_domain(open).release()));
    if (flow.is_empty())
      continue;
    result = result.unite(flow.to_union_map());
    open =
        isl::manage(isl_set_coalesce(open.subtract(flow.domain()).release()));
  }
  open = open.intersect_params(model.paramContext);
  if (!open.is_empty())
    return std::nullopt;
  return result;
}

isl::union_map groupFlow(const KernelModel &model, const ScheduleNode &tree,
                         const Access &read) {
  isl::ctx ctx(model.context.get());
  const isl::union_map none(ctx, "{ }");
  // { S[w, i] -> [time...] }: work-items go from statement to statement
  // together.
  std::map<unsigned, TimeStamp> stamps = allStamps(model, tree);
  for (auto &[index, stamp] : stamps) {
    const auto ids = workDimensions(model, model.statements[index]);
    stamp.erase(stamp.begin(), stamp.begin() + ids);
  }
  // Statements that never run are not in the tree.
  if (!stamps.count(read.statement))
    return none;
  std::vector<const Access *> writes;
  for (const Access &access : model.accesses) {
    if (access.array != read.array || !access.isWrite ||
        !stamps.count(access.statement))
      continue;
    if (!access.isExact)
      return none;
    writes.push_back(&access);
  }
  if (auto flow = flowOfIteration(model, stamps, read, writes))
    return *flow;
  isl::union_map sources = none, order = none;
  for (const Access *write : writes)
    sources = sources.unite(ownedCells(model, *write).to_union_map());
  for (const auto &[index, stamp] : stamps)
    order =
        order.unite(stampMap(model.statements[index], stamp, longest(stamps))
                        .to_union_map());
  // { T[w', j] -> S[w, i] }
  return possibleFlow(ownedCells(model, read).to_union_map(), sources, none,
                      order)
      .reverse();
}

bool haveOwnCells(const KernelModel &model,
                  const std::vector<unsigned> &accesses) {
  std::optional<ScheduleNode> tree = readSchedule(model);
  if (!tree)
    return false;
  GroupRelations relations(model, *tree);
  for (unsigned first : accesses)
    for (unsigned second : accesses) {
      const Access &a = model.accesses[first], &b = model.accesses[second];
      if (second < first || (!a.isWrite && !b.isWrite) || a.array != b.array)
        continue;
      if (!conflictsOf(model, relations, a, b).is_empty())
        return false;
    }
  return true;
}

} // namespace clopt
