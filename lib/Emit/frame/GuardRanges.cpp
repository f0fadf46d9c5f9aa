//===- GuardRanges.cpp - guards on ranges of ids, loops and arguments -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed in `int` stays clear of its end.
//
// Tested by test/unit/GuardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/GuardMaker.h"

#include "Emit/body/BodyWriter.h"
#include "Emit/frame/IntRanges.h"
#include "Emit/frame/ProductGuards.h"
#include "Emit/frame/WorkMapping.h"
#include "Emit/lower/TileDomains.h"
#include "Emit/print/StatementPrinter.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace clopt {

/// Largest id or iterator that emitted arithmetic in `int` can still add to.
static constexpr int largestIntId = static_cast<int>(largestClearInt);

/// True for dimensions whose ids are computed.
static bool hasGuardedIds(const TransformedKernel &kernel, unsigned dim,
                          const Variable &variable) {
  return kernel.work[dim].total() > 1 || kernel.work[dim].groupIds ||
         variable.type.isUnsigned();
}

IntRange idValues(const TransformedKernel &kernel, unsigned dim) {
  if (kernel.model->ndrange.findMapped(dim))
    return {-largestClearInt, largestClearInt};
  const Variable *variable = idVariable(*kernel.model, dim);
  bool isGuarded = variable && variable->type.size <= 4 &&
                   hasGuardedIds(kernel, dim, *variable);
  return {0, isGuarded ? largestClearInt : wholeInt.high};
}

bool clearOfEnds(const TransformedKernel &kernel, unsigned loop) {
  const Loop &info = kernel.model->loops[loop];
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!node || (info.var && info.var->type.size > 4))
    return false;
  // Loops over tiles have no variable of the author's and step far ahead.
  bool isPlain =
      info.var && node->lanes == 1 && node->unroll <= 1 && !node->tile;
  return !isPlain || info.var->type.isUnsigned();
}

/// True when the argument or end is known to be at most or at least `bound`.
static bool isKnown(const Guards &guards, const std::string &name, bool isUpper,
                    int64_t bound) {
  auto end = guards.endParameters.find(name);
  const std::string &parameter =
      end == guards.endParameters.end() ? name : end->second;
  if (!guards.known)
    return false;
  int position = isl_set_find_dim_by_name(guards.known->get(), isl_dim_param,
                                          parameter.c_str());
  if (position < 0)
    return false;
  isl_set *within = isl_set_universe(isl_set_get_space(guards.known->get()));
  isl_val *value = isl_val_int_from_si(isl_set_get_ctx(within), bound);
  auto bounded = isUpper ? isl_set_upper_bound_val : isl_set_lower_bound_val;
  isl::set inside = isl::manage( // { : parameter <= bound }
      bounded(within, isl_dim_param, static_cast<unsigned>(position), value));
  return guards.known->is_subset(inside);
}

void addClearArguments(
    const std::map<std::pair<std::string, bool>, int64_t> &arguments,
    Guards &guards) {
  for (const auto &[argument, most] : arguments) {
    const auto &[name, isGreatest] = argument;
    if (guards.boundedEnds.count(name) && most >= (1 << 30) - 1)
      continue;
    if (isKnown(guards, name, isGreatest, isGreatest ? most : -most))
      continue;
    guards.mentioned.insert(name);
    Conjunct condition(name + " >= -" + std::to_string(most));
    if (isGreatest)
      condition = Conjunct(UpperBound{name, static_cast<uint64_t>(most)});
    guards.conditions.push_back({{condition}});
  }
}

/// { : bound of the mapped dimension fits `int`, with room above it }
static isl::set clearOfIntEnd(const MappedDimension &mapped, bool isEnd) {
  isl_pw_aff *value = (isEnd ? mapped.end : mapped.first).copy();
  isl_val *limit = isl_val_int_from_si(isl_pw_aff_get_ctx(value),
                                       isEnd ? largestIntId : -largestIntId);
  value = isl_pw_aff_add_constant_val(value, isl_val_neg(limit));
  if (isEnd)
    value = isl_pw_aff_neg(value);
  return isl::manage(isl_pw_aff_nonneg_set(value));
}

