//===- ArrayTiles.cpp - text for sections in local memory -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ArrayTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/ArrayTiles.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Cells along a dimension, in this launch or the most in any.
static LinearForm cellsAlong(const TransformedKernel &kernel,
                             const KernelNames &names, const ArrayTile &tile,
                             unsigned dim, bool isMost) {
  const TileExtent &extent = tile.extents[dim];
  const GroupNames &group = names.group;
  LinearForm form(extent.constant);
  std::vector<unsigned> dims = workCoordinates(*kernel.model);
  for (size_t i = 0; i < dims.size(); ++i)
    if (const int64_t factor = extent.perId[dims[i]]) {
      const bool isNamed =
          isMost && !group.sizes.empty() && !group.sizes[i].empty();
      form = form + (isNamed ? LinearForm::ofTerm(group.sizes[i])
                             : wholeIds(kernel, names, i))
                        .times(factor);
    }
  if (!tile.loop || !tile.nest.empty())
    return form;
  // Those of the iterations of a tile have its name.
  const int64_t each = cellsPerIteration(*kernel.model, tile, dim).value_or(0);
  auto size = group.loopSizes.find(*tile.loop);
  const ScheduleNode *loop = findLoop(kernel.tree, *tile.loop);
  if (each && size != group.loopSizes.end() && loop) {
    form.constant -= std::llabs(each) * loop->tile;
    form = form + LinearForm::ofTerm(size->second, std::llabs(each));
  }
  return form;
}

std::string declareTile(const TransformedKernel &kernel,
                        const KernelNames &names, unsigned index) {
  const ArrayTile &tile = kernel.tiles[index];
  std::string line = std::string(tile.isPrivate() ? "" : "__local ") +
                     tile.cellType(*kernel.model) + " " + names.tiles[index];
  if (tile.inPlanes)
    line += "[" + std::to_string(tile.planes(*kernel.model)) + "]";
  const std::vector<int64_t> shape = storageShape(kernel, index);
  const std::vector<unsigned> dims = tileDimensions(kernel, tile);
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t pad = dims[i] == tile.rowDimension ? tile.pad : 0;
    // Another section may have more.
    const bool isOwn = tile.largest(kernel, dims[i]) + pad == shape[i];
    const LinearForm cells =
        cellsAlong(kernel, names, tile, dims[i], true) + LinearForm(pad);
    line += "[" + (isOwn ? cells : LinearForm(shape[i])).print().text + "]";
  }
  // Of loads; wider cells keep the alignment of their type.
  constexpr unsigned loadBytes = 16;
  const Type &element = kernel.model->arrays[tile.array].elementType;
  const bool isWide = element.isVector() && element.size > loadBytes &&
                      !tile.inPlanes && !tile.stored;
  if (tile.isPrivate() || isWide)
    return line + ";";
  return line + " __attribute__((aligned(" + std::to_string(loadBytes) + ")));";
}

std::vector<std::string> declareTiles(const TransformedKernel &kernel,
                                      const KernelNames &names) {
  std::vector<std::string> lines;
  for (unsigned t = 0; t < kernel.tiles.size(); ++t)
    if (!kernel.tiles[t].isPrivate() && storageOf(kernel, t) == t)
      lines.push_back(declareTile(kernel, names, t));
  return lines;
}

