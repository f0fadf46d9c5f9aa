//===- CooperativeReductions.cpp - loops that work-items can share --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/CooperativeReductionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/CooperativeReductions.h"

#include "Analysis/access/Divergence.h"
#include "Analysis/dependence/Reductions.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace clopt {

bool isVariable(const ExprRef &expr, const Variable *variable) {
  const Expr *at = withoutCasts(expr.get());
  return at->kind == ExprKind::VarRef && at->var == variable;
}

bool isCounter(const Type &type) {
  return type.isScalar() && type.scalar >= ScalarKind::Int &&
         type.scalar <= ScalarKind::ULong;
}

//===-- The head of a loop ------------------------------------------------===//

static std::optional<int64_t> constantOf(const ExprRef &expr) {
  const Expr *at = withoutCasts(expr.get());
  if (at->kind == ExprKind::IntLiteral)
    return at->intValue;
  return std::nullopt;
}

/// What `inc` adds to the variable.
static std::optional<int64_t> stepOf(const ExprRef &inc,
                                     const Variable *variable) {
  if (!inc || inc->operands.empty() || !isVariable(inc->operands[0], variable))
    return std::nullopt;
  if (inc->kind == ExprKind::Unary) {
    if (!isStep(inc->op))
      return std::nullopt;
    return isIncrement(inc->op) ? 1 : -1;
  }
  if (inc->kind != ExprKind::Assign)
    return std::nullopt;
  Op op = inc->op;
  ExprRef amount = inc->operands[1];
  if (op == Op::None) {
    const Expr *value = withoutCasts(amount.get());
    if (value->kind != ExprKind::Binary ||
        !isVariable(value->operands[0], variable))
      return std::nullopt;
    op = value->op;
    amount = value->operands[1];
  } else if (!inc->computeType.isInteger()) {
    return std::nullopt;
  }
  std::optional<int64_t> constant = constantOf(amount);
  if (!constant || (op != Op::Add && op != Op::Sub))
    return std::nullopt;
  return op == Op::Add ? *constant : -*constant;
}

/// The comparison and its bound, with the variable on the left.
static bool readCondition(const ExprRef &condition, CountedLoop &loop) {
  if (!condition)
    return false;
  const Expr *at = withoutCasts(condition.get());
  if (at->kind != ExprKind::Binary)
    return false;
  bool isLeft = isVariable(at->operands[0], loop.var);
  bool isRight = isVariable(at->operands[1], loop.var);
  if (isLeft == isRight)
    return false;
  loop.comparison = isLeft ? at->op : mirrored(at->op);
  loop.bound = at->operands[isLeft ? 1 : 0];
  // A variable that passes the bound goes round all values: overflow when it
  // has a sign.
  bool isSigned = loop.var->type.scalar == ScalarKind::Int &&
                  loop.bound->type.scalar == ScalarKind::Int;
  if (loop.comparison == Op::Ne && isSigned && std::abs(loop.step) == 1)
    loop.comparison = loop.step > 0 ? Op::Lt : Op::Gt;
  bool isUp = loop.comparison == Op::Lt || loop.comparison == Op::Le;
  bool isDown = loop.comparison == Op::Gt || loop.comparison == Op::Ge;
  return isCounter(loop.bound->type) &&
         ((isUp && loop.step > 0) || (isDown && loop.step < 0));
}

/// The variable and its first value; other declarations stay what they are.
static bool readInit(const StmtRef &init, const ExprRef &inc,
                     CountedLoop &loop) {
  if (!inc || inc->operands.empty())
    return false;
  const Expr *target = withoutCasts(inc->operands[0].get());
  if (target->kind != ExprKind::VarRef)
    return false;
  loop.var = target->var;
  if (!init) {
    loop.first = ExprRef(inc->operands[0], target);
    return true;
  }
  if (init->kind == StmtKind::Expr && init->expr->kind == ExprKind::Assign &&
      init->expr->op == Op::None &&
      isVariable(init->expr->operands[0], loop.var)) {
    loop.first = init->expr->operands[1];
    return true;
  }
  std::vector<StmtRef> declarations = {init};
  if (init->kind == StmtKind::Group)
    declarations = init->children;
  for (const StmtRef &each : declarations) {
    if (each->kind != StmtKind::Decl || !each->expr)
      return false;
    if (each->var == loop.var)
      loop.first = each->expr;
    else
      loop.others.push_back(each);
  }
  return loop.first != nullptr;
}

