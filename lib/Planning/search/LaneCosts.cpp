//===- LaneCosts.cpp - what lanes along an axis cost ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of an axis is the sum over all accesses of their cost per logical
// work-item, weighted by loop depth; arithmetic counts like one access.
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/PlannerImpl.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/Divergence.h"
#include "Analysis/access/LaneForms.h"
#include "Analysis/access/VectorBuiltins.h"
#include "Model/Control.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <cmath>

namespace clopt {

namespace {

/// Cost of a cell fetched on its own into a lane, relative to a scalar access.
constexpr double gatherCost = 2.0;
/// The same where nothing is known but that cells lie apart in every iteration,
/// too. (PoCL, windows that go on by as many cells as they have, an argument, 2
/// to 4: 0.55 to 0.74.)
constexpr double farGatherCost = 3.0;
/// Cost of a lane's cell stored on its own: lanes are taken apart, and every
/// store takes a line.
constexpr double scatterCost = 2.5;
/// The same when later iterations store to the rest of each cell's line.
constexpr double lineScatterCost = 1.5;
/// Cost of a statement that each lane does or not, relative to a scalar one:
/// vectors are taken apart, the results put back one by one. (Sparse rows in
/// ELLPACK form with unused places ran at 0.34 to 0.67 on PoCL.)
constexpr double branchCost = 2.5;
/// The same for functions that are called lane by lane (isTakenApart):
/// implementations for processors take the vectors apart. (Distances of rows of
/// 32 words, `popcount(a ^ b)`, ran at 0.16 to 0.3 on PoCL in 8 lanes.)
constexpr double takenApartCost = 2.5;
/// Iterations of a loop that some lanes leave before others, relative to those
/// of one lane, and operations to find out whether all have left. (On PoCL, 8
/// lanes: points of the Mandelbrot set 2.3 to 2.7, of Julia's 1.9 to 2.2, steps
/// of Collatz' sequence with a few operations of integers each 0.46 to 0.65.)
constexpr double waitingCost = 2, anyLaneCost = 8;
/// Of processors, mostly. (Steps of Collatz' sequence with numbers of 64 bits
/// and lanes by those of 32 bits that they begin with: 0.83.)
constexpr double bytesOfRegister = 32;
/// Operations to find out whether any lane does what the others may not load
/// for. (PoCL, `if (i & 1 << b) x ^= dir[b];` in loops of 19 and 32: 0.12 to
/// 0.36 in 8 lanes, 2.2 without the question.)
constexpr double anyBranchCost = 24;
/// Cost of a fetch when later iterations use the rest of each cell's line.
constexpr double lineGatherCost = 1.2;
/// The same where all loops are short, and rows a line: scalar code of several
/// work-items is under way at once then, and waits for nothing. (Transforms of
/// 8 neighbours in rows, lanes along columns, ran at 0.7 to 0.9 on PoCL.)
constexpr double shortGatherCost = 3.0;
/// Operations that a division of integers is like, and those that take each
/// lane out and put it back: no vector unit divides them. (PoCL, 8 lanes: sums
/// of digits 0.65, generators of random numbers 0.85, greatest common divisors
/// 0.92 to 0.95.)
constexpr double divisionCost = 8, dividedLaneCost = 2;
/// Loops that each lane runs for itself, relative to those of work-items: what
/// they change is taken out of vectors, and put back.
constexpr double takenOutCost = 1.25;
/// Cost of vectors that are loaded side by side and turned into vectors of
/// components, for each component, relative to a load.
/// (Blurs of float4 pixels, a weighted load each, ran at 0.4 to 0.8 on PoCL.)
constexpr double turnCost = 4;

} // namespace

/// Cost of one access for one of the axis' logical instances; 1 is a scalar
/// one.
double Planner::costOfAccess(const Access &access, const Axis &axis,
                             const Divergence &divergence, bool isShort) const {
  double perLane = 1.0 / axis.lanes;
  if (!isInside(access, axis))
    return 1;
  if (isInRegister(access))
    return perLane;
  const Type &type = laneTypeOf(model, access);
  const double turned = type.isVector() ? turnCost * perLane * type.lanes : 0;
  if (!access.offset && access.expr && type.isScalar()) {
    const std::optional<int64_t> step =
        divergence.laneStepOfCell(*access.expr, access.array);
    if (step == 0 || step == 1)
      return perLane;
  }
  if (!access.offset)
    return gatherCost + turned;
  std::optional<Polynomial> stride =
      laneStride(model, offsetOf(access), axis.symbol, axis.step);
  std::optional<int64_t> constant =
      stride ? stride->asConstant() : std::nullopt;
  // Members of structs have no rows that pointers go along. (PoCL, rows of
  // structs of four floats: 0.42 to 0.7.)
  if (profile.spreadWorkItems && !access.isWrite && constant != 0 &&
      model.arrays[access.array].elementType.fields)
    return farGatherCost;
  if (!constant && access.isWrite)
    return axis.dim && walksFar(access) ? lineScatterCost : scatterCost;
  if (!constant)
    return (isShort && !walksFar(access) ? shortGatherCost
            : walksAlong(access)         ? lineGatherCost
                                         : farGatherCost) +
           turned;
  if (type.isVector() && !access.isWrite && *constant == 0)
    return perLane * type.lanes;
  if (type.isVector() && !access.isWrite && *constant == 1)
    return turned;
  const OperandVariation variation = variationOf(type, stride);
  if (variation == OperandVariation::Uniform ||
      variation == OperandVariation::Consecutive)
    return perLane;
  if (variation == OperandVariation::Other)
    return gatherCost;
  // Cells between them may be others' by the time.
  bool permutable = !access.isWrite && std::abs(*constant) <= longestStride &&
                    isLaneType(model.arrays[access.array].elementType) &&
                    !writtenArrays(model).count(access.array);
  if (permutable || *constant == -1)
    return perLane * std::abs(*constant);
  return access.isWrite ? scatterCost : gatherCost;
}

bool Planner::isOneForAll(const Access &access, const Axis &axis) const {
  std::optional<Polynomial> stride =
      access.offset
          ? laneStride(model, offsetOf(access), axis.symbol, axis.step)
          : std::nullopt;
  return stride && stride->isZero();
}

/// Components of the vector that the statement sets; 1 for scalars.
static unsigned partsWritten(const KernelModel &model,
                             const Statement &statement) {
  unsigned parts = 1;
  for (unsigned id : statement.accesses)
    if (model.accesses[id].isWrite)
      parts = std::max(
          parts, model.arrays[model.accesses[id].array].elementType.lanes);
  return parts;
}

/// True when lanes call a function for which the device takes vectors apart, or
/// read images.
bool Planner::isTakenApartInLanes(const Statement &statement,
                                  const Divergence &divergence) const {
  bool found = false;
  if (profile.spreadWorkItems && statement.stmt)
    forEachExpr(StmtRef(StmtRef(), statement.stmt), [&](const ExprRef &expr) {
      found |= expr->kind == ExprKind::Call &&
               (isTakenApart(*expr) ||
                llvm::StringRef(expr->text).starts_with("read_image")) &&
               (divergence.ofExpr(expr) & LaneBit) != 0;
    });
  return found;
}

/// Divisions of integers that differ between lanes, by what is no number:
/// compilers multiply by those.
static double dividedLanes(const ExprRef &expr, const KernelModel &model,
                           const Divergence &divergence) {
  double count = 0;
  forEachExpr(expr, [&](const ExprRef &part) {
    count += !dividesSafely(*part) && !model.values.count(part.get()) &&
             llvm::any_of(part->operands, [&](const ExprRef &operand) {
               return (divergence.ofExpr(operand) & LaneBit) != 0;
             });
  });
  return count;
}

/// True where lanes have no load of the statement in common, or side by side,
/// but others. Loops that data ends and that only gather are no faster in
/// lanes: with PoCL sums of windows that go through as many planes ran at 0.56
/// and 0.59, rows of sparse matrices times several columns at 2.9.
bool Planner::onlyGathers(const Statement &statement, const Axis &axis,
                          const Divergence &divergence) const {
  auto isLoad = [&](unsigned id) {
    const Access &access = model.accesses[id];
    return !access.isWrite && !isInRegister(access);
  };
  auto isShared = [&](unsigned id) {
    const Access &access = model.accesses[id];
    if (!isLoad(id) || !access.expr)
      return false;
    std::optional<int64_t> step =
        divergence.laneStepOfCell(*access.expr, access.array);
    if (access.offset)
      if (std::optional<Polynomial> stride =
              laneStride(model, offsetOf(access), axis.symbol, axis.step))
        step = stride->asConstant();
    return step == 0 || step == 1;
  };
  return llvm::any_of(statement.accesses, isLoad) &&
         llvm::none_of(statement.accesses, isShared);
}

/// True for a branch that is selections, but loads what the kernel need not
/// have there when no lane takes it.
bool Planner::asksAnyLane(const Statement &statement,
                          const Divergence &divergence) const {
  if (!statement.stmt || statement.stmt->kind != StmtKind::If ||
      !(divergence.ofExpr(statement.stmt->expr) & LaneBit))
    return false;
  const StmtRef stmt(StmtRef(), statement.stmt);
  const MadeLoads made = loadsMadeIn(kernel, stmt);
  bool asks = false;
  for (const StmtRef &branch : {stmt->body, stmt->elseBody})
    forEachExpr(branch, [&](const ExprRef &expr) {
      asks |= expr->kind == ExprKind::Assign &&
              (!dividesSafely(*expr) ||
               !isSafeToSpeculate(kernel, expr->operands[1], made));
    });
  return asks;
}

namespace {

/// Operations of a statement that some lanes leave before others, for one
/// work-item and for all lanes.
struct MaskedWork {
  const KernelModel &model;
  const Divergence &divergence;
  double scalar = 0, lanes = 0;
  double divisions = 0; ///< of each lane
  bool isMasked = false;