namespace {

/// A number of cells: a constant times what this launch decides.
struct CellCount {
  int64_t constant = 1;
  std::vector<PrintedText> factors;
  bool isConstant() const { return factors.empty(); }
  PrintedText print() const {
    if (factors.size() == 1 && constant == 1)
      return factors.front();
    std::string text;
    for (const PrintedText &factor : factors)
      text +=
          (text.empty() ? "" : " * ") + atLeast(factor, PrecMultiplicative + 1);
    if (constant != 1 || factors.empty())
      text += (text.empty() ? "" : " * ") + std::to_string(constant);
    bool isProduct = factors.size() + (constant != 1) > 1;
    return {text, isProduct ? PrecMultiplicative : PrecPrimary};
  }
};

/// Cells of which each work-item of a usual group copies several.
constexpr int64_t minAhead = 512;

/// Prints the copy loop of one tile.
class Copier {
public:
  Copier(const TransformedKernel &transformed, const KernelNames &allNames,
         unsigned tileIndex, StatementPrinter &statementPrinter,
         const PrintSite &place, const std::optional<CutTile> &cutTile)
      : kernel(transformed), model(*transformed.model), names(allNames),
        index(tileIndex), tile(transformed.tiles[tileIndex]),
        printer(statementPrinter), site(place), cut(cutTile) {}
  TileCopy copy(bool isIn);

private:
  std::string ifWhole();
  std::vector<std::string> lines(bool isIn);
  LinearForm extent(unsigned dim) const;
  CellCount product(unsigned first) const;
  bool hasOneCell(unsigned dim) const;
  PrintedText cell(unsigned dim) const;
  std::string limits() const;
  LinearForm flatSkip(const std::vector<int64_t> &skip) const;
  std::string localPlace(unsigned later = 0,
                         std::optional<unsigned> plane = std::nullopt) const;
  std::string stored(const std::string &value) const;
  std::vector<std::string> copyOne(bool isIn) const;
  std::string firstPlace() const;
  std::string globalPlace() const;
  std::string nameStart(bool isIn);
  std::string alignment(unsigned width) const;
  std::string first(const LinearForm &low, unsigned width) const;
  std::vector<std::string>
  header(const LinearForm &low, const std::string &last, unsigned width) const;
  bool readsAnywhere() const;
  bool isRecurrence() const;
  std::vector<int64_t> skipped(bool isIn, bool isFirst) const;
  bool loadsAhead(bool isIn) const;
  std::vector<std::string> ahead(const std::string &first,
                                 const std::string &last);
  std::vector<std::string> single(bool isIn);
  std::vector<std::string> wide(bool isIn, unsigned width,
                                bool isAligned) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const KernelNames &names;
  unsigned index;
  const ArrayTile &tile;
  StatementPrinter &printer;
  const PrintSite &site;
  const std::optional<CutTile> &cut;
  /// The cell that is copied, as an operand.
  std::string position = names.group.cell;
  /// Where the section begins in the array, once it has a name.
  std::string start, declaration;
  bool asksWhole = false;
};

} // namespace

/// Cells along a dimension in this launch.
LinearForm Copier::extent(unsigned dim) const {
  return cellsAlong(kernel, names, tile, dim, false);
}

/// Conditions for a cell to be one that valid ids and iterations use: empty
/// when all are.
std::string Copier::limits() const {
  std::string text;
  auto add = [&](unsigned d, const char *comparison, const LinearForm &form) {
    text += (text.empty() ? "" : " && ") + cell(d).text + comparison +
            atLeast(form.print(), PrecRelational + 1);
  };
  std::vector<unsigned> dims = workCoordinates(model);
  for (unsigned d = 0; d < tile.extents.size(); ++d) {
    LinearForm form(tile.extents[d].constant);
    bool isCut = false;
    for (size_t i = 0; i < dims.size(); ++i)
      if (int64_t factor = tile.extents[d].perId[dims[i]]) {
        form = form + validIds(kernel, names, i).times(factor);
        isCut |= !names.group.valid[i].empty();
      }
    int64_t each = cut ? *cellsPerIteration(model, tile, d) : 0;
    // Cells of the iterations that the tile lacks.
    LinearForm missing(0);
    if (each)
      missing = (LinearForm(cut->iterations) - cut->left).times(std::abs(each));
    if (each < 0)
      add(d, " >= ", missing);
    if (isCut || each > 0)
      add(d, " < ", each > 0 ? form - missing : form);
  }
  return text;
}

/// Cells of the dimensions from `first` on together.
CellCount Copier::product(unsigned first) const {
  CellCount count;
  for (unsigned d = first; d < tile.extents.size(); ++d) {
    LinearForm cells = extent(d);
    if (cells.isConstant())
      count.constant *= cells.constant;
    else
      count.factors.push_back(cells.print());
  }
  return count;
}

