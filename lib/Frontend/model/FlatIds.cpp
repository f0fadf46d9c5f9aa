//===- FlatIds.cpp - ids that are several in one --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The id is a number whose digits are looked for, fastest first, each below its
// radix but the last one, which has none. Values are followed through the
// statements as polynomials of digits and radices; a division by what is no
// product of radices asks for a further digit, and the walk begins again.
//
// Tested by test/unit/FlatIdsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/FlatIds.h"

#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/ExprPrinter.h"
#include "Model/MakeTree.h"

#include <llvm/ADT/STLExtras.h>

#include <map>
#include <set>

namespace clopt {

/// A launch has three dimensions.
static constexpr size_t mostRadices = 2;
/// Every number of the new ids, and of the old one, fits into an `int`.
static constexpr int64_t mostItems = int64_t(1) << 31;

namespace {

/// What is known of an expression.
struct Digits {
  enum class Kind {
    Unknown,
    Uniform, ///< polynomial of values that all work-items share
    OfId     ///< polynomial of digits and radices
  } kind = Kind::Unknown;
  Polynomial poly;
};

class IdSplitter {
public:
  explicit IdSplitter(Function &function) : kernel(function) {}
  bool run();

private:
  using Kind = Digits::Kind;
  using Values = std::map<const Variable *, Digits>;
  /// Of an expression that the new body has in another form.
  struct Change {
    Polynomial poly; ///< of digits and radices
    Type type;
    /// The first id that is refused: `poly < bound`, or not; null: the value.
    std::optional<Polynomial> bound;
    bool isBelow = false;
  };

  bool mayBeSplit() const;
  bool walk();
  void visit(const StmtRef &stmt);
  void visitLoop(const Stmt &loop);
  void forget(const StmtRef &stmt);
  void forget(const ExprRef &expr);
  Digits evaluate(const ExprRef &expr);
  Digits evaluateNode(const Expr &expr);
  Digits evaluateAssign(const Expr &assign);
  Digits arithmetic(const Expr &expr, Op op, const Digits &left,
                    const Digits &right);
  Digits divide(const Expr &expr, Op op, const Digits &left,
                const Digits &right);
  Digits named(const Expr &expr);
  Digits namedAs(const ExprRef &copy);
  bool isArgument(const Expr &name) const;
  void compare(const Expr &expr, const Digits &left, const Digits &right);
  void record(const Expr &expr, Change change);
  bool split(size_t digit, const Polynomial &radix,
             const std::optional<Polynomial> &above);
  std::optional<std::pair<size_t, size_t>> partOf(const Polynomial &poly) const;
  std::optional<Polynomial> asRadices(const Polynomial &uniform) const;

  size_t digits() const { return radices.size() + 1; }
  static Polynomial digit(size_t k) {
    return Polynomial::symbol(static_cast<SymbolId>(2 * k));
  }
  static Polynomial radix(size_t k) {
    return Polynomial::symbol(static_cast<SymbolId>(2 * k + 1));
  }
  Polynomial part(size_t begin, size_t end) const;
  Polynomial allRadices() const;

  ExprRef nameOf(SymbolId id, const Type &type) const;
  ExprRef uniformExpr(const Polynomial &poly, const Type &type) const;
  ExprRef digitsExpr(const Polynomial &poly, const Type &type) const;
  ExprRef rowsBelow(const Polynomial &bound, const Type &type) const;
  ExprRef changed(const ExprRef &expr) const;
  std::optional<Polynomial> coveredItems() const;
  std::shared_ptr<const FlatLaunch> launch() const;

