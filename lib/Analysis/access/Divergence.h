//===- Divergence.h - what differs between merged work-items ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When several work-items (or iterations) become one, every value of the
// program is either the same for all of them, or needs one copy per point of
// the tile, or is a vector with one component per lane. Integers and pointers
// that advance by a fixed amount per lane stay scalars: the value of lane 0.
//
// Tested by test/unit/DivergenceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_DIVERGENCE_H
#define CLOPT_ANALYSIS_DIVERGENCE_H

#include "Model/TransformedKernel.h"

#include <map>
#include <optional>
#include <set>

namespace clopt {

struct StrideLoop;

/// Bits: 1 << d for points along work dimension d, LaneBit for lanes.
using DivergenceMask = unsigned;
constexpr DivergenceMask LaneBit = 8;

/// The vector axis in force.
struct LaneAxis {
  SymbolId symbol = 0;
  int64_t step = 1;   ///< of the symbol, per lane
  unsigned lanes = 1; ///< 1: no vectors here
};

struct VariableDivergence {
  DivergenceMask mask = 0;
  /// Lane bit set and this is present: a scalar that holds lane 0's value, and
  /// its advance per lane.
  std::optional<Polynomial> laneStride;
  bool isVector() const { return (mask & LaneBit) && !laneStride; }
};

class Divergence {
public:
  /// Coordinates on which it depends whether instances of a statement run, by
  /// statement, as far as merged work-items and lanes do not agree on it.
  using Guards = std::map<unsigned, std::set<SymbolId>>;

  /// Analyses the statements at and below `region`. `points` says which work
  /// dimensions have several points.
  Divergence(const TransformedKernel &kernel, const ScheduleNode &region,
             const LaneAxis &axis, DivergenceMask points,
             const Guards &guards = {});

  DivergenceMask ofExpr(const ExprRef &expr) const;
  DivergenceMask ofStmt(const StmtRef &stmt) const;
  /// How it varies whether a loop goes on: its condition, and those of the
  /// jumps out of it or of an iteration.
  DivergenceMask ofLoop(const StmtRef &loop) const;
  /// How far the variable of `for (i = first; i < bound; i += step)` is from
  /// one lane to the next, where lanes begin apart and go on together: the
  /// first one has the most iterations, and no other than those of the first
  /// are any lane's. Nothing for other loops.
  std::optional<int64_t> advanceOf(const StmtRef &loop) const;
  /// Its first value, where that is a sum of ids, sizes and numbers, no part of
  /// it below zero: what 32 bits hold of it may have wrapped.
  std::optional<Polynomial> plainFirst(const StrideLoop &loop) const;
  const VariableDivergence &ofVariable(const Variable *variable) const;
  DivergenceMask ofCopy(unsigned copy) const;
  /// How a condition varies that names these coordinates.
  DivergenceMask ofSymbols(const std::set<SymbolId> &symbols) const;
  const LaneAxis &axis() const { return lane; }
  /// True when the lanes run the statement one after the other, in order.
  bool isInOrder(const Statement &statement) const;
  /// True when lanes that run in order have one of the variable, which goes on
  /// from each to the next.
  bool goesOnInOrder(const Variable *variable) const {
    return shared.count(variable) > 0;
  }
  /// True for private vectors that lanes hold by component (LanePlanes.h).
  bool isPlanes(const Variable *variable) const;

  /// Coefficient per lane of an integer expression whose value is known.
  std::optional<Polynomial> laneStrideOf(const Polynomial &value) const;
  /// How far an integer moves from one lane to the next, where its value is not
  /// known, but all of it that differs between lanes is: `ids[k] * n + j`.
  std::optional<int64_t> laneStepOf(const ExprRef &expr) const;
  /// The same of a cell of the array, which is read or written there.
  std::optional<int64_t> laneStepOfCell(const Expr &lvalue,
                                        unsigned array) const;

private:
  std::optional<Polynomial> laneStrideOf(const Type &type,
                                         const PointerValue &value) const;
  void findShared();
  void findSheltered(const Guards &guards);
  bool isSheltered(const Statement &statement) const;
  DivergenceMask ofSymbol(SymbolId symbol) const;
  DivergenceMask ofPolynomial(const Polynomial &poly) const;
  DivergenceMask ofCondition(const Condition &condition) const;
  DivergenceMask ofLocalId(unsigned dim) const;
  DivergenceMask ofNode(const Expr &expr) const;
  DivergenceMask computeExpr(const ExprRef &expr) const;
  DivergenceMask ofJumps(const StmtRef &stmt, DivergenceMask control,
                         bool isNested) const;
  bool widen(const StmtRef &stmt, DivergenceMask control);
  bool widenArguments(const Expr &call, DivergenceMask mask);
  bool widenCopies();
  std::optional<int64_t> findAdvance(const Stmt &loop) const;
  bool widenAdvancing(const StmtRef &loop, int64_t distance,
                      DivergenceMask control);
  DivergenceMask controlOf(const Variable *target) const;
  bool widenTargets(const ExprRef &expr, DivergenceMask control);
  void findLaneStrides(const ScheduleNode &region, const Guards &guards);

