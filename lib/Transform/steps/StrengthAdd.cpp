//===- StrengthAdd.cpp - subscripts that advance by addition --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: in a loop that moves a subscript by an amount that is no constant,
//
//   for (int k = 0; k < n; k++)         long at = 0 * m + j;
//     sum += b[k * m + j];              for (int k = 0; k < n; k++) {
//                                         sum += b[at];
//                                         at += m;
//                                       }
//
// References that differ by a constant share a variable, `b[at + 1L]`.
//
// Legal when the iterations that the statements run for begin with the loop's
// first one and have no gaps, so that the variable has the value of the
// subscript in each of them, and when the subscript is made of the iterator and
// of values that the loop leaves alone. After the last iteration the variable
// is one step beyond the last cell; nothing is read there. It has 64 bits: a
// subscript in use is below 2^62 in size, and a step has to be, so that the
// last addition does not overflow. An unsigned subscript of 32 bits does not
// wrap in launches that pass the guard.
//
// Reference: J. Cocke, K. Kennedy, An Algorithm for Reduction of Operator
// Strength (Communications of the ACM 1977).
//
// Tested by test/unit/StrengthAddTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Strength.h"

#include "Analysis/dependence/CooperativeReductions.h"
#include "Model/MakeTree.h"
#include "Transform/steps/Hoister.h"
#include "Transform/tree/ModelEditor.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

namespace {

/// References whose subscripts differ by constants.
struct MovingIndex {
  Polynomial value; ///< of the first reference
  ExprRef expr;     ///< its subscript
  std::vector<std::pair<unsigned, int64_t>> accesses; ///< and the distance
};

class Advancer {
public:
  Advancer(const TransformedKernel &before, unsigned arrayIndex)
      : result(before), editor(result), model(*editor.model),
        array(arrayIndex) {}

  StepResult run();
  TransformedKernel result;

private:
  StepResult checkLoop(unsigned loop);
  void findFixed(unsigned loop);
  isl::set iterations(unsigned loop) const;
  bool isMadeOfFixed(const ExprRef &expr, unsigned loop) const;
  std::optional<Polynomial> strideOf(const Polynomial &value,
                                     unsigned loop) const;
  bool isSmall(const Polynomial &stride) const;
  std::vector<MovingIndex> indicesIn(unsigned loop);
  ExprRef valueOf(SymbolId symbol);
  void keepValues(const ExprRef &whole);
  ExprRef firstValue(unsigned loop);
  ExprRef amount(const Polynomial &stride);
  void advance(unsigned loop, const MovingIndex &index, const ExprRef &first);

  ModelEditor editor;
  KernelModel &model;
  unsigned array;
  /// What valueOf has made, alive: addresses of expressions are keys of the
  /// model's values, and must not be those of other expressions later.
  std::vector<std::pair<ExprRef, SymbolId>> named;
  std::set<const Variable *> written;    ///< in the loop
  std::map<const Expr *, unsigned> uses; ///< statements with an expression
  StepResult firstRefusal;
};

} // namespace

//===-- Expressions -------------------------------------------------------===//

static Type longType() {
  Type type = Type::makeScalar(ScalarKind::Long);
  type.spelling = "long";
  return type;
}

static ExprRef longLiteral(int64_t value) {
  return makeLiteral(value, longType());
}

/// Computed in the type of the first operand.
static ExprRef binary(Op op, const ExprRef &left, const ExprRef &right) {
  return makeBinary(op, left->type, left, right);
}

/// The tree with `value` for the variable; `copies`: new and old nodes.
static ExprRef
substitute(const ExprRef &expr, const Variable *variable, const ExprRef &value,
           std::vector<std::pair<const Expr *, const Expr *>> &copies) {
  if (expr->kind == ExprKind::VarRef && expr->var == variable)
    return value;
  auto copy = std::make_shared<Expr>(*expr);
  copies.emplace_back(copy.get(), expr.get());
  for (ExprRef &operand : copy->operands)
    operand = substitute(operand, variable, value, copies);
  return copy;
}

/// The value of an argument, an outer iterator or an id; null for others.
ExprRef Advancer::valueOf(SymbolId id) {
  const Symbol &symbol = model.symbols[id];
  ExprRef expr;
  if (symbol.var &&
      (symbol.kind == SymbolKind::Param || symbol.kind == SymbolKind::Iterator))
    expr = makeName(symbol.var, symbol.var->type);
  else if (symbol.kind == SymbolKind::GlobalSize)
    expr = makeQuery(WorkItemQuery::GlobalSize, symbol.dim);
  else
    return nullptr;
  named.emplace_back(expr, id);
  return expr;
}

