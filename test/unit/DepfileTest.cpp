//===- DepfileTest.cpp - tests of dependency files ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Depfile.h"

#include <gtest/gtest.h>

using clopt::printDepfile;

TEST(Depfile, oneRule) {
  EXPECT_EQ(printDepfile("out.cl", {"a.cl", "b.h"}),
            "out.cl: \\\n  a.cl \\\n  b.h\n");
  EXPECT_EQ(printDepfile("out.cl", {}), "out.cl:\n");
  EXPECT_EQ(printDepfile("o", {"a", "b c", "a"}, true),
            "o: \\\n  a \\\n  b\\ c\n\nb\\ c:\n");
}

TEST(Depfile, repeatedNamesOnce) {
  EXPECT_EQ(printDepfile("o", {"a", "b", "a"}), "o: \\\n  a \\\n  b\n");
}

// As GCC and Clang escape them.
TEST(Depfile, escapes) {
  EXPECT_EQ(printDepfile("my out", {"my file#1", "$x", "b\\ c"}),
            "my\\ out: \\\n  my\\ file\\#1 \\\n  $$x \\\n  b\\\\\\ c\n");
}
