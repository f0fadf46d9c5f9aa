//===- Map.cpp - a sequential loop becomes a dimension --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `map k` runs the iterations of the loop k as work-items of their own in
// the virtual NDRange; the launched work-items share them out:
//
//   int i = get_global_id(0);
//   for (int k = 0; k < n; k++) b[i * n + k] = a[i * n + k];
//
//   for (tile = linear id; tile < n * get_global_size(0); tile += work-items) {
//     const int k = tile % n, i = tile / n;
//     b[i * n + k] = a[i * n + k];
//   }
//
// The iterator becomes a work coordinate in a model of the kernel's own:
// Analysis, the other steps and Emit see a dimension like any other. What
// stands before the loop is done in every iteration if it only sets private
// variables, else in the first one; what follows is done in the last one.
// Registers of an array that each iteration overwrites are stored by the last
// iteration that writes them.
//
// Legal when no two iterations of one work-item touch the same cell, one of
// them writing (conflictsAlong), no private value goes from one iteration to
// another (valueFlow), and arrays that may overlap are checked at run time.
//
// Tested by test/unit/MapTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Mapper.h"

#include "Analysis/dependence/Dependences.h"
#include "Transform/steps/PrivateCells.h"
#include "Transform/tree/Coordinates.h"
#include "Transform/tree/StripMine.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

/// Dimensions of the virtual NDRange, as of every NDRange.
static constexpr unsigned maximumRank = 3;
/// Bounds of the range with more cases than this would be dear to compute.
static constexpr int maximumPieces = 4;

Mapper::Mapper(const TransformedKernel &transformed, unsigned loopIndex)
    : result(transformed), kernel(transformed), old(*transformed.model),
      loop(loopIndex), info(old.loops[loopIndex]) {
  for (SymbolId id : old.statements.front().coordinates)
    if (old.symbols[id].kind != SymbolKind::Iterator)
      workItem.push_back(id);
  virtualItem = workItem;
  virtualItem.push_back(info.iterator);
}

//===-- Where everything goes ---------------------------------------------===//

StepResult Mapper::checkLoop() const {
  if (old.ndrange.isFlat())
    return refuse("clopt-group-shape",
                  "the launch has one dimension for those of the kernel");
  for (const MappedDimension &mapped : old.ndrange.mapped)
    if (mapped.isLaunched)
      return refuse("clopt-group-shape",
                    "the loop '" + old.loops[mapped.loop].name +
                        "' is a dimension of the virtual NDRange");
  if (kernel.fastest != 0)
    return refuse("clopt-group-shape",
                  "the dimensions of the NDRange have changed places");
  for (const ArrayTile &copy : kernel.registers())
    if (copy.window || copy.within || copy.isHoisted)
      return refuse("clopt-dependence",
                    "'" + old.arrays[copy.array].name +
                        "' is loaded ahead for the loops as they are",
                    "write the step earlier");
  if (!findLoop(kernel.tree, loop))
    return refuse("clopt-opaque-code",
                  "the loop is part of code that is kept as written");
  if (info.step != 1 && info.step != -1)
    return refuse("clopt-not-profitable",
                  "the loop '" + info.name + "' leaves out values",
                  "count by one and multiply", info.stmt->range);
  if (kernel.isGrouped() || !kernel.sections().empty() ||
      !kernel.selections.empty() || !kernel.alignedArrays.empty())
    return refuse("clopt-group-shape",
                  "groups have tiles, and choose versions, along dimensions of "
                  "the launch only");
  if (old.ndrange.rank >= maximumRank)
    return refuse("clopt-group-shape",
                  "an NDRange has no more than three dimensions");
  return std::nullopt;
}

bool Mapper::writesMemory(const Statement &statement) const {
  for (unsigned id : statement.accesses) {
    const Access &access = old.accesses[id];
    if (access.isWrite &&
        old.arrays[access.array].space != AddressSpace::Private)
      return true;
  }
  return false;
}

