//===- Legality.cpp - conditions shared by several steps ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merging work-items needs no dependence test: a kernel without data races
// never orders two work-items between barriers, so any interleaving that keeps
// each work-item's own order is right. What remains are the constructs whose
// meaning is tied to the launched work-items.
//
// Tested by test/unit/LegalityTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

#include "Model/Control.h"

namespace clopt {

Refusal refuse(const std::string &ruleId, const std::string &message,
               const std::string &hint, const SourceRange &range) {
  return {ruleId, message, hint, range};
}

static const Access *unguardedAccess(const KernelModel &model, unsigned array) {
  for (const Access &access : model.accesses)
    if (access.array == array && access.subscripts.empty() &&
        model.arrays[array].rank > 0)
      return &access;
  return nullptr;
}

bool areApart(const TransformedKernel &kernel, unsigned first, unsigned second,
              AliasMode alias) {
  return first != second &&
         (alias == AliasMode::None || kernel.areApart(first, second));
}

void useSubscripts(TransformedKernel &kernel,
                   const std::set<unsigned> &arrays) {
  const std::vector<Assumption> &assumptions = kernel.model->assumptions;
  for (unsigned i = 0; i < assumptions.size(); ++i)
    if (assumptions[i].kind == Assumption::Kind::Subscript &&
        assumptions[i].array >= 0 &&
        arrays.count(static_cast<unsigned>(assumptions[i].array)))
      kernel.usedAssumptions.insert(i);
}

StepResult requireDisjoint(TransformedKernel &kernel, unsigned first,
                           unsigned second, AliasMode alias) {
  const KernelModel &model = *kernel.model;
  if (alias == AliasMode::None || areDisjoint(model, first, second))
    return std::nullopt;
  const std::string &a = model.arrays[first].name;
  const std::string &b = model.arrays[second].name;
  std::string both = "'" + a + "' and '" + b + "' may overlap";
  std::string hint = "add `restrict` to `" + a + "`";
  if (alias == AliasMode::Strict)
    return refuse("clopt-may-alias", both, hint);
  for (unsigned array : {first, second}) {
    const Array &info = model.arrays[array];
    if (!info.var)
      return refuse("clopt-may-alias", both, hint);
    if (const Access *access = unguardedAccess(model, array))
      return refuse("clopt-unguardable-footprint",
                    both + ", and the cells of '" + info.name +
                        "' are not known before the kernel runs",
                    hint, access->range);
  }
  kernel.disjointArrays.insert(std::minmax(first, second));
  useSubscripts(kernel, {first, second});
  return std::nullopt;
}

const Statement *findJump(const KernelModel &model, const ScheduleNode &node) {
  for (unsigned index : statementsBelow(node)) {
    const Statement &statement = model.statements[index];
    if (statement.stmt && leavesOf(StmtRef(StmtRef(), statement.stmt)).any())
      return &statement;
  }
  return nullptr;
}

StepResult checkFences(const KernelModel &model, const ScheduleNode &node) {
  for (unsigned index : statementsBelow(node)) {
    const Statement &statement = model.statements[index];
    SourceRange range = statement.stmt ? statement.stmt->range : SourceRange();
    if (statement.isBarrier)
      return refuse("clopt-barrier", "the loops have a barrier in them", "",
                    range);
    if (statement.isOpaque)
      return refuse("clopt-opaque-code",
                    "the loops have code that is not modelled", "", range);
    for (unsigned id : statement.accesses)
      if (model.accesses[id].isOrdered)
        return refuse("clopt-ordered-effect",
                      "the loops have accesses in a fixed order", "", range);
  }
  return std::nullopt;
}

/// Where the first access is that keeps its order; none where a call is.
static SourceRange orderedPlace(const KernelModel &model) {
  for (const Access &access : model.accesses)
    if (access.isOrdered)
      return access.range;
  return SourceRange();
}

/// Code that is not modelled: by the first call that nothing is known of.
static Refusal refuseOpaque(const Statement &statement) {
  std::string name;
  bool mayReturn = false;
  if (statement.stmt)
    forEachStmt(StmtRef(StmtRef(), statement.stmt), [&](const StmtRef &stmt) {
      mayReturn |= stmt->kind == StmtKind::Return;
    });
  if (mayReturn)
    return refuse("clopt-opaque-code",
                  "whether work-items return here is not known before they run",
                  "conditions on ids, loop variables and integer arguments can "
                  "be analysed",
                  statement.stmt->range);
  if (statement.stmt)
    forEachExpr(statement.stmt->expr, [&](const ExprRef &expr) {
      if (name.empty() && expr->kind == ExprKind::Call &&
          expr->effect == CallEffect::Opaque)
        name = expr->text;
    });
  return refuse("clopt-opaque-code",
                name.empty()
                    ? "the kernel has code that is not modelled"
                    : "the kernel calls '" + name + "', which is not modelled",
                "", statement.stmt ? statement.stmt->range : SourceRange());
}

/// Code around barriers, nothing else of which is unknown.
static bool onlyWaits(const Statement &statement) {
  if (!statement.isBarrier || !statement.isCompound || !statement.stmt)
    return false;
  const StmtRef stmt(StmtRef(), statement.stmt);
  bool isKnown = !leavesOf(stmt).any();
  forEachStmt(stmt, [&](const StmtRef &part) {
    isKnown &= part->kind != StmtKind::Opaque &&
               part->kind != StmtKind::Switch && part->kind != StmtKind::Return;
  });
  return isKnown;
}

/// What merging needs whatever the ids: known code without an order, or but for
/// that of its barriers.
static StepResult mergeableCode(const TransformedKernel &kernel,
                                bool mayWait = false) {
  const KernelModel &model = *kernel.model;
  for (const Statement &statement : model.statements)
    if (statement.isOpaque && !(mayWait && onlyWaits(statement)))
      return refuseOpaque(statement);
  if (model.hasAtomics)
    return refuse(
        "clopt-ordered-effect", "the kernel has atomic operations",
        "count in private or local memory first, with one atomic for each sum",
        orderedPlace(model));
  if (model.hasOrderedEffects)
    return refuse("clopt-ordered-effect",
                  "the kernel has volatile accesses, fences, printf or calls "
                  "that are not known",
                  "", orderedPlace(model));
  if (const Statement *jump = findJump(model, kernel.tree))
    return refuse("clopt-non-affine-control",
                  "a work-item may return early, depending on data", "",
                  jump->stmt->range);
  return std::nullopt;
}

static StepResult usedDimension(const KernelModel &model, unsigned dim) {
  if (model.isUntouchable)
    return refuse("clopt-opaque-code", "the kernel is not modelled");
  if (dim >= model.ndrange.rank)
    return refuse("clopt-group-shape", "the kernel does not use dimension " +
                                           std::to_string(dim) +
                                           " of its NDRange");
  return std::nullopt;
}

StepResult mergeableGroups(const TransformedKernel &kernel, unsigned dim) {
  const KernelModel &model = *kernel.model;
  if (StepResult refusal = usedDimension(model, dim))
    return refusal;
  if (!model.ndrange.split[dim])
    return refuse("clopt-group-shape",
                  "the kernel uses no ids within its groups along dimension " +
                      std::to_string(dim));
  if (kernel.hasGroupLanes())
    return refuse("clopt-group-shape",
                  "the work-items of a group are lanes of others");
  for (const auto &variable : model.function->variables)
    if (variable->type.isPointer() && !variable->isParam &&
        variable->type.space == AddressSpace::Local)
      return refuse("clopt-group-shape",
                    "'" + variable->name +
                        "' points to local memory, of which groups have "
                        "their own",
                    "use the array itself");
  return mergeableCode(kernel);
}

StepResult lanesWithinGroups(const TransformedKernel &kernel, unsigned dim,
                             unsigned lanes) {
  const KernelModel &model = *kernel.model;
  if (StepResult refusal = usedDimension(model, dim))
    return refusal;
  const std::string name = "dimension " + std::to_string(dim);
  if (!model.symbols.find(SymbolKind::LocalId, dim))
    return refuse("clopt-group-shape",
                  "the kernel uses no ids within its groups along " + name);
  if (const auto &size = model.ndrange.localSize[dim]; size && *size % lanes)
    return refuse("clopt-group-shape",
                  "groups of " + std::to_string(*size) + " work-items along " +
                      name + " are no multiple of " + std::to_string(lanes));
  if (kernel.mergesGroups() || kernel.sharesWork() || !kernel.rounds.empty())
    return refuse("clopt-group-shape",
                  "work-items of groups that are taken together have no lanes",
                  "vectorize first");
  return mergeableCode(kernel, true);
}

StepResult mergeableWorkItems(const TransformedKernel &kernel, unsigned dim) {
  const KernelModel &model = *kernel.model;
  if (StepResult refusal = usedDimension(model, dim))
    return refusal;
  // Without these, the ids could be global ones; because of them they cannot.
  if (model.hasBarrier)
    return refuse("clopt-barrier", "the kernel has barriers");
  if (model.usesLocalMemory)
    return refuse("clopt-group-shape", "the kernel uses local memory");
  for (bool split : model.ndrange.split)
    if (split)
      return refuse("clopt-group-shape",
                    "the kernel uses ids within its work-group",
                    "where only the sum get_group_id(d) * get_local_size(d) + "
                    "get_local_id(d) matters use get_global_id(d); otherwise "
                    "fix the size with reqd_work_group_size or --local-size");
  return mergeableCode(kernel);
}

StepResult checkTileSize(unsigned ids, unsigned total) {
  if (ids % total == 0)
    return std::nullopt;
  return refuse("clopt-not-profitable",
                "a tile of " + std::to_string(ids) +
                    " is no multiple of what one work-item does, " +
                    std::to_string(total));
}

StepResult resizableWorkItems(const TransformedKernel &kernel, unsigned dim,
                              unsigned count) {
  const WorkDimension &work = kernel.work[dim];
  if (work.groupIds)
    if (StepResult refusal = checkTileSize(work.groupIds, work.total() * count))
      return refusal;
  // The sections of a group are those of its tile, however it is dealt out.
  for (const ArrayTile &tile : kernel.sections())
    if (tile.isPrivate() || tile.stored || tile.inPlanes || !work.groupIds)
      return refuse("clopt-dependence",
                    "arrays are staged for the work-items as they are",
                    "stage afterwards");
  return std::nullopt;
}

} // namespace clopt
