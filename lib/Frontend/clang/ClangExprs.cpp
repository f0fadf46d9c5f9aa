//===- ClangExprs.cpp - expressions ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangConverter.h"
#include "Frontend/clang/ClangTypes.h"
#include "Model/MentionedNames.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clopt;

std::shared_ptr<Expr> FunctionConverter::make(ExprKind kind,
                                              const clang::Expr *expr) const {
  auto result = std::make_shared<Expr>();
  result->kind = kind;
  result->type = convertType(expr->getType(), unit.ast);
  result->range = unit.source.range(expr->getSourceRange());
  return result;
}

ExprRef FunctionConverter::combine(
    ExprKind kind, const clang::Expr *expr,
    std::initializer_list<const clang::Expr *> operands) {
  auto result = make(kind, expr);
  for (const clang::Expr *operand : operands)
    result->operands.push_back(convert(operand));
  return result;
}

std::string FunctionConverter::spelling(clang::SourceLocation location) const {
  const clang::SourceManager &manager = unit.source.sourceManager();
  llvm::SmallString<32> buffer;
  return clang::Lexer::getSpelling(manager.getSpellingLoc(location), buffer,
                                   manager, unit.ast.getLangOpts())
      .str();
}

std::string FunctionConverter::printed(const clang::Stmt *stmt) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stmt->printPretty(stream, nullptr, unit.ast.getPrintingPolicy());
  return text;
}

ExprRef FunctionConverter::convert(const clang::Expr *expr) {
  if (!expr)
    return nullptr;
  if (ExprRef constant = convertMacroConstant(expr))
    return constant;
  if (ExprRef constant = convertInfinity(expr))
    return constant;
  return dispatch(expr);
}

ExprRef FunctionConverter::dispatch(const clang::Expr *expr) {
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
    return convert(full->getSubExpr());
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return convertUnary(unary);
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return convertBinary(binary);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr))
    return convertCast(cast);
  switch (expr->getStmtClass()) {
  case clang::Stmt::ParenExprClass:
    return convertParens(llvm::cast<clang::ParenExpr>(expr));
  case clang::Stmt::MaterializeTemporaryExprClass:
    return convert(
        llvm::cast<clang::MaterializeTemporaryExpr>(expr)->getSubExpr());
  case clang::Stmt::IntegerLiteralClass:
  case clang::Stmt::CharacterLiteralClass:
  case clang::Stmt::CXXBoolLiteralExprClass:
    return convertInteger(expr, spelling(expr->getBeginLoc()));
  case clang::Stmt::FloatingLiteralClass:
  case clang::Stmt::StringLiteralClass:
    return convertLiteral(expr);
  case clang::Stmt::UnaryExprOrTypeTraitExprClass:
    return convertSize(expr);
  case clang::Stmt::DeclRefExprClass:
    return convertReference(llvm::cast<clang::DeclRefExpr>(expr));
  case clang::Stmt::ConditionalOperatorClass: {
    const auto *choice = llvm::cast<clang::ConditionalOperator>(expr);
    return combine(
        ExprKind::Conditional, expr,
        {choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr()});
  }
  case clang::Stmt::CallExprClass:
    return convertCall(llvm::cast<clang::CallExpr>(expr), false);
  case clang::Stmt::ArraySubscriptExprClass:
    return convertSubscript(llvm::cast<clang::ArraySubscriptExpr>(expr));
  case clang::Stmt::MemberExprClass:
    return convertMember(llvm::cast<clang::MemberExpr>(expr));
  case clang::Stmt::ExtVectorElementExprClass:
    return convertSwizzle(llvm::cast<clang::ExtVectorElementExpr>(expr));
  case clang::Stmt::CompoundLiteralExprClass:
    return convertCompoundLiteral(llvm::cast<clang::CompoundLiteralExpr>(expr));
  case clang::Stmt::InitListExprClass:
    return convertInitList(llvm::cast<clang::InitListExpr>(expr),
                           ExprKind::InitList);
  case clang::Stmt::ImplicitValueInitExprClass:
    return convertHole(expr);
  case clang::Stmt::AsTypeExprClass:
    return convertAsType(llvm::cast<clang::AsTypeExpr>(expr));
  default:
    return opaque(expr, expr->getType());
  }
}

