//===- Reductions.cpp - statements that only add something up -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ReductionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/Reductions.h"

#include "Analysis/dependence/Dependences.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <optional>

namespace clopt {

using Operation = Reduction::Operation;

static std::optional<Operation> operationOf(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Sub: // adds the opposite
    return Operation::Sum;
  case Op::Mul:
    return Operation::Product;
  case Op::And:
    return Operation::And;
  case Op::Or:
    return Operation::Or;
  case Op::Xor:
    return Operation::Xor;
  default:
    return std::nullopt;
  }
}

/// True when values of the type have the same order as others.
static bool keepsOrder(const Type &type, const Type &as) {
  if (!type.isScalar() || !as.isScalar() ||
      type.isFloating() != as.isFloating())
    return false;
  return type.scalar == as.scalar ||
         (as.size > type.size && (type.isUnsigned() || !as.isUnsigned()));
}

/// The extreme of x and e that `e > x ? e : x` is.
static std::optional<Operation>
extremeOf(const Expr &choice, const Type &type,
          const std::function<bool(const ExprRef &)> &isTarget) {
  const Expr *test = withoutCasts(choice.operands[0].get());
  const bool isOrder = test->kind == ExprKind::Binary &&
                       (test->op == Op::Lt || test->op == Op::Le ||
                        test->op == Op::Gt || test->op == Op::Ge);
  if (!isOrder || !keepsOrder(type, test->operands[0]->type) ||
      !keepsOrder(type, test->operands[1]->type))
    return std::nullopt;
  const bool testsFirst = isTarget(test->operands[0]);
  const bool takesFirst = isTarget(choice.operands[1]);
  if (testsFirst == isTarget(test->operands[1]) ||
      takesFirst == isTarget(choice.operands[2]))
    return std::nullopt;
  const Expr *tested = withoutCasts(test->operands[testsFirst].get());
  const Expr *taken = withoutCasts(choice.operands[takesFirst ? 2 : 1].get());
  if (!areSameTree(*tested, *taken) || !keepsOrder(tested->type, type) ||
      !isSideEffectFree(choice.operands[0]))
    return std::nullopt;
  // What is left of the sign is the greater one.
  const bool takesLeft = testsFirst == takesFirst;
  const bool isGreater = test->op == Op::Gt || test->op == Op::Ge;
  return takesLeft == isGreater ? Operation::Maximum : Operation::Minimum;
}

/// A sum of integers that is computed with a fraction and cut off each time is
/// none.
std::optional<ReductionUpdate>
reductionUpdateOf(const Expr &assign,
                  const std::function<bool(const Expr &)> &isTarget) {
  auto update = [](std::optional<Operation> operation, unsigned mentions) {
    return operation ? std::optional(ReductionUpdate{*operation, mentions})
                     : std::nullopt;
  };
  bool isFloat = assign.operands[0]->type.isFloating();
  if (assign.op != Op::None)
    return assign.computeType.isFloating() == isFloat
               ? update(operationOf(assign.op), 1)
               : std::nullopt;
  const Expr *value = withoutCasts(assign.operands[1].get());
  if (value->type.isFloating() != isFloat)
    return std::nullopt;
  auto reads = [&](const ExprRef &expr) {
    return isTarget(*withoutCasts(expr));
  };
  if (value->kind == ExprKind::Call && value->operands.size() == 3 &&
      (value->text == "mad" || value->text == "fma") && isFloat &&
      value->isElementwiseBuiltin && reads(value->operands[2]))
    return update(Operation::Sum, 2);
  if (value->kind == ExprKind::Conditional)
    return update(extremeOf(*value, assign.operands[0]->type, reads), 3);
  bool isBinary = value->kind == ExprKind::Binary;
  bool isCall = value->kind == ExprKind::Call && value->operands.size() == 2 &&
                value->isElementwiseBuiltin;
  if (!isBinary && !isCall)
    return std::nullopt;
  bool first = reads(value->operands[0]), second = reads(value->operands[1]);
  // `e - x` turns the sign of what was there.
  if (first == second || (isBinary && value->op == Op::Sub && second))
    return std::nullopt;
  if (isBinary)
    return update(operationOf(value->op), 2);
  if (value->text == "min" || value->text == "fmin")
    return update(Operation::Minimum, 2);
  if (value->text == "max" || value->text == "fmax")
    return update(Operation::Maximum, 2);
  return std::nullopt;
}

namespace {

class ReductionFinder {
public:
  ReductionFinder(const KernelModel &kernel, const ScheduleNode &root,
                  const std::function<bool(unsigned, unsigned)> &disjoint)
      : model(kernel), tree(root), isApart(disjoint) {}
  void run(unsigned loop, std::vector<Reduction> &result) const;

private:
  struct Update {
    Operation operation = Operation::Sum;
    unsigned write = 0; ///< access of x
  };
  std::optional<Update> updateOf(const Statement &statement) const;
  bool reads(const Expr &expr, const Access &target) const;
  bool isAlone(const Statement &statement, const Update &update,
               const std::vector<unsigned> &inside) const;
  bool isCarried(const Update &update,
                 const LoopDependences &dependences) const;
  bool isExact(const Update &update) const;