void Mapper::placeAll(const ScheduleNode &node, bool isBefore) {
  for (unsigned index : statementsBelow(node)) {
    bool effect = writesMemory(old.statements[index]);
    placements[index] = !isBefore ? Placement::Last
                        : effect  ? Placement::First
                                  : Placement::Everywhere;
  }
  for (unsigned inner : loopsBelow(node))
    for (size_t i = 0; i < kernel.tiles.size(); ++i)
      if (kernel.tiles[i].loop == inner)
        copyPlacements[i] = !isBefore                 ? Placement::Last
                            : kernel.tiles[i].copyOut ? Placement::First
                                                      : Placement::Everywhere;
}

/// Walks down to the loop and places what stands beside the way.
StepResult Mapper::placeAround(const ScheduleNode &node) {
  if (node.kind == ScheduleNode::Kind::Loop && node.loop == loop)
    return std::nullopt;
  bool isLoop = node.kind == ScheduleNode::Kind::Loop;
  if (isLoop &&
      statementsBelow(node) != statementsBelow(*findLoop(kernel.tree, loop)))
    return refuse("clopt-dependence",
                  "the loop '" + old.loops[node.loop].name +
                      "' has more in its body than the loop '" + info.name +
                      "'",
                  "", old.loops[node.loop].stmt->range);
  bool isBefore = true;
  for (const ScheduleNode &child : node.children) {
    if (!findLoop(child, loop)) {
      placeAll(child, isBefore);
      continue;
    }
    if (StepResult refusal = placeAround(child))
      return refusal;
    isBefore = false;
  }
  return std::nullopt;
}

bool Mapper::mentionsVariable(const Statement &statement) const {
  if (!info.var || !statement.stmt)
    return false;
  bool found = false;
  forEachExpr(StmtRef(StmtRef(), statement.stmt), [&](const ExprRef &expr) {
    found |= expr->kind == ExprKind::VarRef && expr->var == info.var;
  });
  bool isInitialized = statement.stmt->kind == StmtKind::Decl &&
                       statement.stmt->var == info.var && statement.stmt->expr;
  return found || isInitialized;
}

StepResult Mapper::place() {
  placements.assign(old.statements.size(), Placement::Iteration);
  copyPlacements.assign(kernel.tiles.size(), Placement::Iteration);
  if (StepResult refusal = placeAround(kernel.tree))
    return refusal;
  for (size_t s = 0; s < placements.size(); ++s)
    if (placements[s] != Placement::Iteration &&
        mentionsVariable(old.statements[s]))
      return refuse("clopt-dependence",
                    "'" + info.var->name + "' is used outside the loop", "",
                    old.statements[s].stmt->range);
  return std::nullopt;
}

StepResult Mapper::check() {
  if (StepResult refusal = checkLoop())
    return refusal;
  if (StepResult refusal = mergeableWorkItems(kernel, 0))
    return refusal;
  if (StepResult refusal = place())
    return refusal;
  return checkFlow();
}

//===-- Private values ----------------------------------------------------===//

/// True when both ends of the flow are executed by one virtual work-item.
bool Mapper::keeps(isl::map flow, unsigned from, unsigned to) const {
  Placement source = placements[from], sink = placements[to];
  if (source == Placement::Everywhere)
    return true;
  if (source != Placement::Iteration)
    return source == sink;
  const Statement &s = old.statements[from];
  auto position = [&](const Statement &statement) {
    auto it = std::find(statement.coordinates.begin(),
                        statement.coordinates.end(), info.iterator);
    return static_cast<int>(it - statement.coordinates.begin());
  };
  if (sink == Placement::Iteration) {
    isl_map *same = isl_map_universe(flow.get_space().release());
    same = isl_map_equate(same, isl_dim_in, position(s), isl_dim_out,
                          position(old.statements[to]));
    bool result = isl_map_is_subset(flow.get(), same) == isl_bool_true;
    isl_map_free(same);
    return result;
  }
  // Into what follows the loop: only from the last iteration.
  isl::map change = coordinateMap(old, s.name, s.coordinates, virtualItem);
  change = isl::manage(isl_map_reset_tuple_id(change.release(), isl_dim_out));
  isl_set *sources =
      isl_set_apply(isl_map_domain(flow.release()), change.release());
  bool result = isl_set_is_subset(sources, endOf(iterations(), true).get()) ==
                isl_bool_true;
  isl_set_free(sources);
  return result && sink == Placement::Last;
}

