//===- SharedLoopWriter.cpp - loops that work-items share -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lane` is the place of a work-item among those that do one logical work-item:
//
//   if (active) {
//       sum = lane == 0 ? sum : 0.0f;
//       for (long k_at = (long)row_ptr[i] + lane; k_at < row_ptr[i + 1];
//            k_at += 32) {
//           const int k = (int)k_at;
//           sum += ...;
//       }
//       partial_float[item] = sum;
//   }
//   barrier(CLK_LOCAL_MEM_FENCE);
//   ...                                a tree over the lanes
//   if (active)
//       sum = ...;                     now all lanes have it
//
// The counter is wider than the author's variable, which may end near the end
// of its type. Barriers stand in no condition: what only some work-items run is
// put in conditions of its own, between them.
//
// Tested by test/unit/SharedWorkTest.cpp, test/lit/split-reduction.
//
//===----------------------------------------------------------------------===//

#include "Emit/BodyWriterImpl.h"
#include "Emit/SharedWork.h"

#include "Analysis/SharedLoops.h"
#include "Model/ExprPrinter.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

//===-- Who runs what -----------------------------------------------------===//

bool BodyWriter::hasSharedLoop(const EmitNode &node) const {
  if (node.kind == EmitNode::Kind::Statement &&
      (sharedLoopOf(kernel, node.index) ||
       kernel.fencedStatements.count(node.index)))
    return true;
  if (node.kind == EmitNode::Kind::For &&
      node.loopKind == EmitNode::LoopKind::Sequential &&
      findSharedLoop(kernel, node.loop))
    return true;
  return std::any_of(
      node.children.begin(), node.children.end(),
      [this](const EmitNode &child) { return hasSharedLoop(child); });
}

/// True when everything below the node changes memory.
bool BodyWriter::isForOne(const EmitNode &node) const {
  if (node.kind == EmitNode::Kind::Statement)
    return isDoneOnce(kernel, node.index);
  if (node.kind == EmitNode::Kind::Copy) {
    const CopyStatement &copy = kernel.copies[node.index];
    return !copy.isIn && !copy.isFill && !copy.isShift;
  }
  return !node.children.empty() &&
         std::all_of(node.children.begin(), node.children.end(),
                     [this](const EmitNode &child) { return isForOne(child); });
}

/// The nodes have no barrier.
void BodyWriter::emitAlone(const std::vector<const EmitNode *> &nodes,
                           bool byOne, const AstNames &names,
                           std::vector<OutNode> &out) {
  OutNode scope;
  scope.isScope = true;
  scope.lines.push_back("if (" + runs +
                        (byOne ? " && " + shared.shared.lane + " == 0" : "") +
                        ")");
  isAlone = true;
  isByOne = byOne;
  for (const EmitNode *node : nodes)
    emit(*node, names, scope.children);
  isAlone = isByOne = false;
  if (!scope.children.empty())
    out.push_back(std::move(scope));
}

void BodyWriter::emitTogether(const EmitNode &node, const AstNames &names,
                              std::vector<OutNode> &out) {
  if (!hasSharedLoop(node))
    return emitAlone({&node}, isForOne(node), names, out);
  switch (node.kind) {
  case EmitNode::Kind::Block:
    return emitBlockTogether(node, names, out);
  case EmitNode::Kind::If:
    return emitIfTogether(node, names, out);
  case EmitNode::Kind::For:
    if (findSharedLoop(kernel, node.loop))
      return emitSharedLoop(node, names, out);
    if (node.condition && dependsOnItem(node))
      failure = "a barrier in a loop that work-items run differently often";
    return emitNode(node, names, out);
  default:
    if (sharedLoopOf(kernel, node.index))
      return emitSharedStatement(node, names, out);
    out.push_back(sharedBarrier());
    emitAlone({&node}, false, names, out);
    out.push_back(sharedBarrier());
    return;
  }
}

