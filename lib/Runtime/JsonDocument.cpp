//===- JsonDocument.cpp - JSON with places for messages -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// locate() walks the text again along the pointer. It runs only to build a
// message, and the text is known to be JSON by then, so the scanner needs no
// error handling. Tested by test/unit/RuntimeJsonDocumentTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/JsonDocument.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <vector>

namespace clopt::runtime {

namespace {

class Scanner {
public:
  Scanner(const std::string &json, std::size_t start)
      : text(json), pos(start) {}

  /// The offset of the member or item called `key` of the value at the start,
  /// if any.
  std::optional<std::size_t> find(const std::string &key) {
    skipSpace();
    if (peek() == '{')
      return findMember(key);
    return peek() == '[' ? findItem(key) : std::nullopt;
  }

  std::size_t skipSpace() {
    while (pos < text.size() && std::strchr(" \t\r\n", text[pos]) != nullptr)
      ++pos;
    return pos;
  }

private:
  char peek() const { return pos < text.size() ? text[pos] : '\0'; }

  std::string takeString() {
    const std::size_t start = pos++;
    while (pos < text.size() && text[pos] != '"')
      pos += text[pos] == '\\' ? 2 : 1;
    ++pos;
    // Escapes in a key are the JSON library's business.
    return Json::parse(text.substr(start, pos - start), nullptr, false)
        .get<std::string>();
  }

  void skipValue() {
    unsigned depth = 0;
    for (skipSpace(); pos < text.size(); ++pos) {
      const char c = text[pos];
      if (c == '"') {
        takeString();
        --pos;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
        return;
      } else if (c == '}' || c == ']') {
        --depth;
      }
    }
  }

  std::optional<std::size_t> findMember(const std::string &key) {
    for (++pos; skipSpace() < text.size() && peek() == '"';) {
      const std::string name = takeString();
      skipSpace();
      ++pos; // ':'
      if (name == key)
        return skipSpace();
      skipValue();
      if (peek() == ',')
        ++pos;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> findItem(const std::string &key) {
    ++pos;
    for (std::size_t index = 0; skipSpace() < text.size() && peek() != ']';
         ++index) {
      if (std::to_string(index) == key)
        return pos;
      skipValue();
      if (peek() == ',')
        ++pos;
    }
    return std::nullopt;
  }

  const std::string &text;
  std::size_t pos;
};

/// The library's message without its own name for the error and the position,
/// which stands in front of our message already.
std::string plainMessage(const nlohmann::json::parse_error &error) {
  const std::string message = error.what();
  const std::size_t syntax = message.find("syntax error");
  return syntax == std::string::npos ? message : message.substr(syntax);
}

std::vector<std::string> splitPointer(const std::string &pointer) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    std::string part = pointer.substr(at + 1, end - at - 1);
    for (std::size_t tilde = part.find('~'); tilde != std::string::npos;
         tilde = part.find('~', tilde + 1))
      part.replace(tilde, 2, part.compare(tilde, 2, "~1") == 0 ? "/" : "~");
    parts.push_back(part);
    at = end;
  }
  return parts;
}

} // namespace

std::string readFile(const std::string &path) {
  std::error_code code;
  const std::filesystem::file_status status =
      std::filesystem::status(path, code);
  if (std::filesystem::is_directory(status))
    throw Error("cannot read '" + path + "': it is a directory");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw Error("cannot open '" + path + "': " + std::strerror(errno));
  std::string content((std::istreambuf_iterator<char>(stream)),
                      std::istreambuf_iterator<char>());
  if (stream.bad())
    throw Error("cannot read '" + path + "'");
  return content;
}

JsonDocument::JsonDocument(std::string path, std::string content)
    : file(std::move(path)), text(std::move(content)) {
  try {
    value = Json::parse(text);
  } catch (const nlohmann::json::parse_error &error) {
    const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    throw Error(plainMessage(error), file, positionAt(text, offset));
  } catch (const nlohmann::json::out_of_range &error) {
    // No double holds the number, which the message has between quotes.
    const std::string message = error.what();
    const std::size_t open = message.find('\'') + 1;
    const std::string number = message.substr(open, message.rfind('\'') - open);
    throw Error("the number '" + number + "' is too large", file,
                positionAt(text, text.find(number)));
  }
}

JsonDocument JsonDocument::load(const std::string &path,
                                const std::string &inputName) {
  if (path != "-")
    return JsonDocument(path, readFile(path));
  return JsonDocument(inputName,
                      std::string(std::istreambuf_iterator<char>(std::cin),
                                  std::istreambuf_iterator<char>()));
}

SourcePosition JsonDocument::locate(const std::string &pointer) const {
  std::size_t at = Scanner(text, 0).skipSpace();
  for (const std::string &part : splitPointer(pointer)) {
    const std::optional<std::size_t> inner = Scanner(text, at).find(part);
    if (!inner)
      break;
    at = *inner;
  }
  return positionAt(text, at);
}

} // namespace clopt::runtime
