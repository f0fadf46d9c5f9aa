//===- BuildFlagsTest.cpp - flags of clBuildProgram as words --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/BuildFlags.h"

#include <gtest/gtest.h>

using namespace clopt;
using Words = std::vector<std::string>;

TEST(BuildFlagsTest, SplitsAWordOfSeveralFlags) {
  EXPECT_EQ(splitBuildFlags({"-D A=1 -D B=2"}),
            (Words{"-D", "A=1", "-D", "B=2"}));
  EXPECT_EQ(splitBuildFlags({" -DA=1\t-cl-std=CL2.0 ", "-DB"}),
            (Words{"-DA=1", "-cl-std=CL2.0", "-DB"}));
}

TEST(BuildFlagsTest, QuotationMarksKeepBlanks) {
  EXPECT_EQ(splitBuildFlags({"-D T=\"unsigned int\" -I 'a b'"}),
            (Words{"-D", "T=unsigned int", "-I", "a b"}));
}

TEST(BuildFlagsTest, OneFlagStaysAsItIs) {
  const Words words = {"-DT=unsigned int", "-D T=int", "-DS=\"x\"", "-DA=1",
                       ""};
  EXPECT_EQ(splitBuildFlags(words), (Words{"-DT=unsigned int", "-D", "T=int",
                                           "-DS=\"x\"", "-DA=1", ""}));
}

TEST(BuildFlagsTest, ValuesAreNotSplit) {
  EXPECT_EQ(splitBuildFlags({"-D", "-x -y"}), (Words{"-D", "-x -y"}));
  EXPECT_EQ(splitBuildFlags({"-I", "-a -b", "-DC -DD"}),
            (Words{"-I", "-a -b", "-DC", "-DD"}));
}

TEST(BuildFlagsTest, AFlagWithoutItsValueKeepsTheWordWhole) {
  EXPECT_EQ(splitBuildFlags({"-DA -D"}), (Words{"-DA -D"}));
}

TEST(BuildFlagsTest, SpecialFlagsReplaceGeneralOnes) {
  EXPECT_EQ(joinBuildFlags({"-DA=1", "-D", "B=2", "-UC", "-I", "x"},
                           {"-D", "A=3", "-UB", "-DC", "-I", "y"}),
            (Words{"-I", "x", "-D", "A=3", "-UB", "-DC", "-I", "y"}));
  EXPECT_EQ(joinBuildFlags({"-cl-std=CL1.2", "-cl-mad-enable", "-D A"},
                           {"-cl-std=CL2.0", "-DA=1"}),
            (Words{"-cl-mad-enable", "-cl-std=CL2.0", "-DA=1"}));
}