bool Copier::hasOneCell(unsigned dim) const {
  LinearForm own = extent(dim);
  return own.isConstant() && own.constant == 1;
}

/// Position along a dimension of the cell that is copied.
PrintedText Copier::cell(unsigned dim) const {
  if (hasOneCell(dim))
    return {"0", PrecPrimary};
  PrintedText result = {position, PrecPrimary};
  CellCount inner = product(dim + 1);
  if (!inner.isConstant() || inner.constant != 1)
    result = {result.text + " / " + atLeast(inner.print(), PrecUnary),
              PrecMultiplicative};
  bool isOutermost = true;
  for (unsigned d = 0; d < dim; ++d)
    isOutermost &= hasOneCell(d);
  if (!isOutermost)
    result = {result.text + " % " + atLeast(extent(dim).print(), PrecUnary),
              PrecMultiplicative};
  return result;
}

/// The cells that are skipped, in the order of the box.
LinearForm Copier::flatSkip(const std::vector<int64_t> &skip) const {
  LinearForm result;
  for (unsigned d = 0; d < skip.size(); ++d) {
    CellCount inner = product(d + 1);
    if (inner.isConstant())
      result.constant += skip[d] * inner.constant;
    else if (skip[d])
      result = result +
               LinearForm::ofTerm(atLeast(inner.print(), PrecUnary), skip[d]);
  }
  return result;
}

/// Place of the cell, or of the `later`-th after it in its row of the array.
std::string Copier::localPlace(unsigned later,
                               std::optional<unsigned> plane) const {
  std::string text = names.tiles[index];
  if (plane)
    text += "[" + std::to_string(*plane) + "]";
  unsigned last = static_cast<unsigned>(tile.extents.size()) - 1;
  for (unsigned d : tileDimensions(kernel, tile))
    text += "[" + cell(d).text +
            (d == last && later ? " + " + std::to_string(later) : "") + "]";
  return text;
}

/// The first cell of the section in the array.
std::string Copier::firstPlace() const {
  const Array &array = model.arrays[tile.array];
  bool wide = hasWideSubscript(model, tile.accesses);
  return startOfElements(array) + "[" +
         printer.flatOffset(array, tile.base, site, wide).text + "]";
}

/// The cell in the array.
std::string Copier::globalPlace() const {
  const Array &array = model.arrays[tile.array];
  bool wide = hasWideSubscript(model, tile.accesses);
  std::string text = start.empty()
                         ? printer.flatOffset(array, tile.base, site, wide).text
                         : "";
  if (text == "0")
    text.clear();
  for (unsigned d = 0; d < tile.base.size(); ++d) {
    if (hasOneCell(d))
      continue;
    PrintedText own = cell(d);
    Polynomial stride(1);
    for (size_t e = d + 1; e < tile.base.size(); ++e)
      stride = stride * array.extents[e];
    if (stride != Polynomial(1))
      own = {atLeast(own, PrecMultiplicative) + " * " +
                 atLeast(printer.polynomial(stride, site, wide), PrecUnary),
             PrecMultiplicative};
    text += (text.empty() ? "" : " + ") + own.text;
  }
  return (start.empty() ? startOfElements(array) : start) + "[" +
         (text.empty() ? "0" : text) + "]";
}

/// Gives the first cell of a section that is copied in several ways, or
/// several cells at a time, a name.
std::string Copier::nameStart(bool isIn) {
  const Array &array = model.arrays[tile.array];
  const std::string first = firstPlace();
  if (first == startOfElements(array) + "[0]")
    return "";
  start = isIn ? names.group.starts[index] : names.group.targets[index];
  return pointerTo(array, array.elementType.lanes, isIn) + start + " = &" +
         first + ";";
}

