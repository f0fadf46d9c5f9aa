//===- ModelRealize.cpp - from a draft to the model -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Domains grow from context to context, so that statements with the same loops
// and conditions share one set. See ModelShapes.cpp for arrays and
// ModelSchedule.cpp for the schedule.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelRealize.h"

#include "Frontend/model/ModelRealizer.h"
#include "Model/ExprPrinter.h"
#include "Model/Operations.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

//===-- isl helpers -------------------------------------------------------===//

std::string wideText(WideInt value) {
  if (value == 0)
    return "0";
  bool isNegative = value < 0;
  std::string digits;
  for (; value != 0; value /= 10)
    digits += static_cast<char>(
        '0' + static_cast<int>(isNegative ? -(value % 10) : value % 10));
  if (isNegative)
    digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

static isl::val wideVal(isl_ctx *context, WideInt value) {
  return isl::manage(isl_val_read_from_str(context, wideText(value).c_str()));
}

/// The points where poly < minimum or poly > maximum.
static isl::set outside(isl_ctx *context, const isl::pw_aff &poly,
                        const Interval &range) {
  isl::set domain = poly.domain();
  isl::set result = domain.subtract(domain);
  if (range.minimum) {
    isl::pw_aff low = isl::manage(isl_pw_aff_val_on_domain(
        domain.copy(), wideVal(context, *range.minimum).release()));
    result = result.unite(
        isl::manage(isl_pw_aff_lt_set(poly.copy(), low.release())));
  }
  if (range.maximum) {
    isl::pw_aff high = isl::manage(isl_pw_aff_val_on_domain(
        domain.copy(), wideVal(context, *range.maximum).release()));
    result = result.unite(
        isl::manage(isl_pw_aff_gt_set(poly.copy(), high.release())));
  }
  return result;
}

/// The points where minimum <= poly <= maximum.
static isl::set inside(isl_ctx *context, const isl::pw_aff &poly,
                       const Interval &range) {
  isl::set domain = poly.domain();
  isl::set result = domain;
  if (range.minimum) {
    isl::pw_aff low = isl::manage(isl_pw_aff_val_on_domain(
        domain.copy(), wideVal(context, *range.minimum).release()));
    result = result.intersect(poly.ge_set(low));
  }
  if (range.maximum) {
    isl::pw_aff high = isl::manage(isl_pw_aff_val_on_domain(
        domain.copy(), wideVal(context, *range.maximum).release()));
    result = result.intersect(poly.le_set(high));
  }
  return result;
}

//===-- Parameters --------------------------------------------------------===//

namespace {

/// The symbols that conditions, bounds and offsets are made of.
class UsedSymbols {
public:
  explicit UsedSymbols(const SymbolTable &table)
      : symbols(table), used(table.size(), false) {}
  void add(const Polynomial &poly) {
    for (SymbolId id : poly.symbols()) {
      if (used[id])
        continue;
      used[id] = true;
      add(symbols[id].first);
      add(symbols[id].second);
      add(symbols[id].condition);
    }
  }
  void add(const Condition &condition) {
    add(condition.poly);
    for (const Condition &operand : condition.operands)
      add(operand);
  }
  bool has(SymbolId id) const { return used[id]; }

private:
  const SymbolTable &symbols;
  std::vector<bool> used;
};

} // namespace

/// Quotients that are values and nothing else ask nothing of the launch.
void Realizer::dropUnusedQuotients() {
  UsedSymbols used(model.symbols);
  for (const DraftContext &context : draft.contexts)
    used.add(context.condition);
  for (const DraftLoop &record : draft.loops) {
    used.add(record.loop.first);
    used.add(record.bound);
  }
  for (const DraftGridLoop &loop : draft.gridLoops)
    used.add(loop.range);
  for (const Condition &condition : draft.launch)
    used.add(condition);
  for (const DraftAccess &record : draft.accesses) {
    if (record.access.offset)
      used.add(*record.access.offset);
    for (const Polynomial &subscript : record.written)
      used.add(subscript);
  }
  auto isAskedByUsed = [&](const Polynomial &poly) {
    for (SymbolId id = 0; id < model.symbols.size(); ++id)
      if (const Symbol &symbol = model.symbols[id];
          isQuotient(symbol) && used.has(id) &&
          (symbol.first == poly || symbol.second == poly))
        return true;
    return false;
  };
  llvm::erase_if(draft.requirements, [&](const Requirement &requirement) {
    return requirement.isOfQuotient && !isAskedByUsed(requirement.poly);
  });
  // And products of them.
  std::vector<SymbolId> unused;
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol &symbol = model.symbols[id];
    if (symbol.kind != SymbolKind::Product || used.has(id))
      continue;
    if (isQuotient(symbol) || llvm::any_of(unused, [&](SymbolId part) {
          return symbol.first.contains(part);
        }))
      unused.push_back(id);
  }
  for (SymbolId id : unused)
    model.symbols[id].kind = SymbolKind::Unknown;
}

