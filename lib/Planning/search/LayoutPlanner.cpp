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

#include "Planning/search/LayoutPlanner.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/ranges/TripCount.h"
#include "Planning/cost/Traffic.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace clopt {

/// The conversions take at most this part of what the kernel saves.
static constexpr double conversionShare = 0.5;
/// Arrays below this stay in the caches of CPUs.
static constexpr int64_t cachedBytes = 1048576;
/// Lines of a loop stay in the first cache below this.
static constexpr int64_t nearBytes = 16384;
/// Clocks per nanosecond, for bandwidths.
static constexpr double gigahertz = 3;
/// A conversion that turns tiles, relative to a copy on a CPU; measured.
static constexpr double transposedCopy = 4;
/// Clocks of a cell that is put into its lane by itself.
static constexpr double gatherClocks = 3;
/// Clocks of a statement's arithmetic.
static constexpr double arithmeticClocks = 2;

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
      sum += restOf(statement);
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
    return space != AddressSpace::Private && space != AddressSpace::Local &&
           !kernel.registersOf(access.id);
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

  /// Of the iterations that a vector loop leaves over, one by one.
  double restOf(const Statement &statement) const {
    if (statement.loops.empty() || statement.accesses.empty())
      return 0;
    const unsigned loop = statement.loops.back();
    const ScheduleNode *node = findLoop(kernel.tree, loop);
    if (!node || node->lanes < 2 || runsMultipleOf(model, loop, node->lanes))
      return 0;
    std::optional<int64_t> trips = constantTripCount(kernel, loop);
    const double rest = trips ? static_cast<double>(*trips % node->lanes)
                              : (node->lanes - 1) / 2.0;
    double clocks = arithmeticClocks;
    for (unsigned id : statement.accesses)
      clocks += isInMemory(model.accesses[id]);
    return traffic.repetitions(loop) * rest * clocks;
  }

  /// The next work-item takes the next cell.
  bool isUsedByTheNext(const Access &access) const {
    auto id = model.symbols.find(SymbolKind::GlobalId, 0);
    std::optional<Polynomial> stride =
        id ? laneStride(model, *access.offset, *id, 1) : std::nullopt;
    std::optional<int64_t> cells = stride ? stride->asConstant() : std::nullopt;
    return cells && std::llabs(*cells) == 1;
  }

  /// A line for every iteration fits the nearest cache.
  bool staysNear(const Statement &statement) const {
    std::optional<int64_t> trips =
        constantTripCount(kernel, statement.loops.back());
    return trips && *trips * profile.lineBytes <= nearBytes;
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
    if (moved < profile.lineBytes)
      return clocks + moved / bytes * streamed(bytes) / shared;
    const bool isNear = isUsedByTheNext(access) && staysNear(statement);
    return clocks +
           (isNear ? streamed(bytes) : profile.latency.global / shared);
  }

  const TransformedKernel &kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  TrafficModel traffic;
};

} // namespace

/// Tiles, mapped loops and other orders have traffic of their own.
static bool isPredictable(const std::vector<Step> &steps) {
  for (const Step &step : steps)
    for (const char *name : {"tile", "stage", "map", "interchange", "select"})
      if (step.name == name)
        return false;
  return true;
}

