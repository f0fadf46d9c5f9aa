//===- VerifyPrinter.cpp - what a user sees of `verify` -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyPrinter.h"

#include "CrashMessage.h"

#include "Runtime/OpenCL.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace clopt::runtime {

namespace {

std::string ulpText(std::uint64_t ulp) {
  return ulp == infiniteUlp ? "beyond any ULP" : std::to_string(ulp) + " ULP";
}

std::string describe(const BufferResult &buffer) {
  const BufferDifference &difference = buffer.difference;
  std::string text = std::to_string(difference.differing) + " of " +
                     std::to_string(difference.elements) + " differ in '" +
                     buffer.name + "', max error " +
                     ulpText(difference.maxUlp) + " at [" +
                     std::to_string(difference.maxUlpIndex) + "]";
  return text + "; first at [" + std::to_string(difference.first) +
         "]: " + difference.firstExpected + " became " + difference.firstActual;
}

std::string describe(const SizePoint &point) {
  const std::string text = pointText(point);
  return text.empty() ? text : text.substr(1);
}

/// The worst of a point's launches, as one word or two.
std::string pointStatus(const PointResult &result) {
  std::size_t bad = 0;
  std::size_t skipped = 0;
  std::size_t notComparable = 0;
  bool tolerated = false;
  for (const LaunchResult &launch : result.launches) {
    bad += !isGood(launch.status);
    skipped += launch.status == LaunchStatus::Skipped;
    notComparable += launch.status == LaunchStatus::NotComparable;
    tolerated |= launch.status == LaunchStatus::WithinTolerance;
  }
  const std::size_t count = result.launches.size();
  if (bad != 0)
    return std::to_string(bad) + " of " + std::to_string(count) +
           " launches wrong";
  if (notComparable != 0)
    return std::to_string(notComparable) + " of " + std::to_string(count) +
           " launches not comparable";
  if (skipped == count)
    return "skipped";
  std::string text = tolerated ? "within tolerance" : "equal";
  return count == 1
             ? text
             : text + " (" + std::to_string(count - skipped) + " launches)";
}

Json toJson(const BufferResult &buffer) {
  const BufferDifference &difference = buffer.difference;
  Json json;
  json["buffer"] = buffer.name;
  json["elements"] = difference.elements;
  json["differing"] = difference.differing;
  json["intolerable"] = difference.intolerable;
  json["first"] = difference.first;
  if (difference.maxUlp != infiniteUlp)
    json["maxUlp"] = difference.maxUlp;
  json["maxUlpIndex"] = difference.maxUlpIndex;
  return json;
}

Json toJson(const LaunchResult &launch) {
  Json json;
  json["ndRange"] = launch.range.str();
  if (!launch.variant.empty())
    json["variant"] = launch.variant;
  json["status"] = statusName(launch.status);
  if (launch.entered)
    json["entered"] = *launch.entered;
  if (launch.changesNothing)
    json["changesNothing"] = true;
  if (!launch.missing.empty())
    json["missing"] = launch.missing;
  if (!launch.message.empty())
    json["message"] = launch.message;
  for (const BufferResult &buffer : launch.differences)
    json["differences"].push_back(toJson(buffer));
  for (const std::string &note : launch.notes)
    json["notes"].push_back(note);
  return json;
}

Json toJson(const PointResult &result) {
  Json json;
  json["kernel"] = result.kernel;
  json["specification"] = result.specFile;
  json["sizes"] = pointJson(result.point);
  json["equal"] = result.good();
  for (const LaunchResult &launch : result.launches)
    json["launches"].push_back(toJson(launch));
  if (result.times) {
    json["originalMs"] = result.times->original;
    json["optimizedMs"] = result.times->optimized;
    json["runsMs"] = result.times->runs;
    if (!result.times->variant.empty())
      json["timedVariant"] = result.times->variant;
    json["ratio"] = result.times->ratio();
    json["short"] = result.times->isShort();
    if (result.times->entered)
      json["newBodyTimed"] = *result.times->entered;
  }
  return json;
}

} // namespace

std::string describeLaunch(const LaunchResult &launch) {
  std::string text = statusName(launch.status);
  if (!launch.differences.empty() &&
      launch.status != LaunchStatus::GuardOverwritten &&
      launch.status != LaunchStatus::OutsideAccess) {
    text.clear();
    for (const BufferResult &buffer : launch.differences)
      text += (text.empty() ? "" : "; ") + describe(buffer);
  }
  return launch.message.empty() ? text : text + ": " + launch.message;
}