/// True when all rows begin at a multiple of `width` cells.
std::string Copier::alignment(unsigned width) const {
  const Array &array = model.arrays[tile.array];
  unsigned bytes = width * array.elementBytes;
  std::string text = "((size_t)" +
                     (start.empty() ? "&" + firstPlace() : start) + " & " +
                     std::to_string(bytes - 1) + ") == 0";
  bool wide = hasWideSubscript(model, tile.accesses);
  for (size_t d = 1; d < tile.base.size(); ++d) {
    LinearForm rows = extent(static_cast<unsigned>(d) - 1);
    if (rows.isConstant() && rows.constant == 1)
      continue;
    Polynomial stride(1);
    for (size_t e = d; e < tile.base.size(); ++e)
      stride = stride * array.extents[e];
    std::optional<int64_t> constant = stride.asConstant();
    if (constant && *constant % width == 0)
      continue;
    text +=
        " && " +
        atLeast(printer.polynomial(stride, site, wide), PrecMultiplicative) +
        " % " + std::to_string(width) + " == 0";
  }
  return text;
}

/// A cell of the array as it is kept. C converts scalars by itself.
std::string Copier::stored(const std::string &value) const {
  const Type &element = model.arrays[tile.array].elementType;
  if (!tile.stored || !element.isVector())
    return value;
  return "convert_" + typeName(*tile.stored, element.lanes) + "(" + value + ")";
}

/// The lines that copy one cell.
std::vector<std::string> Copier::copyOne(bool isIn) const {
  const Array &array = model.arrays[tile.array];
  if (!isIn)
    return {globalPlace() + " = " + localPlace() + ";"};
  std::string local = localPlace(), global = stored(globalPlace());
  if (!tile.inPlanes)
    return {local + " = " + global + ";"};
  std::string type = typeName(tile.stored.value_or(array.elementType.scalar),
                              array.elementType.lanes);
  std::vector<std::string> lines = {"{"};
  lines.push_back("    const " + type + " " + names.group.cells + " = " +
                  global + ";");
  for (unsigned plane = 0; plane < tile.planes(model); ++plane)
    lines.push_back("    " + localPlace(0, plane) + " = " + names.group.cells +
                    ".s" + laneDigit(plane) + ";");
  lines.push_back("}");
  return lines;
}

/// Cells that are narrow and converted cost more than their loads: several at a
/// time even where they lie anywhere.
bool Copier::readsAnywhere() const {
  return tile.stored && copiedAtOnce(kernel, tile) > 1 &&
         copiesRows(kernel, tile) &&
         !model.arrays[tile.array].elementType.isVector();
}

/// True where work-items copy many cells each, one at a time: several loads go
/// out before the first value is waited for.
bool Copier::loadsAhead(bool isIn) const {
  const Type &element = model.arrays[tile.array].elementType;
  if (!isIn || tile.isPrivate() || cut || tile.inPlanes || readsAnywhere() ||
      element.kind == TypeKind::Struct || element.scalar == ScalarKind::Half)
    return false;
  return tile.cells(kernel) >= minAhead;
}

/// What is asked first where cells of the tile may be missing.
std::string Copier::ifWhole() {
  if (limits().empty())
    return "";
  asksWhole = true;
  return names.group.whole + " && ";
}

/// The loop that loads several cells before it stores the first, as long as
/// there are as many. The variable of copy loops is declared before it.
std::vector<std::string> Copier::ahead(const std::string &first,
                                       const std::string &last) {
  const GroupNames &group = names.group;
  Type element = model.arrays[tile.array].elementType;
  element.isConst = false;
  auto times = [&](size_t cells) {
    return (cells > 1 ? std::to_string(cells) + " * " : "") + group.size;
  };
  const size_t count = group.ahead.size();
  std::vector<std::string> loads, stores;
  std::string places;
  for (size_t i = 0; i < count; ++i) {
    position = i ? group.places[i - 1] : group.cell;
    if (i)
      places += (i > 1 ? ", " : "    const int ") + position + " = " +
                group.cell + " + " + times(i);
    loads.push_back("    const " + typeText(element) + " " + group.ahead[i] +
                    " = " + globalPlace() + ";");
    stores.push_back("    " + localPlace() + " = " + stored(group.ahead[i]) +
                     ";");
  }
  position = group.cell;
  const std::string whole = ifWhole();
  std::vector<std::string> lines = {
      "int " + group.cell + " = " + first + ";",
      "for (; " + whole + group.cell + " + " + times(count - 1) + " < " + last +
          "; " + group.cell + " += " + times(count) + ") {",
      places + ";"};
  lines.insert(lines.end(), loads.begin(), loads.end());
  lines.insert(lines.end(), stores.begin(), stores.end());
  lines.push_back("}");
  return lines;
}

