//===- OwnedStatements.cpp - what tiles do for their own ids only ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile that was moved (MovedTiles.h) computes for ids of its neighbour too,
// and must not store for them. Most work-items have ids of their own only:
//
//   if (own) {
//       vstore4(sum_0, 0, &r[y * n + x]);
//   } else {
//       const float4 sum_points[1] = {sum_0};
//       for (int point = 0; point < 4; point++) {
//           const int x = x0 + point;
//           if (x >= x_first)
//               r[y * n + x] = ((__private const float *)sum_points)[point];
//       }
//   }
//
// Tested by test/unit/MovedTilesTest.cpp, test/lit/tile/moved.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

#include <algorithm>

namespace clopt {

bool BodyWriter::isOwned(const EmitNode &node) const {
  if (!moved)
    return false;
  const std::set<unsigned> &owned = node.kind == EmitNode::Kind::Copy
                                        ? moved->owned.copies
                                        : moved->owned.statements;
  return owned.count(node.index) != 0;
}

/// What together is true for ids that are the tile's own.
std::vector<std::string> BodyWriter::ownConditions(const PrintSite &at) const {
  std::vector<std::string> conditions;
  for (size_t i = 0; i < moved->moves.size(); ++i) {
    if (!moved->moves[i])
      continue;
    const std::string &first = shared.firsts[i];
    const std::string value =
        at.coordinates.at(model.statements[0].coordinates[i]).print().text;
    conditions.push_back(value + " >= " + first);
    if (moved->moves[i]->least)
      conditions.push_back(
          value + " < " +
          (LinearForm::ofTerm(first) + wholeIds(kernel, shared, i))
              .print()
              .text);
  }
  return conditions;
}

/// True when a work-item of a tile that was moved finds ids of its own beyond
/// those that are not: tiles are moved back, and its ids follow one another.
bool BodyWriter::hasNearestIds() const {
  const std::vector<unsigned> dims = workCoordinates(model);
  bool hasSeveral = false;
  for (size_t i = 0; i < moved->moves.size(); ++i) {
    if (!moved->moves[i])
      continue;
    const WorkDimension &work = kernel.work[dims[i]];
    if (moved->moves[i]->least || (work.strided && work.points > 1))
      return false;
    hasSeveral |= work.total() > 1;
  }
  return hasSeveral;
}

/// Where hasNearestIds(): whether the last id of a work-item is its tile's own.
std::string BodyWriter::hasOwnIds() const {
  const std::vector<unsigned> dims = workCoordinates(model);
  std::string text;
  for (size_t i = 0; i < moved->moves.size(); ++i) {
    if (!moved->moves[i])
      continue;
    LinearForm last = LinearForm::ofTerm(shared.bases[i]);
    last.constant += kernel.work[dims[i]].total() - 1;
    text += (text.empty() ? "" : " && ") + last.print().text +
            " >= " + shared.firsts[i];
  }
  return text;
}

void BodyWriter::noteStores(const EmitNode &node,
                            std::set<unsigned> &stored) const {
  if (node.kind == EmitNode::Kind::Copy) {
    const CopyStatement &copy = kernel.copies[node.index];
    if (!copy.isIn)
      stored.insert(kernel.tiles[copy.tile].array);
    return;
  }
  for (unsigned id : model.statements[node.index].accesses)
    if (model.accesses[id].isWrite)
      stored.insert(model.accesses[id].array);
}

/// True when the statement may read a cell of one of the arrays: the values of
/// several statements are computed before the first of them stores any.
bool BodyWriter::mayRead(const EmitNode &node,
                         const std::set<unsigned> &stored) const {
  auto isStored = [&](unsigned array) {
    return std::any_of(stored.begin(), stored.end(), [&](unsigned other) {
      return !kernel.areApart(array, other);
    });
  };
  if (node.kind == EmitNode::Kind::Copy)
    return kernel.copies[node.index].isIn &&
           isStored(kernel.tiles[kernel.copies[node.index].tile].array);
  const std::vector<unsigned> &accesses = model.statements[node.index].accesses;
  return std::any_of(accesses.begin(), accesses.end(), [&](unsigned id) {
    return !model.accesses[id].isWrite && !kernel.registersOf(id) &&
           isStored(model.accesses[id].array);
  });
}

/// One past the last child from `begin` on that is for owners only, like the
/// first. Ids of a tile need no common order, iterations in lanes do.
size_t BodyWriter::ownedRun(const EmitNode &block, size_t begin) const {
  auto isOwn = [&](const EmitNode &node) {
    return isOwned(node) && !node.guard;
  };
  auto isLoad = [&](const EmitNode &node) {
    return node.kind == EmitNode::Kind::Copy && kernel.copies[node.index].isIn;
  };
  const bool isWithin = isActive || !kernel.isGrouped();
  const Symbol &lane = model.symbols[divergence->axis().symbol];
  if (!isOwn(block.children[begin]) || !isWithin || kernel.sharesWork() ||
      (divergence->axis().lanes > 1 && lane.kind != SymbolKind::GlobalId))
    return begin + 1;
  size_t end = begin + 1;
  std::set<unsigned> stored;
  noteStores(block.children[begin], stored);
  while (end < block.children.size() && isOwn(block.children[end]) &&
         isLoad(block.children[end]) == isLoad(block.children[begin]) &&
         !mayRead(block.children[end], stored)) {
    noteStores(block.children[end], stored);
    ++end;
  }
  return end;
}

void BodyWriter::emitOwned(const std::vector<const EmitNode *> &nodes,
                           const AstNames &names, std::vector<OutNode> &out) {
  OutNode all, some;
  all.isScope = some.isScope = true;
  all.condition = {shared.own};
  all.lines.push_back("if (" + shared.own + ")");
  some.isElse = true;
  some.lines.push_back("else");
  for (const EmitNode *node : nodes)
    if (node->guard)
      failure = "a condition of some ids in a tile that moves";
  if (std::all_of(nodes.begin(), nodes.end(), [&](const EmitNode *node) {
        return isCheapAndScattered(*node, names);
      })) {
    OutNode block;
    block.isScope = true;
    block.lines.push_back("");
    emitPointLoop(nodes, PointsOf::Owner, names, block.children);
    if (!block.children.empty())
      out.push_back(std::move(block));
    return;
  }
  const bool loads = nodes.front()->kind == EmitNode::Kind::Copy &&
                     kernel.copies[nodes.front()->index].isIn;
  // One way for all work-items of a group takes fewer registers than two: what
  // is loaded for an id that is not the tile's own is a cell of the work-item's
  // own. (A product that adds to memory on an H100: 40 in place of 72.)
  if (loads && kernel.isGrouped() && hasNearestIds()) {
    emitPointLoop(nodes, PointsOf::Nearest, names, out);
    return;
  }
  emitAll(nodes, names, true, all.children);
  if (all.children.empty() || !failure.empty())
    return;
  // A single id is its tile's own, or not; what is loaded for another is zero.
  unsigned ids = divergence->axis().lanes;
  for (unsigned points : environment.points)
    ids *= points;
  if (ids == 1 && !loads) {
    out.push_back(std::move(all));
    return;
  }
  emitPointLoop(nodes, PointsOf::Mixed, names, some.children);
  out.push_back(std::move(all));
  if (!some.children.empty())
    out.push_back(std::move(some));
}

} // namespace clopt
