//===- ForcedLocalSize.cpp - the one local size with a meaning ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All is said of launches, { : ... } in the parameters of the model: those in
// which a local array is used, and of these the ones in which an access is
// outside of its array, or reads a cell that no work-item of the launch writes.
// What is left has a meaning, as far as is known; other sizes are projected
// out.
//
// Work-items that write one cell at once are no argument: they may write the
// same value, which is a race, and works.
//
// Tested by test/unit/ForcedLocalSizeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/ForcedLocalSize.h"

#include "Model/Operations.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <limits>

namespace clopt {

namespace {

/// Work-items of a group at most, on nearly all devices.
constexpr int64_t largestGroup = 1024;
constexpr int64_t usualGroup = 256;

class ForcedSize {
public:
  ForcedSize(const KernelModel &kernel, bool all)
      : model(kernel), countsAll(all) {}

  std::optional<std::array<int64_t, 3>> find() {
    if (!isKnown())
      return std::nullopt;
    used =
        isl::manage(isl_set_empty(isl_set_get_space(model.paramContext.get())));
    wrong = used;
    readers = model.paramContext;
    for (const Access &access : model.accesses)
      if (isOfInterest(access))
        add(access);
    for (const Assumption &assumption : model.assumptions)
      if (assumption.kind != Assumption::Kind::Subscript)
        (countsAll ? used : wrong) =
            (countsAll ? used : wrong).intersect(assumption.condition);
    // { : ... }
    const isl::set meaningful =
        used.intersect(readers).intersect(withIdsOfInt()).subtract(wrong);
    const auto size = sizeIn(meaningful, false);
    if (size || !countsAll || asksForSize())
      return size;
    // One work-item would do: then the arrays alone tell, where data are large.
    return sizeIn(meaningful.intersect(withLargeArguments()), true);
  }

private:
  /// The size that all of the launches have. `countsAll`: where it is 1 along
  /// some dimensions, any will do there; `byRoom`: there it is what the arrays
  /// have room for.
  std::optional<std::array<int64_t, 3>> sizeIn(const isl::set &launches,
                                               bool byRoom) const {
    std::array<int64_t, 3> least = {1, 1, 1}, most = {1, 1, 1};
    for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
      const auto sizes = model.ndrange.split[dim]
                             ? sizesIn(launches, dim, byRoom)
                             : std::nullopt;
      if (!sizes && !countsAll)
        return std::nullopt;
      least[dim] = sizes ? sizes->first : 0;
      most[dim] = sizes ? sizes->second : 0;
    }
    auto isOne = [](const std::array<int64_t, 3> &sizes) {
      return *std::max_element(sizes.begin(), sizes.end()) <= 1;
    };
    // Arrays with room for more than a group: what most devices like.
    auto items = [&] { return most[0] * most[1] * most[2]; };
    auto widest = std::max_element(most.begin(), most.end());
    if (countsAll && *std::min_element(most.begin(), most.end()) > 0 &&
        items() > largestGroup)
      while (items() > usualGroup &&
             *widest / 2 >= least[widest - most.begin()] && *widest % 2 == 0) {
        *widest /= 2;
        widest = std::max_element(most.begin(), most.end());
      }
    const bool isRoom = isGroup(launches, most);
    if (countsAll && isOne(byRoom && isRoom ? most : least))
      return std::nullopt;
    return isRoom ? most : least;
  }

  /// True for kernels that take groups of any size.
  bool asksForSize() const {
    bool asks = false;
    forEachExpr(model.function->body, [&](const ExprRef &expr) {
      asks |= expr->kind == ExprKind::WorkItem &&
              (expr->query == WorkItemQuery::LocalSize ||
               expr->query == WorkItemQuery::EnqueuedLocalSize);
    });
    return asks;
  }

  /// { : ... } launches whose arguments are larger than groups.
  isl::set withLargeArguments() const {
    isl::set result = model.paramContext;
    for (const Symbol &symbol : model.symbols.all()) {
      const int at = symbol.kind == SymbolKind::Param
                         ? isl_set_find_dim_by_name(result.get(), isl_dim_param,
                                                    symbol.name.c_str())
                         : -1;
      if (at >= 0)
        result = isl::manage(
            isl_set_lower_bound_si(result.release(), isl_dim_param,
                                   static_cast<unsigned>(at), largestGroup));
    }
    return result;
  }

