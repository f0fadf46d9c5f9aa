//===- Neighbours.cpp - recipes one change away from another --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/NeighboursTest.cpp, test/lit/cli/neighbours.test.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/Neighbours.h"

#include "Planning/search/LayoutPlanner.h"
#include "Support/StepTable.h"
#include "Transform/Apply.h"

#include <algorithm>
#include <set>

namespace clopt {

/// Numbers that a step is tried with where it has none yet: small ones, from
/// which doubling leads on, and one of the size of a group's tile.
static constexpr int64_t firstCounts[] = {2, 4, 16};
/// Values of a parameter that is not given yet.
static constexpr int64_t firstValues[] = {1, 4};

/// The names that targets of this kind can be, in the order of the kernel.
static std::vector<std::string> namesOf(const KernelModel &model,
                                        StepTargets targets) {
  const bool isOfArrays = targets == StepTargets::Arrays ||
                          targets == StepTargets::ArraysOrLoops ||
                          targets == StepTargets::ArraysOrVariables ||
                          targets == StepTargets::LocalArrays;
  const bool isOfDimensions =
      targets == StepTargets::Dimensions || targets == StepTargets::Axes;
  const bool isOfLoops =
      targets == StepTargets::Axes || targets == StepTargets::Loops ||
      targets == StepTargets::ArraysOrLoops ||
      targets == StepTargets::DataLoops || targets == StepTargets::StrideLoops;
  std::vector<std::string> names;
  for (const Array &array : model.arrays) {
    const bool isFit = targets == StepTargets::LocalArrays
                           ? array.space == AddressSpace::Local
                           : !array.isPrivateScalar() ||
                                 targets == StepTargets::ArraysOrVariables;
    if (isOfArrays && isFit && array.var)
      names.push_back(array.name);
  }
  for (unsigned dim = 0; isOfDimensions && dim < model.ndrange.rank; ++dim)
    names.push_back(axisName(model, dim));
  for (const Loop &loop : model.loops)
    if (isOfLoops)
      names.push_back(loop.name);
  return names;
}

/// "unroll k:4", on one line.
static std::string textOf(const Step &step) {
  std::string text = printSteps({step});
  text.erase(text.find_last_not_of('\n') + 1);
  const size_t gap = step.name.size();
  const size_t rest = text.find_first_not_of(' ', gap);
  return rest == std::string::npos
             ? text
             : text.substr(0, gap) + " " + text.substr(rest);
}

/// Launches that are too small for a body say nothing of its speed.
static bool isTunable(const Step &step) { return step.name != "require"; }

namespace {

/// What a change must do besides being legal.
struct Conditions {
  bool keepsRest = false; ///< all steps behind the change stay legal
  /// The order that the kernel must not have, as printTree() says it: what
  /// leads there without a number has no use for one.
  std::string otherThan;
};

class NeighbourSearch {
public:
  NeighbourSearch(const TransformedKernel &first, const DeviceProfile &device,
                  AliasMode aliasMode)
      : profile(device), alias(aliasMode), states{first} {}

  Neighbourhood run(const std::vector<Step> &steps) {
    for (const Step &step : steps) {
      TransformedKernel next = states.back();
      if (applyStep(next, step, alias))
        continue;
      states.push_back(std::move(next));
      base.push_back(step);
    }
    result.centre = {"as it is", base, clocksOf(states.back(), base)};
    seen.insert(printSteps(base));
    for (size_t at = 0; at < base.size(); ++at)
      if (isTunable(base[at]))
        change(at);
    for (const StepInfo &info : allSteps())
      add(info);
    return std::move(result);
  }

private:
  std::optional<double> clocksOf(const TransformedKernel &kernel,
                                 const std::vector<Step> &steps) const {
    try {
      return predictClocks(states.front(), kernel, steps, profile);
    } catch (const isl::exception &) {
      return std::nullopt; // beyond the budget of the analysis
    }
  }

  /// The steps with those from `at` on replaced: `count` of them by `inserted`.
  /// False when that is not legal, or was found before.
  bool tryWith(size_t at, size_t count, const std::vector<Step> &inserted,
               const std::string &text, const Conditions &conditions = {}) {
    foundTree.clear();
    TransformedKernel kernel = states[at];
    const auto middle = base.begin() + static_cast<std::ptrdiff_t>(at);
    std::vector<Step> steps(base.begin(), middle);
    for (const Step &step : inserted) {
      if (applyStep(kernel, step, alias))
        return false;
      steps.push_back(step);
    }
    for (size_t i = at + count; i < base.size(); ++i)
      if (!applyStep(kernel, base[i], alias))
        steps.push_back(base[i]);
      else if (conditions.keepsRest)
        return false;
    foundTree = printTree(kernel);
    if (!conditions.otherThan.empty() && foundTree == conditions.otherThan)
      return false;
    if (!seen.insert(printSteps(steps)).second)
      return false;
    std::optional<double> clocks = clocksOf(kernel, steps);
    result.others.push_back({text, std::move(steps), clocks});
    return true;
  }

  void replace(size_t at, const Step &by, const Conditions &conditions = {}) {
    tryWith(at, 1, {by}, textOf(by) + " for " + textOf(base[at]), conditions);
  }

  //===-- A step that is there --------------------------------------------===//

  void change(size_t at) {
    tryWith(at, 1, {}, "without " + textOf(base[at]));
    for (size_t i = 0; i < base[at].targets.size(); ++i)
      changeTarget(at, i);
    changeFlags(at);
    changeParameters(at);
  }

