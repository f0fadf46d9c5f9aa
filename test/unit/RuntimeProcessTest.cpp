//===- RuntimeProcessTest.cpp - tests of Runtime/Process ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Process.h"

#include "Runtime/Error.h"

#include <gtest/gtest.h>

#include <csignal>
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

TEST(RuntimeProcess, slowProgramsAreKilled) {
  ProcessSettings settings;
  settings.timeLimit = std::chrono::milliseconds(100);
  const auto begin = std::chrono::steady_clock::now();
  // One that is silent, one that talks for ever, one that has closed its
  // output.
  for (const char *script :
       {"sleep 30", "while :; do echo x; done", "exec >&- 2>&-; sleep 30"}) {
    const ProcessResult result = runProcess({"sh", "-c", script}, settings);
    EXPECT_TRUE(result.timedOut) << script;
    EXPECT_FALSE(result.succeeded());
    EXPECT_EQ(result.status(), "no answer in time");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  settings.timeLimit = std::chrono::seconds(60);
  EXPECT_EQ(runProcess({"sh", "-c", "echo on time; exit 4"}, settings).output,
            "on time\n");
}

TEST(RuntimeProcess, applicationsThatIgnoreTheirChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  ProcessSettings settings;
  for (const int seconds : {0, 60}) {
    settings.timeLimit = std::chrono::seconds(seconds);
    const ProcessResult result = runProcess({"sh", "-c", "echo x"}, settings);
    EXPECT_EQ(result.output, "x\n");
    EXPECT_FALSE(result.isEndKnown);
    EXPECT_FALSE(result.succeeded());
    EXPECT_EQ(result.status(), "unknown end");
  }
  settings.timeLimit = std::chrono::milliseconds(100);
  EXPECT_TRUE(runProcess({"sleep", "30"}, settings).timedOut);
  // The child has what is usual.
  EXPECT_EQ(runProcess({"sh", "-c", "sh -c 'exit 3'; echo $?"}).output, "3\n");
  std::signal(SIGCHLD, before);
}

TEST(RuntimeProcess, variablesAreHidden) {
  setenv("CLOPT_TEST_SEEN", "1", 1);
  setenv("CLOPT_TEST_HIDDEN", "2", 1);
  const char *script = "echo \"$CLOPT_TEST_SEEN,$CLOPT_TEST_HIDDEN\"";
  EXPECT_EQ(runProcess({"sh", "-c", script}).output, "1,2\n");
  ProcessSettings settings;
  settings.hiddenVariables = {"CLOPT_TEST_HIDDEN"};
  EXPECT_EQ(runProcess({"sh", "-c", script}, settings).output, "1,\n");
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
