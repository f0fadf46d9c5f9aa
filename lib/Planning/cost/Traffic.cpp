//===- Traffic.cpp - what the accesses to an array cost -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is latency times requests. Whatever hides latency hides it for all
// memories alike, so that the comparison holds where the figure itself does
// not. A request that memory must split takes several turns.
//
// Tested by test/unit/TrafficTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/Traffic.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/Attributes.h"
#include "Analysis/access/Coalescing.h"
#include "Analysis/access/LaneAxis.h"
#include "Transform/Apply.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace clopt {

/// Iterations of a loop whose number is not known, and of data-dependent ones.
static constexpr double unknownTrips = 256, dataTrips = 32;
/// Loops from here on are cut into tiles.
static constexpr int64_t minIterations = 64;
/// Work-items of a group whose size is not known, at most.
static constexpr int64_t usualGroup = 256;
/// Cells beyond which a footprint counts as unknown.
static constexpr int64_t maxCells = int64_t(1) << 40;
/// What a request to an image takes when its work-items lie apart; measured on
/// a K20c (M. Fang, 2017, section 3.2).
static constexpr double scatteredImage = 1.13;

Selections interiorOf(const TransformedKernel &kernel) {
  TransformedKernel trial = kernel;
  const KernelModel &model = *kernel.model;
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    bool isChosen = false;
    for (const Access &access : model.accesses)
      isChosen |= access.array == array && access.offset &&
                  !selectsIn(model, *access.offset, {}).empty();
    if (!isChosen || model.arrays[array].space == AddressSpace::Private)
      continue;
    Step step;
    step.name = "select";
    step.targets.push_back({model.arrays[array].name, std::nullopt});
    applyStep(trial, step, AliasMode::Check);
  }
  return trial.selections;
}

static GroupShape shapeOf(const KernelModel &model,
                          const DeviceProfile &profile) {
  GroupShape shape;
  const NDRange &range = model.ndrange;
  int64_t left = std::min<int64_t>(profile.maxGroupSize, usualGroup);
  for (unsigned d = 0; d < range.rank; ++d) {
    int64_t own = d + 1 == range.rank ? left : std::min<int64_t>(left, 16);
    shape.size[d] = range.localSize[d].value_or(own);
    left = std::max<int64_t>(1, left / std::max<int64_t>(1, shape.size[d]));
  }
  return shape;
}

TrafficModel::TrafficModel(const TransformedKernel &transformed,
                           const DeviceProfile &deviceProfile)
    : kernel(transformed), model(*transformed.model), profile(deviceProfile),
      shape(shapeOf(*transformed.model, deviceProfile)),
      interior(interiorOf(transformed)), axis(laneAxis(*transformed.model)) {}

//===-- How often ---------------------------------------------------------===//

std::optional<int64_t> TrafficModel::tripCount(unsigned loop) const {
  auto known = tripCounts.find(loop);
  if (known == tripCounts.end())
    known = tripCounts.emplace(loop, constantTripCount(kernel, loop)).first;
  return known->second;
}

double TrafficModel::trips(unsigned loop) const {
  std::optional<int64_t> count = tripCount(loop);
  return count ? static_cast<double>(std::max<int64_t>(*count, 0))
               : unknownTrips;
}

bool TrafficModel::isLong(unsigned loop) const {
  std::optional<int64_t> count = tripCount(loop);
  return !count || *count >= minIterations;
}

double TrafficModel::runs(const Access &access) const {
  return runs(model.statements[access.statement]);
}

double TrafficModel::runs(const Statement &statement) const {
  double result = statement.isCompound ? dataTrips : 1;
  for (unsigned loop : statement.loops)
    result *= trips(loop);
  return result;
}

double TrafficModel::repetitions(std::optional<unsigned> loop) const {
  double result = 1;
  if (loop)
    for (unsigned outer : model.loops[*loop].outer)
      result *= trips(outer);
  return result;
}

//===-- Which cells -------------------------------------------------------===//

std::vector<Polynomial> TrafficModel::subscripts(const Access &access) const {
  std::vector<Polynomial> result = access.subscripts;
  if (result.empty() && access.offset)
    result.push_back(*access.offset);
  for (Polynomial &subscript : result)
    subscript = resolve(model, subscript, interior);
  return result;
}

