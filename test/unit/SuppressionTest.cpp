//===- SuppressionTest.cpp - tests of "clopt: off" in comments ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Suppression.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// The only suppression of a text.
Suppression single(const std::string &text) {
  std::vector<Suppression> all = parseSuppressions(text);
  EXPECT_EQ(all.size(), 1u) << text;
  return all.empty() ? Suppression() : all.front();
}

/// The result of the sample run, its source ending in `comment` on line
/// `line`.
Result suppressed(unsigned line, const std::string &comment) {
  std::string text = samples::source;
  size_t end = 0;
  for (unsigned i = 0; i < line; ++i)
    end = text.find('\n', end) + 1;
  text.insert(end - 1, comment);
  SourceTexts sources;
  sources.add("dir/copy.cl", text);
  Result result = samples::run().files.front().result;
  applySuppressions("dir/copy.cl", sources, result);
  return result;
}

bool isAccessOff(const Result &result) {
  return result.kernels.front().accesses.front().suppressed;
}

} // namespace

TEST(Suppression, forms) {
  Suppression plain = single("a;\nb; // clopt: off\n");
  EXPECT_EQ(plain.line, 2u);
  EXPECT_TRUE(plain.ruleIds.empty());
  EXPECT_EQ(plain.commentLine, 2u);
  EXPECT_EQ(plain.commentColumn, 7u);

  Suppression next = single("// clopt: off-next-line(clopt-barrier)\n");
  EXPECT_EQ(next.line, 2u);
  EXPECT_EQ(next.ruleIds, std::vector<std::string>{"clopt-barrier"});

  Suppression two = single("x; /* clopt:off (a, b) */ y;");
  EXPECT_EQ(two.line, 1u);
  EXPECT_EQ(two.ruleIds, (std::vector<std::string>{"a", "b"}));

  EXPECT_EQ(single("/* one\n two\n clopt: off */").line, 3u);
}

TEST(Suppression, onlyInComments) {
  EXPECT_TRUE(parseSuppressions("char *s = \"// clopt: off\";").empty());
  EXPECT_TRUE(parseSuppressions("int clopt; off:").empty());
  EXPECT_TRUE(parseSuppressions("// clopt: offset of the row").empty());
  EXPECT_TRUE(parseSuppressions("// clopt: off-limits").empty());
  EXPECT_EQ(parseSuppressions("char c = '\"'; // clopt: off").size(), 1u);
  EXPECT_EQ(parseSuppressions("p(\"\\\"\"); // clopt: off").size(), 1u);
}

TEST(Suppression, survivesUnfinishedText) {
  EXPECT_EQ(parseSuppressions("/* clopt: off").size(), 1u);
  EXPECT_EQ(parseSuppressions("// clopt: off(a").size(), 1u);
  EXPECT_TRUE(parseSuppressions("// clopt:").empty());
  EXPECT_TRUE(parseSuppressions("\"open \n").empty());
  EXPECT_TRUE(parseSuppressions("'\\").empty());
}

TEST(Suppression, silencesItsLine) {
  EXPECT_TRUE(isAccessOff(suppressed(3, " // clopt: off")));
  EXPECT_FALSE(isAccessOff(suppressed(4, " // clopt: off")));
  EXPECT_TRUE(isAccessOff(suppressed(2, " // clopt: off-next-line")));
}

TEST(Suppression, silencesItsRule) {
  EXPECT_TRUE(
      isAccessOff(suppressed(3, " // clopt: off(clopt-unvectorized-stride)")));
  EXPECT_FALSE(
      isAccessOff(suppressed(3, " // clopt: off(clopt-unvectorized-column)")));
}

TEST(Suppression, silencesRemarks) {
  Result result = suppressed(2, " // clopt: off(clopt-may-alias)");
  EXPECT_FALSE(result.remarks[0].suppressed);
  EXPECT_TRUE(result.remarks[1].suppressed);
}

TEST(Suppression, unknownRuleIsAWarning) {
  Result result = suppressed(1, " // clopt: off(clopt-barier)");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic &diagnostic = result.diagnostics.front();
  EXPECT_EQ(diagnostic.level, Diagnostic::Level::Warning);
  EXPECT_EQ(diagnostic.location.line, 1u);
  EXPECT_EQ(diagnostic.message, "unknown rule 'clopt-barier' in a "
                                "suppression; did you mean 'clopt-barrier'?");
  EXPECT_FALSE(isAccessOff(result));
}
