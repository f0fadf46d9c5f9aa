//===- WideStatements.cpp - statements over lanes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments, declarations and stores whose values are vectors
// (WidePrinter.cpp prints those), conditional assignments as selects, and the
// copies between arrays and registers. What does not fit is left to printing
// lane by lane.
//
// Tested by test/unit/StatementPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include "Analysis/access/LaneForms.h"
#include "Analysis/access/LanePlanes.h"
#include "Model/Control.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/SaveAndRestore.h>

#include <algorithm>

namespace clopt {

/// The value an assignment stores, converted to the type of its target.
StatementPrinter::MaybeWide
StatementPrinter::assignedValue(const ExprRef &assign) {
  const ExprRef &target = assign->operands[0];
  MaybeWide value = widen(assign->operands[1]);
  if (!value || !isNumber(target->type))
    return std::nullopt;
  if ((assign->op == Op::Add || assign->op == Op::Sub) &&
      hidesProduct(assign->operands[1], target->type.isVector()))
    return std::nullopt;
  ScalarKind kind = target->type.scalar;
  if (assign->op == Op::None)
    return asValue(*value, kind);
  // a op= b computes in the wider type and converts back.
  ScalarKind compute =
      isNumber(assign->computeType) ? assign->computeType.scalar : kind;
  auto converted = [&](Wide from, ScalarKind to) {
    from = asValue(from, from.isMask ? to : from.kind);
    if (from.kind == to)
      return from;
    std::string name =
        from.isVector ? "convert_" + vectorOf(to) : "(" + typeName(to) + ")";
    from.text =
        from.isVector
            ? PrintedText{name + "(" + from.text.text + ")", PrecPostfix}
            : PrintedText{name + atLeast(from.text, PrecUnary), PrecUnary};
    from.kind = to;
    return from;
  };
  MaybeWide old = widen(target);
  if (!old)
    return std::nullopt;
  bool isShift = assign->op == Op::Shl || assign->op == Op::Shr;
  Wide left = converted(*old, compute);
  Wide right =
      isShift && !value->isVector ? *value : converted(*value, compute);
  if (left.isVector && (assign->op == Op::Add || assign->op == Op::Sub))
    right = asTerm(assign->operands[1], right);
  if (!left.isVector && isShift)
    left = *asVector(left, compute);
  int precedence = binaryPrecedence(assign->op);
  Wide result;
  result.isVector = left.isVector || right.isVector;
  result.kind = compute;
  result.text = {
      atLeast(left.text, leftPrecedence(assign->op, assign->operands[0])) +
          " " + operatorText(assign->op) + " " +
          atLeast(right.text, rightPrecedence(assign->op)),
      precedence};
  return converted(result, kind);
}

bool StatementPrinter::printWideStore(const Expr &lvalue, const Wide &value,
                                      PrintedStatement &out) {
  auto write = model.writes.find(&lvalue);
  if (write == model.writes.end() || !lvalue.type.isScalar())
    return false;
  const Access &access = model.accesses[write->second];
  const Array &array = model.arrays[access.array];
  std::optional<Polynomial> laneStride;
  bool isStaged = tileOf(lvalue).has_value();
  if (isStaged)
    laneStride = laneStrideInTile(lvalue);
  else if (access.offset && access.width == 1)
    laneStride = laneStrideOf(*access.offset, access.array);
  else if (access.width == 1)
    laneStride = laneStrideByText(lvalue, access.array);
  std::optional<int64_t> stride =
      laneStride ? laneStride->asConstant() : std::nullopt;
  ScalarKind kind = lvalue.type.scalar;
  if (!isLaneType(lvalue.type) || access.isOrdered ||
      array.space == AddressSpace::Private)
    return false;
  Wide vector = *asVector(value, kind);
  std::string width = std::to_string(lanes());
  bool isPlainElement =
      array.elementType.isScalar() && array.elementType.scalar == kind;
  bool isWhole =
      isPlainElement && stride && *stride == 1 && misalignment(access) == 0u;
  if (isWhole) {
    out.lines.push_back(
        alignedPointer(array, lanes(), false, addressOf(lvalue, 0)) + " = " +
        vector.text.text + ";");
    return true;
  }
  if (isPlainElement && stride && *stride == 1) {
    out.lines.push_back("vstore" + width + "(" + vector.text.text + ", 0, " +
                        vectorAddress(lvalue, false) + ");");
    return true;
  }
  const bool isReversed = isPlainElement && stride && *stride == -1 &&
                          !isStaged &&
                          kernel.registerLayouts.count(access.array);
  if (environment.scattered && !isReversed) {
    *environment.scattered = {vector.text.text, array.name, kind};
    return true;
  }
  const size_t begin = out.lines.size();
  std::string name = freshName("lanes");
  out.lines.push_back("const " + vectorOf(kind) + " " + name + " = " +
                      vector.text.text + ";");
  if (isReversed) {
    std::string reversed;
    for (unsigned lane = lanes(); lane-- > 0;)
      reversed += laneDigit(lane);
    out.lines.push_back("vstore" + width + "(" + name + ".s" + reversed +
                        ", 0, " + vectorAddress(lvalue, false) + " - " +
                        std::to_string(lanes() - 1) + ");");
  } else {
    ExprRef alias(ExprRef(), &lvalue);
    for (unsigned lane = 0; lane < lanes(); ++lane)
      out.lines.push_back(
          printOperand(alias, PrecUnary, hooks(static_cast<int>(lane))) +
          " = " + name + ".s" + laneDigit(lane) + ";");
  }
  putInBraces(out, begin);
  return true;
}

/// What is added to x in `x = x + e`: e.
static const ExprRef *addend(const TransformedKernel &kernel,
                             const ExprRef &assign) {
  const KernelModel &model = *kernel.model;
  if (assign->op != Op::None)
    return &assign->operands[1];
  const ExprRef *value = &assign->operands[1];
  while ((*value)->kind == ExprKind::Cast)
    value = &(*value)->operands[0];
  if ((*value)->kind != ExprKind::Binary)
    return nullptr;
  auto isTarget = [&](const ExprRef &operand) {
    const Expr *at = belowCasts(operand.get());
    auto read = model.reads.find(at);
    auto write = model.writes.find(assign->operands[0].get());
    return read != model.reads.end() && write != model.writes.end() &&
           model.accesses[read->second].array ==
               model.accesses[write->second].array;
  };
  return &(*value)->operands[isTarget((*value)->operands[0]) ? 1 : 0];
}

/// Partial sums may overflow where the whole does not: they are computed
/// without a sign. Nothing when that makes no difference.
std::optional<bool> StatementPrinter::printWrappingAssign(
    const ExprRef &assign, const std::string &name, PrintedStatement &out) {
  const ExprRef &target = assign->operands[0];
  auto write = model.writes.find(target.get());
  ScalarKind kind = target->type.scalar;
  if (write == model.writes.end() ||
      (kind != ScalarKind::Int && kind != ScalarKind::Long))
    return std::nullopt;
  unsigned array = model.accesses[write->second].array;
  const ReductionAccumulator *partial = nullptr;
  for (const ReductionAccumulator &each : kernel.partials)
    if (each.array == array)
      partial = &each;
  if (!partial || (partial->operation != ReductionOp::Sum &&
                   partial->operation != ReductionOp::Product))
    return std::nullopt;
  const ExprRef *operand = addend(kernel, assign);
  const Expr *whole = belowCasts(assign->operands[1].get());
  Op op = assign->op != Op::None ? assign->op : whole->op;
  MaybeWide step = operand ? widen(*operand) : std::nullopt;
  if (!step)
    return false;
  Wide vector = *asVector(*step, kind);
  ScalarKind wrapping =
      kind == ScalarKind::Int ? ScalarKind::UInt : ScalarKind::ULong;
  std::string cast = "as_" + vectorOf(wrapping) + "(";
  out.lines.push_back(name + " = as_" + vectorOf(kind) + "(" + cast + name +
                      ") " + operatorText(op) + " " + cast + vector.text.text +
                      "));");
  return true;
}

/// `s = s + e;`, or `s += e;` where C's `+=` and the vector one mean the same.
std::string StatementPrinter::assignment(const ExprRef &assign,
                                         const std::string &name,
                                         const Wide &value) {
  const ScalarKind kind = assign->operands[0]->type.scalar;
  MaybeWide step = widen(assign->operands[1]);
  if (step && value.isVector &&
      (assign->op == Op::Add || assign->op == Op::Sub))
    step = asTerm(assign->operands[1], *step);
  const bool sameType = assign->op != Op::None && step && !step->isMask &&
                        assign->computeType.scalar == kind &&
                        step->kind == kind;
  if (sameType)
    return name + " " + operatorText(assign->op) + "= " + step->text.text + ";";
  return name + " = " + asVector(value, kind)->text.text + ";";
}

/// Components of a variable that lanes hold so, one after the other; all values
/// before the first is set where they are made of others of the variable.
/// `source`: the assignment, or the value of a declaration.
bool StatementPrinter::printPlanes(const PlanesTarget &target,
                                   const ExprRef &source, const LaneMask &mask,
                                   PrintedStatement &out) {
  if (!source)
    return true;
  const bool isDecl = target.isDeclared;
  const Variable &variable = *target.variable;
  // Each component of the whole is made of itself, but for swizzles.
  bool readsItself = false;
  if (!isDecl && target.components.size() > 1) {
    const bool isWhole = source->operands[0]->kind == ExprKind::VarRef;
    forEachExpr(source->operands[1], [&](const ExprRef &expr) {
      const bool isPart = expr->kind == ExprKind::Swizzle;
      const Expr &of = isPart ? *expr->operands[0] : *expr;
      readsItself |= (isPart || !isWhole) && of.kind == ExprKind::VarRef &&
                     of.var == &variable;
    });
  }
  const ScalarKind kind = variable.type.scalar;
  const size_t begin = out.lines.size();
  std::vector<std::string> sets;
  for (unsigned k = 0; k < target.components.size(); ++k) {
    part = target.components.size() > 1 ? std::optional<unsigned>(k)
                                        : std::nullopt;
    MaybeWide value = isDecl ? widen(source) : assignedValue(source);
    if (!value) {
      part.reset();
      return false;
    }
    const std::string name = planeName(variable, target.components[k]);
    const std::string text = mask ? selected(name, *value, kind, mask)
                                  : asVector(*value, kind)->text.text;
    if (readsItself) {
      const std::string next = freshName("next");
      out.lines.push_back("const " + vectorOf(kind) + " " + next + " = " +
                          text + ";");
      sets.push_back(name + " = " + next + ";");
    } else {
      out.lines.push_back(isDecl || mask ? name + " = " + text + ";"
                                         : assignment(source, name, *value));
    }
    part.reset();
  }
  if (readsItself) {
    out.lines.insert(out.lines.end(), sets.begin(), sets.end());
    putInBraces(out, begin);
  }
  return true;
}

bool StatementPrinter::printWideAssign(const ExprRef &assign,
                                       PrintedStatement &out) {
  const ExprRef &target = assign->operands[0];
  MaybeWide value = assignedValue(assign);
  if (!value)
    return false;
  bool isRegister = copyOfExpr(kernel, *target).has_value();
  bool isVariable = target->kind == ExprKind::VarRef;
  bool isPrivateElement =
      target->kind == ExprKind::Subscript && !isRegister &&
      model.writes.count(target.get()) &&
      model.arrays[model.accesses[model.writes.at(target.get())].array].space ==
          AddressSpace::Private;
  for (const Expr *at = target.get();
       isPrivateElement &&
       (at->kind == ExprKind::Subscript || at->kind == ExprKind::Cast);
       at = at->operands[0].get())
    if (at->kind == ExprKind::Subscript && varies(at->operands[1]))
      return false;
  if (!isRegister && !isVariable && !isPrivateElement)
    return printWideStore(*target, *value, out);
  std::string name = printOperand(target, PrecUnary, hooks(-1));
  if (std::optional<bool> done = printWrappingAssign(assign, name, out))
    return *done;
  out.lines.push_back(assignment(assign, name, *value));
  if (assign->op == Op::None && (isVariable || isRegister))
    out.defines = name;
  return true;
}

bool StatementPrinter::printWideDecl(const StmtRef &stmt,
                                     PrintedStatement &out) {
  if (!stmt->expr)
    return true;
  if (!stmt->var->type.isScalar())
    return false;
  MaybeWide value = widen(stmt->expr);
  if (!value)
    return false;
  std::string name = nameOf(*stmt->var);
  Wide vector = *asVector(*value, stmt->var->type.scalar);
  out.lines.push_back(name + " = " + vector.text.text + ";");
  out.defines = name;
  return true;
}

bool StatementPrinter::printWideHalves(const ExprRef &call,
                                       PrintedStatement &out) {
  const ExprRef &stored = call->operands[0];
  if (!stored->type.isScalar())
    return false;
  MaybeWide value = widen(stored);
  if (!value)
    return false;
  std::optional<std::string> text =
      wideHalves(*call, asVector(*value, stored->type.scalar)->text.text);
  if (text)
    out.lines.push_back(*text + ";");
  return text.has_value();
}

bool StatementPrinter::printWideStatement(const StmtRef &stmt,
                                          PrintedStatement &out) {
  if (std::optional<PlanesTarget> target = planesTarget(stmt))
    return printPlanes(*target, stmt->expr, {}, out);
  switch (stmt->kind) {
  case StmtKind::Decl:
    return printWideDecl(stmt, out);
  case StmtKind::Expr:
    if (stmt->expr->family == CallFamily::StoreHalf)
      return printWideHalves(stmt->expr, out);
    return stmt->expr->kind == ExprKind::Assign &&
           printWideAssign(stmt->expr, out);
  case StmtKind::If:
    if (varies(stmt->expr))
      return printMaskedIf(stmt, {}, out);
    return printTogether(stmt, out);
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    if (const auto distance = environment.divergence->advanceOf(stmt))
      return printAdvancing(stmt, *distance, out);
    if (environment.divergence->ofLoop(stmt) & LaneBit)
      return printMaskedLoop(stmt, {}, out);
    return printTogether(stmt, out);
  case StmtKind::Block:
  case StmtKind::Group:
    return printTogether(stmt, out);
  default:
    return false;
  }
}

//===-- Control that is the same for all lanes
//-------------------------------===//

static bool isControl(const Stmt &stmt) {
  return stmt.kind == StmtKind::Block || stmt.kind == StmtKind::Group ||
         stmt.kind == StmtKind::If || isLoop(stmt);
}

/// A statement of a statement that is printed for all lanes together.
bool StatementPrinter::printPart(const StmtRef &stmt, PrintedStatement &out) {
  if (!stmt || stmt->kind == StmtKind::Null)
    return true;
  if (isControl(*stmt))
    return printWidePart(stmt, out);
  if (stmt->kind == StmtKind::Break || stmt->kind == StmtKind::Continue)
    return printTogether(stmt, out);
  if (stmt->kind != StmtKind::Decl && stmt->kind != StmtKind::Expr)
    return false;
  const bool isWide = (environment.divergence->ofStmt(stmt) & LaneBit) != 0 &&
                      !hasScalarTarget(stmt);
  if (isWide)
    return printWidePart(stmt, out);
  const bool isRegister = stmt->expr && stmt->expr->kind == ExprKind::Assign &&
                          copyOfExpr(kernel, *stmt->expr->operands[0]);
  if (!changesPrivatesAlone(isRegister ? stmt->expr->operands[1] : stmt->expr))
    return false;
  PrintedStatement part;
  if (stmt->kind == StmtKind::Decl && inner.count(stmt->var)) {
    const std::vector<std::string> lines = printStmt(stmt, hooks(0));
    out.lines.insert(out.lines.end(), lines.begin(), lines.end());
    return true;
  }
  if (!printScalarStatement(stmt, part) || !part.list.empty())
    return false;
  out.lines.insert(out.lines.end(), part.lines.begin(), part.lines.end());
  return true;
}

bool StatementPrinter::printWidePart(const StmtRef &stmt,
                                     PrintedStatement &out) {
  PrintedStatement part;
  if (!printWideStatement(stmt, part))
    return false;
  out.lines.insert(out.lines.end(), part.lines.begin(), part.lines.end());
  return true;
}

/// Loops and branches that all lanes take alike, around statements for all of
/// them. Variables that are declared inside, and differ between lanes, are
/// declared in front of it.
bool StatementPrinter::printTogether(const StmtRef &stmt,
                                     PrintedStatement &out) {
  auto uniform = [&](const ExprRef &expr) {
    return printOperand(expr, PrecComma, hooks(0));
  };
  auto all = [&](const StmtRef &list) {
    return printParts(list->children, out);
  };
  auto block = [&](const std::string &head, const StmtRef &body) {
    out.lines.push_back(head + "{");
    const bool done =
        body->kind == StmtKind::Block ? all(body) : printParts({body}, out);
    out.lines.push_back("}");
    return done;
  };
  if (stmt->expr && (varies(stmt->expr) || !changesPrivatesAlone(stmt->expr)))
    return false;
  switch (stmt->kind) {
  case StmtKind::Block:
    return block("", stmt);
  case StmtKind::Group:
    return all(stmt);
  case StmtKind::If:
    return block("if (" + uniform(stmt->expr) + ") ", stmt->body) &&
           (!stmt->elseBody || block("else ", stmt->elseBody));
  case StmtKind::While:
    return block("while (" + uniform(stmt->expr) + ") ", stmt->body);
  case StmtKind::Do:
    if (!block("do ", stmt->body))
      return false;
    out.lines.back() += " while (" + uniform(stmt->expr) + ");";
    return true;
  case StmtKind::For: {
    PrintedStatement init;
    if ((stmt->inc && varies(stmt->inc)) || !changesPrivatesAlone(stmt->inc) ||
        !printPart(stmt->init, init))
      return false;
    const std::string test = stmt->expr ? " " + uniform(stmt->expr) : "";
    const std::string step = stmt->inc ? " " + uniform(stmt->inc) : "";
    const std::string rest = test + ";" + step + ") ";
    if (init.lines.size() <= 1)
      return block("for (" + (init.lines.empty() ? ";" : init.lines[0]) + rest,
                   stmt->body);
    // Several variables have a scope of their own.
    out.lines.push_back("{");
    out.lines.insert(out.lines.end(), init.lines.begin(), init.lines.end());
    const bool done = block("for (;" + rest, stmt->body);
    out.lines.push_back("}");
    return done;
  }
  case StmtKind::Break:
    out.lines.push_back("break;");
    return true;
  case StmtKind::Continue:
    out.lines.push_back("continue;");
    return true;
  default:
    return false;
  }
}

//===-- Conditional assignments as selects
//----------------------------------===//

/// What no lane may do is done where some lane does it.
bool StatementPrinter::isSafeUnderMask(const ExprRef &expr) {
  asksAnyLane |= !isSafeToSpeculate(kernel, expr, madeLoads);
  return isSafeForSome(kernel, *environment.divergence, expr, madeLoads);
}

/// The value where the mask is set, and the variable's own elsewhere.
std::string StatementPrinter::selected(const std::string &name,
                                       const Wide &value, ScalarKind kind,
                                       const LaneMask &mask) {
  Wide condition, old;
  condition.isVector = condition.isMask = true;
  condition.kind = mask.kind;
  condition.text = {mask.name, PrecPrimary};
  old.text = {name, PrecPrimary};
  return select(old, *asVector(value, kind),
                *asMask(condition, signedOfSameSize(kind)));
}

/// Every lane of the mask stores for itself; mostly none does.
bool StatementPrinter::printMaskedStore(const ExprRef &assign,
                                        const LaneMask &mask,
                                        PrintedStatement &out) {
  MaybeWide value = widen(assign->operands[1]);
  if (!value)
    return false;
  std::string name;
  if (value->isVector) {
    const ScalarKind kind = assign->operands[1]->type.scalar;
    name = freshName("lanes");
    out.lines.push_back("const " + vectorOf(kind) + " " + name + " = " +
                        asVector(*value, kind)->text.text + ";");
  }
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    const std::string digit = std::string(".s") + laneDigit(lane);
    out.lines.push_back("if (" + mask.name + digit + ")");
    out.lines.push_back(printOperand(assign->operands[0], PrecUnary,
                                     hooks(static_cast<int>(lane))) +
                        " " + operatorText(assign->op) + "= " +
                        (name.empty() ? value->text.text : name + digit) + ";");
  }
  asksAnyLane = true;
  return true;
}

