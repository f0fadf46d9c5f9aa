//===- Ladder.cpp - what each step of a recipe gains ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Ladder.h"

#include "Runtime/ArgumentTypes.h"
#include "Runtime/CloptCommand.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/SpecFiles.h"
#include "Runtime/TextFiles.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

namespace clopt::runtime {

namespace {

/// The words of a line of a recipe, without its comment.
std::vector<std::string> wordsOfStep(const std::string &line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// Collects what verify() says of one rung; the rest goes on to the caller.
class RungObserver : public VerifyObserver {
public:
  explicit RungObserver(LadderObserver &listener) : outer(listener) {}

  void deviceChosen(const Device &device) override {
    outer.deviceChosen(device);
  }
  void activity(const std::string &what, std::size_t done,
                std::size_t total) override {
    outer.activity(what, done, total);
  }
  void cloptSaid(const std::string &output) override {
    outer.cloptSaid(output);
  }
  void pointDone(const PointResult &result) override {
    points.push_back(result);
  }

  std::vector<PointResult> points;

private:
  LadderObserver &outer;
};

Rung makeRung(const std::string &step, const PointResult &point) {
  Rung rung;
  rung.step = step;
  rung.times = point.times;
  for (const LaunchResult &launch : point.launches)
    if (rung.status == LaunchStatus::Equal || !isGood(launch.status)) {
      rung.status = launch.status;
      rung.message = launch.message;
      if (!isGood(launch.status))
        break;
    }
  return rung;
}

class Climber {
public:
  Climber(const LadderOptions &what, LadderObserver &listener)
      : options(what), observer(listener) {
    // Every rung reads it again.
    keepStandardInput(options.run.specFiles,
                      folder.file("standard-input.json"));
    specs = loadSpecs(options.run);
  }

  void run() {
    const std::vector<KernelSteps> recipe = splitRecipe(recipeText());
    std::set<std::string> seen;
    for (const KernelSpec &spec : specs)
      if (seen.insert(spec.kernelName).second)
        climb(spec.kernelName, stepsFor(recipe, spec.kernelName));
  }

private:
  /// What the user gave, or what clopt writes down of its own choice.
  std::string recipeText() {
    if (!options.recipeFile.empty())
      return readFile(options.recipeFile);
    const std::string file = folder.file("all.recipe");
    // The options of the first launch; the steps are the same for all.
    const KernelSpec &first = specs.front();
    runClopt(options.run,
             {"-o", folder.file("all.cl"), "--emit-recipe=" + file},
             flagsAt(first, first.sizePoints(options.run.sizes).front(),
                     options.run));
    return readFile(file);
  }

  static std::vector<std::string>
  stepsFor(const std::vector<KernelSteps> &recipe, const std::string &kernel) {
    const KernelSteps *common = nullptr;
    for (const KernelSteps &one : recipe)
      if (one.kernel == kernel)
        return one.steps;
      else if (one.kernel.empty())
        common = &one;
    return common ? common->steps : std::vector<std::string>();
  }

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
    const std::string file = folder.file("rung.recipe");
    writeFile(file, recipePrefix(kernel, steps, count));
    VerifyOptions run = options.run;
    run.onlyKernel = kernel;
    run.cloptArguments.push_back("--recipe=" + file);
    RungObserver rungs(observer);
    try {
      verify(run, rungs);
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
      for (const PointResult &point : rungs.points) {
        LadderResult result;
        result.kernel = kernel;
        result.point = point.point;
        if (!point.launches.empty())
          result.range = point.launches.front().range;
        results.push_back(std::move(result));
      }
    for (std::size_t i = 0; i < std::min(results.size(), rungs.points.size());
         ++i)
      results[i].rungs.push_back(makeRung(steps[count - 1], rungs.points[i]));
    return !results.empty();
  }

  LadderOptions options;
  LadderObserver &observer;
  const TemporaryFolder folder;
  std::vector<KernelSpec> specs;
};

std::string escapedForXml(const std::string &text) {
  std::string result;
  for (const char c : text)
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  return result;
}

/// Draws one ladder below `top`; the longest bar is as wide as the column.
class ChartPart {
public:
  ChartPart(const LadderResult &what, int begin) : ladder(what), y(begin) {}

  std::string draw() {
    std::string title = ladder.kernel;
    for (const auto &[name, value] : ladder.point)
      title += " " + name + "=" + std::to_string(value);
    text(0, title, "font-weight=\"bold\"");
    y += rowHeight;
    double original = 0;
    for (const Rung &rung : ladder.rungs)
      if (rung.times && original == 0)
        original = rung.times->original;
    for (const Rung &rung : ladder.rungs)
      if (rung.times)
        longest = std::max(longest, original / rung.times->ratio());
    longest = std::max(longest, original);
    bar("original", original, "#888888", "");
    for (const Rung &rung : ladder.rungs) {
      if (!rung.times) {
        bar(rung.step, 0, "#000000", "no time");
        continue;
      }
      char gain[32];
      std::snprintf(gain, sizeof gain, "%.2fx", rung.gain);
      bar(rung.step, original / rung.times->ratio(),
          rung.gain < 1 ? "#c0504d" : "#4f81bd", gain);
    }
    return result;
  }

  int bottom() const { return y; }
  static constexpr int rowHeight = 22;
  static constexpr int width = 760;

private:
  void text(int x, const std::string &what, const std::string &style) {
    result += "<text x=\"" + std::to_string(x) + "\" y=\"" +
              std::to_string(y + 15) + "\" " + style + ">" +
              escapedForXml(what) + "</text>\n";
  }

  void bar(const std::string &name, double ms, const std::string &colour,
           const std::string &note) {
    constexpr int begin = 240, most = 360;
    text(8, name, "");
    const int length =
        longest > 0 ? std::max(1, static_cast<int>(most * ms / longest)) : 1;
    result += "<rect x=\"" + std::to_string(begin) + "\" y=\"" +
              std::to_string(y + 3) + "\" width=\"" + std::to_string(length) +
              "\" height=\"16\" fill=\"" + colour + "\"/>\n";
    char value[64];
    std::snprintf(value, sizeof value, "%.4g ms %s", ms, note.c_str());
    text(begin + length + 8, value, "");
    y += rowHeight;
  }

  const LadderResult &ladder;
  int y;
  double longest = 0;
  std::string result;
};

} // namespace

std::vector<KernelSteps> splitRecipe(const std::string &text) {
  std::vector<KernelSteps> result{KernelSteps()};
  bool isOfPlan = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> words = wordsOfStep(line);
    if (words.empty())
      continue;
    if (words[0] == "kernel" && words.size() > 1) {
      isOfPlan = words.size() > 2;
      if (!isOfPlan)
        result.push_back({words[1], {}});
      continue;
    }
    if (isOfPlan)
      continue;
    std::string step;
    for (const std::string &word : words)
      step += (step.empty() ? "" : " ") + word;
    result.back().steps.push_back(step);
  }
  if (result.front().steps.empty())
    result.erase(result.begin());
  return result;
}

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
  std::string body;
  int y = 8;
  for (const LadderResult &result : results) {
    ChartPart part(result, y);
    body += part.draw();
    y = part.bottom() + ChartPart::rowHeight / 2;
  }
  const std::string width = std::to_string(ChartPart::width);
  const std::string height = std::to_string(y);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width +
         "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height +
         "\" font-family=\"sans-serif\" font-size=\"13\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         body + "</svg>\n";
}

} // namespace clopt::runtime
