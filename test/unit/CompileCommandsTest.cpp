//===- CompileCommandsTest.cpp - flags that a build system knows ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/CompileCommands.h"

#include <gtest/gtest.h>

using namespace clopt;
using Words = std::vector<std::string>;

static CompileCommands read(const std::string &text) {
  CompileCommands commands;
  llvm::Error error = commands.add(text, "db.json");
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return commands;
}

static std::string errorOf(const std::string &text) {
  CompileCommands commands;
  return llvm::toString(commands.add(text, "db.json"));
}

TEST(CompileCommandsTest, KeepsTheFlagsOfClBuildProgram) {
  CompileCommands all = read(R"([{"directory": "/b", "file": "../s/k.cl",
    "command": "clang -x cl -O2 -DA=1 -D 'T=unsigned int' -I inc -I/x -cl-std=CL2.0 -Xclang -w -c ../s/k.cl -o k.o"}])");
  const CompileCommand *command = all.find("/s/k.cl");
  ASSERT_NE(command, nullptr);
  EXPECT_EQ(command->flags, (Words{"-DA=1", "-D", "T=unsigned int", "-I",
                                   "/b/inc", "-I/x", "-cl-std=CL2.0", "-w"}));
  EXPECT_EQ(command->dropped, (Words{"-x", "-O2", "-Xclang", "-c", "-o"}));
  EXPECT_EQ(all.find("/s/l.cl"), nullptr);
}

TEST(CompileCommandsTest, ArgumentsAreWords) {
  CompileCommands all = read(R"([{"directory": "/b", "file": "/s/k.cl",
    "arguments": ["clopt", "-DS=a b", "-Iinc"]},
    {"directory": "/b", "file": "/s/k.cl", "arguments": ["clopt", "-DS=c"]}])");
  // The first entry counts.
  EXPECT_EQ(all.find("/s/x/../k.cl")->flags, (Words{"-DS=a b", "-I/b/inc"}));
}

TEST(CompileCommandsTest, Mistakes) {
  EXPECT_EQ(errorOf("{}"), "db.json: a list of entries is wanted");
  EXPECT_EQ(errorOf("[{\"file\": \"a.cl\"}]"),
            "db.json: an entry has no \"file\" or \"directory\"");
  EXPECT_EQ(errorOf("[1]"),
            "db.json: an entry has no \"file\" or \"directory\"");
  EXPECT_EQ(errorOf("[{\"file\": \"a.cl\", \"directory\": \"/b\"}]"),
            "db.json: the entry of 'a.cl' has no \"command\" and no "
            "\"arguments\"");
  EXPECT_EQ(errorOf("[").substr(0, 9), "db.json: ");
}