bool StatementPrinter::printMaskedAssign(const ExprRef &assign,
                                         const LaneMask &mask,
                                         PrintedStatement &out) {
  const ExprRef &target = assign->operands[0];
  if (!dividesSafely(*assign) || !isSafeUnderMask(assign->operands[1]))
    return false;
  if (std::optional<PlanesTarget> planes = planesTarget(*target))
    return printPlanes(*planes, assign, mask, out);
  if (isMaskedStore(kernel, *assign))
    return printMaskedStore(assign, mask, out);
  const bool isVariable =
      target->kind == ExprKind::VarRef && !inner.count(target->var) &&
      environment.divergence->ofVariable(target->var).isVector();
  const bool isRegister = copyOfExpr(kernel, *target) && varies(target);
  if ((!isVariable && !isRegister) || !target->type.isScalar())
    return false;
  MaybeWide value = assignedValue(assign);
  if (!value)
    return false;
  const std::string name = printOperand(target, PrecUnary, hooks(-1));
  out.lines.push_back(name + " = " +
                      selected(name, *value, target->type.scalar, mask) + ";");
  return true;
}

bool StatementPrinter::printMaskedEffect(const ExprRef &expr,
                                         const LaneMask &mask,
                                         PrintedStatement &out) {
  if (expr->op == Op::Comma)
    return printMaskedEffect(expr->operands[0], mask, out) &&
           printMaskedEffect(expr->operands[1], mask, out);
  return expr->kind == ExprKind::Assign && printMaskedAssign(expr, mask, out);
}