std::optional<double> predictClocks(const TransformedKernel &start,
                                    const TransformedKernel &kernel,
                                    const std::vector<Step> &steps,
                                    const DeviceProfile &profile) {
  if (!isPredictable(steps))
    return std::nullopt;
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

std::optional<double> predictClocks(const TransformedKernel &start,
                                    const Plan &plan,
                                    const DeviceProfile &profile,
                                    AliasMode alias) {
  if (!isPredictable(plan.steps))
    return std::nullopt;
  TransformedKernel kernel = start;
  for (const Step &step : plan.steps)
    if (applyStep(kernel, step, alias))
      return std::nullopt;
  return predictClocks(start, kernel, plan.steps, profile);
}

//===-- Judgement ---------------------------------------------------------===//

static bool hasChange(const Step &step, const std::string &name) {
  return std::any_of(
      step.changes.begin(), step.changes.end(),
      [&](const LayoutChange &change) { return change.name == name; });
}

/// Elements of a structure that come with a used one.
static int64_t broughtAlong(const KernelModel &model,
                            const LayoutProposal &proposal,
                            const DeviceProfile &profile) {
  const unsigned bytes = model.arrays[proposal.array].elementBytes;
  const unsigned piece =
      profile.spreadWorkItems ? profile.lineBytes : profile.segmentBytes;
  return std::min<int64_t>(proposal.stride,
                           std::max<int64_t>(1, piece / bytes));
}

/// Of what planes of structures seem to save, the part that is saved: elements
/// that are used, too, come with the same lines.
static double savedShare(const KernelModel &model,
                         const LayoutProposal &proposal,
                         const DeviceProfile &profile) {
  if (proposal.stride == 1)
    return 1;
  const double along =
      static_cast<double>(broughtAlong(model, proposal, profile));
  const double used = static_cast<double>(proposal.used);
  return along <= used ? 0 : (along - used) / (along - 1);
}

/// Clocks per used cell of the conversions of an array.
static double conversionClocks(const TransformedKernel &start,
                               const LayoutProposal &proposal,
                               const DeviceProfile &profile) {
  const KernelModel &model = *start.model;
  bool isRead = false, isWritten = false;
  for (const Access &access : model.accesses)
    if (access.array == proposal.array)
      (access.isWrite ? isWritten : isRead) = true;
  const double used = static_cast<double>(proposal.used);
  const bool isSplit = proposal.stride > 1 && proposal.used > 1;
  const double read = std::max(
      1.0, static_cast<double>(broughtAlong(model, proposal, profile)) / used);
  const double written =
      isSplit ? static_cast<double>(proposal.stride) / used : 1;
  const double passes = (read + written) * (isRead + isWritten);
  if (!profile.spreadWorkItems)
    return passes * profile.latency.global;
  const bool isTransposed = hasChange(proposal.step, "transpose") || isSplit;
  const unsigned bytes = model.arrays[proposal.array].elementBytes;
  return passes * (isTransposed ? transposedCopy : 1) *
         StreamModel(start, profile).streamed(bytes);
}

/// Without the number of uses.
static LayoutNeed needOf(const KernelModel &model,
                         const LayoutProposal &proposal,
                         const DeviceProfile &profile) {
  LayoutNeed need;
  std::set<unsigned> dims;
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    dims.insert(d);
  for (const Access &access : model.accesses)
    for (unsigned d = 0; access.array == proposal.array && d < 3; ++d) {
      auto id = model.symbols.find(SymbolKind::GlobalId, d);
      if (!access.offset || (id && dependsOn(model, *access.offset, *id)))
        dims.erase(d);
    }
  need.dims.assign(dims.begin(), dims.end());
  // Rows that stay rows gain by their zeros, whatever their size.
  if (profile.spreadWorkItems && !proposal.step.changes.empty())
    need.minBytes = cachedBytes;
  return need;
}

std::optional<LayoutAdvice>
judgeLayouts(const TransformedKernel &start,
             const std::vector<LayoutProposal> &proposals, double before,
             double after, const DeviceProfile &profile, double gain) {
  const KernelModel &model = *start.model;
  double saved = before - after;
  for (const LayoutProposal &proposal : proposals)
    saved = std::min(saved,
                     (before - after) * savedShare(model, proposal, profile));
  if (before - saved > gain * before || saved <= 0)
    return std::nullopt;
  TrafficModel traffic(start, profile);
  LayoutAdvice advice;
  for (const LayoutProposal &proposal : proposals) {
    double runs = 0;
    for (const Access &access : model.accesses)
      if (access.array == proposal.array)
        runs += traffic.runs(access);
    const double conversions = runs *
                               conversionClocks(start, proposal, profile) *
                               static_cast<double>(proposals.size());
    LayoutNeed need = needOf(model, proposal, profile);
    need.minUses = static_cast<int64_t>(
        std::ceil(conversions / (conversionShare * saved)));
    // Lines that only neighbours come back to are still in a CPU's cache.
    bool isForNeighbours =
        profile.spreadWorkItems || need.minUses > 1 || proposal.stride > 1;
    if (need.dims.empty() && isForNeighbours)
      return std::nullopt;
    advice.needs.push_back(std::move(need));
  }
  return advice;
}

} // namespace clopt
