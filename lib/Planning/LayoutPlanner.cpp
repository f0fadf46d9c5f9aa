//===- LayoutPlanner.cpp - converted buffers that pay ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On devices whose work-items run one after the other an access costs what the
// iterations of its innermost loop take from memory: a line that nobody
// announced where they move by rows, the part of a line that streams by where
// they move by cells. Work-items that do the same access share it. On others
// requests are counted as Traffic does.
//
// Tested by test/unit/LayoutPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/LayoutPlanner.h"

#include "Analysis/AccessPattern.h"
#include "Planning/GroupPlanner.h"
#include "Planning/MapAxis.h"
#include "Planning/RowPlanner.h"
#include "Planning/Traffic.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace clopt {

/// The kernel on copies has to take at most this part of the clocks, and the
/// conversions at most that part of what it saves.
static constexpr double clearGain = 0.6, conversionShare = 0.5;
/// Arrays below this stay in the caches of CPUs.
static constexpr int64_t cachedBytes = 1048576;
/// Clocks per nanosecond, for bandwidths.
static constexpr double gigahertz = 3;
/// A conversion that turns tiles, relative to a copy on a CPU; measured.
static constexpr double turnedCopy = 4;
/// Clocks of a cell that is put into its lane by itself.
static constexpr double gatherClocks = 3;
/// Clocks of a statement's arithmetic.
static constexpr double arithmeticClocks = 2;

Plan choosePlan(const TransformedKernel &start, const DeviceProfile &profile,
                AliasMode alias) {
  if (std::optional<Plan> groups = planGroups(start, profile, alias))
    return *groups;
  if (std::optional<Plan> rows = planRows(start, profile, alias))
    return *rows;
  if (std::optional<Plan> mapped = planMappedLoop(start, profile, alias))
    return *mapped;
  return planKernel(start, profile, alias);
}

//===-- Proposals ---------------------------------------------------------===//

/// The symbol along which neighbouring cells should be accessed.
static std::optional<SymbolId> axisOf(const KernelModel &model,
                                      const Access &access,
                                      const DeviceProfile &profile) {
  if (!profile.spreadWorkItems)
    return model.symbols.find(SymbolKind::GlobalId, 0);
  const std::vector<unsigned> &loops = model.statements[access.statement].loops;
  if (loops.empty())
    return std::nullopt;
  return model.loops[loops.back()].iterator;
}

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

std::vector<LayoutProposal> proposeLayouts(const TransformedKernel &start,
                                           const DeviceProfile &profile) {
  const KernelModel &model = *start.model;
  std::vector<LayoutProposal> result;
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    const Array &info = model.arrays[array];
    bool isFine = info.var && info.var->isParam &&
                  info.space == AddressSpace::Global && info.rank >= 2;
    std::optional<unsigned> row;
    for (const Access &access : model.accesses) {
      if (access.array != array || !isFine)
        continue;
      std::optional<SymbolId> axis = axisOf(model, access, profile);
      isFine = access.isExact && access.width == 1;
      if (!axis || !isFine)
        continue;
      std::optional<unsigned> own = rowSubscript(model, access, *axis, isFine);
      isFine &= !own || !row || *own == *row;
      row = own ? own : row;
    }
    if (!isFine || !row)
      continue;
    LayoutProposal proposal;
    proposal.array = array;
    proposal.step.name = "layout";
    proposal.step.targets.push_back({info.name, std::nullopt});
    LayoutChange change{"transpose", {}};
    if (info.rank > 2)
      change.numbers = {*row, info.rank - 1};
    proposal.step.changes.push_back(change);
    proposal.step.flags.push_back("buffer");
    result.push_back(std::move(proposal));
  }
  return result;
}

//===-- Predictions -------------------------------------------------------===//

namespace {

/// Clocks on a device whose work-items run one after the other.
class StreamModel {
public:
  StreamModel(const TransformedKernel &transformed,
              const DeviceProfile &deviceProfile)
      : kernel(transformed), model(*transformed.model), profile(deviceProfile),
        traffic(transformed, deviceProfile) {}

  double clocks() const {
    double sum = 0;
    for (const Statement &statement : model.statements) {
      double runs = 1;
      for (unsigned id : statement.accesses) {
        const Access &access = model.accesses[id];
        runs = std::max(runs, traffic.runs(access));
        if (isInMemory(access))
          sum += traffic.runs(access) * clocksOf(access, statement);
      }
      if (!statement.accesses.empty())
        sum += runs * arithmeticClocks / lanesOf(statement);
    }
    return sum;
  }

  /// Of a cell that is read or written in passing.
  double streamed(unsigned bytes) const {
    double bandwidth = std::max(1.0, profile.copyBandwidth(4, 1));
    return bytes * gigahertz / bandwidth;
  }

private:
  bool isInMemory(const Access &access) const {
    AddressSpace space = model.arrays[access.array].space;
    if (space == AddressSpace::Private || space == AddressSpace::Local)
      return false;
    return std::none_of(kernel.privates.begin(), kernel.privates.end(),
                        [&](const PrivateCopy &copy) {
                          return std::find(copy.accesses.begin(),
                                           copy.accesses.end(),
                                           access.id) != copy.accesses.end();
                        });
  }