void BodyWriter::emitBlockTogether(const EmitNode &node, const AstNames &names,
                                   std::vector<OutNode> &out) {
  std::vector<const EmitNode *> run;
  bool byOne = false;
  auto finish = [&] {
    if (!run.empty())
      emitAlone(run, byOne, names, out);
    run.clear();
  };
  for (const EmitNode &child : node.children) {
    if (child.kind == EmitNode::Kind::Block || hasSharedLoop(child)) {
      finish();
      emitTogether(child, names, out);
      continue;
    }
    if (!run.empty() && byOne != isForOne(child))
      finish();
    byOne = isForOne(child);
    run.push_back(&child);
  }
  finish();
}

std::string BodyWriter::freshLocal(const std::string &stem) {
  std::string name = stem;
  for (unsigned count = 1; shared.reserved.count(name) || locals.count(name) ||
                           madeNames.count(name);
       ++count)
    name = stem + std::to_string(count);
  madeNames.insert(name);
  return name;
}

void BodyWriter::emitIfTogether(const EmitNode &node, const AstNames &names,
                                std::vector<OutNode> &out) {
  std::string outer = runs;
  PrintedText condition = printAst(*node.condition, names);
  for (size_t branch = 0; branch < node.children.size(); ++branch) {
    std::string test = branch == 0 ? atLeast(condition, PrecEquality)
                                   : "!" + atLeast(condition, PrecPostfix);
    OutNode line;
    std::string name = freshLocal("runs");
    line.lines.push_back("const bool " + name + " = " + outer + " && " + test +
                         ";");
    line.isDeclaration = true;
    out.push_back(std::move(line));
    runs = name;
    emit(node.children[branch], names, out);
    runs = outer;
  }
}

static bool mentions(const isl::ast_expr &expr,
                     const std::vector<std::string> &names) {
  if (isl_ast_expr_get_type(expr.get()) == isl_ast_expr_id) {
    isl::id id = isl::manage(isl_ast_expr_get_id(expr.get()));
    return std::find(names.begin(), names.end(), isl_id_get_name(id.get())) !=
           names.end();
  }
  if (isl_ast_expr_get_type(expr.get()) != isl_ast_expr_op)
    return false;
  int count = isl_ast_expr_get_op_n_arg(expr.get());
  for (int i = 0; i < count; ++i)
    if (mentions(isl::manage(isl_ast_expr_get_op_arg(expr.get(), i)), names))
      return true;
  return false;
}

bool BodyWriter::dependsOnItem(const EmitNode &node) const {
  return mentions(*node.init, baseParameters) ||
         mentions(*node.condition, baseParameters);
}

//===-- Loops of the schedule ---------------------------------------------===//

std::string BodyWriter::laneTimes(int64_t step) const {
  return shared.shared.lane + (step == 1 ? "" : " * " + std::to_string(step));
}

/// The head counts in 64 bits; the first line of the body gives the author's
/// variable its value.
void BodyWriter::openSharedLoop(const EmitNode &node, AstNames &names,
                                OutNode &scope) {
  const Loop &loop = model.loops[node.loop];
  const std::string &name = shared.loops[node.loop];
  std::string counter = freshLocal(name + "_at");
  PrintedText init = printAst(*node.init, names);
  if (node.isDownward)
    init = toForm(*node.init, names).times(-1).print();
  int64_t step = linearize(*node.increment, names)->constant;
  std::string sign = node.isDownward ? " - " : " + ";
  std::string first =
      init.text == "0" && !node.isDownward
          ? laneTimes(step)
          : "(long)" + atLeast(init, PrecUnary) + sign + laneTimes(step);
  names.names[node.iterator] =
      LinearForm::ofTerm(counter, node.isDownward ? -1 : 1);
  names.wideTerms.insert(counter);
  std::string condition = printAst(*node.condition, names).text;
  scope.isScope = true;
  scope.loop = node.loop;
  scope.lines.push_back("for (long " + counter + " = " + first + "; " +
                        condition + "; " + counter +
                        (node.isDownward ? " -= " : " += ") +
                        std::to_string(step * sharedLanes(kernel)) + ")");
  bool isLong = loop.var && loop.var->type.size > 4;
  OutNode value;
  value.lines.push_back(isLong
                            ? "const long " + name + " = " + counter + ";"
                            : "const int " + name + " = (int)" + counter + ";");
  value.isDeclaration = true;
  scope.children.push_back(std::move(value));
  names.names[node.iterator] =
      LinearForm::ofTerm(name, node.isDownward ? -1 : 1);
  if (isLong)
    names.wideTerms.insert(name);
  iterators[loop.iterator] = LinearForm::ofTerm(name);
}

