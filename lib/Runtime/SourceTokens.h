//===- SourceTokens.h - the words of a kernel file -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run-time has no C parser. What it asks of a text, this is enough for.
// Tested by test/unit/RuntimeSourceTokensTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SOURCETOKENS_H
#define CLOPT_RUNTIME_SOURCETOKENS_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::runtime {

struct SourceToken {
  enum class Kind {
    Word,      ///< an identifier, a keyword or a number
    Sign,      ///< one character
    String,    ///< with its quotes, or a character constant
    Comment,   ///< of either form, a line's without its line break
    Directive, ///< of the preprocessor, with its continued lines
  };
  Kind kind;
  std::string_view text; ///< a part of the source
  std::size_t begin;     ///< its place there
  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view other) const { return text == other; }
};

/// The tokens view into `source`.
std::vector<SourceToken> tokenize(std::string_view source);

/// Bytes to which the kernels of a text may expect their buffers to be aligned
/// besides the elements' own alignment: those of the largest vector type that
/// the text names. OpenCL's 128 where types may come from elsewhere: a header,
/// a macro that makes names, an attribute.
std::size_t expectedAlignment(std::string_view source);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SOURCETOKENS_H
