//===- PolynomialExprs.cpp - integers of the model as expressions ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/PolynomialExprs.h"

#include "Model/MakeTree.h"

namespace clopt {

static bool isInteger(const Type &type) {
  return type.isScalar() && type.isInteger() && type.scalar != ScalarKind::Bool;
}

static Type plainType(const Type &type) {
  return Type::makeScalar(type.scalar);
}

static const Type &longType() {
  static const Type type = Type::makeScalar(ScalarKind::Long);
  return type;
}

bool changesIn(const StmtRef &stmt, const Variable *variable) {
  bool isChanged = false;
  forEachExpr(stmt, [&](const ExprRef &expr) {
    isChanged |= changesTarget(*expr) &&
                 rootVariable(expr->operands[0].get()) == variable;
  });
  return isChanged;
}

std::vector<const Stmt *> declarationsIn(const Stmt *loop) {
  std::vector<const Stmt *> result;
  if (!loop || !loop->init)
    return result;
  if (loop->init->kind == StmtKind::Decl && loop->init->var)
    result.push_back(loop->init.get());
  if (loop->init->kind == StmtKind::Group)
    for (const StmtRef &part : loop->init->children)
      if (part->kind == StmtKind::Decl && part->var)
        result.push_back(part.get());
  return result;
}

std::set<const Variable *> assignedVariables(const KernelModel &model) {
  std::set<const Variable *> assigned;
  forEachExpr(model.function->body, [&](const ExprRef &expr) {
    if (changesTarget(*expr))
      assigned.insert(rootVariable(expr->operands[0].get()));
  });
  return assigned;
}

PolynomialExprs::PolynomialExprs(const KernelModel &kernel, bool fromZero)
    : model(kernel), startsAtZero(fromZero) {
  findNames(assignedVariables(kernel));
}

/// `const int x = get_global_id(0);` and the like, at the beginning.
void PolynomialExprs::findNames(const std::set<const Variable *> &assigned) {
  size_t at = 0;
  auto visit = [&](const StmtRef &stmt) {
    const bool isFixed = stmt->kind == StmtKind::Decl && stmt->expr &&
                         stmt->var && !assigned.count(stmt->var) &&
                         !stmt->var->addressTaken && isInteger(stmt->var->type);
    auto known =
        isFixed ? model.values.find(stmt->expr.get()) : model.values.end();
    if (known != model.values.end() && !known->second.asConstant())
      names.push_back({known->second, stmt->var, at, std::nullopt});
  };
  for (const StmtRef &stmt : model.function->body->children) {
    visit(stmt);
    if (stmt->kind == StmtKind::Group)
      for (const StmtRef &part : stmt->children)
        visit(part);
    ++at;
  }
  // Those that count in another way than the iterator does.
  for (const Loop &loop : model.loops)
    for (const Stmt *declaration : declarationsIn(loop.stmt))
      if (declaration->var != loop.var)
        findLoopName(loop, *declaration->var);
}

void PolynomialExprs::findLoopName(const Loop &loop, const Variable &variable) {
  if (!isInteger(variable.type) || variable.addressTaken ||
      changesIn(loop.stmt->body, &variable))
    return;
  std::optional<Polynomial> value;
  forEachExpr(loop.stmt->body, [&](const ExprRef &expr) {
    const auto known = model.values.find(expr.get());
    if (expr->kind == ExprKind::VarRef && expr->var == &variable &&
        known != model.values.end())
      value = known->second;
  });
  if (value)
    names.push_back({*value, &variable, 0, loop.iterator});
}

/// The value by a variable of the author's that is there, or null.
ExprRef PolynomialExprs::named(const Polynomial &poly, const Type &type,
                               const Site &site) const {
  for (const auto &[value, variable, at, loop] : names) {
    const std::optional<int64_t> rest = (poly - value).asConstant();
    const bool isThere =
        loop ? llvm::is_contained(site.inside, *loop) : at < site.at;
    if (!rest || variable->type.scalar != type.scalar || !isThere)
      continue;
    const ExprRef name = makeName(variable, variable->type);
    if (*rest == 0)
      return name;
    return makeBinary(*rest > 0 ? Op::Add : Op::Sub, plainType(type), name,
                      makeNumber(std::abs(*rest), plainType(type)));
  }
  return nullptr;
}

/// Ids that a group counts from its first, and the group, as one id.
Polynomial PolynomialExprs::withGlobalIds(const Polynomial &poly) const {
  Polynomial result = poly;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    const auto local = model.symbols.find(SymbolKind::LocalId, dim);
    const auto group = model.symbols.find(SymbolKind::GroupId, dim);
    const auto offset = model.symbols.find(SymbolKind::GlobalOffset, dim);
    if (!local || !group || !offset)
      continue;
    const auto size = model.symbols.find(SymbolKind::LocalSize, dim);
    const std::optional<int64_t> known = model.ndrange.localSize[dim];
    if (!known && !size)
      continue;
    const Polynomial items =
        known ? Polynomial(*known) : Polynomial::symbol(*size);
    const auto byItem = result.coefficientOf(*local);
    const auto byGroup = result.coefficientOf(*group);
    const Polynomial start =
        startsAtZero ? Polynomial() : Polynomial::symbol(*offset);
    const auto byOffset = result.coefficientOf(*offset);
    if (!byItem || byItem->isZero() || !byGroup || !byOffset ||
        *byGroup != *byItem * items || (!startsAtZero && *byOffset != *byItem))
      continue;
    result =
        result.substitute(*local, Polynomial::symbol(globalId(dim)) - start -
                                      Polynomial::symbol(*group) * items);
  }
  return result;
}

