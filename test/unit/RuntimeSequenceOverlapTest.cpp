//===- RuntimeSequenceOverlapTest.cpp - copies beside kernels -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SequenceOverlap.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

using Kind = CopyCommand::Kind;

/// 16 work-items in four cells; each reads its byte of buffer 0 and writes that
/// of buffer 1.
PartedCall copyCall() {
  PartedCall call;
  call.range.global = {16, 1, 1};
  call.ends = {{4, 8, 12, 16}};
  for (std::size_t cell = 0; cell < 4; ++cell)
    call.cells.push_back(
        {{{cell * 4, cell * 4 + 4}, {0, 0}},
         {{cell * 4, cell * 4 + 4}, {cell * 4, cell * 4 + 4}}});
  return call;
}

/// 4 x 4 work-items; (j, i) reads rows i and j, eight bytes each, of buffer 0,
/// and writes a byte of buffer 1.
PartedCall pairsCall() {
  PartedCall call;
  call.range.dimensions = 2;
  call.range.global = {4, 4, 1};
  call.ends = {{1, 2, 3, 4}, {1, 2, 3, 4}};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const Bytes rows = {std::min(i, j) * 8, std::max(i, j) * 8 + 8};
      const Bytes cell = {i * 4 + j, i * 4 + j + 1};
      call.cells.push_back({{rows, {0, 0}}, {cell, cell}});
    }
  return call;
}

std::string text(const std::vector<CopyCommand> &commands) {
  std::string result;
  for (const CopyCommand &command : commands) {
    if (command.kind == Kind::Launch)
      result += command.range.str();
    else
      result += std::string(command.kind == Kind::Write ? "write " : "read ") +
                std::to_string(command.buffer) + " " +
                std::to_string(command.bytes.first) + "-" +
                std::to_string(command.bytes.second);
    result += command.after ? " after " + std::to_string(*command.after) : "";
    result += "\n";
  }
  return result;
}

} // namespace

TEST(RuntimeSequenceOverlap, BytesThatAreMissing) {
  ByteSet set;
  set.add({4, 8});
  set.add({12, 16});
  const std::vector<Bytes> gaps = {{0, 4}, {8, 12}, {16, 20}};
  EXPECT_EQ(set.missing({0, 20}), gaps);
  set.add({8, 12});
  EXPECT_TRUE(set.missing({4, 16}).empty());
  set.add({3, 3});
  EXPECT_EQ(set.missing({2, 4}), (std::vector<Bytes>{{2, 4}}));
}

TEST(RuntimeSequenceOverlap, F39LaunchesBeginWhenTheirBytesAreThere) {
  EXPECT_EQ(text(planCopies({copyCall()}, {{{0}, 2}}, {true, true})),
            "write 0 0-8\n"
            "write 1 0-8\n"
            "global 8, local NULL after 1\n"
            "read 1 0-8 after 2\n"
            "write 0 8-16\n"
            "write 1 8-16\n"
            "global 8, local NULL, offset 8 after 5\n"
            "read 1 8-16 after 6\n");
}

TEST(RuntimeSequenceOverlap, F39PairsOfRowsNeedTheRowsSoFar) {
  const std::vector<CopyCommand> commands =
      planCopies({pairsCall()}, {{{0, 1}, 2}}, {false, false});
  EXPECT_EQ(text(commands), "write 0 0-16\n"
                            "write 1 0-6\n"
                            "global 2x2, local NULL after 1\n"
                            "write 0 16-32\n"
                            "write 1 8-16\n"
                            "global 4x2, local NULL, offset 0x2 after 4\n"
                            "write 1 6-8\n"
                            "global 2x2, local NULL, offset 2x0 after 6\n");
}

TEST(RuntimeSequenceOverlap, F39WhatIsWrittenAgainIsNotReadBefore) {
  const std::vector<CopyCommand> commands =
      planCopies({copyCall(), copyCall()}, {{{0}, 2}, {{}, 1}}, {false, true});
  EXPECT_EQ(text(commands), "write 0 0-8\n"
                            "write 1 0-8\n"
                            "global 8, local NULL after 1\n"
                            "write 0 8-16\n"
                            "write 1 8-16\n"
                            "global 8, local NULL, offset 8 after 4\n"
                            "global 16, local NULL after 4\n"
                            "read 1 0-16 after 6\n");
}

TEST(RuntimeSequenceOverlap, F39BandsAsTheModelSays) {
  const std::vector<PartedCall> calls = {copyCall()};
  CopyCosts costs;
  costs.writeByte = 1;
  costs.readByte = 1;
  costs.calls = {32};
  // 32 ms of copies to the device, 32 of the kernel, 16 back.
  EXPECT_DOUBLE_EQ(predictCopies(planCopies(calls, {Cut()}, {true, true}),
                                 calls, costs, true),
                   80);
  EXPECT_DOUBLE_EQ(predictCopies(planCopies(calls, {{{0}, 4}}, {true, true}),
                                 calls, costs, false),
                   32 + 8 + 4);
  const std::vector<Cut> free = chooseCuts(calls, {true, true}, costs);
  EXPECT_EQ(free[0].parts, 4u);
  costs.command = 3; // each part has four commands
  EXPECT_EQ(chooseCuts(calls, {true, true}, costs)[0].parts, 2u);
  costs.command = 100;
  EXPECT_TRUE(chooseCuts(calls, {true, true}, costs)[0].dimensions.empty());
}