/// The innermost long loop that moves the access.
std::optional<unsigned> TrafficModel::movingLoop(const Access &access) const {
  const std::vector<unsigned> &loops = model.statements[access.statement].loops;
  for (size_t i = loops.size(); i-- > 0;) {
    SymbolId iterator = model.loops[loops[i]].iterator;
    for (const Polynomial &subscript : subscripts(access))
      if (isLong(loops[i]) && dependsOn(model, subscript, iterator))
        return loops[i];
  }
  return std::nullopt;
}

std::optional<int64_t>
TrafficModel::symbolSpan(SymbolId id,
                         const std::map<SymbolId, int64_t> &spans) const {
  auto known = spans.find(id);
  if (known != spans.end())
    return known->second < 0 ? std::nullopt
                             : std::optional<int64_t>(known->second);
  const Symbol &symbol = model.symbols[id];
  std::optional<int64_t> first, second;
  switch (symbol.kind) {
  case SymbolKind::Unknown:
    return symbol.varying ? std::nullopt : std::optional<int64_t>(0);
  case SymbolKind::FloorDiv:
    first = span(symbol.first, spans);
    return first && *first ? std::optional(*first / symbol.constant + 1)
                           : first;
  case SymbolKind::Modulo:
    first = span(symbol.first, spans);
    return first ? std::optional(std::min(*first, symbol.constant - 1)) : first;
  case SymbolKind::Select:
    first = span(symbol.first, spans);
    second = span(symbol.second, spans);
    return first && second ? std::optional(std::max(*first, *second))
                           : std::nullopt;
  default:
    return 0;
  }
}

/// Greatest less least value, when the symbols move by `spans`; a negative span
/// is one that is not known.
std::optional<int64_t>
TrafficModel::span(const Polynomial &poly,
                   const std::map<SymbolId, int64_t> &spans) const {
  if (poly.overflowed())
    return std::nullopt;
  int64_t result = 0;
  for (const auto &[monomial, coefficient] : poly.terms) {
    int64_t own = 0;
    for (SymbolId symbol : monomial) {
      std::optional<int64_t> moves = symbolSpan(symbol, spans);
      // A product that moves has a size that only the launch knows.
      if (!moves || (*moves > 0 && monomial.size() > 1))
        return std::nullopt;
      own += *moves;
    }
    if (std::llabs(coefficient) > maxCells || own > maxCells)
      return std::nullopt;
    result += own * std::llabs(coefficient);
    if (result > maxCells)
      return std::nullopt;
  }
  return result;
}

/// How far ids and iterators move: within a group and a tile, or in the launch.
std::map<SymbolId, int64_t> TrafficModel::spansOf(const Access &access,
                                                  bool ofLaunch,
                                                  unsigned tile) const {
  std::map<SymbolId, int64_t> spans;
  for (unsigned d = 0; d < 3; ++d) {
    if (auto id = model.symbols.find(SymbolKind::GlobalId, d))
      spans[*id] = ofLaunch ? -1 : shape.size[d] - 1;
    if (auto id = model.symbols.find(SymbolKind::LocalId, d))
      spans[*id] = shape.size[d] - 1;
    if (auto id = model.symbols.find(SymbolKind::GroupId, d))
      spans[*id] = ofLaunch ? -1 : 0;
  }
  std::optional<unsigned> moving = movingLoop(access);
  bool isInside = !moving; // of the region that is kept at once
  for (unsigned loop : model.statements[access.statement].loops) {
    const Loop &info = model.loops[loop];
    isInside |= moving == loop;
    std::optional<int64_t> count = tripCount(loop);
    int64_t moves = count ? std::max<int64_t>(*count - 1, 0) : -1;
    if (!ofLaunch && loop == moving)
      moves = std::max<int64_t>(tile, 1) - 1;
    else if (!ofLaunch && !isInside)
      moves = 0;
    std::optional<int64_t> first = span(info.first, spans);
    spans[info.iterator] =
        moves < 0 || !first ? -1 : moves * std::llabs(info.step) + *first;
  }
  return spans;
}

namespace {

/// References that differ by constants only.
struct Section {
  std::vector<Polynomial> form; ///< without constants
  std::vector<int64_t> least, greatest, spans;
};

} // namespace

