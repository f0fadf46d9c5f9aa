//===- Includes.cpp - the texts that a program includes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Layer/Includes.h"

#include "Layer/BuildOptions.h"
#include "Layer/TextCache.h"
#include "Runtime/SourceTokens.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

namespace clopt::layer {

namespace fs = std::filesystem;

namespace {

constexpr const char *oddDirective =
    "a text that may include others in a way that is not known here";

struct Directive {
  std::string name;
  bool isQuoted = false;
};

/// Thrown when it cannot be told what is read.
struct Unknown {
  std::string reason;
};

std::string_view withoutBlanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\f\v");
  return begin == std::string_view::npos ? "" : text.substr(begin);
}

/// Nothing for a directive that includes nothing.
std::optional<Directive> readDirective(std::string_view text) {
  text = withoutBlanks(text.substr(1));
  const std::size_t end =
      std::find_if(text.begin(), text.end(),
                   [](char c) { return (c < 'a' || c > 'z') && c != '_'; }) -
      text.begin();
  const std::string_view word = text.substr(0, end);
  text = withoutBlanks(text.substr(end));
  const bool isConcealed = word.empty() && !text.empty() && text[0] == '/';
  if (isConcealed || word == "include_next" || word == "import" ||
      word == "embed" || text.find("__has_") != std::string_view::npos)
    throw Unknown{oddDirective};
  if (word != "include")
    return std::nullopt;
  const char close = text.empty() ? 0 : text[0] == '"' ? '"' : '>';
  const std::size_t last =
      text.empty() ? std::string_view::npos : text.find(close, 1);
  if ((text.empty() || (text[0] != '"' && text[0] != '<')) ||
      last == std::string_view::npos)
    throw Unknown{oddDirective};
  return Directive{std::string(text.substr(1, last - 1)), close == '"'};
}

std::vector<Directive> directivesOf(const std::string &source) {
  std::vector<Directive> result;
  const std::string text = withJoinedLines(source);
  for (const runtime::SourceToken &token : runtime::tokenize(text))
    if (token.kind == runtime::SourceToken::Kind::Directive)
      if (std::optional<Directive> directive = readDirective(token.text))
        result.push_back(std::move(*directive));
  return result;
}

bool isFile(const fs::path &path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

bool isSameFile(const fs::path &one, const fs::path &other) {
  std::error_code code;
  return fs::equivalent(one, other, code) && !code;
}

class Finder {
public:
  Finder(const std::vector<std::string> &where,
         const std::vector<NamedText> &given)
      : folders(where), headers(given) {}

  Includes run(const std::string &source) {
    try {
      // A text of the program itself has no folder.
      follow(source, fs::path());
      for (const NamedText &header : headers)
        follow(header.text, fs::path());
    } catch (const Unknown &unknown) {
      result.problem = unknown.reason;
    }
    return std::move(result);
  }

private:
  void follow(const std::string &text, const fs::path &folder) {
    // What is wrong with a text is wrong with what it includes.
    if (const std::string problem = problemOfSource(text); !problem.empty())
      throw Unknown{problem};
    for (const Directive &directive : directivesOf(text)) {
      const fs::path path = find(directive, folder);
      if (path.empty() || isKnown(path.string()))
        continue;
      std::string content;
      if (!readFile(path.string(), content))
        throw Unknown{"'" + path.string() + "' cannot be read"};
      result.files.push_back({path.string(), content});
      follow(content, path.parent_path());
    }
  }

  bool isKnown(const std::string &path) const {
    return std::any_of(
        result.files.begin(), result.files.end(),
        [&](const NamedText &known) { return known.name == path; });
  }

  /// Empty for a header that comes with the program, and for a file that is
  /// nowhere. Where drivers may differ in what they find, nothing is known.
  fs::path find(const Directive &directive, const fs::path &folder) {
    std::vector<fs::path> found;
    const auto add = [&](const fs::path &path) {
      if (isFile(path))
        found.push_back(path);
      return isFile(path);
    };
    const bool isGiven = std::any_of(
        headers.begin(), headers.end(),
        [&](const NamedText &known) { return known.name == directive.name; });
    // Of the folders in their order, which all take alike, the first counts.
    bool isBeside =
        directive.isQuoted && !folder.empty() && add(folder / directive.name);
    for (std::size_t i = 0; i < folders.size() && !isBeside; ++i)
      isBeside = add(fs::path(folders[i]) / directive.name);
    if (directive.isQuoted && add(fs::path(directive.name)))
      result.isWorkingFolderUsed |= found.size() == 1;
    if (found.empty())
      return {};
    if (isGiven || !isSameFile(found.front(), found.back()))
      throw Unknown{"there are several texts '" + directive.name + "'"};
    return found.front();
  }

  const std::vector<std::string> &folders;
  const std::vector<NamedText> &headers;
  Includes result;
};

} // namespace

Includes findIncludes(const std::string &source,
                      const std::vector<std::string> &folders,
                      const std::vector<NamedText> &headers) {
  return Finder(folders, headers).run(source);
}

bool mayInclude(const std::string &source) {
  try {
    return !directivesOf(source).empty();
  } catch (const Unknown &) {
    return true;
  }
}

} // namespace clopt::layer
