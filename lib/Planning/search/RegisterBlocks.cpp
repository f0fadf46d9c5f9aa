//===- RegisterBlocks.cpp - work-items that take several points -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which dimensions the planner coarsens, and what a launch needs for that.
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/PlannerImpl.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/Divergence.h"
#include "Analysis/access/LaneAxis.h"
#include "Analysis/access/Selections.h"
#include "Model/Control.h"
#include "Planning/cost/LoopWork.h"
#include "Planning/cost/SharedCost.h"

#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>

namespace clopt {

/// What a register block must save to pay for the work-items it takes away.
static constexpr double enoughGain = 1.1;
/// What it must save of loads and operations together to do so where loads
/// alone do not, or with few iterations in a row.
static constexpr double enoughShare = 1.35;
/// Iterations of known and of unknown number below which it does not. The
/// work-items that are left must fill the compute units (an H100 half full:
/// 0.81 to 0.96); fewer of them suffice, per unit, where sums in memory are
/// kept in registers as well.
static constexpr int64_t minKnown = 100, minInBlocks = 16, minWithSums = 15;
/// Iterations of known number from which blocks pay that save so much more.
/// (An H200, products of rows of 64, one of them at a place that is not known,
/// 4 points: 2.9.)
static constexpr int64_t minOfRow = 32;
static constexpr double enoughOfRow = 1.6;
/// Iterations of known number with which windows that overlap pay, all of them
/// written out. (An H100, 4 points: 9 iterations 0.8 to 1.15, 13 iterations
/// 1.05 to 1.25, 25 iterations 1.05 to 1.6, 81 iterations 1.3 to 2.4.)
static constexpr int64_t minInWindow = 12;
/// Cells from which rows of four points share them.
static constexpr int64_t longWindow = 192;
/// Iterations that a loop over a window of any size is taken to have.
static constexpr int64_t usualWindow = 5;
/// Iterations of one loop, and of a nest, that compilers are asked to write
/// out; longest nest that is written out in the text.
static constexpr int64_t mostOfLoop = 32, mostOfNest = 128, mostInText = 32;
/// Iterations, and tiles of them, for each launched work-item where these go
/// through a loop together; PoCL runs few rounds as fast without.
static constexpr unsigned minRounds = 16, minTiles = 2;

Step makeStep(const std::string &name, const std::string &target,
              std::optional<int64_t> count) {
  Step step;
  step.name = name;
  step.targets.push_back({target, count});
  return step;
}

/// True when all points of the domain have the same range along a coordinate.
static bool isBoxAlong(const isl::set &domain, unsigned position) {
  unsigned total = isl_set_dim(domain.get(), isl_dim_set);
  isl_set *range = isl_set_reset_tuple_id(domain.copy()); // { [k] }
  range = isl_set_project_out(range, isl_dim_param, 0,
                              isl_set_dim(range, isl_dim_param));
  range = isl_set_project_out(range, isl_dim_set, position + 1,
                              total - position - 1);
  range = isl_set_project_out(range, isl_dim_set, 0, position);
  range = isl_set_insert_dims(range, isl_dim_set, 0, position);
  range = isl_set_insert_dims(range, isl_dim_set, position + 1,
                              total - position - 1);
  isl_set *others = isl_set_project_out(isl_set_reset_tuple_id(domain.copy()),
                                        isl_dim_set, position, 1);
  others = isl_set_insert_dims(others, isl_dim_set, position, 1);
  range = isl_set_align_params(range, isl_set_get_space(others));
  isl::set box = isl::manage(isl_set_intersect(others, range)); // { [w..., k] }
  return box.is_subset(isl::manage(isl_set_reset_tuple_id(domain.copy())));
}

bool losesRegisters(const KernelModel &model) {
  for (const Statement &statement : model.statements)
    for (unsigned id : statement.accesses) {
      const Access &access = model.accesses[id];
      if (model.arrays[access.array].space != AddressSpace::Private ||
          !access.offset)
        continue;
      for (unsigned i = 0; i < statement.coordinates.size(); ++i) {
        SymbolId symbol = statement.coordinates[i];
        if (model.symbols[symbol].kind == SymbolKind::Iterator &&
            access.offset->contains(symbol) && !isBoxAlong(statement.domain, i))
          return true;
      }
    }
  return false;
}

/// Registers of all sums that lanes take apart, with so many more of each.
unsigned Planner::registersOfSums(unsigned points) const {
  unsigned registers = 0;
  for (const ReductionAccumulator &partial : kernel.partials)
    if (const ScheduleNode *loop = findLoop(kernel.tree, partial.loop))
      registers += loop->lanes *
                   std::max(1u, model.arrays[partial.array].elementBytes / 4);
  for (const WorkDimension &work : kernel.work)
    registers *= work.total();
  return registers * points;
}

/// Most runs of a statement in loops; of an unknown number, many.
int64_t Planner::mostIterations() const {
  std::map<unsigned, int64_t> counts;
  int64_t most = 0;
  for (const Statement &statement : model.statements) {
    int64_t product = statement.loops.empty() ? 0 : 1;
    for (unsigned loop : statement.loops) {
      auto known = counts.find(loop);
      if (known == counts.end()) {
        std::optional<int64_t> count = findLoop(kernel.tree, loop)
                                           ? constantTripCount(kernel, loop)
                                           : std::nullopt;
        known = counts.emplace(loop, count.value_or(minKnown)).first;
      }
      product *= known->second;
    }
    most = std::max(most, product);
  }
  return most;
}

/// True when some statement runs many times, or an unknown number of times.
bool Planner::isLong() const { return mostIterations() >= minKnown; }

/// True for a loop whose first and last iteration are the same for all
/// work-items, whatever they do in it.
bool Planner::hasEqualBounds(unsigned loop) const {
  const Loop &own = model.loops[loop];
  auto isEqual = [&](const Polynomial &value) {
    return llvm::none_of(value.symbols(), [&](SymbolId symbol) {
      for (SymbolId id = 0; id < model.symbols.size(); ++id)
        if (isId(model.symbols[id]) && dependsOn(model, symbol, id))
          return true;
      return false;
    });
  };
  if (!own.stmt || own.stmt->kind != StmtKind::For || !isEqual(own.first))
    return false;
  std::function<bool(const Expr &)> isKnown = [&](const Expr &expr) {
    if (expr.kind == ExprKind::VarRef && expr.var == own.var)
      return true;
    if (auto value = model.values.find(&expr); value != model.values.end())
      return isEqual(value->second);
    return expr.kind != ExprKind::VarRef &&
           llvm::all_of(expr.operands, [&](const ExprRef &operand) {
             return isKnown(*operand);
           });
  };
  return isKnown(*own.stmt->expr);
}

/// Iterations of the loop, and how many of them a window of cells moves by from
/// one work-item along the id to the next; nothing when windows have no cell in
/// common.
std::optional<Planner::Window>
Planner::windowIn(const Access &access, SymbolId id, unsigned loop) const {
  const Polynomial offset = offsetOf(access);
  const std::optional<Polynomial> apart = laneStride(model, offset, id, 1);
  if (!apart || apart->isZero() || !findLoop(kernel.tree, loop))
    return std::nullopt;
  std::optional<int64_t> trips = constantTripCount(kernel, loop);
  if (!trips && hasEqualBounds(loop))
    trips = usualWindow;
  if (!trips || *trips > mostOfLoop)
    return std::nullopt;
  const std::optional<Polynomial> step = laneStride(
      model, offset, model.loops[loop].iterator, model.loops[loop].step);
  for (int64_t rows = 1; step && rows < *trips; ++rows)
    if (*step * Polynomial(rows) == *apart ||
        *step * Polynomial(-rows) == *apart)
      return Window{*trips, rows};
  return std::nullopt;
}

/// Part of the cells that `points` work-items along the id read in a loop that
/// is left when they share what their windows have in common: with 3 rows each,
/// 4 work-items read 6 rows in place of 12.
double Planner::overlap(const Access &access, SymbolId id,
                        unsigned points) const {
  for (unsigned loop : model.statements[access.statement].loops)
    if (std::optional<Window> window = windowIn(access, id, loop))
      return static_cast<double>(window->trips + (points - 1) * window->rows) /
             static_cast<double>(window->trips * points);
  return 1;
}

/// True where neighbouring work-items read cells further apart than what memory
/// delivers at once.
bool Planner::jumpsBetweenLanes(const Access &access, SymbolId lane) const {
  std::optional<Polynomial> stride =
      laneStride(model, offsetOf(access), lane, 1);
  std::optional<int64_t> cells = stride ? stride->asConstant() : std::nullopt;
  return !cells ||
         std::llabs(*cells) * model.arrays[access.array].elementBytes >
             profile.segmentBytes;
}

/// True for vectors of rows of its own for every work-item, in a kernel without
/// lanes. They come from the cache as fast as they are needed, and the
/// addresses of more rows cost more than the loads they save: dot products of
/// rows of float4, 4 rows at a time, ran at 0.4 on PoCL. Rows that sums in any
/// order take are such vectors to compilers (bits counted, 4 rows at a time:
/// 0.66).
bool Planner::readsRowOfVectors(const Access &access) const {
  const Type &element = model.arrays[access.array].elementType;
  const std::vector<unsigned> &loops = model.statements[access.statement].loops;
  std::optional<SymbolId> lane = model.symbols.find(SymbolKind::GlobalId, 0);
  bool hasLanes = kernel.work[0].lanes > 1 || !kernel.partials.empty();
  if (hasLanes || !lane || !dependsOn(model, offsetOf(access), *lane) ||
      loops.empty() || !areRowsApart(access, loops.back(), *lane))
    return false;
  return access.width > 1 || !element.isScalar() ||
         (walksAlong(access) && countsAlong(loops.back()));
}

/// What a store takes, which nobody shares: as many loads as lanes touch lines.
double Planner::costOfStore(const Access &access) const {
  const Array &array = model.arrays[access.array];
  if (array.space == AddressSpace::Private)
    return 0;
  std::optional<SymbolId> lane = model.symbols.find(SymbolKind::GlobalId, 0);
  const bool isApart =
      lane && access.offset && jumpsBetweenLanes(access, *lane);
  return loadCost *
         (isApart ? std::max(1u, profile.segmentBytes / array.elementBytes)
                  : 1);
}

/// How many times less a work-item has to issue per logical work-item when
/// `points` of them along the id share what does not depend on it.
double Planner::gainOfBlock(SymbolId id, unsigned points) const {
  std::optional<SymbolId> lane = model.symbols.find(SymbolKind::GlobalId, 0);
  std::vector<std::pair<unsigned, Polynomial>> seen;
  double operations = 0, own = 0, shared = 0, common = 0;
  bool anyVaries = false; // loads of one address for all lanes are cheap
  const DivergenceMask along = 1u << model.symbols[id].dim;
  const Divergence divergence(kernel, kernel.tree, LaneAxis(), 1u | along);
  for (const Statement &statement : model.statements) {
    if (statement.loops.empty())
      continue;
    if (statement.stmt && statement.stmt->expr)
      operations += operationsIn(*statement.stmt->expr);
    SymbolId iterator = model.loops[statement.loops.back()].iterator;
    for (unsigned index : statement.accesses) {
      const Access &access = model.accesses[index];
      if (isInRegister(access))
        continue;
      if (!access.offset) {
        // Where it lies is not known, but whether it is the same place.
        const DivergenceMask mask =
            access.isWrite || !access.expr
                ? along
                : divergence.ofExpr(ExprRef(ExprRef(), access.expr));
        (mask & along ? own : shared) += loadCost;
        anyVaries |= !(mask & along) && (mask & 1u);
        continue;
      }
      if (access.isWrite) {
        own += costOfStore(access);
        continue;
      }
      const Polynomial offset = offsetOf(access);
      std::pair<unsigned, Polynomial> cell(access.array, offset);
      bool isNew = std::find(seen.begin(), seen.end(), cell) == seen.end();
      if (!isNew || !dependsOn(model, offset, iterator))
        continue;
      seen.push_back(cell);
      bool varies = lane && dependsOn(model, offset, *lane);
      bool isOwn = dependsOn(model, offset, id);
      // Lines that a work-item alone comes back to would need as many times
      // the room in the cache.
      if (isOwn && varies && jumpsBetweenLanes(access, *lane))
        return 1;
      anyVaries |= varies;
      const double cost = varies ? loadCost : uniformLoadCost;
      (isOwn ? own : shared) += cost;
      common += isOwn ? (1 - overlap(access, id, points)) * cost : 0;
    }
  }
  if (!anyVaries)
    return 1;
  return (operations + own + shared) /
         (operations + own - common + shared / points);
}

/// How many times less `points` work-items along the dimension have to do in
/// loops when they do together what is the same for all of them.
double Planner::shareOfBlock(unsigned dim, unsigned points) const {
  Divergence divergence(kernel, kernel.tree, LaneAxis(), 1u | 1u << dim);
  const SymbolId id = *model.symbols.find(SymbolKind::GlobalId, dim);
  auto costOf = [&](const Expr &load, bool varies) {
    const double cost = varies ? loadCost : uniformLoadCost;
    const Access *access = model.accessOf(load);
    const double left = access && access->offset && !isInRegister(*access)
                            ? overlap(*access, id, points)
                            : 1.0;
    return LoadCost{cost, (1 - left) * cost};
  };
  SharedCost cost(divergence, 1u << dim, costOf);
  for (const Statement &statement : model.statements) {
    if (statement.loops.empty())
      continue;
    if (statement.stmt)
      cost.addAll(StmtRef(StmtRef(), statement.stmt));
    for (unsigned id : statement.accesses)
      if (model.accesses[id].isWrite && !isInRegister(model.accesses[id]))
        cost.own += costOfStore(model.accesses[id]);
  }
  return (cost.own + cost.shared) /
         std::max(1.0, cost.own - cost.common + cost.shared / points);
}

/// Iterations of each of so many loops, one in the other, that make `fewest`
/// of all of them.
static unsigned shareOf(unsigned fewest, size_t loops) {
  unsigned each = 1;
  while (std::pow(each, static_cast<double>(loops)) < fewest)
    ++each;
  return each;
}

/// Fewer iterations of an innermost loop than `least` keep the author's code.
/// The window of a convolution is short, but its rows, and channels, are many
/// iterations; `inNests` these count.
void Planner::requireIterations(unsigned loop, int64_t least, bool inNests) {
  const bool isInnermost = loopsBelow(*findLoop(kernel.tree, loop)).size() == 1;
  if (!isInnermost || constantTripCount(kernel, loop))
    return;
  std::vector<unsigned> nest = {loop};
  int64_t known = 1;
  for (unsigned outer : model.loops[loop].outer) {
    if (!inNests)
      break;
    std::optional<int64_t> count = findLoop(kernel.tree, outer)
                                       ? constantTripCount(kernel, outer)
                                       : std::optional<int64_t>(1);
    known *= std::max<int64_t>(1, std::min(count.value_or(1), least));
    if (!count)
      nest.push_back(outer);
  }
  auto fewest = static_cast<unsigned>((least + known - 1) / known);
  for (unsigned each : nest)
    take(makeStep("require", model.loops[each].name,
                  shareOf(std::max(fewest, 2u), nest.size())),
         false);
}

/// Short loops and small launches keep the author's code; where blocks save
/// much, `inNests`, the iterations of all loops of a nest count.
void Planner::requireWork(unsigned points, bool inNests) {
  for (unsigned loop : loopsBelow(kernel.tree))
    requireIterations(loop, minInBlocks, inNests);
  if (profile.computeUnits <= 1)
    return;
  auto isSum = [&](const ArrayTile &copy) {
    return copy.copyOut && std::any_of(copy.accesses.begin(),
                                       copy.accesses.end(), [&](unsigned id) {
                                         return !model.accesses[id].isWrite;
                                       });
  };
  const bool hasSums = llvm::any_of(kernel.registers(), isSum);
  Step step;
  step.name = "require";
  step.parameters.emplace_back(
      "items",
      int64_t(points) * profile.computeUnits *
          (hasSums ? minWithSums : int64_t(profile.itemsPerComputeUnit)));
  take(step, false);
}

/// Where a loop is a dimension of the launch, launched work-items must have
/// enough tiles each to be as busy as they were.
void Planner::requireRounds() {
  const MappedDimension *first = nullptr;
  unsigned tile = 1;
  for (const MappedDimension &mapped : model.ndrange.mapped) {
    if (!mapped.isLaunched)
      continue;
    first = first ? first : &mapped;
    tile *= kernel.work[mapped.dim].total();
  }
  if (!first || plan.steps.empty())
    return;
  unsigned rounds = std::max(minRounds, minTiles * tile);
  take(makeStep("require", model.loops[first->loop].name, rounds), false);
}

/// What windows have in common is loaded once where their loops are written
/// out: by compilers, or in the text where work-items near a border have fewer
/// iterations.
void Planner::writeOutWindows() {
  auto isForAll = [&](unsigned loop) {
    for (const Statement &statement : model.statements)
      for (unsigned i = 0; i < statement.coordinates.size(); ++i)
        if (statement.coordinates[i] == model.loops[loop].iterator &&
            !isBoxAlong(statement.domain, i))
          return false;
    return true;
  };
  const std::vector<unsigned> loops = loopsBelow(kernel.tree);
  int64_t copies = 1, lines = 1;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    const std::optional<int64_t> trips = constantTripCount(kernel, *loop);
    if (!trips || *trips > mostOfLoop || copies * *trips > mostOfNest)
      continue;
    Step step = makeStep("unroll", model.loops[*loop].name);
    if (isForAll(*loop) || lines * *trips > mostInText)
      step.flags.push_back("pragma");
    else
      lines *= *trips;
    if (take(step, false))
      copies *= *trips;
  }
}

