//===- Symmetric.cpp - one half of a symmetric result is computed ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `symmetric i j` leaves the work-items with i > j out, and lets those with
// i <= j store for both:
//
//   float sum = 0;                       if (i <= j) {
//   for (k = 0; k < s; k++)                float sum = 0;
//     sum += X[i * s + k]                  for (k = 0; k < s; k++)
//          * X[j * s + k];                   sum += X[i * s + k]
//   c[i * n + j] = sum;                           * X[j * s + k];
//                                          c[i * n + j] = sum;
//                                          c[j * n + i] = sum;
//                                        }
//
// In a model of the kernel's own all domains get the condition, and every store
// to memory has another one behind it, in whose subscripts i and j have changed
// places. Values that are no variable yet become one.
//
// Legal where work-item (j, i) computes just what (i, j) does and differs in
// where it stores only (ExchangedIds.h): then its stores are the mirrored ones.
// The launch has to be symmetric, too: both work-items of a pair run the same
// statements. Where that depends on the launch, it becomes part of the guard.
//
// Reference: Fang, evaluation and applications of heterogeneous GPU systems
// (2017), section 5.1, on covariances.
//
// Tested by test/unit/SymmetricTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/ExchangedIds.h"
#include "Model/MakeTree.h"
#include "Transform/Apply.h"
#include "Transform/tree/ModelEditor.h"
#include "Transform/tree/OuterLoop.h"

#include <isl/map.h>
#include <isl/set.h>

#include <llvm/ADT/STLExtras.h>

namespace clopt {

namespace {

class Symmetrizer {
public:
  Symmetrizer(const TransformedKernel &before, unsigned one, unsigned other)
      : result(before), first(one), second(other) {}
  StepResult check();
  StepResult build();
  TransformedKernel result;

private:
  StepResult checkLaunch(const KernelModel &model);
  void restrict(KernelModel &model) const;
  StepResult mirror(ModelEditor &editor, unsigned statement);
  ExprRef valueOf(ModelEditor &editor, unsigned statement,
                  std::vector<unsigned> &added);
  ExprRef exchangedCell(ModelEditor &editor, unsigned statement,
                        const ExprRef &expr);
  ExprRef otherId(ModelEditor &editor, unsigned statement, const Expr &name,
                  SymbolId id) const;

