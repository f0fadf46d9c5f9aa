//===- InteriorTiles.cpp - the fast version away from borders -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/InteriorTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/InteriorTiles.h"

#include "Analysis/access/Selections.h"
#include "Emit/lower/TileDomains.h"

#include <algorithm>

namespace clopt {

/// Without the statements that are dead; false when nothing is left.
static bool prune(ScheduleNode &node, const std::set<int> &dead) {
  if (node.kind == ScheduleNode::Kind::Leaf)
    return !dead.count(static_cast<int>(node.statement));
  if (node.kind == ScheduleNode::Kind::Copy)
    return !dead.count(copyKey(node.copy));
  auto isEmpty = [&](ScheduleNode &child) { return !prune(child, dead); };
  node.children.erase(
      std::remove_if(node.children.begin(), node.children.end(), isEmpty),
      node.children.end());
  return !node.children.empty();
}

InteriorKernel::InteriorKernel(const TransformedKernel &kernel,
                               const std::set<int> &dead)
    : resolved(kernel) {
  if (kernel.selections.empty())
    return;
  model = resolveModel(*kernel.model, kernel.selections);
  resolved.model = &*model;
  resolved.replacements =
      findReplacements(*kernel.model, *model, kernel.selections);
  resolved.replacements.insert(kernel.replacements.begin(),
                               kernel.replacements.end());
  for (ArrayTile &copy : resolved.tiles)
    for (Polynomial &base : copy.base)
      base = resolve(*kernel.model, base, kernel.selections);
  prune(resolved.tree, dead);
}

} // namespace clopt
