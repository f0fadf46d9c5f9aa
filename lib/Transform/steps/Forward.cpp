//===- Forward.cpp - reads of local memory go to what was copied ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `forward t` takes back the author's copy of a buffer into the local
// array t:
//
//   __local float t[16];
//   t[get_local_id(0)] = a[i];
//   barrier(CLK_LOCAL_MEM_FENCE);
//   for (int k = 0; k < 16; k++) s += t[k];
//
//   for (int k = 0; k < 16; k++) s += a[16 * get_group_id(0) + k];
//
// The array, its copies and the barriers leave, and with them what ties the
// kernel to its groups: it is modelled anew (Frontend/model), and all other
// steps can be taken, staging in another shape among them. Where arrays have a
// meaning in groups of one size only, the new body is for that size.
//
// Legal when every read of the array is known to get what an assignment has
// copied from buffers that the kernel does not write (ForwardedValues), and the
// barriers order nothing else.
//
// Tested by test/unit/ForwardTest.cpp, test/lit/forward.
//
// Source: J. Fang, H. Sips, P. Jaaskelainen, A. Varbanescu: Grover: looking for
// performance improvement by disabling local memory usage in OpenCL kernels,
// ICPP 2014 (which relates one load to one store by a system of equations).
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/GroupDependences.h"
#include "Analysis/memory/ForcedLocalSize.h"
#include "Frontend/model/ModelBuilder.h"
#include "Model/MakeTree.h"
#include "Transform/Apply.h"
#include "Transform/steps/CutLoops.h"
#include "Transform/steps/ForwardedValues.h"
#include "Transform/steps/GroupCopies.h"
#include "Transform/tree/Coordinates.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

/// A statement is written once more for each.
static constexpr size_t mostConditions = 6;

namespace {

class Forwarder {
public:
  Forwarder(const TransformedKernel &transformed,
            std::set<const Variable *> arrays, AliasMode how)
      : kernel(transformed), targets(std::move(arrays)), alias(how) {}

  StepResult run(TransformedKernel &result);

private:
  StepResult checkKernel() const;
  void chooseModel();
  StepResult findValues();
  std::vector<ExprRef> conditionsIn(const ExprRef &expr) const;
  ExprRef where(const ExprRef &expr, const Polynomial &asked, bool holds) const;
  StmtRef split(const Stmt &stmt, const ExprRef &expr,
                std::vector<ExprRef> conditions) const;
  StmtRef withValues(const StmtRef &stmt) const;
  StepResult checkBarriers() const;
  StmtRef without(const StmtRef &stmt) const;
  StepResult makeBody();
  std::shared_ptr<KernelModel>
  modelOf(const std::shared_ptr<Function> &of) const;
  bool takeAssumptions(KernelModel &made) const;
  StepResult makeKernel(TransformedKernel &result) const;
  bool isTarget(unsigned array) const {
    return targets.count(model->arrays[array].var) != 0;
  }

  const TransformedKernel &kernel;
  const std::set<const Variable *> targets;
  const AliasMode alias;
  ModelOptions options;             ///< of the new model
  std::shared_ptr<Function> joined; ///< withLoopsOfOne
  std::shared_ptr<const KernelModel> ofJoined, sized;
  const KernelModel *model = nullptr;
  std::optional<ScheduleNode> tree;
  std::optional<ForwardedValues> forwarded;
  std::map<const Expr *, ExprRef> values; ///< for the reads
  std::set<const Expr *> copies;          ///< assignments to local memory
  std::set<const Variable *> sources;
  std::shared_ptr<Function> function;
};

} // namespace

/// Non-uniform groups, since OpenCL 2.0, may be smaller at the end.
static bool mayEndInSmallGroups(const TranslationUnit &unit) {
  return unit.openclVersion >= 200;
}