bool StatementPrinter::printMaskedIf(const StmtRef &stmt, const LaneMask &outer,
                                     PrintedStatement &out) {
  const size_t begin = out.lines.size();
  const bool isVarying = varies(stmt->expr);
  if (!outer ? !isVarying : !isSafeUnderMask(stmt->expr))
    return false;
  const llvm::SaveAndRestore before(madeLoads);
  llvm::append_range(madeLoads, loadsMadeIn(kernel, stmt));
  if (!isVarying && !leavesOf(stmt).any()) {
    out.lines.push_back("if (" + printOperand(stmt->expr, PrecComma, hooks(0)) +
                        ") {");
    if (!printMasked(stmt->body, outer, out))
      return false;
    if (stmt->elseBody) {
      out.lines.push_back("} else {");
      if (!printMasked(stmt->elseBody, outer, out))
        return false;
    }
    out.lines.push_back("}");
    return true;
  }
  MaybeWide test = widen(stmt->expr);
  if (!test)
    return false;
  const ScalarKind kind = outer ? outer.kind : signedOfSameSize(test->kind);
  test = asMask(*test, kind);
  auto declareMask = [&](const std::string &text, const StmtRef &body) {
    const LaneMask mask{freshName("mask"), kind};
    out.lines.push_back((leavesOf(body).any() ? "" : "const ") +
                        vectorOf(kind) + " " + mask.name + " = " + text + ";");
    return mask;
  };
  auto printBranch = [&](const StmtRef &body, const LaneMask &mask) {
    const auto around = loopMasks;
    if (!around.empty())
      loopMasks.push_back(mask.name);
    const bool done = printForAny(body, mask, out);
    loopMasks = around;
    return done;
  };
  const LaneMask mask = declareMask(under(outer, test->text), stmt->body);
  auto declareOpposite = [&] {
    return declareMask(under(outer, {"~" + mask.name, PrecUnary}),
                       stmt->elseBody);
  };
  // Lanes that leave are gone from the masks.
  LaneMask opposite;
  if (stmt->elseBody && leavesOf(stmt->body).any())
    opposite = declareOpposite();
  if (!printBranch(stmt->body, mask))
    return false;
  if (stmt->elseBody) {
    if (!opposite)
      opposite = declareOpposite();
    if (!printBranch(stmt->elseBody, opposite))
      return false;
  }
  if (!outer)
    putInBraces(out, begin);
  return true;
}

