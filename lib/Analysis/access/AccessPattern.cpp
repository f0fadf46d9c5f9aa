//===- AccessPattern.cpp - how an access moves along an axis --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The access matrix is taken to forward form by row operations, one pattern
// after another as Algorithm 2 of the paper does; every operation is applied
// to the matrix and to the transform at once, so that T f is the working
// matrix at any time.
//
// Tested by test/unit/AccessPatternTest.cpp, test/oracle/PatternOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/AccessPattern.h"

#include "Analysis/access/LaneDeltas.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

using namespace clopt;

//===-- The access matrix -------------------------------------------------===//

/// True when the symbol may differ between two instances of one launch.
static bool isVarying(const KernelModel &model, SymbolId id) {
  const Symbol &symbol = model.symbols[id];
  auto varies = [&](const Polynomial &poly) {
    std::vector<SymbolId> inner = poly.symbols();
    return std::any_of(inner.begin(), inner.end(),
                       [&](SymbolId part) { return isVarying(model, part); });
  };
  switch (symbol.kind) {
  case SymbolKind::GlobalId:
  case SymbolKind::LocalId:
  case SymbolKind::GroupId:
  case SymbolKind::Iterator:
    return true;
  case SymbolKind::Unknown:
    return symbol.varying;
  case SymbolKind::FloorDiv:
  case SymbolKind::Modulo:
    return varies(symbol.first);
  case SymbolKind::Select: // its condition may vary
    return true;
  default:
    return false;
  }
}

namespace {

/// A monomial split into what varies and what does not.
struct SplitMonomial {
  Monomial varying, uniform;
};

} // namespace

static SplitMonomial split(const KernelModel &model, const Monomial &monomial) {
  SplitMonomial result;
  for (SymbolId symbol : monomial)
    (isVarying(model, symbol) ? result.varying : result.uniform)
        .push_back(symbol);
  return result;
}

/// The column that a term belongs to: what varies in it, else its parameter,
/// else the constant column (which also takes products of parameters).
static Monomial columnOf(const SplitMonomial &parts) {
  if (!parts.varying.empty())
    return parts.varying;
  return parts.uniform.size() == 1 ? parts.uniform : Monomial();
}

static void addColumns(const KernelModel &model, const Statement &statement,
                       const std::vector<Polynomial> &rows,
                       AccessMatrix &matrix) {
  for (SymbolId coordinate : statement.coordinates)
    matrix.columns.push_back({coordinate});
  matrix.coordinateColumns = matrix.columns.size();
  std::vector<Monomial> varying, uniform;
  for (const Polynomial &row : rows)
    for (const auto &[monomial, coefficient] : row.terms) {
      SplitMonomial parts = split(model, monomial);
      Monomial column = columnOf(parts);
      auto &known = parts.varying.empty() ? uniform : varying;
      auto isKnown = [&](const std::vector<Monomial> &list) {
        return llvm::is_contained(list, column);
      };
      if (!column.empty() && !isKnown(matrix.columns) && !isKnown(known))
        known.push_back(column);
    }
  std::sort(uniform.begin(), uniform.end());
  std::sort(varying.begin(), varying.end());
  matrix.columns.insert(matrix.columns.end(), varying.begin(), varying.end());
  matrix.varyingColumns = matrix.columns.size();
  matrix.columns.insert(matrix.columns.end(), uniform.begin(), uniform.end());
  matrix.columns.push_back({});
}

static AccessMatrix buildMatrix(const KernelModel &model,
                                const Statement &statement,
                                const std::vector<Polynomial> &rows) {
  AccessMatrix matrix;
  addColumns(model, statement, rows, matrix);
  for (const Polynomial &row : rows) {
    std::vector<Polynomial> entries(matrix.columns.size());
    for (const auto &[monomial, coefficient] : row.terms) {
      SplitMonomial parts = split(model, monomial);
      Monomial column = columnOf(parts);
      size_t at =
          std::find(matrix.columns.begin(), matrix.columns.end(), column) -
          matrix.columns.begin();
      Polynomial entry;
      entry.terms[parts.varying.empty() && !column.empty() ? Monomial()
                                                           : parts.uniform] =
          coefficient;
      entries[at] = entries[at] + entry;
    }
    matrix.entries.emplace_back(entries.begin(), entries.end());
  }
  return matrix;
}

