//===- RoundStatements.cpp - loops that go in rounds ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   uint i = get_global_id(0);
//   const uint i_step = get_global_size(0);
//   const uint i_end = i_step <= 4294967295u / 3 && n > 3 * i_step
//                          ? n - 3 * i_step : 0;
//   for (; i < i_end; i += 4 * i_step) {
//       const float a_0 = a[i];
//       const float a_1 = a[i + i_step];
//       ...
//       sum += a_0;
//       sum += a_1;
//       ...
//   }
//   for (; i < n; i += get_global_size(0))
//       sum += a[i];
//
// Integers. i_end is 0, and no round is taken, unless the distance from the
// first to the last iteration of a round fits the type and is less than the
// bound; so i < i_end means i + 3 * i_step < n without wrapping. Variables with
// a sign are compared without: one below zero takes no round.
//
// Together: the first work-item of the group compares for all. i minus the
// local id is the same for them modulo two to the power of the bits, which is
// what is compared; and the end is that of the group's last work-item.
//
// Tested by test/unit/RoundsTest.cpp, test/lit/rounds.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"
#include "Model/MakeTree.h"

#include "Analysis/dependence/StrideLoops.h"

namespace clopt {

namespace {

/// The body of an iteration, with the loads that it is certain to run in
/// variables.
class IterationCopier {
public:
  using MakeVariable =
      std::function<const Variable *(const std::string &, const Type &)>;
  IterationCopier(const TransformedKernel &transformed,
                  const StrideLoop &stride, const StmtRef &body,
                  MakeVariable makeVariable)
      : kernel(transformed), loop(stride), changed(assignmentsIn(body)),
        make(std::move(makeVariable)) {}
  /// One iteration; `at` takes the place of the loop's variable.
  StmtRef copy(const StmtRef &body, const ExprRef &at);
  std::vector<StmtRef> loads; ///< of all iterations so far

private:
  ExprRef replaced(const ExprRef &expr, bool isCertain);
  ExprRef load(const ExprRef &expr);
  void noteValue(const Stmt &declaration);
  ExprRef atStart(const ExprRef &expr, bool isPlace = false) const;
  bool isKept(const Expr &cell) const;
  bool mayChange(const Variable &memory) const;
  bool liesElsewhere(const Variable *array) const;
  StmtRef copyStmt(const StmtRef &stmt, bool isCertain);

