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
//
// The cost of an axis is the sum over all accesses of their cost per logical
// work-item, weighted by loop depth; arithmetic counts like one access.
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/Planner.h"

#include "Planning/LoopOrder.h"

#include "Analysis/AccessPattern.h"
#include "Analysis/Selections.h"
#include "Planning/ConstantTables.h"
#include "Planning/LocalKernels.h"
#include "Transform/Strength.h"

#include <algorithm>
#include <cmath>

namespace clopt {

namespace {

/// Predicted cost relative to scalar code below which a vector axis is taken.
constexpr double worthwhile = 0.75;
/// How much more often a loop body runs than what is around it.
constexpr double loopWeight = 16.0;
/// Cost of a cell fetched on its own into a lane, relative to a scalar access.
constexpr double gatherCost = 2.0;
/// Cost of a lane's cell stored on its own: lanes are taken apart, and every
/// store takes a line.
constexpr double scatterCost = 2.5;
/// Cost of a fetch when later iterations use the rest of each cell's line.
constexpr double lineGatherCost = 1.2;
/// Part of the best copy bandwidth that a request must reach.
constexpr double enoughBandwidth = 0.85;
/// Cost of a load whose lines are in a cache, of one address for all lanes, in
/// arithmetic operations of a GPU.
constexpr double loadCost = 6, uniformLoadCost = 2;
/// What a register block must save to pay for the work-items it takes away.
constexpr double enoughGain = 1.1;
/// Iterations of known and of unknown number, and merged work-items per compute
/// unit, below which it does not.
constexpr int64_t fewestKnown = 64, fewestInBlocks = 16, fewestPerUnit = 512;
/// Iterations, and tiles of them, for each launched work-item where these go
/// through a loop together; PoCL runs few rounds as fast without.
constexpr unsigned fewestRounds = 16, fewestTiles = 2;
/// Longest stride that pays to load whole and permute.
constexpr int64_t longestStride = 4;

class Planner {
public:
  Planner(const TransformedKernel &start, const DeviceProfile &deviceProfile,
          AliasMode aliasMode)
      : kernel(start), model(*start.model), profile(deviceProfile),
        alias(aliasMode) {}
  Plan run();

private:
  struct Axis {
    std::string name;
    SymbolId symbol = 0;
    int64_t step = 1;
    std::optional<unsigned> dim, loop;
    double cost = 1;
  };

  bool take(const Step &step, bool report = true);
  Polynomial offsetOf(const Access &access) const;
  void privatizeArrays();
  void selectChoices();
  bool isLight() const;
  unsigned lanesOfRequests() const;
  void widenRequests();
  void vectorizeBestAxis();
  void permuteLayouts(const Axis &axis);
  unsigned registersOfSums(unsigned points) const;
  bool isLong() const;
  double gainOfBlock(SymbolId id, unsigned points) const;
  void requireWork(unsigned points);
  void requireRounds();
  void coarsenReusedDimensions();
  void unrollShortLoops();
  void keepGroups();
  void reduceIndices();
  std::vector<Axis> axes() const;
  double costAlong(const Axis &axis) const;
  double costOfAccess(const Access &access, const Axis &axis,
                      unsigned lanes) const;
  bool isInside(const Access &access, const Axis &axis) const;
  bool walksAlong(const Access &access) const;
  unsigned widestElement() const;
  unsigned lanesFor() const;
  bool isInRegister(const Access &access) const;
  bool usesRegistersAsArray(unsigned loop) const;

  TransformedKernel kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  AliasMode alias;
  Plan plan;
};

} // namespace

static Step makeStep(const std::string &name, const std::string &target,
                     std::optional<int64_t> count = std::nullopt) {
  Step step;
  step.name = name;
  step.targets.push_back({target, count});
  return step;
}

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
  if (model.arrays[access.array].space == AddressSpace::Private)
    return true;
  for (const PrivateCopy &copy : kernel.privates)
    if (std::find(copy.accesses.begin(), copy.accesses.end(), access.id) !=
        copy.accesses.end())
      return true;
  return false;
}

//===-- Registers
//-----------------------------------------------------------===//