/// `onlyMoved`: of references that a long loop moves.
std::optional<int64_t> TrafficModel::cells(unsigned array, bool ofLaunch,
                                           unsigned tile,
                                           bool onlyMoved) const {
  std::vector<Section> sections;
  for (const Access &access : model.accesses) {
    if (access.array != array || (onlyMoved && !movingLoop(access)))
      continue;
    std::vector<Polynomial> rows = subscripts(access);
    if (rows.empty())
      return std::nullopt;
    std::map<SymbolId, int64_t> moves = spansOf(access, ofLaunch, tile);
    Section own;
    for (const Polynomial &row : rows) {
      std::optional<int64_t> moved = span(row, moves);
      if (!moved)
        return std::nullopt;
      auto constant = row.terms.find({});
      int64_t offset = constant == row.terms.end() ? 0 : constant->second;
      own.form.push_back(row - Polynomial(offset));
      own.least.push_back(offset);
      own.greatest.push_back(offset);
      own.spans.push_back(*moved);
    }
    own.greatest.back() += access.width - 1;
    auto same = std::find_if(
        sections.begin(), sections.end(),
        [&](const Section &other) { return other.form == own.form; });
    if (same == sections.end()) {
      sections.push_back(own);
      continue;
    }
    for (size_t d = 0; d < rows.size(); ++d) {
      same->least[d] = std::min(same->least[d], own.least[d]);
      same->greatest[d] = std::max(same->greatest[d], own.greatest[d]);
      same->spans[d] = std::max(same->spans[d], own.spans[d]);
    }
  }
  int64_t total = 0;
  for (const Section &section : sections) {
    int64_t box = 1;
    for (size_t d = 0; d < section.spans.size(); ++d) {
      box *= section.spans[d] + section.greatest[d] - section.least[d] + 1;
      if (box > maxCells)
        return std::nullopt;
    }
    total += box;
  }
  return total;
}

/// What a group touches in one iteration of its long loops.
std::optional<int64_t> TrafficModel::groupCells(unsigned array) const {
  auto known = groupSections.find(array);
  if (known == groupSections.end())
    known = groupSections.emplace(array, cells(array, false, 1, false)).first;
  return known->second;
}

//===-- How long ----------------------------------------------------------===//

/// Requests of a full lane group, in units of one that takes 4 bytes each from
/// neighbouring cells.
double TrafficModel::turns(const Access &access) const {
  const int64_t bytes = model.arrays[access.array].elementBytes;
  double result = 1;
  std::optional<Polynomial> stride;
  if (axis && access.offset)
    stride = laneStride(model, resolve(model, *access.offset, interior), *axis);
  std::optional<int64_t> cells = stride ? stride->asConstant() : std::nullopt;
  const double whole = profile.lanes * 4.0 / profile.segmentBytes;
  double segments = profile.lanes;
  if (cells && std::llabs(*cells) < profile.segmentBytes) {
    std::vector<int64_t> addresses;
    for (int64_t lane = 0; lane < profile.lanes; ++lane)
      addresses.push_back(lane * *cells * bytes);
    segments =
        countSegments(addresses, static_cast<unsigned>(bytes) * access.width,
                      profile.segmentBytes);
  }
  result = std::max(result, segments / std::max(1.0, whole));
  // Devices that take narrow elements apart.
  double narrow = profile.copyBandwidth(static_cast<unsigned>(bytes), 1);
  if (bytes < 4 && cells && *cells && narrow > 0)
    result = std::max(result, profile.copyBandwidth(4, 1) * bytes / 4 / narrow);
  return result;
}

