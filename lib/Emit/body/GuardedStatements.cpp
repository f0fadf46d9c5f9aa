//===- GuardedStatements.cpp - statements under conditions of their own ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where not all work-items of a tile run a statement (DivergentInstances.h), it
// is written for one point after the other, each behind its condition. Neither
// stores nor loads happen for the others.
//
// Tested by test/unit/DivergentInstancesTest.cpp,
// test/lit/coarsen/guarded.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"
#include "Emit/lower/DivergentInstances.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

static void addGuards(const EmitNode &node, Divergence::Guards &guards) {
  if (node.guard && node.kind == EmitNode::Kind::Statement)
    guards[node.index].insert(node.guardedBy.begin(), node.guardedBy.end());
  for (const EmitNode &child : node.children)
    addGuards(child, guards);
}

Divergence::Guards guardsBelow(const EmitNode &node) {
  Divergence::Guards guards;
  addGuards(node, guards);
  return guards;
}

void BodyWriter::emitBlock(const EmitNode &node, const AstNames &names,
                           std::vector<OutNode> &out) {
  for (size_t at = 0; at < node.children.size();) {
    const size_t ownEnd = ownedRun(node, at, names);
    const bool isOwn = ownEnd > at + 1;
    size_t end = isOwn ? ownEnd : guardedRun(node, at, names);
    if (end <= at + 1) {
      end = emitLine(node, at, names, out);
      if (end == at)
        emit(node.children[end++], names, out);
      at = end;
      continue;
    }
    std::vector<const EmitNode *> run;
    for (; at < end; ++at)
      run.push_back(&node.children[at]);
    if (isOwn)
      emitOwned(run, names, out);
    else
      emitGuarded(run, names, out);
  }
}

/// The points that a guarded statement is written for.
DivergenceMask BodyWriter::guardedPoints(const EmitNode &node) {
  StatementPrinter printer(environment);
  return printer.pointsOf(model.statements[node.index]) |
         (divergence->ofSymbols(node.guardedBy) & ~LaneBit);
}

AstNames BodyWriter::guardNames(const EmitNode &node, const PrintSite &at,
                                unsigned lane, AstNames names) const {
  const std::vector<SymbolId> &coordinates = coordinatesOf(node);
  const LaneAxis &axis = divergence->axis();
  for (unsigned i = 0; i < coordinates.size(); ++i) {
    LinearForm value = at.coordinates.at(coordinates[i]);
    if (axis.lanes > 1 && coordinates[i] == axis.symbol)
      value.constant += static_cast<int64_t>(lane) * axis.step;
    names.names[guardName(i)] = value;
  }
  return names;
}

PrintedText BodyWriter::guardText(const EmitNode &node,
                                  const AstNames &names) const {
  return (node.isGuardNegated ? printOpposite : printAst)(*node.guard, names);
}

/// One past the last child from `begin` on that is written under the same
/// conditions: points of a tile are work-items, which need no common order.
/// Lanes of a loop do, so statements with lanes stay apart, and what a tile
/// does for its own ids only has a condition more.
size_t BodyWriter::guardedRun(const EmitNode &block, size_t begin,
                              const AstNames &names) {
  const EmitNode &first = block.children[begin];
  if (!first.guard || isOwned(first) || kernel.sharesWork() ||
      divergence->axis().lanes > 1)
    return begin + 1;
  const DivergenceMask points = guardedPoints(first);
  auto texts = [&](const EmitNode &node) {
    std::vector<std::string> result;
    forEachPoint(points,
                 siteOf(node, model.statements[node.index].coordinates, names),
                 [&](PrintSite &at) {
                   result.push_back(
                       guardText(node, guardNames(node, at, 0, names)).text);
                 });
    return result;
  };
  const std::vector<std::string> conditions = texts(first);
  size_t end = begin + 1;
  while (end < block.children.size() && block.children[end].guard &&
         !isOwned(block.children[end]) &&
         guardedPoints(block.children[end]) == points &&
         texts(block.children[end]) == conditions)
    ++end;
  return end;
}

void BodyWriter::emitGuarded(const std::vector<const EmitNode *> &nodes,
                             const AstNames &names, std::vector<OutNode> &out) {
  const EmitNode &first = *nodes.front();
  if (kernel.sharesWork()) {
    failure = "a condition that lanes do not agree on";
    return;
  }
  StatementPrinter printer(environment);
  bool byLane = divergence->ofSymbols(first.guardedBy) & LaneBit;
  unsigned lanes = byLane ? divergence->axis().lanes : 1;
  // Every statement has its own coordinates: those of copies of one differ.
  std::vector<std::vector<PrintSite>> sites;
  for (const EmitNode *node : nodes) {
    PrintSite site =
        siteOf(*node, model.statements[node->index].coordinates, names);
    sites.emplace_back();
    forEachPoint(guardedPoints(first), site,
                 [&](PrintSite &at) { sites.back().push_back(at); });
  }
  for (size_t point = 0; point < sites.front().size(); ++point)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const AstNames known =
          guardNames(first, sites.front()[point], lane, names);
      const std::optional<bool> runs = decideAst(*first.guard, known);
      // A point that never runs the statements.
      if (runs == first.isGuardNegated)
        continue;
      OutNode scope;
      scope.isScope = true;
      const std::string asked = runs ? "" : guardText(first, known).text;
      const bool isKnown = runs || llvm::is_contained(conditionsAround, asked);
      // A block keeps what is declared for one point from the others.
      scope.lines.push_back(isKnown ? "" : "if (" + asked + ")");
      for (size_t i = 0; i < nodes.size(); ++i) {
        const Statement &statement = model.statements[nodes[i]->index];
        PrintSite &at = sites[i][point];
        addLines(byLane ? printer.printLane(statement, at, lane)
                        : printer.print(statement, at),
                 scope.children);
      }
      if (!scope.children.empty())
        out.push_back(std::move(scope));
    }
  if (!printer.failure().empty())
    failure = printer.failure();
}

} // namespace clopt
