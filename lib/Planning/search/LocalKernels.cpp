//===- LocalKernels.cpp - steps for kernels that keep their groups --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LocalKernelsTest.cpp, test/lit/planner.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/LocalKernels.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/Divergence.h"
#include "Analysis/access/LaneAxis.h"
#include "Analysis/memory/BankConflict.h"
#include "Transform/Apply.h"
#include "Transform/Steps.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

namespace clopt {

/// How much more often a loop body runs than what is around it.
static constexpr double loopWeight = 16.0;
/// Turns left of which longer rows are worth it, and gaps, which cost
/// arithmetic for every access.
static constexpr double worthwhileRows = 0.75, worthwhileGaps = 0.5;
/// Groups of unknown size are supposed to be as large.
static constexpr unsigned usualGroup = 256;
/// Longest loop that is written out.
static constexpr int64_t longestLoop = 32;

static bool isLocal(const KernelModel &model, const Access &access) {
  return model.arrays[access.array].space == AddressSpace::Local;
}

/// The components of a cell that an access takes; none when it takes all.
static std::vector<unsigned> componentsOf(const Access &access) {
  const Expr *expr = access.expr;
  if (!expr || expr->kind != ExprKind::Swizzle ||
      expr->operands[0]->kind == ExprKind::Swizzle)
    return {};
  std::vector<unsigned> used = expr->components;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

/// Turns of a lane group for one view of an access.
static double turnsOf(const KernelModel &model, const Access &access,
                      const BankShape &shape, const CellView &view) {
  BankConflict conflict = analyzeBanks(model, access, shape, view);
  if (conflict.kind == BankConflict::Kind::Known)
    return conflict.turns;
  // Powers of two, as in trees: half of the strides are served badly.
  if (conflict.kind == BankConflict::Kind::Varying)
    return view.padding ? 2 : shape.laneGroup / 2;
  return 1;
}

/// Turns of a lane group for an access: of whole cells, or of the components
/// that are used, each of them by itself.
static double turnsOf(const TransformedKernel &kernel, const Access &access,
                      const BankShape &shape) {
  const KernelModel &model = *kernel.model;
  const Type &element = model.arrays[access.array].elementType;
  CellView view;
  view.padding = kernel.paddingOf(access.array);
  view.layout = kernel.layoutOf(access.array);
  const bool isPlanes =
      view.layout && view.layout->kind == LocalLayout::Kind::Planes;
  std::vector<unsigned> components = componentsOf(access);
  const bool isWhole = components.empty();
  std::optional<double> turns;
  if (!isPlanes)
    turns = turnsOf(model, access, shape, view);
  if (!element.isVector() || (isWhole && !isPlanes))
    return *turns;
  for (unsigned i = 0; isWhole && i < element.lanes; ++i)
    components.push_back(i);
  double apart = 0;
  for (unsigned component : components) {
    view.component = component;
    apart += turnsOf(model, access, shape, view);
  }
  return turns ? std::min(*turns, apart) : apart;
}

/// Turns of all accesses to the array, weighted by how often they run.
static double turnsOf(const TransformedKernel &kernel, unsigned array,
                      const BankShape &shape) {
  const KernelModel &model = *kernel.model;
  double turns = 0;
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    const Statement &statement = model.statements[access.statement];
    double depth = static_cast<double>(statement.loops.size()) +
                   (statement.isCompound || statement.isOpaque ? 1 : 0);
    turns += turnsOf(kernel, access, shape) * std::pow(loopWeight, depth);
  }
  return turns;
}

/// Groups that local memory lets run at once, as far as more than are needed
/// to fill a compute unit do not count.
static uint64_t groupsAtOnce(const TransformedKernel &kernel,
                             const DeviceProfile &profile) {
  uint64_t items = 1;
  for (unsigned d = 0; d < kernel.model->ndrange.rank; ++d)
    items *= static_cast<uint64_t>(
        kernel.model->ndrange.localSize[d].value_or(d == 0 ? usualGroup : 1));
  uint64_t needed = std::max<uint64_t>(1, profile.itemsPerComputeUnit /
                                              std::max<uint64_t>(items, 1));
  uint64_t bytes = std::max<uint64_t>(declaredLocalBytes(kernel), 1);
  return std::min(needed, profile.localMemoryBytes / bytes);
}

static Step makeStep(const std::string &name, const std::string &target,
                     std::optional<int64_t> count) {
  Step step;
  step.name = name;
  step.targets.push_back({target, count});
  return step;
}

/// Most cells between two gaps.
static constexpr int64_t longestGap = 4096;

/// Cells between two gaps that may help a one-dimensional array: one turn
/// around the banks (P1, equations 2 and 3, for strides that divide it), and
/// the least common multiple with every other even stride. An odd stride has
/// no conflicts. Rows need no more than one more word.
static std::vector<int64_t> gapsFor(const KernelModel &model, unsigned array,
                                    int64_t banks) {
  std::vector<int64_t> gaps = {banks};
  std::optional<SymbolId> axis = laneAxis(model);
  for (const Access &access : model.accesses) {
    if (access.array != array || !access.offset || !axis)
      continue;
    std::optional<Polynomial> stride =
        laneStride(model, *access.offset, *axis, 1);
    int64_t cells = std::llabs(stride ? stride->asConstant().value_or(0) : 0);
    if (cells < 2 || cells % 2 != 0 || cells > longestGap)
      continue;
    int64_t gap = std::lcm(cells, banks);
    if (gap <= longestGap &&
        std::find(gaps.begin(), gaps.end(), gap) == gaps.end())
      gaps.push_back(gap);
  }
  return gaps;
}

/// The padding that leaves the fewest turns, and those turns; the first of
/// several. Nothing when none can be taken.
struct BestPadding {
  TransformedKernel kernel;
  int64_t every = 0;
  double turns = 0;
};
static std::optional<BestPadding> bestPadding(const TransformedKernel &kernel,
                                              unsigned array, int64_t count,
                                              int64_t banks,
                                              const BankShape &shape) {
  std::optional<BestPadding> best;
  for (int64_t every : gapsFor(*kernel.model, array, banks)) {
    TransformedKernel trial = kernel;
    if (every < 1 || pad(trial, array, count, every))
      continue;
    double turns = turnsOf(trial, array, shape);
    if (!best || turns < best->turns)
      best = BestPadding{std::move(trial), every, turns};
  }
  return best;
}

static BankShape banksOf(const DeviceProfile &profile) {
  return {profile.banks, profile.bankBytes, profile.bankLaneGroup,
          profile.bankWordByWord};
}

/// The best padding if it is worth its bytes and its arithmetic, and costs no
/// group.
static std::optional<BestPadding>
worthwhilePadding(const TransformedKernel &kernel, unsigned array,
                  const DeviceProfile &profile) {
  const Array &info = kernel.model->arrays[array];
  const BankShape shape = banksOf(profile);
  // One word per gap, one gap per turn around the banks.
  const unsigned bytes = std::max(1u, info.elementBytes);
  int64_t perWord = std::max<int64_t>(1, profile.bankBytes / bytes);
  int64_t every =
      static_cast<int64_t>(profile.banks) * profile.bankBytes / bytes;
  std::optional<BestPadding> best =
      bestPadding(kernel, array, perWord, every, shape);
  if (!best)
    return std::nullopt;
  bool hasGaps = best->kernel.paddings.back().every != 0;
  double before = turnsOf(kernel, array, shape);
  if (best->turns > before * (hasGaps ? worthwhileGaps : worthwhileRows) ||
      groupsAtOnce(best->kernel, profile) < groupsAtOnce(kernel, profile))
    return std::nullopt;
  return best;
}

std::vector<Step> paddingSteps(const TransformedKernel &start,
                               const DeviceProfile &profile) {
  std::vector<Step> steps;
  if (!profile.localMemoryIsReal || !start.model->usesLocalMemory)
    return steps;
  const KernelModel &model = *start.model;
  TransformedKernel kernel = start;
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    if (model.arrays[array].space != AddressSpace::Local)
      continue;
    std::optional<BestPadding> best = worthwhilePadding(kernel, array, profile);
    if (!best)
      continue;
    const LocalPadding &padding = best->kernel.paddings.back();
    Step step = makeStep("pad", model.arrays[array].name, padding.count);
    if (padding.every != 0 && best->every != 32)
      step.parameters.emplace_back("every", best->every);
    steps.push_back(step);
    kernel = std::move(best->kernel);
  }
  return steps;
}

