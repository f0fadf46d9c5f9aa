//===- BenchCommand.cpp - clopt-rt bench ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two lines per kernel and point of the sizes, before and after, with the parts
// of the time and the share of the memory roofline.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "CrashMessage.h"
#include "DeviceReport.h"
#include "RunOptions.h"
#include "VerifyPrinter.h"

#include "Runtime/Bench.h"
#include "Runtime/OpenCL.h"
#include "Runtime/SequenceBench.h"
#include "Runtime/TextFiles.h"

#include <cstdio>

namespace clopt::runtime {

namespace {

struct Settings {
  BenchOptions bench;
  ReportSettings report;
  bool isSequence = false;
  std::string timelineFile;
  CopySettings copies;
};

class Printer : public DeviceReport<BenchObserver> {
public:
  explicit Printer(bool printsText) : DeviceReport(printsText) {
    json["results"] = Json::array();
  }

  void copyMeasured(double gigabytesPerSecond) override {
    json["copyGBs"] = gigabytesPerSecond;
    if (isText)
      std::printf("# a copy moves %.1f GB/s\n%-36s %11s %11s %11s %11s %9s\n",
                  gigabytesPerSecond, "# milliseconds", "kernel", "conversion",
                  "transfer", "total", "roofline");
  }

  void pointDone(const PointResult &) override {}

  void benchDone(const BenchResult &result) override {
    std::string name = result.kernel + pointText(result.point);
    if (isText)
      std::printf("%s, %s\n", name.c_str(), result.range.str().c_str());
    Json entry;
    entry["kernel"] = result.kernel;
    entry["sizes"] = pointJson(result.point);
    entry["ndRange"] = result.range.str();
    entry["variant"] = result.variant;
    entry["footprintBytes"] = result.footprintBytes;
    entry["rooflineMs"] = result.rooflineMs;
    entry["original"] = show("original", result.original, result);
    entry["optimized"] = show(result.variant, result.optimized, result);
    if (isText)
      std::printf("  %-34s %10.2fx %35.2fx\n", "ratio",
                  ratio(result.original.kernel, result.optimized.kernel),
                  ratio(result.original.total(), result.optimized.total()));
    if (!result.memory.empty())
      entry["memory"] = showMemory(result);
    std::fflush(stdout);
    json["results"].push_back(std::move(entry));
  }

private:
  static double ratio(double before, double after) {
    return after > 0 ? before / after : 0;
  }

  Json show(const std::string &name, const BenchTimes &times,
            const BenchResult &result) const {
    const double share =
        ratio(result.rooflineMs, times.kernel + times.conversion);
    if (isText)
      std::printf("  %-34s %11.4f %11.4f %11.4f %11.4f %8.1f%%\n", name.c_str(),
                  times.kernel, times.conversion, times.transfer, times.total(),
                  share * 100);
    return {{"kernelMs", times.kernel},
            {"conversionMs", times.conversion},
            {"transferMs", times.transfer},
            {"totalMs", times.total()},
            {"ofRoofline", share}};
  }

  Json showMemory(const BenchResult &result) const {
    Json list = Json::array();
    if (isText)
      std::printf("  %-34s %11s %11s %11s %11s\n", "memory", "kernel", "make",
                  "transfer", "total");
    for (const BenchMemory &one : result.memory) {
      const MemoryTimes &times = one.times;
      if (isText)
        std::printf("    %-32s %11.4f %11.4f %11.4f %11.4f\n", one.name.c_str(),
                    times.kernel, times.make, times.transfer, times.total());
      Json entry = {{"name", one.name},
                    {"kernelMs", times.kernel},
                    {"makeMs", times.make},
                    {"transferMs", times.transfer},
                    {"totalMs", times.total()}};
      if (!one.choice.empty()) {
        entry["choice"] = one.choice;
        entry["predictedMs"] = one.predictedMs;
        entry["regret"] = result.regret;
        if (isText)
          std::printf("    %s; regret %.1f%%\n", one.choice.c_str(),
                      result.regret * 100);
      }
      list.push_back(std::move(entry));
    }
    return list;
  }
};

/// A line for each way to run a sequence.
class SequencePrinter : public DeviceReport<SequenceObserver> {
public:
  explicit SequencePrinter(bool printsText) : DeviceReport(printsText) {
    json["sequences"] = Json::array();
  }

  void deviceChosen(const Device &device) override {
    DeviceReport::deviceChosen(device);
    if (isText)
      std::printf("%-24s %9s %11s %11s %11s  %s\n", "# milliseconds",
                  "launches", "first run", "run", "kernels", "values");
  }

