//===- HostedBuffer.h - a buffer in memory of one kind ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times are those of the calls that the kind of memory needs. An application
// computes its data where they are to lie: filling a mapped buffer, or taking
// data from it, is not counted. Tested by test/unit/RuntimeHostedBufferTest.cpp
// and test/run.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_MEMORY_HOSTEDBUFFER_H
#define CLOPT_RUNTIME_MEMORY_HOSTEDBUFFER_H

#include "Runtime/DeviceMemory.h"
#include "Runtime/memory/TransferModel.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace clopt::runtime {

/// The modes that the device has: SVM is of OpenCL 2.0 and may be missing.
std::vector<MemoryMode> memoryModesOf(const Device &device);

class HostedBuffer : public DeviceMemory {
public:
  /// Throws OpenCLError. CopyHost is made from `contents`, the others of its
  /// size.
  HostedBuffer(const Device &where, MemoryMode how,
               const std::vector<std::uint8_t> &contents);
  ~HostedBuffer() override;
  HostedBuffer(const HostedBuffer &) = delete;
  HostedBuffer &operator=(const HostedBuffer &) = delete;

  /// Milliseconds.
  double write(const std::vector<std::uint8_t> &contents) const;
  double read(std::vector<std::uint8_t> &contents) const;

  void upload(const std::vector<std::uint8_t> &contents) override {
    write(contents);
  }
  std::vector<std::uint8_t>
  download(std::optional<GuardDamage> &damage) const override;
  void transfer(std::vector<std::uint8_t> &contents,
                bool isRead) const override;
  cl_mem argument(std::size_t shift) override;

private:
  bool isMapped() const {
    return mode != MemoryMode::Device && mode != MemoryMode::CopyHost;
  }
  template <typename Use> double map(cl_map_flags flags, const Use &use) const;

  const Device &device;
  const MemoryMode mode;
  const std::size_t size;
  void *shared = nullptr;                 // Svm
  std::unique_ptr<std::uint8_t[]> memory; // UseHost; outlives `whole`
  BufferHandle whole;
  std::vector<BufferPart> parts;
};

/// Measurements "memory" for every mode of the device: "make" (with release
/// and first touch), "write" and "read", from 4 KiB to `largest` bytes.
std::vector<ProbeMeasurement>
measureMemory(const Device &device, std::size_t largest, unsigned repeat);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_MEMORY_HOSTEDBUFFER_H
