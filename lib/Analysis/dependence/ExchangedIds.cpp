//===- ExchangedIds.cpp - kernels that two ids mean the same to -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private variables are taken to be equal for both work-items until one of
// their assignments is seen to differ, again and again until none does. What is
// left then holds by induction over the run: equal variables and equal loads
// give equal values. A variable that differs, such as `x = X[i]`, is looked
// through: its one definition takes the place of its uses.
//
// Loads are equal where their subscripts are, since no array that the kernel
// reads is one that it writes. Where buffers overlap all the same, a cell that
// (i, j) loads and (j, i) stores would be a race.
//
// Cost: quadratic in the depth of an expression, and bounded.
//
// Tested by test/unit/ExchangedIdsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/ExchangedIds.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <map>
#include <set>

namespace clopt {

//===-- Polynomials and domains -------------------------------------------===//

/// A symbol that has the same value for all work-items in one iteration.
static bool isShared(const Symbol &symbol) {
  return isParameter(symbol) || symbol.kind == SymbolKind::GlobalId ||
         symbol.kind == SymbolKind::Iterator;
}

std::optional<Polynomial> exchanged(const KernelModel &model,
                                    const ExchangedIds &ids,
                                    const Polynomial &poly) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : poly.terms) {
    Polynomial term(coefficient);
    for (SymbolId id : monomial) {
      if (!isShared(model.symbols[id]))
        return std::nullopt;
      const SymbolId other = id == ids.first    ? ids.second
                             : id == ids.second ? ids.first
                                                : id;
      term = term * Polynomial::symbol(other);
    }
    result = result + term;
  }
  if (poly.overflow || result.overflow)
    return std::nullopt;
  return result;
}

isl::map exchangeMap(const Statement &statement, const ExchangedIds &ids,
                     const std::string &target) {
  isl_space *space = isl_set_get_space(statement.domain.get());
  isl_space *other = isl_space_set_tuple_name(isl_space_copy(space),
                                              isl_dim_set, target.c_str());
  isl_map *map =
      isl_map_universe(isl_space_map_from_domain_and_range(space, other));
  const auto &coordinates = statement.coordinates;
  for (unsigned i = 0; i < coordinates.size(); ++i) {
    SymbolId to = coordinates[i];
    to = to == ids.first ? ids.second : to == ids.second ? ids.first : to;
    auto place = llvm::find(coordinates, to) - coordinates.begin();
    map = isl_map_equate(map, isl_dim_in, static_cast<int>(i), isl_dim_out,
                         static_cast<int>(place));
  }
  return isl::manage(map);
}

isl::set exchangeCoordinates(const Statement &statement,
                             const ExchangedIds &ids, const isl::set &domain) {
  return domain.apply(exchangeMap(statement, ids, statement.name));
}

/// { [w...] } the work-items that run any of the statements.
static isl::set workItemsOf(const KernelModel &model,
                            const std::vector<unsigned> &statements) {
  isl_set *result = nullptr;
  for (unsigned index : statements) {
    const Statement &statement = model.statements[index];
    const auto inner = static_cast<unsigned>(statement.loops.size());
    const auto count = static_cast<unsigned>(statement.coordinates.size());
    isl_set *work = isl_set_reset_tuple_id(isl_set_project_out(
        statement.domain.copy(), isl_dim_set, count - inner, inner));
    result = result ? isl_set_union(result, work) : work;
  }
  return isl::manage(isl_set_coalesce(result));
}

isl::set exchangedDomainsAgree(const KernelModel &model,
                               const ExchangedIds &ids,
                               const std::vector<unsigned> &stores) {
  const isl::set work = workItemsOf(model, stores); // { [w...] }
  isl_set *agree = isl_set_copy(model.paramContext.get());
  for (const Statement &statement : model.statements) {
    // { S[w..., i...] : the work-item stores }
    isl_set *storing =
        isl_set_add_dims(work.copy(), isl_dim_set,
                         static_cast<unsigned>(statement.loops.size()));
    storing = isl_set_set_tuple_name(storing, statement.name.c_str());
    const isl::set domain = statement.domain.intersect(isl::manage(storing));
    const isl::set other = exchangeCoordinates(statement, ids, domain);
    isl::set apart = domain.subtract(other).unite(other.subtract(domain));
    agree = isl_set_subtract(agree, isl_set_params(apart.release()));
  }
  agree = isl_set_gist(isl_set_coalesce(agree), model.paramContext.copy());
  // Launches without work-items that store need no words.
  const isl::set some = work.params();
  isl_set *result = isl_set_empty(isl_set_get_space(agree));
  isl::manage(agree).foreach_basic_set([&](const isl::basic_set &piece) {
    if (!isl::set(piece).intersect(some).is_empty())
      result = isl_set_union(result, isl_set_from_basic_set(piece.copy()));
  });
  return isl::manage(isl_set_coalesce(result));
}

