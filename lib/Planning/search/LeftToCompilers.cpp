//===- LeftToCompilers.cpp - what compilers do as well --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and kernels that compilers of processors make vectors of themselves:
// lanes in the text would only stand in their way.
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/PlannerImpl.h"

#include "Planning/cost/LoopWork.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/ArithmeticWork.h"
#include "Analysis/access/CellPart.h"
#include "Analysis/access/Divergence.h"
#include "Analysis/access/LaneForms.h"
#include "Analysis/access/Selections.h"
#include "Analysis/dependence/Reductions.h"
#include "Model/Control.h"

#include <isl/set.h>
#include <isl/val.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace clopt {

/// True for accesses that walk along the loop, cell by cell, or stay.
bool Planner::isAlongOrFixed(const Access &access, unsigned loop) const {
  return isInRegister(access) ||
         !llvm::is_contained(model.statements[access.statement].loops, loop) ||
         (access.offset &&
          (walksAlong(access) ||
           !dependsOn(model, offsetOf(access), model.loops[loop].iterator)));
}

/// Arrays that compilers ask at run time whether they overlap.
static constexpr size_t fewArrays = 3;

/// True for loops that update rows, each cell by itself, of a few arrays:
/// compilers of processors make lanes of their iterations, several at a time.
/// (PoCL, rows of 509 to 1024: `p[i] += x[i] * d` at 0.66 to 0.95, gradients at
/// 0.76. Two rows that move, 16 to 1000: 0.45 to 0.8, of 8 and 12 1.3. Rows
/// that are only written ran at 0.9 to 1.3.)
bool Planner::updatesRow(unsigned loop) const {
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!profile.spreadWorkItems || !node || loopsBelow(*node).size() > 1)
    return false;
  std::set<unsigned> arrays;
  std::map<unsigned, Polynomial> rows; // where they are written
  unsigned words = 0;
  for (const Access &access : model.accesses) {
    const Statement &statement = model.statements[access.statement];
    if (!llvm::is_contained(statement.loops, loop))
      continue;
    if (statement.isCompound || !isAlongOrFixed(access, loop))
      return false;
    if (model.arrays[access.array].space == AddressSpace::Private)
      continue;
    arrays.insert(access.array);
    if (!access.isWrite)
      continue;
    if (!walksAlong(access) ||
        !rows.emplace(access.array, offsetOf(access)).second)
      return false;
    words += cellWords(model.arrays[access.array]);
  }
  if (rows.empty() || arrays.size() > fewArrays ||
      wordsCarriedBy(kernel, loop) != words)
    return false;
  std::set<unsigned> updated;
  for (const Access &access : model.accesses) {
    const auto row = rows.find(access.array);
    if (row == rows.end() || access.isWrite ||
        !llvm::is_contained(model.statements[access.statement].loops, loop))
      continue;
    if (offsetOf(access) != row->second)
      return false; // one cell from another
    updated.insert(access.array);
  }
  return updated.size() == rows.size();
}

/// True when an iteration calls a function.
bool Planner::callsIn(unsigned loop) const {
  bool found = false;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    if (const Stmt *stmt = model.statements[index].stmt)
      forEachExpr(StmtRef(StmtRef(), stmt), [&](const ExprRef &expr) {
        found |= expr->kind == ExprKind::Call;
      });
  return found;
}

/// True for innermost loops that carry nothing, call nothing and go along
/// their rows: compilers of processors make lanes of them, too.
bool Planner::mapsRow(unsigned loop) const {
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  return profile.spreadWorkItems && node && loopsBelow(*node).size() == 1 &&
         wordsCarriedBy(kernel, loop) == 0 && !callsIn(loop) &&
         llvm::all_of(model.accesses, [&](const Access &access) {
           return isAlongOrFixed(access, loop);
         });
}

