//===- GuardedBuffer.cpp - a device buffer between two guard bands --------===//
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

/// The byte of a guard band at `index`. Every buffer has a pattern of its own,
/// without a period: a kernel that copies from outside one buffer to outside
/// another, or along one, must not put in place what was there.
std::uint8_t patternAt(std::uint64_t salt, std::uint64_t index) {
  std::uint64_t hash = (salt << 40) + index + 1; // the finalizer of SplitMix64
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint8_t>(hash >> 33);
}

} // namespace

GuardedBuffer::GuardedBuffer(const Device &where, std::size_t bytes,
                             std::size_t guardBytes, std::uint64_t pattern)
    : device(where), size(bytes), salt(pattern) {
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
    image[i] = patternAt(salt, i);
    image[guard + size + i] = patternAt(salt, guard + i);
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
    if (image[guard + size + i] != patternAt(salt, guard + i))
      damage = GuardDamage{false, i + 1};
    else if (image[guard - 1 - i] != patternAt(salt, guard - 1 - i))
      damage = GuardDamage{true, i + 1};
  }
  return std::vector<std::uint8_t>(
      image.begin() + static_cast<std::ptrdiff_t>(guard),
      image.end() - static_cast<std::ptrdiff_t>(guard));
}

void GuardedBuffer::transfer(std::vector<std::uint8_t> &contents,
                             bool isRead) const {
  if (isRead)
    checkCL(clEnqueueReadBuffer(device.queue(), whole.get(), CL_TRUE, guard,
                                size, contents.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
  else
    checkCL(clEnqueueWriteBuffer(device.queue(), whole.get(), CL_TRUE, guard,
                                 size, contents.data(), 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
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