  /// { : ... } launches whose ids all fit an int.
  isl::set withIdsOfInt() const {
    isl::set result = model.paramContext;
    for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
      const auto size = parameterOf(result, SymbolKind::GlobalSize, dim);
      const auto offset = parameterOf(result, SymbolKind::GlobalOffset, dim);
      if (!size || !offset)
        continue;
      isl_constraint *last = isl_constraint_alloc_inequality(
          isl_local_space_from_space(isl_set_get_space(result.get())));
      last = isl_constraint_set_coefficient_si(last, isl_dim_param, *size, -1);
      last =
          isl_constraint_set_coefficient_si(last, isl_dim_param, *offset, -1);
      last = isl_constraint_set_constant_si(
          last, std::numeric_limits<int32_t>::max());
      result = isl::manage(isl_set_add_constraint(result.release(), last));
    }
    return result;
  }

  bool isLocalArray(unsigned array) const {
    const Array &info = model.arrays[array];
    return info.space == AddressSpace::Local && info.var &&
           (countsAll || info.var->type.isArray());
  }

  /// Nothing is touched that could be a local array under another name, and
  /// nothing is assumed about the arrays.
  bool isKnown() const {
    bool isAny = false;
    if (model.isUntouchable || model.ndrange.rank == 0 ||
        !model.ndrange.mapped.empty())
      return false;
    for (unsigned dim = 0; dim < 3; ++dim)
      if (model.ndrange.localSize[dim])
        return false;
    for (const Access &access : model.accesses) {
      const Array &array = model.arrays[access.array];
      isAny |= isLocalArray(access.array);
      if (!array.var && array.space != AddressSpace::Global &&
          array.space != AddressSpace::Constant)
        return false;
    }
    return isAny &&
           std::all_of(model.assumptions.begin(), model.assumptions.end(),
                       [&](const Assumption &assumption) {
                         return isHarmless(assumption);
                       });
  }

  /// It is about other arrays, or says of ids that they fit an int. What else
  /// it says is a condition that all wrong launches have.
  bool isHarmless(const Assumption &assumption) const {
    if (assumption.kind == Assumption::Kind::Subscript)
      return assumption.array < 0 ||
             !isLocalArray(static_cast<unsigned>(assumption.array));
    return std::all_of(assumption.bounds.begin(), assumption.bounds.end(),
                       [](const ProductBound &bound) {
                         return bound.maximum >=
                                std::numeric_limits<int32_t>::max();
                       });
  }

  /// The host gives the memory, as much as it likes.
  bool isArgument(unsigned array) const {
    return model.arrays[array].var->type.isPointer();
  }

  /// The access is made, and of these cells.
  bool isOfInterest(const Access &access) const {
    const Statement &statement = model.statements[access.statement];
    const bool isMade = countsAll || (access.isExact && !statement.isCompound);
    return isLocalArray(access.array) && isMade && access.expr &&
           access.width == 1 && !statement.isOpaque &&
           (isArgument(access.array)
                ? access.subscripts.size() == 1
                : access.subscripts.size() == extentsOf(access.array).size());
  }

  std::vector<int64_t> extentsOf(unsigned array) const {
    std::vector<int64_t> extents;
    for (const Type *type = &model.arrays[array].var->type; type->isArray();
         type = type->element.get())
      extents.push_back(static_cast<int64_t>(type->extent));
    return extents;
  }

  void add(const Access &access) {
    // { S[...] -> A[...] }
    const isl::map cells =
        access.relation.intersect_domain(instancesOf(model, access));
    const isl::set launches = cells.domain().params();
    used = used.unite(launches);
    if (countsAll && !access.isWrite)
      readers = readers.intersect(launches);
    const isl::set touched = cells.range();
    wrong = wrong.unite(touched.subtract(allCells(access)).params());
    if (!access.isWrite)
      wrong = wrong.unite(touched.subtract(written(access.array)).params());
  }

  /// { A[...] } within the extents.
  isl::set allCells(const Access &access) const {
    isl_set *box = isl_set_universe(
        isl_space_range(isl_map_get_space(access.relation.get())));
    const std::vector<int64_t> extents = extentsOf(access.array);
    for (unsigned dim = 0; dim < extents.size(); ++dim) {
      box = isl_set_lower_bound_si(box, isl_dim_set, dim, 0);
      box = isl_set_upper_bound_si(box, isl_dim_set, dim, extents[dim] - 1);
    }
    return isl::manage(box);
  }