/// The condition, for the lanes of the mask.
std::string StatementPrinter::under(const LaneMask &mask,
                                    const PrintedText &test) const {
  return mask ? mask.name + " & " + atLeast(test, PrecUnary) : test.text;
}

/// Lanes leave a loop, or one iteration of it: no mask around has them then.
/// What stands behind for the same lanes is never come to.
bool StatementPrinter::printMaskedJump(bool leaves, const LaneMask &mask,
                                       PrintedStatement &out) {
  // Under no condition a jump makes no loop.
  if (loopMasks.empty() || mask.name == loopMasks.front())
    return false;
  for (const std::string &around : llvm::drop_begin(loopMasks, leaves ? 0 : 1))
    if (around != mask.name)
      out.lines.push_back(around + " &= ~" + mask.name + ";");
  return true;
}

/// A loop that some lanes leave before others runs until the last has left;
/// those that have keep their values.
bool StatementPrinter::printMaskedLoop(const StmtRef &stmt,
                                       const LaneMask &outer,
                                       PrintedStatement &out) {
  const size_t begin = out.lines.size();
  if (stmt->init && !(outer ? printMasked(stmt->init, outer, out)
                            : printPart(stmt->init, out)))
    return false;
  const Leaves leaves = leavesOf(stmt->body);
  const bool isEndless =
      !stmt->expr ||
      (stmt->expr->kind == ExprKind::IntLiteral && stmt->expr->intValue != 0);
  // What the first test has loaded for all lanes may be loaded again.
  const llvm::SaveAndRestore before(madeLoads);
  const bool isTestedFirst = !isEndless && stmt->kind != StmtKind::Do;
  const MadeLoads own = isTestedFirst ? loadsMadeIn(kernel, stmt) : MadeLoads();
  if (!outer)
    llvm::append_range(madeLoads, own);
  MaybeWide test;
  LaneMask mask{"", outer.kind};
  const bool isAsked = asksAnyLane;
  bool asksForTest = false;
  if (!isEndless) {
    asksAnyLane = false;
    test = isSafeUnderMask(stmt->expr) ? widen(stmt->expr) : std::nullopt;
    if (!test)
      return false;
    asksForTest = asksAnyLane;
    if (!outer)
      mask.kind = signedOfSameSize(test->kind);
    test = asMask(*test, mask.kind);
  }
  mask.name = freshName("mask");
  if (outer)
    llvm::append_range(madeLoads, own);
  const std::string all = "(" + vectorOf(mask.kind) + ")(-1)";
  out.lines.push_back(vectorOf(mask.kind) + " " + mask.name + " = " +
                      (isTestedFirst ? under(outer, test->text)
                       : outer       ? outer.name
                                     : all) +
                      ";");
  out.lines.push_back("while (any(" + mask.name + ")) {");
  // Some lane begins an iteration, but need not be there to its end.
  asksAnyLane = false;
  const auto masksAround = std::exchange(loopMasks, {mask.name});
  LaneMask within = mask;
  if (leaves.byContinue) {
    within.name = freshName("mask");
    loopMasks.push_back(within.name);
    out.lines.push_back(vectorOf(mask.kind) + " " + within.name + " = " +
                        mask.name + ";");
  }
  const bool isBody = printMaskedList(stmt->body, within, out);
  loopMasks = masksAround;
  PrintedStatement step;
  asksAnyLane = asksForTest;
  if (!isBody || (stmt->inc && !printMaskedEffect(stmt->inc, mask, step)))
    return false;
  if (!isEndless)
    step.lines.push_back(mask.name + " &= " + test->text.text + ";");
  const bool mayBeDone = leaves.any() && asksAnyLane;
  if (mayBeDone)
    out.lines.push_back("if (any(" + mask.name + ")) {");
  out.lines.insert(out.lines.end(), step.lines.begin(), step.lines.end());
  if (mayBeDone)
    out.lines.push_back("}");
  out.lines.push_back("}");
  asksAnyLane = isAsked || (isTestedFirst && asksForTest && outer);
  if (!outer)
    putInBraces(out, begin);
  return true;
}