/// Parentheses count only when they are the outermost part of a macro: then it
/// is they that can be replaced, and what they hold cannot.
ExprRef FunctionConverter::convertParens(const clang::ParenExpr *expr) {
  ExprRef inner = convert(expr->getSubExpr());
  if (inner->range.isEditable() || !expr->getBeginLoc().isMacroID())
    return inner;
  SourceRange outer = unit.source.range(expr->getSourceRange());
  if (!outer.isEditable())
    return inner;
  auto copy = std::make_shared<Expr>(*inner);
  copy->range = outer;
  return copy;
}

//===-- Constants ---------------------------------------------------------===//

ExprRef FunctionConverter::convertMacroConstant(const clang::Expr *expr) const {
  // An implicit conversion has the range of what it converts: it stays a Cast.
  if (!expr->getBeginLoc().isMacroID() ||
      llvm::isa<clang::ImplicitCastExpr, clang::InitListExpr>(expr) ||
      !expr->getType()->isIntegralOrEnumerationType() ||
      expr->isValueDependent())
    return nullptr;
  std::string name = unit.source.wholeMacro(expr->getSourceRange());
  clang::Expr::EvalResult value;
  if (name.empty() || unit.isDefinedInBody(name) ||
      !expr->EvaluateAsInt(value, unit.ast) || value.HasSideEffects)
    return nullptr;
  // Parentheses around it in the text belong to no node; the new text may have
  // operators where they were.
  bool isLoose =
      llvm::isa<clang::BinaryOperator, clang::AbstractConditionalOperator>(
          expr);
  auto result = make(ExprKind::IntLiteral, expr);
  result->intValue = bitsOf(value.Val.getInt());
  result->macro = isLoose ? "(" + name + ")" : name;
  return result;
}

/// Compilers define INFINITY and its like with functions of their own. What is
/// written is the name: other compilers know that, but perhaps not the
/// function.
ExprRef FunctionConverter::convertInfinity(const clang::Expr *expr) const {
  if (!expr->getBeginLoc().isMacroID() ||
      llvm::isa<clang::ImplicitCastExpr>(expr) || expr->isValueDependent())
    return nullptr;
  const std::string name = unit.source.wholeMacro(expr->getSourceRange());
  const bool isFloat =
      expr->getType()->isSpecificBuiltinType(clang::BuiltinType::Float) &&
      (name == "INFINITY" || name == "HUGE_VALF");
  const bool isDouble =
      expr->getType()->isSpecificBuiltinType(clang::BuiltinType::Double) &&
      name == "HUGE_VAL";
  if ((!isFloat && !isDouble) || unit.isDefinedInBody(name))
    return nullptr;
  llvm::APFloat value(0.0F);
  if (!expr->EvaluateAsFloat(value, unit.ast) || !value.isInfinity() ||
      value.isNegative())
    return nullptr;
  auto result = make(ExprKind::FloatLiteral, expr);
  result->text = name;
  return result;
}

ExprRef FunctionConverter::convertInteger(const clang::Expr *expr,
                                          std::string text) const {
  clang::Expr::EvalResult value;
  if (expr->isValueDependent() || !expr->EvaluateAsInt(value, unit.ast)) {
    auto result = make(ExprKind::Opaque, expr);
    result->effect = CallEffect::Opaque;
    result->text = text.empty() ? printed(expr) : text;
    return result;
  }
  auto result = make(ExprKind::IntLiteral, expr);
  result->intValue = bitsOf(value.Val.getInt());
  result->text = std::move(text);
  return result;
}

/// `sizeof` and the like. The author's text where it means the same in all of
/// the function.
ExprRef FunctionConverter::convertSize(const clang::Expr *expr) {
  std::string text = unit.source.text(expr->getSourceRange());
  std::set<std::string> words;
  addWords(text, words);
  return convertInteger(expr, declaresAny(std::move(words)) ? "" : text);
}

ExprRef FunctionConverter::convertLiteral(const clang::Expr *expr) const {
  if (llvm::isa<clang::FloatingLiteral>(expr)) {
    auto result = make(ExprKind::FloatLiteral, expr);
    result->text = spelling(expr->getBeginLoc());
    std::string name = expr->getBeginLoc().isMacroID()
                           ? unit.source.wholeMacro(expr->getSourceRange())
                           : "";
    if (!unit.isDefinedInBody(name))
      result->macro = name;
    return result;
  }
  auto result = make(ExprKind::StringLiteral, expr);
  result->text = printed(expr);
  return result;
}

