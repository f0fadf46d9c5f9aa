//===- RuntimeJsonDocumentTest.cpp - tests of Runtime/JsonDocument --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/JsonDocument.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

std::string at(const JsonDocument &document, const std::string &pointer) {
  const SourcePosition where = document.locate(pointer);
  return std::to_string(where.line) + ":" + std::to_string(where.column);
}

std::string errorOf(const std::string &text) {
  try {
    JsonDocument document("a.json", text);
  } catch (const Error &error) {
    return error.str("tool");
  }
  return "no error";
}

TEST(RuntimeJsonDocument, locatesValues) {
  const JsonDocument document("a.json",
                              "{\n"
                              "  \"a\": [1, {\"b\": \"x,]}\"}, true],\n"
                              "  \"c/d~\": -1.5e3,\n"
                              "  \"q\\\"\": null\n"
                              "}\n");
  EXPECT_EQ(at(document, ""), "1:1");
  EXPECT_EQ(at(document, "/a"), "2:8");
  EXPECT_EQ(at(document, "/a/0"), "2:9");
  EXPECT_EQ(at(document, "/a/1/b"), "2:18");
  EXPECT_EQ(at(document, "/a/2"), "2:27");
  EXPECT_EQ(at(document, "/c~1d~0"), "3:11");
  EXPECT_EQ(at(document, "/q\""), "4:10");
}

TEST(RuntimeJsonDocument, aMissingValueIsThePlaceAroundIt) {
  const JsonDocument document("a.json", "[{\"a\": {}}]");
  EXPECT_EQ(at(document, "/0/a/b/c"), "1:8");
  EXPECT_EQ(at(document, "/7"), "1:1");
}

TEST(RuntimeJsonDocument, syntaxErrors) {
  EXPECT_EQ(errorOf("{\"a\": 1,\n \"b\": ]}").substr(0, 42),
            "a.json:2:7: error: syntax error while pars");
  EXPECT_EQ(errorOf("").substr(0, 19), "a.json:1:1: error: ");
  EXPECT_NE(errorOf("\x80\xff"), "no error");
  EXPECT_EQ(errorOf("[]"), "no error");
}

TEST(RuntimeJsonDocument, numbersThatAreTooLarge) {
  EXPECT_EQ(errorOf("{\"a\":\n  -1e400}"),
            "a.json:2:3: error: the number '-1e400' is too large");
}

TEST(RuntimeJsonDocument, filesThatCannotBeRead) {
  EXPECT_THROW(readFile("/no/such/file"), Error);
  EXPECT_THROW(readFile("/tmp"), Error);
}

} // namespace