/// True for sections whose cells iterations read and write in turn: other ones
/// are loaded than stored.
bool Copier::isRecurrence() const {
  return tile.isPrivate() && tile.copyIn && tile.copyOut && tile.nest.empty();
}

/// Cells that are not copied, before the first one that is, or behind the last.
std::vector<int64_t> Copier::skipped(bool isIn, bool isFirst) const {
  if (isIn || !isRecurrence())
    return isFirst ? tile.skipFirst : tile.skipLast;
  // Those that the tile does not write.
  const int64_t count = findLoop(kernel.tree, *tile.loop)->tile;
  std::vector<int64_t> cells;
  for (unsigned d = 0; d < tile.base.size(); ++d) {
    cells.push_back(0);
    const int64_t step = *cellsPerIteration(model, tile, d);
    for (unsigned id : tile.accesses) {
      const Access &access = model.accesses[id];
      if (!access.isWrite || step == 0)
        continue;
      // Of the first iteration; where cells go down, of the last one.
      const int64_t first =
          (access.subscripts[d] - tile.base[d]).asConstant().value_or(0) +
          (step < 0 ? (count - 1) * step : 0);
      cells[d] = isFirst ? first : tile.extents[d].constant - first - count;
    }
  }
  return cells;
}

/// The loop that copies one cell at a time.
std::vector<std::string> Copier::single(bool isIn) {
  LinearForm high = flatSkip(skipped(isIn, false));
  std::string last = product(0).print().text;
  if (!high.isConstant() || high.constant)
    last += " - " + atLeast(high.print(), PrecAdditive + 1);
  const LinearForm low = flatSkip(skipped(isIn, true));
  std::vector<std::string> lines;
  if (loadsAhead(isIn)) {
    lines = ahead(first(low, 1), last);
    lines.push_back("for (; " + names.group.cell + " < " + last + "; " +
                    names.group.cell + " += " + names.group.size + ")");
  } else {
    lines = header(low, last, 1);
  }
  std::string condition = limits();
  if (!condition.empty())
    lines.push_back("    if (" + condition + ")");
  for (const std::string &line : copyOne(isIn))
    lines.push_back((condition.empty() ? "    " : "        ") + line);
  return lines;
}

/// Where a loop begins that copies `width` cells at a time.
std::string Copier::first(const LinearForm &low, unsigned width) const {
  std::string text = names.group.item;
  if (tile.isPrivate())
    return low.print().text;
  if (width > 1)
    text += " * " + std::to_string(width);
  if (!low.isConstant() || low.constant)
    text += " + " + low.print().text;
  return text;
}

/// The line, or lines, before a loop's body: all work-items of a group take
/// part, or this one does everything.
std::vector<std::string> Copier::header(const LinearForm &low,
                                        const std::string &last,
                                        unsigned width) const {
  const std::string &cellName = names.group.cell;
  std::string times = width > 1 ? " * " + std::to_string(width) : "";
  std::string advance = " += " + names.group.size + times;
  if (tile.isPrivate())
    advance = width > 1 ? " += " + std::to_string(width) : "++";
  std::vector<std::string> lines;
  if (tile.isPrivate())
    lines.push_back("#pragma unroll");
  lines.push_back("for (int " + cellName + " = " + first(low, width) + "; " +
                  cellName + " < " + last + "; " + cellName + advance + ")");
  return lines;
}

