//===- MovedTilesTest.cpp - tiles at the ends, against enumeration --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For all small launches: a tile that is moved has all its ids, and together
// with its own ids loses none that does something.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/MovedTiles.h"

#include "AstEvaluation.h"
#include "KernelTesting.h"

using namespace clopt;

static LoweredKernel lowered(const TestedKernel &tested) {
  LoweringError error;
  std::optional<LoweredKernel> result = lower(tested.kernel, error);
  EXPECT_TRUE(result) << error.message;
  return result ? std::move(*result) : LoweredKernel();
}

static const char *const plane =
    "int x = get_global_id(0), y = get_global_id(1);\n";
static const char *const row =
    "{ float t = 0; for (int k = 0; k < 9; k++) t += a[k * 64 + x];\n"
    "  r[y * 64 + x] = t; }";

namespace {

/// The tiles of a kernel over x and y, of which ids [least, end) do something.
class Tiles {
public:
  using Bound = int (*)(int n);

  Tiles(const std::string &guard, const std::string &steps, Bound minId,
        Bound endId)
      : tested(kernelOf(plane + guard + row)), least(minId), end(endId) {
    EXPECT_EQ(tested.apply(steps).message, "") << steps;
    kernel = lowered(tested);
    if (kernel.asked) {
      isl_ast_build *build = isl_ast_build_from_context(
          isl_set_universe(isl_set_get_space(kernel.asked->get())));
      asked =
          isl::manage(isl_ast_build_expr_from_set(build, kernel.asked->copy()));
      isl_ast_build_free(build);
    }
  }

  /// Checks tiles along x, those along y being whole.
  void check() {
    ASSERT_FALSE(kernel.moves.empty());
    ASSERT_EQ(kernel.owned.statements.size() + kernel.owned.copies.size(), 1u);
    dims = workCoordinates(*tested.model);
    size_t along = dims[0] == 0 ? 0 : 1;
    ASSERT_TRUE(kernel.moves[along]);
    for (int offset : {0, 3})
      for (int width = 1; width <= 40; ++width)
        for (int n = 0; n <= 40; ++n)
          for (int first = offset; first < offset + width; first += ids(0))
            checkTile(along, offset, width, n, first);
    EXPECT_GT(moved, 0u) << "no tile is moved";
    EXPECT_GT(kept, 0u) << "every tile is moved";
  }

private:
  int ids(unsigned dim) const {
    const WorkDimension &work = tested.kernel.work[dim];
    return static_cast<int>(std::max(work.groupIds, work.total()));
  }

  void checkTile(size_t along, int offset, int width, int n, int first) {
    Values values;
    values["n"] = n;
    for (SymbolId id = 0; id < tested.model->symbols.size(); ++id)
      if (tested.model->symbols[id].kind == SymbolKind::GlobalOffset)
        values[tested.model->symbols.name(id)] =
            tested.model->symbols[id].dim == 0 ? offset : 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      bool isAlong = i == along;
      values[kernel.endNames[i]] = isAlong ? offset + width : 64;
      values[kernel.baseNames[i]] = isAlong ? first : 0;
      values[kernel.extentNames[i]] = ids(dims[i]);
    }
    if (asked && !evaluate(*asked, values))
      return; // The launch keeps the author's body.
    const TileMove &move = *kernel.moves[along];
    int64_t begin = first;
    if (move.least)
      begin = std::max(begin, evaluate(*move.least, values));
    begin = std::min(begin, evaluate(move.greatest, values));
    values[kernel.baseNames[along]] = begin;
    // As the text asks.
    int size = ids(0);
    if (!evaluate(*kernel.movable, values) || first - begin >= size ||
        begin - first >= size) {
      ++kept;
      return;
    }
    moved += begin != first;
    int from = std::max(offset, least(n)),
        to = std::min(offset + width, end(n));
    EXPECT_GE(begin, from) << width << " " << n << " " << first;
    EXPECT_LE(begin + size, to) << width << " " << n << " " << first;
    for (int x = std::max(first, from); x < std::min(first + size, to); ++x)
      EXPECT_TRUE(x >= begin && x < begin + size)
          << x << " of " << first << " is lost at " << begin;
  }

  TestedKernel tested;
  LoweredKernel kernel;
  std::optional<isl::ast_expr> asked; ///< of the launch
  std::vector<unsigned> dims;
  Bound least, end;
  unsigned moved = 0, kept = 0;
};

} // namespace

static int any(int) { return -1000; }
static int all(int) { return 1000; }

