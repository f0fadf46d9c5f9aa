//===- Terms.h - floating-point values as expressions -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A floating-point value of a symbolic run is a term: an operation and its
// operands, down to what buffers held at first and to arguments. Equal terms
// have equal numbers, so two runs that share a store compute the same when
// their numbers agree: same operations, same order, same conversions. Operands
// whose order changes no bit of a result have none: x * y is y * x, and so is
// x + y where neither is a product, which compilers join with one sum only;
// (x - y) * (x - y) is (y - x) * (y - x).
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
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace clopt {

using TermId = int64_t;

/// Made-up data whose number is this, modulo 8, rises with the cells: integers
/// may be where rows begin.
constexpr uint64_t risingData = 6;

class TermStore {
public:
  /// Made-up numbers are others for other `data`, and of other sizes.
  /// `compared`: integers that those in memory shall be now and then.
  explicit TermStore(uint64_t data = 0, std::vector<int64_t> compared = {});
  /// `name` says what is done, `signature` what each operand is: 'f' a term,
  /// 'i' an integer.
  TermId make(const std::string &name, const std::string &signature,
              ScalarKind kind, const std::vector<int64_t> &operands);
  /// The same with what `symbol` said.
  TermId make(unsigned symbol, ScalarKind kind, const int64_t *operands,
              unsigned count) {
    return intern(symbol, kind, 0, operands, count);
  }
  /// The same for `many` operations side by side: the operands of one of them
  /// are `many` numbers apart. Faster than one after the other.
  void makeAll(unsigned symbol, ScalarKind kind, const int64_t *operands,
               unsigned count, unsigned many, int64_t *results);
  static constexpr unsigned maxAtOnce = 32;
  /// A floating-point argument that would be this number.
  TermId argument(const std::string &name, ScalarKind kind, double value);
  /// What `make` knows the operation by.
  unsigned symbol(const std::string &name, const std::string &signature);
  /// A number that is known: a literal, or a converted integer.
  TermId literal(ScalarKind kind, double value);
  /// The bits of the number that the term would be, and back: bits that were
  /// asked for are the term again that they were asked of first.
  int64_t bitsOf(TermId term);
  TermId fromBits(ScalarKind kind, int64_t bits);
  /// Bits were asked of terms that are the same number by chance.
  bool hasChanceBits() const { return isByChance; }

  /// Which made-up numbers these are.
  uint64_t dataNumber() const { return data; }
  const std::vector<int64_t> &comparedNumbers() const { return compared; }
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
    double (*unary)(double) = nullptr;
    double (*binary)(double, double) = nullptr;
    bool isProductSum = false, isSum = false; ///< x * y + z
    bool isProduct = false, isDifference = false, isSize = false;
    bool passesProduct = false; ///< a product in an operand may be joined
  };
  static constexpr unsigned inlined = 3; ///< operands within a term
  struct Term {
    uint32_t symbol = 0;
    uint16_t count = 0;
    ScalarKind kind = ScalarKind::Float;
    bool isComputed = true;    ///< by operations whose value is known
    bool holdsProduct = false; ///< that a sum around it may be joined with
    uint64_t hash = 0;
    double value = 0;
    /// Of a sum, the largest magnitude on the way: its error grows with that.
    double largest = 0;
    /// The operands; where there are more, the first is where they begin.
    int64_t operands[inlined] = {0, 0, 0};
  };
  const Term &at(TermId term) const { return terms[static_cast<size_t>(term)]; }
  const int64_t *operandsOf(const Term &term) const {
    return term.count <= inlined
               ? term.operands
               : &moreOperands[static_cast<size_t>(term.operands[0])];
  }
  TermId intern(unsigned symbol, ScalarKind kind, double value,
                const int64_t *operands, unsigned count);
  TermId intern(const Term &term, uint64_t hash, const int64_t *operands);
  TermId add(Term term, uint64_t hash, const int64_t *operands);
  bool commutes(unsigned symbol, const int64_t *operands) const;
  TermId forward(TermId difference);
  void orderOperands(unsigned symbol, int64_t *operands);
  void enter(size_t id);
  void grow();
  double madeUp(uint64_t seed) const;
  void evaluate(Term &term, const int64_t *operands, uint64_t seed) const;

  const uint64_t data;
  const std::vector<int64_t> compared;
  std::vector<Term> terms;
  std::vector<int64_t> moreOperands;
  std::vector<Symbol> symbols;
  std::unordered_map<std::string, unsigned> symbolIds;
  /// Open addressing: the numbers of terms plus one in the lower half, parts of
  /// their hashes in the upper; 0 where there is none.
  std::vector<uint64_t> table;
  std::map<std::pair<ScalarKind, int64_t>, TermId> termsOfBits;
  bool isByChance = false;
};

/// Well mixed bits of both.
uint64_t mixBits(uint64_t seed, uint64_t value);
uint64_t mixText(uint64_t seed, const std::string &text);

} // namespace clopt

#endif // CLOPT_VALIDATION_TERMS_H