//===-- Other layouts -----------------------------------------------------===//

static bool isNarrow(const Array &array, const DeviceProfile &profile) {
  return array.elementBytes < profile.bankBytes;
}

/// Rows as columns, of cells smaller than a word also where padding does as
/// well (M. Fang, thesis, 2017, section 3.3): that takes more bytes.
static bool beatsPadding(const TransformedKernel &kernel, unsigned array,
                         double turns, const DeviceProfile &profile) {
  std::optional<BestPadding> padded = worthwhilePadding(kernel, array, profile);
  if (!padded)
    return true;
  return isNarrow(kernel.model->arrays[array], profile) ? turns <= padded->turns
                                                        : turns < padded->turns;
}

std::vector<Step> localLayoutSteps(const TransformedKernel &start,
                                   const DeviceProfile &profile) {
  std::vector<Step> steps;
  if (!profile.localMemoryIsReal || !start.model->usesLocalMemory)
    return steps;
  const KernelModel &model = *start.model;
  const BankShape shape = banksOf(profile);
  TransformedKernel kernel = start;
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    if (!isOwnLocalArray(model.arrays[array]))
      continue;
    const bool isPlanes = model.arrays[array].elementType.isVector();
    TransformedKernel trial = kernel;
    if (layoutOwnLocal(trial, array,
                       isPlanes ? LocalLayout::Kind::Planes
                                : LocalLayout::Kind::Transposed))
      continue;
    const double turns = turnsOf(trial, array, shape);
    // Components are accesses of their own, and words are padded as a rule.
    const double worthwhile =
        !isPlanes && isNarrow(model.arrays[array], profile) ? worthwhileRows
                                                            : worthwhileGaps;
    if (turns > turnsOf(kernel, array, shape) * worthwhile ||
        !beatsPadding(kernel, array, turns, profile))
      continue;
    Step step = makeStep("layout", model.arrays[array].name, std::nullopt);
    step.changes.push_back({isPlanes ? "planes" : "transpose", {}});
    step.flags.push_back("local");
    steps.push_back(step);
    kernel = std::move(trial);
  }
  return steps;
}