/// Part of an access's requests that the cache has nothing for: cells of a
/// group that fit it are fetched once; what a long loop moves by less than a
/// segment is there until the segment is used up; all else is gone when it is
/// needed again.
double TrafficModel::coldShare(const Access &access) const {
  if (profile.latency.cached >= profile.latency.global)
    return 1;
  const int64_t bytes = model.arrays[access.array].elementBytes;
  std::optional<unsigned> moving = movingLoop(access);
  std::optional<int64_t> used =
      moving ? std::nullopt : groupCells(access.array);
  if (used && *used * bytes <= static_cast<int64_t>(profile.localMemoryBytes))
    return std::min(1.0, static_cast<double>(*used) /
                             static_cast<double>(shape.items()) /
                             runsIn(access.array));
  const std::vector<unsigned> &loops = model.statements[access.statement].loops;
  if (loops.empty() || !access.offset)
    return 1;
  const Loop &inner = model.loops[loops.back()];
  std::optional<Polynomial> step =
      laneStride(model, resolve(model, *access.offset, interior),
                 inner.iterator, inner.step);
  std::optional<int64_t> cells = step ? step->asConstant() : std::nullopt;
  if (!cells)
    return 1;
  if (*cells == 0)
    return 1 / trips(loops.back());
  double share =
      static_cast<double>(std::llabs(*cells) * bytes) / profile.segmentBytes;
  return std::min(1.0, share);
}

/// Words of a cell; narrow cells take as long as one.
double TrafficModel::words(unsigned array) const {
  return std::max(1.0, model.arrays[array].elementBytes / 4.0);
}

double TrafficModel::inGlobalMemory(const Access &access) const {
  double cold = coldShare(access), requests = turns(access);
  // What is there already costs as long for wide cells; scattered ones wait for
  // each other.
  double inCache =
      std::max(1.0, requests / (words(access.array) *
                                static_cast<double>(access.width)));
  return runs(access) * (cold * requests * profile.latency.global +
                         (1 - cold) * inCache * profile.latency.cached);
}

/// Times that one work-item takes part in a copy.
double TrafficModel::copies(unsigned array, unsigned tile) const {
  double most = 1;
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    std::optional<unsigned> moving = movingLoop(access);
    if (!moving)
      continue;
    double own = std::ceil(trips(*moving) / std::max(1u, tile));
    for (unsigned outer : model.loops[*moving].outer)
      own *= trips(outer);
    most = std::max(most, own);
  }
  return most;
}

/// Times that long loops repeat an access.
double TrafficModel::longTrips(const Access &access) const {
  double result = 1;
  for (unsigned loop : model.statements[access.statement].loops)
    if (isLong(loop))
      result *= std::max(1.0, trips(loop));
  return result;
}

/// Accesses of a work-item to the array.
double TrafficModel::runsIn(unsigned array) const {
  double result = 0;
  for (const Access &access : model.accesses)
    if (access.array == array)
      result += runs(access);
  return result;
}

ArrayTraffic TrafficModel::traffic(unsigned array, int64_t maxBytes) const {
  ArrayTraffic result;
  const int64_t bytes = model.arrays[array].elementBytes;
  const Latencies &latency = profile.latency;
  double imageTurns = 0, moved = 0, notMoved = 0, timesMoved = 0;
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    double own = inGlobalMemory(access), times = runs(access);
    bool isScattered = turns(access) > 1;
    result.runs += times;
    result.global += own;
    // What no loop moves is in a register by the time a tile is copied.
    if (movingLoop(access))
      moved += own;
    else
      notMoved += own / longTrips(access);
    imageTurns += times * (isScattered ? scatteredImage : 1);
    if (movingLoop(access))
      timesMoved += times;
    // Without a cache of their own images are fetched as buffers are.
    result.image += latency.image < latency.global ? 0 : own;
  }
  const bool isMoved = moved > 0;
  result.launchCells = cells(array, true, 0, false);
  for (unsigned tile : {256u, 128u, 64u, 32u, 16u}) {
    result.tile = isMoved ? tile : 0;
    result.groupCells = cells(array, false, tile, isMoved);
    if (!isMoved || !result.groupCells ||
        *result.groupCells * bytes <= maxBytes)
      break;
  }
  result.constant = result.runs * latency.constant;
  if (latency.image < latency.global)
    result.image = imageTurns * latency.image;
  double perItem = static_cast<double>(result.groupCells.value_or(0)) /
                   static_cast<double>(std::max<int64_t>(1, shape.items()));
  result.local =
      copies(array, result.tile) *
          (perItem * (words(array) * latency.global + latency.local) +
           2 * latency.local) +
      (isMoved ? timesMoved : result.runs) * latency.local +
      (isMoved ? notMoved : 0);
  return result;
}

} // namespace clopt
