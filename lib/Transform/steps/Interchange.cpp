//===- Interchange.cpp - two nested loops change places -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `interchange i k` makes the inner one of two loops the outer one:
//
//   for (i...) { S; for (k...) T; U; }   becomes
//
//   for (k...) for (i...) { if (first k) S; T; if (last k) U; }
//
// What stands beside the inner loop goes into it: statements before it that
// only set private variables are done in every iteration, other ones in the
// first, and what follows in the last. The coordinates of the statements change
// places in a model of the kernel's own; isl finds the bounds of the loops in
// their new order.
//
// Legal when no two instances of one work-item that touch the same cell, one of
// them writing, change their order, and every private value is still read by
// those that read it. Both are decided exactly, from the order of the old tree
// and that of the new one.
//
// `interchange x y` of two dimensions of the NDRange numbers work-items along y
// first: those that are launched side by side lie side by side along y. Always
// legal where work-items need no group, because they are unordered.
//
// Reference: Allen and Kennedy, Optimizing Compilers for Modern Architectures,
// section 5.2; Feautrier (1992) on violated dependences.
//
// Tested by test/unit/InterchangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

#include "Analysis/dependence/Dependences.h"
#include "Transform/Steps.h"
#include "Transform/legality/TreeOrders.h"
#include "Transform/tree/Coordinates.h"
#include "Transform/tree/LoopBounds.h"
#include "Transform/tree/StripMine.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>

#include <algorithm>
#include <map>

namespace clopt {

namespace {

/// In which iterations of the two loops a statement of the outer one runs.
enum class Place {
  Outside, ///< of both loops
  Inner,   ///< in the inner loop
  Every,   ///< before the inner loop, sets private variables only
  First,   ///< before the inner loop
  Last     ///< after the inner loop
};

class Interchanger {
public:
  Interchanger(const TransformedKernel &transformed, unsigned outerLoop,
               unsigned innerLoop);
  StepResult check();
  StepResult build();
  StepResult checkMemory(AliasMode alias);
  StepResult checkPrivates() const;
  TransformedKernel result;

private:
  StepResult place(const ScheduleNode &body);
  void placeAll(const ScheduleNode &node, bool isBefore);
  bool writesMemory(const Statement &statement) const;
  ScheduleNode rebuilt(const ScheduleNode &node) const;
  std::vector<SymbolId> reordered(const std::vector<SymbolId> &from,
                                  bool insert) const;
  void reorderLoops(std::vector<unsigned> &loops, bool insert) const;
  isl::set endOf(const isl::set &executed, bool last) const;
  StepResult moveStatement(unsigned index, const isl::set &executed);
  StepResult requireIterations(const Statement &statement,
                               const isl::set &before,
                               const isl::set &executed);
  void findFirsts();
  StepResult checkPair(const TreeOrders &orders, const Access &first,
                       const Access &second) const;
  StepResult checkArray(unsigned array) const;
  bool staysInside(const isl::map &flow) const;