  double lanesOf(const Statement &statement) const {
    double lanes = 1;
    for (const WorkDimension &work : kernel.work)
      lanes *= work.lanes;
    for (unsigned loop : statement.loops)
      if (const ScheduleNode *node = findLoop(kernel.tree, loop))
        lanes *= node->lanes;
    return lanes;
  }

  /// Of one logical access: what its line costs, over those that share it.
  double clocksOf(const Access &access, const Statement &statement) const {
    const unsigned bytes = model.arrays[access.array].elementBytes;
    if (!access.offset)
      return profile.latency.global;
    double shared = 1;
    bool isGathered = false;
    for (unsigned d = 0; d < model.ndrange.rank; ++d) {
      const WorkDimension &work = kernel.work[d];
      auto id = model.symbols.find(SymbolKind::GlobalId, d);
      std::optional<Polynomial> stride =
          id ? laneStride(model, *access.offset, *id, 1)
             : std::optional<Polynomial>(Polynomial());
      std::optional<int64_t> cells =
          stride ? stride->asConstant() : std::nullopt;
      if (cells && *cells == 0)
        shared *= work.total();
      else if (cells && std::llabs(*cells) == 1)
        shared *= std::min(work.strided ? work.lanes : work.total(),
                           std::max(1u, profile.lineBytes / bytes));
      else
        isGathered |= work.lanes > 1;
    }
    const double clocks = isGathered ? gatherClocks : 1 / lanesOf(statement);
    if (statement.loops.empty())
      return clocks + streamed(bytes);
    const Loop &inner = model.loops[statement.loops.back()];
    std::optional<Polynomial> stride =
        laneStride(model, *access.offset, inner.iterator, inner.step);
    std::optional<int64_t> cells = stride ? stride->asConstant() : std::nullopt;
    double moved = cells ? std::llabs(*cells) * static_cast<double>(bytes)
                         : profile.lineBytes;
    double line = moved >= profile.lineBytes ? profile.latency.global
                                             : moved / bytes * streamed(bytes);
    return clocks + line / shared;
  }

  const TransformedKernel &kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  TrafficModel traffic;
};

} // namespace

std::optional<double> predictClocks(const TransformedKernel &start,
                                    const Plan &plan,
                                    const DeviceProfile &profile,
                                    AliasMode alias) {
  TransformedKernel kernel = start;
  for (const Step &step : plan.steps) {
    // Tiles, mapped loops and other orders have traffic of their own.
    for (const char *name : {"tile", "stage", "map", "interchange", "select"})
      if (step.name == name)
        return std::nullopt;
    if (applyStep(kernel, step, alias))
      return std::nullopt;
  }
  if (profile.spreadWorkItems)
    return StreamModel(kernel, profile).clocks();
  double sum = 0;
  TrafficModel traffic(kernel, profile);
  for (const Access &access : start.model->accesses) {
    AddressSpace space = start.model->arrays[access.array].space;
    if (space == AddressSpace::Global)
      sum += traffic.inGlobalMemory(access);
  }
  return sum;
}

//===-- Judgement ---------------------------------------------------------===//

/// Clocks per cell of the conversions of an array.
static double conversionClocks(const TransformedKernel &start, unsigned array,
                               const DeviceProfile &profile) {
  bool isRead = false, isWritten = false;
  for (const Access &access : start.model->accesses)
    if (access.array == array)
      (access.isWrite ? isWritten : isRead) = true;
  const double passes = 2 * (isRead + isWritten);
  if (!profile.spreadWorkItems)
    return passes * profile.latency.global;
  const unsigned bytes = start.model->arrays[array].elementBytes;
  return passes * turnedCopy * StreamModel(start, profile).streamed(bytes);
}

std::optional<LayoutAdvice>
judgeLayouts(const TransformedKernel &start,
             const std::vector<LayoutProposal> &proposals, double before,
             double after, const DeviceProfile &profile) {
  if (after > clearGain * before)
    return std::nullopt;
  const KernelModel &model = *start.model;
  TrafficModel traffic(start, profile);
  LayoutAdvice advice;
  double conversions = 0;
  std::set<unsigned> dims;
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    dims.insert(d);
  for (const LayoutProposal &proposal : proposals) {
    double runs = 0;
    for (const Access &access : model.accesses) {
      if (access.array != proposal.array)
        continue;
      runs += traffic.runs(access);
      for (unsigned d = 0; d < 3; ++d) {
        auto id = model.symbols.find(SymbolKind::GlobalId, d);
        if (!access.offset || (id && dependsOn(model, *access.offset, *id)))
          dims.erase(d);
      }
    }
    conversions += runs * conversionClocks(start, proposal.array, profile);
  }
  advice.leastUses = static_cast<int64_t>(
      std::ceil(conversions / (conversionShare * (before - after))));
  advice.dims.assign(dims.begin(), dims.end());
  // Lines that only neighbours come back to are still in a CPU's cache.
  bool isForNeighbours = profile.spreadWorkItems || advice.leastUses > 1;
  if (advice.dims.empty() && isForNeighbours)
    return std::nullopt;
  if (profile.spreadWorkItems)
    advice.leastBytes = cachedBytes;
  return advice;
}

} // namespace clopt
