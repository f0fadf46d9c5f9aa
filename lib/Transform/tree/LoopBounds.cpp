//===- LoopBounds.cpp - first iterations of loops in a new order ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least (or greatest) value of the last coordinate is a piecewise affine
// expression. A polynomial is guessed from its pieces and then compared with it
// on all iterations, so that a wrong guess is never used.
//
// Tested by test/unit/InterchangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/tree/LoopBounds.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace clopt {

/// An expression of more cases would cost more than it gives.
static constexpr size_t maximumCases = 3;

/// Coordinates of the statements in the loop, up to the loop's.
static std::vector<SymbolId> coordinatesTo(const KernelModel &model,
                                           unsigned loop) {
  SymbolId iterator = model.loops[loop].iterator;
  for (const Statement &statement : model.statements) {
    auto own = std::find(statement.coordinates.begin(),
                         statement.coordinates.end(), iterator);
    if (own != statement.coordinates.end())
      return {statement.coordinates.begin(), own + 1};
  }
  return {};
}

isl::set iterationsOf(const KernelModel &model, unsigned loop) {
  std::vector<SymbolId> to = coordinatesTo(model, loop);
  isl_set *all = isl_set_empty(statementSpace(model, "", to).release());
  all = isl_set_reset_tuple_id(all);
  for (const Statement &statement : model.statements) {
    if (statement.coordinates.size() < to.size() ||
        !std::equal(to.begin(), to.end(), statement.coordinates.begin()))
      continue;
    // { S[to..., rest...] } -> { [to...] }
    isl_set *own =
        isl_set_project_out(statement.domain.copy(), isl_dim_set, to.size(),
                            statement.coordinates.size() - to.size());
    all = isl_set_union(all, isl_set_reset_tuple_id(own));
  }
  return isl::manage(isl_set_coalesce(isl_set_reset_tuple_id(all)));
}

namespace {

/// One affine piece as a polynomial.
struct BoundReader {
  const KernelModel &model;
  const std::vector<SymbolId> &outer;
  std::vector<Polynomial> cases;
  bool failed = false;

  void read(const isl::aff &aff);
  static isl_stat readPiece(isl_set *set, isl_aff *aff, void *user);
};

} // namespace

std::optional<Polynomial>
toPolynomial(const KernelModel &model, const isl::aff &aff,
             const std::vector<SymbolId> &coordinates) {
  bool failed = isl_aff_dim(aff.get(), isl_dim_div) > 0;
  Polynomial sum;
  auto add = [&](isl_val *value, const std::optional<Polynomial> &of) {
    const bool isInteger = isl_val_is_int(value) == isl_bool_true;
    const int64_t factor = isInteger ? isl_val_get_num_si(value) : 0;
    isl_val_free(value);
    failed |= !isInteger || (factor != 0 && !of);
    if (of)
      sum = sum + Polynomial(factor) * *of;
  };
  add(isl_aff_get_constant_val(aff.get()), Polynomial(1));
  for (size_t i = 0; i < coordinates.size(); ++i)
    add(isl_aff_get_coefficient_val(aff.get(), isl_dim_in, static_cast<int>(i)),
        Polynomial::symbol(coordinates[i]));
  const int parameters = isl_aff_dim(aff.get(), isl_dim_param);
  for (int i = 0; i < parameters; ++i) {
    const std::string name = isl_aff_get_dim_name(aff.get(), isl_dim_param, i);
    std::optional<Polynomial> symbol;
    for (SymbolId id = 0; id < model.symbols.size() && !symbol; ++id)
      if (model.symbols[id].name == name)
        symbol = Polynomial::symbol(id);
    add(isl_aff_get_coefficient_val(aff.get(), isl_dim_param, i), symbol);
  }
  return failed ? std::nullopt : std::optional(sum);
}

void BoundReader::read(const isl::aff &aff) {
  std::optional<Polynomial> sum = toPolynomial(model, aff, outer);
  failed |= !sum;
  if (failed)
    return;
  for (const auto &[monomial, factor] : sum->terms)
    failed |= factor > INT32_MAX || factor < INT32_MIN;
  if (!llvm::is_contained(cases, *sum))
    cases.push_back(*sum);
}

isl_stat BoundReader::readPiece(isl_set *set, isl_aff *aff, void *user) {
  isl_set_free(set);
  static_cast<BoundReader *>(user)->read(isl::manage(aff));
  return isl_stat_ok;
}

/// Whether `poly` is `exact`, { [outer...] -> [k] }, wherever that is defined.
static bool isSame(const KernelModel &model, const std::vector<SymbolId> &outer,
                   const Polynomial &poly, const isl::pw_aff &exact) {
  isl::space space = isl::manage(isl_pw_aff_get_domain_space(exact.get()));
  std::optional<isl::pw_aff> guess = toPwAff(model, space, outer, poly);
  if (!guess)
    return false;
  isl::set differs =
      isl::manage(isl_pw_aff_ne_set(guess->copy(), exact.copy()));
  return isl_set_is_empty(
             isl::manage(isl_set_intersect_params(differs.release(),
                                                  model.paramContext.copy()))
                 .get()) == isl_bool_true;
}

std::optional<Polynomial> firstIteration(KernelModel &model, unsigned loop,
                                         const isl::set &iterations) {
  Loop &info = model.loops[loop];
  std::vector<SymbolId> outer = coordinatesTo(model, loop);
  outer.pop_back();
  // { [outer...] -> [k] }
  isl_map *map = isl_map_from_domain(
      isl_set_intersect_params(iterations.copy(), model.paramContext.copy()));
  map = isl_map_move_dims(map, isl_dim_out, 0, isl_dim_in, outer.size(), 1);
  isl_pw_multi_aff *first = info.step > 0 ? isl_map_lexmin_pw_multi_aff(map)
                                          : isl_map_lexmax_pw_multi_aff(map);
  isl::pw_aff exact =
      isl::manage(isl_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(first, 0)));
  isl_pw_multi_aff_free(first);
  bool isOwn = info.first.isAffine();
  for (SymbolId id : info.first.symbols())
    isOwn &= isParameter(model.symbols[id]) || llvm::is_contained(outer, id);
  if (isOwn && isSame(model, outer, info.first, exact))
    return info.first;
  isl::pw_aff simple = isl::manage(
      isl_pw_aff_gist(exact.copy(), isl_pw_aff_domain(exact.copy())));
  BoundReader reader{model, outer, {}, false};
  isl_pw_aff_foreach_piece(simple.get(), BoundReader::readPiece, &reader);
  if (reader.failed || reader.cases.empty() ||
      reader.cases.size() > maximumCases)
    return std::nullopt;
  for (const Polynomial &poly : reader.cases)
    if (isSame(model, outer, poly, exact))
      return poly;
  Polynomial best = reader.cases.front();
  for (size_t i = 1; i < reader.cases.size(); ++i) {
    // best >= other ? best : other, and the other way round downward
    Condition condition;
    condition.kind = Condition::Kind::NonNegative;
    condition.poly =
        info.step > 0 ? best - reader.cases[i] : reader.cases[i] - best;
    best = Polynomial::symbol(
        model.symbols.select(condition, best, reader.cases[i]));
  }
  if (isSame(model, outer, best, exact))
    return best;
  return std::nullopt;
}

} // namespace clopt
