//===- Diagnostics.cpp - messages in clang's form -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/DiagnosticsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/Diagnostics.h"

#include <algorithm>
#include <vector>

using namespace clopt;

namespace {
constexpr unsigned tabWidth = 8;

const char *word(MessageKind kind) {
  // In the order of MessageKind.
  static constexpr const char *names[] = {"note", "remark", "warning", "error"};
  return names[static_cast<size_t>(kind)];
}

/// Clang's colours: black, blue, magenta and red, all bold.
const char *colorCode(MessageKind kind) {
  // In the order of MessageKind.
  static constexpr const char *codes[] = {"\033[0;1;36m", "\033[0;1;34m",
                                          "\033[0;1;35m", "\033[0;1;31m"};
  return codes[static_cast<size_t>(kind)];
}

constexpr const char *bold = "\033[1m";
constexpr const char *green = "\033[0;1;32m";
constexpr const char *plain = "\033[0m";
} // namespace

static std::string colored(const char *code, const std::string &text,
                           const MessageStyle &style) {
  return style.color ? code + text + plain : text;
}

/// A source line as it is shown (tabs as spaces), and the display column of
/// every byte of it, with one more for the end of the line.
static std::string expandTabs(const std::string &line,
                              std::vector<unsigned> &columns) {
  std::string shown;
  unsigned column = 0;
  for (char c : line) {
    columns.push_back(column);
    if (c == '\t') {
      unsigned width = tabWidth - column % tabWidth;
      shown.append(width, ' ');
      column += width;
      continue;
    }
    shown.push_back(c);
    // Continuation bytes of UTF-8 take no place of their own.
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80)
      ++column;
  }
  columns.push_back(column);
  return shown;
}

/// The two lines below a message: the source line and the caret line.
static std::string snippet(const SourceRange &location, SourceTexts &sources,
                           const MessageStyle &style) {
  std::optional<std::string> line = sources.line(location.file, location.line);
  if (!line || location.column == 0 || location.column > line->size() + 1)
    return "";
  std::vector<unsigned> columns;
  std::string shown = expandTabs(*line, columns);
  unsigned first = columns[location.column - 1];
  // A range of several lines is underlined up to the end of its first one.
  unsigned endByte = line->size();
  if (location.endLine <= location.line)
    endByte = std::min<unsigned>(
        endByte, location.endColumn ? location.endColumn - 1 : 0);
  unsigned last = columns[std::max<unsigned>(endByte, location.column - 1)];

  std::string number = std::to_string(location.line);
  std::string gutter(std::max<size_t>(5, number.size()), ' ');
  std::string caret = "^";
  if (last > first + 1)
    caret.append(last - first - 1, '~');
  std::string result = gutter.substr(number.size()) + number + " | " + shown;
  result += "\n" + gutter + " | " + std::string(first, ' ') +
            colored(green, caret, style) + "\n";
  return result;
}

static std::string prefix(const SourceRange &location) {
  if (location.file.empty())
    return "clopt: ";
  if (!location.isValid())
    return location.file + ": ";
  std::string result = location.file + ":" + std::to_string(location.line);
  if (location.column)
    result += ":" + std::to_string(location.column);
  return result + ": ";
}

std::string clopt::renderMessage(MessageKind kind, const SourceRange &location,
                                 const std::string &message,
                                 const std::string &flag, SourceTexts &sources,
                                 const MessageStyle &style) {
  std::string text = flag.empty() ? message : message + " [" + flag + "]";
  std::string result =
      colored(bold, prefix(location), style) +
      colored(colorCode(kind), std::string(word(kind)) + ": ", style) +
      colored(bold, text, style) + "\n";
  if (style.snippet && location.isValid())
    result += snippet(location, sources, style);
  return result;
}

std::string clopt::renderDiagnostic(const Diagnostic &diagnostic,
                                    SourceTexts &sources,
                                    const MessageStyle &style) {
  if (!diagnostic.rendered.empty()) {
    std::string text = diagnostic.rendered;
    if (text.back() != '\n')
      text += '\n';
    return text;
  }
  MessageKind kind = MessageKind::Error;
  if (diagnostic.level == Diagnostic::Level::Warning)
    kind = MessageKind::Warning;
  else if (diagnostic.level == Diagnostic::Level::Note)
    kind = MessageKind::Note;
  return renderMessage(kind, diagnostic.location, diagnostic.message, "",
                       sources, style);
}

std::string clopt::renderError(const std::string &message,
                               const MessageStyle &style) {
  SourceTexts none;
  return renderMessage(MessageKind::Error, SourceRange(), message, "", none,
                       style);
}