/// Expressions of valueOf that have become part of the kernel have values.
void Advancer::keepValues(const ExprRef &whole) {
  forEachExpr(whole, [&](const ExprRef &node) {
    for (const auto &[expr, symbol] : named)
      if (expr == node)
        model.values[node.get()] = Polynomial::symbol(symbol);
  });
}

/// The iterator's first value: a constant, or one value and a constant.
ExprRef Advancer::firstValue(unsigned loop) {
  const Loop &info = model.loops[loop];
  if (!info.var)
    return nullptr;
  int64_t constant = 0;
  ExprRef value;
  for (const auto &[monomial, factor] : info.first.terms) {
    if (monomial.empty()) {
      constant = factor;
      continue;
    }
    if (value || monomial.size() != 1 || factor != 1)
      return nullptr;
    value = valueOf(monomial[0]);
    if (!value)
      return nullptr;
    value = makeCast(info.var->type, value, true);
  }
  if (!value)
    return makeLiteral(constant, info.var->type);
  if (constant == 0)
    return value;
  return binary(constant > 0 ? Op::Add : Op::Sub, value,
                makeLiteral(std::abs(constant), info.var->type));
}

/// The step in 64 bits.
ExprRef Advancer::amount(const Polynomial &stride) {
  ExprRef sum;
  for (const auto &[monomial, factor] : stride.terms) {
    ExprRef product;
    for (SymbolId id : monomial) {
      ExprRef value = valueOf(id);
      if (!value)
        return nullptr;
      value = makeCast(longType(), value);
      product = product ? binary(Op::Mul, product, value) : value;
    }
    if (!product)
      product = longLiteral(std::abs(factor));
    else if (std::abs(factor) != 1)
      product = binary(Op::Mul, product, longLiteral(std::abs(factor)));
    if (!sum && factor < 0)
      sum = binary(Op::Sub, longLiteral(0), product);
    else
      sum =
          sum ? binary(factor < 0 ? Op::Sub : Op::Add, sum, product) : product;
  }
  return sum;
}

//===-- Which subscripts move ---------------------------------------------===//

void Advancer::findFixed(unsigned loop) {
  written.clear();
  const ScheduleNode *node = findLoop(result.tree, loop);
  for (unsigned index : loopsBelow(*node))
    if (index != loop)
      written.insert(model.loops[index].var);
  for (unsigned index : statementsBelow(*node))
    for (unsigned id : model.statements[index].accesses)
      if (model.accesses[id].isWrite)
        written.insert(model.arrays[model.accesses[id].array].var);
}

/// The subscript is the same computation in all iterations, on the iterator and
/// on values that stay.
bool Advancer::isMadeOfFixed(const ExprRef &expr, unsigned loop) const {
  bool isFixed = true;
  forEachExpr(expr, [&](const ExprRef &node) {
    isFixed &= !result.replacements.count(node.get());
    switch (node->kind) {
    case ExprKind::IntLiteral:
    case ExprKind::WorkItem:
      return;
    case ExprKind::Cast:
      isFixed &= node->type.isScalar() && node->type.isInteger();
      return;
    case ExprKind::Binary:
      isFixed &=
          node->op == Op::Add || node->op == Op::Sub || node->op == Op::Mul;
      return;
    case ExprKind::VarRef:
      isFixed &= node->var == model.loops[loop].var ||
                 (node->var->space == AddressSpace::Private &&
                  !node->var->isFileScope && !node->var->addressTaken &&
                  !written.count(node->var));
      return;
    default:
      isFixed = false;
    }
  });
  return isFixed;
}

/// What an iteration adds, unless that is a constant.
std::optional<Polynomial> Advancer::strideOf(const Polynomial &value,
                                             unsigned loop) const {
  SymbolId iterator = model.loops[loop].iterator;
  std::optional<Polynomial> slope = value.coefficientOf(iterator);
  if (!slope || slope->contains(iterator) || slope->asConstant())
    return std::nullopt;
  return *slope * Polynomial(model.loops[loop].step);
}

/// Below 2^62, whatever the arguments.
bool Advancer::isSmall(const Polynomial &stride) const {
  const long double most = 4611686018427387904.0L;
  long double size = 0;
  for (const auto &[monomial, factor] : stride.terms) {
    long double term = std::abs(static_cast<long double>(factor));
    for (SymbolId id : monomial) {
      const Symbol &symbol = model.symbols[id];
      long double bound =
          symbol.var && symbol.var->type.size <= 4
              ? (symbol.var->type.isUnsigned() ? 4294967295.0L : 2147483648.0L)
              : most * 4;
      if (symbol.maximum && symbol.minimum && *symbol.minimum >= 0)
        bound = std::min(bound, static_cast<long double>(*symbol.maximum));
      term *= bound;
    }
    size += term;
  }
  return size <= most;
}

