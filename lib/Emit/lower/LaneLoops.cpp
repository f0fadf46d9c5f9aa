//===- LaneLoops.cpp - loops whose iterations are lanes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/BodyWriterTest.cpp, test/lit/vectorize/loop.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

namespace clopt {

/// The body of a loop whose iterations are lanes: one vector, or several one
/// after the other.
void BodyWriter::emitLanes(const EmitNode &node, AstNames names,
                           OutNode &scope) {
  std::unique_ptr<Divergence> outside = std::move(divergence);
  LaneAxis axis;
  axis.symbol = model.loops[node.loop].iterator;
  axis.step = model.loops[node.loop].step;
  axis.lanes = node.lanes;
  DivergenceMask points = 0;
  for (unsigned d = 0; d < 3; ++d)
    if (environment.points[d] > 1)
      points |= 1u << d;
  // What stands behind the loop computes with its result. Points differ by what
  // they did before it.
  const ScheduleNode &region =
      points == 0 ? *findLoop(kernel.tree, node.loop) : kernel.tree;
  divergence =
      std::make_unique<Divergence>(kernel, region, axis, points, guards);
  environment.divergence = divergence.get();
  environment.separateVectors = true;
  std::set<std::string> before;
  for (const auto &[name, local] : locals)
    before.insert(name);
  for (unsigned copy = 0; copy < node.unroll; ++copy) {
    if (node.unroll > 1)
      shifts[axis.symbol] = static_cast<int64_t>(copy) * node.lanes * axis.step;
    emit(node.children[0], names, scope.children);
  }
  shifts.erase(axis.symbol);
  for (const auto &[name, local] : locals)
    if (!before.count(name))
      vectorLoopOf[name] = node.loop;
  environment.separateVectors = false;
  emitLastLanes(scope);
  divergence = std::move(outside);
  environment.divergence = divergence.get();
}

/// What is stored after the loop is the last lane's value.
void BodyWriter::emitLastLanes(OutNode &scope) {
  std::vector<std::pair<std::string, LocalName>> vectors;
  for (const auto &[name, local] : locals)
    if (local.copy && vectorLoopOf.count(name) && !local.scalar.empty())
      vectors.emplace_back(name, local);
  for (const auto &[name, local] : vectors) {
    const ArrayTile &copy = kernel.tiles[*local.copy];
    if (!copy.copyOut || kernel.partialOf(vectorLoopOf.at(name), copy.array))
      continue;
    const std::string &scalar = local.scalar;
    if (!locals.count(scalar)) {
      LocalName own = local;
      own.name = scalar;
      own.scalar.clear();
      own.type = typeName(model.arrays[copy.array].elementType.scalar);
      locals[scalar] = own;
    }
    char last = "0123456789abcdef"[divergence->axis().lanes - 1];
    const int64_t cells = copy.cells(kernel);
    for (int64_t cell = 0; cell < cells; ++cell) {
      std::string index = cells > 1 ? "[" + std::to_string(cell) + "]" : "";
      OutNode node;
      node.lines.push_back(scalar + index + " = " + name + index + ".s" + last +
                           ";");
      node.uses = {scalar, name};
      scope.children.push_back(std::move(node));
    }
  }
}

} // namespace clopt
