//===- Vectorize.cpp - work-items or iterations as lanes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `vectorize j:8` runs eight consecutive work-items of the dimension that
// `j` names, or eight consecutive iterations of the loop `j`, as the lanes of
// OpenCL vectors:
//
//   x[k] = q + y[k] * z[k + 10];
//   vstore8(q + vload8(0, &y[k]) * vload8(0, &z[k + 10]), 0, &x[k]);
//
// Legality. Work-items: unordered between barriers (Legality.cpp). Iterations:
// no dependence may run from one iteration to a later one of the same vector
// unless the order of the statements keeps it, or that of the lanes within one
// statement (OrderedStatement); values of private variables must not cross
// iterations elsewhere; arrays that may overlap are checked at run time. Both
// from Analysis/dependence/Dependences. Floating-point operations keep their
// order, unless the flags of the program permit another one: then, and for
// integers always, a value that every iteration adds to
// (Analysis/dependence/Reductions) becomes one partial result per lane, and
// these are combined after the loop.
//
// Reference: P1 section 3.3; Allen and Kennedy, Optimizing Compilers for Modern
// Architectures, chapter 2.
//
// Tested by test/unit/VectorizeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"
#include "Transform/tree/StripMine.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/Divergence.h"
#include "Analysis/access/LaneAxis.h"
#include "Analysis/access/LaneForms.h"
#include "Analysis/dependence/Dependences.h"
#include "Analysis/dependence/Reductions.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <iterator>

namespace clopt {

static bool isVectorWidth(unsigned lanes) {
  return lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16;
}

static StepResult checkWidth(unsigned lanes) {
  if (isVectorWidth(lanes))
    return std::nullopt;
  return refuse("clopt-step-value",
                "OpenCL has vectors of 2, 4, 8 and 16 elements");
}

/// The elements of vectors are no vectors: there is one axis.
static Refusal anotherAxis(const std::string &name) {
  return refuse("clopt-not-profitable",
                "a vector has its lanes along one axis, " + name);
}

static StepResult checkAxis(const TransformedKernel &kernel,
                            std::optional<unsigned> loop,
                            std::optional<unsigned> dim) {
  const ScheduleNode *other = vectorLoop(kernel.tree);
  if (other && other->loop != loop)
    return anotherAxis("the loop '" + kernel.model->loops[other->loop].name +
                       "'");
  for (unsigned d = 0; d < 3; ++d)
    if (kernel.work[d].lanes > 1 && d != dim)
      return anotherAxis("dimension " + std::to_string(d) + " of the NDRange");
  return std::nullopt;
}

/// Lanes of lanes do not exist: where all variables and elements are vectors or
/// structs, nothing is widened, nor is an array that is written as a whole.
/// What is the same for all lanes need not be.
static StepResult checkElementTypes(const TransformedKernel &kernel,
                                    const ScheduleNode &region,
                                    const LaneAxis &axis) {
  const KernelModel &model = *kernel.model;
  std::optional<Divergence> divergence;
  auto isOneForAll = [&](const Array &array, const Access &access) {
    const bool isVariable = array.space == AddressSpace::Private && array.var;
    if (!isVariable && (access.isWrite || !access.expr))
      return false;
    if (!divergence)
      divergence.emplace(kernel, region, axis, 0);
    const unsigned mask =
        isVariable ? divergence->ofVariable(array.var).mask
                   : divergence->ofExpr(ExprRef(ExprRef(), access.expr));
    return (mask & LaneBit) == 0;
  };
  for (unsigned index : statementsBelow(region))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      const Array &array = model.arrays[access.array];
      bool isWritten = access.isWrite;
      bool plain =
          array.elementType.isScalar() || array.elementType.isPointer();
      if (plain && access.width > 1 && !isOneForAll(array, access))
        return refuse("clopt-not-profitable",
                      "several elements of '" + array.name +
                          "' are accessed at once",
                      "", access.range);
      // Each lane has its own, and its own turn, beside what is a vector.
      const bool hasCells = array.space != AddressSpace::Private ||
                            (array.var && array.var->type.hasParts());
      if (array.elementType.hasParts() && hasCells &&
          hasVectors(kernel, region, axis))
        continue;
      if ((access.width > 1 || (!plain && isWritten)) &&
          !isOneForAll(array, access))
        return refuse("clopt-not-profitable",
                      "the elements of '" + array.name +
                          "' are vectors or structs",
                      "", access.range);
    }
  return std::nullopt;
}