  Function &kernel;
  /// Anywhere in the kernel.
  std::map<const Variable *, unsigned> assigned;
  /// Values that all work-items share, by their text.
  std::vector<ExprRef> names;
  std::map<std::string, SymbolId> numbers;
  std::vector<Polynomial> radices; ///< of names; fastest first
  Values values;
  std::map<const Expr *, Change> changes;
  bool mustRepeat = false, hasFailed = false, isDivided = false;
};

} // namespace

//===-- Polynomials -------------------------------------------------------===//

static std::optional<Polynomial> exactly(const Polynomial &poly,
                                         const Polynomial &divisor) {
  if (divisor.isZero() || poly.overflowed() || divisor.overflowed())
    return std::nullopt;
  const Polynomial::Division parts = poly.divideBy(divisor);
  if (!parts.remainder.isZero())
    return std::nullopt;
  return parts.quotient;
}

/// The digits [begin, end) as a number.
Polynomial IdSplitter::part(size_t begin, size_t end) const {
  Polynomial result, weight(1);
  for (size_t k = begin; k < end; ++k) {
    result = result + digit(k) * weight;
    weight = weight * radix(k);
  }
  return result;
}

Polynomial IdSplitter::allRadices() const {
  Polynomial result(1);
  for (const Polynomial &radix : radices)
    result = result * radix;
  return result;
}

/// The value as a product of neighbouring radices.
std::optional<Polynomial>
IdSplitter::asRadices(const Polynomial &uniform) const {
  for (size_t begin = 0; begin < radices.size(); ++begin) {
    Polynomial product(1), formal(1);
    for (size_t end = begin; end < radices.size(); ++end) {
      product = product * radices[end];
      formal = formal * radix(end);
      if (product == uniform)
        return formal;
    }
  }
  return std::nullopt;
}

//===-- Values ------------------------------------------------------------===//

static bool isInteger(const Type &type) {
  return type.isScalar() && type.isInteger() && type.scalar != ScalarKind::Bool;
}

/// Narrower integers would lose a part of the id.
static bool holdsId(const Type &type) {
  return isInteger(type) && sizeOf(type.scalar) >= 4;
}

void IdSplitter::record(const Expr &expr, Change change) {
  auto [known, isNew] = changes.try_emplace(&expr, change);
  if (isNew)
    return;
  const Change &other = known->second;
  hasFailed |= other.poly != change.poly || other.bound != change.bound ||
               other.isBelow != change.isBelow;
}

/// A value that is the same for all work-items, under a number of its own.
Digits IdSplitter::named(const Expr &expr) {
  auto copy = std::make_shared<Expr>(expr);
  for (ExprRef &operand : copy->operands) {
    const Digits value = evaluate(operand);
    if (value.kind != Kind::Uniform)
      return {};
    operand = uniformExpr(value.poly, operand->type);
  }
  return namedAs(copy);
}

Digits IdSplitter::namedAs(const ExprRef &copy) {
  auto [known, isNew] =
      numbers.try_emplace(printExpr(copy), static_cast<SymbolId>(names.size()));
  if (isNew)
    names.push_back(copy);
  return {Kind::Uniform, Polynomial::symbol(known->second)};
}

Digits IdSplitter::divide(const Expr &expr, Op op, const Digits &left,
                          const Digits &right) {
  if (left.kind != Kind::OfId || right.kind != Kind::Uniform)
    return {};
  const auto number = partOf(left.poly);
  if (!number)
    return {};
  const auto [begin, end] = *number;
  Polynomial product(1);
  for (size_t k = begin;; ++k) {
    if (product == right.poly) {
      Digits result = {Kind::OfId,
                       op == Op::Div ? part(k, end) : part(begin, k)};
      record(expr, {result.poly, expr.type, std::nullopt, false});
      isDivided = true;
      return result;
    }
    const std::optional<Polynomial> rest = exactly(right.poly, product);
    if (k == end || !rest)
      return {};
    const bool isLast = k == radices.size();
    const std::optional<Polynomial> above =
        isLast ? std::nullopt : exactly(radices[k], *rest);
    if (isLast || (above && *above != Polynomial(1))) {
      mustRepeat |= split(k, *rest, above);
      return {};
    }
    product = product * radices[k];
  }
}

/// Gives the digit a radix, or takes it apart; false when there are enough.
bool IdSplitter::split(size_t digit, const Polynomial &radix,
                       const std::optional<Polynomial> &above) {
  if (radices.size() == mostRadices)
    return false;
  if (above)
    radices[digit] = *above;
  radices.insert(radices.begin() + static_cast<ptrdiff_t>(digit), radix);
  return true;
}

Digits IdSplitter::arithmetic(const Expr &expr, Op op, const Digits &left,
                              const Digits &right) {
  if (left.kind == Kind::Unknown || right.kind == Kind::Unknown)
    return {};
  if (left.kind == Kind::Uniform && right.kind == Kind::Uniform) {
    switch (op) {
    case Op::Add:
      return {Kind::Uniform, left.poly + right.poly};
    case Op::Sub:
      return {Kind::Uniform, left.poly - right.poly};
    case Op::Mul:
      return {Kind::Uniform, left.poly * right.poly};
    default:
      return expr.kind == ExprKind::Binary ? named(expr) : Digits();
    }
  }
  if (op == Op::Div || op == Op::Rem)
    return divide(expr, op, left, right);
  // `id - y * w` is a remainder, too.
  Polynomial sides[2];
  const Digits *both[2] = {&left, &right};
  for (int side = 0; side < 2; ++side) {
    sides[side] = both[side]->poly;
    if (both[side]->kind == Kind::OfId)
      continue;
    if (const std::optional<int64_t> constant = sides[side].asConstant()) {
      sides[side] = Polynomial(*constant);
      continue;
    }
    const std::optional<Polynomial> formal = asRadices(sides[side]);
    if (!formal)
      return {};
    sides[side] = *formal;
  }
  Digits result = {Kind::OfId, {}};
  switch (op) {
  case Op::Add:
    result.poly = sides[0] + sides[1];
    break;
  case Op::Sub:
    result.poly = sides[0] - sides[1];
    break;
  case Op::Mul:
    result.poly = sides[0] * sides[1];
    return result;
  default:
    return {};
  }
  if (partOf(result.poly))
    record(expr, {result.poly, expr.type, std::nullopt, false});
  return result;
}

/// Which digits the number is made of.
std::optional<std::pair<size_t, size_t>>
IdSplitter::partOf(const Polynomial &poly) const {
  for (size_t begin = 0; begin < digits(); ++begin)
    for (size_t end = begin + 1; end <= digits(); ++end)
      if (poly == part(begin, end))
        return std::pair(begin, end);
  return std::nullopt;
}

/// `id < n`, `n > id` and the like, where n is the same for all work-items.
void IdSplitter::compare(const Expr &expr, const Digits &left,
                         const Digits &right) {
  const bool isMirrored = left.kind == Kind::Uniform;
  const Digits &id = isMirrored ? right : left;
  const Digits &bound = isMirrored ? left : right;
  const Op op = isMirrored ? mirrored(expr.op) : expr.op;
  if (id.kind != Kind::OfId || bound.kind != Kind::Uniform ||
      id.poly != part(0, digits()) || op == Op::Eq || op == Op::Ne)
    return;
  const bool isBelow = op == Op::Lt || op == Op::Le;
  const bool isNext = op == Op::Le || op == Op::Gt;
  record(expr, {id.poly, expr.operands[0]->type,
                isNext ? bound.poly + Polynomial(1) : bound.poly, isBelow});
}

Digits IdSplitter::evaluate(const ExprRef &expr) {
  return expr ? evaluateNode(*expr) : Digits();
}

Digits IdSplitter::evaluateAssign(const Expr &assign) {
  const ExprRef &target = assign.operands[0];
  Digits value = evaluate(assign.operands[1]);
  const Digits before = evaluate(target);
  if (assign.op != Op::None)
    value = holdsId(assign.computeType)
                ? arithmetic(assign, assign.op, before, value)
                : Digits();
  if (target->kind != ExprKind::VarRef)
    return {};
  if (!holdsId(target->type) || target->var->addressTaken)
    value = {};
  values[target->var] = value;
  return value;
}

/// The name of an argument that keeps its value.
bool IdSplitter::isArgument(const Expr &name) const {
  return name.kind == ExprKind::VarRef && name.var && name.var->isParam &&
         !assigned.count(name.var) && !name.var->addressTaken;
}

Digits IdSplitter::evaluateNode(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::IntLiteral:
    return isInteger(expr.type) && expr.intValue >= 0
               ? Digits{Kind::Uniform, Polynomial(expr.intValue)}
               : Digits();
  case ExprKind::WorkItem: {
    // Nothing else is asked for.
    const Digits whole = {Kind::OfId, part(0, digits())};
    record(expr, {whole.poly, expr.type, std::nullopt, false});
    return whole;
  }
  case ExprKind::VarRef: {
    auto known = values.find(expr.var);
    if (known != values.end())
      return known->second;
    return holdsId(expr.type) && isArgument(expr) ? named(expr) : Digits();
  }
  case ExprKind::Swizzle:
    return holdsId(expr.type) && isArgument(*expr.operands[0])
               ? namedAs(std::make_shared<Expr>(expr))
               : Digits();
  case ExprKind::Cast: {
    const Digits value = evaluate(expr.operands[0]);
    if (!holdsId(expr.type))
      return {};
    // In the type that the author gives to the id.
    const Expr &inner = *expr.operands[0];
    if (inner.kind == ExprKind::WorkItem && value.kind == Kind::OfId)
      record(expr, {value.poly, expr.type, std::nullopt, false});
    return value;
  }
  case ExprKind::Assign:
    return evaluateAssign(expr);
  case ExprKind::Unary: {
    const Digits value = evaluate(expr.operands[0]);
    if (changesTarget(expr)) {
      if (const Variable *variable = rootVariable(expr.operands[0].get()))
        values[variable] = {};
      return {};
    }
    return expr.op == Op::Plus ? value : Digits();
  }
  case ExprKind::Binary: {
    const Digits left = evaluate(expr.operands[0]);
    if (expr.op == Op::LAnd || expr.op == Op::LOr)
      forget(expr.operands[1]); // perhaps not evaluated
    const Digits right = evaluate(expr.operands[1]);
    if (expr.op == Op::LAnd || expr.op == Op::LOr)
      forget(expr.operands[1]);
    if (isComparison(expr.op)) {
      if (holdsId(expr.operands[0]->type))
        compare(expr, left, right);
      return {};
    }
    return holdsId(expr.type) ? arithmetic(expr, expr.op, left, right)
                              : Digits();
  }
  case ExprKind::Conditional: {
    evaluate(expr.operands[0]);
    for (const ExprRef &operand : {expr.operands[1], expr.operands[2]}) {
      const Values before = values;
      evaluate(operand);
      values = before;
    }
    forget(expr.operands[1]);
    forget(expr.operands[2]);
    return {};
  }
  default:
    for (const ExprRef &operand : expr.operands)
      evaluate(operand);
    return {};
  }
}

