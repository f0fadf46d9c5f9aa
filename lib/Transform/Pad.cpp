//===- Pad.cpp - local arrays against bank conflicts ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `pad t:1` makes every row of a local array `t[32][32]` one cell longer,
// so that a column lies in different banks. In a one-dimensional array one cell
// is left free after every 32: index i becomes i + (i >> 5), and i + i / 96 for
// gaps that are no power of two apart.
//
// Legal for any subscripts, affine or not: another place for every cell is only
// another layout, as long as all accesses use it. So the array must be one that
// the kernel declares itself, and each mention of it a whole subscript: no
// pointer into it, no call that gets it, no sizeof. The author's body may use
// the longer array as if it were the shorter one.
//
// Reference: Harris, Sengupta, Owens: Parallel prefix sum (scan) with CUDA, GPU
// Gems 3, section 39.2.3.
//
// Tested by test/unit/PadTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

#include <set>

namespace clopt {

/// What every OpenCL device with a full profile has per group.
static constexpr uint64_t guaranteedLocalBytes = 32768;
static constexpr int64_t maximumPadding = 64;

static unsigned depthOf(const Type &type) {
  unsigned depth = 0;
  for (const Type *t = &type; t->isArray(); t = t->element.get())
    ++depth;
  return depth;
}

static int64_t cellsOf(const Type &type, const LocalPadding *padding) {
  int64_t cells = 1;
  unsigned depth = depthOf(type), at = 0;
  for (const Type *t = &type; t->isArray(); t = t->element.get()) {
    int64_t extent = static_cast<int64_t>(t->extent);
    if (padding && ++at == depth)
      extent += padding->every ? extent / padding->every * padding->count
                               : padding->count;
    cells *= extent;
  }
  return cells;
}

static const Type &elementOf(const Type &type) {
  const Type *t = &type;
  while (t->isArray())
    t = t->element.get();
  return *t;
}

uint64_t declaredLocalBytes(const TransformedKernel &kernel) {
  const KernelModel &model = *kernel.model;
  uint64_t bytes = 0;
  for (const auto &variable : model.function->variables) {
    if (variable->isParam || variable->space != AddressSpace::Local)
      continue;
    const LocalPadding *padding = nullptr;
    for (const LocalPadding &candidate : kernel.paddings)
      if (model.arrays[candidate.array].var == variable.get())
        padding = &candidate;
    bytes += static_cast<uint64_t>(cellsOf(variable->type, padding)) *
             elementOf(variable->type).size;
  }
  return bytes;
}

namespace {

/// Looks at every mention of one variable.
class Mentions {
public:
  Mentions(const KernelModel &kernel, const Variable *theVariable,
           bool repeatsIndex)
      : model(kernel), variable(theVariable), depth(depthOf(theVariable->type)),
        copiesIndex(repeatsIndex) {}
  void visit(const StmtRef &stmt);
  StepResult refusal;

private:
  void visit(const ExprRef &expr, bool isAtomicTarget);
  bool visitSubscript(const ExprRef &expr);
  bool isRepeatable(const ExprRef &expr) const;
  void refuseOnce(const std::string &rule, const std::string &message,
                  const SourceRange &range);