AccessMatrix clopt::accessMatrix(const KernelModel &model,
                                 const Access &access) {
  std::vector<Polynomial> rows = access.subscripts;
  auto isKnown = [](const Polynomial &row) { return !row.overflow; };
  if (!std::all_of(rows.begin(), rows.end(), isKnown))
    rows.clear();
  if (rows.empty() && access.offset && isKnown(*access.offset))
    rows.push_back(*access.offset);
  return buildMatrix(model, model.statements[access.statement], rows);
}

//===-- Classification ----------------------------------------------------===//

namespace {

class Classifier {
public:
  Classifier(const KernelModel &kernel, const Access &reference, SymbolId along,
             int64_t by)
      : model(kernel), access(reference),
        statement(kernel.statements[reference.statement]), axis(along),
        step(by) {}

  Pattern run();

private:
  bool chooseRows();
  bool isPiecewise(const std::vector<Polynomial> &candidates) const;
  void unpredictable(const std::string &why);
  std::optional<Polynomial> piecewiseStride() const;
  void fromFlatStride(const Polynomial &stride);
  bool movesWithAnotherCoordinate();

  void undoColumn();
  void clearOtherRows();
  void undoReverse();
  bool undoSkew();
  void undoStride();
  void undoOffset();
  bool hasOverflow() const;

  std::vector<Ratio> &last() { return work.back(); }
  unsigned lastRow() const { return work.size() - 1; }
  void subtract(unsigned target, const Ratio &factor, unsigned source);
  void scale(unsigned row, const Ratio &factor);
  Ratio lastConstant() const;

  const KernelModel &model;
  const Access &access;
  const Statement &statement;
  SymbolId axis;
  int64_t step;
  std::vector<Polynomial> rows;
  bool rowsAreDimensions = true; ///< rows[d] is a dimension of the array
  RationalMatrix work, transform;
  unsigned axisColumn = 0;
  unsigned axisDimension = 0; ///< dimension of the array that the axis moves in
  bool isReversed = false;
  Pattern result;
};

} // namespace

/// A pattern that is known only as "so many cells per step".
void Classifier::fromFlatStride(const Polynomial &stride) {
  result.parts.clear();
  if (stride.isZero())
    result.parts.push_back({PatternKind::Broadcast, {}, 0, 0});
  else if (stride == Polynomial(access.width))
    result.parts.push_back({PatternKind::Forward, {}, 0, 0});
  else if (stride == -Polynomial(access.width))
    result.parts.push_back({PatternKind::Reverse, {}, 0, 0});
  else
    result.parts.push_back(
        {PatternKind::Stride, Ratio(stride, Polynomial(access.width)), 0, 0});
  result.reason = "the subscript is not affine in the coordinates";
}

void Classifier::unpredictable(const std::string &why) {
  result.parts = {{PatternKind::Unpredictable, {}, 0, 0}};
  result.reason = why;
}

/// True when an atom or an unknown value moves with the axis.
bool Classifier::isPiecewise(const std::vector<Polynomial> &candidates) const {
  for (const Polynomial &row : candidates)
    for (SymbolId symbol : row.symbols())
      if (symbol != axis && dependsOn(model, symbol, axis))
        return true;
  return false;
}

/// Pieces may fit together to an even stride: 8 * (i / 8) + i % 8.
std::optional<Polynomial> Classifier::piecewiseStride() const {
  if (auto stride = laneStride(model, rows.front(), axis, step))
    return stride;
  if (rows.front() != *access.offset)
    return std::nullopt; // isl's domain has other instances side by side
  std::optional<isl::set> deltas =
      differences(model, statement, rows, axis, step);
  if (!deltas)
    return std::nullopt;
  std::optional<int64_t> only = onlyElement(*deltas);
  return only ? std::optional(Polynomial(*only)) : std::nullopt;
}

/// Subscripts if they say enough, else the flat offset as the only row.
bool Classifier::chooseRows() {
  auto usable = [](const std::vector<Polynomial> &list) {
    return !list.empty() &&
           std::none_of(list.begin(), list.end(),
                        [](const Polynomial &row) { return row.overflow; });
  };
  for (const Polynomial &subscript : access.subscripts)
    rows.push_back(inLockstep(model, statement, subscript, axis));
  if (usable(rows) && !isPiecewise(rows))
    return true;
  rows.clear();
  rowsAreDimensions = false;
  if (!access.offset || access.offset->overflow) {
    unpredictable("the subscript is not known");
    return false;
  }
  rows.push_back(inLockstep(model, statement, *access.offset, axis));
  if (!isPiecewise(rows))
    return true;
  if (std::optional<Polynomial> stride = piecewiseStride())
    fromFlatStride(*stride);
  else
    unpredictable("the subscript depends on data or on a condition");
  return false;
}