//===-- Statements --------------------------------------------------------===//

void IdSplitter::forget(const ExprRef &expr) {
  forEachExpr(expr, [&](const ExprRef &inner) {
    if (changesTarget(*inner))
      if (const Variable *variable = rootVariable(inner->operands[0].get()))
        values[variable] = {};
  });
}

/// Variables that the statement sets are unknown.
void IdSplitter::forget(const StmtRef &stmt) {
  for (const auto &[variable, count] : assignedIn(stmt))
    values[variable] = {};
}

void IdSplitter::visitLoop(const Stmt &loop) {
  visit(loop.init);
  const StmtRef all = std::make_shared<Stmt>(loop);
  forget(all);
  evaluate(loop.expr);
  visit(loop.body);
  evaluate(loop.inc);
  forget(all);
}

void IdSplitter::visit(const StmtRef &stmt) {
  if (!stmt)
    return;
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group:
    for (const StmtRef &child : stmt->children)
      visit(child);
    return;
  case StmtKind::Decl: {
    const Digits value = evaluate(stmt->expr);
    values[stmt->var] =
        stmt->var && holdsId(stmt->var->type) && !stmt->var->addressTaken
            ? value
            : Digits();
    return;
  }
  case StmtKind::If: {
    evaluate(stmt->expr);
    for (const StmtRef &branch : {stmt->body, stmt->elseBody}) {
      const Values before = values;
      visit(branch);
      values = before;
    }
    forget(stmt->body);
    if (stmt->elseBody)
      forget(stmt->elseBody);
    return;
  }
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    visitLoop(*stmt);
    return;
  default:
    evaluate(stmt->expr);
    return;
  }
}

