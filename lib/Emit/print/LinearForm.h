//===- LinearForm.h - sums of named terms, printed as a person would -*-===//
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

#include "Model/ExprPrinter.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <isl/cpp.h>

namespace clopt {

/// The text, in parentheses when it binds less tightly than `precedence`.
inline std::string atLeast(const PrintedText &text, int precedence) {
  return text.precedence < precedence ? "(" + text.text + ")" : text.text;
}

/// factor * text
struct PrintedTerm {
  std::string text; ///< binds as tightly as a multiplication's operand
  int64_t factor = 1;
  bool isLong = false; ///< a number in 64 bits, by a cast in it
  /// Names that it is made of, where it is not a name itself.
  std::vector<std::string> names = {};
};

/// constant + sum of coefficient * term, terms in order of first use.
class LinearForm {
public:
  LinearForm() = default;
  explicit LinearForm(int64_t value) : constant(value) {}
  /// `term` must bind as tightly as a multiplication's operand.
  static LinearForm ofTerm(const std::string &term, int64_t factor = 1,
                           bool isLong = false);
  /// The term, which must bind as tightly as a cast's operand, as a `long`.
  static LinearForm inLong(const std::string &term, int64_t factor = 1) {
    return ofTerm("(long)" + term, factor, true);
  }

  LinearForm operator+(const LinearForm &other) const;
  LinearForm operator-(const LinearForm &other) const;
  LinearForm times(int64_t factor) const;
  bool isConstant() const { return terms.empty(); }
  PrintedText print() const;
  /// Adds the names that the text has.
  void addNames(std::set<std::string> &all) const;

  int64_t constant = 0;
  std::vector<PrintedTerm> terms;
};

/// Least and greatest value.
struct IntRange {
  int64_t low = 0, high = 0;
};

/// What the ids of isl's AST stand for in the output.
struct AstNames {
  std::map<std::string, LinearForm> names;
  /// Terms of type `int`, and their values. Others are taken for terms of 64
  /// bits: sums with them are not looked at.
  std::map<std::string, IntRange> intTerms;
  /// Those of `intTerms` that are arguments, which a guard can look at, and
  /// the variable: `(int)n` is n.
  std::map<std::string, std::string> arguments;
  /// Those of `intTerms` that are ids from 0 on, and the variable for the end
  /// of the launch, which is greater.
  std::map<std::string, std::string> idEnds;
  /// Takes arguments, and ends of ids, that have to stay clear of the least
  /// (false) or the greatest (true) value of `int` for the text to be right,
  /// with the largest magnitude they may have; null: none have.
  std::map<std::pair<std::string, bool>, int64_t> *clear = nullptr;
  /// Takes the terms of what is printed; null: nobody asks for them.
  std::set<std::string> *mentioned = nullptr;
  /// False: what `clear` has is used, and nothing is added.
  bool mayAsk = true;
  /// Numbers that have a name.
  std::map<int64_t, std::string> constants;
  /// Terms of 64 bits. Minimum and maximum of operands with different types are
  /// written with `?:`, because OpenCL's min and max would be ambiguous.
  std::set<std::string> wideTerms;
  /// The kernel has a `min` or `max` of its own: both are written with `?:`.
  bool hasOwnExtremes = false;
};

/// True when a variable of the kernel has the name `min` or `max`, beside which
/// OpenCL C's functions cannot be called.
bool hasOwnExtremes(const Function &kernel);
/// `min(first, second)` or `max(first, second)` of integers of one type.
std::string extremeOf(const std::string &function, const std::string &first,
                      const std::string &second, bool isHidden);

/// The expression as a sum when it is one.
std::optional<LinearForm> linearize(const isl::ast_expr &expr,
                                    const AstNames &names);
/// Whether the condition holds, where that follows from the sums in it alone:
/// `k + 1 > k`.
std::optional<bool> decideAst(const isl::ast_expr &condition,
                              const AstNames &names);
/// The integer that the text is, nothing when it is anything else.
std::optional<int64_t> asNumber(const std::string &text);
/// Any isl AST expression as OpenCL C, in 64 bits where `int` could overflow.
/// `floorDivisions` by powers of two become shifts, which are arithmetic in
/// OpenCL C.
PrintedText printAst(const isl::ast_expr &expr, const AstNames &names);
/// `value <= number`, with a number that no type changes.
struct UpperBound {
  std::string value;
  uint64_t number = 0;
};

/// What the left side of a comparison computes, a value that can be declared
/// where the comparison stands, and what is behind it.
struct ComputedSide {
  std::string type, value, rest;
  std::string name = "term";
};

/// An operand of &&.
struct Conjunct {
  Conjunct(std::string condition) : text(std::move(condition)) {}
  explicit Conjunct(const UpperBound &says)
      : text(says.value + " <= " + std::to_string(says.number)), bound(says) {}
  bool operator==(const Conjunct &other) const { return text == other.text; }
  std::string text;
  std::optional<UpperBound> bound; ///< what it says, if that is all
  std::optional<ComputedSide> computed;
};

/// The operands of && that the condition is, without those that always hold.
std::vector<Conjunct> printConjuncts(const isl::ast_expr &condition,
                                     const AstNames &names);
/// The operands as one condition.
std::string joined(const std::vector<Conjunct> &conjuncts);
/// The condition that holds where this one does not.
PrintedText printOpposite(const isl::ast_expr &condition,
                          const AstNames &names);
/// The expression times -1; `n % 4` for `0 - n % 4`.
PrintedText printNegated(const isl::ast_expr &expr, const AstNames &names);
/// The operands of isl's minimum, or the expression itself.
std::vector<isl::ast_expr> minimumOf(const isl::ast_expr &expr);
/// The least of the values; values that are known to be no less than another
/// are left out.
PrintedText printMinimum(const std::vector<isl::ast_expr> &values,
                         const AstNames &names);

} // namespace clopt

#endif // CLOPT_EMIT_LINEARFORM_H