/// True where `points` work-items along the id read cells in common in loops.
bool Planner::hasWindow(SymbolId id, unsigned points) const {
  return llvm::any_of(model.accesses, [&](const Access &access) {
    return !model.statements[access.statement].loops.empty() &&
           !isInRegister(access) && !access.isWrite && access.offset &&
           overlap(access, id, points) < 1;
  });
}

/// Most iterations of the loops over one window.
int64_t Planner::iterationsOfWindows() const {
  int64_t most = 0;
  for (const Access &access : model.accesses) {
    if (access.isWrite || isInRegister(access) || !access.offset)
      continue;
    int64_t product = 1;
    for (unsigned loop : model.statements[access.statement].loops)
      for (unsigned d = 0; d < model.ndrange.rank; ++d) {
        const auto id = model.symbols.find(SymbolKind::GlobalId, d);
        const std::optional<Window> window =
            id ? windowIn(access, *id, loop) : std::nullopt;
        if (!window)
          continue;
        product *= window->trips;
        break;
      }
    most = std::max(most, product);
  }
  return most;
}

/// True where neighbours along both dimensions have windows in common, which
/// squares of points share. (An H200, windows of 5 x 5 and 7 x 7, images
/// of 1.3, 2, 4 and 12 million points: sums of floats 2 x 2 points 1.17
/// to 1.36, 2 rows of 4 points 0.72 to 1.15, columns of 4 0.97 to 1.22;
/// greatest bytes 1.37 to 2.0 and 1.8 to 3.4, 2 rows of 4 1.14 to 2.05 and 1.4
/// to 3.4, vectors of 8 bytes 0.76 to 1.6. Those test for borders in the
/// window; without that floats 0.94 to 1.11, bytes 1.14 to 1.76, 2 rows of 4
/// 1.18 to 1.98, vectors 1.08 to 2.07. Of 3 x 3 floats all lose.)
bool Planner::hasSquareWindows() const {
  auto hasWindowAlong = [&](unsigned dim) {
    const std::optional<SymbolId> id =
        model.symbols.find(SymbolKind::GlobalId, dim);
    return id && !model.ndrange.split[dim] && hasWindow(*id, 2);
  };
  return profile.localMemoryIsReal && model.ndrange.rank == 2 &&
         kernel.work[0].total() == 1 && hasWindowAlong(0) &&
         hasWindowAlong(1) && iterationsOfWindows() >= minInWindow;
}