/// The kernel asks for its id along one dimension, and for nothing else of the
/// launch, so that nothing sees how work-items are numbered.
bool IdSplitter::mayBeSplit() const {
  bool isSplit = kernel.body && kernel.body->kind == StmtKind::Block &&
                 !kernel.hasGoto && !kernel.flat;
  bool asksForId = false, divides = false;
  forEachStmt(kernel.body, [&](const StmtRef &stmt) {
    isSplit &= stmt->kind != StmtKind::Switch &&
               stmt->kind != StmtKind::Opaque &&
               stmt->kind != StmtKind::Barrier;
  });
  for (const auto &variable : kernel.variables)
    isSplit &= variable->space != AddressSpace::Local;
  forEachExpr(kernel.body, [&](const ExprRef &expr) {
    switch (expr->kind) {
    case ExprKind::WorkItem:
      isSplit &= expr->query == WorkItemQuery::GlobalId && expr->dim == 0;
      asksForId = true;
      return;
    case ExprKind::Call:
      isSplit &= !expr->callee && expr->effect != CallEffect::Opaque &&
                 expr->effect != CallEffect::Barrier &&
                 expr->effect != CallEffect::Fence;
      return;
    case ExprKind::Opaque:
      isSplit = false;
      return;
    default:
      divides |= expr->op == Op::Div || expr->op == Op::Rem;
    }
  });
  return isSplit && asksForId && divides;
}

