//===- RuntimeProcessTest.cpp - tests of Runtime/Process ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Process.h"

#include "Runtime/Error.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace clopt::runtime;

namespace {

TEST(RuntimeProcess, outputOfBothStreamsAndExitCode) {
  const ProcessResult result =
      runProcess({"sh", "-c", "echo one; echo two >&2; exit 3"});
  EXPECT_EQ(result.output, "one\ntwo\n");
  EXPECT_EQ(result.status(), "exit code 3");
  EXPECT_FALSE(result.succeeded());
}

TEST(RuntimeProcess, wordsReachTheProgramUnchanged) {
  const ProcessResult result =
      runProcess({"printf", "%s|", "a b", "$HOME", "\"'"});
  EXPECT_EQ(result.output, "a b|$HOME|\"'|");
  EXPECT_TRUE(result.succeeded());
}

TEST(RuntimeProcess, moreOutputThanAPipeHolds) {
  const ProcessResult result =
      runProcess({"head", "-c", "300000", "/dev/zero"});
  EXPECT_EQ(result.output.size(), 300000u);
}

TEST(RuntimeProcess, signalsAreTold) {
  EXPECT_EQ(runProcess({"sh", "-c", "kill -9 $$"}).status(), "signal 9");
}

TEST(RuntimeProcess, aProgramThatIsNotThere) {
  EXPECT_THROW(runProcess({"/no/such/program"}), Error);
  EXPECT_EQ(findSibling("no-such-program"), "no-such-program");
}

TEST(RuntimeProcess, temporaryFoldersGoAway) {
  std::string file;
  {
    const TemporaryFolder folder;
    file = folder.file("a");
    std::ofstream(file) << "x";
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  EXPECT_FALSE(std::filesystem::exists(file));
}

} // namespace