bool PolynomialExprs::isOfGroups(const Polynomial &poly) const {
  return llvm::any_of(withGlobalIds(poly).symbols(), [&](SymbolId id) {
    return id < model.symbols.size() &&
           (model.symbols[id].kind == SymbolKind::GroupId ||
            model.symbols[id].kind == SymbolKind::LocalId);
  });
}

/// False for counters that the model has made.
bool PolynomialExprs::isAuthors(const Variable &variable) const {
  return llvm::any_of(model.function->variables,
                      [&](const auto &own) { return own.get() == &variable; });
}

/// What the symbol is called at the site; sets `isNameless`.
ExprRef PolynomialExprs::nameOf(SymbolId id, const Type &type,
                                const Site &site) {
  auto query = [&](WorkItemQuery of, unsigned dim) {
    return makeCast(plainType(type), makeQuery(of, dim));
  };
  auto named = [&](const Variable *variable) {
    const ExprRef name = makeName(variable, variable->type);
    return variable->type.scalar == type.scalar
               ? name
               : makeCast(plainType(type), name);
  };
  auto nested = [&](SymbolId inner) { return nameOf(inner, type, site); };
  if (id >= model.symbols.size()) {
    for (const auto &[value, variable, at, loop] : names)
      if (!loop && at < site.at &&
          withGlobalIds(value) == Polynomial::symbol(id))
        return named(variable);
    return query(WorkItemQuery::GlobalId,
                 id - static_cast<SymbolId>(model.symbols.size()));
  }
  const Symbol &symbol = model.symbols[id];
  if (const std::optional<WorkItemQuery> asked = queryOf(symbol.kind))
    return query(*asked, symbol.dim);
  switch (symbol.kind) {
  case SymbolKind::Iterator:
    for (const Loop &loop : model.loops)
      if (loop.iterator == id && loop.var && isAuthors(*loop.var))
        return named(loop.var);
    break;
  case SymbolKind::Param:
    if (symbol.var && symbol.var->isParam && symbol.var->type.isScalar())
      return named(symbol.var);
    break;
  case SymbolKind::Product:
    if (!isQuotient(symbol))
      return makeSum(symbol.first, type, nested);
    return makeBinary(Op::Div, type, makeSum(symbol.first, type, nested),
                      makeSum(symbol.second, type, nested));
  default:
    break;
  }
  isNameless = true;
  return makeNumber(0, type);
}

/// Parts of the sum are no greater than all of it: what one work-item of the
/// group computes in the type, another one can.
static bool growsTermByTerm(const Polynomial &poly) {
  const auto terms = llvm::count_if(
      poly.terms, [](const auto &term) { return !term.first.empty(); });
  return llvm::all_of(poly.terms, [&](const auto &term) {
    return term.first.size() <= 1 && (term.first.empty() || term.second > 0 ||
                                      (terms == 1 && term.second == -1));
  });
}

ExprRef PolynomialExprs::make(const Polynomial &poly, const Type &type,
                              const Site &site) {
  if (const ExprRef name = named(poly, type, site))
    return name;
  const Polynomial plain = withGlobalIds(poly);
  const bool isWide = sizeOf(type.scalar) < 4 || !growsTermByTerm(plain);
  const Type &sumType = isWide ? longType() : type;
  isNameless = false;
  ExprRef sum = makeSum(plain, sumType,
                        [&](SymbolId id) { return nameOf(id, sumType, site); });
  if (isNameless)
    return nullptr;
  if (type.scalar != sumType.scalar)
    sum = makeCast(plainType(type), sum);
  return sum;
}

} // namespace clopt
