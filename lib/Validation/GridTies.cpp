//===- GridTies.cpp - which argument is the size of the launch ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/GridTies.h"

#include "Analysis/access/LaneAxis.h"

#include <isl/constraint.h>
#include <isl/set.h>

#include <algorithm>
#include <climits>

namespace clopt {

namespace {

class TieFinder {
public:
  TieFinder(const KernelModel &kernel, const std::array<int64_t, 3> &group)
      : model(kernel), local(group) {
    for (const Access &access : model.accesses)
      if (isOfBuffer(access)) {
        buffers.push_back(&access);
        if (access.isWrite)
          writes.push_back(&access);
      }
  }

  std::optional<GridTie>
  guardOf(unsigned d, const std::vector<const Access *> &accesses) const;
  std::optional<GridTie> guardOfWrites(unsigned d) const;
  std::optional<GridTie> extentOf(unsigned d) const;
  std::optional<GridTie> strideOf() const;
  bool isGuarded(unsigned d) const;
  const std::vector<const Access *> &all() const { return buffers; }

private:
  std::optional<int64_t> behindId(const Polynomial &subscript,
                                  unsigned d) const;
  bool isOfBuffer(const Access &access) const {
    const AddressSpace space = model.arrays[access.array].space;
    return space == AddressSpace::Global || space == AddressSpace::Constant;
  }
  isl_constraint *idMinus(const Access &access, const isl::set &instances,
                          unsigned d, SymbolId limit, bool isEqual) const;

