//===- TuneStrategy.cpp - which recipe is tried next ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeTuneStrategyTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/TuneStrategy.h"

#include "Runtime/Error.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>

namespace clopt::runtime {

namespace {

/// What a strategy gives up after: all it finds was tried already.
constexpr unsigned mostAttempts = 64;
/// A time that is lower by less may be noise.
constexpr double clearlyLower = 0.98;

/// What all strategies know.
class Search : public TuneStrategy {
public:
  Search(std::uint64_t seed, CandidateSource &candidates)
      : source(candidates), random(seed) {}

  void tell(const Steps &steps, std::optional<double> time) override {
    seen.insert(joinSteps(steps));
    if (first.empty() && valid.empty())
      first = steps;
    if (time)
      valid[joinSteps(steps)] = *time;
  }

protected:
  /// Distributions of the standard library differ between its versions.
  std::size_t pick(std::size_t count) { return random() % count; }
  bool chance(unsigned percent) { return random() % 100 < percent; }

  bool isNew(const Steps &steps) const {
    return seen.count(joinSteps(steps)) == 0;
  }

  std::optional<Candidate> propose(Candidate candidate) {
    seen.insert(joinSteps(candidate.steps));
    return candidate;
  }

  /// A random neighbour, or the same where there is none.
  Candidate step(const Steps &from) {
    const CandidateNeighbours &around = source.neighbours(from);
    if (around.others.empty())
      return around.centre;
    return around.others[pick(around.others.size())];
  }

  /// Valid recipes, fastest first; the order of equal ones is that of texts.
  std::vector<Steps> ranking() const {
    std::vector<std::pair<double, std::string>> all;
    for (const auto &[text, time] : valid)
      all.emplace_back(time, text);
    std::sort(all.begin(), all.end());
    std::vector<Steps> result;
    for (const auto &[time, text] : all)
      result.push_back(splitSteps(text));
    return result;
  }

  template <typename Value> void shuffle(std::vector<Value> &values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[pick(i)]);
  }

  CandidateSource &source;
  std::mt19937_64 random;
  Steps first; ///< where the search begins
  std::set<std::string> seen;
  std::map<std::string, double> valid; ///< times, by recipe
};

class RandomSearch : public Search {
public:
  using Search::Search;

  std::optional<Candidate> next() override {
    for (unsigned attempt = 0; attempt < mostAttempts; ++attempt) {
      Candidate candidate = step(first);
      for (std::size_t more = pick(3); more > 0; --more)
        candidate = step(candidate.steps);
      if (isNew(candidate.steps))
        return propose(std::move(candidate));
    }
    return std::nullopt;
  }
};

class LocalSearch : public Search {
public:
  using Search::Search;

  void tell(const Steps &steps, std::optional<double> time) override {
    Search::tell(steps, time);
    if (!time || (best && *time >= bestTime * clearlyLower))
      return;
    best = steps;
    bestTime = *time;
  }

  std::optional<Candidate> next() override {
    for (;;) {
      if (const std::optional<Steps> centre = nextCentre())
        expand(*centre);
      while (!waiting.empty()) {
        Candidate candidate = std::move(waiting.front());
        waiting.pop_front();
        if (isNew(candidate.steps))
          return propose(std::move(candidate));
      }
      if (!nextCentre())
        return std::nullopt;
    }
  }

private:
  /// The best one at once; others when nothing is waiting.
  std::optional<Steps> nextCentre() const {
    const Steps &centre = best ? *best : first;
    if (expanded.count(joinSteps(centre)) == 0)
      return centre;
    if (!waiting.empty())
      return std::nullopt;
    for (const Steps &steps : ranking())
      if (expanded.count(joinSteps(steps)) == 0)
        return steps;
    return std::nullopt;
  }

  /// What is predicted to be faster comes first; of what nothing is predicted
  /// counts like the centre.
  void expand(const Steps &centre) {
    expanded.insert(joinSteps(centre));
    const CandidateNeighbours &around = source.neighbours(centre);
    std::vector<Candidate> others = around.others;
    shuffle(others);
    const auto expectation = [&around](const Candidate &one) {
      const std::optional<double> &here = around.centre.clocks;
      return one.clocks && here && *here > 0 ? *one.clocks / *here : 1.0;
    };
    std::stable_sort(others.begin(), others.end(),
                     [&](const Candidate &a, const Candidate &b) {
                       return expectation(a) < expectation(b);
                     });
    waiting.insert(waiting.begin(), others.begin(), others.end());
  }

  std::optional<Steps> best;
  double bestTime = 0;
  std::set<std::string> expanded;
  std::deque<Candidate> waiting;
};

class EvolutionarySearch : public Search {
public:
  using Search::Search;

  std::optional<Candidate> next() override {
    for (unsigned attempt = 0; attempt < mostAttempts; ++attempt) {
      Candidate candidate = step(parent());
      if (chance(30))
        candidate = step(crossed(parent(), candidate.steps));
      else if (chance(30))
        candidate = step(candidate.steps);
      if (isNew(candidate.steps))
        return propose(std::move(candidate));
    }
    return std::nullopt;
  }

private:
  static constexpr std::size_t populationSize = 8;

  /// The better one of two of the population.
  Steps parent() {
    const std::vector<Steps> all = ranking();
    if (all.empty())
      return first;
    const std::size_t count = std::min(all.size(), populationSize);
    const std::size_t one = pick(count), other = pick(count);
    return all[std::min(one, other)];
  }

  /// The first steps of one and the last of the other, as far as that is legal.
  Steps crossed(const Steps &one, const Steps &other) {
    Steps child(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(
                                               pick(one.size() + 1)));
    for (std::size_t i = pick(other.size() + 1); i < other.size(); ++i)
      if (std::find(child.begin(), child.end(), other[i]) == child.end())
        child.push_back(other[i]);
    return source.neighbours(child).centre.steps;
  }
};

} // namespace

std::string joinSteps(const Steps &steps) {
  std::string text;
  for (const std::string &step : steps)
    text += (text.empty() ? "" : "; ") + step;
  return text;
}

Steps splitSteps(const std::string &text) {
  Steps steps;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("; ", at), text.size());
    steps.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return steps;
}

const std::vector<std::string> &strategyNames() {
  static const std::vector<std::string> names{"random", "local",
                                              "evolutionary"};
  return names;
}

std::unique_ptr<TuneStrategy> makeStrategy(const std::string &name,
                                           std::uint64_t seed,
                                           CandidateSource &source) {
  if (name == "random")
    return std::make_unique<RandomSearch>(seed, source);
  if (name == "local")
    return std::make_unique<LocalSearch>(seed, source);
  if (name == "evolutionary")
    return std::make_unique<EvolutionarySearch>(seed, source);
  throw Error("--strategy is random, local or evolutionary, not '" + name +
              "'");
}

} // namespace clopt::runtime
