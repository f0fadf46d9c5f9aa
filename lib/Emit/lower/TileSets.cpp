//===- TileSets.cpp - sets of instances, shifted and cut ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the domains of tiles and of chunks of loops are made of.
//
// Tested by test/unit/TileDomainsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/TileSets.h"

#include "Emit/lower/DivergentInstances.h"
#include "Emit/lower/TileDomains.h"

#include "Analysis/ranges/NestTiles.h"
#include "Support/DimCount.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <cstdlib>

namespace clopt {

std::vector<int> keysBelow(const ScheduleNode &node) {
  std::vector<int> keys;
  if (node.kind == ScheduleNode::Kind::Leaf)
    keys.push_back(static_cast<int>(node.statement));
  if (node.kind == ScheduleNode::Kind::Copy)
    keys.push_back(copyKey(node.copy));
  for (const ScheduleNode &child : node.children) {
    std::vector<int> below = keysBelow(child);
    keys.insert(keys.end(), below.begin(), below.end());
  }
  return keys;
}

static std::vector<SymbolId> coordinatesOf(const TransformedKernel &kernel,
                                           const isl::id &tuple) {
  const KernelModel &model = *kernel.model;
  const IdLabel *label = labelOf(tuple);
  if (!label)
    return model.statements[*model.findStatement(isl_id_get_name(tuple.get()))]
        .coordinates;
  if (label->node.kind == EmitNode::Kind::Fill)
    return coordinatesAt(kernel, label->node.loop);
  if (label->node.kind == EmitNode::Kind::Statement)
    return model.statements[label->node.index].coordinates;
  const CopyStatement &copy = kernel.copies[label->node.index];
  return kernel.tiles[copy.tile].coordinates;
}

int coordinateOf(const TransformedKernel &kernel, const isl::set &instances,
                 SymbolId symbol) {
  const std::vector<SymbolId> coordinates =
      coordinatesOf(kernel, isl::manage(isl_set_get_tuple_id(instances.get())));
  for (unsigned i = 0; i < coordinates.size(); ++i)
    if (coordinates[i] == symbol)
      return static_cast<int>(i);
  return -1;
}

isl_set *prefixOf(const isl::set &set, unsigned count) {
  unsigned total = isl_set_dim(set.get(), isl_dim_set);
  isl_set *result =
      isl_set_project_out(set.copy(), isl_dim_set, count, total - count);
  return isl_set_reset_tuple_id(result);
}

isl::set liftTo(const isl::set &prefix, const isl::set &like) {
  unsigned have = isl_set_dim(prefix.get(), isl_dim_set);
  unsigned want = isl_set_dim(like.get(), isl_dim_set);
  isl_set *result = isl_set_add_dims(prefix.copy(), isl_dim_set, want - have);
  if (isl_set_has_tuple_id(like.get()) == isl_bool_true)
    result = isl_set_set_tuple_id(result, isl_set_get_tuple_id(like.get()));
  return isl::manage(result);
}

isl_set *translate(const isl::set &set, int position, int64_t offset) {
  isl_space *space = isl_set_get_space(set.get());
  isl_multi_aff *shift = isl_multi_aff_identity_on_domain_space(space);
  isl_aff *aff = isl_multi_aff_get_aff(shift, position);
  aff = isl_aff_add_constant_si(aff, static_cast<int>(offset));
  shift = isl_multi_aff_set_aff(shift, position, aff);
  return isl_set_preimage_multi_aff(set.copy(), shift);
}

/// One polyhedron, of which the set has all points, or none, along every line
/// in the direction of `position`: what is divided stays the same there.
static bool isConvexAlong(const isl::set &set, int position) {
  if (isl_set_n_basic_set(set.get()) != 1)
    return false;
  const auto at = static_cast<unsigned>(position);
  isl_basic_set *hull = isl_set_simple_hull(set.copy());
  const auto divs = dimCount(isl_basic_set_dim(hull, isl_dim_div));
  bool isPlain = true;
  for (unsigned i = 0; i < divs; ++i) {
    isl_aff *div = isl_basic_set_get_div(hull, static_cast<int>(i));
    // Where it has no definition, the constraints say all.
    if (isl_aff_is_nan(div) == isl_bool_false)
      isPlain = isPlain &&
                isl_aff_involves_dims(div, isl_dim_in, at, 1) == isl_bool_false;
    isl_aff_free(div);
  }
  isl_constraint_list *list = isl_basic_set_get_constraint_list(hull);
  const int constraints = isl_constraint_list_n_constraint(list);
  for (int i = 0; isPlain && divs && i < constraints; ++i) {
    isl_constraint *row = isl_constraint_list_get_constraint(list, i);
    isPlain = isl_constraint_involves_dims(row, isl_dim_set, at, 1) ==
                  isl_bool_false ||
              isl_constraint_involves_dims(row, isl_dim_div, 0, divs) ==
                  isl_bool_false;
    isl_constraint_free(row);
  }
  isl_constraint_list_free(list);
  isl_basic_set_free(hull);
  return isPlain;
}

/// Pieces, and quotients in one of them, of sets that isl still works with in
/// time: its own budget counts little of what larger ones cost.
static constexpr int maxPieces = 16, maxQuotients = 16;

static bool isTooLarge(const isl::set &set) {
  bool isLarge = isl_set_n_basic_set(set.get()) > maxPieces;
  isl_basic_set_list *list = isl_set_get_basic_set_list(set.get());
  for (int i = 0; i < isl_basic_set_list_n_basic_set(list); ++i) {
    isl_basic_set *piece = isl_basic_set_list_get_basic_set(list, i);
    isLarge |= isl_basic_set_dim(piece, isl_dim_div) > maxQuotients;
    isl_basic_set_free(piece);
  }
  isl_basic_set_list_free(list);
  return isLarge;
}

isl::set forAllShifts(const isl::set &set, int position, unsigned count,
                      int64_t step) {
  // Between two points of a convex set there are no others than its own.
  const bool endsAreEnough = isConvexAlong(set, position);
  isl::set result = set;
  for (unsigned done = 1; done < count;) {
    const unsigned shift =
        endsAreEnough ? count - done : std::min(done, count - done);
    if (isTooLarge(result))
      isl::exception::throw_error(isl_error_quota, "the set is too large",
                                  __FILE__, __LINE__);
    // As many shifts at once as are done already.
    result = isl::manage(isl_set_intersect(
        result.copy(), translate(result, position, shift * step)));
    done += shift;
    // Else there are as many pieces as choices of one of each shift.
    if (isl_set_n_basic_set(result.get()) > 1)
      result = isl::manage(
          isl_set_coalesce(isl_set_remove_redundancies(result.release())));
  }
  return result;
}

/// { [x, o] : x + o * step * e_position in set }
static isl_set *withOffset(const isl::set &set, int position, int64_t step) {
  unsigned dims = isl_set_dim(set.get(), isl_dim_set);
  isl_set *wide =
      isl_set_add_dims(isl_set_reset_tuple_id(set.copy()), isl_dim_set, 1);
  isl_multi_aff *shift =
      isl_multi_aff_identity_on_domain_space(isl_set_get_space(wide));
  isl_aff *aff = isl_multi_aff_get_aff(shift, position);
  aff = isl_aff_set_coefficient_si(aff, isl_dim_in, static_cast<int>(dims),
                                   static_cast<int>(step));
  shift = isl_multi_aff_set_aff(shift, position, aff);
  wide = isl_set_preimage_multi_aff(wide, shift);
  return isl_set_lower_bound_si(wide, isl_dim_set, dims, 0);
}

/// { x : some [x, o] in wide }, in the space of `like`.
static isl::set withoutOffset(isl_set *wide, const isl::set &like) {
  unsigned dims = isl_set_dim(like.get(), isl_dim_set);
  wide = isl_set_project_out(wide, isl_dim_set, dims, 1);
  if (isl_set_has_tuple_id(like.get()) == isl_bool_true)
    wide = isl_set_set_tuple_id(wide, isl_set_get_tuple_id(like.get()));
  return isl::manage(wide);
}

isl::set existsShift(const isl::set &set, int position, unsigned count,
                     int64_t step) {
  isl_set *wide = withOffset(set, position, step);
  wide = isl_set_upper_bound_si(wide, isl_dim_set,
                                isl_set_dim(set.get(), isl_dim_set),
                                static_cast<int>(count) - 1);
  return withoutOffset(wide, set);
}

isl::set shiftedUnion(const isl::set &set, int position, unsigned count,
                      int64_t step) {
  return existsShift(set, position, count, -step);
}

isl::set fromFirstLeft(const isl::set &iterations, const isl::set &taken,
                       int position, int64_t step) {
  isl_set *left = isl_set_subtract(iterations.copy(), taken.copy());
  // { [outer...] -> [k] }
  isl_map *map = isl_map_from_domain(left);
  map = isl_map_move_dims(map, isl_dim_out, 0, isl_dim_in,
                          static_cast<unsigned>(position), 1);
  isl_map *first = step > 0 ? isl_map_lexmin(map) : isl_map_lexmax(map);
  isl_space *space = isl_space_range(isl_map_get_space(first));
  isl_map *order = step > 0 ? isl_map_lex_le(space) : isl_map_lex_ge(space);
  isl_map *from = isl_map_apply_range(first, order);
  from = isl_map_move_dims(from, isl_dim_in, static_cast<unsigned>(position),
                           isl_dim_out, 0, 1);
  return isl::manage(isl_set_coalesce(isl_map_domain(from)));
}

/// The coordinates of a statement in the loop, up to its iterator.
static std::vector<SymbolId> coordinatesOf(const KernelModel &model,
                                           SymbolId iterator, int position) {
  for (const Statement &statement : model.statements)
    for (SymbolId symbol : statement.coordinates)
      if (symbol == iterator)
        return {statement.coordinates.begin(),
                statement.coordinates.begin() + position + 1};
  return {};
}

/// { [..., k] -> [k - first] }
static isl_pw_aff *distanceFromFirst(const KernelModel &model, unsigned loop,
                                     const isl::space &space, int position) {
  const Loop &info = model.loops[loop];
  std::optional<isl::pw_aff> first = toPwAff(
      model, space, coordinatesOf(model, info.iterator, position), info.first);
  if (!first)
    return nullptr;
  isl_aff *k = isl_aff_var_on_domain(isl_local_space_from_space(space.copy()),
                                     isl_dim_set, position);
  return isl_pw_aff_sub(isl_pw_aff_from_aff(k), first->copy());
}

static isl_pw_aff *modulo(isl_pw_aff *value, int64_t modulus) {
  isl_val *by = isl_val_int_from_si(isl_pw_aff_get_ctx(value), modulus);
  return isl_pw_aff_mod_val(value, by);
}

isl::set pastWholeChunks(const KernelModel &model, unsigned loop,
                         const isl::set &iterations, int position,
                         unsigned factor, const isl::set &left) {
  const Loop &info = model.loops[loop];
  isl::space space = iterations.get_space();
  std::optional<isl::pw_aff> first = // { [outer..., k] -> [first] }
      toPwAff(model, space, coordinatesOf(model, info.iterator, position),
              info.first);
  if (!first)
    return left;
  const bool isUp = info.step > 0;
  // { [outer...] -> [k] }
  isl_map *runs = isl_map_from_domain(iterations.copy());
  runs = isl_map_move_dims(runs, isl_dim_out, 0, isl_dim_in,
                           static_cast<unsigned>(position), 1);
  isl_pw_aff *last = isl_pw_aff_coalesce(isUp ? isl_map_dim_max(runs, 0)
                                              : isl_map_dim_min(runs, 0));
  if (isl_pw_aff_n_piece(last) != 1) {
    isl_pw_aff_free(last);
    return left;
  }
  last = isl_pw_aff_insert_dims(last, isl_dim_in,
                                static_cast<unsigned>(position), 1);
  isl_ctx *context = model.context.get();
  isl_val *step = isl_val_int_from_si(context, std::llabs(info.step));
  isl_val *size = isl_val_int_from_si(context, std::llabs(info.step) * factor);
  isl_pw_aff *whole = isl_pw_aff_sub(last, first->copy());
  if (!isUp)
    whole = isl_pw_aff_neg(whole);
  whole = isl_pw_aff_add_constant_val(whole, step);
  whole = isl_pw_aff_scale_down_val(whole, isl_val_copy(size));
  whole = isl_pw_aff_scale_val(isl_pw_aff_floor(whole), size);
  isl_aff *k = isl_aff_var_on_domain(isl_local_space_from_space(space.copy()),
                                     isl_dim_set, position);
  isl_pw_aff *begin = isUp ? isl_pw_aff_add(first->copy(), whole)
                           : isl_pw_aff_sub(first->copy(), whole);
  isl_set *past = isUp ? isl_pw_aff_ge_set(isl_pw_aff_from_aff(k), begin)
                       : isl_pw_aff_le_set(isl_pw_aff_from_aff(k), begin);
  isl::set result = isl::manage(isl_set_intersect(past, iterations.copy()));
  return result.is_equal(left.intersect(iterations)) ? result : left;
}

isl::set withoutHoles(const KernelModel &model, unsigned loop,
                      const isl::set &iterations, int position) {
  int64_t step = model.loops[loop].step;
  isl_pw_aff *distance =
      distanceFromFirst(model, loop, iterations.get_space(), position);
  if (!distance)
    return iterations;
  isl_map *map = isl_map_from_domain(iterations.copy());
  map = isl_map_move_dims(map, isl_dim_out, 0, isl_dim_in,
                          static_cast<unsigned>(position), 1);
  isl_space *space = isl_space_range(isl_map_get_space(map));
  map = isl_map_apply_range(map, step > 0 ? isl_map_lex_ge(space)
                                          : isl_map_lex_le(space));
  map = isl_map_move_dims(map, isl_dim_in, static_cast<unsigned>(position),
                          isl_dim_out, 0, 1);
  isl_set *whole = isl_map_domain(map);
  isl_pw_aff *forward = isl_pw_aff_copy(distance);
  if (step < 0)
    forward = isl_pw_aff_neg(forward);
  whole = isl_set_intersect(whole, isl_pw_aff_nonneg_set(forward));
  whole = isl_set_intersect(
      whole, isl_pw_aff_zero_set(modulo(distance, std::llabs(step))));
  isl::set result = inOnePiece(isl::manage(whole));
  return result.is_subset(iterations) ? iterations : result;
}

std::optional<isl::set> chunkStarts(const KernelModel &model, unsigned loop,
                                    const isl::set &iterations, int position,
                                    unsigned factor) {
  int64_t step = model.loops[loop].step;
  isl::set complete = forAllShifts(iterations, position, factor, step);
  isl_pw_aff *distance =
      distanceFromFirst(model, loop, complete.get_space(), position);
  if (!distance)
    return std::nullopt;
  // { [..., k] : (k - first) mod (factor * |step|) = 0 }
  isl_set *aligned =
      isl_pw_aff_zero_set(modulo(distance, std::llabs(step) * factor));
  return isl::manage(
      isl_set_coalesce(isl_set_intersect(complete.release(), aligned)));
}

isl_set *withoutParameter(isl_set *set, const std::string &name) {
  const int position =
      name.empty() ? -1
                   : isl_set_find_dim_by_name(set, isl_dim_param, name.c_str());
  if (position < 0)
    return set;
  return isl_set_project_out(set, isl_dim_param,
                             static_cast<unsigned>(position), 1);
}

isl_set *alongParameter(isl_set *set, const std::string &name) {
  const int position =
      isl_set_find_dim_by_name(set, isl_dim_param, name.c_str());
  if (position < 0) {
    isl_set_free(set);
    return nullptr;
  }
  return isl_set_move_dims(isl_set_from_params(set), isl_dim_set, 0,
                           isl_dim_param, static_cast<unsigned>(position), 1);
}

isl_set *withParameter(isl_set *set, const std::string &name) {
  if (isl_set_find_dim_by_name(set, isl_dim_param, name.c_str()) >= 0)
    return set;
  unsigned count = dimCount(isl_set_dim(set, isl_dim_param));
  set = isl_set_add_dims(set, isl_dim_param, 1);
  return isl_set_set_dim_name(set, isl_dim_param, count, name.c_str());
}

isl_set *constrain(isl_set *set, const std::vector<LinearTerm> &terms,
                   int constant, bool equality) {
  for (const LinearTerm &term : terms)
    if (!term.parameter.empty())
      set = withParameter(set, term.parameter);
  isl_local_space *local = isl_local_space_from_space(isl_set_get_space(set));
  isl_constraint *constraint = equality
                                   ? isl_constraint_alloc_equality(local)
                                   : isl_constraint_alloc_inequality(local);
  for (const LinearTerm &term : terms) {
    if (term.parameter.empty()) {
      constraint = isl_constraint_set_coefficient_si(
          constraint, isl_dim_set, term.coordinate, term.factor);
      continue;
    }
    int position =
        isl_set_find_dim_by_name(set, isl_dim_param, term.parameter.c_str());
    constraint = isl_constraint_set_coefficient_si(constraint, isl_dim_param,
                                                   position, term.factor);
  }
  constraint = isl_constraint_set_constant_si(constraint, constant);
  return isl_set_add_constraint(set, constraint);
}

isl_set *translateByParameter(const isl::set &set, int position,
                              const std::string &step, int points) {
  isl_set *with = withParameter(set.copy(), step);
  isl_multi_aff *shift =
      isl_multi_aff_identity_on_domain_space(isl_set_get_space(with));
  isl_aff *aff = isl_multi_aff_get_aff(shift, position);
  int parameter = isl_aff_find_dim_by_name(aff, isl_dim_param, step.c_str());
  aff = isl_aff_set_coefficient_si(aff, isl_dim_param, parameter, points);
  shift = isl_multi_aff_set_aff(shift, position, aff);
  return isl_set_preimage_multi_aff(with, shift);
}

/// True when only linear bounds say which values the coordinate has for given
/// values of the others: remainders are those of others.
static bool isConvexAlong(isl_basic_set *part, int position) {
  int divs = isl_basic_set_dim(part, isl_dim_div);
  for (int i = 0; i < divs; ++i) {
    isl_aff *div = isl_basic_set_get_div(part, i);
    bool isFree = div && isl_aff_involves_dims(div, isl_dim_in,
                                               static_cast<unsigned>(position),
                                               1) == isl_bool_false;
    isl_aff_free(div);
    if (!isFree)
      return false;
  }
  return true;
}

isl::set forAllInTile(const isl::set &set, int position,
                      const std::string &extent, unsigned count) {
  isl_set *result = isl_set_empty(isl_set_get_space(set.get()));
  isl_set *known = isl_set_compute_divs(set.copy());
  isl_basic_set_list *parts = isl_set_get_basic_set_list(known);
  isl_set_free(known);
  int size = isl_basic_set_list_n_basic_set(parts);
  // A convex part that has both ends has all between them.
  for (int i = 0; i < size; ++i) {
    isl_basic_set *part = isl_basic_set_list_get_basic_set(parts, i);
    bool isConvex = isConvexAlong(part, position);
    isl::set first = isl::manage(isl_set_from_basic_set(part));
    if (!isConvex)
      continue;
    isl::set last = first;
    if (extent.empty())
      last = isl::manage(translate(first, position, count - 1));
    else
      last = isl::manage(translate(
          isl::manage(translateByParameter(first, position, extent, 1)),
          position, -1));
    result = isl_set_union(result,
                           isl_set_intersect(first.release(), last.release()));
  }
  isl_basic_set_list_free(parts);
  return isl::manage(isl_set_coalesce(result));
}

isl::set existsInTile(const isl::set &set, int position,
                      const std::string &extent, unsigned count) {
  if (extent.empty())
    return existsShift(set, position, count, 1);
  auto offset = static_cast<int>(isl_set_dim(set.get(), isl_dim_set));
  isl_set *wide = withOffset(set, position, 1);
  wide = constrain(wide, {{extent, -1, 1}, {"", offset, -1}}, -1, false);
  return withoutOffset(wide, set);
}

} // namespace clopt
