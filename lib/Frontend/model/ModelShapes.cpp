//===- ModelShapes.cpp - shapes of arrays and access relations ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses one shape per array among those Delinearize proposes: the one that
// makes most accesses affine and whose inner subscripts stay within their
// dimensions, under a condition on the parameters that can hold. Otherwise the
// flat shape is kept, and what is not affine there may touch the whole array.
//
// Tested by test/unit/ModelBuilderTest.cpp, test/unit/DelinearizeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelRealizer.h"
#include "Frontend/model/ModelReasons.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

#include <llvm/ADT/STLExtras.h>

namespace clopt {

//===-- Candidates --------------------------------------------------------===//

/// What all offsets have in common and is made of arguments alone: the `offA`
/// of `A[offA + i * n + j]`. Constants stay where they are.
static Polynomial commonStart(const SymbolTable &symbols,
                              const std::vector<Polynomial> &offsets) {
  Polynomial common;
  for (const auto &[monomial, coefficient] : offsets.front().terms) {
    bool isFixed =
        !monomial.empty() && llvm::all_of(monomial, [&](SymbolId id) {
          return symbols[id].kind == SymbolKind::Param ||
                 isQuotient(symbols[id]);
        });
    bool isCommon = llvm::all_of(offsets, [&](const Polynomial &offset) {
      auto term = offset.terms.find(monomial);
      return term != offset.terms.end() && term->second == coefficient;
    });
    if (isFixed && isCommon)
      common.terms[monomial] = coefficient;
  }
  return common;
}

/// The part that no stride but the last of all takes up: it would move all
/// subscripts of an inner dimension, perhaps out of their row.
static Polynomial innerPart(const ArrayShape &shape, const Polynomial &common) {
  std::vector<Polynomial> subscripts = shape.subscripts(common);
  Polynomial result;
  for (size_t dim = 1; dim < subscripts.size(); ++dim)
    result = result + subscripts[dim] * shape.strides[dim];
  return result;
}

void Realizer::addCandidate(unsigned array, const ArrayShape &shape,
                            const std::vector<Polynomial> &offsets,
                            const Polynomial &origin) {
  Candidate candidate;
  candidate.origin = origin;
  for (const Polynomial &extent : shape.extents())
    candidate.extents.push_back(linearizeParams(model.symbols, extent));
  for (const Polynomial &offset : offsets) {
    std::vector<Polynomial> subscripts = shape.subscripts(offset - origin);
    for (Polynomial &subscript : subscripts)
      subscript = linearizeParams(model.symbols, subscript);
    bool isExpressible = llvm::all_of(subscripts, [&](const Polynomial &poly) {
      return isAffine(model.symbols, poly);
    });
    candidate.affine += isExpressible;
    candidate.subscripts.push_back(isExpressible ? std::move(subscripts)
                                                 : std::vector<Polynomial>());
  }
  candidate.shape = shape;
  candidates[array].push_back(std::move(candidate));
}

void Realizer::prepareShapes() {
  accessesOf.resize(model.arrays.size());
  candidates.resize(model.arrays.size());
  for (unsigned index = 0; index < draft.accesses.size(); ++index) {
    const Access &access = draft.accesses[index].access;
    if (access.offset)
      accessesOf[access.array].push_back(index);
  }
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    // Declared shapes are kept.
    const Array &known = model.arrays[array];
    bool isFlat = known.rank == 1 && known.extents[0].isZero();
    bool isLong = known.rank == 1 && known.var && known.var->type.isArray();
    if (!isFlat && !isLong)
      continue;
    std::vector<Polynomial> offsets;
    for (unsigned index : accessesOf[array])
      offsets.push_back(*draft.accesses[index].access.offset);
    if (offsets.empty())
      continue;
    std::vector<ArrayShape> shapes = isFlat
                                         ? proposeShapes(model.symbols, offsets)
                                         : std::vector<ArrayShape>();
    if (isLong)
      shapes.push_back({{Polynomial(1)}});
    Polynomial common = commonStart(model.symbols, offsets);
    for (const ArrayShape &shape : shapes) {
      Polynomial origin = innerPart(shape, common);
      if (!origin.isZero())
        addCandidate(array, shape, offsets, origin);
      addCandidate(array, shape, offsets, Polynomial());
    }
    // Most affine accesses first; the order of the proposal breaks ties.
    llvm::stable_sort(candidates[array],
                      [](const Candidate &a, const Candidate &b) {
                        return a.affine > b.affine;
                      });
  }
}

