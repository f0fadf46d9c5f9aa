//===- MaskedPointsTest.cpp - boxes and masks, against enumeration --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/MaskedPoints.h"

#include "Emit/lower/Lowering.h"
#include "KernelTesting.h"

#include <isl/set.h>

using namespace clopt;

namespace {

/// What is masked of a kernel over x and y in tiles.
class Masked {
public:
  explicit Masked(const std::string &body,
                  const std::string &steps = "coarsen y:2\ntile x:8 y:4",
                  const std::string &before = "")
      : tested(kernelOf("int x = get_global_id(0), y = get_global_id(1);\n" +
                        body)) {
    EXPECT_EQ(tested.apply(before + steps).message, "") << body;
    masked = findMaskedPoints(tested.kernel);
  }

  bool any() const { return !masked.boxes.empty(); }

  /// The key of the statement whose text begins so, -1 and less for copies.
  int key(const std::string &text) const {
    for (unsigned s = 0; s < tested.model->statements.size(); ++s) {
      const Statement &statement = tested.model->statements[s];
      const std::string &source = tested.parsed.unit->text;
      if (statement.stmt && statement.stmt->range.begin >= 0 &&
          source.compare(static_cast<size_t>(statement.stmt->range.begin),
                         text.size(), text) == 0)
        return static_cast<int>(s);
    }
    ADD_FAILURE() << text;
    return 0;
  }

  bool isMasked(int key) const { return masked.masks.count(key) != 0; }
  bool isComputed(int key) const {
    return masked.boxes.count(key) && !isMasked(key);
  }

  /// True where the set has (x, y, others at 0) for n = 9 in a launch of
  /// 12 x 12 ids.
  bool has(const isl::set &set, int x, int y) const {
    isl_set *own = set.copy();
    const std::vector<unsigned> dims = workCoordinates(*tested.model);
    const auto count = static_cast<unsigned>(isl_set_dim(own, isl_dim_set));
    for (unsigned d = 0; d < count; ++d)
      own = isl_set_fix_si(own, isl_dim_set, d,
                           d >= dims.size() ? 0
                           : dims[d] == 0   ? x
                                            : y);
    for (SymbolId id = 0; id < tested.model->symbols.size(); ++id) {
      const Symbol &symbol = tested.model->symbols[id];
      const int place =
          isl_set_find_dim_by_name(own, isl_dim_param, symbol.name.c_str());
      if (place < 0)
        continue;
      const int value = symbol.kind == SymbolKind::GlobalSize     ? 12
                        : symbol.kind == SymbolKind::GlobalOffset ? 0
                                                                  : 9;
      own = isl_set_fix_si(own, isl_dim_param, static_cast<unsigned>(place),
                           value);
    }
    return !isl::manage(own).is_empty();
  }

  TestedKernel tested;
  MaskedPoints masked;
};

} // namespace

static const std::string terms =
    "for (int k = 0; k < m; k++) t += s[x * m + k] * s[y * m + k];\n";
static const std::string triangle =
    "if (x <= y && y < n) { float t = 0;\n" + terms + "r[y * n + x] = t; }";

TEST(MaskedPointsTest, SumsAreComputedAndStoresMasked) {
  const Masked own(triangle);
  const int sum = own.key("t +="), store = own.key("r[");
  EXPECT_TRUE(own.isComputed(own.key("float t")));
  EXPECT_TRUE(own.isComputed(sum));
  ASSERT_TRUE(own.isMasked(store));
  for (int x = 0; x < 12; ++x)
    for (int y = 0; y < 12; ++y) {
      const bool isInBox = x < 9 && y < 9;
      EXPECT_EQ(own.has(own.masked.boxes.at(sum), x, y), isInBox)
          << x << " " << y;
      EXPECT_EQ(own.has(own.masked.boxes.at(store), x, y), isInBox);
      if (isInBox)
        EXPECT_EQ(own.has(own.masked.masks.at(store), x, y), x <= y)
            << x << " " << y;
    }
}

TEST(MaskedPointsTest, RectanglesHaveNoMasks) {
  EXPECT_FALSE(Masked("if (x < n && y < n) { float t = 0;\n" + terms +
                      "r[y * n + x] = t; }")
                   .any());
  // Only groups have tiles so large that the border decides.
  EXPECT_FALSE(Masked(triangle, "coarsen y:2").any());
}

