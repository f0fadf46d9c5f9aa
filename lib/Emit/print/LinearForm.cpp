//===- LinearForm.cpp - sums of named terms, printed as a person would ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LinearFormTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/LinearForm.h"

#include "Emit/frame/IntRanges.h"
#include "Emit/lower/AstValues.h"

#include <isl/ast.h>
#include <isl/ast_type.h>
#include <isl/id.h>
#include <isl/val.h>

#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

std::string joined(const std::vector<Conjunct> &conjuncts) {
  std::string text;
  for (const Conjunct &conjunct : conjuncts)
    text += (text.empty() ? "" : " && ") + conjunct.text;
  return text;
}

std::optional<int64_t> asNumber(const std::string &text) {
  int64_t number = 0;
  if (llvm::StringRef(text).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

LinearForm LinearForm::ofTerm(const std::string &term, int64_t factor,
                              bool isLong) {
  LinearForm form;
  if (factor != 0)
    form.terms.push_back({term, factor, isLong});
  return form;
}

LinearForm LinearForm::operator+(const LinearForm &other) const {
  LinearForm sum = *this;
  sum.constant += other.constant;
  for (const PrintedTerm &term : other.terms) {
    auto own = std::find_if(
        sum.terms.begin(), sum.terms.end(),
        [&](const PrintedTerm &known) { return known.text == term.text; });
    if (own == sum.terms.end())
      sum.terms.push_back(term);
    else if ((own->factor += term.factor) == 0)
      sum.terms.erase(own);
  }
  return sum;
}

LinearForm LinearForm::operator-(const LinearForm &other) const {
  return *this + other.times(-1);
}

LinearForm LinearForm::times(int64_t factor) const {
  LinearForm product(constant * factor);
  if (factor != 0)
    product.terms = terms;
  for (PrintedTerm &term : product.terms)
    term.factor *= factor;
  return product;
}

void LinearForm::addNames(std::set<std::string> &all) const {
  for (const PrintedTerm &term : terms)
    if (term.names.empty())
      all.insert(term.text);
    else
      all.insert(term.names.begin(), term.names.end());
}

static std::string magnitude(const std::string &term, int64_t factor) {
  int64_t size = factor < 0 ? -factor : factor;
  return size == 1 ? term : std::to_string(size) + " * " + term;
}

PrintedText LinearForm::print() const {
  std::string text;
  int pieces = 0;
  int single = PrecPrimary;
  bool isLong = false;
  auto add = [&](bool negative, const std::string &piece) {
    if (pieces > 0)
      text += negative ? " - " : " + ";
    else if (negative)
      text += "-";
    text += piece;
    ++pieces;
  };
  // 15 - k; with more terms a part of the sum might leave its type.
  const bool isDifference =
      terms.size() == 1 && terms[0].factor < 0 && constant > 0;
  if (isDifference)
    add(false, std::to_string(constant));
  for (int pass = 0; pass < 2;
       ++pass) // Positive terms first: no leading minus.
    for (const PrintedTerm &term : terms)
      if ((term.factor < 0) == (pass == 1)) {
        isLong |= term.isLong;
        single = term.factor == 1    ? PrecPrimary
                 : term.factor == -1 ? PrecUnary
                                     : PrecMultiplicative;
        add(term.factor < 0, magnitude(term.text, term.factor));
      }
  if (!isDifference && (constant != 0 || pieces == 0)) {
    single = constant < 0 ? PrecUnary : PrecPrimary;
    add(constant < 0, std::to_string(constant < 0 ? -constant : constant));
  }
  return {text, pieces > 1 ? PrecAdditive : single, isLong};
}

static std::string idName(const isl::ast_expr &expr) {
  isl::id id = isl::manage(isl_ast_expr_get_id(expr.get()));
  return isl_id_get_name(id.get());
}

std::optional<LinearForm> linearize(const isl::ast_expr &expr,
                                    const AstNames &names) {
  switch (isl_ast_expr_get_type(expr.get())) {
  case isl_ast_expr_int:
    return LinearForm(astNumber(expr));
  case isl_ast_expr_id: {
    auto it = names.names.find(idName(expr));
    return it == names.names.end() ? LinearForm::ofTerm(idName(expr))
                                   : it->second;
  }
  case isl_ast_expr_op:
    break;
  default:
    return std::nullopt;
  }
  isl_ast_expr_op_type op = isl_ast_expr_op_get_type(expr.get());
  if (op != isl_ast_expr_op_add && op != isl_ast_expr_op_sub &&
      op != isl_ast_expr_op_minus && op != isl_ast_expr_op_mul)
    return std::nullopt;
  std::optional<LinearForm> left = linearize(astOperand(expr, 0), names);
  if (!left)
    return std::nullopt;
  if (op == isl_ast_expr_op_minus)
    return left->times(-1);
  std::optional<LinearForm> right = linearize(astOperand(expr, 1), names);
  if (!right)
    return std::nullopt;
  if (op == isl_ast_expr_op_add)
    return *left + *right;
  if (op == isl_ast_expr_op_sub)
    return *left - *right;
  if (left->isConstant())
    return right->times(left->constant);
  if (right->isConstant())
    return left->times(right->constant);
  return std::nullopt;
}

static bool isNegated(const isl::ast_expr &expr) {
  return isl_ast_expr_get_type(expr.get()) == isl_ast_expr_op &&
         isl_ast_expr_op_get_type(expr.get()) == isl_ast_expr_op_minus;
}

/// True when the text of the sum begins with a minus and has only such terms.
static bool isNegative(const LinearForm &form) {
  return !form.isConstant() && form.constant <= 0 &&
         std::all_of(form.terms.begin(), form.terms.end(),
                     [](const PrintedTerm &term) { return term.factor < 0; });
}

static PrintedText binary(const isl::ast_expr &expr, const AstNames &names,
                          const char *symbol, int level) {
  PrintedText left = printAst(astOperand(expr, 0), names);
  PrintedText right = printAst(astOperand(expr, 1), names);
  std::optional<IntRange> range = rangeBelow(expr, names, wholeInt.high);
  // n + k rather than n - -k
  std::optional<LinearForm> subtracted;
  if (level == PrecAdditive && *symbol == '-')
    subtracted = linearize(astOperand(expr, 1), names);
  if (subtracted && isNegative(*subtracted)) {
    right = printSum(subtracted->times(-1), names);
    symbol = "+";
  }
  // n - n % 8 rather than -(n % 8) + n
  bool swaps =
      level == PrecAdditive && *symbol == '+' && isNegated(astOperand(expr, 0));
  if (swaps) {
    left = right;
    right = printAst(astOperand(astOperand(expr, 0), 0), names);
    symbol = "-";
  }
  if (range && !isWithinInt(*range) &&
      !isPrintedLong(astOperand(expr, 0), names) &&
      !isPrintedLong(astOperand(expr, 1), names))
    left = {"(long)" + atLeast(left, PrecUnary), PrecUnary, true};
  auto tighter = level + 1;
  return {atLeast(left, level) + " " + symbol + " " + atLeast(right, tighter),
          level, left.isLong || right.isLong};
}

/// The text of `expr + plus` has type `int`.
static bool isPrintedInt(const isl::ast_expr &expr, const AstNames &names,
                         int64_t plus = 0) {
  if (std::optional<LinearForm> sum = linearize(expr, names)) {
    for (const PrintedTerm &term : sum->terms)
      if (names.wideTerms.count(term.text))
        return false;
    return staysInt(*sum + LinearForm(plus), names);
  }
  isl_ast_expr_op_type op = isl_ast_expr_op_get_type(expr.get());
  bool isPlain = op == isl_ast_expr_op_add || op == isl_ast_expr_op_sub ||
                 op == isl_ast_expr_op_pdiv_q || op == isl_ast_expr_op_pdiv_r ||
                 op == isl_ast_expr_op_fdiv_q;
  std::optional<IntRange> range = rangeBelow(expr, names, wholeInt.high);
  if (!isPlain || plus != 0 || (range && !isWithinInt(*range)))
    return false;
  return isPrintedInt(astOperand(expr, 0), names) &&
         isPrintedInt(astOperand(expr, 1), names);
}

/// Without the values that another one always replaces.
static std::vector<isl::ast_expr>
withoutIdle(const std::vector<isl::ast_expr> &values, const AstNames &names,
            bool isLeast) {
  std::vector<std::optional<IntRange>> ranges;
  for (const isl::ast_expr &value : values)
    ranges.push_back(rangeOf(value, names));
  std::vector<isl::ast_expr> kept;
  for (size_t i = 0; i < values.size(); ++i) {
    bool isIdle = false;
    for (size_t j = 0; j < values.size(); ++j) {
      if (i == j || !ranges[i] || !ranges[j])
        continue;
      bool isEqual = ranges[i]->low == ranges[i]->high &&
                     ranges[j]->low == ranges[i]->low &&
                     ranges[j]->high == ranges[i]->high;
      bool never = isLeast ? ranges[j]->high <= ranges[i]->low
                           : ranges[j]->low >= ranges[i]->high;
      isIdle |= never && (!isEqual || j < i);
    }
    if (!isIdle)
      kept.push_back(values[i]);
  }
  return kept.empty() ? values : kept;
}

static std::vector<isl::ast_expr> argumentsOf(const isl::ast_expr &expr) {
  std::vector<isl::ast_expr> result;
  int count = isl_ast_expr_get_op_n_arg(expr.get());
  for (int i = 0; i < count; ++i)
    result.push_back(astOperand(expr, i));
  return result;
}

bool hasOwnExtremes(const Function &kernel) {
  return llvm::any_of(kernel.variables, [](const auto &variable) {
    return variable->name == "min" || variable->name == "max";
  });
}

std::string extremeOf(const std::string &function, const std::string &first,
                      const std::string &second, bool isHidden) {
  if (!isHidden)
    return function + "(" + first + ", " + second + ")";
  return "((" + first + (function == "min" ? ") < (" : ") > (") + second +
         ") ? (" + first + ") : (" + second + "))";
}

static PrintedText minMax(const std::vector<isl::ast_expr> &all,
                          const AstNames &names, const char *function,
                          int64_t plus = 0) {
  bool isLeast = std::string(function) == "min";
  std::vector<isl::ast_expr> values = withoutIdle(all, names, isLeast);
  size_t count = values.size();
  auto piece = [&](size_t index) {
    const isl::ast_expr &value = values[index];
    std::optional<LinearForm> sum = linearize(value, names);
    return sum ? printSum(*sum + LinearForm(plus), names)
               : printAst(value, names);
  };
  if (count == 1)
    return piece(0);
  bool mixed = false, areLong = true;
  for (size_t i = 0; i < count; ++i) {
    mixed |= !isPrintedInt(values[i], names, plus);
    areLong &= piece(i).isLong;
  }
  // With more than two operands the text of a choice would double with each.
  bool casts = mixed && count > 2;
  auto operand = [&](size_t index) {
    PrintedText text = piece(index);
    // Sums are cast as a whole, so that their type can be seen.
    bool isCast = text.isLong && text.precedence != PrecAdditive;
    return casts && !isCast ? PrintedText{"(long)" + atLeast(text, PrecUnary),
                                          PrecUnary, true}
                            : text;
  };
  if (mixed && !casts && !areLong) {
    PrintedText first = piece(0), second = piece(1);
    std::string sign = isLeast ? " < " : " > ";
    return {"(" + atLeast(first, PrecShift) + sign +
                atLeast(second, PrecShift) + " ? " + first.text + " : " +
                second.text + ")",
            PrecPrimary, first.isLong || second.isLong};
  }
  PrintedText text = operand(0);
  for (size_t i = 1; i < count; ++i) {
    PrintedText next = operand(i);
    text = {extremeOf(function, text.text, next.text, names.hasOwnExtremes),
            PrecPostfix, text.isLong || next.isLong};
  }
  return text;
}

std::vector<isl::ast_expr> minimumOf(const isl::ast_expr &expr) {
  bool isMinimum = isl_ast_expr_get_type(expr.get()) == isl_ast_expr_op &&
                   isl_ast_expr_op_get_type(expr.get()) == isl_ast_expr_op_min;
  return isMinimum ? argumentsOf(expr) : std::vector<isl::ast_expr>{expr};
}

PrintedText printMinimum(const std::vector<isl::ast_expr> &values,
                         const AstNames &names) {
  return values.size() == 1 ? printAst(values[0], names)
                            : minMax(values, names, "min");
}

/// min(a - 1, b - 1) + 1 as min(a, b), for loops that count up to it.
static std::optional<PrintedText> exclusiveEnd(const isl::ast_expr &expr,
                                               const AstNames &names) {
  if (isl_ast_expr_get_type(expr.get()) != isl_ast_expr_op ||
      isl_ast_expr_op_get_type(expr.get()) != isl_ast_expr_op_min)
    return std::nullopt;
  int count = isl_ast_expr_get_op_n_arg(expr.get());
  for (int i = 0; i < count; ++i)
    if (!linearize(astOperand(expr, i), names))
      return std::nullopt;
  return minMax(argumentsOf(expr), names, "min", 1);
}

/// Puts the constant on the other side where that keeps both sums in `int`.
static void moveConstant(LinearForm &left, LinearForm &right,
                         const AstNames &names) {
  AstNames strict = names;
  strict.clear = nullptr;
  if (staysInt(left, strict) && staysInt(right, strict))
    return;
  LinearForm otherLeft = left - LinearForm(right.constant + left.constant);
  LinearForm otherRight = right - LinearForm(right.constant + left.constant);
  if (!staysInt(otherLeft, strict) || !staysInt(otherRight, strict))
    return;
  left = otherLeft;
  right = otherRight;
}

namespace {

/// `left sign right`
struct Comparison {
  PrintedText left;
  std::string sign;
  PrintedText right;
  std::optional<int64_t> number; ///< that `right` is
  PrintedText print() const;
};

} // namespace

PrintedText Comparison::print() const {
  bool isEquality = sign[0] == '=' || sign[0] == '!';
  int level = isEquality ? PrecEquality : PrecRelational;
  return {atLeast(left, level) + " " + sign + " " + atLeast(right, level + 1),
          level};
}

/// `a < b` where b - a loses a common constant: `k + 3 < n` rather than
/// `k < n - 3`, which could leave the type's range.
static Comparison compare(const isl::ast_expr &expr, const AstNames &names,
                          std::string sign) {
  std::optional<LinearForm> left = linearize(astOperand(expr, 0), names);
  std::optional<LinearForm> right = linearize(astOperand(expr, 1), names);
  if (left && !right && sign == "<=")
    if (std::optional<PrintedText> end =
            exclusiveEnd(astOperand(expr, 1), names))
      return {printSum(*left, names), "<", *end, std::nullopt};
  auto numberOf = [](const std::optional<LinearForm> &form) {
    bool isNumber = form && form->isConstant();
    return isNumber ? std::optional(form->constant) : std::nullopt;
  };
  if (!left || !right)
    return {printAst(astOperand(expr, 0), names), sign,
            printAst(astOperand(expr, 1), names), numberOf(right)};
  // -k <= -1 reads k >= 1.
  bool negative = !left->terms.empty();
  for (const PrintedTerm &term : left->terms)
    negative &= term.factor < 0;
  if (negative) {
    left = left->times(-1);
    right = right->times(-1);
    if (sign[0] == '<' || sign[0] == '>')
      sign[0] = sign[0] == '<' ? '>' : '<';
  }
  // Everything to the side where it is positive; <= with a constant below zero
  // on the right reads better as <, unless that is a number with a name:
  // `k + TILE_K <= n`.
  int64_t offset = right->constant - left->constant;
  left->constant = right->constant = 0;
  if (sign == "<" && offset < 0 && names.constants.count(1 - offset)) {
    sign = "<=";
    --offset;
  }
  if (sign == "<=" && !names.constants.count(-offset) &&
      (offset == -1 || (offset < 0 && !right->isConstant()))) {
    sign = "<";
    ++offset;
  } else if (sign == ">=" && offset == 1) {
    sign = ">";
    --offset;
  }
  if (offset >= 0 || right->isConstant())
    right->constant = offset;
  else
    left->constant = -offset;
  // The smaller side first, unless it is a plain number.
  if (sign[0] == '>' && !right->isConstant()) {
    std::swap(left, right);
    sign[0] = '<';
  }
  moveConstant(*left, *right, names);
  return {printSum(*left, names), sign, printSum(*right, names),
          numberOf(right)};
}

/// Nothing for other operations.
static std::optional<Comparison> comparisonOf(const isl::ast_expr &expr,
                                              const AstNames &names) {
  switch (astOperation(expr)) {
  case isl_ast_expr_op_eq:
    return compare(expr, names, "==");
  case isl_ast_expr_op_le:
    return compare(expr, names, "<=");
  case isl_ast_expr_op_lt:
    return compare(expr, names, "<");
  case isl_ast_expr_op_ge:
    return compare(expr, names, ">=");
  case isl_ast_expr_op_gt:
    return compare(expr, names, ">");
  default:
    return std::nullopt;
  }
}

static PrintedText floorDivision(const isl::ast_expr &expr,
                                 const AstNames &names) {
  PrintedText value = printAst(astOperand(expr, 0), names);
  int64_t divisor = astNumber(astOperand(expr, 1));
  if ((divisor & (divisor - 1)) == 0) {
    int shift = 0;
    while ((int64_t(1) << shift) < divisor)
      ++shift;
    return {atLeast(value, PrecUnary) + " >> " + std::to_string(shift),
            PrecShift, value.isLong};
  }
  std::string inner = atLeast(value, PrecAdditive);
  std::string text = "(" + inner + " - (" + value.text + " < 0 ? " +
                     std::to_string(divisor - 1) + " : 0)) / " +
                     std::to_string(divisor);
  return {text, PrecMultiplicative, value.isLong};
}

static PrintedText conditional(const isl::ast_expr &expr,
                               const AstNames &names) {
  PrintedText test = printAst(astOperand(expr, 0), names);
  PrintedText yes = printAst(astOperand(expr, 1), names);
  PrintedText no = printAst(astOperand(expr, 2), names);
  return {atLeast(test, PrecLOr) + " ? " + atLeast(yes, PrecLOr) + " : " +
              atLeast(no, PrecLOr),
          PrecConditional, yes.isLong || no.isLong};
}

static std::optional<bool> decideComparison(isl_ast_expr_op_type op,
                                            int64_t difference) {
  switch (op) {
  case isl_ast_expr_op_eq:
    return difference == 0;
  case isl_ast_expr_op_le:
    return difference <= 0;
  case isl_ast_expr_op_lt:
    return difference < 0;
  case isl_ast_expr_op_ge:
    return difference >= 0;
  case isl_ast_expr_op_gt:
    return difference > 0;
  default:
    return std::nullopt;
  }
}

std::optional<bool> decideAst(const isl::ast_expr &condition,
                              const AstNames &names) {
  isl_ast_expr_op_type op = astOperation(condition);
  bool isAnd = op == isl_ast_expr_op_and || op == isl_ast_expr_op_and_then;
  if (isAnd || op == isl_ast_expr_op_or || op == isl_ast_expr_op_or_else) {
    std::optional<bool> first = decideAst(astOperand(condition, 0), names);
    std::optional<bool> second = decideAst(astOperand(condition, 1), names);
    if (first == !isAnd || second == !isAnd)
      return !isAnd;
    return first && second ? std::optional(isAnd) : std::nullopt;
  }
  if (op == isl_ast_expr_op_error ||
      isl_ast_expr_get_op_n_arg(condition.get()) != 2)
    return std::nullopt;
  std::optional<LinearForm> left = linearize(astOperand(condition, 0), names);
  std::optional<LinearForm> right = linearize(astOperand(condition, 1), names);
  if (!left || !right)
    return std::nullopt;
  LinearForm difference = *left - *right;
  if (!difference.isConstant())
    return std::nullopt;
  return decideComparison(op, difference.constant);
}

/// The operands of && without those that always hold.
static std::vector<isl::ast_expr> openConjuncts(const isl::ast_expr &condition,
                                                const AstNames &names) {
  std::vector<isl::ast_expr> all = astConjuncts(condition), open;
  for (const isl::ast_expr &operand : all)
    if (decideAst(operand, names) != true)
      open.push_back(operand);
  return open.empty() ? std::vector<isl::ast_expr>{all.back()} : open;
}

std::vector<Conjunct> printConjuncts(const isl::ast_expr &condition,
                                     const AstNames &names) {
  std::vector<Conjunct> result;
  for (const isl::ast_expr &operand : openConjuncts(condition, names)) {
    std::optional<Comparison> comparison = comparisonOf(operand, names);
    if (!comparison)
      result.emplace_back(atLeast(printAst(operand, names), PrecLAnd + 1));
    else if (comparison->sign == "<=" && comparison->number.value_or(-1) >= 0)
      result.push_back(
          Conjunct(UpperBound{atLeast(comparison->left, PrecRelational),
                              static_cast<uint64_t>(*comparison->number)}));
    else
      result.emplace_back(comparison->print().text);
    if (comparison && comparison->left.isLong &&
        comparison->left.precedence < PrecUnary)
      result.back().computed =
          ComputedSide{"long", comparison->left.text,
                       " " + comparison->sign + " " +
                           atLeast(comparison->right, PrecRelational + 1)};
  }
  return result;
}

static PrintedText conjunction(const isl::ast_expr &expr,
                               const AstNames &names) {
  std::vector<isl::ast_expr> open = openConjuncts(expr, names);
  if (open.size() == 1)
    return printAst(open.front(), names);
  return {joined(printConjuncts(expr, names)), PrecLAnd};
}

static PrintedText printOperation(const isl::ast_expr &expr,
                                  const AstNames &names) {
  switch (isl_ast_expr_op_get_type(expr.get())) {
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then:
    return conjunction(expr, names);
  case isl_ast_expr_op_or:
  case isl_ast_expr_op_or_else: {
    PrintedText left = printAst(astOperand(expr, 0), names);
    PrintedText right = printAst(astOperand(expr, 1), names);
    return {atLeast(left, PrecOr) + " || " + atLeast(right, PrecOr), PrecLOr};
  }
  case isl_ast_expr_op_max:
    return minMax(argumentsOf(expr), names, "max");
  case isl_ast_expr_op_min:
    return minMax(argumentsOf(expr), names, "min");
  case isl_ast_expr_op_minus: {
    PrintedText value = printAst(astOperand(expr, 0), names);
    return {"-" + atLeast(value, PrecPrimary), PrecUnary, value.isLong};
  }
  case isl_ast_expr_op_add:
    return binary(expr, names, "+", PrecAdditive);
  case isl_ast_expr_op_sub:
    return binary(expr, names, "-", PrecAdditive);
  case isl_ast_expr_op_mul:
    return binary(expr, names, "*", PrecMultiplicative);
  case isl_ast_expr_op_div:
  case isl_ast_expr_op_pdiv_q:
    return binary(expr, names, "/", PrecMultiplicative);
  case isl_ast_expr_op_fdiv_q:
    return floorDivision(expr, names);
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r:
    return binary(expr, names, "%", PrecMultiplicative);
  case isl_ast_expr_op_cond:
  case isl_ast_expr_op_select:
    return conditional(expr, names);
  default:
    break;
  }
  std::optional<Comparison> comparison = comparisonOf(expr, names);
  return comparison ? comparison->print() : PrintedText();
}

PrintedText printAst(const isl::ast_expr &expr, const AstNames &names) {
  if (std::optional<LinearForm> sum = linearize(expr, names))
    return printSum(*sum, names);
  return printOperation(expr, names);
}

PrintedText printOpposite(const isl::ast_expr &condition,
                          const AstNames &names) {
  if (astOperation(condition) == isl_ast_expr_op_eq)
    return compare(condition, names, "!=").print();
  return {"!(" + printAst(condition, names).text + ")", PrecUnary};
}

PrintedText printNegated(const isl::ast_expr &expr, const AstNames &names) {
  if (std::optional<LinearForm> sum = linearize(expr, names))
    return printSum(sum->times(-1), names);
  bool isDifference =
      isl_ast_expr_get_type(expr.get()) == isl_ast_expr_op &&
      isl_ast_expr_op_get_type(expr.get()) == isl_ast_expr_op_sub;
  std::optional<LinearForm> left =
      isDifference ? linearize(astOperand(expr, 0), names) : std::nullopt;
  if (!left || !left->isConstant()) {
    PrintedText value = printAst(expr, names);
    return {"-(" + value.text + ")", PrecUnary, value.isLong};
  }
  PrintedText right = printAst(astOperand(expr, 1), names);
  if (left->constant == 0)
    return right;
  return {atLeast(right, PrecAdditive) + (left->constant > 0 ? " - " : " + ") +
              std::to_string(std::abs(left->constant)),
          PrecAdditive, right.isLong};
}

} // namespace clopt
