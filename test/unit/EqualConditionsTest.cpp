//===- EqualConditionsTest.cpp - one condition for several points ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmissionTesting.h"

using namespace clopt;

/// Of two work-items in one, below a loop over k.
static std::string bodyOf(const std::string &statement,
                          const std::string &steps = "coarsen i:2") {
  return emittedBody(kernelOf("int i = get_global_id(0);\nfloat t = 0;\n"
                              "for (int k = 0; k < n; k++) {\n" +
                              statement + "\n}\nr[i] = t;"),
                     steps);
}

static unsigned count(const std::string &text, const std::string &part) {
  unsigned found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

/// In the fast part, where two work-items run as one.
static unsigned conditionsOfBoth(const std::string &body,
                                 const std::string &condition) {
  size_t rest = body.find("} else {");
  return count(body.substr(0, rest), "if (" + condition);
}

TEST(EqualConditionsTest, WhatAllPointsAskIsAskedOnce) {
  std::string body = bodyOf("if (s[k] > 0.5f) t += s[k] * i;");
  EXPECT_EQ(conditionsOfBoth(body, "s[k] > 0.5f"), 1u) << body;
  size_t at = body.find("if (s[k] > 0.5f) {");
  ASSERT_NE(at, std::string::npos) << body;
  size_t end = body.find('}', at);
  std::string block = body.substr(at, end - at);
  EXPECT_TRUE(has(block, "t_0 += ")) << body;
  EXPECT_TRUE(has(block, "t_1 += ")) << body;
}

TEST(EqualConditionsTest, VariablesOfThePointsKeepABlockEach) {
  std::string body =
      bodyOf("if (s[k] > 0.5f) { float d = s[k] - i; t += d * d; }");
  EXPECT_EQ(conditionsOfBoth(body, "s[k] > 0.5f"), 1u) << body;
  EXPECT_EQ(count(body.substr(0, body.find("} else {")), "float d"), 2u)
      << body;
}

TEST(EqualConditionsTest, ConditionsThatDifferStayApart) {
  std::string body = bodyOf("if (s[k] > t) t += s[k] * i;");
  EXPECT_TRUE(has(body, "if (s[k] > t_0)")) << body;
  EXPECT_TRUE(has(body, "if (s[k] > t_1)")) << body;
}

TEST(EqualConditionsTest, WhatAPointWritesIsReadAgain) {
  // What the first work-item stores could be what the second one's reads.
  std::string body = bodyOf("if (s[k] > 0.5f) r[i * n + k] = s[k];");
  size_t own = body.find("if (own) {");
  ASSERT_NE(own, std::string::npos) << body;
  std::string both = body.substr(own, body.find("else {", own) - own);
  EXPECT_EQ(count(both, "if (s[k] > 0.5f)"), 2u) << body;
}

TEST(EqualConditionsTest, BothBranchesStayTogether) {
  std::string body = bodyOf("if (s[k] > 0.5f) t += s[k]; else t -= i;");
  EXPECT_EQ(conditionsOfBoth(body, "s[k] > 0.5f"), 2u) << body;
}
