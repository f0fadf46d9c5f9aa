//===- Reductions.cpp - statements that only add something up -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ReductionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/Reductions.h"

#include "Analysis/dependence/Dependences.h"

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

/// A sum of integers that is computed with a fraction and cut off each time is
/// none.
std::optional<Operation>
reductionOpOf(const Expr &assign,
              const std::function<bool(const Expr &)> &isTarget) {
  bool isFloat = assign.operands[0]->type.isFloating();
  if (assign.op != Op::None)
    return assign.computeType.isFloating() == isFloat ? operationOf(assign.op)
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
    return Operation::Sum;
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
    return operationOf(value->op);
  if (value->text == "min" || value->text == "fmin")
    return Operation::Minimum;
  if (value->text == "max" || value->text == "fmax")
    return Operation::Maximum;
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
    unsigned read = 0, write = 0; ///< accesses of x
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

/// True when the expression is a read of the very cell that is written.
bool ReductionFinder::reads(const Expr &expr, const Access &target) const {
  auto read = model.reads.find(&expr);
  if (read == model.reads.end())
    return false;
  const Access &access = model.accesses[read->second];
  return access.array == target.array && access.isExact &&
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
  unsigned others = 0;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    if (access.array != target.array || id == target.id)
      continue;
    ++others;
    update.read = id;
  }
  if (others != 1 || target.isOrdered || !target.isExact ||
      !model.accesses[update.read].relation.is_equal(target.relation))
    return std::nullopt;
  std::optional<Operation> operation = reductionOpOf(
      *stmt->expr, [&](const Expr &expr) { return reads(expr, target); });
  if (!operation)
    return std::nullopt;
  update.operation = *operation;
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
      bool isOwn =
          &other == &statement && (id == update.read || id == update.write);
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
                              conflict.second == update.read;
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