/// The sum as one of parameters, if there is one for each of its products.
std::optional<Polynomial>
Realizer::asKnownProduct(const Polynomial &sum) const {
  Polynomial result;
  for (const auto &[monomial, factor] : sum.terms) {
    Polynomial product;
    product.terms[monomial] = 1;
    for (SymbolId id = 0; id < model.symbols.size() && monomial.size() > 1;
         ++id) {
      const Symbol &symbol = model.symbols[id];
      if (symbol.kind == SymbolKind::Product && !isQuotient(symbol) &&
          symbol.first == product)
        product = Polynomial::symbol(id);
    }
    if (!product.isAffine())
      return std::nullopt;
    result = result + product * Polynomial(factor);
  }
  return result;
}

isl::set Realizer::paramBounds() {
  // { [] : ... }, then without the tuple.
  isl::space space = statementSpace(model, "", {});
  isl::set result = isl::manage(isl_set_universe(space.copy()));
  isl_ctx *context = model.context.get();
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol &symbol = model.symbols[id];
    if (!isParameter(symbol))
      continue;
    Interval range;
    if (symbol.minimum)
      range.minimum = *symbol.minimum;
    if (symbol.maximum)
      range.maximum = *symbol.maximum;
    if (symbol.kind == SymbolKind::Param)
      range = rangeOf(symbol.var->type);
    std::optional<isl::pw_aff> value =
        toPwAff(model, space, {}, Polynomial::symbol(id));
    result = result.intersect(inside(context, *value, range));
    if (!isQuotient(symbol))
      continue;
    // 0 <= first - second * quotient < second, or at least quotient <= first.
    const Polynomial product = symbol.second * Polynomial::symbol(id);
    const std::optional<Polynomial> known = asKnownProduct(product);
    const Polynomial rest =
        symbol.first - (known ? *known : Polynomial::symbol(id));
    value = toPwAff(model, space, {}, rest);
    result = result.intersect(inside(context, *value, {0, {}}));
    if (!known)
      continue;
    value = toPwAff(model, space, {}, symbol.first - Polynomial::symbol(id));
    result = result.intersect(inside(context, *value, {0, {}}));
    value = toPwAff(model, space, {}, symbol.second - Polynomial(1) - rest);
    result = result.intersect(inside(context, *value, {0, {}}));
  }
  for (unsigned dim = 0; dim < 3; ++dim) {
    auto size = model.symbols.find(SymbolKind::GlobalSize, dim);
    auto offset = model.symbols.find(SymbolKind::GlobalOffset, dim);
    if (!size || !offset)
      continue;
    Polynomial end = Polynomial::symbol(*size) + Polynomial::symbol(*offset);
    std::optional<isl::pw_aff> value = toPwAff(model, space, {}, end);
    result = result.intersect(
        inside(context, *value, {{}, static_cast<WideInt>(1) << 62}));
  }
  result = isl::manage(isl_set_remove_redundancies(result.release()));
  for (const Condition &condition : draft.launch)
    if (isAffine(model.symbols, condition))
      if (std::optional<isl::set> known = toSet(model, space, {}, condition))
        result = result.intersect(*known);
  return result.params();
}

