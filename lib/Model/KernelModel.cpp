//===- KernelModel.cpp - from polynomials to isl --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-ups in a model, and the conversion of polynomials and conditions into
// quasi-affine expressions and sets. A polynomial converts when all monomials
// have at most one symbol and all symbols are coordinates, isl parameters or
// atoms whose definitions convert.
//
// Tested by test/unit/PolynomialTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/KernelModel.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

namespace clopt {

//===-- Look-ups ----------------------------------------------------------===//

template <typename T>
static std::optional<unsigned> findNamed(const std::vector<T> &items,
                                         const std::string &name) {
  for (unsigned index = 0; index < items.size(); ++index)
    if (items[index].name == name)
      return index;
  return std::nullopt;
}

std::optional<unsigned>
KernelModel::findStatement(const std::string &name) const {
  return findNamed(statements, name);
}

std::optional<unsigned> KernelModel::findLoop(const std::string &name) const {
  return findNamed(loops, name);
}

std::optional<unsigned> KernelModel::findArray(const std::string &name) const {
  return findNamed(arrays, name);
}

const Access *KernelModel::accessOf(const Expr &expr) const {
  for (const auto *table : {&reads, &writes})
    if (auto access = table->find(&expr); access != table->end())
      return &accesses[access->second];
  return nullptr;
}

//===-- Spaces ------------------------------------------------------------===//

bool isParameter(const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Param:
  case SymbolKind::Product:
  case SymbolKind::GlobalSize:
  case SymbolKind::LocalSize:
  case SymbolKind::NumGroups:
  case SymbolKind::GlobalOffset:
    return true;
  default:
    return false;
  }
}

std::optional<WorkItemQuery> queryOf(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::GlobalId:
    return WorkItemQuery::GlobalId;
  case SymbolKind::LocalId:
    return WorkItemQuery::LocalId;
  case SymbolKind::GroupId:
    return WorkItemQuery::GroupId;
  case SymbolKind::GlobalSize:
    return WorkItemQuery::GlobalSize;
  case SymbolKind::LocalSize:
    return WorkItemQuery::LocalSize;
  case SymbolKind::NumGroups:
    return WorkItemQuery::NumGroups;
  case SymbolKind::GlobalOffset:
    return WorkItemQuery::GlobalOffset;
  default:
    return std::nullopt;
  }
}

bool isQuotient(const Symbol &symbol) {
  return symbol.kind == SymbolKind::Product && !symbol.second.isZero();
}

isl::space statementSpace(const KernelModel &model, const std::string &tuple,
                          const std::vector<SymbolId> &coordinates) {
  isl_ctx *context = model.context.get();
  std::vector<SymbolId> params;
  for (SymbolId id = 0; id < model.symbols.size(); ++id)
    if (isParameter(model.symbols[id]))
      params.push_back(id);
  // { tuple[coordinates...] }
  isl_space *space =
      isl_space_set_alloc(context, params.size(), coordinates.size());
  for (unsigned pos = 0; pos < params.size(); ++pos)
    space = isl_space_set_dim_id(
        space, isl_dim_param, pos,
        isl_id_alloc(context, model.symbols[params[pos]].name.c_str(),
                     nullptr));
  for (unsigned pos = 0; pos < coordinates.size(); ++pos)
    space = isl_space_set_dim_id(
        space, isl_dim_set, pos,
        isl_id_alloc(context, model.symbols[coordinates[pos]].name.c_str(),
                     nullptr));
  if (!tuple.empty())
    space = isl_space_set_tuple_name(space, isl_dim_set, tuple.c_str());
  return isl::manage(space);
}

//===-- Conversion --------------------------------------------------------===//

namespace {

/// One conversion: the domain space and where its coordinates stand.
struct Converter {
  const KernelModel &model;
  const isl::space &domain;
  const std::vector<SymbolId> &coordinates;

  std::optional<isl::pw_aff> convert(const Polynomial &poly) const;
  std::optional<isl::set> convert(const Condition &condition) const;
  std::optional<isl::pw_aff> convertAtom(const Symbol &symbol) const;
  std::optional<isl::set> convertOperands(const Condition &condition) const;
};

} // namespace

static isl_val *toVal(isl_ctx *context, int64_t value) {
  return isl_val_int_from_si(context, value);
}