  const KernelModel &model;
  const ScheduleNode &tree;
  const std::function<bool(unsigned, unsigned)> &isApart;
};

} // namespace

/// True when the expression is a read of the very cell that is written, if it
/// is one at all: of a choice only one side is evaluated.
bool ReductionFinder::reads(const Expr &expr, const Access &target) const {
  auto read = model.reads.find(&expr);
  if (read == model.reads.end())
    return false;
  const Access &access = model.accesses[read->second];
  return access.array == target.array &&
         access.relation.is_equal(target.relation);
}

std::optional<ReductionFinder::Update>
ReductionFinder::updateOf(const Statement &statement) const {
  const Stmt *stmt = statement.stmt;
  if (!stmt || statement.isCompound || statement.isOpaque ||
      stmt->kind != StmtKind::Expr || stmt->expr->kind != ExprKind::Assign)
    return std::nullopt;
  auto write = model.writes.find(stmt->expr->operands[0].get());
  if (write == model.writes.end())
    return std::nullopt;
  const Access &target = model.accesses[write->second];
  Update update;
  update.write = target.id;
  if (target.isOrdered || !target.isExact)
    return std::nullopt;
  std::optional<ReductionUpdate> found = reductionUpdateOf(
      *stmt->expr, [&](const Expr &expr) { return reads(expr, target); });
  const auto others = llvm::count_if(statement.accesses, [&](unsigned id) {
    return model.accesses[id].array == target.array && id != target.id;
  });
  // `x op= e` says x once and reads it.
  if (!found || others != std::max(1u, found->mentions - 1))
    return std::nullopt;
  update.operation = found->operation;
  return update;
}

/// True when nothing else below the loop can touch x.
bool ReductionFinder::isAlone(const Statement &statement, const Update &update,
                              const std::vector<unsigned> &inside) const {
  unsigned array = model.accesses[update.write].array;
  for (unsigned index : inside) {
    const Statement &other = model.statements[index];
    if (other.isOpaque || other.isBarrier)
      return false;
    for (unsigned id : other.accesses) {
      unsigned second = model.accesses[id].array;
      bool isOwn = &other == &statement && second == array;
      if (!isOwn && (second == array || !isApart(array, second)))
        return false;
    }
  }
  return true;
}

/// True when the value of one iteration goes into the next ones.
bool ReductionFinder::isCarried(const Update &update,
                                const LoopDependences &dependences) const {
  const Access &access = model.accesses[update.write];
  if (dependences.carriedPrivates.count(access.array))
    return true;
  return std::any_of(dependences.violated.begin(), dependences.violated.end(),
                     [&](const Conflict &conflict) {
                       return conflict.first == update.write &&
                              model.accesses[conflict.second].array ==
                                  access.array;
                     });
}

bool ReductionFinder::isExact(const Update &update) const {
  const Access &target = model.accesses[update.write];
  return !model.arrays[target.array].elementType.isFloating();
}

void ReductionFinder::run(unsigned loop, std::vector<Reduction> &result) const {
  std::vector<unsigned> inside = statementsBelow(*findLoop(tree, loop));
  std::optional<LoopDependences> dependences;
  for (unsigned index : inside) {
    const Statement &statement = model.statements[index];
    std::optional<Update> update = updateOf(statement);
    if (!update || !isAlone(statement, *update, inside))
      continue;
    if (!dependences)
      dependences = analyzeLoop(model, tree, loop, 2, {});
    if (isCarried(*update, *dependences))
      result.push_back({index, loop, model.accesses[update->write].array,
                        update->operation, isExact(*update)});
  }
}

std::vector<Reduction> findReductions(const KernelModel &model,
                                      const ScheduleNode &tree) {
  std::vector<Reduction> result;
  auto isApart = [&](unsigned first, unsigned second) {
    return areDisjoint(model, first, second);
  };
  for (unsigned loop : loopsBelow(tree))
    for (const Reduction &found : findReductions(model, tree, loop, isApart))
      result.push_back(found);
  return result;
}

std::vector<Reduction>
findReductions(const KernelModel &model, const ScheduleNode &tree,
               unsigned loop,
               const std::function<bool(unsigned, unsigned)> &isApart) {
  std::vector<Reduction> result;
  ReductionFinder(model, tree, isApart).run(loop, result);
  return result;
}

bool mayReassociate(const KernelModel &model, const Reduction &reduction) {
  return reduction.isExact || model.unit->unsafeMath;
}

} // namespace clopt