StepResult vectorizeWork(TransformedKernel &kernel, unsigned dim,
                         unsigned lanes) {
  if (StepResult refusal = checkAxis(kernel, std::nullopt, dim))
    return refusal;
  const unsigned own = kernel.work[dim].lanes;
  if (StepResult refusal = checkWidth(lanes * own))
    return refusal;
  const bool isWithin = dim < 3 && kernel.model->ndrange.split[dim];
  if (StepResult refusal = isWithin
                               ? lanesWithinGroups(kernel, dim, lanes * own)
                               : mergeableWorkItems(kernel, dim))
    return refusal;
  if (StepResult refusal = resizableWorkItems(kernel, dim, lanes))
    return refusal;
  if (isWithin && own == 1)
    if (StepResult refusal = keepLoopsFromIds(kernel, dim))
      return refusal;
  const std::optional<SymbolId> id = laneIdOf(*kernel.model, dim);
  const LaneAxis axis{id.value_or(0), 1, lanes * own};
  if (StepResult refusal = checkElementTypes(kernel, kernel.tree, axis))
    return refusal;
  TransformedKernel trial = kernel;
  trial.work[dim].lanes = lanes * own;
  if (StepResult refusal = lanesFitRegisters(trial))
    return refusal;
  kernel = std::move(trial);
  return std::nullopt;
}

/// Lanes rely on the rows of arrays that the loop writes: others do not meet.
static void useSubscripts(TransformedKernel &kernel, const ScheduleNode &loop) {
  const KernelModel &model = *kernel.model;
  std::set<unsigned> arrays;
  for (unsigned index : statementsBelow(loop))
    for (unsigned access : model.statements[index].accesses)
      if (model.accesses[access].isWrite)
        arrays.insert(model.accesses[access].array);
  useSubscripts(kernel, arrays);
}

static Refusal goesOn(const Array &info, const std::string &hint = "") {
  return refuse(info.elementType.isFloating() ? "clopt-reassociation"
                                              : "clopt-dependence",
                "the value of '" + info.name +
                    "' goes from one iteration to the next",
                hint, info.var ? info.var->range : SourceRange());
}

/// A private variable, or one register.
static bool isOneCell(const TransformedKernel &kernel, unsigned array) {
  const Array &info = kernel.model->arrays[array];
  if (info.space == AddressSpace::Private)
    return info.isPrivateScalar();
  unsigned copies = 0;
  bool isOne = true;
  for (const ArrayTile &copy : kernel.registers()) {
    copies += copy.array == array;
    isOne &= copy.array != array || copy.cells(kernel) == 1;
  }
  return isOne && copies <= 1;
}

/// Values that the lanes may take apart; `others`: those that they could if the
/// program permitted it.
static std::vector<ReductionAccumulator>
reductionAccumulators(const TransformedKernel &kernel, unsigned loop,
                      AliasMode alias, std::set<unsigned> &others) {
  const KernelModel &model = *kernel.model;
  auto isApart = [&](unsigned first, unsigned second) {
    return areApart(kernel, first, second, alias);
  };
  std::vector<ReductionAccumulator> results;
  for (const Reduction &found :
       findReductions(model, kernel.tree, loop, isApart)) {
    const Type &type = model.arrays[found.array].elementType;
    bool isKnown = type.isScalar() && type.scalar != ScalarKind::Bool &&
                   type.scalar != ScalarKind::Half &&
                   isOneCell(kernel, found.array);
    if (isKnown && mayReassociate(model, found))
      results.push_back({loop, found.statement, found.array, found.operation});
    else if (isKnown)
      others.insert(found.array);
  }
  return results;
}

/// The entry of a statement that the lanes of the loop run in order.
static OrderedStatement &runInOrder(TransformedKernel &kernel, unsigned loop,
                                    unsigned statement) {
  for (OrderedStatement &each : kernel.orderedStatements)
    if (each.loop == loop && each.statement == statement)
      return each;
  kernel.orderedStatements.push_back({loop, statement, {}, {}});
  return kernel.orderedStatements.back();
}

