//===- OptionsFileTest.cpp - the file .clopt.yaml -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/OptionsFile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace clopt;
using Words = std::vector<std::string>;

static OptionsFile read(const std::string &text) {
  OptionsFileText result = parseOptionsFile(text, "/project/k/.clopt.yaml");
  for (const Diagnostic &error : result.errors)
    ADD_FAILURE() << error.location.line << ":" << error.location.column << ": "
                  << error.message;
  return result.value;
}

/// All errors, one a line.
static std::string errorsOf(const std::string &text) {
  std::string all;
  for (const Diagnostic &error :
       parseOptionsFile(text, "/project/k/.clopt.yaml").errors)
    all += std::to_string(error.location.line) + ":" +
           std::to_string(error.location.column) + ": " + error.message + "\n";
  return all;
}

TEST(OptionsFileTest, ReadsEveryKey) {
  OptionsFile all = read("target: cpu\n"
                         "flags: -DN=4 -I include\n"
                         "files:\n"
                         "  - path: conv*.cl\n"
                         "    flags: [-DTILE=8, -cl-std=CL2.0]\n"
                         "alias: none\n"
                         "validate: off\n"
                         "checks: '-*,clopt-race'\n"
                         "baseline: base.json\n"
                         "error-on: [unvectorized=2, clopt-race]\n");
  EXPECT_EQ(*all.target, "cpu");
  EXPECT_EQ(all.flags, (Words{"-DN=4", "-I", "/project/k/include"}));
  ASSERT_EQ(all.files.size(), 1u);
  EXPECT_EQ(all.files[0].flags, (Words{"-DTILE=8", "-cl-std=CL2.0"}));
  EXPECT_EQ(*all.alias, AliasMode::None);
  EXPECT_EQ(*all.validate, ValidateMode::Off);
  EXPECT_EQ(*all.checks, "-*,clopt-race");
  EXPECT_EQ(*all.baseline, "/project/k/base.json");
  ASSERT_EQ(all.errorOn.size(), 2u);
  EXPECT_EQ(all.errorOn[0].limit, 2u);
  EXPECT_EQ(all.errorOn[1].what, "clopt-race");
}

TEST(OptionsFileTest, AnEmptyTextSaysNothing) {
  for (const char *text : {"", "---\n", "# nothing\n", "---\n...\n"}) {
    OptionsFile none = read(text);
    EXPECT_FALSE(none.target || none.alias || none.checks);
    EXPECT_TRUE(none.flags.empty() && none.errorOn.empty());
  }
}

TEST(OptionsFileTest, LinesMayEndInAnyWay) {
  EXPECT_EQ(*read("target: cpu\r\nalias: strict\r\n").alias, AliasMode::Strict);
  // Which device that is, only a run asks.
  EXPECT_EQ(*read("target: native\n").target, "native");
}

TEST(OptionsFileTest, AllMistakesAreReportedAtTheirPlaces) {
  EXPECT_EQ(errorsOf("taget: cpu\n"
                     "alias: maybe\n"
                     "error-on:\n"
                     "  - unvectorised\n"
                     "flags: [-DN=4, M=5]\n"
                     "files:\n"
                     "  - flags: -DX\n"
                     "    pth: a.cl\n"
                     "validate:\n"
                     "alias: none\n"),
            "1:1: unknown key 'taget'; did you mean 'target'?\n"
            "2:8: 'alias' is check, none or strict, not 'maybe'\n"
            "4:5: 'error-on' knows no findings named 'unvectorised'; did you "
            "mean 'unvectorized'?\n"
            "5:16: 'M=5' is no flag of clBuildProgram: those begin with '-'\n"
            "8:5: unknown key 'pth'; did you mean 'path'?\n"
            "9:1: the key 'validate' has no value\n"
            "10:1: the key 'alias' is given twice\n");
  EXPECT_EQ(errorsOf("target: gpux\n").substr(0, 29),
            "1:9: unknown target 'gpux' (k");
}

