//===- RelayoutPadding.cpp - sums over rows that end in zeros -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop
//
//   for (int k = 0; k < n; ++k)
//     sum += a[i * n + k] * b[k * n + j];
//
// runs to the next multiple of `pad` when the copies that it reads have zeros
// there:
//
//   for (int k = 0; k < 4 * k_turns; ++k)
//     sum += a_t[i * a_t_pitch + k] * b_t[j * b_t_pitch + k];
//
// so that vectors of 4 leave no rest. Conditions: every work-item runs the loop
// as often; its last iteration reads the last cells of the rows, so that only
// zeros follow; everything else that it accesses stays where it is; and an
// iteration over zeros leaves the sums as they are
// (Analysis/dependence/ZeroSums.h), for which the zeros of some copies may have
// to be -0.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/RelayoutImpl.h"

#include "Analysis/access/Selections.h"
#include "Analysis/dependence/ZeroSums.h"
#include "Emit/lower/TileDomains.h"
#include "Support/DimCount.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

/// Loops run at most this often.
static constexpr int64_t largestTrip = 1 << 30;
/// Copies whose zeros' signs are tried out.
static constexpr unsigned maxSigns = 6;

std::optional<unsigned> LayoutWriter::paddedCopyOf(const Access &access) const {
  auto found = copyOf.find(access.id);
  if (found == copyOf.end() || copies[found->second].pad == 0 || access.isWrite)
    return std::nullopt;
  return found->second;
}

//===-- Loops that run as often in every work-item ------------------------===//

static isl_set *instancesOf(const KernelModel &model,
                            const Statement &statement) {
  return statement.domain.intersect_params(model.paramContext).release();
}

/// Where the loop's iterator is among the coordinates.
static int positionOf(const Statement &statement, SymbolId iterator) {
  auto at = std::find(statement.coordinates.begin(),
                      statement.coordinates.end(), iterator);
  return static_cast<int>(at - statement.coordinates.begin());
}

/// Instances after (or before) which the loop ends (or begins).
static isl_set *outermost(const KernelModel &model, const Statement &statement,
                          SymbolId iterator, bool isLast) {
  isl_set *all = instancesOf(model, statement);
  isl_space *space = isl_space_map_from_set(isl_set_get_space(all));
  isl_multi_aff *shift = isl_multi_aff_identity(space);
  const int at = positionOf(statement, iterator);
  isl_aff *moved = isl_multi_aff_get_aff(shift, at);
  moved = isl_aff_add_constant_si(moved, isLast ? 1 : -1);
  shift = isl_multi_aff_set_aff(shift, at, moved);
  isl_set *others = isl_set_preimage_multi_aff(isl_set_copy(all), shift);
  return isl_set_subtract(all, others);
}

/// { [value] } of one coordinate.
static isl_set *valuesOf(isl_set *set, int position) {
  set = isl_set_reset_tuple_id(set);
  unsigned rank = dimCount(isl_set_dim(set, isl_dim_set));
  unsigned at = static_cast<unsigned>(position);
  set = isl_set_project_out(set, isl_dim_set, at + 1, rank - at - 1);
  return isl_set_project_out(set, isl_dim_set, 0, at);
}

/// False where the text stands for several loops: it is part of another that is
/// written out.
static bool isOnce(const Function &function, const Stmt &loop) {
  unsigned count = 0;
  forEachStmt(function.body, [&](const StmtRef &stmt) {
    count += stmt->range.begin == loop.range.begin &&
             stmt->range.end == loop.range.end;
  });
  return count == 1;
}

static bool hasOneMore(const Function &function, const Loop &loop) {
  const Stmt &stmt = *loop.stmt;
  if (!isOnce(function, stmt))
    return false;
  const bool isOwn = stmt.kind == StmtKind::For && stmt.init &&
                     stmt.init->kind == StmtKind::Decl &&
                     stmt.init->var == loop.var;
  std::optional<int64_t> first = loop.first.asConstant();
  return isOwn && stmt.expr && stmt.expr->range.isEditable() &&
         loop.step == 1 && loop.var->type.size >= 4 && first && *first >= 0 &&
         *first < largestTrip;
}

