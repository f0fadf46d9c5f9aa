//===- Recipe.cpp - recipe text: parse and print --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar is line oriented so that recipes diff well; docs/recipes.md has
// it. Which steps exist and what their targets mean is decided when a recipe is
// applied, only the names of the steps are checked here (Steps.def).
//
// Tested by test/unit/RecipeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "clopt/Recipe.h"
#include "Support/StepTable.h"
#include "Support/Suggest.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace clopt {

bool Step::hasFlag(const std::string &flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::optional<int64_t> Step::parameter(const std::string &key) const {
  for (const auto &[name, value] : parameters)
    if (name == key)
      return value;
  return std::nullopt;
}

const KernelRecipe *Recipe::find(const std::string &kernel) const {
  const KernelRecipe *general = nullptr;
  for (const KernelRecipe &candidate : kernels) {
    if (candidate.forPlan)
      continue;
    if (candidate.kernel == kernel)
      return &candidate;
    if (candidate.kernel.empty())
      general = &candidate;
  }
  return general;
}

const KernelRecipe *Recipe::findForPlan(const std::string &kernel) const {
  for (const KernelRecipe &candidate : kernels)
    if (candidate.forPlan && candidate.kernel == kernel)
      return &candidate;
  return nullptr;
}

namespace {

struct Word {
  std::string text;
  unsigned column;
};

} // namespace

static std::vector<Word> splitWords(const std::string &line) {
  std::vector<Word> words;
  size_t at = 0;
  while (at < line.size() && line[at] != '#') {
    if (std::isspace(static_cast<unsigned char>(line[at]))) {
      ++at;
      continue;
    }
    size_t start = at;
    while (at < line.size() && line[at] != '#' &&
           !std::isspace(static_cast<unsigned char>(line[at])))
      ++at;
    words.push_back(
        {line.substr(start, at - start), static_cast<unsigned>(start + 1)});
  }
  return words;
}

static bool isName(const std::string &text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])))
    return false;
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_';
  });
}

static std::optional<int64_t> parseCount(const std::string &text) {
  bool digits = !text.empty() && text.size() <= 9 &&
                std::all_of(text.begin(), text.end(),
                            [](unsigned char c) { return std::isdigit(c); });
  if (!digits)
    return std::nullopt;
  return std::stoll(text);
}

