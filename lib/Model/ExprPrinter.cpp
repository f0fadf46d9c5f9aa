//===- ExprPrinter.cpp - expressions and statements as OpenCL C -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is appended to one string, so that long expressions take linear
// time.
//
// Tested by test/unit/ExprPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/ExprPrinter.h"

#include "Model/Literals.h"
#include "Model/PrintedNumbers.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

using namespace clopt;

//===-- Expressions -------------------------------------------------------===//

namespace {

class Printer {
public:
  explicit Printer(const PrintHooks &printHooks) : hooks(printHooks) {}

  void expr(const ExprRef &ref, int least);
  void stmt(const StmtRef &ref, unsigned indent);
  std::string declaration(const Variable &variable) const;

  std::vector<std::string> lines; ///< those that are complete
  std::string out;                ///< what is being written

private:
  void exprCases(const Expr &node);
  void binary(const Expr &node);
  void sum(const Expr &base, int64_t constant, int least);
  void unary(const Expr &node);
  void condition(const ExprRef &ref, int least);
  void list(const std::vector<ExprRef> &operands);
  void put(const PrintedText &printed, int least);
  std::string nameOf(const Variable &variable) const;

  void plainStmt(const Stmt &node, unsigned indent);
  void loop(const Stmt &node, unsigned indent);
  void ifStmt(const Stmt &node, unsigned indent);
  void nested(const StmtRef &body, unsigned indent, bool needsBraces = false);
  void forInit(const StmtRef &init);
  void declStmt(const Stmt &node, bool withType);
  void raw(const std::string &text, unsigned indent);
  void braces(const Stmt &block, unsigned indent);
  void line(unsigned indent) { out.append(indent, ' '); }
  void endLine() { lines.push_back(std::exchange(out, "")); }
  /// The last line goes on.
  void reopenLine() {
    out = std::move(lines.back()) + " ";
    lines.pop_back();
  }

  const PrintHooks &hooks;
  PrintedNumbers numbers{hooks};
};

} // namespace

static bool isName(const std::string &text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_';
  });
}

/// `a || b || c` needs no parentheses, `(a && b) || c` does.
int clopt::leftPrecedence(Op op, const ExprRef &left) {
  const Expr &node = *withoutCasts(left);
  bool isChain = node.kind == ExprKind::Binary && node.op == op &&
                 binaryPrecedence(op) != PrecRelational &&
                 binaryPrecedence(op) != PrecEquality;
  return isChain ? binaryPrecedence(op) : operandPrecedence(op);
}

int clopt::rightPrecedence(Op op) {
  return std::max(binaryPrecedence(op) + 1, operandPrecedence(op));
}

static int precedenceOf(const Expr &node) {
  switch (node.kind) {
  case ExprKind::IntLiteral:
    return integerText(node).precedence;
  case ExprKind::FloatLiteral:
    return !node.text.empty() && node.text[0] == '-' ? PrecUnary : PrecPrimary;
  case ExprKind::StringLiteral:
  case ExprKind::VarRef:
  case ExprKind::InitList:
    return PrecPrimary;
  case ExprKind::WorkItem:
  case ExprKind::Call:
  case ExprKind::Subscript:
  case ExprKind::Member:
  case ExprKind::Swizzle:
    return PrecPostfix;
  case ExprKind::Unary:
    return node.op == Op::PostInc || node.op == Op::PostDec ? PrecPostfix
                                                            : PrecUnary;
  case ExprKind::Cast:
  case ExprKind::VectorLiteral:
    return PrecUnary;
  case ExprKind::Binary:
    return binaryPrecedence(node.op);
  case ExprKind::Assign:
    return PrecAssign;
  case ExprKind::Conditional:
    return PrecConditional;
  case ExprKind::Opaque:
    if (isName(node.text))
      return PrecPrimary;
    return PrecComma - 1; // nothing is known of its text
  }
  return PrecComma - 1;
}

/// The 1 of `x++;`, which is `x += 1` everywhere else.
static bool isUnwrittenOne(const Expr &expr) {
  return expr.kind == ExprKind::IntLiteral && expr.implicit &&
         expr.intValue == 1;
}

void Printer::put(const PrintedText &printed, int least) {
  bool needsParens = printed.precedence < least;
  out += needsParens ? "(" + printed.text + ")" : printed.text;
}

