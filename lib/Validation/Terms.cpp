//===- Terms.cpp - floating-point values as expressions -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hash-consing: a term is looked up before it is made. Numbers of unknown
// operations are made of the hash.
//
// Tested by test/unit/ValidationTermsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Terms.h"

#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace clopt {

uint64_t mixBits(uint64_t seed, uint64_t value) {
  uint64_t x = seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

uint64_t mixText(uint64_t seed, const std::string &text) {
  for (char c : text)
    seed = mixBits(seed, static_cast<unsigned char>(c));
  return seed;
}

//===-- Numbers and their bits --------------------------------------------===//

static int64_t halfBits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  uint32_t sign = bits >> 16 & 0x8000;
  if (std::isnan(value))
    return sign | 0x7e00;
  float size = std::fabs(value);
  if (size >= 65520.0F)
    return sign | 0x7c00;
  if (size < 6.103515625e-05F) // subnormal: multiples of 2^-24
    return sign | static_cast<uint32_t>(std::nearbyint(size * 16777216.0F));
  bits &= 0x7fffffff;
  bits += 0xfff + (bits >> 13 & 1); // to the nearest, ties to even
  return sign | ((bits >> 13) - (112U << 10));
}

static float halfValue(int64_t bits) {
  auto exponent = static_cast<int>(bits >> 10 & 31);
  auto fraction = static_cast<int>(bits & 1023);
  float size = exponent == 31  ? (fraction ? NAN : INFINITY)
               : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                               : std::ldexp(static_cast<float>(fraction + 1024),
                                            exponent - 25);
  return bits & 0x8000 ? -size : size;
}

static double rounded(ScalarKind kind, double value) {
  if (kind == ScalarKind::Double)
    return value;
  auto single = static_cast<float>(value);
  return kind == ScalarKind::Half ? halfValue(halfBits(single)) : single;
}

int64_t TermStore::bitsOf(TermId term) {
  ScalarKind kind = at(term).kind;
  double value = at(term).value;
  int64_t bits = 0;
  auto single = static_cast<float>(value);
  if (kind == ScalarKind::Double)
    std::memcpy(&bits, &value, sizeof value);
  else if (kind == ScalarKind::Half)
    bits = halfBits(single);
  else
    std::memcpy(&bits, &single, sizeof single);
  auto known = termsOfBits.emplace(std::make_pair(kind, bits), term).first;
  isByChance |= known->second != term;
  return bits;
}

TermId TermStore::fromBits(ScalarKind kind, int64_t bits) {
  if (kind != ScalarKind::Double)
    bits &= kind == ScalarKind::Half ? 0xffff : 0xffffffff;
  auto found = termsOfBits.find({kind, bits});
  if (found != termsOfBits.end())
    return found->second;
  double value = 0;
  float single = 0;
  if (kind == ScalarKind::Double) {
    std::memcpy(&value, &bits, sizeof value);
  } else if (kind == ScalarKind::Half) {
    value = halfValue(bits);
  } else {
    std::memcpy(&single, &bits, sizeof single);
    value = single;
  }
  // Whoever has these bits later is the same number by chance.
  const TermId number = literal(kind, value);
  termsOfBits.emplace(std::make_pair(kind, bits), number);
  return number;
}

//===-- Looking up --------------------------------------------------------===//

TermStore::TermStore(uint64_t which, std::vector<int64_t> numbers)
    : data(which), compared(std::move(numbers)), symbols(1), table(1024) {
  symbols[0].name = "literal";
  symbols[0].signature = "i";
}

static uint64_t hashOf(unsigned symbol, ScalarKind kind) {
  return mixBits(symbol, static_cast<uint64_t>(kind));
}

/// Where to look for it first, and what to compare before the term itself.
static size_t slotOf(uint64_t hash, size_t mask) { return hash & mask; }
static uint64_t upperHalf(uint64_t entry) { return entry >> 32; }

