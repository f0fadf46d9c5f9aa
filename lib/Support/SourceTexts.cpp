//===- SourceTexts.cpp - the texts that messages point into ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/DiagnosticsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/SourceTexts.h"

#include "Support/Files.h"

using namespace clopt;

void SourceTexts::add(const std::string &path, std::string text) {
  texts[path] = std::move(text);
}

const std::string *SourceTexts::find(const std::string &path) {
  auto found = texts.find(path);
  if (found == texts.end()) {
    std::optional<std::string> text;
    if (path.empty() || path == "-") {
      // Standard input was read once, by the caller.
    } else if (llvm::Expected<std::string> read = readTextFile(path)) {
      text = std::move(*read);
    } else {
      llvm::consumeError(read.takeError());
    }
    found = texts.emplace(path, std::move(text)).first;
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<std::string> SourceTexts::line(const std::string &path,
                                             unsigned number) {
  const std::string *text = find(path);
  if (!text || number == 0)
    return std::nullopt;
  size_t begin = 0;
  for (unsigned current = 1; current < number; ++current) {
    begin = text->find('\n', begin);
    if (begin == std::string::npos)
      return std::nullopt;
    ++begin;
  }
  size_t end = text->find('\n', begin);
  std::string result = text->substr(
      begin, end == std::string::npos ? std::string::npos : end - begin);
  if (!result.empty() && result.back() == '\r')
    result.pop_back();
  return result;
}