//===-- Domains -----------------------------------------------------------===//

std::vector<SymbolId> Realizer::workCoordinates() const {
  std::vector<SymbolId> result;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    if (!model.ndrange.split[dim]) {
      result.push_back(*model.symbols.find(SymbolKind::GlobalId, dim));
      continue;
    }
    result.push_back(*model.symbols.find(SymbolKind::GroupId, dim));
    result.push_back(*model.symbols.find(SymbolKind::LocalId, dim));
  }
  return result;
}

static Condition atLeastZero(const Polynomial &poly) {
  return {Condition::Kind::NonNegative, poly, {}};
}

Condition Realizer::workBounds() const {
  Condition all;
  auto symbol = [&](SymbolKind kind, unsigned dim) {
    return Polynomial::symbol(*model.symbols.find(kind, dim));
  };
  Polynomial one(1);
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    if (std::optional<Condition> range = gridBounds(dim)) {
      all = conjunction(all, *range);
      continue;
    }
    Polynomial size = symbol(SymbolKind::GlobalSize, dim);
    if (!model.ndrange.split[dim]) {
      Polynomial id = symbol(SymbolKind::GlobalId, dim) -
                      symbol(SymbolKind::GlobalOffset, dim);
      all = conjunction(all, atLeastZero(id));
      all = conjunction(all, atLeastZero(size - id - one));
      continue;
    }
    Polynomial group = symbol(SymbolKind::GroupId, dim);
    Polynomial local = symbol(SymbolKind::LocalId, dim);
    all = conjunction(all, atLeastZero(group));
    all = conjunction(all, atLeastZero(local));
    if (std::optional<int64_t> known = model.ndrange.localSize[dim]) {
      Polynomial groupSize(*known);
      all = conjunction(all, atLeastZero(groupSize - local - one));
      const Polynomial last =
          draft.wanted.wholeGroups ? groupSize : local + one;
      all = conjunction(all, atLeastZero(size - group * groupSize - last));
      continue;
    }
    all = conjunction(
        all, atLeastZero(symbol(SymbolKind::LocalSize, dim) - local - one));
    all = conjunction(
        all, atLeastZero(symbol(SymbolKind::NumGroups, dim) - group - one));
  }
  return all;
}

/// Ids of a dimension that is a loop: its iterations, or those of several.
std::optional<Condition> Realizer::gridBounds(unsigned dim) const {
  std::optional<Condition> result;
  for (const DraftGridLoop &loop : draft.gridLoops)
    if (loop.dim == dim)
      result = result ? disjunction(*result, loop.range) : loop.range;
  return result;
}

/// The dimensions that are loops, with their ranges over all work-items.
bool Realizer::addGridDimensions() {
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    auto loop = std::find_if(
        draft.gridLoops.begin(), draft.gridLoops.end(),
        [&](const DraftGridLoop &other) { return other.dim == dim; });
    if (loop == draft.gridLoops.end())
      continue;
    MappedDimension mapped;
    mapped.dim = dim;
    mapped.isLaunched = true;
    mapped.loop = loop->loop;
    // { [w] }
    isl_set *values = isl_set_intersect_params(contextSet(0).copy(),
                                               model.paramContext.copy());
    unsigned rank = isl_set_dim(values, isl_dim_set);
    values = isl_set_project_out(values, isl_dim_set, dim + 1, rank - dim - 1);
    values = isl_set_project_out(values, isl_dim_set, 0, dim);
    isl::set known = isl::manage(isl_set_params(isl_set_copy(values)));
    mapped.first = isl::manage(isl_set_dim_min(isl_set_copy(values), 0));
    mapped.end = isl::manage(isl_pw_aff_add_constant_val(
        isl_set_dim_max(values, 0), isl_val_one(model.context.get())));
    const int MostCases = 4;
    for (isl::pw_aff *bound : {&mapped.first, &mapped.end}) {
      *bound = isl::manage(isl_pw_aff_coalesce(
          isl_pw_aff_gist_params(bound->copy(), known.copy())));
      int pieces = isl_pw_aff_n_piece(bound->get());
      if (pieces < 1 || pieces > MostCases)
        return false;
    }
    model.ndrange.mapped.push_back(mapped);
  }
  return true;
}

