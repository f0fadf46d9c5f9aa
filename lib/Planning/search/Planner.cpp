//===- Planner.cpp - facts and a device profile to a recipe ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Greedy, in the order in which steps enable each other:
//
// 1. privatize   arrays whose cells a sequential loop uses again and again
// 2. vectorize   along the axis with the lowest predicted cost, if it is at
//                most `worthwhile` of the scalar cost
// 3. layout      for arrays that are read with a small stride or backwards
// 4. coarsen     a work dimension along which operands are reused in a loop;
//                on GPUs if that saves enough loads, for launches that have
//                enough work-items (require)
// 5. unroll      short constant loops that index registers
// 6. pad, unroll kernels with local memory of their own (LocalKernels)
// 7. strength    index operations whose operands are proved to be in range
// 8. rounds      sums over every n-th element (StridedSums)
// 9. interchange dimensions, where nothing else is done and the cells of
//                neighbours lie side by side along another one
//
// What an axis costs is in LaneCosts.cpp.
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/PlannerImpl.h"

#include "Planning/cost/LoopOrder.h"
#include "Planning/cost/LoopWork.h"
#include "Planning/cost/Traffic.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/ArithmeticWork.h"
#include "Analysis/access/Divergence.h"
#include "Analysis/access/LaneAxis.h"
#include "Analysis/access/Selections.h"
#include "Planning/search/ConstantTables.h"
#include "Planning/search/LocalKernels.h"
#include "Planning/search/StridedSums.h"
#include "Transform/steps/Strength.h"

#include <llvm/ADT/STLExtras.h>

#include <isl/set.h>

#include <algorithm>
#include <cmath>

namespace clopt {

namespace {

/// Predicted cost relative to scalar code below which a vector axis is taken.
constexpr double worthwhile = 0.75;
/// The same where vectors are taken apart, which compilers leave scalar. (PoCL,
/// forces of neighbours from a list, float4 each: 2.1.)
constexpr double worthwhileOfParts = 0.9;
/// Lanes whose rows, two each, the ways of a processor's first cache hold.
constexpr unsigned lanesOfRows = 4;
/// Iterations for each lane that pay for those that lanes do one by one, where
/// their loops begin or end apart. (Triangles of 16 rows in 8 lanes ran at 0.7
/// on PoCL, of 32 at 1.1, of 64 at 2.5 to 4.5.)
constexpr int64_t commonIterations = 4;
/// Iterations that pay for cells which lanes fetch one by one, where all work-
/// items would have to begin with them. (PoCL, sums of cells from a place in
/// memory on, 3 to 8: 0.66 to 1.1, 16: 0.9, 32: 1.3 to 4.4.)
constexpr int64_t longGather = 16;
/// Iterations that pay for lanes along a loop that compilers take apart as
/// well, where sums may be added in any order. (Products and differences of
/// rows of floats, blocks of 4 x 2, on PoCL: 20 to a row 0.32 to 0.48, 67 to a
/// row 0.7 to 0.8, 509 to a row 1.1 to 2.5.)
constexpr unsigned longRow = 128;
/// Bytes of the narrowest registers that vectors are kept in.
constexpr unsigned narrowestRegister = 16;
/// Part of the best copy bandwidth that a request must reach.
constexpr double enoughBandwidth = 0.85;
/// Part of a work-item's time that copies in registers must save to pay for a
/// second body. (Of four loops with one xor in memory, 3 %: 0.61 to 0.95 on an
/// NVIDIA H100; from 11 % on: 1.0 to 5.)
constexpr double enoughSaved = 0.05;
/// How many times less than on memory a work-item spends on operations where
/// wide requests pay that only some rows allow.
constexpr double mostlyMemory = 5;

} // namespace

bool Planner::take(const Step &step, bool report) {
  StepResult refusal = applyStep(kernel, step, alias);
  if (!refusal) {
    plan.steps.push_back(step);
    return true;
  }
  if (report)
    plan.missed.push_back({step, *refusal});
  return false;
}

bool Planner::isInRegister(const Access &access) const {
  return model.arrays[access.array].space == AddressSpace::Private ||
         kernel.registersOf(access.id);
}

//===-- Registers
//-----------------------------------------------------------===//

/// True when the loop writes other arrays that may overlap this one for all
/// that compilers of GPUs know: they read its cells again.
bool Planner::isReadAgain(unsigned array, unsigned loop) const {
  const Array &info = model.arrays[array];
  if (!profile.localMemoryIsReal || info.space != AddressSpace::Global)
    return false;
  return llvm::any_of(model.accesses, [&](const Access &access) {
    return access.isWrite && !areDisjoint(model, access.array, array) &&
           llvm::is_contained(model.statements[access.statement].loops, loop);
  });
}

void Planner::privatizeArrays() {
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    const Array &info = model.arrays[array];
    if (info.space == AddressSpace::Private ||
        info.space == AddressSpace::Constant)
      continue;
    bool changes = false, inLoop = false;
    for (const Access &access : model.accesses) {
      if (access.array != array)
        continue;
      changes |= access.isWrite;
      const Statement &statement = model.statements[access.statement];
      // A loop that does not move the access: the cell is used again.
      for (unsigned loop : statement.loops) {
        if (!access.offset ||
            access.offset->contains(model.loops[loop].iterator) ||
            !mayKeepCells(kernel, array, loop))
          continue;
        inLoop = true;
        changes |= isReadAgain(array, loop);
      }
    }
    if (changes && inLoop)
      take(makeStep("privatize", info.name));
  }
}