  const KernelModel &model;
  const Variable *variable;
  unsigned depth;
  bool copiesIndex;
};

} // namespace

void Mentions::refuseOnce(const std::string &rule, const std::string &message,
                          const SourceRange &range) {
  if (!refusal)
    refusal = refuse(rule, message, "", range);
}

/// True when evaluating the expression twice gives the same value twice.
bool Mentions::isRepeatable(const ExprRef &expr) const {
  bool repeatable = true;
  forEachExpr(expr, [&](const ExprRef &part) {
    bool isCall =
        part->kind == ExprKind::Call &&
        (part->effect != CallEffect::Pure || !part->isElementwiseBuiltin);
    bool changes = part->op == Op::PreInc || part->op == Op::PreDec ||
                   part->op == Op::PostInc || part->op == Op::PostDec;
    auto read = model.reads.find(part.get());
    bool isOrdered =
        read != model.reads.end() && model.accesses[read->second].isOrdered;
    if (part->kind == ExprKind::Assign || part->kind == ExprKind::Opaque ||
        isCall || changes || isOrdered)
      repeatable = false;
  });
  return repeatable;
}

/// True when the expression is a whole cell of the variable.
bool Mentions::visitSubscript(const ExprRef &expr) {
  const Expr *at = expr.get();
  std::vector<ExprRef> indices;
  for (;;) {
    if (at->kind == ExprKind::Subscript) {
      indices.push_back(at->operands[1]);
      at = at->operands[0].get();
    } else if (at->kind == ExprKind::Cast && at->implicit) {
      at = at->operands[0].get();
    } else {
      break;
    }
  }
  if (at->kind != ExprKind::VarRef || at->var != variable ||
      indices.size() != depth)
    return false;
  for (const ExprRef &index : indices) {
    if (copiesIndex && !isRepeatable(index))
      refuseOnce("clopt-opaque-code",
                 "a subscript of '" + variable->name + "' has side effects",
                 index->range);
    visit(index, false);
  }
  return true;
}

void Mentions::visit(const ExprRef &expr, bool isAtomicTarget) {
  if (!expr)
    return;
  if (expr->kind == ExprKind::Subscript && visitSubscript(expr))
    return;
  if (expr->kind == ExprKind::VarRef && expr->var == variable)
    refuseOnce("clopt-opaque-code",
               "'" + variable->name + "' is used as a whole", expr->range);
  // `sizeof` of the array would change; its text may come from a macro.
  if (expr->kind == ExprKind::IntLiteral &&
      (expr->text.find("sizeof") != std::string::npos ||
       expr->text.find('(') != std::string::npos))
    refuseOnce("clopt-opaque-code", "the kernel asks for a size of an object",
               expr->range);
  bool isAddress = expr->kind == ExprKind::Unary && expr->op == Op::AddrOf;
  if (isAddress && !isAtomicTarget) {
    // The address of a cell must not lead to its neighbours.
    const Expr *at = expr->operands[0].get();
    while (at->kind == ExprKind::Subscript || at->kind == ExprKind::Cast)
      at = at->operands[0].get();
    if (at->kind == ExprKind::VarRef && at->var == variable)
      refuseOnce("clopt-opaque-code",
                 "the address of a cell of '" + variable->name + "' is taken",
                 expr->range);
  }
  bool isAtomic =
      expr->kind == ExprKind::Call && expr->effect == CallEffect::Atomic;
  for (size_t i = 0; i < expr->operands.size(); ++i) {
    const ExprRef &operand = expr->operands[i];
    // Casts of an atomic's pointer keep it the address of one cell.
    ExprRef target = operand;
    while (isAtomic && i == 0 && target && target->kind == ExprKind::Cast &&
           target->implicit)
      target = target->operands[0];
    visit(isAtomic && i == 0 ? target : operand, isAtomic && i == 0);
  }
}

void Mentions::visit(const StmtRef &stmt) {
  forEachStmt(stmt, [&](const StmtRef &inner) {
    visit(inner->expr, false);
    visit(inner->inc, false);
  });
}

static bool hasLanes(const ScheduleNode &node) {
  bool found = node.lanes > 1;
  for (const ScheduleNode &child : node.children)
    found |= hasLanes(child);
  return found;
}

static StepResult checkForm(const TransformedKernel &kernel, const Array &info,
                            int64_t count, int64_t every) {
  if (info.space != AddressSpace::Local || !info.var ||
      !info.var->type.isArray() || info.var->isParam)
    return refuse("clopt-not-profitable",
                  "'" + info.name +
                      "' is no local array that the kernel declares itself");
  if (count < 1 || count > maximumPadding)
    return refuse("", "a padding has 1 to " + std::to_string(maximumPadding) +
                          " cells");
  if (every < 1 || every > 4096)
    return refuse("", "'every' must be from 1 to 4096");
  if (hasLanes(kernel.tree) || kernel.isVirtual())
    return refuse("clopt-dependence",
                  "the kernel has lanes or merged work-items already", "",
                  info.var->range);
  return std::nullopt;
}

StepResult pad(TransformedKernel &kernel, unsigned array, int64_t count,
               int64_t every) {
  const KernelModel &model = *kernel.model;
  const Array &info = model.arrays[array];
  if (StepResult refusal = checkForm(kernel, info, count, every))
    return refusal;
  if (kernel.paddingOf(array))
    return refuse("clopt-dependence", "'" + info.name + "' is padded already");
  LocalPadding padding;
  padding.array = array;
  padding.count = count;
  padding.every = depthOf(info.var->type) == 1 ? every : 0;
  Mentions mentions(model, info.var, padding.every != 0);
  mentions.visit(model.function->body);
  if (mentions.refusal)
    return mentions.refusal;
  TransformedKernel trial = kernel;
  trial.paddings.push_back(padding);
  if (declaredLocalBytes(trial) > guaranteedLocalBytes &&
      declaredLocalBytes(kernel) <= guaranteedLocalBytes)
    return refuse("clopt-not-profitable",
                  "with '" + info.name +
                      "' padded the local arrays would no longer fit every "
                      "device",
                  "", info.var->range);
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