/// True when all work-items that run the loop run it over the same values.
bool LayoutWriter::mayRunFurther(unsigned loop, isl::set &values) {
  const Loop &info = model.loops[loop];
  if (!hasOneMore(*model.function, info))
    return false;
  isl_set *all = nullptr;
  std::vector<isl::set> ends[2];
  for (const Statement &statement : model.statements) {
    if (std::find(statement.loops.begin(), statement.loops.end(), loop) ==
        statement.loops.end())
      continue;
    if (statement.loops.back() != loop || statement.isCompound ||
        statement.isOpaque || statement.isBarrier) {
      isl_set_free(all);
      return false;
    }
    const int at = positionOf(statement, info.iterator);
    isl_set *own = valuesOf(instancesOf(model, statement), at);
    all = all ? isl_set_union(all, own) : own;
    for (bool isLast : {false, true})
      ends[isLast].push_back(isl::manage(
          valuesOf(outermost(model, statement, info.iterator, isLast), at)));
  }
  if (!all)
    return false;
  isl::set least = isl::manage(isl_set_lexmin(isl_set_copy(all)));
  isl::set greatest = isl::manage(isl_set_lexmax(isl_set_copy(all)));
  values = isl::manage(all);
  auto isAt = [](const isl::set &end) {
    return [&end](const isl::set &own) { return own.is_subset(end); };
  };
  return std::all_of(ends[0].begin(), ends[0].end(), isAt(least)) &&
         std::all_of(ends[1].begin(), ends[1].end(), isAt(greatest));
}

//===-- What follows the last iteration -----------------------------------===//

/// The access moves along the rows of the copy, cell by cell, and its last
/// iteration reads the last cell.
bool LayoutWriter::isLastOfRow(const Copy &copy, const Access &access,
                               unsigned loop) const {
  const SymbolId iterator = model.loops[loop].iterator;
  if (!isAlwaysMade(model, access, {}))
    return false;
  SymbolTable own = symbols;
  auto subscripts = copy.space->apply(access.subscripts, own);
  if (!subscripts)
    return false;
  subscripts->back() = subscripts->back() - Polynomial::symbol(iterator);
  for (const Polynomial &subscript : *subscripts) {
    for (SymbolId id : subscript.symbols())
      if (id >= model.symbols.size())
        return false;
    if (dependsOn(model, subscript, iterator))
      return false;
  }
  isl_set *cells = nullptr;
  for (unsigned id : copy.accesses) {
    const Access &other = model.accesses[id];
    isl_set *one = isl_map_range(isl_map_intersect_domain(
        other.relation.copy(),
        instancesOf(model, model.statements[other.statement])));
    cells = cells ? isl_set_union(cells, one) : one;
  }
  isl_set *last = isl_map_range(isl_map_intersect_domain(
      access.relation.copy(),
      outermost(model, model.statements[access.statement], iterator, true)));
  auto columns = [&](isl_set *set) {
    isl::set image = imageOf(copy, isl::manage(set));
    const int rank = static_cast<int>(isl_set_dim(image.get(), isl_dim_set));
    return isl::manage(valuesOf(image.release(), rank - 1));
  };
  isl::set ends = isl::manage(isl_set_lexmax(columns(cells).release()));
  return columns(last).is_subset(ends);
}

bool LayoutWriter::runsOverTheZeros(unsigned loop, const isl::set &values) {
  if (values.is_empty())
    return false;
  bool any = false;
  for (const Access &access : model.accesses) {
    const std::vector<unsigned> &around =
        model.statements[access.statement].loops;
    if (std::find(around.begin(), around.end(), loop) == around.end() ||
        model.arrays[access.array].isPrivateScalar())
      continue;
    if (std::optional<unsigned> copy = paddedCopyOf(access)) {
      if (!isLastOfRow(copies[*copy], access, loop))
        return false;
      any = true;
    } else if (!access.isExact || !access.offset ||
               dependsOn(model, *access.offset, model.loops[loop].iterator)) {
      return false;
    }
  }
  return any;
}

/// Nothing when an iteration over zeros adds nothing, with the signs that the
/// copies' zeros have now; else why not.
std::optional<std::string> LayoutWriter::addsZeros(unsigned loop,
                                                   bool onlyMinus) {
  ZeroCells isZero = [&](const Expr &expr) -> std::optional<bool> {
    auto read = model.reads.find(&expr);
    if (read == model.reads.end())
      return std::nullopt;
    std::optional<unsigned> copy = paddedCopyOf(model.accesses[read->second]);
    return copy ? std::optional(copies[*copy].isMinus) : std::nullopt;
  };
  auto problem = checkZeroIteration(model, model.loops[loop].stmt->body, isZero,
                                    onlyMinus);
  if (!problem)
    return std::nullopt;
  fail(problem->ruleId, problem->message);
  return problem->message;
}

//===-- All loops ---------------------------------------------------------===//

