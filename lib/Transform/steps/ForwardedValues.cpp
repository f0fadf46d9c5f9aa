//===- ForwardedValues.cpp - what a read of local memory gets -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are polynomials of the writer's ids and iterators, which the flow
// gives as affine functions of the reader's; all else is copied node by node.
// Where several statements have written what one read sees (the middle of a
// tile, and its border), the expression of one of them mostly does for all.
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/ForwardedValues.h"

#include "Analysis/dependence/GroupDependences.h"
#include "Model/MakeTree.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

namespace clopt {

bool isInteger(const Type &type) {
  return type.isScalar() && type.isInteger() && type.scalar != ScalarKind::Bool;
}

/// Values that were copied from one variable to another on their way.
static constexpr unsigned maximumDepth = 6;

ForwardedValues::ForwardedValues(const KernelModel &kernel,
                                 const ScheduleNode &order, bool startsAtZero)
    : model(kernel), tree(order), made(kernel, startsAtZero),
      assigned(assignedVariables(kernel)) {}

ExprRef ForwardedValues::fail(const std::string &rule,
                              const std::string &message,
                              const SourceRange &range) {
  if (!problem)
    problem = refuse(rule, message, "", range);
  return nullptr;
}

//===-- Integers ----------------------------------------------------------===//

std::optional<Polynomial> asPolynomial(const KernelModel &model,
                                       isl::pw_aff value,
                                       const Statement &reader) {
  if (value.is_null() || isl_pw_aff_n_piece(value.get()) != 1)
    return std::nullopt;
  auto take = [](isl_set *cases, isl_aff *piece, void *user) -> isl_stat {
    isl_set_free(cases);
    *static_cast<isl::aff *>(user) = isl::manage(piece);
    return isl_stat_ok;
  };
  isl::aff aff;
  isl_pw_aff_foreach_piece(value.get(), take, &aff);
  auto numberOf = [](isl_val *of) -> std::optional<int64_t> {
    const isl::val number = isl::manage(of);
    if (isl_val_is_int(number.get()) != isl_bool_true)
      return std::nullopt;
    return isl_val_get_num_si(number.get());
  };
  std::optional<int64_t> constant =
      numberOf(isl_aff_get_constant_val(aff.get()));
  if (!constant)
    return std::nullopt;
  Polynomial result(*constant);
  for (isl_dim_type type : {isl_dim_param, isl_dim_in, isl_dim_div}) {
    const auto count = static_cast<unsigned>(isl_aff_dim(aff.get(), type));
    for (unsigned i = 0; i < count; ++i) {
      const auto factor = numberOf(
          isl_aff_get_coefficient_val(aff.get(), type, static_cast<int>(i)));
      if (!factor || (*factor != 0 && type == isl_dim_div))
        return std::nullopt;
      if (*factor == 0)
        continue;
      std::optional<SymbolId> symbol;
      if (type == isl_dim_in)
        symbol = reader.coordinates[i];
      const char *name = type == isl_dim_param
                             ? isl_aff_get_dim_name(aff.get(), isl_dim_param, i)
                             : nullptr;
      for (SymbolId id = 0; name && id < model.symbols.size(); ++id)
        if (model.symbols.name(id) == name)
          symbol = id;
      if (!symbol)
        return std::nullopt;
      result = result + Polynomial(*factor) * Polynomial::symbol(*symbol);
    }
  }
  return result;
}

/// What is affine at the writer, by the reader's coordinates.
std::optional<Polynomial> ForwardedValues::affineAt(const Polynomial &poly,
                                                    const Place &place) const {
  const Statement &writer = model.statements[place.statement];
  const isl::space space =
      statementSpace(model, writer.name, writer.coordinates);
  const std::optional<isl::pw_aff> value =
      toPwAff(model, space, writer.coordinates, poly);
  if (!value)
    return std::nullopt;
  isl_pw_multi_aff *where = isl_pw_multi_aff_from_map(place.where.copy());
  isl_pw_aff *seen = isl_pw_aff_pullback_pw_multi_aff(value->copy(), where);
  seen = isl_pw_aff_gist(
      seen, isl_set_intersect_params(isl_map_domain(place.where.copy()),
                                     model.paramContext.copy()));
  return asPolynomial(model, isl::manage(isl_pw_aff_coalesce(seen)),
                      model.statements[place.reader]);
}

std::optional<Polynomial> ForwardedValues::polynomialAt(const Polynomial &poly,
                                                        const Place &place) {
  if (poly.overflowed())
    return std::nullopt;
  if (place.isHere)
    return poly;
  if (std::optional<Polynomial> known = affineAt(poly, place))
    return known;
  Polynomial result;
  for (const auto &[monomial, factor] : poly.terms) {
    Polynomial term(factor);
    for (SymbolId id : monomial) {
      const Symbol &symbol = model.symbols[id];
      std::optional<Polynomial> value = Polynomial::symbol(id);
      if (!isParameter(symbol))
        value = symbol.kind == SymbolKind::Unknown
                    ? std::nullopt
                    : affineAt(Polynomial::symbol(id), place);
      if (!value)
        return std::nullopt;
      term = term * *value;
    }
    result = result + term;
  }
  return result.overflowed() ? std::nullopt : std::optional(result);
}

/// The polynomial as a value of the type, or null.
ExprRef ForwardedValues::makeInteger(const Polynomial &poly, const Type &type) {
  const ExprRef result = made.make(poly, type, site);
  if (result)
    note(result, poly);
  return result;
}

void ForwardedValues::note(const ExprRef &expr, const Polynomial &value) {
  integers[expr.get()] = value;
  kept.push_back(expr);
}

std::optional<Polynomial> ForwardedValues::idOf(const Expr &expr) const {
  auto symbolOf = [&](SymbolKind kind) -> std::optional<Polynomial> {
    if (std::optional<SymbolId> id = model.symbols.find(kind, expr.dim))
      return Polynomial::symbol(*id);
    return std::nullopt;
  };
  switch (expr.query) {
  case WorkItemQuery::GlobalId:
    return symbolOf(SymbolKind::GlobalId);
  case WorkItemQuery::LocalId:
    return symbolOf(SymbolKind::LocalId);
  case WorkItemQuery::GroupId:
    return symbolOf(SymbolKind::GroupId);
  default:
    return std::nullopt;
  }
}

/// Sums and products stay as they are written.
static bool isRing(const Expr &expr) {
  return expr.kind == ExprKind::Cast ||
         (expr.kind == ExprKind::Binary &&
          (expr.op == Op::Add || expr.op == Op::Sub || expr.op == Op::Mul));
}

/// True when an operand of what was made counts within groups, or is converted
/// or moved by a number after it was put together of such.
bool ForwardedValues::hasPartsOfGroups(const Expr &sum) const {
  const bool isShift = sum.kind == ExprKind::Cast ||
                       (sum.op != Op::Mul && sum.operands.size() == 2 &&
                        sum.operands[1]->kind == ExprKind::IntLiteral &&
                        sum.operands[1]->macro.empty());
  return llvm::any_of(sum.operands, [&](const ExprRef &part) {
    const auto value = integers.find(part.get());
    return value != integers.end() && (made.isOfGroups(value->second) ||
                                       (isShift && wholes.count(part.get())));
  });
}

ExprRef ForwardedValues::integerAt(const ExprRef &expr, const Place &place,
                                   unsigned depth) {
  std::optional<Polynomial> value;
  auto known = model.values.find(expr.get());
  if (known != model.values.end())
    value = known->second;
  else if (expr->kind == ExprKind::WorkItem)
    value = idOf(*expr);
  if (value)
    value = polynomialAt(*value, place);
  ExprRef result;
  if (isRing(*expr))
    result = partsAt(expr, place, depth);
  // `group * 16 + local` is an id.
  const bool isId =
      result && value && !made.isOfGroups(*value) && hasPartsOfGroups(*result);
  if (!value)
    return result;
  if (!result || isId)
    result = makeInteger(*value, expr->type);
  if (result && isId)
    wholes.insert(result.get());
  if (result) {
    problem = std::nullopt; // of the parts
    note(result, *value);
  }
  return result;
}

const Expr *wholeCell(const Expr *expr) {
  const bool isPart = expr->kind == ExprKind::Swizzle ||
                      (expr->kind == ExprKind::Member && !expr->arrow);
  return isPart ? wholeCell(expr->operands[0].get()) : expr;
}

//===-- Expressions -------------------------------------------------------===//

/// The name of what is the same everywhere in the kernel.
bool ForwardedValues::isFixedName(const Expr &expr) const {
  return expr.kind == ExprKind::VarRef && expr.var &&
         (expr.var->isParam || expr.var->isFileScope) &&
         !expr.var->addressTaken && !assigned.count(expr.var);
}

bool isNearestInteger(const Expr &call) {
  const bool isNamed =
      call.text == "min" || call.text == "max" || call.text == "clamp";
  return isNamed && call.isElementwiseBuiltin && isInteger(call.type);
}

/// A cell of a buffer.
ExprRef ForwardedValues::cellAt(const ExprRef &expr, const Access &access,
                                const Place &place, unsigned depth) {
  const Array &array = model.arrays[access.array];
  if (array.space == AddressSpace::Local)
    return flowInto(access, place, depth);
  if (array.space != AddressSpace::Global &&
      array.space != AddressSpace::Constant)
    return fail("clopt-dependence",
                "'" + array.name + "' is one of each work-item", expr->range);
  if (access.isOrdered || access.isWrite || expr->kind != ExprKind::Subscript)
    return fail("clopt-opaque-code", "the reference is no plain subscript",
                expr->range);
  read.insert(access.array);
  const std::optional<Polynomial> offset =
      access.offset ? polynomialAt(*access.offset, place) : std::nullopt;
  ExprRef result = subscriptAt(expr, place, depth);
  // Through a pointer that moves, or that is not there.
  const Variable *variable = array.var;
  const bool isWhole = variable && variable->isParam &&
                       variable->type.isPointer() && access.width == 1 &&
                       expr->type.size == array.elementBytes &&
                       variable->type.element->size == array.elementBytes;
  if (!result && offset && isWhole)
    if (const ExprRef index =
            makeInteger(*offset, Type::makeScalar(ScalarKind::Long))) {
      auto made = std::make_shared<Expr>(*expr);
      made->operands = {makeName(variable, variable->type), index};
      result = made;
    }
  if (!result)
    return result;
  problem = std::nullopt;
  if (offset)
    note(result->operands[1], *offset);
  return result;
}

/// The same cell of a buffer, or of a table, with an index of the reader's.
ExprRef ForwardedValues::subscriptAt(const ExprRef &expr, const Place &place,
                                     unsigned depth) {
  const ExprRef &base = withoutCasts(expr->operands[0]);
  auto result = std::make_shared<Expr>(*expr);
  if (base->kind == ExprKind::Subscript && base->type.isArray())
    result->operands[0] = subscriptAt(base, place, depth);
  else if (!isFixedName(*base))
    return fail("clopt-opaque-code",
                "what is copied to local memory has no name there",
                expr->range);
  result->operands[1] = at(expr->operands[1], place, depth);
  return result->operands[0] && result->operands[1] ? result : nullptr;
}

/// The same operation on what its operands are.
ExprRef ForwardedValues::partsAt(const ExprRef &expr, const Place &place,
                                 unsigned depth) {
  auto result = std::make_shared<Expr>(*expr);
  for (ExprRef &operand : result->operands)
    if (!(operand = at(operand, place, depth)))
      return nullptr;
  return result;
}

/// min, max or clamp, without the ends that are never reached: compilers make
/// vectors of `max(i - 1, 0)`, and none of a clamp with two ends.
ExprRef ForwardedValues::nearestAt(const ExprRef &expr, const Place &place,
                                   unsigned depth) {
  const ExprRef whole = partsAt(expr, place, depth);
  if (!whole || whole->text != "clamp")
    return whole;
  const ExprRef &value = whole->operands[0], &low = whole->operands[1],
                &high = whole->operands[2];
  auto with = [&](const char *function, const ExprRef &end) {
    auto result = std::make_shared<Expr>(*whole);
    result->text = function;
    result->operands = {value, end};
    return result;
  };
  // { R[...] }
  const isl::set seen = place.where.domain();
  const Statement &reader = model.statements[place.reader];
  if (isBelow(low, value, seen, reader))
    return with("min", high);
  if (isBelow(value, high, seen, reader) && isBelow(low, high, seen, reader))
    return with("max", low);
  return whole;
}

ExprRef ForwardedValues::at(const ExprRef &expr, const Place &place,
                            unsigned depth) {
  if (expr->kind == ExprKind::IntLiteral ||
      expr->kind == ExprKind::FloatLiteral)
    return expr;
  if (isInteger(expr->type) && !isFixedName(*expr))
    if (ExprRef value = integerAt(expr, place, depth))
      return value;
  auto found = model.reads.find(expr.get());
  const Access *access =
      found == model.reads.end() ? nullptr : &model.accesses[found->second];
  if (access && wholeCell(expr.get()) != expr.get()) {
    // A component of a cell.
    auto result = std::make_shared<Expr>(*expr);
    ExprRef &object = result->operands[0];
    object = wholeCell(expr.get()) == object.get()
                 ? cellAt(object, *access, place, depth)
                 : fail("clopt-opaque-code", "a part of a part is copied",
                        expr->range);
    return object ? result : nullptr;
  }
  if (access && expr->kind != ExprKind::VarRef)
    return cellAt(expr, *access, place, depth);
  switch (expr->kind) {
  case ExprKind::VarRef:
    if (isFixedName(*expr))
      return expr;
    if (access && !expr->var->isParam && !expr->var->isFileScope &&
        !expr->var->addressTaken)
      return flowInto(*access, place, depth);
    break;
  case ExprKind::WorkItem:
    // Sizes are the same for all work-items.
    if (expr->query != WorkItemQuery::GlobalId &&
        expr->query != WorkItemQuery::LocalId &&
        expr->query != WorkItemQuery::GroupId &&
        expr->query != WorkItemQuery::GlobalLinearId &&
        expr->query != WorkItemQuery::LocalLinearId)
      return expr;
    break;
  case ExprKind::Call:
    if (expr->family == CallFamily::Convert ||
        expr->family == CallFamily::Reinterpret)
      return partsAt(expr, place, depth);
    // The nearest cell of a buffer, say.
    if (isNearestInteger(*expr))
      return nearestAt(expr, place, depth);
    return fail("clopt-not-profitable",
                "what is kept in local memory would be computed for each read",
                expr->range);
  case ExprKind::Unary:
    if (expr->op == Op::Deref || expr->op == Op::AddrOf || isStep(expr->op))
      break;
    return partsAt(expr, place, depth);
  case ExprKind::Member:
    if (expr->arrow)
      break;
    return partsAt(expr, place, depth);
  case ExprKind::Binary:
    if (expr->op == Op::Comma)
      break;
    // A product beside a sum of the reader's would be rounded with it.
    if ((!expr->type.isInteger() && !isComparison(expr->op)) ||
        expr->op == Op::Div || expr->op == Op::Rem)
      return fail(
          "clopt-not-profitable",
          "what is kept in local memory would be computed for each read",
          expr->range);
    return partsAt(expr, place, depth);
  case ExprKind::Cast:
  case ExprKind::Conditional:
  case ExprKind::Swizzle:
  case ExprKind::VectorLiteral:
    return partsAt(expr, place, depth);
  default:
    break;
  }
  return fail("clopt-opaque-code",
              "what is copied to local memory is not known by ids and "
              "iterations alone",
              expr->range);
}

//===-- Flow --------------------------------------------------------------===//

/// What a statement that is one assignment, or declaration, sets.
static ExprRef assignedValue(const Stmt &stmt) {
  if (stmt.kind == StmtKind::Decl)
    return stmt.expr;
  if (stmt.kind != StmtKind::Expr || stmt.expr->kind != ExprKind::Assign ||
      stmt.expr->op != Op::None)
    return nullptr;
  return stmt.expr->operands[1];
}

/// The value that the statement of `place` has written to its only cell of the
/// array of `access`.
ExprRef ForwardedValues::writtenBy(const Access &access, const Place &place,
                                   unsigned depth) {
  const Statement &writer = model.statements[place.statement];
  const std::string &name = model.arrays[access.array].name;
  const ExprRef value = writer.stmt && !writer.isCompound && !writer.isOpaque
                            ? assignedValue(*writer.stmt)
                            : nullptr;
  const Access *write = nullptr;
  unsigned writes = 0;
  for (unsigned id : writer.accesses)
    if (model.accesses[id].isWrite) {
      write = &model.accesses[id];
      ++writes;
    }
  const bool isWhole = value && writes == 1 && write->array == access.array &&
                       write->isExact && !write->isOrdered &&
                       write->width == access.width &&
                       (writer.stmt->kind == StmtKind::Decl ||
                        write->expr == writer.stmt->expr->operands[0].get()) &&
                       isSideEffectFree(value);
  if (!isWhole)
    return fail("clopt-opaque-code",
                "'" + name + "' is set by more than an assignment",
                writer.stmt ? writer.stmt->range : access.range);
  // In another place C would convert it in another way.
  const ExprRef result = at(value, place, depth + 1);
  return result ? withConversions(result) : nullptr;
}

/// The value that the access reads at `place`.
ExprRef ForwardedValues::flowInto(const Access &access, const Place &place,
                                  unsigned depth) {
  const std::string &name = model.arrays[access.array].name;
  if (depth > maximumDepth)
    return fail("clopt-dependence",
                "'" + name + "' is computed from what it was", access.range);
  const bool isCell = model.arrays[access.array].isPrivateScalar() ||
                      !access.subscripts.empty();
  if (!isCell || access.isOrdered)
    return fail("clopt-non-affine-subscript",
                "the cells of '" + name + "' that are read are not known",
                access.range);
  const Statement &reader = model.statements[place.reader];
  // { S -> T } what this place gets from where, and { R -> T }.
  const isl::union_map all = groupFlow(model, tree, access);
  isl_set *open = isl_map_domain(place.where.copy());
  open = isl_set_intersect_params(open, model.paramContext.copy());
  std::vector<Writer> values;
  for (const auto &[flow, from, to] : statementFlows(model, all)) {
    isl_map *seen = isl_map_apply_range(place.where.copy(), flow.copy());
    seen = isl_map_intersect_params(seen, model.paramContext.copy());
    const isl::map where = isl::manage(isl_map_coalesce(seen));
    if (where.is_empty())
      continue;
    ExprRef value;
    if (isl_map_is_single_valued(where.get()) != isl_bool_true)
      fail("clopt-dependence",
           "several work-items set what is read of '" + name + "'",
           access.range);
    else
      value = writtenBy(access, {place.reader, to, where}, depth);
    if (!value) {
      isl_set_free(open);
      return nullptr;
    }
    const isl::set cases = where.domain();
    open = isl_set_subtract(open, cases.copy());
    values.push_back({cases, value});
  }
  const isl::set missing = isl::manage(open);
  if (values.empty() || !missing.is_empty())
    return fail("clopt-dependence",
                "not all that is read of '" + name +
                    "' is known to be written before",
                access.range);
  return choose(values, reader, access.range);
}

/// Cells of buffers that the value reads each time.
static unsigned cellsIn(const ExprRef &value) {
  unsigned cells = 0;
  for (const ExprRef &operand : value->operands)
    cells += cellsIn(operand);
  if (value->kind == ExprKind::Conditional)
    return cellsIn(value->operands[0]) +
           std::max(cellsIn(value->operands[1]), cellsIn(value->operands[2]));
  const bool isCell =
      value->kind == ExprKind::Subscript && !value->type.isArray();
  return cells + isCell;
}

ExprRef ForwardedValues::valueOf(const Access &access) {
  problem = std::nullopt;
  site = {0, model.statements[access.statement].coordinates};
  for (const StmtRef &stmt : model.function->body->children) {
    bool isHere = false;
    forEachExpr(stmt, [&](const ExprRef &expr) {
      isHere |= expr.get() == access.expr;
    });
    if (isHere)
      break;
    ++site.at;
  }
  if (site.at == model.function->body->children.size())
    site.at = 0; // it has no place of its own
  const isl::set reads = instancesOf(model, access);
  const Place here = {access.statement, access.statement,
                      isl::manage(isl_set_identity(reads.copy())), true};
  const ExprRef value = flowInto(access, here, 0);
  if (value && cellsIn(value) > 1)
    return fail("clopt-not-profitable",
                "several cells would be read for each that is copied",
                access.range);
  return value;
}

} // namespace clopt