StepResult Mapper::checkArrayFlow(unsigned array) const {
  std::vector<unsigned> accesses;
  bool written = false;
  for (const Access &access : old.accesses)
    if (access.array == array) {
      accesses.push_back(access.id);
      written |= access.isWrite;
    }
  if (!written)
    return std::nullopt;
  for (const auto &[flow, from, to] :
       statementFlows(old, valueFlow(old, kernel.tree, accesses))) {
    if (keeps(flow, from, to))
      continue;
    const Array &variable = old.arrays[array];
    bool isIterated = placements[from] == Placement::Iteration;
    bool isFloat = variable.elementType.isFloating() && isIterated;
    return refuse(
        isFloat ? "clopt-reassociation" : "clopt-dependence",
        "the value of '" + variable.name +
            (isIterated ? "' goes from one iteration to the next or is used "
                          "after the loop"
                        : "' is set together with memory and used in the loop"),
        "", variable.var ? variable.var->range : SourceRange());
  }
  return std::nullopt;
}

StepResult Mapper::checkFlow() const {
  for (unsigned array = 0; array < old.arrays.size(); ++array)
    if (old.arrays[array].space == AddressSpace::Private)
      if (StepResult refusal = checkArrayFlow(array))
        return refusal;
  return std::nullopt;
}

//===-- The new dimension -------------------------------------------------===//

/// { [w..., k] } the iterations of every work-item.
isl::set Mapper::iterations() const {
  isl_set *all = nullptr;
  for (size_t s = 0; s < placements.size(); ++s) {
    const Statement &statement = old.statements[s];
    if (placements[s] != Placement::Iteration)
      continue;
    isl_map *change =
        coordinateMap(old, statement.name, statement.coordinates, virtualItem)
            .release();
    isl_set *own = isl_set_apply(statement.domain.copy(),
                                 isl_map_reset_tuple_id(change, isl_dim_out));
    all = all ? isl_set_union(all, own) : own;
  }
  return isl::manage(isl_set_coalesce(all));
}

/// { [w..., k] } the iterations that no later (earlier) one follows.
isl::set Mapper::endOf(const isl::set &executed, bool last) const {
  unsigned k = static_cast<unsigned>(workItem.size());
  isl_space *space = isl_space_map_from_set(isl_set_get_space(executed.get()));
  isl_map *later = isl_map_universe(space);
  for (unsigned c = 0; c < k; ++c)
    later = isl_map_equate(later, isl_dim_in, c, isl_dim_out, c);
  bool upward = (info.step > 0) == last;
  later = upward ? isl_map_order_lt(later, isl_dim_in, k, isl_dim_out, k)
                 : isl_map_order_gt(later, isl_dim_in, k, isl_dim_out, k);
  later = isl_map_intersect_range(later, executed.copy());
  return isl::manage(isl_set_coalesce(
      isl_set_subtract(executed.copy(), isl_map_domain(later))));
}

/// First value of the loop over all work-items, or one past the last one.
std::optional<isl::pw_aff> Mapper::bound(const isl::set &executed,
                                         bool last) const {
  unsigned k = static_cast<unsigned>(workItem.size());
  isl_set *values = isl_set_project_out(executed.copy(), isl_dim_set, 0, k);
  values = isl_set_intersect_params(values, old.paramContext.copy());
  bool isBounded =
      (last ? isl_set_dim_has_any_upper_bound(values, isl_dim_set, 0)
            : isl_set_dim_has_any_lower_bound(values, isl_dim_set, 0)) ==
      isl_bool_true;
  if (!isBounded) {
    isl_set_free(values);
    return std::nullopt;
  }
  isl_set *known = isl_set_params(isl_set_copy(values));
  isl_pw_aff *value =
      last ? isl_set_dim_max(values, 0) : isl_set_dim_min(values, 0);
  if (last)
    value = isl_pw_aff_add_constant_val(value, isl_val_one(old.context.get()));
  value = isl_pw_aff_coalesce(isl_pw_aff_gist_params(value, known));
  if (isl_pw_aff_n_piece(value) > maximumPieces ||
      isl_pw_aff_n_piece(value) < 1) {
    isl_pw_aff_free(value);
    return std::nullopt;
  }
  return isl::manage(value);
}

