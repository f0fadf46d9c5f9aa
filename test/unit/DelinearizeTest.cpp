//===- DelinearizeTest.cpp - shapes behind flat subscripts ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Delinearize.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

class DelinearizeTest : public testing::Test {
protected:
  DelinearizeTest() {
    for (const char *name : {"i", "j", "k"})
      add(name, SymbolKind::Iterator);
    for (const char *name : {"n", "m"})
      add(name, SymbolKind::Param);
    add("w0", SymbolKind::GlobalId);
    add("go0", SymbolKind::GlobalOffset);
    add("ls0", SymbolKind::LocalSize);
  }

  void add(const std::string &name, SymbolKind kind) {
    Symbol symbol;
    symbol.kind = kind;
    symbol.name = name;
    symbols.add(symbol);
  }

  std::string text(const Polynomial &poly) const {
    return poly.str([&](SymbolId id) { return symbols.name(id); });
  }

  /// The strides of the first proposal, and the subscripts of each offset.
  std::string best(const std::vector<Polynomial> &offsets) const {
    ArrayShape shape = proposeShapes(symbols, offsets).front();
    std::string result;
    for (const Polynomial &stride : shape.strides)
      result += (result.empty() ? "" : ", ") + text(stride);
    for (const Polynomial &offset : offsets) {
      result += " |";
      Polynomial sum;
      std::vector<Polynomial> subscripts = shape.subscripts(offset);
      for (size_t dim = 0; dim < subscripts.size(); ++dim) {
        result += " [" + text(subscripts[dim]) + "]";
        sum = sum + subscripts[dim] * shape.strides[dim];
      }
      EXPECT_EQ(sum, offset);
    }
    return result;
  }

  SymbolTable symbols;
  Polynomial i = Polynomial::symbol(0), j = Polynomial::symbol(1),
             k = Polynomial::symbol(2), n = Polynomial::symbol(3),
             m = Polynomial::symbol(4), w0 = Polynomial::symbol(5),
             go0 = Polynomial::symbol(6), ls0 = Polynomial::symbol(7),
             one = Polynomial(1);
};

TEST_F(DelinearizeTest, OffsetsOfLaunchesAreNoExtents) {
  // A row, and columns of n: not planes of go0 * n.
  EXPECT_EQ(best({(i + go0) * n + j}), "n, 1 | [i + go0] [j]");
}

TEST_F(DelinearizeTest, NoLaunchFitsARowOfOneGroup) {
  EXPECT_EQ(best({i * ls0 + j}), "ls0, 1 | [i] [j]");
  EXPECT_EQ(best({i * ls0 + j, w0}), "1 | [i*ls0 + j] | [w0]");
}

TEST_F(DelinearizeTest, RowMajor) {
  EXPECT_EQ(best({i * n + j, i * n + j + one}), "n, 1 | [i] [j] | [i] [j + 1]");
}

TEST_F(DelinearizeTest, Stencil) {
  EXPECT_EQ(best({(i - one) * n + (j + one)}), "n, 1 | [i - 1] [j + 1]");
}

TEST_F(DelinearizeTest, ThreeDimensions) {
  EXPECT_EQ(best({i * (n * m) + j * m + k}), "n*m, m, 1 | [i] [j] [k]");
}

TEST_F(DelinearizeTest, FixedPlane) {
  EXPECT_EQ(best({n * n + i * n + j, i * n + j}),
            "n*n, n, 1 | [1] [i] [j] | [0] [i] [j]");
}

/// Rows counted from the m-th are no planes.
TEST_F(DelinearizeTest, RowsFromAParameterOn) {
  EXPECT_EQ(best({(i - m) * n + j}), "n, 1 | [i - m] [j]");
}

TEST_F(DelinearizeTest, PolynomialPitch) {
  Polynomial pitch = n + Polynomial(15);
  EXPECT_EQ(best({(i + k) * pitch + j}), "n + 15, 1 | [i + k] [j]");
}

TEST_F(DelinearizeTest, SkewedForm) {
  EXPECT_EQ(best({n * (i + one + k) + k}), "n, 1 | [i + k + 1] [k]");
}

TEST_F(DelinearizeTest, ConstantStride) {
  EXPECT_EQ(best({i * Polynomial(3) + j + Polynomial(4)}),
            "3, 1 | [i + 1] [j + 1]");
}

TEST_F(DelinearizeTest, ParametricAndConstantStride) {
  EXPECT_EQ(best({(i * n + j) * Polynomial(3) + k}), "3*n, 3, 1 | [i] [j] [k]");
}

TEST_F(DelinearizeTest, SharedContentBelongsToTheStride) {
  Polynomial two(2);
  EXPECT_EQ(best({i * n * two + j}), "2*n, 1 | [i] [j]");
  // A row at n shows that rows have n elements.
  EXPECT_EQ(best({i * n * two + j, i * n * two + n + j}),
            "n, 1 | [2*i] [j] | [2*i + 1] [j]");
}

TEST_F(DelinearizeTest, TheFlatShapeIsTheLastProposal) {
  std::vector<ArrayShape> shapes = proposeShapes(symbols, {i * n + j * m});
  ASSERT_FALSE(shapes.empty());
  EXPECT_EQ(shapes.back().strides, std::vector<Polynomial>{one});
  EXPECT_EQ(shapes.back().subscripts(i * n + j * m).front(), i * n + j * m);
}

TEST_F(DelinearizeTest, Extents) {
  ArrayShape shape{{n * m, m, one}};
  std::vector<Polynomial> extents = shape.extents();
  ASSERT_EQ(extents.size(), 3u);
  EXPECT_TRUE(extents[0].isZero());
  EXPECT_EQ(extents[1], n);
  EXPECT_EQ(extents[2], m);
}

} // namespace