std::vector<MovingIndex> Advancer::indicesIn(unsigned loop) {
  std::vector<MovingIndex> indices;
  for (const Access &access : model.accesses) {
    const Statement &statement = model.statements[access.statement];
    bool isHere = access.array == array && access.expr && !access.isOrdered &&
                  !statement.isOpaque && !statement.loops.empty() &&
                  statement.loops.back() == loop &&
                  access.expr->kind == ExprKind::Subscript &&
                  !result.tileOf(access.id);
    if (!isHere)
      continue;
    const ExprRef &index = access.expr->operands[1];
    const Expr *base = withoutCasts(access.expr->operands[0].get());
    auto value = model.values.find(index.get());
    if (base->kind != ExprKind::VarRef ||
        base->var != model.arrays[array].var || value == model.values.end() ||
        value->second.overflowed() || uses[index.get()] > 1 ||
        !isMadeOfFixed(index, loop))
      continue;
    std::optional<Polynomial> stride = strideOf(value->second, loop);
    if (!stride)
      continue;
    if (!isSmall(*stride)) {
      if (!firstRefusal)
        firstRefusal = refuse("clopt-value-range",
                              "a step of '" + model.arrays[array].name +
                                  "' may be greater than 2^62",
                              "", access.range);
      continue;
    }
    bool isKnown = false;
    for (MovingIndex &other : indices) {
      std::optional<int64_t> distance =
          (value->second - other.value).asConstant();
      if (!distance || isKnown)
        continue;
      other.accesses.emplace_back(access.id, *distance);
      isKnown = true;
    }
    if (!isKnown)
      indices.push_back({value->second, index, {{access.id, 0}}});
  }
  return indices;
}

//===-- Which loops -------------------------------------------------------===//

/// { [w..., outer..., k] } the iterations in which some statement runs.
isl::set Advancer::iterations(unsigned loop) const {
  std::optional<isl::set> all;
  for (unsigned index : statementsBelow(*findLoop(result.tree, loop))) {
    const Statement &statement = model.statements[index];
    auto place =
        std::find(statement.coordinates.begin(), statement.coordinates.end(),
                  model.loops[loop].iterator);
    isl::set own = executedPrefix(
        statement,
        static_cast<unsigned>(place - statement.coordinates.begin()) + 1);
    all = all ? all->unite(own) : own;
  }
  return isl::manage(isl_set_coalesce(all->release()));
}

/// { [..., k] } moved on by one iteration.
static isl::set oneLater(const isl::set &set, int64_t step) {
  unsigned last = isl_set_dim(set.get(), isl_dim_set) - 1;
  isl_multi_aff *shift =
      isl_multi_aff_identity_on_domain_space(isl_set_get_space(set.get()));
  isl_aff *aff = isl_multi_aff_get_aff(shift, static_cast<int>(last));
  aff = isl_aff_add_constant_si(aff, static_cast<int>(-step));
  shift = isl_multi_aff_set_aff(shift, static_cast<int>(last), aff);
  return isl::manage(isl_set_preimage_multi_aff(set.copy(), shift));
}

StepResult Advancer::checkLoop(unsigned loop) {
  const ScheduleNode &node = *findLoop(result.tree, loop);
  const Loop &info = model.loops[loop];
  bool isVector = node.lanes > 1 || node.tile;
  for (unsigned outer : info.outer)
    if (const ScheduleNode *around = findLoop(result.tree, outer))
      isVector |= around->lanes > 1;
  if (isVector)
    return refuse("clopt-dependence",
                  "the iterations of '" + info.name +
                      "' do not run one after the other",
                  "write the step earlier");
  for (unsigned index : statementsBelow(node))
    if (model.statements[index].isOpaque && !model.statements[index].isBarrier)
      return refuse("clopt-opaque-code",
                    "'" + info.name + "' has code that is not modelled");
  isl::set all = iterations(loop);
  isl::set starts = all.subtract(oneLater(all, info.step));
  const Statement &statement = model.statements[statementsBelow(node).front()];
  std::vector<SymbolId> coordinates(statement.coordinates.begin(),
                                    statement.coordinates.begin() +
                                        isl_set_dim(all.get(), isl_dim_set));
  Condition isFirst;
  isFirst.kind = Condition::Kind::Zero;
  isFirst.poly = Polynomial::symbol(info.iterator) - info.first;
  std::optional<isl::set> first = toSet(
      model, isl::manage(isl_set_get_space(all.get())), coordinates, isFirst);
  if (!first || !starts.is_subset(*first))
    return refuse("clopt-dependence",
                  "some iterations of '" + info.name + "' do nothing");
  return std::nullopt;
}

