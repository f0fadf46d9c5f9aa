//===- ScheduleMaker.cpp - isl schedules of schedule trees ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with lanes, copies or tiles are split into chunks and a rest.
//
// Tested by test/unit/LoweringTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/ScheduleMaker.h"

#include "Analysis/memory/TileLayout.h"
#include "Analysis/ranges/NestTiles.h"
#include "Emit/lower/FullBlocks.h"
#include "Emit/lower/MaskedPoints.h"
#include "Emit/lower/TileSets.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace clopt {

static MaybeSchedule append(MaybeSchedule first, MaybeSchedule second) {
  if (!first)
    return second;
  if (!second)
    return first;
  return isl::manage(isl_schedule_sequence(first->copy(), second->copy()));
}

/// The parts one after the other. In halves, because isl copies what it appends
/// to.
static MaybeSchedule merge(const std::vector<MaybeSchedule> &parts,
                           size_t begin, size_t end) {
  if (begin == end)
    return std::nullopt;
  if (end - begin == 1)
    return parts[begin];
  size_t middle = begin + (end - begin) / 2;
  return append(merge(parts, begin, middle), merge(parts, middle, end));
}

static isl_schedule_node *insertMark(isl_schedule_node *node,
                                     const IdLabel &mark) {
  isl::id id = labelledId(isl_schedule_node_get_ctx(node), "mark", mark);
  return isl_schedule_node_insert_mark(node, id.release());
}

isl::schedule addBand(isl::schedule schedule, const IdLabel &mark,
                      const std::function<int(const isl::set &)> &coordinate,
                      int sign, BandForm form) {
  isl_union_set *domain = isl_schedule_get_domain(schedule.get());
  isl_set_list *sets = isl_union_set_get_set_list(domain);
  isl_union_pw_aff *partial = nullptr;
  int count = isl_set_list_n_set(sets);
  for (int i = 0; i < count; ++i) {
    isl::set set = isl::manage(isl_set_list_get_set(sets, i));
    int position = coordinate(set);
    isl_aff *aff = isl_aff_zero_on_domain(
        isl_local_space_from_space(isl_set_get_space(set.get())));
    aff = isl_aff_set_coefficient_si(aff, isl_dim_in, position, sign);
    isl_union_pw_aff *one =
        isl_union_pw_aff_from_pw_aff(isl_pw_aff_from_aff(aff));
    partial = partial ? isl_union_pw_aff_union_add(partial, one) : one;
  }
  isl_set_list_free(sets);
  isl_union_set_free(domain);
  isl_schedule *result = isl_schedule_insert_partial_schedule(
      schedule.release(), isl_multi_union_pw_aff_from_union_pw_aff(partial));
  isl_schedule_node *node = isl_schedule_get_root(result);
  isl_schedule_free(result);
  node = isl_schedule_node_child(node, 0);
  if (form != BandForm::Plain)
    node = isl_schedule_node_band_member_set_ast_loop_type(
        node, 0,
        form == BandForm::Unrolled ? isl_ast_loop_unroll
                                   : isl_ast_loop_separate);
  node = insertMark(node, mark);
  result = isl_schedule_node_get_schedule(node);
  isl_schedule_node_free(node);
  return isl::manage(result);
}

MaybeSchedule ScheduleMaker::makeLeaf(const isl::set &domain) {
  if (domain.is_null() || isl_set_is_empty(domain.get()) == isl_bool_true)
    return std::nullopt;
  return isl::manage(
      isl_schedule_from_domain(isl_union_set_from_set(domain.copy())));
}

/// The instances that all of a tile have, under their condition where there is
/// one.
MaybeSchedule ScheduleMaker::makeMasked(int key, const isl::set &instances) {
  if (!tiles || !tiles->masks.count(key) || instances.is_empty())
    return makeLeaf(instances);
  return makeLeaf(maskedInstances(kernel, *tiles, key, instances,
                                  "Masked" +
                                      std::to_string(key < 0 ? -1 - key : key) +
                                      "_" + std::to_string((*partCount)++)));
}

