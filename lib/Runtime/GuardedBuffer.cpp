//===- GuardedBuffer.cpp - a device buffer between two guard bands
//----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trailing band begins at the buffer's last byte, whatever the alignment:
// only the origin of a sub-buffer has to be aligned.
//
//===----------------------------------------------------------------------===//

#include "Runtime/GuardedBuffer.h"

#include <cstring>

namespace clopt::runtime {

namespace {

/// A pattern without a period that a kernel's own stores would have: neither
/// zero nor equal bytes next to each other.
std::uint8_t patternAt(std::size_t index) {
  return static_cast<std::uint8_t>(0xA5 ^ (index * 0x9D));
}

} // namespace

GuardedBuffer::GuardedBuffer(const Device &where, std::size_t bytes,
                             std::size_t guardBytes)
    : device(where), size(bytes) {
  const std::size_t alignment = device.baseAlignment();
  guard = (guardBytes + alignment - 1) / alignment * alignment;
  cl_int status = CL_SUCCESS;
  whole = BufferHandle(clCreateBuffer(device.context(), CL_MEM_READ_WRITE,
                                      size + 2 * guard, nullptr, &status));
  checkCL(status, "clCreateBuffer");
}

void GuardedBuffer::upload(const std::vector<std::uint8_t> &contents) {
  std::vector<std::uint8_t> image(size + 2 * guard);
  for (std::size_t i = 0; i < guard; ++i) {
    image[i] = patternAt(i);
    image[guard + size + i] = patternAt(guard + i);
  }
  std::memcpy(&image[guard], contents.data(), size);
  checkCL(clEnqueueWriteBuffer(device.queue(), whole.get(), CL_TRUE, 0,
                               image.size(), image.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
}

std::vector<std::uint8_t>
GuardedBuffer::download(std::optional<GuardDamage> &damage) const {
  std::vector<std::uint8_t> image(size + 2 * guard);
  checkCL(clEnqueueReadBuffer(device.queue(), whole.get(), CL_TRUE, 0,
                              image.size(), image.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  damage.reset();
  for (std::size_t i = 0; i < guard && !damage; ++i) {
    if (image[guard + size + i] != patternAt(guard + i))
      damage = GuardDamage{false, i + 1};
    else if (image[guard - 1 - i] != patternAt(guard - 1 - i))
      damage = GuardDamage{true, i + 1};
  }
  return std::vector<std::uint8_t>(
      image.begin() + static_cast<std::ptrdiff_t>(guard),
      image.end() - static_cast<std::ptrdiff_t>(guard));
}

cl_mem GuardedBuffer::argument(std::size_t shift) {
  if (guard == 0 && shift == 0)
    return whole.get();
  for (const auto &[existing, part] : parts)
    if (existing == shift)
      return part.get();
  if (shift % device.baseAlignment() != 0)
    throw Error("a shared buffer can begin only at multiples of " +
                std::to_string(device.baseAlignment()) +
                " bytes on this device, not at " + std::to_string(shift));
  const cl_buffer_region region{guard + shift, size - shift};
  cl_int status = CL_SUCCESS;
  BufferHandle part(clCreateSubBuffer(whole.get(), CL_MEM_READ_WRITE,
                                      CL_BUFFER_CREATE_TYPE_REGION, &region,
                                      &status));
  checkCL(status, "clCreateSubBuffer");
  parts.emplace_back(shift, std::move(part));
  return parts.back().second.get();
}

} // namespace clopt::runtime
