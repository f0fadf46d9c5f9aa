//===- RuntimeTransferModelTest.cpp - which memory a buffer should lie in -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/memory/TransferModel.h"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace clopt::runtime;

namespace {

constexpr std::uint64_t mebi = 1 << 20;

BufferUse use(std::uint64_t bytes, unsigned writes, unsigned reads) {
  BufferUse result;
  result.bytes = bytes;
  result.writes = writes;
  result.reads = reads;
  return result;
}

const ModeCost &costOf(const TransferModel &model, MemoryMode mode) {
  for (const ModeCost &cost : model.modes)
    if (cost.mode == mode)
      return cost;
  throw std::runtime_error("no such mode");
}

/// A row of Table 4.5, the columns of the model, in milliseconds.
struct Row {
  std::uint64_t bytes;
  bool isWrite;
  double pageable, make, release, pinned, all;
  MemoryMode chosen;
};

// F37: the four arrays of PCA.
TEST(RuntimeTransferModelTest, F37TableOfTheThesis) {
  const TransferModel model = thesisModel();
  const Row rows[] = {
      {149501632, true, 42.192, 3.828, 6.517, 23.614, 33.959,
       MemoryMode::UseHost},
      {200704, false, 0.109, 0.094, 0.081, 0.042, 0.216, MemoryMode::Device},
      {200704, true, 0.097, 0.094, 0.081, 0.047, 0.222, MemoryMode::Device},
      {72081144, false, 23.292, 1.913, 3.224, 10.770, 15.907,
       MemoryMode::UseHost}};
  for (const Row &row : rows) {
    SCOPED_TRACE(row.bytes);
    const BufferUse array = use(row.bytes, row.isWrite, !row.isWrite);
    const ModeCost &pinned = costOf(model, MemoryMode::UseHost);
    const double bytes = double(row.bytes);
    const std::vector<ModePrice> prices = priceModes(model, array);
    ASSERT_EQ(prices.size(), 2u);
    EXPECT_NEAR(prices[0].milliseconds, row.pageable, 0.05);
    EXPECT_NEAR(prices[1].milliseconds, row.all, 0.05);
    EXPECT_NEAR(pinned.make.milliseconds(bytes), row.make, 0.001);
    EXPECT_NEAR(pinned.release.milliseconds(bytes), row.release, 0.001);
    EXPECT_NEAR((row.isWrite ? pinned.write : pinned.read).milliseconds(bytes),
                row.pinned, 0.05);
    EXPECT_EQ(chooseMode(model, array), row.chosen);
  }
}

// F37: registering jumps at 1 MiB, so that the choice goes back and forth.
TEST(RuntimeTransferModelTest, F37TheChoiceIsNotMonotone) {
  const TransferModel model = thesisModel();
  const auto chosen = [&](double mebibytes, bool isWrite) {
    return *chooseMode(model,
                       use(std::uint64_t(mebibytes * mebi), isWrite, !isWrite));
  };
  EXPECT_EQ(chosen(0.5, true), MemoryMode::Device);
  EXPECT_EQ(chosen(0.8, true), MemoryMode::UseHost);
  EXPECT_EQ(chosen(2, true), MemoryMode::Device);
  EXPECT_EQ(chosen(8, true), MemoryMode::UseHost);
  EXPECT_EQ(chosen(0.5, false), MemoryMode::Device);
  EXPECT_EQ(chosen(0.8, false), MemoryMode::UseHost);
  EXPECT_EQ(chosen(1.05, false), MemoryMode::Device);
  EXPECT_EQ(chosen(1.5, false), MemoryMode::UseHost);
}

// F37: registering is paid once, so arrays that are moved often repay it.
TEST(RuntimeTransferModelTest, F37FrequencyCounts) {
  const TransferModel model = thesisModel();
  EXPECT_EQ(chooseMode(model, use(200704, 1, 0)), MemoryMode::Device);
  EXPECT_EQ(chooseMode(model, use(200704, 10, 0)), MemoryMode::UseHost);
}

ProbeMeasurement measured(const std::string &mode, const std::string &way,
                          std::int64_t bytes, double nanoseconds) {
  return {"memory",
          {{"mode", mode}, {"way", way}},
          {{"bytes", bytes}},
          "ns",
          {nanoseconds, 0}};
}

void addMode(ProbeData &data, const std::string &mode, double make,
             double write, double read) {
  for (std::int64_t bytes : {4096, 1 << 20}) {
    data.measurements.push_back(measured(mode, "make", bytes, make));
    data.measurements.push_back(
        measured(mode, "write", bytes, write * double(bytes)));
    data.measurements.push_back(
        measured(mode, "read", bytes, read * double(bytes)));
  }
}

// F37: each kind of memory has a device and a use for which it is the best.
TEST(RuntimeTransferModelTest, F37EveryModeWinsSomewhere) {
  for (const std::string &best : memoryModeNames()) {
    SCOPED_TRACE(best);
    ProbeData data;
    data.device.identity.isProcessor = true;
    for (const std::string &mode : memoryModeNames())
      addMode(data, mode, mode == best ? 100 : 5000, mode == best ? 0.1 : 0.2,
              mode == best ? 0.1 : 0.2);
    EXPECT_EQ(chooseMode(fitTransferModel(data), use(65536, 1, 1)),
              findMemoryMode(best));
  }
}

// F37: what creation writes is not written again.
TEST(RuntimeTransferModelTest, F37CreationIsTheFirstWrite) {
  ProbeData data;
  addMode(data, "device", 1000, 1, 1);
  addMode(data, "copy-host", 1500, 1, 1);
  const TransferModel model = fitTransferModel(data);
  EXPECT_EQ(chooseMode(model, use(65536, 1, 0)), MemoryMode::CopyHost);
  EXPECT_EQ(chooseMode(model, use(65536, 0, 1)), MemoryMode::Device);
}

TEST(RuntimeTransferModelTest, FitsGoThroughTheirPoints) {
  ProbeData data;
  addMode(data, "device", 1000, 1, 2);
  const TransferModel model = fitTransferModel(data);
  ASSERT_EQ(model.modes.size(), 1u) << "nothing was measured of the others";
  EXPECT_NEAR(model.modes[0].write.milliseconds(4096), 0.004096, 1e-9);
  EXPECT_NEAR(model.modes[0].write.milliseconds(500000), 0.5, 1e-9);
  EXPECT_NEAR(model.modes[0].read.milliseconds(1 << 20), 2.097152, 1e-9);
  EXPECT_NEAR(model.modes[0].write.milliseconds(1 << 21), 2.097152, 1e-9)
      << "the last line goes on";
  EXPECT_NEAR(model.modes[0].write.milliseconds(1), 0.004096, 1e-9);
}

BufferUse onceInWords() {
  BufferUse result = use(1 << 20, 1, 0);
  result.isTouchedOnce = result.isRegular = result.isContiguous = true;
  result.elementBytes = 4;
  return result;
}

// F38: each condition refuses by a reason of its own.
TEST(RuntimeTransferModelTest, F38ZeroCopyHasFourConditions) {
  EXPECT_EQ(zeroCopyRefusal(onceInWords()), "");
  BufferUse often = onceInWords();
  often.isTouchedOnce = false;
  EXPECT_EQ(zeroCopyRefusal(often),
            "touched more than once: every access would cross the bus again");
  BufferUse indirect = onceInWords();
  indirect.isRegular = false;
  EXPECT_EQ(zeroCopyRefusal(indirect),
            "which elements are touched depends on data");
  BufferUse apart = onceInWords();
  apart.isContiguous = false;
  EXPECT_EQ(zeroCopyRefusal(apart),
            "neighbouring work-items do not touch neighbouring elements");
  BufferUse pixels = onceInWords();
  pixels.elementBytes = 3; // the structure of three bytes of 4.7.1
  EXPECT_EQ(zeroCopyRefusal(pixels), "accesses are of 3 bytes, not 4");
}

// F38: over a bus the cheapest memory is refused where the rule says so.
TEST(RuntimeTransferModelTest, F38ARefusedModeIsNotChosen) {
  ProbeData data;
  addMode(data, "device", 1000, 1, 1);
  addMode(data, "alloc-host", 100, 0.001, 0.001);
  const TransferModel model = fitTransferModel(data);
  EXPECT_EQ(chooseMode(model, onceInWords()), MemoryMode::AllocHost);
  BufferUse pixels = onceInWords();
  pixels.elementBytes = 3;
  EXPECT_EQ(chooseMode(model, pixels), MemoryMode::Device);
  EXPECT_EQ(priceModes(model, pixels)[1].refusal,
            "accesses are of 3 bytes, not 4");
  data.device.identity.isProcessor = true; // no bus
  EXPECT_EQ(chooseMode(fitTransferModel(data), pixels), MemoryMode::AllocHost);
}

} // namespace