isl::pw_aff Realizer::affine(const Polynomial &poly, unsigned context) const {
  isl::space space = statementSpace(model, "", coordinates[context]);
  std::optional<isl::pw_aff> value =
      toPwAff(model, space, coordinates[context], poly);
  if (!value)
    isl::exception::throw_error(isl_error_invalid, "not affine", __FILE__,
                                __LINE__);
  return *value;
}

/// A condition that only launches of a few work-items meet is not worth its
/// check at run time.
isl::set Realizer::worthwhile() const {
  isl::set result = model.paramContext;
  for (const Symbol &symbol : model.symbols.all())
    if (symbol.kind == SymbolKind::GlobalSize) {
      int at = isl_set_find_dim_by_name(result.get(), isl_dim_param,
                                        symbol.name.c_str());
      const int FewWorkItems = 16;
      result = isl::manage(isl_set_lower_bound_si(
          result.release(), isl_dim_param, at, FewWorkItems));
    }
  return result;
}

/// Whether the subscript is a sum of arguments in every access.
static bool isFixed(const SymbolTable &symbols,
                    const std::vector<std::vector<Polynomial>> &subscripts,
                    size_t dim) {
  return llvm::all_of(subscripts, [&](const auto &of) {
    if (of.empty())
      return true;
    const auto ids = of[dim].symbols();
    return llvm::all_of(ids,
                        [&](SymbolId id) { return isParameter(symbols[id]); });
  });
}

/// Whether the value stays below some bound in launches of any size.
bool Realizer::isGuarded(const isl::set &domain,
                         const isl::pw_aff &value) const {
  isl::set instances = domain;
  for (const Symbol &symbol : model.symbols.all()) {
    const int at = isl_set_find_dim_by_name(instances.get(), isl_dim_param,
                                            symbol.name.c_str());
    if (symbol.kind == SymbolKind::GlobalSize && at >= 0)
      instances = isl::manage(isl_set_project_out(
          instances.release(), isl_dim_param, unsigned(at), 1));
  }
  const isl::set values = isl::manage(isl_map_from_pw_aff(value.copy()))
                              .intersect_domain(instances)
                              .range();
  return isl_set_dim_has_upper_bound(values.get(), isl_dim_set, 0) ==
         isl_bool_true;
}

/// Records the assumptions and returns true when the inner subscripts of all
/// accesses can stay within their dimensions; without `mayAssume`, when they
/// do in every launch.
bool Realizer::tryCandidate(unsigned array, Candidate &candidate,
                            bool mayAssume) {
  size_t rank = candidate.shape.strides.size();
  std::vector<Assumption> found;
  auto nameOf = [&](SymbolId id) { return nameForPeople(id); };
  for (size_t at = 0; at < accessesOf[array].size(); ++at) {
    std::vector<Polynomial> &subscripts = candidate.subscripts[at];
    if (subscripts.empty())
      continue;
    const DraftAccess &record = draft.accesses[accessesOf[array][at]];
    const isl::set &domain = contextSet(record.context);
    for (size_t dim = rank; dim-- > 1;) {
      const Polynomial &extent = candidate.extents[dim];
      isl::pw_aff size = affine(extent, record.context);
      isl::pw_aff subscript = affine(subscripts[dim], record.context);
      isl::pw_aff zero = affine(Polynomial(), record.context);
      isl::set points = domain.intersect_params(model.paramContext);
      if (points.is_empty())
        break;
      // `i * n + n - 1 - j` divides as (i + 1) * n - 1 - j: borrow a row.
      if (points.intersect(subscript.ge_set(zero)).is_empty()) {
        subscripts[dim] = subscripts[dim] + extent;
        subscripts[dim - 1] = subscripts[dim - 1] - Polynomial(1);
        subscript = affine(subscripts[dim], record.context);
      }
      unsigned width = dim + 1 == rank ? record.access.width : 1;
      isl::pw_aff last =
          width == 1
              ? subscript
              : affine(subscripts[dim] + Polynomial(width - 1), record.context);
      isl::set bad =
          points.intersect(subscript.lt_set(zero).unite(last.ge_set(size)));
      if (bad.is_empty())
        continue;
      // Strides that are constants must fit as they are.
      if (extent.asConstant() || !mayAssume)
        return false;
      // An offset `k * n` may be planes of k rows, or k rows: of ids that are
      // kept below something else it says k rows.
      if (isFixed(model.symbols, candidate.subscripts, dim - 1) &&
          isGuarded(domain, subscript))
        return false;
      std::optional<isl::set> good = conditionAgainst(bad, domain);
      if (!good)
        return false;
      Assumption assumption;
      assumption.kind = Assumption::Kind::Subscript;
      assumption.array = array;
      assumption.range = record.access.range;
      assumption.condition = *good;
      assumption.text =
          "0 <= " + subscripts[dim].str(nameOf) + " < " + extent.str(nameOf);
      found.push_back(std::move(assumption));
    }
  }
  isl::set all = model.paramContext;
  std::vector<Assumption> kept;
  for (Assumption &assumption : found) {
    if (all.is_subset(assumption.condition))
      continue;
    all = all.intersect(assumption.condition);
    kept.push_back(std::move(assumption));
  }
  if (all.intersect(worthwhile()).is_empty())
    return false;
  for (Assumption &assumption : kept)
    assume(std::move(assumption));
  return true;
}

