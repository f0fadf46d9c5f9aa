//===- BodyTiles.cpp - tiles of loops and sections in local memory --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tiled loop becomes two: over the first iterations of the tiles, and over
// the iterations of one. Between their headers the group copies what is staged.
// All work-items of a group reach the barriers; everything else is done only by
// those that have part of the group's tile.
//
// Tested by test/unit/BodyWriterTest.cpp, test/lit/stage.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

#include "Analysis/ranges/NestTiles.h"
#include "Emit/lower/AstValues.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

bool BodyWriter::stages(std::optional<unsigned> loop, bool isIn) const {
  for (const ArrayTile &tile : kernel.sections())
    if (tile.loop == loop && (isIn ? tile.copyIn : tile.copyOut))
      return true;
  return false;
}

/// True for a tile that is cut, and stands behind whole ones.
bool BodyWriter::isCut(const EmitNode &node) {
  if (!node.cutTile || !node.condition)
    return false;
  isl_ast_expr_op_type op = astOperation(*node.condition);
  return op == isl_ast_expr_op_lt || op == isl_ast_expr_op_le;
}

/// The iterations of the tile, which begins at isl's `first`.
CutTile BodyWriter::cutTile(const EmitNode &node, const AstNames &names) {
  const isl::ast_expr &condition = *node.condition;
  isl_ast_expr *left = isl_ast_expr_sub(astOperand(condition, 1).release(),
                                        astOperand(condition, 0).release());
  LinearForm form = toForm(isl::manage(left), names);
  if (astOperation(condition) == isl_ast_expr_op_le)
    form.constant += 1;
  return {node.cutTile, form};
}

/// True when cells are copied below the node; `byGroup`: by the group, between
/// barriers. Copies of a work-item's own need none.
bool BodyWriter::hasStage(const EmitNode &node, bool byGroup) const {
  if (byGroup && !kernel.isGrouped())
    return false;
  if (node.kind == EmitNode::Kind::Statement &&
      model.statements[node.index].isBarrier)
    return true;
  bool isPrivate = keepsPrivately(node.loop);
  if (node.kind == EmitNode::Kind::For && (node.tile > 0 || isCut(node)) &&
      (stages(node.loop, true) || stages(node.loop, false)) &&
      !(byGroup && isPrivate))
    return true;
  if (node.kind == EmitNode::Kind::Fill)
    return !isPrivate;
  for (const EmitNode &child : node.children)
    if (hasStage(child, byGroup))
      return true;
  return false;
}

static bool hasLoop(const EmitNode &node) {
  if (node.kind == EmitNode::Kind::For && node.condition)
    return true;
  for (const EmitNode &child : node.children)
    if (hasLoop(child))
      return true;
  return false;
}

/// True for the points of a tile that a border cuts. NVIDIA's compiler (driver
/// 580) writes out loops such as
///
///   for (int j = max(1, j0); j < min(min(n - 1, j_end), j0 + 2); j++)
///
/// with iterations that are not there.
bool BodyWriter::isAtBorder(const EmitNode &node) const {
  if (node.loopKind == EmitNode::LoopKind::Work)
    return true;
  if (node.loopKind != EmitNode::LoopKind::Sequential || !node.condition ||
      isl_ast_expr_get_type(node.condition->get()) != isl_ast_expr_op)
    return false;
  const isl::ast_expr end = astOperand(*node.condition, 1);
  if (isl_ast_expr_get_type(end.get()) != isl_ast_expr_op ||
      astOperation(end) != isl_ast_expr_op_min)
    return false;
  for (unsigned tiles = 0; tiles < model.loops.size(); ++tiles)
    if (pointLoop(model, tiles) == node.loop)
      return true;
  return false;
}

