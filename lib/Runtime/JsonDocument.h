//===- JsonDocument.h - JSON with places for messages ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON library forgets where a value stood in its file. A JsonDocument
// keeps the text, so that a message about a field can point at it. Tested by
// test/unit/RuntimeJsonDocumentTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_JSONDOCUMENT_H
#define CLOPT_RUNTIME_JSONDOCUMENT_H

#include "Runtime/Error.h"

#include <nlohmann/json.hpp>

#include <string>

namespace clopt::runtime {

/// JSON whose objects keep the order of the file.
using Json = nlohmann::ordered_json;

/// The content of a regular file. Throws Error if it cannot be read.
std::string readFile(const std::string &path);

class JsonDocument {
public:
  /// Throws Error at the offending place if `content` is not JSON.
  JsonDocument(std::string path, std::string content);

  /// Reads and parses a file; "-" is standard input, which messages call
  /// `inputName`.
  static JsonDocument load(const std::string &path,
                           const std::string &inputName = "<stdin>");

  const Json &root() const { return value; }
  const std::string &fileName() const { return file; }

  /// Where the value at `pointer` (RFC 6901: "/Arguments/0/Size") begins. For a
  /// pointer to a value that is not there, the place of the innermost value
  /// around it.
  SourcePosition locate(const std::string &pointer) const;

  /// An error about the value at `pointer`.
  Error error(const std::string &pointer, const std::string &message) const {
    return Error(message, file, locate(pointer));
  }

private:
  std::string file;
  std::string text;
  Json value;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_JSONDOCUMENT_H
