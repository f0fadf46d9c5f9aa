//===- LoopBlocks.cpp - several iterations around inner loops -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A work-item compares its point with all centres, or computes all channels of
// its pixel:
//
//   for (int i = 0; i < m; i++) {
//     float s = 0;
//     for (int l = 0; l < d; l++)
//       s += square(x[p * d + l] - c[i * d + l]);
//     if (s < best) { best = s; place = i; }
//   }
//
// Lanes along i load x[p * d + l] once for all of them, and have as many sums
// under way: `vectorize i:8`, unroll and jam. No work-item is taken away.
//
// On an NVIDIA H200, 13 such kernels in awkward sizes (k-means, nearest
// neighbours, attention, channels of convolutions, filter banks, stereo, hidden
// states): 4 lanes 1.71 times as fast as the author's text, 1.88 where
// compilers take 4 iterations of the inner loops per pass, 8 lanes 1.87
// and 2.08 (geometric means); least 0.83, 1.08, 1.05 and 1.29. Those passes
// alone: 0.93. Without inner loops (rays that meet spheres) lanes gain nothing:
// 0.92 to 1.03.
//
// Tested by test/unit/LoopBlocksTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/PlannerImpl.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/ArithmeticWork.h"
#include "Analysis/access/Selections.h"
#include "Model/Control.h"
#include "Planning/cost/LoopWork.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace clopt {

/// A load of neighbours that lie in a line each, in arithmetic operations.
static constexpr double apartLoadCost = 12;
/// What lanes must save to be worth registers and text.
static constexpr double enoughOfJam = 1.25;
/// The same of work-items, of which fewer are left, and how many of them become
/// lanes; as many iterations where the lanes' loads lie apart in loops that are
/// kept whole. (An H200, convolutions whose steps are arguments: 2 work-items
/// 1.5 and 1.7 times as fast as one, 4 1.4 and 2.1, 8 0.9 and 1.1; 4 and 8
/// channels in a loop 1.83 and 1.6. Rows of sparse matrices times columns,
/// which are neighbours: 8 lanes 2.3.)
static constexpr double enoughOfItems = 1.5;
static constexpr unsigned lanesOfItems = 4;
/// Work-items, for each that the device needs, from which neighbours pay as
/// lanes. (An H200, 1,000 iterations of a loop in which all load the same: of
/// 600,000 work-items 0.94 to 1.4 times as fast in lanes of 4, of 1,500,000
/// 1.24 to 1.9, of 300,000 0.83 to 0.91 but for one.)
static constexpr unsigned itemsOfNeighbours = 6;
/// What they must save, in instructions: launches that are too small for lanes
/// take longer with a second body beside the author's. (An H200, gains and
/// losses: polynomials 1.88, 0.93; potentials by reciprocal roots 1.6, 1.0, by
/// quotients and roots 1.28, 0.9; sums within a range 2.0; weights by distance
/// 1.2, 0.93.)
static constexpr double enoughOfNeighbours = 1.35;
/// Loops within loops count so much more.
static constexpr double innerWeight = 16;
/// Iterations of a nest that compilers write out by themselves, and up to which
/// they are asked to; copies of others.
static constexpr int64_t mostByThemselves = 64, mostOnDemand = 32;
static constexpr int64_t mostOfNest = 128;
static constexpr int64_t copiesOfOthers = 4;