  unsigned first, second;
  ExchangedIds ids = {0, 0};
  ExchangedValues values;
  std::optional<Assumption> launches;
};

} // namespace

//===-- Legality ----------------------------------------------------------===//

/// Both work-items of a pair run the same statements, in these launches.
StepResult Symmetrizer::checkLaunch(const KernelModel &model) {
  Assumption assumption;
  assumption.kind = Assumption::Kind::Range;
  assumption.condition =
      exchangedDomainsAgree(model, ids, values.stores); // { : }
  const isl::set possible = assumption.condition.intersect(model.paramContext);
  if (possible.is_empty())
    return refuse("clopt-dependence",
                  "work-items run other statements when the ids are exchanged");
  assumption.text = "the launch is the same along both dimensions";
  if (isl_set_plain_is_universe(assumption.condition.get()) != isl_bool_true)
    launches = assumption;
  return std::nullopt;
}

StepResult Symmetrizer::check() {
  const KernelModel &model = *result.model;
  const NDRange &range = model.ndrange;
  if (result.ownModel || result.isVirtual() || !result.tiles.empty() ||
      !result.selections.empty() || !result.disjointArrays.empty())
    return refuse("clopt-dependence",
                  "the kernel has been changed by other steps",
                  "write symmetric first");
  if (!range.mapped.empty() || range.split[0] || range.split[1] ||
      range.split[2])
    return refuse("clopt-group-shape",
                  "the kernel does not use the ids of its launch alone");
  if (model.statements.empty())
    return refuse("clopt-not-profitable", "the kernel does nothing");
  const Statement &any = model.statements.front();
  ids = {any.coordinates[first], any.coordinates[second]};
  values = compareExchanged(model, ids);
  if (values.difference)
    return refuse(values.difference->ruleId, values.difference->message,
                  values.difference->hint, values.difference->range);
  if (values.stores.empty())
    return refuse("clopt-not-profitable", "the kernel stores nothing");
  return checkLaunch(model);
}

//===-- The new model -----------------------------------------------------===//

/// { S[.., i, .., j, ..] : i <= j }
void Symmetrizer::restrict(KernelModel &model) const {
  const Polynomial ahead =
      Polynomial::symbol(ids.second) - Polynomial::symbol(ids.first);
  for (Statement &statement : model.statements) {
    isl::space space = isl::manage(isl_set_get_space(statement.domain.get()));
    statement.domain = statement.domain.intersect(
        whereAtLeastZero(model, space, statement.coordinates, ahead));
    for (unsigned access : statement.accesses)
      model.accesses[access].relation =
          model.accesses[access].relation.intersect_domain(statement.domain);
  }
}

/// A name for the other id where one of this id stands.
ExprRef Symmetrizer::otherId(ModelEditor &editor, unsigned statement,
                             const Expr &name, SymbolId id) const {
  KernelModel &model = *editor.model;
  const Polynomial value = Polynomial::symbol(id);
  // The store's own subscripts have the name of the other id.
  ExprRef found;
  forEachExpr(StmtRef(StmtRef(), model.statements[statement].stmt),
              [&](const ExprRef &expr) {
                auto known = model.values.find(expr.get());
                if (!found && expr->kind == ExprKind::VarRef &&
                    known != model.values.end() && known->second == value &&
                    expr->type.scalar == name.type.scalar)
                  found = std::make_shared<Expr>(*expr);
              });
  if (found)
    return found;
  ExprRef query =
      makeQuery(WorkItemQuery::GlobalId, id == ids.first ? first : second);
  model.values[query.get()] = value;
  return makeCast(name.type, query);
}

/// The cell of the other work-item; null where it cannot be named.
ExprRef Symmetrizer::exchangedCell(ModelEditor &editor, unsigned statement,
                                   const ExprRef &expr) {
  KernelModel &model = *editor.model;
  auto known = model.values.find(expr.get());
  std::optional<Polynomial> value;
  if (known != model.values.end())
    value = exchanged(model, ids, known->second);
  const bool isLeaf =
      expr->kind == ExprKind::VarRef || expr->kind == ExprKind::WorkItem;
  ExprRef made;
  if (isLeaf && value && *value == Polynomial::symbol(ids.first))
    made = otherId(editor, statement, *expr, ids.first);
  else if (isLeaf && value && *value == Polynomial::symbol(ids.second))
    made = otherId(editor, statement, *expr, ids.second);
  else if (isLeaf && !expr->type.isPointer() && !expr->type.isArray() &&
           (!value || *value != known->second))
    return nullptr;
  if (!made) {
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprRef &operand : copy->operands)
      if (!(operand = exchangedCell(editor, statement, operand)))
        return nullptr;
    made = copy;
  }
  if (value)
    model.values[made.get()] = *value;
  if (auto pointer = model.pointers.find(expr.get());
      pointer != model.pointers.end() && made->kind == expr->kind) {
    std::optional<Polynomial> offset =
        exchanged(model, ids, pointer->second.offset);
    if (!offset)
      return nullptr;
    model.pointers[made.get()] = {pointer->second.array, *offset};
  }
  return made;
}

/// The stored value under a name; statements that set it are `added`.
ExprRef Symmetrizer::valueOf(ModelEditor &editor, unsigned statement,
                             std::vector<unsigned> &added) {
  KernelModel &model = *editor.model;
  const Expr &store = *model.statements[statement].stmt->expr;
  const ExprRef &value = store.operands[1];
  if (value->kind == ExprKind::VarRef) {
    auto read = model.reads.find(value.get());
    if (read != model.reads.end() &&
        model.arrays[model.accesses[read->second].array].isPrivateScalar())
      return editor.nameOf(model.accesses[read->second].array);
  }
  const unsigned variable = editor.addVariable("value", value->type);
  const Statement consumer = model.statements[statement];
  // The value under another name: the store's own is replaced.
  auto copy = std::make_shared<Expr>(*value);
  if (auto known = model.values.find(value.get()); known != model.values.end())
    model.values[copy.get()] = known->second;
  if (auto choice = model.choices.find(value.get());
      choice != model.choices.end())
    model.choices[copy.get()] = choice->second;
  added.push_back(editor.addStatement(editor.makeDeclaration(variable, copy),
                                      consumer.domain, consumer.coordinates,
                                      consumer.loops));
  editor.moveReads(value, added.back());
  editor.addAccess(added.back(), variable, true, nullptr);
  const ExprRef name = editor.nameOf(variable);
  editor.addAccess(statement, variable, false, name.get());
  result.replacements[value.get()] = name;
  return editor.nameOf(variable);
}

