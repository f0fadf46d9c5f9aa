//===- ConstantTable.cpp - private tables in constant memory --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `stage w constant` declares a private array of the author's,
//
//   const float w[9] = {0.1f, 0.2f, ...};
//
// as `__constant` at the outermost scope of the kernel. An array that is read
// by an index which is no constant lies in memory of each work-item's own:
// every one of them writes it at the beginning, and reads it back from there.
// Constant memory is written once, by the compiler, and serves all work-items
// that read the same cell at once (Chen and Wu, Algorithm 3).
//
// Legal when nothing but the initializer writes the array, the initializer is a
// compile-time constant, and every other mention is a whole cell: a pointer to
// it would be one to another address space. All work-items of a group read the
// same cell at a time; constant memory serves different ones one after the
// other.
//
// Tested by test/unit/ConstantTableTest.cpp, test/lit/stage/table.test.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Attributes.h"
#include "Analysis/memory/LocalCells.h"
#include "Transform/Steps.h"
#include "Transform/steps/LocalMentions.h"

#include <algorithm>

namespace clopt {

/// What tables of one kernel may take: constant memory is the host's, too.
static constexpr uint64_t maxTableBytes = 4096;

/// True for what is a constant for every compiler: literals and arithmetic.
static bool isConstantExpression(const ExprRef &expr) {
  if (!expr)
    return false;
  switch (expr->kind) {
  case ExprKind::IntLiteral:
  case ExprKind::FloatLiteral:
    return true;
  case ExprKind::Unary:
    return (expr->op == Op::Plus || expr->op == Op::Neg) &&
           isConstantExpression(expr->operands[0]);
  case ExprKind::Binary:
    if (expr->op != Op::Add && expr->op != Op::Sub && expr->op != Op::Mul &&
        expr->op != Op::Div)
      return false;
    break;
  case ExprKind::Cast:
    if (!expr->type.isScalar() || !expr->operands[0]->type.isScalar())
      return false;
    break;
  case ExprKind::InitList:
  case ExprKind::VectorLiteral:
    break;
  default:
    return false;
  }
  return std::all_of(expr->operands.begin(), expr->operands.end(),
                     isConstantExpression);
}

/// The statement that declares the variable, or null.
static const Statement *declarationOf(const KernelModel &model,
                                      const Variable *variable) {
  for (const Statement &statement : model.statements)
    if (statement.stmt && statement.stmt->kind == StmtKind::Decl &&
        statement.stmt->var == variable)
      return &statement;
  return nullptr;
}

static StepResult checkTable(const KernelModel &model, unsigned array) {
  const Array &info = model.arrays[array];
  const Type &element = arrayElement(info.var->type);
  if (arrayCells(info.var->type) <= 0 ||
      !(element.isScalar() || element.isVector()) ||
      element.scalar == ScalarKind::Half || element.isVolatile)
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is no array of numbers", "",
                  info.var->range);
  const Statement *declaration = declarationOf(model, info.var);
  if (!declaration || declaration->isOpaque || declaration->isCompound ||
      !declaration->stmt->expr ||
      declaration->stmt->expr->kind != ExprKind::InitList ||
      !isConstantExpression(declaration->stmt->expr))
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is not initialized with constants", "",
                  info.var->range);
  const std::vector<AccessAttributes> attributes = accessAttributes(model);
  for (const Access &access : model.accesses) {
    if (access.array != array ||
        &model.statements[access.statement] == declaration)
      continue;
    if (access.isWrite)
      return refuse("clopt-dependence",
                    "'" + info.name +
                        "' is written, and constant memory is only read",
                    "", access.range);
    if (!attributes[access.id].isUniform)
      return refuse("clopt-not-profitable",
                    "work-items read different cells of '" + info.name +
                        "' at once, which constant memory serves one after "
                        "the other",
                    "", access.range);
  }
  return std::nullopt;
}

StepResult stageConstantTable(TransformedKernel &kernel, unsigned array) {
  const KernelModel &model = *kernel.model;
  const Array &info = model.arrays[array];
  if (kernel.constantTables.count(array))
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' lies in constant memory");
  if (!info.var || !info.var->type.isArray())
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is no array of numbers");
  if (StepResult refusal = checkTable(model, array))
    return refusal;
  if (StepResult refusal = checkMentions(model, info.var, false))
    return refusal;
  TransformedKernel trial = kernel;
  trial.constantTables.insert(array);
  uint64_t bytes = 0;
  for (unsigned table : trial.constantTables)
    bytes += static_cast<uint64_t>(arrayCells(model.arrays[table].var->type)) *
             model.arrays[table].elementBytes;
  if (bytes > maxTableBytes)
    return refuse("clopt-not-profitable",
                  "the tables of a kernel take at most " +
                      std::to_string(maxTableBytes) +
                      " bytes of constant memory",
                  "", info.var->range);
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
