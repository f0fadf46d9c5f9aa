//===- DataSpace.cpp - changing the layout of an array --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/DataSpaceTest.cpp, test/oracle/DataSpaceOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/DataSpace.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

using Kind = LayoutPart::Kind;

/// Numbers of a transform, so that sums of products stay in 64 bits.
static constexpr int64_t largestNumber = 1 << 20;
static constexpr unsigned largestRank = 8;

static bool isSmall(int64_t number) {
  return number >= -largestNumber && number <= largestNumber;
}

static int64_t floorQuotient(int64_t value, int64_t divisor) {
  int64_t quotient = value / divisor;
  return quotient - (value % divisor < 0 ? 1 : 0);
}

static int64_t residueOf(int64_t value, int64_t divisor) {
  return value - divisor * floorQuotient(value, divisor);
}

//===-- Square matrices ---------------------------------------------------===//

static RationalMatrix squareOf(const std::vector<int64_t> &numbers,
                               unsigned size) {
  RationalMatrix result(size);
  for (unsigned row = 0; row < size; ++row)
    for (unsigned column = 0; column < size; ++column)
      result[row].emplace_back(Polynomial(numbers[row * size + column]));
  return result;
}

/// The inverse, if all of it are integers.
static std::optional<IntegerMatrix>
integerInverse(const RationalMatrix &matrix) {
  IntegerMatrix result;
  RationalMatrix unit = identityMatrix(static_cast<unsigned>(matrix.size()));
  for (const std::vector<Ratio> &target : unit) {
    // Row y with y M = target.
    std::optional<std::vector<Ratio>> row = solveRowCombination(matrix, target);
    if (!row)
      return std::nullopt;
    result.emplace_back();
    for (const Ratio &entry : *row) {
      std::optional<int64_t> value = entry.asConstant();
      if (!value || !isSmall(*value))
        return std::nullopt;
      result.back().push_back(*value);
    }
  }
  return result;
}

//===-- The list of parts -------------------------------------------------===//

unsigned DataSpace::rank() const {
  auto splits =
      std::count_if(parts.begin(), parts.end(), [](const LayoutPart &part) {
        return part.kind == Kind::Split;
      });
  return before + static_cast<unsigned>(splits);
}

static bool isPossible(const LayoutPart &part, unsigned rank) {
  if (part.dim >= rank && part.kind != Kind::Matrix)
    return false;
  switch (part.kind) {
  case Kind::Exchange:
    return part.other < rank && part.other != part.dim;
  case Kind::Reverse:
    return true;
  case Kind::Offset:
    return isSmall(part.factor);
  case Kind::Skew:
    return part.other < rank && part.other != part.dim && isSmall(part.factor);
  case Kind::Compact:
    return part.factor >= 2 && isSmall(part.factor) && part.residue >= 0 &&
           part.residue < part.factor;
  case Kind::Split:
    return part.factor >= 2 && isSmall(part.factor) && rank < largestRank;
  case Kind::Matrix:
    return part.matrix.size() == size_t(rank) * rank &&
           std::all_of(part.matrix.begin(), part.matrix.end(), isSmall) &&
           integerInverse(squareOf(part.matrix, rank));
  }
  return false;
}

bool DataSpace::add(const LayoutPart &part) {
  if (parts.size() >= 16 || !isPossible(part, rank()))
    return false;
  parts.push_back(part);
  for (const std::vector<int64_t> &row : inverse())
    if (!std::all_of(row.begin(), row.end(), isSmall)) {
      parts.pop_back();
      return false;
    }
  return true;
}

//===-- T and delta -------------------------------------------------------===//