/// Statements behind one in which lanes leave are for those that have not.
bool StatementPrinter::printMaskedList(llvm::ArrayRef<StmtRef> list,
                                       const LaneMask &mask,
                                       PrintedStatement &out) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (!printMasked(list[i], mask, out))
      return false;
    if (!list[i])
      continue;
    if (list[i]->kind == StmtKind::Break || list[i]->kind == StmtKind::Continue)
      return true;
    if (i + 1 < list.size() && leavesOf(list[i]).any())
      return printForAny(list.drop_front(i + 1), mask, out);
  }
  return true;
}

/// What may only be done where some lane does it asks for one.
bool StatementPrinter::printForAny(llvm::ArrayRef<StmtRef> list,
                                   const LaneMask &mask,
                                   PrintedStatement &out) {
  const bool isAsked = std::exchange(asksAnyLane, false);
  PrintedStatement part;
  if (!printMaskedList(list, mask, part))
    return false;
  if (asksAnyLane)
    out.lines.push_back("if (any(" + mask.name + ")) {");
  out.lines.insert(out.lines.end(), part.lines.begin(), part.lines.end());
  if (asksAnyLane)
    out.lines.push_back("}");
  asksAnyLane = isAsked;
  return true;
}

bool StatementPrinter::printMasked(const StmtRef &stmt, const LaneMask &mask,
                                   PrintedStatement &out) {
  if (!stmt || stmt->kind == StmtKind::Null)
    return true;
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group:
    return printMaskedList(stmt->children, mask, out);
  case StmtKind::Break:
  case StmtKind::Continue:
    return printMaskedJump(stmt->kind == StmtKind::Break, mask, out);
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    return printMaskedLoop(stmt, mask, out);
  case StmtKind::Decl:
    // Nobody but the lanes of the mask reads it.
    return (!stmt->expr || isSafeUnderMask(stmt->expr)) &&
           !inner.count(stmt->var) && printPart(stmt, out);
  case StmtKind::Expr:
    return printMaskedEffect(stmt->expr, mask, out);
  case StmtKind::If:
    return printMaskedIf(stmt, mask, out);
  default:
    return false;
  }
}