/// Words after the array of `layout` that say where its cells go.
static bool isLayoutChange(const std::string &name) {
  static const char *const names[] = {"transpose", "reverse", "offset", "skew",
                                      "stride",    "matrix",  "planes"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// "1,-2,3"; nothing when it is something else.
static std::optional<std::vector<int64_t>>
parseNumbers(const std::string &text) {
  std::vector<int64_t> numbers;
  std::istringstream stream(text + ",");
  std::string one;
  while (std::getline(stream, one, ',')) {
    bool isNegative = !one.empty() && one[0] == '-';
    std::optional<int64_t> value = parseCount(one.substr(isNegative ? 1 : 0));
    if (!value)
      return std::nullopt;
    numbers.push_back(isNegative ? -*value : *value);
  }
  return numbers;
}

static bool parseChange(const Word &word, const std::string &name, Step &step,
                        RecipeError &error) {
  LayoutChange change = {name, {}};
  if (name.size() < word.text.size()) {
    std::optional<std::vector<int64_t>> numbers =
        parseNumbers(word.text.substr(name.size() + 1));
    if (!numbers) {
      error.message = "expected numbers after '" + name + ":'";
      return false;
    }
    change.numbers = *numbers;
  }
  step.changes.push_back(std::move(change));
  return true;
}

static bool parseWord(const Word &word, Step &step, RecipeError &error) {
  size_t equals = word.text.find('=');
  size_t colon = word.text.find(':');
  size_t split = std::min(equals, colon);
  std::string name = word.text.substr(0, split);
  if (!isName(name)) {
    error.message = "expected a name, found '" + word.text + "'";
    return false;
  }
  if (step.name == "layout" && !step.targets.empty() &&
      equals == std::string::npos && isLayoutChange(name))
    return parseChange(word, name, step, error);
  if (split == std::string::npos) {
    if (findStep(step.name)->hasFlag(name))
      step.flags.push_back(name);
    else
      step.targets.push_back({name, std::nullopt});
    return true;
  }
  std::optional<int64_t> count = parseCount(word.text.substr(split + 1));
  if (!count || (*count == 0 && split == colon)) {
    error.message = "expected a positive number after '" +
                    word.text.substr(0, split + 1) + "'";
    return false;
  }
  if (split == equals)
    step.parameters.emplace_back(name, *count);
  else
    step.targets.push_back({name, count});
  return true;
}

static bool parseStep(const std::vector<Word> &words, Step &step,
                      RecipeError &error) {
  step.name = words[0].text;
  step.column = words[0].column;
  error.column = words[0].column;
  if (!findStep(step.name)) {
    error.message =
        "unknown step '" + step.name + "'" + didYouMean(step.name, stepNames());
    return false;
  }
  for (size_t i = 1; i < words.size(); ++i) {
    error.column = words[i].column;
    if (!parseWord(words[i], step, error))
      return false;
  }
  error.column = words[0].column;
  bool isAboutLaunch = step.name == "require" && !step.parameters.empty();
  const bool isAlone = findStep(step.name)->targets == StepTargets::Nothing;
  if (!isAlone && (!step.targets.empty() || isAboutLaunch))
    return true;
  if (isAlone && step.targets.empty() && step.parameters.empty())
    return true;
  if (isAlone) {
    error.message = "step '" + step.name + "' stands alone";
    return false;
  }
  error.message = "step '" + step.name + "' needs something to work on";
  return false;
}

static bool parseKernelLine(const std::vector<Word> &words, Recipe &recipe,
                            RecipeError &error) {
  error.column = words.back().column;
  bool forPlan = words.size() == 3 && words[2].text == "plan";
  if ((words.size() != 2 && !forPlan) || !isName(words[1].text)) {
    error.message = "expected 'kernel NAME'";
    return false;
  }
  for (const KernelRecipe &other : recipe.kernels)
    if (other.kernel == words[1].text && other.forPlan == forPlan) {
      error.message = "kernel '" + words[1].text + "' has a recipe already";
      return false;
    }
  recipe.kernels.push_back({words[1].text, {}, error.line, forPlan});
  return true;
}

std::optional<Recipe> parseRecipe(const std::string &text, RecipeError &error) {
  Recipe recipe;
  std::istringstream stream(text);
  std::string line;
  error = RecipeError();
  while (std::getline(stream, line)) {
    ++error.line;
    std::vector<Word> words = splitWords(line);
    if (words.empty())
      continue;
    if (words[0].text == "kernel") {
      if (!parseKernelLine(words, recipe, error))
        return std::nullopt;
      continue;
    }
    if (recipe.kernels.empty())
      recipe.kernels.push_back({"", {}, error.line, false});
    Step step;
    step.line = error.line;
    if (!parseStep(words, step, error))
      return std::nullopt;
    recipe.kernels.back().steps.push_back(std::move(step));
  }
  error = RecipeError();
  return recipe;
}

static std::string printStep(const Step &step) {
  std::string text = step.name;
  if (findStep(step.name)->targets == StepTargets::Nothing)
    return text + "\n";
  text.resize(std::max<size_t>(text.size() + 1, 11), ' ');
  bool first = true;
  auto separate = [&] {
    if (!first)
      text += ' ';
    first = false;
  };
  for (const StepTarget &target : step.targets) {
    separate();
    text += target.name;
    if (target.count)
      text += ":" + std::to_string(*target.count);
  }
  for (const LayoutChange &change : step.changes) {
    separate();
    text += change.name;
    for (size_t i = 0; i < change.numbers.size(); ++i)
      text += (i ? "," : ":") + std::to_string(change.numbers[i]);
  }
  for (const std::string &flag : step.flags) {
    separate();
    text += flag;
  }
  for (const auto &[key, value] : step.parameters) {
    separate();
    text += key + "=" + std::to_string(value);
  }
  return text + "\n";
}

std::string printSteps(const std::vector<Step> &steps) {
  std::string text;
  for (const Step &step : steps)
    text += printStep(step);
  return text;
}

std::string printRecipe(const Recipe &recipe) {
  std::string text;
  for (const KernelRecipe &kernel : recipe.kernels) {
    if (!text.empty())
      text += "\n";
    if (!kernel.kernel.empty())
      text +=
          "kernel " + kernel.kernel + (kernel.forPlan ? " plan" : "") + "\n";
    text += printSteps(kernel.steps);
  }
  return text;
}

} // namespace clopt