//===-- Borders
//-------------------------------------------------------------===//

/// The offset away from borders.
Polynomial Planner::offsetOf(const Access &access) const {
  return resolve(model, *access.offset, kernel.selections);
}

/// True for choices that ids of the dimension, or of any, decide.
bool Planner::dependsOnIds(SymbolId choice, std::optional<unsigned> dim) const {
  for (SymbolKind kind :
       {SymbolKind::GlobalId, SymbolKind::LocalId, SymbolKind::GroupId})
    for (unsigned d = 0; d < model.ndrange.rank; ++d)
      if (!dim || *dim == d)
        if (std::optional<SymbolId> id = model.symbols.find(kind, d))
          if (dependsOn(model, choice, *id))
            return true;
  return false;
}

/// True where the places of work-items decide which branch they take. What
/// loops alone decide all of them decide alike, and a loop that comes to the
/// border has no tile away from it.
bool Planner::isChosenByItems(const Access &access) const {
  return llvm::any_of(
      selectsIn(model, *access.offset, {}),
      [&](SymbolId choice) { return dependsOnIds(choice, std::nullopt); });
}

/// Arrays of memory that are loaded where ids choose to, `x < w ? a[x] : 0`:
/// lanes that choose apart load one by one. (PoCL, windows of 7 and 17 cells
/// and of 5 x 5 with zeros around: 1.2 to 1.5 with the choice, 2.6 to 5
/// without.)
std::set<unsigned> Planner::loadedByChoice() const {
  std::set<unsigned> arrays;
  for (const auto &[choice, symbol] : model.choices)
    if (dependsOnIds(symbol, std::nullopt))
      for (size_t branch = 1; branch < choice->operands.size(); ++branch)
        forEachExpr(choice->operands[branch], [&](const ExprRef &part) {
          const auto read = model.reads.find(part.get());
          if (read == model.reads.end())
            return;
          const Access &access = model.accesses[read->second];
          if (access.offset &&
              model.arrays[access.array].space != AddressSpace::Private)
            arrays.insert(access.array);
        });
  return arrays;
}

/// Subscripts that are clamped, wrapped or reflected become affine.
void Planner::selectChoices() {
  std::set<unsigned> arrays;
  if (profile.spreadWorkItems)
    arrays = loadedByChoice();
  for (const Access &access : model.accesses)
    if (access.offset &&
        model.arrays[access.array].space != AddressSpace::Private &&
        isChosenByItems(access))
      arrays.insert(access.array);
  for (unsigned array : arrays)
    take(makeStep("select", model.arrays[array].name), false);
}

//===-- Vector axis
//---------------------------------------------------------===//

std::vector<Planner::Axis> Planner::axes() const {
  std::vector<Axis> result;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    const std::optional<SymbolId> id = laneIdOf(model, d);
    const bool isWithin = id && groupDim == d && loopsBetweenBarriers(*id);
    if (!id || model.ndrange.split[d] != isWithin)
      continue;
    Axis axis;
    axis.name = isWithin ? "w" + std::to_string(d) : axisName(model, d);
    axis.symbol = *id;
    axis.dim = d;
    axis.lanes = lanesOfItemsAlong(*id);
    result.push_back(axis);
  }
  if (groupDim)
    return result;
  for (unsigned loop : loopsBelow(kernel.tree)) {
    Axis axis;
    axis.name = model.loops[loop].name;
    axis.symbol = model.loops[loop].iterator;
    axis.step = model.loops[loop].step;
    axis.loop = loop;
    axis.lanes = lanesIn(loop);
    result.push_back(axis);
  }
  return result;
}