/// The instances that only some of a tile have, under their condition.
MaybeSchedule ScheduleMaker::makePart(unsigned statement,
                                      const DomainMap &domains) {
  auto it = domains.find(partKey(static_cast<int>(statement)));
  if (it == domains.end() || !tiles || it->second.is_empty())
    return std::nullopt;
  isl::set some = it->second;
  if (auto full = domains.find(static_cast<int>(statement));
      full != domains.end())
    some = some.unite(full->second);
  some = context ? some.intersect_params(*context) : some;
  const std::string name =
      "Part" + std::to_string(statement) + "_" + std::to_string((*partCount)++);
  return makeLeaf(
      named(it->second, name,
            guardPart(kernel, *tiles, statement, some.coalesce(), chunked)));
}

MaybeSchedule ScheduleMaker::makeCopy(const ScheduleNode &node,
                                      const DomainMap &domains) {
  auto it = domains.find(copyKey(node.copy));
  MaybeSchedule schedule;
  if (it != domains.end())
    schedule = makeMasked(copyKey(node.copy), it->second);
  if (!schedule)
    return schedule;
  const CopyStatement &copy = kernel.copies[node.copy];
  const ArrayTile &registers = kernel.tiles[copy.tile];
  int first = static_cast<int>(registers.coordinates.size());
  IdLabel mark;
  mark.node.kind = EmitNode::Kind::For;
  mark.node.loopKind = EmitNode::LoopKind::Cell;
  for (int d = static_cast<int>(registers.extents.size()) - 1; d >= 0; --d)
    schedule = addBand(
        *schedule, mark, [&](const isl::set &) { return first + d; }, 1,
        BandForm::Unrolled);
  return schedule;
}

/// Sets the option of the band below a mark that has one.
static isl_schedule_node *setApart(isl_schedule_node *node, void *) {
  if (isl_schedule_node_get_type(node) != isl_schedule_node_mark)
    return node;
  isl::id id = isl::manage(isl_schedule_node_mark_get_id(node));
  const std::optional<isl::set> &apart = labelOf(id)->apart;
  if (!apart)
    return node;
  node = isl_schedule_node_child(node, 0);
  node = isl_schedule_node_band_set_ast_build_options(
      node, isl_union_set_from_set(apart->copy()));
  return isl_schedule_node_parent(node);
}

MaybeSchedule ScheduleMaker::makeAll(const ScheduleNode &root,
                                     const DomainMap &domains) {
  MaybeSchedule schedule = make(root, domains);
  if (!schedule)
    return schedule;
  return isl::manage(isl_schedule_map_schedule_node_bottom_up(
      schedule->release(), setApart, nullptr));
}

/// True when both are statements with parts, and run in full in the same
/// iterations: where one runs in full, the other has no part.
bool ScheduleMaker::sharesParts(const ScheduleNode &first,
                                const ScheduleNode &second,
                                const DomainMap &domains) const {
  if (first.kind != ScheduleNode::Kind::Leaf ||
      second.kind != ScheduleNode::Kind::Leaf)
    return false;
  auto iterations = [&](int key) {
    auto it = domains.find(key);
    if (it == domains.end())
      return std::optional<isl::set>();
    return std::optional<isl::set>(
        isl::manage(isl_set_reset_tuple_id(it->second.copy())));
  };
  int one = static_cast<int>(first.statement);
  int other = static_cast<int>(second.statement);
  for (auto key :
       {+[](int s) { return s; }, +[](int s) { return partKey(s); }}) {
    auto left = iterations(key(one)), right = iterations(key(other));
    if (!left || !right || !left->get_space().is_equal(right->get_space()) ||
        !left->is_equal(*right))
      return false;
  }
  return true;
}

MaybeSchedule ScheduleMaker::makeSequence(const ScheduleNode &node,
                                          const DomainMap &domains) {
  std::vector<MaybeSchedule> parts;
  for (size_t begin = 0; begin < node.children.size();) {
    const ScheduleNode &child = node.children[begin];
    size_t end = begin + 1;
    while (end < node.children.size() &&
           sharesParts(child, node.children[end], domains))
      ++end;
    if (end == begin + 1) {
      parts.push_back(make(child, domains));
      begin = end;
      continue;
    }
    // First all in full, then all under conditions: never both.
    for (size_t i = begin; i < end; ++i) {
      const int key = static_cast<int>(node.children[i].statement);
      parts.push_back(makeMasked(key, domains.at(key)));
    }
    for (size_t i = begin; i < end; ++i)
      parts.push_back(makePart(node.children[i].statement, domains));
    begin = end;
  }
  parts.erase(std::remove(parts.begin(), parts.end(), std::nullopt),
              parts.end());
  return merge(parts, 0, parts.size());
}

