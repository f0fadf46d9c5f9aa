//===- VerifyShared.cpp - loops that work-items share, once more ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under `split-reduction` lane t of n takes the iterations
//
//   k = first + step * (n * q + t),  0 <= t < n, 0 <= q
//
// PPL is asked for what must not be: an iteration that no lane takes, one that
// two lanes take, and a value of a private variable that goes from one lane to
// another or out of the loop, unless it is a result. A result is combined once,
// by the one operation that its statements apply, in an order that the program
// permits. No two lanes meet in a cell of memory that one of them writes.
//
// Where the bounds depend on data, the first iteration is an unknown, and the
// loop is one statement: only what comes out of it is looked at.
//
// Tested by test/unit/VerifySharedTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/OrderVerifier.h"

#include "Analysis/dependence/CooperativeReductions.h"
#include "Analysis/dependence/Dependences.h"
#include "Analysis/dependence/Reductions.h"
#include "Analysis/dependence/TimeStamps.h"
#include "Transform/Apply.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

static std::string nameOf(const KernelModel &model,
                          const CooperativeReduction &shared) {
  if (shared.loop)
    return model.loops[*shared.loop].name;
  for (const auto &[name, statement] : dataDependentLoops(model))
    if (statement == shared.statement)
      return name;
  return model.statements[shared.statement].name;
}

//===-- Parts -------------------------------------------------------------===//

/// |step| times what the lanes of two iterations differ by, which is no
/// multiple of `lanes`: 1 to lanes - 1, and whole passes.
static LinearSum addDifference(InstanceSystem &system, const Loop &loop,
                               unsigned lanes) {
  int64_t step = std::abs(loop.step);
  Columns own = system.addColumns(2); // lanes, passes
  system.addNonNegative({-1, {{own[0], 1}}});
  system.addNonNegative({int64_t(lanes) - 1, {{own[0], -1}}});
  return {0, {{own[0], step}, {own[1], step * int64_t(lanes)}}};
}

/// sign * (k - first)
LinearSum OrderVerifier::distanceOf(InstanceSystem &system, const Instance &at,
                                    const Loop &loop) const {
  int64_t sign = loop.step < 0 ? -1 : 1;
  unsigned column = at.columns[coordinateOf(*at.statement, loop.iterator)];
  LinearSum distance{0, {{column, sign}}};
  return distance.add(firstOf(system, at, loop), -sign);
}

LinearSum OrderVerifier::firstOf(InstanceSystem &system, const Instance &at,
                                 const Loop &loop) const {
  if (std::optional<LinearSum> first = affine(system, at, loop.first))
    return *first;
  return {0, {{system.addColumns(1)[0], 1}}};
}

/// isl's word where PPL's search does not end: no iteration lies between whole
/// steps from the first one.
static bool isInSteps(const KernelModel &model, const Statement &statement,
                      const Loop &loop) {
  std::optional<isl::pw_aff> distance = toPwAff(
      model, isl::manage(isl_set_get_space(statement.domain.get())),
      statement.coordinates, Polynomial::symbol(loop.iterator) - loop.first);
  if (!distance)
    return false;
  isl_val *step = isl_val_int_from_si(model.context.get(), std::abs(loop.step));
  isl_set *between =
      isl_pw_aff_non_zero_set(isl_pw_aff_mod_val(distance->release(), step));
  between = isl_set_intersect(between, statement.domain.copy());
  bool isEmpty = isl_set_is_empty(between) == isl_bool_true;
  isl_set_free(between);
  return isEmpty;
}

