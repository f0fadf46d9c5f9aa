//===- OtherLaunches.cpp - launches that a plan is not for ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of a few: where the host leaves the groups to the driver and the sizes
// are prime, groups have a single work-item. They have no tile to share, and
// the local memory of the tiles, which all launches of a kernel have, keeps two
// thirds of them from running: the author's text is at 0.32 of its speed then
// (1013 x 1031 x 1019, an H200). Blocks in registers ask for no group: 5.4
// times the author's speed there.
//
// Batches of one: images, sequences and vectors that a matrix is multiplied
// with are a dimension, and there is no block of four. Where a core runs the
// work-items of a group one after the other the author's text has no vectors.
// (PoCL: 31 taps for each of 64 channels, batches of 1 to 3, are 2.8 to 3.4
// times as fast in lanes; one to three rows of a product of 1,024 terms 5.2 to
// 5.8 times.)
//
// Tested by test/unit/OtherLaunchesTest.cpp, test/lit/planner.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/OtherLaunches.h"

#include "Planning/cost/SharedCost.h"
#include "Planning/search/GroupPlanner.h"
#include "Support/StepTable.h"

#include <llvm/ADT/STLExtras.h>

#include <set>

namespace clopt {

/// Lanes that GPUs run at once.
static constexpr unsigned wavefront = 32;
/// Work-items in one for which loads shared in registers repay the guard.
static constexpr unsigned fewestPoints = 4;

/// Cells that an iteration reads of tiles at most. Twice as many addresses, or
/// one more for each border of a triangle, take more than the 64 registers with
/// which groups of 1,024 run, in all launches of the kernel. (Symmetric updates
/// of rank 2, 1021 rows: groups of one in place of 1021, 0.23 and 3.8 ms.)
static constexpr unsigned mostReads = 2;

static unsigned readsOfTiles(const TransformedKernel &kernel) {
  unsigned reads = 0;
  for (unsigned id = 0; id < kernel.model->accesses.size(); ++id) {
    const std::optional<unsigned> tile = kernel.tileOf(id);
    reads += tile && !kernel.tiles[*tile].inTree &&
             !kernel.model->accesses[id].isWrite;
  }
  return reads;
}

/// Steps that leave work-items on their own; what is unrolled or required is
/// for tiles.
static bool isForSingles(const Step &step) {
  const StepInfo *info = findStep(step.name);
  const bool isPrivate = step.hasFlag("private");
  return info && !(info->has(StepTraits::OnGroups) && !isPrivate) &&
         !step.hasFlag("local") && step.name != "unroll" &&
         step.name != "require";
}

/// True where ids bound each other, or where that takes too long to see.
static bool mayBeTriangle(const TransformedKernel &kernel) {
  try {
    return hasDiagonal(*kernel.model);
  } catch (const isl::exception &) {
    return true;
  }
}

/// True where the version would take more registers than the tiles.
static bool isLarge(const TransformedKernel &kernel) {
  return readsOfTiles(kernel) > mostReads || mayBeTriangle(kernel);
}

static Step otherwise() {
  Step step;
  step.name = "otherwise";
  return step;
}

/// Launches in groups that are too small for tiles.
static std::vector<Step> stepsForSmallGroups(const TransformedKernel &kernel,
                                             const std::vector<Step> &steps,
                                             const DeviceProfile &profile) {
  const NDRange &range = kernel.model->ndrange;
  bool isKnown = false;
  unsigned points = 1;
  for (unsigned dim = 0; dim < range.rank; ++dim) {
    isKnown |= range.localSize[dim].has_value();
    points *= kernel.work[dim].total();
  }
  if (!profile.localMemoryIsReal || !kernel.isGrouped() || isKnown ||
      kernel.mergesGroups() || kernel.minIterations.empty() ||
      kernel.sections().empty() || kernel.otherwise || points < fewestPoints ||
      isLarge(kernel))
    return {};
  Step small;
  std::vector<Step> result = {otherwise()};
  llvm::copy_if(steps, std::back_inserter(result), isForSingles);
  small.name = "require";
  small.parameters = {{"below", wavefront}};
  if (kernel.minWorkItems)
    small.parameters.emplace_back("items",
                                  static_cast<int64_t>(kernel.minWorkItems));
  result.push_back(small);
  return result;
}

/// True where the work-items along the dimension share what they load in loops:
/// weights, for all images of a batch, or a matrix, for all vectors that it is
/// multiplied with.
static bool isBatch(const TransformedKernel &kernel, unsigned dim) {
  const SharedOperands shared = sharedAlong(kernel, dim);
  return shared.cells || shared.vectors;
}

/// Arguments that ids along the dimension are below where memory is written.
static std::set<SymbolId> boundsOf(const KernelModel &model, unsigned dim) {
  std::set<SymbolId> bounds;
  const std::optional<SymbolId> id =
      model.symbols.find(SymbolKind::GlobalId, dim);
  for (const Access &access : model.accesses) {
    const Statement &statement = model.statements[access.statement];
    if (!id || !access.isWrite ||
        model.arrays[access.array].space != AddressSpace::Global)
      continue;
    for (SymbolId param = 0; param < model.symbols.size(); ++param) {
      if (model.symbols[param].kind != SymbolKind::Param)
        continue;
      Condition isBeyond;
      isBeyond.kind = Condition::Kind::NonNegative;
      isBeyond.poly = Polynomial::symbol(*id) - Polynomial::symbol(param);
      // { S[w, i] : id >= param }
      const std::optional<isl::set> beyond = toSet(
          model, statement.domain.space(), statement.coordinates, isBeyond);
      if (beyond && statement.domain.is_disjoint(*beyond))
        bounds.insert(param);
    }
  }
  return bounds;
}

/// True where as many ids along one dimension have work as along another: pairs
/// of one list. A launch that is small along one is small along both.
static bool areAlike(const KernelModel &model, unsigned a, unsigned b) {
  try {
    const std::set<SymbolId> known = boundsOf(model, a);
    return llvm::any_of(boundsOf(model, b),
                        [&](SymbolId bound) { return known.count(bound); });
  } catch (const isl::exception &) {
    return true;
  }
}

/// Launches with fewer work-items along some dimension than blocks have: the
/// lanes alone, of work-items or of a loop.
static std::vector<Step> stepsForSmallBatches(const TransformedKernel &kernel,
                                              const std::vector<Step> &steps,
                                              const DeviceProfile &profile) {
  bool hasBlocks = false;
  const unsigned rank = kernel.model->ndrange.rank;
  for (unsigned dim = 0; dim < rank; ++dim) {
    bool isSmall = kernel.work[dim].points > 1 && kernel.work[dim].lanes == 1 &&
                   isBatch(kernel, dim);
    for (unsigned other = 0; isSmall && other < rank; ++other)
      isSmall =
          kernel.work[other].lanes == 1 || !areAlike(*kernel.model, dim, other);
    hasBlocks |= isSmall;
  }
  auto isVector = [](const Step &step) { return step.name == "vectorize"; };
  if (!profile.spreadWorkItems || !hasBlocks || kernel.otherwise ||
      kernel.isGrouped() || llvm::none_of(steps, isVector) ||
      mayBeTriangle(kernel))
    return {};
  std::vector<Step> result = {otherwise()};
  llvm::copy_if(steps, std::back_inserter(result),
                [](const Step &step) { return step.name != "coarsen"; });
  return result;
}

std::vector<Step> stepsForOtherLaunches(const TransformedKernel &kernel,
                                        const std::vector<Step> &steps,
                                        const DeviceProfile &profile) {
  std::vector<Step> result = stepsForSmallGroups(kernel, steps, profile);
  return result.empty() ? stepsForSmallBatches(kernel, steps, profile) : result;
}

} // namespace clopt