MaybeSchedule ScheduleMaker::make(const ScheduleNode &node,
                                  const DomainMap &domains) {
  switch (node.kind) {
  case ScheduleNode::Kind::Leaf: {
    auto it = domains.find(static_cast<int>(node.statement));
    MaybeSchedule part = makePart(node.statement, domains);
    if (it == domains.end())
      return part;
    return append(makeMasked(it->first, it->second), part);
  }
  case ScheduleNode::Kind::Copy:
    return makeCopy(node, domains);
  case ScheduleNode::Kind::Sequence:
    return makeSequence(node, domains);
  case ScheduleNode::Kind::Loop:
    return makeLoop(node, domains);
  }
  return std::nullopt;
}

MaybeSchedule ScheduleMaker::band(MaybeSchedule body, const ScheduleNode &node,
                                  const IdLabel &mark, BandForm form) {
  if (!body)
    return body;
  auto coordinate = [&](const isl::set &instances) {
    return coordinateOf(kernel, instances, model.loops[node.loop].iterator);
  };
  int sign = model.loops[node.loop].step < 0 ? -1 : 1;
  return addBand(*body, mark, coordinate, sign, form);
}

/// True when a statement directly below the loop has a part.
static bool hasParts(const ScheduleNode &node, const DomainMap &domains) {
  if (node.kind == ScheduleNode::Kind::Leaf)
    return domains.count(partKey(static_cast<int>(node.statement))) > 0;
  if (node.kind == ScheduleNode::Kind::Loop)
    return false;
  return std::any_of(
      node.children.begin(), node.children.end(),
      [&](const ScheduleNode &child) { return hasParts(child, domains); });
}

/// The loop with one iteration after the other.
IdLabel ScheduleMaker::markFor(const ScheduleNode &node) const {
  IdLabel mark;
  mark.node.kind = EmitNode::Kind::For;
  mark.node.loop = node.loop;
  mark.node.isDownward = model.loops[node.loop].step < 0;
  return mark;
}

MaybeSchedule ScheduleMaker::makeLoop(const ScheduleNode &node,
                                      const DomainMap &domains) {
  IdLabel mark = markFor(node);
  bool unrollFully = lanes && node.unroll == 0;
  unsigned factor = lanes ? node.pass() : 1;
  if (factor <= 1) {
    if (lanes)
      mark.apart = wholeBlocks(kernel, node, around, domains);
    around.push_back(node.loop);
    MaybeSchedule body = lanes && keepsSections(kernel, node.loop)
                             ? makeWholeTiles(node, domains)
                             : make(node.children[0], domains);
    around.pop_back();
    BandForm form = unrollFully ? BandForm::Unrolled
                    : !mark.apart && hasParts(node.children[0], domains)
                        ? BandForm::Separate
                        : BandForm::Plain;
    return band(body, node, mark, form);
  }
  Split parts;
  if (!split(node, domains, factor, parts)) {
    failed = true;
    const char *what = node.tile ? "tile" : node.lanes > 1 ? "vector" : "pass";
    if (failure.empty())
      failure = std::string("the iterations of one ") + what + " of '" +
                model.loops[node.loop].name +
                "' do not run the same statements";
    return std::nullopt;
  }
  // One chunk and a rest shorter than another: isl writes them all out.
  if (parts.isSingle && node.lanes <= 1 && !node.tile)
    return band(make(node.children[0], domains), node, mark,
                BandForm::Unrolled);
  // One pass of several vectors: isl leaves out its loop, and one vector after
  // the other is as much code.
  if (parts.isSingle && node.lanes > 1 && node.unroll > 1) {
    ScheduleNode vectors = node;
    vectors.unroll = 1;
    return makeLoop(vectors, domains);
  }
  mark.node.lanes = node.lanes;
  mark.node.unroll = node.unroll;
  mark.node.tile = node.tile;
  around.push_back(node.loop);
  chunked.push_back({node.loop, factor});
  MaybeSchedule first =
      band(make(node.children[0], parts.chunks), node, mark, BandForm::Plain);
  chunked.pop_back();
  around.pop_back();
  // What is left over runs one iteration after the other.
  IdLabel rest = markFor(node);
  rest.node.cutTile = parts.isCutTile ? factor : 0;
  ScheduleMaker scalar(kernel, false);
  scalar.tiles = tiles;
  scalar.partCount = partCount;
  scalar.context = context;
  scalar.chunked = chunked;
  MaybeSchedule second = scalar.band(scalar.make(node.children[0], parts.rest),
                                     node, rest, BandForm::Plain);
  return append(first, second);
}

