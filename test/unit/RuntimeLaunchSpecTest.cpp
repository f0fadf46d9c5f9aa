//===- RuntimeLaunchSpecTest.cpp - tests of Runtime/LaunchSpec ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/LaunchSpec.h"

#include "Runtime/JsonDocument.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

std::vector<KernelSpec> read(const std::string &json) {
  return readLaunchSpec(JsonDocument("s.json", json));
}

/// A specification of kernel k with these fields.
std::string kernelWith(const std::string &fields) {
  return "{\"KernelSpecification\": {\"KernelName\": \"k\",\n" + fields + "}}";
}

/// One with a global size and these fields of its only argument.
std::string argumentWith(const std::string &fields) {
  return kernelWith(
      "\"GlobalSize\": 1, \"Sizes\": {\"n\": 4}, \"Arguments\": [\n{" + fields +
      "}]");
}

std::string errorOf(const std::string &json) {
  try {
    read(json);
  } catch (const Error &error) {
    return error.str("tool");
  }
  return "no error";
}

TEST(RuntimeLaunchSpec, theFormatOfTheTuners) {
  const KernelSpec spec = read(R"T1({
    "General": {"BenchmarkName": "x"},
    "ConfigurationSpace": {"TuningParameters": [
      {"Name": "block", "Type": "int", "Values": "[64, 128]"},
      {"Name": "tile", "Type": "int", "Values": "list(range(1, 9))", "Default": 2},
      {"Name": "odd", "Type": "int", "Values": "list(range(1, 9))"}]},
    "KernelSpecification": {
      "Language": "OpenCL", "CompilerOptions": ["-cl-mad-enable"],
      "KernelName": "k", "KernelFile": "k.cl", "GlobalSizeType": "CUDA",
      "LocalSize": {"X": "block", "Y": "1", "Z": "1"},
      "GlobalSize": {"X": "(ProblemSize[0] // block) // tile", "Y": "1", "Z": "1"},
      "ProblemSize": [4096, 10], "SharedMemory": 0, "Stream": null,
      "Arguments": [
        {"Name": "a", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly",
         "FillType": "Random", "Size": 4096, "FillValue": 1.0, "MemType": "Constant"},
        {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 20000000}]
    }})T1")[0];
  EXPECT_EQ(spec.kernelName, "k");
  EXPECT_EQ(spec.kernelFile, "k.cl");
  EXPECT_TRUE(spec.globalCountsGroups);
  EXPECT_EQ(spec.constants.at("block"), 64);
  EXPECT_EQ(spec.constants.at("tile"), 2);
  EXPECT_EQ(spec.constants.count("odd"), 0u);
  EXPECT_EQ(spec.options, (std::vector<std::string>{"-cl-mad-enable",
                                                    "-Dblock=64", "-Dtile=2"}));
  EXPECT_EQ(evaluate(spec.ranges[0].global[0], spec.constants, "s.json"), 32);
  EXPECT_EQ(spec.arguments[0].fill, FillKind::Random);
  EXPECT_EQ(spec.sizePoints().size(), 1u);
}

TEST(RuntimeLaunchSpec, sizesAreSweptTogetherWithWhatDependsOnThem) {
  const KernelSpec spec = read(kernelWith(
      R"("GlobalSize": "w", "Sizes": {"n": [1, 2], "m": [5, 6], "w": "n*m"})"))
      [0];
  const std::vector<SizePoint> points = spec.sizePoints();
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[1], (SizePoint{{"n", 1}, {"m", 6}, {"w", 6}}));
  EXPECT_EQ(spec.sizePoints({{"n", {3}}})[0],
            (SizePoint{{"n", 3}, {"m", 5}, {"w", 15}}));
}

