//===- ConfigurationText.cpp - for which flags a text holds ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ConfigurationTextTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/ConfigurationText.h"

#include "Model/MentionedNames.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/Twine.h>

#include <set>

namespace clopt {

std::string changedName(const TranslationUnit &unit, const std::string &text,
                        int64_t at) {
  std::set<std::string> words;
  addWords(text, words);
  addScalarConversions(words);
  for (const auto &[name, from] : unit.changedNames)
    if (from < at && words.count(name))
      return name;
  return "";
}

/// Columns after which the line is continued on the next one.
static constexpr size_t longestLine = 100;

/// The macro has the other one's value, has it beside operators, too, and both
/// are signed or unsigned. `1 ? 64 : 128` is 64, but not behind `2 *`; `32 * 2`
/// is, but not behind `2 /`. (Nothing is divided unless the value is right.)
static const char *const numberComparison =
    "#define clopt_is(x, y) ((x) == (y) && \\\n"
    "    (3 + x + 5) == (3 + (y) + 5) && (3 * x * 5) == (3 * (y) * 5) && \\\n"
    "    ((y) == 0 || (1 << 30) / x == (1 << 30) / (y)) && \\\n"
    "    (0 * (x) - 1 < 0) == (0 * (y) - 1 < 0))\n";

/// No `#if` compares words, but it can be made to expand them. What `x` stands
/// for is put between tokens that vanish together with anything unexpected;
/// only where it is exactly the word that is `() ()` now, three macros take a
/// pair of parentheses each, and the last one closes what would vanish.
static const char *const wordComparison =
    "#define clopt_open (\n"
    "#define clopt_close )\n"
    "#define clopt_drop(x)\n"
    "#define clopt_third(x) clopt_close || 1 clopt_drop clopt_open\n"
    "#define clopt_second(x) clopt_third\n"
    "#define clopt_first(x) clopt_second\n"
    "#define clopt_empty(x) clopt_third x ()\n"
    "#define clopt_scan(x) x\n"
    "#define clopt_is_word(x) clopt_scan(0 clopt_drop clopt_open clopt_first "
    "x () clopt_close)\n"
    "#define clopt_is_empty(x) clopt_scan(0 clopt_drop clopt_open clopt_empty "
    "x () clopt_close)\n";

/// The macro that says whether another one is what it was.
static std::string wordName(const std::pair<std::string, std::string> &word) {
  const auto [first, second] = llvm::StringRef(word.second).split(' ');
  return ("clopt_" + word.first + "_is_" + (first.empty() ? "empty" : first) +
          (second.empty() ? "" : "_") + second)
      .str();
}

/// Asks whether the macro is a type of two words.
static std::string testOfTwo(const std::string &macro, llvm::StringRef first,
                             llvm::StringRef second,
                             const std::string &result) {
  return ("#if !defined(" + first + ") && !defined(" + second + ")\n#define " +
          first + " ()\n#define " + second + " ()\n#if clopt_is_word(" + macro +
          ")\n" + result + "#undef " + first + "\n#undef " + second +
          "\n#endif\n")
      .str();
}

/// "float4" and its like, which no compiler has a macro for.
static bool isTypeName(llvm::StringRef word) {
  word = word.rtrim("0123456789");
  for (int kind = 0; kind <= static_cast<int>(ScalarKind::Double); ++kind)
    if (word == typeName(static_cast<ScalarKind>(kind), 1))
      return true;
  return false;
}

static std::string wordLines(const Configuration &configuration) {
  if (configuration.words.empty())
    return "";
  std::string text = wordComparison;
  for (const auto &word : configuration.words) {
    const auto &[name, value] = word;
    std::string result = "#define " + wordName(word) + "\n#endif\n";
    if (value.empty())
      text += "#if clopt_is_empty(" + name + ")\n" + result;
    else if (const auto [first, second] = llvm::StringRef(value).split(' ');
             !second.empty())
      text += testOfTwo(name, first, second, result);
    else { // a macro of the compiler must not be lost
      auto test = [&, &macro = name](const std::string &word) {
        return "#define " + word + " () ()\n#if clopt_is_word(" + macro +
               ")\n" + result + "#undef " + word + "\n";
      };
      text += "#ifndef " + value + "\n" + test(value);
      if (!isTypeName(value)) // PoCL renames functions
        text += "#else\n" + test("_cl_" + value);
      text += "#endif\n";
    }
  }
  return text;
}

std::string configurationLine(const Configuration &configuration) {
  std::vector<std::string> conditions = configuration.conditions;
  for (const auto &[name, value] : configuration.numbers)
    conditions.push_back("clopt_is(" + name + ", " + value + ")");
  for (const auto &word : configuration.words)
    conditions.push_back("defined(" + wordName(word) + ")");
  std::string text = configuration.numbers.empty() ? "" : numberComparison;
  text += wordLines(configuration);
  std::string line = "#if ";
  for (const std::string &condition : conditions) {
    bool isFirst = &condition == &conditions.front();
    if (!isFirst && line.size() + condition.size() + 6 > longestLine) {
      text += line + " && \\\n";
      line = "    ";
    } else if (!isFirst) {
      line += " && ";
    }
    line += condition;
  }
  if (conditions.empty())
    return "";
  return text + line + " // what the following was optimized for\n";
}

std::string forConfiguration(const Configuration &configuration,
                             const std::string &text,
                             const std::string &other) {
  std::string line = configurationLine(configuration);
  if (line.empty())
    return text;
  return line + text + (other.empty() ? "" : "#else\n" + other) + "#endif\n";
}

} // namespace clopt
