//===- CoalescingOracleTest.cpp - requests against enumerated addresses ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random accesses of small kernels, with guards, divisions and remainders.
// Every instance is enumerated; verdicts and transaction counts must be those
// of the addresses.
//
//===----------------------------------------------------------------------===//

#include "../unit/HandModel.h"
#include "Analysis/access/Coalescing.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>

using namespace clopt;
using Verdict = Coalescing::Verdict;

namespace {

struct Instance {
  int64_t w = 0, k = 0;
};

struct Example {
  HandModel hand;
  SymbolId w = 0, k = 0;
  int64_t first = 0, size = 0, iterations = 0;
  int64_t guardW = 0, guardK = 0, guardConstant = 0; ///< sum >= 0 must hold
  bool isHalved = false;                             ///< only even work-items
  // offset = aw * w + ak * k + c + af * floor((w + s) / d) + am * (w mod d)
  int64_t aw = 0, ak = 0, c = 0, af = 0, am = 0, d = 1, s = 0;
  unsigned elementBytes = 4, width = 1, lanes = 8, segment = 32;

  bool runs(const Instance &at) const {
    return at.w >= first && at.w < first + size && at.k >= 0 &&
           at.k < iterations &&
           guardW * at.w + guardK * at.k + guardConstant >= 0 &&
           (!isHalved || at.w % 2 == 0);
  }
  int64_t offset(const Instance &at) const {
    auto down = [](int64_t value, int64_t by) {
      return value / by - (value % by < 0);
    };
    return aw * at.w + ak * at.k + c + af * down(at.w + s, d) +
           am * (at.w - d * down(at.w, d));
  }
  const Access &access() const { return hand.model.accesses.front(); }
};

class RequestOracle {
public:
  int pick(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }

  template <typename T> T among(std::vector<T> choices) {
    return choices[pick(0, choices.size() - 1)];
  }

  std::unique_ptr<Example> make() {
    auto example = std::make_unique<Example>();
    example->first = pick(0, 3) ? 0 : pick(0, 20);
    example->size = pick(0, 9) ? pick(20, 70) : pick(1, 3);
    example->iterations = pick(1, 6);
    if (pick(0, 2) == 0) {
      example->guardW = pick(-1, 1);
      example->guardK = pick(-2, 2);
      example->guardConstant = pick(-5, 40);
    }
    example->isHalved = pick(0, 19) == 0;
    example->aw = pick(0, 1) ? pick(0, 1) : pick(-5, 9);
    example->ak = pick(0, 1) ? 0 : pick(-40, 40);
    example->c = pick(0, 1) ? 0 : pick(-10, 300);
    if (pick(0, 3) == 0) {
      example->d = among<int64_t>({2, 3, 4, 8, 16});
      example->af = pick(0, 1) ? 1 : pick(-3, 9);
      example->s = pick(0, 1) ? 0 : pick(0, 9);
      example->am = pick(0, 1) ? 0 : pick(-2, 2);
    }
    example->elementBytes = among<unsigned>({1, 2, 4, 8});
    example->width = pick(0, 3) ? 1 : among<unsigned>({2, 3, 4});
    example->lanes = among<unsigned>({4, 8, 16, 32});
    example->segment = among<unsigned>({16, 32, 64, 128});
    build(*example);
    return example;
  }

private:
  static void build(Example &example) {
    HandModel &hand = example.hand;
    example.w = hand.globalId(0);
    example.k = hand.iterator("k");
    unsigned array = hand.array("A", {Polynomial()}, example.elementBytes);
    auto text = [](int64_t value) { return std::to_string(value); };
    hand.statement(text(example.first) + " <= w0 < " +
                   text(example.first + example.size) + " and 0 <= k < " +
                   text(example.iterations) + " and " + text(example.guardW) +
                   " * w0 + " + text(example.guardK) + " * k + " +
                   text(example.guardConstant) + " >= 0" +
                   (example.isHalved ? " and w0 mod 2 = 0" : ""));
    Polynomial offset = sym(example.w) * num(example.aw) +
                        sym(example.k) * num(example.ak) + num(example.c);
    if (example.d > 1) {
      SymbolTable &symbols = hand.model.symbols;
      offset =
          offset +
          sym(symbols.floorDiv(sym(example.w) + num(example.s), example.d)) *
              num(example.af) +
          sym(symbols.modulo(sym(example.w), example.d)) * num(example.am);
    }
    hand.access(array, {offset}, false, example.width);
  }

