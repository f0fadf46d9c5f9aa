//===- Dependences.cpp - conflicts within one work-item -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: pairs of references to one array, at least one a write, that touch
// the same cell (isl, exact where the access relations are). Private variables:
// value-based flow (isl_union_access_info), because every iteration gets a copy
// of its own as long as no value crosses iterations.
//
// Cost: quadratic in the references to one array within one loop.
//
// Tested by test/unit/DependencesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/Dependences.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/dependence/TimeStamps.h"
#include "Model/Operations.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/flow.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include <algorithm>
#include <map>

namespace clopt {

isl::map meetings(const KernelModel &model, const Access &first,
                  const Access &second, unsigned alike) {
  const Statement &from = model.statements[first.statement];
  const Statement &to = model.statements[second.statement];
  isl_map *both = isl_map_apply_range(
      isl_map_intersect_domain(first.relation.copy(), from.domain.copy()),
      isl_map_reverse(
          isl_map_intersect_domain(second.relation.copy(), to.domain.copy())));
  for (unsigned c = 0; c < alike; ++c)
    both = isl_map_equate(both, isl_dim_in, c, isl_dim_out, c);
  return isl::manage(both);
}

/// { S[w, outer, inner] -> Region[w, outer] }
static isl::map regionOf(const Statement &statement, unsigned outer) {
  isl_map *owner = isl_set_identity(statement.domain.copy());
  unsigned total = isl_map_dim(owner, isl_dim_out);
  owner = isl_map_project_out(owner, isl_dim_out, outer, total - outer);
  return isl::manage(isl_map_set_tuple_name(owner, isl_dim_out, "Region"));
}

namespace {

/// Checks one loop; holds what all pairs of references share.
class LoopAnalyzer {
public:
  LoopAnalyzer(const KernelModel &kernel, const ScheduleNode &root,
               unsigned loopIndex, int64_t iterations,
               const std::vector<ArrayTile> &registerCopies)
      : model(kernel), tree(root), loop(loopIndex), distance(iterations),
        copies(registerCopies), stamps(allStamps(kernel, root)),
        length(longest(stamps)) {}

  LoopDependences run();
  /// What forbids lockstep when the accesses are to cells that all iterations
  /// have in common, as private ones are when lanes do not have one each.
  std::vector<Conflict> runShared(const std::vector<unsigned> &accesses);

private:
  void checkMemory();
  void checkPair(unsigned earlier, unsigned later);
  void checkPrivates();
  void checkCopies();
  struct Flow {
    bool carried = false; ///< from one iteration into a later one
    bool leaves = false;  ///< from an iteration to a read after the loop
    bool enters = false;  ///< from before the loop
  };
  Flow flowThrough(const std::vector<unsigned> &accesses) const;
  bool isWrittenWhole(const ArrayTile &copy) const;
  bool isInRegister(unsigned access) const;
  bool isInside(unsigned statement) const;

