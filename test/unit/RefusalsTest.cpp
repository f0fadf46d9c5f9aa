//===- RefusalsTest.cpp - tests of the table of rules ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Refusals.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

using namespace clopt;

/// Runs of white space as single spaces, so that line breaks do not matter.
static std::string words(const std::string &text) {
  std::istringstream stream(text);
  std::string result, word;
  while (stream >> word)
    result += (result.empty() ? "" : " ") + word;
  return result;
}

TEST(Refusals, idsAndNamesAreUnique) {
  std::set<std::string> ids, names;
  for (const Rule &rule : allRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_EQ(std::string(rule.id).rfind("clopt-", 0), 0u) << rule.id;
    EXPECT_TRUE(isupper(rule.name[0])) << rule.name;
  }
  EXPECT_EQ(allRuleIds().size(), ids.size());
}

TEST(Refusals, lookup) {
  ASSERT_NE(findRule("clopt-may-alias"), nullptr);
  EXPECT_STREQ(findRule("clopt-may-alias")->name, "MayAlias");
  EXPECT_FALSE(findRule("clopt-may-alias")->isFinding);
  EXPECT_TRUE(findRule("clopt-unvectorized-column")->isFinding);
  EXPECT_EQ(findRule("clopt-may"), nullptr);
  EXPECT_EQ(findRule(""), nullptr);
}

TEST(Refusals, textsKeepTheirForm) {
  for (const Rule &rule : allRules()) {
    std::string summary = rule.summary, help = rule.help;
    EXPECT_FALSE(summary.empty()) << rule.id;
    EXPECT_NE(summary.back(), '.') << rule.id;
    EXPECT_FALSE(isupper(summary[0])) << rule.id;
    EXPECT_TRUE(help.back() == '.') << rule.id;
    EXPECT_LE(help.size(), 1024u) << rule.id;
    EXPECT_GE(help.size(), 100u) << rule.id;
  }
}

// The page of a rule begins with its title, its summary and its help.
TEST(Refusals, pagesSayTheSame) {
  for (const Rule &rule : allRules()) {
    std::string path =
        CLOPT_SOURCE_DIR "/docs/rules/" + std::string(rule.id) + ".md";
    std::ifstream stream(path);
    ASSERT_TRUE(stream) << path;
    std::string page{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(page.rfind("# " + std::string(rule.id) + "\n", 0), 0u) << path;
    std::string flat = words(page);
    EXPECT_NE(flat.find(words(rule.help)), std::string::npos) << path;
    std::string summary = rule.summary;
    summary[0] = toupper(summary[0]);
    EXPECT_NE(flat.find(words(summary) + "."), std::string::npos) << path;
    for (const char *section : {"## Example", "## What helps", "## Suppress"})
      EXPECT_NE(page.find(section), std::string::npos) << path << section;
  }
}