void BodyWriter::emitSharedLoop(const EmitNode &node, AstNames names,
                                std::vector<OutNode> &out) {
  OutNode scope;
  scope.isScope = true;
  if (node.condition) {
    openSharedLoop(node, names, scope);
  } else {
    scope.lines.push_back("if (" + shared.shared.lane + " == 0)");
    LinearForm only = toForm(*node.init, names);
    names.names[node.iterator] = only;
    iterators[model.loops[node.loop].iterator] =
        only.times(node.isDownward ? -1 : 1);
  }
  inShared = findSharedLoop(kernel, node.loop);
  isAlone = true;
  emit(node.children[0], names, scope.children);
  isAlone = false;
  finishShared(std::move(scope), out);
}

//===-- Loops with bounds that depend on data -----------------------------===//

static ExprRef makeText(const std::string &text, const Type &type) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::Opaque;
  expr->text = text;
  expr->type = type;
  return expr;
}

static ExprRef makeCast(const Type &type, const ExprRef &operand) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::Cast;
  expr->type = type;
  expr->operands = {operand};
  return expr;
}

static ExprRef makeBinary(Op op, const Type &type, const ExprRef &first,
                          const ExprRef &second) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::Binary;
  expr->op = op;
  expr->type = type;
  expr->operands = {first, second};
  return expr;
}

static ExprRef makeAssign(const ExprRef &target, const ExprRef &value) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::Assign;
  expr->type = target->type;
  expr->operands = {target, value};
  return expr;
}

/// The expression with the conversions that its place made, where they change
/// the type.
static ExprRef withConversions(const ExprRef &expr) {
  if (expr->kind != ExprKind::Cast || !expr->implicit)
    return expr;
  ExprRef inner = withConversions(expr->operands[0]);
  if (inner->type.isScalar() && inner->type.scalar == expr->type.scalar)
    return inner;
  return makeCast(expr->type, inner);
}

static StmtRef makeDeclaration(const Variable *variable, const ExprRef &value) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::Decl;
  stmt->var = variable;
  stmt->expr = value;
  return stmt;
}

static StmtRef makeBlock(std::vector<StmtRef> children) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::Block;
  stmt->children = std::move(children);
  return stmt;
}

const Variable *BodyWriter::makeVariable(const std::string &stem,
                                         ScalarKind kind) {
  auto variable = std::make_unique<Variable>();
  variable->name = freshLocal(stem);
  variable->type = Type::makeScalar(kind);
  madeVariables.push_back(std::move(variable));
  return madeVariables.back().get();
}

/// The body behind the declaration of the variable; in its own block only where
/// that has another variable of the name.
static StmtRef bodyWith(const StmtRef &declaration, const StmtRef &body) {
  std::vector<StmtRef> lines = {body};
  if (body->kind == StmtKind::Block)
    lines = body->children;
  for (const StmtRef &line : std::vector<StmtRef>(lines))
    forEachStmt(line, [&](const StmtRef &stmt) {
      if (stmt->kind == StmtKind::Decl &&
          stmt->var->name == declaration->var->name)
        lines = {body};
    });
  lines.insert(lines.begin(), declaration);
  return makeBlock(std::move(lines));
}

/// Counts in `long`, which holds all values of the author's variable and of the
/// bound, and what a pass adds.
static StmtRef countInLong(const CountedLoop &loop, const Variable *counter,
                           const std::string &lane, const std::string &advance,
                           const StmtRef &body) {
  const Type wide = counter->type;
  ExprRef at = makeText(counter->name, wide);
  ExprRef first = withConversions(loop.first);
  // The values that are compared: those of an unsigned type, maybe.
  if (loop.bound->type.isUnsigned() && !loop.var->type.isUnsigned())
    first = makeCast(loop.bound->type, first);
  auto head = std::make_shared<Stmt>();
  head->kind = StmtKind::For;
  head->init = makeDeclaration(
      counter, makeBinary(loop.step > 0 ? Op::Add : Op::Sub, wide,
                          makeCast(wide, first), makeText(lane, wide)));
  head->expr = makeBinary(loop.comparison, Type::makeScalar(ScalarKind::Int),
                          at, withConversions(loop.bound));
  head->inc = makeText(counter->name + advance, wide);
  head->body =
      bodyWith(makeDeclaration(loop.var, makeCast(loop.var->type, at)), body);
  return head;
}

