//===- Coalescing.cpp - what a request of neighbouring items costs --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most addresses are polynomials that move evenly along the axis; they are
// decided without isl. What remains (divisions, remainders, clamped indices)
// is decided on isl's set of differences.
//
// Tested by test/unit/CoalescingTest.cpp, test/oracle/CoalescingOracleTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Coalescing.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/LaneDeltas.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <numeric>
#include <set>

using namespace clopt;

//===-- Verdict -----------------------------------------------------------===//

/// The flat offset as instances at the same time see it.
static std::optional<Polynomial> offsetInLockstep(const KernelModel &model,
                                                  const Access &access,
                                                  SymbolId axis) {
  if (!access.offset || access.offset->overflow)
    return std::nullopt;
  const Statement &statement = model.statements[access.statement];
  return inLockstep(model, statement, *access.offset, axis);
}

/// True when some iterator runs from an axis-dependent value: the domain then
/// speaks of other instances than those that run at the same time.
static bool isSkewedInTime(const KernelModel &model, const Statement &statement,
                           SymbolId axis) {
  return std::any_of(
      statement.loops.begin(), statement.loops.end(), [&](unsigned loop) {
        Polynomial iterator = Polynomial::symbol(model.loops[loop].iterator);
        return inLockstep(model, statement, iterator, axis) != iterator;
      });
}

static Coalescing::Verdict verdictOf(const Polynomial &stride, unsigned width) {
  if (stride.isZero())
    return Coalescing::Verdict::Broadcast;
  if (stride == Polynomial(width))
    return Coalescing::Verdict::Contiguous;
  return Coalescing::Verdict::Strided;
}

/// { [0, ..., 0, value] } in the space of `set`.
static isl::set onlyLast(const isl::set &set, int64_t value) {
  isl_set *result = isl_set_universe(isl_set_get_space(set.get()));
  const unsigned size = isl_set_dim(set.get(), isl_dim_set);
  for (unsigned dim = 0; dim < size; ++dim)
    result =
        isl_set_fix_si(result, isl_dim_set, dim, dim + 1 == size ? value : 0);
  return isl::manage(result);
}

/// The verdict from all differences between neighbours.
static Coalescing::Verdict verdictOf(const isl::set &deltas, unsigned width) {
  isl::set same = onlyLast(deltas, 0), next = onlyLast(deltas, width);
  if (deltas.is_subset(same))
    return Coalescing::Verdict::Broadcast;
  if (deltas.is_subset(next))
    return Coalescing::Verdict::Contiguous;
  if (deltas.is_subset(same.unite(next)))
    return Coalescing::Verdict::Nearby;
  return Coalescing::Verdict::Irregular;
}

/// Differences of the flat offset if that is affine, else of the subscripts.
static std::optional<isl::set>
neighbourDeltas(const KernelModel &model, const Access &access, SymbolId axis) {
  const Statement &statement = model.statements[access.statement];
  if (access.offset && !access.offset->overflow)
    if (auto flat = differences(model, statement, {*access.offset}, axis, 1))
      return flat;
  for (const Polynomial &subscript : access.subscripts)
    if (subscript.overflow)
      return std::nullopt;
  return differences(model, statement, access.subscripts, axis, 1);
}

/// Condition 4 on the last subscript, or on the offset when there is none.
static bool startsAtRow(const KernelModel &model, const Access &access) {
  const Polynomial *last = !access.subscripts.empty()
                               ? &access.subscripts.back()
                           : access.offset ? &*access.offset
                                           : nullptr;
  if (!last || last->overflow)
    return false;
  return std::none_of(
      last->terms.begin(), last->terms.end(), [&](const auto &term) {
        return std::all_of(term.first.begin(), term.first.end(),
                           [&](SymbolId symbol) {
                             return isParameter(model.symbols[symbol]);
                           });
      });
}

bool clopt::hasNeighbours(const KernelModel &model, const Statement &statement,
                          SymbolId axis) {
  return isSkewedInTime(model, statement, axis) ||
         !instancesWithNeighbour(model, statement, axis, 1).is_empty();
}