VerifyPrinter::VerifyPrinter(bool isVerbose, bool tolerates)
    : verbose(isVerbose), terminal(isatty(STDERR_FILENO) != 0),
      lastProgress(Clock::now()),
      statusWidth(std::strlen(tolerates ? "within tolerance (99 launches)"
                                        : "equal (99 launches)")) {
  json["results"] = Json::array();
}

VerifyPrinter::~VerifyPrinter() { clearProgress(); }

void VerifyPrinter::deviceChosen(const Device &device) {
  json["platform"] = device.platformName();
  json["device"] = device.name();
  json["driver"] = device.driver();
  if (verbose)
    std::printf("# %s, %s\n", device.platformName().c_str(),
                device.name().c_str());
}

void VerifyPrinter::pointsPlanned(const std::vector<PlannedPoint> &points) {
  for (const PlannedPoint &planned : points) {
    kernelWidth = std::max(kernelWidth, planned.kernel.size());
    pointWidth = std::max(pointWidth, describe(planned.point).size());
  }
}

void VerifyPrinter::fileBegins(const std::string &name) {
  clearProgress();
  file = name;
  noted.clear();
  std::printf("%s:\n", file.c_str());
}

void VerifyPrinter::activity(const std::string &what, std::size_t done,
                             std::size_t total) {
  setCrashMessage(file.empty() ? what : file + ": " + what);
  const std::chrono::duration<double> since = Clock::now() - lastProgress;
  if (since.count() < (terminal ? 0.2 : 10.0))
    return;
  lastProgress = Clock::now();
  clearProgress();
  std::fprintf(stderr, terminal ? "[%zu/%zu] %s" : "[%zu/%zu] %s\n", done,
               total, what.c_str());
  std::fflush(stderr);
  progressShown = terminal;
}

void VerifyPrinter::clearProgress() {
  if (progressShown)
    std::fputs("\r\033[K", stderr);
  progressShown = false;
}

void VerifyPrinter::cloptSaid(const std::string &output) {
  clearProgress();
  if (verbose)
    std::fputs(output.c_str(), stderr);
}

void VerifyPrinter::entriesUnknown(const std::string &what,
                                   const std::string &log) {
  clearProgress();
  std::fprintf(stderr, "clopt-rt: warning: %s\n", what.c_str());
  if (verbose)
    std::fprintf(stderr, "%s\n", log.c_str());
}

/// A note once for each kernel, or with every launch.
void VerifyPrinter::printLaunch(const LaunchResult &launch,
                                const std::string &kernel) {
  if (verbose || !isGood(launch.status) ||
      launch.status == LaunchStatus::NotComparable)
    std::printf("    %s%s: %s\n", launch.range.str().c_str(),
                launch.variant.empty() ? "" : (", " + launch.variant).c_str(),
                describeLaunch(launch).c_str());
  for (const std::string &note : launch.notes)
    if (noted.insert(kernel + ": " + note).second || verbose)
      std::printf("    %s: note: %s\n", launch.range.str().c_str(),
                  note.c_str());
}

void VerifyPrinter::Mean::add(double ratio) {
  logarithms += std::log(std::max(ratio, 1e-9));
  ++count;
}

double VerifyPrinter::Mean::value() const {
  return std::exp(logarithms / static_cast<double>(count));
}

/// A ratio that says nothing of the new body is not part of the means.
void VerifyPrinter::printTimes(const Times &times, const LaunchResult &timed) {
  std::printf("  %10.4f ms  %10.4f ms  ratio %6.2f", times.original,
              times.optimized, times.ratio());
  if (!times.entered.value_or(true)) {
    std::printf("  author's text\n");
    return;
  }
  if (timed.changesNothing) {
    std::printf("  changes nothing\n");
    return;
  }
  std::printf(times.isShort() ? "  short\n" : "\n");
  (times.isShort() ? shortMean : mean).add(times.ratio());
}