isl::set Realizer::convert(const Condition &condition,
                           const std::vector<SymbolId> &symbols) const {
  isl::space space = statementSpace(model, "", symbols);
  std::optional<isl::set> set = toSet(model, space, symbols, condition);
  // The walk lets only affine conditions become contexts.
  if (!set)
    isl::exception::throw_error(isl_error_invalid, "not affine", __FILE__,
                                __LINE__);
  return *set;
}

const isl::set &Realizer::contextSet(unsigned index) {
  if (!contextSets[index].is_null())
    return contextSets[index];
  const DraftContext &context = draft.contexts[index];
  if (context.parent < 0) {
    coordinates[index] = workCoordinates();
    contextSets[index] = convert(workBounds(), coordinates[index]);
    return contextSets[index];
  }
  isl::set outer = contextSet(context.parent);
  coordinates[index] = coordinates[context.parent];
  if (context.loop < 0) {
    contextSets[index] =
        outer.intersect(convert(context.condition, coordinates[index]));
    return contextSets[index];
  }
  const DraftLoop &loop = draft.loops[context.loop];
  SymbolId iterator = loop.loop.iterator;
  unsigned position = coordinates[index].size();
  coordinates[index].push_back(iterator);
  // { [w..., i...] } with the new iterator free
  isl::set inner = isl::manage(isl_set_add_dims(outer.copy(), isl_dim_set, 1));
  inner = isl::manage(isl_set_set_dim_id(
      inner.release(), isl_dim_set, position,
      isl_id_alloc(model.context.get(), model.symbols[iterator].name.c_str(),
                   nullptr)));
  Polynomial distance = Polynomial::symbol(iterator) - loop.loop.first;
  int64_t step = loop.loop.step;
  inner = inner.intersect(convert(atLeastZero(step > 0 ? distance : -distance),
                                  coordinates[index]));
  inner = inner.intersect(convert(loop.bound, coordinates[index]));
  if (std::abs(step) != 1) {
    isl::space space = statementSpace(model, "", coordinates[index]);
    std::optional<isl::pw_aff> value =
        toPwAff(model, space, coordinates[index], distance);
    isl::pw_aff rest = isl::manage(isl_pw_aff_mod_val(
        value->copy(),
        isl_val_int_from_si(model.context.get(), std::abs(step))));
    inner = inner.intersect(isl::manage(isl_pw_aff_zero_set(rest.copy())));
  }
  contextSets[index] = inner;
  return contextSets[index];
}

//===-- Requirements ------------------------------------------------------===//

/// Nothing, too, where the parameters that violate take too long to tell: a
/// domain of many integer divisions can take all that the kernel has.
std::optional<isl::set> Realizer::conditionAgainst(const isl::set &violating,
                                                   const isl::set &domain) {
  isl_ctx *context = model.context.get();
  OperationLimit limit(context, isl_ctx_get_max_operations(context) / 16);
  try {
    // { : there is a violating instance }
    isl::set bad = violating.intersect_params(model.paramContext).params();
    // An empty domain violates nothing, but asking for more is simpler.
    isl::set possible = domain.params().intersect(model.paramContext);
    bad = bad.gist(possible).coalesce();
    isl::set good = bad.complement().coalesce();
    if (good.intersect(possible).is_empty())
      return std::nullopt;
    return good.gist(model.paramContext).coalesce();
  } catch (const isl::exception &) {
    return std::nullopt;
  }
}

bool Realizer::refuse(const Requirement &requirement) {
  if (requirement.need != Requirement::Need::Possible)
    draft.wanted.wraps[requirement.expr] = requirement.stage + 1;
  else if (requirement.cast)
    draft.wanted.uncast.insert(requirement.cast);
  else if (requirement.stmt)
    draft.wanted.compound.insert(requirement.stmt);
  else
    draft.wanted.unknown.insert(requirement.expr);
  draft.mustRepeat = true;
  return false;
}

