//===- MapNest.cpp - plans in which a nest becomes blocks of pairs --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   int x = get_global_id(0);
//   for (int y = x; y < m; y++)
//     for (int k = 0; k < n; k++)
//       sum += a[k * m + x] * a[k * m + y];
//
// Counted is what a pair (x, y) issues in an iteration of k: operations, loads
// of neighbouring cells or of one address for all lanes. As it is every pair
// loads both operands, and each sum waits for the one before. Where y is a
// dimension, lanes run along x or y, and a work-item takes several pairs along
// the other: they share the operand that does not move along it, and their sums
// wait for none of the others. In triangles the pairs are evenly spread, too.
//
// Tested by test/unit/MapNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/MapNest.h"

#include "Analysis/access/AccessPattern.h"
#include "Planning/search/PlannerImpl.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace clopt {

/// How many times less has to be issued.
static constexpr double enoughGain = 1.25;
/// Pairs of a work-item, and words of sums: within 64 registers, which groups
/// of 1,024 work-items need on devices with 65,536 of them.
static constexpr unsigned maxPairs = 8, maxWords = 8;
/// Operations that a work-item takes to find its next pairs, with their
/// borders; how many times that is to be saved.
static constexpr double costOfNext = 64, enoughOfNext = 2;
/// Iterations of a sum below which nothing is saved.
static constexpr int64_t minIterations = 4;
/// Work-items of a launch below which it keeps the loops of its own.
static constexpr int64_t minItems = 256;

namespace {

/// What a read of the sums moves along.
struct Operand {
  const Access *access = nullptr;
  bool byItem = false, byLoop = false;
};

class NestPlanner {
public:
  NestPlanner(const TransformedKernel &transformed,
              const DeviceProfile &deviceProfile, AliasMode aliasMode,
              SymbolId itemId)
      : start(transformed), model(*transformed.model), profile(deviceProfile),
        alias(aliasMode), item(itemId) {}
  std::optional<Plan> planLoop(unsigned loop);

private:
  std::optional<unsigned> innermostIn(unsigned loop) const;
  bool collect(unsigned loop, unsigned inner);
  bool collectAccess(const Access &access, SymbolId outer, SymbolId counter);
  double costAlong(const Operand &operand, SymbolId lane) const;
  double costOfPair(SymbolId lane, unsigned itemPairs,
                    unsigned loopPairs) const;
  bool laneJumps(SymbolId lane) const;
  std::optional<Plan> stepsFor(unsigned loop, unsigned inner, bool isFast,
                               unsigned pairs, int64_t fewest) const;

  const TransformedKernel &start;
  const KernelModel &model;
  const DeviceProfile &profile;
  AliasMode alias;
  SymbolId item;
  std::vector<Operand> operands;
  std::set<unsigned> sums; ///< arrays and variables that a sum is kept in
  unsigned words = 0;      ///< registers of the sums of a pair
  double operations = 0;
};

} // namespace

/// The only loop in the loop that has none inside.
std::optional<unsigned> NestPlanner::innermostIn(unsigned loop) const {
  std::optional<unsigned> result;
  for (unsigned inner : loopsBelow(*findLoop(start.tree, loop))) {
    if (inner == loop || loopsBelow(*findLoop(start.tree, inner)).size() > 1)
      continue;
    if (result)
      return std::nullopt;
    result = inner;
  }
  return result;
}

/// False when the access keeps the nest from being one of sums.
bool NestPlanner::collectAccess(const Access &access, SymbolId outer,
                                SymbolId counter) {
  const Array &array = model.arrays[access.array];
  if (!access.offset)
    return false;
  const bool moves = dependsOn(model, *access.offset, counter);
  if (array.space == AddressSpace::Local)
    return false;
  if (access.isWrite && !moves)
    sums.insert(access.array);
  if (access.isWrite || array.space == AddressSpace::Private)
    return !moves;
  if (!moves)
    return true;
  Operand operand;
  operand.access = &access;
  operand.byItem = dependsOn(model, *access.offset, item);
  operand.byLoop = dependsOn(model, *access.offset, outer);
  auto isSame = [&](const Operand &known) {
    return known.access->array == access.array &&
           *known.access->offset == *access.offset;
  };
  if (std::none_of(operands.begin(), operands.end(), isSame))
    operands.push_back(operand);
  return true;
}

bool NestPlanner::collect(unsigned loop, unsigned inner) {
  operands.clear();
  sums.clear();
  operations = 0;
  std::set<const Variable *> temporary; // what an iteration declares
  for (unsigned index : statementsBelow(*findLoop(start.tree, inner))) {
    const Statement &statement = model.statements[index];
    if (statement.isCompound || statement.isOpaque || statement.isBarrier)
      return false;
    if (statement.stmt && statement.stmt->expr)
      operations += operationsIn(*statement.stmt->expr);
    if (statement.stmt && statement.stmt->kind == StmtKind::Decl)
      temporary.insert(statement.stmt->var);
    for (unsigned id : statement.accesses)
      if (!collectAccess(model.accesses[id], model.loops[loop].iterator,
                         model.loops[inner].iterator))
        return false;
  }
  for (auto sum = sums.begin(); sum != sums.end();)
    sum = temporary.count(model.arrays[*sum].var) ? sums.erase(sum)
                                                  : std::next(sum);
  words = 0;
  for (unsigned sum : sums)
    words += std::max(1u, model.arrays[sum].elementBytes / 4);
  auto isOwn = [](const Operand &operand) {
    return operand.byItem && !operand.byLoop;
  };
  auto isOther = [](const Operand &operand) {
    return operand.byLoop && !operand.byItem;
  };
  return words > 0 && std::any_of(operands.begin(), operands.end(), isOwn) &&
         std::any_of(operands.begin(), operands.end(), isOther);
}

