//===- BankLevelsOracleTest.cpp - the banks of a tree, level by level -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subscripts of a tree have a factor that changes from level to level, so
// no single degree describes an access. A group is run by the letter instead,
// and the addresses of every access are counted bank by bank for each level,
// before and after what the planner does about them.
//
//===----------------------------------------------------------------------===//

#include "../unit/KernelTesting.h"
#include "KernelInterpreter.h"

#include "Analysis/memory/BankConflict.h"
#include "Planning/search/Planner.h"
#include "Support/Files.h"

#include <map>

using namespace clopt;
using namespace clopt::test;

namespace {

/// Accesses of one expression at one level, and most turns of a lane group.
struct Level {
  std::string text;
  int64_t offset = 0, d = 0;
  unsigned turns = 0;
};

class ScanLevels {
public:
  ScanLevels() {
    std::string source = llvm::cantFail(
        readTextFile(CLOPT_SOURCE_DIR "/examples/integral/integral.cl"));
    parsed = parseOpenCL("integral.cl", source, {});
    for (const auto &function : parsed.unit->functions)
      if (function->name == "scan_block")
        model = buildModel(*parsed.unit, *function, {});
    kernel = *startTransforming(*model);
    Launch launch;
    launch.globalSize = launch.localSize = {256, 1, 1};
    events = interpret(*model->function, launch);
  }

  /// Every access to `t` at every level.
  std::vector<Level> levels(const LocalPadding *padding) const;

  ParseResult parsed;
  std::unique_ptr<KernelModel> model;
  TransformedKernel kernel;

private:
  std::vector<Event> events;
};

} // namespace

std::vector<Level> ScanLevels::levels(const LocalPadding *padding) const {
  // Where, read or write, values of the loops' variables; then the lane group.
  using Key = std::tuple<unsigned, unsigned, bool, int64_t, int64_t>;
  std::map<Key, std::map<int64_t, std::vector<int64_t>>> groups;
  std::map<Key, std::string> texts;
  for (const Event &event : events) {
    if (event.kind == Event::Kind::Statement || !event.base ||
        event.base->name != "t")
      continue;
    int64_t offset = 0, d = 0;
    for (const auto &[variable, value] : event.variables) {
      offset = variable->name == "offset" ? value : offset;
      d = variable->name == "d" ? value : d;
    }
    const SourceRange &range = event.expr->range;
    Key key{range.line, range.column, event.kind == Event::Kind::Write, offset,
            d};
    int64_t cell = event.offset / 4;
    groups[key][event.localId[0] / 32].push_back(
        (padding ? paddedIndex(*padding, cell) : cell) * 4);
  }
  std::vector<Level> result;
  for (const auto &[key, lanes] : groups) {
    Level level{std::to_string(std::get<0>(key)), std::get<3>(key),
                std::get<4>(key), 0};
    for (const auto &[group, addresses] : lanes)
      level.turns =
          std::max(level.turns, countTurns(addresses, 4, BankShape()));
    result.push_back(level);
  }
  return result;
}

TEST(BankLevelsOracleTest, ATreeWaitsForBanksAsWritten) {
  ScanLevels scan;
  std::vector<Level> levels = scan.levels(nullptr);
  EXPECT_GT(levels.size(), 50u);
  unsigned most = 0;
  for (const Level &level : levels)
    most = std::max(most, level.turns);
  EXPECT_EQ(most, 16u);
}

TEST(BankLevelsOracleTest, AfterPlanningNoLevelDoes) {
  ScanLevels scan;
  Plan plan =
      planKernel(scan.kernel, llvm::cantFail(loadProfile("nvidia-hopper")),
                 AliasMode::Check);
  for (const Step &step : plan.steps)
    ASSERT_FALSE(applyStep(scan.kernel, step, AliasMode::Check));
  const LocalPadding *padding =
      scan.kernel.paddingOf(*scan.model->findArray("t"));
  ASSERT_TRUE(padding);
  std::set<int64_t> sizes;
  for (const Level &level : scan.levels(padding)) {
    sizes.insert(level.d);
    EXPECT_EQ(level.turns, 1u) << "line " << level.text << " offset "
                               << level.offset << " d " << level.d;
  }
  // Nine levels up, nine down, and what is outside of both.
  EXPECT_GE(sizes.size(), 9u);
}