/// One mark around everything.
static isl::schedule underMark(const isl::schedule &schedule,
                               const IdLabel &mark) {
  isl_schedule_node *node = isl_schedule_get_root(schedule.get());
  node = isl_schedule_node_child(node, 0);
  node = insertMark(node, mark);
  isl_schedule *result = isl_schedule_node_get_schedule(node);
  isl_schedule_node_free(node);
  return isl::manage(result);
}

/// The tiles of nested loops during which sections are kept, with their copies,
/// and then the others: which of them a tile is depends on nothing inside.
MaybeSchedule ScheduleMaker::makeWholeTiles(const ScheduleNode &node,
                                            const DomainMap &domains) {
  unsigned count =
      static_cast<unsigned>(coordinatesAt(kernel, node.loop).size());
  std::optional<isl::set> whole; // { [w..., outer..., tiles] }
  bool copiesOut = false;
  for (const ArrayTile &tile : kernel.sections()) {
    if (tile.loop != node.loop || tile.nest.empty())
      continue;
    copiesOut |= tile.copyOut;
    for (unsigned access : tile.required) {
      unsigned index = model.accesses[access].statement;
      auto domain = domains.find(static_cast<int>(index));
      if (domain == domains.end())
        return make(node.children[0], domains);
      isl::set own = wholeTiles(model, model.statements[index], domain->second,
                                count, tile.nest);
      whole = whole ? whole->intersect(own) : own;
    }
  }
  DomainMap inside, rest;
  for (int below : keysBelow(node))
    for (int key : {below, partKey(below)}) {
      auto own = domains.find(key);
      if (own == domains.end())
        continue;
      isl::set lifted = liftTo(*whole, own->second);
      inside.emplace(key, own->second.intersect(lifted).coalesce());
      rest.emplace(key, own->second.subtract(lifted).coalesce());
    }
  auto copies = [&](bool isIn) {
    IdLabel label;
    label.node.kind = EmitNode::Kind::Fill;
    label.node.loop = node.loop;
    label.node.isIn = isIn;
    return makeLeaf(
        named(*whole, (isIn ? "Fill_" : "Drain_") + std::to_string(node.loop),
              label));
  };
  MaybeSchedule body = make(node.children[0], inside);
  IdLabel section;
  section.node.kind = EmitNode::Kind::Section;
  section.node.loop = node.loop;
  if (body)
    body = underMark(*body, section);
  body = append(copies(true), body);
  if (copiesOut)
    body = append(body, copies(false));
  ScheduleMaker plain(kernel, false);
  plain.tiles = tiles;
  plain.partCount = partCount;
  plain.context = context;
  plain.chunked = chunked;
  return append(body, plain.make(node.children[0], rest));
}

/// True when there is never more than one value of the last coordinate.
static bool atMostOne(const isl::set &starts, int position) {
  isl_map *map = isl_map_from_domain(starts.copy());
  map = isl_map_move_dims(map, isl_dim_out, 0, isl_dim_in,
                          static_cast<unsigned>(position), 1);
  bool result = isl_map_is_single_valued(map) == isl_bool_true;
  isl_map_free(map);
  return result;
}

/// True when the section is copied because the statement uses it.
bool ScheduleMaker::isRequired(const ArrayTile &tile, int key) const {
  return std::any_of(
      tile.required.begin(), tile.required.end(), [&](unsigned access) {
        return static_cast<int>(model.accesses[access].statement) == key;
      });
}

/// True when a section is copied for tiles of the loop because the statement
/// uses it.
bool ScheduleMaker::isRequired(unsigned loop, int key) const {
  return std::any_of(kernel.tiles.begin(), kernel.tiles.end(),
                     [&](const ArrayTile &tile) {
                       return tile.loop == loop && isRequired(tile, key);
                     });
}

