//===- RuntimeSequenceTest.cpp - tests of Runtime/Sequence ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Sequence.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/SequenceBench.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace clopt::runtime;

namespace {

/// Kernel `k` with buffers a and b and scalars s and n, and these steps.
std::string sequenceWith(const std::string &steps) {
  return R"({"Sizes": {"n": 4}, "KernelSpecification": [
    {"KernelName": "k", "GlobalSize": "n", "Arguments": [
      {"Name": "a", "Type": "float", "MemoryType": "Vector", "Size": "n"},
      {"Name": "b", "Type": "float", "MemoryType": "Vector", "Size": "n"},
      {"Name": "s", "Type": "int", "MemoryType": "Scalar", "FillValue": 7},
      {"Name": "n", "Type": "int", "MemoryType": "Scalar"}]},
    {"KernelName": "wide", "GlobalSize": "n", "Arguments": [
      {"Name": "c", "Type": "float", "MemoryType": "Vector", "Size": "2*n"}]}],
   "Sequence": )" +
         steps + "}";
}

BoundSequence bound(const std::string &steps) {
  const SequenceSpec spec =
      readSequence(JsonDocument("s.json", sequenceWith(steps)));
  return bindSequence(spec, spec.kernels.front().sizePoints().front(), 1);
}

std::string errorOf(const std::string &steps) {
  try {
    bound(steps);
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

int scalarOf(const BoundCall &call, std::size_t index) {
  int value = 0;
  std::memcpy(&value, call.arguments[index].scalar.data(), sizeof value);
  return value;
}

TEST(RuntimeSequence, loopsAreWrittenOut) {
  const BoundSequence sequence = bound(R"([
    {"Launch": "k"},
    {"Loop": "i", "Count": "n-1", "Steps": [
      {"Loop": "j", "Count": "i", "Steps": [
        {"Launch": "k", "Arguments": {"s": "10*i+j"}}]}]}])");
  ASSERT_EQ(sequence.calls.size(), 4u);
  EXPECT_EQ(scalarOf(sequence.calls[0], 2), 7);
  EXPECT_EQ(scalarOf(sequence.calls[1], 2), 10);
  EXPECT_EQ(scalarOf(sequence.calls[2], 2), 20);
  EXPECT_EQ(scalarOf(sequence.calls[3], 2), 21);
  EXPECT_EQ(sequence.calls[3].range.str(), "global 4, local NULL");
}

TEST(RuntimeSequence, buffersAreCommonByName) {
  const BoundSequence sequence = bound(
      R"([{"Launch": "k"}, {"Launch": "k", "Arguments": {"a": "b", "b": "a"}}])");
  ASSERT_EQ(sequence.memory.buffers.size(), 2u);
  EXPECT_EQ(sequence.calls[0].arguments[0].buffer, 0u);
  EXPECT_EQ(sequence.calls[1].arguments[0].buffer, 1u);
  EXPECT_EQ(sequence.calls[1].arguments[1].buffer, 0u);
}

TEST(RuntimeSequence, whatIsWrongIsTold) {
  EXPECT_EQ(errorOf("[]"), "the sequence has no launch");
  EXPECT_EQ(errorOf("7"), "steps must be a list");
  EXPECT_EQ(errorOf(R"([{"Launch": "q"}])"),
            "no kernel of the specification is 'q'");
  EXPECT_EQ(errorOf(R"([{"Launch": "k", "Arguments": {"q": 1}}])"),
            "'k' has no argument 'q'");
  EXPECT_EQ(errorOf(R"([{"Launch": "k", "Arguments": {"a": "q"}}])"),
            "no kernel has a buffer 'q'");
  EXPECT_EQ(errorOf(R"([{"Launch": "k"},
                        {"Launch": "wide", "Arguments": {"c": "a"}}])"),
            "'c' has another size than the buffer 'a'");
  EXPECT_EQ(errorOf(R"([{"Loop": "n", "Count": 1, "Steps": []}])"),
            "'n' is no name for a counter");
  EXPECT_EQ(errorOf(R"([{"Loop": "i", "Count": 1000001,
                         "Steps": [{"Launch": "k"}]}])"),
            "the sequence has more than a million launches");
}

TEST(RuntimeSequence, timelines) {
  SequenceRun run;
  run.name = "original";
  const auto launch = CopyCommand::Kind::Launch;
  run.timeline = {{"k<", NDRange{}, launch, 0, 2.5},
                  {"k<", NDRange{}, launch, 5, 10}};
  SequenceResult result;
  result.point = {{"n", 4}};
  result.runs = {run};
  const Json trace = Json::parse(timelineTrace({result}));
  ASSERT_EQ(trace.size(), 3u); // the name of the row, and two launches
  EXPECT_EQ(trace[2]["ts"], 5.0);
  EXPECT_EQ(trace[2]["dur"], 5.0);
  const std::string chart = timelineChart({result});
  EXPECT_NE(chart.find("<title>k&lt;, global 1, local NULL</title>"),
            std::string::npos);
  // 760 pixels stand for 10 microseconds.
  EXPECT_NE(chart.find("x=\"490\""), std::string::npos);
  EXPECT_NE(chart.find("width=\"380\""), std::string::npos);
}

} // namespace