/// What the lanes' loads of the operand cost each of them.
double NestPlanner::costAlong(const Operand &operand, SymbolId lane) const {
  const Access &access = *operand.access;
  std::optional<Polynomial> stride = laneStride(model, *access.offset, lane, 1);
  if (stride && stride->isZero())
    return uniformLoadCost;
  std::optional<int64_t> cells = stride ? stride->asConstant() : std::nullopt;
  if (!cells)
    return loadCost * profile.segmentBytes /
           model.arrays[access.array].elementBytes;
  return loadCost * std::max<int64_t>(1, std::llabs(*cells));
}

/// What a work-item with so many pairs issues for each of them.
double NestPlanner::costOfPair(SymbolId lane, unsigned itemPairs,
                               unsigned loopPairs) const {
  double cost = operations;
  for (const Operand &operand : operands)
    cost += costAlong(operand, lane) / ((operand.byItem ? 1 : itemPairs) *
                                        (operand.byLoop ? 1 : loopPairs));
  return cost;
}

/// True when neighbours would read cells of which little else is used.
bool NestPlanner::laneJumps(SymbolId lane) const {
  return std::any_of(operands.begin(), operands.end(),
                     [&](const Operand &operand) {
                       return costAlong(operand, lane) > loadCost;
                     });
}

std::optional<Plan> NestPlanner::stepsFor(unsigned loop, unsigned inner,
                                          bool isFast, unsigned pairs,
                                          int64_t fewest) const {
  const std::string &name = model.loops[loop].name;
  std::vector<Step> needed, useful;
  for (unsigned array : sums)
    if (model.arrays[array].space != AddressSpace::Private)
      needed.push_back(makeStep("privatize", model.arrays[array].name));
  needed.push_back(makeStep("map", name));
  if (!isFast)
    needed.back().flags.push_back("slow");
  needed.push_back(
      makeStep("coarsen", isFast ? axisName(model, 0) : name, pairs));
  if (!constantTripCount(start, inner))
    useful.push_back(makeStep("require", model.loops[inner].name, fewest));
  Step least;
  least.name = "require";
  least.parameters.emplace_back("items", minItems);
  // Neighbours work along rows: less than a request of them has no gain. (H100,
  // groups of one work-item: 0.4 to 0.7.)
  least.parameters.emplace_back("group", profile.lanes);
  if (profile.computeUnits > 1)
    useful.push_back(least);
  TransformedKernel kernel = start;
  Plan plan;
  for (const Step &step : needed) {
    if (applyStep(kernel, step, alias))
      return std::nullopt;
    plan.steps.push_back(step);
  }
  for (const Step &step : useful)
    if (!applyStep(kernel, step, alias))
      plan.steps.push_back(step);
  return plan;
}

std::optional<Plan> NestPlanner::planLoop(unsigned loop) {
  std::optional<unsigned> inner = innermostIn(loop);
  if (!inner || !collect(loop, *inner))
    return std::nullopt;
  unsigned pairs = maxPairs;
  while (pairs > 1 && pairs * words > maxWords)
    pairs /= 2;
  const SymbolId other = model.loops[loop].iterator;
  const double fast = costOfPair(other, pairs, 1);
  const double slow = costOfPair(item, 1, pairs);
  const bool isFast = fast <= slow;
  const double before = costOfPair(item, 1, 1);
  if (pairs < 2 || before < enoughGain * std::min(fast, slow) ||
      laneJumps(isFast ? other : item))
    return std::nullopt;
  const double saved = pairs * (before - std::min(fast, slow));
  const int64_t fewest = std::max(
      minIterations,
      static_cast<int64_t>(std::ceil(enoughOfNext * costOfNext / saved)));
  std::optional<int64_t> trips = constantTripCount(start, *inner);
  if (trips && *trips < fewest)
    return std::nullopt;
  return stepsFor(loop, *inner, isFast, pairs, fewest);
}

std::optional<Plan> planMappedNest(const TransformedKernel &start,
                                   const DeviceProfile &profile,
                                   AliasMode alias) {
  const KernelModel &model = *start.model;
  std::optional<SymbolId> item = model.symbols.find(SymbolKind::GlobalId, 0);
  bool combines = !profile.vectorizeComputation && !profile.spreadWorkItems;
  if (!combines || !item || model.ndrange.rank != 1 || model.ndrange.split[0])
    return std::nullopt;
  NestPlanner planner(start, profile, alias, *item);
  for (unsigned loop : loopsBelow(start.tree))
    if (std::optional<Plan> plan = planner.planLoop(loop))
      return plan;
  return std::nullopt;
}

} // namespace clopt
