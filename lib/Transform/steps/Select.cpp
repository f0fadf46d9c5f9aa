//===- Select.cpp - branches on indices resolved away from borders --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `select src` writes the fast version of the kernel for those tiles in
// which every choice that the subscripts of `src` depend on goes one way:
//
//   xx = x + i < 0 ? 0 : x + i;       becomes, where x0 >= 1,    src[x + i]
//
// so that accesses beside clamped, wrapped or reflected ones are affine and
// contiguous. The general version keeps the author's text for the other tiles.
// Which branch: the one that many work-items take rather than a row of them;
// then the one that moves with the ids; then the shorter one; then that of a
// launch whose size is that of all arguments. Which tiles:
// Emit/lower/TileDomains, exactly.
//
// Legal because nothing is reordered: under the condition of the fast version
// the atom has the value of its branch. Refused when no choice is affine, or
// none goes one way for all iterations of some work-item.
//
// Reference: H. Jia et al., cross-platform optimization of Laplace image
// enhancement, section 4.2.3.
//
// Tested by test/unit/SelectTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/Selections.h"
#include "Analysis/dependence/TimeStamps.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

namespace clopt {

namespace {

class Selector {
public:
  explicit Selector(TransformedKernel &transformed)
      : kernel(transformed), model(*transformed.model) {}
  /// True when some atom of the statements is resolved.
  bool resolveIn(const std::set<unsigned> &statements,
                 const std::set<SymbolId> &wanted);
  bool isAffine = false; ///< some atom has an affine condition

private:
  struct Candidate {
    isl::set workItems; ///< { [w...] } that take the branch in all iterations
    bool moves = false;
    size_t terms = 0;
    bool isUsual = false; ///< taken where all sizes are the same
  };
  std::set<SymbolId> pending(const std::set<unsigned> &statements,
                             const std::set<SymbolId> &wanted) const;
  bool choose(SymbolId atom);
  std::optional<Candidate> candidate(SymbolId atom, bool branch) const;
  static bool isBetter(const Candidate &one, const Candidate &other);
  isl::set workOf(const Statement &statement, isl::set instances) const;

