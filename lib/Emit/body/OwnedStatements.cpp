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
//       if (x >= x_first)
//           r[y * n + x] = sum_0.s0;
//       ...
//   }
//
// Tested by test/unit/MovedTilesTest.cpp, test/lit/tile/moved.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

namespace clopt {

bool BodyWriter::isOwned(const EmitNode &node) const {
  if (!moved)
    return false;
  const std::set<unsigned> &owned = node.kind == EmitNode::Kind::Copy
                                        ? moved->owned.copies
                                        : moved->owned.statements;
  return owned.count(node.index) != 0;
}

/// True for the ids of one lane of a point that are the tile's own; empty for
/// the first ones: where these are, all are.
std::string BodyWriter::ownText(const PrintSite &at, unsigned lane) const {
  std::vector<unsigned> dims = workCoordinates(model);
  const LaneAxis &axis = divergence->axis();
  std::string text;
  bool isFirst = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!moved->moves[i])
      continue;
    SymbolId id = model.statements[0].coordinates[i];
    LinearForm own = at.coordinates.at(id);
    const bool hasLanes = axis.lanes > 1 && axis.symbol == id;
    isFirst &= !moved->moves[i]->least && at.point[dims[i]] == 0 &&
               !(hasLanes && lane > 0);
    if (hasLanes)
      own.constant += static_cast<int64_t>(lane) * axis.step;
    const std::string &first = shared.firsts[i];
    std::string value = own.print().text;
    text += (text.empty() ? "" : " && ") + value + " >= " + first;
    if (moved->moves[i]->least)
      text += " && " + value + " < " +
              (LinearForm::ofTerm(first) + wholeIds(kernel, shared, i))
                  .print()
                  .text;
  }
  return isFirst ? "" : text;
}

/// The statement or copy for one point, and one lane, after the other.
void BodyWriter::emitOwnPoints(const EmitNode &node, const AstNames &names,
                               OutNode &scope) {
  const bool isCopy = node.kind == EmitNode::Kind::Copy;
  const Statement *statement = isCopy ? nullptr : &model.statements[node.index];
  StatementPrinter printer(environment);
  PrintSite site =
      siteOf(node,
             isCopy ? kernel.tiles[kernel.copies[node.index].tile].coordinates
                    : statement->coordinates,
             names);
  std::vector<int64_t> cell;
  if (isCopy)
    cell = copiedCell(node, names);
  DivergenceMask points = 0;
  for (unsigned d = 0; d < 3; ++d)
    if (environment.points[d] > 1)
      points |= 1u << d;
  unsigned lanes = std::max(1u, divergence->axis().lanes);
  if (isCopy && kernel.copies[node.index].isIn)
    forEachPoint(points, site, [&](PrintSite &at) {
      addLines(printer.printCleared(node.index, at, cell), scope.children);
    });
  forEachPoint(points, site, [&](PrintSite &at) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::string condition = ownText(at, lane);
      if (condition.empty())
        continue;
      OutNode own;
      own.isScope = true;
      own.lines.push_back("if (" + condition + ")");
      if (isCopy)
        addLines(printer.printCopyLane(node.index, at, cell, lane),
                 own.children);
      else
        addLines(lanes > 1 ? printer.printLane(*statement, at, lane)
                           : printer.print(*statement, at),
                 own.children);
      if (!own.children.empty())
        scope.children.push_back(std::move(own));
    }
  });
  if (!printer.failure().empty())
    failure = printer.failure();
}

void BodyWriter::emitOwned(const EmitNode &node, const AstNames &names,
                           std::vector<OutNode> &out) {
  if (node.guard) {
    failure = "a condition of some ids in a tile that moves";
    return;
  }
  OutNode all, some;
  all.isScope = some.isScope = true;
  all.lines.push_back("if (" + shared.own + ")");
  some.lines.push_back("else");
  if (node.kind == EmitNode::Kind::Copy)
    emitCopy(node, names, all.children);
  else
    emitStatement(node, names, all.children);
  if (all.children.empty())
    return;
  emitOwnPoints(node, names, some);
  out.push_back(std::move(all));
  out.push_back(std::move(some));
}

} // namespace clopt