bool mayKeepCells(const TransformedKernel &kernel, unsigned array,
                  unsigned loop) {
  const KernelModel &model = *kernel.model;
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!node || model.arrays[array].space != AddressSpace::Local)
    return true;
  bool isWritten = false;
  for (unsigned index : statementsBelow(*node)) {
    const Statement &statement = model.statements[index];
    if (statement.isBarrier)
      return false;
    for (unsigned id : statement.accesses)
      isWritten |=
          model.accesses[id].array == array && model.accesses[id].isWrite;
  }
  return isWritten;
}

/// True when the loop has no other loop in it.
static bool isInnermost(const ScheduleNode &node) {
  return loopsBelow(node).size() == 1;
}

std::vector<Step> tileLoopSteps(const TransformedKernel &kernel,
                                const DeviceProfile &profile) {
  std::vector<Step> steps;
  if (!profile.localMemoryIsReal || !kernel.model->usesLocalMemory)
    return steps;
  const KernelModel &model = *kernel.model;
  // Merged groups have several statements per iteration already; compilers
  // write out their short loops.
  if (kernel.mergesGroups())
    return steps;
  for (unsigned loop : loopsBelow(kernel.tree)) {
    const ScheduleNode *node = findLoop(kernel.tree, loop);
    if (!node || !isInnermost(*node) || node->lanes > 1 || node->unroll != 1)
      continue;
    bool readsTile = false, isWhole = true;
    for (unsigned index : statementsBelow(*node)) {
      const Statement &statement = model.statements[index];
      isWhole &= !statement.isOpaque && !statement.isBarrier;
      for (unsigned id : statement.accesses)
        readsTile |=
            isLocal(model, model.accesses[id]) && !model.accesses[id].isWrite;
    }
    if (!readsTile || !isWhole)
      continue;
    std::optional<int64_t> trips = constantTripCount(kernel, loop);
    if (trips && *trips > 1 && *trips <= longestLoop)
      steps.push_back(makeStep("unroll", model.loops[loop].name, std::nullopt));
    else if (profile.unrollFactor > 1 && (!trips || *trips > longestLoop))
      steps.push_back(
          makeStep("unroll", model.loops[loop].name, profile.unrollFactor));
  }
  return steps;
}

