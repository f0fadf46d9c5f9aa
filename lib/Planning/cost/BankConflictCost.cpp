//===- BankConflictCost.cpp - turns that a section in local memory takes --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all work-items share of an address turns the banks around as long as it
// is a multiple of a word. Cells smaller than a word: every position in a word
// that the shared part can have is counted, and the mean taken.
//
// Tested by test/unit/BankConflictCostTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/BankConflictCost.h"

#include "Analysis/access/CellPart.h"
#include "Analysis/memory/TileLayout.h"
#include "Transform/Steps.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>
#include <utility>

namespace clopt {

/// Bytes of the widest access to local memory.
static constexpr int64_t widestAccess = 16;
/// Turns of whole vectors of which planes have to take less.
static constexpr double worthwhilePlanes = 0.75;
/// Iterations of a loop whose number is not known.
static constexpr int64_t usualTrips = 16;

namespace {

class TurnCounter {
public:
  TurnCounter(const TransformedKernel &transformed, const ArrayTile &section,
              const BankShape &bankShape)
      : kernel(transformed), model(*transformed.model), tile(section),
        shape(bankShape), bytes(section.cellBytes(*transformed.model)),
        component(section.cellBytes(*transformed.model) /
                  lanesOf(*transformed.model, section)) {}
  std::optional<BankConflictCost> run();

private:
  /// A piece of a cell that is accessed at once: byte offset and size.
  struct Piece {
    int64_t offset = 0, bytes = 0;
  };