/// True for loops whose sums compilers of processors spread over lanes
/// themselves: all that they carry are sums in any order, of neighbouring
/// cells. In the text lanes only take such loops of integers apart, and so do
/// blocks of work-items: products of rows, 20 to 509 to a row, ran at 0.4 to
/// 0.9 on PoCL.
/// `integers`: all sums are of integers, or none is.
bool Planner::compilersTakeApart(unsigned loop, bool integers) const {
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!profile.spreadWorkItems || !node || loopsBelow(*node).size() > 1)
    return false;
  const unsigned carried = wordsCarriedBy(kernel, loop);
  if (carried == 0 || !llvm::all_of(model.accesses, [&](const Access &access) {
        return isAlongOrFixed(access, loop);
      }))
    return false;
  auto areApart = [&](unsigned a, unsigned b) {
    return areDisjoint(model, a, b);
  };
  unsigned words = 0;
  for (const Reduction &sum :
       findReductions(model, kernel.tree, loop, areApart)) {
    // The greatest of floats stays a loop: that they may be NaN decides.
    const bool isInteger = model.arrays[sum.array].elementType.isInteger();
    if (!mayReassociate(model, sum) || sum.isExact != integers ||
        (integers && !isInteger))
      return false;
    words += cellWords(model.arrays[sum.array]);
  }
  return words == carried;
}

/// True for expressions that multiply, other than for an address.
static bool multiplies(const Expr &expr) {
  if (expr.kind == ExprKind::Subscript)
    return false;
  return (expr.op == Op::Mul &&
          (expr.kind == ExprKind::Binary || expr.kind == ExprKind::Assign)) ||
         llvm::any_of(expr.operands, [](const ExprRef &operand) {
           return multiplies(*operand);
         });
}

/// True for loops that compilers take apart into products of integers up to a
/// word, of rows that lie apart for neighbours: these take longer than the
/// loads that neighbours share, and of bytes processors add two at once. (PoCL,
/// 20 to 509 to a row: words 0.4 to 1.0, bytes 0.4 to 0.7.)
bool Planner::addsProductsOfIntegers(unsigned loop) const {
  auto isProduct = [&](const Statement &statement) {
    auto isShort = [&](unsigned access) {
      const Array &array = model.arrays[model.accesses[access].array];
      return array.elementType.isInteger() &&
             array.elementBytes <= narrowestWord;
    };
    return statement.stmt && statement.stmt->expr &&
           llvm::is_contained(statement.loops, loop) &&
           llvm::all_of(statement.accesses, isShort) &&
           multiplies(*statement.stmt->expr);
  };
  const auto lane = model.symbols.find(SymbolKind::GlobalId, 0);
  auto isRow = [&](const Access &access) {
    return lane && access.offset && !isInRegister(access) &&
           llvm::is_contained(model.statements[access.statement].loops, loop) &&
           dependsOn(model, offsetOf(access), *lane) &&
           jumpsBetweenLanes(access, *lane);
  };
  return llvm::any_of(model.statements, isProduct) &&
         llvm::any_of(model.accesses, isRow) && compilersTakeApart(loop, true);
}

/// Cells from one iteration to the next of what counts them; nothing where the
/// expression does not say it.
static std::optional<int64_t> stepAlong(const Expr &expr,
                                        const Variable &counter) {
  switch (expr.kind) {
  case ExprKind::VarRef:
    return expr.var == &counter ? 1 : 0;
  case ExprKind::Cast:
    return stepAlong(*expr.operands[0], counter);
  case ExprKind::Binary:
    break;
  default:
    return expr.operands.empty() ? std::optional<int64_t>(0) : std::nullopt;
  }
  const auto left = stepAlong(*expr.operands[0], counter),
             right = stepAlong(*expr.operands[1], counter);
  if (!left || !right)
    return std::nullopt;
  if (expr.op == Op::Add || expr.op == Op::Sub)
    return expr.op == Op::Add ? *left + *right : *left - *right;
  return *left == 0 && *right == 0 ? std::optional<int64_t>(0) : std::nullopt;
}

