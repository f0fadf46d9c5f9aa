//===- VerifyPrivates.cpp - values of lanes and of registers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of private variables stay in their lane, and registers hold what was
// loaded. See VerifySteps.cpp.
//
// Tested by test/unit/VerifyStepsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/OrderVerifier.h"

#include "Analysis/dependence/Dependences.h"
#include "Analysis/dependence/Reductions.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

namespace clopt {

//===-- Private variables -------------------------------------------------===//

/// isl's word where PPL's search does not end: whether the values of a flow
/// never go to an iteration that is `sign` ahead. Coordinates: of x and of y.
static bool neverAhead(const isl::map &flow, unsigned x,
                       std::optional<unsigned> y, int64_t sign) {
  if (!y)
    return isl_map_is_empty(flow.get()) == isl_bool_true;
  isl_map *map = flow.copy();
  auto out = static_cast<int>(*y), in = static_cast<int>(x);
  map = sign > 0 ? isl_map_order_lt(map, isl_dim_in, in, isl_dim_out, out)
                 : isl_map_order_gt(map, isl_dim_in, in, isl_dim_out, out);
  bool isEmpty = isl_map_is_empty(map) == isl_bool_true;
  isl_map_free(map);
  return isEmpty;
}

/// Whether the values of a flow out of the loop are all of its last iteration:
/// nothing in the loop runs in a later one.
bool OrderVerifier::isOfLast(const isl::map &flow, const ScheduleNode &loop) {
  const Statement &from = model.statements[*model.findStatement(
      isl_map_get_tuple_name(flow.get(), isl_dim_in))];
  const Statement &to = model.statements[*model.findStatement(
      isl_map_get_tuple_name(flow.get(), isl_dim_out))];
  unsigned place = coordinateOf(from, model.loops[loop.loop].iterator);
  int64_t sign = model.loops[loop.loop].step > 0 ? 1 : -1;
  for (unsigned other : statementsBelow(loop))
    for (const RelationPiece &piece : piecesOf(flow))
      for (const RelationPiece &later :
           piecesOf(model.statements[other].domain)) {
        InstanceSystem system;
        addContext(system);
        Instance x = addInstance(system, from, nullptr, {});
        Instance y = addInstance(system, to, nullptr, {});
        Instance z = addInstance(system, model.statements[other], &later, {});
        system.addPiece(piece, x.columns, y.columns);
        for (unsigned i = 0; i < place; ++i)
          system.addZero({0, {{x.columns[i], 1}, {z.columns[i], -1}}});
        system.addNonNegative(
            {-1, {{x.columns[place], -sign}, {z.columns[place], sign}}});
        if (system.findPoint() != Points::None)
          return false;
      }
  return true;
}

/// Values stay within the iteration of the vector loop that made them. Those of
/// a register that is stored later, `copy`, may be the last iteration's: its
/// lane has every register of the copy, and is taken after every vector.
StepResult OrderVerifier::checkFlow(const isl::map &flow,
                                    const ScheduleNode &loop,
                                    const ArrayTile *copy,
                                    const std::string &name) {
  const Statement &from = model.statements[*model.findStatement(
      isl_map_get_tuple_name(flow.get(), isl_dim_in))];
  const Statement &to = model.statements[*model.findStatement(
      isl_map_get_tuple_name(flow.get(), isl_dim_out))];
  SymbolId iterator = model.loops[loop.loop].iterator;
  unsigned fromPlace = coordinateOf(from, iterator);
  unsigned toPlace = coordinateOf(to, iterator);
  if (fromPlace == ~0u)
    return std::nullopt; // the same value for all lanes
  if (toPlace == ~0u && copy && copy->copyOut && isOfLast(flow, loop))
    return std::nullopt;
  for (const RelationPiece &piece : piecesOf(flow))
    for (int64_t sign : {1, -1}) {
      InstanceSystem system;
      addContext(system);
      Instance x = addInstance(system, from, nullptr, {});
      Instance y = addInstance(system, to, nullptr, {});
      system.addPiece(piece, x.columns, y.columns);
      if (toPlace != ~0u)
        system.addNonNegative(
            {-1, {{x.columns[fromPlace], -sign}, {y.columns[toPlace], sign}}});
      Points points = system.findPoint();
      std::optional<unsigned> place;
      if (toPlace != ~0u)
        place = toPlace;
      if (points == Points::Unknown && neverAhead(flow, fromPlace, place, sign))
        points = Points::None;
      if (points != Points::None)
        return violation(model, points,
                         "a value of '" + name + "' leaves its lane",
                         to.stmt ? to.stmt->range : SourceRange());
    }
  return std::nullopt;
}

/// The values of a flow are partial results of the lanes: the statement that
/// makes them only combines, and the program permits any order.
static bool isPartial(const TransformedKernel &kernel, AliasMode alias,
                      unsigned loop, unsigned array, unsigned statement) {
  const KernelModel &model = *kernel.model;
  const ReductionAccumulator *partial = kernel.partialOf(loop, array);
  if (!partial || partial->statement != statement)
    return false;
  auto isApart = [&](unsigned first, unsigned second) {
    return areApart(kernel, first, second, alias);
  };
  for (const Reduction &found :
       findReductions(model, kernel.tree, loop, isApart))
    if (found.statement == statement && found.array == array &&
        found.operation == partial->operation)
      return mayReassociate(model, found);
  return false;
}

bool OrderVerifier::endsWithStatement(unsigned array,
                                      unsigned statement) const {
  const Stmt *whole = model.statements[statement].stmt;
  bool ends = false;
  if (whole && whole->kind != StmtKind::Decl)
    forEachStmt(StmtRef(StmtRef(), whole), [&](const StmtRef &part) {
      ends |=
          part->kind == StmtKind::Decl && part->var == model.arrays[array].var;
    });
  return ends;
}

/// Accesses of private variables by array, then those of the register copies.
std::vector<OrderVerifier::PrivateGroup> OrderVerifier::privateGroups() const {
  std::vector<PrivateGroup> all(model.arrays.size()), groups;
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].space == AddressSpace::Private)
      all[access.array].accesses.push_back(access.id);
  for (const ArrayTile &copy : kernel.registers())
    all.push_back({copy.accesses, &copy});
  for (PrivateGroup &group : all)
    if (!group.accesses.empty())
      groups.push_back(std::move(group));
  return groups;
}