/// The largest step that is taken: so that far fewer than 2^64 - 2^32 values
/// are counted.
static constexpr int64_t largestStep = 65536;

std::optional<CountedLoop> readCountedLoop(const Stmt &stmt) {
  CountedLoop loop;
  if (stmt.kind != StmtKind::For || !readInit(stmt.init, stmt.inc, loop) ||
      !isCounter(loop.var->type) || loop.var->addressTaken ||
      loop.var->isFileScope || loop.var->space != AddressSpace::Private)
    return std::nullopt;
  std::optional<int64_t> step = stepOf(stmt.inc, loop.var);
  if (!step || *step == 0 || std::abs(*step) > largestStep)
    return std::nullopt;
  loop.step = *step;
  if (!readCondition(stmt.expr, loop))
    return std::nullopt;
  bool wraps = loop.var->type.isUnsigned() || loop.bound->type.isUnsigned();
  int64_t size = std::abs(loop.step);
  // A power of two that steps over the bound never comes back to it.
  if (wraps && (size & (size - 1)) != 0)
    return std::nullopt;
  return loop;
}

std::vector<std::pair<std::string, unsigned>> namedLoops(
    const KernelModel &model, std::set<std::string> taken,
    const std::function<const Variable *(unsigned statement)> &variableOf) {
  for (const Loop &loop : model.loops)
    taken.insert(loop.name);
  std::vector<std::pair<std::string, unsigned>> result;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    const Statement &statement = model.statements[s];
    if (!statement.isCompound || statement.isOpaque || !statement.stmt)
      continue;
    const Variable *variable = variableOf(s);
    if (!variable)
      continue;
    std::string name = variable->name;
    for (unsigned count = 1; !taken.insert(name).second; ++count)
      name = variable->name + "_" + std::to_string(count);
    result.emplace_back(name, s);
  }
  return result;
}

std::vector<std::pair<std::string, unsigned>>
dataDependentLoops(const KernelModel &model) {
  return namedLoops(model, {}, [&](unsigned statement) -> const Variable * {
    std::optional<CountedLoop> loop =
        readCountedLoop(*model.statements[statement].stmt);
    return loop ? loop->var : nullptr;
  });
}

//===-- Values that are only combined -------------------------------------===//

bool LoopValue::isNamedBy(const TransformedKernel &kernel,
                          const Expr &expr) const {
  if (copy)
    return copyOfExpr(kernel, expr) == copy;
  return expr.kind == ExprKind::VarRef && expr.var == var;
}

LoopValue valueOf(const TransformedKernel &kernel, unsigned array) {
  LoopValue value;
  value.var = kernel.model->arrays[array].var;
  for (unsigned i = 0; i < kernel.tiles.size(); ++i)
    if (kernel.tiles[i].inTree && kernel.tiles[i].array == array)
      value.copy = i;
  return value;
}

std::optional<ReductionOp> reductionOpIn(const TransformedKernel &kernel,
                                         const std::vector<StmtRef> &statements,
                                         const LoopValue &value) {
  auto isValue = [&](const Expr &expr) {
    return value.isNamedBy(kernel, expr);
  };
  std::optional<ReductionOp> result;
  bool failed = false;
  unsigned mentions = 0, combined = 0;
  auto add = [&](std::optional<ReductionUpdate> found) {
    failed |= !found || (result && *result != found->operation);
    if (found)
      result = found->operation;
    combined += found ? found->mentions : 0;
  };
  for (const StmtRef &root : statements) {
    forEachExpr(root, [&](const ExprRef &expr) {
      mentions += isValue(*expr);
      // What a step has put in the place of an expression looks at it, too.
      if (auto other = kernel.replacements.find(expr.get());
          other != kernel.replacements.end())
        forEachExpr(other->second,
                    [&](const ExprRef &inner) { mentions += isValue(*inner); });
    });
    forEachStmt(root, [&](const StmtRef &stmt) {
      if (stmt->kind != StmtKind::Expr || !stmt->expr ||
          stmt->expr->operands.empty() || !isValue(*stmt->expr->operands[0]))
        return;
      const Expr &expr = *stmt->expr;
      if (expr.kind == ExprKind::Assign)
        add(reductionUpdateOf(expr, isValue));
      else if (expr.kind == ExprKind::Unary && expr.type.isInteger())
        add(isStep(expr.op)
                ? std::optional(ReductionUpdate{ReductionOp::Sum, 1})
                : std::nullopt);
    });
  }
  if (failed || mentions != combined)
    return std::nullopt;
  return result;
}