/// True when digits for all divisions are found.
bool IdSplitter::walk() {
  // Each repetition adds a radix.
  for (size_t attempt = 0; attempt <= mostRadices; ++attempt) {
    mustRepeat = hasFailed = isDivided = false;
    values.clear();
    changes.clear();
    visit(kernel.body);
    if (hasFailed)
      return false;
    if (!mustRepeat)
      break;
  }
  const bool isConstant = llvm::all_of(radices, [](const Polynomial &radix) {
    return radix.asConstant().has_value();
  });
  return !mustRepeat && isDivided && !isConstant;
}

//===-- The new body ------------------------------------------------------===//

static const Type &longType() {
  static const Type type = Type::makeScalar(ScalarKind::Long);
  return type;
}

static ExprRef convertedTo(const Type &type, const ExprRef &expr) {
  return expr->type.isScalar() && expr->type.scalar == type.scalar
             ? expr
             : makeCast(type, expr);
}

ExprRef IdSplitter::nameOf(SymbolId id, const Type &type) const {
  return convertedTo(type, names[id]);
}

ExprRef IdSplitter::uniformExpr(const Polynomial &poly,
                                const Type &type) const {
  return makeSum(poly, type, [&](SymbolId id) { return nameOf(id, type); });
}

ExprRef IdSplitter::digitsExpr(const Polynomial &poly, const Type &type) const {
  return makeSum(poly, type, [&](SymbolId id) {
    return id % 2
               ? uniformExpr(radices[id / 2], type)
               : convertedTo(type, makeQuery(WorkItemQuery::GlobalId, id / 2));
  });
}