bool Planner::isInside(const Access &access, const Axis &axis) const {
  if (axis.dim)
    return true;
  const std::vector<unsigned> &loops = model.statements[access.statement].loops;
  return std::find(loops.begin(), loops.end(), *axis.loop) != loops.end();
}

/// True when the next iteration of the innermost loop finds its cells beside
/// those of this one, in lines that are there already.
bool Planner::walksAlong(const Access &access) const {
  const std::vector<unsigned> &loops = model.statements[access.statement].loops;
  if (loops.empty())
    return false;
  const Loop &inner = model.loops[loops.back()];
  std::optional<Polynomial> step =
      laneStride(model, offsetOf(access), inner.iterator, inner.step);
  return step && (*step == Polynomial(1) || *step == Polynomial(-1));
}

/// True when it goes on so for more than a line.
bool Planner::walksFar(const Access &access) const {
  if (!walksAlong(access))
    return false;
  const std::optional<int64_t> trips = constantTripCount(
      kernel, model.statements[access.statement].loops.back());
  return !trips || *trips * model.arrays[access.array].elementBytes >
                       profile.segmentBytes;
}

unsigned Planner::widestElement() const {
  unsigned bytes = 1;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    bool isData = array.elementType.isScalar() &&
                  !(array.isPrivateScalar() && array.elementType.isInteger() &&
                    array.elementType.size == 8);
    if (isData)
      bytes = std::max(bytes, array.elementBytes);
  }
  return bytes;
}

unsigned Planner::preferredLanes() const {
  unsigned lanes = profile.preferredVectorBytes / widestElement();
  for (unsigned width : {16u, 8u, 4u, 2u})
    if (lanes >= width)
      return width;
  return 1;
}

/// Lanes of work-items: those that the device prefers, or fewer where each
/// reads and writes rows of its own. With rows a power of two apart, all of
/// them are in the same lines of the caches of processors. (PoCL, rows that are
/// read and written, of 1000, 1024 and 4096: 8 lanes 0.86, 0.37, 0.30 where the
/// rows lie in one buffer and 2.6 to 3.2 in two, 4 lanes 1.6, 1.2, 1.4 and 1.9
/// to 2.2.)
unsigned Planner::lanesOfItemsAlong(SymbolId id) const {
  const unsigned preferred = preferredLanes();
  if (!profile.spreadWorkItems)
    return preferred;
  std::map<unsigned, std::set<std::pair<unsigned, bool>>> rows; // of loops
  for (const Access &access : model.accesses)
    if (!isInRegister(access) && access.offset && walksFar(access) &&
        jumpsBetweenLanes(access, id))
      rows[model.statements[access.statement].loops.back()].insert(
          {access.array, access.isWrite});
  for (const auto &[loop, streams] : rows)
    if (streams.size() > 1 &&
        llvm::any_of(streams, [](const auto &stream) { return stream.second; }))
      return std::min(preferred, lanesOfRows);
  return preferred;
}

/// Lanes of a loop's vectors: those that the device prefers, or where the loop
/// has fewer iterations as many as it has, if they fill a register. Compilers
/// that make lanes of work-items write short loops out, if nothing but short
/// loops is in the kernel.
unsigned Planner::lanesIn(unsigned loop) const {
  const unsigned preferred = preferredLanes();
  std::optional<int64_t> trips = constantTripCount(kernel, loop);
  if (!trips || *trips >= static_cast<int64_t>(preferred) || isLight())
    return preferred;
  const unsigned fewest = std::max(1u, narrowestRegister / widestElement());
  for (unsigned lanes = preferred / 2; lanes >= fewest; lanes /= 2)
    if (*trips % static_cast<int64_t>(lanes) == 0)
      return lanes;
  return preferred;
}

/// True when the lanes' results take about as long to combine as the loop has
/// to run: 8 differences of bytes in lanes ran at 0.56 on PoCL. Compilers make
/// vectors of short sums of integers themselves; of others they may not.
bool Planner::combinesMoreThanItSaves(const Axis &axis) const {
  if (!axis.loop)
    return false;
  std::optional<int64_t> trips = constantTripCount(kernel, *axis.loop);
  if (!trips || *trips > static_cast<int64_t>(axis.lanes))
    return false;
  TransformedKernel trial = kernel;
  if (applyStep(trial, makeStep("vectorize", axis.name, axis.lanes), alias))
    return false;
  return std::any_of(
      trial.partials.begin(), trial.partials.end(),
      [&](const ReductionAccumulator &partial) {
        return partial.loop == *axis.loop &&
               model.arrays[partial.array].elementType.isInteger();
      });
}

