//===- RuntimeLaunchTest.cpp - tests of Runtime/Launch and Runtime/Fill ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Launch.h"

#include "Runtime/JsonDocument.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

using namespace clopt::runtime;

namespace {

KernelSpec specWith(const std::string &fields) {
  return readLaunchSpec(JsonDocument(
      "s.json", "{\"KernelSpecification\": {\"KernelName\": \"k\",\n" + fields +
                    "}}"))[0];
}

/// A launch whose only argument has these fields, with n = 100.
Launch launchWith(const std::string &argument, std::uint64_t seed = 1) {
  const KernelSpec spec =
      specWith("\"GlobalSize\": 1, \"Sizes\": {\"n\": 100}, \"Arguments\": [{" +
               argument + "}]");
  return bindLaunch(spec, spec.sizePoints()[0], seed);
}

template <typename T>
std::vector<T> valuesOf(const std::vector<std::uint8_t> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <typename T>
std::vector<T> filled(const std::string &argument, std::uint64_t seed = 1) {
  return valuesOf<T>(
      launchWith("\"MemoryType\": \"Vector\", \"Size\": \"n\", " + argument,
                 seed)
          .buffers[0]
          .contents);
}

std::string errorOf(const std::string &fields,
                    const LaunchLimits &limits = {}) {
  try {
    const KernelSpec spec = specWith(fields);
    bindLaunch(spec, spec.sizePoints()[0], 1, limits);
  } catch (const Error &error) {
    return error.str("tool");
  }
  return "no error";
}

TEST(RuntimeLaunch, constants) {
  EXPECT_EQ(filled<float>(
                R"("Type": "float", "FillType": "Constant", "FillValue": 0.5)"),
            std::vector<float>(100, 0.5f));
  EXPECT_EQ(filled<int>(
                R"("Type": "int", "FillType": "Constant", "FillValue": "n-1")"),
            std::vector<int>(100, 99));
  EXPECT_EQ(filled<int>(R"("Type": "int", "FillType": "Constant")"),
            std::vector<int>(100, 0));
}

TEST(RuntimeLaunch, randomValuesStayInTheirRange) {
  const std::vector<int> values =
      filled<int>(R"("Type": "int", "FillRange": [-2, "n//50"])");
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -2);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 2);
  for (float value : filled<float>(R"("Type": "float", "FillValue": 3.0)")) {
    EXPECT_GE(value, 0.0f);
    EXPECT_LE(value, 3.0f);
  }
}

TEST(RuntimeLaunch, seeds) {
  const std::string argument = R"("Type": "uint")";
  EXPECT_EQ(filled<unsigned>(argument, 5), filled<unsigned>(argument, 5));
  EXPECT_NE(filled<unsigned>(argument, 5), filled<unsigned>(argument, 6));
  const std::string own = R"("Type": "uint", "RandomSeed": 9)";
  EXPECT_EQ(filled<unsigned>(own, 5), filled<unsigned>(own, 6));
}

TEST(RuntimeLaunch, monotoneAndPermutation) {
  const std::vector<int> rows = filled<int>(
      R"("Type": "int", "FillType": "Monotone", "FillValue": "3*n")");
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), 300);
  std::vector<int> order =
      filled<int>(R"("Type": "int", "FillType": "Permutation")");
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(RuntimeLaunch, generator) {
  const std::vector<short> values = filled<short>(
      R"("Type": "short", "FillType": "Generator", "DataSource": "i*i % n")");
  EXPECT_EQ(values[12], 44);
}

TEST(RuntimeLaunch, scalars) {
  const Launch launch = launchWith(
      R"("MemoryType": "Scalar", "Type": "float2", "FillValue": [0.5, "n"])");
  EXPECT_EQ(valuesOf<float>(launch.arguments[0].scalar),
            (std::vector<float>{0.5f, 100.0f}));
}

TEST(RuntimeLaunch, scalarsMayUseEachOtherInAnyOrder) {
  const KernelSpec spec = specWith(R"("GlobalSize": "b", "Arguments": [
      {"Name": "a", "Type": "int", "MemoryType": "Scalar", "FillValue": "b+1"},
      {"Name": "b", "Type": "int", "MemoryType": "Scalar", "FillValue": 4}])");
  const Launch launch = bindLaunch(spec, {}, 1);
  EXPECT_EQ(launch.bindings.at("a"), 5);
  EXPECT_EQ(launch.ranges[0].global[0], 4u);
}

