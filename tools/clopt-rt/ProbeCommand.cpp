//===- ProbeCommand.cpp - clopt-rt probe ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures a device and writes a device profile for clopt's --target.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "CrashMessage.h"
#include "RunOptions.h"

#include "Runtime/DeviceProbe.h"
#include "Runtime/ProbeDecision.h"
#include "Runtime/ProbeReport.h"
#include "Runtime/TextFiles.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace clopt::runtime {

namespace {

struct ProbeSettings {
  ProbeOptions probe;
  std::string profileFile;
  std::string rawFile;
  std::string reportFile;
  std::string fromFile;
  bool install = false;
};

class ProbePrinter : public ProbeObserver {
public:
  void deviceChosen(const Device &device) override {
    std::fprintf(stderr, "clopt-rt: probing %s, %s\n",
                 device.platformName().c_str(), device.name().c_str());
  }
  void testBegins(const std::string &name, std::size_t done,
                  std::size_t total) override {
    setCrashMessage("the test '" + name + "'");
    if (isatty(STDERR_FILENO))
      std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", done + 1, total,
                   name.c_str());
  }
  void testFailed(const std::string &name,
                  const std::string &message) override {
    clear();
    std::fprintf(stderr, "clopt-rt: warning: the test '%s' failed: %s\n",
                 name.c_str(), message.c_str());
  }
  static void clear() {
    if (isatty(STDERR_FILENO))
      std::fputs("\r\033[K", stderr);
  }
};

CommandLine makeProbeLine(ProbeSettings &settings) {
  CommandLine line("probe [options]");
  addDeviceOptions(line, settings.probe.platform, settings.probe.device);
  line.flag("quick", "fewer tests and shorter runs: about 10 s",
            settings.probe.isQuick);
  line.option("o", "FILE", "write the profile here (default: standard output)",
              settings.profileFile);
  line.flag("install", "write it where '--target=native' looks for this device",
            settings.install);
  line.option("raw", "FILE", "write all measurements as JSON",
              settings.rawFile);
  line.option("report", "FILE.md",
              "write tables of the measurements in Markdown",
              settings.reportFile);
  line.option("from", "FILE",
              "measure nothing: decide from measurements of --raw",
              settings.fromFile);
  line.positional([](const std::string &word) {
    throw Error("'" + word + "' is no option; probe takes no files");
  });
  return line;
}

void installProfile(const ProbedDevice &device, const Json &profile) {
  const std::string folder = userProfileFolder();
  if (folder.empty())
    throw Error("--install needs the variable XDG_CONFIG_HOME or HOME");
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    throw Error("cannot create the folder '" + folder + "': " + code.message());
  // Whoever reads it meanwhile sees the old one or the new one.
  const std::string file = userProfileFile(device.identity, folder);
  const std::string fresh = file + "." + std::to_string(getpid());
  writeReport(fresh, profile);
  std::filesystem::rename(fresh, file, code);
  if (code)
    throw Error("cannot write '" + file + "': " + code.message());
  std::fprintf(stderr, "clopt-rt: installed '%s'\n", file.c_str());
}

int runProbe(ProbeSettings &settings, const CommandLine &) {
  ProbeData data;
  if (!settings.fromFile.empty()) {
    data = ProbeData::fromJson(JsonDocument::load(settings.fromFile));
  } else {
    installCrashMessage();
    ProbePrinter printer;
    data = probeDevice(settings.probe, printer);
    ProbePrinter::clear();
  }
  const ProbeDecision decision = decideProfile(data);
  for (const std::string &warning : decision.warnings)
    std::fprintf(stderr, "clopt-rt: warning: %s\n", warning.c_str());
  if (!settings.rawFile.empty())
    writeReport(settings.rawFile, data.toJson());
  if (!settings.reportFile.empty())
    writeFile(settings.reportFile, probeReport(data, decision));
  if (settings.install)
    installProfile(data.device, decision.profile);
  if (!settings.profileFile.empty() && settings.profileFile != "-")
    writeReport(settings.profileFile, decision.profile);
  else if (!settings.install || settings.profileFile == "-")
    std::printf("%s\n", decision.profile.dump(2).c_str());
  return 0;
}

struct NativeSettings {
  std::string platform, device;
};

CommandLine makeNativeLine(NativeSettings &settings) {
  CommandLine line("native [options]");
  addDeviceOptions(line, settings.platform, settings.device);
  line.positional([](const std::string &word) {
    throw Error("'" + word + "' is no option");
  });
  return line;
}

int runNativeTarget(NativeSettings &settings, const CommandLine &) {
  const Device found = Device::selectNative(settings.platform, settings.device);
  std::printf("%s\n",
              chooseProfile(found.identity(), userProfileFolder()).c_str());
  return 0;
}

} // namespace

const Command probeCommand = makeCommand<makeProbeLine, runProbe>(
    "probe", "measure a device and write its profile");

const Command nativeCommand = {
    "native",
    "name the profile that suits the device: what '--target=native' means",
    CommandOf<makeNativeLine, runNativeTarget>::run, nullptr};

} // namespace clopt::runtime