/// The rows of `matrix` and `constants` are changed as the subscripts are.
void DataSpace::applyTo(RationalMatrix &matrix, std::vector<Ratio> &constants,
                        const std::vector<int64_t> &residues) const {
  auto addRow = [&](unsigned target, unsigned source, const Ratio &factor) {
    for (size_t at = 0; at < matrix[target].size(); ++at)
      matrix[target][at] = matrix[target][at] + factor * matrix[source][at];
    constants[target] = constants[target] + factor * constants[source];
  };
  auto scale = [&](unsigned row, const Ratio &factor) {
    for (Ratio &entry : matrix[row])
      entry = entry * factor;
    constants[row] = constants[row] * factor;
  };
  auto shift = [&](unsigned row, int64_t amount) {
    constants[row] = constants[row] + Ratio(Polynomial(amount));
  };
  size_t splits = 0;
  for (const LayoutPart &part : parts)
    switch (part.kind) {
    case Kind::Exchange:
      std::swap(matrix[part.dim], matrix[part.other]);
      std::swap(constants[part.dim], constants[part.other]);
      break;
    case Kind::Reverse:
      scale(part.dim, Ratio(Polynomial(-1)));
      break;
    case Kind::Offset:
      shift(part.dim, -part.factor);
      break;
    case Kind::Skew:
      addRow(part.dim, part.other, Ratio(Polynomial(-part.factor)));
      break;
    case Kind::Compact:
      shift(part.dim, -part.residue);
      scale(part.dim, Ratio(Polynomial(1), Polynomial(part.factor)));
      break;
    case Kind::Split: {
      int64_t residue = splits < residues.size() ? residues[splits] : 0;
      ++splits;
      shift(part.dim, -residue);
      scale(part.dim, Ratio(Polynomial(1), Polynomial(part.factor)));
      const size_t columns = matrix[part.dim].size();
      matrix.insert(matrix.begin(), std::vector<Ratio>(columns));
      constants.insert(constants.begin(), Ratio(Polynomial(residue)));
      break;
    }
    case Kind::Matrix: {
      RationalMatrix factor =
          squareOf(part.matrix, static_cast<unsigned>(matrix.size()));
      RationalMatrix column;
      for (const Ratio &constant : constants)
        column.push_back({constant});
      matrix = multiply(factor, matrix);
      column = multiply(factor, column);
      for (size_t row = 0; row < column.size(); ++row)
        constants[row] = column[row].front();
      break;
    }
    }
}

RationalMatrix DataSpace::transform() const {
  RationalMatrix matrix = identityMatrix(before);
  std::vector<Ratio> constants(before);
  applyTo(matrix, constants, {});
  return matrix;
}

std::vector<Ratio>
DataSpace::delta(const std::vector<int64_t> &residues) const {
  RationalMatrix matrix = identityMatrix(before);
  std::vector<Ratio> constants(before);
  applyTo(matrix, constants, residues);
  return constants;
}

//===-- The way back ------------------------------------------------------===//

namespace {

/// Subscripts as integer sums over those of the copy and 1, the last column.
using Rows = IntegerMatrix;

} // namespace

static void addMultiple(std::vector<int64_t> &target,
                        const std::vector<int64_t> &source, int64_t factor) {
  for (size_t at = 0; at < target.size(); ++at)
    target[at] += factor * source[at];
}

static void undoMatrix(Rows &rows, const std::vector<int64_t> &numbers) {
  IntegerMatrix back =
      *integerInverse(squareOf(numbers, static_cast<unsigned>(rows.size())));
  Rows result(rows.size(), std::vector<int64_t>(rows.front().size()));
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t inner = 0; inner < rows.size(); ++inner)
      addMultiple(result[row], rows[inner], back[row][inner]);
  rows = result;
}

static void undo(Rows &rows, const LayoutPart &part) {
  switch (part.kind) {
  case Kind::Exchange:
    std::swap(rows[part.dim], rows[part.other]);
    break;
  case Kind::Reverse:
    for (int64_t &entry : rows[part.dim])
      entry = -entry;
    break;
  case Kind::Offset:
    rows[part.dim].back() += part.factor;
    break;
  case Kind::Skew:
    addMultiple(rows[part.dim], rows[part.other], part.factor);
    break;
  case Kind::Compact:
    for (int64_t &entry : rows[part.dim])
      entry *= part.factor;
    rows[part.dim].back() += part.residue;
    break;
  case Kind::Split:
    for (int64_t &entry : rows[part.dim + 1])
      entry *= part.factor;
    addMultiple(rows[part.dim + 1], rows.front(), 1);
    rows.erase(rows.begin());
    break;
  case Kind::Matrix:
    undoMatrix(rows, part.matrix);
    break;
  }
}

/// U and v side by side.
static Rows wayBack(unsigned rank, const std::vector<LayoutPart> &parts) {
  Rows rows(rank, std::vector<int64_t>(rank + 1));
  for (unsigned row = 0; row < rank; ++row)
    rows[row][row] = 1;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    undo(rows, *part);
  return rows;
}

IntegerMatrix DataSpace::inverse() const {
  Rows rows = wayBack(rank(), parts);
  for (std::vector<int64_t> &row : rows)
    row.pop_back();
  return rows;
}

