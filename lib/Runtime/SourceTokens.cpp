//===- SourceTokens.cpp - the words of a kernel file ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SourceTokens.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace clopt::runtime {

namespace {

bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Tokenizer {
public:
  explicit Tokenizer(std::string_view text) : source(text) {}

  std::vector<SourceToken> run() {
    while (at < source.size())
      step();
    return std::move(tokens);
  }

private:
  void add(SourceToken::Kind kind, std::size_t end) {
    tokens.push_back({kind, source.substr(at, end - at), at});
    at = end;
  }

  /// The line's end, behind lines that end with a backslash.
  std::size_t lineEnd(bool isDirective) const {
    std::size_t end = at;
    for (; end < source.size() && source[end] != '\n'; ++end) {
      const std::string_view rest = source.substr(end);
      if (rest.substr(0, 2) == "\\\n")
        ++end;
      else if (rest.substr(0, 3) == "\\\r\n")
        end += 2;
      else if (isDirective && rest.substr(0, 2) == "/*")
        end = commentEnd(end) - 1;
    }
    return std::min(end, source.size());
  }

  std::size_t commentEnd(std::size_t begin) const {
    const std::size_t end = source.find("*/", begin + 2);
    return end == std::string_view::npos ? source.size() : end + 2;
  }

  std::size_t stringEnd() const {
    std::size_t end = at + 1;
    while (end < source.size() && source[end] != source[at] &&
           source[end] != '\n')
      end += source[end] == '\\' ? 2 : 1;
    return std::min(end + 1, source.size());
  }

  void step() {
    const char c = source[at];
    const std::string_view two = source.substr(at, 2);
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      lineBegins |= c == '\n';
      ++at;
      return;
    }
    if (two == "//")
      return add(SourceToken::Kind::Comment, lineEnd(false));
    if (two == "/*")
      return add(SourceToken::Kind::Comment, commentEnd(at));
    if (c == '#' && lineBegins)
      return add(SourceToken::Kind::Directive, lineEnd(true));
    lineBegins = false;
    if (c == '"' || c == '\'')
      return add(SourceToken::Kind::String, stringEnd());
    std::size_t end = at;
    while (end < source.size() && isWordChar(source[end]))
      ++end;
    if (end != at)
      return add(SourceToken::Kind::Word, end);
    add(SourceToken::Kind::Sign, at + 1);
  }

  std::string_view source;
  std::size_t at = 0;
  bool lineBegins = true;
  std::vector<SourceToken> tokens;
};

/// Of `float4`; 0 for what names no vector type.
std::size_t vectorBytes(std::string_view word) {
  static constexpr std::pair<std::string_view, std::size_t> elements[] = {
      {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2},
      {"int", 4},  {"uint", 4},  {"long", 8},  {"ulong", 8},
      {"half", 2}, {"float", 4}, {"double", 8}};
  static constexpr std::pair<std::string_view, std::size_t> lanes[] = {
      {"2", 2}, {"3", 4}, {"4", 4}, {"8", 8}, {"16", 16}};
  for (const auto &[element, bytes] : elements)
    for (const auto &[digits, count] : lanes)
      if (word.size() == element.size() + digits.size() &&
          word.substr(0, element.size()) == element &&
          word.substr(element.size()) == digits)
        return bytes * count;
  return 0;
}

/// Attributes that give a type an alignment.
bool isAligning(std::string_view word) {
  for (const char *attribute :
       {"aligned", "__aligned__", "ext_vector_type", "__ext_vector_type__",
        "vector_size", "__vector_size__"})
    if (word == attribute)
      return true;
  return false;
}

/// Of `aligned(16)`, which is a power of two; the largest number of all for
/// anything else.
std::size_t numberBehind(const std::vector<SourceToken> &tokens,
                         std::size_t at) {
  if (tokens[at].text.find("aligned") != std::string_view::npos &&
      at + 3 < tokens.size() && tokens[at + 1].is("(") &&
      tokens[at + 3].is(")"))
    for (std::size_t number = 1; number <= 128; number *= 2)
      if (tokens[at + 2].is(std::to_string(number)))
        return number;
  return ~std::size_t(0);
}

} // namespace

std::vector<SourceToken> tokenize(std::string_view source) {
  return Tokenizer(source).run();
}

std::size_t expectedAlignment(std::string_view source) {
  constexpr std::size_t largest = 128; // of long16 and double16
  std::size_t result = 1;
  const std::vector<SourceToken> tokens = tokenize(source);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (tokens[i].kind == SourceToken::Kind::Directive) {
      if (text.find("include") != std::string_view::npos ||
          text.find("##") != std::string_view::npos)
        return largest;
      // The words of a macro count, too.
      result = std::max(result, expectedAlignment(text.substr(1)));
    }
    if (tokens[i].kind != SourceToken::Kind::Word)
      continue;
    result = std::max(result, vectorBytes(text));
    if (isAligning(text))
      result = std::max(result, std::min(largest, numberBehind(tokens, i)));
  }
  return result;
}

} // namespace clopt::runtime