static PrintedText numberText(int64_t number) {
  return {std::to_string(number), number < 0 ? PrecUnary : PrecPrimary};
}

void Printer::expr(const ExprRef &ref, int least) {
  const Expr *node = ref.get();
  while (node) {
    if (hooks.expr)
      if (std::optional<PrintedText> text = hooks.expr(*node))
        return put(*text, least);
    if (std::optional<int64_t> number = numbers.valueOf(*node))
      return put(numberText(*number), least);
    if (std::optional<PrintedNumbers::Sum> folded = numbers.sumOf(*node))
      return sum(*folded->base, folded->constant, least);
    const Expr *inner = numbers.withoutNeutral(node);
    if (inner == node && (node->kind != ExprKind::Cast || !node->implicit))
      break;
    node = inner == node ? node->operands[0].get() : inner;
  }
  if (!node)
    return;
  bool needsParens = precedenceOf(*node) < least;
  if (needsParens)
    out += '(';
  exprCases(*node);
  if (needsParens)
    out += ')';
}

void Printer::list(const std::vector<ExprRef> &operands) {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i)
      out += ", ";
    expr(operands[i], PrecAssign);
  }
}

/// A truth value. Clang takes a bare assignment for a comparison gone wrong,
/// and arithmetic before `?` for a missing pair of parentheses.
void Printer::condition(const ExprRef &ref, int least) {
  const Expr *node = ref.get();
  while (node && node->kind == ExprKind::Cast && node->implicit)
    node = node->operands[0].get();
  if (node && node->kind == ExprKind::Assign && node->op == Op::None)
    least = PrecPrimary;
  if (node && node->kind == ExprKind::Binary && least == PrecLOr &&
      binaryPrecedence(node->op) >= PrecShift)
    least = PrecPrimary;
  expr(ref, least);
}

/// `x + 2`, or `x` alone.
void Printer::sum(const Expr &base, int64_t constant, int least) {
  ExprRef alias(ExprRef(), &base);
  if (constant == 0)
    return expr(alias, least);
  std::string text = printOperand(alias, PrecAdditive, hooks);
  text += (constant < 0 ? " - " : " + ") +
          std::to_string(constant < 0 ? -constant : constant);
  put({text, PrecAdditive}, least);
}

void Printer::binary(const Expr &node) {
  expr(node.operands[0], leftPrecedence(node.op, node.operands[0]));
  out += node.op == Op::Comma ? ", "
                              : " " + std::string(operatorText(node.op)) + " ";
  size_t start = out.size();
  expr(node.operands[1], rightPrecedence(node.op));
  // `x + -1` reads better as `x - 1`.
  if (PrintedNumbers::isIntegerSum(node) &&
      numbers.textOf(node.operands[1]).rfind('-', 0) == 0)
    out.replace(start - 2, 3, node.op == Op::Add ? "- " : "+ ");
}

void Printer::unary(const Expr &node) {
  if (node.op == Op::PostInc || node.op == Op::PostDec) {
    expr(node.operands[0], PrecPostfix);
    out += operatorText(node.op);
    return;
  }
  out += operatorText(node.op);
  size_t start = out.size();
  expr(node.operands[0], PrecUnary);
  // "- -x" must not become a decrement, nor "& &x" a conjunction.
  if (start < out.size() && out[start] == out[start - 1] &&
      (out[start] == '-' || out[start] == '+' || out[start] == '&'))
    out.insert(start, " ");
}