std::vector<int64_t> DataSpace::inverseOffset() const {
  std::vector<int64_t> result;
  for (const std::vector<int64_t> &row : wayBack(rank(), parts))
    result.push_back(row.back());
  return result;
}

//===-- Subscripts --------------------------------------------------------===//

/// value = divisor * quotient + residue with a constant residue, where that
/// holds for every value of the symbols.
static bool dividesEvenly(const Polynomial &value, int64_t divisor,
                          Polynomial &quotient, int64_t &residue) {
  quotient = Polynomial();
  residue = 0;
  for (const auto &[monomial, coefficient] : value.terms) {
    if (monomial.empty()) {
      residue = residueOf(coefficient, divisor);
      quotient = quotient + Polynomial(floorQuotient(coefficient, divisor));
      continue;
    }
    if (coefficient % divisor != 0)
      return false;
    quotient.terms[monomial] = coefficient / divisor;
  }
  return !value.overflow;
}

static std::vector<Polynomial>
timesMatrix(const std::vector<int64_t> &numbers,
            const std::vector<Polynomial> &values) {
  std::vector<Polynomial> result(values.size());
  for (size_t row = 0; row < values.size(); ++row)
    for (size_t column = 0; column < values.size(); ++column)
      result[row] =
          result[row] +
          Polynomial(numbers[row * values.size() + column]) * values[column];
  return result;
}

static bool applyPart(const LayoutPart &part, std::vector<Polynomial> &values,
                      SymbolTable &symbols) {
  Polynomial quotient;
  int64_t residue = 0;
  switch (part.kind) {
  case Kind::Exchange:
    std::swap(values[part.dim], values[part.other]);
    return true;
  case Kind::Reverse:
    values[part.dim] = -values[part.dim];
    return true;
  case Kind::Offset:
    values[part.dim] = values[part.dim] - Polynomial(part.factor);
    return true;
  case Kind::Skew:
    values[part.dim] =
        values[part.dim] - Polynomial(part.factor) * values[part.other];
    return true;
  case Kind::Compact:
    if (!dividesEvenly(values[part.dim], part.factor, quotient, residue) ||
        residue != part.residue)
      return false;
    values[part.dim] = quotient;
    return true;
  case Kind::Split: {
    Polynomial rest;
    if (dividesEvenly(values[part.dim], part.factor, quotient, residue)) {
      rest = Polynomial(residue);
    } else {
      SymbolId div = symbols.floorDiv(values[part.dim], part.factor);
      quotient = Polynomial::symbol(div);
      rest = Polynomial::symbol(symbols.modulo(values[part.dim], part.factor));
    }
    values[part.dim] = quotient;
    values.insert(values.begin(), rest);
    return true;
  }
  case Kind::Matrix:
    values = timesMatrix(part.matrix, values);
    return true;
  }
  return false;
}

std::optional<std::vector<Polynomial>>
DataSpace::apply(std::vector<Polynomial> subscripts,
                 SymbolTable &symbols) const {
  if (subscripts.size() != before)
    return std::nullopt;
  for (const LayoutPart &part : parts)
    if (!applyPart(part, subscripts, symbols))
      return std::nullopt;
  for (const Polynomial &subscript : subscripts)
    if (subscript.overflow)
      return std::nullopt;
  return subscripts;
}

std::optional<std::vector<int64_t>>
DataSpace::apply(std::vector<int64_t> cell) const {
  SymbolTable none;
  std::vector<Polynomial> values;
  for (int64_t subscript : cell)
    values.emplace_back(subscript);
  std::optional<std::vector<Polynomial>> result = apply(values, none);
  if (!result)
    return std::nullopt;
  cell.clear();
  for (const Polynomial &value : *result)
    cell.push_back(*value.asConstant());
  return cell;
}

//===-- Text --------------------------------------------------------------===//

static std::string affineText(const std::vector<int64_t> &row,
                              const std::string &stem) {
  std::string text;
  for (size_t at = 0; at + 1 < row.size(); ++at)
    if (row[at])
      text += (text.empty() ? "" : " + ") + std::to_string(row[at]) + "*" +
              stem + std::to_string(at);
  if (row.back() || text.empty())
    text += (text.empty() ? "" : " + ") + std::to_string(row.back());
  return text;
}