ExprRef FunctionConverter::convertHole(const clang::Expr *expr) const {
  auto zero = make(ExprKind::IntLiteral, expr);
  if (zero->type.isScalar() || zero->type.isPointer())
    return zero;
  auto list = std::make_shared<Expr>(*zero);
  list->kind = ExprKind::InitList;
  zero->type = Type::makeScalar(ScalarKind::Int);
  list->operands.push_back(zero);
  return list;
}

//===-- Names, members, elements ------------------------------------------===//

/// A use of a variable whose place in the text is not known.
static ExprRef reference(const Variable &variable) {
  auto result = std::make_shared<Expr>();
  result->kind = ExprKind::VarRef;
  result->var = &variable;
  result->type = variable.type;
  return result;
}

ExprRef FunctionConverter::convertReference(const clang::DeclRefExpr *expr) {
  const clang::ValueDecl *named = expr->getDecl();
  if (const auto *var = llvm::dyn_cast<clang::VarDecl>(named)) {
    auto result = make(ExprKind::VarRef, expr);
    result->var = variable(var);
    result->type = result->var->type;
    return result;
  }
  if (const auto *constant = llvm::dyn_cast<clang::EnumConstantDecl>(named)) {
    auto result = make(ExprKind::IntLiteral, expr);
    result->intValue = bitsOf(constant->getInitVal());
    // A name of the function's own would not reach behind its block.
    if (!constant->getParentFunctionOrMethod())
      result->text = constant->getNameAsString();
    return result;
  }
  auto result = make(ExprKind::Opaque, expr);
  result->text = named->getNameAsString();
  result->effect = CallEffect::Opaque;
  if (const auto *callee = llvm::dyn_cast<clang::FunctionDecl>(named)) {
    unit.calledNames.insert(result->text);
    if (FunctionInfo *info = unit.lookup(callee))
      info->function->isCalled = true;
  }
  return result;
}

ExprRef
FunctionConverter::convertSubscript(const clang::ArraySubscriptExpr *expr) {
  const clang::Expr *base = expr->getBase();
  // The decay of an array is no news: the base may be an array.
  const clang::Expr *inner = base->IgnoreParens();
  if (const auto *decay = llvm::dyn_cast<clang::ImplicitCastExpr>(inner))
    if (decay->getCastKind() == clang::CK_ArrayToPointerDecay)
      base = decay->getSubExpr();
  return combine(ExprKind::Subscript, expr, {base, expr->getIdx()});
}

ExprRef FunctionConverter::convertMember(const clang::MemberExpr *expr) {
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
  if (!field)
    return opaque(expr, expr->getType());
  // A field of an unnamed struct inside is reached without a name.
  if (!field->getDeclName())
    return convert(expr->getBase());
  auto result = make(ExprKind::Member, expr);
  result->operands.push_back(convert(expr->getBase()));
  result->text = field->getNameAsString();
  result->arrow = result->operands[0]->type.isPointer();
  return result;
}

ExprRef
FunctionConverter::convertSwizzle(const clang::ExtVectorElementExpr *expr) {
  ExprRef base = convert(expr->getBase());
  if (expr->isArrow()) {
    auto pointee = std::make_shared<Expr>();
    pointee->kind = ExprKind::Unary;
    pointee->op = Op::Deref;
    pointee->range = base->range;
    if (base->type.element)
      pointee->type = *base->type.element;
    pointee->operands.push_back(base);
    base = pointee;
  }
  auto result = make(ExprKind::Swizzle, expr);
  result->operands.push_back(base);
  result->text = expr->getAccessor().getName().str();
  llvm::SmallVector<uint32_t, 16> elements;
  expr->getEncodedElementAccess(elements);
  result->components.assign(elements.begin(), elements.end());
  return result;
}

//===-- Operators ---------------------------------------------------------===//

/// The operator that a table has for `kind`, or none.
template <typename Kind>
static Op opOf(llvm::ArrayRef<std::pair<Kind, Op>> table, Kind kind) {
  for (const auto &[known, op] : table)
    if (known == kind)
      return op;
  return Op::None;
}

