//===- Ladder.cpp - what each step of a recipe gains ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Ladder.h"

#include "Runtime/SvgPage.h"

#include "Runtime/ArgumentTypes.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace clopt::runtime {

namespace {

Rung makeRung(const std::string &step, const PointResult &point) {
  const LaunchResult summary = point.summary();
  Rung rung;
  rung.step = step;
  rung.times = point.times;
  rung.status = summary.status;
  rung.message = summary.message;
  return rung;
}

class Climber {
public:
  Climber(const LadderOptions &what, LadderObserver &listener)
      : options(what), observer(listener), runs(what.run, listener) {}

  void run() {
    const std::vector<KernelSteps> recipe =
        splitRecipe(runs.recipeText(options.recipeFile));
    std::set<std::string> seen;
    for (const KernelSpec &spec : runs.specs())
      if (seen.insert(spec.kernelName).second)
        climb(spec.kernelName, stepsFor(recipe, spec.kernelName));
  }

private:
  void climb(const std::string &kernel, const std::vector<std::string> &steps) {
    std::vector<LadderResult> results;
    for (std::size_t count = 1; count <= steps.size(); ++count) {
      const std::string &step = steps[count - 1];
      observer.activity("kernel '" + kernel + "', " + step, count - 1,
                        steps.size());
      if (!addRung(kernel, steps, count, results))
        break;
    }
    if (results.empty()) {
      LadderResult none;
      none.kernel = kernel;
      results.push_back(none);
    }
    for (LadderResult &result : results) {
      computeGains(result.rungs);
      observer.ladderDone(result);
    }
  }

  /// False when there is nothing to go on from.
  bool addRung(const std::string &kernel, const std::vector<std::string> &steps,
               std::size_t count, std::vector<LadderResult> &results) {
    std::vector<PointResult> points;
    try {
      points = runs.run(runs.write(recipePrefix(kernel, steps, count)), kernel);
    } catch (const SpecMismatch &) {
      throw;
    } catch (const Error &error) {
      // The text of this rung: the steps before it have been run.
      if (results.empty())
        throw;
      Rung failed;
      failed.step = steps[count - 1];
      failed.status = LaunchStatus::Failed;
      failed.message = error.what();
      for (LadderResult &result : results)
        result.rungs.push_back(failed);
      return false;
    }
    if (results.empty())
      for (const PointResult &point : points) {
        LadderResult result;
        result.kernel = kernel;
        result.point = point.point;
        if (!point.launches.empty())
          result.range = point.launches.front().range;
        results.push_back(std::move(result));
      }
    for (std::size_t i = 0; i < std::min(results.size(), points.size()); ++i)
      results[i].rungs.push_back(makeRung(steps[count - 1], points[i]));
    return !results.empty();
  }

  const LadderOptions &options;
  LadderObserver &observer;
  RecipeRuns runs;
};

/// A bar; the longest is as wide as the column.
void drawBar(SvgPage &page, const std::string &name, double ms, double longest,
             const std::string &colour, const std::string &note) {
  constexpr int begin = 240, most = 360;
  page.text(8, name, "");
  const int length =
      longest > 0 ? std::max(1, static_cast<int>(most * ms / longest)) : 1;
  page.bar(begin, length, colour);
  char value[64];
  std::snprintf(value, sizeof value, "%.4g ms %s", ms, note.c_str());
  page.text(begin + length + 8, value, "");
  page.nextRow();
}

void drawLadder(SvgPage &page, const LadderResult &ladder) {
  page.text(0, ladder.kernel + pointText(ladder.point), "font-weight=\"bold\"");
  page.nextRow();
  double original = 0, longest = 0;
  for (const Rung &rung : ladder.rungs)
    if (rung.times && original == 0)
      original = rung.times->original;
  for (const Rung &rung : ladder.rungs)
    if (rung.times)
      longest = std::max(longest, original / rung.times->ratio());
  longest = std::max(longest, original);
  drawBar(page, "original", original, longest, "#888888", "");
  for (const Rung &rung : ladder.rungs) {
    if (!rung.times) {
      drawBar(page, rung.step, 0, longest, "#000000", "no time");
      continue;
    }
    char gain[32];
    std::snprintf(gain, sizeof gain, "%.2fx", rung.gain);
    drawBar(page, rung.step, original / rung.times->ratio(), longest,
            rung.gain < 1 ? "#c0504d" : "#4f81bd", gain);
  }
}

} // namespace

std::string recipePrefix(const std::string &kernel,
                         const std::vector<std::string> &steps,
                         std::size_t count) {
  std::string text = "kernel " + kernel + "\n";
  for (std::size_t i = 0; i < count; ++i)
    text += steps[i] + "\n";
  return text;
}

void computeGains(std::vector<Rung> &rungs) {
  // Each ratio is to the original beside it, so a machine that grows slower
  // meanwhile changes no gain.
  double before = 1;
  for (Rung &rung : rungs) {
    rung.gain = rung.times && before > 0 ? rung.times->ratio() / before : 0;
    before = rung.times ? rung.times->ratio() : 0;
  }
}

void climbLadder(const LadderOptions &options, LadderObserver &observer) {
  Climber(options, observer).run();
}

std::string ladderChart(const std::vector<LadderResult> &results) {
  SvgPage page(760);
  for (const LadderResult &result : results) {
    drawLadder(page, result);
    page.nextPart();
  }
  return page.str();
}

} // namespace clopt::runtime
