//===- IntRanges.cpp - sums that stay within int --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/IntRangesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/IntRanges.h"

#include "Emit/lower/AstValues.h"

#include <isl/ast.h>
#include <isl/ast_type.h>
#include <isl/id.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

namespace {

/// Which ends arguments and ids stay clear of, and their largest magnitude.
struct Assumed {
  bool low = false, high = false, ids = false;
  int64_t most = largestClearInt;
};

/// From the weakest on. Sums of two or three of them fit `int` in the end.
const Assumed assumptions[] = {{false, true},
                               {true, false},
                               {true, true},
                               {false, true, true},
                               {true, true, true},
                               {false, true, true, (1 << 30) - 1},
                               {true, true, true, (1 << 30) - 1},
                               {true, true, true, 1 << 29}};

/// Far beyond `int`, with room to add.
constexpr int64_t Beyond = int64_t(1) << 40;

} // namespace

static IntRange sumOf(const IntRange &a, const IntRange &b) {
  return {std::max(-Beyond, a.low + b.low), std::min(Beyond, a.high + b.high)};
}

static IntRange timesOf(const IntRange &range, int64_t factor) {
  auto scaled = [&](int64_t value) -> int64_t {
    if (factor > Beyond || factor < -Beyond)
      return (value < 0) == (factor < 0) ? Beyond : -Beyond;
    __int128 product = static_cast<__int128>(value) * factor;
    return product > Beyond    ? Beyond
           : product < -Beyond ? -Beyond
                               : static_cast<int64_t>(product);
  };
  int64_t a = scaled(range.low), b = scaled(range.high);
  return {std::min(a, b), std::max(a, b)};
}

static std::optional<IntRange> rangeOfTerm(const std::string &term,
                                           const AstNames &names,
                                           const Assumed &assumed) {
  auto known = names.intTerms.find(term);
  if (known == names.intTerms.end())
    return std::nullopt;
  IntRange range = known->second;
  auto id = names.idEnds.find(term);
  auto argument = names.arguments.find(term);
  const std::string asked = id != names.idEnds.end() ? id->second
                            : argument != names.arguments.end()
                                ? argument->second
                                : term;
  if (names.clear)
    for (bool isGreatest : {false, true})
      if (auto most = names.clear->find({asked, isGreatest});
          most != names.clear->end())
        (isGreatest ? range.high : range.low) =
            isGreatest ? std::min(range.high, most->second)
                       : std::max(range.low, -most->second);
  if (argument != names.arguments.end() && assumed.low)
    range.low = std::max(range.low, -assumed.most);
  if (argument != names.arguments.end() && assumed.high)
    range.high = std::min(range.high, assumed.most);
  if (id != names.idEnds.end() && assumed.ids)
    range.high = std::min(range.high, assumed.most);
  return range;
}

/// Terms in the order in which LinearForm prints them.
static std::vector<PrintedTerm> printedOrder(const LinearForm &form) {
  std::vector<PrintedTerm> result = form.terms;
  std::stable_sort(result.begin(), result.end(),
                   [](const PrintedTerm &a, const PrintedTerm &b) {
                     return a.factor > 0 && b.factor < 0;
                   });
  return result;
}

/// Each partial sum, from left to right, until a term of 64 bits.
static bool staysIntIf(const LinearForm &form, const AstNames &names,
                       const Assumed &assumed) {
  if (form.isConstant())
    return true; // literals have the type that they need
  IntRange sum = {0, 0};
  for (const PrintedTerm &term : printedOrder(form)) {
    const int64_t factor = term.factor;
    std::optional<IntRange> range = rangeOfTerm(term.text, names, assumed);
    if (!range)
      return true;
    IntRange product = timesOf(*range, factor);
    // `n - 2 * k`: the magnitude is computed by itself.
    sum = sumOf(sum, product);
    if (!isWithinInt(timesOf(*range, factor < 0 ? -factor : factor)) ||
        !isWithinInt(sum))
      return false;
  }
  return isWithinInt(sumOf(sum, {form.constant, form.constant}));
}

static std::vector<std::string> argumentsOf(const LinearForm &form,
                                            const AstNames &names) {
  std::vector<std::string> result;
  for (const PrintedTerm &term : form.terms)
    if (names.arguments.count(term.text) || names.idEnds.count(term.text))
      result.push_back(term.text);
  return result;
}

/// The weakest assumption under which `holds`; asks for it.
template <typename Predicate>
static bool askFor(const std::vector<std::string> &arguments,
                   const AstNames &names, const Predicate &holds) {
  if (!names.clear || !names.mayAsk || arguments.empty())
    return false;
  auto ask = [&](const std::string &name, bool isGreatest, int64_t most) {
    auto [known, isNew] =
        names.clear->emplace(std::make_pair(name, isGreatest), most);
    known->second = std::min(known->second, most);
  };
  for (const Assumed &assumed : assumptions) {
    if (!holds(assumed))
      continue;
    for (const std::string &argument : arguments) {
      auto id = names.idEnds.find(argument);
      if (id != names.idEnds.end() && assumed.ids)
        ask(id->second, true, assumed.most);
      if (id == names.idEnds.end() && assumed.low)
        ask(names.arguments.at(argument), false, assumed.most);
      if (id == names.idEnds.end() && assumed.high)
        ask(names.arguments.at(argument), true, assumed.most);
    }
    return true;
  }
  return false;
}