/// Every iteration is counted from the first one in whole steps. Tiles are
/// counted from an origin, which some of them may lie before: their loops begin
/// where the first one is.
StepResult OrderVerifier::checkCover(const Statement &statement,
                                     const Loop &loop) const {
  int64_t sign = loop.step < 0 ? -1 : 1, step = std::abs(loop.step);
  for (const RelationPiece &piece : piecesOf(statement.domain))
    for (bool isBefore : {true, false}) {
      if (isBefore && !loop.var)
        continue;
      InstanceSystem system;
      addContext(system);
      Instance at = addInstance(system, statement, nullptr, {});
      system.addPiece(piece, {}, at.columns);
      std::optional<LinearSum> first = affine(system, at, loop.first);
      if (!first)
        return std::nullopt;
      unsigned column = at.columns[coordinateOf(statement, loop.iterator)];
      LinearSum distance{0, {{column, sign}}};
      distance.add(*first, -sign);
      if (isBefore) {
        LinearSum behind{-1, {}};
        system.addNonNegative(behind.add(distance, -1));
      } else {
        // distance = step * whole + rest, 1 <= rest < step
        Columns parts = system.addColumns(2);
        distance.add({0, {{parts[0], step}, {parts[1], 1}}}, -1);
        system.addZero(distance);
        system.addNonNegative({-1, {{parts[1], 1}}});
        system.addNonNegative({step - 1, {{parts[1], -1}}});
      }
      Points points = system.findPoint();
      if (points == Points::Unknown && !isBefore &&
          isInSteps(model, statement, loop))
        points = Points::None;
      if (points != Points::None)
        return violation(model, points,
                         "an iteration of '" + loop.name + "' is in no part",
                         statementRange(statement));
    }
  return std::nullopt;
}

/// No two lanes take one iteration.
StepResult OrderVerifier::checkApart(const Statement &statement,
                                     const Loop &loop, unsigned lanes) const {
  InstanceSystem system;
  system.addZero(addDifference(system, loop, lanes));
  Points points = system.findPoint();
  if (lanes > 1 && points == Points::None)
    return std::nullopt;
  return violation(model, points,
                   "an iteration of '" + loop.name + "' is in two parts",
                   statementRange(statement));
}

//===-- Values ------------------------------------------------------------===//

/// Nothing when the array is a result that the loop only combines.
StepResult OrderVerifier::checkResult(const CooperativeReduction &shared,
                                      unsigned array) const {
  const std::string &name = model.arrays[array].name;
  const SharedResult *result = nullptr;
  unsigned count = 0;
  for (const SharedResult &each : shared.results)
    if (each.array == array) {
      result = &each;
      ++count;
    }
  std::string what;
  if (count == 0) {
    what = "a value of '" + name + "' goes from one part of '" +
           nameOf(model, shared) + "' to another";
  } else if (count > 1) {
    what = "'" + name + "' is combined more than once";
  } else {
    std::vector<StmtRef> body;
    std::set<unsigned> results;
    for (const SharedResult &each : shared.results)
      results.insert(each.array);
    const std::set<unsigned> summed = statementsFor(kernel, shared, results);
    for (unsigned i = 0; i < model.statements.size(); ++i)
      if (isInside(model, i, shared) && model.statements[i].stmt &&
          (!shared.isScan || summed.count(i)))
        body.push_back(shared.loop
                           ? StmtRef(StmtRef(), model.statements[i].stmt)
                           : model.statements[i].stmt->body);
    Reduction reduction;
    reduction.isExact = !model.arrays[array].elementType.isFloating();
    if (reductionOpIn(kernel, body, valueOf(kernel, array)) !=
        result->operation)
      what = "'" + name + "' is combined by another operation";
    else if (!mayReassociate(model, reduction))
      what = "the terms of '" + name + "' have an order";
  }
  if (what.empty())
    return std::nullopt;
  return violation(model, Points::Some, what,
                   model.arrays[array].var ? model.arrays[array].var->range
                                           : SourceRange());
}

/// Whether the flow may go from one lane to another.
Points OrderVerifier::crossesLanes(const isl::map &flow, const Statement &from,
                                   const Statement &to, const Loop &loop,
                                   unsigned lanes) const {
  for (const RelationPiece &piece : piecesOf(flow)) {
    InstanceSystem system;
    addContext(system);
    Instance x = addInstance(system, from, nullptr, {});
    Instance y = addInstance(system, to, nullptr, {});
    system.addPiece(piece, x.columns, y.columns);
    LinearSum difference = distanceOf(system, y, loop);
    difference.add(distanceOf(system, x, loop), -1);
    difference.add(addDifference(system, loop, lanes), -1);
    system.addZero(difference);
    Points points = system.findPoint();
    if (points != Points::None)
      return points;
  }
  return Points::None;
}

