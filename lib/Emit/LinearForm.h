//===- LinearForm.h - sums of named terms, printed as a person would -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subscripts and bounds in emitted code are mostly sums: `j + 4`, `n - 3`.
// A LinearForm keeps them as such while iterators are renamed and shifted.
//
// Tested by test/unit/LinearFormTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_LINEARFORM_H
#define CLOPT_EMIT_LINEARFORM_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <isl/cpp.h>

namespace clopt {

/// Text of an expression and how strongly its outermost operator binds.
struct Printed {
  /// C's levels, higher binds tighter.
  enum Precedence {
    Comma, Assignment, Conditional, LogicalOr, LogicalAnd, BitOr, BitXor,
    BitAnd, Equality, Relational, Shift, Additive, Multiplicative, Unary,
    Primary
  };
  std::string text;
  Precedence precedence = Primary;

  /// The text, in parentheses when it binds less than `level`.
  std::string at(Precedence level) const {
    return precedence < level ? "(" + text + ")" : text;
  }
};

/// constant + sum of coefficient * term, terms in order of first use.
class LinearForm {
public:
  LinearForm() = default;
  explicit LinearForm(int64_t value) : constant(value) {}
  /// `term` must bind as tightly as a multiplication's operand.
  static LinearForm ofTerm(const std::string &term, int64_t factor = 1);

  LinearForm operator+(const LinearForm &other) const;
  LinearForm operator-(const LinearForm &other) const;
  LinearForm times(int64_t factor) const;
  bool isConstant() const { return terms.empty(); }
  Printed print() const;

  int64_t constant = 0;
  std::vector<std::pair<std::string, int64_t>> terms;
};

/// What the ids of isl's AST stand for in the output.
using AstNames = std::map<std::string, LinearForm>;

/// The expression as a sum when it is one.
std::optional<LinearForm> linearize(const isl::ast_expr &expr,
                                    const AstNames &names);
/// Any isl AST expression as OpenCL C. `floorDivisions` by powers of two become
/// shifts, which are arithmetic in OpenCL C.
Printed printAst(const isl::ast_expr &expr, const AstNames &names);

} // namespace clopt

#endif // CLOPT_EMIT_LINEARFORM_H
