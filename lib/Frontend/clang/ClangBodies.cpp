//===- ClangBodies.cpp - bodies in place of calls -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that loads, stores or waits hides from every analysis what the
// kernel does. `put(out, i, n);` becomes the statements of its body, with
// variables of their own for every call:
//
//   int i_1 = i * 2;   // an argument that is no name or number
//   ...                // the body
//
// Parameters that the body never changes are the arguments themselves where
// these cannot change meanwhile: numbers, variables that are set once,
// addresses of variables. `return` in the middle becomes an `else`. Functions
// that only compute stay calls, as there is nothing in them that a step could
// use, unless they would be expressions if these need not repeat an argument,
// and compilers did not round a product and the sum beside it once: a variable
// keeps them apart as the call did.
//
// Reference: R. Allen, K. Kennedy: Optimizing Compilers for Modern
// Architectures, chapter 11 (inline substitution).
//
// Tested by test/unit/ClangBodiesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangBodies.h"

#include "Frontend/clang/ClangCalls.h"
#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/MakeTree.h"
#include "Model/MentionedNames.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <optional>

namespace clopt {

/// Expressions of the largest body, and of all that one function takes in.
static constexpr size_t largestBody = 400;
static constexpr size_t largestSum = 2000;

static size_t countExpressions(const StmtRef &stmt) {
  size_t count = 0;
  forEachExpr(stmt, [&](const ExprRef &) { ++count; });
  return count;
}

//===-- What may be placed ------------------------------------------------===//

static bool hasReturn(const StmtRef &stmt) {
  bool result = false;
  forEachStmt(stmt, [&](const StmtRef &inner) {
    result |= inner->kind == StmtKind::Return;
  });
  return result;
}

/// True when every way through the statement ends in a `return`.
static bool alwaysReturns(const StmtRef &stmt) {
  if (!stmt)
    return false;
  if (stmt->kind == StmtKind::Return)
    return true;
  if (stmt->kind == StmtKind::Block)
    return llvm::any_of(stmt->children, alwaysReturns);
  return stmt->kind == StmtKind::If && alwaysReturns(stmt->body) &&
         alwaysReturns(stmt->elseBody);
}

/// The statements from `at` on with what follows an `if` that returns in its
/// other side, so that every `return` is the last thing on its way; null where
/// one stands in a loop, or what follows would stand twice.
static StmtRef withLastReturns(const std::vector<StmtRef> &children,
                               size_t at) {
  std::vector<StmtRef> result;
  SourceRange range;
  for (; at < children.size(); ++at) {
    const StmtRef &child = children[at];
    if (!child)
      continue;
    range = child->range;
    if (!hasReturn(child)) {
      result.push_back(child);
      continue;
    }
    if (child->kind == StmtKind::Return) {
      result.push_back(child);
      break;
    }
    std::vector<StmtRef> rest(children.begin() + at + 1, children.end());
    auto followed = [&](const StmtRef &side) {
      std::vector<StmtRef> all;
      if (side && side->kind == StmtKind::Block)
        all = side->children;
      else if (side)
        all = {side};
      if (!alwaysReturns(side))
        llvm::append_range(all, rest);
      return withLastReturns(all, 0);
    };
    if (child->kind == StmtKind::Block) {
      StmtRef inner = followed(child);
      if (!inner)
        return nullptr;
      result.push_back(inner);
      break;
    }
    bool isChoice =
        child->kind == StmtKind::If &&
        (alwaysReturns(child->body) || alwaysReturns(child->elseBody));
    StmtRef first = isChoice ? followed(child->body) : nullptr;
    StmtRef second = first ? followed(child->elseBody) : nullptr;
    if (!second)
      return nullptr;
    auto choice = std::make_shared<Stmt>(*child);
    choice->body = first;
    choice->elseBody = second->children.empty() ? nullptr : second;
    result.push_back(choice);
    break;
  }
  auto block = std::make_shared<Stmt>();
  block->kind = StmtKind::Block;
  block->range = range;
  block->children = std::move(result);
  return block;
}

static bool isVoid(const Type &type) {
  return type.isScalar() && type.scalar == ScalarKind::Void;
}

bool isPlaceable(const Function &callee) {
  const StmtRef &body = callee.body;
  if (!body || body->kind != StmtKind::Block || callee.hasGoto ||
      countExpressions(body) > largestBody)
    return false;
  bool isPlain = true;
  for (const std::shared_ptr<Variable> &variable : callee.variables)
    isPlain &=
        !variable->type.isVolatile && variable->space == AddressSpace::Private;
  forEachStmt(body, [&](const StmtRef &stmt) {
    bool isStatic = stmt->kind == StmtKind::Decl && !stmt->text.empty();
    isPlain &= !isStatic && stmt->kind != StmtKind::Opaque &&
               stmt->kind != StmtKind::Switch;
  });
  forEachExpr(body, [&](const ExprRef &expr) {
    isPlain &= expr->kind != ExprKind::Opaque && expr->callee != &callee;
  });
  if (!isPlain || !withLastReturns(body->children, 0))
    return false;
  return isVoid(callee.returnType) || alwaysReturns(body);
}

std::set<std::string> namesInBody(const Function &function) {
  std::set<const Variable *> own;
  std::set<std::string> names;
  for (const std::shared_ptr<Variable> &variable : function.variables) {
    own.insert(variable.get());
    addWords(typeText(variable->type), names);
  }
  forEachExpr(function.body, [&](const ExprRef &expr) {
    auto alone = std::make_shared<Expr>(*expr);
    alone->operands.clear();
    names.merge(mentionedNames(alone, own));
  });
  return names;
}

//===-- Copies ------------------------------------------------------------===//

namespace {

/// A body for one call.
class BodyCopy {
public:
  explicit BodyCopy(const SourceRange &call) : range(call) {
    range.begin = range.end = -1;
  }