//===-- Registers of private copies
//-----------------------------------------===//

/// Extents of a variable that was declared as an array of arrays.
static std::vector<int64_t> declaredExtents(const Array &array) {
  std::vector<int64_t> extents;
  if (!array.var || !array.var->type.isArray())
    return extents;
  for (const Type *t = &array.var->type; t->isArray(); t = t->element.get())
    extents.push_back(t->extent);
  return extents;
}

bool hasWideSubscript(const KernelModel &model,
                      const std::vector<unsigned> &accesses) {
  for (unsigned id : accesses) {
    const Expr *expr = model.accesses[id].expr;
    if (!expr || expr->kind != ExprKind::Subscript)
      return true;
    // Rows of an array of arrays are in range by themselves.
    const Expr *base = expr;
    while (base->kind == ExprKind::Subscript) {
      const Type &type = withoutCasts(base->operands[1].get())->type;
      if (type.size > 4 || (type.size == 4 && type.isUnsigned()))
        return true;
      base = withoutCasts(base->operands[0].get());
    }
    if (base->kind != ExprKind::VarRef ||
        base->var != model.arrays[model.accesses[id].array].var)
      return true;
  }
  return false;
}

/// A cell of an array, with as many subscripts as the declaration has.
std::string
StatementPrinter::cellText(const Array &array,
                           const std::vector<Polynomial> &subscripts,
                           const PrintSite &at, bool wide) {
  std::vector<int64_t> extents = declaredExtents(array);
  const std::string name = array.space == AddressSpace::Local && array.var
                               ? localName(*array.var)
                               : startOfElements(array);
  const auto id = static_cast<unsigned>(&array - model.arrays.data());
  const LocalPadding *padding = kernel.paddingOf(id);
  if (extents.size() <= 1) {
    PrintedText index = flatOffset(array, subscripts, at, wide);
    return name + "[" + (padding ? paddedText(*padding, index) : index.text) +
           "]";
  }
  bool matches = extents.size() == subscripts.size();
  for (size_t d = 1; matches && d < extents.size(); ++d)
    matches = array.extents[d] == Polynomial(extents[d]);
  if (!matches) {
    failed = "a cell of '" + array.name + "' in another shape";
    return "";
  }
  std::string text = name;
  std::vector<Polynomial> indices = subscripts;
  if (kernel.layoutOf(id)) {
    text = transposedRows(*array.var, name);
    std::swap(indices[0], indices[1]);
  }
  for (const Polynomial &index : indices)
    text += "[" + polynomial(index, at, wide).text + "]";
  return text;
}