/// Ids that are computed in `int` stay clear of its end.
bool GuardMaker::addIdRanges(isl_set *&all) {
  bool any = false;
  for (const MappedDimension &mapped : model.ndrange.mapped) {
    const Variable *variable = model.loops[mapped.loop].var;
    if (!variable || variable->type.size > 4)
      continue;
    for (bool isEnd : {false, true})
      all = isl_set_intersect(all, clearOfIntEnd(mapped, isEnd).release());
    any = true;
  }
  for (unsigned d = 0; d < 3; ++d) {
    const Variable *variable = idVariable(model, d);
    if (!variable || variable->type.size > 4 || model.ndrange.findMapped(d))
      continue;
    if (!hasGuardedIds(kernel, d, *variable))
      continue;
    std::string sum, params;
    for (SymbolKind kind : {SymbolKind::GlobalSize, SymbolKind::GlobalOffset})
      if (std::optional<SymbolId> id = model.symbols.find(kind, d)) {
        params += (params.empty() ? "" : ", ") + model.symbols.name(*id);
        sum += (sum.empty() ? "" : " + ") + model.symbols.name(*id);
      }
    if (sum.empty())
      continue;
    std::string text = "[" + params + "] -> { : " + sum +
                       " <= " + std::to_string(largestIntId) + " }";
    all = isl_set_intersect(
        all, isl_set_read_from_str(model.context.get(), text.c_str()));
    any = true;
  }
  return any;
}

/// Loops go on past the last iteration by one step, and look ahead by another.
static int largestIteration(const TransformedKernel &kernel, unsigned loop) {
  const ScheduleNode &node = *findLoop(kernel.tree, loop);
  int64_t factor = std::max(node.pass(), 1u);
  int64_t step = std::llabs(kernel.model->loops[loop].step) * factor;
  return static_cast<int>(std::max<int64_t>(
      0, std::min(largestClearInt, wholeInt.high - 2 * step)));
}

/// Iterators of `int` to which emitted code adds (`k + 3 < n`), and those that
/// are unsigned in the source, stay clear of the end of `int`.
bool GuardMaker::addLoopRanges(isl_set *&all) {
  bool any = false;
  for (unsigned index = 0; index < model.loops.size(); ++index) {
    const Loop &loop = model.loops[index];
    if (!clearOfEnds(kernel, index))
      continue;
    bool isDown = loop.step < 0 && !(loop.var && loop.var->type.isUnsigned());
    for (const Statement &statement : model.statements) {
      auto at = std::find(statement.coordinates.begin(),
                          statement.coordinates.end(), loop.iterator);
      if (at == statement.coordinates.end())
        continue;
      // { : there is an iteration that is too large }
      isl::set domain = statement.domain.intersect_params(model.paramContext);
      unsigned position = at - statement.coordinates.begin();
      int limit = largestIteration(kernel, index);
      isl_set *large = isDown
                           ? isl_set_upper_bound_si(domain.copy(), isl_dim_set,
                                                    position, -limit - 1)
                           : isl_set_lower_bound_si(domain.copy(), isl_dim_set,
                                                    position, limit + 1);
      large = isl_set_params(large);
      if (isl_set_is_empty(large) == isl_bool_true) {
        isl_set_free(large);
        continue;
      }
      large = isl_set_gist(large, isl_set_params(domain.copy()));
      all = isl_set_intersect(all, isl_set_complement(isl_set_coalesce(large)));
      any = true;
    }
  }
  return any;
}

/// Unsigned arguments that bounds and conditions write as `(int)n`.
bool GuardMaker::addParameterRanges(isl_set *&all) {
  bool any = false;
  std::vector<isl::set> emitted;
  for (const Statement &statement : model.statements)
    emitted.push_back(statement.domain);
  // A copy is made where the accesses are, which may be fewer instances.
  for (const CopyStatement &copy : kernel.copies)
    emitted.push_back(copiedCells(kernel.tiles[copy.tile], copy));
  for (const Symbol &symbol : model.symbols.all()) {
    bool isNarrow = symbol.kind == SymbolKind::Param && symbol.var &&
                    symbol.var->type.isUnsigned() && symbol.var->type.size == 4;
    if (!isNarrow)
      continue;
    bool isUsed = false;
    for (const isl::set &own : emitted) {
      isl_set *domain = own.get();
      int at =
          isl_set_find_dim_by_name(domain, isl_dim_param, symbol.name.c_str());
      isUsed |= at >= 0 && isl_set_involves_dims(domain, isl_dim_param, at,
                                                 1) == isl_bool_true;
    }
    if (!isUsed)
      continue;
    std::string text =
        "[" + symbol.name + "] -> { : " + symbol.name + " <= 2147483647 }";
    all = isl_set_intersect(
        all, isl_set_read_from_str(model.context.get(), text.c_str()));
    any = true;
  }
  return any;
}

} // namespace clopt