  std::mt19937 random{2718};
};

/// All distances between neighbours that both run.
std::set<int64_t> distances(const Example &example) {
  std::set<int64_t> result;
  for (int64_t k = 0; k < example.iterations; ++k)
    for (int64_t w = example.first; w < example.first + example.size; ++w)
      if (example.runs({w, k}) && example.runs({w + 1, k}))
        result.insert(example.offset({w + 1, k}) - example.offset({w, k}));
  return result;
}

Verdict verdictOf(const std::set<int64_t> &found, int64_t width) {
  if (found.empty())
    return Verdict::NoNeighbours;
  if (found == std::set<int64_t>{0})
    return Verdict::Broadcast;
  if (found == std::set<int64_t>{width})
    return Verdict::Contiguous;
  if (found == std::set<int64_t>{0, width})
    return Verdict::Nearby;
  return found.size() == 1 ? Verdict::Strided : Verdict::Irregular;
}

/// Segments of every request of a full group of lanes.
std::set<unsigned> requests(const Example &example) {
  std::set<unsigned> result;
  for (int64_t k = 0; k < example.iterations; ++k)
    for (int64_t q = 0; q * example.lanes < example.first + example.size; ++q) {
      std::set<int64_t> segments;
      bool isFull = true;
      for (int64_t lane = 0; lane < example.lanes; ++lane) {
        Instance at{q * example.lanes + lane, k};
        isFull &= example.runs(at);
        // Shifted so that division rounds as it does for positive addresses.
        int64_t address = example.offset(at) * example.elementBytes + (1 << 20);
        int64_t bytes = example.elementBytes * example.width;
        for (int64_t byte = address; byte < address + bytes; ++byte)
          segments.insert(byte / example.segment);
      }
      if (isFull)
        result.insert(segments.size());
    }
  return result;
}

/// F02.
TEST(CoalescingOracleTest, VerdictsAndTransactions) {
  RequestOracle oracle;
  unsigned exact = 0, bounded = 0;
  std::map<Verdict, unsigned> seen;
  for (int round = 0; round < 8000 && !testing::Test::HasFailure(); ++round) {
    auto example = oracle.make();
    SCOPED_TRACE("round " + std::to_string(round));
    const KernelModel &model = example->hand.model;
    std::set<int64_t> found = distances(*example);
    Coalescing verdict =
        analyzeCoalescing(model, example->access(), example->w);
    EXPECT_EQ(verdict.verdict, verdictOf(found, example->width));
    ++seen[verdict.verdict];
    if (found.size() == 1) {
      ASSERT_TRUE(verdict.stride);
      EXPECT_EQ(verdict.stride->asConstant(), *found.begin());
    }
    std::set<unsigned> counted = requests(*example);
    TransactionCount count = countTransactions(
        model, example->access(), example->w, example->lanes, example->segment);
    EXPECT_TRUE(count.isExact || !count.reason.empty());
    if (counted.empty())
      continue;
    if (count.isExact) {
      ++exact;
      EXPECT_EQ(count.best, *counted.begin());
      EXPECT_EQ(count.worst, *counted.rbegin());
    } else {
      ++bounded;
      EXPECT_GE(count.worst, *counted.rbegin());
    }
  }
  EXPECT_GT(exact, 1500u);
  EXPECT_LT(bounded, exact / 4);
  for (Verdict verdict :
       {Verdict::Contiguous, Verdict::Broadcast, Verdict::Nearby,
        Verdict::Strided, Verdict::Irregular, Verdict::NoNeighbours})
    EXPECT_GT(seen[verdict], 20u) << int(verdict);
}

} // namespace