/// How many numbers without the lower digits are below `bound`, a multiple.
ExprRef IdSplitter::rowsBelow(const Polynomial &bound, const Type &type) const {
  if (const std::optional<Polynomial> rows = exactly(bound, allRadices()))
    return uniformExpr(*rows, type);
  return makeBinary(Op::Div, type, uniformExpr(bound, type),
                    uniformExpr(allRadices(), type));
}

/// Another form of the expression, or null.
ExprRef IdSplitter::changed(const ExprRef &expr) const {
  auto found = changes.find(expr.get());
  if (found == changes.end())
    return nullptr;
  const Change &change = found->second;
  std::shared_ptr<Expr> made;
  if (change.bound) {
    const ExprRef top = convertedTo(
        change.type, makeQuery(WorkItemQuery::GlobalId,
                               static_cast<unsigned>(digits()) - 1));
    made = std::make_shared<Expr>(
        *makeBinary(change.isBelow ? Op::Lt : Op::Ge, expr->type, top,
                    rowsBelow(*change.bound, change.type)));
  } else if (expr->kind == ExprKind::Assign) {
    const ExprRef &target = expr->operands[0];
    made = std::make_shared<Expr>(
        *makeAssign(target, digitsExpr(change.poly, target->type)));
  } else {
    made = std::make_shared<Expr>(*digitsExpr(change.poly, change.type));
  }
  made->range = expr->range;
  return made;
}

//===-- The launch --------------------------------------------------------===//

static bool leaves(const StmtRef &stmt) {
  if (stmt->kind == StmtKind::Block && stmt->children.size() == 1)
    return leaves(stmt->children[0]);
  return stmt->kind == StmtKind::Return && !stmt->expr;
}

/// True when nothing that others see happens.
static bool isQuiet(const StmtRef &stmt) {
  bool result = true;
  if (stmt->kind == StmtKind::Group)
    return llvm::all_of(stmt->children, isQuiet);
  if (stmt->kind == StmtKind::Expr && stmt->expr->kind == ExprKind::Assign)
    return stmt->expr->operands[0]->kind == ExprKind::VarRef &&
           isSideEffectFree(stmt->expr->operands[1]);
  result = stmt->kind == StmtKind::Decl || stmt->kind == StmtKind::Null ||
           stmt->kind == StmtKind::Return;
  return result && (!stmt->expr || isSideEffectFree(stmt->expr));
}

static void operandsOf(const ExprRef &expr, Op op,
                       std::vector<const Expr *> &result) {
  const ExprRef &plain = withoutCasts(expr);
  if (plain->kind == ExprKind::Binary && plain->op == op) {
    operandsOf(plain->operands[0], op, result);
    operandsOf(plain->operands[1], op, result);
    return;
  }
  result.push_back(plain.get());
}

/// Where work-items from some number on do nothing: this number.
std::optional<Polynomial> IdSplitter::coveredItems() const {
  const std::vector<StmtRef> &all = kernel.body->children;
  for (size_t i = 0; i < all.size(); ++i) {
    const StmtRef &stmt = all[i];
    if (stmt->kind != StmtKind::If) {
      if (!isQuiet(stmt))
        return std::nullopt;
      continue;
    }
    const bool mayLeave = !stmt->elseBody && leaves(stmt->body);
    const bool isLast = !stmt->elseBody &&
                        std::all_of(all.begin() + static_cast<ptrdiff_t>(i) + 1,
                                    all.end(), isQuiet);
    std::vector<const Expr *> operands;
    operandsOf(stmt->expr, mayLeave ? Op::LOr : Op::LAnd, operands);
    for (const Expr *operand : operands) {
      auto found = changes.find(operand);
      if (found != changes.end() && found->second.bound &&
          (mayLeave ? !found->second.isBelow : isLast && found->second.isBelow))
        return found->second.bound;
    }
    if (!mayLeave || !isSideEffectFree(stmt->expr))
      return std::nullopt;
  }
  return std::nullopt;
}