  const KernelModel &model;
  const ScheduleNode &tree;
  unsigned loop;
  int64_t distance;
  const std::vector<ArrayTile> &copies;
  std::map<unsigned, TimeStamp> stamps;
  size_t length;
  std::vector<unsigned> inside;
  LoopDependences result;
};

} // namespace

bool LoopAnalyzer::isInRegister(unsigned access) const {
  return llvm::any_of(copies, [&](const ArrayTile &copy) {
    return copy.inTree && copy.has(access);
  });
}

bool LoopAnalyzer::isInside(unsigned statement) const {
  return llvm::is_contained(inside, statement);
}

LoopDependences LoopAnalyzer::run() {
  const ScheduleNode *node = findLoop(tree, loop);
  inside = statementsBelow(*node);
  for (unsigned statement : inside) {
    const Statement &s = model.statements[statement];
    if ((s.isOpaque || s.isBarrier) && !result.fence)
      result.fence = statement;
  }
  // Nothing may cross it, whatever else there is.
  if (result.fence)
    return std::move(result);
  checkMemory();
  checkPrivates();
  checkCopies();
  return std::move(result);
}

std::vector<Conflict>
LoopAnalyzer::runShared(const std::vector<unsigned> &accesses) {
  for (unsigned first : accesses)
    for (unsigned second : accesses)
      if (model.accesses[first].isWrite || model.accesses[second].isWrite)
        checkPair(first, second);
  return std::move(result.violated);
}

void LoopAnalyzer::checkMemory() {
  std::vector<unsigned> accesses;
  for (unsigned statement : inside)
    for (unsigned access : model.statements[statement].accesses) {
      const Access &a = model.accesses[access];
      if (a.isOrdered && !result.fence)
        result.fence = statement;
      if (model.arrays[a.array].space != AddressSpace::Private &&
          !isInRegister(access))
        accesses.push_back(access);
    }
  for (unsigned first : accesses)
    for (unsigned second : accesses) {
      const Access &a = model.accesses[first], &b = model.accesses[second];
      if (!a.isWrite && !b.isWrite)
        continue;
      if (a.array == b.array)
        checkPair(first, second);
      else if (!areDisjoint(model, a.array, b.array))
        result.mayOverlap.insert(std::minmax(a.array, b.array));
    }
}

/// Adds the pair when `earlier` in iteration k and `later` in an iteration
/// k < k' < k + distance touch the same cell, and lockstep execution would not
/// run `earlier` strictly first.
void LoopAnalyzer::checkPair(unsigned earlier, unsigned later) {
  const Access &a = model.accesses[earlier], &b = model.accesses[later];
  const Statement &s = model.statements[a.statement];
  const Statement &t = model.statements[b.statement];
  // { S[w, i] -> T[w', i'] : same cell }
  isl::map conflict = a.relation.apply_range(b.relation.reverse());
  unsigned shared = 0;
  unsigned common = std::min(s.coordinates.size(), t.coordinates.size());
  isl_map *map = isl_map_intersect_domain(conflict.release(), s.domain.copy());
  map = isl_map_intersect_range(map, t.domain.copy());
  while (shared < common && s.coordinates[shared] == t.coordinates[shared] &&
         s.coordinates[shared] != model.loops[loop].iterator) {
    map = isl_map_equate(map, isl_dim_in, shared, isl_dim_out, shared);
    ++shared;
  }
  // { S -> T : 0 < (k' - k) * sign <= (distance - 1) * |step| }
  int64_t step = model.loops[loop].step;
  isl_space *space = isl_map_get_space(map);
  isl_local_space *local = isl_local_space_from_space(space);
  int sign = step < 0 ? -1 : 1;
  isl_constraint *ahead =
      isl_constraint_alloc_inequality(isl_local_space_copy(local));
  ahead = isl_constraint_set_coefficient_si(ahead, isl_dim_out, shared, sign);
  ahead = isl_constraint_set_coefficient_si(ahead, isl_dim_in, shared, -sign);
  ahead = isl_constraint_set_constant_si(ahead, -1);
  map = isl_map_add_constraint(map, ahead);
  isl_constraint *near = isl_constraint_alloc_inequality(local);
  near = isl_constraint_set_coefficient_si(near, isl_dim_out, shared, -sign);
  near = isl_constraint_set_coefficient_si(near, isl_dim_in, shared, sign);
  near = isl_constraint_set_constant_si(
      near, static_cast<int>((distance - 1) * sign * step));
  map = isl_map_add_constraint(map, near);
  if (isl_map_is_empty(map) == isl_bool_true) {
    isl_map_free(map);
    return;
  }
  // In lockstep the iterator of this loop does not count as time.
  TimeStamp stampS = stamps[a.statement], stampT = stamps[b.statement];
  auto forget = [&](TimeStamp &stamp) {
    for (TimeEntry &entry : stamp)
      if (entry.isCoordinate && entry.value == static_cast<int64_t>(shared))
        entry = TimeEntry();
  };
  forget(stampS);
  forget(stampT);
  isl_map *timeS = stampMap(s, stampS, length).release();
  isl_map *timeT = stampMap(t, stampT, length).release();
  // { S -> T : time(T) <= time(S) }
  isl_map *order = isl_map_lex_ge(isl_space_range(isl_map_get_space(timeS)));
  isl_map *wrong = isl_map_apply_range(isl_map_apply_range(timeS, order),
                                       isl_map_reverse(timeT));
  map = isl_map_intersect(map, wrong);
  bool isFine = isl_map_is_empty(map) == isl_bool_true;
  // Within one statement a read precedes the write that uses its value, also
  // in lockstep: an anti dependence inside one vector statement is kept.
  bool isInOrder = false;
  if (!isFine && a.statement == b.statement) {
    isl_map *sameTime = isl_map_apply_range(
        stampMap(s, stampS, length).release(),
        isl_map_reverse(stampMap(t, stampT, length).release()));
    isInOrder = isl_map_is_subset(map, sameTime) == isl_bool_true;
    isFine = isInOrder && !a.isWrite && b.isWrite && !s.isCompound;
    isl_map_free(sameTime);
  }
  isl_map_free(map);
  if (isFine)
    return;
  if (a.subscripts.empty() || b.subscripts.empty())
    result.unknownAccess = a.subscripts.empty() ? earlier : later;
  result.violated.push_back(conflictBetween(a, b));
  result.violated.back().isInOrder = isInOrder;
}

/// True when all accesses are in one statement, which declares the variable
/// somewhere inside: its value ends there.
static bool isDeclaredWithin(const KernelModel &model, unsigned array,
                             const std::vector<unsigned> &accesses) {
  const unsigned statement = model.accesses[accesses.front()].statement;
  const Stmt *stmt = model.statements[statement].stmt;
  if (!stmt || stmt->kind == StmtKind::Decl ||
      llvm::any_of(accesses, [&](unsigned access) {
        return model.accesses[access].statement != statement;
      }))
    return false;
  bool declares = false;
  forEachStmt(StmtRef(StmtRef(), stmt), [&](const StmtRef &inner) {
    declares |=
        inner->kind == StmtKind::Decl && inner->var == model.arrays[array].var;
  });
  return declares;
}

void LoopAnalyzer::checkPrivates() {
  std::set<unsigned> written;
  for (unsigned statement : inside)
    for (unsigned access : model.statements[statement].accesses) {
      const Access &a = model.accesses[access];
      if (a.isWrite && model.arrays[a.array].space == AddressSpace::Private)
        written.insert(a.array);
    }
  for (unsigned array : written) {
    std::vector<unsigned> accesses;
    for (const Access &access : model.accesses)
      if (access.array == array)
        accesses.push_back(access.id);
    if (isDeclaredWithin(model, array, accesses))
      continue;
    Flow flow = flowThrough(accesses);
    if (flow.carried)
      result.carriedPrivates.insert(array);
    if (flow.leaves)
      result.liveOut.insert(array);
    if (flow.enters)
      result.enters.insert(array);
  }
}

void LoopAnalyzer::checkCopies() {
  std::vector<unsigned> loopsInside = loopsBelow(*findLoop(tree, loop));
  for (unsigned i = 0; i < copies.size(); ++i) {
    const ArrayTile &copy = copies[i];
    if (!copy.inTree)
      continue;
    bool writtenInside = false;
    for (unsigned access : copy.accesses)
      writtenInside |= model.accesses[access].isWrite &&
                       isInside(model.accesses[access].statement);
    auto isBelow = [&](const std::optional<unsigned> &inner) {
      return inner && llvm::is_contained(loopsInside, *inner);
    };
    if ((copy.loop != loop && isBelow(copy.loop)) || isBelow(copy.within) ||
        (copy.window && isBelow(copy.window->loop))) {
      result.innerCopy = i;
      continue;
    }
    if (!writtenInside)
      continue;
    Flow flow = flowThrough(copy.accesses);
    if (flow.carried)
      result.carriedCopies.insert(i);
    if (flow.leaves || copy.copyOut)
      result.liveOutCopies.insert(i);
    if (!isWrittenWhole(copy))
      result.partialCopies.insert(i);
  }
}

static isl::map privateRelation(const KernelModel &model,
                                const Access &access) {
  // Private cells belong to a work-item: { S[w, i] -> [W[w] -> A[s]] }.
  const Statement &statement = model.statements[access.statement];
  unsigned work = workDimensions(model, statement);
  isl_map *owner = isl_set_identity(statement.domain.copy());
  unsigned total = isl_map_dim(owner, isl_dim_out);
  owner = isl_map_project_out(owner, isl_dim_out, work, total - work);
  return isl::manage(isl_map_range_product(
      owner, isl_map_intersect_domain(access.relation.copy(),
                                      statement.domain.copy())));
}

isl::union_map possibleFlow(isl::union_map reads, isl::union_map writes,
                            isl::union_map mayWrites, isl::union_map order) {
  isl_union_access_info *info =
      isl_union_access_info_from_sink(reads.release());
  info = isl_union_access_info_set_must_source(info, writes.release());
  info = isl_union_access_info_set_may_source(info, mayWrites.release());
  info = isl_union_access_info_set_schedule_map(info, order.release());
  isl::union_flow flow = isl::manage(isl_union_access_info_compute_flow(info));
  return flow.get_may_dependence();
}

isl::union_map valueFlow(const KernelModel &model, const ScheduleNode &tree,
                         const std::vector<unsigned> &accesses) {
  isl::ctx ctx(model.context.get());
  isl::union_map reads(ctx, "{ }"), must(ctx, "{ }"), may(ctx, "{ }");
  for (unsigned index : accesses) {
    const Access &access = model.accesses[index];
    addTo(!access.isWrite  ? reads
          : access.isExact ? must
                           : may,
          privateRelation(model, access));
  }
  return possibleFlow(reads, must, may, scheduleMap(model, tree));
}

std::vector<StatementFlow> statementFlows(const KernelModel &model,
                                          const isl::union_map &flow) {
  std::vector<StatementFlow> result;
  isl::map_list maps = flow.get_map_list();
  for (unsigned i = 0; i < static_cast<unsigned>(maps.size()); ++i) {
    isl::map map = maps.at(i);
    std::optional<unsigned> from =
        model.findStatement(isl_map_get_tuple_name(map.get(), isl_dim_in));
    std::optional<unsigned> to =
        model.findStatement(isl_map_get_tuple_name(map.get(), isl_dim_out));
    if (from && to)
      result.push_back({map, *from, *to});
  }
  return result;
}

LoopAnalyzer::Flow
LoopAnalyzer::flowThrough(const std::vector<unsigned> &accesses) const {
  Flow result;
  for (const auto &[map, from, to] :
       statementFlows(model, valueFlow(model, tree, accesses))) {
    if (!isInside(from)) {
      result.enters |= isInside(to);
      continue;
    }
    if (!isInside(to)) {
      result.leaves = true;
      continue;
    }
    // A value that stays in its iteration equates this loop's coordinate and
    // all those around it.
    unsigned k = coordinateOfLoop(model, model.statements[from], loop);
    isl_map *same = isl_map_universe(map.get_space().release());
    for (unsigned c = 0; c <= k; ++c)
      same = isl_map_equate(same, isl_dim_in, c, isl_dim_out, c);
    result.carried |= isl_map_is_subset(map.get(), same) != isl_bool_true;
    isl_map_free(same);
  }
  return result;
}

/// Every iteration writes all cells that the region of the copy refers to.
bool LoopAnalyzer::isWrittenWhole(const ArrayTile &copy) const {
  std::vector<unsigned> writes;
  for (unsigned id : copy.accesses) {
    const Access &access = model.accesses[id];
    if (access.isWrite && access.isExact && isInside(access.statement))
      writes.push_back(id);
  }
  if (writes.empty())
    return false;
  unsigned outer =
      coordinateOfLoop(model, model.statements[inside.front()], loop) + 1;
  unsigned around = static_cast<unsigned>(copy.coordinates.size());
  // { Region[w, outer, k] } all iterations.
  isl_set *iterations = nullptr;
  for (unsigned statement : inside) {
    isl_set *own =
        isl_map_range(regionOf(model.statements[statement], outer).release());
    iterations = iterations ? isl_set_union(iterations, own) : own;
  }
  // { Region[w, outer, k] -> A[s] } all cells of the copy, for each of them.
  isl_map *cells = regionFootprint(model, copy.accesses, around).release();
  cells = isl_map_reset_tuple_id(cells, isl_dim_in);
  cells = isl_map_insert_dims(cells, isl_dim_in, around, outer - around);
  cells = isl_map_set_tuple_name(cells, isl_dim_in, "Region");
  cells = isl_map_intersect_domain(cells, iterations);
  bool result =
      isl_map_is_subset(cells, regionFootprint(model, writes, outer).get()) ==
      isl_bool_true;
  isl_map_free(cells);
  return result;
}

bool cellsDifferAlong(const KernelModel &model, const ArrayTile &copy,
                      SymbolId axis) {
  for (unsigned id : copy.accesses) {
    const Access &access = model.accesses[id];
    for (size_t d = 0; d < copy.base.size(); ++d) {
      std::optional<Polynomial> stride =
          laneStride(model, access.subscripts[d] - copy.base[d], axis, 1);
      if (!stride || !stride->isZero())
        return true;
    }
  }
  return false;
}

LoopDependences analyzeLoop(const KernelModel &model, const ScheduleNode &tree,
                            unsigned loop, int64_t distance,
                            const std::vector<ArrayTile> &copies) {
  return LoopAnalyzer(model, tree, loop, distance, copies).run();
}

std::vector<Conflict> conflictsOfLanes(const KernelModel &model,
                                       const ScheduleNode &tree, unsigned loop,
                                       int64_t distance,
                                       const std::vector<unsigned> &accesses) {
  return LoopAnalyzer(model, tree, loop, distance, {}).runShared(accesses);
}

//===-- Work coordinates --------------------------------------------------===//

/// { S -> T : same cell, same work-item up to the coordinate `axis`, which is
/// greater in T }
static isl::map sameCellFurtherAlong(const KernelModel &model, SymbolId axis,
                                     const Access &a, const Access &b) {
  const Statement &s = model.statements[a.statement];
  const Statement &t = model.statements[b.statement];
  isl_map *map = isl_map_apply_range(a.relation.copy(),
                                     isl_map_reverse(b.relation.copy()));
  map = isl_map_intersect_domain(map, s.domain.copy());
  map = isl_map_intersect_range(map, t.domain.copy());
  unsigned work = workDimensions(model, s);
  for (unsigned c = 0; c < work; ++c)
    map = s.coordinates[c] == axis
              ? isl_map_order_lt(map, isl_dim_in, c, isl_dim_out, c)
              : isl_map_equate(map, isl_dim_in, c, isl_dim_out, c);
  return isl::manage(map);
}

std::vector<Conflict> conflictsAlong(
    const KernelModel &model, SymbolId axis,
    const std::vector<unsigned> &accesses,
    const std::function<bool(const Access &, const Access &)> &isFree) {
  std::vector<Conflict> result;
  for (unsigned first : accesses)
    for (unsigned second : accesses) {
      const Access &a = model.accesses[first], &b = model.accesses[second];
      if (a.array != b.array || (!a.isWrite && !b.isWrite) || isFree(a, b))
        continue;
      isl::map map = sameCellFurtherAlong(model, axis, a, b);
      if (isl_map_is_empty(map.get()) != isl_bool_true)
        result.push_back(conflictBetween(a, b));
    }
  return result;
}

/// { S -> T : same cell, T's work-item after S's in the order of `axes` }
static bool meetAcrossItems(const KernelModel &model,
                            const std::vector<SymbolId> &axes, const Access &a,
                            const Access &b) {
  const Statement &s = model.statements[a.statement];
  const Statement &t = model.statements[b.statement];
  isl::map same = isl::manage(isl_map_apply_range(
      a.relation.copy(), isl_map_reverse(b.relation.copy())));
  same = same.intersect_domain(s.domain).intersect_range(t.domain);
  const unsigned work = workDimensions(model, s);
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    isl_map *later = same.copy();
    for (unsigned c = 0; c < work; ++c) {
      auto place = std::find(axes.begin(), axes.end(), s.coordinates[c]);
      size_t rank = static_cast<size_t>(place - axes.begin());
      if (rank == axis)
        later = isl_map_order_lt(later, isl_dim_in, c, isl_dim_out, c);
      else if (rank < axis || place == axes.end())
        later = isl_map_equate(later, isl_dim_in, c, isl_dim_out, c);
    }
    bool isEmpty = isl::manage(later).is_empty();
    if (!isEmpty)
      return true;
  }
  return false;
}

