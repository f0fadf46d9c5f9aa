//===- ModelSetup.cpp - what a model begins with --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters, arrays, symbols and the NDRange, before the walk over statements.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_set.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace clopt {

ModelBuilder::ModelBuilder(const TranslationUnit &source,
                           const Function &function,
                           const DraftSettings &chosen,
                           const std::shared_ptr<isl_ctx> &isl)
    : unit(source), kernel(function), settings(chosen), model(draft.model) {
  draft.wanted = settings;
  model.context = isl;
  isl_space *nothing = isl_space_alloc(isl.get(), 0, 0, 0);
  blankMap = isl::manage(isl_map_universe(nothing));
  nothing = isl_space_params_alloc(isl.get(), 0);
  blankSet = isl::manage(isl_set_universe(nothing));
  model.paramContext = blankSet;
  model.schedule = isl::manage(
      isl_schedule_from_domain(isl_union_set_from_set(blankSet.copy())));
  for (const auto &variable : unit.fileScopeVariables)
    ordinals.try_emplace(variable.get(), ordinals.size());
  for (const auto &variable : kernel.variables)
    ordinals.try_emplace(variable.get(), ordinals.size());
  for (const auto &[variable, count] : assignedIn(kernel.body))
    assigned.insert(variable);
  forEachExpr(kernel.body, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::VarRef)
      mentioned.insert(expr->var);
  });
}

/// Local memory that is there, and that nothing uses.
bool ModelBuilder::isUnusedLocal(const Variable &variable) const {
  const bool isLocal =
      variable.space == AddressSpace::Local ||
      (variable.type.isPointer() && variable.type.space == AddressSpace::Local);
  return isLocal && !mentioned.count(&variable);
}

unsigned ModelBuilder::ordinal(const Variable *var) const {
  auto found = ordinals.find(var);
  return found == ordinals.end() ? ~0u : found->second;
}

/// Ids and sizes of any launch stay below this: no device has the address
/// space for more (docs/internals/model.md).
static const int64_t LargestId = int64_t(1) << 62;

SymbolId ModelBuilder::symbolOf(SymbolKind kind, unsigned dim) {
  if (std::optional<SymbolId> found = model.symbols.find(kind, dim))
    return *found;
  Symbol symbol;
  symbol.kind = kind;
  symbol.dim = dim;
  symbol.minimum = 0;
  symbol.maximum = LargestId;
  std::optional<int64_t> size;
  if (dim < 3)
    size = model.ndrange.localSize[dim];
  switch (kind) {
  case SymbolKind::GlobalId:
    symbol.name = "w";
    break;
  case SymbolKind::LocalId:
    symbol.name = "l";
    symbol.maximum = size ? *size - 1 : (int64_t(1) << 31) - 1;
    break;
  case SymbolKind::GroupId:
    symbol.name = "g";
    break;
  case SymbolKind::GlobalSize:
    symbol.name = "gs";
    symbol.minimum = 1;
    break;
  case SymbolKind::LocalSize:
    symbol.name = "ls";
    symbol.minimum = 1;
    symbol.maximum = (int64_t(1) << 31) - 1;
    break;
  case SymbolKind::NumGroups:
    symbol.name = "ng";
    symbol.minimum = 1;
    break;
  default:
    symbol.name = "go";
    break;
  }
  symbol.name += std::to_string(dim);
  return model.symbols.add(symbol);
}

void ModelBuilder::addParameters() {
  for (const Variable *param : kernel.params) {
    const Type &type = param->type;
    if (isUnusedLocal(*param))
      continue;
    if (type.isPointer() && type.element) {
      unsigned array = pointeeOf(param);
      if (isFollowed(param))
        environment[ordinal(param)] = Value::pointer(array, Polynomial());
      continue;
    }
    if (!type.isScalar() || !type.isInteger() || !isConstantParam(param))
      continue;
    Symbol symbol;
    symbol.kind = SymbolKind::Param;
    symbol.name = param->name;
    symbol.var = param;
    Interval range = rangeOf(type);
    if (*range.minimum >= INT64_MIN)
      symbol.minimum = static_cast<int64_t>(*range.minimum);
    if (*range.maximum <= INT64_MAX)
      symbol.maximum = static_cast<int64_t>(*range.maximum);
    model.symbols.add(symbol);
  }
}