bool staysInt(const LinearForm &form, const AstNames &names) {
  return staysIntIf(form, names, {}) ||
         askFor(argumentsOf(form, names), names, [&](const Assumed &assumed) {
           return staysIntIf(form, names, assumed);
         });
}

/// The sum with the name of its number, or of the next greater one.
static LinearForm withConstants(LinearForm form, const AstNames &names) {
  const int64_t sign = form.constant < 0 ? -1 : 1;
  for (int64_t more : {0, 1}) {
    auto name = names.constants.find(form.constant * sign + more);
    if (name == names.constants.end() || (more && form.isConstant()))
      continue;
    form.constant = -more * sign;
    form.terms.push_back({name->second, sign, false});
    break;
  }
  return form;
}

PrintedText printSum(const LinearForm &form, const AstNames &names) {
  if (names.mentioned)
    form.addNames(*names.mentioned);
  if (staysInt(form, names))
    return withConstants(form, names).print();
  LinearForm wide(form.constant);
  bool isFirst = true;
  for (const PrintedTerm &term : printedOrder(form)) {
    const int64_t factor = term.factor;
    std::optional<IntRange> range = rangeOfTerm(term.text, names, {});
    bool fits =
        !range || isWithinInt(timesOf(*range, factor < 0 ? -factor : factor));
    bool isPlain = factor == 1 || factor == -1;
    bool needsCast = range && (isPlain ? isFirst : isFirst || !fits);
    wide =
        wide + (needsCast ? LinearForm::inLong(term.text, factor)
                          : LinearForm::ofTerm(term.text, factor, term.isLong));
    isFirst = false;
  }
  return withConstants(wide, names).print();
}

//===-- isl's expressions -------------------------------------------------===//