/// True where all windows have many cells, as many as is known, and make one
/// sum: rows of four points fit the registers. (An H200, differences of 16 x 16
/// bytes, 2 x 2 points and 2 rows of 4: 5.65 and 4.48 times as fast with 1
/// million points, 5.9 and 6.0 with 2, 6.6 and 7.4 with 16. Of 11 x 11 bytes
/// 1.53 and 1.04 with 1 million, 2.3 with 6. Flow from five sums lost 0.75 to
/// rows of 4 on an H100, windows of any size 0.57 to 0.91.)
bool Planner::areWindowsLong() const {
  if (iterationsOfWindows() < longWindow)
    return false;
  for (const Access &access : model.accesses) {
    if (access.isWrite || isInRegister(access) || !access.offset)
      continue;
    for (unsigned loop : model.statements[access.statement].loops)
      for (unsigned d = 0; d < model.ndrange.rank; ++d) {
        const auto id = model.symbols.find(SymbolKind::GlobalId, d);
        if (id && windowIn(access, *id, loop) &&
            (!constantTripCount(kernel, loop) ||
             wordsCarriedBy(kernel, loop) > 1))
          return false;
      }
  }
  return true;
}

/// True when statements that are kept whole have as many loops within one
/// another as any nest: work-items do those each for themselves.
bool Planner::isMostlyWhole() const {
  size_t nested = 0, whole = 0;
  for (const Statement &statement : model.statements) {
    const unsigned within = loopDepth(statement.stmt);
    size_t &most = within > 0 ? whole : nested;
    most = std::max(most, statement.loops.size() + within);
  }
  return whole > 0 && whole >= nested;
}