  const TransformedKernel &kernel;
  const StrideLoop &loop;
  std::map<const Variable *, unsigned> changed;
  MakeVariable make;
  ExprRef place;
  /// Variables of the iteration, by what they hold, which is known at the start
  /// of the round.
  std::map<const Variable *, ExprRef> values;
};

} // namespace

/// Operators of an address that comes first.
static constexpr unsigned maxAddress = 24;

/// The value in terms of what the iterations do not change; null when it
/// depends on what they compute, or on memory. `isPlace`: of the address of a
/// cell, or a part of one, which may be written as such.
ExprRef IterationCopier::atStart(const ExprRef &expr, bool isPlace) const {
  switch (expr->kind) {
  case ExprKind::VarRef:
    if (auto value = values.find(expr->var); value != values.end())
      return value->second;
    return !changed.count(expr->var) && !expr->var->isFileScope &&
                   !expr->var->addressTaken &&
                   expr->var->space == AddressSpace::Private &&
                   !expr->type.isArray()
               ? expr
               : nullptr;
  case ExprKind::IntLiteral:
  case ExprKind::WorkItem:
  case ExprKind::Opaque: // the variables made here
    return expr;
  case ExprKind::Cast:
    break;
  case ExprKind::Subscript:
  case ExprKind::Member:
    // A load that stays where it is may find what an iteration has written.
    if (!isPlace)
      return nullptr;
    break;
  case ExprKind::Binary:
    if (expr->op > Op::Xor)
      return nullptr;
    isPlace = false;
    break;
  case ExprKind::Unary:
    if (expr->op == Op::AddrOf ? !isPlace : expr->op >= Op::Deref)
      return nullptr;
    isPlace = expr->op == Op::AddrOf;
    break;
  default:
    return nullptr;
  }
  std::vector<ExprRef> operands;
  bool isNew = false;
  for (const ExprRef &operand : expr->operands) {
    operands.push_back(atStart(operand, isPlace && operands.empty()));
    if (!operands.back())
      return nullptr;
    isNew |= operands.back() != operand;
  }
  if (!isNew)
    return expr;
  auto copy = std::make_shared<Expr>(*expr);
  copy->operands = std::move(operands);
  return copy;
}

/// What a variable holds from its declaration on.
void IterationCopier::noteValue(const Stmt &declaration) {
  const Variable *var = declaration.var;
  auto count = changed.find(var);
  if (!declaration.expr || count == changed.end() || count->second != 1 ||
      var->addressTaken || var->space != AddressSpace::Private ||
      !var->type.isScalar() || !var->type.isInteger())
    return;
  const ExprRef value = atStart(declaration.expr);
  if (!value)
    return;
  unsigned size = 0;
  forEachExpr(value, [&](const ExprRef &) { ++size; });
  if (size > maxAddress)
    return;
  Type plain = var->type;
  plain.isConst = false;
  values[var] =
      value->type.scalar == plain.scalar ? value : makeCast(plain, value);
}

/// A tile has the cell, which is known by the author's expression.
bool IterationCopier::isKept(const Expr &cell) const {
  const Access *access = kernel.model->accessOf(cell);
  return access && kernel.tileOf(access->id);
}

/// The iterations write what may be cells of it.
bool IterationCopier::mayChange(const Variable &memory) const {
  return std::any_of(loop.written.begin(), loop.written.end(),
                     [&](const Variable *written) {
                       return !liesApart(*kernel.model, memory, *written);
                     });
}

/// A local array whose cells do not lie as declared.
bool IterationCopier::liesElsewhere(const Variable *array) const {
  return std::any_of(kernel.localLayouts.begin(), kernel.localLayouts.end(),
                     [&](const LocalLayout &layout) {
                       return kernel.model->arrays[layout.array].var == array;
                     });
}

/// A variable in the place of the load, if it can come first.
ExprRef IterationCopier::load(const ExprRef &expr) {
  const bool isCell = (expr->type.isScalar() || expr->type.isVector()) &&
                      !expr->type.isVolatile;
  const Variable *base = isCell ? loadedFrom(*expr) : nullptr;
  if (!base || changed.count(base) || liesElsewhere(base) || mayChange(*base))
    return expr;
  auto first = std::make_shared<Expr>(*expr);
  const size_t place = isVectorLoad(*expr) ? 1 : 0;
  for (size_t i = 0; i < first->operands.size(); ++i) {
    first->operands[i] = atStart(first->operands[i], i == place);
    if (!first->operands[i])
      return expr;
  }
  Type type = expr->type;
  type.isConst = true;
  const Variable *variable = make(base->name + "_at", type);
  loads.push_back(makeDeclaration(variable, first));
  return makeText(variable->name, expr->type);
}

ExprRef IterationCopier::replaced(const ExprRef &expr, bool isCertain) {
  if (!expr || isKept(*expr))
    return expr;
  if (expr->kind == ExprKind::VarRef && expr->var == loop.var)
    return place;
  const bool isChoice = expr->kind == ExprKind::Conditional ||
                        (expr->kind == ExprKind::Binary &&
                         (expr->op == Op::LAnd || expr->op == Op::LOr));
  std::vector<ExprRef> operands;
  bool isNew = false;
  for (size_t i = 0; i < expr->operands.size(); ++i) {
    const ExprRef &operand = expr->operands[i];
    const bool isTarget =
        i == 0 && (changesTarget(*expr) ||
                   (expr->kind == ExprKind::Unary && expr->op == Op::AddrOf));
    ExprRef other =
        replaced(operand, isCertain && !isTarget && (i == 0 || !isChoice));
    isNew |= other != operand;
    operands.push_back(std::move(other));
  }
  ExprRef result = expr;
  if (isNew) {
    auto copy = std::make_shared<Expr>(*expr);
    copy->operands = std::move(operands);
    result = copy;
  }
  return isCertain ? load(result) : result;
}

StmtRef IterationCopier::copyStmt(const StmtRef &stmt, bool isCertain) {
  if (!stmt)
    return stmt;
  auto copy = std::make_shared<Stmt>(*stmt);
  const bool isLoop = stmt->kind == StmtKind::For;
  copy->init = copyStmt(stmt->init, isCertain);
  copy->expr = replaced(stmt->expr, isCertain && !isLoop);
  if (isCertain && stmt->kind == StmtKind::Decl)
    noteValue(*copy);
  copy->inc = replaced(stmt->inc, false);
  copy->body = copyStmt(stmt->body, false);
  copy->elseBody = copyStmt(stmt->elseBody, false);
  for (StmtRef &child : copy->children)
    child = copyStmt(child, isCertain);
  return copy;
}

StmtRef IterationCopier::copy(const StmtRef &body, const ExprRef &at) {
  place = at;
  values.clear();
  return copyStmt(body, true);
}

//===-- The loop ----------------------------------------------------------===//

static Type unsignedOf(const Type &type) {
  return Type::makeScalar(type.size > 4 ? ScalarKind::ULong : ScalarKind::UInt);
}

/// The largest step of which `times` fit the type.
static std::string maxSteps(const Type &type, unsigned times) {
  unsigned bits = type.size > 4 ? 64 : 32;
  uint64_t most = ~uint64_t(0) >> (64 - bits);
  if (!type.isUnsigned())
    most >>= 1;
  return std::to_string(most / times) + (bits == 64 ? "ul" : "u");
}

static ExprRef converted(const Type &type, const ExprRef &expr) {
  return expr->type.scalar == type.scalar ? expr : makeCast(type, expr);
}

static ExprRef timesStep(unsigned count, const ExprRef &step) {
  if (count == 1)
    return step;
  Type plain = Type::makeScalar(ScalarKind::Int);
  return makeBinary(Op::Mul, step->type, makeText(std::to_string(count), plain),
                    step);
}

namespace {

/// The loop as its rounds, and what they leave.
class RoundMaker {
public:
  using MakeVariable = IterationCopier::MakeVariable;
  RoundMaker(const TransformedKernel &transformed, const Stmt &author,
             const BatchedStrideLoop &how, MakeVariable makeVariable)
      : kernel(transformed), stmt(author), rounds(how),
        loop(*readStrideLoop(author)), make(std::move(makeVariable)),
        type(Type::makeScalar(loop.var->type.scalar)),
        positive(unsignedOf(type)) {}
  StmtRef run();

private:
  void begin();
  void addStep();
  void addEnd();
  ExprRef condition() const;
  ExprRef advance() const;
  StmtRef body();