void Printer::exprCases(const Expr &node) {
  switch (node.kind) {
  case ExprKind::IntLiteral:
    out += integerText(node).text;
    break;
  case ExprKind::FloatLiteral:
    out += node.macro.empty() ? node.text : node.macro;
    break;
  case ExprKind::StringLiteral:
  case ExprKind::Opaque:
    out += node.text;
    break;
  case ExprKind::VarRef:
    out += nameOf(*node.var);
    break;
  case ExprKind::WorkItem:
    out += printWorkItem(node.query, node.dim);
    break;
  case ExprKind::Unary:
    unary(node);
    break;
  case ExprKind::Binary:
    binary(node);
    break;
  case ExprKind::Assign:
    expr(node.operands[0], PrecUnary);
    if (isUnwrittenOne(*node.operands[1]) &&
        (node.op == Op::Add || node.op == Op::Sub)) {
      out += node.op == Op::Add ? "++" : "--";
      break;
    }
    out += " " + std::string(operatorText(node.op)) + "= ";
    expr(node.operands[1], PrecAssign);
    break;
  case ExprKind::Conditional:
    condition(node.operands[0], PrecLOr);
    out += " ? ";
    expr(node.operands[1], PrecAssign);
    out += " : ";
    expr(node.operands[2], PrecConditional);
    break;
  case ExprKind::Call:
    out += node.text + "(";
    list(node.operands);
    out += ")";
    break;
  case ExprKind::Cast:
    out += "(" + typeText(node.type) + ")";
    expr(node.operands[0], node.type.isVector() ? PrecPrimary + 1 : PrecUnary);
    break;
  case ExprKind::Subscript:
    expr(node.operands[0], PrecPostfix);
    out += "[";
    expr(node.operands[1], PrecComma);
    out += "]";
    break;
  case ExprKind::Member:
    expr(node.operands[0], PrecPostfix);
    out += (node.arrow ? "->" : ".") + node.text;
    break;
  case ExprKind::Swizzle:
    expr(node.operands[0], PrecPostfix);
    out += "." + node.text;
    break;
  case ExprKind::VectorLiteral:
    out += "(" + typeText(node.type) + ")(";
    list(node.operands);
    out += ")";
    break;
  case ExprKind::InitList:
    out += "{";
    list(node.operands);
    out += "}";
    break;
  }
}

std::string Printer::nameOf(const Variable &variable) const {
  if (hooks.name)
    if (std::optional<std::string> name = hooks.name(variable))
      return *name;
  return variable.name;
}

//===-- Declarations ------------------------------------------------------===//

static const char *storageKeyword(AddressSpace space) {
  switch (space) {
  case AddressSpace::Local:
    return "__local ";
  case AddressSpace::Constant:
    return "__constant ";
  case AddressSpace::Global:
    return "__global ";
  default:
    return "";
  }
}

static const Type &innermost(const Type &type) {
  const Type *current = &type;
  while ((current->isPointer() || current->isArray()) && current->element)
    current = current->element.get();
  return *current;
}

std::string Printer::declaration(const Variable &variable) const {
  const Type *element = &variable.type;
  while (element->isArray() && element->element)
    element = element->element.get();
  std::string name = nameOf(variable);
  // Before a star the keyword would be about what is pointed to.
  if (element->isPointer())
    return declarationText(variable.type,
                           storageKeyword(variable.space) + name);
  return storageKeyword(variable.space) + declarationText(variable.type, name);
}

void Printer::declStmt(const Stmt &node, bool withType) {
  std::string text = declaration(*node.var);
  if (!withType) {
    // A further declarator of the same declaration: what follows the type.
    std::string base = typeText(innermost(node.var->type)) + " ";
    size_t place = text.find(base);
    text = place == std::string::npos ? text : text.substr(place + base.size());
  } else if (!node.text.empty()) {
    out += node.text + " ";
  }
  out += text;
  for (const std::string &attribute : node.pragmas)
    out += " " + attribute;
  if (!node.expr)
    return;
  out += " = ";
  expr(node.expr, PrecAssign);
}

//===-- Statements --------------------------------------------------------===//

void Printer::raw(const std::string &text, unsigned indent) {
  line(indent);
  for (char c : text)
    if (c == '\n')
      endLine();
    else
      out += c;
  if (text.empty() ||
      (text.back() != ';' && text.back() != '}' && text.back() != '\n'))
    out += ';';
  if (!out.empty())
    endLine();
}

void Printer::braces(const Stmt &block, unsigned indent) {
  out += "{";
  endLine();
  for (const StmtRef &child : block.children)
    stmt(child, indent + 2);
  line(indent);
  out += "}";
  endLine();
}

void Printer::nested(const StmtRef &body, unsigned indent, bool needsBraces) {
  bool isBlock = body && body->kind == StmtKind::Block;
  // A declaration list, or lines before a loop, are more than one statement.
  needsBraces |=
      body && (body->kind == StmtKind::Group || body->kind == StmtKind::Decl ||
               !body->pragmas.empty());
  if (isBlock || needsBraces) {
    Stmt around;
    around.children = {body};
    out += " ";
    return braces(isBlock ? *body : around, indent);
  }
  endLine();
  stmt(body, indent + 2);
}

