//===- DataSpaceOracleTest.cpp - layouts against enumerated cells ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thousands of random compositions. The access U F + v of a transform is made
// forward by it, as an identity of polynomials and of matrices; and a loop
// that reads an array through the copy reads neighbouring cells with the values
// of the original, as a trace of addresses shows.
//
//===----------------------------------------------------------------------===//

#include "../unit/HandModel.h"
#include "Analysis/access/DataSpace.h"

#include <gtest/gtest.h>

#include <random>

using namespace clopt;
using Kind = LayoutPart::Kind;

namespace {

using Cell = std::vector<int64_t>;

class RandomSpaces {
public:
  explicit RandomSpaces(unsigned seed) : random(seed) {}

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  DataSpace make(bool withSplits) {
    DataSpace space(static_cast<unsigned>(pick(1, 3)));
    for (int64_t count = pick(1, 5); count > 0; --count)
      space.add(makePart(space, withSplits));
    return space;
  }

  Cell makeCell(unsigned rank) {
    Cell cell;
    for (unsigned dim = 0; dim < rank; ++dim)
      cell.push_back(pick(-20, 20));
    return cell;
  }

private:
  LayoutPart makePart(const DataSpace &space, bool withSplits) {
    LayoutPart part;
    const unsigned rank = space.rank();
    part.kind = static_cast<Kind>(pick(0, 6));
    if (part.kind == Kind::Split && !withSplits)
      part.kind = Kind::Compact;
    part.dim = static_cast<unsigned>(pick(0, rank - 1));
    part.other = static_cast<unsigned>(pick(0, rank - 1));
    bool isStride = part.kind == Kind::Compact || part.kind == Kind::Split;
    part.factor = isStride ? pick(2, 5) : pick(-4, 4);
    part.residue = isStride ? pick(0, part.factor - 1) : 0;
    if (part.kind == Kind::Matrix)
      part.matrix = makeUnimodular(rank);
    return part;
  }

  /// The unit matrix after some additions of rows.
  std::vector<int64_t> makeUnimodular(unsigned rank) {
    std::vector<int64_t> matrix(size_t(rank) * rank);
    for (unsigned row = 0; row < rank; ++row)
      matrix[row * rank + row] = pick(0, 3) ? 1 : -1;
    for (int step = 0; step < 3; ++step) {
      auto from = static_cast<unsigned>(pick(0, rank - 1));
      auto to = static_cast<unsigned>(pick(0, rank - 1));
      if (from == to)
        continue;
      int64_t factor = pick(-2, 2);
      for (unsigned column = 0; column < rank; ++column)
        matrix[to * rank + column] += factor * matrix[from * rank + column];
    }
    return matrix;
  }

