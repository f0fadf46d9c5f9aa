//===- Strength.cpp - cheaper integer operations --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: in the subscripts of an array, or in the values that a variable gets,
//
//   i / 8, i % 8          i >> 3, i & 7           i is not negative
//   i / (1 << s)          i >> s                  nor is s, which is below 31
//   x % n                 x >= n ? x - n : x      0 <= x < 2 * n
//   x / y, x % y          (uint)x / (uint)y       64 bits, of which 31 are used
//   i * j, i * j + k      mul24(i, j), mad24(...) both factors have 24 bits
//
// Operations on numbers alone are left to the compiler.
//
// The last form only where the recipe says `mul24`: some devices multiply 24
// bits faster, others slower.
//
// Legal when the range of the operands is proved: by the value ranges of
// Analysis/ranges/ValueRange (conversions and wraps included), or by the model,
// where the operand's value is affine and bounded over all instances of the
// statement in the launches that the guard lets through. In C, `-1 / 8` is 0
// and `-1 >> 3` is -1, and mul24 of a wider factor is undefined: without a
// proof nothing is changed.
//
// Reference: P5 (shifts, masks and mul24 in index arithmetic); T. Granlund, P.
// Montgomery, Division by Invariant Integers using Multiplication (PLDI 1994).
//
// Tested by test/unit/StrengthTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Strength.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/ranges/ValueRange.h"
#include "Model/MakeTree.h"

#include <isl/aff.h>
#include <isl/set.h>

namespace clopt {

namespace {

/// Largest value that signed and unsigned types of 32 bits both have.
constexpr int64_t most31 = 2147483647;
constexpr int64_t most24 = 16777215, maxSigned24 = 8388607;

class Reducer {
public:
  Reducer(const TransformedKernel &transformed, bool use24Bits)
      : kernel(transformed), model(*transformed.model),
        ranges(analyzeRanges(model)), with24Bits(use24Bits) {
    for (const Statement &statement : model.statements)
      if (statement.stmt)
        forEachExpr(StmtRef(StmtRef(), statement.stmt),
                    [&](const ExprRef &expr) {
                      owners[expr.get()].insert(&statement);
                    });
  }

  /// Adds what can be replaced in `expr` and below.
  void reduceAll(const ExprRef &expr);
  bool isInLoop(const Expr &expr) const;
  std::map<const Expr *, ExprRef> found;
  /// An operation that a proof would have made cheaper.
  const Expr *unproved = nullptr;

private:
  ExprRef reduce(const ExprRef &expr);
  ExprRef divide(const ExprRef &expr);
  ExprRef narrow(const ExprRef &expr);
  ExprRef wrap(const ExprRef &expr) const;
  ExprRef multiply24(const ExprRef &expr);
  bool isFactor24(const ExprRef &expr);
  bool isWithin(const ExprRef &expr, int64_t minimum, int64_t maximum);
  std::optional<Polynomial> valueOf(const ExprRef &expr);
  bool modelProves(const Expr &at, const Polynomial &poly, int64_t minimum,
                   int64_t maximum);
  const isl::set &checkedDomain(const Statement &statement);
  bool proves(const Statement &statement, const Polynomial &poly,
              int64_t minimum, int64_t maximum);