//===-- Expressions -------------------------------------------------------===//

namespace {

/// An expression, and the statement that evaluates it.
struct Place {
  const Expr *expr;
  const Statement *statement;
};

class ExchangeCheck {
public:
  ExchangeCheck(const KernelModel &kernel, const ExchangedIds &exchange)
      : model(kernel), ids(exchange) {}
  ExchangedValues run();

private:
  bool differ(const SourceRange &range, const std::string &message,
              const std::string &hint = "");
  bool checkKernel();
  void findWriters();
  bool checkStatement(const Statement &statement);
  bool checkAssignment(const Statement &statement, const Expr &assign);
  bool keepEqual(const Variable *variable, bool isEqual);
  bool checkPayloads();

  /// The second expression is the first one, with the ids exchanged where
  /// `isExchanged`, and else as it is.
  bool equal(Place one, Place other, bool isExchanged);
  bool equalOperands(const Place &one, const Place &other, bool isExchanged);
  bool equalInOtherOrder(const Place &one, const Place &other);
  bool isEqual(const Expr *expr, const Statement &statement) {
    return equal({expr, &statement}, {expr, &statement}, true);
  }
  bool isNegated(const Place &place);
  bool holdsProduct(const Place &place);
  /// Behind variables that differ: what they are set to.
  bool resolve(Place &place) const;
  std::optional<bool> equalValues(const Expr &one, const Expr &other,
                                  bool isExchanged) const;

  const KernelModel &model;
  const ExchangedIds ids;
  ExchangedValues result;
  std::set<const Variable *> unequal; ///< private variables
  std::map<const Variable *, std::vector<const Statement *>> writers;
  bool isChanged = false;        ///< a variable has turned out to differ
  bool commutesFloating = false; ///< operands change places somewhere
  unsigned work = 0;
  static constexpr unsigned maxWork = 20000;
};

} // namespace

bool ExchangeCheck::differ(const SourceRange &range, const std::string &message,
                           const std::string &hint) {
  if (!result.difference)
    result.difference = Note{"clopt-dependence", range, message, hint};
  return false;
}

static bool haveSameType(const Type &one, const Type &other) {
  return one.kind == other.kind && one.scalar == other.scalar &&
         one.lanes == other.lanes;
}

/// Integers and pointers whose values the model knows.
std::optional<bool> ExchangeCheck::equalValues(const Expr &one,
                                               const Expr &other,
                                               bool isExchanged) const {
  auto turned = [&](const Polynomial &poly) {
    std::optional<Polynomial> there = exchanged(model, ids, poly);
    return there && !isExchanged ? poly : there;
  };
  auto first = model.values.find(&one), second = model.values.find(&other);
  if (first != model.values.end() && second != model.values.end()) {
    std::optional<Polynomial> there = turned(first->second);
    if (there && turned(second->second))
      return *there == second->second;
  }
  auto from = model.pointers.find(&one), to = model.pointers.find(&other);
  if (from == model.pointers.end() || to == model.pointers.end())
    return std::nullopt;
  std::optional<Polynomial> there = turned(from->second.offset);
  if (!there || !turned(to->second.offset))
    return std::nullopt;
  return from->second.array == to->second.array && *there == to->second.offset;
}

