//===- HoistValues.cpp - values that a loop computes again and again ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: an expression that is the same in all iterations of a loop is computed
// once, before it:
//
//   for (k) s[k * m + i] = sqrt(a) / d * b[k];
//
//   float quotient = sqrt(a) / d;
//   for (k) s[k * m + i] = quotient * b[k];
//
// The largest such parts of the statements are taken, and one variable for all
// parts that are alike.
//
// Where: before the loop, for the instances of the loops around it in which
// some statement would compute the value. So nothing is computed that the
// program does not compute: a division by zero, a load or a sum beyond the end
// of int do not come from a loop that runs not at all. What the program only
// computes under a condition within an expression (`d != 0 ? x / d : 0`), or
// within a statement that is kept whole, may be computed in vain; there integer
// divisions, loads and calls of the program's functions stay where they are.
//
// Legal when no statement of the loop writes what the value is made of: private
// variables, and cells of memory as for `hoist` of an array.
//
// Exact: the value is the same tree of operations on the same operands, and
// OpenCL's arithmetic has no traps and one rounding mode. One thing could
// change: FP_CONTRACT is on by default, so a compiler may make one operation of
// a product and the sum that takes it in. A product that goes into a sum or
// difference stays beside it; products that go elsewhere, and sums with their
// products, are moved.
//
// Reference: A. Aho, M. Lam, R. Sethi, J. Ullman, Compilers: Principles,
// Techniques, and Tools, 9.5 (2006).
//
// Tested by test/unit/HoistValuesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Divergence.h"
#include "Transform/steps/Hoister.h"
#include "Transform/tree/ModelEditor.h"
#include "Transform/tree/StripMine.h"

#include <isl/set.h>

#include <algorithm>

namespace clopt {

namespace {

/// One place that computes a value.
struct Occurrence {
  ExprRef expr;
  unsigned statement = 0;
  bool isCertain = true; ///< computed whenever the statement runs
};

/// Where an expression stands.
struct Surroundings {
  unsigned statement = 0;
  bool isLazy = false;   ///< it may not be computed
  bool feedsSum = false; ///< the value goes into a floating-point sum
};

class ValueHoister {
public:
  ValueHoister(const TransformedKernel &before, unsigned loopIndex,
               AliasMode aliasMode)
      : result(before), editor(result), model(*editor.model), loop(loopIndex),
        alias(aliasMode) {}

  StepResult run();
  TransformedKernel result;

private:
  StepResult check();
  void findFixed();

  // What stays the same
  bool isFixed(const ExprRef &expr, bool isLazy);
  bool isFixedVariable(const Expr &name) const;
  bool isFixedLoad(const Expr &expr, bool isLazy);
  bool keepsCells(unsigned array);
  static bool mayTrap(const Expr &expr);

  // What is worth it
  void visit(const StmtRef &stmt, Surroundings around, bool isWhole);
  void visit(const ExprRef &expr, Surroundings around);
  void visitPlace(const ExprRef &place, Surroundings around);
  void visitOperands(const ExprRef &expr, Surroundings around);
  bool isWorthIt(const ExprRef &expr) const;
  void add(const ExprRef &expr, const Surroundings &around);

  // The new statements
  unsigned prefixOf(const Statement &statement) const;
  unsigned makeStatement(const std::vector<Occurrence> &group);
  void replace(const Occurrence &use, unsigned array);

