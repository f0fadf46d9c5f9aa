//===- LoadsAheadTest.cpp - several loads of a loop under way -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Planning/search/Planner.h"

using namespace clopt;

/// The plan of a kernel with one work-item per column.
static std::string planOf(const std::string &body, bool hasLocalMemory = true) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + body));
  DeviceProfile profile;
  profile.localMemoryIsReal = hasLocalMemory;
  return printSteps(planKernel(tested.kernel, profile, AliasMode::Check).steps);
}

static const char *const sum =
    "float t = 0;\nfor (int k = 0; k < m; k++) t += s[k * n + i] * a[k];\n"
    "r[i] = t;";

TEST(LoadsAheadTest, ColumnsGoThroughRegisters) {
  EXPECT_EQ(planOf(sum), "tile       k:32\nstage      a private\n"
                         "stage      s private\n");
  EXPECT_EQ(planOf("for (int k = 0; k < m; k++) r[i] += s[k * n + i];"),
            "privatize  r\ntile       k:32\nstage      s private\n");
}

TEST(LoadsAheadTest, ColumnsMayBeWritten) {
  EXPECT_EQ(planOf("for (int k = 0; k < m; k++) r[k * n + i] = s[k * n + i];"),
            "tile       k:32\nstage      s private\n");
  // One cell comes from the tile before: 33 would be too many.
  EXPECT_EQ(planOf("for (int k = 1; k < m; k++)\n"
                   "  r[k * n + i] += r[(k - 1) * n + i];"),
            "tile       k:16\nstage      r private\n");
}

// Their launches run one work-item after the other.
TEST(LoadsAheadTest, DevicesWithoutLocalMemoryStay) {
  EXPECT_EQ(planOf(sum, false).find("private\n"), std::string::npos);
}

TEST(LoadsAheadTest, ManyOperandsMakeShortTiles) {
  EXPECT_EQ(planOf("float t = 0;\nfor (int k = 0; k < m; k++)\n"
                   "  t += s[k * n + i] * a[k * n + i] * b[k];\nr[i] = t;"),
            "tile       k:16\nstage      a private\nstage      b private\n"
            "stage      s private\n");
}

// Rows that neighbours share are in the cache; short loops end before a tile;
// what waits for arithmetic does not wait for loads.
TEST(LoadsAheadTest, WhatStays) {
  for (const char *body :
       {"float t = 0;\nfor (int k = 0; k < m; k++) t += s[i + k];\nr[i] = t;",
        "float t = 0;\nfor (int k = 0; k < m; k++) t += a[k];\nr[i] = t;",
        "float t = 0;\nfor (int k = 0; k < 12; k++) t += s[k * n + i];\n"
        "r[i] = t;",
        "float t = 0;\nfor (int k = 0; k < m; k++)\n"
        "  t += sin(exp(sin(exp(sin(exp(s[k * n + i]))))));\nr[i] = t;",
        "for (int k = 0; k < m; k++) r[i] = s[k * n + i] * r[i + k];",
        "float t = 0;\nfor (int l = 0; l < n; l++)\n"
        "  for (int k = 0; k < m; k++) t += s[k * n + i] * t;\nr[i] = t;",
        "float t = 0;\nint j = get_global_id(1);\n"
        "for (int k = 0; k < m; k++) t += s[k * n + i];\nr[i + j * n] = t;"})
    EXPECT_EQ(planOf(body).find("private\n"), std::string::npos)
        << body << planOf(body);
}