StepResult Forwarder::checkKernel() const {
  const KernelModel &own = *kernel.model;
  const bool isChanged = kernel.isVirtual() || !kernel.tiles.empty() ||
                         kernel.ownModel || !kernel.paddings.empty() ||
                         !kernel.localLayouts.empty() ||
                         !kernel.rounds.empty() || kernel.sharesWork();
  if (isChanged)
    return refuse("clopt-dependence", "other steps have changed the kernel",
                  "write 'forward' first");
  if (own.hasAtomics || own.hasOrderedEffects)
    return refuse("clopt-barrier",
                  "the kernel has atomics, fences or effects that keep their "
                  "order");
  if (own.ndrange.isFlat() || !own.ndrange.mapped.empty())
    return refuse("clopt-group-shape", "loops are dimensions of the NDRange");
  if (mayEndInSmallGroups(*own.unit))
    return refuse("clopt-group-shape",
                  "since OpenCL 2.0 the last groups of a launch may be smaller",
                  "build with an older -cl-std");
  return std::nullopt;
}

/// The model that the flow is asked of: with loops of one work-item, and of
/// groups of the one size in which the kernel has a meaning, as far as is
/// known; the guard asks for it.
void Forwarder::chooseModel() {
  const NDRange &range = kernel.model->ndrange;
  const TranslationUnit &unit = *kernel.model->unit;
  options.context = kernel.model->context;
  options.wholeGroups = true;
  bool isKnown = false;
  for (unsigned dim = 0; dim < 3; ++dim)
    isKnown |= range.localSize[dim].has_value();
  if (isKnown) {
    options.localSize = std::array<unsigned, 3>{0, 0, 0};
    for (unsigned dim = 0; dim < 3; ++dim)
      (*options.localSize)[dim] =
          static_cast<unsigned>(range.localSize[dim].value_or(0));
  }
  model = kernel.model;
  // `group * 16 + local` is mostly what `global` is, too.
  forEachExpr(model->function->body, [&](const ExprRef &expr) {
    options.startsAtZero |= expr->kind == ExprKind::WorkItem &&
                            expr->query == WorkItemQuery::GroupId;
  });
  if (const StmtRef body = withLoopsOfOne(*model)) {
    joined = std::make_shared<Function>(*model->function);
    joined->body = body;
    ofJoined = buildModel(unit, *joined, options);
    model = ofJoined.get();
    if (isKnown)
      return;
  }
  if (!isKnown) {
    const auto likely = likelyLocalSize(*model);
    if (!likely)
      return;
    options.localSize = std::array<unsigned, 3>{0, 0, 0};
    for (unsigned dim = 0; dim < range.rank; ++dim)
      (*options.localSize)[dim] = static_cast<unsigned>((*likely)[dim]);
    options.assumesLocalSize = true;
  }
  options.ranges = model->ranges;
  sized = buildModel(unit, *model->function, options);
  options.ranges = nullptr; // of other expressions
  model = sized.get();
}

StepResult Forwarder::findValues() {
  forwarded.emplace(*model, *tree,
                    options.startsAtZero && model != kernel.model);
  for (const Access &access : model->accesses) {
    if (!isTarget(access.array))
      continue;
    const Statement &statement = model->statements[access.statement];
    if (!access.expr || access.isOrdered)
      return refuse("clopt-opaque-code",
                    "'" + model->arrays[access.array].name +
                        "' is used in a way that is not known",
                    "", access.range);
    if (access.isWrite) {
      const bool isPlain = statement.stmt && !statement.isCompound &&
                           statement.stmt->kind == StmtKind::Expr &&
                           statement.stmt->expr->kind == ExprKind::Assign &&
                           statement.stmt->expr->op == Op::None &&
                           isSideEffectFree(statement.stmt->expr->operands[1]);
      if (!isPlain)
        return refuse("clopt-opaque-code",
                      "'" + model->arrays[access.array].name +
                          "' is set by more than an assignment",
                      "", access.range);
      copies.insert(statement.stmt->expr.get());
      continue;
    }
    const ExprRef value = forwarded->valueOf(access);
    if (!value)
      return forwarded->problem;
    values[wholeCell(access.expr)] = value;
  }
  if (values.empty())
    return refuse("clopt-not-profitable", "nothing reads the arrays");
  const std::set<unsigned> written = writtenArrays(*model);
  for (unsigned array : forwarded->sources()) {
    const Array &source = model->arrays[array];
    if (!source.var || written.count(array))
      return refuse("clopt-dependence",
                    "'" + source.name + "' is written, too");
    sources.insert(source.var);
  }
  return std::nullopt;
}