  const TransformedKernel &kernel;
  const KernelModel &model;
  ValueRanges ranges;
  bool with24Bits;
  std::map<const Expr *, std::set<const Statement *>> owners;
  /// What is known already: parts of a subscript are asked for many times.
  struct Proof {
    Polynomial poly;
    int64_t minimum, maximum;
    bool isProved;
  };
  std::map<const Statement *, std::vector<Proof>> proofs;
  std::map<const Statement *, isl::set> domains;
};

} // namespace

//===-- New expressions ---------------------------------------------------===//

static ExprRef makeCall(const std::string &name,
                        const std::vector<ExprRef> &arguments,
                        const Expr &like) {
  Expr call;
  call.kind = ExprKind::Call;
  call.text = name;
  call.type = like.type;
  call.range = like.range;
  // Operators convert their operands; of arguments the function is chosen.
  for (const ExprRef &argument : arguments)
    call.operands.push_back(withConversions(argument));
  call.isElementwiseBuiltin = true;
  return std::make_shared<Expr>(std::move(call));
}

//===-- Proofs ------------------------------------------------------------===//

/// The value of an operand as a polynomial, as long as no conversion and no
/// unsigned operation on the way can have changed it.
std::optional<Polynomial> Reducer::valueOf(const ExprRef &expr) {
  if (!expr->type.isScalar() || !expr->type.isInteger())
    return std::nullopt;
  if (expr->kind == ExprKind::IntLiteral)
    return Polynomial(expr->intValue);
  std::optional<Polynomial> result;
  if (expr->kind == ExprKind::VarRef) {
    if (auto value = model.values.find(expr.get()); value != model.values.end())
      result = value->second;
  } else if (expr->kind == ExprKind::WorkItem) {
    if (expr->query == WorkItemQuery::GlobalId)
      if (auto id = model.symbols.find(SymbolKind::GlobalId, expr->dim))
        result = Polynomial::symbol(*id);
  } else if (expr->kind == ExprKind::Cast) {
    result = valueOf(expr->operands[0]);
  } else if (expr->kind == ExprKind::Binary &&
             (expr->op == Op::Add || expr->op == Op::Sub ||
              expr->op == Op::Mul)) {
    std::optional<Polynomial> left = valueOf(expr->operands[0]);
    std::optional<Polynomial> right = valueOf(expr->operands[1]);
    if (left && right)
      result = expr->op == Op::Add   ? *left + *right
               : expr->op == Op::Sub ? *left - *right
                                     : *left * *right;
  }
  if (!result || result->overflowed())
    return std::nullopt;
  bool mayChange = expr->kind != ExprKind::Binary || expr->type.isUnsigned();
  if (mayChange && !modelProves(*expr, *result, 0, most31))
    return std::nullopt;
  return result;
}

/// minimum <= poly <= maximum in all instances of the statements with `at`.
bool Reducer::modelProves(const Expr &at, const Polynomial &poly,
                          int64_t minimum, int64_t maximum) {
  auto statements = owners.find(&at);
  if (statements == owners.end())
    return false;
  for (const Statement *statement : statements->second) {
    std::vector<Proof> &known = proofs[statement];
    auto found =
        std::find_if(known.begin(), known.end(), [&](const Proof &proof) {
          return proof.minimum == minimum && proof.maximum == maximum &&
                 proof.poly == poly;
        });
    if (found == known.end()) {
      const bool isProved = proves(*statement, poly, minimum, maximum);
      found = known.insert(known.end(), {poly, minimum, maximum, isProved});
    }
    if (!found->isProved)
      return false;
  }
  return true;
}

/// Instances in launches for which the assumptions about arithmetic hold:
/// conversions and unsigned operations are always checked for.
const isl::set &Reducer::checkedDomain(const Statement &statement) {
  isl::set &domain = domains[&statement];
  if (!domain.is_null())
    return domain;
  domain = statement.domain.intersect_params(model.paramContext);
  for (const Assumption &assumption : model.assumptions)
    if (assumption.kind != Assumption::Kind::Subscript)
      domain = domain.intersect_params(assumption.condition).coalesce();
  return domain;
}

bool Reducer::proves(const Statement &statement, const Polynomial &poly,
                     int64_t minimum, int64_t maximum) {
  const isl::set &domain = checkedDomain(statement);
  std::optional<isl::pw_aff> value =
      toPwAff(model, domain.get_space(), statement.coordinates, poly);
  if (!value)
    return false;
  isl::set known = isl::manage(isl_pw_aff_domain(value->copy()));
  if (!domain.is_subset(known))
    return false;
  isl_ctx *context = model.context.get();
  for (bool isLow : {true, false}) {
    isl_val *limit = isl_val_int_from_si(context, isLow ? minimum : maximum);
    isl_pw_aff *bound = isl_pw_aff_val_on_domain(
        isl_set_universe(isl_set_get_space(domain.get())), limit);
    isl_set *outside = isLow ? isl_pw_aff_lt_set(value->copy(), bound)
                             : isl_pw_aff_gt_set(value->copy(), bound);
    isl_set *wrong = isl_set_intersect(outside, domain.copy());
    bool isProved = isl_set_is_empty(wrong) == isl_bool_true;
    isl_set_free(wrong);
    if (!isProved)
      return false;
  }
  return true;
}

bool Reducer::isWithin(const ExprRef &expr, int64_t minimum, int64_t maximum) {
  if (ranges.provesWithin(*expr, minimum, maximum))
    return true;
  std::optional<Polynomial> value = valueOf(expr);
  return value && modelProves(*expr, *value, minimum, maximum);
}

//===-- Operations --------------------------------------------------------===//

/// k of a literal 2^k, at least 1.
static std::optional<unsigned> logarithm(const Expr &expr) {
  if (expr.kind != ExprKind::IntLiteral || expr.intValue < 2 ||
      (expr.intValue & (expr.intValue - 1)) != 0)
    return std::nullopt;
  unsigned k = 0;
  while (int64_t(1) << k < expr.intValue)
    ++k;
  return k;
}

ExprRef Reducer::divide(const ExprRef &expr) {
  const ExprRef &left = expr->operands[0], &right = expr->operands[1];
  const ExprRef &divisor = withoutCasts(right);
  bool isDivision = expr->op == Op::Div;
  std::optional<unsigned> bits = logarithm(*divisor);
  bool isShifted = divisor->kind == ExprKind::Binary &&
                   divisor->op == Op::Shl &&
                   divisor->operands[0]->kind == ExprKind::IntLiteral &&
                   divisor->operands[0]->intValue == 1;
  if (!bits && !isShifted)
    return nullptr;
  // Signed operations do not overflow, so that a lower bound is enough.
  bool isKnown = expr->type.isUnsigned() || isWithin(left, 0, INT64_MAX);
  if (isKnown && isShifted)
    isKnown = isWithin(divisor->operands[1], 0, 30);
  if (!isKnown) {
    unproved = expr.get();
    return nullptr;
  }
  Type type = Type::makeScalar(ScalarKind::Int);
  type.spelling = "int";
  if (isDivision)
    return makeBinary(Op::Shr, expr->type, left,
                      bits ? makeLiteral(*bits, type) : divisor->operands[1]);
  ExprRef mask = bits ? makeLiteral(divisor->intValue - 1, right->type)
                      : makeBinary(Op::Sub, right->type, right,
                                   makeLiteral(1, right->type));
  return makeBinary(Op::And, expr->type, left, mask);
}

/// A remainder that the model knows to be a choice: the dividend is below twice
/// the divisor, and both are cheap to compute again.
ExprRef Reducer::wrap(const ExprRef &expr) const {
  const ExprRef &left = expr->operands[0], &right = expr->operands[1];
  auto value = model.values.find(expr.get());
  auto dividend = model.values.find(left.get());
  auto divisor = model.values.find(right.get());
  for (auto found : {value, dividend, divisor})
    if (found == model.values.end())
      return nullptr;
  std::vector<SymbolId> symbols = value->second.symbols();
  if (symbols.size() != 1 || value->second != Polynomial::symbol(symbols[0]))
    return nullptr;
  const Symbol &choice = model.symbols[symbols[0]];
  Polynomial rest = dividend->second - divisor->second;
  bool isWrap = choice.kind == SymbolKind::Select && choice.first == rest &&
                choice.second == dividend->second &&
                choice.condition.kind == Condition::Kind::NonNegative &&
                choice.condition.poly == rest;
  bool isCheap = true;
  forEachExpr(expr, [&](const ExprRef &node) {
    isCheap &= node->kind == ExprKind::VarRef ||
               node->kind == ExprKind::IntLiteral ||
               node->kind == ExprKind::Cast ||
               (node->kind == ExprKind::Binary &&
                (node == expr || node->op == Op::Add || node->op == Op::Sub));
  });
  if (!isWrap || !isCheap)
    return nullptr;
  return makeConditional(
      expr->type,
      makeBinary(Op::Ge, Type::makeScalar(ScalarKind::Int), left, right),
      makeBinary(Op::Sub, expr->type, left, right), left);
}

/// A division of 64 bits whose operands fit 32.
ExprRef Reducer::narrow(const ExprRef &expr) {
  if (expr->type.size != 8)
    return nullptr;
  const ExprRef &left = expr->operands[0], &right = expr->operands[1];
  for (const ExprRef &operand : {left, right})
    if (!isWithin(operand, 0, most31)) {
      unproved = expr.get();
      return nullptr;
    }
  Type type = Type::makeScalar(ScalarKind::UInt);
  type.spelling = "uint";
  ExprRef quotient =
      makeBinary(expr->op, type, makeCast(type, left), makeCast(type, right));
  return makeCast(expr->type, quotient);
}

bool Reducer::isFactor24(const ExprRef &expr) {
  return expr->type.isUnsigned()
             ? isWithin(expr, 0, most24)
             : isWithin(expr, -maxSigned24 - 1, maxSigned24) ||
                   isWithin(expr, 0, maxSigned24);
}

/// mul24(a, b) of a product, mad24(a, b, c) of a sum with one.
ExprRef Reducer::multiply24(const ExprRef &expr) {
  bool isInt = expr->type.scalar == ScalarKind::Int ||
               expr->type.scalar == ScalarKind::UInt;
  if (!with24Bits || !isInt)
    return nullptr;
  if (expr->op == Op::Add) {
    for (unsigned i : {0u, 1u}) {
      const ExprRef &product = expr->operands[i];
      if (product->kind != ExprKind::Binary || product->op != Op::Mul)
        continue;
      ExprRef reduced = multiply24(product);
      if (!reduced)
        continue;
      std::vector<ExprRef> arguments = reduced->operands;
      arguments.push_back(expr->operands[1 - i]);
      return makeCall("mad24", arguments, *expr);
    }
    return nullptr;
  }
  for (const ExprRef &factor : expr->operands)
    if (!isFactor24(factor)) {
      unproved = expr.get();
      return nullptr;
    }
  return makeCall("mul24", expr->operands, *expr);
}

/// True for operations on numbers, which every compiler carries out.
static bool isOfNumbers(const ExprRef &expr) {
  bool result = true;
  forEachExpr(expr, [&](const ExprRef &part) {
    result &= part->kind == ExprKind::IntLiteral ||
              part->kind == ExprKind::Cast || part->kind == ExprKind::Unary ||
              part->kind == ExprKind::Binary;
  });
  return result;
}

ExprRef Reducer::reduce(const ExprRef &expr) {
  if (expr->kind != ExprKind::Binary || !expr->type.isScalar() ||
      !expr->type.isInteger() || isOfNumbers(expr))
    return nullptr;
  if (expr->op == Op::Div || expr->op == Op::Rem) {
    if (ExprRef shifted = divide(expr))
      return shifted;
    if (expr->op == Op::Rem)
      if (ExprRef choice = wrap(expr))
        return choice;
    return narrow(expr);
  }
  if (expr->op == Op::Mul || expr->op == Op::Add)
    return multiply24(expr);
  return nullptr;
}

void Reducer::reduceAll(const ExprRef &expr) {
  forEachExpr(expr, [&](const ExprRef &node) {
    if (kernel.replacements.count(node.get()) || found.count(node.get()))
      return;
    if (ExprRef reduced = reduce(node))
      found[node.get()] = reduced;
  });
}

bool Reducer::isInLoop(const Expr &expr) const {
  auto statements = owners.find(&expr);
  if (statements == owners.end())
    return false;
  for (const Statement *statement : statements->second)
    if (!statement->loops.empty())
      return true;
  return false;
}

//===-- The step ----------------------------------------------------------===//

/// The expressions that the target stands for: subscripts, or values.
static std::vector<ExprRef> expressionsOf(const KernelModel &model,
                                          const std::string &target) {
  std::vector<ExprRef> result;
  std::optional<unsigned> array = model.findArray(target);
  for (const Statement &statement : model.statements) {
    if (!statement.stmt)
      continue;
    StmtRef root(StmtRef(), statement.stmt);
    forEachStmt(root, [&](const StmtRef &stmt) {
      if (stmt->kind == StmtKind::Decl && stmt->expr &&
          stmt->var->name == target)
        result.push_back(stmt->expr);
    });
    forEachExpr(root, [&](const ExprRef &expr) {
      bool isAssigned = expr->kind == ExprKind::Assign &&
                        expr->operands[0]->kind == ExprKind::VarRef &&
                        expr->operands[0]->var &&
                        expr->operands[0]->var->name == target;
      if (isAssigned)
        result.push_back(expr->operands[1]);
      const Access *access = model.accessOf(*expr);
      const bool isOwn = array && access && access->array == *array;
      if (isOwn && expr->kind == ExprKind::Subscript)
        result.push_back(expr->operands[1]);
    });
  }
  return result;
}

/// True when the kernel has an operation of the kind at all.
static bool hasOperations(const KernelModel &model, bool with24Bits) {
  bool found = false;
  for (const Statement &statement : model.statements)
    if (statement.stmt)
      forEachExpr(StmtRef(StmtRef(), statement.stmt), [&](const ExprRef &expr) {
        bool isBinary =
            expr->kind == ExprKind::Binary && expr->type.isInteger();
        found |= isBinary && (expr->op == Op::Div || expr->op == Op::Rem ||
                              (expr->op == Op::Mul && with24Bits));
      });
  return found;
}

std::vector<StrengthTarget> findStrengthTargets(const TransformedKernel &kernel,
                                                bool with24Bits) {
  const KernelModel &model = *kernel.model;
  std::vector<StrengthTarget> result;
  if (!hasOperations(model, with24Bits))
    return result;
  // Operations in a subscript belong to the array rather than to what is made
  // of its cells.
  std::vector<std::string> names;
  for (bool isPrivate : {false, true})
    for (const Array &array : model.arrays)
      if ((array.space == AddressSpace::Private) == isPrivate)
        names.push_back(array.name);
  Reducer reducer(kernel, with24Bits);
  for (const std::string &name : names) {
    std::map<const Expr *, ExprRef> before = reducer.found;
    for (const ExprRef &expr : expressionsOf(model, name))
      reducer.reduceAll(expr);
    StrengthTarget target;
    target.name = name;
    for (const auto &[expr, reduced] : reducer.found)
      target.isInLoop |= !before.count(expr) && reducer.isInLoop(*expr);
    if (reducer.found.size() > before.size())
      result.push_back(target);
  }
  return result;
}

StepResult reduceStrength(TransformedKernel &kernel, const std::string &target,
                          bool with24Bits) {
  const KernelModel &model = *kernel.model;
  Reducer reducer(kernel, with24Bits);
  for (const ExprRef &expr : expressionsOf(model, target))
    reducer.reduceAll(expr);
  if (reducer.found.empty() && reducer.unproved)
    return refuse("clopt-value-range",
                  "the operands of an operation for '" + target +
                      "' are not known to be small and not negative",
                  "declare the operands unsigned, or bound them by a "
                  "condition",
                  reducer.unproved->range);
  if (reducer.found.empty())
    return refuse("clopt-not-profitable",
                  "no operation for '" + target + "' has a cheaper form");
  kernel.replacements.insert(reducer.found.begin(), reducer.found.end());
  return std::nullopt;
}

StepResult pointToRows(TransformedKernel &kernel, unsigned array) {
  const KernelModel &model = *kernel.model;
  const std::string &name = model.arrays[array].name;
  bool any = false;
  for (const Access &access : model.accesses) {
    const std::vector<unsigned> &loops =
        model.statements[access.statement].loops;
    any |= access.array == array && !loops.empty() &&
           rowPlace(model, access, loops.back());
  }
  if (!any)
    return refuse("clopt-not-profitable",
                  "no loop walks along a row of '" + name + "'");
  kernel.rowPointers.insert(array);
  return std::nullopt;
}

} // namespace clopt
