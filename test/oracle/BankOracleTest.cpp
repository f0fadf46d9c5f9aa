//===- BankOracleTest.cpp - bank conflicts against brute force ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random subscripts of a local array in groups of random shape: the addresses
// of every lane group of every iteration are computed by hand and counted bank
// by bank. The analysis must give the most turns, and say whether all lane
// groups take as many.
//
//===----------------------------------------------------------------------===//

#include "../unit/KernelTesting.h"
#include "Analysis/memory/BankConflict.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace clopt;

namespace {

struct Subscript {
  int64_t l = 0, m = 0, k = 0, constant = 0, divisor = 1;
  int64_t at(int64_t x, int64_t y, int64_t z) const {
    return (l * x + m * y + k * z + constant) / divisor;
  }
  std::string text() const {
    return "(" + std::to_string(l) + " * l + " + std::to_string(m) + " * m + " +
           std::to_string(k) + " * k + " + std::to_string(constant) + ") / " +
           std::to_string(divisor);
  }
};

class BankOracle {
public:
  void checkOne(unsigned seed);
  unsigned known = 0;

private:
  int pick(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }
  unsigned turns(const std::vector<int64_t> &cells) const;

  std::mt19937 random;
  int64_t bytes = 4;
  BankShape shape;
};

} // namespace

/// Counted in another way than the analysis does: word by word.
unsigned BankOracle::turns(const std::vector<int64_t> &cells) const {
  size_t parts = std::max<size_t>(1, bytes / shape.bytes);
  size_t together = std::max<size_t>(1, shape.laneGroup / parts);
  unsigned most = 1;
  for (size_t first = 0; first < cells.size(); first += together) {
    std::set<int64_t> words;
    for (size_t i = first; i < std::min(first + together, cells.size()); ++i)
      for (int64_t byte = 0; byte < bytes; ++byte)
        words.insert((cells[i] * bytes + byte) / shape.bytes);
    std::map<int64_t, unsigned> perBank;
    for (int64_t word : words)
      most = std::max(most, ++perBank[word % shape.banks]);
  }
  return most;
}

void BankOracle::checkOne(unsigned seed) {
  random.seed(seed);
  shape.bytes = pick(0, 2) ? 4 : 8;
  const char *const types[] = {"uchar", "short", "int", "double"};
  int type = pick(0, 3);
  bytes = int64_t(1) << type;
  shape.banks = 8u << pick(0, 2);
  shape.laneGroup = 8u << pick(0, 2);
  int64_t width = int64_t(1) << pick(2, 5), height = int64_t(1) << pick(0, 2);
  Subscript subscript;
  subscript.l = pick(0, 9);
  subscript.m = pick(0, 40);
  subscript.k = pick(0, 1) ? 0 : pick(1, 6);
  subscript.constant = pick(0, 20);
  if (pick(0, 3) == 0)
    subscript.divisor = int64_t(1) << pick(1, 3);
  LocalPadding padding;
  padding.every = pick(0, 1) ? int64_t(1) << pick(0, 5) : pick(1, 96);
  padding.count = pick(1, 3);
  bool isPadded = pick(0, 1);
  const int64_t iterations = 64;
  std::string source =
      "__kernel __attribute__((reqd_work_group_size(" + std::to_string(width) +
      ", " + std::to_string(height) + ", 1)))\nvoid f(__global int *a) {\n" +
      "  __local " + types[type] + " t[4096];\n" +
      "  int l = get_local_id(0), m = get_local_id(1);\n" +
      "  for (int k = 0; k < 64; k++) t[" + subscript.text() + "] = 1;\n}\n";
  TestedKernel tested(source);
  const KernelModel &model = *tested.model;
  const Access *access = nullptr;
  for (const Access &candidate : model.accesses)
    if (model.arrays[candidate.array].name == "t")
      access = &candidate;
  ASSERT_TRUE(access);
  BankConflict found =
      analyzeBanks(model, *access, shape, isPadded ? &padding : nullptr);
  unsigned most = 0, least = ~0u;
  int64_t items = width * height;
  for (int64_t k = 0; k < iterations; ++k)
    for (int64_t first = 0; first < items; first += shape.laneGroup) {
      std::vector<int64_t> cells;
      int64_t end = std::min<int64_t>(first + shape.laneGroup, items);
      for (int64_t i = first; i < end; ++i) {
        int64_t cell = subscript.at(i % width, i / width, k);
        cells.push_back(isPadded ? paddedIndex(padding, cell) : cell);
      }
      most = std::max(most, turns(cells));
      least = std::min(least, turns(cells));
    }
  if (found.kind != BankConflict::Kind::Known)
    return;
  ++known;
  EXPECT_EQ(found.degree, most) << "seed " << seed << "\n" << source;
  EXPECT_EQ(found.isExact, least == most) << "seed " << seed << "\n" << source;
}

TEST(BankOracleTest, CountsAgree) {
  BankOracle oracle;
  const unsigned count = 300;
  for (unsigned seed = 0; seed < count && !testing::Test::HasFailure(); ++seed)
    oracle.checkOne(seed);
  EXPECT_GT(oracle.known, count / 2);
}
