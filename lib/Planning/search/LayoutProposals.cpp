//===- LayoutProposals.cpp - layouts that might pay -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transform that takes every access to an array to neighbouring cells:
// for accesses along columns the exchange of two subscripts, else what undoes
// their patterns (Analysis/access/AccessPattern.h), one for all of them.
// Offsets are left out, since copies begin at their first cell. Structures
// whose elements are used side by side get a plane per element.
//
// Tested by test/unit/LayoutPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/DataSpace.h"
#include "Planning/search/LayoutPlanner.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace clopt {

namespace {

/// Neighbours along which accesses should lie side by side.
struct Axis {
  SymbolId symbol = 0;
  int64_t step = 1;
};

/// What one array's accesses have in common.
struct Wanted {
  std::vector<LayoutPart> parts; ///< but the stride
  int64_t stride = 1;
  std::set<int64_t> residues; ///< of the stride
};

} // namespace

static std::optional<Axis> axisOf(const KernelModel &model,
                                  const Access &access,
                                  const DeviceProfile &profile) {
  if (!profile.spreadWorkItems) {
    auto id = model.symbols.find(SymbolKind::GlobalId, 0);
    return id ? std::optional(Axis{*id, 1}) : std::nullopt;
  }
  const std::vector<unsigned> &loops = model.statements[access.statement].loops;
  if (loops.empty())
    return std::nullopt;
  const Loop &loop = model.loops[loops.back()];
  return Axis{loop.iterator, loop.step};
}

static Step layoutStep(const Array &array) {
  Step step;
  step.name = "layout";
  step.targets.push_back({array.name, std::nullopt});
  step.flags.push_back("buffer");
  return step;
}

static bool isBufferOfTheHost(const Array &array) {
  return array.var && array.var->isParam &&
         array.space == AddressSpace::Global && array.rank >= 1;
}

//===-- Columns -----------------------------------------------------------===//

/// The one subscript that moves with the axis, by one cell, if it is not the
/// last; nothing and `isFine` false when no exchange helps.
static std::optional<unsigned> rowSubscript(const KernelModel &model,
                                            const Access &access, SymbolId axis,
                                            bool &isFine) {
  std::optional<unsigned> found;
  for (unsigned d = 0; d < access.subscripts.size(); ++d) {
    const Polynomial &subscript = access.subscripts[d];
    if (!dependsOn(model, subscript, axis))
      continue;
    std::optional<Polynomial> factor = subscript.coefficientOf(axis);
    std::optional<int64_t> step = factor ? factor->asConstant() : std::nullopt;
    isFine &= step && std::llabs(*step) == 1 && !found &&
              d + 1 < access.subscripts.size();
    found = d;
  }
  return isFine ? found : std::nullopt;
}

/// The row that all accesses walk along.
static std::optional<unsigned> commonRow(const KernelModel &model,
                                         unsigned array,
                                         const DeviceProfile &profile) {
  bool isFine = model.arrays[array].rank >= 2;
  std::optional<unsigned> row;
  for (const Access &access : model.accesses) {
    if (access.array != array || !isFine)
      continue;
    std::optional<Axis> axis = axisOf(model, access, profile);
    isFine = access.isExact && access.width == 1;
    if (!axis || !isFine)
      continue;
    std::optional<unsigned> own =
        rowSubscript(model, access, axis->symbol, isFine);
    isFine &= !own || !row || *own == *row;
    row = own ? own : row;
  }
  return isFine ? row : std::nullopt;
}

//===-- Other patterns ----------------------------------------------------===//

static bool isSame(const LayoutPart &a, const LayoutPart &b) {
  return a.kind == b.kind && a.dim == b.dim && a.other == b.other &&
         a.factor == b.factor;
}

/// Adds what undoes the access; false when it does not go with the others.
static bool addWanted(const KernelModel &model, const Access &access,
                      const Axis &axis, bool isFirst, Wanted &wanted) {
  std::optional<DataSpace> space =
      undoing(classify(model, access, axis.symbol, axis.step));
  if (!space)
    return false;
  Wanted own;
  own.residues = {0};
  for (const LayoutPart &part : space->list()) {
    if (part.kind == LayoutPart::Kind::Compact) {
      own.stride = part.factor;
      own.residues = {part.residue};
    } else if (part.kind != LayoutPart::Kind::Offset) {
      own.parts.push_back(part);
    }
  }
  if (isFirst) {
    wanted = own;
    return true;
  }
  wanted.residues.insert(own.residues.begin(), own.residues.end());
  return wanted.stride == own.stride &&
         std::equal(wanted.parts.begin(), wanted.parts.end(), own.parts.begin(),
                    own.parts.end(), isSame);
}

