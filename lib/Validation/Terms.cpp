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

/// Somewhere in (-4, 4).
static double madeUp(uint64_t seed) {
  return static_cast<double>(seed >> 11) / 9007199254740992.0 * 8 - 4;
}

static double rounded(ScalarKind kind, double value) {
  return kind == ScalarKind::Double
             ? value
             : static_cast<double>(static_cast<float>(value));
}

TermId TermStore::intern(const Term &term, const std::vector<int64_t> &values) {
  uint64_t hash = mixBits(term.symbol, static_cast<uint64_t>(term.kind));
  for (int64_t value : values)
    hash = mixBits(hash, static_cast<uint64_t>(value));
  auto [begin, end] = known.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    const Term &old = at(entry->second);
    bool isEqual = old.symbol == term.symbol && old.kind == term.kind &&
                   old.count == values.size();
    for (size_t i = 0; isEqual && i < values.size(); ++i)
      isEqual = operands[old.first + i] == values[i];
    if (isEqual)
      return entry->second;
  }
  auto id = static_cast<TermId>(terms.size());
  Term added = term;
  added.first = operands.size();
  added.count = values.size();
  if (term.symbol != 0)
    evaluate(added, values, hash);
  operands.insert(operands.end(), values.begin(), values.end());
  terms.push_back(added);
  known.emplace(hash, id);
  return id;
}

unsigned TermStore::symbol(const std::string &name,
                           const std::string &signature) {
  auto [entry, isNew] = symbolIds.emplace(
      name + "/" + signature, static_cast<unsigned>(symbols.size()));
  if (isNew)
    symbols.push_back({name, signature});
  return entry->second;
}

TermId TermStore::make(unsigned symbol, ScalarKind kind,
                       const std::vector<int64_t> &values) {
  Term term;
  term.symbol = symbol;
  term.kind = kind;
  return intern(term, values);
}

TermId TermStore::make(const std::string &name, const std::string &signature,
                       ScalarKind kind, const std::vector<int64_t> &values) {
  return make(symbol(name, signature), kind, values);
}

TermId TermStore::literal(ScalarKind kind, double value) {
  Term term;
  term.kind = kind;
  term.value = rounded(kind, value);
  int64_t bits = 0;
  std::memcpy(&bits, &term.value, sizeof bits);
  return intern(term, {bits});
}

static bool unaryValue(const std::string &name, double x, double &result) {
  static const std::unordered_map<std::string, double (*)(double)> functions = {
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
  if (found != functions.end())
    result = found->second(x);
  return found != functions.end();
}

static bool binaryValue(const std::string &name, double x, double y,
                        double &result) {
  if (name == "+")
    result = x + y;
  else if (name == "-")
    result = x - y;
  else if (name == "*")
    result = x * y;
  else if (name == "/")
    result = y == 0 ? 0 : x / y;
  else if (name == "fmin" || name == "min")
    result = std::fmin(x, y);
  else if (name == "fmax" || name == "max")
    result = std::fmax(x, y);
  else
    return false;
  return true;
}

void TermStore::evaluate(Term &term, const std::vector<int64_t> &values,
                         uint64_t seed) const {
  const Symbol &symbol = symbols[term.symbol];
  double result = 0;
  bool isKnown = false;
  if (symbol.signature == "f")
    isKnown = unaryValue(symbol.name, value(values[0]), result);
  else if (symbol.signature == "ff")
    isKnown =
        binaryValue(symbol.name, value(values[0]), value(values[1]), result);
  else if (symbol.signature == "fff" &&
           (symbol.name == "fma" || symbol.name == "mad")) {
    result = value(values[0]) * value(values[1]) + value(values[2]);
    isKnown = true;
  }
  // Numbers that are not ordered would decide conditions in both directions.
  bool isUsable = isKnown && std::isfinite(result);
  term.value = rounded(term.kind, isUsable ? result : madeUp(mixBits(seed, 1)));
  bool isLeaf = true;
  for (size_t i = 0; i < values.size(); ++i)
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
      std::fmax(1, std::fmax(std::fabs(a.value), std::fabs(b.value)));
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
    int64_t operand = operands[top.first + i];
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