/// The loops that may run to the next multiple, with the signs of zeros with
/// which most do. The error is the first loop's that may not.
std::vector<PaddedLoop> LayoutWriter::sumsToPad(int64_t width) {
  std::vector<PaddedLoop> candidates, best;
  for (unsigned loop = 0; loop < model.loops.size() && width > 1; ++loop) {
    PaddedLoop padded{loop, model.paramContext};
    if (mayRunFurther(loop, padded.values) &&
        runsOverTheZeros(loop, padded.values))
      candidates.push_back(std::move(padded));
  }
  std::vector<unsigned> signedCopies;
  for (unsigned at = 0; at < copies.size(); ++at)
    if (copies[at].pad && signedCopies.size() < maxSigns &&
        model.arrays[copies[at].array].elementType.isFloating())
      signedCopies.push_back(at);
  unsigned bestSigns = 0;
  auto setSigns = [&](unsigned signs) {
    for (unsigned bit = 0; bit < signedCopies.size(); ++bit)
      copies[signedCopies[bit]].isMinus = signs >> bit & 1;
  };
  // -0 that is added needs no knowledge of the sums.
  for (bool onlyMinus : {true, false})
    for (unsigned signs = 0; signs < 1u << signedCopies.size(); ++signs) {
      setSigns(signs);
      std::vector<PaddedLoop> fine;
      for (const PaddedLoop &candidate : candidates)
        if (!addsZeros(candidate.loop, onlyMinus))
          fine.push_back(candidate);
      if (fine.size() > best.size()) {
        best = std::move(fine);
        bestSigns = signs;
      }
    }
  setSigns(bestSigns);
  return best;
}

/// The loop runs to a multiple of `width`, and the copies that it reads have
/// zeros for the rest.
bool LayoutWriter::lengthenLoop(const PaddedLoop &padded, int64_t width) {
  const Loop &loop = model.loops[padded.loop];
  isl::set values = isl::manage(isl_set_coalesce(isl_set_remove_redundancies(
      replaceSizes(model, dims, endParameters, padded.values.copy()))));
  Box box;
  if (!makeBox(values, options.fresh(loop.name + "_sum"), box))
    return false;
  const HostNumber count = box.count[0];
  const int64_t first = loop.first.asConstant().value_or(0);
  HostNumber turns, zeros;
  if (count.value) {
    turns = HostNumber::of((*count.value + width - 1) / width);
    zeros = HostNumber::of(*turns.value * width - *count.value);
  } else {
    require(count.text + " >= 1 && " + count.text +
                " <= " + std::to_string(largestTrip),
            "the sum has terms");
    turns = define(options.fresh(loop.name + "_turns"),
                   "(" + count.text + " + " + std::to_string(width - 1) +
                       ") / " + std::to_string(width));
    zeros =
        define(options.fresh(loop.name + "_zeros"),
               turns.text + " * " + std::to_string(width) + " - " + count.text);
  }
  for (const auto &[id, index] : copyOf) {
    const std::vector<unsigned> &around =
        model.statements[model.accesses[id].statement].loops;
    if (!paddedCopyOf(model.accesses[id]) || around.empty() ||
        around.back() != padded.loop)
      continue;
    HostNumber &own = copies[index].zeros;
    own = own.value == 0 || own.text == zeros.text ? zeros
                                                   : HostNumber::of(width - 1);
  }
  std::string end;
  if (turns.value)
    end = std::to_string(first + *turns.value * width);
  else
    end = (first ? std::to_string(first) + " + " : "") + std::to_string(width) +
          " * " + parameterFor(turns.text, turns);
  const SourceRange &condition = loop.stmt->expr->range;
  return replace(condition, loop.var->name + " < " + end,
                 "the condition of loop '" + loop.name + "'");
}

bool LayoutWriter::padSums() {
  int64_t width = 0;
  for (const Copy &copy : copies) {
    if (copy.pad == 0)
      continue;
    if (width && copy.pad != width)
      return fail("clopt-not-profitable",
                  "arrays of one sum are padded to the same multiple");
    width = copy.pad;
    for (unsigned id : copy.accesses)
      if (model.accesses[id].isWrite)
        return fail("clopt-dependence", "'" + arrayName(copy) +
                                            "' is written, and the zeros "
                                            "behind its rows are only read");
  }
  if (width == 0)
    return true;
  std::vector<PaddedLoop> loops = sumsToPad(width);
  if (loops.empty())
    return fail("clopt-not-profitable",
                "no loop sums up along the rows of the copies, to their ends "
                "and as often in all work-items");
  error = LoweringError();
  for (const PaddedLoop &loop : loops)
    if (!lengthenLoop(loop, width))
      return false;
  auto isUsed = [&](const Copy &copy) {
    return std::any_of(loops.begin(), loops.end(), [&](const PaddedLoop &loop) {
      return std::any_of(
          copy.accesses.begin(), copy.accesses.end(), [&](unsigned id) {
            const auto &around =
                model.statements[model.accesses[id].statement].loops;
            return !around.empty() && around.back() == loop.loop;
          });
    });
  };
  for (const Copy &copy : copies)
    if (copy.pad && !isUsed(copy))
      return fail("clopt-not-profitable",
                  "no sum reads the zeros of '" + arrayName(copy) + "'");
  return true;
}

} // namespace clopt