std::shared_ptr<const FlatLaunch> IdSplitter::launch() const {
  auto result = std::make_shared<FlatLaunch>();
  result->body = kernel.body;
  result->written = kernel.written;
  const Type boolean = Type::makeScalar(ScalarKind::Int);
  auto require = [&](Op op, const ExprRef &left, const ExprRef &right) {
    result->conditions.push_back(makeBinary(op, boolean, left, right));
  };
  const ExprRef zero = makeLiteral(0, Type::makeScalar(ScalarKind::Int));
  const ExprRef items = makeQuery(WorkItemQuery::GlobalSize, 0);
  const ExprRef most = makeNumber(mostItems, longType());
  const Type size = items->type;
  auto isInt = [&](const Polynomial &poly) {
    const std::optional<SymbolId> name = poly.asSymbol();
    return name && names[*name]->type.scalar == ScalarKind::Int;
  };
  auto requireFits = [&](const Polynomial &poly) {
    if (!isInt(poly) && !poly.asConstant())
      require(Op::Lt, uniformExpr(poly, longType()), most);
  };
  for (const Polynomial &radix : radices) {
    result->extents.push_back(uniformExpr(radix, size));
    if (radix.asConstant())
      continue;
    require(Op::Gt,
            isInt(radix) ? uniformExpr(radix, zero->type)
                         : uniformExpr(radix, longType()),
            zero);
    requireFits(radix);
  }
  require(Op::Lt, items, most);
  const Polynomial weight = allRadices();
  const std::optional<Polynomial> covered = coveredItems();
  // Products of more factors then do not wrap in 64 bits.
  if (radices.size() > 1)
    requireFits(weight);
  std::set<std::string> asked;
  for (const auto &[expr, change] : changes) {
    if (!change.bound)
      continue;
    const ExprRef bound = uniformExpr(*change.bound, longType());
    if (!asked.insert(printExpr(bound)).second)
      continue;
    // What narrower or unsigned types make of the bound is the bound.
    if (change.bound != covered) {
      require(Op::Ge, bound, zero);
      requireFits(*change.bound);
    }
    // Bounds that are no multiples would end within a row.
    if (const auto rows = exactly(*change.bound, weight))
      requireFits(*rows);
    else
      require(Op::Eq,
              makeBinary(Op::Rem, longType(), bound,
                         uniformExpr(weight, longType())),
              zero);
  }
  if (covered) {
    result->extents.push_back(
        convertedTo(size, rowsBelow(*covered, longType())));
    // Without rows there is nothing to do, and a size is at least one.
    const std::optional<Polynomial> rows = exactly(*covered, weight);
    require(Op::Gt, uniformExpr(rows ? *rows : *covered, longType()), zero);
    require(Op::Le, uniformExpr(*covered, longType()),
            makeCast(longType(), items));
  } else {
    result->extents.push_back(
        makeBinary(Op::Div, size, items, uniformExpr(weight, size)));
    require(Op::Eq, makeBinary(Op::Rem, size, items, uniformExpr(weight, size)),
            zero);
  }
  return result;
}

bool IdSplitter::run() {
  if (!mayBeSplit())
    return false;
  assigned = assignedIn(kernel.body);
  if (!walk())
    return false;
  kernel.flat = launch();
  StmtRef body = withReplaced(
      kernel.body, [this](const ExprRef &expr) { return changed(expr); });
  replaceBody(kernel, body);
  return true;
}

bool splitFlatIds(Function &kernel) {
  return kernel.isKernel && IdSplitter(kernel).run();
}

void joinFlatIds(Function &kernel) {
  if (!kernel.flat)
    return;
  kernel.body = kernel.flat->body;
  kernel.written = kernel.flat->written;
  kernel.flat = nullptr;
}

} // namespace clopt
