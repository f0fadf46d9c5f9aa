//===- TypicalTilesTest.cpp - whether tiles agree in usual launches -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/TypicalTiles.h"

#include "KernelTesting.h"

using namespace clopt;

/// A kernel over an image of w x h bytes, with the statements for cell (x, y).
static bool seldom(const std::string &body, const std::string &steps) {
  TestedKernel tested("__kernel void f(__global const uchar *restrict in,\n"
                      "  __global uchar *restrict out, int w, int h, int r) {\n"
                      "  int x = get_global_id(0), y = get_global_id(1);\n"
                      "  if (x >= w || y >= h) return;\n  uchar m = 255;\n" +
                      body + "\n  out[y * w + x] = m; }");
  EXPECT_EQ(tested.apply(steps).message, "") << body;
  return divergesInUsualLaunches(tested.kernel,
                                 computeTileDomains(tested.kernel));
}

TEST(TypicalTilesTest, WindowsThatEndAtBorders) {
  const std::string across =
      "for (int i = max(x - r, 0); i <= min(x + r, w - 1); i++)\n"
      "  m = min(m, in[y * w + i]);";
  for (const char *steps : {"vectorize x:8", "coarsen x:4", "coarsen y:4"})
    EXPECT_FALSE(seldom(across, steps)) << steps;
  EXPECT_FALSE(seldom("for (int i = max(x - 3, 0); i < min(x + 4, w); i++)\n"
                      "  m = min(m, in[y * w + i]);",
                      "vectorize x:8"));
}

TEST(TypicalTilesTest, ConditionsInTheWindow) {
  EXPECT_FALSE(seldom("for (int d = -r; d <= r; d++)\n"
                      "  if (x + d >= 0 && x + d < w)\n"
                      "    m = min(m, in[y * w + x + d]);",
                      "vectorize x:8\ncoarsen y:4"));
  EXPECT_FALSE(seldom("if (x >= r && x < w - r && y >= r && y < h - r)\n"
                      "  for (int d = -r; d <= r; d++)\n"
                      "    m = min(m, in[(y + d) * w + x + d]);",
                      "vectorize x:8\ncoarsen y:4"));
}

TEST(TypicalTilesTest, FewWorkItemsOfGroupsAgree) {
  const std::string sum =
      "for (int k = 0; k < h; k++)\n  m = min(m, in[k * w]);";
  EXPECT_FALSE(seldom(sum, "tile x:64\ntile k:16\nstage in"));
  EXPECT_TRUE(seldom(sum + "\nfor (int k = 0; k < x % 3; k++)\n"
                           "  m = max(m, in[k]);",
                     "tile x:64"));
}

TEST(TypicalTilesTest, LoopsOfNeighboursApart) {
  auto agreesOnNothing = [](const std::string &loop) {
    TestedKernel tested("__kernel void f(__global const uchar *restrict in,\n"
                        "  __global uchar *restrict out, int w, int h) {\n"
                        "  int x = get_global_id(0), y = get_global_id(1);\n"
                        "  if (x >= w) return;\n  " +
                        loop + "\n    out[k * w + x] = in[k * w + x]; }");
    EXPECT_EQ(tested.apply("vectorize y:8").message, "") << loop;
    return agreeOnNothing(tested.kernel, computeTileDomains(tested.kernel));
  };
  EXPECT_FALSE(
      agreesOnNothing("for (int k = y * 4; k < min(y * 4 + 4, h); k++)"));
  EXPECT_TRUE(agreesOnNothing("for (int k = y * 4; k < min(y + 4, h); k++)"));
  EXPECT_FALSE(agreesOnNothing("for (int k = 0; k < h; k++)"));
  // What only one of them runs is nothing that they agree on.
  EXPECT_FALSE(agreesOnNothing("for (int k = 0; k < h; k++) if (k != y)"));
  EXPECT_TRUE(agreesOnNothing("for (int k = 0; k < h; k++) if (k == y)"));
}

TEST(TypicalTilesTest, LoopsThatEndEarlierForNeighbours) {
  // That a tile has no iteration at all, where r is less than x, is no use.
  const std::string lags = "for (int k = 0; k + x < r; k++)\n"
                           "  m = min(m, in[k + x]);";
  // Lanes have all but the last iterations in common.
  EXPECT_FALSE(seldom(lags, "vectorize x:8"));
  EXPECT_FALSE(seldom("for (int k = x + 1; k < w; k++)\n"
                      "  m = min(m, in[y * w + k]);",
                      "vectorize x:8"));
  EXPECT_TRUE(seldom(lags, "coarsen x:4"));
  TestedKernel tested("__kernel void f(__global const float *restrict in,\n"
                      "  __global float *restrict out, int n, int lags) {\n"
                      "  int i = get_global_id(0);\n"
                      "  if (i >= lags) return;\n  float s = 0;\n"
                      "  for (int k = 0; k < n - i; k++)\n"
                      "    s += in[k] * in[k + i];\n  out[i] = s; }");
  EXPECT_EQ(tested.apply("vectorize i:8").message, "");
  const TileDomains tiles = computeTileDomains(tested.kernel);
  EXPECT_FALSE(tiles.hasVaryingRanges);
  unsigned parts = 0;
  for (const auto &[key, domain] : tiles.full)
    parts += isPartKey(key) && !domain.is_empty();
  EXPECT_EQ(parts, 1u);
}

TEST(TypicalTilesTest, LoopsThatAllRunAlike) {
  EXPECT_FALSE(seldom("for (int k = 0; k < r; k++)\n"
                      "  m = min(m, in[k * w + x]);",
                      "vectorize x:8\ncoarsen y:4"));
  EXPECT_FALSE(seldom("m = in[y * w + x];", "vectorize x:8\ncoarsen y:4"));
}