  const KernelModel &model;
  const std::array<int64_t, 3> &local;
  std::vector<const Access *> buffers, writes; ///< accesses of buffers
};

} // namespace

/// id >= limit, or id == limit - 1; null where the id or the limit is unknown.
isl_constraint *TieFinder::idMinus(const Access &access,
                                   const isl::set &instances, unsigned d,
                                   SymbolId limit, bool isEqual) const {
  const int at = isl_set_find_dim_by_name(instances.get(), isl_dim_param,
                                          model.symbols[limit].name.c_str());
  if (at < 0)
    return nullptr;
  // { S[w..., i...] : id >= limit }
  isl_local_space *space =
      isl_local_space_from_space(isl_set_get_space(instances.get()));
  isl_constraint *constraint = isEqual ? isl_constraint_alloc_equality(space)
                                       : isl_constraint_alloc_inequality(space);
  constraint =
      isl_constraint_set_coefficient_si(constraint, isl_dim_param, at, -1);
  constraint = isl_constraint_set_constant_si(constraint, isEqual ? 1 : 0);
  bool isFound = false;
  const auto &coordinates = model.statements[access.statement].coordinates;
  for (unsigned i = 0; i < coordinates.size(); ++i) {
    const Symbol &symbol = model.symbols[coordinates[i]];
    const bool isGroup = symbol.kind == SymbolKind::GroupId;
    const bool isId = symbol.kind == SymbolKind::GlobalId || isGroup ||
                      symbol.kind == SymbolKind::LocalId;
    if (!isId || symbol.dim != d)
      continue;
    isFound = true;
    constraint = isl_constraint_set_coefficient_si(
        constraint, isl_dim_set, int(i),
        isGroup ? static_cast<int>(local[d]) : 1);
  }
  if (isFound)
    return constraint;
  isl_constraint_free(constraint);
  return nullptr;
}

/// The first parameter below which all work-items stay that do one of the
/// accesses, one that some of them reach before others.
std::optional<GridTie>
TieFinder::guardOf(unsigned d,
                   const std::vector<const Access *> &accesses) const {
  std::optional<GridTie> found;
  for (SymbolId id = 0; id < model.symbols.size() && !accesses.empty(); ++id) {
    const Symbol &symbol = model.symbols[id];
    if (symbol.kind != SymbolKind::Param && symbol.kind != SymbolKind::Product)
      continue;
    bool isBound = true, isReached = false;
    for (const Access *access : accesses) {
      isl::set instances = instancesOf(model, *access);
      for (const Symbol &other : model.symbols.all()) {
        const int at = isl_set_find_dim_by_name(instances.get(), isl_dim_param,
                                                other.name.c_str());
        if (at >= 0 && other.kind == SymbolKind::GlobalOffset)
          instances = isl::manage(isl_set_fix_si(
              instances.release(), isl_dim_param, unsigned(at), 0));
        if (at >= 0 && other.kind == SymbolKind::LocalSize &&
            local[other.dim] > 1)
          instances = isl::manage(
              isl_set_fix_si(instances.release(), isl_dim_param, unsigned(at),
                             static_cast<int>(local[other.dim])));
      }
      isl_constraint *beyond = idMinus(*access, instances, d, id, false);
      isBound = beyond != nullptr;
      if (!isBound)
        break;
      isBound = isl::manage(isl_set_add_constraint(instances.copy(), beyond))
                    .is_empty();
      if (!isBound)
        break;
      isReached |= !isl::manage(isl_set_add_constraint(
                                    instances.copy(),
                                    idMinus(*access, instances, d, id, true)))
                        .is_empty();
    }
    if (!isBound)
      continue;
    GridTie tie;
    tie.isGuarded = true;
    tie.size = symbol.kind == SymbolKind::Product && !isQuotient(symbol)
                   ? symbol.first
                   : Polynomial::symbol(id);
    if (!found || isReached)
      found = tie;
    if (isReached)
      break;
  }
  return found;
}

/// What is beyond may still read: the launch is no larger than that.
std::optional<GridTie> TieFinder::guardOfWrites(unsigned d) const {
  std::optional<GridTie> tie = guardOf(d, writes);
  if (tie)
    tie->isGuarded = false;
  return tie;
}

/// Work-items that write stay below a sum of arguments, `id + k < n`: whatever
/// the launch's size is, the arguments have to go with it.
bool TieFinder::isGuarded(unsigned d) const {
  auto isBelow = [&](const Access *access) {
    isl::set instances = instancesOf(model, *access);
    for (const Symbol &symbol : model.symbols.all()) {
      const int at = isl_set_find_dim_by_name(instances.get(), isl_dim_param,
                                              symbol.name.c_str());
      if (at >= 0 && symbol.kind == SymbolKind::GlobalSize)
        instances = isl::manage(isl_set_project_out(
            instances.release(), isl_dim_param, unsigned(at), 1));
    }
    const auto &coordinates = model.statements[access->statement].coordinates;
    for (unsigned i = 0; i < coordinates.size(); ++i) {
      const Symbol &symbol = model.symbols[coordinates[i]];
      if (symbol.kind == SymbolKind::GlobalId && symbol.dim == d)
        return isl_set_dim_has_upper_bound(instances.get(), isl_dim_set,
                                           int(i)) == isl_bool_true;
    }
    return false;
  };
  return !writes.empty() && std::all_of(writes.begin(), writes.end(), isBelow);
}

/// The constant that a subscript is more than the id, which may be written as
/// `16 * group + local` in groups of 16.
std::optional<int64_t> TieFinder::behindId(const Polynomial &subscript,
                                           unsigned d) const {
  Polynomial rest = subscript;
  bool isGlobal = false, isGroup = false, isLocal = false;
  for (SymbolId id : subscript.symbols()) {
    const Symbol &symbol = model.symbols[id];
    if (!isId(symbol) || symbol.dim != d)
      continue;
    isGlobal |= symbol.kind == SymbolKind::GlobalId;
    isGroup |= symbol.kind == SymbolKind::GroupId;
    isLocal |= symbol.kind == SymbolKind::LocalId;
    const int64_t ids = symbol.kind == SymbolKind::GroupId ? local[d] : 1;
    rest = rest - Polynomial(ids) * Polynomial::symbol(id);
  }
  if (!isGlobal && !(isGroup && isLocal))
    return std::nullopt;
  return rest.asConstant();
}

/// The id is a subscript of a dimension of known extent.
std::optional<GridTie> TieFinder::extentOf(unsigned d) const {
  std::optional<Polynomial> smallest;
  for (const Access *access : buffers) {
    const Array &array = model.arrays[access->array];
    for (size_t k = 1; k < access->subscripts.size(); ++k) {
      if (k >= array.extents.size())
        break;
      const std::optional<int64_t> behind = behindId(access->subscripts[k], d);
      if (!behind)
        continue;
      const Polynomial room =
          array.extents[k] - Polynomial(std::max<int64_t>(0, *behind));
      const std::optional<int64_t> more =
          smallest ? (*smallest - room).asConstant() : 1;
      if (!smallest || (more && *more > 0))
        smallest = room;
    }
  }
  if (!smallest || smallest->asConstant() == 1)
    return std::nullopt;
  GridTie tie;
  tie.size = *smallest;
  return tie;
}

/// A parameter that is the extent of some array: the launch may well be as
/// large in dimensions that nothing else is known of.
std::optional<GridTie> TieFinder::strideOf() const {
  for (const Array &array : model.arrays)
    for (size_t k = 1; k < array.extents.size(); ++k)
      for (SymbolId id : array.extents[k].symbols())
        if (model.symbols[id].kind == SymbolKind::Param) {
          GridTie tie;
          tie.size = Polynomial::symbol(id);
          tie.isGuess = true;
          return tie;
        }
  return std::nullopt;
}

std::array<std::optional<GridTie>, 3>
findGridTies(const KernelModel &model, const std::array<int64_t, 3> &local) {
  const TieFinder finder(model, local);
  std::array<std::optional<GridTie>, 3> ties;
  const unsigned rank = std::max(1u, model.ndrange.launchRank());
  for (unsigned d = 0; d < rank; ++d) {
    ties[d] = finder.guardOf(d, finder.all());
    if (!ties[d])
      ties[d] = finder.extentOf(d);
    if (!ties[d])
      ties[d] = finder.guardOfWrites(d);
  }
  for (unsigned d = 0; d < rank; ++d)
    if (!ties[d] && !finder.isGuarded(d))
      ties[d] = finder.strideOf();
  return ties;
}

} // namespace clopt