TEST(MaskedPointsTest, OneBoxForAll) {
  const Masked own(
      "if (x < y && y < n) { float t = 0;\n" + terms +
      "r[y * n + x] = t; } else if (x == y && y < n) r[y * n + x] = 1;");
  for (const char *text : {"t +=", "r[y * n + x] = t", "r[y * n + x] = 1"})
    for (int x = 0; x < 12; ++x)
      for (int y = 0; y < 12; ++y)
        EXPECT_EQ(own.has(own.masked.boxes.at(own.key(text)), x, y),
                  x < 9 && y < 9)
            << text << " " << x << " " << y;
}

TEST(MaskedPointsTest, NobodyReadsWhatIsComputedForOthers) {
  const std::string sum = "float t = 0;\nif (x <= y) {\n" + terms + "}\n";
  const std::string store = "r[y * n + x] = t;";
  // All ids store the sum: that of the others is zero.
  EXPECT_FALSE(Masked(sum + store).any());
  // Unless they set it again.
  const Masked again(sum + "else t = -1;\n" + store);
  EXPECT_TRUE(again.isComputed(again.key("t +=")));
  EXPECT_TRUE(again.isMasked(again.key("t = -1")));
  // Half of them do.
  EXPECT_FALSE(Masked(sum + "else if (x > 2 * y) t = -1;\n" + store).any());
  // What it is made of is the sum.
  EXPECT_FALSE(Masked(sum + "else t = t - 1;\n" + store).any());
}

TEST(MaskedPointsTest, ReadsStayWithinArrays) {
  // No row below zero.
  EXPECT_FALSE(Masked("if (x <= y && y < n) { float t = 0;\n"
                      "for (int k = 0; k < m; k++) t += s[(y - x) * m + k];\n"
                      "r[y * n + x] = t; }")
                   .any());
  // Cells between others need not be read by anybody.
  EXPECT_TRUE(Masked("if (x <= y && y < n) { float t = 0;\n"
                     "for (int k = 0; k < m; k++) t += s[y * n + x];\n"
                     "r[y * n + x] = t; }")
                  .any());
}

/// A section is filled for all ids of the box, whatever its statement does.
TEST(MaskedPointsTest, SectionsOfMaskedStatementsAreFilledForAll) {
  const std::string begin =
      "if (x + y < n) for (int k = 0; k < m; k++) r[y * n + x] += ";
  const std::string steps = "tile x:8 y:4\ntile k:4\nstage s";
  EXPECT_TRUE(Masked(begin + "s[x * m + k];", steps).any());
  // Without lines where x + y = n.
  EXPECT_FALSE(Masked(begin + "s[(x + y) * m + k];", steps).any());
}

TEST(MaskedPointsTest, ReadsOfWrittenCellsAreMasked) {
  const std::string rest = "t += s[y * m + k];\n";
  const Masked before("if (x <= y && y < n) { float t = r[y * n + x];\n"
                      "for (int k = 0; k < m; k++) " +
                      rest + "r[y * n + x] = t; }");
  EXPECT_TRUE(before.isComputed(before.key("float t")))
      << "nobody writes above the diagonal";
  const Masked both("if (x <= y && y < n) { float t = r[y * n + x];\n"
                    "for (int k = 0; k < m; k++) " +
                    rest + "r[y * n + x] = t; r[x * n + y] = t; }");
  EXPECT_TRUE(both.isMasked(both.key("float t")));
  const Masked registers("if (x <= y && y < n)\n"
                         "for (int k = 0; k < m; k++)\n"
                         "  r[y * n + x] += s[y * m + k];\n",
                         "coarsen y:2\ntile x:8 y:4", "privatize r\n");
  ASSERT_EQ(registers.tested.kernel.copies.size(), 2u);
  for (unsigned c = 0; c < 2; ++c)
    EXPECT_EQ(registers.isMasked(copyKey(c)),
              !registers.tested.kernel.copies[c].isIn);
}

TEST(MaskedPointsTest, IterationsOfOneIdAreItsOwn) {
  // For an id that has work some iterations are missing.
  EXPECT_FALSE(Masked("if (x <= y && y < n) { float t = 0;\n"
                      "for (int k = 0; k <= x; k++) if (k + x <= y)\n"
                      "  t += s[x * m + k];\n"
                      "r[y * n + x] = t; }")
                   .any());
}

TEST(MaskedPointsTest, NothingStopsTheProgram) {
  EXPECT_FALSE(Masked("if (x <= y && y < n) { float t = 0;\n"
                      "for (int k = 0; k < m; k++) t += 7 / p[x * m + k];\n"
                      "r[y * n + x] = t; }")
                   .any());
}