/// The same shape without an origin follows its form with one. Where that
/// needs no assumption, subscripts count from the array's first cell.
bool Realizer::isBetterWithin(unsigned array, size_t at) {
  const std::vector<Candidate> &all = candidates[array];
  return !all[at].origin.isZero() && at + 1 < all.size() &&
         all[at + 1].affine == all[at].affine &&
         all[at + 1].shape.strides == all[at].shape.strides &&
         tryCandidate(array, candidates[array][at + 1], false);
}

void Realizer::shapeArray(unsigned array) {
  Array &target = model.arrays[array];
  for (size_t index = 0; index < candidates[array].size(); ++index) {
    Candidate &candidate = candidates[array][index];
    bool isFlat = candidate.shape.strides.size() == 1;
    if (isBetterWithin(array, index))
      continue;
    if (!isFlat && !tryCandidate(array, candidate))
      continue;
    target.origin = candidate.origin;
    if (!isFlat || target.extents[0].isZero()) {
      target.rank = candidate.shape.strides.size();
      target.extents = candidate.extents;
    }
    for (size_t at = 0; at < accessesOf[array].size(); ++at)
      draft.accesses[accessesOf[array][at]].access.subscripts =
          candidate.subscripts[at];
    return;
  }
}

//===-- Relations ---------------------------------------------------------===//

/// { A[s...] } with nothing said of the subscripts
static isl::set wholeArray(const KernelModel &model, const Array &array) {
  isl::space space = statementSpace(model, "", {});
  space =
      isl::manage(isl_space_add_dims(space.release(), isl_dim_set, array.rank));
  space = isl::manage(isl_space_set_tuple_name(space.release(), isl_dim_set,
                                               array.name.c_str()));
  return isl::manage(isl_set_universe(space.release()));
}