  std::mt19937 random;
};

/// U t + v
Cell sourceOf(const DataSpace &space, const Cell &cell) {
  IntegerMatrix back = space.inverse();
  Cell result = space.inverseOffset();
  for (size_t row = 0; row < result.size(); ++row)
    for (size_t column = 0; column < cell.size(); ++column)
      result[row] += back[row][column] * cell[column];
  return result;
}

/// The subscripts whose copy is read at F = coordinates.
std::vector<Polynomial> accessFor(const DataSpace &space,
                                  const std::vector<SymbolId> &coordinates) {
  IntegerMatrix back = space.inverse();
  std::vector<int64_t> offset = space.inverseOffset();
  std::vector<Polynomial> result;
  for (size_t row = 0; row < offset.size(); ++row) {
    Polynomial sum(offset[row]);
    for (size_t column = 0; column < coordinates.size(); ++column)
      sum = sum + num(back[row][column]) * sym(coordinates[column]);
    result.push_back(sum);
  }
  return result;
}

/// F06.
TEST(DataSpaceOracle, TransformTakesEveryCompositionToForward) {
  RandomSpaces spaces(1);
  unsigned composed = 0;
  for (int round = 0; round < 4000; ++round) {
    DataSpace space = spaces.make(false);
    HandModel hand;
    std::vector<SymbolId> coordinates;
    for (unsigned dim = 0; dim < space.rank(); ++dim)
      coordinates.push_back(hand.iterator("i" + std::to_string(dim)));
    std::vector<Polynomial> f = accessFor(space, coordinates);
    auto forward = space.apply(f, hand.model.symbols);
    ASSERT_TRUE(forward) << space.str();
    for (size_t row = 0; row < forward->size(); ++row)
      ASSERT_EQ((*forward)[row], sym(coordinates[row])) << space.str();
    // T f + delta with f as the matrix (U v).
    RationalMatrix matrix, target = identityMatrix(space.rank());
    IntegerMatrix back = space.inverse();
    std::vector<int64_t> offset = space.inverseOffset();
    for (size_t row = 0; row < back.size(); ++row) {
      matrix.emplace_back();
      for (int64_t entry : back[row])
        matrix.back().emplace_back(Polynomial(entry));
      matrix.back().emplace_back(Polynomial(offset[row]));
    }
    matrix = multiply(space.transform(), matrix);
    std::vector<Ratio> delta = space.delta();
    for (size_t row = 0; row < target.size(); ++row) {
      target[row].emplace_back();
      matrix[row].back() = matrix[row].back() + delta[row];
    }
    ASSERT_EQ(matrix, target) << space.str();
    composed += space.list().size() > 1;
  }
  EXPECT_GT(composed, 2000u);
}

/// F06.
TEST(DataSpaceOracle, WayThereAndBack) {
  RandomSpaces spaces(2);
  unsigned kept = 0;
  for (int round = 0; round < 4000; ++round) {
    DataSpace space = spaces.make(true);
    Cell cell = spaces.makeCell(space.sourceRank());
    std::optional<Cell> moved = space.apply(cell);
    if (!moved)
      continue; // of another residue
    ++kept;
    ASSERT_EQ(sourceOf(space, *moved), cell) << space.str();
  }
  EXPECT_GT(kept, 1000u);
}

/// No two cells share a place in the copy, and isl's relation says the same.
TEST(DataSpaceOracle, RelationHoldsTheSameCells) {
  RandomSpaces spaces(3);
  std::shared_ptr<isl_ctx> context(isl_ctx_alloc(), isl_ctx_free);
  for (int round = 0; round < 300; ++round) {
    DataSpace space = spaces.make(true);
    isl::map relation(isl::ctx(context.get()), space.relation("A", "B"));
    ASSERT_TRUE(relation.is_single_valued()) << space.str();
    ASSERT_TRUE(relation.is_injective()) << space.str();
    for (int sample = 0; sample < 5; ++sample) {
      Cell cell = spaces.makeCell(space.sourceRank());
      std::optional<Cell> moved = space.apply(cell);
      auto point = [](const std::string &name, const Cell &values) {
        std::string text = "{ " + name + "[";
        for (size_t at = 0; at < values.size(); ++at)
          text += (at ? ", " : "") + std::to_string(values[at]);
        return text + "] }";
      };
      isl::set image =
          isl::set(isl::ctx(context.get()), point("A", cell)).apply(relation);
      if (!moved) {
        ASSERT_TRUE(image.is_empty()) << space.str();
        continue;
      }
      isl::set expected(isl::ctx(context.get()), point("B", *moved));
      ASSERT_TRUE(image.is_equal(expected)) << space.str();
    }
  }
}

/// A loop over the last coordinate: addresses in the copy go up by one, and
/// the values are those of the original.
TEST(DataSpaceOracle, TraceOfAddresses) {
  RandomSpaces spaces(4);
  for (int round = 0; round < 150; ++round) {
    DataSpace space = spaces.make(false);
    const unsigned rank = space.rank();
    const int64_t extent = 6;
    // The value of a cell is its subscripts, packed.
    auto valueOf = [](const Cell &cell) {
      int64_t value = 0;
      for (int64_t subscript : cell)
        value = value * 100003 + subscript;
      return value;
    };
    int64_t cells = 1;
    for (unsigned dim = 0; dim < rank; ++dim)
      cells *= extent;
    auto unflatten = [&](int64_t flat) {
      Cell cell(rank);
      for (unsigned dim = rank; dim-- > 0; flat /= extent)
        cell[dim] = flat % extent;
      return cell;
    };
    std::vector<int64_t> copy;
    for (int64_t flat = 0; flat < cells; ++flat)
      copy.push_back(valueOf(sourceOf(space, unflatten(flat))));
    int64_t previous = -1;
    for (int64_t flat = 0; flat < cells; ++flat) {
      // The original program at F: reads the cell U F + v.
      Cell original = sourceOf(space, unflatten(flat));
      std::optional<Cell> moved = space.apply(original);
      ASSERT_TRUE(moved) << space.str();
      int64_t address = 0;
      for (int64_t subscript : *moved)
        address = address * extent + subscript;
      ASSERT_EQ(address, previous + 1) << space.str();
      ASSERT_EQ(copy[address], valueOf(original)) << space.str();
      previous = address;
    }
  }
}

/// What the classifier calls compatible, with integer amounts, is undone.
TEST(DataSpaceOracle, AgreesWithTheClassifier) {
  RandomSpaces spaces(5);
  unsigned undone = 0;
  for (int round = 0; round < 2000; ++round) {
    DataSpace space = spaces.make(false);
    HandModel hand;
    std::vector<SymbolId> coordinates;
    for (unsigned dim = 0; dim < space.rank(); ++dim)
      coordinates.push_back(hand.iterator("i" + std::to_string(dim)));
    std::vector<Polynomial> extents(space.rank(), num(100000));
    extents[0] = Polynomial();
    unsigned array = hand.array("A", extents);
    hand.statement("i0 >= 0");
    std::vector<Polynomial> f = accessFor(space, coordinates);
    SymbolId axis = coordinates.back();
    Pattern pattern =
        classify(hand.model, hand.model.accesses[hand.access(array, f)], axis);
    std::optional<DataSpace> found = undoing(pattern);
    if (!found)
      continue;
    ++undone;
    auto after = found->apply(f, hand.model.symbols);
    ASSERT_TRUE(after) << space.str() << " / " << found->str();
    ASSERT_EQ(after->back(), sym(axis)) << space.str() << " / " << found->str();
    for (size_t row = 0; row + 1 < after->size(); ++row)
      ASSERT_FALSE((*after)[row].contains(axis)) << found->str();
  }
  EXPECT_GT(undone, 800u);
}

} // namespace