/// Barriers leave when they order nothing but the copies.
StepResult Forwarder::checkBarriers() const {
  for (const Access &access : model->accesses)
    if (model->arrays[access.array].space == AddressSpace::Local &&
        !isTarget(access.array))
      return refuse("clopt-barrier",
                    "'" + model->arrays[access.array].name +
                        "' stays in local memory",
                    "forward it, too", access.range);
  auto isOther = [&](const Access &access) { return !isTarget(access.array); };
  const std::vector<GroupDependence> kept =
      groupDependences(*model, *tree, isOther);
  if (kept.empty())
    return std::nullopt;
  return refuse("clopt-barrier", "work-items of a group wait for each other: " +
                                     describe(*model, kept.front()));
}

//===-- The new body ------------------------------------------------------===//

static bool isBarrier(const Stmt &stmt) {
  return stmt.kind == StmtKind::Barrier ||
         (stmt.kind == StmtKind::Expr && stmt.expr &&
          stmt.expr->kind == ExprKind::Call &&
          stmt.expr->effect == CallEffect::Barrier);
}

static StmtRef makeNothing(const Stmt &instead) {
  auto nothing = std::make_shared<Stmt>();
  nothing->range = instead.range;
  return nothing;
}

/// True for what only names values, or not even that.
static bool isNothing(const StmtRef &stmt) {
  if (!stmt || stmt->kind == StmtKind::Null)
    return true;
  if (stmt->kind == StmtKind::Decl)
    return !stmt->expr || isSideEffectFree(stmt->expr);
  return (stmt->kind == StmtKind::Block || stmt->kind == StmtKind::Group) &&
         llvm::all_of(stmt->children, isNothing);
}

/// The loop counts a variable of its own, and nothing else is done.
static bool countsAlone(const Stmt &loop) {
  const Variable *own =
      loop.init && loop.init->kind == StmtKind::Decl ? loop.init->var : nullptr;
  const bool isStep = loop.inc && changesTarget(*loop.inc) &&
                      rootVariable(loop.inc->operands[0].get()) == own;
  return loop.kind == StmtKind::For && own && isStep && loop.expr &&
         isSideEffectFree(loop.expr) &&
         (!loop.init->expr || isSideEffectFree(loop.init->expr)) &&
         (loop.inc->operands.size() < 2 ||
          isSideEffectFree(loop.inc->operands[1]));
}

/// The statement without copies, barriers, and what is left of nothing else.
StmtRef Forwarder::without(const StmtRef &stmt) const {
  if (!stmt)
    return stmt;
  if (isBarrier(*stmt) ||
      (stmt->kind == StmtKind::Expr && copies.count(stmt->expr.get())))
    return makeNothing(*stmt);
  auto result = std::make_shared<Stmt>(*stmt);
  result->children.clear();
  bool isLess = false;
  for (const StmtRef &child : stmt->children) {
    const StmtRef rest = without(child);
    const bool isGone = isNothing(rest) && !isNothing(child);
    isLess |= isGone;
    if (!isGone)
      result->children.push_back(rest);
  }
  result->body = without(stmt->body);
  result->elseBody = without(stmt->elseBody);
  if (isNothing(result->elseBody))
    result->elseBody = nullptr;
  isLess |= isNothing(result->body) && !isNothing(stmt->body);
  const bool isIf = stmt->kind == StmtKind::If && !result->elseBody &&
                    isSideEffectFree(stmt->expr);
  const bool isBlock = stmt->kind == StmtKind::Block && isNothing(result);
  if (isLess &&
      (isBlock || (isNothing(result->body) && (isIf || countsAlone(*stmt)))))
    return makeNothing(*stmt);
  if (!result->body && stmt->body)
    result->body = makeNothing(*stmt->body);
  return result;
}