/// True for innermost loops that only count and add up integers.
static bool addsIntegers(const Stmt &loop) {
  bool adds = false, isPlain = true;
  forEachExpr(loop.body, [&](const ExprRef &expr) {
    isPlain &= expr->kind != ExprKind::Call;
    if (!changesTarget(*expr))
      return;
    const Expr &target = *expr->operands[0];
    const bool isSum = expr->kind == ExprKind::Unary || expr->op != Op::None;
    isPlain &= isSum && target.kind == ExprKind::VarRef &&
               target.type.isScalar() && target.type.isInteger();
    adds = true;
  });
  return adds && isPlain && !leavesOf(loop.body).any();
}

/// True for loops that compilers of processors spread over lanes by themselves
/// because they only add up integers of neighbouring cells, also where a
/// condition decides what is counted.
bool Planner::countsAlong(unsigned loop) const {
  if (compilersTakeApart(loop, true))
    return true;
  const Stmt *stmt = model.loops[loop].stmt;
  return profile.spreadWorkItems && stmt && loopDepth(stmt) == 1 &&
         addsIntegers(*stmt) &&
         llvm::all_of(model.accesses, [&](const Access &access) {
           return isAlongOrFixed(access, loop);
         });
}

/// True where a loop adds up integers that it reads from rows which lie apart
/// for lanes: compilers load as many of a row as fill a register, and lanes one
/// cell each. (PoCL, 1000 to a row: words above zero 0.19, bytes that differ
/// 0.29.)
bool Planner::addsRowsApart(const Axis &axis) const {
  if (!axis.dim || !profile.spreadWorkItems)
    return false;
  std::optional<Divergence> divergence;
  auto readsRowsApart = [&](const Stmt &loop, const Variable &counter) {
    bool arePlain = true, areApart = false, areTogether = false;
    forEachExpr(loop.body, [&](const ExprRef &expr) {
      const Access *access = model.accessOf(*expr);
      if (!access || model.arrays[access->array].space == AddressSpace::Private)
        return;
      const Array &array = model.arrays[access->array];
      const std::optional<int64_t> step =
          expr->kind == ExprKind::Subscript
              ? stepAlong(*expr->operands[1], counter)
              : std::nullopt;
      arePlain &= (step == 0 || step == 1) && array.elementType.isScalar() &&
                  array.elementType.isInteger() &&
                  array.elementBytes <= narrowestWord;
      if (!arePlain || step != 1)
        return;
      if (!divergence)
        divergence.emplace(kernel, kernel.tree,
                           LaneAxis{axis.symbol, axis.step, axis.lanes}, 0);
      const std::optional<int64_t> apart =
          divergence->laneStepOfCell(*expr, access->array);
      areApart |= !apart || std::llabs(*apart) > longestStride;
      areTogether |= apart == 1 || apart == -1;
    });
    return arePlain && areApart && !areTogether;
  };
  bool found = false;
  forEachStmt(model.function->body, [&](const StmtRef &stmt) {
    const Expr *step = stmt->kind == StmtKind::For ? stmt->inc.get() : nullptr;
    if (found || !step || !changesTarget(*step) ||
        step->operands[0]->kind != ExprKind::VarRef ||
        loopDepth(stmt.get()) > 1)
      return;
    found =
        addsIntegers(*stmt) && readsRowsApart(*stmt, *step->operands[0]->var);
  });
  return found;
}

/// True where the rows that a loop reads have no cell in common for neighbours.
bool Planner::areRowsApart(const Access &access, unsigned loop,
                           SymbolId lane) const {
  if (jumpsBetweenLanes(access, lane))
    return true;
  const std::optional<Polynomial> stride =
      laneStride(model, offsetOf(access), lane, 1);
  const std::optional<int64_t> cells =
      stride ? stride->asConstant() : std::nullopt;
  const std::optional<int64_t> trips = constantTripCount(kernel, loop);
  constexpr int64_t shortestRow = 4; // of which a vector is worth making
  return cells && trips && *trips >= shortestRow &&
         std::llabs(*cells) >= *trips;
}

