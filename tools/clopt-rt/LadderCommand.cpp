//===- LadderCommand.cpp - clopt-rt ladder --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line for each step of a recipe, with what it gains or loses.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "CrashMessage.h"
#include "DeviceReport.h"
#include "RunOptions.h"

#include "Runtime/Ladder.h"
#include "Runtime/OpenCL.h"
#include "Runtime/TextFiles.h"

#include <algorithm>
#include <cstdio>

namespace clopt::runtime {

namespace {

struct LadderSettings {
  LadderOptions ladder;
  ReportSettings report;
  std::string chartFile;
};

class LadderPrinter : public DeviceReport<LadderObserver> {
public:
  explicit LadderPrinter(bool printsText) : DeviceReport(printsText) {
    json["platform"] = nullptr; // without any rung
    json["device"] = nullptr;
    json["ladders"] = Json::array();
  }

  void ladderDone(const LadderResult &result) override {
    all.push_back(result);
    Json entry;
    entry["kernel"] = result.kernel;
    entry["sizes"] = pointJson(result.point);
    entry["rungs"] = Json::array();
    if (!result.rungs.empty())
      entry["ndRange"] = result.range.str();
    std::size_t width = 10;
    for (const Rung &rung : result.rungs) {
      width = std::max(width, rung.step.size() + 1);
      good &= isGood(rung.status);
    }
    printHead(result, width);
    for (const Rung &rung : result.rungs) {
      printRung(rung, width);
      entry["rungs"].push_back(toJson(rung));
    }
    json["ladders"].push_back(std::move(entry));
    std::fflush(stdout);
  }

  std::vector<LadderResult> all;
  bool good = true;

private:
  void printHead(const LadderResult &result, std::size_t width) const {
    if (!isText)
      return;
    std::string name = result.kernel + pointText(result.point);
    if (result.rungs.empty()) {
      std::printf("%s: the recipe has no steps for it\n", name.c_str());
      return;
    }
    std::printf("%s, %s\n  %-*s %12s %10s %9s\n", name.c_str(),
                result.range.str().c_str(), static_cast<int>(width), "step",
                "ms", "this step", "in all");
    for (const Rung &rung : result.rungs)
      if (rung.times) {
        std::printf("  %-*s %12.4f\n", static_cast<int>(width), "original",
                    rung.times->original);
        break;
      }
  }

  void printRung(const Rung &rung, std::size_t width) const {
    if (!isText)
      return;
    std::printf("  %-*s ", static_cast<int>(width), rung.step.c_str());
    if (rung.times)
      std::printf("%12.4f %9.2fx %8.2fx  %s%s\n", rung.times->optimized,
                  rung.gain, rung.times->ratio(), statusName(rung.status),
                  noteOf(rung));
    else
      std::printf("%12s %10s %9s  %s\n", "-", "-", "-",
                  statusName(rung.status));
    if (!rung.message.empty())
      std::printf("    %s\n", rung.message.c_str());
  }

  static const char *noteOf(const Rung &rung) {
    if (rung.times->entered == false)
      return ", the original body ran";
    if (rung.times->isShort())
      return ", too short to tell";
    return rung.gain < 0.97 ? ", a loss" : "";
  }

  static Json toJson(const Rung &rung) {
    Json entry;
    entry["step"] = rung.step;
    entry["status"] = statusName(rung.status);
    if (!rung.message.empty())
      entry["message"] = rung.message;
    if (!rung.times)
      return entry;
    entry["originalMs"] = rung.times->original;
    entry["ms"] = rung.times->optimized;
    entry["gain"] = rung.gain;
    entry["total"] = rung.times->ratio();
    if (rung.times->entered)
      entry["entered"] = *rung.times->entered;
    return entry;
  }
};

CommandLine makeLadderLine(LadderSettings &settings) {
  CommandLine line("ladder KERNEL.cl [--launch=SPEC.json] [options] [-- flags "
                   "of clBuildProgram]");
  VerifyOptions &run = settings.ladder.run;
  addKernelOptions(line, run);
  addLaunchOptions(line, run);
  addCompareOptions(line, run);
  line.option("recipe", "FILE",
              "the steps (default: those that clopt chooses for the target)",
              settings.ladder.recipeFile);
  addReportOptions(line, settings.report);
  line.option("svg", "FILE", "draw a bar for each step", settings.chartFile);
  return line;
}

int runLadder(LadderSettings &settings, const CommandLine &line) {
  checkFiles(settings.ladder.run);
  settings.ladder.run.buildFlags = line.rest();
  installCrashMessage();
  LadderPrinter printer(settings.report.isText);
  climbLadder(settings.ladder, printer);
  settings.report.give(printer.json);
  if (!settings.chartFile.empty())
    writeFile(settings.chartFile, ladderChart(printer.all));
  return printer.good ? 0 : 1;
}

} // namespace

const Command ladderCommand = makeCommand<makeLadderLine, runLadder>(
    "ladder", "add the steps of a recipe one at a time, with their times");

} // namespace clopt::runtime