//===-- The step ----------------------------------------------------------===//

static void appendTo(ScheduleNode &root, unsigned loop, unsigned statement) {
  ScheduleNode &body = findLoop(root, loop)->children[0];
  body = ScheduleNode::sequence({body, ScheduleNode::leaf(statement)});
}

void Advancer::advance(unsigned loop, const MovingIndex &index,
                       const ExprRef &first) {
  const Loop info = model.loops[loop];
  isl::set all = iterations(loop);
  const Statement consumer =
      model.statements[model.accesses[index.accesses.front().first].statement];
  unsigned count = isl_set_dim(all.get(), isl_dim_set);
  std::vector<SymbolId> inner(consumer.coordinates.begin(),
                              consumer.coordinates.begin() + count);
  std::vector<SymbolId> outer(inner.begin(), inner.end() - 1);
  std::vector<unsigned> loops = consumer.loops, around = consumer.loops;
  around.pop_back();
  unsigned variable = editor.addVariable("at", longType());
  std::vector<std::pair<const Expr *, const Expr *>> copies;
  ExprRef start = substitute(index.expr, info.var, first, copies);
  if (start->type.size < 8)
    start = makeCast(longType(), start, true);
  isl::set before =
      isl::manage(isl_set_project_out(all.copy(), isl_dim_set, count - 1, 1));
  unsigned init = editor.addStatement(editor.makeDeclaration(variable, start),
                                      before, outer, around);
  for (const auto &[copy, old] : copies) {
    if (copy->kind != ExprKind::VarRef)
      continue;
    if (auto read = model.reads.find(old); read != model.reads.end())
      editor.addAccess(init, model.accesses[read->second].array, false, copy);
    if (auto value = model.values.find(old); value != model.values.end())
      model.values[copy] = value->second;
  }
  editor.addAccess(init, variable, true, nullptr);
  model.values[start.get()] = index.value.substitute(info.iterator, info.first);
  // at += stride;
  ExprRef target = editor.nameOf(variable);
  ExprRef add =
      makeAssign(target, amount(*strideOf(index.value, loop)), Op::Add);
  keepValues(start);
  keepValues(add);
  auto stmt = std::make_shared<Stmt>(*makeStatement(add));
  stmt->range = index.expr->range;
  unsigned step = editor.addStatement(stmt, all, inner, loops);
  editor.addAccess(step, variable, false, target.get());
  editor.addAccess(step, variable, true, target.get());
  model.values[target.get()] = index.value;
  for (const auto &[id, distance] : index.accesses) {
    const Access access = model.accesses[id];
    ExprRef name = editor.nameOf(variable), place = name;
    model.values[name.get()] = index.value;
    if (distance != 0)
      place = binary(distance > 0 ? Op::Add : Op::Sub, name,
                     longLiteral(std::abs(distance)));
    model.values[place.get()] = index.value + Polynomial(distance);
    const Expr *old = access.expr->operands[1].get();
    if (result.replacements.count(old))
      continue; // a read and a write of one expression
    editor.addAccess(access.statement, variable, false, name.get(),
                     access.isExact);
    result.replacements[old] = place;
  }
  insertBefore(result.tree, loop, {init});
  appendTo(result.tree, loop, step);
}

StepResult Advancer::run() {
  for (const Statement &statement : model.statements)
    if (statement.stmt)
      forEachExpr(StmtRef(StmtRef(), statement.stmt),
                  [&](const ExprRef &expr) { ++uses[expr.get()]; });
  bool isDone = false;
  for (unsigned loop : loopsBelow(result.tree)) {
    findFixed(loop);
    std::vector<MovingIndex> indices = indicesIn(loop);
    if (indices.empty())
      continue;
    ExprRef first = firstValue(loop);
    StepResult refusal = checkLoop(loop);
    if (!refusal && !first)
      refusal = refuse("clopt-not-profitable",
                       "'" + model.loops[loop].name +
                           "' begins with a value that is computed");
    if (refusal && !firstRefusal)
      firstRefusal = refusal;
    if (refusal)
      continue;
    for (const MovingIndex &index : indices)
      if (amount(*strideOf(index.value, loop))) {
        advance(loop, index, first);
        isDone = true;
      }
  }
  if (isDone)
    return std::nullopt;
  if (firstRefusal)
    return firstRefusal;
  return refuse("clopt-not-profitable",
                "no subscript of '" + model.arrays[array].name +
                    "' moves by an amount that is no constant");
}

StepResult advanceSubscripts(TransformedKernel &kernel, unsigned array) {
  Advancer advancer(kernel, array);
  if (StepResult refusal = advancer.run())
    return refusal;
  kernel = std::move(advancer.result);
  return std::nullopt;
}

} // namespace clopt