StepResult Mapper::addDimension(const isl::set &executed, bool isFastest) {
  MappedDimension mapped;
  mapped.dim = old.ndrange.rank;
  mapped.loop = loop;
  mapped.isFastest = isFastest;
  std::optional<isl::pw_aff> first = bound(executed, false);
  std::optional<isl::pw_aff> end = bound(executed, true);
  if (!first || !end)
    return refuse("clopt-non-affine-control",
                  "the bounds of '" + info.name +
                      "' are not known before the kernel runs",
                  "", info.stmt->range);
  mapped.first = *first;
  mapped.end = *end;
  model->ndrange.mapped.push_back(mapped);
  model->ndrange.rank = mapped.dim + 1;
  Symbol &symbol = model->symbols[info.iterator];
  symbol.kind = SymbolKind::GlobalId;
  symbol.dim = mapped.dim;
  for (Loop &other : model->loops)
    other.outer.erase(std::remove(other.outer.begin(), other.outer.end(), loop),
                      other.outer.end());
  return std::nullopt;
}

std::vector<SymbolId> withAxis(const std::vector<SymbolId> &coordinates,
                               const std::vector<SymbolId> &virtualItem) {
  std::vector<SymbolId> result = virtualItem;
  for (SymbolId id : coordinates)
    if (!llvm::is_contained(result, id))
      result.push_back(id);
  return result;
}

/// What is done once for all iterations needs one: `needed` { [w...] } must be
/// in `from` { [w..., k] }, or the launch is not taken.
StepResult Mapper::requireIterations(const isl::set &needed,
                                     const isl::set &from) {
  isl_set *have =
      isl_set_project_out(from.copy(), isl_dim_set, workItem.size(), 1);
  isl::set missing = isl::manage(isl_set_params(isl_set_subtract(
      isl_set_reset_tuple_id(needed.copy()), isl_set_reset_tuple_id(have))));
  if (isl_set_is_empty(missing.get()) == isl_bool_true)
    return std::nullopt;
  Assumption assumption;
  assumption.kind = Assumption::Kind::Range;
  assumption.condition =
      isl::manage(isl_set_coalesce(isl_set_complement(missing.release())));
  assumption.text = "the loop '" + info.name + "' runs";
  assumption.range = info.stmt->range;
  isl_set *possible = isl_set_intersect(assumption.condition.copy(),
                                        model->paramContext.copy());
  bool never = isl_set_is_empty(possible) == isl_bool_true;
  isl_set_free(possible);
  if (never)
    return refuse("clopt-dependence",
                  "work-items that do not run the loop '" + info.name +
                      "' have something else to do",
                  "", info.stmt->range);
  model->assumptions.push_back(assumption);
  return std::nullopt;
}

StepResult Mapper::moveStatements(const isl::set &executed) {
  isl::set first = endOf(executed, false), last = endOf(executed, true);
  for (size_t s = 0; s < placements.size(); ++s) {
    Statement &statement = model->statements[s];
    statement.loops.erase(
        std::remove(statement.loops.begin(), statement.loops.end(), loop),
        statement.loops.end());
    isl::set before = statement.domain;
    changeCoordinates(*model, statement,
                      withAxis(statement.coordinates, virtualItem));
    if (placements[s] == Placement::Iteration)
      continue;
    const isl::set &where = placements[s] == Placement::Everywhere ? executed
                            : placements[s] == Placement::First    ? first
                                                                   : last;
    statement.domain = restrictTo(statement.domain, where);
    if (placements[s] == Placement::Everywhere || !writesMemory(statement))
      continue;
    unsigned extra = isl_set_dim(before.get(), isl_dim_set) -
                     static_cast<unsigned>(workItem.size());
    isl::set needed = isl::manage(isl_set_project_out(
        before.release(), isl_dim_set, workItem.size(), extra));
    if (StepResult refusal = requireIterations(needed, executed))
      return refusal;
  }
  return std::nullopt;
}