/// The loop that copies `width` cells of a row at a time, from or to addresses
/// that are multiples of their size, or any.
std::vector<std::string> Copier::wide(bool isIn, unsigned width,
                                      bool isAligned) const {
  const Array &array = model.arrays[tile.array];
  const unsigned parts = array.elementType.lanes;
  std::string vector = typeName(array.elementType.scalar, width * parts);
  std::vector<std::string> lines =
      header(LinearForm(), product(0).print().text, width);
  // A load of a few narrow cells does little for its latency: several go out
  // before the first is waited for.
  if (tile.stored)
    lines.insert(lines.begin(), "#pragma unroll 4");
  std::string global =
      "*(" + pointerTo(array, width * parts, isIn) + ")&" + globalPlace();
  if (!isAligned)
    global = "vload" + std::to_string(width) + "(0, &" + globalPlace() + ")";
  if (copiesRows(kernel, tile)) {
    std::string held = tile.cellType(model, width);
    std::string local = "*(__local " + held + " *)&" + localPlace();
    if (tile.stored)
      global = "convert_" + held + "(" + global + ")";
    lines.push_back("    " +
                    (isIn ? local + " = " + global : global + " = " + local) +
                    ";");
    return lines;
  }
  lines.back() += " {";
  std::string cells = "(" + vector + ")(";
  if (isIn)
    lines.push_back("    const " + vector + " " + names.group.cells + " = " +
                    global + ";");
  for (unsigned i = 0; i < width; ++i) {
    std::string own = ".s";
    for (unsigned part = 0; part < parts; ++part)
      own += laneDigit(i * parts + part);
    if (isIn)
      lines.push_back("    " + localPlace(i) + " = " + names.group.cells + own +
                      ";");
    cells += (i ? ", " : "") + localPlace(i);
  }
  if (!isIn)
    lines.push_back("    " + global + " = " + cells + ");");
  lines.push_back("}");
  return lines;
}

std::vector<std::string> Copier::lines(bool isIn) {
  auto isNone = [](int64_t cells) { return cells == 0; };
  const std::vector<int64_t> low = skipped(isIn, true),
                             high = skipped(isIn, false);
  const bool isWholeBox = std::all_of(low.begin(), low.end(), isNone) &&
                          std::all_of(high.begin(), high.end(), isNone);
  unsigned width = isWholeBox && !cut ? copiedAtOnce(kernel, tile) : 1;
  if (!tile.isPrivate() && (width > 1 || loadsAhead(isIn)))
    declaration = nameStart(isIn);
  std::vector<std::string> lines;
  auto add = [&](const std::vector<std::string> &branch) {
    for (const std::string &line : branch)
      lines.push_back("    " + line);
  };
  const std::vector<std::string> one = single(isIn);
  if (width == 1 && loadsAhead(isIn)) {
    // The loops' variable.
    lines.push_back("{");
    add(one);
    lines.push_back("}");
  } else if (width == 1) {
    lines = one;
  } else {
    const bool isWhole = limits().empty();
    lines.push_back("if (" + ifWhole() + alignment(width) + ") {");
    add(wide(isIn, width, true));
    const bool anywhere = isIn && readsAnywhere();
    if (anywhere) {
      lines.push_back(isWhole ? "} else {"
                              : "} else if (" + names.group.whole + ") {");
      add(wide(isIn, width, false));
    }
    if (!anywhere || !isWhole) {
      lines.push_back("} else {");
      add(one);
    }
    lines.push_back("}");
  }
  return lines;
}

TileCopy Copier::copy(bool isIn) {
  TileCopy result;
  result.lines = lines(isIn);
  result.start = declaration;
  result.asksWhole = asksWhole;
  result.uses = printer.uses();
  if (!tile.isPrivate())
    result.uses.insert({names.group.item, names.group.size});
  for (unsigned d = 0; d < tile.extents.size(); ++d)
    extent(d).addNames(result.uses);
  return result;
}

TileCopy copyTile(const TransformedKernel &kernel, const KernelNames &names,
                  unsigned index, bool isIn, StatementPrinter &printer,
                  const PrintSite &site, const std::optional<CutTile> &cut) {
  return Copier(kernel, names, index, printer, site, cut).copy(isIn);
}

} // namespace clopt