/// Counts the distance from the first value, which no 64 bits are too few for.
static StmtRef countDistance(const CountedLoop &loop, const Variable *first,
                             const Variable *end, const Variable *counter,
                             const std::string &lane,
                             const std::string &advance, const StmtRef &body) {
  const Type wide = counter->type;
  const Type truth = Type::makeScalar(ScalarKind::Int);
  ExprRef from = makeText(first->name, first->type);
  ExprRef to = makeText(end->name, end->type);
  ExprRef at = makeText(counter->name, wide);
  bool isUp = loop.step > 0;
  bool isStrict = loop.comparison == Op::Lt || loop.comparison == Op::Gt;
  ExprRef low = makeCast(wide, isUp ? from : to);
  ExprRef high = makeCast(wide, isUp ? to : from);
  auto head = std::make_shared<Stmt>();
  head->kind = StmtKind::For;
  head->init = makeDeclaration(counter, makeText(lane, wide));
  head->expr =
      makeBinary(Op::LAnd, truth, makeBinary(loop.comparison, truth, from, to),
                 makeBinary(isStrict ? Op::Lt : Op::Le, truth, at,
                            makeBinary(Op::Sub, wide, high, low)));
  head->inc = makeText(counter->name + advance, wide);
  ExprRef value =
      makeBinary(isUp ? Op::Add : Op::Sub, wide, makeCast(wide, from), at);
  head->body = bodyWith(
      makeDeclaration(loop.var, makeCast(loop.var->type, value)), body);
  return makeBlock({makeDeclaration(first, withConversions(loop.first)),
                    makeDeclaration(end, withConversions(loop.bound)), head});
}

/// The loop with every `lanes`-th iteration only.
StmtRef BodyWriter::sharedForm(const Stmt &stmt) {
  CountedLoop loop = *readCountedLoop(stmt);
  int64_t size = std::llabs(loop.step);
  const std::string &stem = loop.var->name;
  bool isWide =
      loop.var->type.size > 4 || loop.bound->type.scalar == ScalarKind::ULong;
  std::string advance =
      " += " + std::to_string(size * static_cast<int64_t>(sharedLanes(kernel)));
  StmtRef body = withWrapping(stmt.body);
  StmtRef result;
  if (isWide) {
    const Variable *first =
        makeVariable(stem + "_first", loop.bound->type.scalar);
    const Variable *end = makeVariable(stem + "_end", loop.bound->type.scalar);
    const Variable *counter = makeVariable(stem + "_at", ScalarKind::ULong);
    result = countDistance(loop, first, end, counter, laneTimes(size), advance,
                           body);
  } else {
    if (loop.step < 0)
      advance[1] = '-';
    const Variable *counter = makeVariable(stem + "_at", ScalarKind::Long);
    result = countInLong(loop, counter, laneTimes(size), advance, body);
  }
  if (loop.others.empty())
    return result;
  std::vector<StmtRef> all = loop.others;
  all.push_back(result);
  return makeBlock(std::move(all));
}

void BodyWriter::emitSharedStatement(const EmitNode &node,
                                     const AstNames &names,
                                     std::vector<OutNode> &out) {
  inShared = sharedLoopOf(kernel, node.index);
  Statement statement = model.statements[node.index];
  StmtRef form = sharedForm(*statement.stmt);
  statement.stmt = form.get();
  madeStatements.push_back(form);
  StatementPrinter printer(environment);
  PrintSite site = siteOf(node, statement.coordinates, names);
  std::vector<OutNode> lines;
  addLines(printer.print(statement, site), lines);
  if (!printer.failure().empty() || lines.size() != 1) {
    failure =
        printer.failure().empty() ? "a loop that is shared" : printer.failure();
    return;
  }
  finishShared(std::move(lines[0]), out);
}

//===-- Sums that wrap ----------------------------------------------------===//