//===-- Conditions --------------------------------------------------------===//

/// The comparisons that choose between what was copied and what pads it, those
/// of iterators first; none where they are not affine, or too many.
std::vector<ExprRef> Forwarder::conditionsIn(const ExprRef &expr) const {
  std::vector<std::pair<Polynomial, ExprRef>> found;
  bool areAffine = true;
  forEachExpr(expr, [&](const ExprRef &inner) {
    if (inner->kind != ExprKind::Conditional)
      return;
    std::vector<ExprRef> all;
    addConjuncts(inner->operands[0], all);
    for (const ExprRef &one : all) {
      const std::optional<Polynomial> asked = forwarded->askedBy(*one);
      areAffine &= asked.has_value();
      if (asked && llvm::none_of(found, [&](const auto &other) {
            return other.first == *asked;
          }))
        found.push_back({*asked, one});
    }
  });
  std::vector<ExprRef> result;
  if (!areAffine || found.size() > mostConditions)
    return result;
  auto isOfLoops = [&](const auto &one) {
    return llvm::any_of(one.first.symbols(), [&](SymbolId id) {
      return id < model->symbols.size() &&
             model->symbols[id].kind == SymbolKind::Iterator;
    });
  };
  std::stable_partition(found.begin(), found.end(), isOfLoops);
  for (const auto &[asked, comparison] : found)
    result.push_back(comparison);
  return result;
}

/// The expression where the comparison holds, or does not.
ExprRef Forwarder::where(const ExprRef &expr, const Polynomial &asked,
                         bool holds) const {
  return withReplaced(expr, [&](const ExprRef &inner) -> ExprRef {
    if (inner->kind != ExprKind::Conditional)
      return nullptr;
    std::vector<ExprRef> all;
    addConjuncts(inner->operands[0], all);
    ExprRef rest;
    bool isAsked = false;
    for (const ExprRef &one : all) {
      const bool isIt = forwarded->askedBy(*one) == asked;
      isAsked |= isIt;
      if (!isIt)
        rest = rest ? makeBinary(Op::LAnd, inner->operands[0]->type, rest, one)
                    : one;
    }
    // Without the choice C would convert them in another way.
    if (isAsked && !holds)
      return withConversions(where(inner->operands[2], asked, holds));
    const ExprRef first = where(inner->operands[1], asked, holds);
    if (!rest)
      return withConversions(first);
    return makeConditional(inner->type, isAsked ? rest : inner->operands[0],
                           first, where(inner->operands[2], asked, holds));
  });
}

static StmtRef makeIf(const ExprRef &condition, const StmtRef &first,
                      const StmtRef &second) {
  auto result = std::make_shared<Stmt>();
  result->kind = StmtKind::If;
  result->range = first->range;
  result->expr = copyOf(condition);
  result->body = first;
  result->elseBody = second;
  return result;
}

/// The statement once for all that hold, and once for each that does not.
StmtRef Forwarder::split(const Stmt &stmt, const ExprRef &expr,
                         std::vector<ExprRef> conditions) const {
  auto with = [&](const ExprRef &own) {
    auto copy = std::make_shared<Stmt>(stmt);
    copy->expr = copyOf(own);
    return copy;
  };
  if (conditions.empty())
    return with(expr);
  const ExprRef condition = conditions.front();
  const Polynomial asked = *forwarded->askedBy(*condition);
  conditions.erase(conditions.begin());
  return makeIf(condition,
                split(stmt, where(expr, asked, true), std::move(conditions)),
                with(where(expr, asked, false)));
}

/// The statement with what was copied in the place of local memory.
StmtRef Forwarder::withValues(const StmtRef &stmt) const {
  if (!stmt)
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  for (StmtRef &child : result->children)
    child = withValues(child);
  for (StmtRef *part : {&result->init, &result->body, &result->elseBody})
    *part = withValues(*part);
  auto place = [&](const ExprRef &expr) {
    auto value = values.find(expr.get());
    return value == values.end() ? nullptr : value->second;
  };
  for (ExprRef *part : {&result->expr, &result->inc})
    *part = withReplaced(*part, place);
  if (stmt->kind != StmtKind::Expr || result->expr == stmt->expr)
    return result;
  return split(*result, result->expr, conditionsIn(result->expr));
}

