//===- VerifyTiles.cpp - boxes of staged sections, once more --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every reference that uses a section in local memory, or one in registers,
// must lie in its box: no work-item of the group's tile, and no iteration of
// the loop's tile, may have a cell below the first or behind the last.
//
//   first id <= id < first id + ids of the tile, for each dimension
//   first iteration <= k < first iteration + tile
//   cell < base(first id, first iteration), or cell >= base + extent(ids)
//
// The number of ids along the adaptive dimension is an unknown of the system.
//
// Tested by test/unit/VerifyTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/OrderVerifier.h"

#include "Analysis/access/Selections.h"

namespace clopt {

/// Puts into the system where the group's tile and the loop's tile begin, for
/// an instance in them.
OrderVerifier::TileFrame OrderVerifier::addFrame(InstanceSystem &system,
                                                 const ArrayTile &tile,
                                                 const Instance &at) const {
  TileFrame frame;
  std::optional<unsigned> adaptive = kernel.adaptiveDimension();
  for (unsigned i = 0; i < at.columns.size(); ++i) {
    const Symbol &symbol = model.symbols[at.statement->coordinates[i]];
    unsigned d = symbol.dim;
    if (symbol.kind != SymbolKind::GlobalId || tile.isPrivate())
      continue;
    const WorkDimension &work = kernel.work[d];
    int64_t most = work.groupIds ? work.groupIds : work.total();
    unsigned first = system.addColumns(1)[0], ids = system.addColumns(1)[0];
    frame.first[at.statement->coordinates[i]] = first;
    frame.ids[d] = ids;
    // 1 <= ids <= most; 0 <= id - first <= ids - 1
    system.addNonNegative({-1, {{ids, 1}}});
    system.addNonNegative({most, {{ids, -1}}});
    if (adaptive != d)
      system.addZero({-most, {{ids, 1}}});
    system.addNonNegative({0, {{at.columns[i], 1}, {first, -1}}});
    system.addNonNegative({-1, {{ids, 1}, {at.columns[i], -1}, {first, 1}}});
  }
  // In a nest the loops over tiles are coordinates themselves.
  if (!tile.loop || tile.inTree || !tile.nest.empty())
    return frame;
  const Loop &loop = model.loops[*tile.loop];
  const ScheduleNode *node = findLoop(kernel.tree, *tile.loop);
  unsigned place = coordinateOf(*at.statement, loop.iterator);
  if (!node || place == ~0u)
    return frame;
  unsigned first = system.addColumns(1)[0];
  frame.first[loop.iterator] = first;
  int64_t sign = loop.step < 0 ? -1 : 1;
  int64_t span = (static_cast<int64_t>(node->tile) - 1) * loop.step * sign;
  unsigned k = at.columns[place];
  // 0 <= sign * (k - first) <= span
  system.addNonNegative({0, {{k, sign}, {first, -sign}}});
  system.addNonNegative({span, {{k, -sign}, {first, sign}}});
  return frame;
}

/// The first cell along dimension `d`; nothing when it is not affine.
std::optional<LinearSum> OrderVerifier::firstCell(InstanceSystem &system,
                                                  const ArrayTile &tile,
                                                  const TileFrame &frame,
                                                  const Instance &at,
                                                  unsigned d) const {
  const Polynomial &base = tile.base[d];
  if (base.overflowed() || !base.isAffine())
    return std::nullopt;
  Polynomial rest;
  LinearSum sum;
  for (const auto &[monomial, coefficient] : base.terms) {
    auto first =
        monomial.empty() ? frame.first.end() : frame.first.find(monomial[0]);
    if (first == frame.first.end())
      rest.terms[monomial] = coefficient;
    else
      sum.terms.emplace_back(first->second, coefficient);
  }
  std::optional<LinearSum> own = affine(system, at, rest);
  if (own)
    own->add(sum, 1);
  return own;
}

/// Whether the access has a cell outside of the box, along dimension `d`.
Points OrderVerifier::leavesBox(const ArrayTile &tile, const Access &access,
                                const RelationPiece &piece, unsigned d,
                                bool isBelow) const {
  InstanceSystem system;
  addContext(system);
  Columns cell = system.addColumns(piece.outputs);
  Instance at =
      addInstance(system, model.statements[access.statement], &piece, cell);
  TileFrame frame = addFrame(system, tile, at);
  std::optional<LinearSum> base = firstCell(system, tile, frame, at, d);
  if (!base)
    return Points::Unknown;
  // cell <= base - 1, or cell >= base + extent
  LinearSum outside{isBelow ? -1 : 0, {{cell[d], isBelow ? -1 : 1}}};
  outside.add(*base, isBelow ? 1 : -1);
  if (!isBelow) {
    outside.constant -= tile.extents[d].constant;
    for (unsigned w = 0; w < 3; ++w) {
      auto ids = frame.ids.find(w);
      if (tile.extents[d].perId[w] == 0)
        continue;
      if (ids == frame.ids.end())
        return Points::Unknown;
      outside.terms.emplace_back(ids->second, -tile.extents[d].perId[w]);
    }
  }
  system.addNonNegative(outside);
  return system.findPoint();
}

/// Instances of the statement that take the branches for which sections of the
/// array are made; in other tiles there are none.
isl::set OrderVerifier::choosing(const Statement &statement,
                                 const ArrayTile &tile,
                                 const Access &access) const {
  isl::set result = statement.domain;
  if (tile.loop || tile.isPrivate() || !tile.copyIn)
    return result;
  for (const Polynomial &subscript : access.subscripts)
    for (SymbolId atom : selectsIn(model, subscript, kernel.selections)) {
      auto branch = kernel.selections.find(atom);
      if (branch == kernel.selections.end())
        continue;
      if (auto against =
              instancesAgainst(model, statement, atom, branch->second))
        result = result.subtract(*against);
    }
  return result;
}

StepResult OrderVerifier::checkBox(const ArrayTile &tile) {
  for (unsigned id : tile.accesses) {
    const Access &access = model.accesses[id];
    const Statement &statement = model.statements[access.statement];
    for (const RelationPiece &piece : piecesOf(access.relation.intersect_domain(
             choosing(statement, tile, access))))
      for (unsigned d = 0; d < tile.base.size(); ++d)
        for (bool isBelow : {true, false}) {
          Points points = leavesBox(tile, access, piece, d, isBelow);
          if (points != Points::None)
            return violation(model, points,
                             "a reference to '" +
                                 model.arrays[tile.array].name +
                                 "' is outside of its " +
                                 (tile.inTree ? "registers" : "section"),
                             access.range);
        }
  }
  return std::nullopt;
}

StepResult OrderVerifier::checkBoxes() {
  for (const ArrayTile &tile : kernel.tiles)
    if (StepResult wrong = checkBox(tile))
      return wrong;
  return std::nullopt;
}

} // namespace clopt
