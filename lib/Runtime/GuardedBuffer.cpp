//===- GuardedBuffer.cpp - a device buffer with guards around it ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trailing band begins at the buffer's last byte, whatever the alignment:
// only the origin of a sub-buffer has to be aligned.
//
//===----------------------------------------------------------------------===//

#include "Runtime/GuardedBuffer.h"

#include <algorithm>
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
                             const BufferPlacement &placement,
                             std::uint64_t pattern)
    : device(where), size(bytes), salt(pattern) {
  if (placement.kind == BufferPlacement::Kind::Bands) {
    const std::size_t alignment = device.baseAlignment();
    guard = (placement.guardBytes + alignment - 1) / alignment * alignment;
  } else {
    memory = std::make_unique<ProtectedMemory>(
        size,
        placement.kind == BufferPlacement::Kind::FlushEnd
            ? ProtectedMemory::Edge::End
            : ProtectedMemory::Edge::Begin,
        placement.alignment);
  }
  whole = makeBuffer(device, size + 2 * guard, memory ? CL_MEM_USE_HOST_PTR : 0,
                     memory ? memory->data() : nullptr);
}

/// `band` begins `first` bytes into the pattern.
void GuardedBuffer::fillBand(std::uint8_t *band, std::size_t bytes,
                             std::size_t first) const {
  for (std::size_t i = 0; i < bytes; ++i)
    band[i] = patternAt(salt, first + i);
}

void GuardedBuffer::upload(const std::vector<std::uint8_t> &contents) {
  if (memory) {
    memory->arm();
    const std::size_t before = memory->slackBefore();
    fillBand(memory->data() - before, before, 0);
    fillBand(memory->data() + size, memory->slackBehind(), before);
    return device.write(whole, contents.data(), size);
  }
  std::vector<std::uint8_t> image(size + 2 * guard);
  fillBand(&image[0], guard, 0);
  fillBand(&image[guard + size], guard, guard);
  std::memcpy(&image[guard], contents.data(), size);
  device.write(whole, image.data(), image.size());
}

/// The damage nearest to the buffer, whose first byte is `data`.
std::optional<GuardDamage> GuardedBuffer::findDamage(const std::uint8_t *data,
                                                     std::size_t before,
                                                     std::size_t behind) const {
  for (std::size_t i = 0; i < std::max(before, behind); ++i) {
    if (i < behind && data[size + i] != patternAt(salt, before + i))
      return GuardDamage{false, i + 1};
    if (i < before && *(data - 1 - i) != patternAt(salt, before - 1 - i))
      return GuardDamage{true, i + 1};
  }
  return std::nullopt;
}

std::vector<std::uint8_t>
GuardedBuffer::download(std::optional<GuardDamage> &damage) const {
  std::vector<std::uint8_t> image(size + 2 * guard);
  device.read(whole, image.data(), image.size());
  if (memory) {
    damage = findDamage(memory->data(), memory->slackBefore(),
                        memory->slackBehind());
    return image;
  }
  damage = findDamage(&image[guard], guard, guard);
  return std::vector<std::uint8_t>(
      image.begin() + static_cast<std::ptrdiff_t>(guard),
      image.end() - static_cast<std::ptrdiff_t>(guard));
}

void GuardedBuffer::transfer(std::vector<std::uint8_t> &contents,
                             bool isRead) const {
  if (isRead)
    device.read(whole, contents.data(), size, guard);
  else
    device.write(whole, contents.data(), size, guard);
}

cl_mem GuardedBuffer::argument(std::size_t shift) {
  return guard == 0 && shift == 0
             ? whole.get()
             : partOf(device, whole, guard, size, shift, parts);
}

cl_mem partOf(const Device &device, const BufferHandle &whole,
              std::size_t first, std::size_t size, std::size_t shift,
              std::vector<BufferPart> &parts) {
  for (const auto &[existing, part] : parts)
    if (existing == shift)
      return part.get();
  if (shift % device.baseAlignment() != 0)
    throw Error("a shared buffer can begin only at multiples of " +
                std::to_string(device.baseAlignment()) +
                " bytes on this device, not at " + std::to_string(shift));
  const cl_buffer_region region{first + shift, size - shift};
  cl_int status = CL_SUCCESS;
  BufferHandle part(clCreateSubBuffer(whole.get(), CL_MEM_READ_WRITE,
                                      CL_BUFFER_CREATE_TYPE_REGION, &region,
                                      &status));
  checkCL(status, "clCreateSubBuffer");
  parts.emplace_back(shift, std::move(part));
  return parts.back().second.get();
}

} // namespace clopt::runtime
