//===- ScheduleMaker.cpp - isl schedules of schedule trees ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with lanes, copies or tiles are split into chunks and a rest.
//
// Tested by test/unit/LoweringTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/ScheduleMaker.h"

#include "Emit/FullBlocks.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include <algorithm>
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

isl::schedule addBand(isl::schedule schedule, const std::string &mark,
                      const std::function<int(const char *)> &coordinate,
                      int sign, bool unrollFully) {
  isl_union_set *domain = isl_schedule_get_domain(schedule.get());
  isl_set_list *sets = isl_union_set_get_set_list(domain);
  isl_union_pw_aff *partial = nullptr;
  int count = isl_set_list_n_set(sets);
  for (int i = 0; i < count; ++i) {
    isl_set *set = isl_set_list_get_set(sets, i);
    int position = coordinate(isl_set_get_tuple_name(set));
    isl_aff *aff = isl_aff_zero_on_domain(
        isl_local_space_from_space(isl_set_get_space(set)));
    aff = isl_aff_set_coefficient_si(aff, isl_dim_in, position, sign);
    isl_union_pw_aff *one =
        isl_union_pw_aff_from_pw_aff(isl_pw_aff_from_aff(aff));
    partial = partial ? isl_union_pw_aff_union_add(partial, one) : one;
    isl_set_free(set);
  }
  isl_set_list_free(sets);
  isl_union_set_free(domain);
  isl_schedule *result = isl_schedule_insert_partial_schedule(
      schedule.release(), isl_multi_union_pw_aff_from_union_pw_aff(partial));
  isl_schedule_node *node = isl_schedule_get_root(result);
  isl_schedule_free(result);
  node = isl_schedule_node_child(node, 0);
  if (unrollFully)
    node = isl_schedule_node_band_member_set_ast_loop_type(node, 0,
                                                           isl_ast_loop_unroll);
  isl_ctx *ctx = isl_schedule_node_get_ctx(node);
  node = isl_schedule_node_insert_mark(
      node, isl_id_alloc(ctx, mark.c_str(), nullptr));
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

MaybeSchedule ScheduleMaker::makeCopy(const ScheduleNode &node,
                                      const DomainMap &domains) {
  auto it = domains.find(copyKey(node.copy));
  MaybeSchedule schedule;
  if (it != domains.end())
    schedule = makeLeaf(it->second);
  if (!schedule)
    return schedule;
  const CopyStatement &copy = kernel.copies[node.copy];
  const PrivateCopy &registers = kernel.privates[copy.privateCopy];
  int first = static_cast<int>(registers.coordinates.size());
  for (int d = static_cast<int>(registers.sizes.size()) - 1; d >= 0; --d)
    schedule = addBand(
        *schedule, "cell", [&](const char *) { return first + d; }, 1, true);
  return schedule;
}

/// Sets the option of the band below a mark that ends in its number.
static isl_schedule_node *setApart(isl_schedule_node *node, void *user) {
  const auto &options = *static_cast<const std::vector<isl::set> *>(user);
  if (isl_schedule_node_get_type(node) != isl_schedule_node_mark)
    return node;
  isl::id mark = isl::manage(isl_schedule_node_mark_get_id(node));
  std::string name = isl_id_get_name(mark.get());
  size_t number = name.find('#');
  if (number == std::string::npos)
    return node;
  size_t index = std::strtoul(name.c_str() + number + 1, nullptr, 10);
  node = isl_schedule_node_child(node, 0);
  node = isl_schedule_node_band_set_ast_build_options(
      node, isl_union_set_from_set(options[index].copy()));
  return isl_schedule_node_parent(node);
}

MaybeSchedule ScheduleMaker::makeAll(const ScheduleNode &root,
                                     const DomainMap &domains) {
  MaybeSchedule schedule = make(root, domains);
  if (!schedule || apart.empty())
    return schedule;
  return isl::manage(isl_schedule_map_schedule_node_bottom_up(
      schedule->release(), setApart, &apart));
}

MaybeSchedule ScheduleMaker::makeSequence(const ScheduleNode &node,
                                          const DomainMap &domains) {
  std::vector<MaybeSchedule> parts;
  for (const ScheduleNode &child : node.children)
    if (MaybeSchedule part = make(child, domains))
      parts.push_back(part);
  return merge(parts, 0, parts.size());
}

MaybeSchedule ScheduleMaker::make(const ScheduleNode &node,
                                  const DomainMap &domains) {
  switch (node.kind) {
  case ScheduleNode::Kind::Leaf: {
    auto it = domains.find(static_cast<int>(node.statement));
    if (it == domains.end())
      return std::nullopt;
    return makeLeaf(it->second);
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
                                  const std::string &mark, bool unrollFully) {
  if (!body)
    return body;
  auto coordinate = [&](const char *tuple) {
    return coordinateOf(kernel, tuple, model.loops[node.loop].iterator);
  };
  int sign = model.loops[node.loop].step < 0 ? -1 : 1;
  return addBand(*body, mark, coordinate, sign, unrollFully);
}

MaybeSchedule ScheduleMaker::makeLoop(const ScheduleNode &node,
                                      const DomainMap &domains) {
  std::string name = "loop:" + std::to_string(node.loop) + ":";
  bool unrollFully = lanes && node.unroll == 0;
  unsigned factor = !lanes           ? 1
                    : node.tile      ? node.tile
                    : node.lanes > 1 ? node.lanes
                                     : node.unroll;
  if (factor <= 1) {
    std::string mark = name + "1:1:0";
    std::optional<isl::set> whole =
        lanes ? wholeBlocks(kernel, node, around, domains) : std::nullopt;
    if (whole) {
      mark += "#" + std::to_string(apart.size());
      apart.push_back(*whole);
    }
    around.push_back(node.loop);
    MaybeSchedule body = make(node.children[0], domains);
    around.pop_back();
    return band(body, node, mark, unrollFully);
  }
  DomainMap chunks, rest;
  bool single = false;
  if (!split(node, domains, factor, chunks, rest, single)) {
    failed = true;
    const char *what = node.tile ? "tile" : node.lanes > 1 ? "vector" : "pass";
    if (failure.empty())
      failure = std::string("the iterations of one ") + what + " of '" +
                model.loops[node.loop].name +
                "' do not run the same statements";
    return std::nullopt;
  }
  // One chunk and a rest shorter than another: isl writes them all out.
  if (single && node.lanes <= 1 && !node.tile)
    return band(make(node.children[0], domains), node, name + "1:1:0", true);
  std::string mark = name + std::to_string(node.lanes) + ":" +
                     std::to_string(node.lanes > 1 ? 1 : node.unroll) + ":" +
                     std::to_string(node.tile);
  around.push_back(node.loop);
  MaybeSchedule first = band(make(node.children[0], chunks), node, mark, false);
  around.pop_back();
  // What is left over runs one iteration after the other.
  ScheduleMaker scalar(kernel, false);
  MaybeSchedule second = scalar.band(scalar.make(node.children[0], rest), node,
                                     name + "1:1:0", false);
  return append(first, second);
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

/// True when a section is copied for tiles of the loop because the statement
/// uses it.
bool ScheduleMaker::isRequired(unsigned loop, int key) const {
  for (const LocalTile &tile : kernel.tiles)
    if (tile.loop == loop && key >= 0 &&
        tile.required.count(static_cast<unsigned>(key)))
      return true;
  return false;
}

/// Splits the iterations of the loop into chunks of `factor`, each named by its
/// first iteration, and the rest. Fails when the statements of one chunk do not
/// all run in each of its iterations.
bool ScheduleMaker::split(const ScheduleNode &node, const DomainMap &domains,
                          unsigned factor, DomainMap &chunks, DomainMap &rest,
                          bool &single) {
  const Loop &loop = model.loops[node.loop];
  std::vector<int> keys = keysBelow(node);
  isl::set iterations; // { [w..., outer..., k] }
  int position = -1;
  for (int key : keys) {
    auto it = domains.find(key);
    if (it == domains.end())
      continue;
    int own = coordinateOf(kernel, isl_set_get_tuple_name(it->second.get()),
                           loop.iterator);
    isl_set *prefix = prefixOf(it->second, static_cast<unsigned>(own) + 1);
    iterations = iterations.is_null()
                     ? isl::manage(prefix)
                     : isl::manage(isl_set_union(iterations.release(), prefix));
    position = own;
  }
  if (iterations.is_null())
    return true;
  iterations = isl::manage(isl_set_coalesce(iterations.release()));
  std::optional<isl::set> starts =
      chunkStarts(model, node.loop, iterations, position, factor);
  if (!starts)
    return false;
  single = atMostOne(*starts, position);
  isl::set taken = shiftedUnion(*starts, position, factor, loop.step);
  isl::set left = fromFirstLeft(iterations, taken, position, loop.step);
  for (int key : keys) {
    auto it = domains.find(key);
    if (it == domains.end())
      continue;
    isl::set lifted = liftTo(*starts, it->second);
    isl::set all = isl::manage(isl_set_intersect(
        forAllShifts(it->second, position, factor, loop.step).release(),
        lifted.copy()));
    isl::set any = isl::manage(isl_set_intersect(
        existsShift(it->second, position, factor, loop.step).release(),
        lifted.copy()));
    if (isl_set_is_subset(any.get(), all.get()) != isl_bool_true)
      return false;
    chunks[key] = isl::manage(isl_set_coalesce(all.release()));
    if (isRequired(node.loop, key) &&
        isl_set_is_subset(
            starts->get(),
            isl::manage(prefixOf(chunks[key], position + 1)).get()) !=
            isl_bool_true)
      return false;
    rest[key] = isl::manage(isl_set_coalesce(isl_set_intersect(
        it->second.copy(), liftTo(left, it->second).release())));
  }
  return true;
}

} // namespace clopt