/// True when the sections that are copied because of the statement are the same
/// for all work-items of the group.
bool ScheduleMaker::isSameForAll(unsigned loop, int key) const {
  for (const ArrayTile &tile : kernel.sections()) {
    if (tile.loop != loop || !isRequired(tile, key))
      continue;
    if (tile.isPrivate())
      return false;
    for (const Polynomial &base : tile.base)
      for (SymbolId id : base.symbols())
        if (!isParameter(model.symbols[id]) &&
            model.symbols[id].kind != SymbolKind::Iterator)
          return false;
    for (const TileExtent &extent : tile.extents)
      if (extent.perId[0] || extent.perId[1] || extent.perId[2])
        return false;
  }
  return true;
}

/// { [w..., outer..., k] } the chunks of which some work-item of the tile runs
/// the first iteration, and some the last.
static isl::set reachCorners(const isl::set &some, const isl::set &starts,
                             int position, unsigned factor, int64_t step) {
  int64_t last = static_cast<int64_t>(factor - 1) * step;
  isl::set reached = starts;
  for (int64_t distance : {int64_t(0), last}) {
    isl::set moved = isl::manage(translate(some, position, distance));
    reached = reached.intersect(
        isl::manage(prefixOf(moved, static_cast<unsigned>(position) + 1)));
  }
  return reached.coalesce();
}

/// All instances of a statement, those of its part included.
static isl::set instancesOf(int key, const DomainMap &domains) {
  const auto part = domains.find(partKey(key));
  const isl::set &full = domains.at(key);
  return part == domains.end() ? full : full.unite(part->second);
}

/// { [w..., outer..., k] } the chunks whose sections may be read where only
/// some work-items of a tile run the statement: all, those of tiles that have
/// several ids, or none. A buffer exists between cells that are accessed: the
/// tile runs both ends of a chunk, or the launch accesses cells around all of
/// it.
isl::set ScheduleMaker::withSections(int key, const DomainMap &domains,
                                     const isl::set &starts,
                                     const ScheduleNode &node,
                                     unsigned factor) const {
  const Loop &loop = model.loops[node.loop];
  const isl::set some = instancesOf(key, domains);
  const int position = coordinateOf(kernel, some, loop.iterator);
  const isl::set none =
      isl::manage(isl_set_empty(isl_set_get_space(starts.get())));
  const isl::set own = context ? starts.intersect_params(*context) : starts;
  const isl::set reached =
      isSameForAll(node.loop, key)
          ? reachCorners(some, own, position, factor, loop.step)
          : none;
  if (own.is_subset(reached))
    return starts;
  if (key >= 0 && tiles && context)
    if (std::optional<isl::set> outside = unreadableForTiles(
            kernel, *tiles, *context, static_cast<unsigned>(key),
            shiftedUnion(starts, position, factor, loop.step))) {
      const isl::set chunks = existsShift(
          isl::manage(prefixOf(*outside, static_cast<unsigned>(position) + 1)),
          position, factor, loop.step);
      const isl::set known = starts.subtract(chunks).coalesce();
      if (!known.is_empty())
        return known;
    }
  isl_set *ofSeveral = own.copy();
  if (tiles)
    for (const std::string &extent : tiles->extentNames)
      if (!extent.empty())
        ofSeveral = constrain(ofSeveral, {{extent, -1, 1}}, -2, false);
  const isl::set several = isl::manage(ofSeveral);
  return several.is_subset(reached) ? several : none;
}

/// The chunks in which a statement runs in all iterations, and its part: those
/// in which it runs in some of them.
bool ScheduleMaker::splitKey(int key, const DomainMap &domains,
                             const isl::set &starts, const ScheduleNode &node,
                             unsigned factor, DomainMap &chunks) {
  const Loop &loop = model.loops[node.loop];
  const isl::set &full = domains.at(key);
  const isl::set some = instancesOf(key, domains);
  int position = coordinateOf(kernel, full, loop.iterator);
  isl::set lifted = liftTo(starts, full);
  isl::set all =
      forAllShifts(full, position, factor, loop.step).intersect(lifted);
  isl::set any =
      existsShift(some, position, factor, loop.step).intersect(lifted);
  chunks[key] = all.coalesce();
  bool isWhole = any.is_subset(all);
  if (!isWhole && !mayGuard(key, domains))
    return false;
  if (!isWhole)
    chunks[partKey(key)] = any.subtract(all).coalesce();
  if (!isRequired(node.loop, key))
    return true;
  isl::set always =
      isl::manage(prefixOf(chunks[key], static_cast<unsigned>(position) + 1));
  return starts.is_subset(always) ||
         (!isWhole &&
          starts.is_subset(withSections(key, domains, starts, node, factor)));
}

