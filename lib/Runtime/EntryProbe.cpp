//===- EntryProbe.cpp - which launches take a kernel's new body -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a new text (Emit/frame/KernelWriter.cpp): a comment that begins
// with "// Optimized by clopt", declarations, and `if (condition) { ...
// return; }` in front of the author's text, which may stand behind `else`;
// without a condition nothing follows. There may be several of these, one
// behind the other.
//
//===----------------------------------------------------------------------===//

#include "Runtime/EntryProbe.h"

#include "Runtime/SourceTokens.h"

#include <algorithm>
#include <vector>

namespace clopt::runtime {

namespace {

using SourceTokens = std::vector<SourceToken>;

constexpr std::string_view newTextHeading = "// Optimized by clopt";
constexpr const char *markName = "clopt_rt_entered";

/// A kernel's definition or declaration, by indices of tokens.
struct KernelPlace {
  std::string name;                      // or the call of a macro that makes it
  std::size_t begin = 0;                 // `__kernel`
  std::size_t open = 0, close = 0;       // the parentheses of its parameters
  std::size_t bodyOpen = 0, bodyEnd = 0; // braces; both 0 in a declaration
};

class Places {
public:
  explicit Places(const SourceTokens &from) : tokens(from) {}

  std::vector<KernelPlace> find() const {
    std::vector<KernelPlace> result;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      if (!isWord(at, "__kernel") && !isWord(at, "kernel"))
        continue;
      KernelPlace place;
      if (!read(at, place))
        continue;
      at = std::max(place.close, place.bodyEnd);
      result.push_back(std::move(place));
    }
    return result;
  }

  /// The token that closes the bracket at `at`, or the number of tokens.
  std::size_t matching(std::size_t at) const {
    const std::string_view open = tokens[at].text;
    const std::string_view close = open == "{" ? "}" : open == "(" ? ")" : "]";
    int depth = 0;
    for (; at < tokens.size(); ++at) {
      if (tokens[at].kind != SourceToken::Kind::Sign)
        continue;
      depth += tokens[at].is(open);
      depth -= tokens[at].is(close);
      if (depth == 0)
        break;
    }
    return at;
  }

  bool isSign(std::size_t at, std::string_view sign) const {
    return at < tokens.size() && tokens[at].kind == SourceToken::Kind::Sign &&
           tokens[at].is(sign);
  }
  bool isWord(std::size_t at, std::string_view word) const {
    return at < tokens.size() && tokens[at].kind == SourceToken::Kind::Word &&
           tokens[at].is(word);
  }
  /// The next token that is not for the preprocessor or the reader.
  std::size_t next(std::size_t at) const {
    ++at;
    while (at < tokens.size() &&
           (tokens[at].kind == SourceToken::Kind::Comment ||
            tokens[at].kind == SourceToken::Kind::Directive))
      ++at;
    return at;
  }
  std::size_t previous(std::size_t at) const {
    do
      --at;
    while (at > 0 && (tokens[at].kind == SourceToken::Kind::Comment ||
                      tokens[at].kind == SourceToken::Kind::Directive));
    return at;
  }

private:
  /// `__kernel ... void name ( ... ) ... {`, or a semicolon at the end.
  bool read(std::size_t at, KernelPlace &place) const {
    place.begin = at;
    while (at < tokens.size() && !isWord(at, "void") && !isSign(at, ";") &&
           !isSign(at, "{") && !isSign(at, "}"))
      at = isSign(at, "(") ? next(matching(at)) : next(at);
    std::size_t name = next(at);
    while (isWord(name, "__attribute__") && isSign(next(name), "("))
      name = next(matching(next(name)));
    place.open = next(name);
    if (!isWord(at, "void") || !isSign(place.open, "(") ||
        tokens[name].kind != SourceToken::Kind::Word)
      return false;
    place.close = matching(place.open);
    // The parameters are the last in a row: `NAME(k)(int n)`.
    while (isSign(next(place.close), "(")) {
      place.open = next(place.close);
      place.close = matching(place.open);
    }
    for (std::size_t i = name; i < place.open; i = next(i))
      place.name += tokens[i].text;
    at = next(place.close);
    while (at < tokens.size() && !isSign(at, "{") && !isSign(at, ";"))
      at = isSign(at, "(") ? next(matching(at)) : next(at);
    if (!isSign(at, "{"))
      return isSign(at, ";");
    place.bodyOpen = at;
    place.bodyEnd = matching(at);
    return place.bodyEnd < tokens.size();
  }