/// True for loops beside those over tiles: the iterations that fill no tile,
/// and the general version of a group's tile. Copies of their bodies would only
/// take registers from the tiles.
bool BodyWriter::isBesideTiles(const EmitNode &node) const {
  if (isAtBorder(node))
    return true;
  if (!kernel.isGrouped() || node.tile || isCut(node) ||
      node.loopKind != EmitNode::LoopKind::Sequential)
    return false;
  if (!tiled)
    return !hasLoop(node.children[0]);
  const ScheduleNode *loop = findLoop(kernel.tree, node.loop);
  return loop && loop->tile;
}

/// A condition on the work-item.
OutNode BodyWriter::ifInside() const {
  OutNode scope = lineOf("if (" + shared.group.inside + ")");
  scope.condition = {shared.group.inside};
  scope.isScope = true;
  scope.uses.insert(shared.group.inside);
  return scope;
}

/// Encloses what has no barrier in a condition on the work-item.
void BodyWriter::emitShared(const EmitNode &node, const AstNames &names,
                            std::vector<OutNode> &out) {
  auto emitActive = [&](const std::vector<const EmitNode *> &nodes) {
    OutNode scope = ifInside();
    isActive = true;
    for (const EmitNode *each : nodes)
      emitNode(*each, names, scope.children);
    isActive = false;
    if (!scope.children.empty())
      out.push_back(std::move(scope));
  };
  if (steers(node)) {
    if (!isUniform(node))
      failure = "a value that decides on barriers";
    isActive = true;
    emitNode(node, names, out);
    isActive = false;
    return;
  }
  if (!hasStage(node))
    return emitActive({&node});
  if (node.kind != EmitNode::Kind::Block)
    return emitNode(node, names, out);
  std::vector<const EmitNode *> run;
  for (const EmitNode &child : node.children) {
    const bool isForAll = steers(child);
    if (!isForAll && !hasStage(child)) {
      run.push_back(&child);
      continue;
    }
    if (!run.empty())
      emitActive(run);
    run.clear();
    if (isForAll && !isUniform(child))
      failure = "a value that decides on barriers";
    isActive = isForAll;
    emit(child, names, out);
    isActive = false;
  }
  if (!run.empty())
    emitActive(run);
}

void BodyWriter::setTiles(std::optional<unsigned> loop, bool isActiveNow) {
  for (unsigned t = 0; t < kernel.tiles.size(); ++t) {
    if (kernel.tiles[t].inTree || kernel.tiles[t].loop != loop || !tiled)
      continue;
    if (isActiveNow)
      environment.activeTiles.insert(t);
    else
      environment.activeTiles.erase(t);
  }
}

/// The copies of what is kept during a tile of nested loops.
void BodyWriter::emitFill(const EmitNode &node, const AstNames &names,
                          std::vector<OutNode> &out) {
  const std::map<SymbolId, LinearForm> around = iterators;
  const std::vector<SymbolId> coordinates = coordinatesAt(kernel, node.loop);
  // In the points of a tile isl has its start only.
  for (size_t i = 0; i < coordinates.size(); ++i)
    if (model.symbols[coordinates[i]].kind == SymbolKind::Iterator &&
        !pointIterators.count(coordinates[i]))
      iterators[coordinates[i]] = toForm(node.coordinates[i], names);
  OutNode block = lineOf("");
  block.isScope = true;
  emitCopies(node.loop, node.isIn, block.children);
  iterators = around;
  const bool declares =
      !keepsPrivately(node.loop) &&
      std::any_of(block.children.begin(), block.children.end(),
                  [](const OutNode &line) { return line.isDeclaration; });
  // Another tile's copies may stand beside these.
  if (declares)
    out.push_back(std::move(block));
  else
    std::move(block.children.begin(), block.children.end(),
              std::back_inserter(out));
}

void BodyWriter::emitSection(const EmitNode &node, const AstNames &names,
                             std::vector<OutNode> &out) {
  const std::set<unsigned> around = writtenOut;
  for (const ArrayTile &tile : kernel.sections())
    for (const TileRange &range : tile.nest)
      for (unsigned l = 0; l < model.loops.size(); ++l)
        if (tile.loop == node.loop && tile.isPrivate() &&
            model.loops[l].iterator == range.iterator)
          writtenOut.insert(l);
  setTiles(node.loop, true);
  emit(node.children[0], names, out);
  setTiles(node.loop, false);
  writtenOut = around;
}