void Printer::forInit(const StmtRef &init) {
  if (!init)
    return;
  if (init->kind == StmtKind::Group) {
    for (size_t i = 0; i < init->children.size(); ++i) {
      out += i ? ", " : "";
      declStmt(*init->children[i], i == 0);
    }
  } else if (init->kind == StmtKind::Decl) {
    declStmt(*init, true);
  } else {
    expr(init->expr, PrecComma - 1);
  }
}

void Printer::loop(const Stmt &node, unsigned indent) {
  line(indent);
  if (node.kind == StmtKind::Do) {
    out += "do";
    nested(node.body, indent, true);
    reopenLine();
    out += "while (";
    condition(node.expr, PrecComma - 1);
    out += ");";
    return endLine();
  }
  out += node.kind == StmtKind::For ? "for (" : "while (";
  if (node.kind == StmtKind::For) {
    forInit(node.init);
    out += node.expr ? "; " : ";";
  }
  condition(node.expr, PrecComma - 1);
  if (node.kind == StmtKind::For) {
    out += node.inc ? "; " : ";";
    expr(node.inc, PrecComma - 1);
  }
  out += ")";
  nested(node.body, indent);
}

void Printer::ifStmt(const Stmt &node, unsigned indent) {
  out += "if (";
  condition(node.expr, PrecComma - 1);
  out += ")";
  // Without braces an inner `if` would catch the `else`.
  bool isSimple = node.body && (node.body->kind == StmtKind::Expr ||
                                node.body->kind == StmtKind::Null ||
                                node.body->kind == StmtKind::Return ||
                                node.body->kind == StmtKind::Break ||
                                node.body->kind == StmtKind::Continue);
  nested(node.body, indent, node.elseBody && !isSimple);
  if (!node.elseBody)
    return;
  if (lines.back().back() == '}')
    reopenLine();
  else
    line(indent);
  out += "else";
  if (node.elseBody->kind == StmtKind::If && node.elseBody->pragmas.empty()) {
    out += " ";
    ifStmt(*node.elseBody, indent);
  } else {
    nested(node.elseBody, indent);
  }
}

void Printer::plainStmt(const Stmt &node, unsigned indent) {
  line(indent);
  switch (node.kind) {
  case StmtKind::Decl:
    declStmt(node, true);
    break;
  case StmtKind::Break:
    out += "break";
    break;
  case StmtKind::Continue:
    out += "continue";
    break;
  case StmtKind::Return:
    out += node.expr ? "return " : "return";
    expr(node.expr, PrecComma - 1);
    break;
  default:
    expr(node.expr, PrecComma - 1);
    break;
  }
  out += ";";
  endLine();
}

void Printer::stmt(const StmtRef &ref, unsigned indent) {
  if (!ref)
    return;
  const Stmt &node = *ref;
  if (node.kind != StmtKind::Decl)
    for (const std::string &pragma : node.pragmas) {
      line(pragma[0] == '#' ? 0 : indent);
      out += pragma;
      endLine();
    }
  switch (node.kind) {
  case StmtKind::Block:
    line(indent);
    braces(node, indent);
    break;
  case StmtKind::Group:
    for (const StmtRef &child : node.children)
      stmt(child, indent);
    break;
  case StmtKind::If:
    line(indent);
    ifStmt(node, indent);
    break;
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    loop(node, indent);
    break;
  case StmtKind::Switch:
  case StmtKind::Opaque:
    raw(node.text, indent);
    break;
  default:
    plainStmt(node, indent);
    break;
  }
}

//===-- Entry points ------------------------------------------------------===//

std::string clopt::printExpr(const ExprRef &expr, const PrintHooks &hooks) {
  return printOperand(expr, PrecComma - 1, hooks);
}

std::string clopt::printOperand(const ExprRef &expr, int precedence,
                                const PrintHooks &hooks) {
  Printer printer(hooks);
  printer.expr(expr, precedence);
  return std::move(printer.out);
}

std::vector<std::string> clopt::printStmt(const StmtRef &stmt,
                                          const PrintHooks &hooks) {
  Printer printer(hooks);
  printer.stmt(stmt, 0);
  return std::move(printer.lines);
}

std::string clopt::printDecl(const Variable &variable,
                             const PrintHooks &hooks) {
  return Printer(hooks).declaration(variable);
}
