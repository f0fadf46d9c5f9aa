//===- DeviceProfileTest.cpp - device profiles are read and checked -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/DeviceProfile.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include <algorithm>

using namespace clopt;

namespace {

DeviceProfile load(const std::string &name) {
  llvm::Expected<DeviceProfile> profile = loadProfile(name);
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return {};
  }
  return *profile;
}

std::string errorOf(llvm::Expected<DeviceProfile> profile) {
  if (profile)
    return "no error";
  return llvm::toString(profile.takeError());
}

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(DeviceProfileTest, BuiltinsAreCompleteAndNamedAsTheirFiles) {
  std::vector<std::string> names = builtinProfileNames();
  ASSERT_EQ(names, (std::vector<std::string>{"amd-cdna", "amd-cypress", "cpu",
                                             "generic-gpu", "mali-midgard",
                                             "nvidia-hopper"}));
  for (const std::string &name : names) {
    DeviceProfile profile = load(name);
    EXPECT_EQ(profile.name, name);
    EXPECT_FALSE(profile.description.empty());
    EXPECT_FALSE(profile.bandwidth.empty());
    EXPECT_EQ(profile.lineBytes % profile.segmentBytes, 0u);
  }
}

TEST(DeviceProfileTest, BuiltinTextIsTheFileOfTheTree) {
  for (const std::string &name : builtinProfileNames()) {
    std::ifstream file(std::string(CLOPT_SOURCE_DIR "/lib/Target/devices/") +
                       name + ".json");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(builtinProfileText(name), text.str());
  }
}

TEST(DeviceProfileTest, HopperNumbers) {
  DeviceProfile profile = load("nvidia-hopper");
  EXPECT_EQ(profile.lanes, 32u);
  EXPECT_EQ(profile.segmentBytes, 32u);
  EXPECT_EQ(profile.lineBytes, 128u);
  EXPECT_EQ(profile.banks, 32u);
  EXPECT_EQ(profile.localMemoryBytes, 48u * 1024);
  EXPECT_EQ(profile.preferredVectorBytes, 16u);
  EXPECT_FALSE(profile.vectorizeComputation);
  EXPECT_EQ(profile.copyBandwidth(1, 16), 3020);
}

/// What AMD publishes of one die of an MI250X follows from the rates.
TEST(DeviceProfileTest, CdnaNumbers) {
  DeviceProfile profile = load("amd-cdna");
  EXPECT_EQ(profile.lanes, 64u);
  EXPECT_EQ(profile.segmentBytes, 64u);
  EXPECT_EQ(profile.lineBytes, 64u);
  EXPECT_EQ(profile.localMemoryBytes, 64u * 1024);
  EXPECT_EQ(profile.maxGroupSize, 256u);
  // 512 registers of every lane of four units, eight wavefronts on each.
  EXPECT_EQ(profile.capacity.registers, 4 * 512 * 64);
  EXPECT_EQ(profile.capacity.workItems, 4 * 8 * 64);
  EXPECT_EQ(profile.registersPerWorkItem * profile.itemsPerComputeUnit,
            profile.capacity.registers);
  // 23.9 TFLOP/s, of floats and of doubles.
  const double clocks =
      profile.computeUnits * profile.lanes * profile.rates.gigahertz;
  EXPECT_NEAR(2 * clocks * profile.rates.single, 23900, 50);
  EXPECT_EQ(profile.rates.twice, profile.rates.single);
  EXPECT_EQ(profile.rates.special, profile.rates.single / 4);
  // No copy is faster than its memory.
  for (const BandwidthEntry &entry : profile.bandwidth)
    EXPECT_LT(entry.gigabytesPerSecond, 1638.4);
}

TEST(DeviceProfileTest, TheCpuWantsVectorsAndEvenlySpreadItems) {
  DeviceProfile profile = load("cpu");
  EXPECT_TRUE(profile.vectorizeComputation);
  EXPECT_TRUE(profile.spreadWorkItems);
  EXPECT_FALSE(profile.localMemoryIsReal);
}

/// F08: the bytes that a profile prefers copy at 95 % of the best that was
/// measured for accesses of up to 16 bytes, whatever the element.
TEST(DeviceProfileTest, F08PreferredWidthIsTheBestOfTheTable) {
  for (const std::string &name : builtinProfileNames()) {
    const DeviceProfile profile = llvm::cantFail(loadProfile(name));
    for (unsigned bytes : {1u, 2u, 4u, 8u}) {
      const unsigned preferred = profile.preferredVectorBytes / bytes;
      double best = 0;
      for (unsigned width = 1; width * bytes <= 16; width *= 2)
        best = std::max(best, profile.copyBandwidth(bytes, width));
      EXPECT_GE(profile.copyBandwidth(bytes, std::min(preferred, 16u)),
                0.95 * best)
          << name << ", elements of " << bytes << " bytes";
    }
  }
}