/// How many times less a work-item has to do in loops when the loops inside
/// `loop` run once for `lanes` of its iterations. Loads that the innermost loop
/// does not move are made before it.
/// Without `loop`: when all loops run once for `lanes` work-items along an id.
double Planner::gainOfJam(const LaneAxis &axis, std::optional<unsigned> loop,
                          const SharedCost::Counting &counting) const {
  const unsigned lanes = axis.lanes;
  const Divergence divergence(
      kernel, loop ? *findLoop(kernel.tree, *loop) : kernel.tree, axis, 1u);
  const std::optional<SymbolId> id =
      model.symbols.find(SymbolKind::GlobalId, 0);
  double others = 0, own = 0, shared = 0;
  // Components of one cell come with one load.
  std::vector<std::pair<unsigned, Polynomial>> seen;
  for (const Statement &statement : model.statements) {
    if (!statement.stmt)
      continue;
    const StmtRef stmt(StmtRef(), statement.stmt);
    const unsigned within = loopDepth(stmt.get());
    if (statement.loops.empty() && within == 0)
      continue;
    const bool isInside =
        !loop || (llvm::is_contained(statement.loops, *loop) &&
                  (statement.loops.back() != *loop || within > 0));
    bool isApart = false;
    auto costOf = [&](const Expr &load, bool varies) {
      const Access *access = model.accessOf(load);
      if (!access || isInRegister(*access))
        return LoadCost();
      if (!access->offset)
        return LoadCost{varies ? apartLoadCost : loadCost, 0};
      const Polynomial offset = offsetOf(*access);
      // Of clamped places nothing is known but that most are not.
      const bool jumps = varies && id && jumpsBetweenLanes(*access, *id) &&
                         selectsIn(model, offset, {}).empty();
      isApart |= jumps && dependsOn(model, offset, axis.symbol);
      if (!statement.loops.empty() &&
          !dependsOn(model, offset,
                     model.loops[statement.loops.back()].iterator))
        return LoadCost();
      const std::pair cell(access->array, offset);
      if (llvm::is_contained(seen, cell))
        return LoadCost();
      seen.push_back(cell);
      return LoadCost{jumps    ? apartLoadCost
                      : varies ? loadCost
                               : uniformLoadCost,
                      0};
    };
    // Whether branches that data decides run at all is not known.
    SharedCost cost(divergence, LaneBit, costOf,
                    statement.isCompound ? operationsOf : counting);
    cost.addAll(stmt);
    // Each lane runs loops that are kept whole for itself, unless all run them
    // alike.
    if (within > 0 && !runsTogether(kernel, divergence, stmt))
      cost.own += std::exchange(cost.shared, 0);
    // Lines that each lane comes back to need as many times the cache.
    if (isInside && isApart)
      return 1;
    const double weight = std::pow(
        innerWeight, static_cast<double>(statement.loops.size() + within) - 1);
    own += isInside ? weight * cost.own : 0;
    shared += isInside ? weight * cost.shared : 0;
    others += isInside ? 0 : weight * (cost.own + cost.shared);
  }
  return (others + own + shared) / (others + own + shared / lanes);
}

double Planner::gainOfJam(unsigned loop, unsigned lanes) const {
  return gainOfJam(
      LaneAxis{model.loops[loop].iterator, model.loops[loop].step, lanes},
      loop);
}

/// Lanes along a dimension but the first, where the loops that take longest are
/// kept whole, and all lanes run them alike: convolutions of which the host
/// gives the step, rows of sparse matrices. True when there are.
bool Planner::jamItems() {
  if (!isMostlyWhole())
    return false;
  unsigned best = 0;
  double most = enoughOfItems;
  for (unsigned d = 1; d < model.ndrange.rank; ++d) {
    const std::optional<SymbolId> id =
        model.symbols.find(SymbolKind::GlobalId, d);
    if (!id || model.ndrange.split[d])
      continue;
    if (const double gain =
            gainOfJam(LaneAxis{*id, 1, lanesOfItems}, std::nullopt);
        gain > most) {
      most = gain;
      best = d;
    }
  }
  if (best == 0 ||
      !take(makeStep("vectorize", axisName(model, best), lanesOfItems), false))
    return false;
  requireFullDevice(lanesOfItems / 2);
  return true;
}

/// True when neighbours along dimension 0 load different cells in every
/// iteration, or store one. Lanes would ask for as many lines each. (An H200,
/// convolutions with ids taken apart and differences of blocks: 0.53 to 0.61.)
bool Planner::movesOfItsOwnInLoops() const {
  const Divergence divergence(kernel, kernel.tree, LaneAxis(), 1u);
  return llvm::any_of(model.accesses, [&](const Access &access) {
    const Statement &statement = model.statements[access.statement];
    if (isInRegister(access) || statement.loops.empty())
      return false;
    if (access.isWrite)
      return loopsBelow(*findLoop(kernel.tree, statement.loops.back()))
                 .size() == 1;
    if (!access.expr ||
        !(divergence.ofExpr(ExprRef(ExprRef(), access.expr)) & 1u))
      return false;
    return !access.offset ||
           dependsOn(model, offsetOf(access),
                     model.loops[statement.loops.back()].iterator);
  });
}