/// The statement without declarations that nothing mentions.
static StmtRef withoutUnused(const StmtRef &stmt,
                             const std::set<const Variable *> &mentioned) {
  if (!stmt)
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  result->children.clear();
  for (const StmtRef &child : stmt->children) {
    const bool isUnused = child->kind == StmtKind::Decl && child->var &&
                          child->var->space == AddressSpace::Private &&
                          !mentioned.count(child->var) && isNothing(child);
    if (!isUnused)
      result->children.push_back(withoutUnused(child, mentioned));
  }
  result->body = withoutUnused(stmt->body, mentioned);
  result->elseBody = withoutUnused(stmt->elseBody, mentioned);
  return result;
}

/// The same, until nothing more is unused: `row` of `row * n`, too.
static StmtRef withoutUnused(StmtRef body) {
  for (size_t before = 0;;) {
    std::set<const Variable *> mentioned;
    forEachExpr(body, [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::VarRef)
        mentioned.insert(expr->var);
    });
    if (mentioned.size() == before)
      return body;
    before = mentioned.size();
    body = withoutUnused(body, mentioned);
  }
}

/// True for a variable of the work-item that is a number or a vector.
static bool isPlainPrivate(const Variable *variable) {
  return variable && variable->space == AddressSpace::Private &&
         !variable->isParam && !variable->isFileScope &&
         !variable->addressTaken &&
         (variable->type.isScalar() || variable->type.isVector());
}

/// Assignments to variables that nothing reads: what is left of values on their
/// way to local memory.
static std::set<const Expr *> deadAssignments(const StmtRef &body) {
  std::map<const Variable *, std::set<const Expr *>> targets; // their names
  std::map<const Variable *, std::set<const Expr *>> found;
  forEachStmt(body, [&](const StmtRef &ref) {
    const Stmt &stmt = *ref;
    const bool isPlain = stmt.kind == StmtKind::Expr && stmt.expr &&
                         stmt.expr->kind == ExprKind::Assign &&
                         stmt.expr->op == Op::None &&
                         stmt.expr->operands[0]->kind == ExprKind::VarRef &&
                         isPlainPrivate(stmt.expr->operands[0]->var) &&
                         isSideEffectFree(stmt.expr->operands[1]);
    if (!isPlain)
      return;
    const Variable *variable = stmt.expr->operands[0]->var;
    targets[variable].insert(stmt.expr->operands[0].get());
    found[variable].insert(stmt.expr.get());
  });
  forEachExpr(body, [&](const ExprRef &expr) {
    const auto known = expr->kind == ExprKind::VarRef ? targets.find(expr->var)
                                                      : targets.end();
    if (known != targets.end() && !known->second.count(expr.get()))
      found.erase(expr->var);
  });
  std::set<const Expr *> result;
  for (const auto &[variable, assignments] : found)
    result.insert(assignments.begin(), assignments.end());
  return result;
}

StepResult Forwarder::makeBody() {
  const Function &own = *kernel.model->function;
  function = std::make_shared<Function>(own);
  function->written = own.asWritten();
  function->body = withoutUnused(withValues(without(own.body)));
  // Those in the heads of loops stay.
  for (size_t before = 0;; before = copies.size()) {
    copies = deadAssignments(function->body);
    if (copies.empty() || copies.size() == before)
      break;
    function->body = withoutUnused(without(function->body));
  }
  const Variable *left = nullptr;
  forEachExpr(function->body, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::VarRef && targets.count(expr->var))
      left = expr->var;
  });
  if (left)
    return refuse("clopt-opaque-code",
                  "'" + left->name +
                      "' is used in a form that the model does "
                      "not have");
  return std::nullopt;
}

//===-- The new kernel ----------------------------------------------------===//

