//===- Arguments.cpp - a first look at the arguments ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/errors.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "CommandLine.h"
#include "OptionTable.h"
#include "Support/BuildFlags.h"
#include "Support/Suggest.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <map>

using namespace clopt;
using llvm::StringRef;

namespace {

class Scanner {
public:
  Scanner(llvm::ArrayRef<const char *> words, Command what)
      : arguments(words), command(what) {
    for (auto &entry : llvm::cl::getRegisteredOptions())
      if (isOurs(*entry.getValue()) || isGeneral(entry.getKey()))
        known[entry.getKey().str()] = entry.getValue();
  }

  llvm::Expected<Arguments> scan() {
    result.forParser.push_back(arguments.front());
    for (position = 1; position < arguments.size(); ++position) {
      StringRef argument = arguments[position];
      if (argument == "--")
        break;
      if (takeBuildFlag(argument))
        continue;
      // -j4 is what make takes; here options have one name.
      if (argument == "-j")
        argument = save("--jobs");
      else if (argument.size() > 2 && argument.starts_with("-j") &&
               llvm::isDigit(argument[2]))
        argument = save("--jobs=" + argument.substr(2).str());
      // llvm::cl knows its alias only when it parses.
      if (argument == "-h") {
        result.forParser.push_back("--help");
        continue;
      }
      result.forParser.push_back(argument.data());
      if (argument.size() < 2 || argument[0] != '-')
        continue;
      if (llvm::Error error = checkOption(argument))
        return error;
    }
    std::vector<std::string> behind;
    for (++position; position < arguments.size(); ++position) {
      if (llvm::Error error = checkBehind(arguments[position]))
        return error;
      if (*arguments[position])
        behind.push_back(arguments[position]);
    }
    llvm::append_range(result.buildFlags, splitBuildFlags(behind));
    return std::move(result);
  }

private:
  static bool isIn(const llvm::cl::Option &option,
                   const llvm::cl::OptionCategory &category) {
    return llvm::is_contained(option.Categories, &category);
  }

  static bool isOurs(const llvm::cl::Option &option) {
    return isIn(option, option::commonCategory) ||
           isIn(option, option::messageCategory) ||
           isIn(option, option::outputCategory) ||
           isIn(option, option::checkCategory) ||
           isIn(option, option::skeletonCategory);
  }

  static bool isGeneral(StringRef name) {
    return name.starts_with("help") || name == "version";
  }

  /// Whether the option has a meaning for the command at hand.
  bool belongs(const llvm::cl::Option &option) const {
    if (command == Command::Skeleton)
      return isIn(option, option::skeletonCategory) || isGeneral(option.ArgStr);
    const bool isCheck = command == Command::Check;
    return isIn(option,
                isCheck ? option::checkCategory : option::outputCategory) ||
           isIn(option, option::commonCategory) ||
           isIn(option, option::messageCategory) || isGeneral(option.ArgStr);
  }

  /// -DNAME, -D NAME, -I likewise, -cl-*: kept in their order.
  bool takeBuildFlag(StringRef argument) {
    if (argument.starts_with("-cl-")) {
      result.buildFlags.push_back(argument.str());
      return true;
    }
    if (!argument.starts_with("-D") && !argument.starts_with("-I"))
      return false;
    std::string flag = argument.str();
    if (flag.size() == 2) {
      // Without a value it is a mistake, which checkOption reports.
      if (position + 1 >= arguments.size())
        return false;
      flag += arguments[++position];
    }
    result.buildFlags.push_back(std::move(flag));
    return true;
  }

  const char *save(std::string text) {
    result.rewritten.push_back(std::move(text));
    return result.rewritten.back().c_str();
  }

  std::string suggestion(StringRef dashes, const std::string &name) const {
    std::vector<std::string> candidates;
    for (const auto &[candidate, option] : known)
      if (belongs(*option))
        candidates.push_back(candidate);
    std::optional<std::string> best = suggest(name, candidates);
    return best ? "; did you mean '" + dashes.str() + *best + "'?" : "";
  }

  llvm::Error checkOption(StringRef argument) {
    StringRef shown = argument.take_until([](char c) { return c == '='; });
    bool hasValue = shown.size() != argument.size();
    std::string quoted = "'" + shown.str() + "'";
    std::string name = shown.ltrim('-').str();
    StringRef dashes = shown.drop_back(name.size());
    auto found = known.find(name);
    if (found == known.end() || dashes.size() > 2)
      return usageError("unknown option " + quoted + suggestion(dashes, name));
    llvm::cl::Option &option = *found->second;
    if (!belongs(option))
      return usageError("option " + quoted +
                        (command == Command::Check
                             ? " has no meaning for 'clopt check'"
                         : command == Command::Skeleton
                             ? " has no meaning for 'clopt skeleton'"
                         : isIn(option, option::checkCategory)
                             ? " belongs to 'clopt check'"
                             : " belongs to 'clopt skeleton'"));
    bool isList = option.getNumOccurrencesFlag() == llvm::cl::ZeroOrMore;
    if (!result.names.insert(name).second && !isList)
      return usageError("option " + quoted + " is given twice");
    return checkValue(option, quoted, hasValue);
  }

  /// Behind "--" an option would be a flag that nothing knows.
  llvm::Error checkBehind(StringRef argument) {
    StringRef shown = argument.take_until([](char c) { return c == '='; });
    StringRef name = shown.ltrim('-');
    auto found = known.find(name.str());
    const bool isOne = shown.starts_with("--") || shown == "-o";
    if (!isOne || found == known.end() || !belongs(*found->second))
      return llvm::Error::success();
    return usageError("option '" + shown.str() +
                      "' stands behind '--', where only flags of "
                      "clBuildProgram do");
  }

  llvm::Error checkValue(llvm::cl::Option &option, const std::string &quoted,
                         bool hasValue) {
    bool isFlag = dynamic_cast<llvm::cl::opt<bool> *>(&option) != nullptr;
    if (isFlag && hasValue)
      return usageError("option " + quoted + " takes no value");
    if (option.getValueExpectedFlag() != llvm::cl::ValueRequired || hasValue)
      return llvm::Error::success();
    if (position + 1 >= arguments.size())
      return usageError("option " + quoted + " needs a value");
    result.forParser.push_back(arguments[++position]);
    return llvm::Error::success();
  }

  llvm::ArrayRef<const char *> arguments;
  Command command;
  size_t position = 0;
  std::map<std::string, llvm::cl::Option *> known;
  Arguments result;
};

} // namespace

llvm::Expected<Arguments>
clopt::scanArguments(llvm::ArrayRef<const char *> arguments, Command command) {
  return Scanner(arguments, command).scan();
}
