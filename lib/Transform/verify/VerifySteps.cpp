//===- VerifySteps.cpp - violated dependences, by PPL ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory. For each two references x, y of one work-item that may touch one
// cell, one of them a write, the system
//
//   domain(x) and domain(y) and cell(x) = cell(y)
//   and x before y in the program and not x before y in the new order
//
// must have no integer point; where PPL's search does not end, isl is asked the
// same (VerifyOrders.cpp). Times are the stamps of the two trees. Lanes of a
// vector loop share one time, a chunk of iterations; within a vector statement
// reads precede writes. A reference to a register copy touches memory where
// the copy is loaded or stored, one to a section in local memory where a tile
// begins or ends.
//
// Private variables have a copy per lane, so a value must not pass from one
// iteration of a vector loop to another one or out of it (value-based flow by
// isl, emptiness by PPL).
//
// Cells of register copies must lie in the copied section, and what is read
// before it is written must be loaded (VerifyPrivates.cpp). Iterations of loops
// that became dimensions must not meet (VerifyMapped.cpp), references to
// sections in local memory lie in them (VerifyTiles.cpp), every iteration of a
// loop that work-items share is one lane's (VerifyShared.cpp), and values that
// added statements set reach their uses (VerifyAdded.cpp).
//
// Cost: quadratic in the references to one array, times the product of the
// depths of the two trees.
//
// Reference: Feautrier, Some efficient solutions to the affine scheduling
// problem (1992), on violated dependences.
//
// Tested by test/unit/VerifyStepsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/OrderVerifier.h"

#include "Analysis/dependence/Dependences.h"
#include "Analysis/ranges/NestTiles.h"
#include "Transform/Apply.h"

#include <isl/set.h>

#include <algorithm>