  const TransformedKernel &kernel;
  const KernelModel &model;
  LaneAxis lane;
  DivergenceMask pointMask;
  std::map<const Variable *, VariableDivergence> variables;
  /// One for all lanes, which run in order where they use it: private
  /// variables, and tiles in registers.
  std::set<const Variable *> shared;
  std::set<unsigned> sharedTiles;
  /// Declared under a guard, and used under the same one only: whoever reads
  /// such a variable has just set it.
  std::set<const Variable *> sheltered;
  std::map<unsigned, DivergenceMask> copies;
  /// advanceOf: distances by loop, and the loops that are looked at, with what
  /// is declared in each: it is a variable of the lanes that run an iteration.
  std::map<const Stmt *, int64_t> advances;
  std::vector<std::set<const Variable *>> advancing;
  std::map<const Variable *, SymbolId> coordinateVariables;
  /// Masks of expressions, once variables no longer change.
  mutable std::map<const Expr *, DivergenceMask> known;
  mutable std::optional<std::set<const Variable *>> planes;
  bool isSettled = false;
};

/// Copy that holds the cell an expression refers to, if any.
std::optional<unsigned> copyOfExpr(const TransformedKernel &kernel,
                                   const Expr &expr);

/// Loads that all lanes have made, and may make again.
using MadeLoads = std::vector<const Expr *>;

/// Those of a branch's condition, or the first test of a loop, which stay the
/// same in it.
MadeLoads loadsMadeIn(const TransformedKernel &kernel, const StmtRef &stmt);

/// False for a division of integers, `a / b` or `a /= b`, that may be one by
/// zero or overflow: processors stop the program there.
bool dividesSafely(const Expr &expr);

/// Nothing happens when the expression is evaluated for a lane that would have
/// skipped it.
bool isSafeToSpeculate(const TransformedKernel &kernel, const ExprRef &expr,
                       const MadeLoads &made = {});
/// The same where some lane evaluates it: what all of them would load alike is
/// loaded anyway.
bool isSafeForSome(const TransformedKernel &kernel,
                   const Divergence &divergence, const ExprRef &expr,
                   const MadeLoads &made = {});
/// The same behind a condition of `?:`, `&&` or `||` that is evaluated: what
/// that loads may be loaded again.
bool isSafeBehind(const TransformedKernel &kernel, const ExprRef &condition,
                  const ExprRef &expr);

/// True when lanes evaluate the expression together: what some of them would
/// skip may be evaluated for all.
bool evaluatesTogether(const TransformedKernel &kernel,
                       const Divergence &divergence, const ExprRef &expr);

/// True for a store that each lane may do for itself where it is one of those
/// that do. Another lane may be ahead of it then, or behind, within the
/// statement: work-items have no order, and iterations of a loop are no lanes
/// where one loads what another stores in such a statement (Dependences.h: what
/// is read before it is overwritten counts, too, in compound statements).
bool isMaskedStore(const TransformedKernel &kernel, const Expr &assign);

/// True when nothing but private variables changes: what is the same for all
/// lanes may then be done once. (An atomic increment may not.)
bool changesPrivatesAlone(const ExprRef &expr);

/// True for what lanes run together: conditional assignments to variables, of
/// which they select the values, loops that run until the last of them has
/// left, and anything under conditions on which they agree.
bool runsTogether(const TransformedKernel &kernel, const Divergence &divergence,
                  const StmtRef &stmt);

/// The author's arrays and variables in the space, in the order of their
/// declarations, and the dimensions along which they differ between the groups
/// that one group does the work of.
std::vector<std::pair<const Array *, DivergenceMask>>
groupDivergence(const TransformedKernel &kernel, AddressSpace space);

/// Of them, the local arrays that differ.
std::vector<std::pair<const Variable *, DivergenceMask>>
variedLocals(const TransformedKernel &kernel);

/// How many there are of something that differs so.
uint64_t mergedCopies(const TransformedKernel &kernel, DivergenceMask mask);

} // namespace clopt

#endif // CLOPT_ANALYSIS_DIVERGENCE_H