/// Work-items that had to copy for others, and store nothing, do nothing.
static void dropIdleWorkItems(KernelModel &model) {
  isl::set busy; // { [w...] }
  for (const Statement &statement : model.statements) {
    unsigned items = 0;
    for (SymbolId id : statement.coordinates)
      items += model.symbols[id].kind != SymbolKind::Iterator;
    auto add = [&](const isl::set &instances) {
      isl_set *own = isl_set_reset_tuple_id(isl_set_project_out(
          instances.copy(), isl_dim_set, items,
          static_cast<unsigned>(statement.coordinates.size()) - items));
      busy = busy.is_null() ? isl::manage(own) : busy.unite(isl::manage(own));
    };
    if (statement.isOpaque)
      add(statement.domain);
    for (unsigned id : statement.accesses)
      if (const Access &access = model.accesses[id];
          access.isWrite &&
          model.arrays[access.array].space != AddressSpace::Private)
        add(instancesOf(model, access));
  }
  if (busy.is_null())
    return;
  busy = isl::manage(isl_set_coalesce(busy.release()));
  for (Statement &statement : model.statements) {
    statement.domain = restrictTo(statement.domain, busy);
    for (unsigned id : statement.accesses)
      model.accesses[id].relation =
          model.accesses[id].relation.intersect_domain(statement.domain);
  }
}

/// The parameter of the other model, which is made one if it is none.
static std::optional<SymbolId> sameParameter(const Symbol &symbol,
                                             KernelModel &in) {
  const std::optional<SymbolId> known =
      symbol.kind == SymbolKind::Param
          ? in.symbols.findVariable(symbol.var)
          : in.symbols.find(symbol.kind, symbol.dim);
  if (known)
    return in.symbols.name(*known) == symbol.name ? known : std::nullopt;
  const bool isOfLaunch = symbol.kind == SymbolKind::GlobalSize ||
                          symbol.kind == SymbolKind::GlobalOffset ||
                          symbol.kind == SymbolKind::LocalSize ||
                          symbol.kind == SymbolKind::NumGroups;
  if (!isOfLaunch)
    return std::nullopt;
  const SymbolId id = in.symbols.add(symbol);
  return in.symbols.name(id) == symbol.name ? std::optional(id) : std::nullopt;
}

/// What the flow takes for granted: of ids, of what does not wrap, and of the
/// rows of local arrays. False where it cannot be asked of the new model.
bool Forwarder::takeAssumptions(KernelModel &made) const {
  // { : ... } what holds, or is asked for already
  isl::set known = model->paramContext.intersect(made.paramContext);
  for (const Assumption &asked : made.assumptions)
    if (asked.kind != Assumption::Kind::Subscript)
      known = known.intersect(asked.condition);
  for (unsigned dim = 0; dim < model->ndrange.rank; ++dim) {
    const auto size = model->symbols.find(SymbolKind::GlobalSize, dim);
    const int at =
        size ? isl_set_find_dim_by_name(known.get(), isl_dim_param,
                                        model->symbols.name(*size).c_str())
             : -1;
    // There is a group, and it is whole.
    if (at >= 0 && model->ndrange.localSize[dim])
      known = isl::manage(isl_set_lower_bound_si(
          known.release(), isl_dim_param, static_cast<unsigned>(at),
          static_cast<int>(*model->ndrange.localSize[dim])));
  }
  for (const Assumption &own : model->assumptions) {
    const bool isOfOthers = own.kind == Assumption::Kind::Subscript &&
                            own.array >= 0 &&
                            !isTarget(static_cast<unsigned>(own.array));
    const bool isKnown = own.bounds.empty() && known.is_subset(own.condition);
    const bool isAsked =
        llvm::any_of(made.assumptions, [&](const Assumption &other) {
          return other.kind != Assumption::Kind::Subscript &&
                 other.text == own.text &&
                 other.bounds.size() == own.bounds.size();
        });
    if (isOfOthers || isKnown || isAsked)
      continue;
    Assumption copy = own;
    copy.kind = Assumption::Kind::Range;
    copy.array = -1;
    for (const Symbol &symbol : model->symbols.all()) {
      const int at =
          isParameter(symbol)
              ? isl_set_find_dim_by_name(own.condition.get(), isl_dim_param,
                                         symbol.name.c_str())
              : -1;
      if (at >= 0 &&
          isl_set_involves_dims(own.condition.get(), isl_dim_param,
                                static_cast<unsigned>(at),
                                1) == isl_bool_true &&
          !sameParameter(symbol, made))
        return false;
    }
    for (ProductBound &bound : copy.bounds) {
      Polynomial poly;
      for (const auto &[monomial, factor] : bound.poly.terms) {
        Polynomial term(factor);
        for (SymbolId id : monomial) {
          const auto other = sameParameter(model->symbols[id], made);
          if (!other)
            return false;
          term = term * Polynomial::symbol(*other);
        }
        poly = poly + term;
      }
      bound.poly = poly;
    }
    made.assumptions.push_back(std::move(copy));
  }
  return true;
}