//===-- Who does what -----------------------------------------------------===//

bool isInside(const KernelModel &model, unsigned statement,
              const CooperativeReduction &loop) {
  if (!loop.loop)
    return statement == loop.statement;
  return llvm::is_contained(model.statements[statement].loops, *loop.loop);
}

bool changesMemory(const TransformedKernel &kernel, unsigned statement) {
  const KernelModel &model = *kernel.model;
  for (unsigned id : model.statements[statement].accesses) {
    const Access &access = model.accesses[id];
    if (access.isWrite && !kernel.registersOf(id) &&
        model.arrays[access.array].space != AddressSpace::Private)
      return true;
  }
  return false;
}

bool isDoneOnce(const TransformedKernel &kernel, unsigned statement) {
  return changesMemory(kernel, statement) &&
         llvm::none_of(kernel.cooperativeReductions,
                       [&](const CooperativeReduction &loop) {
                         return loop.writes &&
                                isInside(*kernel.model, statement, loop);
                       });
}

std::set<unsigned> statementsFor(const TransformedKernel &kernel,
                                 const CooperativeReduction &loop,
                                 std::set<unsigned> arrays) {
  const KernelModel &model = *kernel.model;
  std::set<unsigned> result;
  for (bool grows = true; grows;) {
    grows = false;
    for (unsigned s = 0; s < model.statements.size(); ++s) {
      const std::vector<unsigned> &accesses = model.statements[s].accesses;
      if (!isInside(model, s, loop) || result.count(s) ||
          llvm::none_of(accesses, [&](unsigned id) {
            return model.accesses[id].isWrite &&
                   arrays.count(model.accesses[id].array);
          }))
        continue;
      grows = true;
      result.insert(s);
      for (unsigned id : accesses) {
        const unsigned array = model.accesses[id].array;
        if (kernel.registersOf(id) ||
            model.arrays[array].space == AddressSpace::Private)
          arrays.insert(array);
      }
    }
  }
  return result;
}

const CooperativeReduction *
cooperativeReductionOf(const TransformedKernel &kernel, unsigned statement) {
  for (const CooperativeReduction &loop : kernel.cooperativeReductions)
    if (!loop.loop && loop.statement == statement)
      return &loop;
  return nullptr;
}

const CooperativeReduction *
findCooperativeReduction(const TransformedKernel &kernel, unsigned loop) {
  for (const CooperativeReduction &shared : kernel.cooperativeReductions)
    if (shared.loop == loop)
      return &shared;
  return nullptr;
}

/// Half of what the smallest devices have.
static constexpr uint64_t maxLocalBytes = 16384;

unsigned cellsPerResult(const TransformedKernel &kernel) {
  std::map<ScalarKind, uint64_t> most;
  for (const CooperativeReduction &loop : kernel.cooperativeReductions) {
    std::map<ScalarKind, uint64_t> own;
    for (const SharedResult &value : loop.results)
      ++own[kernel.model->arrays[value.array].elementType.scalar];
    for (const auto &[kind, count] : own)
      most[kind] = std::max(most[kind], count);
  }
  uint64_t bytes = 0;
  for (const auto &[kind, count] : most)
    bytes += count * sizeOf(kind);
  for (unsigned cells = 1024; cells >= 256; cells /= 2)
    if (bytes * cells <= maxLocalBytes)
      return cells;
  return 0;
}

} // namespace clopt
