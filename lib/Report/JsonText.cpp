//===- JsonText.cpp - helpers for writing JSON ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/JsonReportTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/JsonText.h"

#include <llvm/Support/raw_ostream.h>

llvm::json::Value clopt::jsonText(const std::string &text) {
  if (llvm::json::isUTF8(text))
    return text;
  return llvm::json::fixUTF8(text);
}

void clopt::jsonTexts(llvm::json::OStream &json, llvm::StringRef key,
                      const std::vector<std::string> &texts) {
  json.attributeArray(key, [&] {
    for (const std::string &text : texts)
      json.value(jsonText(text));
  });
}

std::string
clopt::printJson(llvm::function_ref<void(llvm::json::OStream &json)> fill) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  {
    llvm::json::OStream json(stream, /*IndentSize=*/2);
    json.object([&] { fill(json); });
  }
  stream << '\n';
  return text;
}