void Planner::privatizeArrays() {
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    const Array &info = model.arrays[array];
    if (info.space == AddressSpace::Private ||
        info.space == AddressSpace::Constant)
      continue;
    bool written = false, inLoop = false;
    for (const Access &access : model.accesses) {
      if (access.array != array)
        continue;
      written |= access.isWrite;
      const Statement &statement = model.statements[access.statement];
      // A loop that does not move the access: the cell is used again.
      for (unsigned loop : statement.loops)
        inLoop |= access.offset &&
                  !access.offset->contains(model.loops[loop].iterator) &&
                  mayKeepCells(kernel, array, loop);
    }
    if (written && inLoop)
      take(makeStep("privatize", info.name));
  }
}

//===-- Borders
//-------------------------------------------------------------===//

/// The offset away from borders.
Polynomial Planner::offsetOf(const Access &access) const {
  return resolve(model, *access.offset, kernel.selections);
}

/// Subscripts that are clamped, wrapped or reflected become affine.
void Planner::selectChoices() {
  std::set<unsigned> arrays;
  for (const Access &access : model.accesses) {
    bool isChosen = access.offset &&
                    model.arrays[access.array].space != AddressSpace::Private &&
                    !selectsIn(model, *access.offset, {}).empty();
    if (isChosen)
      arrays.insert(access.array);
  }
  for (unsigned array : arrays)
    take(makeStep("select", model.arrays[array].name), false);
}

//===-- Vector axis
//---------------------------------------------------------===//

std::vector<Planner::Axis> Planner::axes() const {
  std::vector<Axis> result;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    std::optional<SymbolId> id = model.symbols.find(SymbolKind::GlobalId, d);
    if (!id || model.ndrange.split[d])
      continue;
    Axis axis;
    axis.name = axisName(model, d);
    axis.symbol = *id;
    axis.dim = d;
    result.push_back(axis);
  }
  for (unsigned loop : loopsBelow(kernel.tree)) {
    Axis axis;
    axis.name = model.loops[loop].name;
    axis.symbol = model.loops[loop].iterator;
    axis.step = model.loops[loop].step;
    axis.loop = loop;
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

/// Cost of one access for one of `lanes` logical instances; 1 is a scalar one.
double Planner::costOfAccess(const Access &access, const Axis &axis,
                             unsigned lanes) const {
  double perLane = 1.0 / lanes;
  if (!isInside(access, axis))
    return 1;
  if (isInRegister(access))
    return perLane;
  if (!access.offset)
    return gatherCost;
  std::optional<Polynomial> stride =
      laneStride(model, offsetOf(access), axis.symbol, axis.step);
  std::optional<int64_t> constant =
      stride ? stride->asConstant() : std::nullopt;
  if (!constant && access.isWrite)
    return scatterCost;
  if (!constant)
    return walksAlong(access) ? lineGatherCost : gatherCost;
  if (*constant == 0 || *constant == 1)
    return perLane;
  bool permutable = !access.isWrite && std::abs(*constant) <= longestStride;
  if (permutable || *constant == -1)
    return perLane * std::abs(*constant);
  return gatherCost;
}

double Planner::costAlong(const Axis &axis) const {
  double vector = 0, scalar = 0;
  unsigned lanes = lanesFor();
  for (unsigned index = 0; index < model.statements.size(); ++index) {
    const Statement &statement = model.statements[index];
    double weight =
        std::pow(loopWeight, static_cast<double>(statement.loops.size()));
    bool inside =
        axis.dim || std::find(statement.loops.begin(), statement.loops.end(),
                              *axis.loop) != statement.loops.end();
    // Control that depends on data runs lane by lane.
    bool oneByOne = statement.isCompound && statement.stmt &&
                    statement.stmt->kind != StmtKind::If;
    if (oneByOne)
      weight *= loopWeight;
    double arithmetic = !inside || oneByOne ? 1 : 1.0 / lanes;
    vector += weight * arithmetic;
    scalar += weight;
    for (unsigned id : statement.accesses) {
      if (isInRegister(model.accesses[id]))
        continue;
      vector +=
          weight * (oneByOne ? gatherCost
                             : costOfAccess(model.accesses[id], axis, lanes));
      scalar += weight;
    }
  }
  return scalar > 0 ? vector / scalar : 1;
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

unsigned Planner::lanesFor() const {
  unsigned lanes = profile.preferredVectorBytes / widestElement();
  for (unsigned width : {16u, 8u, 4u, 2u})
    if (lanes >= width)
      return width;
  return 1;
}

void Planner::vectorizeBestAxis() {
  if (!profile.vectorizeComputation || lanesFor() < 2)
    return;
  // Compilers that need vectors make them of straight-line kernels themselves,
  // one work-item per lane; it is sequential loops that keep them from it.
  if (model.loops.empty())
    return;
  std::vector<Axis> candidates = axes();
  for (Axis &axis : candidates)
    axis.cost = costAlong(axis);
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Axis &a, const Axis &b) { return a.cost < b.cost; });
  for (const Axis &axis : candidates) {
    if (axis.cost > worthwhile)
      return;
    if (!take(makeStep("vectorize", axis.name, lanesFor())))
      continue;
    permuteLayouts(axis);
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
    if (moves && (!access.isWrite || *constant == -1))
      arrays.insert(access.array);
  }
  for (unsigned array : arrays)
    take(makeStep("layout", model.arrays[array].name), false);
}