TEST(OptionsFileTest, WrongForms) {
  EXPECT_EQ(errorsOf("- target: cpu\n"), "1:1: keys with values are wanted "
                                         "here, as in 'target: cpu'\n");
  EXPECT_EQ(errorsOf("target: [cpu]\n"), "1:10: one value is wanted here\n");
  EXPECT_EQ(errorsOf("flags: {a: b}\n"), "1:9: one value is wanted here\n");
  EXPECT_EQ(errorsOf("flags: [-DA, -I]\n"),
            "1:14: the flag '-I' needs a value\n");
  EXPECT_EQ(
      errorsOf("files: a.cl\n"),
      "1:8: a list is wanted here, each with 'path' and 'flags' or 'launch'\n");
  EXPECT_EQ(errorsOf("files: [{flags: -DA}]\n"),
            "1:10: 'path' says which files it is for\n");
  EXPECT_EQ(errorsOf("alias: none\n---\nalias: none\n"),
            "3:1: a configuration is one document\n");
  EXPECT_FALSE(errorsOf("target: \"cpu\n").empty());
  EXPECT_FALSE(errorsOf("alias: none\n  target: cpu\n").empty());
}

TEST(OptionsFileTest, MalformedPatternsAreLeftOut) {
  const std::string text = "files:\n  - path: '[k.cl'\n    flags: -DN=2\n";
  EXPECT_EQ(errorsOf(text), "2:11: '[k.cl' is no pattern: invalid glob "
                            "pattern, unmatched '['\n");
  // Mistakes are shown later, when flags have been asked for.
  EXPECT_TRUE(
      parseOptionsFile(text, ".clopt.yaml").value.flagsOf("k.cl").empty());
}

TEST(OptionsFileTest, FlagsGoToTheFilesThatMatch) {
  OptionsFile some = read("flags: -DN=4 -DM=5\n"
                          "files:\n"
                          "  - path: conv*.cl\n"
                          "    flags: -DTILE=8\n"
                          "  - path: deep/*.cl\n"
                          "    flags: -D N=9\n");
  EXPECT_EQ(some.flagsOf("/project/k/other.cl"), (Words{"-DN=4", "-DM=5"}));
  EXPECT_EQ(some.flagsOf("/project/k/x/conv1.cl"),
            (Words{"-DN=4", "-DM=5", "-DTILE=8"}));
  // The same macro is not defined twice.
  EXPECT_EQ(some.flagsOf("/project/k/deep/er/a.cl"),
            (Words{"-DM=5", "-D", "N=9"}));
  EXPECT_EQ(some.flagsOf("/project/k2/deep/a.cl"), (Words{"-DN=4", "-DM=5"}));
}

TEST(OptionsFileTest, WhatIsPrintedIsReadBack) {
  OptionsFile all = read("target: cpu\n"
                         "flags: ['-DT=unsigned int', -I include, -DC=\"#\"]\n"
                         "files:\n"
                         "  - path: '*.cl'\n"
                         "    flags: -DTILE=8\n"
                         "alias: none\n"
                         "validate: off\n"
                         "checks: '-*,clopt-race'\n"
                         "baseline: base.json\n"
                         "error-on: unvectorized\n");
  const std::string text = printOptionsFile(all);
  EXPECT_EQ(printOptionsFile(read(text)), text);
  EXPECT_NE(text.find("-DT=unsigned int"), std::string::npos);
}

TEST(OptionsFileTest, TheNearestFileIsFound) {
  std::string folder = testing::TempDir() + "clopt-options-file-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder + "/a/b");
  std::filesystem::create_directories(folder + "/a/.clopt.yaml");
  std::ofstream(folder + "/.clopt.yaml") << "alias: none\n";
  // A folder of that name is none.
  EXPECT_EQ(findOptionsFile(folder + "/a/b/k.cl"), folder + "/.clopt.yaml");
  std::ofstream(folder + "/a/b/.clopt.yaml") << "alias: none\n";
  EXPECT_EQ(findOptionsFile(folder + "/a/b/k.cl"), folder + "/a/b/.clopt.yaml");
  EXPECT_EQ(findOptionsFile(folder + "/a/b/../k.cl"), folder + "/.clopt.yaml");
  std::filesystem::remove_all(folder);
}

