//===- AlignedVectors.cpp - vector accesses at aligned addresses ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vloadN promises the alignment of an element only; on devices without cheap
// unaligned access it becomes N loads of one element. Where the distance of an
// access from an aligned address is known, it is put together from aligned
// pieces, the largest that fit, of exactly the cells that it reads:
//
//   a[x0 - 1 .. x0 + 6] = a[x0 - 1], a4[x0 .. x0 + 3], a2[x0 + 4 .. x0 + 5],
//                         a[x0 + 6]
//
// Tested by test/unit/AlignedVectorsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include <algorithm>

namespace clopt {

/// Elements between an aligned address and that of lane 0; nothing when they
/// are not known, as in copies of the array. The tile's first id is a multiple
/// of the number of lanes, as are the arguments in `multiples`.
std::optional<unsigned>
StatementPrinter::misalignment(const Access &access) const {
  if (!kernel.alignedArrays.count(access.array) || !access.offset ||
      kernel.tileOf(access.id))
    return std::nullopt;
  int64_t width = lanes(), distance = 0;
  SymbolId axis = environment.divergence->axis().symbol;
  for (const auto &[monomial, coefficient] : access.offset->terms) {
    int64_t factor = coefficient % width;
    for (SymbolId id : monomial)
      if (kernel.multiples.count(id))
        factor = 0;
    for (SymbolId id : monomial) {
      if (factor == 0)
        break;
      auto form = site->coordinates.find(id);
      if (form == site->coordinates.end())
        return std::nullopt;
      // The axis stands for its base plus a constant.
      bool isKnown = form->second.isConstant() ||
                     (id == axis && form->second.terms.size() == 1 &&
                      form->second.terms[0].factor == 1);
      if (!isKnown)
        return std::nullopt;
      factor = factor * (form->second.constant % width) % width;
    }
    distance = (distance + factor) % width;
  }
  return static_cast<unsigned>((distance + width) % width);
}

std::string pointerTo(const Array &array, unsigned count, bool isRead) {
  std::string space =
      array.space == AddressSpace::Constant ? "__constant " : "__global ";
  if (array.space == AddressSpace::Local)
    space = "__local ";
  return space + (isRead ? "const " : "") +
         typeName(array.elementType.scalar, count) + " *";
}

std::optional<PrintedText> startOfCells(const Array &array) {
  const Type *pointee = array.var ? array.var->type.element.get() : nullptr;
  const bool isAsDeclared =
      !pointee || pointee->isArray() || pointee->size == array.elementBytes;
  if (isAsDeclared && !array.isCast)
    return PrintedText{array.name, PrecPrimary};
  auto cast = [&](const std::string &type) {
    return PrintedText{"(" + type + ")" + array.name, PrecUnary};
  };
  if (array.isCast)
    return cast(pointerTo(array, array.elementType.lanes, array.isConst));
  for (ScalarKind kind : {ScalarKind::UChar, ScalarKind::UShort,
                          ScalarKind::UInt, ScalarKind::ULong}) {
    Type cell = Type::makeScalar(kind);
    cell.isConst = true;
    if (sizeOf(kind) == array.elementBytes)
      return cast(typeText(Type::makePointer(cell, array.space)));
  }
  return std::nullopt;
}

std::string startOfElements(const Array &array) {
  return array.isCast ? atLeast(*startOfCells(array), PrecPostfix) : array.name;
}

std::string StatementPrinter::alignedPointer(const Array &array, unsigned count,
                                             bool isRead,
                                             const std::string &address) const {
  return "*(" + pointerTo(array, count, isRead) + ")" + address;
}

/// The offset of lane 0, in symbols that mean the same to all statements in a
/// line: counters that are written out are numbers.
std::optional<Polynomial>
StatementPrinter::resolvedOffset(const Access &access) const {
  Polynomial offset = *access.offset;
  for (SymbolId id : access.offset->symbols()) {
    auto form = site->coordinates.find(id);
    if (form == site->coordinates.end()) {
      SymbolKind kind = model.symbols[id].kind;
      if (kind != SymbolKind::Param && kind != SymbolKind::GlobalSize)
        return std::nullopt;
      continue;
    }
    Polynomial value(form->second.constant);
    bool isMoved =
        form->second.terms.size() == 1 && form->second.terms[0].factor == 1;
    if (!form->second.isConstant() && !isMoved)
      return std::nullopt;
    if (isMoved)
      value = value + Polynomial::symbol(id);
    offset = offset.substitute(id, value);
  }
  return offset;
}

/// The constant part of an offset, which is taken out of it.
static int64_t takeConstant(Polynomial &offset) {
  auto constant = offset.terms.find({});
  if (constant == offset.terms.end())
    return 0;
  int64_t value = constant->second;
  offset.terms.erase(constant);
  return value;
}

void StatementPrinter::addToWindows(const Statement &statement,
                                    const PrintSite &at) {
  site = &at;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    const Array &array = model.arrays[access.array];
    if (!mayLoadFirst(access) || !access.offset || !misalignment(access) ||
        !array.elementType.isScalar())
      continue;
    std::optional<int64_t> stride;
    if (auto advance = environment.divergence->laneStrideOf(*access.offset))
      stride = advance->asConstant();
    if (stride != 1)
      continue;
    std::optional<Polynomial> row = resolvedOffset(access);
    if (!row)
      continue;
    int64_t first = takeConstant(*row);
    environment.windows->add(access.array, *row, first);
  }
  site = nullptr;
}