/// True where every id goes along rows of its own, as far as offsets say it, or
/// what is written.
bool Planner::hasRowsPerLane(SymbolId id) const {
  if (!kernel.rowPointers.empty())
    return true;
  constexpr unsigned neighbours = 2;
  const Divergence ofIds(kernel, kernel.tree, {id, 1, neighbours}, 0);
  std::map<unsigned, Divergence> ofLoops;
  auto isRow = [&](const Access &access) {
    const std::vector<unsigned> &loops =
        model.statements[access.statement].loops;
    if (isInRegister(access) || loops.empty())
      return false;
    if (access.offset)
      return walksFar(access) && jumpsBetweenLanes(access, id);
    const Loop &inner = model.loops[loops.back()];
    if (!access.expr ||
        model.arrays[access.array].space == AddressSpace::Private)
      return false;
    const Divergence &iterations =
        ofLoops
            .try_emplace(loops.back(), kernel, kernel.tree,
                         LaneAxis{inner.iterator, inner.step, neighbours}, 0)
            .first->second;
    return iterations.laneStepOfCell(*access.expr, access.array) == 1 &&
           !ofIds.laneStepOfCell(*access.expr, access.array);
  };
  return llvm::any_of(model.accesses, isRow);
}

/// Dimensions in the order in which blocks are made along them. On processors
/// those come first along which vectors are loaded once. (PoCL, layers of 64 to
/// 64 channels of 1024 pixels: blocks of channels 29, of images 7.8.)
std::vector<unsigned> Planner::dimensionsForBlocks() const {
  std::vector<unsigned> order;
  for (unsigned d = model.ndrange.rank; d-- > 0;)
    order.push_back(d);
  if (profile.spreadWorkItems)
    llvm::stable_sort(order, [&](unsigned a, unsigned b) {
      return sharedAlong(kernel, a).vectors && !sharedAlong(kernel, b).vectors;
    });
  return order;
}