TEST(DeviceProfileTest, BandwidthIsInterpolatedOverBytesPerAccess) {
  DeviceProfile profile = load("nvidia-hopper");
  double triple = profile.copyBandwidth(4, 3);
  EXPECT_GT(triple, profile.copyBandwidth(4, 2));
  EXPECT_LT(triple, profile.copyBandwidth(4, 4));
  // An unmeasured type takes the value of another of the same size.
  EXPECT_EQ(profile.copyBandwidth(1, 2), profile.copyBandwidth(2, 1));
  // Beyond the table the nearest measured size counts.
  EXPECT_EQ(profile.copyBandwidth(8, 8), profile.copyBandwidth(4, 8));
  EXPECT_EQ(DeviceProfile().copyBandwidth(4, 1), 0);
}

TEST(DeviceProfileTest, UnknownTargetSuggests) {
  EXPECT_EQ(errorOf(loadProfile("nvidia-hoper")),
            "unknown target 'nvidia-hoper'; did you mean 'nvidia-hopper'? "
            "(known: amd-cdna, amd-cypress, cpu, generic-gpu, mali-midgard, "
            "nvidia-hopper, native, or a path of a profile)");
  std::string far = errorOf(loadProfile("zzzzzzzz"));
  EXPECT_EQ(far.find("did you mean"), std::string::npos) << far;
  EXPECT_NE(errorOf(loadProfile("natve")).find("did you mean 'native'?"),
            std::string::npos);
  EXPECT_EQ(errorOf(loadProfile("")).rfind("unknown target ''", 0), 0u);
}

TEST(DeviceProfileTest, UnreadableFile) {
  std::string message = errorOf(loadProfile("/no/such/device.json"));
  EXPECT_EQ(message, "/no/such/device.json: cannot read device profile: No "
                     "such file or directory");
}

TEST(DeviceProfileTest, MalformedJsonHasAPosition) {
  EXPECT_EQ(errorOf(parseProfile("{\n  \"name\": \"x\",\n  oops\n}", "d.json"))
                .rfind("d.json:3:", 0),
            0u);
  EXPECT_EQ(errorOf(parseProfile("[]", "d.json")),
            "d.json: a device profile must be a JSON object");
}

TEST(DeviceProfileTest, ACacheIsOptional) {
  EXPECT_EQ(load("nvidia-hopper").latency.cached, 40);
  DeviceProfile generic = load("generic-gpu");
  EXPECT_EQ(generic.latency.cached, generic.latency.global);
  std::string text = builtinProfileText("cpu");
  EXPECT_EQ(errorOf(parseProfile(
                replaced(text, "\"cached\": 4", "\"cached\": 91"), "d.json")),
            "d.json: 'latency.cached' must be a number of clocks, at most "
            "global");
  EXPECT_EQ(errorOf(parseProfile(
                replaced(text, "\"cached\": 4,", "\"near\": 4,"), "d.json")),
            "d.json: 'latency' must be an object with global, constant, image, "
            "local, alu");
}

TEST(DeviceProfileTest, KeysAreChecked) {
  std::string text = builtinProfileText("cpu");
  EXPECT_EQ(
      errorOf(parseProfile(replaced(text, "\"lanes\"", "\"lane\""), "d.json")),
      "d.json: unknown key 'lane'; did you mean 'lanes'?");
  EXPECT_EQ(
      errorOf(parseProfile(replaced(text, "\"lanes\": 8,", ""), "d.json")),
      "d.json: 'lanes' is missing");
  for (const char *bad : {"0", "-1", "1.5", "\"8\"", "4294967296", "null"})
    EXPECT_EQ(errorOf(parseProfile(replaced(text, "\"lanes\": 8",
                                            std::string("\"lanes\": ") + bad),
                                   "d.json")),
              "d.json: 'lanes' must be a positive integer below 2^31");
  EXPECT_EQ(errorOf(parseProfile(replaced(text, "\"localMemoryIsReal\": false",
                                          "\"localMemoryIsReal\": 0"),
                                 "d.json")),
            "d.json: 'localMemoryIsReal' must be true or false");
  EXPECT_EQ(errorOf(parseProfile(replaced(text, "\"alu\": 2", "\"alu\": \"x\""),
                                 "d.json")),
            "d.json: 'latency.alu' must be a number of clocks");
  EXPECT_EQ(
      errorOf(parseProfile(replaced(text, "\"1\": 10", "\"1\": 0"), "d.json")),
      "d.json: 'bandwidth.1.1' must be a positive number of GB/s under a "
      "width");
}

TEST(DeviceProfileTest, ADocumentMayBuildOnAnother) {
  llvm::Expected<DeviceProfile> profile = parseProfile(
      R"({"base": "cpu", "name": "mine", "preferredVectorBytes": 64})", "m");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->name, "mine");
  EXPECT_EQ(profile->preferredVectorBytes, 64u);
  EXPECT_TRUE(profile->vectorizeComputation);
  EXPECT_EQ(errorOf(parseProfile(R"({"base": "no", "name": "x"})", "m")),
            "m: 'base' must name a built-in profile");
}

} // namespace
