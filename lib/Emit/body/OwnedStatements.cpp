//===- OwnedStatements.cpp - what tiles do for some of their ids only -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile that was moved (MovedTiles.h) computes for ids of its neighbour too,
// and must not store for them. Most work-items have ids of their own only:
//
//   const bool own = x0 >= x_first;
//   ...
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
// In tiles of a group there is a bit for each id. In one number they take one
// register until then, where the ends of the tile's own ids take two to four.
// (Drivers that choose the group choose one work-item where kernels need many:
// on an H100 70 registers became 64, and a product of 1013 x 1013 took 0.5 ms
// in place of 18.5.)
//
//   uint own = 0xf;
//   if (x0 < x_first) {
//       own = 0;
//       for (int point = 0; point < 4; point++) {
//           const int x = x0 + point;
//           own |= (uint)(x >= x_first) << point;
//       }
//   }
//
// `own == 0xf` for `own`, and `own >> point & 1` for `x >= x_first`. So it is
// with ids beyond a slanted border (MaskedPoints.h): `if (x0 + 3 <= y0)` for
// `if (own)`, and `x <= y` for `x >= x_first`.
//
// Tested by test/unit/MovedTilesTest.cpp, test/lit/tile/moved.test,
// test/lit/tile/masked.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"
#include "Emit/body/PointCounter.h"
#include "Emit/lower/MaskedPoints.h"

#include <llvm/ADT/Twine.h>

#include <algorithm>