/// Neighbours along dimension 0 as lanes, where loops load what is the same for
/// all of them and compute little with it: sums over all atoms, nearest points,
/// polynomials. Launches that do not fill the device without them keep the
/// author's code.
void Planner::shareLoadsOfNeighbours() {
  const std::optional<SymbolId> id =
      model.symbols.find(SymbolKind::GlobalId, 0);
  auto instructions = [](const Expr &expr) {
    return static_cast<double>(instructionsOf(expr));
  };
  const bool isMerged = llvm::any_of(
      kernel.work, [](const WorkDimension &work) { return work.total() > 1; });
  // Every lane has the arrays of a work-item.
  const bool hasArrays = llvm::any_of(model.arrays, [](const Array &array) {
    return array.space == AddressSpace::Private && array.var &&
           array.var->type.isArray();
  });
  if (profile.vectorizeComputation || !profile.localMemoryIsReal || !id ||
      model.ndrange.split[0] || isMerged || !plan.steps.empty() ||
      model.hasBarrier || model.usesLocalMemory || losesRegisters(model) ||
      isMostlyWhole() || !isLong() || hasArrays || movesOfItsOwnInLoops() ||
      gainOfJam(LaneAxis{*id, 1, lanesOfItems}, std::nullopt, instructions) <
          enoughOfNeighbours ||
      !take(makeStep("vectorize", axisName(model, 0), lanesOfItems), false))
    return;
  requireWork(itemsOfNeighbours, false);
}

/// True where lanes along the loop have loads apart in loops that are kept
/// whole.
bool Planner::gathersInWholeLoops(unsigned loop) const {
  const Divergence divergence(kernel, *findLoop(kernel.tree, loop),
                              LaneAxis{model.loops[loop].iterator,
                                       model.loops[loop].step, lanesOfItems},
                              0);
  auto isApart = [&](const Access &access) {
    const Statement &statement = model.statements[access.statement];
    if (access.isWrite || isInRegister(access) || !access.expr ||
        !llvm::is_contained(statement.loops, loop) ||
        loopDepth(statement.stmt) == 0)
      return false;
    const std::optional<int64_t> step =
        divergence.laneStepOfCell(*access.expr, access.array);
    return step != 0 && step != 1;
  };
  return llvm::any_of(model.accesses, isApart);
}

/// The lanes with which the loop takes least, if what it carries in inner loops
/// fits a part of the registers: all of them where it is long, or of unknown
/// length.
unsigned Planner::lanesOfJam(unsigned loop) const {
  unsigned words = 1;
  for (unsigned inner : loopsBelow(*findLoop(kernel.tree, loop)))
    if (inner != loop)
      words = std::max(words, wordsCarriedBy(kernel, inner));
  // Every lane has the arrays of an iteration.
  for (unsigned index = 0; index < model.arrays.size(); ++index) {
    const Array &array = model.arrays[index];
    const bool isOwn =
        array.space == AddressSpace::Private && array.var &&
        array.var->type.isArray() &&
        llvm::all_of(model.accesses, [&](const Access &access) {
          return access.array != index ||
                 llvm::is_contained(model.statements[access.statement].loops,
                                    loop);
        });
    words += isOwn ? static_cast<unsigned>(array.var->type.size / 4) : 0;
  }
  const std::optional<int64_t> trips = constantTripCount(kernel, loop);
  unsigned best = 1;
  double least = 0;
  for (unsigned lanes : {8u, 4u}) {
    if (lanes > lanesOfItems && gathersInWholeLoops(loop))
      continue;
    if (words * lanes > profile.registersPerWorkItem / 2 ||
        (trips && *trips < static_cast<int64_t>(lanes)))
      continue;
    const double gain = gainOfJam(loop, lanes);
    double time = 1 / gain;
    if (trips)
      time = (static_cast<double>(*trips / lanes * lanes) / gain +
              static_cast<double>(*trips % lanes)) /
             static_cast<double>(*trips);
    if (time * enoughOfJam > 1 || (best > 1 && time >= least))
      continue;
    best = lanes;
    least = time;
    if (!trips)
      break;
  }
  return best;
}

/// True where a loop stands in the loop: in the tree, or in a statement that is
/// kept whole.
bool Planner::isAroundLoops(unsigned loop) const {
  return llvm::any_of(
      statementsBelow(*findLoop(kernel.tree, loop)), [&](unsigned index) {
        const Statement &statement = model.statements[index];
        return statement.loops.back() != loop || loopDepth(statement.stmt) > 0;
      });
}

/// True for nests that are straight-line code to compilers.
bool Planner::isWrittenOutByCompilers(unsigned loop) const {
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    if (loopDepth(model.statements[index].stmt) > 0)
      return false;
  int64_t product = 1;
  for (unsigned each : loopsBelow(*findLoop(kernel.tree, loop)))
    product *= std::max<int64_t>(
        1, constantTripCount(kernel, each).value_or(mostByThemselves + 1));
  return product <= mostByThemselves;
}