/// True where some case of a statement's domain bounds the iterator without the
/// id: windows that only borders cut.
static bool isCutByBordersOnly(const KernelModel &model, unsigned loop,
                               SymbolId id) {
  bool isFound = false;
  for (const Statement &statement : model.statements) {
    const std::vector<SymbolId> &all = statement.coordinates;
    const auto iterator = llvm::find(all, model.loops[loop].iterator);
    const auto own = llvm::find(all, id);
    if (iterator == all.end() || own == all.end())
      continue;
    auto placeOf = [&](auto at) {
      return static_cast<unsigned>(at - all.begin());
    };
    statement.domain.foreach_basic_set([&](const isl::basic_set &part) {
      isl_basic_set *bounds = isl_basic_set_drop_constraints_not_involving_dims(
          part.copy(), isl_dim_set, placeOf(iterator), 1);
      isFound |= isl_basic_set_involves_dims(bounds, isl_dim_set, placeOf(own),
                                             1) == isl_bool_false;
      isl_basic_set_free(bounds);
    });
  }
  return isFound;
}

/// Loops in which neighbouring work-items have other bounds.
std::vector<unsigned> Planner::loopsThatDiverge(const Axis &axis) const {
  std::vector<unsigned> result;
  if (!axis.dim)
    return result;
  const Divergence divergence(kernel, kernel.tree,
                              {axis.symbol, axis.step, axis.lanes}, 0);
  for (unsigned loop : loopsBelow(kernel.tree)) {
    const Loop &info = model.loops[loop];
    const bool endsApart = info.stmt && info.stmt->expr &&
                           (divergence.ofExpr(info.stmt->expr) & LaneBit);
    if ((endsApart || dependsOn(model, info.first, axis.symbol)) &&
        !constantTripCount(kernel, loop) &&
        !isCutByBordersOnly(model, loop, axis.symbol))
      result.push_back(loop);
  }
  return result;
}

/// Innermost loops in which lanes load from places that memory decides.
std::vector<unsigned> Planner::loopsThatGather(const Axis &axis) const {
  std::set<unsigned> result;
  if (!axis.dim || !profile.spreadWorkItems)
    return {};
  const Divergence divergence(kernel, kernel.tree,
                              {axis.symbol, axis.step, axis.lanes}, 0);
  for (const Access &access : model.accesses) {
    const Statement &statement = model.statements[access.statement];
    if (statement.loops.empty() || access.isWrite || access.offset ||
        !access.expr || isInRegister(access) ||
        model.arrays[access.array].elementType.hasParts() ||
        constantTripCount(kernel, statement.loops.back()))
      continue;
    const std::optional<int64_t> step =
        divergence.laneStepOfCell(*access.expr, access.array);
    if (step != 0 && step != 1)
      result.insert(statement.loops.back());
  }
  return {result.begin(), result.end()};
}

double Planner::costOfGroupLanes() const {
  const std::vector<Axis> within = axes();
  return within.empty() ? 1 : costAlong(within.front());
}