/// One work-item's part of a sum may leave the range of a type in which the
/// author's stays; without a sign that is no overflow.
ExprRef BodyWriter::wrappingUpdate(const ExprRef &expr) const {
  if (!inShared || expr->operands.empty())
    return expr;
  const ExprRef &target = expr->operands[0];
  const SharedResult *result = nullptr;
  for (const SharedResult &each : inShared->results)
    if (valueOf(kernel, each.array).isNamedBy(kernel, *target))
      result = &each;
  if (!result || !target->type.isInteger() ||
      (result->operation != Combination::Sum &&
       result->operation != Combination::Product))
    return expr;
  Op op = Op::None;
  Type computed = target->type;
  ExprRef first = target, second;
  if (expr->kind == ExprKind::Unary && expr->op >= Op::PreInc) {
    bool isUp = expr->op == Op::PreInc || expr->op == Op::PostInc;
    op = isUp ? Op::Add : Op::Sub;
    second = makeText("1", Type::makeScalar(ScalarKind::Int));
    if (computed.size < 4)
      computed = Type::makeScalar(ScalarKind::Int);
  } else if (expr->kind == ExprKind::Assign && expr->op != Op::None) {
    op = expr->op;
    computed = expr->computeType;
    second = expr->operands[1];
  } else if (expr->kind == ExprKind::Assign) {
    const Expr *value = expr->operands[1].get();
    while (value->kind == ExprKind::Cast && value->implicit)
      value = value->operands[0].get();
    if (value->kind != ExprKind::Binary)
      return expr;
    op = value->op;
    computed = value->type;
    first = value->operands[0];
    second = value->operands[1];
  }
  if (!second || computed.isUnsigned() || !computed.isInteger())
    return expr;
  Type wrapping = Type::makeScalar(computed.size > 4 ? ScalarKind::ULong
                                                     : ScalarKind::UInt);
  auto without = [&](const ExprRef &operand) {
    return makeCast(wrapping, withConversions(operand));
  };
  return makeAssign(
      target, makeCast(target->type, makeBinary(op, wrapping, without(first),
                                                without(second))));
}

StmtRef BodyWriter::withWrapping(const StmtRef &stmt) const {
  if (!stmt)
    return stmt;
  auto copy = std::make_shared<Stmt>(*stmt);
  bool changed = false;
  auto replace = [&](StmtRef &part) {
    StmtRef other = withWrapping(part);
    changed |= other != part;
    part = other;
  };
  if (stmt->kind == StmtKind::Expr && stmt->expr) {
    copy->expr = wrappingUpdate(stmt->expr);
    changed = copy->expr != stmt->expr;
  }
  replace(copy->init);
  replace(copy->body);
  replace(copy->elseBody);
  for (StmtRef &child : copy->children)
    replace(child);
  return changed ? copy : stmt;
}

/// The statement as it runs within the shared loop that is being written.
Statement BodyWriter::statementInShared(const Statement &statement) {
  Statement result = statement;
  if (!inShared || !statement.stmt)
    return result;
  StmtRef own(StmtRef(), statement.stmt);
  StmtRef wrapped = withWrapping(own);
  if (wrapped != own) {
    madeStatements.push_back(wrapped);
    result.stmt = wrapped.get();
  }
  return result;
}

//===-- Results -----------------------------------------------------------===//

static bool startsNeutral(Combination operation) {
  return operation == Combination::Sum || operation == Combination::Product ||
         operation == Combination::Xor;
}

std::vector<BodyWriter::SharedValue>
BodyWriter::sharedValues(const SharedLoop &loop) const {
  std::vector<SharedValue> values;
  std::map<ScalarKind, unsigned> counts;
  for (const SharedResult &result : loop.results) {
    ScalarKind kind = model.arrays[result.array].elementType.scalar;
    unsigned place = counts[kind]++;
    LoopValue value = valueOf(kernel, result.array);
    for (const auto &[name, local] : locals) {
      bool isOwn =
          value.copy ? local.copy == value.copy : local.variable == value.var;
      if (isOwn)
        values.push_back(
            {name, kind, result.operation, sharedCells(shared, kind, place)});
    }
  }
  return values;
}