StepResult OrderVerifier::checkSharedFlow(const CooperativeReduction &shared,
                                          const std::vector<unsigned> &group) {
  unsigned array = model.accesses[group.front()].array;
  for (const auto &[flow, from, to] :
       statementFlows(model, valueFlow(model, program, group))) {
    const Statement &source = model.statements[from];
    const Statement &target = model.statements[to];
    if (!isInside(model, from, shared) ||
        (from == to && endsWithStatement(array, from)))
      continue;
    Points crosses = Points::Some;
    if (isInside(model, to, shared))
      crosses = shared.loop
                    ? crossesLanes(flow, source, target,
                                   model.loops[*shared.loop], shared.lanes)
                    : Points::None;
    if (crosses == Points::None)
      continue;
    // Whatever may cross has to be a result that is combined.
    StepResult wrong = checkResult(shared, array);
    if (wrong && crosses == Points::Unknown)
      return violation(model, crosses,
                       "values of '" + model.arrays[array].name + "'",
                       statementRange(target));
    if (wrong)
      return wrong;
  }
  return std::nullopt;
}

/// Lanes write cells that no other lane uses, and that what a scan runs before
/// all of it does not read.
StepResult OrderVerifier::checkWritten(const CooperativeReduction &shared,
                                       const Access &write) {
  const Array &array = model.arrays[write.array];
  if (!shared.writes)
    return violation(model, Points::Some,
                     "work-items that share '" + nameOf(model, shared) +
                         "' write '" + array.name + "'",
                     write.range);
  std::set<unsigned> results;
  for (const SharedResult &each : shared.results)
    results.insert(each.array);
  const std::set<unsigned> summed = statementsFor(kernel, shared, results);
  const Loop &loop = model.loops[*shared.loop];
  const Statement &from = model.statements[write.statement];
  const unsigned around = coordinateOfLoop(model, from, *shared.loop);
  std::vector<unsigned> accesses;
  for (const Access &other : model.accesses) {
    if (other.array != write.array || kernel.registersOf(other.id))
      continue;
    accesses.push_back(other.id);
    if (!isInside(model, other.statement, shared))
      continue;
    const Points points =
        crossesLanes(meetings(model, write, other, around), from,
                     model.statements[other.statement], loop, shared.lanes);
    if (points != Points::None)
      return violation(model, points,
                       "work-items that share '" + loop.name +
                           "' use the same cells of '" + array.name + "'",
                       write.range);
  }
  for (const StatementFlow &flow :
       statementFlows(model, valueFlow(model, program, accesses)))
    if (shared.isScan && isInside(model, flow.from, shared) &&
        summed.count(flow.to))
      return violation(model, Points::Some,
                       "the results of '" + loop.name +
                           "' come from what it writes to '" + array.name + "'",
                       write.range);
  return std::nullopt;
}

//===-- All of it ---------------------------------------------------------===//

StepResult
OrderVerifier::checkCooperativeReduction(const CooperativeReduction &shared) {
  for (unsigned i = 0; i < model.statements.size(); ++i) {
    const Statement &statement = model.statements[i];
    if (!isInside(model, i, shared))
      continue;
    unsigned owners = 0;
    for (const CooperativeReduction &other : kernel.cooperativeReductions)
      owners += isInside(model, i, other);
    if (owners > 1)
      return violation(model, Points::Some,
                       "a statement is shared more than once",
                       statementRange(statement));
    for (unsigned id : statement.accesses) {
      const Access &access = model.accesses[id];
      if (access.isWrite && !kernel.registersOf(id) &&
          model.arrays[access.array].space != AddressSpace::Private)
        if (StepResult wrong = checkWritten(shared, access))
          return wrong;
    }
    if (!shared.loop)
      continue;
    const Loop &loop = model.loops[*shared.loop];
    if (StepResult wrong = checkCover(statement, loop))
      return wrong;
    if (StepResult wrong = checkApart(statement, loop, shared.lanes))
      return wrong;
  }
  for (const PrivateGroup &group : privateGroups())
    if (StepResult wrong = checkSharedFlow(shared, group.accesses))
      return wrong;
  return std::nullopt;
}

StepResult OrderVerifier::checkShared() {
  for (const CooperativeReduction &shared : kernel.cooperativeReductions)
    if (StepResult wrong = checkCooperativeReduction(shared))
      return wrong;
  return std::nullopt;
}

} // namespace clopt