  std::map<const Variable *, ExprRef> values;
  std::map<const Variable *, const Variable *> variables;

  ExprRef copy(const ExprRef &expr) const;
  StmtRef copy(const StmtRef &stmt) const;

private:
  SourceRange range;
};

} // namespace

ExprRef BodyCopy::copy(const ExprRef &expr) const {
  if (!expr)
    return nullptr;
  if (expr->kind == ExprKind::VarRef)
    if (auto value = values.find(expr->var); value != values.end())
      return value->second;
  auto result = std::make_shared<Expr>(*expr);
  result->range = range;
  if (auto own = variables.find(expr->var); own != variables.end())
    result->var = own->second;
  for (ExprRef &operand : result->operands)
    operand = copy(operand);
  return withoutAddress(result);
}

StmtRef BodyCopy::copy(const StmtRef &stmt) const {
  if (!stmt)
    return nullptr;
  auto result = std::make_shared<Stmt>(*stmt);
  result->range = range;
  result->lines = SourceSpan();
  if (auto own = variables.find(stmt->var); own != variables.end())
    result->var = own->second;
  for (StmtRef &child : result->children)
    child = copy(child);
  result->init = copy(stmt->init);
  result->body = copy(stmt->body);
  result->elseBody = copy(stmt->elseBody);
  result->expr = copy(stmt->expr);
  result->inc = copy(stmt->inc);
  return result;
}

/// The tree with each `return` as what becomes of its value.
static StmtRef
replaceReturns(const StmtRef &stmt,
               const std::function<StmtRef(const Stmt &)> &become) {
  if (!stmt)
    return nullptr;
  if (stmt->kind == StmtKind::Return)
    return become(*stmt);
  if (!hasReturn(stmt))
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  for (StmtRef &child : result->children)
    child = replaceReturns(child, become);
  llvm::erase_if(result->children, [](const StmtRef &child) {
    return child && child->kind == StmtKind::Null;
  });
  result->body = replaceReturns(stmt->body, become);
  result->elseBody = replaceReturns(stmt->elseBody, become);
  const bool isOnlyElse = result->elseBody && result->body &&
                          result->body->kind == StmtKind::Block &&
                          result->body->children.empty();
  if (isOnlyElse) {
    result->expr = negated(stmt->expr);
    result->body = std::move(result->elseBody);
    result->elseBody = nullptr;
  }
  return result;
}

//===-- Placing -----------------------------------------------------------===//

namespace {

class BodyPlacer {
public:
  BodyPlacer(Function &function,
             const std::function<bool(const Function &)> &allowed);
  void run();

private:
  using Statements = std::vector<StmtRef>;
  void visit(const StmtRef &stmt, Statements &out);
  StmtRef nested(const StmtRef &stmt);
  void visitCalls(const StmtRef &stmt, Statements &out);
  bool isWanted(const Expr &call) const;
  void collect(const ExprRef &expr, std::vector<ExprRef> &calls) const;
  bool mayComeFirst(const ExprRef &value,
                    const std::vector<ExprRef> &calls) const;
  ExprRef place(const Expr &call, bool isWhole, Statements &out);
  void bind(const Variable *param, const ExprRef &argument, bool isChanged,
            BodyCopy &copy, Statements &out);
  bool isFixed(const ExprRef &argument) const;
  const Variable *own(const Variable &variable, const Type &type);
  ExprRef replaced(const ExprRef &expr) const;

