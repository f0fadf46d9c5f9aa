//===- Polynomial.h - integer polynomials over model symbols ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subscripts of real kernels are flattened, `a[i * n + j]`: polynomials in
// work-item ids, loop iterators and parameters. They are kept as such, exactly,
// and only turned into isl's affine form after delinearization.
//
// What is not polynomial but still exact in isl (division and remainder by a
// constant, minimum, maximum, select on an affine condition) is an Atom: a
// symbol with a definition in the SymbolTable.
//
// Tested by test/unit/PolynomialTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_POLYNOMIAL_H
#define CLOPT_MODEL_POLYNOMIAL_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

struct Variable;

using SymbolId = unsigned;
/// A product of symbols, sorted, with repetition: {n, i} is n * i; {} is 1.
using Monomial = std::vector<SymbolId>;

/// A polynomial with integer coefficients. Coefficients that leave 64 bits
/// make the polynomial `overflowed`, which every user treats as unknown.
class Polynomial {
public:
  Polynomial() = default;
  explicit Polynomial(int64_t constant);
  static Polynomial symbol(SymbolId id);

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  Polynomial operator-() const;
  bool operator==(const Polynomial &other) const;
  bool operator!=(const Polynomial &other) const { return !(*this == other); }

  bool overflowed() const { return overflow; }
  bool isZero() const { return terms.empty() && !overflow; }
  /// The value when no symbol occurs.
  std::optional<int64_t> asConstant() const;
  /// The symbol that it is, once and with nothing beside it.
  std::optional<SymbolId> asSymbol() const;
  /// True when no monomial has more than one symbol.
  bool isAffine() const;
  /// The coefficient polynomial of `id`^1; nothing when `id` occurs with a
  /// higher power. f = coefficient * id + rest.
  std::optional<Polynomial> coefficientOf(SymbolId id) const;
  bool contains(SymbolId id) const;
  /// Replaces `id` by `value`.
  Polynomial substitute(SymbolId id, const Polynomial &value) const;
  /// Exact quotient by a monomial times a constant, if it divides every term.
  std::optional<Polynomial> divideExactly(const Monomial &monomial,
                                          int64_t coefficient) const;
  /// Long division by the monomial of highest degree of `divisor`: this is
  /// quotient * divisor + remainder, always exactly. Terms that the leading
  /// monomial or its coefficient does not divide stay in the remainder.
  struct Division;
  Division divideBy(const Polynomial &divisor) const;
  /// All symbols that occur, sorted.
  std::vector<SymbolId> symbols() const;
  /// "i*n + j + 1", names from `nameOf`.
  std::string str(const std::function<std::string(SymbolId)> &nameOf) const;

  /// monomial -> coefficient (never 0)
  std::map<Monomial, int64_t> terms;
  bool overflow = false;
};

struct Polynomial::Division {
  Polynomial quotient, remainder;
};

/// An affine condition on symbols, in the shape the program wrote it.
struct Condition {
  enum class Kind { True, False, NonNegative, Zero, And, Or, Not };
  Kind kind = Kind::True;
  Polynomial poly;                 ///< NonNegative: poly >= 0; Zero: poly == 0
  std::vector<Condition> operands; ///< And, Or: two or more; Not: one
};

bool operator==(const Condition &left, const Condition &right);
/// The opposite, with negations pushed down to Zero.
Condition negate(const Condition &condition);
/// Both, either; True and False are folded.
Condition conjunction(const Condition &left, const Condition &right);
Condition disjunction(const Condition &left, const Condition &right);
/// "(i >= 0 && n - i - 1 >= 0)"
std::string str(const Condition &condition,
                const std::function<std::string(SymbolId)> &nameOf);

enum class SymbolKind {
  GlobalId, ///< dim; counts from the global offset
  LocalId,  ///< dim
  GroupId,  ///< dim
  Iterator, ///< of a modelled loop; value of the author's variable
  Param,    ///< scalar kernel argument that is never written
  Product,  ///< first: a polynomial of parameters that isl sees as one
            ///< parameter ("w_h" for w * h); a quotient, first / second, where
            ///< there is a second (isQuotient)
  GlobalSize,
  LocalSize,
  NumGroups,
  GlobalOffset, ///< dim
  FloorDiv,     ///< floor(first / constant)
  Modulo,       ///< first - constant * floor(first / constant)
  Select,       ///< condition ? first : second
  Unknown       ///< a fixed but unknown value (uniform or not: `varying`)
};

struct Symbol {
  SymbolKind kind = SymbolKind::Unknown;
  /// Unique, a C identifier: "i", "n", "gs0" (global size), "w0" (global id),
  /// "l0", "g0", "ls0", "ng0", "go0" (offset).
  std::string name;
  unsigned dim = 0;
  const Variable *var = nullptr;
  Polynomial first, second;
  int64_t constant = 0;
  Condition condition;
  /// Range that the type or the definition gives; nothing if unbounded.
  std::optional<int64_t> minimum, maximum;
  bool varying = false; ///< Unknown: may differ between instances
};

/// All symbols of one kernel. Identical atoms share one symbol.
class SymbolTable {
public:
  SymbolId add(Symbol symbol); ///< makes the name unique
  const Symbol &operator[](SymbolId id) const { return symbols[id]; }
  Symbol &operator[](SymbolId id) { return symbols[id]; }
  size_t size() const { return symbols.size(); }
  const std::vector<Symbol> &all() const { return symbols; }
  std::optional<SymbolId> find(SymbolKind kind, unsigned dim) const;
  std::optional<SymbolId> findVariable(const Variable *var) const;
  std::string name(SymbolId id) const { return symbols[id].name; }

  SymbolId floorDiv(const Polynomial &value, int64_t divisor);
  SymbolId modulo(const Polynomial &value, int64_t divisor);
  SymbolId select(const Condition &condition, const Polynomial &ifTrue,
                  const Polynomial &ifFalse);

private:
  std::vector<Symbol> symbols;
};

} // namespace clopt

#endif // CLOPT_MODEL_POLYNOMIAL_H