bool ExchangeCheck::resolve(Place &place) const {
  for (unsigned depth = 0; depth < 32; ++depth) {
    const Expr &expr = *place.expr;
    if (expr.kind != ExprKind::VarRef || !unequal.count(expr.var))
      return true;
    auto known = writers.find(expr.var);
    if (known == writers.end() || known->second.size() != 1)
      return false;
    const Statement &setter = *known->second.front();
    const Stmt &stmt = *setter.stmt;
    const bool isDeclared = stmt.kind == StmtKind::Decl;
    const Expr *value = stmt.expr.get();
    if (!isDeclared && value && value->kind == ExprKind::Assign &&
        value->op == Op::None && value->operands[0]->kind == ExprKind::VarRef)
      value = value->operands[1].get();
    else if (!isDeclared)
      return false;
    // Set in the same iteration, before it is used.
    const Statement &user = *place.statement;
    const auto count = static_cast<unsigned>(setter.coordinates.size());
    const bool isAround =
        &setter < &user && count <= user.coordinates.size() &&
        std::equal(setter.coordinates.begin(), setter.coordinates.end(),
                   user.coordinates.begin());
    if (!value || !isAround)
      return false;
    isl_set *uses = isl_set_project_out(
        user.domain.copy(), isl_dim_set, count,
        static_cast<unsigned>(user.coordinates.size()) - count);
    isl_set *sets = isl_set_reset_tuple_id(setter.domain.copy());
    const bool isSet =
        isl::manage(isl_set_reset_tuple_id(uses)).is_subset(isl::manage(sets));
    if (!isSet)
      return false;
    place = {value, &setter};
  }
  return false;
}

/// Operations of two operands that give the same bits when these change places.
static bool isCommutative(const Expr &expr) {
  static const std::set<std::string> ofIntegers = {
      "min", "max", "mul24", "mul_hi", "hadd", "rhadd", "abs_diff", "add_sat"};
  if (expr.kind == ExprKind::Binary)
    switch (expr.op) {
    case Op::Add:
    case Op::Mul:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Eq:
    case Op::Ne:
      return expr.operands[0]->type.isFloating() ||
             expr.operands[0]->type.isInteger();
    default:
      return false;
    }
  if (expr.kind != ExprKind::Call || expr.callee)
    return false;
  if (expr.operands.size() == 3) // the factors
    return expr.text == "fma" || expr.text == "mad" || expr.text == "mad24";
  return expr.operands.size() == 2 && expr.type.isInteger() &&
         expr.operands[0]->type.isInteger() && ofIntegers.count(expr.text);
}

/// A product that a compiler may join with a sum around it.
bool ExchangeCheck::holdsProduct(const Place &given) {
  Place place = given;
  if (!resolve(place))
    return true;
  const Expr &expr = *place.expr;
  if (expr.kind == ExprKind::Subscript || !expr.type.isFloating())
    return false;
  if (expr.kind == ExprKind::Call
          ? expr.text == "mad"
          : expr.kind == ExprKind::Binary && expr.op == Op::Mul)
    return true;
  return llvm::any_of(expr.operands, [&](const ExprRef &operand) {
    return holdsProduct({operand.get(), place.statement});
  });
}

/// x - y that is y - x for the other work-item. Sums that are rounded to the
/// nearest are so symmetrically, and a difference of 0 is +0 in both.
bool ExchangeCheck::isNegated(const Place &given) {
  Place place = given;
  if (!resolve(place))
    return false;
  const Expr &expr = *place.expr;
  if (expr.kind != ExprKind::Binary || expr.op != Op::Sub)
    return false;
  Place x = {expr.operands[0].get(), place.statement};
  Place y = {expr.operands[1].get(), place.statement};
  const bool isSafe =
      expr.type.isInteger() || (!holdsProduct(x) && !holdsProduct(y));
  return isSafe && equal(x, y, true) && equal(y, x, true);
}

bool ExchangeCheck::equalInOtherOrder(const Place &one, const Place &other) {
  const Expr &a = *one.expr, &b = *other.expr;
  const bool isFloating = a.operands[0]->type.isFloating();
  Place left = {a.operands[0].get(), one.statement};
  Place right = {a.operands[1].get(), one.statement};
  if (isFloating && a.op == Op::Add &&
      (holdsProduct(left) || holdsProduct(right)))
    return false;
  const bool isEqual =
      equal(left, {b.operands[1].get(), other.statement}, true) &&
      equal(right, {b.operands[0].get(), other.statement}, true) &&
      (a.operands.size() < 3 ||
       equal({a.operands[2].get(), one.statement},
             {b.operands[2].get(), other.statement}, true));
  commutesFloating |= isEqual && isFloating;
  return isEqual;
}