TEST(OptionsFileTest, SizesFormsAndFlags) {
  const OptionsFile read = parseOptionsFile("local-size: 16,8\n"
                                            "format: GitHub\n"
                                            "quiet: true\n"
                                            "InheritParentConfig: true\n",
                                            "a/.clopt.yaml")
                               .value;
  EXPECT_EQ(read.localSize, (std::array<unsigned, 3>{16, 8, 1}));
  EXPECT_EQ(read.format, FindingFormat::GitHub);
  EXPECT_EQ(read.isQuiet, true);
  EXPECT_TRUE(read.inheritsParent);
  EXPECT_EQ(printOptionsFile(read),
            "local-size: \"16,8,1\"\nformat: github\nquiet: true\n");
  const OptionsFileText wrong = parseOptionsFile(
      "local-size: 0\nformat: json\nquiet: 1\n", "a/.clopt.yaml");
  ASSERT_EQ(wrong.errors.size(), 3u);
  EXPECT_EQ(wrong.errors[0].message,
            "'local-size' needs one to three positive numbers with commas, as "
            "in 16,16,1, not '0'");
  EXPECT_EQ(wrong.errors[1].message,
            "'format' is text, gcc or github, not 'json'");
  EXPECT_EQ(wrong.errors[2].message, "'quiet' is true or false, not '1'");
}

TEST(OptionsFileTest, LaunchSpecificationsOfFiles) {
  const OptionsFile read =
      parseOptionsFile("files:\n"
                       "  - path: mm.cl\n"
                       "    launch: mm.launch.json\n"
                       "  - path: \"*.cl\"\n"
                       "    launch: [spec/a.json, /b.json]\n",
                       "k/.clopt.yaml")
          .value;
  using Names = std::vector<std::string>;
  EXPECT_EQ(read.launchesOf("k/mm.cl"),
            (Names{"k/mm.launch.json", "k/spec/a.json", "/b.json"}));
  EXPECT_EQ(read.launchesOf("k/other.cl"), (Names{"k/spec/a.json", "/b.json"}));
  EXPECT_EQ(read.launchesOf("k/other.h"), Names());
}

TEST(OptionsFileTest, WhatIsAboveIsInherited) {
  const OptionsFile above = parseOptionsFile("target: cpu\n"
                                             "alias: none\n"
                                             "quiet: true\n"
                                             "checks: -*\n"
                                             "flags: -DA=1 -DB=1\n"
                                             "files:\n"
                                             "  - path: sub/*.cl\n"
                                             "    flags: -DC=1\n"
                                             "    launch: a.json\n"
                                             "error-on: clopt-race\n",
                                             "k/.clopt.yaml")
                                .value;
  OptionsFile own = parseOptionsFile("target: mali-midgard\n"
                                     "checks: clopt-race\n"
                                     "flags: -DB=2\n",
                                     "k/sub/.clopt.yaml")
                        .value;
  own.inherit(above);
  EXPECT_EQ(own.target, "mali-midgard");
  EXPECT_EQ(own.alias, AliasMode::None);
  EXPECT_EQ(own.isQuiet, true);
  EXPECT_EQ(own.checks, "-*,clopt-race");
  EXPECT_EQ(own.errorOn.size(), 1u);
  EXPECT_EQ(own.errorOnFile, "k/.clopt.yaml");
  // Patterns of the one above are compared from its folder.
  EXPECT_EQ(own.flagsOf("k/sub/a.cl"),
            (std::vector<std::string>{"-DA=1", "-DC=1", "-DB=2"}));
  EXPECT_EQ(own.launchesOf("k/sub/a.cl"),
            (std::vector<std::string>{"k/a.json"}));
}