void Planner::vectorizeBestAxis() {
  if (!profile.vectorizeComputation || preferredLanes() < 2)
    return;
  // Compilers that need vectors make them of straight-line kernels themselves,
  // one work-item per lane; it is sequential loops that keep them from it.
  if (isStraightLine() && (vectorizeAcross() || !isLeftScalar()))
    return;
  if (readsRowsOfItsOwn() ||
      llvm::any_of(loopsBelow(kernel.tree),
                   [&](unsigned loop) { return addsProductsOfIntegers(loop); }))
    return;
  std::vector<Axis> candidates = axes();
  for (Axis &axis : candidates)
    axis.cost = costAlong(axis);
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Axis &a, const Axis &b) { return a.cost < b.cost; });
  const double enough = profile.spreadWorkItems && takesVectorsApart()
                            ? worthwhileOfParts
                            : worthwhile;
  const bool hasItems = llvm::any_of(candidates, [enough](const Axis &axis) {
    return axis.dim && axis.cost <= enough;
  });
  for (const Axis &axis : candidates) {
    if (axis.cost > enough || (axis.loop && updatesRow(*axis.loop)))
      return;
    // Neighbours do the other loops together as well.
    if (axis.loop && hasItems && mapsRow(*axis.loop))
      continue;
    if (combinesMoreThanItSaves(axis) || addsRowsApart(axis) ||
        (axis.loop && compilersTakeApart(*axis.loop, true)))
      continue;
    const std::vector<unsigned> diverging = loopsThatDiverge(axis);
    const std::vector<unsigned> gathering = loopsThatGather(axis);
    const Step step = makeStep("vectorize", axis.name, axis.lanes);
    TransformedKernel trial = kernel;
    // Lanes in order are no faster than the loop.
    const StepResult refusal =
        axis.loop ? vectorizeLoop(trial, *axis.loop, axis.lanes, alias,
                                  LaneOrder::Together)
                  : std::nullopt;
    if (refusal)
      plan.missed.push_back({step, *refusal});
    if (refusal || !take(step))
      continue;
    if (groupDim)
      requireGroup();
    for (unsigned loop : diverging)
      take(makeStep("require", model.loops[loop].name,
                    commonIterations * axis.lanes),
           false);
    for (unsigned loop : gathering)
      take(makeStep("require", model.loops[loop].name, longGather), false);
    // Shorter rows are all remainder (two rows of three cells that move, lanes
    // of 8: 0.8).
    if (axis.loop && !constantTripCount(kernel, *axis.loop))
      take(makeStep("require", axis.name,
                    compilersTakeApart(*axis.loop, false) ? longRow
                                                          : axis.lanes),
           false);
    permuteLayouts(axis);
    pointToRows(axis);
    return;
  }
}

void Planner::permuteLayouts(const Axis &axis) {
  std::set<unsigned> arrays;
  for (const Access &access : model.accesses) {
    if (!access.offset || isInRegister(access) || !isInside(access, axis))
      continue;
    std::optional<Polynomial> stride =
        laneStride(model, offsetOf(access), axis.symbol, axis.step);
    std::optional<int64_t> constant =
        stride ? stride->asConstant() : std::nullopt;
    bool moves = constant && *constant != 0 && *constant != 1 &&
                 std::abs(*constant) <= longestStride;
    if (moves && (*constant == -1 || !writtenArrays(model).count(access.array)))
      arrays.insert(access.array);
  }
  for (unsigned array : arrays)
    take(makeStep("layout", model.arrays[array].name), false);
}

/// Where a core runs a group's work-items one after the other, lanes that fetch
/// cells from rows of their own get pointers to them: with whole subscripts,
/// which compilers for CPUs compute in vectors and take apart again, 8 rows of
/// 34 cells were turned at 0.56 on PoCL, with pointers at 1.5.
/// Not to what is written, too, with other subscripts: compilers see less then.
void Planner::pointToRows(const Axis &axis) {
  if (!profile.spreadWorkItems)
    return;
  // Iterations after which the pointers and the lanes' cells pay: maxima of
  // rows of 1, 2, 4 and 8 cells at 0.1, 0.7, 0.9 and 1.3 (PoCL).
  constexpr int64_t leastCells = 3;
  const std::set<unsigned> written = writtenArrays(model);
  std::set<unsigned> arrays, walking;
  for (const Access &access : model.accesses) {
    const std::vector<unsigned> &loops =
        model.statements[access.statement].loops;
    if (loops.empty() || written.count(access.array) || isInRegister(access) ||
        !isInside(access, axis) || !rowPlace(model, access, loops.back()))
      continue;
    std::optional<Polynomial> stride =
        laneStride(model, offsetOf(access), axis.symbol, axis.step);
    if (stride && stride->asConstant())
      continue;
    arrays.insert(access.array);
    walking.insert(loops.back());
  }
  for (unsigned array : arrays) {
    Step step = makeStep("strength", model.arrays[array].name);
    step.flags.push_back("rows");
    take(step, false);
  }
  for (unsigned loop : walking)
    requireIterations(loop, leastCells, true);
}

//===-- Width of requests
//-------------------------------------------------------===//

std::optional<int64_t> Planner::runsOf(const Statement &statement) const {
  int64_t runs = 1;
  for (unsigned loop : statement.loops) {
    const std::optional<int64_t> trips = constantTripCount(kernel, loop);
    if (!trips || *trips > INT32_MAX || runs > INT32_MAX)
      return std::nullopt;
    runs *= *trips;
  }
  return runs;
}

bool Planner::hasShortLoops(int64_t most) const {
  return llvm::all_of(model.statements, [&](const Statement &statement) {
    const std::optional<int64_t> runs = runsOf(statement);
    return runs && *runs <= most;
  });
}

