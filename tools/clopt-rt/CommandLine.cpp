//===- CommandLine.cpp - the options of a subcommand ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "Runtime/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace clopt::runtime {

namespace {

/// Levenshtein's distance.
std::size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

/// A flag of clBuildProgram that no option looks like.
bool isBuildFlag(const std::string &word) {
  return word.rfind("-cl-", 0) == 0 || word.rfind("-D", 0) == 0 ||
         word.rfind("-I", 0) == 0;
}

/// The dashes of an option, or 0 if the word is none ("-" alone is a file
/// name).
std::size_t countDashes(const std::string &word) {
  if (word.size() < 2 || word[0] != '-')
    return 0;
  return word[1] == '-' ? 2 : 1;
}

} // namespace

void CommandLine::option(const std::string &name, const std::string &metavar,
                         const std::string &help, Action action) {
  options.push_back({name, metavar, help, std::move(action)});
}

void CommandLine::option(const std::string &name, const std::string &metavar,
                         const std::string &help, std::string &to) {
  option(name, metavar, help, [&to](const std::string &text) { to = text; });
}

void CommandLine::option(const std::string &name, const std::string &metavar,
                         const std::string &help,
                         std::vector<std::string> &to) {
  option(name, metavar, help,
         [&to](const std::string &text) { to.push_back(text); });
}

void CommandLine::flag(const std::string &name, const std::string &help,
                       bool &to, bool value) {
  option(name, "", help, [&to, value](const std::string &) { to = value; });
}

const CommandLine::Option &CommandLine::find(const std::string &name,
                                             const std::string &shown) const {
  const Option *nearest = nullptr;
  std::size_t best = 3; // a word with more typing errors is another word
  for (const Option &option : options) {
    if (option.name == name)
      return option;
    const std::size_t distance = editDistance(option.name, name);
    if (distance < best) {
      best = distance;
      nearest = &option;
    }
  }
  const auto dashed = [](const std::string &word) {
    return (word.size() == 1 ? "-" : "--") + word;
  };
  std::string hint;
  if (nearest != nullptr)
    hint = "; did you mean '" + dashed(nearest->name) + "'?";
  else if (takesBuildFlags && countDashes(shown) == 1)
    hint = "; flags of clBuildProgram but -D, -I and -cl-* stand behind '--'";
  throw Error("unknown option '" + shown + "'" + hint);
}

bool CommandLine::read(const std::vector<std::string> &words) {
  bool wantsHelp = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word == "--") {
      behindDashes.insert(behindDashes.end(),
                          words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                          words.end());
      return wantsHelp;
    }
    if (takesBuildFlags && isBuildFlag(word)) {
      behindDashes.push_back(word);
      if (word.size() > 2)
        continue;
      if (++i == words.size())
        throw Error("option '" + word + "' needs a value");
      behindDashes.back() += words[i];
      continue;
    }
    const std::size_t dashes = countDashes(word);
    if (dashes == 0 && stopsAtPositional) {
      behindDashes.assign(words.begin() + static_cast<std::ptrdiff_t>(i),
                          words.end());
      return wantsHelp;
    }
    if (dashes == 0) {
      onPositional(word);
      continue;
    }
    if (word == "--help" || word == "-help" || word == "-h") {
      wantsHelp = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string shown = word.substr(0, equals);
    const Option &option = find(shown.substr(dashes), shown);
    const bool hasValue = equals != std::string::npos;
    if (option.metavar.empty() && hasValue)
      throw Error("option '--" + option.name + "' takes no value");
    if (!option.metavar.empty() && !hasValue && i + 1 == words.size())
      throw Error("option '--" + option.name + "' needs a value");
    if (hasValue)
      option.action(word.substr(equals + 1));
    else
      option.action(option.metavar.empty() ? "" : words[++i]);
  }
  return wantsHelp;
}

static constexpr const char *helpSummary = "print this";

bool CommandLine::parse(const std::vector<std::string> &words) {
  const bool wantsHelp = read(words);
  if (wantsHelp)
    std::fputs(help().c_str(), stdout);
  return !wantsHelp;
}

std::string CommandLine::help() const {
  std::string text = "usage: clopt " + usageText + "\n\n";
  const auto addLine = [&text](const std::string &name,
                               const std::string &metavar,
                               const std::string &summary) {
    std::string left = (name.size() == 1 ? "  -" : "  --") + name;
    if (!metavar.empty())
      left += "=" + metavar;
    left.resize(std::max<std::size_t>(left.size() + 2, 30), ' ');
    text += left + summary + "\n";
  };
  for (const Option &option : options)
    addLine(option.name, option.metavar, option.help);
  addLine("help", "", helpSummary);
  return text;
}

Json CommandLine::helpTable() const {
  Json all = Json::array();
  for (const Option &option : options) {
    Json entry = {{"name", option.name}, {"help", option.help}};
    if (!option.metavar.empty())
      entry["value"] = option.metavar;
    all.push_back(std::move(entry));
  }
  all.push_back({{"name", "help"}, {"help", helpSummary}});
  return {{"usage", "clopt " + usageText},
          {"groups", {{{"title", "Options"}, {"options", all}}}}};
}

long long parseNumber(const std::string &text, const std::string &what,
                      long long least) {
  char *end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0)
    throw Error("'" + text + "' is no whole number for " + what);
  if (value < least)
    throw Error(what + " must be at least " + std::to_string(least) + ", not " +
                text);
  return value;
}

} // namespace clopt::runtime