  void sequenceDone(const SequenceResult &result) override {
    Json entry;
    entry["sizes"] = pointJson(result.point);
    if (isText)
      std::printf("sequence%s\n", pointText(result.point).c_str());
    entry["runs"] = Json::array();
    for (const SequenceRun &run : result.runs)
      entry["runs"].push_back(show(run));
    for (const std::string &note : result.notes)
      if (isText)
        std::printf("  # %s\n", note.c_str());
    entry["notes"] = result.notes;
    json["sequences"].push_back(std::move(entry));
    all.push_back(result);
    good &= result.good();
    std::fflush(stdout);
  }

  std::vector<SequenceResult> all;
  bool good = true;

private:
  Json show(const SequenceRun &run) const {
    if (isText)
      std::printf("  %-22s %9zu %11.4f %11.4f %11.4f  %s\n", run.name.c_str(),
                  run.launches, run.firstMs, run.hostMs, run.kernelMs,
                  statusName(run.values.status));
    Json entry = {
        {"name", run.name},         {"launches", run.launches},
        {"firstMs", run.firstMs},   {"hostMs", run.hostMs},
        {"kernelMs", run.kernelMs}, {"values", statusName(run.values.status)}};
    if (run.values.status == LaunchStatus::Equal)
      return entry;
    entry["message"] = describeLaunch(run.values);
    if (isText)
      std::printf("    %s\n", describeLaunch(run.values).c_str());
    return entry;
  }
};

CommandLine makeCommandLine(Settings &settings) {
  CommandLine line("bench KERNEL.cl [--launch=SPEC.json] [options] [-- flags "
                   "of clBuildProgram]");
  addFileOptions(line, settings.bench.run);
  addLaunchOptions(line, settings.bench.run);
  line.option("variant", "NAME", "use this variant of the launch plan only",
              settings.bench.variant);
  line.option("memory", "MODE|all",
              "time the original with buffers in memory of this kind: device, "
              "copy-host, use-host, alloc-host, svm; all adds the choice of "
              "the model",
              [&settings](const std::string &text) {
                const auto mode = findMemoryMode(text);
                if (!mode && text != "all")
                  throw Error("--memory is all or a kind of memory, not '" +
                              text + "'");
                settings.bench.chooseMemory |= !mode;
                if (mode)
                  settings.bench.memory.push_back(*mode);
              });
  addReportOptions(line, settings.report);
  line.option("sequence", "FILE",
              "time and compare this sequence of launches as a whole",
              [&settings](const std::string &text) {
                settings.bench.run.specFiles.push_back(text);
                settings.isSequence = true;
              });
  line.flag("overlap",
            "of a sequence: with copies of its buffers, too, one after the "
            "other and beside the launches",
            settings.copies.areTimed);
  line.number("bands", "N",
              "with --overlap: cut launches into so many bands, up to 16, not "
              "as many as the model says",
              settings.copies.parts, 1);
  line.option(
      "timeline", "FILE",
      "of a sequence: when each launch ran, a picture (.svg) or Chrome's trace",
      settings.timelineFile);
  return line;
}

int runSequence(const Settings &settings) {
  const VerifyOptions &run = settings.bench.run;
  if (run.specFiles.size() != 1 || run.isPlanned || !run.planFile.empty() ||
      run.optimizedFiles.size() > 1 || !run.onlyKernel.empty() ||
      !settings.bench.variant.empty())
    throw Error("--sequence takes no --launch, --kernel, --variant or plan, "
                "and one --optimized file");
  SequencePrinter printer(settings.report.isText);
  benchSequence(run, printer, settings.copies);
  settings.report.give(printer.json);
  const std::string &file = settings.timelineFile;
  const bool isSvg = file.size() > 4 && file.substr(file.size() - 4) == ".svg";
  if (!file.empty())
    writeFile(file,
              isSvg ? timelineChart(printer.all) : timelineTrace(printer.all));
  return printer.good ? 0 : 1;
}

int runBench(Settings &settings, const CommandLine &line) {
  VerifyOptions &run = settings.bench.run;
  run.buildFlags = line.rest();
  if (settings.isSequence) {
    checkFiles(run);
    installCrashMessage();
    return runSequence(settings);
  }
  if (!settings.timelineFile.empty())
    throw Error("--timeline is of a sequence: --sequence=FILE");
  if (settings.copies.areTimed || settings.copies.parts != 0)
    throw Error("--overlap is of a sequence: --sequence=FILE");
  if (run.planFile.empty() && !run.optimizedFiles.empty())
    throw Error("bench times launch plans: with --optimized give --plan=FILE");
  run.isPlanned = run.optimizedFiles.empty();
  checkFiles(run);
  installCrashMessage();
  Printer printer(settings.report.isText);
  bench(settings.bench, printer);
  settings.report.give(printer.json);
  return 0;
}

} // namespace

const Command benchCommand = makeCommand<makeCommandLine, runBench>(
    "bench", "time kernels, conversions and transfers before and after");

} // namespace clopt::runtime