  const SourceTokens &tokens;
};

bool isPragma(std::string_view directive) {
  const std::size_t word = directive.find_first_not_of(" \t", 1);
  return word != std::string_view::npos &&
         directive.substr(word, 6) == "pragma";
}

/// The author's text of each kernel that has a body, without what only a reader
/// sees.
std::map<std::string, std::string> bodiesOf(const std::string &source) {
  const SourceTokens tokens = tokenize(source);
  std::map<std::string, std::string> result;
  for (const KernelPlace &place : Places(tokens).find()) {
    if (place.bodyOpen == 0)
      continue;
    std::string &text = result[place.name];
    for (std::size_t at = place.begin; at <= place.bodyEnd; ++at)
      if (tokens[at].kind != SourceToken::Kind::Comment)
        text += std::string(tokens[at].text) + "\n";
  }
  return result;
}

class ProbeWriter {
public:
  ProbeWriter(const std::string &original, const std::string &optimized)
      : source(optimized), tokens(tokenize(source)), places(tokens),
        before(bodiesOf(original)), after(bodiesOf(optimized)) {}

  EntryProbe run() {
    for (const KernelPlace &place : places.find())
      write(place);
    probe.source += source.substr(at);
    if (probe.kernels.empty() || source.find(markName) != std::string::npos)
      probe.source.clear();
    return std::move(probe);
  }

private:
  /// Copies up to `end`.
  void copy(std::size_t end) {
    probe.source += source.substr(at, end - at);
    at = end;
  }

  /// Leaves everything up to `end` out that is no directive.
  void skip(std::size_t firstToken, std::size_t end) {
    for (std::size_t i = firstToken; i < tokens.size() && tokens[i].begin < end;
         ++i)
      if (tokens[i].kind == SourceToken::Kind::Directive &&
          !isPragma(tokens[i].text))
        probe.source += "\n" + std::string(tokens[i].text) + "\n";
    at = end;
  }

  void write(const KernelPlace &place) {
    copy(tokens[place.close].begin);
    KernelEntry entry;
    entry.mark = markName + std::to_string(probe.definitions.size());
    const std::size_t first = places.next(place.open);
    if (places.isWord(first, "void") && places.next(first) == place.close)
      probe.source.erase(probe.source.rfind("void"));
    else if (first != place.close)
      probe.source += ", ";
    probe.source += "__global uint *" + entry.mark;
    if (place.bodyOpen == 0)
      return;
    if (const std::size_t comment =
            findHeading(place.bodyOpen, place.bodyEnd)) {
      entry.body = KernelEntry::Body::New;
      writeNew(place, comment, entry);
    } else {
      entry.body = isUnchanged(place.name) ? KernelEntry::Body::Unchanged
                                           : KernelEntry::Body::Unknown;
      copy(tokens[place.bodyOpen].end());
      skip(place.bodyOpen + 1, tokens[place.bodyEnd].begin);
    }
    copy(tokens[place.bodyEnd].end());
    probe.definitions.push_back(entry);
    // A kernel may be there several times, under #if.
    KernelEntry &known = probe.kernels[place.name];
    if (entry.body == KernelEntry::Body::New ||
        known.body != KernelEntry::Body::New)
      known = std::move(entry);
  }

  bool isUnchanged(const std::string &name) const {
    const auto known = before.find(name);
    return known != before.end() && known->second == after.at(name);
  }

  /// The next comment over a new text, or 0.
  std::size_t findHeading(std::size_t from, std::size_t end) const {
    for (std::size_t i = from; i < end; ++i)
      if (tokens[i].kind == SourceToken::Kind::Comment &&
          tokens[i].text.substr(0, newTextHeading.size()) == newTextHeading)
        return i;
    return 0;
  }

