//===- Mutants.cpp - defects for written kernels --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"

#include <algorithm>
#include <regex>

namespace clopt {

namespace {

/// What a match of the pattern becomes ($1, $2 ... are its groups).
struct Operator {
  const char *kind, *pattern, *replacement;
};

} // namespace

static const Operator operators[] = {
    {"bound", R"((\w|\)|\]) < (\w+[;\)]))", "$1 <= $2"},
    {"bound", R"((\w|\)|\]) <= (\(?\w+))", "$1 <= 1 + $2"},
    {"bound", R"((\w|\)|\]) < (\w+ \+))", "$1 < 1 + $2"},
    {"index", R"(\[(\w+[^\[\]]*)\]\[(\w+[^\[\]]*)\])", "[$2][$1]"},
    {"index", R"(\[(\w+) \* (\w+) \+ (\w+)\])", "[$3 * $2 + $1]"},
    {"index", R"(\[(\w+)\])", "[$1 + 1]"},
    {"index", R"(\[([^\[\]]+) \+ (\w+)\])", "[$1]"},
    {"barrier", R"(barrier\(CLK_LOCAL_MEM_FENCE\);)", ";"},
    {"guard", R"(&& \(\w+_end <= \(size_t\)\w+ \|\| [^\)]*\)\w+\))", ""},
    {"guard", R"(&& \(\(size_t\)[^\)]*\) == 0)", ""},
    {"guard", R"(if \((\w+ \+ \d+ <= [^&\)]*) && )", "if ("},
    {"guard", R"(if \((\w+ < \w+)\))", "if (true)"},
    {"remainder", R"(= (\w+) - \1 % (\d+);)", "= $1 - $1 % $2 + 1;"},
    {"remainder", R"((\w+) \+ (\d+) < (\w+); )", "$1 < $3; "},
    {"effect", R"(\n +[\w\.\[\]\* \+\(\)]+ \+= [^;]*;)", ";"},
    {"effect", R"(\n +\w+\[[^;=]*\] = [^;]*;)", ";"},
    {"effect", R"(\n +vstore\d+\([^;]*;)", ";"},
    {"effect", R"(\n +\w+ = [^;]*;)", ";"},
    {"read", R"(vload(\d+)\(0, &(\w+)\[)", "vload$1(0, &$2[1 + "},
    {"read", R"(vload4\(0, &(\w+)\[([^\]]*)\]\))",
     "vload8(0, &$1[$2]).lo + 0 * vload8(0, &$1[$2]).hi"},
    {"lane", R"(\.s1)", ".s0"},
    {"lane", R"(\.s([23]))", ".s1"},
    {"lane", R"((\w+)_1 (\+?=) )", "$1_0 $2 "},
    {"operator", R"(\+= )", "-= "},
    {"step", R"(\+= (\d+)\))", "+= 1 + $1)"},
};

/// The line that the place is in, without spaces around it.
static std::string lineAt(const std::string &source, size_t place) {
  const size_t first =
      source[place] == '\n' ? place + 1 : source.rfind('\n', place) + 1;
  const size_t begin = source.find_first_not_of(' ', first);
  return source.substr(begin, source.find('\n', begin) - begin);
}

std::string Mutant::describe(const std::string &source) const {
  std::string was = source.substr(begin, length), now = text;
  was.erase(0, was.find_first_not_of(" \n"));
  std::replace(was.begin(), was.end(), '\n', ' ');
  return kind + ": '" + was + "' -> '" + now + "' in " + lineAt(source, begin);
}

std::string Mutant::apply(const std::string &source) const {
  std::string result = source;
  return result.replace(begin, length, text);
}

/// Changes that cannot be seen: limits that no launch of a test comes to, ends
/// of buffers by one byte, arrays with room for more, tiles that move by their
/// whole width (and have nothing of their own then), the steps of loops over
/// what is left, which run once, and barriers that only end a kernel.
static bool isEqual(const std::string &source, const Mutant &mutant) {
  static const std::regex limit(
      "[0-9]{6,}|_begin|_end <= \\w+_begin|^d <= \\(size_t\\)");
  static const std::regex declaration(
      "(__local|__constant|const) \\w+ \\w+\\[.*");
  static const std::regex move("_first - \\w+_begin < \\w+;");
  static const std::regex rest(" = (\\w+) - \\1 % (\\d+); .* \\+= \\2\\)");
  const std::string line = lineAt(source, mutant.begin);
  if (mutant.kind == "barrier") {
    const size_t next =
        source.find_first_not_of(" \n", mutant.begin + mutant.length);
    return next != std::string::npos && source.compare(next, 7, "return;") == 0;
  }
  if (mutant.kind == "index")
    return std::regex_match(line, declaration);
  if (mutant.kind == "step")
    return std::regex_search(line, rest);
  return mutant.kind == "bound" &&
         (std::regex_search(line, move) ||
          std::regex_search(source.substr(mutant.begin, mutant.length + 12),
                            limit));
}

std::vector<Mutant> findMutants(const std::string &source, size_t begin,
                                size_t end) {
  std::vector<Mutant> result;
  const std::string body = source.substr(begin, end - begin);
  for (const Operator &op : operators) {
    const std::regex pattern(op.pattern);
    for (std::sregex_iterator match(body.begin(), body.end(), pattern), last;
         match != last; ++match) {
      Mutant mutant;
      mutant.kind = op.kind;
      mutant.begin = begin + static_cast<size_t>(match->position());
      mutant.length = static_cast<size_t>(match->length());
      mutant.text = match->format(op.replacement);
      if (mutant.text != match->str() && !isEqual(source, mutant))
        result.push_back(mutant);
    }
  }
  std::stable_sort(
      result.begin(), result.end(),
      [](const Mutant &a, const Mutant &b) { return a.begin < b.begin; });
  return result;
}

} // namespace clopt