/// True when a work-item does so little that what its accesses cost decides:
/// no loop but short ones.
bool Planner::isLight() const {
  return hasShortLoops() &&
         llvm::none_of(model.statements, [](const Statement &statement) {
           return statement.isCompound;
         });
}

bool Planner::mostlyMoves(double most) const {
  double operations = 0, accesses = 0;
  for (const Statement &statement : model.statements) {
    const auto runs = static_cast<double>(runsOf(statement).value_or(1));
    if (statement.stmt && statement.stmt->expr)
      operations += runs * operationsIn(*statement.stmt->expr);
    for (unsigned id : statement.accesses)
      if (model.arrays[model.accesses[id].array].space != AddressSpace::Private)
        accesses += runs;
  }
  return operations <= most * accesses;
}

/// Work-items along dimension 0 whose elements make a request that memory
/// serves well; 1 when the elements are wide enough, or not side by side.
unsigned Planner::lanesOfRequests() const {
  std::optional<SymbolId> id = model.symbols.find(SymbolKind::GlobalId, 0);
  unsigned narrowest = 4;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (array.space == AddressSpace::Private)
      continue;
    if (!id || !access.offset || array.space == AddressSpace::Local)
      return 1;
    std::optional<Polynomial> stride =
        laneStride(model, offsetOf(access), *id, 1);
    if (stride && stride->isZero())
      continue;
    if (!stride || *stride != Polynomial(1))
      return 1;
    narrowest = std::min(narrowest, array.elementBytes);
  }
  if (narrowest >= 4)
    return 1;
  double best = profile.copyBandwidth(narrowest, 16 / narrowest);
  for (unsigned lanes : {2u, 4u, 8u})
    if (lanes * narrowest >= 4 &&
        profile.copyBandwidth(narrowest, lanes) >= enoughBandwidth * best)
      return lanes;
  return 8;
}

/// Launches that do not fill the device when a work-item does the work of
/// `points` keep the author's code.
void Planner::requireFullDevice(unsigned points) {
  if (profile.computeUnits <= 1)
    return;
  Step step;
  step.name = "require";
  step.parameters.emplace_back("items", int64_t(points) * profile.computeUnits *
                                            profile.itemsPerComputeUnit);
  take(step, false);
}

/// Loops over fewer work-items compilers write out, and make lanes of what that
/// leaves. (PoCL, sums of columns in 8 lanes, groups of 16: 0.49 to 0.87, of 32
/// 2.2 to 3.7.)
static constexpr int64_t itemsOfLanes = 32;

void Planner::requireGroup() {
  Step step;
  step.name = "require";
  step.parameters.emplace_back("group", itemsOfLanes);
  take(step, false);
}

/// On devices that combine the accesses of neighbouring work-items, elements
/// below 4 bytes make short requests: a work-item takes several in one aligned
/// vector, with the loops around written out so that alignment is known.
void Planner::widenRequests() {
  if (profile.vectorizeComputation || !isLight())
    return;
  unsigned lanes = lanesOfRequests();
  // A version without border tests saves operations, too. Rows that are not
  // aligned have neither: eight neighbours on a torus (operations 0.4 of
  // memory) ran at 0.67 to 1.31 on an H100, medians of nine bytes at 0.81 to
  // 0.92, a Laplace filter (0.14) at 1.86.
  const LoopWork work = workIn(kernel, profile);
  if (lanes == 1 || (kernel.selections.empty()
                         ? !mostlyMoves()
                         : work.arithmetic * mostlyMemory > work.memory))
    return;
  TransformedKernel trial = kernel;
  Step step = makeStep("vectorize", axisName(model, 0), lanes);
  step.flags.push_back("aligned");
  if (applyStep(trial, step, alias))
    return;
  SymbolId id = *model.symbols.find(SymbolKind::GlobalId, 0);
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    bool isNarrow = array.space != AddressSpace::Private &&
                    array.elementBytes < 4 &&
                    dependsOn(model, offsetOf(access), id);
    if (isNarrow && !trial.alignedArrays.count(access.array))
      return;
  }
  take(step);
  for (unsigned loop : loopsBelow(kernel.tree))
    take(makeStep("unroll", model.loops[loop].name), false);
  requireFullDevice(lanes);
}

//===-- Short loops
//---------------------------------------------------------===//

bool Planner::usesRegistersAsArray(unsigned loop) const {
  SymbolId iterator = model.loops[loop].iterator;
  for (const Access &access : model.accesses)
    if (isInRegister(access) && access.offset &&
        access.offset->contains(iterator))
      return true;
  return false;
}

