//===- Terms.h - floating-point values as expressions -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A floating-point value of a symbolic run is a term: an operation and its
// operands, down to what buffers held at first and to arguments. Equal terms
// have equal numbers, so two runs that share a store compute the same when
// their numbers agree: same operations, same order, same conversions.
//
// Every term also has a number it would be for made-up data. Conditions and
// conversions to integers are decided by it, in both runs alike.
//
// Tested by test/unit/ValidationTermsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_TERMS_H
#define CLOPT_VALIDATION_TERMS_H

#include "Model/Type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace clopt {

using TermId = int64_t;

class TermStore {
public:
  /// `name` says what is done, `signature` what each operand is: 'f' a term,
  /// 'i' an integer.
  TermId make(const std::string &name, const std::string &signature,
              ScalarKind kind, const std::vector<int64_t> &operands);
  TermId make(unsigned symbol, ScalarKind kind,
              const std::vector<int64_t> &operands);
  /// What `make` knows the operation by.
  unsigned symbol(const std::string &name, const std::string &signature);
  /// A number that is known: a literal, or a converted integer.
  TermId literal(ScalarKind kind, double value);

  ScalarKind kind(TermId term) const { return at(term).kind; }
  double value(TermId term) const { return at(term).value; }
  bool isLiteral(TermId term) const { return at(term).symbol == 0; }
  /// Whether the two could be one value computed in different orders: made of
  /// operations whose value is known, and close to each other. Nothing when
  /// there are other operations.
  std::optional<bool> areClose(TermId x, TermId y) const;
  /// "A[12] * B[3] + 0", cut off below `depth`.
  std::string print(TermId term, unsigned depth = 4) const;
  size_t size() const { return terms.size(); }

private:
  struct Symbol {
    std::string name, signature;
  };
  struct Term {
    unsigned symbol = 0;
    ScalarKind kind = ScalarKind::Float;
    size_t first = 0; ///< operands: first, first + 1, ...
    size_t count = 0;
    double value = 0;
    bool isComputed = true; ///< by operations whose value is known
  };
  const Term &at(TermId term) const { return terms[static_cast<size_t>(term)]; }
  TermId intern(const Term &term, const std::vector<int64_t> &operands);
  void evaluate(Term &term, const std::vector<int64_t> &operands,
                uint64_t seed) const;

  std::vector<Term> terms;
  std::vector<int64_t> operands;
  std::vector<Symbol> symbols = {{"literal", "i"}};
  std::unordered_map<std::string, unsigned> symbolIds;
  std::unordered_multimap<uint64_t, TermId> known;
};

/// Well mixed bits of both.
uint64_t mixBits(uint64_t seed, uint64_t value);
uint64_t mixText(uint64_t seed, const std::string &text);

} // namespace clopt

#endif // CLOPT_VALIDATION_TERMS_H
