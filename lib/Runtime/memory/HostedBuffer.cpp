//===- HostedBuffer.cpp - a buffer in memory of one kind ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/memory/HostedBuffer.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace clopt::runtime {

namespace {

constexpr std::size_t pageBytes = 4096;

template <typename Action> double millisecondsOf(const Action &action) {
  const Stopwatch watch;
  action();
  return watch.milliseconds();
}

} // namespace

std::vector<MemoryMode> memoryModesOf(const Device &device) {
  std::vector<MemoryMode> modes = {MemoryMode::Device, MemoryMode::CopyHost,
                                   MemoryMode::UseHost, MemoryMode::AllocHost};
  // Devices of OpenCL 1.2 do not know the question.
  if (queryValue<cl_device_svm_capabilities>(0, clGetDeviceInfo, device.id(),
                                             CL_DEVICE_SVM_CAPABILITIES) &
      CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)
    modes.push_back(MemoryMode::Svm);
  return modes;
}

HostedBuffer::HostedBuffer(const Device &where, MemoryMode how,
                           const std::vector<std::uint8_t> &contents)
    : device(where), mode(how), size(contents.size()) {
  cl_mem_flags flags = 0;
  void *host = nullptr;
  if (mode == MemoryMode::CopyHost) {
    flags = CL_MEM_COPY_HOST_PTR;
    host = const_cast<std::uint8_t *>(contents.data());
  } else if (mode == MemoryMode::AllocHost) {
    flags = CL_MEM_ALLOC_HOST_PTR;
  } else if (mode == MemoryMode::UseHost) {
    // From a page on and whole pages, so that drivers can lock them.
    memory.reset(new std::uint8_t[size + 2 * pageBytes]);
    std::size_t room = size + 2 * pageBytes;
    host = memory.get();
    std::align(pageBytes, size, host, room);
    flags = CL_MEM_USE_HOST_PTR;
  } else if (mode == MemoryMode::Svm) {
    shared = clSVMAlloc(device.context(), CL_MEM_READ_WRITE, size, 0);
    if (!shared)
      throw OpenCLError("clSVMAlloc", CL_MEM_OBJECT_ALLOCATION_FAILURE);
    host = shared;
    flags = CL_MEM_USE_HOST_PTR;
  }
  try {
    whole = makeBuffer(device, size, flags, host);
  } catch (const OpenCLError &) {
    if (shared)
      clSVMFree(device.context(), shared);
    throw;
  }
}

HostedBuffer::~HostedBuffer() {
  parts.clear();
  whole = BufferHandle();
  if (shared)
    clSVMFree(device.context(), shared);
}

/// Milliseconds of mapping and of unmapping, without what `use` does.
template <typename Use>
double HostedBuffer::map(cl_map_flags flags, const Use &use) const {
  std::uint8_t *at = nullptr;
  const double before = millisecondsOf([&] {
    at = static_cast<std::uint8_t *>(device.map(whole, size, flags));
  });
  use(at);
  return before + millisecondsOf([&] { device.unmap(whole, at); });
}

double HostedBuffer::write(const std::vector<std::uint8_t> &contents) const {
  if (isMapped())
    return map(CL_MAP_WRITE_INVALIDATE_REGION, [&](std::uint8_t *at) {
      std::memcpy(at, contents.data(), size);
    });
  return millisecondsOf([&] { device.write(whole, contents.data(), size); });
}

double HostedBuffer::read(std::vector<std::uint8_t> &contents) const {
  contents.resize(size);
  if (isMapped())
    return map(CL_MAP_READ, [&](const std::uint8_t *at) {
      std::memcpy(contents.data(), at, size);
    });
  return millisecondsOf([&] { device.read(whole, contents.data(), size); });
}

std::vector<std::uint8_t>
HostedBuffer::download(std::optional<GuardDamage> &damage) const {
  damage.reset(); // nothing lies around it
  std::vector<std::uint8_t> contents;
  read(contents);
  return contents;
}

void HostedBuffer::transfer(std::vector<std::uint8_t> &contents,
                            bool isRead) const {
  isRead ? read(contents) : write(contents);
}

cl_mem HostedBuffer::argument(std::size_t shift) {
  return shift == 0 ? whole.get()
                    : partOf(device, whole, 0, size, shift, parts);
}

std::vector<ProbeMeasurement>
measureMemory(const Device &device, std::size_t largest, unsigned repeat) {
  std::vector<ProbeMeasurement> result;
  for (const MemoryMode mode : memoryModesOf(device))
    for (std::size_t bytes = pageBytes; bytes <= largest; bytes *= 4) {
      std::vector<std::uint8_t> contents(bytes, 1);
      std::vector<double> make, write, read;
      for (unsigned i = 0; i <= repeat; ++i) {
        std::unique_ptr<HostedBuffer> buffer;
        double once = millisecondsOf([&] {
          buffer = std::make_unique<HostedBuffer>(device, mode, contents);
        });
        // The first write also gets the pages.
        const double first = buffer->write(contents);
        const double later = buffer->write(contents);
        const double back = buffer->read(contents);
        if (mode != MemoryMode::CopyHost)
          once += std::max(0.0, first - later);
        once += millisecondsOf([&] { buffer.reset(); });
        if (i == 0)
          continue; // warms up
        make.push_back(once * 1e6);
        write.push_back(later * 1e6);
        read.push_back(back * 1e6);
      }
      const auto add = [&](const char *way, std::vector<double> times) {
        result.push_back({"memory",
                          {{"mode", memoryModeName(mode)}, {"way", way}},
                          {{"bytes", std::int64_t(bytes)}},
                          "ns",
                          summarize(std::move(times))});
      };
      add("make", std::move(make));
      add("write", std::move(write));
      add("read", std::move(read));
    }
  return result;
}

} // namespace clopt::runtime