/// Puts statements around that one, in the same sequence.
static void putAround(ScheduleNode &node, unsigned statement,
                      const std::vector<unsigned> &before, unsigned after) {
  auto is = [&](const ScheduleNode &child) {
    return child.kind == ScheduleNode::Kind::Leaf &&
           child.statement == statement;
  };
  if (node.kind == ScheduleNode::Kind::Leaf && is(node))
    node = ScheduleNode::sequence({node});
  if (node.kind == ScheduleNode::Kind::Sequence) {
    auto own = llvm::find_if(node.children, is);
    if (own != node.children.end()) {
      node.children.insert(std::next(own), ScheduleNode::leaf(after));
      for (unsigned added : before)
        node.children.insert(llvm::find_if(node.children, is),
                             ScheduleNode::leaf(added));
      return;
    }
  }
  for (ScheduleNode &child : node.children)
    putAround(child, statement, before, after);
}

/// The store for the other work-item, behind that for this one.
StepResult Symmetrizer::mirror(ModelEditor &editor, unsigned statement) {
  KernelModel &model = *editor.model;
  const Stmt &stmt = *model.statements[statement].stmt;
  const ExprRef &cell = stmt.expr->operands[0];
  const unsigned stored = model.writes.at(cell.get());
  const std::optional<Polynomial> &offset = model.accesses[stored].offset;
  ExprRef other;
  if (offset && exchanged(model, ids, *offset))
    other = exchangedCell(editor, statement, cell);
  if (!other)
    return refuse("clopt-non-affine-subscript",
                  "the cell of the other work-item cannot be named", "",
                  stmt.range);
  std::vector<unsigned> before;
  const ExprRef value = valueOf(editor, statement, before);
  const Statement own = model.statements[statement];
  const StmtRef store = makeStatement(makeAssign(other, value));
  const unsigned added =
      editor.addStatement(store, own.domain, own.coordinates, own.loops);
  Access access = model.accesses[stored];
  access.id = static_cast<unsigned>(model.accesses.size());
  access.statement = added;
  access.expr = other.get();
  for (Polynomial &subscript : access.subscripts)
    if (std::optional<Polynomial> there = exchanged(model, ids, subscript))
      subscript = *there;
    else
      access.subscripts.clear();
  if (access.offset)
    access.offset = exchanged(model, ids, *access.offset);
  // { S[.., i, .., j, ..] -> A[s...] }, of the whole launch
  access.relation = access.relation.apply_domain(
      exchangeMap(own, ids, model.statements[added].name));
  model.writes[other.get()] = access.id;
  model.statements[added].accesses.push_back(access.id);
  model.accesses.push_back(access);
  forEachExpr(other, [&](const ExprRef &expr) {
    if (expr->kind != ExprKind::VarRef)
      return;
    for (unsigned array = 0; array < model.arrays.size(); ++array)
      if (model.arrays[array].var == expr->var &&
          model.arrays[array].isPrivateScalar())
        editor.addAccess(added, array, false, expr.get());
  });
  editor.addAccess(added, *model.findArray(value->var->name), false,
                   value.get());
  putAround(result.tree, statement, before, added);
  return std::nullopt;
}

StepResult Symmetrizer::build() {
  ModelEditor editor(result);
  for (unsigned statement : values.stores)
    if (StepResult refusal = mirror(editor, statement))
      return refusal;
  restrict(*editor.model);
  if (launches)
    editor.model->assumptions.push_back(*launches);
  // Mirrored cells are those of the subscripts that the assumptions are about.
  for (unsigned i = 0; i < editor.model->assumptions.size(); ++i)
    result.usedAssumptions.insert(i);
  return std::nullopt;
}

StepResult applySymmetric(TransformedKernel &kernel, const Step &step,
                          AliasMode) {
  std::vector<unsigned> dims;
  for (const StepTarget &target : step.targets) {
    AxisName axis;
    if (StepResult refusal = resolveAxis(*kernel.model, target, axis))
      return refusal;
    if (!axis.dim || target.count)
      return refuse("", "'symmetric' is for two dimensions of the NDRange: "
                        "'symmetric w0 w1'");
    dims.push_back(*axis.dim);
  }
  if (dims.size() != 2 || dims[0] == dims[1])
    return refuse("", "'symmetric' is for two dimensions of the NDRange: "
                      "'symmetric w0 w1'");
  Symmetrizer work(kernel, dims[0], dims[1]);
  if (StepResult refusal = work.check())
    return refusal;
  if (StepResult refusal = work.build())
    return refusal;
  kernel = std::move(work.result);
  return std::nullopt;
}

} // namespace clopt