/// Pointers whose target is unknown may point to any of these.
void ModelBuilder::addDeclaredArrays() {
  for (const auto &variable : kernel.variables) {
    bool isTarget = variable->space == AddressSpace::Local ||
                    variable->type.isArray() || variable->addressTaken;
    if (isTarget && !variable->isParam && !isUnusedLocal(*variable))
      arrayOf(variable.get());
  }
}

/// Dimensions of the ids a body asks for.
static unsigned rankOf(const StmtRef &body) {
  unsigned rank = 0;
  forEachExpr(body, [&](const ExprRef &expr) {
    if (expr->kind != ExprKind::WorkItem)
      return;
    switch (expr->query) {
    case WorkItemQuery::GlobalId:
    case WorkItemQuery::LocalId:
    case WorkItemQuery::GroupId:
      if (expr->dim < 3)
        rank = std::max(rank, expr->dim + 1);
      break;
    case WorkItemQuery::GlobalLinearId:
    case WorkItemQuery::LocalLinearId:
      rank = 3;
      break;
    default:
      break;
    }
  });
  return rank;
}

static bool hasCalls(const StmtRef &body) {
  bool found = false;
  forEachExpr(body, [&](const ExprRef &expr) {
    found |= expr->kind == ExprKind::Call && !expr->isElementwiseBuiltin;
  });
  return found;
}

/// `A += get_group_id(1) * stride`: nothing in the kernel tells the work-items
/// of such a group apart along the dimension, so it has one, or they all race.
void ModelBuilder::findSingles() {
  bool usesGroups = containsBarrier(kernel.body) || hasCalls(kernel.body);
  for (const auto &variable : kernel.variables)
    usesGroups |= !isUnusedLocal(*variable) &&
                  (variable->space == AddressSpace::Local ||
                   (variable->type.isPointer() &&
                    variable->type.space == AddressSpace::Local));
  draft.keepsGroups = usesGroups;
  bool asksForGroup[3] = {false, false, false};
  bool asksForMore[3] = {usesGroups, usesGroups, usesGroups};
  forEachExpr(kernel.body, [&](const ExprRef &expr) {
    if (expr->kind != ExprKind::WorkItem || expr->dim > 2)
      return;
    bool isSize = expr->query == WorkItemQuery::GlobalSize ||
                  expr->query == WorkItemQuery::NumGroups ||
                  expr->query == WorkItemQuery::GlobalOffset;
    if (expr->query == WorkItemQuery::GroupId)
      asksForGroup[expr->dim] = true;
    else if (!isSize)
      asksForMore[expr->dim] = true;
  });
  for (unsigned dim = 0; dim < 3; ++dim)
    draft.mayBeSingle[dim] =
        asksForGroup[dim] && !asksForMore[dim] && !settings.localSize[dim];
}

void ModelBuilder::addNDRange() {
  NDRange &ndrange = model.ndrange;
  ndrange.rank = rankOf(kernel.body);
  if (hasCalls(kernel.body))
    for (const auto &function : unit.functions)
      if (!function->isKernel)
        ndrange.rank = std::max(ndrange.rank, rankOf(function->body));
  for (unsigned dim = 0; dim < 3; ++dim) {
    ndrange.split[dim] = settings.split[dim];
    ndrange.localSize[dim] = settings.localSize[dim];
  }
  findSingles();
  for (unsigned dim = 0; dim < ndrange.rank; ++dim) {
    if (settings.single[dim] || settings.assumesLocalSize[dim])
      symbolOf(SymbolKind::LocalSize, dim);
    if (ndrange.split[dim]) {
      symbolOf(SymbolKind::GroupId, dim);
      symbolOf(SymbolKind::LocalId, dim);
    } else {
      symbolOf(SymbolKind::GlobalId, dim);
    }
    symbolOf(SymbolKind::GlobalSize, dim);
    symbolOf(SymbolKind::GlobalOffset, dim);
    if (ndrange.split[dim] && !ndrange.localSize[dim]) {
      symbolOf(SymbolKind::LocalSize, dim);
      symbolOf(SymbolKind::NumGroups, dim);
    }
  }
}