  Function &caller;
  const std::function<bool(const Function &)> &mayStand;
  std::map<const Variable *, unsigned> changes; ///< of the caller's variables
  std::set<const Variable *> shared; ///< variables whose address is taken
  std::set<std::string> names;
  size_t taken = 0; ///< expressions of the bodies so far
  std::map<const Expr *, ExprRef> results;
};

} // namespace

static void collectAddresses(const StmtRef &body,
                             std::set<const Variable *> &shared) {
  forEachExpr(body, [&](const ExprRef &expr) {
    bool isDecay = expr->kind == ExprKind::Cast && expr->type.isPointer() &&
                   expr->operands[0]->type.isArray();
    if ((expr->kind == ExprKind::Unary && expr->op == Op::AddrOf) || isDecay)
      shared.insert(rootVariable(expr->operands[0].get()));
  });
}

BodyPlacer::BodyPlacer(Function &function,
                       const std::function<bool(const Function &)> &allowed)
    : caller(function), mayStand(allowed), changes(assignedIn(function.body)) {
  collectAddresses(function.body, shared);
  for (const std::shared_ptr<Variable> &variable : function.variables) {
    names.insert(variable->name);
    // A parameter has its value before the first statement.
    if (variable->isParam)
      ++changes[variable.get()];
  }
}

/// `i` for the copy `i_1` of another call.
static std::string stemOf(const std::string &name) {
  size_t digits = name.find_last_not_of("0123456789");
  bool isNumbered = digits != std::string::npos && digits > 0 &&
                    digits + 1 < name.size() && name[digits] == '_';
  return isNumbered ? name.substr(0, digits) : name;
}

/// A variable like `variable`, with a name that nothing of the caller has.
const Variable *BodyPlacer::own(const Variable &variable, const Type &type) {
  auto result = std::make_unique<Variable>();
  std::string name = variable.name;
  for (unsigned count = 1; !names.insert(name).second; ++count)
    name = stemOf(variable.name) + "_" + std::to_string(count);
  result->name = name;
  result->type = type;
  result->range = variable.range;
  result->range.begin = result->range.end = -1;
  caller.variables.push_back(std::move(result));
  return caller.variables.back().get();
}

/// An lvalue whose address is the same wherever it stands.
static bool isFixedPlace(const Expr &lvalue) {
  switch (lvalue.kind) {
  case ExprKind::VarRef:
    return true;
  case ExprKind::Member:
    return !lvalue.arrow && isFixedPlace(*lvalue.operands[0]);
  case ExprKind::Subscript:
    return lvalue.operands[0]->type.isArray() &&
           withoutCasts(lvalue.operands[1].get())->kind ==
               ExprKind::IntLiteral &&
           isFixedPlace(*lvalue.operands[0]);
  default:
    return false;
  }
}

/// True when the argument is worth the same during the whole call, and as good
/// as a name.
bool BodyPlacer::isFixed(const ExprRef &argument) const {
  switch (argument->kind) {
  case ExprKind::IntLiteral:
  case ExprKind::FloatLiteral:
    return true;
  case ExprKind::VarRef: {
    auto known = changes.find(argument->var);
    bool isSetOnce = known != changes.end() && known->second == 1 &&
                     !argument->var->isFileScope &&
                     !argument->var->type.isVolatile &&
                     argument->var->space == AddressSpace::Private;
    return isSetOnce && !shared.count(argument->var);
  }
  case ExprKind::Cast:
    if (argument->operands[0]->type.isArray())
      return isFixedPlace(*argument->operands[0]);
    return isFixed(argument->operands[0]);
  case ExprKind::Unary:
    return argument->op == Op::AddrOf && isFixedPlace(*argument->operands[0]);
  default:
    return false;
  }
}

void BodyPlacer::bind(const Variable *param, const ExprRef &argument,
                      bool isChanged, BodyCopy &copy, Statements &out) {
  if (!isChanged && isFixed(argument)) {
    copy.values[param] = copy.copy(makeExplicit(argument));
    return;
  }
  Type type = param->type;
  type.isConst = type.isRestrict = false;
  // Into a named address space, where the parameter is for any.
  ExprRef value = makeExplicit(argument);
  if (type.isPointer() && type.space == AddressSpace::Generic && !isChanged &&
      value->type.isPointer())
    type.space = value->type.space;
  const Variable *variable = own(*param, type);
  ++changes[variable];
  copy.variables[param] = variable;
  auto declaration = std::make_shared<Stmt>(*makeDeclaration(variable, value));
  declaration->range.begin = declaration->range.end = -1;
  out.push_back(declaration);
}

/// Adds the body; what the call is worth, or null for nothing. A call that is
/// not the whole value of a statement may be a term of a sum.
ExprRef BodyPlacer::place(const Expr &call, bool isWhole, Statements &out) {
  const Function &callee = *call.callee;
  taken += countExpressions(callee.body);
  BodyCopy copy(call.range);
  std::map<const Variable *, unsigned> assigned = assignedIn(callee.body);
  std::set<const Variable *> addresses;
  collectAddresses(callee.body, addresses);
  for (size_t index = 0; index < callee.params.size(); ++index) {
    const Variable *param = callee.params[index];
    bool isChanged = assigned.count(param) || addresses.count(param);
    bind(param, replaced(call.operands[index]), isChanged, copy, out);
  }
  for (const std::shared_ptr<Variable> &variable : callee.variables)
    if (!variable->isParam) {
      const Variable *mine = own(*variable, variable->type);
      copy.variables[variable.get()] = mine;
      changes[mine] = assigned[variable.get()];
      if (addresses.count(variable.get()))
        shared.insert(mine);
    }
  StmtRef body = copy.copy(withLastReturns(callee.body->children, 0));
  ExprRef value;
  unsigned returns = 0;
  forEachStmt(body, [&](const StmtRef &stmt) {
    returns += stmt->kind == StmtKind::Return;
  });
  const Variable *result = nullptr;
  bool isLast = returns == 1 &&
                body->children.back()->kind == StmtKind::Return &&
                (isWhole || !body->children.back()->expr ||
                 !isFusable(*body->children.back()->expr));
  if (!isVoid(callee.returnType) && !isLast) {
    Variable named;
    named.name = callee.name + "_value";
    named.range = call.range;
    Type type = callee.returnType;
    type.isConst = false;
    result = own(named, type);
    changes[result] = returns;
    auto declaration = std::make_shared<Stmt>();
    declaration->kind = StmtKind::Decl;
    declaration->range = body->range;
    declaration->var = result;
    out.push_back(declaration);
    value = makeName(result, type);
  }
  body = replaceReturns(body, [&](const Stmt &stmt) -> StmtRef {
    auto become = std::make_shared<Stmt>();
    become->range = stmt.range;
    if (stmt.expr && isVoid(callee.returnType)) {
      become->kind = StmtKind::Expr;
      become->expr = stmt.expr;
    } else if (result && stmt.expr) {
      become->kind = StmtKind::Expr;
      become->expr = makeAssign(value, stmt.expr);
    } else if (stmt.expr) {
      value = makeExplicit(stmt.expr);
    }
    return become;
  });
  for (const StmtRef &child : body->children)
    if (child->kind != StmtKind::Null)
      out.push_back(child);
  return value;
}

//===-- Where calls stand -------------------------------------------------===//

/// Calls of functions that hide something, or that are all but expressions.
bool BodyPlacer::isWanted(const Expr &call) const {
  return call.kind == ExprKind::Call && call.callee && call.callee != &caller &&
         (call.effect != CallEffect::Pure || call.needsVariables) &&
         call.operands.size() == call.callee->params.size() &&
         isPlaceable(*call.callee) && mayStand(*call.callee) &&
         taken + countExpressions(call.callee->body) <= largestSum;
}

/// Those that are evaluated whenever the expression is, arguments first.
void BodyPlacer::collect(const ExprRef &expr,
                         std::vector<ExprRef> &calls) const {
  bool isChoice =
      expr->kind == ExprKind::Conditional ||
      (expr->kind == ExprKind::Binary &&
       (expr->op == Op::LAnd || expr->op == Op::LOr || expr->op == Op::Comma));
  for (size_t index = 0; index < expr->operands.size(); ++index)
    if (index == 0 || !isChoice)
      collect(expr->operands[index], calls);
  if (isWanted(*expr))
    calls.push_back(expr);
}

static bool readsMemory(const Expr &expr) {
  return expr.kind == ExprKind::Subscript || expr.kind == ExprKind::Opaque ||
         (expr.kind == ExprKind::Unary && expr.op == Op::Deref) ||
         (expr.kind == ExprKind::Member && expr.arrow) ||
         (expr.kind == ExprKind::VarRef && expr.var->isFileScope);
}

/// True when the bodies of `calls` may run before anything else of `value`.
bool BodyPlacer::mayComeFirst(const ExprRef &value,
                              const std::vector<ExprRef> &calls) const {
  bool onlyRead = true;
  for (const ExprRef &call : calls)
    onlyRead &= call->effect == CallEffect::ReadsArgs ||
                call->effect == CallEffect::Pure;
  bool isAlone = true;
  std::function<void(const ExprRef &)> check = [&](const ExprRef &expr) {
    bool isPlaced = llvm::is_contained(calls, expr);
    bool hasEffect = changesTarget(*expr) || expr->kind == ExprKind::Opaque ||
                     (expr->kind == ExprKind::Call && !isPlaced &&
                      expr->effect != CallEffect::Pure &&
                      expr->effect != CallEffect::ReadsArgs);
    bool isShared =
        !isPlaced &&
        (readsMemory(*expr) || expr->kind == ExprKind::Call ||
         (expr->kind == ExprKind::VarRef && shared.count(expr->var)));
    isAlone &= !hasEffect && (onlyRead || !isShared);
    // Arguments come before the call in any case.
    if (!isPlaced || onlyRead)
      for (const ExprRef &operand : expr->operands)
        check(operand);
    else
      for (const ExprRef &operand : expr->operands)
        forEachExpr(operand, [&](const ExprRef &part) {
          isAlone &=
              !changesTarget(*part) && (part->kind != ExprKind::Call ||
                                        part->effect == CallEffect::Pure);
        });
  };
  check(value);
  return isAlone && (onlyRead || calls.size() == 1);
}

ExprRef BodyPlacer::replaced(const ExprRef &expr) const {
  if (auto known = results.find(expr.get()); known != results.end())
    return known->second;
  bool isSame = true;
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprRef &operand : copy->operands) {
    ExprRef before = operand;
    operand = replaced(operand);
    isSame &= operand == before;
  }
  return isSame ? expr : copy;
}