void Planner::coarsenReusedDimensions() {
  unsigned budget = profile.coarsenFactor;
  for (const WorkDimension &work : kernel.work)
    budget /= std::max(1u, work.lanes);
  unsigned factor = std::min(profile.maxCoarsenPerDimension, budget);
  // Consecutive ids of dimension 0 are neighbours; the others come first.
  // Requests are wide already, and every group that works is kept busy.
  if (!kernel.alignedArrays.empty())
    return;
  // Devices that run many work-items at a time in place of large caches.
  bool hidesLatency = profile.localMemoryIsReal;
  if (hidesLatency && (losesRegisters(model) || isMostlyWhole()))
    return;
  // Loads are not what work-items wait for where operations take longer.
  const LoopWork work = workIn(kernel, profile);
  if (hidesLatency && work.arithmetic > work.memory)
    return;
  // Where compilers make lanes of work-items, blocks of few iterations take
  // them apart (3 x 3 neighbours, vectors of 4 channels: 0.76 to 0.95 on PoCL).
  if (profile.spreadWorkItems && !kernel.hasLanes() && !isLong())
    return;
  unsigned merged = 1;
  double share = 1;
  bool hasWindows = false;
  for (unsigned d : dimensionsForBlocks()) {
    std::optional<SymbolId> id = model.symbols.find(SymbolKind::GlobalId, d);
    if (factor <= 1 || !id || model.ndrange.split[d])
      continue;
    // Where the lanes are iterations of a sum, neighbours have nothing to lose.
    const bool areNeighboursFree =
        !kernel.partials.empty() && model.ndrange.rank > 1;
    if (d == 0 && model.ndrange.rank > 1 && !areNeighboursFree)
      continue;
    if (d == 0 && kernel.work[0].lanes == 1 && !areNeighboursFree)
      continue; // would take neighbouring work-items apart
    // Every id more is a pointer more to a row of its own: of 8 lanes and 4
    // points they fill the registers of CPUs, and where rows are a power of two
    // apart, the ways of a cache. (PoCL, layer norm of 1024 rows of 1024: 0.61
    // with four points, 1.91 with one; of 1000: 2.01 and 1.92; one that writes
    // its rows, 512 of 1024: 0.27 and 2.5.)
    if (kernel.work[d].lanes > 1 && hasRowsPerLane(*id))
      continue;
    unsigned points = std::min(factor, 4u);
    bool reused = false, isWindow = false;
    const Divergence divergence(kernel, kernel.tree, LaneAxis(), 1u << d);
    for (const Access &access : model.accesses) {
      const Statement &statement = model.statements[access.statement];
      // A gather of what is the same along the dimension.
      reused |= hidesLatency && !statement.loops.empty() && !access.offset &&
                !access.isWrite && access.expr && !isInRegister(access) &&
                !(divergence.ofExpr(ExprRef(ExprRef(), access.expr)) & 1u << d);
      reused |= !statement.loops.empty() && !isInRegister(access) &&
                !access.isWrite && access.offset &&
                !dependsOn(model, offsetOf(access), *id) &&
                dependsOn(model, offsetOf(access),
                          model.loops[statement.loops.back()].iterator) &&
                (hidesLatency || !readsRowOfVectors(access));
    }
    isWindow = hidesLatency && points > 1 && hasWindow(*id, points);
    reused |= isWindow;
    double own =
        hidesLatency && points > 1 && reused ? shareOfBlock(d, points) : 1;
    if (hidesLatency) {
      const double gain = gainOfBlock(*id, points);
      // Blocks of volumes take more registers than their loads are worth (27
      // cells, 4 x 2 points: 0.4 to 0.9 on an H100).
      const bool isRow = gain >= enoughOfRow && own >= enoughOfRow &&
                         mostIterations() >= minOfRow;
      const bool isEnough = isLong()
                                ? gain >= enoughGain || own >= enoughShare
                                : isRow || (isWindow && own >= enoughShare &&
                                            mostIterations() >= minInWindow &&
                                            model.ndrange.rank <= 2);
      if (gain <= 1 || !isEnough)
        continue;
    }
    while (areNeighboursFree && points > 1 &&
           registersOfSums(points) > profile.registersPerWorkItem / 2)
      points /= 2;
    const bool isSquare =
        isWindow && d == 1 && points == 4 && hasSquareWindows();
    if (isSquare)
      points = 2;
    if (points > 1 && reused &&
        take(makeStep("coarsen", axisName(model, d), points))) {
      factor /= points;
      merged *= points;
      share *= own;
      hasWindows |= isWindow;
      const unsigned across = factor >= 4 && areWindowsLong() ? 4 : points;
      if (isSquare && take(makeStep("coarsen", axisName(model, 0), across))) {
        factor /= across;
        merged *= across;
      }
    }
  }
  if (hasWindows)
    writeOutWindows();
  if (hidesLatency && merged > 1)
    requireWork(merged, share >= enoughShare);
}

} // namespace clopt