/// Each cell takes the value of its neighbour, those first whose neighbour has
/// not changed yet.
PrintedStatement
StatementPrinter::shiftWindow(unsigned copy, const std::vector<int64_t> &cell) {
  const TileWindow &window = *kernel.tiles[copy].window;
  PrintedStatement out;
  int64_t to = cell[window.dimension];
  if (window.step < 0)
    to = kernel.tiles[copy].cells(kernel) - 1 - to;
  std::string name = copyName(copy);
  out.lines.push_back(name + "[" + std::to_string(to) + "] = " + name + "[" +
                      std::to_string(to + window.step) + "];");
  out.uses = used;
  return out;
}

StatementPrinter::CopiedCell
StatementPrinter::copiedCell(const ArrayTile &copy,
                             const std::vector<int64_t> &cell) const {
  const Array &array = model.arrays[copy.array];
  CopiedCell result;
  for (size_t d = 0; d < copy.base.size(); ++d) {
    result.subscripts.push_back(copy.base[d] + Polynomial(cell[d]));
    if (d > 0)
      result.offset = result.offset * array.extents[d];
    result.offset = result.offset + result.subscripts.back();
  }
  return result;
}

bool StatementPrinter::isVectorCopy(unsigned copy) const {
  return environment.divergence &&
         (environment.divergence->ofCopy(copy) & LaneBit);
}

