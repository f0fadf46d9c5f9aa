//===- GuardRanges.cpp - guards on ranges of ids, loops and arguments -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed in `int` stays clear of its end.
//
// Tested by test/unit/GuardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/GuardMaker.h"

#include "Emit/BodyWriter.h"
#include "Emit/ProductGuards.h"
#include "Emit/StatementPrinter.h"
#include "Emit/TileDomains.h"
#include "Emit/WorkMapping.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cctype>

namespace clopt {

/// Largest id or iterator that emitted arithmetic in `int` can still add to.
static constexpr int largestIntId = 2147480000;

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
    if (!variable || variable->type.size > 4)
      continue;
    if (kernel.work[d].total() == 1 && !kernel.work[d].groupIds &&
        !variable->type.isUnsigned())
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

/// Iterators of `int` to which emitted code adds (`k + 3 < n`), and those that
/// are unsigned in the source, stay clear of the end of `int`.
bool GuardMaker::addLoopRanges(isl_set *&all) {
  bool any = false;
  for (unsigned index = 0; index < model.loops.size(); ++index) {
    const Loop &loop = model.loops[index];
    const ScheduleNode *node = findLoop(kernel.tree, index);
    if (!node || (loop.var && loop.var->type.size > 4))
      continue;
    // Loops over tiles have no variable of the author's and step far ahead.
    bool isPlain =
        loop.var && node->lanes == 1 && node->unroll <= 1 && !node->tile;
    if (isPlain && !loop.var->type.isUnsigned())
      continue;
    for (const Statement &statement : model.statements) {
      auto at = std::find(statement.coordinates.begin(),
                          statement.coordinates.end(), loop.iterator);
      if (at == statement.coordinates.end())
        continue;
      // { : there is an iteration that is too large }
      isl::set domain = statement.domain.intersect_params(model.paramContext);
      isl_set *large = isl_set_lower_bound_si(
          domain.copy(), isl_dim_set, at - statement.coordinates.begin(),
          largestIntId + 1);
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
  for (const Symbol &symbol : model.symbols.all()) {
    bool isNarrow = symbol.kind == SymbolKind::Param && symbol.var &&
                    symbol.var->type.isUnsigned() && symbol.var->type.size == 4;
    if (!isNarrow)
      continue;
    bool isUsed = false;
    for (const Statement &statement : model.statements) {
      isl_set *domain = statement.domain.get();
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