/// Private variables and registers that are one for all lanes, because the
/// statements that use them run in order.
static void shareVariables(TransformedKernel &kernel, unsigned loop,
                           unsigned lanes, const LoopDependences &dependences) {
  const KernelModel &model = *kernel.model;
  const std::vector<unsigned> inside =
      statementsBelow(*findLoop(kernel.tree, loop));
  auto share = [&](const std::vector<unsigned> &all, unsigned index,
                   std::set<unsigned> OrderedStatement::*which) {
    std::vector<unsigned> accesses;
    llvm::copy_if(all, std::back_inserter(accesses), [&](unsigned id) {
      return llvm::is_contained(inside, model.accesses[id].statement);
    });
    if (!llvm::all_of(
            conflictsOfLanes(model, kernel.tree, loop, lanes, accesses),
            [](const Conflict &each) { return each.isInOrder; }))
      return;
    for (unsigned id : accesses)
      (runInOrder(kernel, loop, model.accesses[id].statement).*which)
          .insert(index);
  };
  std::set<unsigned> arrays = dependences.carriedPrivates;
  arrays.insert(dependences.liveOut.begin(), dependences.liveOut.end());
  arrays.insert(dependences.enters.begin(), dependences.enters.end());
  for (unsigned array : arrays) {
    const Variable *variable = model.arrays[array].var;
    std::vector<unsigned> accesses;
    for (const Access &access : model.accesses)
      if (access.array == array)
        accesses.push_back(access.id);
    if (!kernel.partialOf(loop, array) && variable && !variable->addressTaken)
      share(accesses, array, &OrderedStatement::arrays);
  }
  for (unsigned copy : dependences.carriedCopies)
    if (!kernel.partialOf(loop, kernel.tiles[copy].array))
      share(kernel.tiles[copy].accesses, copy, &OrderedStatement::tiles);
}

/// The lanes of the loop have one of it.
static bool isShared(const TransformedKernel &kernel, unsigned loop,
                     unsigned index,
                     std::set<unsigned> OrderedStatement::*which) {
  return llvm::any_of(kernel.orderedStatements,
                      [&](const OrderedStatement &each) {
                        return each.loop == loop && (each.*which).count(index);
                      });
}

static StepResult checkVariables(const TransformedKernel &kernel, unsigned loop,
                                 const LoopDependences &dependences,
                                 const std::set<unsigned> &others) {
  const KernelModel &model = *kernel.model;
  auto isPartial = [&](unsigned array) {
    return kernel.partialOf(loop, array) ||
           isShared(kernel, loop, array, &OrderedStatement::arrays);
  };
  auto hint = [&](unsigned array) {
    return others.count(array) ? "pass -cl-unsafe-math-optimizations" : "";
  };
  for (unsigned array : dependences.carriedPrivates)
    if (!isPartial(array))
      return goesOn(model.arrays[array], hint(array));
  for (unsigned copy : dependences.carriedCopies)
    if (unsigned array = kernel.tiles[copy].array;
        !isPartial(array) &&
        !isShared(kernel, loop, copy, &OrderedStatement::tiles))
      return goesOn(model.arrays[array], hint(array));
  auto refused = [&](unsigned array, const std::string &why) {
    const Array &info = model.arrays[array];
    return refuse("clopt-dependence", "'" + info.name + "' " + why, "",
                  info.var ? info.var->range : SourceRange());
  };
  for (unsigned array : dependences.liveOut)
    if (!isPartial(array))
      return refused(array, "is used after the loop that writes it");
  for (unsigned array : dependences.enters)
    if (!isPartial(array))
      return refused(array, "is set before the loop and in it");
  return std::nullopt;
}

/// A register is one vector: no lane has a register of another name.
static StepResult checkCells(const TransformedKernel &kernel, SymbolId axis,
                             const std::vector<unsigned> &statements) {
  const KernelModel &model = *kernel.model;
  for (const ArrayTile &copy : kernel.registers()) {
    bool isUsed = std::any_of(
        copy.accesses.begin(), copy.accesses.end(), [&](unsigned id) {
          return llvm::is_contained(statements, model.accesses[id].statement);
        });
    if (isUsed && cellsDifferAlong(model, copy, axis))
      return refuse("clopt-dependence",
                    "lanes use different cells of '" +
                        model.arrays[copy.array].name +
                        "' that are kept in registers",
                    "", model.accesses[copy.accesses.front()].range);
  }
  return std::nullopt;
}