//===-- Width of requests
//-------------------------------------------------------===//

/// Most iterations of all loops around a statement in a kernel that only moves
/// its operands.
static constexpr int64_t fewIterations = 32;

/// True when a work-item does so little that what its accesses cost decides:
/// no loop but short ones.
bool Planner::isLight() const {
  std::map<unsigned, int64_t> trips;
  for (unsigned loop : loopsBelow(kernel.tree)) {
    std::optional<int64_t> count = constantTripCount(kernel, loop);
    if (!count)
      return false;
    trips[loop] = *count;
  }
  for (const Statement &statement : model.statements) {
    int64_t product = 1;
    for (unsigned loop : statement.loops)
      product *= trips[loop];
    if (product > fewIterations || statement.isCompound)
      return false;
  }
  return true;
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

/// On devices that combine the accesses of neighbouring work-items, elements
/// below 4 bytes make short requests: a work-item takes several in one aligned
/// vector, with the loops around written out so that alignment is known.
void Planner::widenRequests() {
  if (profile.vectorizeComputation || !isLight())
    return;
  unsigned lanes = lanesOfRequests();
  if (lanes == 1)
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
}

//===-- Register blocking
//---------------------------------------------------===//

/// Registers of all sums that lanes take apart, with so many more of each.
unsigned Planner::registersOfSums(unsigned points) const {
  unsigned registers = 0;
  for (const PartialResult &partial : kernel.partials)
    if (const ScheduleNode *loop = findLoop(kernel.tree, partial.loop))
      registers += loop->lanes *
                   std::max(1u, model.arrays[partial.array].elementBytes / 4);
  for (const WorkDimension &work : kernel.work)
    registers *= work.total();
  return registers * points;
}

/// Operations that one evaluation takes, without those of subscripts.
static double operationsIn(const Expr &expr) {
  if (expr.kind == ExprKind::Subscript ||
      (expr.kind == ExprKind::Unary && expr.op == Op::Deref))
    return 0;
  double count = 0;
  for (const ExprRef &operand : expr.operands)
    count += operationsIn(*operand);
  bool isOperation =
      expr.kind == ExprKind::Unary || expr.kind == ExprKind::Binary ||
      expr.kind == ExprKind::Conditional || expr.kind == ExprKind::Call ||
      (expr.kind == ExprKind::Assign && expr.op != Op::None) ||
      (expr.kind == ExprKind::Cast &&
       expr.type.isFloating() != expr.operands[0]->type.isFloating());
  return count + (isOperation ? std::max(1u, expr.type.lanes) : 0);
}

/// True when some statement runs many times, or an unknown number of times.
bool Planner::isLong() const {
  for (const Statement &statement : model.statements) {
    int64_t product = statement.loops.empty() ? 0 : 1;
    for (unsigned loop : statement.loops) {
      std::optional<int64_t> count = findLoop(kernel.tree, loop)
                                         ? constantTripCount(kernel, loop)
                                         : std::nullopt;
      product *= count.value_or(fewestKnown);
    }
    if (product >= fewestKnown)
      return true;
  }
  return false;
}

/// How many times less a work-item has to issue per logical work-item when
/// `points` of them along the id share what does not depend on it.
double Planner::gainOfBlock(SymbolId id, unsigned points) const {
  std::optional<SymbolId> lane = model.symbols.find(SymbolKind::GlobalId, 0);
  std::vector<std::pair<unsigned, Polynomial>> seen;
  double operations = 0, own = 0, shared = 0;
  bool anyVaries = false; // loads of one address for all lanes are cheap
  for (const Statement &statement : model.statements) {
    if (statement.loops.empty())
      continue;
    if (statement.stmt && statement.stmt->expr)
      operations += operationsIn(*statement.stmt->expr);
    SymbolId iterator = model.loops[statement.loops.back()].iterator;
    for (unsigned index : statement.accesses) {
      const Access &access = model.accesses[index];
      if (access.isWrite || isInRegister(access))
        continue;
      if (!access.offset) {
        own += loadCost;
        continue;
      }
      std::pair<unsigned, Polynomial> cell(access.array, *access.offset);
      bool isNew = std::find(seen.begin(), seen.end(), cell) == seen.end();
      if (!isNew || !dependsOn(model, *access.offset, iterator))
        continue;
      seen.push_back(cell);
      bool varies = lane && dependsOn(model, *access.offset, *lane);
      bool isOwn = dependsOn(model, *access.offset, id);
      anyVaries |= varies;
      (isOwn ? own : shared) += varies ? loadCost : uniformLoadCost;
    }
  }
  if (!anyVaries)
    return 1;
  return (operations + own + shared) / (operations + own + shared / points);
}

/// Short loops and small launches keep the author's code.
void Planner::requireWork(unsigned points) {
  for (unsigned loop : loopsBelow(kernel.tree)) {
    bool isInnermost = loopsBelow(*findLoop(kernel.tree, loop)).size() == 1;
    if (isInnermost && !constantTripCount(kernel, loop))
      take(makeStep("require", model.loops[loop].name, fewestInBlocks), false);
  }
  if (profile.computeUnits <= 1)
    return;
  Step step;
  step.name = "require";
  step.parameters.emplace_back("items", int64_t(points) * profile.computeUnits *
                                            fewestPerUnit);
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
  unsigned rounds = std::max(fewestRounds, fewestTiles * tile);
  take(makeStep("require", model.loops[first->loop].name, rounds), false);
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
  unsigned merged = 1;
  for (unsigned d = model.ndrange.rank; d-- > 0 && factor > 1;) {
    std::optional<SymbolId> id = model.symbols.find(SymbolKind::GlobalId, d);
    if (!id || model.ndrange.split[d])
      continue;
    // Where the lanes are iterations of a sum, neighbours have nothing to lose.
    const bool areNeighboursFree =
        !kernel.partials.empty() && model.ndrange.rank > 1;
    if (d == 0 && model.ndrange.rank > 1 && !areNeighboursFree)
      continue;
    if (d == 0 && kernel.work[0].lanes == 1 && !areNeighboursFree)
      continue; // would take neighbouring work-items apart
    bool reused = false;
    for (const Access &access : model.accesses) {
      const Statement &statement = model.statements[access.statement];
      reused |=
          !statement.loops.empty() && !isInRegister(access) &&
          !access.isWrite && access.offset && !access.offset->contains(*id) &&
          access.offset->contains(model.loops[statement.loops.back()].iterator);
    }
    unsigned points = std::min(factor, 4u);
    if (hidesLatency && (!isLong() || gainOfBlock(*id, points) < enoughGain))
      continue;
    while (areNeighboursFree && points > 1 &&
           registersOfSums(points) > profile.registersPerWorkItem / 2)
      points /= 2;
    if (points > 1 && reused &&
        take(makeStep("coarsen", axisName(model, d), points))) {
      factor /= points;
      merged *= points;
    }
  }
  if (hidesLatency && merged > 1)
    requireWork(merged);
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

//===-- Kernels with local memory
//-----------------------------------------------------------===//

void Planner::keepGroups() {
  for (const Step &step : localLayoutSteps(kernel, profile))
    take(step, false);
  for (const Step &step : paddingSteps(kernel, profile))
    take(step, false);
  for (const Step &step : mergingSteps(kernel, profile, alias))
    take(step, false);
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

Plan Planner::run() {
  privatizeArrays();
  selectChoices();
  vectorizeBestAxis();
  widenRequests();
  coarsenReusedDimensions();
  unrollShortLoops();
  // A version without border tests does not pay for its guard by itself.
  bool onlySelects =
      std::all_of(plan.steps.begin(), plan.steps.end(),
                  [](const Step &step) { return step.name == "select"; });
  if (onlySelects)
    plan.steps.clear();
  keepGroups();
  for (const Step &step : tableSteps(kernel, profile))
    take(step, false);
  reduceIndices();
  requireRounds();
  return std::move(plan);
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