std::optional<isl::pw_aff> Converter::convert(const Polynomial &poly) const {
  if (!poly.isAffine())
    return std::nullopt;
  isl_ctx *context = model.context.get();
  // { tuple[coordinates...] -> [affine part] }
  isl::aff affine = isl::manage(
      isl_aff_zero_on_domain(isl_local_space_from_space(domain.copy())));
  std::vector<std::pair<int64_t, isl::pw_aff>> atoms;
  for (const auto &[monomial, coefficient] : poly.terms) {
    if (monomial.empty()) {
      affine = isl::manage(
          isl_aff_set_constant_val(affine.copy(), toVal(context, coefficient)));
      continue;
    }
    const Symbol &symbol = model.symbols[monomial.front()];
    auto coordinate =
        std::find(coordinates.begin(), coordinates.end(), monomial.front());
    if (coordinate != coordinates.end()) {
      affine = isl::manage(isl_aff_set_coefficient_val(
          affine.copy(), isl_dim_in, coordinate - coordinates.begin(),
          toVal(context, coefficient)));
      continue;
    }
    if (isParameter(symbol)) {
      int pos = isl_space_find_dim_by_name(domain.get(), isl_dim_param,
                                           symbol.name.c_str());
      if (pos < 0)
        return std::nullopt;
      affine = isl::manage(isl_aff_set_coefficient_val(
          affine.copy(), isl_dim_param, pos, toVal(context, coefficient)));
      continue;
    }
    std::optional<isl::pw_aff> atom = convertAtom(symbol);
    if (!atom)
      return std::nullopt;
    atoms.emplace_back(coefficient, *atom);
  }
  isl::pw_aff result(affine);
  for (const auto &[coefficient, atom] : atoms)
    result = result.add(isl::manage(
        isl_pw_aff_scale_val(atom.copy(), toVal(context, coefficient))));
  return result;
}

std::optional<isl::pw_aff> Converter::convertAtom(const Symbol &symbol) const {
  std::optional<isl::pw_aff> first, second;
  std::optional<isl::set> condition;
  isl_ctx *context = model.context.get();
  switch (symbol.kind) {
  case SymbolKind::FloorDiv:
    if (!(first = convert(symbol.first)))
      return std::nullopt;
    return isl::manage(isl_pw_aff_scale_down_val(
                           first->copy(), toVal(context, symbol.constant)))
        .floor();
  case SymbolKind::Modulo:
    if (!(first = convert(symbol.first)))
      return std::nullopt;
    return isl::manage(
        isl_pw_aff_mod_val(first->copy(), toVal(context, symbol.constant)));
  case SymbolKind::Select:
    first = convert(symbol.first);
    second = convert(symbol.second);
    condition = convert(symbol.condition);
    if (!first || !second || !condition)
      return std::nullopt;
    // Two disjoint pieces that together cover the space.
    return first->intersect_domain(*condition)
        .union_add(second->subtract_domain(*condition))
        .coalesce();
  default:
    return std::nullopt;
  }
}

std::optional<isl::set>
Converter::convertOperands(const Condition &condition) const {
  std::optional<isl::set> result;
  for (const Condition &operand : condition.operands) {
    std::optional<isl::set> next = convert(operand);
    if (!next)
      return std::nullopt;
    if (!result)
      result = next;
    else if (condition.kind == Condition::Kind::And)
      result = result->intersect(*next);
    else
      result = result->unite(*next);
  }
  return result;
}

std::optional<isl::set> Converter::convert(const Condition &condition) const {
  isl::set universe = isl::manage(isl_set_universe(domain.copy()));
  std::optional<isl::pw_aff> value;
  switch (condition.kind) {
  case Condition::Kind::True:
    return universe;
  case Condition::Kind::False:
    return isl::manage(isl_set_empty(domain.copy()));
  case Condition::Kind::NonNegative:
    if (!(value = convert(condition.poly)))
      return std::nullopt;
    return isl::manage(isl_pw_aff_nonneg_set(value->copy()));
  case Condition::Kind::Zero:
    if (!(value = convert(condition.poly)))
      return std::nullopt;
    return isl::manage(isl_pw_aff_zero_set(value->copy()));
  case Condition::Kind::And:
  case Condition::Kind::Or:
    return convertOperands(condition);
  case Condition::Kind::Not:
    break;
  }
  std::optional<isl::set> inner = convert(condition.operands.front());
  if (!inner)
    return std::nullopt;
  return universe.subtract(*inner);
}

std::optional<isl::pw_aff> toPwAff(const KernelModel &model,
                                   const isl::space &domain,
                                   const std::vector<SymbolId> &coordinates,
                                   const Polynomial &poly) {
  return Converter{model, domain, coordinates}.convert(poly);
}

isl::set instancesOf(const KernelModel &model, const Access &access) {
  return model.statements[access.statement].domain.intersect(
      access.relation.domain());
}

std::optional<isl::set> toSet(const KernelModel &model,
                              const isl::space &domain,
                              const std::vector<SymbolId> &coordinates,
                              const Condition &condition) {
  return Converter{model, domain, coordinates}.convert(condition);
}

} // namespace clopt
