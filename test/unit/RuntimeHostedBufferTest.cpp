//===- RuntimeHostedBufferTest.cpp - a buffer in memory of one kind -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Execution.h"
#include "Runtime/memory/HostedBuffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace clopt::runtime;

namespace {

std::vector<std::uint8_t> bytesFrom(std::uint8_t first, std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<std::uint8_t>(first + i * 7);
  return bytes;
}

TEST(RuntimeHostedBufferTest, NamesOfModes) {
  for (const std::string &name : memoryModeNames())
    EXPECT_EQ(memoryModeName(findMemoryMode(name).value()), name);
  EXPECT_FALSE(findMemoryMode("texture"));
}

// F36: what is written is read back, from memory of any kind.
TEST(RuntimeHostedBufferTest, F36WrittenAndReadBack) {
  const Device device = Device::select("", "");
  const std::vector<MemoryMode> modes = memoryModesOf(device);
  EXPECT_GE(modes.size(), 4u);
  for (const MemoryMode mode : modes) {
    SCOPED_TRACE(memoryModeName(mode));
    HostedBuffer buffer(device, mode, bytesFrom(1, 10007));
    buffer.upload(bytesFrom(3, 10007));
    std::optional<GuardDamage> damage;
    EXPECT_EQ(buffer.download(damage), bytesFrom(3, 10007));
    EXPECT_FALSE(damage);
  }
}

// F36: creation writes; nothing else has to.
TEST(RuntimeHostedBufferTest, F36CopiesAreMadeOfTheirContents) {
  const Device device = Device::select("", "");
  HostedBuffer buffer(device, MemoryMode::CopyHost, bytesFrom(5, 4099));
  std::optional<GuardDamage> damage;
  EXPECT_EQ(buffer.download(damage), bytesFrom(5, 4099));
}

// F36: a launch gives the same in memory of any kind, also where an argument
// begins inside of a buffer, and leaves the launch as it was.
TEST(RuntimeHostedBufferTest, F36LaunchesGiveTheSame) {
  const Device device = Device::select("", "");
  const ProgramHandle program = buildProgram(
      device,
      "kernel void add(global int *a, global const int *b, int n) {\n"
      "  int i = get_global_id(0);\n  if (i < n) a[i] += 2 * b[i];\n}\n",
      "", "add.cl");
  const KernelHandle kernel = makeKernel(program, "add");
  constexpr std::int32_t count = 1000;
  const std::size_t shift = device.baseAlignment();
  Launch launch;
  launch.buffers.resize(2);
  launch.buffers[0].name = "a";
  launch.buffers[0].contents = bytesFrom(1, 4 * count);
  launch.buffers[1].name = "b";
  launch.buffers[1].contents = bytesFrom(9, 4 * count + shift);
  for (std::size_t i = 0; i < 2; ++i) {
    LaunchArgument argument;
    argument.memory = MemoryKind::Vector;
    argument.buffer = i;
    argument.shiftBytes = i * shift;
    launch.arguments.push_back(argument);
  }
  LaunchArgument size;
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(&count);
  size.scalar.assign(bytes, bytes + sizeof count);
  launch.arguments.push_back(size);
  NDRange range;
  range.global[0] = 1024;
  Execution execution(device, launch, BufferPlacement{});
  const Outcome expected = execution.run(kernel, range);
  ASSERT_NE(expected.buffers[0], launch.buffers[0].contents);
  for (const MemoryMode mode : memoryModesOf(device)) {
    SCOPED_TRACE(memoryModeName(mode));
    Outcome outcome;
    const MemoryTimes times = execution.time(
        kernel, range, {mode, MemoryMode::Device}, {true, false}, outcome);
    EXPECT_EQ(outcome.buffers, expected.buffers);
    EXPECT_GT(times.total(), 0);
    execution.time(kernel, range, {MemoryMode::Device, mode}, {true, false},
                   outcome);
    EXPECT_EQ(outcome.buffers, expected.buffers);
  }
  EXPECT_EQ(execution.run(kernel, range).buffers, expected.buffers);
}

// F37: a device is measured, and the model knows all of its modes.
TEST(RuntimeHostedBufferTest, F37TheDeviceIsMeasured) {
  const Device device = Device::select("", "");
  ProbeData data;
  data.device.identity = device.identity();
  data.measurements = measureMemory(device, 65536, 2);
  const TransferModel model = fitTransferModel(data);
  EXPECT_EQ(model.modes.size(), memoryModesOf(device).size());
  for (const ModeCost &cost : model.modes) {
    EXPECT_GT(cost.write.milliseconds(65536), 0);
    EXPECT_GT(cost.make.milliseconds(4096), 0);
  }
}

} // namespace