std::vector<Conflict> conflictsAcross(const KernelModel &model,
                                      const std::vector<SymbolId> &axes,
                                      const std::vector<unsigned> &accesses) {
  std::vector<Conflict> result;
  for (unsigned first : accesses)
    for (unsigned second : accesses) {
      const Access &a = model.accesses[first], &b = model.accesses[second];
      bool mayConflict = a.array == b.array && (a.isWrite || b.isWrite);
      if (mayConflict && meetAcrossItems(model, axes, a, b))
        result.push_back(conflictBetween(a, b));
    }
  return result;
}

isl::map regionFootprint(const KernelModel &model,
                         const std::vector<unsigned> &accesses,
                         unsigned outer) {
  isl_map *result = nullptr;
  for (unsigned index : accesses) {
    const Access &access = model.accesses[index];
    const Statement &statement = model.statements[access.statement];
    isl_map *cells = isl_map_apply_range(
        isl_map_reverse(regionOf(statement, outer).release()),
        isl_map_intersect_domain(access.relation.copy(),
                                 statement.domain.copy()));
    result = result ? isl_map_union(result, cells) : cells;
  }
  return isl::manage(isl_map_coalesce(result));
}

isl::map upwardExposed(const KernelModel &model, const ScheduleNode &tree,
                       const std::vector<unsigned> &accesses, unsigned outer) {
  std::vector<unsigned> readers;
  bool anyWrite = false;
  for (unsigned index : accesses) {
    if (!model.accesses[index].isWrite)
      readers.push_back(index);
    else
      anyWrite |= model.accesses[index].isExact;
  }
  // Nothing is read, or nothing is written: no flow to compute.
  if (readers.empty() || !anyWrite) {
    isl::map all = regionFootprint(model, accesses, outer);
    return readers.empty()
               ? isl::manage(isl_map_empty(isl_map_get_space(all.get())))
               : regionFootprint(model, readers, outer);
  }
  isl::ctx ctx(model.context.get());
  isl::union_map reads(ctx, "{ }"), writes(ctx, "{ }");
  isl::space space;
  for (unsigned index : accesses) {
    const Access &access = model.accesses[index];
    const Statement &statement = model.statements[access.statement];
    isl::map tagged = isl::manage(isl_map_range_product(
        regionOf(statement, outer).release(),
        isl_map_intersect_domain(access.relation.copy(),
                                 statement.domain.copy())));
    space = tagged.range().get_space();
    if (!access.isWrite)
      addTo(reads, tagged);
    else if (access.isExact)
      addTo(writes, tagged);
  }
  isl_union_access_info *info = isl_union_access_info_from_sink(reads.copy());
  info = isl_union_access_info_set_must_source(info, writes.release());
  info = isl_union_access_info_set_schedule_map(
      info, scheduleMap(model, tree).release());
  isl::union_flow flow = isl::manage(isl_union_access_info_compute_flow(info));
  // { S[w, i] -> [Region[] -> A[]] } reads that see a value from before.
  isl_union_set *cells =
      isl_union_map_range(isl_union_flow_get_may_no_source(flow.get()));
  isl_set *exposed =
      isl_union_set_extract_set(cells, isl_space_copy(space.get()));
  isl_union_set_free(cells);
  return isl::manage(isl_set_unwrap(exposed));
}

Conflict conflictBetween(const Access &first, const Access &second) {
  Conflict result = {first.id, second.id, Conflict::Kind::Output};
  if (!first.isWrite)
    result.kind = Conflict::Kind::Anti;
  else if (!second.isWrite)
    result.kind = Conflict::Kind::Flow;
  return result;
}

std::string describe(const KernelModel &model, const Conflict &conflict) {
  const Access &a = model.accesses[conflict.first];
  const Access &b = model.accesses[conflict.second];
  auto place = [&](const Access &access) {
    return "'" + model.arrays[access.array].name + "' at line " +
           std::to_string(access.range.line);
  };
  switch (conflict.kind) {
  case Conflict::Kind::Flow:
    return "the value written to " + place(a) +
           " is read in a later iteration at line " +
           std::to_string(b.range.line);
  case Conflict::Kind::Anti:
    return "the value read from " + place(a) +
           " is overwritten in a later iteration at line " +
           std::to_string(b.range.line);
  case Conflict::Kind::Output:
    return place(a) + " is written again in a later iteration at line " +
           std::to_string(b.range.line);
  }
  return "";
}

} // namespace clopt
