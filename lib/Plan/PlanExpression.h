//===- PlanExpression.h - integer expressions of OpenCL C -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expressions of launch plans. They have the types and conversions of
// OpenCL C, because the conditions under which optimized code is right are the
// same ones that drop-in kernels evaluate on the device. docs/launch-plan.md
// has the grammar. Tested by test/unit/RuntimePlanExpressionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLAN_PLANEXPRESSION_H
#define CLOPT_PLAN_PLANEXPRESSION_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace clopt {

/// An integer of 32 or 64 bits, or an address.
struct PlanValue {
  /// The value, sign-extended to 64 bits when signed, zero-extended otherwise.
  uint64_t bits = 0;
  bool isWide = false;
  bool isUnsigned = false;
  /// An address: bytes of what it points to, 0 for integers.
  uint64_t elementBytes = 0;

  /// The low bits as an integer of so many bytes.
  static PlanValue of(uint64_t bits, unsigned bytes, bool isUnsigned);
  static PlanValue ofInt(int64_t value);    ///< int
  static PlanValue ofLong(int64_t value);   ///< long
  static PlanValue ofULong(uint64_t value); ///< ulong
  static PlanValue ofAddress(uint64_t address, uint64_t elementBytes);
  int64_t asSigned() const { return static_cast<int64_t>(bits); }
  bool isTrue() const { return bits != 0; }
  bool isNegative() const { return !isUnsigned && asSigned() < 0; }
};

/// Not an expression; the offset is that of the offending byte.
class PlanExpressionError : public std::runtime_error {
public:
  PlanExpressionError(const std::string &message, std::size_t at)
      : std::runtime_error(message), offset(at) {}
  std::size_t offset;
};

/// Facts of the device that expressions may name, as in clGetDeviceInfo.
const std::vector<std::string> &planDeviceFacts();

/// The macros that flags of clBuildProgram define, and their texts.
std::map<std::string, std::string>
planMacros(const std::vector<std::string> &flags);

struct PlanNode {
  enum class Kind {
    Literal,
    Name,        ///< text
    Call,        ///< text(operands)
    Cast,        ///< (text)operand
    Unary,       ///< text operand
    Binary,      ///< operand text operand
    Conditional, ///< operand ? operand : operand
  };
  Kind kind = Kind::Literal;
  std::string text;
  PlanValue value;
  std::vector<std::shared_ptr<const PlanNode>> operands;
  unsigned depth = 1; ///< of the tree
};

/// What names and functions mean; nothing when there is no such value.
struct PlanEnvironment {
  std::function<std::optional<PlanValue>(const std::string &)> name;
  /// "get_global_size" and other functions of one integer.
  std::function<std::optional<PlanValue>(const std::string &, uint64_t)> query;
};

/// An immutable, cheaply copied expression.
class PlanExpression {
public:
  /// Throws PlanExpressionError.
  static PlanExpression parse(const std::string &text);
  /// Nothing when it has no value: unknown names, a division by zero, signed
  /// overflow, shifts by too much.
  std::optional<PlanValue> evaluate(const PlanEnvironment &environment) const;
  const PlanNode &root() const { return *tree; }
  /// Calls `visit` for every Name.
  void forEachName(const std::function<void(const std::string &)> &visit) const;

private:
  std::shared_ptr<const PlanNode> tree;
};

} // namespace clopt

#endif // CLOPT_PLAN_PLANEXPRESSION_H
