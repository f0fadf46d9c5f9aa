//===- BankConflict.cpp - work-items that wait for one bank ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the work-items of a lane group share of an address only turns the banks
// around, as long as it is a multiple of a period: a word, or the distance of
// two gaps in a padded array. Within one period every position that the shared
// part can have is tried; its coefficients say which those are.
//
// Tested by test/unit/BankConflictTest.cpp, test/oracle/BankOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/BankConflict.h"

#include "Analysis/access/LaneAddresses.h"
#include "Analysis/access/LaneFlow.h"
#include "Analysis/memory/LocalCells.h"

#include <llvm/Support/MathExtras.h>

#include <isl/set.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace clopt {

/// Cells of a tree in an array of the host's: no group is larger.
static constexpr int64_t largestArray = 4096;

/// Turns of work-items that are served together.
static unsigned turnsOf(const std::vector<int64_t> &addresses,
                        unsigned accessBytes, const BankShape &shape) {
  std::vector<int64_t> words;
  for (int64_t address : addresses) {
    int64_t word = llvm::divideFloorSigned(address, shape.bytes);
    int64_t last =
        llvm::divideFloorSigned(address + accessBytes - 1, shape.bytes);
    for (; word <= last; ++word)
      words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<unsigned> turns(shape.banks);
  unsigned most = 1;
  for (int64_t word : words) {
    int64_t bank =
        word - llvm::divideFloorSigned(word, shape.banks) * shape.banks;
    most = std::max(most, ++turns[static_cast<size_t>(bank)]);
  }
  return most;
}

/// Calls `take` with the turns, the addresses and the bytes at each of each
/// part in which accesses are served. Wide ones: as many work-items at a time
/// as there are banks for, or one word of all work-items at a time.
template <typename Take>
static void forParts(const std::vector<int64_t> &addresses,
                     unsigned accessBytes, const BankShape &shape, Take take) {
  unsigned parts = std::max(1u, accessBytes / std::max(1u, shape.bytes));
  if (shape.wordByWord && parts > 1) {
    BankShape word = shape;
    word.wordByWord = false;
    for (unsigned part = 0; part < parts; ++part) {
      std::vector<int64_t> moved = addresses;
      for (int64_t &address : moved)
        address += int64_t(part) * shape.bytes;
      forParts(moved, shape.bytes, word, take);
    }
    return;
  }
  size_t together = std::max<size_t>(1, shape.laneGroup / parts);
  for (size_t first = 0; first < addresses.size(); first += together) {
    auto begin = addresses.begin() + static_cast<std::ptrdiff_t>(first);
    auto size = static_cast<std::ptrdiff_t>(
        std::min(together, addresses.size() - first));
    const std::vector<int64_t> part(begin, begin + size);
    take(turnsOf(part, accessBytes, shape), part, accessBytes);
  }
}

/// The degree, and what has it.
static void takeWorse(const BankConflict &other, BankConflict &result) {
  if (other.degree <= result.degree)
    return;
  result.degree = other.degree;
  result.addresses = other.addresses;
  result.accessBytes = other.accessBytes;
}

/// The part that takes the most turns.
static BankConflict worstPart(const std::vector<int64_t> &addresses,
                              unsigned accessBytes, const BankShape &shape) {
  BankConflict result;
  result.degree = 1;
  forParts(addresses, accessBytes, shape,
           [&](unsigned turns, const std::vector<int64_t> &part,
               unsigned bytesAtEach) {
             if (!result.addresses.empty() && turns <= result.degree)
               return;
             result.degree = turns;
             result.addresses = part;
             result.accessBytes = bytesAtEach;
           });
  return result;
}

unsigned countTurns(const std::vector<int64_t> &addresses, unsigned accessBytes,
                    const BankShape &shape) {
  return worstPart(addresses, accessBytes, shape).degree;
}

unsigned sumTurns(const std::vector<int64_t> &addresses, unsigned accessBytes,
                  const BankShape &shape) {
  unsigned sum = 0;
  forParts(addresses, accessBytes, shape,
           [&](unsigned turns, const std::vector<int64_t> &, unsigned) {
             sum += turns;
           });
  return sum;
}

int64_t paddedIndex(const LocalPadding &padding, int64_t index) {
  if (padding.every == 0)
    return index;
  return index + llvm::divideFloorSigned(index, padding.every) * padding.count;
}

namespace {

class BankAnalyzer {
public:
  BankAnalyzer(const KernelModel &kernel, const Access &theAccess,
               const BankShape &bankShape, const CellView &cellView)
      : model(kernel), access(theAccess), array(kernel.arrays[access.array]),
        shape(bankShape), view(cellView), padding(cellView.padding),
        lanes(lanesOfGroup(kernel, bankShape.laneGroup)) {}
  BankConflict run();

private:
  std::optional<Polynomial> offset() const;
  bool isTransposed() const;
  int64_t componentBytes() const;
  isl::set runningIds() const;
  void findRunning();
  void add(const BankConflict &group, BankConflict &result) const;
  BankConflict enumerate(const LaneValues &values) const;
  BankConflict withoutValue() const;
  BankConflict worstOfRounds(int64_t doubling) const;
  std::optional<int64_t> distance(BankConflict &result) const;
  BankConflict atDistance(int64_t cells, size_t items) const;
  std::optional<SymbolId> axis() const;

  const KernelModel &model;
  const Access &access;
  const Array &array;
  const BankShape &shape;
  const CellView &view;
  const LocalPadding *padding;
  LaneIds lanes;
  std::vector<bool> runs; ///< per work-item
};

} // namespace

bool BankAnalyzer::isTransposed() const {
  return view.layout && view.layout->kind == LocalLayout::Kind::Transposed;
}

/// Of the cells of vectors.
int64_t BankAnalyzer::componentBytes() const {
  return sizeOf(array.elementType.scalar);
}

/// Cells from the start of the array, rows as long as they are with padding.
std::optional<Polynomial> BankAnalyzer::offset() const {
  if (isTransposed()) {
    if (access.subscripts.size() != 2 || array.extents.size() != 2)
      return std::nullopt;
    return access.subscripts[1] * array.extents[0] + access.subscripts[0];
  }
  if (!padding || padding->every != 0)
    return access.offset;
  if (access.subscripts.size() != array.extents.size())
    return std::nullopt;
  Polynomial result;
  for (size_t d = 0; d < access.subscripts.size(); ++d) {
    Polynomial extent = array.extents[d];
    if (d + 1 == array.extents.size())
      extent = extent + Polynomial(padding->count);
    if (d > 0)
      result = result * extent;
    result = result + access.subscripts[d];
  }
  return result;
}

/// { [local ids] } that run the statement for some launch and iteration.
isl::set BankAnalyzer::runningIds() const {
  const Statement &statement = model.statements[access.statement];
  isl_set *domain = isl_set_reset_tuple_id(statement.domain.copy());
  for (size_t i = statement.coordinates.size(); i-- > 0;)
    if (model.symbols[statement.coordinates[i]].kind != SymbolKind::LocalId)
      domain =
          isl_set_project_out(domain, isl_dim_set, static_cast<unsigned>(i), 1);
  int params = isl_set_dim(domain, isl_dim_param);
  domain = isl_set_project_out(domain, isl_dim_param, 0,
                               static_cast<unsigned>(params));
  return isl::manage(isl_set_coalesce(domain));
}

/// Whether each work-item ever runs the statement.
void BankAnalyzer::findRunning() {
  isl::set running = runningIds();
  std::vector<size_t> local;
  for (size_t i = 0; i < lanes.ids.size(); ++i)
    if (model.symbols[lanes.ids[i]].kind == SymbolKind::LocalId)
      local.push_back(i);
  bool isBounded = !lanes.alignment.empty() && !local.empty() &&
                   lanes.alignment[local.front()] == 0;
  for (const std::vector<int64_t> &values : lanes.values) {
    isl_set *own = running.copy();
    for (size_t d = 0; isBounded && d < local.size(); ++d)
      own = isl_set_fix_si(own, isl_dim_set, static_cast<unsigned>(d),
                           static_cast<int>(values[local[d]]));
    runs.push_back(isl_set_is_empty(own) != isl_bool_true);
    isl_set_free(own);
  }
}

BankConflict BankAnalyzer::enumerate(const LaneValues &values) const {
  const bool isPlane =
      view.layout && view.layout->kind == LocalLayout::Kind::Planes;
  const int64_t bytes = isPlane ? componentBytes() : array.elementBytes;
  const int64_t accessBytes =
      view.component ? componentBytes() : bytes * access.width;
  const int64_t first =
      view.component && !isPlane ? *view.component * componentBytes() : 0;
  int64_t period = std::max<int64_t>(1, shape.bytes / bytes);
  if (padding && padding->every)
    period = std::lcm(period, padding->every);
  int64_t step = period;
  for (const auto &[monomial, coefficient] : values.shared.terms)
    step = std::gcd(step, coefficient);
  BankConflict result;
  result.kind = BankConflict::Kind::Known;
  result.isExact = true;
  for (int64_t base = 0; base < period; base += step) {
    std::vector<int64_t> addresses;
    for (int64_t own : values.own) {
      int64_t cell = base + own;
      addresses.push_back(
          (padding ? paddedIndex(*padding, cell) : cell) * bytes + first);
    }
    const unsigned wide = static_cast<unsigned>(accessBytes);
    BankConflict part = worstPart(addresses, wide, shape);
    result.isExact &= base == 0 || part.degree == result.degree;
    takeWorse(part, result);
    result.turns = std::max(result.turns, sumTurns(addresses, wide, shape));
  }
  return result;
}

std::optional<SymbolId> BankAnalyzer::axis() const {
  return lanes.ids.empty() ? std::nullopt
                           : std::optional<SymbolId>(lanes.ids.front());
}

/// Neighbours this many cells apart, at any position.
BankConflict BankAnalyzer::atDistance(int64_t cells, size_t items) const {
  LaneValues values;
  values.shared = Polynomial::symbol(*axis());
  for (size_t lane = 0; lane < items; ++lane)
    values.own.push_back(cells * static_cast<int64_t>(lane));
  return enumerate(values);
}

/// Most turns at distances of `doubling` times 1, 2, 4 ... cells. As many
/// work-items take part as have cells of their own.
BankConflict BankAnalyzer::worstOfRounds(int64_t doubling) const {
  int64_t extent = largestArray;
  if (array.var && array.var->type.isArray())
    extent = std::min(extent, arrayCells(array.var->type));
  BankConflict worst;
  for (int64_t cells = std::llabs(doubling); cells <= extent; cells *= 2) {
    int64_t items = std::min<int64_t>(shape.laneGroup, extent / cells);
    BankConflict round = atDistance(cells, static_cast<size_t>(items));
    if (round.degree > worst.degree)
      worst = std::move(round);
  }
  return worst;
}

/// Distance of neighbours when the subscript has no value; `result.kind` says
/// whether it changes in a loop.
std::optional<int64_t> BankAnalyzer::distance(BankConflict &result) const {
  if (std::optional<Polynomial> stride = lockstepStride(model, access, *axis()))
    if (std::optional<int64_t> constant = stride->asConstant())
      return constant;
  LaneForm form = laneForm(model, access.expr->operands[1], *axis());
  const Expr *base = access.expr->operands[0].get();
  while (base->kind == ExprKind::Cast || base->kind == ExprKind::Subscript) {
    bool isRow = base->kind == ExprKind::Subscript;
    if (isRow && laneForm(model, base->operands[1], *axis()).shape !=
                     LaneForm::Shape::Uniform)
      return std::nullopt;
    base = base->operands[0].get();
  }
  if (form.shape == LaneForm::Shape::Linear && !form.factor) {
    if (form.doubling)
      result = worstOfRounds(*form.doubling);
    result.kind = BankConflict::Kind::Varying;
    result.isExact = false;
    result.turns = 0;
  }
  return form.shape == LaneForm::Shape::Uniform ? 0 : form.factor;
}

/// The model has no value for the subscript; the distance between neighbours
/// may still be known, or known to be the same for all.
BankConflict BankAnalyzer::withoutValue() const {
  BankConflict result;
  if (!axis() || isTransposed() || !access.expr ||
      access.expr->kind != ExprKind::Subscript)
    return result;
  std::optional<int64_t> constant = distance(result);
  if (!constant)
    return result;
  return atDistance(*constant, shape.laneGroup);
}

/// Several lane groups: the worst counts.
void BankAnalyzer::add(const BankConflict &group, BankConflict &result) const {
  bool isFirst = result.kind == BankConflict::Kind::Unknown;
  result.isExact =
      group.isExact &&
      (isFirst || (result.isExact && result.degree == group.degree));
  result.kind = BankConflict::Kind::Known;
  takeWorse(group, result);
  result.turns = std::max(result.turns, group.turns);
}

BankConflict BankAnalyzer::run() {
  std::optional<Polynomial> cells = offset();
  if (!cells)
    return withoutValue();
  findRunning();
  BankConflict result;
  for (size_t first = 0; first < lanes.values.size();
       first += shape.laneGroup) {
    std::vector<size_t> items;
    size_t end = std::min(first + shape.laneGroup, lanes.values.size());
    for (size_t item = first; item < end; ++item)
      if (runs[item])
        items.push_back(item);
    if (items.empty())
      continue;
    std::optional<LaneValues> values =
        valuesOfLanes(model, *cells, lanes, items);
    if (!values)
      return BankConflict();
    add(enumerate(*values), result);
  }
  return result;
}

BankConflict analyzeBanks(const KernelModel &model, const Access &access,
                          const BankShape &shape, const LocalPadding *padding) {
  CellView view;
  view.padding = padding;
  return analyzeBanks(model, access, shape, view);
}

BankConflict analyzeBanks(const KernelModel &model, const Access &access,
                          const BankShape &shape, const CellView &view) {
  return BankAnalyzer(model, access, shape, view).run();
}

} // namespace clopt