namespace clopt {

/// True for what is done for a tile's own ids only, where it was moved.
bool BodyWriter::isOfMoved(const EmitNode &node) const {
  if (!moved)
    return false;
  const std::set<unsigned> &owned = node.kind == EmitNode::Kind::Copy
                                        ? moved->owned.copies
                                        : moved->owned.statements;
  return owned.count(node.index) != 0;
}

bool BodyWriter::isOwned(const EmitNode &node) const {
  return node.guardOfAll || isOfMoved(node);
}

const std::vector<SymbolId> &
BodyWriter::coordinatesOf(const EmitNode &node) const {
  return node.kind == EmitNode::Kind::Copy
             ? kernel.tiles[kernel.copies[node.index].tile].coordinates
             : model.statements[node.index].coordinates;
}

/// Of an OpenCL `ulong`.
static constexpr unsigned mostOwnBits = 64;

/// The operands of && as one condition.
static PrintedText both(const std::vector<PrintedText> &operands) {
  if (operands.size() == 1)
    return operands.front();
  PrintedText result = {"", PrecLAnd};
  for (const PrintedText &each : operands) {
    if (each.text == "0")
      return each;
    result.text +=
        (result.text.empty() ? "" : " && ") + atLeast(each, PrecLAnd);
  }
  return result;
}

/// Of the lanes, where they are work-items.
std::optional<unsigned> BodyWriter::laneDimension() const {
  const LaneAxis &lane = divergence->axis();
  for (unsigned d : workCoordinates(model))
    if (auto id = model.symbols.find(SymbolKind::GlobalId, d);
        id && lane.lanes > 1 && *id == lane.symbol)
      return d;
  return std::nullopt;
}

PointCounter BodyWriter::countedIds() const {
  const std::optional<unsigned> dim = laneDimension();
  return {environment.points, dim ? divergence->axis() : LaneAxis(), dim};
}

/// Bits of the number that tells which ids of a work-item are its tile's own;
/// 0 where it is only known whether all are.
unsigned BodyWriter::ownBits() const {
  const unsigned count = countedIds().count();
  return kernel.isGrouped() && count > 1 && count <= mostOwnBits ? count : 0;
}

std::string ownType(unsigned bits) {
  return typeName(bits <= 32 ? ScalarKind::UInt : ScalarKind::ULong);
}

/// All bits of that number.
std::string BodyWriter::allOwn() const {
  return "0x" +
         llvm::Twine::utohexstr(~uint64_t(0) >> (mostOwnBits - ownBits()))
             .str();
}

/// The first ids of the work-item, in the dimensions that tiles move along.
PrintSite BodyWriter::siteOfMoved() const {
  const std::vector<unsigned> dims = workCoordinates(model);
  PrintSite site;
  for (size_t i = 0; i < moved->moves.size(); ++i)
    if (moved->moves[i])
      site.coordinates.emplace(
          *model.symbols.find(SymbolKind::GlobalId, dims[i]),
          LinearForm::ofTerm(shared.bases[i]));
  return site;
}

/// One past the last id of the tile's own.
static std::string endOfOwn(const TransformedKernel &kernel,
                            const KernelNames &names, size_t i) {
  return (LinearForm::ofTerm(names.firsts[i]) + wholeIds(kernel, names, i))
      .print()
      .text;
}

/// True for ids that are the tile's own.
PrintedText BodyWriter::isOwn(const PrintSite &at) const {
  std::vector<PrintedText> operands;
  for (size_t i = 0; i < moved->moves.size(); ++i) {
    if (!moved->moves[i])
      continue;
    const std::string value =
        at.coordinates.at(model.statements[0].coordinates[i]).print().text;
    operands.push_back({value + " >= " + shared.firsts[i], PrecRelational});
    if (moved->moves[i]->least)
      operands.push_back(
          {value + " < " + endOfOwn(kernel, shared, i), PrecRelational});
  }
  return both(operands);
}

/// Whether all ids of a work-item are its tile's own, or `isNegated` not.
PrintedText BodyWriter::ownsWhole(const PrintSite &first,
                                  bool isNegated) const {
  const std::vector<unsigned> dims = workCoordinates(model);
  std::string text;
  auto add = [&](const std::string &value, const char *plain,
                 const char *negated, const std::string &end) {
    text += (text.empty() ? ""
             : isNegated  ? " || "
                          : " && ") +
            value + (isNegated ? negated : plain) + end;
  };
  for (size_t i = 0; i < moved->moves.size(); ++i) {
    if (!moved->moves[i])
      continue;
    const LinearForm &base =
        first.coordinates.at(model.statements[0].coordinates[i]);
    add(base.print().text, " >= ", " < ", shared.firsts[i]);
    if (!moved->moves[i]->least)
      continue;
    const WorkDimension &work = kernel.work[dims[i]];
    LinearForm last = base;
    last.constant += work.lanes - 1;
    if (!shared.strides[i].empty())
      last = last + LinearForm::ofTerm(shared.strides[i], work.points - 1);
    else
      last.constant +=
          (work.points - 1) * work.lanes * (work.strided ? work.threads() : 1);
    add(last.print().text, " < ", " >= ", endOfOwn(kernel, shared, i));
  }
  return {text, isNegated ? PrecLOr : PrecLAnd};
}

/// True for work-items that run the node for all of their ids.
PrintedText BodyWriter::ownsAll(const EmitNode &node, const AstNames &names) {
  std::vector<PrintedText> operands;
  if (isOfMoved(node)) {
    if (ownBits())
      operands.push_back({shared.own + " == " + allOwn(), PrecEquality});
    else
      operands.push_back({shared.own});
  }
  if (node.guardOfAll)
    operands.push_back(printAst(
        *node.guardOfAll,
        guardNames(node, siteOf(node, coordinatesOf(node), names), 0, names)));
  return both(operands);
}

/// True for ids that run the node: for the point of the counter.
PrintedText BodyWriter::ownsPoint(const EmitNode &node, const PrintSite &at,
                                  const PointCounter &points,
                                  const AstNames &names) const {
  std::vector<PrintedText> operands;
  if (isOfMoved(node)) {
    const DivergenceMask all = 7u | (laneDimension() ? LaneBit : 0);
    if (ownBits())
      operands.push_back({shared.own + " >> " +
                              atLeast(points.place(all), PrecAdditive) + " & 1",
                          PrecAnd});
    else
      operands.push_back(isOwn(at));
  }
  if (node.guardOfAll)
    operands.push_back(guardText(node, guardNames(node, at, 0, names)));
  return both(operands);
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

/// True when the cells that are loaded are those of the ids in the text, not of
/// variables that were set for other ids before.
bool BodyWriter::followsIds(const EmitNode &node) const {
  if (node.kind == EmitNode::Kind::Copy)
    return true;
  return llvm::all_of(model.statements[node.index].accesses, [&](unsigned id) {
    const Access &access = model.accesses[id];
    bool follows = true;
    if (access.expr && !access.isWrite &&
        model.arrays[access.array].space != AddressSpace::Private)
      forEachExpr(ExprRef(ExprRef(), access.expr), [&](const ExprRef &part) {
        follows &= part->kind != ExprKind::VarRef ||
                   shared.coordinateVariables.count(part->var) ||
                   (divergence->ofExpr(part) & 7u) == 0;
      });
    return follows;
  });
}

/// Where hasNearestIds(): whether the last id of a work-item is its tile's own.
std::string BodyWriter::hasOwnIds() const {
  if (ownBits())
    return shared.own;
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

/// True for what gives values to variables or registers of a work-item.
bool BodyWriter::keepsValues(const EmitNode &node) const {
  return !writesMemory(kernel, node.kind == EmitNode::Kind::Copy
                                   ? copyKey(node.index)
                                   : static_cast<int>(node.index));
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

/// One past the last child from `begin` on that is for the same ids as the
/// first. Ids of a tile need no common order, iterations in lanes do.
size_t BodyWriter::ownedRun(const EmitNode &block, size_t begin,
                            const AstNames &names) {
  const EmitNode &first = block.children[begin];
  auto isOwn = [&](const EmitNode &node) {
    return isOwned(node) && !node.guard == !node.guardOfAll &&
           isOfMoved(node) == isOfMoved(first) &&
           ownsAll(node, names).text == ownsAll(first, names).text;
  };
  const bool isWithin = isActive || !kernel.isGrouped();
  const Symbol &lane = model.symbols[divergence->axis().symbol];
  if (!isOwn(first) || !isWithin || kernel.sharesWork() ||
      (divergence->axis().lanes > 1 && lane.kind != SymbolKind::GlobalId))
    return begin + 1;
  size_t end = begin + 1;
  std::set<unsigned> stored;
  noteStores(first, stored);
  while (end < block.children.size() && isOwn(block.children[end]) &&
         keepsValues(block.children[end]) == keepsValues(first) &&
         block.children[end].kind == first.kind &&
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
  all.condition = ownsAll(*nodes.front(), names);
  all.lines.push_back("if (" + all.condition.text + ")");
  some.isElse = true;
  some.lines.push_back("else");
  for (const EmitNode *node : nodes)
    if (node->guard && !node->guardOfAll)
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
  const bool loads = keepsValues(*nodes.front());
  // One way for all work-items of a group takes fewer registers than two: what
  // is loaded for an id that is not the tile's own is a cell of the work-item's
  // own. (A product that adds to memory on an H100: 40 in place of 72.)
  if (loads && kernel.isGrouped() && !nodes.front()->guardOfAll &&
      hasNearestIds() && llvm::all_of(nodes, [&](const EmitNode *node) {
        return followsIds(*node);
      })) {
    emitPointLoop(nodes, PointsOf::Nearest, names, out);
    return;
  }
  // No work-item runs it for all of its ids.
  if (all.condition.text == "0")
    return emitPointLoop(nodes, PointsOf::Mixed, names, out);
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