/// Asks compilers to write out nests of known length inside the loop, and to
/// take several iterations of other innermost loops per pass.
void Planner::writeOutInside(unsigned loop) {
  // Iterations of the nest around what is written out so far.
  std::map<unsigned, int64_t> copies;
  const std::vector<unsigned> loops = loopsBelow(*findLoop(kernel.tree, loop));
  for (unsigned inner : llvm::reverse(loops)) {
    const std::vector<unsigned> below =
        loopsBelow(*findLoop(kernel.tree, inner));
    const std::optional<int64_t> trips = constantTripCount(kernel, inner);
    int64_t product = trips.value_or(0);
    bool isWhole = trips && *trips <= mostOnDemand;
    for (unsigned each : below)
      if (each != inner) {
        isWhole = isWhole && copies.count(each);
        product *= isWhole ? copies[each] : 1;
      }
    if (inner == loop || (below.size() > 1 && !isWhole) ||
        (isWhole && product > mostOfNest))
      continue;
    Step step = makeStep("unroll", model.loops[inner].name,
                         isWhole ? std::nullopt
                                 : std::optional<int64_t>(copiesOfOthers));
    step.flags.push_back("pragma");
    if (take(step, false) && isWhole)
      copies[inner] = *trips;
  }
}

/// True where neighbouring work-items read windows of known size in common, one
/// for each iteration: squares of work-items share more. (An H200, 5 x 5
/// pixels: stereo 2.08 by squares, 1.27 by lanes, census costs 1.78 and 1.00.
/// Of any size: 1.59 and 2.25, 0.57 and 1.81.)
bool Planner::hasKnownWindows(unsigned loop) const {
  const std::vector<unsigned> inner = loopsBelow(*findLoop(kernel.tree, loop));
  auto isInWindow = [&](const Access &access, unsigned d) {
    const std::optional<SymbolId> id =
        model.symbols.find(SymbolKind::GlobalId, d);
    return id && !isInRegister(access) && !access.isWrite && access.offset &&
           llvm::any_of(
               model.statements[access.statement].loops, [&](unsigned each) {
                 return each != loop && llvm::is_contained(inner, each) &&
                        windowIn(access, *id, each);
               });
  };
  return llvm::all_of(inner,
                      [&](unsigned each) {
                        return each == loop || constantTripCount(kernel, each);
                      }) &&
         llvm::any_of(model.accesses, [&](const Access &access) {
           return isInWindow(access, 0) || isInWindow(access, 1);
         });
}

/// Lanes along the loop around inner loops that save most. True when there are.
bool Planner::jamLoops() {
  if (profile.vectorizeComputation || !profile.localMemoryIsReal ||
      model.hasBarrier || model.usesLocalMemory || losesRegisters(model))
    return false;
  // Of loops within one another the inner one, whose results lie together.
  // (Transforms of 8 x 8 on an H200: rows 2.0, columns 0.42.)
  struct Choice {
    unsigned loop, lanes;
    double gain;
  };
  std::vector<Choice> choices;
  for (unsigned loop : loopsBelow(kernel.tree))
    if (isAroundLoops(loop) && !isWrittenOutByCompilers(loop) &&
        !hasKnownWindows(loop))
      if (const unsigned lanes = lanesOfJam(loop); lanes > 1)
        choices.push_back({loop, lanes, gainOfJam(loop, lanes)});
  auto depthOf = [&](const Choice &choice) {
    return model.loops[choice.loop].outer.size();
  };
  llvm::stable_sort(choices, [&](const Choice &a, const Choice &b) {
    return std::pair(depthOf(a), a.gain) > std::pair(depthOf(b), b.gain);
  });
  for (const auto &[loop, lanes, gain] : choices) {
    const std::string &name = model.loops[loop].name;
    const Step step = makeStep("vectorize", name, lanes);
    TransformedKernel trial = kernel;
    // Parts of one sum are no results of their own: those are windows.
    if (applyStep(trial, step, alias) || !trial.partials.empty() ||
        !take(step, false))
      continue;
    if (!constantTripCount(kernel, loop))
      take(makeStep("require", name, lanes), false);
    writeOutInside(loop);
    return true;
  }
  return jamItems();
}

std::optional<Plan> Planner::runLoopBlocks() {
  privatizeArrays();
  if (!jamLoops())
    return std::nullopt;
  reduceIndices();
  return std::move(plan);
}

std::optional<Plan> planLoopBlocks(const TransformedKernel &start,
                                   const DeviceProfile &profile,
                                   AliasMode alias) {
  return Planner(start, profile, alias).runLoopBlocks();
}

} // namespace clopt