//===-- Groups that fill their tiles alike
//------------------------------------------===//

/// Groups that are merged along a dimension at most.
static constexpr unsigned maxMerged = 4;
/// The part of a work-item's registers that may hold what loops change; others
/// are for operands and addresses. (H100, textbook products in groups of
/// 16 x 16: 4 x 4 groups 3.6 to 3.9 of the original at 2048 and 4096, 1.5 at
/// 1024; 2 x 4 2.6 and 1.5; 2 x 2 2.0 and 1.9.)
static constexpr unsigned shareOfRegisters = 4;
/// The same where groups are so large that a kernel with more registers than
/// the device has for all of them does not start: tiles of 32 x 32 have 64 on
/// an H100. (Textbook products there: 4 x 4 groups 48 to 80 registers, 2 x 4 39
/// to 48.)
static constexpr unsigned shareInLargeGroups = 6;
/// What loads that merged groups share must save where none goes through local
/// memory. (H100, a group for each row of a matrix: 1.6 by this measure ran at
/// 0.9, 2.0 at 2.8.)
static constexpr double enoughMerging = 1.8;
/// Runs of a statement below which merging groups saves too little.
static constexpr int64_t minRuns = 64;
/// The same where groups fill an array once, and four along one dimension are
/// merged. (An H200, a step of LU with tiles of 16 x 16: four groups along
/// dimension 0 1.64, along dimension 1 1.16, two along both 1.50; kernels that
/// share nothing 0.86 to 1.04.)
static constexpr int64_t minRunsOfOnce = 16;

/// True when the statement fills cells of the local array from global memory,
/// again in every iteration of a loop if `inLoop`.
static bool fills(const KernelModel &model, const Statement &statement,
                  const Variable *variable, bool inLoop) {
  bool writes = false, reads = false;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    const Array &array = model.arrays[access.array];
    writes |= access.isWrite && array.var == variable;
    reads |= !access.isWrite && (array.space == AddressSpace::Global ||
                                 array.space == AddressSpace::Constant);
  }
  return writes && reads && (!inLoop || !statement.loops.empty());
}

/// True when groups along the dimension would fill a local array with the same
/// cells.
static bool fillsAlike(const TransformedKernel &kernel, unsigned dim,
                       bool inLoop) {
  const KernelModel &model = *kernel.model;
  TransformedKernel merged = kernel;
  merged.work[dim].points = 2;
  std::set<const Variable *> varied;
  for (const auto &[variable, mask] : variedLocals(merged))
    varied.insert(variable);
  for (const Array &array : model.arrays)
    if (array.space == AddressSpace::Local && array.var &&
        !varied.count(array.var))
      for (const Statement &statement : model.statements)
        if (fills(model, statement, array.var, inLoop))
          return true;
  return false;
}

