//===- StatementPrinter.cpp - scalar text and statements ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar text comes from ExprPrinter with hooks that put coordinates, registers
// and lanes in place of the author's ids, array cells and variables. Vector
// expressions are in WidePrinter.cpp.
//
// Tested by test/unit/StatementPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include "Analysis/access/CellPart.h"
#include "Analysis/dependence/Dependences.h"
#include "Emit/lower/Lowering.h"

#include <algorithm>

namespace clopt {

unsigned StatementPrinter::lanes() const {
  return environment.divergence ? environment.divergence->axis().lanes : 1;
}

bool StatementPrinter::varies(const ExprRef &expr) const {
  return lanes() > 1 && (environment.divergence->ofExpr(expr) & LaneBit);
}

//===-- Scalar text
//---------------------------------------------------------===//

/// No term of the text has another type than `int`.
bool StatementPrinter::isIntText(const Polynomial &poly) const {
  for (SymbolId id : poly.symbols()) {
    const Symbol &symbol = model.symbols[id];
    bool isInt = symbol.kind == SymbolKind::Param && symbol.var &&
                 symbol.var->type.scalar <= ScalarKind::Int;
    if (!isInt)
      return false;
  }
  return true;
}

LinearForm StatementPrinter::advanceBy(const Polynomial &laneStride,
                                       int64_t lane, bool wide) {
  if (std::optional<int64_t> constant = laneStride.asConstant())
    return LinearForm(*constant * lane);
  PrintedText text = polynomial(laneStride, *site, wide);
  return LinearForm::ofTerm(atLeast(text, PrecUnary), lane);
}

/// What makes a number one of the type.
static const char *literalSuffix(const Type &type) {
  if (type.size > 4)
    return type.isUnsigned() ? "UL" : "L";
  return type.size == 4 && type.isUnsigned() ? "U" : "";
}

/// The coordinate, whose terms the text is going to have.
const LinearForm &StatementPrinter::mention(const LinearForm &form) {
  form.addNames(used);
  return form;
}

LinearForm StatementPrinter::coordinateAt(SymbolId symbol, int lane) {
  LinearForm form = mention(site->coordinates.at(symbol));
  if (lane > 0 && environment.divergence &&
      environment.divergence->axis().symbol == symbol)
    form.constant += lane * environment.divergence->axis().step;
  return form;
}

/// Overloads and conversions ask for the type of the author's variable.
bool StatementPrinter::isWide(const LinearForm &form) const {
  return llvm::any_of(form.terms, [&](const PrintedTerm &term) {
    return term.isLong || environment.wideIterators.count(term.text) > 0;
  });
}

PrintedText StatementPrinter::coordinateText(SymbolId symbol, int lane,
                                             const Type &type,
                                             const Expr *use) {
  const LinearForm form = coordinateAt(symbol, lane);
  PrintedText text = form.print();
  // Computed coordinates are signed, and numbers of type `int`; the author's
  // arithmetic may be neither.
  if (form.isConstant()) {
    if (!use || !isTypeless(*use))
      text.text += literalSuffix(type);
    return text;
  }
  const bool isConverted = use && typeless.count(use);
  const bool isWider = type.size <= 4 && !isConverted && isWide(form);
  if (type.isUnsigned() || isWider)
    return {"(" + type.spelling + ")" + atLeast(text, PrecUnary), PrecUnary};
  return text;
}

/// The operands of the expression whose types make no difference to it: values
/// are converted, or another operand has the type already.
void StatementPrinter::noteTypeless(const Expr &expr) {
  auto note = [this](const ExprRef &operand) {
    typeless.insert(withoutCasts(operand.get()));
  };
  auto hasTypeOf = [this](const Expr &other, const Expr &operand) {
    const bool isNumber =
        other.kind == ExprKind::VarRef && coordinateOf(other.var);
    return !isNumber && other.type.isScalar() &&
           other.type.scalar == operand.type.scalar;
  };
  switch (expr.kind) {
  case ExprKind::Subscript:
    return note(expr.operands[1]);
  case ExprKind::Cast:
    if (!expr.implicit && expr.type.isScalar())
      note(expr.operands[0]);
    return;
  case ExprKind::Assign:
    if (expr.op == Op::None || expr.op == Op::Shl || expr.op == Op::Shr)
      return note(expr.operands[1]);
    break;
  case ExprKind::Binary:
    if (expr.op == Op::LAnd || expr.op == Op::LOr)
      note(expr.operands[0]);
    if (expr.op == Op::LAnd || expr.op == Op::LOr || expr.op == Op::Shl ||
        expr.op == Op::Shr)
      return note(expr.operands[1]);
    break;
  default:
    return;
  }
  const Expr &left = *withoutCasts(expr.operands[0].get());
  const Expr &right = *withoutCasts(expr.operands[1].get());
  if (expr.op == Op::Comma)
    return;
  if (hasTypeOf(right, left))
    balanced.insert(&left);
  if (hasTypeOf(left, right))
    balanced.insert(&right);
}

std::optional<PrintedText> StatementPrinter::copyText(const Expr &expr,
                                                      int lane) {
  std::optional<unsigned> copy = copyOfExpr(kernel, expr);
  if (!copy)
    return std::nullopt;
  if (environment.ofPoint)
    if (std::optional<PrintedText> value = environment.ofPoint(expr))
      return value;
  const auto &table = model.reads.count(&expr) ? model.reads : model.writes;
  const Access &access = model.accesses[table.at(&expr)];
  std::string text = copyCell(*copy, access.subscripts) +
                     partOfCell(expr).value_or(CellPart()).text;
  bool isVector = environment.divergence &&
                  (environment.divergence->ofCopy(*copy) & LaneBit);
  if (isVector && lane >= 0)
    text += ".s" + std::string(1, "0123456789abcdef"[lane]);
  return PrintedText{text, PrecPostfix};
}

/// Coordinate a variable stands for at this site: loop variables and variables
/// that hold a global id and nothing else.
std::optional<SymbolId>
StatementPrinter::coordinateOf(const Variable *variable) const {
  auto range = environment.coordinateVariables.equal_range(variable);
  for (auto it = range.first; it != range.second; ++it)
    if (site->coordinates.count(it->second))
      return it->second;
  return std::nullopt;
}

std::optional<PrintedText> StatementPrinter::variableText(const Expr &expr,
                                                          int lane) {
  const Variable &variable = *expr.var;
  if (inner.count(&variable))
    return std::nullopt;
  if (environment.groupVariables.count(&variable))
    failed = "an id that has no counterpart among virtual work-items";
  if (auto symbol = coordinateOf(&variable)) {
    auto value = model.values.find(&expr);
    if (value == model.values.end() ||
        value->second == Polynomial::symbol(*symbol))
      return coordinateText(*symbol, lane, variable.type, &expr);
  }
  if (environment.ofPoint)
    if (std::optional<PrintedText> value = environment.ofPoint(expr))
      return value;
  if (!environment.divergence)
    return PrintedText{nameOf(variable), PrecPrimary};
  const VariableDivergence &known =
      environment.divergence->ofVariable(&variable);
  if (lane >= 0 && isPlanes(variable))
    return PrintedText{wholeOfLane(variable, static_cast<unsigned>(lane)),
                       PrecPostfix};
  std::string name = nameOf(variable);
  if (lane < 0 && hasLaneCells(variable))
    failed = "'" + variable.name + "' of all lanes, which has one for each";
  if (!(known.mask & LaneBit) || lane < 0 || (lane == 0 && known.laneStride))
    return PrintedText{name, PrecPrimary};
  if (known.isVector()) {
    if (variable.type.isArray())
      return PrintedText{name, PrecPrimary};
    return PrintedText{name + lanePlace(variable, static_cast<unsigned>(lane)),
                       PrecPostfix};
  }
  bool isWide = variable.type.isPointer() || variable.type.size > 4;
  bool isOneName = lane == 1 && isPlainTerm(*known.laneStride);
  LinearForm form = LinearForm::ofTerm(name) +
                    advanceBy(*known.laneStride, lane, isWide && !isOneName);
  if (isWide || isIntText(*known.laneStride))
    return form.print();
  return PrintedText{"(" + typeName(variable.type.scalar) + ")" +
                         atLeast(form.print(), PrecUnary),
                     PrecUnary};
}

/// Far more than subscripts add, and less than guards keep ids and iterators
/// from the ends of `int`.
static constexpr int64_t largestShift = 1024;

static bool isIntSum(const Expr &expr, Op op) {
  return expr.kind == ExprKind::Binary && expr.op == op &&
         expr.type.isScalar() && expr.type.scalar == ScalarKind::Int;
}

/// `a + x + 1` where x is `x0 + 2` here: `a + x0 + 3`. The author's name or
/// macro stays where it stands for itself.
std::optional<PrintedText> StatementPrinter::shiftedText(const Expr &expr,
                                                         int lane) {
  if (!isIntSum(expr, Op::Add) && !isIntSum(expr, Op::Sub))
    return std::nullopt;
  const Expr *sum = &expr;
  int64_t shift = 0;
  if (const Expr &last = *expr.operands[1]; last.kind == ExprKind::IntLiteral &&
                                            last.macro.empty() &&
                                            last.intValue <= largestShift) {
    shift = expr.op == Op::Add ? last.intValue : -last.intValue;
    sum = expr.operands[0].get();
  }
  ExprRef rest;
  if (isIntSum(*sum, Op::Add)) {
    rest = sum->operands[0];
    sum = sum->operands[1].get();
  }
  // What else stands for a part of the sum is printed in its place.
  for (const Expr *part : {expr.operands[0].get(), expr.operands[1].get(), sum})
    if (kernel.replacements.count(part))
      return std::nullopt;
  if (sum == &expr || sum->kind != ExprKind::VarRef ||
      sum->type.scalar != ScalarKind::Int || inner.count(sum->var) ||
      environment.groupVariables.count(sum->var))
    return std::nullopt;
  const std::optional<SymbolId> symbol = coordinateOf(sum->var);
  auto value = model.values.find(sum);
  if (!symbol || (value != model.values.end() &&
                  value->second != Polynomial::symbol(*symbol)))
    return std::nullopt;
  LinearForm form = coordinateAt(*symbol, lane);
  const bool isPlain = form.terms.size() == 1 && form.terms[0].factor == 1;
  if (isWide(form))
    return std::nullopt;
  if ((form.constant == 0 || !isPlain) && !form.isConstant())
    return std::nullopt;
  form.constant += shift;
  if (!rest)
    return form.print();
  const std::string first =
      printOperand(rest, leftPrecedence(Op::Add, rest), hooks(lane));
  if (form.isConstant() && form.constant == 0)
    return scalar(rest, lane);
  if (form.isConstant() && form.constant < 0)
    return PrintedText{first + " - " + std::to_string(-form.constant),
                       PrecAdditive};
  return PrintedText{first + " + " + form.print().text, PrecAdditive};
}

/// The operand that stands for an expression, in as few parentheses as it
/// needs.
PrintedText StatementPrinter::chosenOperand(const ExprRef &operand, int lane) {
  PrintedText text = scalar(operand, lane);
  PrintHooks own = hooks(lane);
  for (int precedence : {PrecMultiplicative, PrecAdditive})
    if (text.precedence == PrecComma &&
        printOperand(operand, precedence, own) == text.text)
      text.precedence = precedence;
  return text;
}

/// True for `mul24(2, 4)` and `mad24(2, 4, j)`, once an iterator is a number:
/// the author's form of it is shorter.
bool StatementPrinter::isProductOfNumbers(const Expr &expr, int lane) {
  return expr.kind == ExprKind::Call &&
         (expr.text == "mul24" || expr.text == "mad24") &&
         asNumber(scalar(expr.operands[0], lane).text) &&
         asNumber(scalar(expr.operands[1], lane).text);
}

/// `index + (index >> 5)`, for arrays with a free cell after every 32;
/// `index + index / 96` where that is no power of two.
std::string StatementPrinter::paddedText(const LocalPadding &padding,
                                         const PrintedText &index) {
  if (std::optional<int64_t> place = asNumber(index.text))
    return std::to_string(*place + *place / padding.every * padding.count);
  unsigned shift = 0;
  while (int64_t(1) << shift < padding.every)
    ++shift;
  bool isPower = int64_t(1) << shift == padding.every;
  std::string gaps = atLeast(index, PrecUnary) +
                     (isPower ? " >> " + std::to_string(shift)
                              : " / " + std::to_string(padding.every));
  if (isPower || padding.count > 1)
    gaps = "(" + gaps + ")";
  if (padding.count > 1)
    gaps += " * " + std::to_string(padding.count);
  return atLeast(index, PrecAdditive) + " + " + gaps;
}

std::optional<PrintedText> StatementPrinter::paddedCell(const Expr &expr,
                                                        int lane) {
  if (expr.kind != ExprKind::Subscript || kernel.paddings.empty())
    return std::nullopt;
  const Expr *base = withoutCasts(expr.operands[0].get());
  if (base->kind != ExprKind::VarRef)
    return std::nullopt;
  for (const LocalPadding &padding : kernel.paddings) {
    if (padding.every == 0 || model.arrays[padding.array].var != base->var)
      continue;
    return PrintedText{nameOf(*base->var) + "[" +
                           paddedText(padding, scalar(expr.operands[1], lane)) +
                           "]",
                       PrecPostfix};
  }
  return std::nullopt;
}

/// The variable of one component that lanes hold as a vector.
const Variable *StatementPrinter::planesOf(const Expr &expr) const {
  if (expr.kind != ExprKind::Swizzle || expr.components.size() != 1)
    return nullptr;
  const Expr &vector = *expr.operands[0];
  return vector.kind == ExprKind::VarRef && !inner.count(vector.var) &&
                 isPlanes(*vector.var)
             ? vector.var
             : nullptr;
}

std::optional<PrintedText> StatementPrinter::replaceExpr(const Expr &expr,
                                                         int lane) {
  noteTypeless(expr);
  // As text the whole of a lane is a value, and what is assigned to it lost.
  if (lane >= 0 && changesTarget(expr) && !planesOf(*expr.operands[0]) &&
      planesTarget(*expr.operands[0]))
    failed = "an assignment to a vector of which lanes hold components";
  if (auto call = environment.uniformCalls.find(&expr);
      call != environment.uniformCalls.end())
    return PrintedText{call->second, PrecPrimary};
  if (auto operand = kernel.replacements.find(&expr);
      operand != kernel.replacements.end() &&
      !isProductOfNumbers(*operand->second, lane))
    return chosenOperand(operand->second, lane);
  if (std::optional<PrintedText> cell = copyText(expr, lane))
    return cell;
  if (std::optional<PrintedText> cell = laidOutCell(expr, lane))
    return cell;
  if (std::optional<PrintedText> value = convertedText(expr, lane))
    return value;
  if (std::optional<PrintedText> value = collected(expr, lane))
    return value;
  if (std::optional<PrintedText> cell = tileText(expr, lane))
    return cell;
  if (std::optional<PrintedText> cell = paddedCell(expr, lane))
    return cell;
  if (std::optional<PrintedText> cell = rowCell(expr, lane))
    return cell;
  if (expr.kind == ExprKind::VarRef && expr.var)
    return variableText(expr, lane);
  if (const Variable *planes = planesOf(expr); planes && lane >= 0)
    return PrintedText{planeName(*planes, expr.components[0]) + ".s" +
                           laneDigit(static_cast<unsigned>(lane)),
                       PrecPostfix};
  if (std::optional<PrintedText> sum = shiftedText(expr, lane))
    return sum;
  // An element of a private array, which may have become one of vectors.
  if (expr.kind == ExprKind::Subscript) {
    const Expr *base = &expr;
    while (base->kind == ExprKind::Subscript || base->kind == ExprKind::Cast)
      base = base->operands[0].get();
    const bool isElement = base->kind == ExprKind::VarRef &&
                           base->var->type.isArray() &&
                           base->var->space == AddressSpace::Private &&
                           expr.type.isScalar() && !inner.count(base->var);
    if (isElement && environment.ofPoint)
      if (std::optional<PrintedText> value = environment.ofPoint(expr))
        return value;
    if (isElement && lane >= 0 && environment.divergence &&
        environment.divergence->ofVariable(base->var).isVector()) {
      std::string text =
          printOperand(expr.operands[0], PrecPostfix, hooks(lane)) + "[" +
          printExpr(expr.operands[1], hooks(lane)) + "].s" +
          "0123456789abcdef"[lane];
      return PrintedText{text, PrecPostfix};
    }
  }
  if (const std::optional<SymbolId> id = flatIdOf(expr))
    return coordinateText(*id, lane, expr.type);
  if (!environment.isVirtual || expr.kind != ExprKind::WorkItem)
    return std::nullopt;
  if (kernel.keepsGroups())
    return ownGroupText(expr, lane);
  if (expr.query == WorkItemQuery::GlobalId)
    if (auto id = model.symbols.find(SymbolKind::GlobalId, expr.dim)) {
      PrintedText text =
          coordinateText(*id, lane, Type::makeScalar(ScalarKind::Int));
      return PrintedText{"(size_t)" + atLeast(text, PrecUnary), PrecUnary};
    }
  if (expr.query == WorkItemQuery::LocalId ||
      expr.query == WorkItemQuery::GroupId ||
      expr.query == WorkItemQuery::GlobalLinearId ||
      expr.query == WorkItemQuery::LocalLinearId)
    failed = "an id that has no counterpart among virtual work-items";
  return PrintedText{launchText(expr.query, expr.dim), PrecPostfix};
}

/// The id that the expression is, as an `int`: those of flat launches fit.
std::optional<SymbolId> StatementPrinter::flatIdOf(const Expr &expr) const {
  if (!model.ndrange.isFlat() || expr.kind != ExprKind::Cast ||
      !expr.type.isScalar() || expr.type.scalar != ScalarKind::Int ||
      expr.operands[0]->kind != ExprKind::WorkItem)
    return std::nullopt;
  return model.symbols.find(SymbolKind::GlobalId, expr.operands[0]->dim);
}

/// Ids within groups are those of the launch, ids of groups are not.
std::optional<PrintedText> StatementPrinter::ownGroupText(const Expr &expr,
                                                          int lane) {
  if (expr.query == WorkItemQuery::GlobalLinearId ||
      (expr.query == WorkItemQuery::LocalLinearId && kernel.hasGroupLanes())) {
    failed = "a linear id of groups that are taken together";
    return std::nullopt;
  }
  if (expr.dim >= 3 || kernel.work[expr.dim].total() == 1)
    return std::nullopt;
  if (kernel.work[expr.dim].lanes > 1)
    return laneInGroup(expr, lane);
  auto id = model.symbols.find(SymbolKind::GroupId, expr.dim);
  bool isGlobal = expr.query == WorkItemQuery::GlobalId;
  if (!id || (!isGlobal && expr.query != WorkItemQuery::GroupId))
    return std::nullopt;
  std::string group =
      "(size_t)" +
      atLeast(mention(site->coordinates.at(*id)).print(), PrecUnary);
  if (!isGlobal)
    return PrintedText{group, PrecUnary};
  unsigned d = expr.dim;
  return PrintedText{group + " * " +
                         printWorkItem(WorkItemQuery::LocalSize, d) + " + " +
                         printWorkItem(WorkItemQuery::LocalId, d) + " + " +
                         printWorkItem(WorkItemQuery::GlobalOffset, d),
                     PrecAdditive};
}

/// Ids of lanes lie side by side, in groups of the launch.
std::optional<PrintedText> StatementPrinter::laneInGroup(const Expr &expr,
                                                         int lane) {
  const auto id = model.symbols.find(SymbolKind::LocalId, expr.dim);
  const bool isLocal = expr.query == WorkItemQuery::LocalId;
  if (!id || (!isLocal && expr.query != WorkItemQuery::GlobalId))
    return std::nullopt;
  if (!isLocal && lane <= 0)
    return std::nullopt;
  if (!isLocal)
    return PrintedText{printWorkItem(expr.query, expr.dim) + " + " +
                           std::to_string(lane),
                       PrecAdditive};
  const PrintedText text =
      coordinateText(*id, lane, Type::makeScalar(ScalarKind::Int));
  return PrintedText{"(size_t)" + atLeast(text, PrecUnary), PrecUnary};
}

std::string StatementPrinter::valueText(const Expr &expr, const PrintSite &at,
                                        int lane) {
  site = &at;
  used.clear();
  inner.clear();
  return scalar(ExprRef(ExprRef(), &expr), lane).text;
}

std::vector<std::string> StatementPrinter::setValue(const Expr &expr,
                                                    const PrintSite &at,
                                                    int lane,
                                                    const std::string &value) {
  const bool isWhole =
      lane >= 0 && expr.kind == ExprKind::VarRef && isPlanes(*expr.var);
  if (!isWhole)
    return {valueText(expr, at, lane) + " = " + value + ";"};
  site = &at;
  std::vector<std::string> lines;
  for (unsigned c = 0; c < expr.type.lanes; ++c)
    lines.push_back(planeName(*expr.var, c) + ".s" +
                    laneDigit(static_cast<unsigned>(lane)) + " = " + value +
                    "." + componentName(expr.type, c) + ";");
  return lines;
}

PrintHooks StatementPrinter::hooks(int lane) {
  PrintHooks result;
  result.expr = [this, lane](const Expr &expr) -> std::optional<PrintedText> {
    // An expression of group and local ids whose value is known otherwise.
    if ((environment.isVirtual || kernel.ownModel) && !kernel.keepsGroups() &&
        expr.kind != ExprKind::VarRef && expr.type.isInteger()) {
      auto value = model.values.find(&expr);
      ExprRef alias(ExprRef(), &expr);
      // Parts of a choice have a value of their own. Groups are counted in
      // 64 bits, and printed where nothing else is there.
      auto isNamed = [&](SymbolId id) {
        const SymbolKind kind = model.symbols[id].kind;
        const bool isOfGroup =
            kind == SymbolKind::GroupId || kind == SymbolKind::LocalId;
        return (site->coordinates.count(id) &&
                (environment.isVirtual || !isOfGroup)) ||
               isParameter(model.symbols[id]);
      };
      if (value != model.values.end() && asksForGroupIds(alias) &&
          isSideEffectFree(alias) &&
          llvm::all_of(value->second.symbols(), isNamed)) {
        PrintSite shifted = *site;
        if (lane > 0)
          shifted.coordinates[environment.divergence->axis().symbol].constant +=
              lane * environment.divergence->axis().step;
        bool wide = expr.type.size > 4 && value->second.symbols().size() > 1;
        PrintedText text = polynomial(value->second, shifted, wide);
        // The polynomial is printed as `int`.
        if (isTypeless(expr) || !*literalSuffix(expr.type))
          return text;
        return PrintedText{"(" + typeName(expr.type.scalar) + ")" +
                               atLeast(text, PrecUnary),
                           PrecUnary};
      }
    }
    return replaceExpr(expr, lane);
  };
  return result;
}

PrintedText StatementPrinter::scalar(const ExprRef &expr, int lane) {
  PrintHooks own = hooks(lane);
  if (std::optional<PrintedText> whole = own.expr(*expr))
    return *whole;
  std::string text = printExpr(expr, own);
  // A conversion that C would do by context stands here on its own.
  if (expr->kind == ExprKind::Cast && expr->implicit &&
      (expr->type.isScalar()) &&
      expr->operands[0]->type.scalar != expr->type.scalar) {
    std::string operand = printOperand(expr->operands[0], PrecUnary, own);
    return {"(" + typeName(expr->type.scalar) + ")" + operand, PrecUnary};
  }
  int precedence = PrecPrimary;
  if (printOperand(expr, PrecPrimary, own) != text)
    precedence =
        printOperand(expr, PrecUnary, own) != text ? PrecComma : PrecUnary;
  return {text, precedence};
}

//===-- Statements
//----------------------------------------------------------===//

/// PrintedStatement::computes
std::string StatementPrinter::computedBy(const StmtRef &stmt) {
  // The values of all points are one.
  if (environment.ofPoint)
    return "";
  const Variable *variable = nullptr;
  ExprRef value;
  if (stmt->kind == StmtKind::Decl) {
    variable = stmt->var;
    value = stmt->expr;
  } else if (stmt->kind == StmtKind::Expr) {
    const Expr &expr = *stmt->expr;
    if (changesTarget(expr) && expr.operands[0]->kind == ExprKind::VarRef)
      variable = expr.operands[0]->var;
    if (expr.kind == ExprKind::Assign)
      value = expr.operands[1];
  }
  const bool isOwn = variable && !variable->isParam && !variable->isFileScope &&
                     variable->space == AddressSpace::Private &&
                     !variable->type.isVolatile && !variable->addressTaken &&
                     !inner.count(variable) &&
                     !environment.tables.count(variable);
  if (!isOwn || (value && !isSideEffectFree(value)))
    return "";
  const bool isPlain = variable->type.isScalar() ||
                       variable->type.isPointer() || variable->type.isVector();
  if (!isPlain || isPlanes(*variable))
    return "";
  return namePartsOf(*variable).first;
}

/// Statements that only give a coordinate a second name are left out; its uses
/// print the coordinate.
bool StatementPrinter::printScalarStatement(const StmtRef &stmt,
                                            PrintedStatement &out) {
  if (stmt->kind == StmtKind::Decl) {
    if (!stmt->expr || environment.tables.count(stmt->var))
      return true;
    std::string name = nameOf(*stmt->var);
    if (stmt->expr->kind == ExprKind::InitList && environment.divergence &&
        environment.divergence->ofVariable(stmt->var).isVector())
      failed = "an initializer list over lanes";
    std::string value =
        printOperand(stmt->expr, PrecAssign, hooks(lanes() > 1 ? 0 : -1));
    out.lines.push_back(name + " = " + value + ";");
    out.defines = name;
    if (stmt->expr->kind == ExprKind::InitList)
      out.list = value;
    return true;
  }
  const PrintHooks own = hooks(lanes() > 1 ? 0 : -1);
  out.lines = printStmt(stmt, own);
  if (stmt->kind == StmtKind::Expr && stmt->expr->kind == ExprKind::Assign &&
      stmt->expr->op == Op::None && out.lines.size() == 1 &&
      !layoutOf(*stmt->expr->operands[0]))
    out.defines = printOperand(stmt->expr->operands[0], PrecUnary, own);
  out.isCondition =
      stmt->kind == StmtKind::If && !stmt->elseBody && out.lines.size() > 1;
  out.hasBraces = out.isCondition && out.lines.back() == "}";
  return true;
}

/// True when what the statement assigns is kept as lane 0's scalar, or does not
/// vary over lanes at all.
bool StatementPrinter::hasScalarTarget(const StmtRef &stmt) const {
  const Variable *target = nullptr;
  if (stmt->kind == StmtKind::Decl) {
    target = stmt->var;
  } else if (stmt->kind == StmtKind::Expr &&
             (stmt->expr->kind == ExprKind::Assign ||
              stmt->expr->kind == ExprKind::Unary) &&
             stmt->expr->operands[0]->kind == ExprKind::VarRef) {
    target = stmt->expr->operands[0]->var;
  }
  if (!target)
    return false;
  const VariableDivergence &known = environment.divergence->ofVariable(target);
  return !known.isVector();
}

std::optional<StatementPrinter::PlanesTarget>
StatementPrinter::planesOfWhole(PlanesTarget target) const {
  if (!target.variable || inner.count(target.variable) ||
      !isPlanes(*target.variable))
    return std::nullopt;
  if (target.components.empty())
    for (unsigned c = 0; c < target.variable->type.lanes; ++c)
      target.components.push_back(c);
  return target;
}

std::optional<StatementPrinter::PlanesTarget>
StatementPrinter::planesTarget(const Expr &place) const {
  PlanesTarget target;
  const Expr *whole = &place;
  if (place.kind == ExprKind::Swizzle) {
    target.components = place.components;
    whole = place.operands[0].get();
  }
  if (whole->kind == ExprKind::VarRef)
    target.variable = whole->var;
  return planesOfWhole(target);
}

std::optional<StatementPrinter::PlanesTarget>
StatementPrinter::planesTarget(const StmtRef &stmt) const {
  if (stmt->kind == StmtKind::Decl)
    return planesOfWhole({stmt->var, {}, true});
  if (stmt->kind == StmtKind::Expr && stmt->expr->kind == ExprKind::Assign)
    return planesTarget(*stmt->expr->operands[0]);
  return std::nullopt;
}

/// A statement that sets one lane's components.
void StatementPrinter::printPlanesOfLane(const PlanesTarget &target,
                                         const StmtRef &stmt, unsigned lane,
                                         PrintedStatement &out) {
  const bool isDecl = stmt->kind == StmtKind::Decl;
  if (!stmt->expr)
    return;
  const ExprRef &value = isDecl ? stmt->expr : stmt->expr->operands[1];
  const PrintHooks own = hooks(static_cast<int>(lane));
  std::string text = printOperand(value, PrecAssign, own);
  if (!isDecl && stmt->expr->op != Op::None)
    text = printOperand(stmt->expr->operands[0], PrecPostfix, own) + " " +
           operatorText(stmt->expr->op) + " " +
           printOperand(value, rightPrecedence(stmt->expr->op), own);
  Type type = target.variable->type;
  type.lanes = static_cast<unsigned>(target.components.size());
  if (type.lanes == 1) {
    out.lines.push_back(planeName(*target.variable, target.components[0]) +
                        ".s" + laneDigit(lane) + " = " + text + ";");
    return;
  }
  const std::string next = freshName("next");
  out.lines.push_back("{");
  out.lines.push_back("const " + typeName(type.scalar, type.lanes) + " " +
                      next + " = " + text + ";");
  for (unsigned k = 0; k < type.lanes; ++k)
    out.lines.push_back(planeName(*target.variable, target.components[k]) +
                        ".s" + laneDigit(lane) + " = " + next + "." +
                        componentName(type, k) + ";");
  out.lines.push_back("}");
}

void putInBraces(PrintedStatement &out, size_t begin) {
  out.lines.insert(out.lines.begin() + static_cast<std::ptrdiff_t>(begin), "{");
  out.lines.push_back("}");
}

/// Some statement below sets all of a vector of which lanes hold components.
bool StatementPrinter::setsPlanes(const StmtRef &stmt) const {
  bool found = false;
  forEachStmt(stmt, [&](const StmtRef &node) {
    found |= planesTarget(node).has_value();
  });
  return found;
}

void StatementPrinter::printLane(const StmtRef &stmt, unsigned lane,
                                 PrintedStatement &out) {
  if (std::optional<PlanesTarget> target = planesTarget(stmt))
    return printPlanesOfLane(*target, stmt, lane, out);
  const bool isList =
      stmt->kind == StmtKind::Block || stmt->kind == StmtKind::Group;
  if ((isList || stmt->kind == StmtKind::If) && setsPlanes(stmt)) {
    const size_t begin = out.lines.size();
    if (isList) {
      for (const StmtRef &child : stmt->children)
        printLane(child, lane, out);
      if (stmt->kind == StmtKind::Block)
        putInBraces(out, begin);
      return;
    }
    const PrintHooks own = hooks(static_cast<int>(lane));
    printLane(stmt->body, lane, out);
    putInBraces(out, begin);
    out.lines[begin] = "if (" + printExpr(stmt->expr, own) + ") {";
    if (stmt->elseBody) {
      const size_t other = out.lines.size() - 1;
      printLane(stmt->elseBody, lane, out);
      out.lines[other] = "} else {";
      out.lines.push_back("}");
    }
    return;
  }
  const bool isScalar = !inOrder && hasScalarTarget(stmt);
  PrintHooks own = hooks(isScalar ? 0 : static_cast<int>(lane));
  if (stmt->kind == StmtKind::Decl && !inner.count(stmt->var)) {
    std::string component = isScalar ? "" : lanePlace(*stmt->var, lane);
    std::string type; // of a compound literal
    if (stmt->expr && stmt->expr->kind == ExprKind::InitList)
      type = "(" + typeText(stmt->var->type) + ")";
    if (!type.empty() && !hasLaneCells(*stmt->var))
      failed = "an initializer list over lanes";
    if (stmt->expr)
      out.lines.push_back(nameOf(*stmt->var) + component + " = " + type +
                          printOperand(stmt->expr, PrecAssign, own) + ";");
    return;
  }
  std::vector<std::string> lines = printStmt(stmt, own);
  out.lines.insert(out.lines.end(), lines.begin(), lines.end());
}

bool StatementPrinter::printLaneByLane(const StmtRef &stmt,
                                       PrintedStatement &out) {
  for (unsigned lane = 0; lane < lanes(); ++lane)
    printLane(stmt, lane, out);
  return failed.empty();
}

static void collectInner(const StmtRef &stmt,
                         std::set<const Variable *> &inner) {
  forEachStmt(stmt, [&](const StmtRef &node) {
    if (node->kind == StmtKind::Decl && node != stmt)
      inner.insert(node->var);
  });
}

/// True for what every merged work-item, or group, has for itself.
bool StatementPrinter::hasCopies(const Array &array) const {
  return array.space == AddressSpace::Private ||
         (array.space == AddressSpace::Local && kernel.mergesGroups());
}

/// A private variable that a statement writes must have a copy for every point
/// and lane the statement is printed for; `y[i] = x[p++]` with one `p` has not.
/// Lanes in order may write one that goes on from each to the next, or that
/// they all write alike; what one of them leaves there is nothing for the
/// others to read. (`isTogether`: it is printed once for all lanes.)
void StatementPrinter::checkTargets(const Statement &statement,
                                    bool isTogether) {
  // An iteration of a loop that is not printed as one has to be known.
  for (unsigned loop : statement.loops)
    if (const Loop &own = model.loops[loop];
        own.var && !site->coordinates.count(own.iterator))
      failed = "'" + own.name + "', whose iteration is not known";
  if (!environment.divergence)
    return;
  StmtRef stmt(StmtRef(), statement.stmt);
  DivergenceMask printed = pointsOf(statement);
  if (lanes() > 1 && !inOrder && !isTogether && !hasScalarTarget(stmt))
    printed |= environment.divergence->ofStmt(stmt) & LaneBit;
  auto isRead = [&](unsigned array) {
    return llvm::any_of(statement.accesses, [&](unsigned id) {
      return !model.accesses[id].isWrite && model.accesses[id].array == array;
    });
  };
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    const Variable *variable = model.arrays[access.array].var;
    if (!access.isWrite || !variable || inner.count(variable) ||
        !hasCopies(model.arrays[access.array]))
      continue;
    const VariableDivergence &known =
        environment.divergence->ofVariable(variable);
    DivergenceMask own = known.mask;
    if (known.laneStride)
      own &= ~LaneBit;
    bool isChangedArgument =
        variable->isParam && environment.isVirtual &&
        model.arrays[access.array].space != AddressSpace::Local;
    const bool isLeftToNext = inOrder && !(own & LaneBit) &&
                              isRead(access.array) &&
                              !environment.divergence->goesOnInOrder(variable);
    if ((own & printed) != printed || isChangedArgument || isLeftToNext)
      failed = "'" + variable->name + "', which changes along the way";
  }
}