  ModelEditor editor;
  KernelModel &model;
  unsigned loop;
  AliasMode alias;
  std::vector<unsigned> statements;      ///< of the loop
  std::set<const Variable *> written;    ///< in the loop
  std::map<const Expr *, unsigned> uses; ///< statements with an expression
  std::map<unsigned, bool> kept;         ///< by array
  std::vector<std::vector<Occurrence>> groups;
};

} // namespace

//===-- What stays the same -----------------------------------------------===//

/// Variables that some iteration changes, the iterators among them.
void ValueHoister::findFixed() {
  const ScheduleNode *node = findLoop(result.tree, loop);
  statements = statementsBelow(*node);
  for (unsigned index : loopsBelow(*node))
    written.insert(model.loops[index].var);
  for (unsigned index : statements)
    for (unsigned id : model.statements[index].accesses)
      if (model.accesses[id].isWrite)
        written.insert(model.arrays[model.accesses[id].array].var);
  for (const Statement &statement : model.statements)
    if (statement.stmt)
      forEachExpr(StmtRef(StmtRef(), statement.stmt),
                  [&](const ExprRef &expr) { ++uses[expr.get()]; });
}

bool ValueHoister::isFixedVariable(const Expr &name) const {
  const Variable &variable = *name.var;
  bool isValue = variable.type.isScalar() || variable.type.isVector();
  return isValue && !variable.isFileScope && !variable.addressTaken &&
         variable.space == AddressSpace::Private && !variable.type.isVolatile &&
         !written.count(&variable);
}

/// True when nothing can write the array's cells while the loop runs.
bool ValueHoister::keepsCells(unsigned array) {
  auto known = kept.find(array);
  if (known != kept.end())
    return known->second;
  Region region;
  HoistRegions regions(result, array, alias);
  bool keeps = !regions.extend(region, *findLoop(result.tree, loop));
  if (keeps)
    regions.requireUnwritten(region.written);
  return kept[array] = keeps;
}

/// A load of a cell that ids, outer iterators and arguments give, straight from
/// memory or from registers that were filled before the loop.
bool ValueHoister::isFixedLoad(const Expr &expr, bool isLazy) {
  auto read = model.reads.find(&expr);
  if (isLazy || read == model.reads.end() || !expr.type.isScalar())
    return false;
  const Access &access = model.accesses[read->second];
  const Array &array = model.arrays[access.array];
  const Expr *base = withoutCasts(expr.operands[0].get());
  bool isPlain = base->kind == ExprKind::VarRef && base->var == array.var &&
                 array.space != AddressSpace::Private && access.isExact &&
                 !access.isOrdered && access.width == 1 &&
                 !written.count(base->var);
  if (!isPlain || !isFixed(expr.operands[1], isLazy))
    return false;
  const std::optional<unsigned> tile = result.tileOf(access.id);
  if (!tile)
    return keepsCells(access.array);
  const ArrayTile &copy = result.tiles[*tile];
  return copy.isHoisted && !copy.window &&
         copy.coordinates.size() <=
             prefixOf(model.statements[access.statement]);
}

/// Operations that must not be done in vain.
bool ValueHoister::mayTrap(const Expr &expr) {
  return expr.kind == ExprKind::Call ? !expr.isElementwiseBuiltin
                                     : !dividesSafely(expr);
}

bool ValueHoister::isFixed(const ExprRef &expr, bool isLazy) {
  if (auto known = result.replacements.find(expr.get());
      known != result.replacements.end())
    return isFixed(known->second, isLazy);
  bool isValue = expr->type.isScalar() || expr->type.isVector();
  if (!isValue || uses[expr.get()] > 1 || (isLazy && mayTrap(*expr)))
    return false;
  switch (expr->kind) {
  case ExprKind::IntLiteral:
  case ExprKind::FloatLiteral:
    return true;
  case ExprKind::VarRef:
    return expr->var && isFixedVariable(*expr);
  case ExprKind::WorkItem:
    return expr->operands.empty();
  case ExprKind::Subscript:
    return isFixedLoad(*expr, isLazy);
  case ExprKind::Unary:
    if (expr->op != Op::Neg && expr->op != Op::Plus && expr->op != Op::Not &&
        expr->op != Op::LNot)
      return false;
    break;
  case ExprKind::Binary:
    if (expr->op == Op::Comma)
      return false;
    break;
  case ExprKind::Call:
    if (expr->effect != CallEffect::Pure)
      return false;
    break;
  case ExprKind::Conditional:
  case ExprKind::Cast:
  case ExprKind::VectorLiteral:
    break;
  case ExprKind::Swizzle:
    break;
  default:
    return false;
  }
  // Branches are moved along with their conditions.
  return std::all_of(
      expr->operands.begin(), expr->operands.end(),
      [&](const ExprRef &operand) { return isFixed(operand, isLazy); });
}

//===-- What is worth it --------------------------------------------------===//

/// More than an addition of integers, and not of constants alone.
bool ValueHoister::isWorthIt(const ExprRef &expr) const {
  unsigned cost = 0;
  bool hasValue = false;
  forEachExpr(expr, [&](const ExprRef &node) {
    hasValue |=
        node->kind == ExprKind::VarRef || node->kind == ExprKind::WorkItem;
    if (node->kind == ExprKind::Call)
      cost += 8;
    else if (node->kind == ExprKind::Conditional)
      cost += 1;
    else if (node->kind == ExprKind::Binary)
      cost += node->op == Op::Div || node->op == Op::Rem       ? 8
              : node->op == Op::Mul || node->type.isFloating() ? 2
                                                               : 1;
  });
  return hasValue && cost >= 2;
}

/// The value is a product, as it stands or negated or chosen.
static bool isProduct(const ExprRef &expr) {
  if (expr->kind == ExprKind::Binary)
    return expr->op == Op::Mul && expr->type.isFloating();
  bool passes = expr->kind == ExprKind::Cast ||
                (expr->kind == ExprKind::Unary &&
                 (expr->op == Op::Neg || expr->op == Op::Plus)) ||
                expr->kind == ExprKind::Conditional ||
                expr->kind == ExprKind::Swizzle ||
                expr->kind == ExprKind::VectorLiteral;
  return passes &&
         std::any_of(expr->operands.begin(), expr->operands.end(), isProduct);
}

void ValueHoister::add(const ExprRef &expr, const Surroundings &around) {
  Occurrence use{expr, around.statement, !around.isLazy};
  for (std::vector<Occurrence> &group : groups)
    if (areSameTree(*group.front().expr, *expr)) {
      group.push_back(use);
      return;
    }
  groups.push_back({use});
}

/// The operands of something that is stored to, or whose address is taken.
void ValueHoister::visitPlace(const ExprRef &place, Surroundings around) {
  around.feedsSum = false;
  if (place->kind == ExprKind::Subscript) {
    visitPlace(place->operands[0], around);
    visit(place->operands[1], around);
  } else if (place->kind == ExprKind::Member ||
             place->kind == ExprKind::Swizzle ||
             place->kind == ExprKind::Cast) {
    visitPlace(place->operands[0], around);
  } else if (place->kind == ExprKind::Unary && place->op == Op::Deref) {
    visit(place->operands[0], around);
  }
}

void ValueHoister::visitOperands(const ExprRef &expr, Surroundings around) {
  bool isFloat = expr->type.isFloating();
  bool isSum = expr->kind == ExprKind::Binary && isFloat &&
               (expr->op == Op::Add || expr->op == Op::Sub);
  bool passes = expr->kind == ExprKind::Cast ||
                expr->kind == ExprKind::Conditional ||
                expr->kind == ExprKind::Swizzle ||
                expr->kind == ExprKind::VectorLiteral ||
                (expr->kind == ExprKind::Unary &&
                 (expr->op == Op::Neg || expr->op == Op::Plus));
  bool feeds = isSum || (passes && around.feedsSum);
  for (size_t i = 0; i < expr->operands.size(); ++i) {
    Surroundings own = around;
    own.feedsSum = feeds;
    own.isLazy |= i > 0 && (expr->kind == ExprKind::Conditional ||
                            expr->op == Op::LAnd || expr->op == Op::LOr);
    visit(expr->operands[i], own);
  }
}

void ValueHoister::visit(const ExprRef &expr, Surroundings around) {
  if (!expr)
    return;
  bool splitsProduct = around.feedsSum && isProduct(expr);
  bool isKnown = result.replacements.count(expr.get());
  if (!splitsProduct && !isKnown && isWorthIt(expr) &&
      isFixed(expr, around.isLazy)) {
    add(expr, around);
    return;
  }
  if (isKnown)
    return;
  switch (expr->kind) {
  case ExprKind::Assign: {
    visitPlace(expr->operands[0], around);
    around.feedsSum = (expr->op == Op::Add || expr->op == Op::Sub) &&
                      expr->computeType.isFloating();
    visit(expr->operands[1], around);
    return;
  }
  case ExprKind::Unary:
    if (expr->op == Op::AddrOf || isStep(expr->op)) {
      visitPlace(expr->operands[0], around);
      return;
    }
    break;
  case ExprKind::Subscript:
    visitPlace(expr, around);
    return;
  case ExprKind::Opaque:
    return;
  default:
    break;
  }
  visitOperands(expr, around);
}

/// `isWhole`: the statement is one of the model's, not a part of one.
void ValueHoister::visit(const StmtRef &stmt, Surroundings around,
                         bool isWhole) {
  if (!stmt || stmt->kind == StmtKind::Opaque ||
      stmt->kind == StmtKind::Switch || stmt->kind == StmtKind::Barrier)
    return;
  around.isLazy |= !isWhole;
  around.feedsSum = false;
  bool isInit = stmt->kind == StmtKind::Decl && stmt->expr &&
                stmt->expr->kind == ExprKind::InitList;
  if (!isInit)
    visit(stmt->expr, around);
  around.isLazy = true;
  visit(stmt->inc, around);
  visit(stmt->init, around, false);
  visit(stmt->body, around, false);
  visit(stmt->elseBody, around, false);
  for (const StmtRef &child : stmt->children)
    visit(child, around, false);
}

//===-- The new statements ------------------------------------------------===//

/// Coordinates of the statement outside of the loop.
unsigned ValueHoister::prefixOf(const Statement &statement) const {
  auto place =
      std::find(statement.coordinates.begin(), statement.coordinates.end(),
                model.loops[loop].iterator);
  return static_cast<unsigned>(place - statement.coordinates.begin());
}

/// What the value is, for its name.
static std::string stemOf(const Expr &expr) {
  const Expr *node = belowCasts(&expr);
  switch (node->kind == ExprKind::Binary ? node->op : Op::None) {
  case Op::Add:
    return "sum";
  case Op::Sub:
    return "difference";
  case Op::Mul:
    return "product";
  case Op::Div:
    return "quotient";
  case Op::Rem:
    return "remainder";
  default:
    return "value";
  }
}

void ValueHoister::replace(const Occurrence &use, unsigned array) {
  ExprRef name = editor.nameOf(array);
  auto value = model.values.find(use.expr.get());
  if (value != model.values.end())
    model.values[name.get()] = value->second;
  editor.addAccess(use.statement, array, false, name.get(), use.isCertain);
  result.replacements[use.expr.get()] = name;
}

/// The statement that computes the value, and the places that use it.
unsigned ValueHoister::makeStatement(const std::vector<Occurrence> &group) {
  const ExprRef &first = group.front().expr;
  const Statement consumer = model.statements[group.front().statement];
  unsigned count = prefixOf(consumer);
  isl::set domain = executedPrefix(consumer, count);
  for (const Occurrence &use : group)
    domain =
        domain.unite(executedPrefix(model.statements[use.statement], count));
  std::vector<SymbolId> coordinates(consumer.coordinates.begin(),
                                    consumer.coordinates.begin() + count);
  std::vector<unsigned> loops(
      consumer.loops.begin(),
      std::find(consumer.loops.begin(), consumer.loops.end(), loop));
  unsigned array = editor.addVariable(stemOf(*first), first->type);
  // The same value under another name: the first one's is replaced.
  auto copy = std::make_shared<Expr>(*first);
  if (auto value = model.values.find(first.get()); value != model.values.end())
    model.values[copy.get()] = value->second;
  if (auto choice = model.choices.find(first.get());
      choice != model.choices.end())
    model.choices[copy.get()] = choice->second;
  unsigned index = editor.addStatement(editor.makeDeclaration(array, copy),
                                       domain, coordinates, loops);
  for (const Occurrence &use : group)
    editor.moveReads(use.expr, index);
  editor.addAccess(index, array, true, nullptr);
  for (const Occurrence &use : group)
    replace(use, array);
  return index;
}

//===-- The step ----------------------------------------------------------===//

StepResult ValueHoister::check() {
  const ScheduleNode *node = findLoop(result.tree, loop);
  if (!node)
    return refuse("clopt-opaque-code",
                  "the loop is part of code that is kept as written");
  const std::string &name = model.loops[loop].name;
  for (unsigned index : statementsBelow(*node)) {
    const Statement &statement = model.statements[index];
    if (statement.isOpaque && !statement.isBarrier)
      return refuse("clopt-opaque-code",
                    "'" + name + "' has code that is not modelled", "",
                    statement.stmt ? statement.stmt->range : SourceRange());
  }
  return std::nullopt;
}

StepResult ValueHoister::run() {
  if (StepResult refusal = check())
    return refusal;
  findFixed();
  for (unsigned index : statements) {
    const Statement &statement = model.statements[index];
    if (!statement.stmt || statement.isBarrier)
      continue;
    Surroundings around;
    around.statement = index;
    visit(StmtRef(StmtRef(), statement.stmt), around, !statement.isCompound);
  }
  if (groups.empty())
    return refuse("clopt-not-profitable",
                  "nothing that '" + model.loops[loop].name +
                      "' computes is the same in all iterations");
  std::vector<unsigned> added;
  for (const std::vector<Occurrence> &group : groups)
    added.push_back(makeStatement(group));
  insertBefore(result.tree, loop, added);
  return std::nullopt;
}

StepResult hoistValues(TransformedKernel &kernel, unsigned loop,
                       AliasMode alias) {
  TransformedKernel plain = kernel;
  const LoopRoles roles(plain, {loop});
  ValueHoister hoister(plain, loop, alias);
  if (StepResult refusal = hoister.run())
    return refusal;
  if (StepResult refusal = roles.giveBack(hoister.result, alias))
    return refusal;
  kernel = std::move(hoister.result);
  return std::nullopt;
}

} // namespace clopt
