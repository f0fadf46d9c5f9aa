//===- PlanExpressionReader.cpp - texts of integer expressions ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimePlanExpressionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanExpressionReader.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace clopt {

using NodeRef = std::shared_ptr<const PlanNode>;

/// Deeper nesting, and trees as deep as long chains of operators make them, are
/// refused, so that no text exhausts the stack: not here, not when the tree is
/// evaluated or released.
static constexpr unsigned deepest = 200, deepestTree = 1000;

static constexpr std::array<PlanScalar, 11> scalarTypes = {
    {{"char", 1, false},
     {"uchar", 1, true},
     {"short", 2, false},
     {"ushort", 2, true},
     {"int", 4, false},
     {"uint", 4, true},
     {"long", 8, false},
     {"ulong", 8, true},
     {"size_t", 8, true},
     {"ptrdiff_t", 8, false},
     {"bool", 1, true}}};

const PlanScalar *findPlanScalar(const std::string &name) {
  for (const PlanScalar &type : scalarTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

namespace {

struct Operator {
  const char *text;
  int precedence;
};

/// Two characters before one, so that the longest fits first.
constexpr std::array<Operator, 18> binaryOperators = {{{"||", 1},
                                                       {"&&", 2},
                                                       {"==", 6},
                                                       {"!=", 6},
                                                       {"<=", 7},
                                                       {">=", 7},
                                                       {"<<", 8},
                                                       {">>", 8},
                                                       {"|", 3},
                                                       {"^", 4},
                                                       {"&", 5},
                                                       {"<", 7},
                                                       {">", 7},
                                                       {"+", 9},
                                                       {"-", 9},
                                                       {"*", 10},
                                                       {"/", 10},
                                                       {"%", 10}}};

class Reader {
public:
  explicit Reader(const std::string &source) : text(source) {}

  NodeRef run() {
    NodeRef result = conditional();
    if (peek() != '\0' || at < text.size())
      fail("unexpected '" + std::string(1, text[at]) + "'");
    return result;
  }

private:
  [[noreturn]] void fail(const std::string &message) const {
    throw PlanExpressionError(message, at);
  }

  char peek() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
    return at < text.size() ? text[at] : '\0';
  }

  bool take(char wanted) {
    if (peek() != wanted)
      return false;
    ++at;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted))
      fail(std::string("expected '") + wanted + "'");
  }

  NodeRef make(PlanNode::Kind kind, std::string name,
               std::vector<NodeRef> operands) const {
    auto node = std::make_shared<PlanNode>();
    node->kind = kind;
    node->text = std::move(name);
    node->operands = std::move(operands);
    for (const NodeRef &operand : node->operands)
      node->depth = std::max(node->depth, operand->depth + 1);
    if (node->depth > deepestTree)
      fail("the expression is too long");
    return node;
  }

  NodeRef conditional() {
    NodeRef condition = binary(1);
    if (!take('?'))
      return condition;
    if (++depth > deepest)
      fail("nested too deeply");
    NodeRef first = conditional();
    expect(':');
    NodeRef second = conditional();
    --depth;
    return make(PlanNode::Kind::Conditional, "", {condition, first, second});
  }

  const Operator *binaryOperator() {
    peek();
    for (const Operator &op : binaryOperators)
      if (text.compare(at, std::string(op.text).size(), op.text) == 0)
        return &op;
    return nullptr;
  }

  NodeRef binary(int least) {
    NodeRef left = unary();
    for (;;) {
      const Operator *op = binaryOperator();
      if (!op || op->precedence < least)
        return left;
      at += std::string(op->text).size();
      NodeRef right = binary(op->precedence + 1);
      left = make(PlanNode::Kind::Binary, op->text, {left, right});
    }
  }

  NodeRef unary() {
    if (++depth > deepest)
      fail("nested too deeply");
    NodeRef result = operand();
    --depth;
    return result;
  }

  NodeRef operand() {
    char next = peek();
    if (next == '-' || next == '+' || next == '!' || next == '~') {
      ++at;
      return make(PlanNode::Kind::Unary, std::string(1, next), {unary()});
    }
    if (next == '(') {
      ++at;
      size_t begin = at;
      peek();
      std::string name = word();
      if (findPlanScalar(name) && take(')'))
        return make(PlanNode::Kind::Cast, name, {unary()});
      at = begin;
      NodeRef inner = conditional();
      expect(')');
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(next)))
      return literal();
    std::string name = word();
    if (name.empty())
      fail(next ? "expected a value, not '" + std::string(1, next) + "'"
                : std::string("expected a value"));
    if (!take('('))
      return make(PlanNode::Kind::Name, name, {});
    return call(name);
  }

  NodeRef call(const std::string &name) {
    static const std::map<std::string, size_t> functions = {
        {"min", 2},
        {"max", 2},
        {"ceildiv", 2},
        {"roundup", 2},
        {"get_global_size", 1},
        {"get_global_offset", 1},
        {"get_local_size", 1},
        {"get_enqueued_local_size", 1},
        {"get_work_dim", 0}};
    if (name == "buffer_bytes")
      return bufferBytes();
    auto known = functions.find(name);
    if (known == functions.end())
      fail("no function '" + name + "'");
    std::vector<NodeRef> operands;
    if (known->second)
      do
        operands.push_back(conditional());
      while (take(','));
    expect(')');
    if (operands.size() != known->second)
      fail("'" + name + "' takes " + std::to_string(known->second) +
           (known->second == 1 ? " value" : " values"));
    return make(PlanNode::Kind::Call, name, std::move(operands));
  }

  /// The size of a buffer parameter is a fact of its own, with this name.
  NodeRef bufferBytes() {
    NodeRef operand = conditional();
    expect(')');
    if (operand->kind != PlanNode::Kind::Name)
      fail("'buffer_bytes' takes the name of a buffer");
    return make(PlanNode::Kind::Call, "buffer_bytes", {operand});
  }

  std::string word() {
    size_t begin = at;
    while (
        at < text.size() &&
        (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    if (begin < at && std::isdigit(static_cast<unsigned char>(text[begin])))
      at = begin;
    return text.substr(begin, at - begin);
  }

  NodeRef literal() {
    unsigned base = 10;
    if (text[at] == '0' && at + 1 < text.size() &&
        (text[at + 1] == 'x' || text[at + 1] == 'X')) {
      base = 16;
      at += 2;
    }
    uint64_t value = 0;
    size_t begin = at;
    for (; at < text.size(); ++at) {
      unsigned char c = static_cast<unsigned char>(text[at]);
      unsigned digit = std::isdigit(c)                  ? c - '0'
                       : base == 16 && std::isxdigit(c) ? (c | 32u) - 'a' + 10
                                                        : base;
      if (digit >= base)
        break;
      if (value > (UINT64_MAX - digit) / base)
        fail("the number does not fit 64 bits");
      value = value * base + digit;
    }
    if (at == begin)
      fail("expected a digit");
    return finishLiteral(value, base == 16);
  }

  /// Suffix and type, as C has them.
  NodeRef finishLiteral(uint64_t value, bool isHex) {
    bool isUnsigned = false, isWide = false;
    for (;
         at < text.size() && std::isalpha(static_cast<unsigned char>(text[at]));
         ++at) {
      char c = static_cast<char>(text[at] | 32);
      if ((c != 'u' || isUnsigned) && (c != 'l' || isWide))
        fail("unexpected '" + std::string(1, text[at]) + "'");
      (c == 'u' ? isUnsigned : isWide) = true;
    }
    if (value > INT64_MAX)
      isUnsigned = true;
    else if (isHex && !isWide && value > INT32_MAX && value <= UINT32_MAX)
      isUnsigned = true;
    isWide |= value > (isUnsigned ? uint64_t(UINT32_MAX) : uint64_t(INT32_MAX));
    auto node = std::make_shared<PlanNode>();
    node->value.bits = value;
    node->value.isUnsigned = isUnsigned;
    node->value.isWide = isWide;
    return node;
  }

  const std::string &text;
  size_t at = 0;
  unsigned depth = 0;
};

} // namespace

std::shared_ptr<const PlanNode> readPlanExpression(const std::string &text) {
  return Reader(text).run();
}

} // namespace clopt
