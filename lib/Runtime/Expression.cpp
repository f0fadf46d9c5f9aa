//===- Expression.cpp - integer expressions over named sizes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive-descent parser and an evaluator that checks every operation: a
// size that overflows must be a message, never a small buffer. Division rounds
// down, as Python's
// `//` does, because the tools that share the T1 format evaluate with Python.
// Tested by test/unit/RuntimeExpressionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Expression.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace clopt::runtime {

struct Expression::Node {
  enum class Kind {
    Constant,
    Name,
    Index, // name[e], a value of a list such as ProblemSize
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Call
  };
  Kind kind;
  std::size_t offset; // of the operator or name, for messages
  std::int64_t value = 0;
  std::string name;
  std::vector<std::shared_ptr<const Node>> operands;
};

using Node = Expression::Node;
using Kind = Node::Kind;
using NodePtr = std::shared_ptr<const Node>;

namespace {

/// Deeper nesting than this is no size anybody writes, and would exhaust the
/// stack.
constexpr unsigned maxDepth = 200;

class Parser {
public:
  explicit Parser(const std::string &input) : text(input) {}

  NodePtr parseAll() {
    NodePtr result = parseSum();
    skipSpace();
    if (pos != text.size())
      throw ExpressionError("expected an operator", pos);
    return result;
  }

private:
  void skipSpace() {
    while (pos < text.size() &&
           std::isspace(static_cast<unsigned char>(text[pos])))
      ++pos;
  }

  bool accept(const char *token) {
    skipSpace();
    const std::string wanted(token);
    if (text.compare(pos, wanted.size(), wanted) != 0)
      return false;
    pos += wanted.size();
    return true;
  }

  void expect(const char *token) {
    if (!accept(token))
      throw ExpressionError(std::string("expected '") + token + "'", pos);
  }

  static NodePtr make(Kind kind, std::size_t at,
                      std::vector<NodePtr> operands) {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->offset = at;
    node->operands = std::move(operands);
    return node;
  }

  NodePtr parseSum() {
    if (++depth > maxDepth)
      throw ExpressionError("expression is nested too deeply", pos);
    NodePtr left = parseTerm();
    for (;;) {
      skipSpace();
      const std::size_t at = pos;
      if (accept("+"))
        left = make(Kind::Add, at, {left, parseTerm()});
      else if (accept("-"))
        left = make(Kind::Subtract, at, {left, parseTerm()});
      else
        break;
    }
    --depth;
    return left;
  }

  NodePtr parseTerm() {
    NodePtr left = parseUnary();
    for (;;) {
      skipSpace();
      const std::size_t at = pos;
      if (accept("*"))
        left = make(Kind::Multiply, at, {left, parseUnary()});
      else if (accept("//") || accept("/"))
        left = make(Kind::Divide, at, {left, parseUnary()});
      else if (accept("%"))
        left = make(Kind::Modulo, at, {left, parseUnary()});
      else
        return left;
    }
  }

  NodePtr parseUnary() {
    if (++depth > maxDepth)
      throw ExpressionError("expression is nested too deeply", pos);
    skipSpace();
    const std::size_t at = pos;
    NodePtr result;
    if (accept("-"))
      result = make(Kind::Negate, at, {parseUnary()});
    else if (accept("+"))
      result = parseUnary();
    else
      result = parsePower();
    --depth;
    return result;
  }

  NodePtr parsePower() {
    NodePtr base = parsePrimary();
    skipSpace();
    const std::size_t at = pos;
    return accept("**") ? make(Kind::Power, at, {base, parseUnary()}) : base;
  }

  NodePtr parsePrimary() {
    skipSpace();
    if (pos == text.size())
      throw ExpressionError("expected a number, a name or '('", pos);
    const unsigned char c = static_cast<unsigned char>(text[pos]);
    if (std::isdigit(c))
      return parseNumber();
    if (std::isalpha(c) || c == '_')
      return parseName();
    if (!accept("("))
      throw ExpressionError("expected a number, a name or '('", pos);
    NodePtr inner = parseSum();
    expect(")");
    return inner;
  }

  NodePtr parseNumber() {
    auto node = std::make_shared<Node>();
    node->kind = Kind::Constant;
    node->offset = pos;
    while (pos < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[pos]))) {
      if (__builtin_mul_overflow(node->value, std::int64_t(10), &node->value) ||
          __builtin_add_overflow(node->value, std::int64_t(text[pos] - '0'),
                                 &node->value))
        throw ExpressionError("number does not fit 64 bits", node->offset);
      ++pos;
    }
    return node;
  }

  NodePtr parseName() {
    auto node = std::make_shared<Node>();
    node->kind = Kind::Name;
    node->offset = pos;
    while (pos < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[pos])) ||
            text[pos] == '_'))
      node->name += text[pos++];
    if (accept("[")) {
      node->kind = Kind::Index;
      node->operands.push_back(parseSum());
      expect("]");
    } else if (accept("(")) {
      node->kind = Kind::Call;
      parseArguments(*node);
      checkCall(*node);
    }
    return node;
  }

  void parseArguments(Node &node) {
    do
      node.operands.push_back(parseSum());
    while (accept(","));
    expect(")");
  }

  static void checkCall(const Node &node) {
    const bool isList = node.name == "min" || node.name == "max";
    const bool isPair =
        node.name == "ceildiv" || node.name == "roundup" || node.name == "gcd";
    if (!isList && !isPair && node.name != "abs")
      throw ExpressionError(
          "unknown function '" + node.name +
              "' (there are min, max, abs, ceildiv, roundup and gcd)",
          node.offset);
    const std::size_t wanted = isPair ? 2 : 1;
    if (!isList && node.operands.size() != wanted)
      throw ExpressionError("'" + node.name + "' takes " +
                                std::to_string(wanted) +
                                (wanted == 1 ? " argument" : " arguments"),
                            node.offset);
  }

  const std::string &text;
  std::size_t pos = 0;
  unsigned depth = 0;
};