/// Segments of memory that neighbouring work-items touch in one access.
static double segmentsOf(const KernelModel &model, const Access &access,
                         SymbolId axis, const DeviceProfile &profile) {
  const std::optional<Polynomial> stride =
      laneStride(model,
                 inLockstep(model, model.statements[access.statement],
                            *access.offset, axis),
                 axis, 1);
  const std::optional<int64_t> cells =
      stride ? stride->asConstant() : std::nullopt;
  const double lanes = profile.lanes;
  if (!cells)
    return lanes;
  const double bytes = static_cast<double>(std::llabs(*cells)) *
                       model.arrays[access.array].elementBytes * lanes;
  return std::clamp(bytes / profile.segmentBytes, 1.0, lanes);
}

/// How many times fewer segments of memory a group touches in loops, for each
/// of the groups that are merged into it along the dimension, when it loads
/// once what is the same for all of them.
static double gainOfMerging(const TransformedKernel &kernel, unsigned dim,
                            unsigned groups, const DeviceProfile &profile) {
  const KernelModel &model = *kernel.model;
  const std::optional<SymbolId> axis = laneAxis(model);
  const std::optional<SymbolId> group =
      model.symbols.find(SymbolKind::GroupId, dim);
  if (!axis || !group)
    return 1;
  std::vector<std::pair<unsigned, Polynomial>> seen;
  double own = 0, shared = 0;
  for (const Statement &statement : model.statements) {
    if (statement.loops.empty())
      continue;
    const double often =
        std::pow(loopWeight, static_cast<double>(statement.loops.size()));
    for (unsigned id : statement.accesses) {
      const Access &access = model.accesses[id];
      const AddressSpace space = model.arrays[access.array].space;
      if (space != AddressSpace::Global && space != AddressSpace::Constant)
        continue;
      // Of what is not known several reads are one, as of any cell.
      const std::pair<unsigned, Polynomial> cell(
          access.array, access.offset.value_or(Polynomial()));
      if (std::find(seen.begin(), seen.end(), cell) != seen.end())
        continue;
      seen.push_back(cell);
      if (!access.offset) {
        own += often * profile.lanes;
        continue;
      }
      const bool isShared =
          !access.isWrite && !dependsOn(model, *access.offset, *group);
      (isShared ? shared : own) +=
          often * segmentsOf(model, access, *axis, profile);
    }
  }
  return (own + shared) / std::max(1.0, own + shared / groups);
}

/// Registers for what loops carry from one iteration to the next: groups that
/// are merged along a dimension have one value each where it differs between
/// them.
static uint64_t registersOfLoops(const TransformedKernel &merged) {
  const KernelModel &model = *merged.model;
  // Depths at which a variable is set; what is set in an iteration only does
  // not outlive it.
  std::map<const Variable *, std::set<size_t>> depths;
  for (const Statement &statement : model.statements) {
    if (statement.stmt && statement.stmt->kind == StmtKind::Decl)
      depths[statement.stmt->var].insert(statement.loops.size());
    for (unsigned id : statement.accesses)
      if (model.accesses[id].isWrite)
        depths[model.arrays[model.accesses[id].array].var].insert(
            statement.loops.size());
  }
  uint64_t registers = 0;
  for (const auto &[array, mask] :
       groupDivergence(merged, AddressSpace::Private)) {
    if (depths[array->var].size() < 2)
      continue;
    registers +=
        mergedCopies(merged, mask) * std::max(1u, array->elementBytes / 4);
  }
  return registers;
}

/// True when work-items run some statement often: merged groups share what is
/// copied once, and each keeps its own.
static bool runsOften(const TransformedKernel &kernel, int64_t fewest) {
  for (const Statement &statement : kernel.model->statements) {
    int64_t product = statement.loops.empty() ? 0 : 1;
    for (unsigned loop : statement.loops) {
      std::optional<int64_t> count = findLoop(kernel.tree, loop)
                                         ? constantTripCount(kernel, loop)
                                         : std::nullopt;
      product *= count.value_or(minRuns);
    }
    if (product >= fewest)
      return true;
  }
  return false;
}

