//===- HelpTable.cpp - what --help says, as data --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/cli/help-json.test and help.test.
//
//===----------------------------------------------------------------------===//

#include "HelpTable.h"

#include "CommandLine.h"
#include "Delegate.h"
#include "OptionTable.h"
#include "Support/Refusals.h"
#include "Support/StepTable.h"
#include "Support/Version.h"
#include "Target/DeviceProfile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>

#include <algorithm>
#include <map>

using namespace clopt;
using llvm::StringRef;
namespace json = llvm::json;

/// Values that are known before; empty when any may be given.
static std::vector<std::string> choicesOf(const llvm::cl::Option &option) {
  if (option.ArgStr == option::target.ArgStr) {
    std::vector<std::string> names = builtinProfileNames();
    names.push_back("native");
    return names;
  }
  if (option.ArgStr == option::printAfter.ArgStr)
    return stepNames();
  if (option.ArgStr == option::explainCheck.ArgStr)
    return allRuleIds();
  llvm::SmallVector<StringRef, 6> words;
  StringRef(option.ValueStr).split(words, '|');
  if (words.size() < 2)
    return {};
  return std::vector<std::string>(words.begin(), words.end());
}

static json::Object describe(const llvm::cl::Option &option) {
  json::Object entry{{"name", option.ArgStr}, {"help", option.HelpStr}};
  if (!option.ValueStr.empty())
    entry["value"] = option.ValueStr;
  if (option.getValueExpectedFlag() == llvm::cl::ValueOptional &&
      !option.ValueStr.empty())
    entry["isOptional"] = true;
  if (std::vector<std::string> choices = choicesOf(option); !choices.empty())
    entry["choices"] = choices;
  return entry;
}

/// The options of some categories by their titles, both sorted as by --help.
static json::Array
groupsOf(llvm::ArrayRef<const llvm::cl::OptionCategory *> categories) {
  std::map<std::string, std::map<std::string, const llvm::cl::Option *>> groups;
  for (const auto &entry : llvm::cl::getRegisteredOptions()) {
    const StringRef name = entry.getKey();
    const llvm::cl::Option &option = *entry.getValue();
    if (name == "help" || name == "version")
      groups["Generic Options"][name.str()] = &option;
    for (const llvm::cl::OptionCategory *category : categories)
      if (llvm::is_contained(option.Categories, category))
        groups[category->getName().str()][name.str()] = &option;
  }
  json::Array result;
  for (const auto &[title, options] : groups) {
    json::Array list;
    for (const auto &[name, option] : options)
      list.push_back(describe(*option));
    result.push_back(
        json::Object{{"title", title}, {"options", std::move(list)}});
  }
  return result;
}

/// A command whose overview begins "name: what it does".
static json::Object
describe(StringRef name, StringRef usage, StringRef overview,
         llvm::ArrayRef<const llvm::cl::OptionCategory *> categories) {
  const auto [head, rest] = overview.split("\n\n");
  std::string summary = head.split(": ").second.str();
  std::replace(summary.begin(), summary.end(), '\n', ' ');
  return json::Object{{"name", name},
                      {"usage", usage},
                      {"summary", summary},
                      {"description", rest.rtrim()},
                      {"groups", groupsOf(categories)}};
}

llvm::Expected<std::string> clopt::printHelpTable() {
  llvm::Expected<std::string> text = runtimeHelpTable();
  if (!text)
    return text.takeError();
  llvm::Expected<json::Value> others = json::parse(*text);
  if (!others)
    return others.takeError();
  json::Array commands;
  commands.push_back(describe(
      "optimize",
      "clopt [optimize] [options] file.cl... [-- flags of clBuildProgram]",
      option::overview,
      {&option::commonCategory, &option::messageCategory,
       &option::outputCategory}));
  commands.push_back(describe(
      "check",
      "clopt check [options] file.cl|folder... [-- flags of clBuildProgram]",
      option::checkOverview,
      {&option::commonCategory, &option::messageCategory,
       &option::checkCategory}));
  commands.push_back(
      describe("skeleton",
               "clopt skeleton [options] file.cl [-- flags of clBuildProgram]",
               option::skeletonOverview, {&option::skeletonCategory}));
  if (json::Array *list = others->getAsArray())
    for (json::Value &command : *list)
      commands.push_back(std::move(command));
  std::vector<std::string> topics = commandNames();
  llvm::append_range(topics, allRuleIds());
  llvm::append_range(topics, stepNames());
  const json::Value table = json::Object{{"program", "clopt"},
                                         {"version", versionString()},
                                         {"commands", std::move(commands)},
                                         {"topics", topics}};
  return llvm::formatv("{0:2}", table).str() + "\n";
}

static std::string targetsOf(const StepInfo &step) {
  switch (step.targets) {
  case StepTargets::Arrays:
    return "arrays";
  case StepTargets::ArraysOrLoops:
    return "arrays or loops";
  case StepTargets::ArraysOrVariables:
    return "arrays or variables";
  case StepTargets::LocalArrays:
    return "local arrays";
  case StepTargets::Dimensions:
    return "dimensions of the NDRange";
  case StepTargets::Axes:
    return "dimensions of the NDRange or loops";
  case StepTargets::Loops:
  case StepTargets::DataLoops:
  case StepTargets::StrideLoops:
    return "loops";
  case StepTargets::Nothing:
    return "";
  }
  llvm_unreachable("not a kind of targets");
}

static std::string describeStep(const StepInfo &step) {
  std::string text = step.name + ": " + step.summary + "\n\n";
  std::vector<std::string> words;
  if (const std::string targets = targetsOf(step); !targets.empty())
    words.push_back("the names of " + targets);
  for (const std::string &flag : step.flags)
    words.push_back("'" + flag + "'");
  for (const std::string &key : step.parameters)
    words.push_back("'" + key + "=N'");
  if (!words.empty())
    text += "Behind it a recipe may have " + llvm::join(words, ", ") + ". ";
  return text + "docs/steps/" + step.name +
         ".md has examples, and when the step is refused.\n";
}

static constexpr const char *helpOfHelp =
    "usage: clopt help [command|rule-id|step]\n"
    "       clopt help --json\n\n"
    "Prints what --help of a command does, what a rule means and what helps, "
    "or "
    "what\na step of recipes does; alone, what 'clopt --help' does.\n\n"
    "  --json    all commands and options as data\n"
    "  --help    print this\n";

std::optional<std::string> clopt::helpTopic(const std::string &topic) {
  if (topic == "--help" || topic == "-help" || topic == "-h" || topic == "help")
    return helpOfHelp;
  if (const StepInfo *step = findStep(topic))
    return describeStep(*step);
  return std::nullopt;
}
