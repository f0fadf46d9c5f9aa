//===- TilePrinter.cpp - cells of sections in local memory ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints references to arrays whose section is in local memory at the place of
// printing.
//
// Tested by test/unit/StatementPrinterTest.cpp, test/lit/stage.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/ArrayTiles.h"
#include "Emit/print/StatementPrinter.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/CellPart.h"
#include "Analysis/access/Conversions.h"
#include "Analysis/access/Selections.h"

#include <algorithm>
#include <functional>

namespace clopt {

/// The section that holds the cell an expression refers to, if it is there now.
std::optional<unsigned> StatementPrinter::tileOf(const Expr &expr) const {
  if (environment.activeTiles.empty())
    return std::nullopt;
  const Access *access = model.accessOf(expr);
  if (!access)
    return std::nullopt;
  const std::optional<unsigned> tile = kernel.tileOf(access->id);
  return tile && environment.activeTiles.count(*tile) ? tile : std::nullopt;
}

/// The site, with what counts from the first of the section's tile.
PrintSite StatementPrinter::relativeTo(const ArrayTile &tile) const {
  PrintSite result = *site;
  for (const auto &[symbol, form] : site->relative)
    if (countsFromFirst(model, tile, symbol))
      result.coordinates[symbol] = form;
  return result;
}

/// The subscripts of an access's cell in the section.
std::string StatementPrinter::placeInTile(unsigned index, const Access &access,
                                          int lane) {
  const ArrayTile &tile = kernel.tiles[index];
  PrintSite relative = relativeTo(tile);
  if (lane > 0)
    relative.coordinates[environment.divergence->axis().symbol].constant +=
        lane * environment.divergence->axis().step;
  std::string text;
  for (unsigned d : tileDimensions(kernel, tile))
    text +=
        "[" +
        polynomial(relativeSubscript(model, tile, access, d), relative, false)
            .text +
        "]";
  return text;
}

/// The components of a cell, from their planes.
PrintedText StatementPrinter::fromPlanes(unsigned index,
                                         const std::string &place,
                                         std::vector<unsigned> components) {
  const ArrayTile &tile = kernel.tiles[index];
  const bool isWhole = components.empty();
  for (unsigned plane = 0; isWhole && plane < tile.planes(model); ++plane)
    components.push_back(plane);
  auto one = [&](unsigned plane) {
    return environment.tileNames[index] + "[" + std::to_string(plane) + "]" +
           place;
  };
  if (components.size() == 1)
    return {one(components.front()), PrecPostfix};
  std::string text =
      "(" + tile.cellType(model, static_cast<unsigned>(components.size())) +
      ")(";
  for (size_t i = 0; i < components.size(); ++i)
    text += (i ? ", " : "") + one(components[i]);
  return {text + ")", PrecUnary};
}

/// Whether all terms but the constant are multiples of `width` cells. `unit`:
/// what the values of a symbol are multiples of.
static bool areMultiples(const Polynomial &row, int64_t width,
                         const std::function<int64_t(SymbolId)> &unit) {
  for (const auto &[monomial, factor] : row.terms) {
    int64_t known = monomial.size() == 1 ? unit(monomial.front()) : 1;
    if (!monomial.empty() && factor * known % width != 0)
      return false;
  }
  return true;
}

/// Several cells of a row: one aligned vector where that is known.
PrintedText StatementPrinter::rowText(unsigned index, const Expr &expr,
                                      const std::string &first) {
  const ArrayTile &tile = kernel.tiles[index];
  const Access &access = *model.accessOf(expr);
  const int64_t width = access.width;
  const Expr *vector = &expr;
  std::string components;
  for (; vector->kind == ExprKind::Swizzle; vector = vector->operands[0].get())
    components.insert(0, "." + vector->text);
  Polynomial row = relativeSubscript(model, tile, access, tile.rowDimension);
  auto constant = row.terms.find({});
  bool isAligned =
      width != 3 && rowCells(kernel, tile) % width == 0 &&
      width * tile.cellBytes(model) <= 16 &&
      (constant == row.terms.end() || constant->second % width == 0) &&
      areMultiples(row, width, [](SymbolId) { return 1; });
  if (!isAligned)
    return {"vload" + std::to_string(width) + "(0, &" + first + ")" +
                components,
            PrecPostfix};
  std::string text =
      "*(__local const " + tile.cellType(model, access.width) + " *)&" + first;
  if (components.empty())
    return {text, PrecUnary};
  return {"(" + text + ")" + components, PrecPostfix};
}

std::optional<PrintedText> StatementPrinter::tileText(const Expr &expr,
                                                      int lane) {
  std::optional<unsigned> index = tileOf(expr);
  if (!index)
    return std::nullopt;
  const std::string place = placeInTile(*index, *model.accessOf(expr), lane);
  if (model.accessOf(expr)->width > 1)
    return rowText(*index, expr, environment.tileNames[*index] + place);
  const CellPart part = partOfCell(expr).value_or(CellPart());
  if (kernel.tiles[*index].inPlanes)
    return fromPlanes(*index, place, part.components);
  return PrintedText{environment.tileNames[*index] + place + part.text,
                     PrecPostfix};
}

/// A conversion that the section holds the result of: the cell.
std::optional<PrintedText> StatementPrinter::convertedText(const Expr &expr,
                                                           int lane) {
  const Expr *cell =
      environment.activeTiles.empty() ? nullptr : convertedInteger(expr);
  std::optional<unsigned> index = cell ? tileOf(*cell) : std::nullopt;
  if (!index || kernel.tiles[*index].stored != expr.type.scalar)
    return std::nullopt;
  if (std::optional<PrintedText> value = collected(*cell, lane))
    return value;
  return tileText(*cell, lane);
}

/// Cells of the local array between two lanes.
std::optional<Polynomial>
StatementPrinter::laneStrideInTile(const Expr &expr) const {
  const ArrayTile &tile = kernel.tiles[*tileOf(expr)];
  const Access &access = *model.accessOf(expr);
  std::vector<unsigned> dims = tileDimensions(kernel, tile);
  Polynomial offset;
  for (unsigned d : dims) {
    int64_t cells = d == tile.rowDimension ? rowCells(kernel, tile)
                                           : tile.largest(kernel, d);
    offset =
        offset * Polynomial(cells) + relativeSubscript(model, tile, access, d);
  }
  return environment.divergence->laneStrideOf(offset);
}

/// True when lane 0's cell is at a multiple of the vector's size: offsets of
/// work-items are multiples of what one does, everything else of the lanes.
bool StatementPrinter::isAlignedInTile(const Expr &expr) const {
  const ArrayTile &tile = kernel.tiles[*tileOf(expr)];
  const Access &access = *model.accessOf(expr);
  int64_t width = lanes();
  if (width * tile.cellBytes(model) > 16 || rowCells(kernel, tile) % width != 0)
    return false;
  Polynomial row = relativeSubscript(model, tile, access, tile.rowDimension);
  auto constant = row.terms.find({});
  if (constant != row.terms.end() && constant->second % width != 0)
    return false;
  SymbolId axis = environment.divergence->axis().symbol;
  return areMultiples(row, width, [&](SymbolId id) {
    bool isAxis = id == axis && model.symbols[id].kind == SymbolKind::GlobalId;
    return isAxis ? width : 1;
  });
}

/// Prints a read on its own, so that the private variables in it are known.
void StatementPrinter::printAlone(CollectedRead &read,
                                  const std::function<std::string()> &print) {
  std::set<std::string> outside;
  std::swap(used, outside);
  ReadCollector *collector = environment.reads;
  environment.reads = nullptr;
  read.text = print();
  environment.reads = collector;
  read.uses = used;
  used.insert(outside.begin(), outside.end());
}

/// What is known of a read for loading it once.
CollectedRead StatementPrinter::describeRead(const Expr &expr, int lane) {
  const Access &access = *model.accessOf(expr);
  const Array &array = model.arrays[access.array];
  CollectedRead read;
  read.array = array.name;
  Type plain = expr.type;
  plain.isConst = false;
  read.type = typeText(plain);
  printAlone(read, [&] {
    return printOperand(ExprRef(ExprRef(), &expr), PrecUnary, hooks(lane));
  });
  std::optional<unsigned> index = tileOf(expr);
  if (index && kernel.tiles[*index].stored)
    read.type = typeName(*kernel.tiles[*index].stored, expr.type.lanes);
  if (!index || lane > 0)
    return read;
  const ArrayTile &tile = kernel.tiles[*index];
  unsigned width = 16 / std::max(1u, tile.cellBytes(model));
  width = std::min(width, 4u);
  if (width < 2 || rowCells(kernel, tile) % width != 0 ||
      !expr.type.isScalar() || !array.elementType.isScalar() ||
      expr.type.scalar != array.elementType.scalar)
    return read;
  PrintSite relative = relativeTo(tile);
  Polynomial row = relativeSubscript(model, tile, access, tile.rowDimension);
  // A work-item's first id within the tile is a multiple of what it does.
  bool isAligned = areMultiples(row, width, [&](SymbolId id) -> int64_t {
    const Symbol &symbol = model.symbols[id];
    const WorkDimension &work = kernel.work[symbol.dim];
    bool isId = symbol.kind == SymbolKind::GlobalId;
    return isId && !work.strided ? work.total() : 1;
  });
  if (!isAligned)
    return read;
  LinearForm column = linearForm(row, relative, false);
  read.column = column.constant;
  column.constant = 0;
  std::string begin = environment.tileNames[*index];
  for (unsigned d : tileDimensions(kernel, tile))
    if (d != tile.rowDimension)
      begin +=
          "[" +
          polynomial(relativeSubscript(model, tile, access, d), relative, false)
              .text +
          "]";
  read.rowBegin = begin + "[" + column.print().text;
  read.rowEnd = "]";
  read.row = read.rowBegin;
  read.vectorWidth = width;
  read.vectorType = tile.cellType(model, width);
  read.vectorPointer = "__local const " + read.vectorType + " *";
  return read;
}

/// A whole cell of a section, of which some part is read: one load for all.
CollectedRead StatementPrinter::describeCell(unsigned index,
                                             const Access &access, int lane) {
  CollectedRead read;
  read.array = model.arrays[access.array].name;
  read.type = kernel.tiles[index].cellType(model);
  printAlone(read, [&] {
    return environment.tileNames[index] + placeInTile(index, access, lane);
  });
  return read;
}

/// True for a plain read that can be done before the statement: nothing in the
/// statement decides whether it is, and its place is all that it computes.
bool StatementPrinter::mayLoadFirst(const Access &access) const {
  if (access.isWrite || access.isOrdered || access.width != 1 ||
      access.subscripts.empty() || !access.expr || !partOfCell(*access.expr))
    return false;
  auto known = environment.alwaysMade.find(access.id);
  if (known == environment.alwaysMade.end())
    known =
        environment.alwaysMade
            .emplace(access.id, isAlwaysMade(model, access, kernel.selections))
            .first;
  return known->second;
}

/// What stands for a read that may be loaded beforehand. Lanes
/// that read different cells one by one load them in place.
std::optional<PrintedText> StatementPrinter::collected(const Expr &expr,
                                                       int lane) {
  if (!environment.reads || (lanes() > 1 && varies(ExprRef(ExprRef(), &expr))))
    return std::nullopt;
  auto read = model.reads.find(&expr);
  if (read == model.reads.end() || model.writes.count(&expr))
    return std::nullopt;
  const Access &access = model.accesses[read->second];
  const Array &array = model.arrays[access.array];
  if (array.space == AddressSpace::Private || !mayLoadFirst(access) ||
      !(expr.type.isScalar() || expr.type.isVector()))
    return std::nullopt;
  std::optional<unsigned> index = tileOf(expr);
  if (index && array.elementType.isVector() && !kernel.tiles[*index].inPlanes)
    return PrintedText{
        environment.reads->add(describeCell(*index, access, lane)) +
            partOfCell(expr).value_or(CellPart()).text,
        PrecPostfix};
  return PrintedText{environment.reads->add(describeRead(expr, lane)),
                     PrecPostfix};
}

/// The lanes' cells as one vector: what stands for a read that may be loaded
/// beforehand, or the load.
PrintedText StatementPrinter::collectedLanes(const Expr &expr, int64_t stride) {
  const Access &access = *model.accessOf(expr);
  if (!environment.reads || !mayLoadFirst(access))
    return {wideLoad(expr, stride), PrecPostfix};
  CollectedRead read;
  read.array = model.arrays[access.array].name;
  read.type = vectorOf(expr.type.scalar);
  printAlone(read, [&] { return wideLoad(expr, stride); });
  return {environment.reads->add(read), PrecPostfix};
}

} // namespace clopt
