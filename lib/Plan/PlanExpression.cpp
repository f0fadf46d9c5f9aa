//===- PlanExpression.cpp - integer expressions of OpenCL C ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimePlanExpressionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanExpression.h"

#include <array>
#include <cctype>
#include <map>

namespace clopt {

using NodeRef = std::shared_ptr<const PlanNode>;
using MaybeValue = std::optional<PlanValue>;

/// Deeper nesting is refused, so that no text exhausts the stack.
static constexpr unsigned deepest = 200;

PlanValue PlanValue::ofInt(int64_t value) {
  PlanValue result;
  result.bits = static_cast<uint64_t>(static_cast<int32_t>(value));
  return result;
}

PlanValue PlanValue::ofLong(int64_t value) {
  PlanValue result;
  result.bits = static_cast<uint64_t>(value);
  result.isWide = true;
  return result;
}

PlanValue PlanValue::ofULong(uint64_t value) {
  PlanValue result;
  result.bits = value;
  result.isWide = result.isUnsigned = true;
  return result;
}

PlanValue PlanValue::ofAddress(uint64_t address, uint64_t elementBytes) {
  PlanValue result = ofULong(address);
  result.elementBytes = elementBytes;
  return result;
}

const std::vector<std::string> &planDeviceFacts() {
  static const std::vector<std::string> facts = {
      "CL_DEVICE_MAX_COMPUTE_UNITS",   "CL_DEVICE_LOCAL_MEM_SIZE",
      "CL_DEVICE_MAX_WORK_GROUP_SIZE", "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE",
      "CL_DEVICE_MAX_MEM_ALLOC_SIZE",  "CL_DEVICE_IMAGE_SUPPORT",
      "CL_DEVICE_IMAGE2D_MAX_WIDTH",   "CL_DEVICE_IMAGE2D_MAX_HEIGHT"};
  return facts;
}

std::map<std::string, std::string>
planMacros(const std::vector<std::string> &flags) {
  std::map<std::string, std::string> result;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].compare(0, 2, "-D") != 0)
      continue;
    std::string flag = flags[i].substr(2);
    if (flag.empty() && i + 1 < flags.size())
      flag = flags[++i];
    const size_t equals = flag.find('=');
    result[flag.substr(0, equals)] =
        equals == std::string::npos ? "1" : flag.substr(equals + 1);
  }
  return result;
}

//===-- Reading
//-------------------------------------------------------------===//