bool ExchangeCheck::equalOperands(const Place &one, const Place &other,
                                  bool isExchanged) {
  const Expr &a = *one.expr, &b = *other.expr;
  if (a.operands.size() != b.operands.size())
    return false;
  for (size_t i = 0; i < a.operands.size(); ++i) {
    // Of `x && y` and `c ? x : y` operands may be missing in no case.
    const Expr *x = a.operands[i].get(), *y = b.operands[i].get();
    if (!x || !y ||
        !equal({x, one.statement}, {y, other.statement}, isExchanged))
      return false;
  }
  return true;
}

bool ExchangeCheck::equal(Place one, Place other, bool isExchanged) {
  if (++work > maxWork)
    return false;
  if (one.expr == other.expr && !isExchanged &&
      one.statement == other.statement)
    return true;
  if (haveSameType(one.expr->type, other.expr->type))
    if (std::optional<bool> known =
            equalValues(*one.expr, *other.expr, isExchanged))
      return *known;
  if (!resolve(one) || !resolve(other))
    return false;
  const Expr &a = *one.expr, &b = *other.expr;
  if (!areAlike(a, b))
    return false;
  switch (a.kind) {
  case ExprKind::IntLiteral:
  case ExprKind::FloatLiteral:
    return true;
  case ExprKind::VarRef: {
    // Between two statements the variable may change.
    auto written = writers.find(a.var);
    return written == writers.end() || written->second.empty() ||
           one.statement == other.statement;
  }
  case ExprKind::WorkItem:
    return a.query == WorkItemQuery::GlobalSize ||
           a.query == WorkItemQuery::LocalSize ||
           a.query == WorkItemQuery::NumGroups ||
           a.query == WorkItemQuery::GlobalOffset ||
           a.query == WorkItemQuery::WorkDim;
  case ExprKind::Call: {
    const bool isLoad =
        a.family == CallFamily::Load || a.family == CallFamily::LoadHalf;
    if (a.effect != CallEffect::Pure && !isLoad)
      return false;
    break;
  }
  case ExprKind::Unary:
    if (a.op == Op::AddrOf || isStep(a.op))
      return false;
    break;
  case ExprKind::Binary:
    if (a.op == Op::Comma)
      return false;
    break;
  case ExprKind::Conditional:
  case ExprKind::Cast:
  case ExprKind::Subscript:
  case ExprKind::Member:
  case ExprKind::Swizzle:
  case ExprKind::VectorLiteral:
  case ExprKind::InitList:
    break;
  default:
    return false;
  }
  if (equalOperands(one, other, isExchanged))
    return true;
  if (!isExchanged)
    return false;
  if (isCommutative(a) && equalInOtherOrder(one, other))
    return true;
  // (x - y) * (x - y), and the size of a signed x - y
  Place first = {a.operands.empty() ? &a : a.operands[0].get(), one.statement};
  const bool isSquare =
      a.kind == ExprKind::Binary && a.op == Op::Mul && &a == &b &&
      equal(first, {a.operands[1].get(), one.statement}, false);
  const bool isSize = a.kind == ExprKind::Call && !a.callee && &a == &b &&
                      !a.operands[0]->type.isUnsigned() &&
                      (a.text == "fabs" || a.text == "abs");
  if ((!isSquare && !isSize) || !isNegated(first))
    return false;
  commutesFloating |= a.operands[0]->type.isFloating();
  return true;
}

//===-- Statements --------------------------------------------------------===//

void ExchangeCheck::findWriters() {
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (!access.isWrite || array.space != AddressSpace::Private || !array.var)
      continue;
    std::vector<const Statement *> &list = writers[array.var];
    const Statement *statement = &model.statements[access.statement];
    if (!llvm::is_contained(list, statement))
      list.push_back(statement);
  }
}

bool ExchangeCheck::keepEqual(const Variable *variable, bool isEqual) {
  if (!isEqual)
    isChanged |= unequal.insert(variable).second;
  return true;
}

