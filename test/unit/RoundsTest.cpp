//===- RoundsTest.cpp - several iterations of a strided loop at a time ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmissionTesting.h"

using namespace clopt;

/// A sum over every n-th element.
static std::string
sum(const std::string &body = "x += a[i];",
    const std::string &head = "uint i = get_global_id(0); i < (uint)n; i += "
                              "get_global_size(0)",
    const std::string &before = "") {
  return kernelOf(before + "float x = 0;\nfor (" + head + ") {\n" + body +
                  "\n}\nr[get_global_id(0)] = x;");
}

TEST(RoundsTest, SumsAreTaken) {
  expectTaken(sum(), "rounds i:4");
  expectTaken(sum(), "rounds i:16 together");
  expectTaken(sum("x = fmax(x, a[i] * b[i]);"), "rounds i:2");
  expectTaken(sum("if (a[i] > x) x = a[i];"), "rounds i:4 together");
  expectTaken(sum(), "rounds i:8 together\nrequire i:32 group=16");
}

TEST(RoundsTest, OthersAreNot) {
  expectRefused(sum(), "rounds i:1", "clopt-step-value",
                "2 to 16 iterations are taken at a time");
  expectRefused(sum(), "rounds i:17", "clopt-step-value",
                "2 to 16 iterations are taken at a time");
}

TEST(RoundsTest, BarriersNeedTheWholeGroup) {
  expectRefused(sum("x += a[i];",
                    "uint i = get_global_id(0); i < (uint)n; i += "
                    "get_global_size(0)",
                    "if (get_global_id(0) > 7) return;"),
                "rounds i:4 together", "clopt-barrier",
                "not all work-items of a group may come to the loop");
  expectRefused(sum("x += a[i];",
                    "uint i = 2 * get_global_id(0); i < (uint)n; i += "
                    "get_global_size(0)"),
                "rounds i:4 together", "clopt-barrier",
                "work-items of a group run the loop differently often");
  expectRefused(sum("x += a[i];",
                    "uint i = get_global_id(0); i < t; i += "
                    "get_global_size(0)",
                    "uint t = p[get_global_id(0)];"),
                "rounds i:4 together", "clopt-barrier",
                "work-items of a group run the loop differently often");
}

TEST(RoundsTest, LaunchesAreAskedFirst) {
  expectRefused(sum(), "rounds i:4\nrequire j:3", "", "no loop");
  expectRefused(sum("x += a[i];",
                    "uint i = get_global_id(0); i < t; i += "
                    "get_global_size(0)",
                    "uint t = p[0];"),
                "rounds i:4\nrequire i:32", "clopt-non-affine-control",
                "how often the loop runs is not known before it does");
}