PrintSite StatementPrinter::atLane(const PrintSite &at, unsigned lane) const {
  PrintSite shifted = at;
  if (lane > 0)
    shifted.coordinates[environment.divergence->axis().symbol].constant +=
        lane * environment.divergence->axis().step;
  return shifted;
}

PrintedStatement
StatementPrinter::printOwnCopy(unsigned copyStatement, const PrintSite &at,
                               const std::vector<int64_t> &cell,
                               const std::string &place) {
  PrintedStatement out;
  site = &at;
  used.clear();
  const CopyStatement &statement = kernel.copies[copyStatement];
  const ArrayTile &copy = kernel.tiles[statement.tile];
  const std::string text =
      cellText(model.arrays[copy.array], copiedCell(copy, cell).subscripts, at,
               hasWideSubscript(model, copy.accesses));
  out.lines.push_back(statement.isIn ? place + " = " + text + ";"
                                     : text + " = " + place + ";");
  out.uses = used;
  return out;
}

bool StatementPrinter::isScattered(unsigned copyStatement, const PrintSite &at,
                                   const std::vector<int64_t> &cell) {
  site = &at;
  const CopyStatement &statement = kernel.copies[copyStatement];
  if (statement.isIn || statement.isShift || !isVectorCopy(statement.tile))
    return false;
  const ArrayTile &copy = kernel.tiles[statement.tile];
  std::optional<Polynomial> laneStride =
      laneStrideOf(copiedCell(copy, cell).offset, copy.array);
  std::optional<int64_t> stride =
      laneStride ? laneStride->asConstant() : std::nullopt;
  return stride != 0 && stride != 1;
}

PrintedStatement StatementPrinter::printStore(const Statement &statement,
                                              const PrintSite &at,
                                              const std::string &value) {
  PrintedStatement out;
  site = &at;
  used.clear();
  inner.clear();
  out.lines.push_back(
      printOperand(statement.stmt->expr->operands[0], PrecUnary, hooks(-1)) +
      " = " + value + ";");
  out.uses = used;
  return out;
}

std::string StatementPrinter::registerText(unsigned copyStatement,
                                           const PrintSite &at,
                                           const std::vector<int64_t> &cell) {
  site = &at;
  used.clear();
  const CopyStatement &statement = kernel.copies[copyStatement];
  const ArrayTile &copy = kernel.tiles[statement.tile];
  return copyCell(statement.tile, copiedCell(copy, cell).subscripts);
}

PrintedStatement StatementPrinter::printCopy(unsigned copyStatement,
                                             const PrintSite &at,
                                             const std::vector<int64_t> &cell) {
  PrintedStatement out;
  site = &at;
  used.clear();
  const CopyStatement &statement = kernel.copies[copyStatement];
  const ArrayTile &copy = kernel.tiles[statement.tile];
  const Array &array = model.arrays[copy.array];
  const auto [offset, subscripts] = copiedCell(copy, cell);
  std::string registers = copyCell(statement.tile, subscripts);
  if (statement.isShift)
    return shiftWindow(statement.tile, cell);
  bool isVector = isVectorCopy(statement.tile);
  std::optional<Polynomial> laneStride =
      isVector ? laneStrideOf(offset, copy.array) : Polynomial(0);
  std::optional<int64_t> stride =
      laneStride ? laneStride->asConstant() : std::nullopt;
  bool wide = hasWideSubscript(model, copy.accesses);
  auto place = [&, &subscripts = subscripts](unsigned lane) {
    return cellText(array, subscripts, atLane(at, lane), wide);
  };
  std::string width = std::to_string(lanes());
  ScalarKind kind = array.elementType.scalar;
  if (!isVector || (laneStride && laneStride->isZero())) {
    out.lines.push_back(statement.isIn ? registers + " = " + place(0) + ";"
                                       : place(0) + " = " + registers + ";");
  } else if (stride && *stride == 1) {
    out.lines.push_back(
        statement.isIn
            ? registers + " = vload" + width + "(0, &" + place(0) + ");"
            : "vstore" + width + "(" + registers + ", 0, &" + place(0) + ");");
  } else if (statement.isIn) {
    std::string text = registers + " = (" + vectorOf(kind) + ")(";
    for (unsigned lane = 0; lane < lanes(); ++lane)
      text += (lane ? ", " : "") + place(lane);
    out.lines.push_back(text + ");");
  } else {
    for (unsigned lane = 0; lane < lanes(); ++lane)
      out.lines.push_back(place(lane) + " = " + registers + ".s" +
                          laneDigit(lane) + ";");
  }
  if (statement.isIn && copy.cells(kernel) == 1)
    out.defines = registers;
  out.uses = used;
  return out;
}

} // namespace clopt