bool ExchangeCheck::checkAssignment(const Statement &statement,
                                    const Expr &assign) {
  const Expr &target = *assign.operands[0];
  const ExprRef &value = assign.operands[1];
  const SourceRange &range = statement.stmt->range;
  if (!isSideEffectFree(value))
    return differ(range, "the statement changes several values");
  auto write = model.writes.find(&target);
  if (write == model.writes.end())
    return differ(range, "what the statement changes is not modelled");
  const Array &array = model.arrays[model.accesses[write->second].array];
  const bool isValueEqual = isEqual(value.get(), statement);
  if (array.space == AddressSpace::Private)
    return keepEqual(array.var,
                     isValueEqual && (target.kind == ExprKind::VarRef ||
                                      isEqual(&target, statement)));
  if (assign.op != Op::None || target.kind != ExprKind::Subscript)
    return differ(range, "the store is no plain assignment to a cell");
  if (!isValueEqual)
    return differ(range, "the value of '" + array.name +
                             "' is not proved to be the same when the ids "
                             "are exchanged");
  return true;
}

bool ExchangeCheck::checkStatement(const Statement &statement) {
  if (!statement.stmt || statement.isCompound || statement.isOpaque ||
      statement.isBarrier)
    return differ(statement.stmt ? statement.stmt->range : SourceRange(),
                  "the statement is kept whole: what it computes for "
                  "exchanged ids is not known");
  const Stmt &stmt = *statement.stmt;
  if (stmt.kind == StmtKind::Null)
    return true;
  if (stmt.kind == StmtKind::Decl)
    return !stmt.expr ||
           (isSideEffectFree(stmt.expr)
                ? keepEqual(stmt.var, isEqual(stmt.expr.get(), statement))
                : differ(stmt.range, "the statement changes several values"));
  const Expr *expr = stmt.kind == StmtKind::Expr ? stmt.expr.get() : nullptr;
  if (expr && expr->kind == ExprKind::Assign)
    return checkAssignment(statement, *expr);
  const bool stepsVariable = expr && changesTarget(*expr) &&
                             expr->operands[0]->kind == ExprKind::VarRef;
  return stepsVariable || differ(stmt.range, "the statement is no assignment");
}

/// Code that looks at the bits of a NaN would see which operand came first.
bool ExchangeCheck::checkPayloads() {
  if (!commutesFloating)
    return true;
  const Expr *looks = nullptr;
  for (const Statement &statement : model.statements)
    forEachExpr(StmtRef(StmtRef(), statement.stmt), [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::Call &&
          (expr->family == CallFamily::Reinterpret || expr->text == "signbit" ||
           expr->text == "copysign"))
        looks = expr.get();
    });
  return !looks ||
         differ(looks->range, "the bits of a NaN, which depend on the order of "
                              "operands, may be looked at");
}

bool ExchangeCheck::checkKernel() {
  std::set<unsigned> read, written;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (array.var && array.var->addressTaken)
      return differ(array.var->range,
                    "the address of '" + array.name + "' is taken");
    if (array.space == AddressSpace::Private)
      continue;
    if (array.space == AddressSpace::Local || access.isOrdered)
      return differ(access.range, "work-items depend on each other");
    (access.isWrite ? written : read).insert(access.array);
  }
  for (unsigned array : written)
    if (read.count(array))
      return differ(model.arrays[array].var ? model.arrays[array].var->range
                                            : SourceRange(),
                    "'" + model.arrays[array].name +
                        "' is read and written by the kernel");
  if (model.hasBarrier || model.hasAtomics || model.hasOrderedEffects ||
      model.usesImages || model.isUntouchable)
    return differ({}, "the kernel does more than to load and to store");
  return true;
}

ExchangedValues ExchangeCheck::run() {
  findWriters();
  if (!checkKernel())
    return result;
  do {
    isChanged = commutesFloating = false;
    result.difference.reset();
    for (const Statement &statement : model.statements)
      if (!checkStatement(statement))
        break;
  } while (isChanged);
  if (!result.difference)
    checkPayloads();
  for (unsigned index = 0; index < model.statements.size(); ++index)
    for (unsigned access : model.statements[index].accesses)
      if (model.accesses[access].isWrite &&
          model.arrays[model.accesses[access].array].space !=
              AddressSpace::Private)
        result.stores.push_back(index);
  return result;
}

ExchangedValues compareExchanged(const KernelModel &model,
                                 const ExchangedIds &ids) {
  return ExchangeCheck(model, ids).run();
}

} // namespace clopt