/// { : } launches without offset whose arguments in `poly` are above zero, and
/// those that the condition is about besides, as the ends of loops are,
/// above 1.
isl::set Realizer::plainLaunches(const Polynomial &poly,
                                 const isl::set &condition) const {
  isl::set result = worthwhile();
  isl::space space = statementSpace(model, "", {});
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol &symbol = model.symbols[id];
    const bool isOffset = symbol.kind == SymbolKind::GlobalOffset;
    const int at = isl_set_find_dim_by_name(condition.get(), isl_dim_param,
                                            symbol.name.c_str());
    const bool isAsked =
        at >= 0 &&
        isl_set_involves_dims(condition.get(), isl_dim_param,
                              static_cast<unsigned>(at), 1) == isl_bool_true;
    if (!isOffset &&
        (symbol.kind != SymbolKind::Param || (!poly.contains(id) && !isAsked)))
      continue;
    Polynomial value = Polynomial::symbol(id);
    std::optional<isl::pw_aff> least = toPwAff(
        model, space, {},
        isOffset ? -value : value - Polynomial(poly.contains(id) ? 1 : 2));
    result = result.intersect(
        isl::manage(isl_pw_aff_nonneg_set(least->copy())).params());
  }
  return result;
}

/// { : } launches without offset that have `size` work-items along each
/// dimension whose id occurs, and not few of them.
isl::set Realizer::usualLaunches(const Requirement &requirement) const {
  isl::set result = worthwhile();
  isl::space space = statementSpace(model, "", {});
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    auto id = model.symbols.find(SymbolKind::GlobalId, dim);
    auto size = model.symbols.find(SymbolKind::GlobalSize, dim);
    auto offset = model.symbols.find(SymbolKind::GlobalOffset, dim);
    if (!id || !size || !requirement.poly.contains(*id))
      continue;
    Polynomial distance = Polynomial::symbol(*size) - requirement.size;
    std::optional<isl::pw_aff> value = toPwAff(model, space, {}, distance);
    if (!value)
      return result.subtract(result);
    result = result.intersect(
        isl::manage(isl_pw_aff_zero_set(value->copy())).params());
    if (!offset)
      continue;
    value = toPwAff(model, space, {}, Polynomial::symbol(*offset));
    result = result.intersect(
        isl::manage(isl_pw_aff_zero_set(value->copy())).params());
  }
  return result;
}

std::optional<isl::set> Realizer::violations(const Polynomial &poly,
                                             const Interval &range,
                                             unsigned context) {
  const isl::set &domain = contextSet(context);
  isl::space space = statementSpace(model, "", coordinates[context]);
  std::optional<isl::pw_aff> value =
      toPwAff(model, space, coordinates[context], poly);
  if (!value)
    return std::nullopt;
  return outside(model.context.get(), *value, range)
      .intersect(domain)
      .intersect_params(model.paramContext);
}

static bool sameBounds(const std::vector<ProductBound> &left,
                       const std::vector<ProductBound> &right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const ProductBound &a, const ProductBound &b) {
                      return a.poly == b.poly && a.maximum == b.maximum;
                    });
}

void Realizer::assume(Assumption assumption) {
  for (const Assumption &known : model.assumptions)
    if (known.kind == assumption.kind && known.array == assumption.array &&
        known.condition.is_equal(assumption.condition) &&
        sameBounds(known.bounds, assumption.bounds))
      return;
  model.assumptions.push_back(std::move(assumption));
}

/// What the author would write for the symbol.
std::string Realizer::nameForPeople(SymbolId id) const {
  const Symbol &symbol = model.symbols[id];
  const std::optional<WorkItemQuery> query = queryOf(symbol.kind);
  return query && symbol.dim < 3 ? printWorkItem(*query, symbol.dim)
                                 : model.symbols.name(id);
}