void Planner::unrollShortLoops() {
  if (plan.steps.empty())
    return;
  for (unsigned loop : loopsBelow(kernel.tree)) {
    if (!usesRegistersAsArray(loop))
      continue;
    TransformedKernel trial = kernel;
    Step step = makeStep("unroll", model.loops[loop].name);
    if (!applyStep(trial, step, alias))
      take(step, false);
  }
}

/// Instructions per access from which lanes pay for a loop that is written out.
static constexpr double manyInstructions = 4;

/// Loops keep compilers that make lanes of work-items from it, unless they are
/// written out: short ones, where nothing else is done about the kernel, and
/// the lanes have something to compute. (PoCL: averages of 3 x 3 pixels 1.4
/// times as fast, bicubic weights of 4 x 4 12 times; sums of 5 x 5 vectors
/// 0.95, of 8 cells at computed places 0.55.)
void Planner::writeOutLoops() {
  if (!profile.spreadWorkItems || !plan.steps.empty() || model.hasBarrier ||
      model.usesLocalMemory || !isLight() || hasNarrowCellsApart())
    return;
  double instructions = 0, accesses = 0;
  for (const Statement &statement : model.statements) {
    const auto runs = static_cast<double>(runsOf(statement).value_or(1));
    if (statement.stmt)
      instructions +=
          runs * static_cast<double>(instructionsOf(*statement.stmt));
    for (unsigned id : statement.accesses)
      if (!isInRegister(model.accesses[id]))
        accesses += runs;
  }
  if (instructions <= manyInstructions * accesses)
    return;
  const std::vector<unsigned> loops = loopsBelow(kernel.tree);
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    take(makeStep("unroll", model.loops[*loop].name), false);
}

//===-- Kernels with local memory
//-----------------------------------------------------------===//

void Planner::keepGroups() {
  for (const Step &step : localLayoutSteps(kernel, profile))
    take(step, false);
  for (const Step &step : paddingSteps(kernel, profile))
    take(step, false);
  for (const Step &step : mergingSteps(kernel, profile, alias))
    take(step, false);
  // Compilers write out short loops themselves: alone it only costs a guard,
  // 0.88 to 0.92 for windows and transforms in local memory on an H100.
  if (plan.steps.empty())
    return;
  for (const Step &step : tileLoopSteps(kernel, profile))
    take(step, false);
}

//===-- Index arithmetic
//-------------------------------------------------------===//

/// Cheaper index operations come with any other step; by themselves they pay
/// in loops.
void Planner::reduceIndices() {
  bool isRewritten = !plan.steps.empty();
  Step step;
  step.name = "strength";
  for (const StrengthTarget &target :
       findStrengthTargets(kernel, profile.multiply24IsFast))
    if (isRewritten || (target.isInLoop && !model.hasBarrier))
      step.targets.push_back({target.name, std::nullopt});
  if (step.targets.empty())
    return;
  if (profile.multiply24IsFast)
    step.flags.push_back("mul24");
  take(step, false);
}

//===-- Places of neighbours
//------------------------------------------------------===//

/// How many times fewer requests must be left for work-items to be worth their
/// new numbers, and what a request to store counts. (An H200, matrices of 4096
/// x 4096 cells, one load and one store apart and one load in rows 2.5 times as
/// fast the other way round; two loads and a store apart, two in rows 1.8; two
/// loads apart, one store in rows 0.88.)
static constexpr double enoughFewerRequests = 1.75, requestsOfStore = 2;

/// Pieces of memory that neighbours along the dimension ask for together, of
/// all accesses, those in loops counted more, away from borders. What moves in
/// a way that is not known (loops that begin with ids) is taken for rows along
/// dimension 0, as authors mean it, and for columns along the others. (An H100,
/// gathers of samples from `idx[(z * h + y) * w + max(x - 1, 0)]`: 0.51 with
/// dimension 1 in the place of 0.)
double Planner::requestsAlong(unsigned dim, const Selections &interior) const {
  const std::optional<SymbolId> id =
      model.symbols.find(SymbolKind::GlobalId, dim);
  auto beginsWithId = [&](const Access &access) {
    return llvm::any_of(
        model.statements[access.statement].loops, [&](unsigned loop) {
          return dependsOn(model, resolve(model, *access.offset, interior),
                           model.loops[loop].iterator) &&
                 dependsOn(model, model.loops[loop].first, *id);
        });
  };
  double requests = 0;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (array.space == AddressSpace::Private || isInRegister(access))
      continue;
    const double weight =
        (access.isWrite ? requestsOfStore : 1) *
        std::pow(loopWeight,
                 static_cast<double>(
                     model.statements[access.statement].loops.size()));
    std::optional<int64_t> cells;
    if (access.offset && id) {
      const std::optional<Polynomial> stride =
          beginsWithId(access)
              ? std::nullopt
              : laneStride(model, resolve(model, *access.offset, interior), *id,
                           1);
      if (stride)
        cells = stride->asConstant();
      else if (dim == 0)
        cells = 1;
    }
    const double apart =
        cells ? static_cast<double>(std::llabs(*cells)) * array.elementBytes
              : profile.segmentBytes;
    requests +=
        weight * std::max(1.0, std::min(1.0, apart / profile.segmentBytes) *
                                   profile.lanes);
  }
  return requests;
}