  const TransformedKernel &kernel;
  const KernelModel &old;
  unsigned outer, inner;
  unsigned position = 0;              ///< of the outer loop's coordinate
  std::vector<Place> places;          ///< per statement
  std::shared_ptr<KernelModel> model; ///< the new one
};

} // namespace

Interchanger::Interchanger(const TransformedKernel &transformed,
                           unsigned outerLoop, unsigned innerLoop)
    : result(transformed), kernel(transformed), old(*transformed.model),
      outer(outerLoop), inner(innerLoop) {}

//===-- What is where -----------------------------------------------------===//

bool Interchanger::writesMemory(const Statement &statement) const {
  return std::any_of(
      statement.accesses.begin(), statement.accesses.end(), [&](unsigned id) {
        const Access &access = old.accesses[id];
        return access.isWrite &&
               old.arrays[access.array].space != AddressSpace::Private;
      });
}

void Interchanger::placeAll(const ScheduleNode &node, bool isBefore) {
  std::vector<unsigned> all = statementsBelow(node);
  bool effect = std::any_of(all.begin(), all.end(), [&](unsigned index) {
    return writesMemory(old.statements[index]);
  });
  for (unsigned index : all)
    places[index] = !isBefore ? Place::Last
                    : effect  ? Place::First
                              : Place::Every;
}

static bool hasCopies(const ScheduleNode &node) {
  return node.kind == ScheduleNode::Kind::Copy ||
         std::any_of(node.children.begin(), node.children.end(), hasCopies);
}

/// Goes down to the inner loop and places what stands beside the way.
StepResult Interchanger::place(const ScheduleNode &body) {
  if (body.kind == ScheduleNode::Kind::Loop && body.loop == inner) {
    for (unsigned index : statementsBelow(body))
      places[index] = Place::Inner;
    return std::nullopt;
  }
  if (body.kind == ScheduleNode::Kind::Loop)
    return refuse("clopt-dependence",
                  "the loop '" + old.loops[body.loop].name +
                      "' stands between '" + old.loops[outer].name + "' and '" +
                      old.loops[inner].name + "'",
                  "interchange neighbours", old.loops[body.loop].stmt->range);
  bool isBefore = true;
  for (const ScheduleNode &child : body.children) {
    if (findLoop(child, inner)) {
      if (StepResult refusal = place(child))
        return refusal;
      isBefore = false;
      continue;
    }
    if (hasCopies(child))
      return refuse("clopt-dependence",
                    "registers are loaded or stored between the loops",
                    "privatize afterwards");
    placeAll(child, isBefore);
  }
  return std::nullopt;
}

StepResult Interchanger::check() {
  for (unsigned loop : {outer, inner})
    if (!findLoop(kernel.tree, loop))
      return refuse("clopt-opaque-code",
                    "the loop '" + old.loops[loop].name +
                        "' is part of code that is kept as written");
  const ScheduleNode &node = *findLoop(kernel.tree, outer);
  if (!kernel.sections().empty())
    return refuse("clopt-dependence",
                  "arrays are staged for the loops as they are",
                  "interchange first");
  if (const Statement *jump = findJump(old, node))
    return refuse("clopt-non-affine-control",
                  "the loop may be left early, depending on data", "",
                  jump->stmt->range);
  if (StepResult refusal = checkFences(old, node))
    return refusal;
  places.assign(old.statements.size(), Place::Outside);
  return place(node.children[0]);
}

//===-- The new model -----------------------------------------------------===//

/// The tree below the outer loop without the inner one.
ScheduleNode Interchanger::rebuilt(const ScheduleNode &node) const {
  if (node.kind == ScheduleNode::Kind::Loop && node.loop == inner)
    return node.children[0];
  ScheduleNode copy = node;
  if (findLoop(node, inner))
    for (ScheduleNode &child : copy.children)
      child = rebuilt(child);
  return copy;
}

/// The coordinates with the inner loop's in front of the outer one's. `insert`:
/// they have not got it.
std::vector<SymbolId> Interchanger::reordered(const std::vector<SymbolId> &from,
                                              bool insert) const {
  SymbolId first = old.loops[outer].iterator;
  SymbolId second = old.loops[inner].iterator;
  auto has = [&](SymbolId id) { return llvm::is_contained(from, id); };
  if (!has(first) || (!insert && !has(second)))
    return from;
  std::vector<SymbolId> result;
  for (SymbolId id : from) {
    if (id == first)
      result.push_back(second);
    if (id != second)
      result.push_back(id);
  }
  return result;
}

void Interchanger::reorderLoops(std::vector<unsigned> &loops,
                                bool insert) const {
  auto own = std::find(loops.begin(), loops.end(), outer);
  auto other = std::find(loops.begin(), loops.end(), inner);
  if (own == loops.end() || (!insert && other == loops.end()))
    return;
  if (other != loops.end())
    loops.erase(other);
  loops.insert(std::find(loops.begin(), loops.end(), outer), inner);
}

/// { [w..., k, i] : k is the first (last) iteration of the inner loop for i }
isl::set Interchanger::endOf(const isl::set &executed, bool last) const {
  isl_map *later = isl_map_universe(
      isl_space_map_from_set(isl_set_get_space(executed.get())));
  int k = static_cast<int>(position);
  for (int c = 0; c <= k + 1; ++c)
    if (c != k)
      later = isl_map_equate(later, isl_dim_in, c, isl_dim_out, c);
  bool upward = (old.loops[inner].step > 0) == last;
  later = upward ? isl_map_order_lt(later, isl_dim_in, k, isl_dim_out, k)
                 : isl_map_order_gt(later, isl_dim_in, k, isl_dim_out, k);
  later = isl_map_intersect_range(later, executed.copy());
  return isl::manage(isl_set_coalesce(
      isl_set_subtract(executed.copy(), isl_map_domain(later))));
}

/// What is done in one iteration of the inner loop needs one: `before`
/// { S[w..., i, ...] } must be in `executed` { [w..., k, i] }, or the launch is
/// not taken.
StepResult Interchanger::requireIterations(const Statement &statement,
                                           const isl::set &before,
                                           const isl::set &executed) {
  unsigned extra = isl_set_dim(before.get(), isl_dim_set) - position - 1;
  isl_set *needed =
      isl_set_project_out(before.copy(), isl_dim_set, position + 1, extra);
  isl_set *have =
      isl_set_project_out(executed.copy(), isl_dim_set, position, 1);
  isl::set missing = isl::manage(isl_set_params(isl_set_subtract(
      isl_set_reset_tuple_id(needed), isl_set_reset_tuple_id(have))));
  if (isl_set_is_empty(missing.get()) == isl_bool_true)
    return std::nullopt;
  Assumption assumption;
  assumption.kind = Assumption::Kind::Range;
  assumption.condition =
      isl::manage(isl_set_coalesce(isl_set_complement(missing.release())));
  assumption.text = "the loop '" + old.loops[inner].name + "' runs";
  assumption.range = old.loops[inner].stmt->range;
  if (isl_set_is_empty(assumption.condition.intersect(model->paramContext)
                           .intersect(executed.params())
                           .get()) == isl_bool_true)
    return refuse("clopt-dependence",
                  "the loop '" + old.loops[outer].name +
                      "' has something else to do where the loop '" +
                      old.loops[inner].name + "' does not run",
                  "", statement.stmt ? statement.stmt->range : SourceRange());
  model->assumptions.push_back(assumption);
  return std::nullopt;
}

StepResult Interchanger::moveStatement(unsigned index,
                                       const isl::set &executed) {
  Statement &statement = model->statements[index];
  isl::set before = statement.domain;
  changeCoordinates(*model, statement, reordered(statement.coordinates, true));
  reorderLoops(statement.loops, true);
  Place own = places[index];
  if (own == Place::Inner)
    return std::nullopt;
  statement.domain = restrictTo(
      statement.domain,
      own == Place::Every ? executed : endOf(executed, own == Place::Last));
  return own == Place::Every ? std::nullopt
                             : requireIterations(statement, before, executed);
}

/// A first iteration that is no simple expression is nothing that steps could
/// count chunks from; the order is as good without.
void Interchanger::findFirsts() {
  for (unsigned loop : {inner, outer}) {
    std::optional<Polynomial> first =
        firstIteration(*model, loop, iterationsOf(*model, loop));
    if (!first) {
      Symbol unknown;
      unknown.name = old.loops[loop].name + "_first";
      unknown.varying = true;
      first = Polynomial::symbol(model->symbols.add(unknown));
    }
    model->loops[loop].first = *first;
  }
}

StepResult Interchanger::build() {
  model = std::make_shared<KernelModel>(old);
  ScheduleNode &node = *findLoop(result.tree, outer);
  node = ScheduleNode::makeLoop(
      inner, ScheduleNode::makeLoop(outer, rebuilt(node.children[0])));
  position = 0;
  isl_set *all = nullptr; // { [w..., k, i] }
  for (unsigned index = 0; index < places.size(); ++index) {
    if (places[index] != Place::Inner)
      continue;
    if (StepResult refusal = moveStatement(index, isl::set()))
      return refusal;
    const Statement &statement = model->statements[index];
    while (statement.coordinates[position] != old.loops[inner].iterator)
      ++position;
    isl_set *own =
        isl_set_project_out(statement.domain.copy(), isl_dim_set, position + 2,
                            statement.coordinates.size() - position - 2);
    own = isl_set_reset_tuple_id(own);
    all = all ? isl_set_union(all, own) : own;
  }
  if (!all)
    return refuse("clopt-not-profitable", "the loops do nothing");
  isl::set executed = isl::manage(isl_set_coalesce(all));
  for (unsigned index = 0; index < places.size(); ++index)
    if (places[index] != Place::Inner && places[index] != Place::Outside)
      if (StepResult refusal = moveStatement(index, executed))
        return refusal;
  for (Loop &loop : model->loops)
    reorderLoops(loop.outer, true);
  std::vector<unsigned> &around = model->loops[inner].outer;
  around.erase(std::remove_if(around.begin(), around.end(),
                              [&](unsigned loop) {
                                return loop == outer || loop == inner;
                              }),
               around.end());
  model->loops[outer].outer = around;
  model->loops[outer].outer.push_back(inner);
  for (ArrayTile &copy : result.tiles) {
    if (copy.loop == outer)
      copy.loop = inner;
    changeCoordinates(*model, copy, reordered(copy.coordinates, false));
  }
  result.ownModel = model;
  result.model = model.get();
  findFirsts();
  return std::nullopt;
}

//===-- Memory ------------------------------------------------------------===//

StepResult Interchanger::checkPair(const TreeOrders &orders,
                                   const Access &first,
                                   const Access &second) const {
  if (isl_map_is_empty(orders.reversed(first, second).get()) == isl_bool_true)
    return std::nullopt;
  return refuse("clopt-dependence",
                describe(*model, conflictBetween(first, second)), "",
                second.range);
}

StepResult Interchanger::checkMemory(AliasMode alias) {
  TreeOrders orders(*model, kernel.tree, result.tree);
  std::vector<const Access *> accesses;
  for (const Access &access : model->accesses)
    if (places[access.statement] != Place::Outside &&
        model->arrays[access.array].space != AddressSpace::Private)
      accesses.push_back(&access);
  for (const Access *first : accesses)
    for (const Access *second : accesses) {
      if (!first->isWrite && !second->isWrite)
        continue;
      StepResult refusal =
          first->array == second->array
              ? checkPair(orders, *first, *second)
              : requireDisjoint(result, std::min(first->array, second->array),
                                std::max(first->array, second->array), alias);
      if (refusal)
        return refusal;
    }
  for (unsigned i = 0; i < model->assumptions.size(); ++i)
    for (const Access *access : accesses)
      if (model->assumptions[i].kind == Assumption::Kind::Subscript &&
          model->assumptions[i].array == static_cast<int>(access->array))
        result.usedAssumptions.insert(i);
  return std::nullopt;
}

//===-- Private values ----------------------------------------------------===//

/// Both ends of a flow of the old model belong to one iteration of the loops,
/// whatever their order.
bool Interchanger::staysInside(const isl::map &flow) const {
  std::optional<unsigned> from =
      old.findStatement(isl_map_get_tuple_name(flow.get(), isl_dim_in));
  std::optional<unsigned> to =
      old.findStatement(isl_map_get_tuple_name(flow.get(), isl_dim_out));
  if (!from || !to)
    return false;
  Place source = places[*from], sink = places[*to];
  bool repeats =
      source == Place::Every && (sink == Place::Every || sink == Place::Inner);
  if (!repeats && (source != Place::Inner || sink != Place::Inner))
    return false;
  int common = static_cast<int>(position) + (repeats ? 1 : 2);
  isl_map *same = isl_map_universe(isl_map_get_space(flow.get()));
  for (int c = 0; c < common; ++c)
    same = isl_map_equate(same, isl_dim_in, c, isl_dim_out, c);
  bool result = isl_map_is_subset(flow.get(), same) == isl_bool_true;
  isl_map_free(same);
  return result;
}

StepResult Interchanger::checkArray(unsigned array) const {
  std::vector<unsigned> accesses;
  bool isWritten = false, isRepeated = false, isExact = true;
  for (const Access &access : old.accesses) {
    if (access.array != array)
      continue;
    accesses.push_back(access.id);
    bool writes = access.isWrite && places[access.statement] != Place::Outside;
    isWritten |= writes;
    isRepeated |= writes && places[access.statement] == Place::Every;
    isExact &= !access.isWrite || access.isExact;
  }
  if (!isWritten)
    return std::nullopt;
  const isl::union_map all = valueFlow(old, kernel.tree, accesses);
  // Every reader in the loops must have its value from its own iteration: the
  // flow says from where, and what no write reaches is nobody's.
  bool inside = true;
  for (const auto &[flow, from, to] : statementFlows(old, all)) {
    bool isBeside =
        places[from] == Place::Outside && places[to] == Place::Outside;
    inside &= isBeside || staysInside(flow);
  }
  if (inside)
    return std::nullopt;
  bool isKept = !isRepeated && isExact &&
                valueFlow(*model, kernel.tree, accesses)
                    .is_equal(valueFlow(*model, result.tree, accesses));
  if (isKept)
    return std::nullopt;
  const Array &info = old.arrays[array];
  return refuse(info.elementType.isFloating() ? "clopt-reassociation"
                                              : "clopt-dependence",
                "the value of '" + info.name +
                    "' goes from one iteration to another, or is used after "
                    "the loops",
                "", info.var ? info.var->range : SourceRange());
}

StepResult Interchanger::checkPrivates() const {
  for (unsigned array = 0; array < old.arrays.size(); ++array)
    if (old.arrays[array].space == AddressSpace::Private)
      if (StepResult refusal = checkArray(array))
        return refusal;
  return std::nullopt;
}

StepResult interchangeLoops(TransformedKernel &kernel, unsigned first,
                            unsigned second, AliasMode alias) {
  const ScheduleNode *node = findLoop(kernel.tree, second);
  if (node && first != second && findLoop(*node, first))
    std::swap(first, second);
  node = findLoop(kernel.tree, first);
  const KernelModel &model = *kernel.model;
  if (first == second ||
      (node && !findLoop(*node, second) && findLoop(kernel.tree, second)))
    return refuse("clopt-dependence", "the loops '" + model.loops[first].name +
                                          "' and '" + model.loops[second].name +
                                          "' are not one inside the other");
  // What the loops do in tiles, lanes and copies they do where they are then;
  // vectors around them have another order inside.
  TransformedKernel plain = kernel;
  const LoopRoles roles(plain, {first, second});
  Interchanger work(plain, first, second);
  if (StepResult refusal = work.check())
    return refusal;
  if (StepResult refusal = work.build())
    return refusal;
  if (StepResult refusal = work.checkPrivates())
    return refusal;
  if (StepResult refusal = work.checkMemory(alias))
    return refusal;
  if (StepResult refusal = roles.giveBack(work.result, alias))
    return refusal;
  kernel = std::move(work.result);
  return std::nullopt;
}

StepResult interchangeDimensions(TransformedKernel &kernel, unsigned first,
                                 unsigned second) {
  const KernelModel &model = *kernel.model;
  if (first == second || (first != kernel.fastest && second != kernel.fastest))
    return refuse("clopt-not-profitable",
                  "neighbouring work-items lie along neither of the two");
  for (unsigned dim : {first, second})
    if (StepResult refusal = mergeableWorkItems(kernel, dim))
      return refusal;
  const bool hasPlaces = kernel.isGrouped() || !model.ndrange.mapped.empty() ||
                         !kernel.alignedArrays.empty() ||
                         !kernel.selections.empty();
  if (hasPlaces ||
      std::any_of(std::begin(kernel.work), std::end(kernel.work),
                  [](const WorkDimension &work) { return work.strided; }))
    return refuse("clopt-group-shape",
                  "work-items have places that were chosen for the order as "
                  "it is",
                  "write the step earlier");
  kernel.fastest = kernel.fastest == first ? second : first;
  return std::nullopt;
}

} // namespace clopt