TEST(MovedTilesTest, KeepAllIdsThatRun) {
  for (const char *steps :
       {"coarsen x:4", "coarsen x:4 y:2", "vectorize x:4", "tile x:8 y:4",
        "coarsen x:2 y:2\ntile x:8 y:4", "vectorize x:2\ntile x:8 y:4"}) {
    Tiles("", steps, any, all).check();
    Tiles("if (x < n) ", steps, any, [](int n) { return n; }).check();
    Tiles(
        "if (x >= 2 && x < n - 1) ", steps, [](int) { return 2; },
        [](int n) { return n - 1; })
        .check();
    if (HasFailure()) {
      ADD_FAILURE() << steps;
      return;
    }
  }
}

/// Whether tiles of the kernel may be moved.
static bool moves(const std::string &body, const std::string &steps) {
  TestedKernel tested(kernelOf(plane + body));
  EXPECT_EQ(tested.apply(steps).message, "") << steps;
  return !lowered(tested).moves.empty();
}

TEST(MovedTilesTest, StayWhereIdsBesideThemRun) {
  // What the last ids do instead is in the general version only.
  EXPECT_FALSE(
      moves("if (x < n) " + std::string(row) + " else r[y * 64 + x] = 1;",
            "coarsen x:4"));
  // The ends of rows differ, and beyond them there is nothing to read.
  EXPECT_TRUE(moves("if (x + y < n) " + std::string(row), "tile x:8 y:4"));
  EXPECT_FALSE(
      moves("if (x + y < n) { float t = 0;\n"
            "for (int k = 0; k < 9; k++) t += s[(n - x - y) * 64 + k];\n"
            "r[y * 64 + x] = t; }",
            "tile x:8 y:4"));
}

TEST(MovedTilesTest, StayWhereValuesDecide) {
  const std::string sum = "for (int k = 0; k < 9; k++) t += ";
  const std::string end = "; r[y * 64 + x] = t;";
  const std::string begin = "float t = 0;\n";
  auto isMoved = [&](const std::string &term) {
    return moves(begin + sum + term + end, "coarsen x:4");
  };
  EXPECT_TRUE(isMoved("s[k * 64 + x]"));
  // r is written by the neighbour while this reads it.
  EXPECT_FALSE(isMoved("r[y * 64 + x]"));
  EXPECT_FALSE(isMoved("r[y * 64 + x] * p[(int)r[y * 64 + x]]"));
  EXPECT_FALSE(isMoved("r[y * 64 + x] * (7 / (int)r[y * 64 + x])"));
  EXPECT_FALSE(isMoved("r[y * 64 + x] > 0 ? p[k] : 1"));
  // p is never written, and r and p do not overlap.
  EXPECT_TRUE(isMoved("(float)p[p[k]]"));
  EXPECT_TRUE(isMoved("(float)(7 / p[k])"));
}

TEST(MovedTilesTest, StayWhereOrderIsSeen) {
  const std::string loop =
      "float t = 0;\nfor (int k = 0; k < 9; k++) t += s[k * 64 + x];\n";
  EXPECT_TRUE(moves(loop + "r[y * 64 + x] = t;", "coarsen x:4"));
  // The count that goes on inside the store would not go on for neighbours.
  EXPECT_FALSE(moves(loop + "int c = 0; r[y * 64 + x + c++] = t; s[c] = t;",
                     "coarsen y:2"));
}

TEST(MovedTilesTest, StayWhereVectorsAreAligned) {
  TestedKernel tested(kernelOf(plane + std::string(row)));
  ASSERT_EQ(tested.apply("vectorize x:4").message, "");
  EXPECT_FALSE(lowered(tested).moves.empty());
  tested.kernel.alignedArrays.insert(tested.array("r"));
  EXPECT_TRUE(lowered(tested).moves.empty());
}

TEST(MovedTilesTest, OwnWorkIsWhatIsStored) {
  TestedKernel tested(
      kernelOf(plane + std::string("for (int k = 0; k < 9; k++)\n"
                                   "  r[y * 64 + x] += s[k * 64 + x];")));
  ASSERT_EQ(tested.apply("privatize r\ncoarsen x:4").message, "");
  std::optional<OwnedWork> owned = findOwnedWork(tested.kernel);
  ASSERT_TRUE(owned);
  EXPECT_TRUE(owned->statements.empty());
  EXPECT_EQ(owned->copies.size(), 2u) << "r is loaded and stored";
}