StepResult OrderVerifier::checkPrivates() {
  std::vector<const ScheduleNode *> loops;
  for (unsigned loop : loopsBelow(kernel.tree))
    if (const ScheduleNode *node = findLoop(kernel.tree, loop); node->lanes > 1)
      loops.push_back(node);
  for (const auto &[group, copy] : privateGroups()) {
    const std::string &name =
        model.arrays[model.accesses[group.front()].array].name;
    for (const auto &[flow, from, to] :
         statementFlows(model, valueFlow(model, program, group)))
      for (const ScheduleNode *loop : loops) {
        if (isSharedByLanes(model.accesses[group.front()]))
          continue;
        if (!copy && from == to &&
            endsWithStatement(model.accesses[group.front()].array, from))
          continue;
        if (isPartial(kernel, alias, loop->loop,
                      model.accesses[group.front()].array, from))
          continue;
        if (StepResult wrong = checkFlow(flow, *loop, copy, name))
          return wrong;
      }
  }
  return std::nullopt;
}

//===-- Register copies ---------------------------------------------------===//

/// The cells are registers that nothing has set: there are none.
StepResult OrderVerifier::checkUnset(const std::vector<RelationPiece> &cells,
                                     const ArrayTile &copy) {
  return checkEmpty(cells,
                    "registers of '" + model.arrays[copy.array].name +
                        "' are read before they are set",
                    model.accesses[copy.accesses.front()].range);
}

/// { [w, outer, k, cell] } of { Copy[w, outer, k, cell] }, one iteration later.
static isl_set *oneLater(const isl::set &set, unsigned iterator, int64_t step) {
  isl_multi_aff *shift =
      isl_multi_aff_identity_on_domain_space(isl_set_get_space(set.get()));
  isl_aff *aff = isl_multi_aff_get_aff(shift, static_cast<int>(iterator));
  aff = isl_aff_add_constant_si(aff, static_cast<int>(-step));
  shift = isl_multi_aff_set_aff(shift, static_cast<int>(iterator), aff);
  return isl_set_preimage_multi_aff(set.copy(), shift);
}

/// All cells are set whenever the body runs: an iteration loads the cell at the
/// front; the others come from the load before the loop, or from the iteration
/// before, which had all cells (induction).
StepResult OrderVerifier::checkWindow(const ArrayTile &copy) {
  unsigned outer = static_cast<unsigned>(copy.coordinates.size());
  int64_t step = model.loops[copy.window->loop].step;
  // { Copy[w, outer, k, cell] }
  isl_set *executed =
      isl_set_project_out(copy.inDomain->copy(), isl_dim_set, outer,
                          static_cast<unsigned>(copy.extents.size()));
  isl_set *all = isl_set_add_dims(isl_set_copy(executed), isl_dim_set,
                                  static_cast<unsigned>(copy.extents.size()));
  all = isl_set_set_tuple_id(all, isl_set_get_tuple_id(copy.inDomain->get()));
  for (unsigned d = 0; d < copy.extents.size(); ++d) {
    all = isl_set_lower_bound_si(all, isl_dim_set, outer + d, 0);
    all =
        isl_set_upper_bound_si(all, isl_dim_set, outer + d,
                               static_cast<int>(copy.extents[d].constant - 1));
  }
  isl_set_free(executed);
  isl::set cells = isl::manage(all);
  isl_set *unset = isl_set_subtract(cells.copy(), copy.inDomain->copy());
  unset = isl_set_subtract(unset, copy.window->fill.copy());
  isl::set missing = isl::manage(isl_set_reset_tuple_id(unset));
  isl::set passed =
      isl::manage(isl_set_reset_tuple_id(oneLater(cells, outer - 1, step)));
  if (StepResult wrong = checkUnset(piecesOf(missing.subtract(passed)), copy))
    return wrong;
  // Nothing reads the registers in other iterations.
  for (unsigned id : copy.accesses) {
    isl::set made = instancesOf(model, model.accesses[id]);
    unsigned total = isl_set_dim(made.get(), isl_dim_set);
    isl_set *reads =
        isl_set_project_out(made.release(), isl_dim_set, outer, total - outer);
    isl_set *runs =
        isl_set_project_out(cells.copy(), isl_dim_set, outer,
                            static_cast<unsigned>(copy.extents.size()));
    reads = isl_set_subtract(isl_set_reset_tuple_id(reads),
                             isl_set_reset_tuple_id(runs));
    if (StepResult wrong = checkUnset(piecesOf(isl::manage(reads)), copy))
      return wrong;
  }
  return std::nullopt;
}

StepResult OrderVerifier::checkCopies() {
  for (const ArrayTile &copy : kernel.registers()) {
    StepResult wrong;
    if (copy.window)
      wrong = checkWindow(copy);
    else if (!copy.copyIn)
      wrong = checkUnset(piecesOf(upwardExposed(
                             model, kernel.tree, copy.accesses,
                             static_cast<unsigned>(copy.coordinates.size()))),
                         copy);
    if (wrong)
      return wrong;
  }
  return std::nullopt;
}

} // namespace clopt