[[noreturn]] void failOverflow(const Node &node) {
  throw ExpressionError("value does not fit 64 bits", node.offset);
}

std::int64_t multiply(std::int64_t a, std::int64_t b, const Node &node) {
  std::int64_t result;
  if (__builtin_mul_overflow(a, b, &result))
    failOverflow(node);
  return result;
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b, const Node &node) {
  if (b == 0)
    throw ExpressionError("division by zero", node.offset);
  if (b == -1)
    return multiply(a, -1, node); // INT64_MIN / -1 traps
  const std::int64_t quotient = a / b;
  return quotient - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b, const Node &node) {
  return multiply(floorDivide(multiply(a, -1, node), b, node), -1, node);
}

std::int64_t power(std::int64_t base, std::int64_t exponent, const Node &node) {
  if (exponent < 0)
    throw ExpressionError("negative exponent", node.offset);
  if (base == 0 || base == 1)
    return exponent == 0 ? 1 : base;
  std::int64_t result = 1;
  for (; exponent > 0;
       --exponent) // at most 64 steps before it overflows, or base is -1
    if (base == -1)
      return exponent % 2 == 0 ? 1 : -1;
    else
      result = multiply(result, base, node);
  return result;
}

std::int64_t lookUp(const std::string &name, const Node &node,
                    const Bindings &bindings) {
  const auto found = bindings.find(name);
  if (found == bindings.end())
    throw ExpressionError("unknown name '" + name + "'", node.offset);
  return found->second;
}

std::int64_t call(const Node &node, const std::vector<std::int64_t> &args) {
  if (node.name == "min")
    return *std::min_element(args.begin(), args.end());
  if (node.name == "max")
    return *std::max_element(args.begin(), args.end());
  if (node.name == "ceildiv")
    return ceilDivide(args[0], args[1], node);
  if (node.name == "roundup")
    return multiply(ceilDivide(args[0], args[1], node), args[1], node);
  if (node.name == "gcd")
    return std::gcd(args[0], args[1]);
  return args[0] < 0 ? multiply(args[0], -1, node) : args[0];
}

std::int64_t evaluateBinary(const Node &node, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (node.kind) {
  case Kind::Add:
    if (__builtin_add_overflow(a, b, &result))
      failOverflow(node);
    return result;
  case Kind::Subtract:
    if (__builtin_sub_overflow(a, b, &result))
      failOverflow(node);
    return result;
  case Kind::Multiply:
    return multiply(a, b, node);
  case Kind::Divide:
    return floorDivide(a, b, node);
  case Kind::Modulo:
    return b == -1 ? 0 : a - b * floorDivide(a, b, node);
  default:
    return power(a, b, node);
  }
}

std::int64_t evaluateNode(const Node &node, const Bindings &bindings) {
  std::vector<std::int64_t> args;
  for (const NodePtr &operand : node.operands)
    args.push_back(evaluateNode(*operand, bindings));
  switch (node.kind) {
  case Kind::Constant:
    return node.value;
  case Kind::Name:
    return lookUp(node.name, node, bindings);
  case Kind::Index:
    return lookUp(node.name + "[" + std::to_string(args[0]) + "]", node,
                  bindings);
  case Kind::Negate:
    return multiply(args[0], -1, node);
  case Kind::Call:
    return call(node, args);
  default:
    return evaluateBinary(node, args[0], args[1]);
  }
}

void collectNames(const Node &node, std::set<std::string> &names) {
  if (node.kind == Kind::Name || node.kind == Kind::Index)
    names.insert(node.name);
  for (const NodePtr &operand : node.operands)
    collectNames(*operand, names);
}

} // namespace

Expression::Expression(std::shared_ptr<const Node> tree, std::string writtenAs)
    : root(std::move(tree)), source(std::move(writtenAs)) {}

Expression Expression::parse(const std::string &text) {
  return Expression(Parser(text).parseAll(), text);
}

Expression Expression::constant(std::int64_t value) {
  auto node = std::make_shared<Node>();
  node->kind = Kind::Constant;
  node->offset = 0;
  node->value = value;
  return Expression(node, std::to_string(value));
}

std::int64_t Expression::evaluate(const Bindings &bindings) const {
  return evaluateNode(*root, bindings);
}

std::set<std::string> Expression::names() const {
  std::set<std::string> result;
  collectNames(*root, result);
  return result;
}

} // namespace clopt::runtime