/// The first two operands may change places.
bool TermStore::commutes(unsigned symbol, const int64_t *values) const {
  const Symbol &made = symbols[symbol];
  if (made.isSum && !made.isDifference)
    return !at(values[0]).holdsProduct && !at(values[1]).holdsProduct;
  return made.isProduct || made.isProductSum;
}

/// x - y for y - x, whichever comes first.
TermId TermStore::forward(TermId difference) {
  const Term &term = at(difference);
  if (!symbols[term.symbol].isDifference || at(term.operands[0]).holdsProduct ||
      at(term.operands[1]).holdsProduct || term.operands[0] < term.operands[1])
    return difference;
  const int64_t turned[] = {term.operands[1], term.operands[0]};
  return intern(term.symbol, term.kind, 0, turned, 2);
}

/// The one order of operands that those with any other are found by.
void TermStore::orderOperands(unsigned symbol, int64_t *values) {
  const Symbol &made = symbols[symbol];
  if (made.isProduct && values[0] == values[1])
    values[0] = values[1] = forward(values[0]);
  else if (made.isSize)
    values[0] = forward(values[0]);
  else if (commutes(symbol, values) && values[0] > values[1])
    std::swap(values[0], values[1]);
}

TermId TermStore::intern(unsigned symbol, ScalarKind kind, double value,
                         const int64_t *given, unsigned count) {
  llvm::SmallVector<int64_t, 4> values(given, given + count);
  orderOperands(symbol, values.data());
  Term term;
  term.symbol = symbol;
  term.kind = kind;
  term.count = static_cast<uint16_t>(count);
  term.value = value;
  uint64_t hash = hashOf(symbol, kind);
  for (unsigned i = 0; i < count; ++i)
    hash = mixBits(hash, static_cast<uint64_t>(values[i]));
  return intern(term, hash, values.data());
}

TermId TermStore::intern(const Term &term, uint64_t hash,
                         const int64_t *values) {
  size_t mask = table.size() - 1;
  for (size_t slot = slotOf(hash, mask); table[slot];
       slot = (slot + 1) & mask) {
    if (upperHalf(table[slot]) != upperHalf(hash))
      continue;
    auto id = static_cast<uint32_t>(table[slot]) - 1;
    const Term &old = terms[id];
    if (old.symbol == term.symbol && old.kind == term.kind &&
        old.count == term.count &&
        std::equal(values, values + term.count, operandsOf(old)))
      return id;
  }
  return add(term, hash, values);
}

/// What will be looked at is asked for before it is needed: the table is larger
/// than caches are.
void TermStore::makeAll(unsigned symbol, ScalarKind kind, const int64_t *values,
                        unsigned count, unsigned many, int64_t *results) {
  Term term;
  term.symbol = symbol;
  term.kind = kind;
  term.count = static_cast<uint16_t>(count);
  uint64_t hashes[maxAtOnce];
  llvm::SmallVector<int64_t, 3 * maxAtOnce> ordered(size_t(count) * many);
  for (unsigned k = 0; k < many; ++k) {
    int64_t *own = &ordered[size_t(k) * count];
    for (unsigned i = 0; i < count; ++i)
      own[i] = values[i * many + k];
    orderOperands(symbol, own);
  }
  size_t mask = table.size() - 1;
  for (unsigned k = 0; k < many; ++k) {
    uint64_t hash = hashOf(symbol, kind);
    for (unsigned i = 0; i < count; ++i)
      hash = mixBits(hash, static_cast<uint64_t>(ordered[k * count + i]));
    hashes[k] = hash;
    __builtin_prefetch(&table[slotOf(hash, mask)]);
  }
  for (unsigned k = 0; k < many; ++k)
    if (uint64_t entry = table[slotOf(hashes[k], mask)])
      __builtin_prefetch(&terms[static_cast<uint32_t>(entry) - 1]);
  for (unsigned k = 0; k < many; ++k)
    results[k] = intern(term, hashes[k], &ordered[size_t(k) * count]);
}