  /// { A[...] } that some work-item may write: a superset.
  isl::set written(unsigned array) const {
    isl::set result;
    for (const Access &access : model.accesses)
      if (access.array == array && access.isWrite)
        result = result.is_null() ? access.relation.range()
                                  : result.unite(access.relation.range());
    if (!result.is_null())
      return result;
    for (const Access &access : model.accesses)
      if (access.array == array)
        return isl::manage(isl_set_empty(
            isl_space_range(isl_map_get_space(access.relation.get()))));
    return result;
  }

  std::optional<int> parameterOf(const isl::set &launches, SymbolKind kind,
                                 unsigned dim) const {
    const std::optional<SymbolId> symbol = model.symbols.find(kind, dim);
    if (!symbol)
      return std::nullopt;
    const int position = isl_set_find_dim_by_name(
        launches.get(), isl_dim_param, model.symbols[*symbol].name.c_str());
    return position < 0 ? std::nullopt : std::optional<int>(position);
  }

  /// Some of the launches have groups of this size, as devices have them.
  bool isGroup(const isl::set &launches,
               const std::array<int64_t, 3> &size) const {
    isl::set same = launches;
    int64_t items = 1;
    for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
      const std::optional<int> at =
          parameterOf(launches, SymbolKind::LocalSize, dim);
      if (size[dim] == 0 || !at)
        continue;
      items *= size[dim];
      same = isl::manage(isl_set_fix_si(same.release(), isl_dim_param,
                                        static_cast<unsigned>(*at),
                                        static_cast<int>(size[dim])));
    }
    return items <= largestGroup && !same.is_empty();
  }

  /// The smallest local size in these launches and the largest likely one;
  /// nothing where several sizes say nothing.
  /// `byRoom`: the largest one where the least is 1, too.
  std::optional<std::pair<int64_t, int64_t>>
  sizesIn(const isl::set &launches, unsigned dim, bool byRoom) const {
    const std::optional<int> at =
        parameterOf(launches, SymbolKind::LocalSize, dim);
    if (!at || launches.is_empty())
      return std::nullopt;
    isl_set *sizes = isl_set_from_params(launches.copy()); // { [] }
    sizes = isl_set_move_dims(sizes, isl_dim_set, 0, isl_dim_param,
                              static_cast<unsigned>(*at), 1);
    const isl::set values = isl::manage(sizes);
    const isl::val low = isl::manage(isl_set_dim_min_val(values.copy(), 0));
    const isl::val high = isl::manage(isl_set_dim_max_val(values.copy(), 0));
    if (!isl_val_is_int(low.get()))
      return std::nullopt;
    const int64_t least = isl_val_get_num_si(low.get());
    const bool isBounded = isl_val_is_int(high.get()) &&
                           isl_val_cmp_si(high.get(), largestGroup) <= 0;
    const bool isLikely = countsAll && (least > 1 || (byRoom && isBounded));
    if (!low.eq(high) && !isLikely)
      return std::nullopt;
    if (!isBounded)
      return std::pair(least, least);
    // Rows are longer than groups where cells are moved apart by one.
    const int64_t most = isl_val_get_num_si(high.get());
    int64_t power = 1;
    while (2 * power <= most)
      power *= 2;
    return std::pair(least, power >= least ? power : most);
  }

  const KernelModel &model;
  const bool countsAll; ///< what may be done is, and what is assumed holds
  isl::set readers;     ///< { : ... } launches in which all reads are made
  isl::set used;        ///< { : ... } launches that use a local array
  isl::set wrong;       ///< { : ... } launches without a meaning
};

} // namespace

std::optional<std::array<int64_t, 3>>
forcedLocalSize(const KernelModel &model) {
  return ForcedSize(model, false).find();
}

/// Cells in flat arrays may take isl seconds.
static constexpr uint64_t operationsOfGuess = 40000;

std::optional<std::array<int64_t, 3>>
likelyLocalSize(const KernelModel &model) {
  const OperationLimit limit(model.context.get(), operationsOfGuess);
  try {
    return ForcedSize(model, true).find();
  } catch (const isl::exception &) {
    return std::nullopt;
  }
}

} // namespace clopt