/// True where compilers take rows apart that one work-item reads alone: lanes
/// of neighbours share nothing that makes up for rows that lie apart (sums of
/// rows, products with a vector: 0.5 to 1.0 on PoCL; sums, maxima and
/// differences of blocks of 4 x 4 to 16 x 16 integers: 0.2 to 0.6).
bool Planner::readsRowsOfItsOwn() const {
  std::set<unsigned> others; // loops that are not taken apart
  return llvm::any_of(model.accesses, [&](const Access &access) {
    if (isInRegister(access) || access.isWrite || !access.offset ||
        !walksAlong(access))
      return false;
    const auto lane = model.symbols.find(SymbolKind::GlobalId, 0);
    const unsigned loop =
        model.statements[access.statement].loops.back(); // it walks along
    if (lane && !areRowsApart(access, loop, *lane))
      return false; // windows have cells in common
    for (unsigned d = 0; d < model.ndrange.rank; ++d)
      if (auto id = model.symbols.find(SymbolKind::GlobalId, d);
          id && !dependsOn(model, offsetOf(access), *id))
        return false;
    return !others.count(loop) &&
           (compilersTakeApart(loop, true) || !others.insert(loop).second);
  });
}

/// True where neighbours do not have cells below a word side by side:
/// processors gather and scatter words only.
bool Planner::hasNarrowCellsApart() const {
  std::optional<SymbolId> lane = model.symbols.find(SymbolKind::GlobalId, 0);
  return std::any_of(
      model.accesses.begin(), model.accesses.end(), [&](const Access &access) {
        const Array &array = model.arrays[access.array];
        // Of structs, what is accessed by itself.
        const Type cell = array.elementBytes == array.elementType.size
                              ? array.elementType
                              : Type::makeScalar(ScalarKind::UChar);
        if (!lane || access.width * array.elementBytes >= narrowestWord ||
            !cell.isScalar() || isInRegister(access))
          return false;
        std::optional<Polynomial> stride =
            access.offset ? laneStride(model, offsetOf(access), *lane)
                          : std::nullopt;
        const OperandVariation variation = variationOf(cell, stride);
        return variation == OperandVariation::Strided ||
               variation == OperandVariation::Other;
      });
}

/// True where neighbours decide, each for itself, which branch a place takes.
bool Planner::isChosenByLanes(const Access &access) const {
  return llvm::any_of(selectsIn(model, *access.offset, {}),
                      [&](SymbolId choice) { return dependsOnIds(choice, 0); });
}

/// Instructions of a work-item from which lanes pay for finding their tile,
/// some 100 clocks, where nothing else keeps compilers from lanes but places
/// that are chosen. (PoCL on an EPYC, 1999 x 1499: 26 instructions and 8
/// accesses 0.3 to 0.6, 28 and 10 1.05 to 1.5, 42 to 68 1.8 to 3.9.)
static constexpr int64_t enoughInstructions = 40;

/// True where neighbours have cells side by side, or one cell, all of them, but
/// only where each makes the usual choice: away from borders. Compilers see
/// places that nothing is known of, and leave the kernel scalar. (The same,
/// medians of 3 x 3 bytes 3.3 to 3.8 times as fast, flow of two planes 1.8 to
/// 3.9, heat with borders 1.8 to 2.1.)
bool Planner::choosesCellsSideBySide() const {
  const auto lane = model.symbols.find(SymbolKind::GlobalId, 0);
  auto isSideBySide = [&](const Access &access) {
    if (isInRegister(access))
      return true;
    const auto stride = lane && access.offset
                            ? laneStride(model, offsetOf(access), *lane)
                            : std::nullopt;
    const std::optional<int64_t> cells =
        stride ? stride->asConstant() : std::nullopt;
    return cells == 0 || cells == 1;
  };
  int64_t instructions = 0;
  for (const Statement &statement : model.statements)
    instructions += statement.stmt ? instructionsOf(*statement.stmt) : 0;
  return instructions >= enoughInstructions &&
         llvm::all_of(model.accesses, isSideBySide) &&
         llvm::any_of(model.accesses, [&](const Access &access) {
           return !isInRegister(access) && isChosenByLanes(access);
         });
}