/// True when loops read and write local memory and variables only.
static bool staysInGroups(const KernelModel &model) {
  return llvm::all_of(model.accesses, [&](const Access &access) {
    const AddressSpace space = model.arrays[access.array].space;
    return model.statements[access.statement].loops.empty() ||
           space == AddressSpace::Local || space == AddressSpace::Private;
  });
}

/// Most work-items of a group: as many as it is known to have, or for which
/// local arrays have a cell each; 0: any.
static int64_t largestGroup(const KernelModel &model) {
  int64_t known = 1, least = 0;
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    known *= model.ndrange.localSize[d].value_or(0);
  if (known > 0)
    return known;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (!access.isWrite || array.space != AddressSpace::Local || !access.offset)
      continue;
    bool isOwn = true;
    for (unsigned d = 0; d < model.ndrange.rank; ++d) {
      const auto id = model.symbols.find(SymbolKind::LocalId, d);
      isOwn &= id && dependsOn(model, *access.offset, *id);
    }
    int64_t cells = isOwn ? 1 : 0;
    for (const Polynomial &extent : array.extents)
      cells *= extent.asConstant().value_or(0);
    if (cells > 0 && (least == 0 || cells < least))
      least = cells;
  }
  return least;
}

/// True where the groups along the dimension differ: a kernel that does not ask
/// which one it is in has one there.
static bool tellsGroupsApart(const KernelModel &model, unsigned dim) {
  bool asks = false;
  for (const auto &function : model.unit->functions)
    forEachExpr(function->body, [&](const ExprRef &expr) {
      asks |= expr->kind == ExprKind::WorkItem &&
              ((expr->dim == dim && (expr->query == WorkItemQuery::GroupId ||
                                     expr->query == WorkItemQuery::GlobalId)) ||
               expr->query == WorkItemQuery::GlobalLinearId);
    });
  return asks;
}

std::vector<Step> mergingSteps(const TransformedKernel &start,
                               const DeviceProfile &profile, AliasMode alias) {
  std::vector<Step> steps;
  const KernelModel &model = *start.model;
  if (!profile.localMemoryIsReal || !model.usesLocalMemory ||
      !runsOften(start, minRunsOfOnce))
    return steps;
  const bool isLong = runsOften(start, minRuns);
  unsigned points[3] = {1, 1, 1};
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    if (!model.ndrange.split[d] || mergeableGroups(start, d) ||
        !tellsGroupsApart(model, d))
      continue;
    const bool pays =
        isLong
            ? fillsAlike(start, d, true) ||
                  gainOfMerging(start, d, maxMerged, profile) >= enoughMerging
            : staysInGroups(model) && fillsAlike(start, d, false);
    points[d] = pays ? maxMerged : 1;
    if (pays && !isLong)
      break;
  }
  // What the device has for each work-item of so large a group.
  const double inLargest =
      profile.capacity.registers /
      static_cast<double>(std::max<int64_t>(1, largestGroup(model)));
  const double most =
      inLargest > profile.registersPerWorkItem
          ? double(profile.registersPerWorkItem) / shareOfRegisters
          : inLargest / shareInLargeGroups;
  for (;;) {
    unsigned largest = *std::max_element(points, points + 3);
    if (largest == 1)
      return {};
    steps.clear();
    TransformedKernel trial = start;
    for (unsigned d = 0; d < 3; ++d)
      trial.work[d].points = points[d];
    bool taken = static_cast<double>(registersOfLoops(trial)) <= most;
    trial = start;
    for (unsigned d = 0; taken && d < 3; ++d) {
      if (points[d] == 1)
        continue;
      steps.push_back(makeStep("coarsen", axisName(model, d), points[d]));
      taken = !applyStep(trial, steps.back(), alias);
    }
    if (taken)
      return steps;
    // The last of the largest first: rows along dimension 0 stay long.
    for (unsigned d = 3; d-- > 0;)
      if (points[d] == largest) {
        points[d] /= 2;
        break;
      }
  }
}

} // namespace clopt
