//===- SizeTerms.h - sizes as expressions over names ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials over named sizes, all of them at least 1, and over what is not
// polynomial: quotients, multiples, the larger of two. Their text is that of
// launch specifications (docs/launch-spec.md).
//
// Tested by test/unit/SizeTermsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_SIZETERMS_H
#define CLOPT_VALIDATION_SIZETERMS_H

#include "Model/Polynomial.h"

#include <map>
#include <string>
#include <vector>

namespace clopt {

class SizeTerms {
public:
  Polynomial name(const std::string &name);
  Polynomial larger(const Polynomial &x, const Polynomial &y);
  Polynomial smaller(const Polynomial &x, const Polynomial &y);
  /// Of a divisor of at least 1.
  Polynomial floorDiv(const Polynomial &value, const Polynomial &divisor);
  Polynomial ceilDiv(const Polynomial &value, const Polynomial &divisor);
  /// The next multiple.
  Polynomial roundUp(const Polynomial &value, const Polynomial &step);

  /// x >= y whatever the sizes are; false where that cannot be told.
  bool isAtLeast(const Polynomial &x, const Polynomial &y) const;
  /// "n*m + 2*n", an expression of a launch specification.
  std::string text(const Polynomial &value) const;
  /// Of the sizes that it is made of.
  std::vector<std::string> namesIn(const Polynomial &value) const;
  /// Nothing where a name has no value, or the number is too large.
  std::optional<int64_t>
  value(const Polynomial &value,
        const std::map<std::string, int64_t> &sizes) const;

private:
  enum class Kind { Name, Larger, Smaller, FloorDiv, CeilDiv };
  struct Term {
    Kind kind = Kind::Name;
    std::string name;
    Polynomial first, second;
  };
  Polynomial make(Kind kind, const std::string &name, const Polynomial &first,
                  const Polynomial &second);
  std::string textOf(const Term &term, bool isMultiple) const;

  std::vector<Term> terms; ///< by SymbolId
};

} // namespace clopt

#endif // CLOPT_VALIDATION_SIZETERMS_H