Coalescing clopt::analyzeCoalescing(const KernelModel &model,
                                    const Access &access, SymbolId axis,
                                    std::optional<bool> neighboursRun) {
  Coalescing result;
  const Statement &statement = model.statements[access.statement];
  result.startsRow = startsAtRow(model, access);
  if (!neighboursRun)
    neighboursRun = hasNeighbours(model, statement, axis);
  if (!*neighboursRun) {
    result.verdict = Coalescing::Verdict::NoNeighbours;
    return result;
  }
  if (auto offset = offsetInLockstep(model, access, axis))
    result.stride = laneStride(model, *offset, axis);
  if (result.stride) {
    result.verdict = verdictOf(*result.stride, access.width);
    return result;
  }
  if (isSkewedInTime(model, statement, axis))
    return result;
  std::optional<isl::set> deltas = neighbourDeltas(model, access, axis);
  if (!deltas)
    return result;
  result.verdict = verdictOf(*deltas, access.width);
  if (isl_set_dim(deltas->get(), isl_dim_set) != 1)
    return result;
  if (std::optional<int64_t> only = onlyElement(*deltas)) {
    result.stride = Polynomial(*only);
    result.verdict = verdictOf(*result.stride, access.width);
  }
  return result;
}

//===-- Transactions ------------------------------------------------------===//

unsigned clopt::countSegments(const std::vector<int64_t> &addresses,
                              unsigned accessBytes, unsigned segmentBytes) {
  std::set<int64_t> segments;
  for (int64_t address : addresses) {
    int64_t last =
        llvm::divideFloorSigned(address + accessBytes - 1, segmentBytes);
    for (int64_t at = llvm::divideFloorSigned(address, segmentBytes);
         at <= last; ++at)
      segments.insert(at);
  }
  return segments.size();
}

namespace {

/// One count: finds where the lanes of a group stand relative to the first,
/// and where groups start relative to segments.
class Counter {
public:
  Counter(const KernelModel &kernel, const Access &reference, SymbolId along,
          unsigned laneCount, unsigned segment)
      : model(kernel), access(reference),
        statement(kernel.statements[reference.statement]), axis(along),
        lanes(laneCount), segmentBytes(segment),
        elementBytes(kernel.arrays[reference.array].elementBytes),
        accessBytes(elementBytes * reference.width) {}

  TransactionCount run();

private:
  std::optional<std::vector<int64_t>> laneOffsets(const Polynomial &offset);
  std::set<int64_t> groupStarts(const Polynomial &offset);
  void countEvenly(const Polynomial &offset,
                   const std::vector<int64_t> &positions);
  std::vector<int64_t> bytesOf(const std::vector<int64_t> &positions,
                               int64_t start = 0) const;
  void countApart(const std::string &why);
  void inexact(const std::string &why);

  const KernelModel &model;
  const Access &access;
  const Statement &statement;
  SymbolId axis;
  unsigned lanes, segmentBytes, elementBytes, accessBytes;
  TransactionCount result;
};

} // namespace

void Counter::inexact(const std::string &why) {
  result.isExact = false;
  if (result.reason.empty())
    result.reason = why;
}

/// Elements from the first lane of a group to each of them, if that is the
/// same for all groups.
std::optional<std::vector<int64_t>>
Counter::laneOffsets(const Polynomial &offset) {
  std::optional<Polynomial> stride = laneStride(model, offset, axis);
  if (!stride) {
    if (isSkewedInTime(model, statement, axis))
      return std::nullopt;
    return laneOffsetsInGroups(model, statement, offset, axis, lanes);
  }
  std::optional<int64_t> elements = stride->asConstant();
  if (!elements || std::abs(*elements) > (int64_t(1) << 40))
    return std::nullopt;
  std::vector<int64_t> positions;
  for (unsigned lane = 0; lane < lanes; ++lane)
    positions.push_back(*elements * lane);
  return positions;
}

