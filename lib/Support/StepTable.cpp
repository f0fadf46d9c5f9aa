//===- StepTable.cpp - the steps of recipes, as a table -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/StepTableTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/StepTable.h"

#include <algorithm>
#include <sstream>

namespace clopt {

static std::vector<std::string> words(const char *text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;)
    result.push_back(word);
  return result;
}

static bool contains(const std::vector<std::string> &list,
                     const std::string &word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool StepInfo::hasFlag(const std::string &flag) const {
  return contains(flags, flag);
}

bool StepInfo::hasParameter(const std::string &key) const {
  return contains(parameters, key);
}

const std::vector<StepInfo> &allSteps() {
  using namespace StepTraits;
  static const std::vector<StepInfo> steps = {
#define CLOPT_STEP(Name, Text, Targets, Traits, Flags, Parameters, Remark,     \
                   Summary)                                                    \
  {Text,         StepTargets::Targets, Traits,                                 \
   words(Flags), words(Parameters),    Remark,                                 \
   Summary},
#include "Support/Steps.def"
  };
  return steps;
}

const StepInfo *findStep(const std::string &name) {
  for (const StepInfo &step : allSteps())
    if (step.name == name)
      return &step;
  return nullptr;
}

std::vector<std::string> stepNames() {
  std::vector<std::string> names;
  for (const StepInfo &step : allSteps())
    names.push_back(step.name);
  return names;
}

} // namespace clopt