/// A term that there is not yet.
TermId TermStore::add(Term term, uint64_t hash, const int64_t *values) {
  term.hash = hash;
  if (term.count <= inlined) {
    std::copy(values, values + term.count, term.operands);
  } else {
    term.operands[0] = static_cast<int64_t>(moreOperands.size());
    moreOperands.insert(moreOperands.end(), values, values + term.count);
  }
  if (term.symbol != 0)
    evaluate(term, values, hash);
  terms.push_back(term);
  if (terms.size() * 2 > table.size())
    grow();
  enter(terms.size() - 1);
  return static_cast<TermId>(terms.size() - 1);
}

void TermStore::enter(size_t id) {
  uint64_t hash = terms[id].hash;
  size_t mask = table.size() - 1, slot = slotOf(hash, mask);
  while (table[slot])
    slot = (slot + 1) & mask;
  table[slot] = upperHalf(hash) << 32 | (id + 1);
}

/// More room, for all terms but the last one.
void TermStore::grow() {
  table.assign(table.size() * 4, 0);
  for (size_t id = 0; id + 1 < terms.size(); ++id)
    enter(id);
}

TermId TermStore::make(const std::string &name, const std::string &signature,
                       ScalarKind kind, const std::vector<int64_t> &values) {
  return make(symbol(name, signature), kind, values.data(),
              static_cast<unsigned>(values.size()));
}

TermId TermStore::argument(const std::string &name, ScalarKind kind,
                           double value) {
  const TermId term = make(name, "i", kind, {0});
  terms[static_cast<size_t>(term)].value = rounded(kind, value);
  return term;
}

TermId TermStore::literal(ScalarKind kind, double value) {
  value = rounded(kind, value);
  int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return intern(0, kind, value, &bits, 1);
}

//===-- Values ------------------------------------------------------------===//

using UnaryFunction = double (*)(double);
using BinaryFunction = double (*)(double, double);