/// True where work-items load vectors whole and compute with their components:
/// compilers that make lanes of work-items make none of values that are vectors
/// already, and leave the rest scalar. (PoCL, colours to hue and saturation 2.1
/// to 6.6, pixels of four bytes by a matrix 1.5. Components that are loaded one
/// by one are scalars like others: 0.2.)
bool Planner::takesVectorsApart() const {
  bool takesApart = false;
  forEachExpr(model.function->body, [&](const ExprRef &expr) {
    takesApart |= expr->kind == ExprKind::Swizzle &&
                  expr->operands[0]->kind == ExprKind::VarRef &&
                  !expr->operands[0]->var->isParam && !expr->type.isVector();
  });
  return takesApart && llvm::any_of(model.accesses, [&](const Access &access) {
           return !access.isWrite && !isInRegister(access) &&
                  laneTypeOf(model, access).isVector();
         });
}

/// True where each lane loads one operand or another, or what all of them have
/// in common, if it does: what lies outside of what it may read no lane loads.
/// (Upwind transport at 0.82 on PoCL, Sobol numbers at 0.12.)
bool Planner::loadsByChoice(const Statement &statement,
                            const Divergence &divergence) const {
  auto loads = [&](const ExprRef &operand) {
    bool found = false;
    forEachExpr(operand, [&](const ExprRef &expr) {
      const Access *access = model.accessOf(*expr);
      found |= access && !isInRegister(*access) &&
               (divergence.ofExpr(expr) & LaneBit) != 0;
    });
    return found;
  };
  auto isShared = [&](const ExprRef &choice, const ExprRef &operand) {
    return !(divergence.ofExpr(operand) & LaneBit) &&
           !isSafeBehind(kernel, choice->operands[0], operand);
  };
  bool chooses = false;
  if (statement.stmt)
    forEachExpr(StmtRef(StmtRef(), statement.stmt), [&](const ExprRef &expr) {
      if (expr->kind != ExprKind::Conditional ||
          !(divergence.ofExpr(expr->operands[0]) & LaneBit))
        return;
      chooses |= (loads(expr->operands[1]) && loads(expr->operands[2])) ||
                 isShared(expr, expr->operands[1]) ||
                 isShared(expr, expr->operands[2]);
    });
  return chooses;
}

/// Loops of so many iterations are written out, and of so many where they
/// copy. (PoCL, lanes of 8: conversions of 1 plane at 0.1 to 0.2, of 2 planes
/// at 0.17, of 3 at 0.85, of 4 at 0.95, of 8 at 1.44; sums of 2 cells at 0.88,
/// of 3 at 1.4; two pairs of clamped neighbours, without tests of borders,
/// at 1.95.)
static constexpr int64_t fewestIterations = 2, iterationsOfCopies = 4;
static constexpr double operationsOfCopies = 0.5;

static bool isFixed(const isl::set &set, unsigned position) {
  isl_val *value =
      isl_set_plain_get_val_if_fixed(set.get(), isl_dim_set, position);
  const bool result = isl_val_is_int(value) == isl_bool_true;
  isl_val_free(value);
  return result;
}