void VerifyPrinter::pointDone(const PointResult &result) {
  clearProgress();
  const std::string status = pointStatus(result);
  std::printf("%-*s  %-*s  ", static_cast<int>(kernelWidth),
              result.kernel.c_str(), static_cast<int>(pointWidth),
              describe(result.point).c_str());
  if (result.times) {
    std::printf("%-*s", static_cast<int>(statusWidth), status.c_str());
    printTimes(*result.times, result.launches[0]);
  } else {
    std::printf("%s\n", status.c_str());
  }
  for (const LaunchResult &launch : result.launches) {
    printLaunch(launch, result.kernel);
    ++launches;
    badLaunches += !isGood(launch.status);
    skipped += launch.status == LaunchStatus::Skipped;
    notComparable += launch.status == LaunchStatus::NotComparable;
    tolerated += launch.status == LaunchStatus::WithinTolerance;
  }
  std::fflush(stdout);
  json["results"].push_back(toJson(result));
  if (!file.empty())
    json["results"].back()["optimized"] = file;
}

void VerifyPrinter::kernelDone(const KernelCoverage &coverage) {
  clearProgress();
  if (coverage.isChanged) {
    known += coverage.launches;
    entered += coverage.entered;
  }
  Json entry;
  entry["kernel"] = coverage.kernel;
  entry["changed"] = coverage.isChanged;
  entry["launches"] = coverage.launches;
  entry["entered"] = coverage.entered;
  for (const std::string &condition : coverage.missing)
    entry["missing"].push_back(condition);
  if (coverage.changesNothing)
    entry["changesNothing"] = true;
  if (!coverage.suggestion.empty())
    entry["suggestion"] = coverage.suggestion;
  if (!file.empty())
    entry["optimized"] = file;
  json["kernels"].push_back(std::move(entry));
  if (!coverage.isMissed())
    return;
  ++missed;
  if (coverage.entered != 0 && !coverage.changesNothing) {
    std::printf("no launch of the new body of '%s' could be compared; other "
                "sizes may: --size=NAME=VALUE\n",
                coverage.kernel.c_str());
    return;
  }
  if (coverage.entered != 0) {
    std::printf("no launch of '%s' changes a buffer, so nothing was compared; "
                "other sizes may: --size=NAME=VALUE\n",
                coverage.kernel.c_str());
    return;
  }
  std::string needed;
  for (const std::string &condition : coverage.missing)
    needed += (needed.empty() ? ": it needs " : " and ") + condition;
  std::printf("no launch entered the new body of '%s'%s; %s\n",
              coverage.kernel.c_str(), needed.c_str(),
              coverage.suggestion.empty()
                  ? "none was found that would"
                  : ("try " + coverage.suggestion).c_str());
}

void VerifyPrinter::printMeans() {
  auto text = [](const Mean &of, const std::string &what) {
    char number[32];
    std::snprintf(number, sizeof number, "%.2f", of.value());
    return number + (" of " + std::to_string(of.count)) +
           (of.count == 1 ? " launch" : " launches") + what;
  };
  char limit[32];
  std::snprintf(limit, sizeof limit, " below %g ms", Times::shortest);
  std::string line;
  if (mean.count != 0) {
    json["geometricMean"] = mean.value();
    line = text(mean, "");
  }
  if (shortMean.count != 0) {
    json["geometricMeanShort"] = shortMean.value();
    line += (line.empty() ? "" : ", ") + text(shortMean, limit);
  }
  if (!line.empty())
    std::printf("original/optimized time, geometric mean: %s\n", line.c_str());
}

void VerifyPrinter::printSummary() {
  clearProgress();
  const std::size_t compared = launches - skipped - notComparable;
  json["launches"] = compared;
  json["wrong"] = badLaunches;
  json["withinTolerance"] = tolerated;
  json["notComparable"] = notComparable;
  json["entered"] = entered;
  std::printf(compared == 1 ? "%zu launch compared" : "%zu launches compared",
              compared);
  if (badLaunches != 0)
    std::printf(", %zu wrong", badLaunches);
  else if (compared != 0 && tolerated == compared)
    std::printf(", all within tolerance");
  else if (compared != 0 && tolerated == 0)
    std::printf(", all equal");
  else if (compared != 0)
    std::printf(", %zu equal", compared - tolerated);
  if (tolerated != 0 && tolerated != compared)
    std::printf(", %zu within tolerance", tolerated);
  if (skipped != 0)
    std::printf(", %zu skipped", skipped);
  if (notComparable != 0)
    std::printf(", %zu not comparable", notComparable);
  if (known != 0)
    std::printf("; %zu of %zu entered a new body", entered, known);
  std::printf("\n");
  printMeans();
}

} // namespace clopt::runtime