/// Ids are below the sizes of their dimensions, which the launch does not say.
void ModelBuilder::enterFlatLaunch() {
  if (!kernel.flat)
    return;
  std::vector<Polynomial> &extents = model.ndrange.extents;
  const size_t requirements = draft.requirements.size();
  // All of it has to be known, or the guard would not ask for it.
  bool isKnown = true;
  auto isOfArguments = [&](const Polynomial &poly) {
    return !poly.overflowed() && llvm::all_of(poly.symbols(), [&](SymbolId id) {
      return isParameter(model.symbols[id]);
    });
  };
  isBeforeEntry = true;
  for (const ExprRef &extent : kernel.flat->extents) {
    const Value size = evaluate(extent);
    extents.push_back(linearizeParams(model.symbols, size.poly));
    isKnown &= size.isInteger() && isOfArguments(extents.back());
  }
  for (const ExprRef &condition : kernel.flat->conditions) {
    const std::optional<Condition> known = evaluateCondition(condition);
    isKnown &= known.has_value();
    std::vector<Condition> parts;
    if (known && known->kind == Condition::Kind::And)
      parts = known->operands;
    else if (known && known->kind != Condition::Kind::True)
      parts = {*known};
    for (const Condition &part : parts) {
      isKnown &= (part.kind == Condition::Kind::NonNegative ||
                  part.kind == Condition::Kind::Zero) &&
                 isOfArguments(part.poly);
      model.ndrange.conditions.push_back(part);
      draft.launch.push_back(linearizeParams(model.symbols, part));
    }
  }
  isBeforeEntry = false;
  if (!isKnown) {
    // Nothing holds of such a model.
    model.isUntouchable = true;
    model.ndrange.conditions.clear();
    draft.launch.clear();
    extents.clear();
    draft.requirements.resize(requirements);
    return;
  }
  // There are no more ids than work-items, and at least one.
  const Polynomial items = Polynomial::symbol(
      symbolOf(SymbolKind::GlobalSize, NDRange::flatDimension));
  Polynomial weight(1);
  for (const Polynomial &extent : extents) {
    weight = weight * extent;
    for (const Polynomial &known :
         {items - extent, items - weight, weight - Polynomial(1)})
      draft.launch.push_back(linearizeParams(
          model.symbols, Condition{Condition::Kind::NonNegative, known, {}}));
  }
  // The conditions ask for all that they need.
  draft.requirements.resize(requirements);
  Condition inside;
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    for (const auto &[kind, value] :
         {std::pair(SymbolKind::GlobalSize, extents[dim]),
          std::pair(SymbolKind::GlobalOffset, Polynomial())})
      draft.launch.push_back({Condition::Kind::Zero,
                              Polynomial::symbol(symbolOf(kind, dim)) - value,
                              {}});
    inside = conjunction(
        inside, {Condition::Kind::NonNegative,
                 extents[dim] - Polynomial(1) -
                     Polynomial::symbol(symbolOf(SymbolKind::GlobalId, dim)),
                 {}});
  }
  enterCondition(inside);
}

Draft ModelBuilder::run() {
  model.unit = &unit;
  model.function = &kernel;
  draft.contexts.emplace_back();
  addNDRange();
  addParameters();
  addDeclaredArrays();
  for (const Variable *param : kernel.params)
    model.usesImages |= param->type.kind == TypeKind::Opaque &&
                        param->type.spelling.find("image") != std::string::npos;
  draft.root.kind = DraftNode::Kind::Sequence;
  checkGrid();
  enterFlatLaunch();
  if (kernel.hasGoto)
    walkWhole(kernel.body, draft.root);
  else
    walk(kernel.body, draft.root);
  castArrays();
  restateRequirements();
  return std::move(draft);
}

Draft draftModel(const TranslationUnit &unit, const Function &kernel,
                 const DraftSettings &settings,
                 const std::shared_ptr<isl_ctx> &context) {
  return ModelBuilder(unit, kernel, settings, context).run();
}

} // namespace clopt
