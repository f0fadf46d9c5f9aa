//===- VerifyMapped.cpp - loops that became dimensions, once more ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual work-items that come from one launched work-item have no order. So
// what the iterations of a mapped loop do to memory must not meet: no two
// references (or loads and stores of registers), one of them writing, of one
// launched work-item and different values of the iterator may touch one cell.
// Where several iterations have registers of their own for one cell, the value
// of the last one is stored.
//
// A value of a private variable must be made where it is used: the virtual
// work-item that reads it also executes its write. Statements outside of the
// loop, which the step repeats or gives to one iteration, have one instance in
// the program, here their first.
//
// Tested by test/unit/VerifyMappedTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/OrderVerifier.h"

#include "Analysis/dependence/Dependences.h"
#include "Analysis/dependence/TimeStamps.h"
#include "Model/Operations.h"
#include "Transform/steps/PrivateCells.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <algorithm>
#include <set>
#include <utility>

namespace clopt {

bool OrderVerifier::isMapped(SymbolId symbol) const {
  for (const MappedDimension &mapped : model.ndrange.mapped)
    if (model.loops[mapped.loop].iterator == symbol)
      return true;
  return false;
}

/// Equates the ids of launched work-items.
void OrderVerifier::equateLaunched(InstanceSystem &system, const Instance &x,
                                   const Instance &y) const {
  for (unsigned i = 0; i < x.columns.size(); ++i) {
    SymbolId symbol = x.statement->coordinates[i];
    unsigned other = coordinateOf(*y.statement, symbol);
    if (model.symbols[symbol].kind != SymbolKind::Iterator &&
        !isMapped(symbol) && other != ~0u)
      system.addZero({0, {{x.columns[i], 1}, {y.columns[other], -1}}});
  }
}

//===-- Memory ------------------------------------------------------------===//

StepResult OrderVerifier::checkMappedPair(const Reference &x,
                                          const Reference &y,
                                          SymbolId iterator) {
  if ((!x.access->isWrite && !y.access->isWrite) || !mayTouchTheSame(x, y))
    return std::nullopt;
  if (shareRegisters(x, y))
    return std::nullopt; // checkMappedCopy
  unsigned xPlace = coordinateOf(*x.statement, iterator);
  unsigned yPlace = coordinateOf(*y.statement, iterator);
  if (xPlace == ~0u || yPlace == ~0u)
    return violation(model, Points::Unknown, "a statement has no iteration",
                     y.access->range);
  return checkMeetings(
      x, y,
      [&](InstanceSystem &system, const Instance &first,
          const Instance &second) {
        equateLaunched(system, first, second);
        system.addNonNegative(
            {-1, {{second.columns[yPlace], 1}, {first.columns[xPlace], -1}}});
        return system.findPoint();
      });
}

/// The cell of the array that register `columns` (coordinates of the copy, then
/// the cell's) stands for, dimension `d`.
std::optional<LinearSum> OrderVerifier::copiedCell(InstanceSystem &system,
                                                   const ArrayTile &copy,
                                                   const Columns &columns,
                                                   unsigned d) const {
  Statement region;
  region.coordinates = copy.coordinates;
  Instance at;
  at.statement = &region;
  at.columns.assign(columns.begin(),
                    columns.begin() +
                        static_cast<long>(copy.coordinates.size()));
  std::optional<LinearSum> cell = affine(system, at, copy.base[d]);
  if (cell)
    cell->terms.emplace_back(columns[copy.coordinates.size() + d], 1);
  return cell;
}

/// Whether loads or stores of two iterations meet in a cell.
Points OrderVerifier::copiesMeet(const ArrayTile &copy, const isl::set &x,
                                 const isl::set &y, SymbolId iterator) const {
  auto found =
      std::find(copy.coordinates.begin(), copy.coordinates.end(), iterator);
  auto place = static_cast<size_t>(found - copy.coordinates.begin());
  for (const RelationPiece &xPiece : piecesOf(x))
    for (const RelationPiece &yPiece : piecesOf(y))
      for (int64_t sign : {1, -1}) {
        InstanceSystem system;
        addContext(system);
        Columns first = system.addColumns(xPiece.outputs);
        Columns second = system.addColumns(yPiece.outputs);
        system.addPiece(xPiece, {}, first);
        system.addPiece(yPiece, {}, second);
        for (size_t i = 0; i < copy.coordinates.size(); ++i) {
          SymbolId symbol = copy.coordinates[i];
          if (model.symbols[symbol].kind != SymbolKind::Iterator &&
              !isMapped(symbol))
            system.addZero({0, {{first[i], 1}, {second[i], -1}}});
        }
        system.addNonNegative(
            {-1, {{second[place], sign}, {first[place], -sign}}});
        for (unsigned d = 0; d < copy.base.size(); ++d) {
          std::optional<LinearSum> a = copiedCell(system, copy, first, d);
          std::optional<LinearSum> b = copiedCell(system, copy, second, d);
          if (!a || !b)
            return Points::Unknown;
          system.addZero(a->add(*b, -1));
        }
        Points points = system.findPoint();
        if (points != Points::None)
          return points;
      }
  return Points::None;
}

/// { Copy[w, k, cell] } what the last iteration that writes a cell writes.
static isl::set lastCells(const KernelModel &model, const ArrayTile &copy,
                          unsigned place, bool isUpward) {
  std::vector<unsigned> writes;
  for (unsigned id : copy.accesses)
    if (model.accesses[id].isWrite)
      writes.push_back(id);
  auto outer = static_cast<unsigned>(copy.coordinates.size());
  // { Region[w, k] -> A[s] }
  isl::map written = regionFootprint(model, writes, outer);
  isl_map *later = isl_map_universe(isl_space_map_from_set(
      isl_space_domain(isl_map_get_space(written.get()))));
  for (unsigned c = 0; c < outer; ++c)
    if (c != place)
      later = isl_map_equate(later, isl_dim_in, static_cast<int>(c),
                             isl_dim_out, static_cast<int>(c));
  auto in = static_cast<int>(place);
  later = isUpward ? isl_map_order_lt(later, isl_dim_in, in, isl_dim_out, in)
                   : isl_map_order_gt(later, isl_dim_in, in, isl_dim_out, in);
  isl::map again = isl::manage(later).apply_range(written);
  return cellsOfCopy(model, copy, written.subtract(again));
}

StepResult OrderVerifier::checkMappedCopy(const ArrayTile &copy,
                                          const Loop &loop) {
  auto found = std::find(copy.coordinates.begin(), copy.coordinates.end(),
                         loop.iterator);
  const Access &access = model.accesses[copy.accesses.front()];
  std::string name = "'" + model.arrays[copy.array].name + "'";
  if (found == copy.coordinates.end() || copy.base.empty())
    return std::nullopt;
  if (copy.outDomain) {
    Points points =
        copiesMeet(copy, *copy.outDomain, *copy.outDomain, loop.iterator);
    if (points == Points::None && copy.inDomain)
      points = copiesMeet(copy, *copy.inDomain, *copy.outDomain, loop.iterator);
    if (points != Points::None)
      return violation(model, points,
                       "iterations of '" + loop.name + "' share cells of " +
                           name,
                       access.range);
  }
  bool isRegion = copy.coordinates.size() == model.ndrange.rank && copy.copyOut;
  if (!isRegion)
    return std::nullopt;
  auto place = static_cast<unsigned>(found - copy.coordinates.begin());
  isl::set missing = lastCells(model, copy, place, loop.step > 0);
  if (copy.outDomain)
    missing = missing.subtract(*copy.outDomain);
  return checkEmpty(piecesOf(missing),
                    "the last value of " + name + " is not stored",
                    access.range);
}

//===-- Private values ----------------------------------------------------===//

/// The loop and all that stands in it.
static std::set<const Stmt *> partsOf(const Loop &loop) {
  std::set<const Stmt *> parts{loop.stmt};
  if (loop.stmt)
    forEachStmt(std::make_shared<Stmt>(*loop.stmt),
                [&](const StmtRef &part) { parts.insert(part.get()); });
  return parts;
}

/// Heads of loops in the body are statements of their own that no tree has:
/// they are where their text is.
static bool isInText(const Loop &loop, const Stmt *stmt) {
  if (!loop.stmt || !loop.stmt->body || !stmt)
    return false;
  const SourceRange &outer = loop.stmt->body->range, &inner = stmt->range;
  return outer.isEditable() && inner.isEditable() && outer.file == inner.file &&
         outer.begin <= inner.begin && inner.end <= outer.end;
}

/// All of the node is in the loop with these parts.
static bool isInside(const KernelModel &model, const ScheduleNode &node,
                     const Loop &loop, const std::set<const Stmt *> &parts) {
  if (node.kind == ScheduleNode::Kind::Sequence)
    return llvm::all_of(node.children, [&](const ScheduleNode &child) {
      return isInside(model, child, loop, parts);
    });
  const Stmt *stmt = node.kind == ScheduleNode::Kind::Loop
                         ? model.loops[node.loop].stmt
                         : model.statements[node.statement].stmt;
  return parts.count(stmt) || isInText(loop, stmt);
}

/// Puts a loop with these parts around those nodes that are inside it.
static void putLoop(const KernelModel &model, unsigned loop,
                    const std::set<const Stmt *> &parts, ScheduleNode &node) {
  std::vector<ScheduleNode> children, inside;
  auto close = [&] {
    if (!inside.empty())
      children.push_back(ScheduleNode::makeLoop(
          loop, ScheduleNode::sequence(std::exchange(inside, {}))));
  };
  for (ScheduleNode &child : node.children) {
    if (isInside(model, child, model.loops[loop], parts)) {
      inside.push_back(std::move(child));
      continue;
    }
    close();
    putLoop(model, loop, parts, child);
    children.push_back(std::move(child));
  }
  close();
  node.children = std::move(children);
}

/// The order within one launched work-item: the program's tree, and the loops
/// that all work-items of the launch go through together.
static ScheduleNode launchedTree(const KernelModel &model,
                                 const ScheduleNode &program) {
  ScheduleNode tree = ScheduleNode::sequence({program});
  for (const MappedDimension &mapped : model.ndrange.mapped)
    for (unsigned loop = 0; loop < model.loops.size(); ++loop)
      if (mapped.isLaunched &&
          model.loops[loop].iterator == model.loops[mapped.loop].iterator)
        putLoop(model, loop, partsOf(model.loops[loop]), tree);
  return tree;
}

/// Coordinates of the statement that are iterators of mapped loops in which it
/// does not stand in the program.
std::vector<unsigned>
OrderVerifier::addedCoordinates(const Statement &statement) const {
  std::vector<unsigned> added;
  auto index = static_cast<unsigned>(&statement - model.statements.data());
  for (const MappedDimension &mapped : model.ndrange.mapped) {
    SymbolId iterator = model.loops[mapped.loop].iterator;
    auto isAround = [&](unsigned loop) {
      return model.loops[loop].iterator == iterator &&
             llvm::is_contained(statementsBelow(*findLoop(launched, loop)),
                                index);
    };
    unsigned place = coordinateOf(statement, iterator);
    if (place != ~0u && llvm::none_of(loopsBelow(launched), isAround))
      added.push_back(place);
  }
  return added;
}

/// { S[w, k, i] } with the first of the iterations that the step added.
static isl::set representatives(const Statement &statement,
                                const std::vector<unsigned> &added) {
  isl::set domain = statement.domain;
  for (unsigned place : added) {
    isl_map *later =
        isl_map_universe(isl_space_map_from_set(domain.get_space().release()));
    for (unsigned c = 0; c < statement.coordinates.size(); ++c)
      if (c != place)
        later = isl_map_equate(later, isl_dim_in, static_cast<int>(c),
                               isl_dim_out, static_cast<int>(c));
    auto at = static_cast<int>(place);
    later = isl_map_order_lt(later, isl_dim_in, at, isl_dim_out, at);
    isl_set *others = isl_set_apply(domain.copy(), later);
    domain = isl::manage(isl_set_subtract(domain.copy(), others));
  }
  return domain;
}

/// { S[w, k] -> [t] } the order of one launched work-item.
isl::union_map OrderVerifier::launchedOrder() const {
  isl::map_list orders = scheduleMap(model, launched).get_map_list();
  isl::union_map result(isl::ctx(model.context.get()), "{ }");
  for (unsigned i = 0; i < static_cast<unsigned>(orders.size()); ++i) {
    isl_map *order = orders.at(i).release();
    const Statement &statement = model.statements[*model.findStatement(
        isl_map_get_tuple_name(order, isl_dim_in))];
    // The first entries are the ids; those of mapped loops say nothing.
    for (unsigned c = workDimensions(model, statement); c-- > 0;)
      if (isMapped(statement.coordinates[c]))
        order = isl_map_project_out(order, isl_dim_out, c, 1);
    addTo(result, isl::manage(order));
  }
  return result;
}

/// Every iteration of the mapped loops over `iterator` has a variable of its
/// own.
static bool isOwnOfIteration(const KernelModel &model, const Array &array,
                             SymbolId iterator) {
  return llvm::any_of(model.loops, [&](const Loop &loop) {
    return array.var && loop.iterator == iterator &&
           llvm::any_of(partsOf(loop), [&](const Stmt *part) {
             return part && part->kind == StmtKind::Decl &&
                    part->var == array.var;
           });
  });
}

/// { S[w, k, i] -> T[w, k', j] } the flow of private values in the program.
isl::union_map
OrderVerifier::launchedFlow(const std::vector<unsigned> &accesses) const {
  isl::ctx ctx(model.context.get());
  isl::union_map reads(ctx, "{ }"), must(ctx, "{ }"), may(ctx, "{ }");
  for (unsigned index : accesses) {
    const Access &access = model.accesses[index];
    const Statement &statement = model.statements[access.statement];
    isl::set domain = representatives(statement, addedCoordinates(statement));
    // { S[w, k, i] -> [W[w, k] -> A[s]] }: each launched work-item has its own,
    // and each iteration what it declares.
    isl_map *owner = isl_set_identity(domain.copy());
    owner = isl_map_reset_tuple_id(owner, isl_dim_out);
    for (auto c = static_cast<unsigned>(statement.coordinates.size());
         c-- > 0;) {
      SymbolId symbol = statement.coordinates[c];
      if (model.symbols[symbol].kind == SymbolKind::Iterator ||
          (isMapped(symbol) &&
           !isOwnOfIteration(model, model.arrays[access.array], symbol)))
        owner = isl_map_project_out(owner, isl_dim_out, c, 1);
    }
    isl::map relation = isl::manage(isl_map_range_product(
        owner,
        isl_map_intersect_domain(access.relation.copy(), domain.release())));
    isl::union_map &target =
        !access.isWrite ? reads : (access.isExact ? must : may);
    addTo(target, relation);
  }
  return possibleFlow(reads, must, may, launchedOrder());
}

/// The flow with coordinate `place` on one side free.
static isl::map freed(isl::map flow, isl_dim_type side, unsigned place) {
  isl_id *id = isl_map_get_tuple_id(flow.get(), side);
  isl_map *map = isl_map_project_out(flow.release(), side, place, 1);
  map = isl_map_insert_dims(map, side, place, 1);
  return isl::manage(isl_map_set_tuple_id(map, side, id));
}

/// No element: who reads has also executed the write.
StepResult OrderVerifier::checkNowhere(const isl::map &flow,
                                       const Statement &to,
                                       const std::string &name) {
  return checkEmpty(piecesOf(flow),
                    "a value of '" + name + "' leaves its iteration",
                    to.stmt ? to.stmt->range : SourceRange());
}

StepResult OrderVerifier::checkMappedFlow(const isl::map &values,
                                          const std::string &name) {
  const Statement &from = model.statements[*model.findStatement(
      isl_map_get_tuple_name(values.get(), isl_dim_in))];
  const Statement &to = model.statements[*model.findStatement(
      isl_map_get_tuple_name(values.get(), isl_dim_out))];
  std::vector<unsigned> fromAdded = addedCoordinates(from);
  isl::map flow = values;
  for (unsigned place : addedCoordinates(to))
    flow = freed(flow, isl_dim_out, place).intersect_range(to.domain);
  for (unsigned place : fromAdded)
    flow = freed(flow, isl_dim_in, place);
  for (const MappedDimension &mapped : model.ndrange.mapped) {
    SymbolId iterator = model.loops[mapped.loop].iterator;
    unsigned x = coordinateOf(from, iterator), y = coordinateOf(to, iterator);
    if (x == ~0u || y == ~0u)
      continue;
    auto in = static_cast<int>(x), out = static_cast<int>(y);
    if (llvm::is_contained(fromAdded, x)) {
      flow = isl::manage(
          isl_map_equate(flow.release(), isl_dim_in, in, isl_dim_out, out));
      continue;
    }
    isl::map ahead = isl::manage(
        isl_map_order_lt(flow.copy(), isl_dim_in, in, isl_dim_out, out));
    isl::map behind = isl::manage(
        isl_map_order_gt(flow.copy(), isl_dim_in, in, isl_dim_out, out));
    for (const isl::map &crossing : {ahead, behind})
      if (StepResult wrong = checkNowhere(crossing, to, name))
        return wrong;
  }
  return checkNowhere(flow.subtract(flow.intersect_domain(from.domain)), to,
                      name);
}

StepResult OrderVerifier::checkMappedValues() {
  launched = launchedTree(model, program);
  std::map<unsigned, std::vector<unsigned>> groups;
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].space == AddressSpace::Private &&
        oldStamps.statements.count(access.statement))
      groups[access.array].push_back(access.id);
  for (const auto &[array, accesses] : groups) {
    isl::map_list flows = launchedFlow(accesses).get_map_list();
    for (unsigned i = 0; i < static_cast<unsigned>(flows.size()); ++i)
      if (StepResult wrong =
              checkMappedFlow(flows.at(i), model.arrays[array].name))
        return wrong;
  }
  return std::nullopt;
}

StepResult OrderVerifier::checkMapped() {
  if (model.ndrange.mapped.empty())
    return std::nullopt;
  for (const MappedDimension &mapped : model.ndrange.mapped) {
    const Loop &loop = model.loops[mapped.loop];
    for (const Reference &x : references)
      for (const Reference &y : references)
        if (StepResult wrong = checkMappedPair(x, y, loop.iterator))
          return wrong;
    for (const ArrayTile &copy : kernel.registers())
      if (StepResult wrong = checkMappedCopy(copy, loop))
        return wrong;
  }
  return checkMappedValues();
}

} // namespace clopt