/// A statement of one expression, behind the bodies of what it calls.
void BodyPlacer::visitCalls(const StmtRef &stmt, Statements &out) {
  if (!stmt->expr) {
    out.push_back(stmt);
    return;
  }
  bool isAssign = stmt->kind == StmtKind::Expr &&
                  stmt->expr->kind == ExprKind::Assign &&
                  isSideEffectFree(stmt->expr->operands[0]);
  const ExprRef &value = isAssign ? stmt->expr->operands[1] : stmt->expr;
  std::vector<ExprRef> calls;
  collect(value, calls);
  // There is no value of such a call for `(void)f();`.
  const bool hasNothing = llvm::any_of(calls, [&](const ExprRef &call) {
    return call != stmt->expr && isVoid(call->callee->returnType);
  });
  if (calls.empty() || hasNothing || !mayComeFirst(value, calls)) {
    out.push_back(stmt);
    return;
  }
  bool isOnlyCall = stmt->kind == StmtKind::Expr && calls.back() == stmt->expr;
  bool isSum = isAssign && isFusingSum(*stmt->expr);
  for (const ExprRef &call : calls) {
    ExprRef result = place(*call, call == value && !isSum, out);
    if (call == stmt->expr && isOnlyCall) {
      if (result && !isSideEffectFree(result))
        out.push_back(makeStatement(result));
      return;
    }
    results[call.get()] = result;
  }
  auto copy = std::make_shared<Stmt>(*stmt);
  copy->expr = replaced(stmt->expr);
  out.push_back(copy);
}