TEST(RuntimeLaunch, sharedBuffers) {
  const KernelSpec spec = specWith(R"("GlobalSize": 1, "Arguments": [
      {"Name": "a", "Type": "float", "MemoryType": "Vector", "Size": 64},
      {"Name": "b", "Type": "float", "MemoryType": "Vector", "SameBufferAs": "a",
       "Offset": 32}])");
  const Launch launch = bindLaunch(spec, {}, 1);
  EXPECT_EQ(launch.buffers.size(), 1u);
  EXPECT_EQ(launch.arguments[1].buffer, 0u);
  EXPECT_EQ(launch.arguments[1].shiftBytes, 128u);
}

TEST(RuntimeLaunch, localSizesRoundUpTheGlobalSize) {
  const KernelSpec spec =
      specWith(R"("GlobalSize": [8, 5], "LocalSizes": [[3, 4], null, 16])");
  const std::vector<NDRange> ranges = bindRanges(spec, {});
  ASSERT_EQ(ranges.size(), 4u);
  EXPECT_EQ(ranges[0].str(), "global 8x5, local NULL");
  EXPECT_EQ(ranges[1].str(), "global 9x8, local 3x4");
  EXPECT_EQ(ranges[2].str(), "global 8x5, local NULL");
  EXPECT_EQ(ranges[3].str(), "global 16x5, local 16x1");
}

TEST(RuntimeLaunch, rangesAsText) {
  const KernelSpec spec = specWith(
      R"("GlobalSize": [8, 4], "LocalSize": [2, 4], "GlobalOffset": [1],
                  "NDRanges": [{}], "GlobalSizeType": "OpenCL")");
  const Launch launch = bindLaunch(spec, {}, 1);
  EXPECT_EQ(launch.ranges[0].str(), "global 8x4, local 2x4, offset 1x0");
  EXPECT_EQ(launch.ranges[1].str(), "global 8x4, local NULL");
}

TEST(RuntimeLaunch, groupsAreCountedForCuda) {
  const KernelSpec spec =
      specWith(R"("GlobalSize": 5, "LocalSize": 32, "GlobalSizeType": "CUDA")");
  EXPECT_EQ(bindLaunch(spec, {}, 1).ranges[0].global[0], 160u);
}

TEST(RuntimeLaunch, options) {
  KernelSpec spec =
      specWith(R"("GlobalSize": 1, "CompilerOptions": ["-DN=${n*2}x${n}"])");
  EXPECT_EQ(bindOptions(spec, {{"n", 3}})[0], "-DN=6x3");
  EXPECT_THROW(bindOptions(spec, {}), Error);
}

TEST(RuntimeLaunch, sizesThatCannotBe) {
  const std::string buffer = R"("GlobalSize": 1, "Arguments": [
{"Name": "a", "Type": "float", "MemoryType": "Vector", "Size": )";
  EXPECT_EQ(errorOf(buffer + "-1}]"), "s.json:3:64: error: size of 'a' is -1");
  EXPECT_EQ(errorOf(buffer + "100}]", {399}),
            "s.json:3:64: error: size of 'a' is 100 elements of 4 bytes, more "
            "than the "
            "device can allocate");
  const std::string local = R"("GlobalSize": 1, "Arguments": [
{"Name": "l", "Type": "float", "MemoryType": "Local", "Size": 30},
{"Name": "m", "Type": "float", "MemoryType": "Local", "Size": 31}])";
  EXPECT_EQ(errorOf(local, {1 << 20, 4 * 61}), "no error");
  EXPECT_EQ(errorOf(local, {1 << 20, 4 * 61 - 1}),
            "s.json:4:63: error: with 'm' a group has 244 bytes of local "
            "memory, more than the device");
  EXPECT_EQ(errorOf(buffer + "\"1//0\"}]"),
            "s.json:3:66: error: division by zero in \"1//0\"");
  EXPECT_EQ(errorOf(R"("GlobalSize": 0)"),
            "s.json:2:15: error: global size is 0");
  EXPECT_EQ(errorOf(R"("GlobalSize": 10, "LocalSize": 4)"),
            "s.json:2:32: error: local size 4 does not divide global size 10");
}

TEST(RuntimeLaunch, contentsThatCannotBe) {
  const std::string buffer = R"("GlobalSize": 1, "Arguments": [
{"Name": "a", "Type": "int", "MemoryType": "Vector", "Size": 4, )";
  EXPECT_EQ(errorOf(buffer + "\"FillRange\": [3, 2]}]"),
            "s.json:3:1: error: 'a': the range of its random values is empty");
  EXPECT_NE(errorOf(buffer +
                    R"("FillType": "BinaryRaw", "DataSource": "/dev/null"}])")
                .find("has 0 bytes, but 16 are needed"),
            std::string::npos);
}

TEST(RuntimeLaunch, emptyBuffersHaveOneElement) {
  EXPECT_EQ(
      launchWith(R"("MemoryType": "Vector", "Type": "int", "Size": "n-100")")
          .buffers[0]
          .contents.size(),
      4u);
}

} // namespace