static std::optional<Wanted> commonPattern(const KernelModel &model,
                                           unsigned array,
                                           const DeviceProfile &profile) {
  Wanted wanted;
  bool isFirst = true;
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    if (!access.isExact || access.width != 1)
      return std::nullopt;
    std::optional<Axis> axis = axisOf(model, access, profile);
    if (!axis)
      continue;
    bool moves = std::any_of(access.subscripts.begin(), access.subscripts.end(),
                             [&](const Polynomial &subscript) {
                               return dependsOn(model, subscript, axis->symbol);
                             });
    if (!moves)
      continue;
    if (!addWanted(model, access, *axis, isFirst, wanted))
      return std::nullopt;
    isFirst = false;
  }
  // Backwards alone is as good: caches and requests know no direction.
  bool isOnlyReverse = std::all_of(
      wanted.parts.begin(), wanted.parts.end(), [](const LayoutPart &part) {
        return part.kind == LayoutPart::Kind::Reverse;
      });
  return isOnlyReverse && wanted.stride == 1 ? std::nullopt
                                             : std::optional(wanted);
}

/// The word of a recipe for a part.
static LayoutChange changeOf(const LayoutPart &part, unsigned rank) {
  using Kind = LayoutPart::Kind;
  const int64_t dim = part.dim, other = part.other;
  switch (part.kind) {
  case Kind::Reverse:
    return {"reverse", {dim}};
  case Kind::Skew:
    return {"skew", {part.factor, other, dim}};
  case Kind::Exchange:
    return {"transpose", rank == 2 ? std::vector<int64_t>()
                                   : std::vector<int64_t>{dim, other}};
  default:
    return {"offset", {part.factor, dim}};
  }
}

static std::vector<LayoutChange> changesOf(const Wanted &wanted,
                                           unsigned rank) {
  std::vector<LayoutChange> changes;
  for (const LayoutPart &part : wanted.parts)
    changes.push_back(changeOf(part, rank));
  if (wanted.stride > 1 && wanted.residues.size() == 1)
    changes.push_back({"stride", {wanted.stride, *wanted.residues.begin()}});
  else if (wanted.stride > 1)
    changes.push_back({"stride", {wanted.stride}});
  return changes;
}

std::vector<LayoutProposal> proposeLayouts(const TransformedKernel &start,
                                           const DeviceProfile &profile) {
  const KernelModel &model = *start.model;
  std::vector<LayoutProposal> result;
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    const Array &info = model.arrays[array];
    if (!isBufferOfTheHost(info))
      continue;
    LayoutProposal proposal;
    proposal.array = array;
    proposal.step = layoutStep(info);
    if (std::optional<unsigned> row = commonRow(model, array, profile)) {
      LayoutChange change{"transpose", {}};
      if (info.rank > 2)
        change.numbers = {*row, info.rank - 1};
      proposal.step.changes.push_back(change);
    } else if (std::optional<Wanted> wanted =
                   commonPattern(model, array, profile)) {
      proposal.step.changes = changesOf(*wanted, info.rank);
      proposal.stride = wanted->stride;
      proposal.used = static_cast<int64_t>(wanted->residues.size());
    } else {
      continue;
    }
    result.push_back(std::move(proposal));
  }
  return result;
}

//===-- Zeros at the ends of rows -----------------------------------------===//

std::vector<LayoutProposal> padRows(const TransformedKernel &start,
                                    std::vector<LayoutProposal> layouts,
                                    unsigned loop, int64_t multiple) {
  const KernelModel &model = *start.model;
  std::set<unsigned> summed;
  for (const Access &access : model.accesses) {
    const std::vector<unsigned> &around =
        model.statements[access.statement].loops;
    const Array &array = model.arrays[access.array];
    if (around.empty() || around.back() != loop || !isBufferOfTheHost(array) ||
        !access.offset ||
        !dependsOn(model, *access.offset, model.loops[loop].iterator))
      continue;
    if (access.isWrite)
      return {};
    summed.insert(access.array);
  }
  for (unsigned array : summed) {
    auto known = std::find_if(layouts.begin(), layouts.end(),
                              [&](const LayoutProposal &proposal) {
                                return proposal.array == array;
                              });
    if (known == layouts.end()) {
      LayoutProposal proposal;
      proposal.array = array;
      proposal.step = layoutStep(model.arrays[array]);
      known = layouts.insert(layouts.end(), std::move(proposal));
    }
    known->step.parameters.emplace_back("pad", multiple);
  }
  return summed.empty() ? std::vector<LayoutProposal>() : layouts;
}

} // namespace clopt
