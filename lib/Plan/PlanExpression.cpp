//===- PlanExpression.cpp - integer expressions of OpenCL C ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimePlanExpressionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanExpression.h"

#include "Plan/PlanExpressionReader.h"

#include <map>

namespace clopt {

using NodeRef = std::shared_ptr<const PlanNode>;
using MaybeValue = std::optional<PlanValue>;

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

//===-- Values ----------------------------------------------------------===//

PlanValue PlanValue::of(uint64_t bits, unsigned bytes, bool isUnsigned) {
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

namespace {

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
    const PlanScalar *type = findPlanScalar(node.text);
    if (!inner || !type)
      return std::nullopt;
    if (node.text == "bool")
      return PlanValue::ofInt(inner->isTrue());
    return PlanValue::of(inner->bits, type->bytes, type->isUnsigned);
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
      *value = PlanValue::of(value->bits, isWide ? 8 : 4, isUnsigned);
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
    return PlanValue::of(value.bits, value.isWide ? 8 : 4, value.isUnsigned);
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
  result.tree = readPlanExpression(text);
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