bool Realizer::resolve(const Requirement &requirement) {
  Assumption assumption;
  assumption.kind = requirement.kind;
  assumption.range = requirement.location;
  auto nameOf = [&](SymbolId id) { return nameForPeople(id); };
  // The side that always holds is nothing to tell.
  Interval bounds = boundsOf(model.symbols, requirement.poly);
  assumption.text = requirement.poly.str(nameOf);
  bool isAbove =
      bounds.minimum && *bounds.minimum >= *requirement.range.minimum;
  bool isBelow =
      bounds.maximum && *bounds.maximum <= *requirement.range.maximum;
  if (!isAbove)
    assumption.text =
        wideText(*requirement.range.minimum) + " <= " + assumption.text;
  if (!isBelow)
    assumption.text += " <= " + wideText(*requirement.range.maximum);
  if (!requirement.text.empty())
    assumption.text = requirement.text;
  std::optional<isl::set> bad =
      violations(requirement.poly, requirement.range, requirement.context);
  if (bad) {
    if (bad->is_empty())
      return true;
    if (requirement.need == Requirement::Need::Proved)
      return refuse(requirement);
    std::optional<isl::set> good =
        conditionAgainst(*bad, contextSet(requirement.context));
    if (!good)
      return refuse(requirement);
    if (requirement.need == Requirement::Need::Usual &&
        good->intersect(usualLaunches(requirement)).is_empty())
      return refuse(requirement);
    if (requirement.need == Requirement::Need::Plain &&
        good->intersect(plainLaunches(requirement.poly, *good)).is_empty())
      return refuse(requirement);
    assumption.condition = *good;
    assume(std::move(assumption));
    return true;
  }
  const bool mayBound = requirement.need == Requirement::Need::Possible ||
                        requirement.need == Requirement::Need::Plain;
  if (!mayBound || !resolveProduct(requirement, assumption))
    return refuse(requirement);
  assume(std::move(assumption));
  return true;
}

//===-- Split dimensions --------------------------------------------------===//

void Realizer::markSplit(const Polynomial &poly) {
  for (SymbolId id : poly.symbols()) {
    const Symbol &symbol = model.symbols[id];
    bool isOfGroup = symbol.kind == SymbolKind::GroupId ||
                     symbol.kind == SymbolKind::LocalId;
    if (isOfGroup && !model.ndrange.split[symbol.dim]) {
      draft.wanted.split[symbol.dim] = true;
      draft.mustRepeat = true;
    }
    bool isAtom = symbol.kind == SymbolKind::FloorDiv ||
                  symbol.kind == SymbolKind::Modulo ||
                  symbol.kind == SymbolKind::Select;
    if (!isAtom)
      continue;
    markSplit(symbol.first);
    markSplit(symbol.second);
    markSplit(symbol.condition);
  }
}

void Realizer::markSplit(const Condition &condition) {
  markSplit(condition.poly);
  for (const Condition &operand : condition.operands)
    markSplit(operand);
}

void Realizer::markSplits() {
  for (const DraftContext &context : draft.contexts)
    markSplit(context.condition);
  for (const DraftLoop &loop : draft.loops) {
    markSplit(loop.loop.first);
    markSplit(loop.bound);
  }
  for (const DraftAccess &access : draft.accesses)
    if (access.access.offset)
      markSplit(*access.access.offset);
  for (const Requirement &requirement : draft.requirements)
    markSplit(requirement.poly);
  // Sizes that are assumed from now on may be all that the groups were for.
  for (unsigned dim = 0; dim < 3; ++dim) {
    DraftSettings &wanted = draft.wanted;
    if (!wanted.assumesLocalSize[dim] || wanted.isForLocalSize[dim])
      continue;
    if (!model.ndrange.localSize[dim]) {
      wanted.split[dim] = model.ndrange.split[dim];
      draft.mustRepeat = true;
    } else if (wanted.split[dim]) {
      wanted.assumesLocalSize[dim] = false;
      wanted.localSize[dim] = std::nullopt;
      wanted.needsGroups[dim] = draft.mustRepeat = true;
    }
  }
  // Groups of one work-item help where no other dimension needs its groups.
  bool areSingle = true;
  for (unsigned dim = 0; dim < 3; ++dim)
    areSingle &= !draft.wanted.split[dim] || draft.mayBeSingle[dim];
  for (unsigned dim = 0; dim < 3; ++dim) {
    bool usesGroup = draft.wanted.split[dim] || draft.wanted.single[dim];
    draft.wanted.split[dim] = usesGroup && !areSingle;
    draft.wanted.single[dim] = usesGroup && areSingle;
  }
}