  /// What stands between two tokens, without comments.
  std::string textOf(std::size_t first, std::size_t last) const {
    std::string text;
    for (std::size_t i = first; i < last; ++i)
      if (tokens[i].kind != SourceToken::Kind::Comment)
        text +=
            (i > first && tokens[i - 1].end() != tokens[i].begin ? " " : "") +
            std::string(tokens[i].text);
    return text;
  }

  /// The parts of a conjunction; one if it is none, or if the preprocessor
  /// takes part.
  std::vector<std::string> conjuncts(std::size_t open,
                                     std::size_t close) const {
    std::vector<std::string> result;
    std::size_t first = open + 1;
    for (std::size_t i = first; i < close; ++i) {
      if (places.isSign(i, "("))
        i = places.matching(i);
      if (tokens[i].kind == SourceToken::Kind::Directive ||
          places.isSign(i, "|") || places.isSign(i, "?"))
        return {textOf(open + 1, close)};
      if (places.isSign(i, "&") && places.isSign(i + 1, "&") &&
          tokens[i].end() == tokens[i + 1].begin) {
        result.push_back(textOf(first, i));
        first = ++i + 1;
      }
    }
    result.push_back(textOf(first, close));
    return result;
  }

  void writeNew(const KernelPlace &place, std::size_t comment,
                KernelEntry &entry) {
    const auto store = [&entry](std::size_t value) {
      return "*" + entry.mark + " = " + std::to_string(value) + "u;";
    };
    const std::size_t end = tokens[place.bodyEnd].begin;
    const std::size_t guard = findGuard(comment, place.bodyEnd);
    if (guard == 0) {
      copy(tokens[comment].begin);
      probe.source += store(1) + "\n";
      return skip(comment, end);
    }
    const std::size_t open = places.next(guard);
    const std::size_t close = places.matching(open);
    entry.conditions = conjuncts(open, close);
    copy(tokens[guard].begin);
    std::string otherwise;
    for (std::size_t i = 0; i < entry.conditions.size(); ++i) {
      probe.source += "if (" + entry.conditions[i] + ") {\n";
      otherwise = "} else {\n" + store(i + 2) + "\n}\n" + otherwise;
    }
    probe.source += store(1) + "\n" + otherwise;
    std::size_t last = places.matching(places.next(close));
    // Further versions: what stands between them is left out.
    std::size_t from = places.next(close);
    while (const std::size_t next = findHeading(last, place.bodyEnd)) {
      skip(from, tokens[next].begin);
      const std::size_t other = findGuard(next, place.bodyEnd);
      if (other == 0) {
        probe.source += store(1) + "\n";
        from = next;
        break;
      }
      const std::size_t begin = places.next(other);
      from = places.next(places.matching(begin));
      last = places.matching(from);
      copy(tokens[from].begin);
      probe.source += "{\n" + store(1) + "\n}\n";
    }
    skip(from, end);
  }

  /// The `if` around the new body, or 0: in no other does the body's own level
  /// have a block that does something and returns.
  std::size_t findGuard(std::size_t from, std::size_t end) const {
    for (std::size_t i = from; i < end; ++i) {
      if (places.isSign(i, "{") || places.isSign(i, "(")) {
        i = places.matching(i);
        continue;
      }
      if (!places.isWord(i, "if") || !places.isSign(places.next(i), "("))
        continue;
      const std::size_t block = places.next(places.matching(places.next(i)));
      if (!places.isSign(block, "{"))
        continue;
      const std::size_t last = places.previous(places.matching(block));
      const std::size_t keyword = places.previous(last);
      if (places.isSign(last, ";") && places.isWord(keyword, "return") &&
          places.previous(keyword) != block)
        return i;
    }
    return 0;
  }

  const std::string &source;
  const SourceTokens tokens;
  const Places places;
  const std::map<std::string, std::string> before, after;
  std::size_t at = 0; // how much of the source has been seen
  EntryProbe probe;
};

} // namespace

EntryProbe makeEntryProbe(const std::string &original,
                          const std::string &optimized) {
  return ProbeWriter(original, optimized).run();
}

} // namespace clopt::runtime
