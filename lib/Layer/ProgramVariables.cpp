//===- ProgramVariables.cpp - variables that outlive a kernel -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Layer/ProgramVariables.h"

#include "Runtime/SourceTokens.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace clopt::layer {

namespace {

/// What stands outside of all braces, up to a semicolon.
class Statement {
public:
  void add(std::string_view token) { tokens.push_back(token); }
  void clear() { tokens.clear(); }
  bool isEmpty() const { return tokens.empty(); }
  bool has(std::string_view token) const {
    return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
  }

  /// A brace that begins here is that of a function.
  bool isFunctionHead() const {
    return !tokens.empty() && tokens.back() == ")" && !has("=");
  }

  /// Nothing, a type, a constant, or the declaration of a function.
  bool isHarmless() const {
    if (tokens.empty() || tokens[0] == "typedef" || has("__constant") ||
        has("constant"))
      return true;
    const bool isType =
        tokens[0] == "struct" || tokens[0] == "union" || tokens[0] == "enum";
    if (isType && (tokens.back() == "{" || tokens.size() == 2))
      return true;
    // At least a type and a name: `NAME(x);` may be a macro for anything.
    const auto bracket = std::find(tokens.begin(), tokens.end(), "(");
    return bracket - tokens.begin() >= 2 && tokens.back() == ")" && !has("=");
  }

private:
  std::vector<std::string_view> tokens; ///< of braces, only the opening one
};

} // namespace

bool mayDeclareVariables(const std::string &source) {
  using Kind = runtime::SourceToken::Kind;
  Statement statement;
  unsigned depth = 0;
  for (const runtime::SourceToken &token : runtime::tokenize(source)) {
    if (token.kind == Kind::Comment || token.kind == Kind::Directive)
      continue;
    if (depth != 0 && token.is("static"))
      return true;
    if (token.is("{")) {
      if (depth++ == 0) {
        if (statement.isFunctionHead())
          statement.clear();
        else
          statement.add(token.text);
      }
    } else if (token.is("}")) {
      if (depth == 0)
        return true; // no text that is understood here
      --depth;
    } else if (depth == 0 && token.is(";")) {
      if (!statement.isHarmless())
        return true;
      statement.clear();
    } else if (depth == 0) {
      statement.add(token.text);
    }
  }
  // What is not at its end may go on in another text.
  return depth != 0 || !statement.isEmpty();
}

} // namespace clopt::layer