/// Kernels whose second id goes along rows: neighbours are to be neighbours in
/// memory.
void Planner::exchangeDimensions() {
  if (!profile.localMemoryIsReal || !plan.steps.empty() ||
      model.ndrange.rank < 2 || model.hasBarrier || model.usesLocalMemory)
    return;
  unsigned best = 0;
  const Selections interior = interiorOf(kernel);
  double fewest = requestsAlong(0, interior) / enoughFewerRequests;
  for (unsigned d = 1; d < model.ndrange.rank; ++d)
    if (double requests = requestsAlong(d, interior); requests < fewest) {
      fewest = requests;
      best = d;
    }
  if (best == 0)
    return;
  Step step = makeStep("interchange", axisName(model, 0));
  step.targets.push_back({axisName(model, best), std::nullopt});
  take(step, false);
}

Plan Planner::run() {
  const TransformedKernel start = kernel;
  const double before = workIn(kernel, profile).total();
  privatizeArrays();
  const double saved = before - workIn(kernel, profile).total();
  selectChoices();
  vectorizeBestAxis();
  if (hasSquareWindows())
    coarsenReusedDimensions();
  if (llvm::none_of(kernel.work, [](const WorkDimension &work) {
        return work.points > 1;
      })) {
    widenRequests();
    coarsenReusedDimensions();
  }
  loadAhead();
  shareLoadsOfNeighbours();
  unrollShortLoops();
  // A version without border tests does not pay for its guard by itself.
  bool onlySelects =
      std::all_of(plan.steps.begin(), plan.steps.end(),
                  [](const Step &step) { return step.name == "select"; });
  if (onlySelects)
    plan.steps.clear();
  writeOutLoops();
  keepGroups();
  for (const Step &step : tableSteps(kernel, profile))
    take(step, false);
  reduceIndices();
  requireRounds();
  if (!kernel.hasGroupLanes())
    for (const Step &step : strideSteps(kernel, profile))
      take(step, false);
  const bool onlyKeeps =
      std::all_of(plan.steps.begin(), plan.steps.end(),
                  [](const Step &step) { return step.name == "privatize"; });
  if (onlyKeeps && profile.localMemoryIsReal && saved < enoughSaved * before) {
    plan.steps.clear();
    kernel = start;
  }
  exchangeDimensions();
  return std::move(plan);
}

std::optional<Plan> planGroupLanes(const TransformedKernel &start,
                                   const DeviceProfile &profile,
                                   AliasMode alias) {
  std::optional<Plan> best;
  double least = 0;
  for (unsigned dim = 0; dim < 3 && profile.spreadWorkItems; ++dim) {
    TransformedKernel whole = start;
    if (!start.model->ndrange.split[dim] || keepLoopsFromIds(whole, dim))
      continue;
    Planner planner(whole, profile, alias, dim);
    const double cost = planner.costOfGroupLanes();
    if (best && cost >= least)
      continue;
    Plan plan = planner.run();
    if (llvm::none_of(plan.steps, [](const Step &step) {
          return step.name == "vectorize";
        }))
      continue;
    best = std::move(plan);
    least = cost;
  }
  return best;
}

Plan planKernel(const TransformedKernel &start, const DeviceProfile &profile,
                AliasMode alias) {
  TransformedKernel ordered = start;
  std::vector<Step> order = orderLoops(ordered, profile, alias);
  Plan plan = Planner(ordered, profile, alias).run();
  std::vector<Step> blocks = blockNests(ordered, plan.steps, profile, alias);
  plan.steps.insert(plan.steps.begin(), blocks.begin(), blocks.end());
  plan.steps.insert(plan.steps.begin(), order.begin(), order.end());
  return plan;
}

} // namespace clopt