/// The vector from cells that are loaded once for all that read them.
std::optional<std::string> StatementPrinter::windowLoad(const Access &access) {
  if (!environment.windows || !mayLoadFirst(access))
    return std::nullopt;
  std::optional<Polynomial> row = resolvedOffset(access);
  if (!row)
    return std::nullopt;
  int64_t first = takeConstant(*row);
  if (!environment.windows->isShared(access.array, *row, first))
    return std::nullopt;
  const Array &array = model.arrays[access.array];
  bool wide = hasWideSubscript(model, {access.id});
  auto load = [&](int64_t cell, unsigned count) {
    std::vector<Polynomial> subscripts = access.subscripts;
    subscripts.back() = subscripts.back() + Polynomial(cell - first);
    std::string text = cellText(array, subscripts, *site, wide);
    if (count > 1)
      text = alignedPointer(array, count, true, "&" + text);
    std::string name = environment.freshRead(array.name);
    environment.windowLoads.push_back(
        {"const " + typeName(array.elementType.scalar, count) + " " + name +
             " = " + text + ";",
         {}});
    return name;
  };
  std::vector<std::string> parts =
      environment.windows->vectorOf(access.array, *row, first, load);
  if (parts.size() == 1)
    return parts.front();
  std::string text = "(" + vectorOf(array.elementType.scalar) + ")(";
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i ? ", " : "") + parts[i];
  return text + ")";
}

std::string StatementPrinter::alignedLoad(const Expr &lvalue,
                                          const Access &access,
                                          unsigned first) {
  if (std::optional<std::string> shared = windowLoad(access))
    return *shared;
  const Array &array = model.arrays[access.array];
  unsigned width = lanes();
  std::vector<std::string> pieces;
  for (unsigned lane = 0; lane < width;) {
    unsigned place = (first + lane) % width;
    unsigned count = width;
    while (place % count != 0 || count > width - lane)
      count /= 2;
    const std::string cell = cellOf(lvalue, static_cast<int>(lane));
    pieces.push_back(
        count == 1 ? cell : alignedPointer(array, count, true, "&" + cell));
    lane += count;
  }
  if (pieces.size() == 1)
    return pieces.front();
  std::string text = "(" + vectorOf(array.elementType.scalar) + ")(";
  for (size_t i = 0; i < pieces.size(); ++i)
    text += (i ? ", " : "") + pieces[i];
  return text + ")";
}

} // namespace clopt