isl::map Realizer::relationOf(const DraftAccess &record) {
  const Access &access = record.access;
  const Array &array = model.arrays[access.array];
  // { S[w..., i...] }
  isl::set domain = isl::manage(
      isl_set_set_tuple_name(contextSet(record.context).copy(),
                             model.statements[access.statement].name.c_str()));
  if (array.rank == 0 || access.subscripts.empty())
    return isl::manage(isl_map_from_domain_and_range(
        domain.copy(), wholeArray(model, array).release()));
  isl::space space = domain.space();
  isl_multi_pw_aff *subscripts =
      isl_multi_pw_aff_zero(isl_space_map_from_domain_and_range(
          space.copy(), wholeArray(model, array).space().release()));
  for (unsigned dim = 0; dim < array.rank; ++dim) {
    isl::pw_aff value = affine(access.subscripts[dim], record.context);
    value = isl::manage(isl_pw_aff_set_tuple_id(
        value.release(), isl_dim_in,
        isl_space_get_tuple_id(space.get(), isl_dim_set)));
    subscripts = isl_multi_pw_aff_set_pw_aff(subscripts, dim, value.release());
  }
  // { S[w..., i...] -> A[s...] }
  isl::map relation = isl::manage(isl_map_from_multi_pw_aff(subscripts));
  if (access.width > 1) {
    // { A[.., s] -> A[.., s'] : s <= s' < s + width }
    isl::map widen = isl::manage(isl_map_universe(
        isl_space_map_from_set(relation.range().space().release())));
    unsigned last = array.rank - 1;
    for (unsigned dim = 0; dim < last; ++dim)
      widen = isl::manage(
          isl_map_equate(widen.release(), isl_dim_in, dim, isl_dim_out, dim));
    isl::map range = widen;
    widen = isl::manage(
        isl_map_order_le(widen.release(), isl_dim_in, last, isl_dim_out, last));
    // s' - width < s: shift the end back by width - 1 and compare again.
    isl_constraint *end = isl_constraint_alloc_inequality(
        isl_local_space_from_space(range.space().release()));
    end = isl_constraint_set_coefficient_si(end, isl_dim_in, last, 1);
    end = isl_constraint_set_coefficient_si(end, isl_dim_out, last, -1);
    end = isl_constraint_set_constant_si(end, access.width - 1);
    widen = isl::manage(isl_map_add_constraint(widen.release(), end));
    relation = relation.apply_range(widen);
  }
  return relation.intersect_domain(domain);
}

void Realizer::addRelation(DraftAccess &record) {
  Access &access = record.access;
  const Array &array = model.arrays[access.array];
  if (access.subscripts.empty() && !record.written.empty()) {
    std::vector<Polynomial> linear;
    for (const Polynomial &poly : record.written)
      linear.push_back(linearizeParams(model.symbols, poly));
    bool isExpressible = llvm::all_of(linear, [&](const Polynomial &poly) {
      return isAffine(model.symbols, poly);
    });
    if (isExpressible)
      access.subscripts = linear;
  }
  // One cell: all of the variable.
  bool isKnown = array.rank == 0 || !access.subscripts.empty();
  // The initializer of an array writes all of it.
  int64_t cells = 1;
  for (const Polynomial &extent : array.extents)
    cells *= extent.asConstant().value_or(0);
  bool isAll = array.rank > 0 && cells > 1 && access.width == cells &&
               access.offset && access.offset->isZero();
  if (isAll)
    access.subscripts.clear();
  access.isExact &= isKnown || isAll;
  access.relation = relationOf(record);
  if (isAll) {
    isl::set box = wholeArray(model, array);
    for (unsigned dim = 0; dim < array.rank; ++dim) {
      box = isl::manage(
          isl_set_lower_bound_si(box.release(), isl_dim_set, dim, 0));
      box = isl::manage(
          isl_set_upper_bound_si(box.release(), isl_dim_set, dim,
                                 *array.extents[dim].asConstant() - 1));
    }
    access.relation = access.relation.intersect_range(box);
  }
}

static void noteSubscript(KernelModel &model, const Access &access) {
  Reason reason = whyNotAffine(model, *access.expr);
  std::string message = "the subscript of '" + model.arrays[access.array].name +
                        "' is not affine in ids, loop variables and arguments";
  if (!reason.why.empty())
    message += ": " + reason.why;
  std::string hint = "any element may be touched as far as the analysis can "
                     "tell";
  if (!reason.hint.empty())
    hint += "; " + reason.hint;
  model.notes.push_back(
      {"clopt-non-affine-subscript", access.range, message, hint});
}

void Realizer::addAccesses() {
  for (unsigned array = 0; array < model.arrays.size(); ++array)
    shapeArray(array);
  for (DraftAccess &record : draft.accesses) {
    addRelation(record);
    const Access &access = record.access;
    const Array &array = model.arrays[access.array];
    bool isSurprising = !access.isExact && access.expr &&
                        array.space != AddressSpace::Private &&
                        access.subscripts.empty() && array.rank > 0;
    if (isSurprising)
      noteSubscript(model, access);
    model.accesses.push_back(access);
  }
}

} // namespace clopt
