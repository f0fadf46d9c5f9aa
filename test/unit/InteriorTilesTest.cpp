//===- InteriorTilesTest.cpp - the fast version away from borders ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/InteriorTiles.h"

#include "Emit/lower/TileDomains.h"
#include "KernelTesting.h"

#include <isl/set.h>

using namespace clopt;

static const char *const wrapped =
    "int x = get_global_id(0);\nif (x >= n) return;\nfloat t = 0;\n"
    "for (int i = -2; i <= 2; i++) {\n"
    "  int xx = x + i;\n  if (xx < 0) xx += n;\n  if (xx >= n) xx -= n;\n"
    "  t += a[xx]; }\nr[x] = t;";

TEST(InteriorTilesTest, BorderStatementsAreDead) {
  TestedKernel tested(kernelOf(wrapped));
  ASSERT_EQ(tested.apply("select a\nvectorize x:4").message, "");
  TileDomains tiles = computeTileDomains(tested.kernel);
  EXPECT_EQ(tiles.selections, tested.kernel.selections);
  EXPECT_EQ(tiles.dead.size(), 2u); // the two assignments
  InteriorKernel interior(tested.kernel, tiles.dead);
  EXPECT_EQ(statementsBelow(interior.kernel().tree).size() + 2,
            statementsBelow(tested.kernel.tree).size());
}

TEST(InteriorTilesTest, WithoutSelectionsNothingChanges) {
  TestedKernel tested(kernelOf(wrapped));
  ASSERT_EQ(tested.apply("vectorize x:4").message, "");
  TileDomains tiles = computeTileDomains(tested.kernel);
  EXPECT_TRUE(tiles.dead.empty());
  InteriorKernel interior(tested.kernel, tiles.dead);
  EXPECT_EQ(interior.kernel().model, tested.kernel.model);
}

/// The tiles of the fast version are those whose work-items all stay inside.
TEST(InteriorTilesTest, TheConditionIsExact) {
  for (unsigned lanes : {1u, 2u, 4u}) {
    TestedKernel tested(kernelOf(wrapped));
    std::string steps = "select a";
    if (lanes > 1)
      steps += "\nvectorize x:" + std::to_string(lanes);
    ASSERT_EQ(tested.apply(steps).message, "");
    TileDomains tiles = computeTileDomains(tested.kernel);
    for (int n = 0; n <= 12; ++n)
      for (int base = 0; base < 12; ++base) {
        isl::set point(tiles.uniform.ctx(),
                       "[n, " + tiles.baseNames[0] + ", " + tiles.endNames[0] +
                           "] -> { : n = " + std::to_string(n) + " and " +
                           tiles.baseNames[0] + " = " + std::to_string(base) +
                           " and " + tiles.endNames[0] + " = 40 }");
        bool inside = base >= 2 && base + static_cast<int>(lanes) - 1 + 2 < n;
        EXPECT_EQ(!tiles.uniform.intersect(point).is_empty(), inside)
            << lanes << " " << n << " " << base;
      }
  }
}