/// Products such as i * k with the axis i have no constant access matrix.
bool Classifier::movesWithAnotherCoordinate() {
  for (unsigned column = 0; column < result.access.varyingColumns; ++column) {
    const Monomial &monomial = result.access.columns[column];
    if (column == axisColumn || !llvm::is_contained(monomial, axis))
      continue;
    Polynomial flat = access.offset && !access.offset->overflow
                          ? inLockstep(model, statement, *access.offset, axis)
                          : rows.back();
    if (std::optional<Polynomial> stride = laneStride(model, flat, axis, step))
      fromFlatStride(*stride);
    else
      unpredictable("the subscript is not linear in the axis");
    return true;
  }
  return false;
}

void Classifier::subtract(unsigned target, const Ratio &factor,
                          unsigned source) {
  for (size_t at = 0; at < work[target].size(); ++at)
    work[target][at] = work[target][at] - factor * work[source][at];
  for (size_t at = 0; at < transform[target].size(); ++at)
    transform[target][at] =
        transform[target][at] - factor * transform[source][at];
}

void Classifier::scale(unsigned row, const Ratio &factor) {
  for (Ratio &entry : work[row])
    entry = entry * factor;
  for (Ratio &entry : transform[row])
    entry = entry * factor;
}

void Classifier::undoColumn() {
  axisDimension = lastRow();
  if (!last()[axisColumn].isZero())
    return;
  while (work[axisDimension][axisColumn].isZero())
    --axisDimension;
  std::swap(work[axisDimension], last());
  std::swap(transform[axisDimension], transform.back());
  result.parts.push_back({PatternKind::Column, {}, axisDimension, 0});
}

/// Diagonals: the axis may occur in several rows, but only the last keeps it.
void Classifier::clearOtherRows() {
  for (unsigned row = 0; row < lastRow(); ++row) {
    if (work[row][axisColumn].isZero())
      continue;
    Ratio factor = work[row][axisColumn] / last()[axisColumn];
    subtract(row, factor, lastRow());
    result.parts.push_back({PatternKind::Skew, factor, lastRow(), row});
  }
}

void Classifier::undoReverse() {
  std::optional<int64_t> coefficient = last()[axisColumn].asConstant();
  if (!coefficient || *coefficient >= 0)
    return;
  isReversed = true;
  scale(lastRow(), Ratio(Polynomial(-1)));
  result.parts.push_back({PatternKind::Reverse, {}, lastRow(), 0});
  if (rowsAreDimensions && axisDimension < access.subscripts.size()) {
    const Array &array = model.arrays[access.array];
    if (axisDimension < array.extents.size() &&
        !array.extents[axisDimension].isZero())
      result.rebase = array.extents[axisDimension] - Polynomial(1);
  }
}

/// Takes every other coordinate out of the last row with the help of the
/// other rows. False when they cannot.
bool Classifier::undoSkew() {
  const unsigned columns = result.access.varyingColumns;
  auto varyingPart = [&](const std::vector<Ratio> &row) {
    return std::vector<Ratio>(row.begin(), row.begin() + columns);
  };
  std::vector<Ratio> target = varyingPart(last());
  target[axisColumn] = Ratio();
  if (std::all_of(target.begin(), target.end(),
                  [](const Ratio &entry) { return entry.isZero(); }))
    return true;
  RationalMatrix others;
  for (unsigned row = 0; row < lastRow(); ++row)
    others.push_back(varyingPart(work[row]));
  std::optional<std::vector<Ratio>> factors =
      solveRowCombination(others, target);
  if (!factors) {
    for (const Ratio &entry : target)
      if (!entry.isZero())
        result.parts.push_back(
            {PatternKind::Skew, entry, lastRow(), lastRow()});
    result.reason = "the last subscript also moves with a coordinate that no "
                    "other subscript has";
    return false;
  }
  for (unsigned row = 0; row < factors->size(); ++row) {
    if ((*factors)[row].isZero())
      continue;
    subtract(lastRow(), (*factors)[row], row);
    result.parts.push_back(
        {PatternKind::Skew, (*factors)[row], row, lastRow()});
  }
  return true;
}

/// The part of the last row that all instances share, as one value.
Ratio Classifier::lastConstant() const {
  Ratio sum;
  for (size_t at = result.access.varyingColumns; at < work.back().size();
       ++at) {
    Polynomial column;
    column.terms[result.access.columns[at]] = 1;
    sum = sum + work.back()[at] * Ratio(column);
  }
  return sum;
}