  TransformedKernel &kernel;
  const KernelModel &model;
  std::optional<isl::set> agreed; ///< { [w...] } under the choices so far
};

} // namespace

/// { [w...] } work-items that have some of the instances.
isl::set Selector::workOf(const Statement &statement,
                          isl::set instances) const {
  unsigned total = statement.coordinates.size();
  unsigned work = workDimensions(model, statement);
  isl_set *set =
      isl_set_project_out(instances.release(), isl_dim_set, work, total - work);
  set = isl_set_reset_tuple_id(set);
  set = isl_set_intersect_params(set, model.paramContext.copy());
  return isl::manage(set);
}

/// Bits of the distance between two elements, over all dimensions: sets
/// that are a line or a point whatever the parameters have few. What is larger
/// than any border counts alike, because sizes are not known.
static unsigned bitsOfExtent(const isl::set &set) {
  static constexpr unsigned most = 20;
  unsigned bits = 0;
  int dims = isl_set_dim(set.get(), isl_dim_set);
  int params = isl_set_dim(set.get(), isl_dim_param);
  for (int d = 0; d < dims; ++d) {
    // { [w_d, w_d', parameters] }
    isl_set *own = isl_set_project_out(set.copy(), isl_dim_set, 0, d);
    own = isl_set_project_out(own, isl_dim_set, 1, dims - d - 1);
    isl_set *pairs = isl_set_flat_product(isl_set_copy(own), isl_set_copy(own));
    isl_set_free(own);
    pairs = isl_set_move_dims(pairs, isl_dim_set, 2, isl_dim_param, 0, params);
    isl_aff *distance = isl_aff_zero_on_domain(
        isl_local_space_from_space(isl_set_get_space(pairs)));
    distance = isl_aff_set_coefficient_si(distance, isl_dim_in, 0, 1);
    distance = isl_aff_set_coefficient_si(distance, isl_dim_in, 1, -1);
    isl::val extent = isl::manage(isl_set_max_val(pairs, distance));
    isl_set_free(pairs);
    isl_aff_free(distance);
    bool isFinite = isl_val_is_int(extent.get()) == isl_bool_true;
    unsigned found = isFinite ? 0 : most;
    for (int64_t left = isFinite ? isl_val_get_num_si(extent.get()) : 0;
         left > 0 && found < most; left >>= 1)
      ++found;
    bits += found;
  }
  return bits;
}

/// The elements where arguments and global sizes have one large value.
static isl::set atEqualSizes(const KernelModel &model, const isl::set &set) {
  static constexpr int size = 1 << 20;
  isl_set *result = set.copy();
  for (const Symbol &symbol : model.symbols.all()) {
    int position =
        isl_set_find_dim_by_name(result, isl_dim_param, symbol.name.c_str());
    if (position < 0 || symbol.kind == SymbolKind::Product)
      continue;
    bool isSize = symbol.kind == SymbolKind::Param ||
                  symbol.kind == SymbolKind::GlobalSize;
    result = isl_set_fix_si(result, isl_dim_param,
                            static_cast<unsigned>(position), isSize ? size : 0);
  }
  return isl::manage(result);
}

std::optional<Selector::Candidate> Selector::candidate(SymbolId atom,
                                                       bool branch) const {
  std::optional<isl::set> all, against;
  Selections known = kernel.selections;
  known[atom] = branch;
  for (const Statement &statement : model.statements) {
    if (!selectsOf(model, statement, known).count(atom))
      continue;
    std::optional<isl::set> other =
        instancesAgainst(model, statement, atom, branch);
    if (!other)
      return std::nullopt;
    isl::set own = workOf(statement, statement.domain);
    isl::set wrong = workOf(statement, *other);
    all = all ? all->unite(own) : own;
    against = against ? against->unite(wrong) : wrong;
  }
  if (!all)
    return std::nullopt;
  Candidate result;
  result.workItems = all->subtract(*against);
  if (agreed)
    result.workItems = result.workItems.intersect(*agreed);
  result.workItems = result.workItems.coalesce();
  const Symbol &symbol = model.symbols[atom];
  const Polynomial &value = branch ? symbol.first : symbol.second;
  result.terms = value.terms.size();
  for (SymbolId id = 0; id < model.symbols.size(); ++id)
    result.moves |= model.symbols[id].kind == SymbolKind::GlobalId &&
                    dependsOn(model, value, id);
  if (result.workItems.is_empty())
    return result;
  result.isUsual = !atEqualSizes(model, result.workItems).is_empty();
  return result;
}

bool Selector::isBetter(const Candidate &one, const Candidate &other) {
  unsigned own = bitsOfExtent(one.workItems);
  unsigned theirs = bitsOfExtent(other.workItems);
  if (own != theirs)
    return own > theirs;
  if (one.moves != other.moves)
    return one.moves;
  if (one.moves && one.terms != other.terms)
    return one.terms < other.terms;
  return one.isUsual || !other.isUsual;
}

/// Takes the branch of most work-items, if there is one.
bool Selector::choose(SymbolId atom) {
  std::optional<Candidate> first = candidate(atom, true);
  std::optional<Candidate> second = candidate(atom, false);
  if (!first || !second)
    return false;
  isAffine = true;
  bool noFirst = first->workItems.is_empty();
  bool noSecond = second->workItems.is_empty();
  if (noFirst && noSecond)
    return false;
  bool branch = noSecond;
  if (!noFirst && !noSecond)
    branch = isBetter(*first, *second);
  kernel.selections[atom] = branch;
  agreed = (branch ? first : second)->workItems;
  return true;
}

/// Atoms of the statements that are not resolved yet.
std::set<SymbolId> Selector::pending(const std::set<unsigned> &statements,
                                     const std::set<SymbolId> &wanted) const {
  std::set<SymbolId> result;
  for (unsigned index : statements)
    for (SymbolId atom :
         selectsOf(model, model.statements[index], kernel.selections))
      if (!kernel.selections.count(atom))
        result.insert(atom);
  if (wanted.empty())
    return result;
  std::set<SymbolId> below;
  for (SymbolId atom : wanted)
    for (SymbolId inner :
         selectsIn(model, Polynomial::symbol(atom), kernel.selections))
      if (result.count(inner))
        below.insert(inner);
  return below;
}

bool Selector::resolveIn(const std::set<unsigned> &statements,
                         const std::set<SymbolId> &wanted) {
  bool any = false;
  std::set<SymbolId> tried;
  // Later atoms are made of earlier ones: from the outside in, because a branch
  // that is not taken needs no choices within.
  for (bool changed = true; changed;) {
    changed = false;
    std::set<SymbolId> open = pending(statements, wanted);
    for (auto it = open.rbegin(); it != open.rend() && !changed; ++it) {
      if (!tried.insert(*it).second)
        continue;
      changed = true;
      any |= choose(*it);
    }
  }
  return any;
}

//===-- The step
//----------------------------------------------------------===//

/// Statements that access the array.
static std::set<unsigned> statementsWith(const KernelModel &model,
                                         unsigned array) {
  std::set<unsigned> result;
  for (const Access &access : model.accesses)
    if (access.array == array)
      result.insert(access.statement);
  return result;
}

/// Atoms in the values that reads of the variable have.
static std::set<SymbolId> atomsOf(const KernelModel &model,
                                  const std::string &variable) {
  std::set<SymbolId> atoms;
  for (const auto &[expr, value] : model.values) {
    bool isRead = expr->kind == ExprKind::VarRef && expr->var &&
                  expr->var->name == variable;
    if (isRead)
      atoms.merge(selectsIn(model, value, {}));
  }
  return atoms;
}

StepResult selectBranches(TransformedKernel &kernel,
                          const std::string &target) {
  const KernelModel &model = *kernel.model;
  if (StepResult refusal = mergeableWorkItems(kernel, 0))
    return refusal;
  std::set<unsigned> statements;
  std::set<SymbolId> atoms;
  std::optional<unsigned> array = model.findArray(target);
  bool isBuffer = array && model.arrays[*array].space != AddressSpace::Private;
  if (isBuffer) {
    statements = statementsWith(model, *array);
    for (unsigned index : statements)
      atoms.merge(selectsOf(model, model.statements[index], {}));
  } else {
    atoms = atomsOf(model, target);
    for (unsigned index = 0; index < model.statements.size(); ++index)
      statements.insert(index);
  }
  SourceRange range = array && model.arrays[*array].var
                          ? model.arrays[*array].var->range
                          : model.function->range;
  if (atoms.empty())
    return refuse("clopt-not-profitable",
                  "no subscript or value of '" + target +
                      "' depends on a choice that could be analysed",
                  "conditions on ids, loop variables and integer arguments "
                  "can be analysed",
                  range);
  TransformedKernel trial = kernel;
  Selector selector(trial);
  if (!selector.resolveIn(statements, atoms))
    return refuse(
        selector.isAffine ? "clopt-lane-control" : "clopt-non-affine-control",
        selector.isAffine ? "no work-item makes the choices of '" + target +
                                "' alike in all its iterations"
                          : "the choices of '" + target +
                                "' depend on more than ids and arguments",
        "", range);
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