static StepResult checkCopies(const TransformedKernel &kernel,
                              const ScheduleNode &node) {
  const KernelModel &model = *kernel.model;
  LoopDependences dependences =
      analyzeLoop(model, kernel.tree, node.loop, node.lanes, kernel.tiles);
  auto name = [&](unsigned copy) {
    return "'" + model.arrays[kernel.tiles[copy].array].name + "'";
  };
  auto isPartial = [&](unsigned copy) {
    return kernel.partialOf(node.loop, kernel.tiles[copy].array) ||
           isShared(kernel, node.loop, copy, &OrderedStatement::tiles);
  };
  for (unsigned copy : dependences.carriedCopies)
    if (!isPartial(copy))
      return goesOn(model.arrays[kernel.tiles[copy].array]);
  if (dependences.innerCopy)
    return refuse("clopt-dependence",
                  name(*dependences.innerCopy) +
                      " is kept in registers over an inner loop");
  for (unsigned copy : dependences.partialCopies)
    if (!isPartial(copy))
      return refuse("clopt-dependence",
                    "not every iteration sets all cells of " + name(copy) +
                        " that are kept in registers");
  return checkCells(kernel, model.loops[node.loop].iterator,
                    statementsBelow(node));
}

/// Registers of vectors have no lanes.
static StepResult checkVectorCells(const TransformedKernel &kernel) {
  const bool hasLanes = kernel.hasLanes();
  for (const ArrayTile &copy : kernel.registers()) {
    const Array &array = kernel.model->arrays[copy.array];
    if (hasLanes && !array.elementType.isScalar())
      return refuse("clopt-not-profitable",
                    "the elements of '" + array.name +
                        "' are vectors or structs",
                    "", array.var ? array.var->range : SourceRange());
  }
  return std::nullopt;
}

/// A cell to which all work-items add is one, but what lanes keep differs.
static StepResult checkCommonCells(const TransformedKernel &kernel,
                                   const LaneAxis &axis) {
  const KernelModel &model = *kernel.model;
  const Divergence divergence(kernel, kernel.tree, axis, 0);
  for (unsigned i = 0; i < kernel.tiles.size(); ++i) {
    const ArrayTile &tile = kernel.tiles[i];
    const bool isCommon = llvm::none_of(tile.base, [&](const Polynomial &base) {
      return dependsOn(model, base, axis.symbol);
    });
    if (tile.inTree && tile.copyIn && tile.copyOut && isCommon &&
        (divergence.ofCopy(i) & LaneBit))
      return refuse("clopt-dependence",
                    "work-items change one cell of '" +
                        model.arrays[tile.array].name +
                        "' that is kept in registers",
                    "", model.accesses[tile.accesses.front()].range);
  }
  return std::nullopt;
}

StepResult lanesFitRegisters(const TransformedKernel &kernel) {
  if (kernel.registers().empty())
    return std::nullopt;
  if (StepResult refusal = checkVectorCells(kernel))
    return refusal;
  if (const ScheduleNode *node = vectorLoop(kernel.tree))
    return checkCopies(kernel, *node);
  for (unsigned dim = 0; dim < 3; ++dim)
    if (auto id = laneIdOf(*kernel.model, dim);
        id && kernel.work[dim].lanes > 1) {
      if (StepResult refusal =
              checkCells(kernel, *id, statementsBelow(kernel.tree)))
        return refusal;
      return checkCommonCells(kernel, {*id, 1, kernel.work[dim].lanes});
    }
  return std::nullopt;
}

/// Statements whose lanes would meet run in order where that keeps them apart.
/// When all do, there are no vectors, and nothing is gained.
static StepResult keepOrder(TransformedKernel &kernel, const LaneAxis &axis,
                            const ScheduleNode &node,
                            const LoopDependences &dependences,
                            LaneOrder order) {
  const KernelModel &model = *kernel.model;
  auto refused = [&](const Conflict &conflict) {
    const Access &access = model.accesses[conflict.second];
    bool isSum = kernel.partialOf(node.loop, access.array) != nullptr;
    return refuse("clopt-dependence", describe(model, conflict),
                  isSum ? "privatize '" + model.arrays[access.array].name +
                              "' first"
                        : "",
                  access.range);
  };
  for (const Conflict &conflict : dependences.violated) {
    const Access &access = model.accesses[conflict.second];
    if (order == LaneOrder::Together || !conflict.isInOrder ||
        kernel.partialOf(node.loop, access.array))
      return refused(conflict);
    runInOrder(kernel, node.loop, access.statement);
  }
  if (kernel.orderedStatements.empty() || hasVectors(kernel, node, axis))
    return std::nullopt;
  if (!dependences.violated.empty())
    return refused(dependences.violated.front());
  kernel.orderedStatements.clear();
  return std::nullopt;
}