/// True for work-items of groups that a core runs one after the other, between
/// two barriers each: compilers make lanes of them where no loop is, and
/// nothing but loops keeps them from it.
bool Planner::loopsBetweenBarriers(SymbolId id) const {
  if (!profile.spreadWorkItems)
    return false;
  // What one work-item does for its group has no lanes.
  auto isOfOne = [&](const Statement &statement) {
    const auto place = llvm::find(statement.coordinates, id);
    return place != statement.coordinates.end() &&
           isFixed(
               statement.domain,
               static_cast<unsigned>(place - statement.coordinates.begin()));
  };
  const Divergence divergence(kernel, kernel.tree, {id, 1, preferredLanes()},
                              0);
  const bool isKept =
      llvm::any_of(model.statements, [&](const Statement &statement) {
        return statement.stmt && isLoop(*statement.stmt) &&
               (!statement.isOpaque || loopDepth(statement.stmt) > 1) &&
               hasLaneForm(kernel, divergence, statement);
      });
  return isKept || llvm::any_of(loopsBelow(kernel.tree), [&](unsigned loop) {
           const std::optional<int64_t> trips = constantTripCount(kernel, loop);
           return (!trips || *trips > fewestIterations) &&
                  llvm::none_of(
                      statementsBelow(*findLoop(kernel.tree, loop)),
                      [&](unsigned index) {
                        const Statement &statement = model.statements[index];
                        return statement.isBarrier || isOfOne(statement);
                      });
         });
}

/// Lanes that pay for finding their tile in place of one quotient each.
static constexpr unsigned lanesOfFlatIds = 8;

/// The dimension along which all cells lie side by side, where they lie apart
/// along the one of which compilers make lanes; 0: none.
unsigned Planner::dimensionAcross() const {
  const auto first = model.symbols.find(SymbolKind::GlobalId, 0);
  auto areAll = [&](SymbolId id, auto holds) {
    return llvm::all_of(model.accesses, [&](const Access &access) {
      if (isInRegister(access))
        return true;
      const std::optional<Polynomial> stride =
          access.offset ? laneStride(model, offsetOf(access), id, 1)
                        : std::nullopt;
      return stride && holds(stride->asConstant());
    });
  };
  if (!profile.spreadWorkItems || !first || model.ndrange.split[0] ||
      !areAll(*first, [](std::optional<int64_t> cells) {
        return cells != 1 && cells != -1;
      }))
    return 0;
  for (unsigned d = 1; d < model.ndrange.rank; ++d)
    if (auto id = model.symbols.find(SymbolKind::GlobalId, d);
        id && !model.ndrange.split[d] &&
        areAll(*id, [](std::optional<int64_t> cells) {
          return cells == 0 || cells == 1;
        }))
      return d;
  return 0;
}

/// Work-items whose cells compilers do not put side by side again while they
/// are in a cache. (PoCL, fields whose first id is the row, 8 lanes along the
/// second, and neighbours along it: five cells of doubles, 200 x 200 0.76, 500
/// x 500 1.0, 1000 x 1000 1.5, 2000 x 2000 5.0; others 3.8 and 6.1.)
static constexpr int64_t itemsAcross = 200000;
static constexpr unsigned lanesAcross = 8;

/// Straight-line code whose neighbours lie along another dimension.
bool Planner::vectorizeAcross() {
  const unsigned across = dimensionAcross();
  if (across == 0)
    return false;
  const TransformedKernel before = kernel;
  const size_t steps = plan.steps.size();
  Step order = makeStep("interchange", axisName(model, 0));
  order.targets.push_back({axisName(model, across), std::nullopt});
  if (!take(order, false) ||
      !take(makeStep("vectorize", axisName(model, across), lanesAcross),
            false)) {
    kernel = before;
    plan.steps.resize(steps);
    return false;
  }
  Step enough;
  enough.name = "require";
  enough.parameters.emplace_back("items", itemsAcross);
  take(enough, false);
  return true;
}

/// True for versions without barriers in front of the author's text with some:
/// compilers that cut kernels there make lanes of neither. (PoCL, a star of
/// five cells with the nearest ones at the borders: 1.0 to 1.2, 1.3 to 1.9 in
/// lanes.)
bool Planner::hasLostBarriers() const {
  return kernel.original->hasBarrier && !model.hasBarrier;
}