static Op unaryOp(clang::UnaryOperatorKind kind) {
  static constexpr std::pair<clang::UnaryOperatorKind, Op> table[] = {
      {clang::UO_Minus, Op::Neg},       {clang::UO_Plus, Op::Plus},
      {clang::UO_Not, Op::Not},         {clang::UO_LNot, Op::LNot},
      {clang::UO_Deref, Op::Deref},     {clang::UO_AddrOf, Op::AddrOf},
      {clang::UO_PreInc, Op::PreInc},   {clang::UO_PreDec, Op::PreDec},
      {clang::UO_PostInc, Op::PostInc}, {clang::UO_PostDec, Op::PostDec}};
  return opOf<clang::UnaryOperatorKind>(table, kind);
}

static Op binaryOp(clang::BinaryOperatorKind kind) {
  static constexpr std::pair<clang::BinaryOperatorKind, Op> table[] = {
      {clang::BO_Add, Op::Add},    {clang::BO_Sub, Op::Sub},
      {clang::BO_Mul, Op::Mul},    {clang::BO_Div, Op::Div},
      {clang::BO_Rem, Op::Rem},    {clang::BO_Shl, Op::Shl},
      {clang::BO_Shr, Op::Shr},    {clang::BO_And, Op::And},
      {clang::BO_Or, Op::Or},      {clang::BO_Xor, Op::Xor},
      {clang::BO_LAnd, Op::LAnd},  {clang::BO_LOr, Op::LOr},
      {clang::BO_LT, Op::Lt},      {clang::BO_LE, Op::Le},
      {clang::BO_GT, Op::Gt},      {clang::BO_GE, Op::Ge},
      {clang::BO_EQ, Op::Eq},      {clang::BO_NE, Op::Ne},
      {clang::BO_Comma, Op::Comma}};
  if (clang::BinaryOperator::isCompoundAssignmentOp(kind))
    kind = clang::BinaryOperator::getOpForCompoundAssignment(kind);
  return opOf<clang::BinaryOperatorKind>(table, kind);
}

ExprRef FunctionConverter::convertUnary(const clang::UnaryOperator *expr) {
  if (expr->getOpcode() == clang::UO_Extension)
    return convert(expr->getSubExpr());
  Op op = unaryOp(expr->getOpcode());
  if (op == Op::None)
    return opaque(expr, expr->getType());
  auto result = make(ExprKind::Unary, expr);
  result->op = op;
  result->operands.push_back(convert(expr->getSubExpr()));
  return result;
}

ExprRef FunctionConverter::convertBinary(const clang::BinaryOperator *expr) {
  Op op = binaryOp(expr->getOpcode());
  bool isAssign = expr->isAssignmentOp();
  if (op == Op::None && !isAssign)
    return opaque(expr, expr->getType());
  auto result = make(isAssign ? ExprKind::Assign : ExprKind::Binary, expr);
  result->op = op;
  if (const auto *compound =
          llvm::dyn_cast<clang::CompoundAssignOperator>(expr))
    result->computeType =
        convertType(compound->getComputationResultType(), unit.ast);
  if (isFusingSum(*result)) {
    noteTerm(expr->getLHS());
    noteTerm(expr->getRHS());
  }
  result->operands.push_back(convert(expr->getLHS()));
  result->operands.push_back(convert(expr->getRHS()));
  return result;
}

/// Remembers a call that a sum takes in.
void FunctionConverter::noteTerm(const clang::Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (unary->getOpcode() == clang::UO_Minus ||
        unary->getOpcode() == clang::UO_Plus)
      noteTerm(unary->getSubExpr());
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr)) {
    terms.insert(call);
  }
}

/// Conversions that change neither the value nor what the type says of it.
static bool isSilent(const clang::CastExpr *expr) {
  if (!llvm::isa<clang::ImplicitCastExpr>(expr))
    return false;
  switch (expr->getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_FunctionToPointerDecay:
  case clang::CK_BuiltinFnToFnPtr:
  case clang::CK_AtomicToNonAtomic:
  case clang::CK_NonAtomicToAtomic:
    return true;
  default:
    return false;
  }
}