static UnaryFunction unaryFunction(const std::string &name) {
  static const std::unordered_map<std::string, UnaryFunction> functions = {
      {"-", [](double v) { return -v; }},
      {"convert", [](double v) { return v; }},
      {"fabs", [](double v) { return std::fabs(v); }},
      {"floor", [](double v) { return std::floor(v); }},
      {"ceil", [](double v) { return std::ceil(v); }},
      {"trunc", [](double v) { return std::trunc(v); }},
      {"round", [](double v) { return std::round(v); }},
      {"rint", [](double v) { return std::rint(v); }},
      {"sqrt", [](double v) { return std::sqrt(std::fabs(v)); }},
      {"exp", [](double v) { return std::exp(v); }},
      {"log", [](double v) { return std::log(std::fabs(v) + 1e-9); }},
      {"sin", [](double v) { return std::sin(v); }},
      {"cos", [](double v) { return std::cos(v); }}};
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

static BinaryFunction binaryFunction(const std::string &name) {
  static const std::unordered_map<std::string, BinaryFunction> functions = {
      {"+", [](double x, double y) { return x + y; }},
      {"-", [](double x, double y) { return x - y; }},
      {"*", [](double x, double y) { return x * y; }},
      {"/", [](double x, double y) { return y == 0 ? 0 : x / y; }},
      {"fmin", [](double x, double y) { return std::fmin(x, y); }},
      {"min", [](double x, double y) { return std::fmin(x, y); }},
      {"fmax", [](double x, double y) { return std::fmax(x, y); }},
      {"max", [](double x, double y) { return std::fmax(x, y); }}};
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

unsigned TermStore::symbol(const std::string &name,
                           const std::string &signature) {
  auto [entry, isNew] = symbolIds.emplace(
      name + "/" + signature, static_cast<unsigned>(symbols.size()));
  if (!isNew)
    return entry->second;
  Symbol added;
  added.name = name;
  added.signature = signature;
  if (signature == "f")
    added.unary = unaryFunction(name);
  else if (signature == "ff")
    added.binary = binaryFunction(name);
  added.isSum = signature == "ff" && (name == "+" || name == "-");
  added.isProductSum = signature == "fff" && (name == "fma" || name == "mad");
  added.isProduct = signature == "ff" && name == "*";
  added.isDifference = signature == "ff" && name == "-";
  added.isSize = signature == "f" && name == "fabs";
  added.passesProduct =
      added.isSum || added.isProduct || name == "mad" ||
      (signature == "f" && (name == "-" || name == "convert"));
  symbols.push_back(added);
  return entry->second;
}

/// Somewhere in (-4, 4), or in larger or smaller surroundings of 0. For some
/// data many numbers are equal.
double TermStore::madeUp(uint64_t seed) const {
  static constexpr double scales[] = {8, 8, 0.25, 256};
  if (data != 0)
    seed = mixBits(seed, data);
  if (data % 4 == 1)
    return static_cast<double>(seed & 1);
  const double part = static_cast<double>(seed >> 11) / 9007199254740992.0;
  return (part - 0.5) * (data == 0 ? 8 : scales[seed & 3]);
}

void TermStore::evaluate(Term &term, const int64_t *values,
                         uint64_t seed) const {
  const Symbol &symbol = symbols[term.symbol];
  double result = 0;
  bool isKnown = symbol.unary || symbol.binary || symbol.isProductSum;
  if (symbol.unary)
    result = symbol.unary(value(values[0]));
  else if (symbol.binary)
    result = symbol.binary(value(values[0]), value(values[1]));
  else if (symbol.isProductSum)
    result = value(values[0]) * value(values[1]) + value(values[2]);
  term.holdsProduct = symbol.isProduct || symbol.name == "mad";
  for (unsigned i = 0; symbol.passesProduct && i < term.count; ++i)
    term.holdsProduct |= at(values[i]).holdsProduct;
  // Numbers that are not ordered would decide conditions in both directions.
  bool isUsable = isKnown && std::isfinite(result);
  term.value = rounded(term.kind, isUsable ? result : madeUp(mixBits(seed, 1)));
  term.largest = std::fabs(term.value);
  if (symbol.isSum || symbol.isProductSum)
    for (unsigned i = symbol.isSum ? 0 : 2; i < term.count; ++i)
      term.largest = std::fmax(term.largest, at(values[i]).largest);
  bool isLeaf = true;
  for (unsigned i = 0; i < term.count; ++i)
    if (symbol.signature[i] == 'f') {
      isLeaf = false;
      term.isComputed &= at(values[i]).isComputed;
    }
  term.isComputed &= isLeaf || isUsable;
}

std::optional<bool> TermStore::areClose(TermId x, TermId y) const {
  const Term &a = at(x), &b = at(y);
  if (!a.isComputed || !b.isComputed)
    return std::nullopt;
  double scale =
      std::fmax(std::fmax(1, std::fmax(std::fabs(a.value), std::fabs(b.value))),
                std::fmin(a.largest, b.largest));
  return std::fabs(a.value - b.value) <= 1e-3 * scale;
}

std::string TermStore::print(TermId term, unsigned depth) const {
  const Term &top = at(term);
  if (top.symbol == 0) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", top.value);
    return text;
  }
  if (depth == 0)
    return "...";
  const Symbol &symbol = symbols[top.symbol];
  std::vector<std::string> parts;
  for (size_t i = 0; i < top.count; ++i) {
    int64_t operand = operandsOf(top)[i];
    parts.push_back(symbol.signature[i] == 'f' ? print(operand, depth - 1)
                                               : std::to_string(operand));
  }
  bool isOperator = symbol.name.size() == 1;
  if (isOperator && parts.size() == 2)
    return "(" + parts[0] + " " + symbol.name + " " + parts[1] + ")";
  if (isOperator && parts.size() == 1)
    return symbol.name + parts[0];
  if (symbol.name.back() == '[')
    return symbol.name + parts[0] + "]";
  std::string text = symbol.name + "(";
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i ? ", " : "") + parts[i];
  return text + ")";
}

} // namespace clopt