/// A loop with no role becomes one of vectors.
static StepResult runAsLanes(TransformedKernel &kernel, unsigned loop,
                             unsigned lanes, AliasMode alias, LaneOrder order) {
  const KernelModel &model = *kernel.model;
  if (StepResult refusal = checkWidth(lanes))
    return refusal;
  ScheduleNode *node = findLoop(kernel.tree, loop);
  std::vector<unsigned> below = loopsBelow(*node);
  for (const ArrayTile &tile : kernel.tiles)
    if (tile.stored)
      return refuse("clopt-dependence", "'" + model.arrays[tile.array].name +
                                            "' is converted in local memory");
  for (const ArrayTile &tile : kernel.sections())
    if (tile.loop && llvm::is_contained(below, *tile.loop))
      return refuse("clopt-dependence", "arrays are staged in the loop");
  if (const Statement *jump = findJump(model, *node))
    return refuse("clopt-non-affine-control",
                  "the loop may be left early, depending on data", "",
                  jump->stmt->range);
  std::optional<int64_t> trips = constantTripCount(kernel, loop);
  if (trips && *trips < static_cast<int64_t>(lanes))
    return refuse("clopt-not-profitable", "the loop has only " +
                                              std::to_string(*trips) +
                                              " iterations");
  const Loop &info = model.loops[loop];
  const LaneAxis axis{info.iterator, info.step, lanes};
  LoopDependences dependences =
      analyzeLoop(model, kernel.tree, loop, lanes, kernel.tiles);
  TransformedKernel trial = kernel;
  std::set<unsigned> others;
  trial.partials = reductionAccumulators(kernel, loop, alias, others);
  if (order == LaneOrder::Any)
    shareVariables(trial, loop, lanes, dependences);
  if (StepResult refusal = checkElementTypes(trial, *node, axis))
    return refusal;
  if (dependences.fence)
    return refuse("clopt-ordered-effect",
                  "the loop has a barrier or code that must keep its order", "",
                  model.statements[*dependences.fence].stmt->range);
  if (StepResult refusal = keepOrder(trial, axis, *node, dependences, order))
    return refusal;
  if (StepResult refusal = checkVariables(trial, loop, dependences, others))
    return refusal;
  for (const auto &[first, second] : dependences.mayOverlap)
    if (StepResult refusal = requireDisjoint(trial, first, second, alias))
      return refusal;
  useSubscripts(trial, *findLoop(trial.tree, loop));
  findLoop(trial.tree, loop)->lanes = lanes;
  if (StepResult refusal = lanesFitRegisters(trial))
    return refusal;
  kernel = std::move(trial);
  return std::nullopt;
}

/// What differs between lanes is known by variables: one that counts the loop,
/// and is read where it holds something else, would differ there, too.
static StepResult checkCounter(const KernelModel &model, unsigned loop) {
  const Variable *counter = model.loops[loop].var;
  for (const Access &access : model.accesses)
    if (counter && !access.isWrite && model.arrays[access.array].var == counter)
      return refuse(
          "clopt-lane-control",
          "'" + counter->name + "' is read outside of the loop that it counts",
          "declare the variable of the loop in its head", access.range);
  return std::nullopt;
}

StepResult vectorizeLoop(TransformedKernel &kernel, unsigned loop,
                         unsigned lanes, AliasMode alias, LaneOrder order) {
  if (!findLoop(kernel.tree, loop))
    return refuse("clopt-opaque-code",
                  "the loop is part of code that is kept as written");
  if (StepResult refusal = checkCounter(*kernel.model, loop))
    return refusal;
  if (StepResult refusal = checkAxis(kernel, loop, std::nullopt))
    return refusal;
  // As if nothing had been asked of the loop: lanes of lanes are more lanes,
  // tiles are a loop around the vectors, and the copies are of vectors.
  TransformedKernel plain = kernel;
  const LoopRole role = takeRole(plain, loop);
  unsigned tiles;
  if (role.tile)
    if (StepResult refusal = stripMine(plain, loop, role.tile, tiles))
      return refusal;
  if (StepResult refusal =
          runAsLanes(plain, loop, role.lanes * lanes, alias, order))
    return refusal;
  if (role.unroll != 1)
    if (StepResult refusal = unroll(plain, loop, role.unroll))
      return refusal;
  kernel = std::move(plain);
  return std::nullopt;
}

} // namespace clopt