  MaskedWork(const KernelModel &kernel, const Divergence &all)
      : model(kernel), divergence(all) {}
  /// `share`: how often a work-item comes to it.
  void add(const StmtRef &stmt, double share);
  /// Registers that the widest values of lanes in the expression take.
  double registersOf(const ExprRef &expr) const;
  bool varies(const ExprRef &expr) const {
    return expr && (divergence.ofExpr(expr) & LaneBit);
  }
};

} // namespace

double MaskedWork::registersOf(const ExprRef &expr) const {
  uint64_t bytes = 0;
  forEachExpr(expr, [&](const ExprRef &part) {
    if (part->type.isScalar() && varies(part))
      bytes = std::max<uint64_t>(bytes, part->type.size);
  });
  return std::max(1.0, static_cast<double>(bytes) * divergence.axis().lanes /
                           bytesOfRegister);
}

void MaskedWork::add(const StmtRef &stmt, double share) {
  if (!stmt)
    return;
  for (const ExprRef &expr : {stmt->expr, stmt->inc}) {
    const double operations = expr ? operationsIn(*expr) : 0;
    scalar += share * operations;
    lanes += operations * registersOf(expr);
    if (expr)
      divisions += share * dividedLanes(expr, model, divergence);
    // Where the mask is not set, variables keep their values.
    lanes += expr && changesTarget(*expr) ? 1 : 0;
  }
  if (isLoop(*stmt) && !divergence.advanceOf(stmt) &&
      (divergence.ofLoop(stmt) & LaneBit)) {
    isMasked = true;
    lanes += anyLaneCost;
  }
  // Masks are made, and lanes taken out of them.
  if (stmt->kind == StmtKind::If && varies(stmt->expr)) {
    lanes += stmt->elseBody ? 2 : 1;
    share /= 2;
  }
  if (stmt->kind == StmtKind::Break || stmt->kind == StmtKind::Continue)
    lanes += 2;
  add(stmt->init, share);
  add(stmt->body, share);
  add(stmt->elseBody, share);
  for (const StmtRef &child : stmt->children)
    add(child, share);
}

double Planner::costAlong(const Axis &axis) const {
  double vector = 0, scalar = 0;
  const ScheduleNode &region =
      axis.loop ? *findLoop(kernel.tree, *axis.loop) : kernel.tree;
  const Divergence divergence(kernel, region,
                              {axis.symbol, axis.step, axis.lanes}, 0);
  const bool isShort = isLight();
  for (unsigned index = 0; index < model.statements.size(); ++index) {
    const Statement &statement = model.statements[index];
    // Vectors have registers without lanes, too; of short loops compilers make
    // lanes of work-items.
    const unsigned parts = partsWritten(model, statement);
    double weight =
        std::pow(loopWeight, static_cast<double>(statement.loops.size()));
    bool inside =
        axis.dim || std::find(statement.loops.begin(), statement.loops.end(),
                              *axis.loop) != statement.loops.end();
    // Control that depends on data runs lane by lane, and so does what vectors
    // do not hold.
    const bool isLoop = statement.isCompound && loopDepth(statement.stmt) > 0;
    // Lanes that a loop begins side by side store as they load.
    const bool advances =
        isLoop &&
        divergence.advanceOf(StmtRef(StmtRef(), statement.stmt)).has_value();
    const bool byChoice = inside && loadsByChoice(statement, divergence);
    bool oneByOne =
        statement.stmt &&
        (!hasLaneForm(kernel, divergence, statement) || byChoice ||
         (isShort && parts > 1) ||
         (isLoop && inside && onlyGathers(statement, axis, divergence)));
    // What lanes do between barriers of their own each is what the work-items
    // did that now only wait, mostly a few steps of a tree.
    if (statement.isOpaque && oneByOne) {
      const unsigned depth = loopDepth(statement.stmt);
      weight *= std::pow(loopWeight, static_cast<double>(depth) - 1);
      vector += weight;
      scalar += weight;
      continue;
    }
    if (isLoop && (!oneByOne || statement.stmt->kind != StmtKind::If))
      weight *= loopWeight;
    const Expr *computed =
        statement.stmt ? statement.stmt->expr.get() : nullptr;
    // From one variable to another nothing moves.
    const double fewest =
        llvm::all_of(statement.accesses,
                     [&](unsigned id) {
                       return model.arrays[model.accesses[id].array].space ==
                              AddressSpace::Private;
                     })
            ? 0
            : 1;
    const double instructions =
        computed ? std::max(fewest, operationsIn(*computed, false)) : 1;
    const double operations =
        computed ? std::max(fewest, operationsIn(*computed)) : 1;
    double share = 1.0 / axis.lanes;
    if ((!inside || oneByOne) && operations > 0)
      share = instructions / operations;
    if (inside && isTakenApartInLanes(statement, divergence))
      share = takenApartCost;
    const double branches =
        oneByOne && (statement.isCompound || byChoice) ? branchCost : 1;
    if (inside && !oneByOne && asksAnyLane(statement, divergence))
      vector += weight * anyBranchCost / axis.lanes;
    MaskedWork masked(model, divergence);
    if (isLoop && inside)
      masked.add(StmtRef(StmtRef(), statement.stmt), 1);
    else if (computed && inside)
      masked.divisions = dividedLanes(statement.stmt->expr, model, divergence);
    if (profile.spreadWorkItems) {
      scalar += weight * masked.divisions * divisionCost;
      vector += weight * masked.divisions * (divisionCost + dividedLaneCost);
    }
    if (isLoop && inside && oneByOne) {
      scalar += weight * masked.scalar;
      vector += weight * masked.scalar * takenOutCost;
    } else if (masked.isMasked) {
      scalar += weight * masked.scalar;
      vector += weight * masked.lanes * waitingCost / axis.lanes;
    } else {
      scalar += weight * instructions;
      vector += weight * operations * share * branches;
    }
    for (unsigned id : statement.accesses) {
      const Access &access = model.accesses[id];
      if (isInRegister(access)) {
        // Vectors of lanes are put together from structs that lanes have.
        const Array &cells = model.arrays[access.array];
        if (!oneByOne && cells.var && cells.elementType.hasParts() &&
            divergence.ofVariable(cells.var).isVector() &&
            !divergence.isPlanes(cells.var))
          vector += weight;
        continue;
      }
      // What is one for all lanes is no vector that must be taken apart.
      const double alone =
          isOneForAll(access, axis) ? 1 : gatherCost * branches;
      const bool isScattered =
          access.isWrite && statement.isCompound &&
          !(advances && access.expr &&
            divergence.laneStepOfCell(*access.expr, access.array) == 1);
      vector += weight * (oneByOne      ? alone
                          : isScattered ? scatterCost
                                        : costOfAccess(access, axis, divergence,
                                                       isShort));
      scalar += weight;
    }
  }
  return scalar > 0 ? vector / scalar : 1;
}

} // namespace clopt