/// The value of an integer at file scope that nothing can change, under its
/// name: `__constant int width = 640;`.
ExprRef
FunctionConverter::convertConstantVariable(const clang::CastExpr *expr) const {
  if (expr->getCastKind() != clang::CK_LValueToRValue ||
      !expr->getType()->isIntegerType())
    return nullptr;
  const auto *reference =
      llvm::dyn_cast<clang::DeclRefExpr>(expr->getSubExpr()->IgnoreParens());
  const auto *var = reference
                        ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl())
                        : nullptr;
  if (!var || !var->isFileVarDecl() || !var->getAnyInitializer() ||
      var->getType().isVolatileQualified() ||
      var->getAnyInitializer()->isValueDependent())
    return nullptr;
  bool isFixed =
      var->getType().isConstQualified() ||
      var->getType().getAddressSpace() == clang::LangAS::opencl_constant;
  clang::Expr::EvalResult value;
  if (!isFixed || !var->getAnyInitializer()->EvaluateAsInt(value, unit.ast) ||
      value.HasSideEffects)
    return nullptr;
  auto result = make(ExprKind::IntLiteral, expr);
  result->intValue = bitsOf(value.Val.getInt());
  result->text = var->getNameAsString();
  return result;
}

ExprRef FunctionConverter::convertCast(const clang::CastExpr *expr) {
  if (ExprRef constant = convertConstantVariable(expr))
    return constant;
  if (isSilent(expr))
    return convert(expr->getSubExpr());
  if (hasNoName(expr->getType()))
    return opaque(expr, expr->getType());
  if (expr->getCastKind() == clang::CK_IntToOCLSampler) {
    auto found = unit.samplers.find(expr->getSubExpr()->IgnoreParenImpCasts());
    if (found != unit.samplers.end())
      return reference(*found->second);
  }
  auto result = make(ExprKind::Cast, expr);
  result->implicit = llvm::isa<clang::ImplicitCastExpr>(expr);
  result->operands.push_back(convert(expr->getSubExpr()));
  return result;
}

//===-- Aggregates --------------------------------------------------------===//

ExprRef FunctionConverter::convertCompoundLiteral(
    const clang::CompoundLiteralExpr *expr) {
  const auto *list =
      llvm::dyn_cast<clang::InitListExpr>(expr->getInitializer());
  if (list && expr->getType()->isExtVectorType()) {
    auto result =
        std::make_shared<Expr>(*convertInitList(list, ExprKind::VectorLiteral));
    result->type = convertType(expr->getType(), unit.ast);
    result->range = unit.source.range(expr->getSourceRange());
    return result;
  }
  if (hasNoName(expr->getType()))
    return opaque(expr, expr->getType());
  return combine(ExprKind::Cast, expr, {expr->getInitializer()});
}

ExprRef FunctionConverter::convertInitList(const clang::InitListExpr *expr,
                                           ExprKind kind) {
  if (expr->isTransparent() && expr->getNumInits() == 1)
    return convert(expr->getInit(0));
  if (expr->getType()->isUnionType())
    return opaque(expr, expr->getType());
  unsigned count = expr->getNumInits(), lanes = 0;
  const bool isVector = expr->getType()->isExtVectorType();
  // What is left out at the end is zero anyway.
  while (count > 1 && !isVector &&
         llvm::isa<clang::ImplicitValueInitExpr>(expr->getInit(count - 1)))
    --count;
  auto result = make(kind, expr);
  for (unsigned i = 0; i < count; ++i) {
    result->operands.push_back(convert(expr->getInit(i)));
    lanes += result->operands.back()->type.lanes;
  }
  // Unlike braces, a vector may stand anywhere.
  if (isVector && lanes == result->type.lanes)
    result->kind = ExprKind::VectorLiteral;
  return result;
}

ExprRef FunctionConverter::convertAsType(const clang::AsTypeExpr *expr) {
  auto result = make(ExprKind::Call, expr);
  result->text = "as_" + canonicalName(result->type);
  result->family = CallFamily::Reinterpret;
  result->operands.push_back(convert(expr->getSrcExpr()));
  return result;
}

//===-- Everything else ---------------------------------------------------===//

ExprRef FunctionConverter::opaque(const clang::Stmt *stmt,
                                  clang::QualType type) {
  auto result = std::make_shared<Expr>();
  result->kind = ExprKind::Opaque;
  result->effect = CallEffect::Opaque;
  result->type = convertType(type, unit.ast);
  result->range = unit.source.range(stmt->getSourceRange());
  result->text = unit.source.text(stmt->getSourceRange());
  if (result->text.empty())
    result->text = printed(stmt);
  mention(stmt, result->operands);
  return result;
}