std::shared_ptr<KernelModel>
Forwarder::modelOf(const std::shared_ptr<Function> &of) const {
  std::shared_ptr<KernelModel> made = buildModel(*model->unit, *of, options);
  made->ownFunction = of;
  return made;
}

StepResult Forwarder::makeKernel(TransformedKernel &result) const {
  std::shared_ptr<KernelModel> made = modelOf(function);
  if (const std::shared_ptr<Function> whole = withLoopsJoined(*made)) {
    const std::shared_ptr<KernelModel> other = modelOf(whole);
    other->earlierWork += made->earlierWork;
    if (!other->isUntouchable)
      made = other;
  }
  if (ofJoined)
    made->earlierWork += ofJoined->earlierWork;
  dropIdleWorkItems(*made);
  if (made->isUntouchable || made->hasBarrier || made->usesLocalMemory) {
    if (!made->notes.empty())
      return refuse(made->notes.front().ruleId, made->notes.front().message,
                    made->notes.front().hint, made->notes.front().range);
    return refuse("clopt-opaque-code", "the new body has no model");
  }
  if (!takeAssumptions(*made))
    return refuse(
        "clopt-non-affine-subscript",
        "what the local arrays' subscripts need cannot be asked where "
        "the new body begins");
  std::optional<TransformedKernel> fresh = startAgain(kernel, made);
  if (!fresh)
    return refuse("clopt-opaque-code", "the new body has no order of its own");
  // What the guard asks for.
  for (unsigned i = 0; i < made->assumptions.size(); ++i)
    if (made->assumptions[i].kind != Assumption::Kind::Subscript)
      fresh->usedAssumptions.insert(i);
  // A buffer that is written behind the copy would be read too late.
  for (unsigned written : writtenArrays(*made))
    for (unsigned array = 0; array < made->arrays.size(); ++array)
      if (sources.count(made->arrays[array].var))
        if (StepResult refusal = requireDisjoint(*fresh, written, array, alias))
          return refusal;
  result = std::move(*fresh);
  return std::nullopt;
}

StepResult Forwarder::run(TransformedKernel &result) {
  if (StepResult refusal = checkKernel())
    return refusal;
  chooseModel();
  tree = readSchedule(*model);
  if (!tree || model->isUntouchable)
    return refuse("clopt-opaque-code", "the kernel has no model");
  if (StepResult refusal = findValues())
    return refusal;
  if (StepResult refusal = checkBarriers())
    return refusal;
  if (StepResult refusal = makeBody())
    return refusal;
  return makeKernel(result);
}

StepResult forward(TransformedKernel &kernel, const std::set<unsigned> &arrays,
                   AliasMode alias) {
  std::set<const Variable *> targets;
  for (unsigned array : arrays) {
    const Array &info = kernel.model->arrays[array];
    if (info.space != AddressSpace::Local || !info.var)
      return refuse("clopt-not-profitable",
                    "'" + info.name + "' is not in local memory");
    targets.insert(info.var);
  }
  TransformedKernel result;
  if (StepResult refusal =
          Forwarder(kernel, std::move(targets), alias).run(result))
    return refusal;
  kernel = std::move(result);
  return std::nullopt;
}

} // namespace clopt
