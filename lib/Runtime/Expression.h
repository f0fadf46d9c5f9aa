//===- Expression.h - integer expressions over named sizes -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch specifications give buffer sizes and NDRanges as expressions such as
// "n*n + 11" or "roundup(w, 16)". docs/launch-spec.md has the grammar.
// Tested by test/unit/RuntimeExpressionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_EXPRESSION_H
#define CLOPT_RUNTIME_EXPRESSION_H

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace clopt::runtime {

/// The values of the names that an expression may use.
using Bindings = std::map<std::string, std::int64_t>;

/// A malformed expression, or one without a value (unknown name, division by
/// zero, overflow). The offset is that of the offending byte in the
/// expression's text.
class ExpressionError : public std::runtime_error {
public:
  ExpressionError(const std::string &message, std::size_t at)
      : std::runtime_error(message), offset(at) {}
  std::size_t offset;
};

/// An immutable, cheaply copied expression over 64-bit integers.
class Expression {
public:
  struct Node;

  /// Throws ExpressionError if `text` is not an expression.
  static Expression parse(const std::string &text);
  static Expression constant(std::int64_t value);

  /// Throws ExpressionError if the expression has no value under `bindings`.
  std::int64_t evaluate(const Bindings &bindings) const;

  /// The names that occur, without those of functions.
  std::set<std::string> names() const;

  /// The text as it was written.
  const std::string &text() const { return source; }

private:
  Expression(std::shared_ptr<const Node> tree, std::string writtenAs);

  std::shared_ptr<const Node> root;
  std::string source;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_EXPRESSION_H