namespace {

struct ScalarType {
  const char *name;
  unsigned bytes;
  bool isUnsigned;
};

constexpr std::array<ScalarType, 11> scalarTypes = {{{"char", 1, false},
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

const ScalarType *findType(const std::string &name) {
  for (const ScalarType &type : scalarTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

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

  static NodeRef make(PlanNode::Kind kind, std::string name,
                      std::vector<NodeRef> operands) {
    auto node = std::make_shared<PlanNode>();
    node->kind = kind;
    node->text = std::move(name);
    node->operands = std::move(operands);
    return node;
  }

  NodeRef conditional() {
    NodeRef condition = binary(1);
    if (!take('?'))
      return condition;
    NodeRef first = conditional();
    expect(':');
    NodeRef second = conditional();
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
      if (findType(name) && take(')'))
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

//===-- Values
//--------------------------------------------------------------===//

/// The low bits of `bits` as a value of `type`.
PlanValue convert(uint64_t bits, unsigned bytes, bool isUnsigned) {
  PlanValue result;
  result.isWide = bytes == 8;
  result.isUnsigned = isUnsigned && bytes >= 4;
  if (bytes < 8) {
    unsigned unused = 64 - 8 * bytes;
    bits <<= unused;
    bits = isUnsigned
               ? bits >> unused
               : static_cast<uint64_t>(static_cast<int64_t>(bits) >> unused);
  }
  result.bits = bits;
  return result;
}

class Evaluator {
public:
  explicit Evaluator(const PlanEnvironment &from) : environment(from) {}

  MaybeValue value(const PlanNode &node) {
    switch (node.kind) {
    case PlanNode::Kind::Literal:
      return node.value;
    case PlanNode::Kind::Name:
      return environment.name ? environment.name(node.text) : MaybeValue();
    case PlanNode::Kind::Call:
      return call(node);
    case PlanNode::Kind::Cast:
      return cast(node);
    case PlanNode::Kind::Unary:
      return unary(node);
    case PlanNode::Kind::Binary:
      return binary(node);
    case PlanNode::Kind::Conditional:
      break;
    }
    MaybeValue condition = value(*node.operands[0]);
    if (!condition)
      return std::nullopt;
    // The type comes from both, the value from one.
    MaybeValue chosen = value(*node.operands[condition->isTrue() ? 1 : 2]);
    MaybeValue other = value(*node.operands[condition->isTrue() ? 2 : 1]);
    if (chosen && other && !chosen->elementBytes && !other->elementBytes)
      unify(*chosen, *other);
    return chosen;
  }

private:
  MaybeValue call(const PlanNode &node) {
    if (node.text == "buffer_bytes")
      return environment.name
                 ? environment.name("buffer_bytes " + node.operands[0]->text)
                 : MaybeValue();
    std::vector<PlanValue> values;
    for (const NodeRef &operand : node.operands) {
      MaybeValue one = value(*operand);
      if (!one || one->elementBytes)
        return std::nullopt;
      values.push_back(*one);
    }
    if (values.size() < 2) {
      uint64_t argument = values.empty() ? 0 : values[0].bits;
      return environment.query ? environment.query(node.text, argument)
                               : MaybeValue();
    }
    unify(values[0], values[1]);
    if (node.text == "min" || node.text == "max")
      return isLess(values[1], values[0]) == (node.text == "min") ? values[1]
                                                                  : values[0];
    return roundedQuotient(node.text, values[0], values[1]);
  }

  /// ceildiv and roundup, of values that are not negative.
  static MaybeValue roundedQuotient(const std::string &name, PlanValue a,
                                    PlanValue b) {
    if (a.isNegative() || b.isNegative() || b.bits == 0)
      return std::nullopt;
    uint64_t count = a.bits / b.bits + (a.bits % b.bits != 0);
    PlanValue result = a;
    result.bits = count;
    if (name == "ceildiv")
      return result;
    if (count > UINT64_MAX / b.bits)
      return std::nullopt;
    result.bits = count * b.bits;
    return inRange(result) ? MaybeValue(result) : std::nullopt;
  }

  MaybeValue cast(const PlanNode &node) {
    MaybeValue inner = value(*node.operands[0]);
    const ScalarType *type = findType(node.text);
    if (!inner || !type)
      return std::nullopt;
    if (node.text == "bool")
      return PlanValue::ofInt(inner->isTrue());
    return convert(inner->bits, type->bytes, type->isUnsigned);
  }

  MaybeValue unary(const PlanNode &node) {
    MaybeValue inner = value(*node.operands[0]);
    if (!inner || (inner->elementBytes && node.text != "!"))
      return std::nullopt;
    if (node.text == "!")
      return PlanValue::ofInt(!inner->isTrue());
    if (node.text == "~") {
      inner->bits = ~inner->bits;
      return wrapped(*inner);
    }
    if (node.text == "-") {
      PlanValue zero = *inner;
      zero.bits = 0;
      return arithmetic('-', zero, *inner);
    }
    return inner;
  }

  MaybeValue binary(const PlanNode &node) {
    MaybeValue left = value(*node.operands[0]);
    if (!left)
      return std::nullopt;
    bool isAnd = node.text == "&&";
    if (isAnd || node.text == "||") {
      if (left->isTrue() != isAnd)
        return PlanValue::ofInt(!isAnd);
      MaybeValue right = value(*node.operands[1]);
      return right ? MaybeValue(PlanValue::ofInt(right->isTrue()))
                   : std::nullopt;
    }
    MaybeValue right = value(*node.operands[1]);
    if (!right)
      return std::nullopt;
    if (left->elementBytes || right->elementBytes)
      return address(node.text, *left, *right);
    if (node.text == "<<" || node.text == ">>")
      return shift(node.text == "<<", *left, *right);
    unify(*left, *right);
    if (node.text.size() == 2 || node.text == "<" || node.text == ">")
      return compare(node.text, *left, *right);
    return arithmetic(node.text[0], *left, *right);
  }

  /// The usual arithmetic conversions.
  static void unify(PlanValue &a, PlanValue &b) {
    bool isWide = a.isWide || b.isWide;
    bool isUnsigned = (a.isUnsigned && a.isWide == isWide) ||
                      (b.isUnsigned && b.isWide == isWide);
    for (PlanValue *value : {&a, &b})
      *value = convert(value->bits, isWide ? 8 : 4, isUnsigned);
  }

  static bool isLess(const PlanValue &a, const PlanValue &b) {
    return a.isUnsigned ? a.bits < b.bits : a.asSigned() < b.asSigned();
  }

  static PlanValue compare(const std::string &op, const PlanValue &a,
                           const PlanValue &b) {
    bool result = op == "=="   ? a.bits == b.bits
                  : op == "!=" ? a.bits != b.bits
                  : op == "<"  ? isLess(a, b)
                  : op == ">"  ? isLess(b, a)
                  : op == "<=" ? !isLess(b, a)
                               : !isLess(a, b);
    return PlanValue::ofInt(result);
  }

  static MaybeValue shift(bool isLeft, PlanValue a, const PlanValue &b) {
    if (b.isNegative() || b.bits >= (a.isWide ? 64u : 32u))
      return std::nullopt;
    if (isLeft)
      a.bits <<= b.bits;
    else
      a.bits =
          a.isUnsigned
              ? a.bits >> b.bits
              : static_cast<uint64_t>(a.asSigned() >> static_cast<int>(b.bits));
    return wrapped(a);
  }

  /// An address moved by a number of elements.
  static MaybeValue address(const std::string &op, PlanValue a, PlanValue b) {
    if (op == "+" && b.elementBytes)
      std::swap(a, b);
    if ((op != "+" && op != "-") || b.elementBytes)
      return std::nullopt;
    uint64_t distance = 0;
    if (__builtin_mul_overflow(b.bits, a.elementBytes, &distance) &&
        b.isUnsigned)
      return std::nullopt;
    distance = b.bits * a.elementBytes;
    a.bits = op == "+" ? a.bits + distance : a.bits - distance;
    return a;
  }

  static PlanValue wrapped(const PlanValue &value) {
    return convert(value.bits, value.isWide ? 8 : 4, value.isUnsigned);
  }

  static bool inRange(const PlanValue &value) {
    return wrapped(value).bits == value.bits;
  }

  /// Of values of one type; unsigned wraps, signed overflow has no value.
  static MaybeValue arithmetic(char op, PlanValue a, const PlanValue &b) {
    if (op == '/' || op == '%')
      return divide(op == '/', a, b);
    if (op == '&' || op == '|' || op == '^') {
      a.bits = op == '&'   ? a.bits & b.bits
               : op == '|' ? a.bits | b.bits
                           : a.bits ^ b.bits;
      return a;
    }
    if (a.isUnsigned) {
      a.bits = op == '+'   ? a.bits + b.bits
               : op == '-' ? a.bits - b.bits
                           : a.bits * b.bits;
      return wrapped(a);
    }
    int64_t result = 0;
    bool isLost =
        op == '+' ? __builtin_add_overflow(a.asSigned(), b.asSigned(), &result)
        : op == '-'
            ? __builtin_sub_overflow(a.asSigned(), b.asSigned(), &result)
            : __builtin_mul_overflow(a.asSigned(), b.asSigned(), &result);
    a.bits = static_cast<uint64_t>(result);
    return isLost || !inRange(a) ? std::nullopt : MaybeValue(a);
  }

  static MaybeValue divide(bool isQuotient, PlanValue a, const PlanValue &b) {
    if (b.bits == 0)
      return std::nullopt;
    if (a.isUnsigned) {
      a.bits = isQuotient ? a.bits / b.bits : a.bits % b.bits;
      return a;
    }
    if (b.asSigned() == -1) {
      // The least value has no opposite.
      PlanValue zero = a;
      zero.bits = 0;
      return isQuotient ? arithmetic('-', zero, a) : MaybeValue(zero);
    }
    a.bits = static_cast<uint64_t>(isQuotient ? a.asSigned() / b.asSigned()
                                              : a.asSigned() % b.asSigned());
    return a;
  }

  const PlanEnvironment &environment;
};

void visitNames(const PlanNode &node,
                const std::function<void(const std::string &)> &visit) {
  if (node.kind == PlanNode::Kind::Name)
    visit(node.text);
  for (const NodeRef &operand : node.operands)
    visitNames(*operand, visit);
}

} // namespace

PlanExpression PlanExpression::parse(const std::string &text) {
  PlanExpression result;
  result.tree = Reader(text).run();
  return result;
}

std::optional<PlanValue>
PlanExpression::evaluate(const PlanEnvironment &environment) const {
  return Evaluator(environment).value(*tree);
}

void PlanExpression::forEachName(
    const std::function<void(const std::string &)> &visit) const {
  visitNames(*tree, visit);
}

} // namespace clopt