  double copies() const;
  std::optional<double> uses(const Access &access) const;
  double turnsFor(const std::vector<int64_t> &cells,
                  const std::vector<Piece> &pieces) const;
  double turnsFor(const Access &access,
                  const std::vector<int64_t> &cells) const;
  std::vector<Piece> wholeCell() const;
  std::vector<Piece> piecesOf(std::vector<unsigned> components) const;
  static unsigned lanesOf(const KernelModel &model, const ArrayTile &tile);
  const Array &array() const { return model.arrays[tile.array]; }
  int64_t placeOf(int64_t cell) const;
  int64_t items() const;
  int64_t idOf(unsigned dim, int64_t item) const;
  int64_t runsAlong(SymbolId iterator) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const ArrayTile &tile;
  const BankShape &shape;
  const int64_t bytes;     ///< of a cell
  const int64_t component; ///< of a component of a vector
};

} // namespace

/// Cells with that many components lie side by side.
unsigned TurnCounter::lanesOf(const KernelModel &model, const ArrayTile &tile) {
  const unsigned lanes = model.arrays[tile.array].elementType.lanes;
  return lanes == 3 && !tile.inPlanes ? 4 : lanes;
}

/// Vectors are accessed 16 bytes at a time, structures word by word.
std::vector<TurnCounter::Piece> TurnCounter::wholeCell() const {
  if (tile.inPlanes)
    return piecesOf({});
  const bool isStruct = array().elementType.kind == TypeKind::Struct;
  const int64_t most = isStruct ? shape.bytes : widestAccess;
  std::vector<Piece> pieces;
  for (int64_t offset = 0; offset < bytes; offset += most)
    pieces.push_back({offset, std::min(most, bytes - offset)});
  return pieces;
}

/// Components, or all of them, each by itself. Planes are as large as the
/// section.
std::vector<TurnCounter::Piece>
TurnCounter::piecesOf(std::vector<unsigned> components) const {
  const bool isWhole = components.empty();
  for (unsigned i = 0; isWhole && i < array().elementType.lanes; ++i)
    components.push_back(i);
  std::sort(components.begin(), components.end());
  components.erase(std::unique(components.begin(), components.end()),
                   components.end());
  const int64_t apart =
      tile.inPlanes ? tileBytes(kernel, tile) / tile.planes(model) : component;
  std::vector<Piece> pieces;
  for (unsigned i : components)
    pieces.push_back({i * apart, component});
  return pieces;
}

/// Turns of a lane group for these cells.
double TurnCounter::turnsFor(const std::vector<int64_t> &cells,
                             const std::vector<Piece> &pieces) const {
  const int64_t distance = tile.inPlanes ? component : bytes;
  double turns = 0;
  for (const Piece &piece : pieces) {
    std::vector<int64_t> addresses;
    for (int64_t cell : cells)
      addresses.push_back(cell * distance + piece.offset);
    turns += sumTurns(addresses, static_cast<unsigned>(piece.bytes), shape);
  }
  return turns;
}

double TurnCounter::turnsFor(const Access &access,
                             const std::vector<int64_t> &cells) const {
  const CellPart part =
      access.expr ? partOfCell(*access.expr).value_or(CellPart()) : CellPart();
  if (tile.inPlanes)
    return turnsFor(cells, piecesOf(part.components));
  if (access.width > 1) {
    std::vector<Piece> pieces;
    const int64_t all = bytes * access.width;
    for (int64_t offset = 0; offset < all; offset += widestAccess)
      pieces.push_back({offset, std::min(widestAccess, all - offset)});
    return turnsFor(cells, pieces);
  }
  // A member of a structure: where it lies turns all lanes' banks alike.
  const bool isMember = !part.text.empty() && part.components.empty();
  if (const int64_t size = access.expr ? access.expr->type.size : 0;
      isMember && size > 0 && size < bytes)
    return turnsFor(cells, {{0, std::min(size, widestAccess)}});
  const double whole = turnsFor(cells, wholeCell());
  return part.components.empty()
             ? whole
             : std::min(whole, turnsFor(cells, piecesOf(part.components)));
}

/// Work-items of a group.
int64_t TurnCounter::items() const {
  int64_t count = 1;
  for (const WorkDimension &work : kernel.work)
    count *= work.threads();
  return count;
}

/// The first id of a work-item, counted from the first of the group.
int64_t TurnCounter::idOf(unsigned dim, int64_t item) const {
  for (unsigned d = 0; d < dim; ++d)
    item /= kernel.work[d].threads();
  const WorkDimension &work = kernel.work[dim];
  item %= work.threads();
  return work.strided ? item : item * work.total();
}

/// Index in the local array of a cell of the section, which are numbered in the
/// order of the array.
int64_t TurnCounter::placeOf(int64_t cell) const {
  std::vector<int64_t> position(tile.extents.size());
  for (size_t d = position.size(); d-- > 0;) {
    int64_t cells = tile.largest(kernel, static_cast<unsigned>(d));
    position[d] = cell % cells;
    cell /= cells;
  }
  int64_t place = 0;
  for (unsigned d : tileDimensions(kernel, tile))
    place = place * (d == tile.rowDimension ? rowCells(kernel, tile)
                                            : tile.largest(kernel, d)) +
            position[d];
  return place;
}

/// Neighbouring work-items copy neighbouring cells, `width` of a row at once.
double TurnCounter::copies() const {
  int64_t width = copiedAtOnce(kernel, tile), cells = 1;
  for (unsigned d = 0; d < tile.extents.size(); ++d)
    cells *= tile.largest(kernel, d);
  bool isVector = width > 1 && copiesRows(kernel, tile);
  int64_t stored = isVector ? 1 : width; // accesses per work-item
  double turns = 0;
  for (int64_t first = 0; first < cells; first += width * shape.laneGroup)
    for (int64_t part = 0; part < stored; ++part) {
      std::vector<int64_t> own;
      for (int64_t lane = 0; lane < shape.laneGroup; ++lane)
        if (int64_t cell = first + lane * width + part; cell < cells)
          own.push_back(placeOf(cell));
      turns += turnsFor(own, isVector ? std::vector<Piece>{{0, bytes * width}}
                                      : wholeCell());
    }
  return turns;
}

int64_t TurnCounter::runsAlong(SymbolId iterator) const {
  for (unsigned loop = 0; loop < model.loops.size(); ++loop) {
    if (model.loops[loop].iterator != iterator)
      continue;
    if (tile.loop && *tile.loop == loop)
      if (const ScheduleNode *node = findLoop(kernel.tree, loop))
        return std::max(1u, node->tile);
    return constantTripCount(kernel, loop).value_or(usualTrips);
  }
  return 1;
}

/// What does not move with a loop is loaded once.
std::optional<double> TurnCounter::uses(const Access &access) const {
  Polynomial place;
  for (unsigned d : tileDimensions(kernel, tile))
    place =
        place * Polynomial(d == tile.rowDimension ? rowCells(kernel, tile)
                                                  : tile.largest(kernel, d)) +
        relativeSubscript(model, tile, access, d);
  const int64_t narrowest = tile.inPlanes ? component : bytes;
  const int64_t period = std::max<int64_t>(1, shape.bytes / narrowest);
  int64_t step = period, runs = 1, first = 0;
  std::vector<std::pair<unsigned, int64_t>> ids; // dimension, cells
  for (const auto &[monomial, factor] : place.terms) {
    if (monomial.empty())
      first = factor;
    if (monomial.size() > 1)
      return std::nullopt;
    if (monomial.empty())
      continue;
    const Symbol &symbol = model.symbols[monomial.front()];
    if (symbol.kind == SymbolKind::GlobalId) {
      const WorkDimension &work = kernel.work[symbol.dim];
      ids.emplace_back(symbol.dim, factor);
      runs *= work.points;
      if (work.points > 1)
        step = std::gcd(step, factor * (work.strided ? work.threads() : 1));
    } else if (symbol.kind == SymbolKind::Iterator) {
      runs *= runsAlong(monomial.front());
      step = std::gcd(step, factor);
    } else {
      return std::nullopt;
    }
  }
  double turns = 0;
  for (int64_t base = 0; base < period; base += step)
    for (int64_t item = 0; item < items(); item += shape.laneGroup) {
      std::vector<int64_t> cells;
      for (int64_t lane = item;
           lane < std::min<int64_t>(item + shape.laneGroup, items()); ++lane) {
        int64_t cell = first + base;
        for (const auto &[dim, factor] : ids)
          cell += factor * idOf(dim, lane);
        cells.push_back(cell);
      }
      turns += turnsFor(access, cells);
    }
  return turns * static_cast<double>(runs) / static_cast<double>(period / step);
}

std::optional<BankConflictCost> TurnCounter::run() {
  for (const WorkDimension &work : kernel.work)
    if (work.lanes > 1)
      return std::nullopt;
  BankConflictCost turns;
  turns.copies = copies();
  for (unsigned id : tile.accesses) {
    std::optional<double> own = uses(model.accesses[id]);
    if (!own)
      return std::nullopt;
    turns.uses += *own;
  }
  return turns;
}

std::optional<BankConflictCost>
bankConflictCost(const TransformedKernel &kernel, const ArrayTile &tile,
                 const BankShape &shape) {
  return TurnCounter(kernel, tile, shape).run();
}

int64_t tileBytes(const TransformedKernel &kernel, const ArrayTile &tile) {
  int64_t cells = 1;
  for (unsigned d : tileDimensions(kernel, tile))
    cells *= d == tile.rowDimension ? rowCells(kernel, tile)
                                    : tile.largest(kernel, d);
  return cells * tile.cellBytes(*kernel.model);
}

//===-- The best of several -----------------------------------------------===//

namespace {

struct Score {
  double turns = 0;
  int64_t bytes = 0;
  bool operator<(const Score &other) const {
    return std::tie(turns, bytes) < std::tie(other.turns, other.bytes);
  }
};

} // namespace

/// All sections of the array with this shape.
static std::optional<Score> scoreOf(const TransformedKernel &kernel,
                                    unsigned array, const BankShape &banks,
                                    const std::optional<TileShape> &shape) {
  Score score;
  for (ArrayTile tile : kernel.tiles) {
    if (tile.array != array || tile.isPrivate())
      continue;
    if (shape) {
      tile.rowDimension = shape->rowDimension;
      tile.pad = shape->pad;
      tile.inPlanes = shape->inPlanes;
    }
    std::optional<BankConflictCost> turns =
        bankConflictCost(kernel, tile, banks);
    if (!turns)
      return std::nullopt;
    score.turns += turns->total();
    score.bytes += tileBytes(kernel, tile);
  }
  return score;
}

/// The other dimension along which rows may run; nothing when the sections are
/// no rectangles, or differ in that.
static std::optional<unsigned> otherDimension(const TransformedKernel &kernel,
                                              unsigned array) {
  std::optional<unsigned> rows, other;
  for (const ArrayTile &tile : kernel.sections()) {
    if (tile.array != array || tile.isPrivate())
      continue;
    std::vector<unsigned> dims = tileDimensions(kernel, tile);
    if (dims.size() != 2 ||
        (rows && (*rows != tile.rowDimension || *other != dims.front())))
      return std::nullopt;
    rows = tile.rowDimension;
    other = dims.front();
  }
  return other;
}

/// Unused cells per row that may help. Whole words keep rows apart, cells keep
/// them apart within a word; vectors of 16 bytes need rows of as many.
static std::vector<unsigned> padsFor(unsigned bytes, const BankShape &banks) {
  const unsigned word = std::max(1u, banks.bytes / bytes);
  std::vector<unsigned> pads = {0, word};
  if (bytes <= 16)
    pads.push_back(16 / bytes);
  for (unsigned pad = 1; pad < word; pad *= 2)
    pads.push_back(pad);
  return pads;
}

/// The better one of `best` and all shapes with these rows and planes.
static void tryShapes(const TransformedKernel &kernel, unsigned array,
                      const BankShape &banks, const TileShape &form,
                      const std::vector<unsigned> &pads,
                      std::pair<Score, TileShape> &best) {
  for (unsigned pad : pads) {
    TileShape trial = form;
    trial.pad = pad;
    std::optional<Score> score = scoreOf(kernel, array, banks, trial);
    if (score && *score < best.first)
      best = {*score, trial};
  }
}

static bool mayBeInPlanes(const TransformedKernel &kernel, unsigned array) {
  for (const ArrayTile &tile : kernel.sections())
    if (tile.array == array && tile.copyOut)
      return false;
  return kernel.model->arrays[array].elementType.isVector();
}

std::optional<TileShape> bestShape(const TransformedKernel &kernel,
                                   unsigned array, const BankShape &banks) {
  auto first = std::find_if(kernel.tiles.begin(), kernel.tiles.end(),
                            [&](const ArrayTile &tile) {
                              return tile.array == array && !tile.isPrivate();
                            });
  const std::optional<unsigned> other = otherDimension(kernel, array);
  const bool hasPlanes = mayBeInPlanes(kernel, array);
  if (first == kernel.tiles.end() || (!other && !hasPlanes))
    return std::nullopt;
  const TileShape now{first->rowDimension, first->pad, first->inPlanes};
  const std::optional<Score> least =
      scoreOf(kernel, array, banks, std::nullopt);
  if (!least)
    return std::nullopt;
  std::pair<Score, TileShape> whole(*least, now), planes(*least, now);
  planes.first.turns *= worthwhilePlanes;
  const unsigned bytes = first->cellBytes(*kernel.model);
  const unsigned part =
      bytes / std::max(1u, kernel.model->arrays[array].elementType.lanes);
  std::vector<unsigned> rows = {first->rowDimension};
  if (other)
    rows.push_back(*other);
  for (unsigned dim : rows)
    tryShapes(kernel, array, banks, {dim, 0, false},
              other ? padsFor(bytes, banks) : std::vector<unsigned>{now.pad},
              whole);
  planes.first.turns =
      std::min(planes.first.turns, worthwhilePlanes * whole.first.turns);
  const TileShape kept = planes.second;
  for (unsigned dim : rows)
    if (hasPlanes && !first->inPlanes)
      tryShapes(kernel, array, banks, {dim, 0, true},
                other ? padsFor(part, banks) : std::vector<unsigned>{0},
                planes);
  const bool isBetter = planes.second.inPlanes && !kept.inPlanes;
  return isBetter ? planes.second : whole.second;
}

int64_t columnPadding(int64_t edge, unsigned elementBytes,
                      const BankShape &shape) {
  const int64_t most =
      std::max<int64_t>(1, shape.bytes / std::max(1u, elementBytes));
  std::optional<unsigned> fewest;
  int64_t best = 1;
  for (int64_t pad = 1; pad <= most; ++pad) {
    std::vector<int64_t> addresses;
    for (unsigned lane = 0; lane < shape.laneGroup; ++lane)
      addresses.push_back(lane * (edge + pad) * elementBytes);
    const unsigned turns = countTurns(addresses, elementBytes, shape);
    if (fewest && turns >= *fewest)
      continue;
    fewest = turns;
    best = pad;
  }
  return best;
}

} // namespace clopt