//===-- The new order -----------------------------------------------------===//

/// Both belong to registers that updateCopy has taken care of.
bool Mapper::sharesRegisters(const Access &first, const Access &second) const {
  for (const ArrayTile &copy : kernel.registers())
    if (copy.has(first.id) && copy.has(second.id) && isShared(copy))
      return true;
  return false;
}

static ScheduleNode withoutLoop(const ScheduleNode &node, unsigned loop) {
  if (node.kind == ScheduleNode::Kind::Loop && node.loop == loop)
    return node.children[0];
  ScheduleNode result = node;
  for (ScheduleNode &child : result.children)
    child = withoutLoop(child, loop);
  return result;
}

StepResult Mapper::build(bool isFastest) {
  model = std::make_shared<KernelModel>(old);
  result.tree = withoutLoop(kernel.tree, loop);
  isl::set executed = iterations();
  if (StepResult refusal = addDimension(executed, isFastest))
    return refusal;
  if (StepResult refusal = moveStatements(executed))
    return refusal;
  if (StepResult refusal = moveCopies(executed))
    return refusal;
  result.ownModel = model;
  result.model = model.get();
  return std::nullopt;
}

StepResult Mapper::checkNewOrder(AliasMode alias) {
  std::vector<unsigned> accesses;
  std::set<unsigned> touched, written;
  for (const Access &access : model->accesses) {
    if (model->arrays[access.array].space == AddressSpace::Private)
      continue;
    accesses.push_back(access.id);
    touched.insert(access.array);
    if (access.isWrite)
      written.insert(access.array);
  }
  std::vector<Conflict> conflicts =
      conflictsAlong(*model, info.iterator, accesses,
                     [this](const Access &a, const Access &b) {
                       return sharesRegisters(a, b);
                     });
  if (!conflicts.empty()) {
    const Conflict &conflict = conflicts.front();
    return refuse(
        "clopt-dependence", describe(*model, conflict),
        conflict.kind == Conflict::Kind::Output
            ? "privatize '" +
                  model->arrays[model->accesses[conflict.first].array].name +
                  "' first"
            : "",
        model->accesses[conflict.second].range);
  }
  for (unsigned first : written)
    for (unsigned second : touched)
      if (first != second)
        if (StepResult refusal = requireDisjoint(result, first, second, alias))
          return refusal;
  for (unsigned i = 0; i < model->assumptions.size(); ++i) {
    const Assumption &assumption = model->assumptions[i];
    if (assumption.kind == Assumption::Kind::Subscript &&
        assumption.array >= 0 &&
        touched.count(static_cast<unsigned>(assumption.array)))
      result.usedAssumptions.insert(i);
  }
  return std::nullopt;
}

StepResult mapLoop(TransformedKernel &kernel, unsigned loop, bool isFastest,
                   AliasMode alias) {
  // What the loop does in lanes and copies the dimension does with work-items.
  TransformedKernel plain = kernel;
  const LoopRole role = takeRole(plain, loop);
  if (role.unroll == 0)
    return refuse("clopt-group-shape",
                  "a work-item does all iterations of the loop '" +
                      kernel.model->loops[loop].name + "'");
  const LoopRoles others(plain, {});
  Mapper work(plain, loop);
  if (StepResult refusal = work.check())
    return refusal;
  if (StepResult refusal = work.build(isFastest))
    return refusal;
  if (StepResult refusal = work.checkNewOrder(alias))
    return refusal;
  const unsigned dim = work.result.model->ndrange.mapped.back().dim;
  if (role.lanes > 1)
    if (StepResult refusal = vectorizeWork(work.result, dim, role.lanes))
      return refusal;
  if (role.unroll > 1)
    if (StepResult refusal = coarsen(work.result, dim, role.unroll, false))
      return refusal;
  if (StepResult refusal = others.giveBack(work.result, alias))
    return refusal;
  kernel = std::move(work.result);
  return std::nullopt;
}

} // namespace clopt