/// True when one work-item keeps sections of its own during tiles of the loop.
bool BodyWriter::keepsPrivately(std::optional<unsigned> loop) const {
  for (const ArrayTile &tile : kernel.sections())
    if (tile.isPrivate() && tile.loop == loop)
      return true;
  return false;
}

/// Copies in at the beginning of a region, or out at its end.
void BodyWriter::emitCopies(std::optional<unsigned> loop, bool isIn,
                            std::vector<OutNode> &out,
                            const std::optional<CutTile> &cut) {
  static const char *const barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
  bool copies = stages(loop, isIn);
  if (!copies && !(isIn && stages(loop, false)))
    return;
  bool isShared = !keepsPrivately(loop);
  PrintSite site;
  site.coordinates = iterators;
  for (const auto &[symbol, shift] : shifts)
    if (auto own = site.coordinates.find(symbol); own != site.coordinates.end())
      own->second.constant += shift;
  const std::vector<std::string> &bases =
      isShared ? shared.group.bases : shared.bases;
  for (size_t i = 0; i < bases.size(); ++i)
    site.coordinates[model.statements[0].coordinates[i]] =
        LinearForm::ofTerm(bases[i]);
  StatementPrinter printer(environment);
  std::vector<OutNode> copied;
  for (unsigned t = 0; t < kernel.tiles.size(); ++t) {
    const ArrayTile &tile = kernel.tiles[t];
    if (tile.inTree || tile.loop != loop)
      continue;
    if (tile.isPrivate() && isIn) {
      OutNode declaration = lineOf(declareTile(kernel, shared, t));
      declaration.isDeclaration = true;
      copied.push_back(std::move(declaration));
    }
    if (!(isIn ? tile.copyIn : tile.copyOut))
      continue;
    TileCopy copy = copyTile(kernel, shared, t, isIn, printer, site, cut);
    asksWhole |= copy.asksWhole;
    OutNode node;
    node.uses = std::move(copy.uses);
    if (!copy.start.empty()) {
      OutNode start = lineOf(copy.start);
      start.uses = node.uses;
      start.isDeclaration = true;
      out.push_back(std::move(start));
    }
    node.lines = std::move(copy.lines);
    copied.push_back(std::move(node));
  }
  // Nobody still reads what is overwritten; everything is there to be read.
  if (isShared)
    out.push_back(lineOf(barrier));
  std::move(copied.begin(), copied.end(), std::back_inserter(out));
  if (!printer.failure().empty())
    failure = printer.failure();
  if (isIn && copies && isShared)
    out.push_back(lineOf(barrier));
}