/// True for kernels without loops of which compilers do not make lanes, and
/// vectors gain. On processors these are those that round or saturate cells
/// that lie apart. (PoCL on a Xeon and on an EPYC: 2.3 to 14 times as fast. The
/// same without conversions: weighted sums of three bytes 2.7 on the Xeon and
/// 0.5 to 1.1 on the EPYC; one byte of three or four 0.3 to 0.5, bytes at
/// computed places 1.4 to 2.1 and 0.3. Words that lie apart: 0.3 to 1.5.)
bool Planner::isLeftScalar() const {
  // Processors have no division of vectors: of ids that are taken apart nobody
  // else makes lanes. Those of a few do not pay for finding their tile (fields
  // of doubles on PoCL, 4 lanes: 0.4 to 0.8).
  if (model.ndrange.isFlat() && !hasNarrowCellsApart())
    return !profile.spreadWorkItems || preferredLanes() >= lanesOfFlatIds;
  if (!profile.spreadWorkItems)
    return hasNarrowCellsApart();
  if (choosesCellsSideBySide() || takesVectorsApart() || hasLostBarriers())
    return true;
  if (!hasNarrowCellsApart())
    return false;
  bool rounds = false;
  forEachExpr(model.function->body, [&](const ExprRef &expr) {
    rounds |= expr->family == CallFamily::Convert && !expr->suffix.empty();
  });
  return rounds;
}

/// True for kernels without loops, and with short ones that only compute with
/// cells below a word, or hardly compute with interleaved ones: compilers write
/// them out, and fill registers with more lanes than the vectors of OpenCL
/// have, or load the cells of several work-items at once (three channels of a
/// pixel scaled: 0.4 to 0.65). (Three additions of bytes ran at 0.14 to 0.76 on
/// PoCL in 8 lanes; words are another matter: eight steps of a root at 5.2,
/// written out 3.8.)
bool Planner::isStraightLine() const {
  const bool hasLoop =
      llvm::any_of(model.statements, [](const Statement &statement) {
        return loopDepth(statement.stmt) > 0;
      });
  // Loops that are dimensions of the launch are loops all the same.
  const bool isWrittenOut =
      model.ndrange.mapped.empty() &&
      (hasShortLoops(1) ||
       (profile.spreadWorkItems && kernel.selections.empty() &&
        (hasShortLoops(fewestIterations) ||
         (hasShortLoops(iterationsOfCopies) &&
          mostlyMoves(operationsOfCopies)))));
  if (isWrittenOut && !hasLoop)
    return true;
  auto moves = [&](const Access &access) {
    const std::vector<unsigned> &loops =
        model.statements[access.statement].loops;
    return !isInRegister(access) &&
           (model.arrays[access.array].elementBytes >= narrowestWord ||
            !access.offset ||
            std::any_of(loops.begin(), loops.end(), [&](unsigned loop) {
              return dependsOn(model, *access.offset,
                               model.loops[loop].iterator);
            }));
  };
  const auto lane = model.symbols.find(SymbolKind::GlobalId, 0);
  // Cells from one work-item to the next; 0 for those that are one for all.
  auto cellsApart = [&](const Access &access) -> std::optional<int64_t> {
    if (isInRegister(access))
      return 0;
    const auto stride = lane && access.offset
                            ? laneStride(model, *access.offset, *lane, 1)
                            : std::nullopt;
    return stride ? stride->asConstant() : std::nullopt;
  };
  auto isInterleaved = [&](const Access &access) {
    const std::optional<int64_t> cells = cellsApart(access);
    return cells && *cells > 1 && *cells <= longestStride;
  };
  auto isNone = [&](const Access &access) {
    return cellsApart(access) != 0 && !isInterleaved(access);
  };
  return (profile.spreadWorkItems && hasShortLoops() && mostlyMoves() &&
          llvm::any_of(model.accesses, isInterleaved) &&
          llvm::none_of(model.accesses, isNone)) ||
         (isLight() &&
          std::none_of(model.accesses.begin(), model.accesses.end(), moves));
}

} // namespace clopt