void Classifier::undoStride() {
  Ratio stride = last()[axisColumn];
  Ratio inVectors = stride / Ratio(Polynomial(access.width));
  if (inVectors != Ratio(Polynomial(1)))
    result.parts.push_back({PatternKind::Stride, inVectors, lastRow(), 0});
}

/// Names the offset in cells of the original array, then scales the stride
/// away and lets delta take what is left.
void Classifier::undoOffset() {
  Ratio offset = lastConstant();
  // A reversed copy starts at the other end of the dimension. A loop that
  // counts down was reversed without its first value, which is that end.
  if (isReversed)
    offset =
        step < 0 || !result.rebase ? Polynomial() : offset + *result.rebase;
  if (!offset.isZero())
    result.parts.push_back({PatternKind::Offset, offset, lastRow(), 0});
  scale(lastRow(), Ratio(Polynomial(1)) / last()[axisColumn]);
  result.delta.assign(work.size(), std::vector<Ratio>(last().size()));
  for (size_t at = result.access.varyingColumns; at < last().size(); ++at)
    result.delta.back()[at] = Ratio() - last()[at];
}

bool Classifier::hasOverflow() const {
  auto overflows = [](const RationalMatrix &matrix) {
    for (const std::vector<Ratio> &row : matrix)
      for (const Ratio &entry : row)
        if (entry.overflowed())
          return true;
    return false;
  };
  return overflows(transform) || overflows(result.delta);
}

Pattern Classifier::run() {
  if (!chooseRows())
    return result;
  for (Polynomial &row : rows)
    if (step != 1)
      row = row.substitute(axis, Polynomial::symbol(axis) * Polynomial(step));
  result.access = buildMatrix(model, statement, rows);
  work = result.access.entries;
  transform = identityMatrix(work.size());
  auto column = std::find(result.access.columns.begin(),
                          result.access.columns.end(), Monomial{axis});
  axisColumn = column - result.access.columns.begin();
  if (movesWithAnotherCoordinate())
    return result;
  const bool isMoving =
      column != result.access.columns.end() &&
      std::any_of(work.begin(), work.end(),
                  [&](const auto &row) { return !row[axisColumn].isZero(); });
  if (!isMoving) {
    result.parts.push_back({PatternKind::Broadcast, {}, 0, 0});
    result.reason = "all instances along the axis touch the same cell";
    return result;
  }
  undoColumn();
  clearOtherRows();
  undoReverse();
  result.isCompatible = undoSkew();
  undoStride();
  undoOffset();
  if (result.isCompatible && hasOverflow()) {
    result.isCompatible = false;
    result.reason = "the transform has coefficients beyond 64 bits";
  }
  if (result.isCompatible)
    result.transform = transform;
  else
    result.delta.clear();
  if (result.parts.empty())
    result.parts.push_back({PatternKind::Forward, {}, lastRow(), 0});
  return result;
}

Pattern clopt::classify(const KernelModel &model, const Access &access,
                        SymbolId axis, int64_t step) {
  return Classifier(model, access, axis, step).run();
}

//===-- Text --------------------------------------------------------------===//

bool Pattern::has(PatternKind kind) const {
  return std::any_of(parts.begin(), parts.end(), [&](const PatternPart &part) {
    return part.kind == kind;
  });
}

static const char *kindName(PatternKind kind) {
  switch (kind) {
  case PatternKind::Forward:
    return "forward";
  case PatternKind::Reverse:
    return "reverse";
  case PatternKind::Offset:
    return "offset";
  case PatternKind::Skew:
    return "skew";
  case PatternKind::Stride:
    return "stride";
  case PatternKind::Column:
    return "column";
  case PatternKind::Broadcast:
    return "broadcast";
  case PatternKind::Unpredictable:
    return "unpredictable";
  }
  return "";
}

std::string Pattern::str(const KernelModel &model) const {
  return str([&](SymbolId symbol) { return displayName(model, symbol); });
}

std::string
Pattern::str(const std::function<std::string(SymbolId)> &nameOf) const {
  std::string text;
  for (const PatternPart &part : parts) {
    text += text.empty() ? "" : " + ";
    text += kindName(part.kind);
    if (part.kind != PatternKind::Offset && part.kind != PatternKind::Skew &&
        part.kind != PatternKind::Stride)
      continue;
    std::string amount = part.amount.str(nameOf);
    bool isSimple =
        amount.find(' ') == std::string::npos || amount.front() == '(';
    text += " " + (isSimple ? amount : "(" + amount + ")");
  }
  return text;
}