/// Where first lanes stand relative to a segment, in bytes. What only a
/// product of parameters decides (the pitch of a row) can be anything.
std::set<int64_t> Counter::groupStarts(const Polynomial &offset) {
  Polynomial changing;
  for (const auto &[monomial, coefficient] : offset.terms) {
    const bool isAxis = monomial == Monomial{axis};
    int64_t step = coefficient % segmentBytes * elementBytes;
    if (!monomial.empty() && step * (isAxis ? lanes : 1) % segmentBytes != 0)
      changing.terms[monomial] = coefficient;
  }
  auto constant = offset.terms.find(Monomial());
  int64_t start = 0;
  if (constant != offset.terms.end())
    start = constant->second % segmentBytes * elementBytes;
  start = ((start % segmentBytes) + segmentBytes) % segmentBytes;
  if (changing.isZero())
    return {start};
  if (!isSkewedInTime(model, statement, axis)) {
    auto exact = residuesOfGroups(model, statement, offset, axis, lanes,
                                  elementBytes, segmentBytes);
    if (exact && !exact->empty())
      return *exact;
  }
  inexact("where rows start is only known at run time");
  int64_t divisor = segmentBytes;
  for (const auto &[monomial, coefficient] : changing.terms)
    divisor = std::gcd(divisor, coefficient % segmentBytes * elementBytes);
  std::set<int64_t> starts;
  for (int64_t at = start % divisor; at < segmentBytes; at += divisor)
    starts.insert(at);
  return starts;
}

std::vector<int64_t> Counter::bytesOf(const std::vector<int64_t> &positions,
                                      int64_t start) const {
  std::vector<int64_t> addresses;
  for (int64_t position : positions)
    addresses.push_back(start + position * elementBytes);
  return addresses;
}

/// All groups look the same but for where they start.
void Counter::countEvenly(const Polynomial &offset,
                          const std::vector<int64_t> &positions) {
  result.isExact = true;
  result.ideal =
      (countSegments(bytesOf(positions), accessBytes, 1) + segmentBytes - 1) /
      segmentBytes;
  for (int64_t start : groupStarts(offset)) {
    std::vector<int64_t> addresses = bytesOf(positions, start);
    unsigned count = countSegments(addresses, accessBytes, segmentBytes);
    if (result.addresses.empty() || count < result.best) {
      result.best = count;
      result.addresses = std::move(addresses);
    }
    result.worst = std::max(result.worst, count);
  }
}

/// Every lane has segments of its own.
void Counter::countApart(const std::string &why) {
  // Addresses are multiples of the element size.
  const unsigned latestStart =
      segmentBytes > elementBytes ? segmentBytes - elementBytes : 0;
  result.best = lanes * ((accessBytes + segmentBytes - 1) / segmentBytes);
  result.worst = lanes * ((latestStart + accessBytes - 1) / segmentBytes + 1);
  inexact(why);
}

TransactionCount Counter::run() {
  result.ideal = (lanes * accessBytes + segmentBytes - 1) / segmentBytes;
  std::optional<Polynomial> offset = offsetInLockstep(model, access, axis);
  if (!offset) {
    inexact("the address is not known");
    return result;
  }
  // Requests are counted for a launch without an offset.
  for (SymbolId symbol : offset->symbols())
    if (model.symbols[symbol].kind == SymbolKind::GlobalOffset)
      offset = offset->substitute(symbol, Polynomial());
  if (auto positions = laneOffsets(*offset)) {
    countEvenly(*offset, *positions);
    return result;
  }
  if (std::optional<Polynomial> stride = laneStride(model, *offset, axis)) {
    countApart("the distance between lanes is only known at run time");
    return result;
  }
  Coalescing verdict = analyzeCoalescing(model, access, axis);
  if (verdict.verdict == Coalescing::Verdict::Nearby ||
      verdict.verdict == Coalescing::Verdict::Contiguous) {
    // At most what neighbouring cells would need.
    std::vector<int64_t> positions;
    for (unsigned lane = 0; lane < lanes; ++lane)
      positions.push_back(int64_t(lane) * access.width);
    countEvenly(*offset, positions);
    inexact("some neighbours touch the same cell");
    result.addresses.clear();
    return result;
  }
  countApart("the distance between lanes is not the same for all");
  return result;
}

TransactionCount clopt::countTransactions(const KernelModel &model,
                                          const Access &access, SymbolId axis,
                                          unsigned lanes,
                                          unsigned segmentBytes) {
  return Counter(model, access, axis, lanes, segmentBytes).run();
}