static IntRange join(const IntRange &a, const IntRange &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

static int64_t floorOf(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

static std::optional<IntRange> rangeIf(const isl::ast_expr &expr,
                                       const AstNames &names,
                                       const Assumed &assumed,
                                       std::vector<std::string> &arguments);

/// `n - (n - s) % f` lies between s and n, whatever their signs.
static std::optional<IntRange>
rangeOfRestStart(const isl::ast_expr &expr, const AstNames &names,
                 const Assumed &assumed, std::vector<std::string> &arguments) {
  auto isOperation = [](const isl::ast_expr &of, isl_ast_expr_op_type op) {
    return isl_ast_expr_get_type(of.get()) == isl_ast_expr_op &&
           isl_ast_expr_op_get_type(of.get()) == op;
  };
  if (!isOperation(expr, isl_ast_expr_op_sub) ||
      !isOperation(astOperand(expr, 1), isl_ast_expr_op_pdiv_r))
    return std::nullopt;
  isl::ast_expr count = astOperand(astOperand(expr, 1), 0);
  if (!isOperation(count, isl_ast_expr_op_sub) ||
      isl_ast_expr_is_equal(astOperand(count, 0).get(),
                            astOperand(expr, 0).get()) != isl_bool_true)
    return std::nullopt;
  std::optional<IntRange> end =
      rangeIf(astOperand(expr, 0), names, assumed, arguments);
  std::optional<IntRange> start =
      rangeIf(astOperand(count, 1), names, assumed, arguments);
  return end && start ? std::optional<IntRange>(join(*end, *start))
                      : std::nullopt;
}

static std::optional<IntRange>
rangeOfOperation(const isl::ast_expr &expr, const AstNames &names,
                 const Assumed &assumed, std::vector<std::string> &arguments) {
  auto operand = [&](int index) {
    return rangeIf(astOperand(expr, index), names, assumed, arguments);
  };
  if (std::optional<IntRange> start =
          rangeOfRestStart(expr, names, assumed, arguments))
    return start;
  isl_ast_expr_op_type op = isl_ast_expr_op_get_type(expr.get());
  bool isChoice = op == isl_ast_expr_op_cond || op == isl_ast_expr_op_select;
  std::optional<IntRange> first = operand(isChoice ? 1 : 0);
  if (!first)
    return std::nullopt;
  switch (op) {
  case isl_ast_expr_op_minus:
    return timesOf(*first, -1);
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r:
    return IntRange{0, astNumber(astOperand(expr, 1)) - 1};
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q:
  case isl_ast_expr_op_div: {
    int64_t divisor = astNumber(astOperand(expr, 1));
    return IntRange{floorOf(first->low, divisor),
                    floorOf(first->high, divisor)};
  }
  default:
    break;
  }
  int count = isl_ast_expr_get_op_n_arg(expr.get());
  for (int i = isChoice ? 2 : 1; i < count; ++i) {
    std::optional<IntRange> next = operand(i);
    if (!next)
      return std::nullopt;
    if (op == isl_ast_expr_op_add)
      first = sumOf(*first, *next);
    else if (op == isl_ast_expr_op_sub)
      first = sumOf(*first, timesOf(*next, -1));
    else if (op == isl_ast_expr_op_min)
      first = IntRange{std::min(first->low, next->low),
                       std::min(first->high, next->high)};
    else if (op == isl_ast_expr_op_max)
      first = IntRange{std::max(first->low, next->low),
                       std::max(first->high, next->high)};
    else if (op == isl_ast_expr_op_mul && next->low == next->high)
      first = timesOf(*first, next->low);
    else if (op == isl_ast_expr_op_mul && first->low == first->high)
      first = timesOf(*next, first->low);
    else if (isChoice)
      first = join(*first, *next);
    else
      return std::nullopt;
  }
  return first;
}

static std::optional<IntRange> rangeIf(const isl::ast_expr &expr,
                                       const AstNames &names,
                                       const Assumed &assumed,
                                       std::vector<std::string> &arguments) {
  std::optional<LinearForm> form = linearize(expr, names);
  if (!form)
    return rangeOfOperation(expr, names, assumed, arguments);
  IntRange sum = {form->constant, form->constant};
  for (const PrintedTerm &term : form->terms) {
    std::optional<IntRange> range = rangeOfTerm(term.text, names, assumed);
    if (!range)
      return std::nullopt;
    sum = sumOf(sum, timesOf(*range, term.factor));
  }
  for (const std::string &each : argumentsOf(*form, names))
    arguments.push_back(each);
  return sum;
}

std::optional<IntRange> rangeOf(const isl::ast_expr &expr,
                                const AstNames &names) {
  std::vector<std::string> arguments;
  return rangeIf(expr, names, {}, arguments);
}

std::optional<IntRange> rangeBelow(const isl::ast_expr &expr,
                                   const AstNames &names, int64_t most) {
  auto fits = [&](const IntRange &range) {
    return isWithinInt(range) && range.high <= most;
  };
  std::vector<std::string> arguments, unused;
  std::optional<IntRange> result = rangeIf(expr, names, {}, arguments);
  if (!result || fits(*result))
    return result;
  askFor(arguments, names, [&](const Assumed &assumed) {
    IntRange smaller = *rangeIf(expr, names, assumed, unused);
    if (fits(smaller))
      result = smaller;
    return fits(smaller);
  });
  return result;
}

bool isPrintedLong(const isl::ast_expr &expr, const AstNames &names) {
  AstNames strict = names;
  strict.mayAsk = false;
  if (std::optional<LinearForm> form = linearize(expr, names)) {
    bool isLong = !staysInt(*form, strict);
    for (const PrintedTerm &term : form->terms)
      isLong |= !names.intTerms.count(term.text);
    return isLong;
  }
  isl_ast_expr_op_type op = isl_ast_expr_op_get_type(expr.get());
  bool isChoice = op == isl_ast_expr_op_cond || op == isl_ast_expr_op_select;
  std::optional<IntRange> range = rangeOf(expr, names);
  bool isLong = range && !isWithinInt(*range);
  for (int i = isChoice; i < isl_ast_expr_get_op_n_arg(expr.get()); ++i)
    isLong |= isPrintedLong(astOperand(expr, i), names);
  return isLong;
}

static bool isIterator(const isl::ast_expr &expr, const std::string &iterator) {
  if (isl_ast_expr_get_type(expr.get()) != isl_ast_expr_id)
    return false;
  isl::id id = isl::manage(isl_ast_expr_get_id(expr.get()));
  return iterator == isl_id_get_name(id.get());
}

int64_t largestBelow(const isl::ast_expr &condition,
                     const std::string &iterator, const AstNames &names) {
  if (isl_ast_expr_get_type(condition.get()) != isl_ast_expr_op)
    return wholeInt.high;
  isl_ast_expr_op_type op = isl_ast_expr_op_get_type(condition.get());
  if (op == isl_ast_expr_op_and || op == isl_ast_expr_op_and_then)
    return std::min(largestBelow(astOperand(condition, 0), iterator, names),
                    largestBelow(astOperand(condition, 1), iterator, names));
  bool isLess = op == isl_ast_expr_op_lt;
  if ((!isLess && op != isl_ast_expr_op_le) ||
      !isIterator(astOperand(condition, 0), iterator))
    return wholeInt.high;
  std::optional<IntRange> end = rangeOf(astOperand(condition, 1), names);
  return end ? std::min(wholeInt.high, end->high - isLess) : wholeInt.high;
}

} // namespace clopt
