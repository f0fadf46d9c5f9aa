//===- CommandLine.h - the options of a subcommand -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's option library cannot be used here (Process.h says why), and the
// little that the run-time needs is this: --name value, --name=value, flags,
// and a hint at the nearest name when one is misspelt.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_COMMANDLINE_H
#define CLOPT_TOOLS_COMMANDLINE_H

#include "Runtime/JsonDocument.h"

#include <functional>
#include <string>
#include <vector>

namespace clopt::runtime {

class CommandLine {
public:
  using Action = std::function<void(const std::string &value)>;

  /// `usage` is what follows the program's name: "verify KERNEL.cl [options]".
  explicit CommandLine(std::string usage) : usageText(std::move(usage)) {}

  /// `name` is without the dashes; `metavar` is empty for a flag.
  void option(const std::string &name, const std::string &metavar,
              const std::string &help, Action action);
  /// The value goes to `to`; into a list behind those before it.
  void option(const std::string &name, const std::string &metavar,
              const std::string &help, std::string &to);
  void option(const std::string &name, const std::string &metavar,
              const std::string &help, std::vector<std::string> &to);
  /// Makes `to` the `value`.
  void flag(const std::string &name, const std::string &help, bool &to,
            bool value = true);
  /// A whole number of at least `least`.
  template <typename Number>
  void number(const std::string &name, const std::string &metavar,
              const std::string &help, Number &to, long long least = 0);

  /// Takes each word that is no option. Everything behind "--" goes to rest().
  void positional(Action action) { onPositional = std::move(action); }

  /// The first word that is no option begins rest(), with or without "--".
  void stopAtPositional() { stopsAtPositional = true; }

  /// -D, -I and -cl-* go to rest() as well, in front of what is behind "--".
  void takeBuildFlags() { takesBuildFlags = true; }

  /// False when --help was among the words: it is printed, and all is done.
  /// Throws Error for an unknown option, a missing or an unwanted value.
  bool parse(const std::vector<std::string> &words);

  const std::vector<std::string> &rest() const { return behindDashes; }

  /// The usage, and one line per option, aligned, in the order they were added.
  std::string help() const;

  /// The same as data, as in `clopt help --json`.
  Json helpTable() const;

private:
  struct Option {
    std::string name;
    std::string metavar;
    std::string help;
    Action action;
  };

  const Option &find(const std::string &name, const std::string &shown) const;
  /// True for --help.
  bool read(const std::vector<std::string> &words);

  std::string usageText;
  std::vector<Option> options;
  Action onPositional;
  bool stopsAtPositional = false;
  bool takesBuildFlags = false;
  std::vector<std::string> behindDashes;
};

/// A whole number of at least `least`. Throws Error that names `what`.
long long parseNumber(const std::string &text, const std::string &what,
                      long long least);

template <typename Number>
void CommandLine::number(const std::string &name, const std::string &metavar,
                         const std::string &help, Number &to, long long least) {
  option(name, metavar, help, [&to, name, least](const std::string &text) {
    to = static_cast<Number>(parseNumber(text, "--" + name, least));
  });
}

} // namespace clopt::runtime

#endif // CLOPT_TOOLS_COMMANDLINE_H
