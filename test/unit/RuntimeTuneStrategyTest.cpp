//===- RuntimeTuneStrategyTest.cpp - which recipe is tried next -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/TuneStrategy.h"

#include "Runtime/Error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

using namespace clopt::runtime;

namespace {

/// Recipes "x N" and "y N" with N from 0 to 9; neighbours differ by one.
class Grid : public CandidateSource {
public:
  const CandidateNeighbours &neighbours(const Steps &steps) override {
    ++asked;
    CandidateNeighbours &result = known[joinSteps(steps)];
    if (!result.centre.steps.empty())
      return result;
    const int x = valueOf(steps, 0), y = valueOf(steps, 1);
    result.centre = candidate(x, y);
    for (const auto &[a, b] : {std::pair(x + 1, y), std::pair(x - 1, y),
                               std::pair(x, y + 1), std::pair(x, y - 1)})
      if (a >= 0 && a < 10 && b >= 0 && b < 10)
        result.others.push_back(candidate(a, b));
    return result;
  }

  static int valueOf(const Steps &steps, std::size_t at) {
    return at < steps.size() ? std::stoi(steps[at].substr(2)) : 0;
  }
  Candidate candidate(int x, int y) const {
    Candidate result;
    result.steps = {"x " + std::to_string(x), "y " + std::to_string(y)};
    if (predicts)
      result.clocks = 1 + timeOf(result.steps);
    return result;
  }
  /// Lowest at 7, 4.
  static double timeOf(const Steps &steps) {
    return 0.1 + std::abs(valueOf(steps, 0) - 7) +
           std::abs(valueOf(steps, 1) - 4);
  }

  bool predicts = false;
  unsigned asked = 0;

private:
  std::map<std::string, CandidateNeighbours> known;
};

struct Course {
  std::vector<std::string> tried;
  double best = 1e9;
};

Course follow(const std::string &name, std::uint64_t seed, unsigned most,
              Grid &grid) {
  const std::unique_ptr<TuneStrategy> strategy = makeStrategy(name, seed, grid);
  Course course;
  const Steps start{"x 1", "y 1"};
  strategy->tell(start, Grid::timeOf(start));
  while (course.tried.size() < most) {
    const std::optional<Candidate> next = strategy->next();
    if (!next)
      break;
    course.tried.push_back(joinSteps(next->steps));
    course.best = std::min(course.best, Grid::timeOf(next->steps));
    strategy->tell(next->steps, Grid::timeOf(next->steps));
  }
  return course;
}

Course follow(const std::string &name, std::uint64_t seed, unsigned most) {
  Grid grid;
  return follow(name, seed, most, grid);
}

TEST(RuntimeTuneStrategyTest, RecipesAreTexts) {
  const Steps steps{"privatize C", "layout A matrix:0,1,1,0"};
  EXPECT_EQ(joinSteps(steps), "privatize C; layout A matrix:0,1,1,0");
  EXPECT_EQ(splitSteps(joinSteps(steps)), steps);
  EXPECT_TRUE(splitSteps("").empty());
  EXPECT_EQ(joinSteps({}), "");
}

TEST(RuntimeTuneStrategyTest, TheSameSeedAndAnswersGiveTheSameCandidates) {
  for (const std::string &name : strategyNames()) {
    EXPECT_EQ(follow(name, 1, 20).tried, follow(name, 1, 20).tried) << name;
    EXPECT_NE(follow(name, 1, 20).tried, follow(name, 2, 20).tried) << name;
  }
}

TEST(RuntimeTuneStrategyTest, NothingIsTriedTwice) {
  for (const std::string &name : strategyNames()) {
    const Course course = follow(name, 3, 60);
    const std::set<std::string> once(course.tried.begin(), course.tried.end());
    EXPECT_EQ(once.size(), course.tried.size()) << name;
    EXPECT_EQ(once.count("x 1; y 1"), 0u) << name;
  }
}

TEST(RuntimeTuneStrategyTest, LocalSearchWalksToTheBest) {
  EXPECT_DOUBLE_EQ(follow("local", 1, 40).best, 0.1);
  // And then sees all the rest.
  EXPECT_EQ(follow("local", 1, 1000).tried.size(), 99u);
}

TEST(RuntimeTuneStrategyTest, LocalSearchTriesFirstWhatIsPredictedToBeFast) {
  Grid grid;
  grid.predicts = true;
  // Nine steps from 1, 1 to 7, 4, each the first of its centre.
  EXPECT_DOUBLE_EQ(follow("local", 1, 9, grid).best, 0.1);
}

TEST(RuntimeTuneStrategyTest, EvolutionFollowsTheBest) {
  EXPECT_LT(follow("evolutionary", 1, 60).best, follow("random", 1, 60).best);
}

TEST(RuntimeTuneStrategyTest, RandomWalksStayNearTheBeginning) {
  for (const std::string &text : follow("random", 1, 20).tried) {
    const Steps steps = splitSteps(text);
    EXPECT_LE(std::abs(Grid::valueOf(steps, 0) - 1) +
                  std::abs(Grid::valueOf(steps, 1) - 1),
              3)
        << text;
  }
}

TEST(RuntimeTuneStrategyTest, InvalidRecipesAreNoCentre) {
  Grid grid;
  const std::unique_ptr<TuneStrategy> strategy = makeStrategy("local", 1, grid);
  strategy->tell({"x 1", "y 1"}, 1.0);
  for (unsigned i = 0; i < 4; ++i)
    strategy->tell(strategy->next()->steps, std::nullopt);
  EXPECT_FALSE(strategy->next());
}

TEST(RuntimeTuneStrategyTest, UnknownNamesAreErrors) {
  Grid grid;
  EXPECT_THROW(makeStrategy("annealing", 1, grid), Error);
}

} // namespace
