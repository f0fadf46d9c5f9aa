//===- Error.h - what the run-time throws when it cannot go on -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run-time is a program without LLVM, so it has no llvm::Expected. An Error
// carries a message and, where it is known, the place in the user's file. Only
// the tool prints.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_ERROR_H
#define CLOPT_RUNTIME_ERROR_H

#include <cstddef>
#include <stdexcept>
#include <string>

namespace clopt::runtime {

/// A place in a text file, both counted from 1; Line 0 means that it is not
/// known.
struct SourcePosition {
  unsigned line = 0;
  unsigned column = 0;
};

/// The line and column of byte `offset` of `text`.
inline SourcePosition positionAt(const std::string &text, std::size_t offset) {
  SourcePosition position{1, 1};
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++position.line;
      position.column = 1;
    } else {
      ++position.column;
    }
  }
  return position;
}

/// Something the user has to know: a bad file, a failed OpenCL call, a failed
/// process. what() is the bare message; str() has the place in front, in the
/// form of Clang.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message) : std::runtime_error(message) {}
  Error(const std::string &message, std::string fileName,
        SourcePosition where = {})
      : std::runtime_error(message), file(std::move(fileName)),
        position(where) {}

  /// "file:line:column: error: message", or "tool: error: message" without a
  /// place.
  std::string str(const std::string &tool) const {
    std::string head = file.empty() ? tool : file;
    if (!file.empty() && position.line != 0)
      head += ":" + std::to_string(position.line) + ":" +
              std::to_string(position.column);
    return head + ": error: " + what();
  }

  const std::string &fileName() const { return file; }
  SourcePosition where() const { return position; }

private:
  std::string file;
  SourcePosition position;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_ERROR_H
