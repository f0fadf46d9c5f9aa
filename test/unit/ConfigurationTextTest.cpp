//===- ConfigurationTextTest.cpp - for which flags a text holds -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/ConfigurationText.h"

#include <gtest/gtest.h>

using namespace clopt;

TEST(ConfigurationText, TextForAllConfigurations) {
  Configuration none;
  EXPECT_EQ(configurationLine(none), "");
  EXPECT_EQ(forConfiguration(none, "text\n", "other\n"), "text\n");
}

TEST(ConfigurationText, TextForOne) {
  Configuration configuration;
  configuration.conditions = {"defined(ABS)", "(TS > 16)"};
  const std::string line =
      "#if defined(ABS) && (TS > 16) // what the following was optimized for\n";
  EXPECT_EQ(configurationLine(configuration), line);
  EXPECT_EQ(forConfiguration(configuration, "text\n", "other\n"),
            line + "text\n#else\nother\n#endif\n");
  EXPECT_EQ(forConfiguration(configuration, "text\n", ""),
            line + "text\n#endif\n");
}

TEST(ConfigurationText, NumbersAreComparedBesideOperators) {
  Configuration configuration;
  configuration.numbers = {{"TS", "16"}, {"WIDE", "(2 * TS)"}};
  const std::string text = configurationLine(configuration);
  EXPECT_EQ(text.compare(0, 22, "#define clopt_is(x, y)"), 0) << text;
  EXPECT_NE(text.find("\n#if clopt_is(TS, 16) && clopt_is(WIDE, (2 * TS)) // "),
            std::string::npos)
      << text;
}

/// PoCL has macros of the names of functions.
TEST(ConfigurationText, WordsMayBeRenamedFunctions) {
  Configuration configuration;
  configuration.words = {{"TO", "convert_float"}, {"T", "float4"}};
  const std::string text = configurationLine(configuration);
  EXPECT_NE(text.find("#else\n#define _cl_convert_float () ()\n"
                      "#if clopt_is_word(TO)\n"
                      "#define clopt_TO_is_convert_float\n#endif\n"
                      "#undef _cl_convert_float\n#endif\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("_cl_float4"), std::string::npos) << text;
}

TEST(ConfigurationText, LongLinesAreContinued) {
  Configuration configuration;
  configuration.conditions = {std::string(60, 'a'), std::string(60, 'b')};
  EXPECT_EQ(configurationLine(configuration),
            "#if " + std::string(60, 'a') + " && \\\n    " +
                std::string(60, 'b') +
                " // what the following was optimized for\n");
}

TEST(ConfigurationText, NamesThatMeanSomethingElse) {
  TranslationUnit unit;
  unit.changedNames = {{"barrier", -1}, {"min", 50}};
  EXPECT_EQ(changedName(unit, "x = min(a, b);", 40), "");
  EXPECT_EQ(changedName(unit, "x = min(a, b);", 60), "min");
  EXPECT_EQ(changedName(unit, "x = v.min; // barrier", 60), "");
  EXPECT_EQ(changedName(unit, "barrier(0);", 0), "barrier");
}

TEST(ConfigurationText, ConversionsOfVectorsMayUseThoseOfScalars) {
  TranslationUnit unit;
  unit.changedNames = {{"convert_int", -1}, {"convert_char_sat", -1}};
  EXPECT_EQ(changedName(unit, "x = convert_int2(a);", 0), "convert_int");
  EXPECT_EQ(changedName(unit, "x = convert_char16_sat(a);", 0),
            "convert_char_sat");
  EXPECT_EQ(changedName(unit, "x = convert_char16(a) + convert_uint2(b);", 0),
            "");
}