PrintedStatement StatementPrinter::printLane(const Statement &statement,
                                             const PrintSite &at,
                                             unsigned lane) {
  PrintedStatement out;
  site = &at;
  used.clear();
  inner.clear();
  StmtRef stmt(StmtRef(), statement.stmt);
  if (definesGroupVariable(stmt) || definesKnownCondition(statement))
    return out;
  collectInner(stmt, inner);
  inOrder =
      environment.divergence && environment.divergence->isInOrder(statement);
  checkTargets(statement, false);
  printLane(stmt, lane, out);
  out.uses = used;
  return out;
}

PrintedStatement StatementPrinter::print(const Statement &statement,
                                         const PrintSite &at) {
  PrintedStatement out;
  site = &at;
  used.clear();
  inner.clear();
  if (!statement.stmt)
    return out;
  StmtRef stmt(StmtRef(), statement.stmt);
  if ((stmt->kind == StmtKind::Decl && coordinateOf(stmt->var)) ||
      definesGroupVariable(stmt) || definesKnownCondition(statement))
    return out;
  collectInner(stmt, inner);
  inOrder =
      environment.divergence && environment.divergence->isInOrder(statement);
  const bool waits =
      !environment.leads.empty() && statement.isBarrier && statement.isOpaque;
  bool varying = waits || (lanes() > 1 &&
                           (environment.divergence->ofStmt(stmt) & LaneBit) &&
                           !hasScalarTarget(stmt));
  bool done = false;
  const bool mayRunTogether = varying && !inOrder && statement.isCompound;
  if (!mayRunTogether)
    checkTargets(statement, false);
  if (inOrder) {
    done = printLaneByLane(stmt, out);
  } else if (varying) {
    std::map<std::string, LocalName> before = *environment.locals;
    std::set<std::string> usedBefore = used;
    std::string failedBefore = failed;
    // What is declared inside and differs between lanes is declared outside,
    // with lanes like everything else.
    const std::set<const Variable *> declaredInside = inner;
    for (const Variable *variable : declaredInside)
      if (environment.divergence->ofVariable(variable).mask & LaneBit)
        inner.erase(variable);
    const auto scattered = environment.scattered;
    if (mayRunTogether) {
      checkTargets(statement, true);
      environment.scattered = nullptr;
    }
    isWaiting = waits;
    done = printWideStatement(stmt, out) && failed == failedBefore;
    environment.scattered = scattered;
    inner = declaredInside;
    if (!done && isWaiting)
      failed = "what lanes do between barriers";
    if (!done && !isWaiting) {
      out = PrintedStatement();
      *environment.locals = before;
      used = usedBefore;
      failed = failedBefore;
      if (mayRunTogether)
        checkTargets(statement, false);
      done = printLaneByLane(stmt, out);
    }
  } else {
    done = printScalarStatement(stmt, out);
  }
  isWaiting = false;
  if (!done && failed.empty())
    failed = "a statement that has no vector form";
  if (!out.lines.empty())
    out.computes = computedBy(stmt);
  out.uses = used;
  if (!out.uses.count(out.defines))
    out.defines.clear();
  return out;
}

DivergenceMask StatementPrinter::pointsOf(const Statement &statement) const {
  DivergenceMask all = 0;
  for (unsigned d = 0; d < 3; ++d)
    if (environment.points[d] > 1)
      all |= 1u << d;
  if (!environment.divergence || !statement.stmt)
    return 0;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    if (access.isWrite && !hasCopies(model.arrays[access.array]))
      return all;
  }
  StmtRef stmt(StmtRef(), statement.stmt);
  return environment.divergence->ofStmt(stmt) & all;
}

} // namespace clopt