/// The loop over the iterations of one tile, and the copies around it. `scope`
/// is the body of the loop over tiles.
void BodyWriter::emitTile(const EmitNode &node, AstNames names,
                          OutNode &scope) {
  const Loop &loop = model.loops[node.loop];
  const std::string &name = shared.loops[node.loop];
  const bool isWhole = node.tile > 0;
  std::optional<CutTile> cut;
  if (!isWhole)
    cut = cutTile(node, names);
  LinearForm start = names.names[node.iterator].times(node.isDownward ? -1 : 1);
  iterators[loop.iterator] = start;
  emitCopies(node.loop, true, scope.children, cut);
  OutNode inner;
  inner.isScope = inner.isLoop = true;
  inner.loop = node.loop;
  // Registers have no index that is not a constant.
  bool isPrivate = keepsPrivately(node.loop);
  if (!isWhole) {
    // Most launches have whole tiles: what is left over takes little room,
    // and no registers that the tiles do not take. (H100, 21 products: copies
    // of this loop put 13 above the 64 registers with which groups of 1,024
    // run, the loop alone 8.)
    inner.pragma = "#pragma unroll 1";
  } else if (node.unroll != 1 || isPrivate) {
    bool isAll = node.unroll == 0 || node.unroll >= node.tile || isPrivate;
    inner.pragma =
        "#pragma unroll" + (isAll ? "" : " " + std::to_string(node.unroll));
  }
  std::string condition;
  AstNames point = names;
  if (isWhole) {
    const LinearForm end =
        start +
        LinearForm::ofTerm(shared.group.loopSizes.at(node.loop), loop.step);
    condition = name + (node.isDownward ? " > " : " < ") + end.print().text;
  } else {
    // To isl the iterations that are left over are a loop of their own, on
    // which the bounds of those in it depend.
    point.names[node.iterator] =
        LinearForm::ofTerm(name, node.isDownward ? -1 : 1);
    if (auto values = names.intTerms.find(start.terms[0].text);
        values != names.intTerms.end())
      point.intTerms[name] = values->second;
    if (names.wideTerms.count(start.terms[0].text))
      point.wideTerms.insert(name);
    condition = printAst(*node.condition, point).text;
  }
  std::string type = loop.var && loop.var->type.size > 4 ? "long" : "int";
  int64_t step = std::llabs(loop.step);
  std::string sign = node.isDownward ? "-" : "+";
  inner.lines.push_back(
      "for (" + type + " " + name + " = " + start.print().text + "; " +
      condition + "; " + name +
      (step == 1 ? sign + sign : " " + sign + "= " + std::to_string(step)) +
      ")");
  pointIterators[loop.iterator] = LinearForm::ofTerm(name);
  iterators[loop.iterator] = LinearForm::ofTerm(name);
  tileStarts[loop.iterator] = start;
  setTiles(node.loop, true);
  bool wraps = kernel.isGrouped() && !isActive && !hasStage(node.children[0]);
  bool outer = isActive;
  isActive |= wraps;
  emit(node.children[0], point, inner.children);
  isActive = outer;
  setTiles(node.loop, false);
  pointIterators.erase(loop.iterator);
  tileStarts.erase(loop.iterator);
  iterators[loop.iterator] = start;
  if (inner.children.empty())
    failure = "an empty tile";
  if (wraps) {
    OutNode active = ifInside();
    active.children.push_back(std::move(inner));
    scope.children.push_back(std::move(active));
  } else {
    scope.children.push_back(std::move(inner));
  }
  emitCopies(node.loop, false, scope.children, cut);
}

/// True when all cells that the statement reads may be loaded before its copies
/// for the points of the tile: none of them writes memory.
bool BodyWriter::canLoadFirst(const Statement &statement) const {
  if (!tiled || !kernel.isGrouped() || statement.isCompound ||
      statement.isOpaque || !statement.stmt || divergence->isInOrder(statement))
    return false;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    if (access.isWrite &&
        model.arrays[access.array].space != AddressSpace::Private &&
        !kernel.registersOf(id))
      return false;
  }
  return true;
}

std::string BodyWriter::freshRead(const std::string &array) {
  for (;; ++loadedValues) {
    std::string name = array + "_r" + std::to_string(loadedValues);
    if (shared.reserved.count(name) || locals.count(name))
      continue;
    ++loadedValues;
    return name;
  }
}

/// Where the site's cells lie within the sections of the group's tile.
void BodyWriter::makeRelative(PrintSite &site) const {
  std::vector<unsigned> dims = workCoordinates(model);
  for (size_t i = 0; i < dims.size(); ++i) {
    auto id = model.symbols.find(SymbolKind::GlobalId, dims[i]);
    if (!id || !site.coordinates.count(*id))
      continue;
    if (!kernel.isGrouped())
      break;
    const std::string &offset = shared.group.offsets[i];
    site.coordinates[*id] = LinearForm::ofTerm(shared.bases[i]);
    site.relative[*id] =
        offset.empty() ? LinearForm(0) : LinearForm::ofTerm(offset);
  }
  for (const auto &[symbol, start] : tileStarts)
    site.relative[symbol] = pointIterators.at(symbol) - start;
}

} // namespace clopt