  void changeTarget(size_t at, size_t index) {
    const Step &old = base[at];
    if (old.targets.size() > 1) {
      Step step = old;
      step.targets.erase(step.targets.begin() +
                         static_cast<std::ptrdiff_t>(index));
      replace(at, step);
    }
    Conditions number;
    if (!old.targets[index].count)
      number.otherThan = printTree(states.back());
    for (const std::optional<int64_t> &count : countsNear(old, index)) {
      Step step = old;
      step.targets[index].count = count;
      replace(at, step, number);
    }
    for (const std::string &name :
         namesOf(*states.front().model, findStep(old.name)->targets)) {
      if (namesTarget(old, name))
        continue;
      Step step = old;
      step.targets[index].name = name;
      replace(at, step);
    }
  }

  static bool namesTarget(const Step &step, const std::string &name) {
    return std::any_of(
        step.targets.begin(), step.targets.end(),
        [&](const StepTarget &target) { return target.name == name; });
  }

  /// Half, double, and none; or the first ones.
  static std::vector<std::optional<int64_t>> countsNear(const Step &step,
                                                        size_t index) {
    const std::optional<int64_t> count = step.targets[index].count;
    if (!count)
      return {std::begin(firstCounts), std::end(firstCounts)};
    std::vector<std::optional<int64_t>> counts;
    if (*count / 2 > 0)
      counts.push_back(*count / 2);
    counts.push_back(*count * 2);
    counts.push_back(std::nullopt);
    return counts;
  }

  /// Each flag on, on alone, and off.
  void changeFlags(size_t at) {
    const Step &old = base[at];
    for (const std::string &flag : findStep(old.name)->flags) {
      Step step = old;
      auto own = std::find(step.flags.begin(), step.flags.end(), flag);
      if (own != step.flags.end()) {
        step.flags.erase(own);
        replace(at, step);
        continue;
      }
      step.flags = {flag};
      replace(at, step);
      if (old.flags.empty())
        continue;
      step.flags = old.flags;
      step.flags.push_back(flag);
      replace(at, step);
    }
  }

  void changeParameters(size_t at) {
    const Step &old = base[at];
    for (const std::string &key : findStep(old.name)->parameters) {
      const std::optional<int64_t> value = old.parameter(key);
      std::vector<int64_t> values(std::begin(firstValues),
                                  std::end(firstValues));
      if (value) {
        values = {*value / 2, *value * 2};
        replace(at, withoutParameter(old, key));
      }
      for (int64_t next : values) {
        if (next == 0)
          continue;
        Step step = withoutParameter(old, key);
        step.parameters.emplace_back(key, next);
        replace(at, step);
      }
    }
  }

  static Step withoutParameter(Step step, const std::string &key) {
    step.parameters.erase(
        std::remove_if(step.parameters.begin(), step.parameters.end(),
                       [&](const auto &one) { return one.first == key; }),
        step.parameters.end());
    return step;
  }

  //===-- A further step --------------------------------------------------===//

  void add(const StepInfo &info) {
    const std::vector<std::string> names =
        namesOf(*states.front().model, info.targets);
    bool isAny = false;
    for (const std::string &name : names)
      isAny |= addForms(info, {name});
    // Steps on two names at once refuse one.
    for (size_t i = 0; !isAny && i < names.size(); ++i)
      for (size_t k = i + 1; k < names.size(); ++k)
        tryAnywhere(makeStep(info, {names[i], names[k]}, std::nullopt));
  }

  static Step makeStep(const StepInfo &info,
                       const std::vector<std::string> &names,
                       std::optional<int64_t> count) {
    Step step;
    step.name = info.name;
    for (const std::string &name : names)
      step.targets.push_back({name, count});
    return step;
  }

  /// Without and with numbers; with flags where it takes one of them.
  bool addForms(const StepInfo &info, const std::vector<std::string> &names) {
    Step step = makeStep(info, names, std::nullopt);
    if (!isTunable(step) || isThere(step))
      return true;
    bool isAny = tryAnywhere(step);
    const std::string plain = isAny ? foundTree : "";
    for (int64_t count : firstCounts)
      isAny |= tryAnywhere(makeStep(info, names, count), plain);
    for (size_t i = 0; !isAny && i < info.flags.size(); ++i) {
      step.flags = {info.flags[i]};
      isAny = tryAnywhere(step);
    }
    return isAny;
  }

  /// A step of the name has the target: its numbers are changed there.
  bool isThere(const Step &step) const {
    return std::any_of(base.begin(), base.end(), [&](const Step &other) {
      return other.name == step.name &&
             namesTarget(other, step.targets.front().name);
    });
  }

  /// Behind all steps, else at the last place where it and all of them are
  /// legal.
  bool tryAnywhere(const Step &step, const std::string &otherThan = "") {
    for (size_t at = base.size() + 1; at-- > 0;) {
      if (tryWith(at, 0, {step}, "with " + textOf(step), {true, otherThan}))
        return true;
      // Elsewhere it would be another order of the same.
      if (!otherThan.empty() && foundTree == otherThan)
        return false;
    }
    return false;
  }

  const DeviceProfile &profile;
  const AliasMode alias;
  std::vector<TransformedKernel> states; ///< before each step, and after all
  std::vector<Step> base;
  std::set<std::string> seen;
  std::string foundTree; ///< of the last steps, when they were legal
  Neighbourhood result;
};

} // namespace

Neighbourhood findNeighbours(const TransformedKernel &start,
                             const std::vector<Step> &steps,
                             const DeviceProfile &profile, AliasMode alias) {
  return NeighbourSearch(start, profile, alias).run(steps);
}

} // namespace clopt
