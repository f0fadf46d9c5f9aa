//===- LaneAxis.h - the id that neighbours differ in ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbouring work-items differ in one id; what this is, and what the author
// calls it.
//
// Tested by test/unit/AccessSummaryTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_LANEAXIS_H
#define CLOPT_ANALYSIS_LANEAXIS_H

#include "Model/KernelModel.h"

#include <map>
#include <optional>
#include <string>

namespace clopt {

/// `poly` in a launch without an offset: `group * size + local` is the global
/// id there.
Polynomial withoutOffset(const KernelModel &model, const Polynomial &poly);

/// The id along which work-items are neighbours: that of the lowest dimension
/// whose ids the kernel uses, within the group where the dimension is split.
/// Nothing when the kernel asks for no ids.
std::optional<SymbolId> laneAxis(const KernelModel &model);

/// The id of dimension `dim` that differs between neighbours, or nothing when
/// the kernel does not use it.
std::optional<SymbolId> laneIdOf(const KernelModel &model, unsigned dim);

/// True for ids of work-items and groups.
bool isId(const Symbol &symbol);

/// What to call symbols in messages: ids by the variable that the author keeps
/// them in, if there is one, else by the call.
std::map<SymbolId, std::string> authorNames(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_ANALYSIS_LANEAXIS_H