StmtRef BodyPlacer::nested(const StmtRef &stmt) {
  if (!stmt)
    return nullptr;
  Statements out;
  visit(stmt, out);
  if (out.size() == 1)
    return out.front();
  auto block = std::make_shared<Stmt>();
  block->kind = StmtKind::Block;
  block->range = stmt->range;
  block->children = std::move(out);
  return block;
}

void BodyPlacer::visit(const StmtRef &stmt, Statements &out) {
  if (!stmt) {
    out.push_back(stmt);
    return;
  }
  switch (stmt->kind) {
  case StmtKind::Block: {
    auto copy = std::make_shared<Stmt>(*stmt);
    copy->children.clear();
    for (const StmtRef &child : stmt->children)
      visit(child, copy->children);
    out.push_back(copy);
    return;
  }
  case StmtKind::Group: {
    // One after the other is what a group means.
    Statements parts;
    for (const StmtRef &child : stmt->children)
      visit(child, parts);
    if (parts.size() == stmt->children.size())
      out.push_back(stmt);
    else
      llvm::append_range(out, parts);
    return;
  }
  case StmtKind::If: {
    Statements before;
    visitCalls(stmt, before);
    auto copy = std::make_shared<Stmt>(*before.back());
    before.pop_back();
    llvm::append_range(out, before);
    copy->body = nested(stmt->body);
    copy->elseBody = nested(stmt->elseBody);
    out.push_back(copy);
    return;
  }
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do: {
    auto copy = std::make_shared<Stmt>(*stmt);
    copy->body = nested(stmt->body);
    out.push_back(copy);
    return;
  }
  case StmtKind::Decl:
  case StmtKind::Expr:
  case StmtKind::Return:
    visitCalls(stmt, out);
    return;
  default:
    out.push_back(stmt);
    return;
  }
}

void BodyPlacer::run() {
  auto body = std::make_shared<Stmt>(*caller.body);
  body->children.clear();
  for (const StmtRef &child : caller.body->children)
    visit(child, body->children);
  if (taken == 0)
    return;
  caller.written = caller.body;
  caller.body = body;
}

void placeBodies(Function &caller,
                 const std::function<bool(const Function &)> &mayStand) {
  bool isUsable =
      caller.body && caller.body->kind == StmtKind::Block && !caller.hasGoto;
  if (isUsable)
    BodyPlacer(caller, mayStand).run();
}

} // namespace clopt