/// The way back says it all: integer sums, and residues within their range.
std::string DataSpace::relation(const std::string &array,
                                const std::string &copy) const {
  auto list = [](const std::string &stem, unsigned count) {
    std::string text;
    for (unsigned at = 0; at < count; ++at)
      text += (at ? ", " : "") + stem + std::to_string(at);
    return text;
  };
  Rows back = wayBack(rank(), parts);
  std::string text = "{ " + array + "[" + list("s", before) + "] -> " + copy +
                     "[" + list("t", rank()) + "] : ";
  for (unsigned row = 0; row < before; ++row)
    text += (row ? " and s" : "s") + std::to_string(row) + " = " +
            affineText(back[row], "t");
  // A residue is an outermost subscript at first; later parts move it on.
  for (size_t at = 0; at < parts.size(); ++at) {
    if (parts[at].kind != Kind::Split)
      continue;
    std::vector<LayoutPart> later(parts.begin() + at + 1, parts.end());
    std::string residue = affineText(wayBack(rank(), later).front(), "t");
    text += " and 0 <= " + residue + " < " + std::to_string(parts[at].factor);
  }
  return text + " }";
}

static std::string partText(const LayoutPart &part) {
  std::string dim = std::to_string(part.dim);
  std::string other = std::to_string(part.other);
  std::string factor = std::to_string(part.factor);
  switch (part.kind) {
  case Kind::Exchange:
    return "exchange " + dim + " " + other;
  case Kind::Reverse:
    return "reverse " + dim;
  case Kind::Offset:
    return "offset " + dim + " " + factor;
  case Kind::Skew:
    return "skew " + dim + " " + other + " " + factor;
  case Kind::Compact:
    return "compact " + dim + " " + factor + " " + std::to_string(part.residue);
  case Kind::Split:
    return "split " + dim + " " + factor;
  case Kind::Matrix:
    break;
  }
  std::string text = "matrix";
  for (int64_t number : part.matrix)
    text += " " + std::to_string(number);
  return text;
}

std::string DataSpace::str() const {
  std::string text;
  for (const LayoutPart &part : parts)
    text += (text.empty() ? "" : ", ") + partText(part);
  return text;
}

//===-- From patterns -----------------------------------------------------===//

std::optional<DataSpace> undoing(const Pattern &pattern) {
  if (!pattern.isCompatible)
    return std::nullopt;
  unsigned rank = static_cast<unsigned>(pattern.access.entries.size());
  unsigned last = rank - 1;
  DataSpace result(rank);
  // What delta has to take off is left to the end, in units of the stride.
  Ratio rest = Ratio();
  for (const std::vector<Ratio> &row : pattern.delta)
    for (size_t at = 0; at < row.size(); ++at)
      if (!row[at].isZero()) {
        if (!pattern.access.columns[at].empty())
          return std::nullopt; // an offset that only the launch knows
        rest = rest - row[at];
      }
  for (const PatternPart &part : pattern.parts) {
    std::optional<int64_t> amount = part.amount.asConstant();
    LayoutPart undone;
    undone.dim = last;
    switch (part.kind) {
    case PatternKind::Column:
      undone.other = undone.dim;
      undone.dim = part.row;
      break;
    case PatternKind::Reverse:
      undone.kind = Kind::Reverse;
      break;
    case PatternKind::Skew:
      if (!amount)
        return std::nullopt;
      undone.kind = Kind::Skew;
      undone.dim = part.target;
      undone.other = part.row;
      undone.factor = *amount;
      break;
    case PatternKind::Stride: {
      // rest = offset / K; the residue of the offset goes with the stride.
      if (!amount || *amount < 2)
        return std::nullopt;
      std::optional<int64_t> cells = (rest * part.amount).asConstant();
      if (!cells)
        return std::nullopt;
      undone.kind = Kind::Compact;
      undone.factor = *amount;
      undone.residue = residueOf(*cells, *amount);
      rest = Ratio(Polynomial(floorQuotient(*cells, *amount)));
      break;
    }
    default:
      continue;
    }
    if (!result.add(undone))
      return std::nullopt;
  }
  std::optional<int64_t> offset = rest.asConstant();
  if (!offset)
    return std::nullopt;
  LayoutPart shift;
  shift.kind = Kind::Offset;
  shift.dim = last;
  shift.factor = *offset;
  if (*offset && !result.add(shift))
    return std::nullopt;
  // Strides of vectors count in vectors, cells do not.
  if (result.transform() != pattern.transform)
    return std::nullopt;
  return result;
}

} // namespace clopt