TEST(RuntimeLaunchSpec, sizesGivenPointByPoint) {
  const KernelSpec spec = read(kernelWith(
      R"("GlobalSize": "w", "Sizes": [{"w": 1, "h": 9}, {"w": 2, "h": 8}])"))
      [0];
  EXPECT_EQ(spec.sizePoints().size(), 2u);
  const std::vector<SizePoint> changed = spec.sizePoints({{"w", {4}}});
  ASSERT_EQ(changed.size(), 2u);
  EXPECT_EQ(changed[1], (SizePoint{{"w", 4}, {"h", 8}}));
}

TEST(RuntimeLaunchSpec, severalKernels) {
  EXPECT_EQ(read(R"({"KernelSpecification": [
      {"KernelName": "a", "GlobalSize": 1}, {"KernelName": "b", "GlobalSize": 1}]})")
                .size(),
            2u);
  EXPECT_EQ(
      read(R"([{"KernelSpecification": {"KernelName": "a", "GlobalSize": 1}},
                     {"KernelSpecification": {"KernelName": "b", "GlobalSize": 1}}])")
          .size(),
      2u);
}

TEST(RuntimeLaunchSpec, alternativeRanges) {
  const KernelSpec spec = read(kernelWith(
      R"("GlobalSize": {"X": 8, "Y": 4}, "LocalSize": {"X": 2},
         "NDRanges": [{}, {"GlobalSize": [6], "GlobalOffset": [1]}])"))[0];
  ASSERT_EQ(spec.ranges.size(), 3u);
  EXPECT_EQ(spec.ranges[0].local.size(), 2u); // the missing axis is 1
  EXPECT_TRUE(spec.ranges[1].local.empty());  // NULL, not the first range's
  EXPECT_EQ(spec.ranges[1].global.size(), 2u);
  EXPECT_EQ(spec.ranges[2].offset.size(), 1u);
}

TEST(RuntimeLaunchSpec, localSizesAreFurtherLaunches) {
  const KernelSpec spec = read(kernelWith(
      R"("GlobalSize": {"X": 8, "Y": 4}, "LocalSize": {"X": 2},
         "NDRanges": [{}], "LocalSizes": [{"X": 3, "Y": 5}, null, 64])"))[0];
  ASSERT_EQ(spec.ranges.size(), 5u);
  EXPECT_FALSE(spec.ranges[1].roundUp);
  EXPECT_TRUE(spec.ranges[2].roundUp);
  EXPECT_EQ(spec.ranges[2].global.size(), 2u);
  EXPECT_TRUE(spec.ranges[3].local.empty());
  EXPECT_EQ(spec.ranges[4].local.size(), 2u);
  EXPECT_EQ(errorOf(kernelWith("\"GlobalSize\": 1, \"LocalSizes\": 3")),
            "s.json:2:32: error: 'LocalSizes' must be a list");
  EXPECT_NE(errorOf(kernelWith("\"GlobalSize\": 1, \"LocalSizes\": [[2, 2]]"))
                .find("more dimensions than 'GlobalSize'"),
            std::string::npos);
}

TEST(RuntimeLaunchSpec, aScalarTakesTheSizeOfItsName) {
  const KernelSpec spec = read(
      argumentWith(R"("Name": "n", "Type": "int", "MemoryType": "Scalar")"))[0];
  EXPECT_EQ(spec.arguments[0].fillValue[0].expression.value.text(), "n");
  EXPECT_EQ(errorOf(argumentWith(
                R"("Name": "m", "Type": "int", "MemoryType": "Scalar")")),
            "s.json:3:1: error: 'FillValue' of 'm' is missing, and no size has "
            "its name");
}

TEST(RuntimeLaunchSpec, missingFields) {
  EXPECT_EQ(errorOf("{}"),
            "s.json:1:1: error: 'KernelSpecification' is missing");
  EXPECT_EQ(errorOf("[]"),
            "s.json:1:1: error: there is no kernel in this specification");
  EXPECT_EQ(errorOf("3"), "s.json:1:1: error: expected an object");
  EXPECT_EQ(errorOf(R"({"KernelSpecification": {}})"),
            "s.json:1:25: error: 'KernelName' is missing");
  EXPECT_EQ(errorOf(kernelWith("\"Arguments\": []")),
            "s.json:1:25: error: 'GlobalSize' is missing");
  EXPECT_EQ(errorOf(argumentWith(R"("MemoryType": "Vector", "Type": "int")")),
            "s.json:3:1: error: 'Size' of 'argument 0' is missing");
}

TEST(RuntimeLaunchSpec, wrongValuesAreShownWhereTheyStand) {
  EXPECT_EQ(errorOf(kernelWith(R"("Language": "CUDA")")),
            "s.json:2:13: error: the language is 'CUDA', not 'OpenCL'");
  EXPECT_EQ(
      errorOf(kernelWith(R"("GlobalSize": "2*")")),
      "s.json:2:18: error: 'GlobalSize': expected a number, a name or '(' in "
      "\"2*\"");
  EXPECT_EQ(errorOf(kernelWith(R"("GlobalSize": {"X": "n"})")),
            "s.json:2:22: error: unknown name 'n' in \"n\"");
  EXPECT_EQ(
      errorOf(kernelWith(R"("GlobalSize": [1], "LocalSize": [1, 1])")),
      "s.json:2:33: error: 'LocalSize' has more dimensions than 'GlobalSize'");
  EXPECT_EQ(
      errorOf(kernelWith(R"("GlobalSize": [1, 1, 1, 1])")),
      "s.json:2:15: error: 'GlobalSize' must have one to three dimensions");
  EXPECT_EQ(errorOf(kernelWith(R"("GlobalSize": 1.5)")),
            "s.json:2:15: error: 'GlobalSize' must be an integer or an "
            "expression in a "
            "string");
  EXPECT_EQ(errorOf(kernelWith(R"("GlobalSize": 1, "Sizes": {"n": []})")),
            "s.json:2:33: error: size 'n' has no value");
}

TEST(RuntimeLaunchSpec, wrongArguments) {
  EXPECT_EQ(errorOf(argumentWith(R"("MemoryType": "Texture", "Type": "int")")),
            "s.json:3:16: error: unknown MemoryType 'Texture' (there are "
            "Scalar, Vector, Local, Image, Sampler)");
  EXPECT_EQ(
      errorOf(argumentWith(R"("MemoryType": "Scalar", "Type": "thing")")),
      "s.json:3:34: error: unknown type 'thing' (a struct needs 'Members', or "
      "'TypeSize' in bytes)");
  EXPECT_EQ(
      errorOf(argumentWith(
          R"("MemoryType": "Vector", "Type": "int", "Size": 1, "FillType": "X")")),
      "s.json:3:64: error: unknown FillType 'X' (there are Constant, Random, "
      "Generator, BinaryRaw, Monotone, Permutation, Uninitialized)");
  EXPECT_EQ(
      errorOf(argumentWith(
          R"("MemoryType": "Vector", "Type": "int", "SameBufferAs": "b")")),
      "s.json:3:57: error: no earlier buffer is called 'b'");
  EXPECT_EQ(errorOf(argumentWith(R"("MemoryType": "Scalar", "Type": "float2",
      "FillValue": [1, 2, 3])")),
            "s.json:4:20: error: 'FillValue' must have one value for each of "
            "the 2 lanes "
            "of float2");
  EXPECT_EQ(
      errorOf(argumentWith(R"("MemoryType": "Vector", "Type": "S", "Size": 1,
      "Members": ["int", "char"], "TypeSize": 5)")),
      "s.json:4:18: error: 'Members' take 8 bytes, not 5");
}

TEST(RuntimeLaunchSpec, unknownFieldsAreFine) {
  EXPECT_EQ(
      errorOf(kernelWith(R"("GlobalSize": 1, "GridDivX": ["x"], "New": {})")),
      "no error");
}

} // namespace