  const TransformedKernel &kernel;
  const Stmt &stmt;
  const BatchedStrideLoop &rounds;
  const StrideLoop loop;
  MakeVariable make;
  /// By its plain name: size_t may be narrower where the text is compiled.
  const Type type;
  const Type positive; ///< the same without a sign
  const Type truth = Type::makeScalar(ScalarKind::Int);
  ExprRef counter, step, end;
  std::vector<StmtRef> lines;
};

} // namespace

void RoundMaker::begin() {
  counter = makeName(loop.var, type);
  if (!loop.first)
    return;
  ExprRef first = withConversions(loop.first);
  lines.push_back(loop.isOwn ? makeDeclaration(loop.var, first)
                             : makeStatement(makeAssign(counter, first)));
}

void RoundMaker::addStep() {
  Type constant = type;
  constant.isConst = true;
  const Variable *variable = make(loop.var->name + "_step", constant);
  step = makeText(variable->name, type);
  lines.push_back(
      makeDeclaration(variable, converted(type, withConversions(loop.step))));
}

/// The value that the first iteration of a round has to stay below.
void RoundMaker::addEnd() {
  const unsigned last = rounds.count - 1;
  const Type &ofStep = loop.step->type;
  const Type wide = unsignedOf(ofStep.size > type.size ? ofStep : type);
  ExprRef reach = timesStep(last, step), bound = withConversions(loop.bound);
  ExprRef size = converted(wide, withConversions(loop.step));
  ExprRef fits = makeBinary(
      Op::LAnd, truth,
      makeBinary(Op::Le, truth, size, makeText(maxSteps(type, last), wide)),
      makeBinary(Op::Gt, truth, bound, reach));
  ExprRef value =
      makeConditional(positive, fits, makeBinary(Op::Sub, type, bound, reach),
                      makeText("0", type));
  const Variable *variable = make(loop.var->name + "_end", positive);
  end = makeText(variable->name, positive);
  lines.push_back(makeDeclaration(variable, value));
  if (rounds.isTogether)
    lines.push_back(makeStatement(
        makeText(variable->name + " -= min(" + variable->name + ", (" +
                     typeName(positive.scalar) + ")get_local_size(0) - 1)",
                 positive)));
}

ExprRef RoundMaker::condition() const {
  ExprRef at = converted(positive, counter);
  if (rounds.isTogether) {
    ExprRef id = makeQuery(WorkItemQuery::LocalId, 0);
    at = makeBinary(Op::Sub, positive, at, converted(positive, id));
  }
  return makeBinary(Op::Lt, truth, at, end);
}

ExprRef RoundMaker::advance() const {
  // A step of more bits wraps as it does in the author's loop.
  bool isWider = loop.step->type.size > type.size && !type.isUnsigned();
  ExprRef added = isWider ? withConversions(loop.step) : step;
  return makeAssign(counter, timesStep(rounds.count, added), Op::Add);
}

/// True for a list of statements that need no scope of their own.
static bool isPlainList(const Stmt &stmt) {
  bool isPlain = stmt.kind == StmtKind::Block;
  for (const StmtRef &child : stmt.children)
    isPlain &= child->kind != StmtKind::Decl && child->kind != StmtKind::Group;
  return isPlain;
}

StmtRef RoundMaker::body() {
  IterationCopier copier(kernel, loop, stmt.body, make);
  std::vector<StmtRef> iterations;
  for (unsigned copy = 0; copy < rounds.count; ++copy) {
    ExprRef place = counter;
    if (copy > 0)
      place = makeBinary(Op::Add, type, counter, timesStep(copy, step));
    iterations.push_back(copier.copy(stmt.body, place));
  }
  std::vector<StmtRef> all = copier.loads;
  for (const StmtRef &iteration : iterations)
    if (isPlainList(*iteration))
      all.insert(all.end(), iteration->children.begin(),
                 iteration->children.end());
    else
      all.push_back(iteration);
  if (rounds.isTogether)
    all.push_back(
        makeStatement(makeText("barrier(CLK_LOCAL_MEM_FENCE)", positive)));
  return makeBlock(std::move(all));
}

StmtRef RoundMaker::run() {
  begin();
  addStep();
  addEnd();
  lines.push_back(makeFor(nullptr, condition(), advance(), body()));
  auto rest = std::make_shared<Stmt>(stmt);
  rest->init = nullptr;
  lines.push_back(rest);
  return makeBlock(std::move(lines));
}

StmtRef BodyWriter::roundForm(const Stmt &stmt,
                              const BatchedStrideLoop &rounds) {
  auto variable = [this](const std::string &name, const Type &type) {
    const Variable *made = makeVariable(name, type.scalar);
    madeVariables.back()->type = type;
    return made;
  };
  return RoundMaker(kernel, stmt, rounds, variable).run();
}

Statement BodyWriter::statementInRounds(const Statement &statement,
                                        unsigned index) {
  const BatchedStrideLoop *rounds = kernel.roundsOf(index);
  if (!rounds)
    return statement;
  Statement result = statement;
  StmtRef form = roundForm(*statement.stmt, *rounds);
  madeStatements.push_back(form);
  result.stmt = form.get();
  return result;
}

} // namespace clopt