/// The values of cells `item`, `item + distance`, ... combined.
std::string
BodyWriter::combinedCells(const SharedValue &value,
                          const std::vector<std::string> &indices) const {
  bool isSigned =
      value.kind == ScalarKind::Int || value.kind == ScalarKind::Long;
  bool wraps = isSigned && (value.operation == Combination::Sum ||
                            value.operation == Combination::Product);
  std::string cast = !wraps                          ? ""
                     : value.kind == ScalarKind::Int ? "(uint)"
                                                     : "(ulong)";
  std::vector<std::string> cells;
  for (const std::string &index : indices)
    cells.push_back(cast + value.cells + "[" + index + "]");
  std::string text = combineValues(value.operation, value.kind, cells);
  return wraps ? "(" + typeName(value.kind) + ")(" + text + ")" : text;
}

static OutNode lineOf(const std::string &text) {
  OutNode node;
  node.lines.push_back(text);
  return node;
}

OutNode BodyWriter::sharedBarrier() const {
  return lineOf(kernel.ordersMemory
                    ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
                    : "barrier(CLK_LOCAL_MEM_FENCE);");
}

/// Cells that one work-item combines at a time.
static constexpr unsigned widestStep = 8;

/// The tree over the lanes, from the cells of all to a value that each has.
void BodyWriter::emitTree(const std::vector<SharedValue> &values,
                          std::vector<OutNode> &out) {
  const SharedNames &own = shared.shared;
  const OutNode barrier = sharedBarrier();
  out.push_back(barrier);
  unsigned left = sharedLanes(kernel);
  while (left > widestStep) {
    // 16 lanes are 4 times 4, not 8 times 2.
    unsigned step = left / widestStep < 4 ? 4 : widestStep;
    unsigned next = left / step;
    OutNode scope;
    scope.isScope = true;
    scope.lines.push_back("if (" + runs + " && " + own.lane + " < " +
                          std::to_string(next) + ")");
    for (const SharedValue &value : values) {
      std::vector<std::string> indices = {own.item};
      for (unsigned i = 1; i < step; ++i)
        indices.push_back(own.item + " + " + std::to_string(i * next));
      scope.children.push_back(lineOf(value.cells + "[" + own.item + "] = " +
                                      combinedCells(value, indices) + ";"));
    }
    out.push_back(std::move(scope));
    out.push_back(barrier);
    left = next;
  }
  OutNode scope;
  scope.isScope = true;
  scope.lines.push_back("if (" + runs + ")");
  std::string first = own.item + " - " + own.lane;
  for (const SharedValue &value : values) {
    std::vector<std::string> indices = {first};
    for (unsigned i = 1; i < left; ++i)
      indices.push_back(first + " + " + std::to_string(i));
    OutNode line =
        lineOf(value.name + " = " + combinedCells(value, indices) + ";");
    line.uses = {value.name};
    scope.children.push_back(std::move(line));
  }
  out.push_back(std::move(scope));
  // Nobody overwrites cells that others still read.
  out.push_back(barrier);
}

void BodyWriter::finishShared(OutNode loop, std::vector<OutNode> &out) {
  std::vector<SharedValue> values = sharedValues(*inShared);
  if (inShared->waits)
    out.push_back(sharedBarrier());
  inShared = nullptr;
  for (const SharedValue &value : values)
    sharedNames.insert(value.name);
  OutNode scope;
  scope.isScope = true;
  scope.lines.push_back("if (" + runs + ")");
  if (!out.empty() && out.back().isScope && out.back().lines == scope.lines) {
    scope = std::move(out.back());
    out.pop_back();
  }
  for (const SharedValue &value : values) {
    if (!startsNeutral(value.operation))
      continue;
    OutNode line = lineOf(
        value.name + " = " + shared.shared.lane + " == 0 ? " + value.name +
        " : " + neutralElement(value.operation, value.kind, value.name) + ";");
    line.uses = {value.name};
    scope.children.push_back(std::move(line));
  }
  scope.children.push_back(std::move(loop));
  for (const SharedValue &value : values) {
    OutNode line = lineOf(value.cells + "[" + shared.shared.item +
                          "] = " + value.name + ";");
    line.uses = {value.name};
    scope.children.push_back(std::move(line));
  }
  out.push_back(std::move(scope));
  emitTree(values, out);
  ++sharedWritten;
}

} // namespace clopt