void Realizer::assumeZero(const Polynomial &poly, const std::string &text) {
  std::optional<isl::pw_aff> value =
      toPwAff(model, statementSpace(model, "", {}), {}, poly);
  Assumption assumption;
  assumption.kind = Assumption::Kind::Range;
  assumption.condition =
      isl::manage(isl_set_params(isl_pw_aff_zero_set(value->copy())));
  assumption.text = text;
  assumption.range = model.function->range;
  assume(std::move(assumption));
}

/// { : ls = 1 } for every dimension whose groups are taken for work-items.
void Realizer::assumeSingles() {
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!draft.wanted.single[dim])
      continue;
    SymbolId size = *model.symbols.find(SymbolKind::LocalSize, dim);
    assumeZero(Polynomial::symbol(size) - Polynomial(1),
               nameForPeople(size) + " = 1");
  }
}

/// { : ls = c } for every dimension whose ids are counted in groups of c.
void Realizer::assumeGroupSizes() {
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!draft.wanted.assumesLocalSize[dim])
      continue;
    const int64_t count = *model.ndrange.localSize[dim];
    SymbolId size = *model.symbols.find(SymbolKind::LocalSize, dim);
    assumeZero(Polynomial::symbol(size) - Polynomial(count),
               nameForPeople(size) + " = " + std::to_string(count));
  }
}

/// { : go = 0 } for every dimension of which `group * size + local` is the id.
void Realizer::assumeOrigins() {
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!draft.startsAtZero[dim])
      continue;
    SymbolId offset = *model.symbols.find(SymbolKind::GlobalOffset, dim);
    assumeZero(Polynomial::symbol(offset), nameForPeople(offset) + " = 0");
  }
}

//===-- All of it ---------------------------------------------------------===//

Realizer::Realizer(Draft &source) : draft(source), model(source.model) {
  contextSets.resize(draft.contexts.size());
  coordinates.resize(draft.contexts.size());
}

void Realizer::addStatements() {
  unsigned number = 0;
  for (DraftStatement &record : draft.statements) {
    Statement statement = record.statement;
    do
      statement.name = "S" + std::to_string(number++);
    while (model.findArray(statement.name));
    isl::set domain = contextSet(record.context);
    statement.coordinates = coordinates[record.context];
    statement.domain = isl::manage(
        isl_set_set_tuple_name(domain.copy(), statement.name.c_str()));
    model.statements.push_back(std::move(statement));
  }
}

bool Realizer::run() {
  markSplits();
  if (draft.mustRepeat)
    return false;
  dropUnusedQuotients();
  // Shapes may need products of parameters: known before any isl space.
  prepareShapes();
  model.paramContext = paramBounds();
  assumeSingles();
  assumeGroupSizes();
  assumeOrigins();
  for (const Requirement &requirement : draft.requirements)
    resolve(requirement);
  if (draft.mustRepeat)
    return false;
  for (const DraftLoop &record : draft.loops)
    model.loops.push_back(record.loop);
  for (const DraftContext &context : draft.contexts)
    if (context.loop >= 0)
      for (int at = context.parent; at >= 0; at = draft.contexts[at].parent)
        if (draft.contexts[at].loop >= 0)
          model.loops[context.loop].outer.insert(
              model.loops[context.loop].outer.begin(), draft.contexts[at].loop);
  if (!addGridDimensions()) {
    for (const auto &[loop, form] : draft.wanted.gridLoops)
      draft.wanted.wholeLoops[loop] = "its bound has too many cases";
    draft.wanted.gridLoops.clear();
    return false;
  }
  addStatements();
  addAccesses();
  model.schedule = buildSchedule();
  return true;
}

bool realizeModel(Draft &draft) {
  if (draft.mustRepeat)
    return false;
  return Realizer(draft).run();
}

} // namespace clopt