/// Splits the iterations of the loop into chunks of `factor`, each named by its
/// first iteration, and the rest. Fails when the statements of one chunk do not
/// all run in each of its iterations.
bool ScheduleMaker::split(const ScheduleNode &node, const DomainMap &domains,
                          unsigned factor, Split &result) {
  const Loop &loop = model.loops[node.loop];
  std::vector<int> keys = keysBelow(node);
  isl::set iterations; // { [w..., outer..., k] }
  int position = -1;
  for (int key : keys) {
    auto it = domains.find(key);
    if (it == domains.end())
      continue;
    int own = coordinateOf(kernel, it->second, loop.iterator);
    isl_set *prefix = prefixOf(it->second, static_cast<unsigned>(own) + 1);
    if (auto part = domains.find(partKey(key)); part != domains.end())
      prefix = isl_set_union(
          prefix, prefixOf(part->second, static_cast<unsigned>(own) + 1));
    iterations = iterations.is_null()
                     ? isl::manage(prefix)
                     : isl::manage(isl_set_union(iterations.release(), prefix));
    position = own;
  }
  if (iterations.is_null())
    return true;
  iterations = isl::manage(isl_set_coalesce(iterations.release()));
  bool hasPart = std::any_of(keys.begin(), keys.end(), [&](int key) {
    return domains.count(partKey(key)) > 0;
  });
  // Full instances and parts fit together in the tiles that run them.
  if (hasPart && context)
    iterations = inOnePiece(iterations.intersect_params(*context));
  iterations = withoutHoles(model, node.loop, iterations, position);
  std::optional<isl::set> starts =
      chunkStarts(model, node.loop, iterations, position, factor);
  if (!starts)
    return false;
  // Chunks that would read past what is accessed are rests.
  for (int key : keys) {
    if (!domains.count(key) || !isRequired(node.loop, key) ||
        !mayGuard(key, domains))
      continue;
    isl::set known = withSections(key, domains, *starts, node, factor);
    if (!known.is_empty())
      starts = known;
  }
  result.isSingle = atMostOne(*starts, position);
  isl::set taken = shiftedUnion(*starts, position, factor, loop.step);
  isl::set left =
      pastWholeChunks(model, node.loop, iterations, position, factor,
                      fromFirstLeft(iterations, taken, position, loop.step));
  // Where iterations come before the first chunk, all behind them are rests.
  if (!starts->intersect(left).is_empty())
    starts = starts->subtract(left).coalesce();
  for (int key : keys) {
    if (!domains.count(key))
      continue;
    if (!splitKey(key, domains, *starts, node, factor, result.chunks))
      return false;
    // The rest is short: one condition more is less than code for its cases.
    auto part = domains.find(partKey(key));
    int own = part == domains.end() ? key : part->first;
    isl::set all = domains.at(key);
    if (part != domains.end())
      all = all.unite(part->second);
    if (part != domains.end())
      all = inOnePiece(all);
    result.rest[own] = all.intersect(liftTo(left, all)).coalesce();
  }
  result.isCutTile = isCutTile(node, domains, result.rest, left, position);
  return true;
}

/// True when the iterations that are left over may use sections as those of
/// whole tiles do: they are fewer, each of them runs every statement that a
/// whole tile runs, and the cells of fewer iterations are known.
bool ScheduleMaker::isCutTile(const ScheduleNode &node,
                              const DomainMap &domains, const DomainMap &rest,
                              const isl::set &left, int position) const {
  const Loop &loop = model.loops[node.loop];
  if (!node.tile || std::abs(loop.step) != 1 ||
      !canCutSections(kernel, node.loop))
    return false;
  isl::set next = isl::manage(
      translate(left, position, static_cast<int64_t>(node.tile) * loop.step));
  if (!left.intersect(next).is_empty())
    return false;
  for (int key : keysBelow(node)) {
    if (!domains.count(key))
      continue;
    auto own = rest.find(key);
    if (domains.count(partKey(key)) || own == rest.end())
      return false;
    isl::set runs =
        isl::manage(prefixOf(own->second, static_cast<unsigned>(position) + 1));
    if (!left.is_subset(runs))
      return false;
  }
  return true;
}

} // namespace clopt