namespace clopt {

//===-- Stamps ------------------------------------------------------------===//

void OrderVerifier::readStamps(const ScheduleNode &node, const Stamp &prefix,
                               bool isNew, Stamps &stamps) const {
  if (node.kind == ScheduleNode::Kind::Leaf)
    stamps.statements[node.statement] = prefix;
  else if (node.kind == ScheduleNode::Kind::Copy)
    stamps.copies[node.copy] = prefix;
  for (size_t i = 0; i < node.children.size(); ++i) {
    Stamp next = prefix;
    Moment moment;
    moment.constant = static_cast<int64_t>(i);
    if (node.kind == ScheduleNode::Kind::Loop) {
      if (isNew && (node.tile || keepsSections(kernel, node.loop))) {
        // The tile, and a moment before and after all that it does.
        moment.kind = Moment::Kind::Chunk;
        moment.loop = node.loop;
        moment.constant = 0;
        moment.size =
            std::max(node.tile, 1u) * std::abs(model.loops[node.loop].step);
        next.push_back(moment);
        moment = Moment();
        next.push_back(moment);
      }
      bool isChunk = isNew && node.lanes > 1;
      moment.kind = isChunk ? Moment::Kind::Chunk : Moment::Kind::Iterator;
      moment.loop = node.loop;
      moment.constant = 0;
      if (isChunk)
        moment.size = node.lanes * std::abs(model.loops[node.loop].step);
    }
    next.push_back(moment);
    readStamps(node.children[i], next, isNew, stamps);
  }
}

/// When the reference touches memory: with its statement, or with the load or
/// store of the registers it goes to. Empty when it never does.
Stamp OrderVerifier::effectiveStamp(const Reference &reference) const {
  Stamp stamp = reference.after;
  if (!reference.tile)
    return stamp;
  const ArrayTile &tile = kernel.tiles[*reference.tile];
  if (!tile.inTree) {
    // The copy is made before anything else of the tile runs, or after all.
    const std::optional<unsigned> loop = tile.loop;
    size_t place = 0;
    while (loop && place < stamp.size() &&
           (stamp[place].kind != Moment::Kind::Chunk ||
            stamp[place].loop != *loop))
      ++place;
    stamp.resize(std::min(stamp.size(), loop ? place + 1 : 0));
    Moment border;
    border.constant = reference.access->isWrite ? 1 : -1;
    stamp.push_back(border);
    return stamp;
  }
  for (unsigned i = 0; i < kernel.copies.size(); ++i)
    if (kernel.copies[i].tile == *reference.tile &&
        kernel.copies[i].isIn != reference.access->isWrite) {
      auto found = newStamps.copies.find(i);
      return found == newStamps.copies.end() ? Stamp() : found->second;
    }
  return {};
}

/// What is one for all lanes keeps the order as memory does.
bool OrderVerifier::isSharedByLanes(const Access &access) const {
  const std::optional<unsigned> tile = kernel.tileOf(access.id);
  return llvm::any_of(kernel.orderedStatements,
                      [&](const OrderedStatement &ordered) {
                        return ordered.arrays.count(access.array) ||
                               (tile && ordered.tiles.count(*tile));
                      });
}

void OrderVerifier::collectReferences() {
  for (const Access &access : model.accesses) {
    auto before = oldStamps.statements.find(access.statement);
    auto after = newStamps.statements.find(access.statement);
    if (before == oldStamps.statements.end() ||
        after == newStamps.statements.end() ||
        (model.arrays[access.array].space == AddressSpace::Private &&
         !isSharedByLanes(access)))
      continue;
    Reference reference;
    reference.access = &access;
    reference.statement = &model.statements[access.statement];
    reference.pieces =
        piecesOf(access.relation.intersect_domain(reference.statement->domain));
    reference.before = before->second;
    reference.after = after->second;
    reference.tile = kernel.tileOf(access.id);
    references.push_back(std::move(reference));
  }
}

//===-- Memory ------------------------------------------------------------===//

bool OrderVerifier::mayTouchTheSame(const Reference &x,
                                    const Reference &y) const {
  return !areApart(kernel, x.access->array, y.access->array, alias);
}

bool OrderVerifier::keepsStamps(const Reference &x, const Reference &y) const {
  return !x.tile && !y.tile && x.before == x.after && y.before == y.after;
}

/// Within one copy the registers keep the order of the statements, and each
/// lane has its own (checkPrivates).
static Stamp withoutLanes(Stamp stamp) {
  for (Moment &moment : stamp)
    if (moment.kind == Moment::Kind::Chunk)
      moment.kind = Moment::Kind::Iterator;
  return stamp;
}

StepResult OrderVerifier::checkPair(const Reference &x, const Reference &y) {
  if (!x.access->isWrite && !y.access->isWrite)
    return std::nullopt;
  if (keepsStamps(x, y) || !mayTouchTheSame(x, y))
    return std::nullopt;
  const bool sameTile = x.tile && x.tile == y.tile;
  // Local memory keeps the order of the statements as global memory does.
  auto after = [&](const Reference &reference) {
    return !sameTile ? effectiveStamp(reference)
           : shareRegisters(x, y) && !isSharedByLanes(*reference.access)
               ? withoutLanes(reference.after)
               : reference.after;
  };
  Stamp xAfter = after(x), yAfter = after(y);
  if (xAfter.empty() || yAfter.empty())
    return std::nullopt;
  if (x.statement == y.statement) {
    // Lanes that run the statement in order have a time each.
    for (const OrderedStatement &ordered : kernel.orderedStatements)
      if (ordered.statement == x.access->statement)
        for (Stamp *stamp : {&xAfter, &yAfter})
          stamp->push_back({Moment::Kind::Iterator, 0, ordered.loop, 1});
  }
  if (x.statement == y.statement && !x.statement->isCompound) {
    xAfter.push_back({Moment::Kind::Constant, x.access->isWrite, 0, 1});
    yAfter.push_back({Moment::Kind::Constant, y.access->isWrite, 0, 1});
  }
  return checkMeetings(
      x, y,
      [&](InstanceSystem &system, const Instance &first,
          const Instance &second) {
        equateWork(system, first, second);
        const Points points = anyReversed(system, first, second, x.before,
                                          y.before, xAfter, yAfter);
        return points == Points::Unknown && neverReversed(x, y, xAfter, yAfter)
                   ? Points::None
                   : points;
      });
}

StepResult OrderVerifier::checkMeetings(
    const Reference &x, const Reference &y,
    const std::function<Points(InstanceSystem &, const Instance &,
                               const Instance &)> &meet) const {
  const bool sameArray = x.access->array == y.access->array;
  for (const RelationPiece &xPiece : x.pieces)
    for (const RelationPiece &yPiece : y.pieces) {
      InstanceSystem system;
      addContext(system);
      Columns xCell = system.addColumns(xPiece.outputs);
      Columns yCell = sameArray ? xCell : system.addColumns(yPiece.outputs);
      Instance first = addInstance(system, *x.statement, &xPiece, xCell);
      Instance second = addInstance(system, *y.statement, &yPiece, yCell);
      const Points points = meet(system, first, second);
      if (points != Points::None)
        return violation(model, points,
                         describe(model, conflictBetween(*x.access, *y.access)),
                         y.access->range);
    }
  return std::nullopt;
}

StepResult OrderVerifier::checkEmpty(const std::vector<RelationPiece> &pieces,
                                     const std::string &what,
                                     const SourceRange &range) const {
  for (const RelationPiece &piece : pieces) {
    InstanceSystem system;
    addContext(system);
    system.addPiece(piece, system.addColumns(piece.inputs),
                    system.addColumns(piece.outputs));
    if (Points points = system.findPoint(); points != Points::None)
      return violation(model, points, what, range);
  }
  return std::nullopt;
}

/// Barriers, code that is not modelled and ordered accesses stay in order with
/// everything that touches memory.
StepResult OrderVerifier::checkFences() {
  auto isFence = [&](const Statement &statement) {
    bool ordered = statement.isBarrier || statement.isOpaque;
    for (unsigned access : statement.accesses)
      ordered |= model.accesses[access].isOrdered;
    return ordered;
  };
  for (const auto &[first, before] : oldStamps.statements)
    for (const auto &[second, later] : oldStamps.statements) {
      const Statement &s = model.statements[first];
      const Statement &t = model.statements[second];
      auto sAfter = newStamps.statements.find(first);
      auto tAfter = newStamps.statements.find(second);
      if ((!isFence(s) && !isFence(t)) ||
          sAfter == newStamps.statements.end() ||
          tAfter == newStamps.statements.end())
        continue;
      if (before == sAfter->second && later == tAfter->second)
        continue;
      for (const RelationPiece &sPiece : piecesOf(s.domain))
        for (const RelationPiece &tPiece : piecesOf(t.domain)) {
          InstanceSystem system;
          addContext(system);
          Instance x = addInstance(system, s, nullptr, {});
          Instance y = addInstance(system, t, nullptr, {});
          system.addPiece(sPiece, {}, x.columns);
          system.addPiece(tPiece, {}, y.columns);
          equateWork(system, x, y);
          Points points = anyReversed(system, x, y, before, later,
                                      sAfter->second, tAfter->second);
          if (points != Points::None)
            return violation(model, points, "a barrier or ordered effect moves",
                             t.stmt ? t.stmt->range : SourceRange());
        }
    }
  return std::nullopt;
}

//===-- All of it ---------------------------------------------------------===//

StepResult OrderVerifier::run() {
  std::optional<ScheduleNode> read = readSchedule(model);
  if (!read)
    return refuse("clopt-opaque-code", "the program has no order");
  program = std::move(*read);
  // The first entry is for sections that are copied before or after everything.
  readStamps(program, {Moment()}, false, oldStamps);
  readStamps(kernel.tree, {Moment()}, true, newStamps);
  for (const auto &[statement, stamp] : oldStamps.statements)
    if (!newStamps.statements.count(statement))
      return refuse("clopt-dependence", "statement " +
                                            model.statements[statement].name +
                                            " is no longer in the tree");
  isl::set assumed = model.paramContext;
  for (unsigned index : kernel.usedAssumptions)
    assumed = assumed.intersect(model.assumptions[index].condition);
  // One piece is enough for a context: more would multiply the systems.
  context = piecesOf(isl::manage(
      isl_set_from_basic_set(isl_set_simple_hull(assumed.release()))));
  collectReferences();
  for (const Reference &x : references)
    for (const Reference &y : references)
      if (StepResult wrong = checkPair(x, y))
        return wrong;
  if (StepResult wrong = checkFences())
    return wrong;
  if (StepResult wrong = checkPrivates())
    return wrong;
  if (StepResult wrong = checkMapped())
    return wrong;
  if (StepResult wrong = checkBoxes())
    return wrong;
  if (StepResult wrong = checkShared())
    return wrong;
  if (StepResult wrong = checkAdded())
    return wrong;
  return checkCopies();
}

StepResult verifyOrder(const TransformedKernel &kernel, AliasMode alias) {
  // What comes before was checked when it was made.
  if (kernel.otherwise)
    return verifyOrder(*kernel.otherwise, alias);
  return OrderVerifier(kernel, alias).run();
}

} // namespace clopt
